//! State spaces, and paths in those of models written in Rust.

use std::fmt;
use std::sync::Arc;

use stubborn_engine::successors::{Erased, Successors, find_step};
use stubborn_engine::{Caller, CheckError, Exploration as StateSpace, Goal, Sink, explore_model};
use stubborn_report::reason;
use stubborn_system::system::{ActionId, InstanceId, StepId};

use crate::{Model, Options};

/// Limit that ended a search before it had an answer.
///
/// Printed, it is a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stopped(String);

/// A path from the initial state of a model written in Rust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The initial state.
    pub start: Vec<u64>,
    /// The steps, with the states that they lead to.
    pub steps: Vec<PathStep>,
}

/// A step of a [`Path`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The processes that take the step, each with the number of its step.
    pub participants: Vec<(InstanceId, StepId)>,
    /// Number and values of the action of a joint step.
    pub action: Option<(ActionId, Vec<i64>)>,
    /// The state after the step.
    pub state: Vec<u64>,
}

/// Counts the states and edges of a model written in Rust.
///
/// The search uses the limits and the search order of the options; it takes every step of every
/// state. [`reduced::explore`](crate::reduced::explore) leaves steps out.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use stubborn_checker::{Label, Options, Successors, Visit, explore, reason};
/// # struct Counter;
/// # impl Successors for Counter {
/// #     type Scratch = ();
/// #     fn words(&self) -> usize { 1 }
/// #     fn initial(&self) -> &[u64] { &[0] }
/// #     fn scratch(&self) {}
/// #     fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
/// #         let label = Label { participants: &[(0, 0)], action: None };
/// #         if state[0] < 9 { visitor.step(label, Ok(&[state[0] + 1])) } else { ControlFlow::Continue(()) }
/// #     }
/// # }
/// // A counter that ends at 9.
/// let space = explore(&Counter, &Options::default());
/// assert_eq!((space.states, space.edges, space.terminal), (10, 9, 1));
///
/// let options = Options { max_states: Some(5), ..Options::default() };
/// let part = explore(&Counter, &options);
/// assert_eq!(part.states, 5);
/// assert_eq!(reason(&part.stopped.unwrap()), "the limit of 5 states was reached");
/// ```
pub fn explore<M: Successors + Sync>(model: &M, options: &Options) -> StateSpace {
    search(model, options, Goal::Nothing).0
}

/// Searches for a state in which a predicate is true: the negation of an invariant, say. Breadth
/// first, which is the default, no path to such a state is shorter. `None` proves that there is
/// none.
///
/// The search uses the limits and the search order of the options; it takes every step of every
/// state.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use stubborn_checker::{Label, Options, Successors, Visit, find};
/// # struct Counter;
/// # impl Successors for Counter {
/// #     type Scratch = ();
/// #     fn words(&self) -> usize { 1 }
/// #     fn initial(&self) -> &[u64] { &[1] }
/// #     fn scratch(&self) {}
/// #     fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
/// #         for (number, next) in [(0, state[0] * 2), (1, state[0] + 3)] {
/// #             if next <= 100 {
/// #                 visitor.step(Label { participants: &[(0, number)], action: None }, Ok(&[next]))?;
/// #             }
/// #         }
/// #         ControlFlow::Continue(())
/// #     }
/// # }
/// // Step 0 doubles a number, step 1 adds 3 to it.
/// let path = find(&Counter, &Options::default(), |state| state[0] == 11)?.unwrap();
/// assert_eq!(path.start, [1]);
/// let numbers: Vec<u64> = path.steps.iter().map(|step| step.state[0]).collect();
/// assert_eq!(numbers, [4, 8, 11]);
/// assert_eq!(path.steps[0].participants, [(0, 1)]);
///
/// assert!(find(&Counter, &Options::default(), |state| state[0] == 3)?.is_none());
/// # Ok::<(), stubborn_checker::Stopped>(())
/// ```
///
/// # Errors
/// A limit ended the search.
pub fn find<M: Successors + Sync>(
    model: &M,
    options: &Options,
    is_goal: impl Fn(&[u64]) -> bool,
) -> Result<Option<Path>, Stopped> {
    decide(model, model, options, Goal::State(&is_goal))
}

/// Searches for a state without a step in which a predicate is true: a deadlock, if the predicate
/// is that not every process has ended.
///
/// As [`find`] otherwise. [`reduced::find_terminal`](crate::reduced::find_terminal) leaves steps
/// out.
///
/// ```
/// # use std::ops::ControlFlow;
/// # use stubborn_checker::{Label, Options, Successors, Visit, find_terminal};
/// # struct Counter;
/// # impl Successors for Counter {
/// #     type Scratch = ();
/// #     fn words(&self) -> usize { 1 }
/// #     fn initial(&self) -> &[u64] { &[1] }
/// #     fn scratch(&self) {}
/// #     fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
/// #         let label = Label { participants: &[(0, 0)], action: None };
/// #         if state[0] < 9 { visitor.step(label, Ok(&[state[0] * 2])) } else { ControlFlow::Continue(()) }
/// #     }
/// # }
/// // A number that is doubled while it is less than 9.
/// let path = find_terminal(&Counter, &Options::default(), |_| true)?.unwrap();
/// assert_eq!(path.steps.last().unwrap().state, [16]);
/// assert!(find_terminal(&Counter, &Options::default(), |state| state[0] < 9)?.is_none());
/// # Ok::<(), stubborn_checker::Stopped>(())
/// ```
///
/// # Errors
/// A limit ended the search.
pub fn find_terminal<M: Successors + Sync>(
    model: &M,
    options: &Options,
    is_goal: impl Fn(&[u64]) -> bool,
) -> Result<Option<Path>, Stopped> {
    decide(model, model, options, Goal::Terminal(&is_goal))
}

/// Searches for a goal among the steps that `searched` gives of the model's.
pub(crate) fn decide<S, M>(
    searched: &S,
    model: &M,
    options: &Options,
    goal: Goal<'_>,
) -> Result<Option<Path>, Stopped>
where
    S: Successors + Sync,
    M: Successors,
{
    let (space, states) = search(searched, options, goal);
    match (states, space.stopped) {
        (None, Some(stopped)) => Err(Stopped(reason(&stopped))),
        (states, _) => Ok(states.map(|states| Path::new(model, &states))),
    }
}

pub(crate) fn search<M: Successors + Sync>(
    model: &M,
    options: &Options,
    goal: Goal<'_>,
) -> (StateSpace, Option<stubborn_engine::Path>) {
    explore_model(
        &Erased(model),
        &options.for_engine(),
        Caller::default(),
        goal,
    )
}

impl Path {
    /// The path through these states, the first of which is the initial one.
    fn new<M: Successors>(model: &M, states: &[Box<[u64]>]) -> Path {
        let mut scratch = model.scratch();
        let steps = states.windows(2).map(|pair| {
            let found = find_step(model, &pair[0], &mut scratch, |label, outcome| {
                (outcome == Ok(&*pair[1])).then(|| PathStep {
                    participants: label.participants.to_vec(),
                    action: label
                        .action
                        .map(|(action, values)| (action, values.to_vec())),
                    state: pair[1].to_vec(),
                })
            });
            found.expect("the model gives the same steps again")
        });
        let steps = steps.collect();
        Path {
            start: states[0].to_vec(),
            steps,
        }
    }

    /// The last state.
    pub fn end(&self) -> &[u64] {
        self.steps.last().map_or(&self.start, |step| &step.state)
    }
}

impl Model {
    /// Counts the states and edges of the state space, without what the options leave out.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let model = Model::parse("var x: 0..9\nprocess p { while x < 9 { x = x + 1 } stop }")?;
    /// let space = model.explore(&Options::default())?;
    /// assert_eq!((space.terminal, space.failing), (1, 0));
    /// assert!(space.complete);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A state has too many bits to be searched.
    pub fn explore(&self, options: &Options) -> Result<StateSpace, CheckError> {
        self.explore_into(options, Caller::default(), &mut Counts)
    }

    /// Visits the state space, with what the search gets from the caller, and with a sink for states
    /// and edges. A model without a meaning has one state.
    ///
    /// # Errors
    /// A state has too many bits to be searched.
    pub fn explore_into(
        &self,
        options: &Options,
        caller: Caller<'_>,
        sink: &mut dyn Sink,
    ) -> Result<StateSpace, CheckError> {
        let nothing = Arc::default();
        let system = self.system().unwrap_or(&nothing);
        stubborn_engine::explore(system, &options.for_engine(), caller, sink)
    }
}

/// Sink that wants nothing but the counts of an exploration.
struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Stopped {}
