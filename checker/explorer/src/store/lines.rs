//! Memory in lines of a processor's cache, all zeros at first, for tables that are looked at everywhere.
//!
//! Where a table is large it is asked for in large pages: a look at a place of it then seldom waits for
//! where its page is, which takes as long as the look itself.

use bytemuck::{Pod, Zeroable};
use memmap2::{MmapMut, MmapRaw};

/// As a processor fetches it from memory. Where one begins a line begins too, so that no look at it waits
/// for two.
#[derive(Clone, Copy, Zeroable, Pod)]
#[repr(C, align(64))]
pub struct Line([u64; 8]);

/// In bytes.
pub const LINE: usize = size_of::<Line>();

/// In bytes: what has fewer is not worth a page of its own.
const LARGE_PAGE: usize = 2 << 20;

pub struct Lines(Memory);

pub enum Memory {
    Few(Vec<Line>),
    /// Nobody has a reference to what is in them but through the [`Lines`], or the
    /// [`SharedLines`](super::shared_lines::SharedLines), that they belong to.
    Pages(MmapRaw),
}

impl Lines {
    /// So many lines, at least one.
    pub fn zeroed(lines: usize) -> Lines {
        debug_assert!(lines > 0, "an empty map is none");
        if lines * LINE >= LARGE_PAGE
            && let Ok(pages) = MmapMut::map_anon(lines * LINE)
        {
            // Pages as small as ever are as good, but slower.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            return Lines(Memory::Pages(pages.into()));
        }
        Lines(Memory::Few(vec![Line::zeroed(); lines]))
    }

    /// Pages of whole lines.
    pub fn of_pages(pages: MmapRaw) -> Lines {
        Lines(Memory::Pages(pages))
    }

    pub fn into_memory(self) -> Memory {
        self.0
    }

    /// How many bytes it takes besides to have them shared by several threads.
    pub fn bytes_to_share(lines: usize) -> usize {
        match lines * LINE < LARGE_PAGE {
            true => lines * LINE,
            false => 0,
        }
    }

    pub fn bytes(&self) -> usize {
        match &self.0 {
            Memory::Few(lines) => lines.len() * LINE,
            Memory::Pages(pages) => pages.len(),
        }
    }

    /// As so many parts, each of them whole lines or a part of one.
    #[inline]
    pub fn parts<T: Pod>(&self) -> &[T] {
        match &self.0 {
            Memory::Few(lines) => bytemuck::cast_slice(lines),
            Memory::Pages(pages) => {
                // SAFETY: so many bytes are mapped there, zeros at first, for as long as the lines are borrowed; they are
                // these lines' own, and written to only where the lines are borrowed mutably.
                let bytes = unsafe { std::slice::from_raw_parts(pages.as_ptr(), pages.len()) };
                bytemuck::cast_slice(bytes)
            }
        }
    }

    #[inline]
    pub fn parts_mut<T: Pod>(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Few(lines) => bytemuck::cast_slice_mut(lines),
            Memory::Pages(pages) => {
                let first = pages.as_mut_ptr();
                // SAFETY: as above; and the lines are borrowed mutably, so that there is no other reference.
                let bytes = unsafe { std::slice::from_raw_parts_mut(first, pages.len()) };
                bytemuck::cast_slice_mut(bytes)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_lines_and_many_are_zeros_and_begin_where_a_line_does() {
        for lines in [1, 64, LARGE_PAGE / LINE - 1, LARGE_PAGE / LINE, 100_000] {
            let mut table = Lines::zeroed(lines);
            assert_eq!(table.bytes(), lines * LINE);
            assert_eq!(table.parts::<[u64; 8]>().len(), lines);
            assert!(table.parts::<u64>().iter().all(|word| *word == 0));
            assert_eq!(table.parts::<u64>().as_ptr().addr() % LINE, 0);
            table.parts_mut::<[u32; 16]>()[lines - 1][15] = 7;
            assert_eq!(table.parts::<u64>().last(), Some(&(7 << 32)));
        }
    }
}
