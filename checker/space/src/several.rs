//! Distributed search as the engine sees it.
//!
//! The engine opens no connection: its caller provides a [`Several`]. Each worker has the states
//! that a hash assigns to it, expands them, and sends the targets of steps to their owners. The
//! search is breadth-first: a layer begins after the last one has ended on all workers, so that the
//! layer of a state is its distance from the initial one.

mod effort;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use stubborn_system::property::Property;
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System};

use crate::options::{Liveness, Options, Order, Reduction, Use};
use crate::successors::Label;
use crate::verdict::Reason;

pub use effort::{Effort, Sharing};

/// A search, as all workers receive it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The system that is searched, which may be a slice.
    pub system: System,
    /// The properties that states and steps are tested for; none if they are only counted.
    pub properties: Vec<Property>,
    /// Whether stubborn sets are used.
    pub reduced: bool,
    /// The monitor beside the system, if the one property has one.
    pub watched: Option<Monitoring>,
    pub chosen: Chosen,
    /// Limit on the states of all workers.
    pub max_states: Option<u64>,
}

/// A monitor, as each worker builds it from the property.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Monitoring {
    /// Number of the plan for the property.
    pub plan: u32,
    /// Whether the monitor runs beside a slice of the system.
    pub slices: bool,
}

/// The options that decide what is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    order: Order,
    reduction: Reduction,
    liveness: Liveness,
    foresight: Use,
    remembered: Use,
    keep_dead_variables: bool,
    keep_constants: bool,
    keep_unreachable: bool,
    keep_steps: bool,
}

impl Chosen {
    pub fn of(options: &Options) -> Chosen {
        Chosen {
            order: options.order,
            reduction: options.reduction,
            liveness: options.liveness,
            foresight: options.foresight,
            remembered: options.remembered,
            keep_dead_variables: options.keep_dead_variables,
            keep_constants: options.keep_constants,
            keep_unreachable: options.keep_unreachable,
            keep_steps: options.keep_steps,
        }
    }

    pub fn options(self) -> Options {
        Options {
            order: self.order,
            reduction: self.reduction,
            liveness: self.liveness,
            foresight: self.foresight,
            remembered: self.remembered,
            keep_dead_variables: self.keep_dead_variables,
            keep_constants: self.keep_constants,
            keep_unreachable: self.keep_unreachable,
            keep_steps: self.keep_steps,
            ..Options::default()
        }
    }
}

/// A state that shows a violation, or the answer to a question.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shown {
    /// Index in [`Question::properties`].
    pub property: usize,
    /// Distance from the initial state.
    pub layer: u64,
    pub state: Vec<u64>,
}

/// A failing step to be reported.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FailingStep {
    pub participants: Vec<(InstanceId, StepId)>,
    pub why: Failure,
    pub action: Option<(ActionId, Vec<i64>)>,
}

impl FailingStep {
    pub fn label(&self) -> Label<'_> {
        Label::new(&self.participants, &self.action)
    }
}

/// Counts of a worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    pub states: u64,
    /// Steps, including failing ones.
    pub edges: u64,
    pub terminal: u64,
    pub failing: u64,
    /// Memory in use, in bytes, and its maximum.
    pub bytes: u64,
    pub most: u64,
    /// The layer that is being expanded; the first is 0.
    pub layer: u64,
    /// Whether steps of some state were left out.
    pub leaves_out: bool,
}

impl Count {
    /// Returns the sum. Both are in the same layer, or one is about to be.
    pub fn and(self, other: Count) -> Count {
        Count {
            states: self.states + other.states,
            edges: self.edges + other.edges,
            terminal: self.terminal + other.terminal,
            failing: self.failing + other.failing,
            bytes: self.bytes + other.bytes,
            most: self.most + other.most,
            layer: self.layer.max(other.layer),
            leaves_out: self.leaves_out || other.leaves_out,
        }
    }
}

/// Why a search returns to the leader.
#[derive(Debug)]
pub enum Event {
    /// States of one layer show violations; or, if there are none, the number of states has grown
    /// by so much that questions about all of them are due. All workers wait.
    Shown(Vec<Shown>),
    /// Every state was found, and every step taken that was not left out. All workers wait.
    Over,
    Stopped(Reason),
}

/// Other processes to search with.
pub trait Several: Sync {
    /// Starts a search on all workers.
    ///
    /// # Errors
    /// If that is impossible.
    fn search<'s>(&'s self, question: &Question) -> Result<Box<dyn Shared + 's>, Reason>;

    /// The effort of each worker in the present search, if there is one.
    fn efforts(&self) -> Vec<Effort>;

    /// Why no further search is possible, if so.
    fn fault(&self) -> Option<String>;
}

/// Called now and then while workers are busy, with their counts. The search ends where it breaks.
pub type Poll<'p> = &'p mut dyn FnMut(&Count) -> ControlFlow<Reason>;

/// A distributed search. Dropping it ends it on all workers.
pub trait Shared {
    /// Continues the search until something is to be decided.
    fn next(&mut self, poll: Poll<'_>) -> Event;

    /// Returns the states of a shortest path to a state, from an initial one on. All workers must
    /// wait.
    ///
    /// # Errors
    /// If there is no path within the limits.
    fn way(&mut self, shown: &Shown, poll: Poll<'_>) -> Result<Vec<Box<[u64]>>, Reason>;

    /// Returns the nearest state for which the answer is yes. All workers must wait.
    ///
    /// # Errors
    /// If a limit ends the question.
    fn ask(&mut self, asked: Asked, poll: Poll<'_>) -> Result<Option<Shown>, Reason>;

    /// Returns for which of these states the last answer is yes.
    ///
    /// # Errors
    /// If a limit ends the question.
    fn which(&mut self, states: &[Vec<u64>], poll: Poll<'_>) -> Result<Vec<bool>, Reason>;

    /// Lets the workers go on after [`Event::Shown`], for the properties that are still open.
    fn go_on(&mut self, open: &[usize]);

    fn count(&self) -> Count;

    /// Failing steps to be reported, in their order; complete after [`Event::Over`].
    fn failing(&self) -> Vec<FailingStep>;

    fn sharing(&self) -> Sharing;
}

/// A question about all states that were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    /// From which states is no terminal state reachable?
    Ends,
    /// From which states is no goal of the property with this index reachable?
    Goal(usize),
    /// From which states is a cycle of invisible steps reachable, in states marked `livelock`?
    Livelock,
    /// From which states is a cycle reachable with a visible step from a state marked `infinite`?
    Infinite,
}

impl Asked {
    /// Whether it is about reachability; otherwise it is about cycles.
    pub fn is_about_reaching(self) -> bool {
        matches!(self, Asked::Ends | Asked::Goal(_))
    }

    /// Whether every step of a cycle that is looked for is wanted.
    pub fn all_are_wanted(self) -> bool {
        self == Asked::Livelock
    }
}
