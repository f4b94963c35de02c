//! One search of a plan, as a value.

use super::stages::Stage;
use crate::options::Search;
use crate::verdict::Reason;

/// How a search explores the state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// A few states of the plain state space, before a reduction is prepared.
    SmallPlain,
    /// The state space that stubborn sets leave.
    StubbornSets,
    /// Rounds of stubborn sets in which not all visible steps are sensitive yet.
    SensitiveRounds,
    /// Stubborn sets with a cycle proviso, for recurrences alone.
    CycleProviso,
    /// Rounds in which ever more steps on cycles of processes are sensitive, for recurrences alone.
    CycleRounds,
    /// The plain state space.
    Plain,
    /// Random runs of the plain state space.
    RandomRuns,
    /// States expanded beside a large search, from rare values of what the properties read.
    Cells,
    /// The product of the system with a monitor.
    BesideMonitor {
        /// Which of the monitors that decide the property.
        monitor: usize,
        /// Whether the system is sliced.
        sliced: bool,
    },
    /// All runs that meet fairness assumptions.
    FairRuns {
        /// Whether the system is sliced.
        sliced: bool,
    },
}

/// Proof that a product has no violation, by a visit of all of its states in layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Proof {
    /// None: one thread searches for a violation.
    None,
    /// On further threads, beside the search for a violation.
    Beside,
    Alone,
}

/// Storage of visited states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatesIn {
    Memory,
    Disk,
    /// Bits or fingerprints in memory, which may take one state for another.
    Hashes,
    OtherProcesses,
}

/// Whether states have numbers, by which runs and edges are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Numbers {
    All,
    /// Until a layer is wide and it seems that none are needed.
    UntilWide,
    None,
}

/// One search of a plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Attempt {
    pub strategy: Strategy,
    pub stage: Stage,
    pub numbers: Numbers,
    pub order: Search,
    pub states_in: StatesIn,
    pub proof: Proof,
    /// The most states that it may visit.
    pub max_states: Option<u64>,
    /// The most edges that it may generate.
    pub max_edges: Option<u64>,
    /// Why it was chosen, as a short sentence.
    pub why: &'static str,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// All of its state space was visited, or everything was decided before.
    Complete,
    /// It had more states than it was worth.
    NotSmall,
    /// The same, with the number of plain states for a hundred reduced ones to the same depth.
    Compared(u64),
    /// It paused at a wide layer: a search without numbers seems to decide as much for less.
    SeemsToNeedNoNumbers,
    /// Stubborn sets have left out too little for what they cost.
    Unprofitable,
    /// Without numbers it could not decide everything.
    NeedsNumbers,
    /// All visible steps are sensitive in the round that comes next.
    LastRoundIsNext,
    /// The run that was found would be too long in the whole system.
    CycleTooLong,
    /// The run that was found violates the property only by the monitor's own kind of acceptance.
    NotConfirmed,
    /// All states did not show that there is no violation.
    NotProved,
    Limit(Reason),
}

/// An attempt that is over.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    pub attempt: Attempt,
    pub ended: Ended,
    /// States and edges generated.
    pub states: u64,
    pub edges: u64,
    pub seconds: f64,
    /// The properties that are still open, by their indices.
    pub open: Vec<usize>,
}

impl Finished {
    /// Returns the same with other numbers of properties.
    pub fn renumbered(&self, number: impl Fn(&usize) -> usize) -> Finished {
        Finished {
            open: self.open.iter().map(number).collect(),
            ..self.clone()
        }
    }

    /// The limit that has ended it, if one has.
    pub fn limit(&self) -> Option<&Reason> {
        match &self.ended {
            Ended::Limit(reason) => Some(reason),
            _ => None,
        }
    }
}
