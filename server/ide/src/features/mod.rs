//! What the server shows, each a function from the database and a place to plain data.
//!
//! Invariant: nothing here knows the protocol; places are bytes of a file.

mod again;
#[cfg(test)]
mod broken_texts;
pub mod call_hierarchy;
pub mod completion;
pub mod definition;
pub mod diagnostics;
pub mod evaluation;
mod fields;
pub mod fixes;
#[cfg(test)]
mod fixture;
pub mod folding;
pub mod formatting;
pub mod highlights;
pub mod hints;
pub mod hover;
pub mod implementation;
pub mod lens;
pub mod links;
pub mod message;
mod parameters;
mod participants;
pub mod picture;
pub mod references;
pub mod rename;
pub mod run;
pub mod selection;
pub mod semantic_tokens;
pub mod signature;
pub mod state;
pub mod symbols;
pub mod trace;
mod tree;
pub mod type_definition;
mod undecided;
pub mod unreached;
pub mod vacuous;
pub mod values;
mod violation;
pub mod workspace_symbols;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::program::Program;
use stubborn_report::Place;
use stubborn_system::source::Span;

/// Replacements by file, in the order of its text.
pub type Edits = BTreeMap<Arc<str>, Vec<(Range<usize>, String)>>;

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub path: Arc<str>,
    pub bytes: Range<usize>,
}

impl Location {
    /// A place of a program.
    fn of(program: &Program, span: Span) -> Option<Location> {
        let file = program.files.get(span.file.0 as usize)?;
        Some(Location {
            path: file.path.as_str().into(),
            bytes: span.start as usize..span.end as usize,
        })
    }
}

impl From<&Place> for Location {
    fn from(place: &Place) -> Location {
        Location {
            path: Arc::clone(&place.file),
            bytes: place.bytes.start as usize..place.bytes.end as usize,
        }
    }
}

/// Where what stands at a place leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// What stands there.
    pub from: Range<usize>,
    pub to: Vec<Target>,
}

/// A name, or a file, to which something leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    pub name: Location,
    /// What is worth showing around the name, of the same file.
    pub whole: Range<usize>,
}

impl Target {
    /// A declaration of a program, by the place of its name.
    fn declared(program: &Program, name: Span) -> Option<Target> {
        let place = Location::of(program, name)?;
        let root = program.file(name.file).parse.syntax();
        let node = tree::declaring(&root, place.bytes.clone());
        Some(Target {
            whole: node.map_or_else(
                || place.bytes.clone(),
                |node| tree::bytes(node.text_range()),
            ),
            name: place,
        })
    }
}
