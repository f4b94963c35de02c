//! Set of all visited states.

use std::ops::ControlFlow;

use super::files::{Ask, Files, Tiers, or_stop};
use super::merge::{Source, sort};
use super::sections::{Cursor, Section};
use crate::search::meter::Stop;
use crate::store::Store;
use crate::store::exact::Exact;

/// Each row may cost the reading of a block.
const ROWS_BETWEEN_QUESTIONS: u32 = 256;

/// The recent states of narrow layers are in memory, all others on the disk. A narrow layer
/// therefore costs no writing and, if its targets are recent, no reading.
pub struct Visited {
    words: usize,
    recent: Exact,
    most_recent: u64,
    sections: Tiers,
}

/// Most bytes of the table for each state, besides its words.
const OF_TABLE: u64 = 16;

impl Visited {
    pub fn new(words: usize, most_recent: u64) -> Visited {
        Visited {
            words,
            recent: Exact::new(words),
            most_recent,
            sections: Tiers::default(),
        }
    }

    /// Whether there is room for `more` states in memory.
    pub fn has_room(&self, more: u64) -> bool {
        let row = self.words as u64 * 8 + OF_TABLE;
        (self.recent.states() + more) * row <= self.most_recent
    }

    /// Adds a new state in memory.
    pub fn insert(&mut self, row: &[u64]) {
        match self.recent.spot(row) {
            Ok(_) => debug_assert!(false, "the state is new"),
            Err(vacancy) => {
                self.recent.append(vacancy, row);
            }
        }
    }

    /// Moves the states in memory to the disk.
    pub fn write(&mut self, files: &mut Files<'_>, ask: Ask<'_>) -> ControlFlow<Stop> {
        let recent = std::mem::replace(&mut self.recent, Exact::new(self.words));
        if recent.len() == 0 {
            return ControlFlow::Continue(());
        }
        let mut rows = recent.rows(0..recent.len()).to_vec();
        drop(recent);
        ask()?;
        sort(&mut rows, self.words);
        let section = files.merged(vec![Source::Memory(&rows)], ask)?;
        self.sections.add(section, files, ask)
    }

    /// Adds a layer that is on the disk.
    pub fn add(
        &mut self,
        layer: Section,
        files: &mut Files<'_>,
        ask: Ask<'_>,
    ) -> ControlFlow<Stop> {
        self.sections.add(layer, files, ask)
    }

    pub fn cursors<'d>(&self, files: &Files<'d>) -> Vec<Cursor<'d>> {
        let sections = self.sections.all().map(|section| files.cursor(section));
        sections.collect()
    }

    /// Removes the rows that were visited. Rows ascend, from one call to the next too.
    pub fn strike(
        &self,
        cursors: &mut [Cursor<'_>],
        rows: &mut Vec<u64>,
        ask: Ask<'_>,
    ) -> ControlFlow<Stop> {
        let mut countdown = ROWS_BETWEEN_QUESTIONS;
        for (section, cursor) in self.sections.all().zip(cursors) {
            retain(rows, self.words, |row| {
                countdown -= 1;
                if countdown == 0 {
                    countdown = ROWS_BETWEEN_QUESTIONS;
                    ask()?;
                }
                or_stop(cursor.has(section, row)).map_continue(|has| !has)
            })?;
        }
        if self.recent.len() > 0 {
            let is_new = |row: &[u64]| self.recent.spot(row).is_err();
            retain(rows, self.words, |row| ControlFlow::Continue(is_new(row)))?;
        }
        ControlFlow::Continue(())
    }

    /// Number of sections that are read.
    pub fn sections(&self) -> usize {
        self.sections.len()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.recent.bytes() + self.sections.bytes()
    }
}

/// Keeps the rows that are wanted.
fn retain(
    rows: &mut Vec<u64>,
    words: usize,
    mut is_wanted: impl FnMut(&[u64]) -> ControlFlow<Stop, bool>,
) -> ControlFlow<Stop> {
    let mut kept = 0;
    for at in (0..rows.len()).step_by(words) {
        if is_wanted(&rows[at..at + words])? {
            if kept < at {
                rows.copy_within(at..at + words, kept);
            }
            kept += words;
        }
    }
    rows.truncate(kept);
    ControlFlow::Continue(())
}
