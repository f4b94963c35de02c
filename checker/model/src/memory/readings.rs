//! Definitions, constants, macros and properties that have been read, one item each.
//!
//! What reading one comes to depends on its own text and on what the names in it stand for. So it is
//! what it was where its text is, and nothing that it uses, however far, has changed. All places in it
//! are counted from the beginning of the item that they are in, so that it is kept as it is whatever is
//! written before it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::declarations::{ConstantInfo, DefinitionInfo};
use crate::elaborate::{Elaborator, span_of};
use crate::names::ItemId;
use crate::names::journal::Journal;
use crate::properties::NamedProperty;
use stubborn_system::source::{FileId, Span};

/// An item that has been read.
#[derive(Debug)]
pub(crate) struct Reading {
    meaning: Meaning,
    journal: Journal,
    /// Whether the processes were laid out then.
    laid_out: bool,
    /// The items in which it has a place.
    places: FxHashSet<ItemId>,
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
    /// Where the items stand.
    items: Vec<Span>,
}

impl Readings {
    pub fn of(&self) -> &[Option<Arc<Reading>>] {
        &self.by_item
    }

    /// Where something stands that was counted from the beginning of its item.
    fn now(&self, then: Span) -> Span {
        let item = self.items[then.file.0 as usize];
        Span {
            file: item.file,
            start: item.start + then.start,
            end: item.start + then.end,
        }
    }
}

impl Reading {
    /// Whether it can stand where these items are not what they were.
    pub fn stands_without(&self, changed: &FxHashSet<ItemId>) -> bool {
        self.places.is_disjoint(changed)
    }
}

impl Meaning {
    /// The same with other places; `None` where one has none.
    fn with_places(&self, place: &mut dyn FnMut(Span) -> Option<Span>) -> Option<Meaning> {
        let mut meaning = self.clone();
        match &mut meaning {
            Meaning::Definition(info) => {
                for parameter in &mut info.parameters {
                    parameter.span = place(parameter.span)?;
                }
            }
            Meaning::Constant(_) | Meaning::Macro(_) => {}
            Meaning::Properties(properties) => {
                for property in properties {
                    if property.monitor.is_some() {
                        return None;
                    }
                    property.span = place(property.span)?;
                }
            }
        }
        Some(meaning)
    }
}

impl Elaborator<'_> {
    /// Has items recalled from now on that need not be read, and others kept for the next analysis.
    pub(crate) fn remember(&mut self, known: Vec<Option<Arc<Reading>>>) {
        let items = self.names.items.iter();
        let items: Vec<Span> = items.map(|item| span_of(item.file, &item.ast)).collect();
        self.remembers = true;
        self.readings = Readings {
            by_item: known,
            items,
        };
        let count = self.readings.items.len();
        self.readings.by_item.resize(count, None);
    }

    /// What an item means that need not be read: tells and notes what reading it did.
    pub(crate) fn recalled(&mut self, item: ItemId) -> Option<Meaning> {
        let reading = self.readings.by_item.get(item.0 as usize)?.clone()?;
        if !self.is_by_itself() || reading.laid_out != self.laid_out {
            return None;
        }
        if let Some(user) = self.owner() {
            self.reports.record_use(user, item);
        }
        let readings = std::mem::take(&mut self.readings);
        self.apart(|this| this.replay_apart(&reading.journal, &|then| readings.now(then)));
        let meaning = reading
            .meaning
            .with_places(&mut |then| Some(readings.now(then)));
        self.readings = readings;
        meaning
    }

    /// Reads an item, and keeps what it means for the next analysis where that does not depend on where
    /// it is read from.
    pub(crate) fn remembered<R>(
        &mut self,
        item: ItemId,
        read: impl FnOnce(&mut Self) -> R,
        meaning: impl FnOnce(&R) -> Option<Meaning>,
    ) -> R {
        if !self.remembers || !self.is_by_itself() {
            return read(self);
        }
        // That it is used here is no part of what it is.
        let user = self.owner();
        if let Some(user) = user {
            self.reports.record_use(user, item);
        }
        let (result, mut journal) = self.journaled_apart(read);
        if let Some(user) = user {
            journal.forget_use(user, item);
        }
        let reading = match meaning(&result) {
            Some(meaning) if !journal.has_errors() && !self.reports.is_faulty(item) => {
                self.reading(&meaning, &journal)
            }
            _ => None,
        };
        if let Some(kept) = self.readings.by_item.get_mut(item.0 as usize) {
            *kept = reading.map(Arc::new);
        }
        result
    }

    fn reading(&self, meaning: &Meaning, journal: &Journal) -> Option<Reading> {
        let mut places = FxHashSet::default();
        let mut within = |span: Span| {
            let item = self.item_at(span)?;
            let around = self.readings.items[item.0 as usize];
            places.insert(item);
            (span.end <= around.end).then(|| Span {
                file: FileId(item.0),
                start: span.start - around.start,
                end: span.end - around.start,
            })
        };
        let journal = journal.with_places(&mut within)?;
        let meaning = meaning.with_places(&mut within)?;
        Some(Reading {
            meaning,
            journal,
            laid_out: self.laid_out,
            places,
        })
    }
}
