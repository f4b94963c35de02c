//! The queries, from a text to its properties.
//!
//! A root is a file that is checked for itself, with all that it uses.

use std::collections::BTreeSet;
use std::sync::Arc;

use stubborn_model::elaborate::Settings;
use stubborn_model::names::Scopes;
use stubborn_model::program::{NoText, ParsedFile, Program};
use stubborn_model::{Analysis, analyze_remembering};
use stubborn_report::Texts;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::files::{Contents, SourceFile};
use super::inputs::{Db, is_to_end};
use crate::jobs::{Fingerprint, Sliced, sliced_again};

/// The tree of a file, or `None` where there is no text.
#[salsa::tracked(returns(clone))]
pub fn parsed(db: &dyn Db, file: SourceFile) -> Option<Arc<ParsedFile>> {
    match file.contents(db) {
        Contents::Text(text) => {
            let path = file.path(db);
            let text = Arc::clone(text);
            let parsed = match db.memories().file(path) {
                Some(before) => before.again(text, &|| is_to_end(db)),
                None => ParsedFile::within(path.to_string(), text, &|| is_to_end(db)),
            };
            let parsed = Arc::new(parsed.ok()?);
            db.memories().keep_file(path, &parsed);
            Some(parsed)
        }
        Contents::Unread | Contents::Missing | Contents::Refused(_) => None,
    }
}

/// A root with all that it uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Whole {
    pub program: Program,
    /// The paths of its files, those that are missing too.
    pub paths: BTreeSet<Arc<str>>,
    /// Those that nobody has looked for yet.
    pub unread: BTreeSet<Arc<str>>,
}

/// The root's program, or `None` where the root has no text.
#[salsa::tracked(returns(clone))]
pub fn whole(db: &dyn Db, root: SourceFile) -> Option<Arc<Whole>> {
    let first = parsed(db, root)?;
    let mut paths = BTreeSet::from([Arc::clone(root.path(db))]);
    let mut unread = BTreeSet::new();
    let program = Program::assemble_from(first, &mut |path| {
        let file = db.file(path);
        paths.insert(Arc::clone(file.path(db)));
        if *file.contents(db) == Contents::Unread {
            unread.insert(Arc::clone(file.path(db)));
        }
        parsed(db, file).ok_or_else(|| match file.contents(db) {
            Contents::Refused(why) => NoText::Refused(why.to_string()),
            _ => NoText::Missing,
        })
    });
    Some(Arc::new(Whole {
        program,
        paths,
        unread,
    }))
}

/// What the root means, and what is wrong with it.
#[salsa::tracked(returns(clone))]
pub fn analyzed(db: &dyn Db, root: SourceFile) -> Option<Arc<Analysis>> {
    let whole = whole(db, root)?;
    let (program, settings) = (&whole.program, Settings::default());
    let before = db.memories().of(program);
    let found = analyze_remembering(program, &settings, before.as_deref(), &|| is_to_end(db));
    let (analysis, memory) = found.ok()?;
    db.memories().keep(program, memory);
    Some(Arc::new(analysis))
}

/// Which names are in scope where in the root's files.
#[salsa::tracked(returns(clone))]
pub fn scopes(db: &dyn Db, root: SourceFile) -> Option<Arc<Scopes>> {
    let (whole, analysis) = (whole(db, root)?, analyzed(db, root)?);
    Some(Arc::new(Scopes::new(&whole.program, &analysis.symbols)))
}

/// The root's System. It stays as it is where only comments, layout or names change.
#[salsa::tracked(returns(clone))]
pub fn system(db: &dyn Db, root: SourceFile) -> Option<Arc<System>> {
    let analysis = analyzed(db, root)?;
    analysis
        .model
        .as_ref()
        .map(|model| Arc::clone(&model.system))
}

#[salsa::tracked(returns(copy))]
pub fn fingerprint(db: &dyn Db, root: SourceFile) -> Option<Fingerprint> {
    let on_the_way = || db.unwind_if_revision_cancelled();
    system(db, root).map(|system| Fingerprint::within(&*system, &on_the_way))
}

/// The properties of the root's System, in their order, without names and places.
#[salsa::tracked(returns(clone))]
fn stated(db: &dyn Db, root: SourceFile) -> Arc<Vec<Property>> {
    let analysis = analyzed(db, root);
    let model = analysis
        .as_ref()
        .and_then(|analysis| analysis.model.as_ref());
    let properties = model.map_or(&[][..], |model| &model.properties);
    Arc::new(properties.iter().map(|one| one.property.clone()).collect())
}

/// The properties, each with what stays of the System for it.
#[salsa::tracked(returns(clone))]
pub fn properties(db: &dyn Db, root: SourceFile) -> Arc<Vec<Sliced>> {
    let Some(system) = system(db, root) else {
        return Arc::default();
    };
    let on_the_way = || db.unwind_if_revision_cancelled();
    let (path, memories) = (root.path(db), db.memories());
    let before = memories.slices(path);
    let properties = sliced_again(before.as_ref(), &system, &stated(db, root), &on_the_way);
    memories.keep_slices(path, (system, Arc::clone(&properties)));
    properties
}

/// The texts of the root's files, with their lines.
#[salsa::tracked(returns(clone), no_eq)]
pub fn texts(db: &dyn Db, root: SourceFile) -> Option<Arc<Texts>> {
    let whole = whole(db, root)?;
    Some(Arc::new(Texts::of(&whole.program)))
}
