//! How a search on the disk shares the memory that it may have.

/// What is kept in memory of what, at the most.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Words in a block: what is written and read at once.
    pub block: usize,
    /// Words of candidates that are sorted at once,
    pub chunk: usize,
    /// and so many such lists before they are written.
    pub chunks: usize,
    /// Candidates that were met lately, to pass over them when they are met again.
    pub met: usize,
    /// Bytes of states that were found lately, before they are written where all states are.
    pub recent: u64,
}

/// Where there is no limit it is as if there were this one, in bytes.
const UNLIMITED: u64 = 2 << 30;

/// Lists of candidates, and states that were met, have a quarter and an eighth of what there is,
const OF_CANDIDATES: u64 = 4;
const OF_MET: u64 = 8;
/// states that were found lately a sixteenth, and blocks 1/1024 each: some dozens of runs are read at a time,
/// each through a block as it is on the disk and as it is in memory.
const OF_RECENT: u64 = 16;
const OF_BLOCK: u64 = 1 << 10;

/// What is sorted without asking whether to go on: some milliseconds of work. But of so many lists as these no
/// more are merged at a time.
const CHUNK: u64 = 1 << 17;
const CHUNKS: u64 = 256;
const BLOCK: u64 = 1 << 13;
const LEAST_BLOCK: u64 = 1 << 6;
const MOST_MET: u64 = 256 << 20;
const MOST_RECENT: u64 = 16 << 20;

impl Sizes {
    /// Of so many bytes, if that is known, for states of so many words.
    pub fn of(free: Option<u64>, words: usize) -> Sizes {
        let free = free.unwrap_or(UNLIMITED);
        let words = words as u64;
        // All in words.
        let candidates = free / 8 / OF_CANDIDATES;
        let chunk = CHUNK.max(candidates / CHUNKS).min(candidates / 4);
        let whole = |many: u64| (many / words).max(1) * words;
        let met = (free / OF_MET).min(MOST_MET) / 8 / words;
        let sizes = Sizes {
            block: whole((free / 8 / OF_BLOCK).clamp(LEAST_BLOCK, BLOCK)) as usize,
            chunk: whole(chunk) as usize,
            chunks: (candidates / chunk.max(1)).max(2) as usize,
            met: 1 << met.max(1).ilog2(),
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
    fn what_is_kept_is_less_than_what_there_is() {
        for free in [1 << 20, 8 << 20, 44 << 20, 1 << 30, 1 << 36] {
            for words in [1, 2, 7, 100] {
                let sizes = Sizes::of(Some(free), words);
                let candidates = (sizes.chunk * (sizes.chunks + 1) * 8) as u64;
                let met = (sizes.met * words * 8) as u64;
                // As they are and as they are packed, of forty runs.
                let blocks = (sizes.block * 8 * 40) as u64 * 5 / 2;
                let all = candidates + met + sizes.recent + blocks;
                assert!(all < free / 4 * 3, "{free} {words} {sizes:?} {all}");
                assert!(sizes.chunk <= 1 << 20 || free >= 1 << 33);
            }
        }
    }
}
