//! What of the memory the searches of a session may hold, each kind by itself.

use std::time::Duration;

use super::search::Purpose;

/// Whoever else runs, a search may hold so many bytes.
pub const LEAST_MEMORY: u64 = 32 << 20;

/// Searches that share a part of the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Limited,
    /// Without a limit on time: they need more.
    Unlimited,
    /// Those for which nobody waits: others have as much as if there were none of them.
    Aside,
}

impl Kind {
    pub fn of(purpose: Purpose, budget: Option<Duration>) -> Kind {
        match (purpose.is_aside(), budget) {
            (true, _) => Kind::Aside,
            (false, Some(_)) => Kind::Limited,
            (false, None) => Kind::Unlimited,
        }
    }
}

/// What those of each kind may hold together, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    limited: u64,
    unlimited: u64,
    aside: u64,
}

impl Shares {
    pub fn of(memory: u64) -> Shares {
        let (limited, aside) = (memory / 5, memory / 16);
        Shares {
            limited,
            unlimited: memory - limited - aside,
            aside,
        }
    }

    pub fn all(self, kind: Kind) -> u64 {
        match kind {
            Kind::Limited => self.limited,
            Kind::Unlimited => self.unlimited,
            Kind::Aside => self.aside,
        }
    }

    /// What one may hold that begins while others hold so many bytes: half of what is left, so that whatever comes
    /// after it has some, and never so little that nothing can be searched.
    pub fn next(self, kind: Kind, held: u64) -> u64 {
        (self.all(kind).saturating_sub(held) / 2).max(LEAST_MEMORY)
    }
}
