//! Recalls items instead of reading them again, and keeps readings for the next analysis.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{Meaning, Reading, Readings, from_item};
use crate::elaborate::Elaborator;
use crate::names::ItemId;
use crate::names::journal::Journal;
use crate::spans::{Spans, span_of};
use stubborn_system::source::{FileId, Span};

impl Elaborator<'_> {
    /// Has items recalled from now on that need not be read, and others kept for the next analysis.
    pub(crate) fn remember(&mut self, known: Vec<Option<Arc<Reading>>>) {
        let items = self.names.items.iter();
        let items: Vec<Span> = items.map(|item| span_of(item.file, &item.ast)).collect();
        self.remembers = true;
        let mut by_item = known;
        by_item.resize(items.len(), None);
        self.readings = Readings {
            by_item,
            are_recalled: vec![false; items.len()],
            items,
        };
    }

    /// Tells and notes what reading an item did that need not be read; `None` where it is to be
    /// read.
    pub(crate) fn recall(&mut self, item: ItemId) -> Option<Arc<Reading>> {
        let reading = self.readings.by_item.get(item.0 as usize)?.as_ref()?;
        let is_recalled = self.readings.are_recalled[item.0 as usize];
        // What it comes to was found out by itself, wherever it is asked for.
        if !(is_recalled || self.is_by_itself()) || reading.laid_out != self.laid_out {
            return None;
        }
        let reading = Arc::clone(reading);
        if let Some(user) = self.owner() {
            self.reports.record_use(user, item);
        }
        if !is_recalled {
            self.readings.are_recalled[item.0 as usize] = true;
            let readings = std::mem::take(&mut self.readings);
            self.replay_apart(&reading, &readings.items);
            self.readings = readings;
        }
        Some(reading)
    }

    /// The same, and what it means.
    pub(crate) fn recalled(&mut self, item: ItemId) -> Option<Meaning> {
        let reading = self.recall(item)?;
        let mut now = |then| Some(from_item(&self.readings.items, then));
        reading.meaning.with_spans(&mut now)
    }

    /// Reads an item, and keeps what it means for the next analysis where that does not depend on
    /// where it is read from.
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
        if meaning.has_monitor() {
            return None;
        }
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
        let meaning = meaning.with_spans(&mut within)?;
        let mut places: Vec<ItemId> = places.into_iter().collect();
        places.sort_unstable();
        Some(Reading {
            meaning,
            journal,
            laid_out: self.laid_out,
            places,
        })
    }
}
