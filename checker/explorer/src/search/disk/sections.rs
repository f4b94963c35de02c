//! Sections of a file with ascending rows: written in order, read in order or block by block.

use std::io;

use stubborn_space::disk::Disk;

use super::blocks::{HEAD, Packer, most_bytes, sizes, unpack};

/// Range of bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub file: u64,
    pub begin: u64,
    pub end: u64,
}

impl Extent {
    /// Empty range at the beginning of a file.
    fn none_of(file: u64) -> Extent {
        Extent {
            file,
            begin: 0,
            end: 0,
        }
    }
}

/// Part of a file with ascending rows, each once.
pub struct Section {
    pub extent: Extent,
    pub rows: u64,
    /// Start of each block in the file, and its first row.
    begins: Vec<u64>,
    firsts: Vec<u64>,
}

impl Section {
    fn new(extent: Extent) -> Section {
        Section {
            extent,
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

/// Writer of sections, one behind the other in one file.
pub struct Writer<'d> {
    disk: &'d dyn Disk,
    /// Rows of one block.
    most_rows: usize,
    packer: Packer,
    /// Bytes that are still to be written, and their position in the file.
    waiting: Vec<u8>,
    at: u64,
    most_waiting: usize,
    section: Section,
}

impl<'d> Writer<'d> {
    /// Writer of a new file, in blocks of `block` words.
    pub fn new(disk: &'d dyn Disk, file: u64, words: usize, block: usize) -> Writer<'d> {
        Writer {
            disk,
            most_rows: (block / words).max(1),
            packer: Packer::new(words),
            waiting: Vec::new(),
            at: 0,
            most_waiting: block * 8,
            section: Section::new(Extent::none_of(file)),
        }
    }

    /// Appends a row to the present section, larger than the one before.
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
        let place = (self.section.extent.file, self.end());
        self.packer.finish(place, &mut self.waiting);
        match self.waiting.len() < self.most_waiting {
            true => Ok(()),
            false => self.flush(),
        }
    }

    /// Ends the present section, and begins the next one. It can be read once the file is
    /// [flushed](Writer::flush).
    pub fn finish(&mut self) -> io::Result<Section> {
        if self.packer.rows() > 0 {
            self.finish_block()?;
        }
        let end = self.end();
        let next = Extent {
            begin: end,
            end,
            ..self.section.extent
        };
        let mut section = std::mem::replace(&mut self.section, Section::new(next));
        section.extent.end = end;
        section.begins.shrink_to_fit();
        section.firsts.shrink_to_fit();
        Ok(section)
    }

    pub fn flush(&mut self) -> io::Result<()> {
        if !self.waiting.is_empty() {
            self.disk.append(self.section.extent.file, &self.waiting)?;
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

/// Reader of the rows in an extent.
pub struct Reader<'d> {
    disk: &'d dyn Disk,
    words: usize,
    extent: Extent,
    /// Position of the next block.
    next: u64,
    /// Bytes of the file, and their position in it.
    raw: Vec<u8>,
    raw_at: u64,
    /// Bytes that are read at once if blocks are read in order.
    ahead: usize,
    /// Rows of the present block, and the position of the present one.
    rows: Vec<u64>,
    at: usize,
}

impl<'d> Reader<'d> {
    /// Reader of rows of `words` words, in blocks of at most `block` words.
    pub fn new(disk: &'d dyn Disk, extent: Extent, words: usize, block: usize) -> Reader<'d> {
        Reader {
            disk,
            words,
            extent,
            next: extent.begin,
            raw: Vec::new(),
            raw_at: 0,
            ahead: block * 8,
            rows: Vec::new(),
            at: 0,
        }
    }

    /// Most memory of a reader, in bytes.
    pub fn most_bytes(words: usize, block: usize) -> u64 {
        let rows = (block / words).max(1);
        (rows * words * 8 + most_bytes(words, rows).max(block * 8)) as u64
    }

    /// Reads the next block into `rows`; returns whether there is one.
    pub fn read_block(&mut self, rows: &mut Vec<u64>) -> io::Result<bool> {
        std::mem::swap(&mut self.rows, rows);
        let is_read = self.next_block();
        std::mem::swap(&mut self.rows, rows);
        is_read
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
        if self.next >= self.extent.end {
            return Ok(false);
        }
        self.need(HEAD, self.ahead)?;
        let (len, _) = sizes(self.at_hand()).ok_or_else(cut)?;
        self.need(len, self.ahead)?;
        self.unpack(len)?;
        Ok(true)
    }

    /// Goes to the block in this range.
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
        let place = (self.extent.file, self.next);
        unpack(block, place, self.words, &mut self.rows)?;
        self.next += len as u64;
        Ok(())
    }

    fn at_hand(&self) -> &[u8] {
        let begin = self.next.wrapping_sub(self.raw_at);
        let begin = usize::try_from(begin).unwrap_or(usize::MAX);
        self.raw.get(begin..).unwrap_or_default()
    }

    /// Reads on unless `len` bytes are in memory already; then at least `ahead` if there are as
    /// many.
    fn need(&mut self, len: usize, ahead: usize) -> io::Result<()> {
        if self.at_hand().len() >= len {
            return Ok(());
        }
        let left = self.extent.end - self.next;
        if len as u64 > left {
            return Err(cut());
        }
        let len = left.min(len.max(ahead) as u64) as usize;
        self.raw.resize(len, 0);
        self.raw_at = self.next;
        self.disk.read(self.extent.file, self.next, &mut self.raw)
    }

    /// Skips the rows of the present block that are less.
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

/// Rows that are skipped at once while the last of them is less.
const LEAP: usize = 16;

fn cut() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "a block is cut")
}

/// Position in a section in which ascending rows are looked up. No block is read twice, and none
/// that cannot contain such a row.
pub struct Cursor<'d> {
    reader: Reader<'d>,
    /// The number of the next block.
    next: usize,
}

impl<'d> Cursor<'d> {
    pub fn new(disk: &'d dyn Disk, section: &Section, words: usize, block: usize) -> Cursor<'d> {
        Cursor {
            reader: Reader::new(disk, section.extent, words, block),
            next: 0,
        }
    }

    /// Whether the section, always the same one, has this row, which is no less than the last one.
    #[inline]
    pub fn has(&mut self, section: &Section, row: &[u64]) -> io::Result<bool> {
        let words = row.len();
        // The first words of most rows differ.
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

    /// Goes to the last block whose first row is not larger.
    #[cold]
    fn go_to_block(&mut self, section: &Section, row: &[u64]) -> io::Result<()> {
        let firsts = section.firsts.chunks_exact(row.len());
        let (mut low, mut high) = (self.next, firsts.len());
        let mut leap = 1;
        // It is usually near.
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
        let end = end.copied().unwrap_or(section.extent.end);
        self.reader.block(section.begins[low], end)
    }
}
