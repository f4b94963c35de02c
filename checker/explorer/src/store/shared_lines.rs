//! [`Lines`] that several threads change at the same time.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::MmapRaw;

use super::lines::{LINE, Lines, Memory};

/// How many words a line has.
const WORDS: usize = LINE / size_of::<u64>();

/// A line, in parts of the same size each of which changes at most once, from 0 to something else. That is all that one
/// thread learns from it of what another one does, so that no order between two such changes is needed.
#[repr(C, align(64))]
#[derive(Default)]
pub struct SharedLine([AtomicU64; WORDS]);

pub struct SharedLines(SharedMemory);

enum SharedMemory {
    Few(Vec<SharedLine>),
    Pages(MmapRaw),
}

impl SharedLines {
    /// So many lines, at least one.
    pub fn zeroed(lines: usize) -> SharedLines {
        Lines::zeroed(lines).into()
    }

    #[inline]
    pub fn all(&self) -> &[SharedLine] {
        match &self.0 {
            SharedMemory::Few(lines) => lines,
            SharedMemory::Pages(pages) => {
                let first = pages.as_ptr().cast::<SharedLine>();
                // SAFETY: the pages are this many lines, begin where a line does (that of a page is one), were zeros when
                // they were mapped, and stay mapped for as long as they are borrowed here. Every pattern of bits is
                // a line of atomic words. The address is that of the mapping itself, not one of a reference to what is in
                // it, and nobody has such a reference: the pages are this struct's own, and it hands out no other one.
                unsafe { std::slice::from_raw_parts(first, pages.len() / LINE) }
            }
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.0 {
            SharedMemory::Few(lines) => lines.len() * LINE,
            SharedMemory::Pages(pages) => pages.len(),
        }
    }
}

impl From<Lines> for SharedLines {
    fn from(lines: Lines) -> SharedLines {
        SharedLines(match lines.into_memory() {
            Memory::Few(lines) => {
                let shared = |line: &[u64; WORDS]| SharedLine(line.map(AtomicU64::new));
                SharedMemory::Few(bytemuck::cast_slice(&lines).iter().map(shared).collect())
            }
            Memory::Pages(pages) => SharedMemory::Pages(pages),
        })
    }
}

/// What stands in them when no other thread has them any more.
impl From<SharedLines> for Lines {
    fn from(shared: SharedLines) -> Lines {
        match shared.0 {
            SharedMemory::Few(lines) => {
                let mut own = Lines::zeroed(lines.len());
                for (line, to) in lines.into_iter().zip(own.parts_mut::<[u64; WORDS]>()) {
                    *to = line.0.map(AtomicU64::into_inner);
                }
                own
            }
            SharedMemory::Pages(pages) => Lines::of_pages(pages),
        }
    }
}

impl SharedLine {
    /// What stands there; of each word as it is at some time after this was asked for.
    #[inline(always)]
    pub fn load(&self) -> [u64; WORDS] {
        std::array::from_fn(|at| self.0[at].load(Relaxed))
    }

    /// Of `PARTS` parts changes this one from 0 to a value of no more bits; false if it was not 0.
    #[inline(always)]
    pub fn fill<const PARTS: usize>(&self, part: usize, value: u64) -> bool {
        let bits = (LINE * 8 / PARTS) as u32;
        let in_word = PARTS / WORDS;
        // As [`bytemuck::cast`] makes parts of words.
        let at = match cfg!(target_endian = "big") {
            true => in_word - 1 - part % in_word,
            false => part % in_word,
        };
        let shift = at as u32 * bits;
        let word = &self.0[part / in_word];
        let mut before = word.load(Relaxed);
        while before >> shift & (u64::MAX >> (u64::BITS - bits)) == 0 {
            let after = before | value << shift;
            match word.compare_exchange_weak(before, after, Relaxed, Relaxed) {
                Ok(_) => return true,
                Err(now) => before = now,
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_threads_that_fill_all_parts_each_part_is_one_s() {
        for lines in [3, 40_000] {
            let shared = SharedLines::zeroed(lines);
            let fill = |value: u64| {
                let all = shared.all().iter();
                let parts = all.flat_map(|line| (0..16).map(move |part| (line, part)));
                parts
                    .filter(|(line, part)| line.fill::<16>(*part, value))
                    .count()
            };
            let (one, other) = std::thread::scope(|scope| {
                let other = scope.spawn(|| fill(u64::from(u32::MAX)));
                (fill(7), other.join().expect("it does not panic"))
            });
            assert_eq!(one + other, 16 * lines);
            let own = Lines::from(shared);
            let parts = own.parts::<u32>();
            let of = |value| parts.iter().filter(|part| **part == value).count();
            assert_eq!((of(7), of(u32::MAX)), (one, other));
        }
    }

    #[test]
    fn what_is_filled_stands_where_it_is_looked_for() {
        let mut own = Lines::zeroed(2);
        own.parts_mut::<[u32; 16]>()[1][3] = 5;
        let shared = SharedLines::from(own);
        assert!(!shared.all()[1].fill::<16>(3, 6));
        assert!(shared.all()[1].fill::<16>(2, 6));
        assert!(shared.all()[0].fill::<8>(7, u64::MAX));
        let slots: [u32; 16] = bytemuck::cast(shared.all()[1].load());
        assert_eq!(slots[..5], [0, 0, 6, 5, 0]);
        let own = Lines::from(shared);
        assert_eq!(own.parts::<[u32; 16]>()[1], slots);
        assert_eq!(own.parts::<u64>()[7], u64::MAX);
    }
}
