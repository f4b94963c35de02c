//! Keeps a journal of what is read, and replays journals.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::symbol_book::{Notes, SymbolBook};
use super::{Journal, Told};
use crate::elaborate::Elaborator;
use crate::memory::readings::{Reading, from_item};
use crate::spans::Spans;
use stubborn_system::source::Span;

impl Elaborator<'_> {
    /// Reads something, and keeps a journal of it where that is asked for.
    pub(crate) fn journaled<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> (R, Journal) {
        if !self.remembers {
            return (read(self), Journal::default());
        }
        let (work, work_apart) = (self.work, self.work_apart);
        self.reports.journal = Some(Told::default());
        self.symbols.notes = Some(Notes::default());
        self.read_now = Some(FxHashSet::default());
        let result = read(self);
        let told = self.reports.journal.take().unwrap_or_default();
        let read_now = self.read_now.take().unwrap_or_default();
        let journal = Journal {
            problems: told.problems,
            uses: told.uses.into_iter().collect(),
            has_errors: told.has_errors,
            notes: self.symbols.notes.take().unwrap_or_default().list,
            read: read_now.into_iter().collect(),
            work: (self.work - work).saturating_sub(self.work_apart - work_apart),
        };
        (result, journal)
    }

    /// The same for what has a journal of its own, whoever has it read first: it is read or
    /// recalled in every analysis, so that a journal around it need not have the same again.
    pub(crate) fn journaled_apart<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> (R, Journal) {
        self.apart_from_journal(
            |this| this.journaled(read),
            |(_, journal)| journal.has_errors,
        )
    }

    /// Tells and notes what was told and noted when something was read that is recalled and stands
    /// in the items now; a journal around it does not have it.
    pub(crate) fn replay_apart(&mut self, reading: &Arc<Reading>, items: &[Span]) {
        let (journal, now) = (reading.journal(), |then| from_item(items, then));
        if !journal.problems.is_empty() {
            self.apart_from_journal(|this| this.tell_again(journal, &now), |()| false);
        }
        self.reports.record_recalled(Arc::clone(reading));
        self.symbols.note_recalled(Arc::clone(reading), &now);
        self.read.extend(journal.read.iter().map(|then| now(*then)));
        self.work = self.work.saturating_add(journal.work);
        self.work_apart = self.work_apart.saturating_add(journal.work);
    }

    fn apart_from_journal<R>(
        &mut self,
        read: impl FnOnce(&mut Self) -> R,
        has_errors: impl FnOnce(&R) -> bool,
    ) -> R {
        let told = self.reports.journal.take();
        let notes = self.symbols.notes.take();
        let read_now = self.read_now.take();
        let (work, work_apart) = (self.work, self.work_apart);
        let result = read(self);
        self.work_apart = work_apart + (self.work - work);
        self.reports.journal = told;
        self.symbols.notes = notes;
        self.read_now = read_now;
        if let Some(told) = &mut self.reports.journal {
            told.has_errors |= has_errors(&result);
        }
        result
    }

    /// Tells and notes what was told and noted when it was read.
    pub(crate) fn replay(&mut self, journal: &Journal) {
        debug_assert!(self.symbols.notes.is_none(), "no journal is around it");
        let now = |span| span;
        self.tell_again(journal, &now);
        for (user, used) in &journal.uses {
            self.reports.record_use(*user, *used);
        }
        let SymbolBook { table, early, .. } = &mut self.symbols;
        for note in &journal.notes {
            note.put_to(table, early, &now);
        }
        for declared in &journal.read {
            self.mark_read(now(*declared));
        }
        self.work = self.work.saturating_add(journal.work);
    }

    fn tell_again(&mut self, journal: &Journal, now: &dyn Fn(Span) -> Span) {
        for (problem, owner) in &journal.problems {
            let mut problem = problem.clone();
            problem.each_span(&mut |span| *span = now(*span));
            self.reports.add(problem, *owner);
        }
    }
}
