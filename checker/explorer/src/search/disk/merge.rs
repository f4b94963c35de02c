//! Merge of ascending lists of rows into one, each row once.

use std::cmp::Ordering;
use std::io;

use super::sections::Reader;

/// Ascending rows, each once.
pub enum Source<'a> {
    Memory(&'a [u64]),
    Disk(Reader<'a>),
}

impl Source<'_> {
    #[inline]
    fn head(&self, words: usize) -> Option<&[u64]> {
        match self {
            Source::Memory(rows) => rows.get(..words),
            Source::Disk(reader) => reader.row(),
        }
    }

    #[inline]
    fn advance(&mut self, words: usize) -> io::Result<()> {
        match self {
            Source::Memory(rows) => {
                *rows = &rows[words..];
                Ok(())
            }
            Source::Disk(reader) => reader.advance(),
        }
    }
}

/// Merge of some sources, which gives their rows in order.
pub struct Merge<'a> {
    words: usize,
    sources: Vec<Source<'a>>,
    /// First word of the present row of each source.
    firsts: Vec<u64>,
    /// Heap of the sources that have rows, by their present rows; the least is on top.
    heap: Vec<u32>,
    last: Vec<u64>,
    has_given: bool,
}

impl<'a> Merge<'a> {
    /// # Errors
    /// If a source cannot be read.
    pub fn new(words: usize, mut sources: Vec<Source<'a>>) -> io::Result<Merge<'a>> {
        for source in &mut sources {
            if let Source::Disk(reader) = source {
                reader.next_block()?;
            }
        }
        let first = |source: &Source<'_>| source.head(words).map_or(0, |row| row[0]);
        let has_rows = |source: &&Source<'_>| source.head(words).is_some();
        sources.retain(|source| has_rows(&source));
        let mut merge = Merge {
            words,
            firsts: sources.iter().map(first).collect(),
            heap: (0..sources.len() as u32).collect(),
            sources,
            last: vec![0; words],
            has_given: false,
        };
        for at in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(at);
        }
        Ok(merge)
    }

    /// Appends the next rows, of at most `most` words: none at the end.
    pub fn give(&mut self, most: usize, into: &mut Vec<u64>) -> io::Result<()> {
        let most = into.len() + most.max(self.words);
        while into.len() < most
            && let Some(&top) = self.heap.first()
        {
            let source = &mut self.sources[top as usize];
            if let Some(row) = source.head(self.words)
                && !(self.has_given && self.last[0] == row[0] && self.last[..] == *row)
            {
                into.extend_from_slice(row);
                self.last.copy_from_slice(row);
                self.has_given = true;
            }
            source.advance(self.words)?;
            match source.head(self.words) {
                Some(row) => self.firsts[top as usize] = row[0],
                None => {
                    self.heap.swap_remove(0);
                }
            }
            self.sift_down(0);
        }
        Ok(())
    }

    fn order(&self, one: u32, other: u32) -> Ordering {
        let (one, other) = (one as usize, other as usize);
        let order = self.firsts[one].cmp(&self.firsts[other]);
        match self.words {
            1 => order,
            words => order.then_with(|| {
                let row = |source: usize| self.sources[source].head(words);
                row(one).cmp(&row(other))
            }),
        }
    }

    #[inline]
    fn sift_down(&mut self, mut at: usize) {
        loop {
            let mut least = at;
            for below in [2 * at + 1, 2 * at + 2] {
                if below < self.heap.len()
                    && self.order(self.heap[below], self.heap[least]) == Ordering::Less
                {
                    least = below;
                }
            }
            if least == at {
                return;
            }
            self.heap.swap(at, least);
            at = least;
        }
    }
}

/// Sorts rows, and keeps each once.
pub fn sort(rows: &mut Vec<u64>, words: usize) {
    /// Sorts rows as arrays of `N` words.
    fn as_arrays<const N: usize>(rows: &mut Vec<u64>) {
        let (arrays, rest) = rows.as_chunks_mut::<N>();
        debug_assert!(rest.is_empty(), "rows are whole");
        arrays.sort_unstable();
        let mut kept = 0;
        for at in 0..arrays.len() {
            if at == 0 || arrays[at] != arrays[kept - 1] {
                arrays[kept] = arrays[at];
                kept += 1;
            }
        }
        rows.truncate(kept * N);
    }
    match words {
        1 => as_arrays::<1>(rows),
        2 => as_arrays::<2>(rows),
        3 => as_arrays::<3>(rows),
        4 => as_arrays::<4>(rows),
        5 => as_arrays::<5>(rows),
        6 => as_arrays::<6>(rows),
        7 => as_arrays::<7>(rows),
        8 => as_arrays::<8>(rows),
        _ => {
            let mut all: Vec<&[u64]> = rows.chunks_exact(words).collect();
            all.sort_unstable();
            all.dedup();
            *rows = all.concat();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn lists_become_one(
            lists in prop::collection::vec(prop::collection::vec(0..40_u64, 0..60), 0..6),
            words in 1..10_usize,
            most in 1..50_usize,
        ) {
            let whole = |list: &Vec<u64>| list[..list.len() / words * words].to_vec();
            let mut lists: Vec<Vec<u64>> = lists.iter().map(whole).collect();
            let mut expected: Vec<Vec<u64>> = (lists.iter())
                .flat_map(|list| list.chunks_exact(words).map(<[u64]>::to_vec))
                .collect();
            expected.sort();
            expected.dedup();
            for list in &mut lists {
                sort(list, words);
                let rows: Vec<&[u64]> = list.chunks_exact(words).collect();
                prop_assert!(rows.is_sorted_by(|one, other| one < other));
            }
            let sources = lists.iter().map(|list| Source::Memory(list)).collect();
            let mut merge = Merge::new(words, sources).expect("memory");
            let mut given = Vec::new();
            loop {
                let before = given.len();
                merge.give(most, &mut given).expect("memory");
                prop_assert!(given.len() - before < most + words);
                if given.len() == before {
                    break;
                }
            }
            prop_assert_eq!(given, expected.concat());
        }
    }
}
