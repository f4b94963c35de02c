//! What the first process and the others say to each other.

use serde::{Deserialize, Serialize};
use stubborn_engine::Reason;
use stubborn_engine::several::{Asked, Count, Effort, FailingStep, Question, Shown};

/// No sentence is longer, in characters.
const LONGEST_SENTENCE: usize = 1000;

/// What the first process says to all workers of another, or its own.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Order {
    /// Where the processes are, in their order.
    Places(Vec<String>),
    /// All have met each other: who fails from now on is to be missed.
    AllHaveMet,
    /// The search with this number begins.
    Search(u64, Box<Question>),
    /// Nobody needs the steps that are left of this layer.
    LeaveSteps,
    /// To those who wait.
    GoOn(Vec<usize>),
    /// Asks for the layer of a state.
    LayerOf(Vec<u64>),
    /// Asks for a state of this layer with a step to the given one.
    Before(u64, Vec<u64>),
    /// A question about all states.
    Ask(Asked),
    /// Asks for which states the answer is yes.
    Which(Vec<Vec<u64>>),
    /// The search with this number is to end.
    Stop(u64),
    /// The first process is there.
    Alive,
    /// All is over.
    Quit,
    /// All is over, and why: in a sentence.
    Broken(String),
}

/// What a process says to the first one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Word {
    /// Said by the process itself, now and then.
    Alive,
    /// It has connections to all others.
    HasMet,
    /// Said by one of its workers, with the number of the search.
    Worker(u32, u64, Said),
    /// It cannot go on, and says why.
    Failed(String),
    /// Its connection for states to another one is of no use any more, and why: "has ended".
    Lost(u32, String),
    /// Its last word: what the first one says does not arrive any more, and why: "has damaged what was sent".
    Deaf(String),
}

/// What a worker says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Said {
    Count(Count, Effort),
    Shown(Vec<Shown>),
    /// It waits, as all do.
    Waits,
    Layer(Option<u64>),
    Before(Option<Vec<u64>>),
    /// The nearest own state for which the answer is yes.
    Nearest(Option<Shown>),
    /// For which of the states the answer is yes.
    Which(Vec<bool>),
    /// Nobody has found anything new.
    Over(Vec<FailingStep>),
    /// Steps of the last layer were left out, by whomever: nobody begins another one.
    StepsLeft,
    /// A limit was reached.
    Limit(Limit),
    /// It has nothing to do any more with this search.
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

/// What another process says for people, without what a terminal takes for orders.
pub fn printable(told: &str) -> String {
    let told = told.chars().take(LONGEST_SENTENCE);
    told.map(|char| if char.is_control() { ' ' } else { char })
        .collect()
}
