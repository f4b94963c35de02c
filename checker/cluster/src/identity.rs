//! Who a process is, for those that it searches with.

use serde::{Deserialize, Serialize};

/// What only those know who were started together.
pub type Secret = [u8; 16];

/// What all that search together have in common, and which of them one is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// A hash of what the program was built from.
    pub program: [u8; 32],
    /// A hash of the texts, and of the options that decide what is searched.
    pub asked: [u8; 32],
    pub secret: Secret,
    pub processes: u32,
    /// From 0; the first one leads.
    pub process: u32,
    /// How many workers each of the processes has.
    pub workers: u32,
}

impl Identity {
    pub fn all_workers(&self) -> usize {
        self.processes as usize * self.workers as usize
    }

    /// Why one cannot search with another, if so; `None` where that is nobody who was started together with it.
    pub fn against(&self, other: &Identity) -> Option<Result<(), String>> {
        if self.secret != other.secret {
            return None;
        }
        let who = named(other.process, other.processes);
        let differs = if self.program != other.program {
            "is another version of stubborn; use the same program everywhere"
        } else if self.asked != other.asked {
            "was given other texts or options; use the same command with the same files everywhere"
        } else if self.processes != other.processes {
            "counts another number of processes; name the same hosts everywhere"
        } else if self.workers != other.workers {
            "has another number of workers; give the same `--threads` everywhere"
        } else if other.process >= self.processes || other.process == self.process {
            "has a number that is not its own; give it another `--process`"
        } else {
            return Some(Ok(()));
        };
        Some(Err(format!("{who} {differs}")))
    }
}

/// A process, for people; the first is 1 of all.
pub fn named(process: u32, of: u32) -> String {
    format!("process {} of {of}", u64::from(process) + 1)
}
