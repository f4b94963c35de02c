//! Files of a search, and their sorted sections in tiers of equal size.
//!
//! Sections are merged as in a log-structured merge tree (P. O'Neil and others, Acta Informatica
//! 33, 1996): [`MOST_ALIKE`] of about the same size become one. The number of sections, and how
//! often a row is written, are logarithmic in the number of rows.

use std::collections::BTreeSet;
use std::io;
use std::ops::ControlFlow;

use stubborn_space::disk::Disk;
use stubborn_space::verdict::Reason;

use super::merge::{Merge, Source};
use super::sections::{Cursor, Extent, Reader, Section, Writer};

use crate::search::meter::Stop;

/// Asks whether to go on; called regularly in long work.
pub type Ask<'a> = &'a mut dyn FnMut() -> ControlFlow<Stop>;

/// Turns an error of the disk into the end of the search.
pub fn or_stop<T>(result: io::Result<T>) -> ControlFlow<Stop, T> {
    match result {
        Ok(value) => ControlFlow::Continue(value),
        Err(error) => ControlFlow::Break(Stop::Limit(Reason::Disk(error.to_string()))),
    }
}

/// Files of one search, which are removed with it.
pub struct Files<'d> {
    pub disk: &'d dyn Disk,
    pub words: usize,
    /// Words in a block.
    pub block: usize,
    next: u64,
    /// All present files but the first, which stays.
    all: BTreeSet<u64>,
}

/// The first file, to which the search appends layers.
pub const OF_LAYERS: u64 = 0;

impl<'d> Files<'d> {
    pub fn new(disk: &'d dyn Disk, words: usize, block: usize) -> Files<'d> {
        Files {
            disk,
            words,
            block,
            next: OF_LAYERS,
            all: BTreeSet::new(),
        }
    }

    /// Writes a new file.
    pub fn writer(&mut self) -> Writer<'d> {
        let file = self.next;
        self.next += 1;
        self.all.insert(file);
        Writer::new(self.disk, file, self.words, self.block)
    }

    pub fn reader(&self, extent: Extent) -> Reader<'d> {
        Reader::new(self.disk, extent, self.words, self.block)
    }

    pub fn cursor(&self, section: &Section) -> Cursor<'d> {
        Cursor::new(self.disk, section, self.words, self.block)
    }

    /// Removes the file of a section, which has one of its own unless it is a layer.
    pub fn remove(&mut self, section: &Section) -> io::Result<()> {
        let file = section.extent.file;
        match file != OF_LAYERS && self.all.remove(&file) {
            true => self.disk.remove(file),
            false => Ok(()),
        }
    }

    /// Merges several sources into one section.
    pub fn merged(&mut self, sources: Vec<Source<'_>>, ask: Ask<'_>) -> ControlFlow<Stop, Section> {
        let mut writer = self.writer();
        let mut merge = or_stop(Merge::new(self.words, sources))?;
        let mut batch = Vec::new();
        loop {
            ask()?;
            batch.clear();
            or_stop(merge.give(self.block, &mut batch))?;
            if batch.is_empty() {
                break;
            }
            for row in batch.chunks_exact(self.words) {
                or_stop(writer.push(row))?;
            }
        }
        let section = or_stop(writer.finish())?;
        or_stop(writer.flush())?;
        ControlFlow::Continue(section)
    }
}

impl Drop for Files<'_> {
    fn drop(&mut self) {
        for file in &self.all {
            // If it cannot be removed, the owner of the disk does it.
            let _ = self.disk.remove(*file);
        }
    }
}

/// Sections of about the same size that become one.
const MOST_ALIKE: usize = 4;

/// Sections by their numbers of rows: those in one list have up to four times as many as those in
/// the list before.
#[derive(Default)]
pub struct Tiers(Vec<Vec<Section>>);

impl Tiers {
    pub fn all(&self) -> impl Iterator<Item = &Section> {
        self.0.iter().flatten()
    }

    pub fn len(&self) -> usize {
        self.all().count()
    }

    /// Number of rows; a row that is in several sections counts for each.
    pub fn rows(&self) -> u64 {
        self.all().map(|section| section.rows).sum()
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.all().map(Section::bytes).sum()
    }

    pub fn sources<'a>(&self, files: &Files<'a>) -> Vec<Source<'a>> {
        let sources = self
            .all()
            .map(|section| Source::Disk(files.reader(section.extent)));
        sources.collect()
    }

    /// Adds a section, and merges sections of about the same size.
    pub fn add(
        &mut self,
        mut section: Section,
        files: &mut Files<'_>,
        ask: Ask<'_>,
    ) -> ControlFlow<Stop> {
        loop {
            let tier = section.rows.max(1).ilog(MOST_ALIKE as u64) as usize;
            if self.0.len() <= tier {
                self.0.resize_with(tier + 1, Vec::new);
            }
            self.0[tier].push(section);
            if self.0[tier].len() < MOST_ALIKE {
                return ControlFlow::Continue(());
            }
            let alike = std::mem::take(&mut self.0[tier]);
            let sources = alike
                .iter()
                .map(|one| Source::Disk(files.reader(one.extent)));
            let sources = sources.collect();
            section = files.merged(sources, ask)?;
            for one in &alike {
                or_stop(files.remove(one))?;
            }
        }
    }

    /// Removes all of them.
    pub fn remove(self, files: &mut Files<'_>) -> ControlFlow<Stop> {
        or_stop(self.all().try_for_each(|section| files.remove(section)))
    }
}
