//! Definitions, constants, macros and properties that have been read, one item each.
//!
//! What reading one comes to depends on its own text and on what the names in it stand for. So it is
//! what it was where its text is, and nothing that it uses, however far, has changed. All places in it
//! are counted from the beginning of the item that they are in, so that it is kept as it is whatever is
//! written before it.

mod recall;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::declarations::{ConstantInfo, DefinitionInfo};
use crate::names::ItemId;
use crate::names::journal::Journal;
use crate::properties::NamedProperty;
use crate::spans::Spans;
use stubborn_system::source::Span;

/// An item that has been read.
#[derive(Debug)]
pub(crate) struct Reading {
    meaning: Meaning,
    journal: Journal,
    /// Whether the processes were laid out then.
    laid_out: bool,
    /// The items in which it has a place, ascending.
    places: Vec<ItemId>,
}

/// What it has come to.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Definition(DefinitionInfo),
    Constant(ConstantInfo),
    /// Of a macro, which is expanded where it is called: the size of its control flow.
    Macro(usize),
    /// For each value of its parameters, none of which has a monitor.
    Properties(Vec<NamedProperty>),
}

/// The readings of an analysis, by item.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    /// Those of the analysis before it that stand, and those of its own.
    by_item: Vec<Option<Arc<Reading>>>,
    /// Which items were recalled, so that what they tell and note has been told and noted.
    are_recalled: Vec<bool>,
    /// Where the items stand.
    items: Vec<Span>,
}

impl Readings {
    pub fn of(&self) -> &[Option<Arc<Reading>>] {
        &self.by_item
    }
}

impl Reading {
    /// Whether it can stand where these items are not what they were.
    pub fn stands_without(&self, changed: &FxHashSet<ItemId>) -> bool {
        !self.places.iter().any(|item| changed.contains(item))
    }

    /// Who uses what in it.
    pub fn uses(&self) -> impl Iterator<Item = (ItemId, ItemId)> + Clone {
        self.journal.uses()
    }

    pub fn journal(&self) -> &Journal {
        &self.journal
    }
}

impl Meaning {
    /// Whether a property in it has a monitor, which is not moved.
    fn has_monitor(&self) -> bool {
        match self {
            Meaning::Definition(_) | Meaning::Constant(_) | Meaning::Macro(_) => false,
            Meaning::Properties(all) => all.iter().any(|property| property.monitor.is_some()),
        }
    }
}

impl Spans for Meaning {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        match self {
            Meaning::Definition(info) => {
                let parameters = info.parameters.iter_mut();
                parameters.for_each(|parameter| each(&mut parameter.span));
            }
            Meaning::Constant(_) | Meaning::Macro(_) => {}
            Meaning::Properties(properties) => {
                for property in properties {
                    each(&mut property.span);
                    let premises = property.premises.iter_mut();
                    premises.for_each(|premise| each(&mut premise.span));
                }
            }
        }
    }
}

/// Where something stands that was counted from the beginning of its item, the number of which stands for
/// the file's.
pub(crate) fn from_item(items: &[Span], then: Span) -> Span {
    let item = items[then.file.0 as usize];
    Span::new(item.file, item.start + then.start, item.start + then.end)
}
