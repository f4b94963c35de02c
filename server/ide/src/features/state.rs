//! How each property of a file stands. Each always has a state that a person can see: an empty list
//! of problems alone says nothing.

use std::collections::HashMap;
use std::sync::Arc;

use stubborn_model::names::symbols::SymbolKind;
use stubborn_model::program::Program;
use stubborn_report::{PropertyReport, Verdict};
use stubborn_syntax::ast::AstNode;

use super::Location;
use crate::before::{BeforeOfRoot, Found};
use crate::database::{Db, SourceFile, analyzed, properties, report, reports, whole};
use crate::jobs::{Key, Standing};

/// How the properties stand that are being decided.
pub type Pending = HashMap<Key, Standing>;

/// A property, and how it stands.
pub struct PropertyState {
    pub name: String,
    /// The same without the values of parameters.
    pub base: String,
    /// Where its name stands now.
    pub place: Location,
    pub state: State,
}

#[derive(Clone)]
pub enum State {
    /// What is known of the text as it is.
    Known(Found),
    /// It is to be decided, or is being decided; what was found of the text before, if nothing is
    /// known of the text as it is.
    Pending(Standing, Option<Found>),
    /// Nobody has asked yet for the text as it is; what was found of the text before.
    Stale(Option<Found>),
}

impl State {
    /// As the protocol's notification calls it.
    pub fn as_str(&self) -> &'static str {
        match self {
            State::Known(report) => report.verdict.as_str(),
            State::Pending(Standing::Waiting(_) | Standing::Held(..), _) => "waiting",
            State::Pending(Standing::Running(_), _) => "running",
            State::Stale(_) => "stale",
        }
    }

    /// What was found of a text before this one.
    pub fn before(&self) -> Option<&Found> {
        match self {
            State::Known(_) => None,
            State::Pending(_, before) | State::Stale(before) => before.as_ref(),
        }
    }

    /// From what is known of a property.
    pub fn of(report: Option<Found>, pending: Option<Standing>, before: Option<&Found>) -> State {
        match (report, pending) {
            // A search without limits for what is undecided shows that it goes on.
            (Some(report), Some(standing)) if report.verdict == Verdict::Undecided => {
                State::Pending(standing, None)
            }
            (Some(report), _) => State::Known(report),
            (None, Some(standing)) => State::Pending(standing, before.cloned()),
            (None, None) => State::Stale(before.cloned()),
        }
    }
}

/// The properties that were violated when last something was found of them, where the tree of the text as
/// it is has names for them: before it is known what any of it means, or whether that is still so.
pub fn violated_before(program: &Program, before: Option<&BeforeOfRoot>) -> Vec<PropertyState> {
    let violated = before.map(BeforeOfRoot::violated).unwrap_or_default();
    if violated.is_empty() {
        return Vec::new();
    }
    let mut first = HashMap::new();
    for file in &program.files {
        let items = file.parse.tree().items();
        for name in items.filter_map(|item| item.name()) {
            let range = name.syntax().text_range();
            first.entry(name.text()).or_insert_with(|| Location {
                path: file.path.as_str().into(),
                bytes: range.into(),
            });
        }
    }
    stale(program, &violated, &|name| first.get(name).cloned())
}

/// Those of the text before, where they stand now, or else stood.
fn stale(
    program: &Program,
    before: &[&Found],
    declared: &dyn Fn(&str) -> Option<Location>,
) -> Vec<PropertyState> {
    let lengths = program.files.iter();
    let lengths = lengths.map(|file| (file.path.as_str(), file.text.len()));
    let lengths: HashMap<&str, usize> = lengths.collect();
    let was = |report: &PropertyReport| {
        let length = lengths.get(&*report.place.file).copied().unwrap_or(0);
        Location {
            path: report.place.file.clone(),
            bytes: (report.place.bytes.start as usize).min(length)
                ..(report.place.bytes.end as usize).min(length),
        }
    };
    let states = before.iter().map(|&found| PropertyState {
        name: found.name.clone(),
        base: found.base.clone(),
        place: declared(&found.base).unwrap_or_else(|| was(found)),
        state: State::Stale(Some(found.clone())),
    });
    states.collect()
}

/// How the properties of a root stand, in their order; where its text has no meaning, those that it
/// had when it had one.
pub fn states(
    db: &dyn Db,
    root: SourceFile,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Vec<PropertyState> {
    let reports = reports(db, root);
    let report = |at| Found::new(&reports, at);
    states_of(db, root, pending, before, &|_| true, &report)
}

/// How the property with this name stands, which has the values of its parameters: who asks about each of a
/// thousand is not told about all of them each time, nor waits for what is told of the others.
pub fn state(
    db: &dyn Db,
    root: SourceFile,
    name: &str,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Option<PropertyState> {
    let alone = |at| Found::new(&Arc::new(vec![report(db, root, at)]), 0);
    states_of(db, root, pending, before, &|one| one == name, &alone).pop()
}

/// The same of those whose name is wanted. `report` says what is known of the property with a number.
fn states_of(
    db: &dyn Db,
    root: SourceFile,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
    is_wanted: &dyn Fn(&str) -> bool,
    report: &dyn Fn(usize) -> Option<Found>,
) -> Vec<PropertyState> {
    let (Some(analysis), Some(whole)) = (analyzed(db, root), whole(db, root)) else {
        return Vec::new();
    };
    let program = &whole.program;
    let Some(model) = &analysis.model else {
        // Where the name stands now, if it can still be read.
        let mut first = HashMap::new();
        for symbol in analysis.symbols.iter() {
            if let SymbolKind::Property | SymbolKind::Tester = symbol.kind {
                first.entry(&*symbol.name).or_insert(symbol);
            }
        }
        let mut before = before.map(BeforeOfRoot::all).unwrap_or_default();
        before.retain(|found| is_wanted(&found.name));
        return stale(program, &before, &|name| {
            Location::of(program, first.get(name)?.span)
        });
    };
    let sliced = properties(db, root);
    let wanted = model.properties.iter().enumerate();
    let wanted = wanted.filter(|(_, named)| is_wanted(&named.name));
    let states = wanted.filter_map(|(at, named)| {
        let standing = sliced.get(at).and_then(|one| pending.get(&one.key));
        let report = report(at);
        let before = before.and_then(|before| before.get(&named.name));
        Some(PropertyState {
            name: named.name.clone(),
            base: named.base.clone(),
            place: Location::of(program, named.span)?,
            state: State::of(report, standing.cloned(), before),
        })
    });
    states.collect()
}
