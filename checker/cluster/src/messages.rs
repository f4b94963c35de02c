//! Messages between the leader and the other processes.

use serde::{Deserialize, Serialize};
use stubborn_engine::Reason;
use stubborn_engine::several::{Asked, Count, Effort, FailingStep, Question, Shown};

/// The most characters of a sentence.
const LONGEST_SENTENCE: usize = 1000;

/// An order of the leader to all workers of a process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// The addresses of the processes, in their order.
    Places(Vec<String>),
    /// All have met each other; a process that fails from now on ends the others.
    AllHaveMet,
    /// The search with this number begins.
    Search(u64, Box<Question>),
    /// Leaves out the rest of this layer.
    LeaveSteps,
    /// Continues the exploration, for these properties.
    GoOn(Vec<usize>),
    /// Asks for the layer of a state.
    LayerOf(Vec<u64>),
    /// Asks for a state of this layer with a step to the given one.
    Before(u64, Vec<u64>),
    /// A question about all states.
    Ask(Asked),
    /// Asks for which states the answer is yes.
    Which(Vec<Vec<u64>>),
    /// Ends the search with this number.
    Stop(u64),
    /// Heartbeat of the leader.
    Alive,
    /// Ends the process.
    Quit,
    /// Ends the process for this reason, a sentence.
    Broken(String),
}

/// A message of a process to the leader.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Word {
    /// Heartbeat.
    Alive,
    /// It has connections to all others.
    HasMet,
    /// A message of one of its workers, with the number of the search.
    Worker(u32, u64, Said),
    /// Why it cannot go on.
    Failed(String),
    /// Its connection for states to another process is lost, and why: "has ended".
    Lost(u32, String),
    /// Its last message: orders do not arrive any more, and why: "has damaged what was sent".
    Deaf(String),
}

/// A message of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Said {
    Count(Count, Effort),
    Shown(Vec<Shown>),
    /// It waits for orders, as all workers do.
    Waits,
    Layer(Option<u64>),
    Before(Option<Vec<u64>>),
    /// The nearest own state for which the answer is yes.
    Nearest(Option<Shown>),
    /// For which of the states the answer is yes.
    Which(Vec<bool>),
    /// The exploration is over.
    Over(Vec<FailingStep>),
    /// Steps of the last layer were left out by a worker: no other layer begins.
    StepsLeft,
    /// A limit was reached.
    Limit(Limit),
    /// It has ended the search.
    Idle,
}

/// Why a worker cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Limit {
    Memory(u64),
    Cancelled,
    StateTooLarge(u64),
    Defect(String),
}

impl From<Reason> for Limit {
    fn from(reason: Reason) -> Limit {
        match reason {
            Reason::Memory(most) => Limit::Memory(most),
            Reason::Cancelled => Limit::Cancelled,
            Reason::StateTooLarge(bits) => Limit::StateTooLarge(bits),
            other => Limit::Defect(format!("{other:?}")),
        }
    }
}

impl From<Limit> for Reason {
    fn from(limit: Limit) -> Reason {
        match limit {
            Limit::Memory(most) => Reason::Memory(most),
            Limit::Cancelled => Reason::Cancelled,
            Limit::StateTooLarge(bits) => Reason::StateTooLarge(bits),
            Limit::Defect(defect) => Reason::Internal(defect),
        }
    }
}

/// A sentence of another process, without control characters.
pub fn printable(told: &str) -> String {
    let told = told.chars().take(LONGEST_SENTENCE);
    told.map(|char| if char.is_control() { ' ' } else { char })
        .collect()
}
