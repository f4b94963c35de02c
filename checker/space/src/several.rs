//! What a search asks of others where several programs share one state space.
//!
//! The engine opens no connection: whoever hands a [`Several`] in does. Each worker has the states that belong to
//! it ([`Part`]), takes their steps, and sends what these lead to to its owner. The search goes breadth first in
//! layers, and nobody begins with a layer before everybody has done with the one before: so a state's layer is its
//! distance from the initial one, whoever has come to it first.

mod effort;

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use stubborn_system::property::Property;
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System};

use crate::options::{Liveness, Options, Order, Reduction, Use};
use crate::profit::Judgement;
use crate::successors::Label;
use crate::verdict::Reason;

pub use effort::{Effort, Sharing};

/// What is searched for by all together: every worker makes the same of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// What is searched, which may be a slice.
    pub system: System,
    /// What every state and step is asked about; nothing where they are counted.
    pub properties: Vec<Property>,
    /// Whether steps are left out.
    pub reduced: bool,
    /// By what states are taken for one, if so.
    pub permuted: Option<Permuted>,
    /// Where a monitor watches, for the one property that there is.
    pub watched: Option<Monitoring>,
    /// Whether all wait now and then, for a question about what was found until then.
    pub pauses: bool,
    pub foresight: Use,
    pub remembered: Use,
    /// No more states than this, of all workers together.
    pub max_states: Option<u64>,
}

/// How a monitor is made, and what it runs beside. Everybody makes the same.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Monitoring {
    pub chosen: Chosen,
    /// Which of the plans for the property is carried out.
    pub plan: u32,
    /// Whether it runs beside a slice of the system.
    pub slices: bool,
}

/// What of the options decides what is searched.
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

/// Permutations of a system that leave properties as they are. Everybody finds them out anew.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Permuted {
    /// How many they are.
    pub by: u64,
    pub properties: Vec<Property>,
}

/// A state that shows a property violated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Shown {
    /// Its place in [`Question::properties`].
    pub property: usize,
    /// How far from the initial state it is.
    pub layer: u64,
    pub state: Vec<u64>,
}

/// A failing step that is to be told.
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

/// What a worker has come to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    pub states: u64,
    /// Steps that were taken, failing ones too.
    pub edges: u64,
    pub terminal: u64,
    pub failing: u64,
    /// Memory in use, in bytes, and the most that ever was.
    pub bytes: u64,
    pub most: u64,
    /// The steps of states of the layer at hand are taken; the first is 0.
    pub layer: u64,
    /// Steps of some state were left out.
    pub leaves_out: bool,
}

impl Count {
    /// That of several together. They are in the same layer, or one is about to be.
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

/// What the search has come to when somebody is asked.
#[derive(Debug)]
pub enum Event {
    /// Somewhere states of one layer show properties violated; or none does, and it is a time for questions. Everybody
    /// waits.
    Shown(Vec<Shown>),
    /// Every state was found, and every step taken that was not left out.
    Over,
    Stopped(Reason),
}

/// Others who search, too.
pub trait Several: Sync {
    /// Begins to search, at all places.
    ///
    /// # Errors
    /// Why nobody can.
    fn search<'s>(&'s self, question: &Question) -> Result<Box<dyn Shared + 's>, Reason>;

    /// What each worker has done of the search that is under way, if there is one.
    fn efforts(&self) -> Vec<Effort>;
}

/// Asked every now and then while others work, with what they have come to. Where it breaks off they end.
pub type Poll<'p> = &'p mut dyn FnMut(&Count) -> ControlFlow<Reason>;

/// A search by several. It ends at all places where this is dropped.
pub trait Shared {
    /// Waits until something has come up.
    fn next(&mut self, poll: Poll<'_>) -> Event;

    /// After [`Event::Shown`]: the states of a shortest run to the one that was shown, from the initial one on.
    ///
    /// # Errors
    /// Why there is none.
    fn way(&mut self, shown: &Shown, poll: Poll<'_>) -> Result<Vec<Box<[u64]>>, Reason>;

    /// After [`Event::Over`], or [`Event::Shown`]: for how many states is it so?
    ///
    /// # Errors
    /// Why nobody knows.
    fn ask(&mut self, asked: Asked, poll: Poll<'_>) -> Result<u64, Reason>;

    /// After that: the nearest of them.
    ///
    /// # Errors
    /// Why nobody knows.
    fn nearest(&mut self, poll: Poll<'_>) -> Result<Option<Shown>, Reason>;

    /// After that: which of these states are among them.
    ///
    /// # Errors
    /// Why nobody knows.
    fn which(&mut self, states: &[Vec<u64>], poll: Poll<'_>) -> Result<Vec<bool>, Reason>;

    /// After [`Event::Shown`]: to be gone on with, for the properties that are still open.
    fn go_on(&mut self, open: &[usize]);

    fn count(&self) -> Count;

    /// Failing steps to be told, in their order; complete once it is over.
    fn failing(&self) -> Vec<FailingStep>;

    fn sharing(&self) -> Sharing;
}

/// What is asked about all states together, once all were found, and each one's layer noted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Asked {
    /// From where can no state be reached that ends?
    Ends,
    /// From where can no goal of the property with this place be reached?
    Goal(usize),
    /// Can a run go round for ever and be at no goal of the property with this place?
    Avoiding(usize),
    /// Can a run go round as the recurrence with this place must not?
    Recurring(usize),
    /// Can a run go round without a step that the monitor sees, all in states that are marked `livelock`?
    Livelock,
    /// Can a run go round with a step that the monitor sees, from a state that is marked `infinite`?
    Infinite,
}

impl Asked {
    /// Whether it is about what can be reached; else it is about what a run can go round on.
    pub fn is_about_reaching(self) -> bool {
        matches!(self, Asked::Ends | Asked::Goal(_))
    }

    /// Whether every step that a run may take is one that it wants.
    pub fn all_are_wanted(self) -> bool {
        matches!(self, Asked::Avoiding(_) | Asked::Livelock)
    }
}

/// What is done to answer it, each until nobody has a state that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// What has a step to a known state is known.
    Known,
    /// Of the states that are left those stay from which a wanted step can be reached.
    Reach,
    /// How many steps lead from each state to one that is left.
    Count,
    /// What has no step to one that is left goes.
    Trim,
}

/// A question about all states, asked backwards from them along the steps that lead to them.
pub trait Backwards {
    /// Begins with a question.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn begin_asking(&mut self, asked: Asked) -> ControlFlow<Reason>;

    /// Takes the steps of some states once more, and puts where each leads, and what is to be said of it there, into the
    /// list of whom that belongs to. Whether there are more.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn take_steps_back(&mut self, gathered: &mut [Vec<u64>]) -> ControlFlow<Reason, bool>;

    /// Takes in what was told: a state that belongs here, and what is said of it, one after the other.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn take_told(&mut self, rows: &[u64]) -> ControlFlow<Reason>;

    /// # Errors
    /// Where a limit is reached.
    fn begin_phase(&mut self, phase: Phase) -> ControlFlow<Reason>;

    /// Goes on with the phase for a while, and tells `send` which numbers are to be told to which worker. Whether there is
    /// more to do.
    fn go_back(&mut self, send: &mut dyn FnMut(u32, u64)) -> bool;

    /// What others have told.
    fn come_back(&mut self, numbers: &[u64]);

    /// How many states wait to be gone back from.
    fn waiting(&self) -> u64;

    /// How many states are those that the question asks for: while cycles are asked for, that are left.
    fn answer(&self) -> u64;

    /// The nearest of them.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn nearest_answer(&mut self) -> ControlFlow<Reason, Option<Shown>>;

    /// Whether a state is one that belongs here, and one of them.
    fn is_answer(&self, state: &[u64]) -> bool;
}

/// Which worker one is, among all of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub own: usize,
    pub workers: usize,
}

/// The states that belong to one worker.
pub trait Part: Backwards {
    /// How many words a state has.
    fn words(&self) -> usize;

    /// The states in which a run may begin, one after the other.
    fn initials(&self) -> Vec<u64>;

    /// Takes in states, one after the other, that belong here and are of the next layer if they are new.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn meet(&mut self, rows: &[u64]) -> ControlFlow<Reason>;

    /// The states that were taken in are at hand now. How many they are.
    fn next_layer(&mut self) -> u64;

    /// The worker that a state belongs to.
    fn owner(&self, state: &[u64]) -> usize;

    /// Takes the steps of some of the states at hand, and puts where they lead into the list of whom that belongs to, unless it
    /// takes that in itself. Whether there are more.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn take_steps(&mut self, gathered: &mut [Vec<u64>]) -> ControlFlow<Reason, bool>;

    /// Those that are left need nobody to take their steps any more.
    fn leave_steps(&mut self);

    /// What was counted since the last layer by which steps are left out.
    fn judgement(&mut self) -> Judgement;

    /// What all have counted together; one alone keeps it.
    fn end_layer(&mut self, of_all: Judgement, keeps: bool);

    /// What was found since this was asked.
    fn shown(&mut self) -> Vec<Shown>;

    /// These are still open, and no others.
    fn go_on(&mut self, open: &[usize]);

    /// Gets ready to be asked for ways to a state of this layer. Whether states have to be gone through once more
    /// for it, from the initial one on, as if they were found anew.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn begin_ways(&mut self, to: u64) -> ControlFlow<Reason, bool>;

    /// A state of a layer that belongs here and has a step to this one.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn before(&mut self, layer: u64, state: &[u64]) -> ControlFlow<Reason, Option<Vec<u64>>>;

    /// The layer by which to ask, of a state that belongs here.
    fn layer_of(&self, shown: &Shown) -> Option<u64>;

    /// Nobody asks for ways any more: the search goes on where it was.
    fn end_ways(&mut self);

    fn count(&self) -> Count;

    fn failing(&self) -> Vec<FailingStep>;
}
