//! What a search asks of others where several programs share one state space.
//!
//! The engine opens no connection: whoever hands a [`Several`] in does. Each worker has the states that belong to
//! it ([`Part`]), takes their steps, and sends what these lead to to its owner. The search goes breadth first in
//! layers, and nobody begins with a layer before everybody has done with the one before: so a state's layer is its
//! distance from the initial one, whoever has come to it first.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use stubborn_system::property::Property;
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System};

use crate::options::Use;
use crate::successors::{Judgement, Label};
use crate::verdict::Reason;

/// What is searched for by all together: every worker makes the same of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// What is searched, which may be a slice.
    pub system: System,
    /// What every state and step is asked about; nothing where they are counted.
    pub properties: Vec<Property>,
    /// Whether steps are left out.
    pub reduced: bool,
    pub foresight: Use,
    pub remembered: Use,
    /// No more states than this, of all workers together.
    pub max_states: Option<u64>,
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

/// What sharing a search has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sharing {
    pub processes: u32,
    /// Workers, those of the first process first.
    pub workers: Vec<Effort>,
}

/// What one worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    pub process: u32,
    pub states: u64,
    /// The most memory that its states took.
    pub bytes: u64,
    /// Bytes of states that were sent to workers of other processes.
    pub sent: u64,
    /// Seconds in which it had nothing to do, because others were not done yet.
    pub waited: f64,
}

/// What the search has come to when somebody is asked.
#[derive(Debug)]
pub enum Event {
    /// Somewhere states of one layer show properties violated. Everybody waits.
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

    /// After [`Event::Shown`]: to be gone on with, for the properties that are still open.
    fn go_on(&mut self, open: &[usize]);

    fn count(&self) -> Count;

    /// Failing steps to be told, in their order; complete once it is over.
    fn failing(&self) -> Vec<FailingStep>;

    fn sharing(&self) -> Sharing;
}

/// The states that belong to one worker.
pub trait Part {
    /// How many words a state has.
    fn words(&self) -> usize;

    fn initial(&self) -> Vec<u64>;

    /// Takes in states, one after the other, that belong here and are of the next layer if they are new.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn meet(&mut self, rows: &[u64]) -> ControlFlow<Reason>;

    /// The states that were taken in are at hand now. How many they are.
    fn next_layer(&mut self) -> u64;

    /// Takes the steps of some of the states at hand, and gives where they lead. Whether there are more.
    ///
    /// # Errors
    /// Where a limit is reached.
    fn take_steps(&mut self, send: &mut dyn FnMut(&[u64])) -> ControlFlow<Reason, bool>;

    /// Those that are left need nobody to take their steps any more.
    fn leave_steps(&mut self);

    /// What was counted since the last layer by which steps are left out.
    fn judgement(&self) -> Judgement;

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
