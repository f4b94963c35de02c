//! Ascending rows in a file: written one after the other, read one after the other or here and there.

use std::io;

use stubborn_space::disk::Disk;

use super::blocks::{HEAD, Packer, most_bytes, sizes, unpack};

/// Some bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub file: u64,
    pub begin: u64,
    pub end: u64,
}

impl Part {
    /// At the beginning of a file.
    fn none_of(file: u64) -> Part {
        Part {
            file,
            begin: 0,
            end: 0,
        }
    }
}

/// A part of a file with ascending rows, each once.
pub struct Section {
    pub part: Part,
    pub rows: u64,
    /// Where each block begins, and its first row.
    begins: Vec<u64>,
    firsts: Vec<u64>,
}

impl Section {
    fn new(part: Part) -> Section {
        Section {
            part,
            rows: 0,
            begins: Vec::new(),
            firsts: Vec::new(),
        }
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        let words = self.begins.capacity() + self.firsts.capacity();
        (words * 8 + size_of::<Section>()) as u64
    }
}

/// Writes sections into one file, one behind the other.
pub struct Writer<'d> {
    disk: &'d dyn Disk,
    /// In one block.
    most_rows: usize,
    packer: Packer,
    /// What is still to be written, and where in the file it belongs.
    waiting: Vec<u8>,
    at: u64,
    most_waiting: usize,
    section: Section,
}

impl<'d> Writer<'d> {
    /// Into a new file, blocks of so many words.
    pub fn new(disk: &'d dyn Disk, file: u64, words: usize, block: usize) -> Writer<'d> {
        Writer {
            disk,
            most_rows: (block / words).max(1),
            packer: Packer::new(words),
            waiting: Vec::new(),
            at: 0,
            most_waiting: block * 8,
            section: Section::new(Part::none_of(file)),
        }
    }

    /// The next row of the present section, larger than the one before.
    pub fn push(&mut self, row: &[u64]) -> io::Result<()> {
        if self.packer.rows() == 0 {
            self.section.begins.push(self.end());
            self.section.firsts.extend_from_slice(row);
        }
        self.packer.push(row);
        self.section.rows += 1;
        match self.packer.rows() < self.most_rows {
            true => Ok(()),
            false => self.finish_block(),
        }
    }

    fn end(&self) -> u64 {
        self.at + self.waiting.len() as u64
    }

    fn finish_block(&mut self) -> io::Result<()> {
        let place = (self.section.part.file, self.end());
        self.packer.finish(place, &mut self.waiting);
        match self.waiting.len() < self.most_waiting {
            true => Ok(()),
            false => self.flush(),
        }
    }

    /// Ends the present section, and begins the next one. It can be read once all is [flushed](Writer::flush).
    pub fn finish(&mut self) -> io::Result<Section> {
        if self.packer.rows() > 0 {
            self.finish_block()?;
        }
        let end = self.end();
        let next = Part {
            begin: end,
            end,
            ..self.section.part
        };
        let mut section = std::mem::replace(&mut self.section, Section::new(next));
        section.part.end = end;
        section.begins.shrink_to_fit();
        section.firsts.shrink_to_fit();
        Ok(section)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.disk.append(self.section.part.file, &self.waiting)?;
            self.at += self.waiting.len() as u64;
            self.waiting.clear();
        }
        Ok(())
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        self.waiting.capacity() as u64 + self.packer.bytes() + self.section.bytes()
    }
}

/// Reads the rows of a part of a file.
pub struct Reader<'d> {
    disk: &'d dyn Disk,
    words: usize,
    part: Part,
    /// Where the next block begins.
    next: u64,
    /// Bytes of the file, and where in it they stand.
    raw: Vec<u8>,
    raw_at: u64,
    /// So many bytes are read at once where one block follows another.
    ahead: usize,
    /// The rows of the present block, and where in them the present one begins.
    rows: Vec<u64>,
    at: usize,
}

impl<'d> Reader<'d> {
    /// Of rows of so many words, in blocks of no more than so many.
    pub fn new(disk: &'d dyn Disk, part: Part, words: usize, block: usize) -> Reader<'d> {
        Reader {
            disk,
            words,
            part,
            next: part.begin,
            raw: Vec::new(),
            raw_at: 0,
            ahead: block * 8,
            rows: Vec::new(),
            at: 0,
        }
    }

    /// How much memory one takes at the most, in bytes.
    pub fn most_bytes(words: usize, block: usize) -> u64 {
        let rows = (block / words).max(1);
        (rows * words * 8 + most_bytes(words, rows).max(block * 8)) as u64
    }

    /// The rows of the present block that are left.
    pub fn rows(&self) -> &[u64] {
        &self.rows[self.at..]
    }

    #[inline]
    pub fn row(&self) -> Option<&[u64]> {
        self.rows.get(self.at..self.at + self.words)
    }

    /// Goes on to the next row of the present block, or of the next block.
    #[inline]
    pub fn advance(&mut self) -> io::Result<()> {
        self.at += self.words;
        match self.at < self.rows.len() {
            true => Ok(()),
            false => self.next_block().map(|_| ()),
        }
    }

    /// Goes on to the next block, if there is one.
    pub fn next_block(&mut self) -> io::Result<bool> {
        self.rows.clear();
        self.at = 0;
        if self.next >= self.part.end {
            return Ok(false);
        }
        self.need(HEAD, self.ahead)?;
        let (len, _) = sizes(self.at_hand()).ok_or_else(cut)?;
        self.need(len, self.ahead)?;
        self.unpack(len)?;
        Ok(true)
    }

    /// Goes to the block that begins and ends there.
    fn block(&mut self, begin: u64, end: u64) -> io::Result<()> {
        self.rows.clear();
        self.at = 0;
        let is_next = begin == self.next;
        self.next = begin;
        let len = (end - begin) as usize;
        self.need(len, if is_next { self.ahead } else { len })?;
        self.unpack(len)
    }

    fn unpack(&mut self, len: usize) -> io::Result<()> {
        let begin = (self.next - self.raw_at) as usize;
        let block = self.raw.get(begin..begin + len).ok_or_else(cut)?;
        let place = (self.part.file, self.next);
        unpack(block, place, self.words, &mut self.rows)?;
        self.next += len as u64;
        Ok(())
    }

    fn at_hand(&self) -> &[u8] {
        let begin = self.next.wrapping_sub(self.raw_at);
        let begin = usize::try_from(begin).unwrap_or(usize::MAX);
        self.raw.get(begin..).unwrap_or_default()
    }

    /// Has so many bytes of the file at hand, or more where they have to be read.
    fn need(&mut self, len: usize, ahead: usize) -> io::Result<()> {
        if self.at_hand().len() >= len {
            return Ok(());
        }
        let left = self.part.end - self.next;
        if len as u64 > left {
            return Err(cut());
        }
        let len = left.min(len.max(ahead) as u64) as usize;
        self.raw.resize(len, 0);
        self.raw_at = self.next;
        self.disk.read(self.part.file, self.next, &mut self.raw)
    }

    /// Passes over the rows of the present block that are less.
    #[inline]
    fn pass(&mut self, row: &[u64]) {
        if let [word] = *row {
            let rows = &self.rows[self.at..];
            let mut passed = 0;
            while rows.get(passed + LEAP).is_some_and(|one| *one < word) {
                passed += LEAP;
            }
            while rows.get(passed).is_some_and(|one| *one < word) {
                passed += 1;
            }
            self.at += passed;
        } else {
            let many = self.rows.len();
            while self.at < many && self.rows[self.at..self.at + self.words] < *row {
                self.at += self.words;
            }
        }
    }
}

/// So many rows are passed over at once while the last of them is less.
const LEAP: usize = 16;

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a block is cut")
}

/// Whether rows are in a section, for rows that ascend: no block is read twice, and none that has nothing to
/// tell.
pub struct Cursor<'d> {
    reader: Reader<'d>,
    /// The number of the next block.
    next: usize,
}

impl<'d> Cursor<'d> {
    pub fn new(disk: &'d dyn Disk, section: &Section, words: usize, block: usize) -> Cursor<'d> {
        Cursor {
            reader: Reader::new(disk, section.part, words, block),
            next: 0,
        }
    }

    /// Whether the section, the same each time, has this row, which is no less than the last one.
    #[inline]
    pub fn has(&mut self, section: &Section, row: &[u64]) -> io::Result<bool> {
        let words = row.len();
        // Of most rows the first words tell.
        let begin = self.next * words;
        let is_before = |first: &u64| {
            *first < row[0] || *first == row[0] && section.firsts[begin..begin + words] <= *row
        };
        if section.firsts.get(begin).is_some_and(is_before) {
            self.go_to_block(section, row)?;
        }
        self.reader.pass(row);
        let is_same = |at: &[u64]| at[0] == row[0] && (words == 1 || at == row);
        Ok(self.reader.row().is_some_and(is_same))
    }

    /// Goes to the last block that begins no later.
    #[cold]
    fn go_to_block(&mut self, section: &Section, row: &[u64]) -> io::Result<()> {
        let firsts = section.firsts.chunks_exact(row.len());
        let (mut low, mut high) = (self.next, firsts.len());
        let mut leap = 1;
        // Most often it is near.
        let first = |block: usize| &section.firsts[block * row.len()..(block + 1) * row.len()];
        while low + leap < high && first(low + leap) <= row {
            low += leap;
            leap *= 2;
        }
        high = high.min(low + leap);
        while low + 1 < high {
            let middle = low.midpoint(high);
            match first(middle) <= row {
                true => low = middle,
                false => high = middle,
            }
        }
        self.next = low + 1;
        let end = section.begins.get(low + 1);
        let end = end.copied().unwrap_or(section.part.end);
        self.reader.block(section.begins[low], end)
    }
}
