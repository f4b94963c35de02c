//! Division of the memory of a search on the disk.

/// Limits of what is in memory.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Words of a block, which is written and read at once.
    pub block: usize,
    /// Words of targets that are sorted at once.
    pub chunk: usize,
    /// Sorted lists of targets before they are written.
    pub chunks: usize,
    /// Places of the cache of recent targets.
    pub targets: usize,
    /// Bytes of recent states before they are written.
    pub recent: u64,
}

/// Memory in bytes if there is no limit.
const UNLIMITED: u64 = 2 << 30;

/// Lists of targets may take a quarter of the memory, the cache of recent targets an eighth, recent
/// states a sixteenth.
const OF_CANDIDATES: u64 = 4;
const OF_TARGETS: u64 = 8;
const OF_RECENT: u64 = 16;
/// Blocks may take 1/1024 each: some dozens of sections are read at a time, each through a block as
/// it is on the disk and as it is in memory.
const OF_BLOCK: u64 = 1 << 10;

/// Words that are sorted without asking whether to go on, which takes some milliseconds; and lists
/// that are merged at a time.
const CHUNK: u64 = 1 << 17;
const CHUNKS: u64 = 256;
const BLOCK: u64 = 1 << 13;
const LEAST_BLOCK: u64 = 1 << 6;
const MOST_TARGETS: u64 = 256 << 20;
const MOST_RECENT: u64 = 16 << 20;

impl Sizes {
    /// Division of `free` bytes, if that is known, for states of `words` words.
    pub fn of(free: Option<u64>, words: usize) -> Sizes {
        let free = free.unwrap_or(UNLIMITED);
        let words = words as u64;
        // In words.
        let candidates = free / 8 / OF_CANDIDATES;
        let chunk = CHUNK.max(candidates / CHUNKS).min(candidates / 4);
        let whole = |many: u64| (many / words).max(1) * words;
        let targets = (free / OF_TARGETS).min(MOST_TARGETS) / 8 / words;
        let sizes = Sizes {
            block: whole((free / 8 / OF_BLOCK).clamp(LEAST_BLOCK, BLOCK)) as usize,
            chunk: whole(chunk) as usize,
            chunks: (candidates / chunk.max(1)).max(2) as usize,
            targets: 1 << targets.max(1).ilog2(),
            recent: (free / OF_RECENT).min(MOST_RECENT),
        };
        debug_assert!(sizes.block.is_multiple_of(words as usize), "rows are whole");
        sizes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_takes_less_memory_than_there_is() {
        for free in [1 << 20, 8 << 20, 44 << 20, 1 << 30, 1 << 36] {
            for words in [1, 2, 7, 100] {
                let sizes = Sizes::of(Some(free), words);
                let candidates = (sizes.chunk * (sizes.chunks + 1) * 8) as u64;
                let targets = (sizes.targets * words * 8) as u64;
                // As they are and as they are packed, of forty sections.
                let blocks = (sizes.block * 8 * 40) as u64 * 5 / 2;
                let all = candidates + targets + sizes.recent + blocks;
                assert!(all < free / 4 * 3, "{free} {words} {sizes:?} {all}");
                assert!(sizes.chunk <= 1 << 20 || free >= 1 << 33);
            }
        }
    }
}
