//! A model checker for concurrent designs.
//!
//! A *model* describes processes that run beside each other: a lock, a protocol, a scheduler. The
//! checker visits every state that they can reach, in every interleaving of their steps, and decides
//! *properties*: that two clients are never in a critical section at once, that nothing deadlocks,
//! that a request is answered. What it refutes comes with a *counterexample*, the steps that lead
//! to the violation.
//!
//! This crate is the checker as a library. A model is either a text in the Stubborn language
//! ([`Model`]) or a Rust type with four methods ([`Successors`]).
//!
//! # A model as text
//!
//! Some clients share a lock. A client waits until the lock is free, and then takes it:
//!
//! ```
//! use stubborn_checker::{Model, Options};
//!
//! let model = Model::parse(
//!     "
//!     param N: 2..4 = 2
//!     var free: bool = true
//!
//!     process client(c in 1..N) {
//!         loop {
//!             idle: await free
//!             take: free = false
//!             critical: free = true
//!         }
//!     }
//!
//!     invariant mutex: count(c in 1..N: client(c)@critical) <= 1
//!     ",
//! )?;
//! let report = model.check(&Options::default())?;
//! let mutex = report.property("mutex").unwrap();
//! if let Some(trace) = &mutex.trace {
//!     println!("{trace}");
//! }
//! assert!(!report.is_as_expected());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The lock does not work. Between the two steps of a client another one sees that the lock is
//! free, and the counterexample shows it. Printed, a [`Trace`] is a table:
//!
//! ```
//! # use stubborn_checker::{Model, Options};
//! # let model = Model::parse(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/broken_lock.stb")))?;
//! # let report = model.check(&Options::default())?;
//! # let trace = report.property("mutex").unwrap().trace.as_ref().unwrap();
//! let table = "\
//! step  who        from → to        statement     what changed
//!    1  client(1)  idle → take      await free
//!    2  client(2)  idle → take      await free
//!    3  client(1)  take → critical  free = false  free = false
//!    4  client(2)  take → critical  free = false  free = false, as before
//! ";
//! assert_eq!(trace.to_string(), table);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A program reads the same run step by step, with the names of the text ([`Trace::every_step`]). Its
//! first argument is the number of steps to pass over; [`Trace::values_after`] has the state after a
//! number of steps:
//!
//! ```
//! # use stubborn_checker::{Model, Options};
//! # let model = Model::parse(include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/broken_lock.stb")))?;
//! # let report = model.check(&Options::default())?;
//! # let trace = report.property("mutex").unwrap().trace.as_ref().unwrap();
//! let who: Vec<String> = trace.every_step(0).map(|step| step.by[0].clone()).collect();
//! assert_eq!(who, ["client(1)", "client(2)", "client(1)", "client(2)"]);
//! assert_eq!(trace.values_after(1)[0].1.to_string(), "true");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With a step that tests and takes the lock at once, the property holds, for any number of clients
//! that the `param` admits:
//!
//! ```
//! use stubborn_checker::{Model, Options};
//!
//! let model = Model::parse(
//!     "
//!     param N: 2..4 = 2
//!     var free: bool = true
//!
//!     process client(c in 1..N) {
//!         loop {
//!             idle: await free do free = false
//!             critical: free = true
//!         }
//!     }
//!
//!     invariant mutex: count(c in 1..N: client(c)@critical) <= 1
//!     progress entry: must client(1)@critical
//!     expect violated: entry
//!     ",
//! )?;
//! for clients in 2..=4 {
//!     let report = model.with_param("N", clients)?.check(&Options::default())?;
//!     assert!(report.is_as_expected());
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The last property says that client 1 enters again and again, whatever the others do. It is
//! violated, as the text expects: the others may be faster each time. Such a counterexample is
//! infinite. It ends in a cycle of [`Trace::cycle`] steps.
//!
//! A text has errors more often than not. [`Errors`] has all of them, with their places:
//!
//! ```
//! use stubborn_checker::Model;
//!
//! let errors = Model::parse("var free: bool\nprocess client { await fre; stop }").unwrap_err();
//! assert!(errors.to_string().starts_with("model.stb:2:24: "), "{errors}");
//! ```
//!
//! The language is described in `docs/language.md` of the repository.
//!
//! # A run step by step
//!
//! [`stepping`] walks along a run, forwards and backwards, and says what each step changes for the
//! properties:
//!
//! ```
//! use std::sync::Arc;
//! use stubborn_checker::Model;
//! use stubborn_checker::stepping::Run;
//!
//! let model = Model::parse("var x: 0..2\nprocess p { x = 1; x = 2; stop }\ninvariant small: x < 2")?;
//! let mut run = Run::new(Arc::new(model.stepped()?));
//! let take = |run: &mut Run| {
//!     let step = run.enabled(1).steps.remove(0);
//!     run.take(step)
//! };
//! assert!(take(&mut run).is_empty());
//! assert!(take(&mut run)[0].is_wrong);
//! run.back();
//! assert_eq!(run.len(), 1);
//! # Ok::<(), stubborn_checker::Errors>(())
//! ```
//!
//! [`Check`] returns the runs of its counterexamples for that ([`Checked::traces`]).
//!
//! # A model in Rust
//!
//! A state is a fixed number of words. Four methods say how many, which state is the initial one, and
//! what steps a state has; the fourth is for memory that a model may want to use again and again.
//! Here is the broken lock once more: a word for each client, 0 while it is idle, 1 when it is about
//! to take the lock and 2 in its critical section, and a word that is 1 while the lock is taken.
//!
//! ```
//! use std::ops::ControlFlow;
//! use stubborn_checker::{Label, Options, Successors, Visit, explore, find};
//!
//! struct Lock;
//!
//! const CLIENTS: usize = 2;
//! const LOCK: usize = CLIENTS;
//!
//! impl Successors for Lock {
//!     type Scratch = ();
//!
//!     fn words(&self) -> usize {
//!         CLIENTS + 1
//!     }
//!
//!     fn initial(&self) -> &[u64] {
//!         &[0; CLIENTS + 1]
//!     }
//!
//!     fn scratch(&self) {}
//!
//!     fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
//!         for client in 0..CLIENTS {
//!             let mut next = state.to_vec();
//!             match state[client] {
//!                 0 if state[LOCK] == 0 => next[client] = 1,
//!                 1 => (next[client], next[LOCK]) = (2, 1),
//!                 2 => (next[client], next[LOCK]) = (0, 0),
//!                 _ => continue,
//!             }
//!             // The client, and the number of its step.
//!             let participants = [(client as u32, state[client] as u32)];
//!             let label = Label { participants: &participants, action: None };
//!             visitor.step(label, Ok(&next))?;
//!         }
//!         ControlFlow::Continue(())
//!     }
//! }
//!
//! let space = explore(&Lock, &Options::default());
//! assert_eq!((space.states, space.terminal), (13, 0));
//!
//! let both_critical = |state: &[u64]| state[..CLIENTS] == [2, 2];
//! let path = find(&Lock, &Options::default(), both_critical)?.expect("the lock is broken");
//! let steps: Vec<_> = path.steps.iter().map(|step| step.participants[0]).collect();
//! assert_eq!(steps, [(0, 0), (1, 0), (0, 1), (1, 1)]);
//! # Ok::<(), stubborn_checker::Stopped>(())
//! ```
//!
//! [`find`] returns a shortest path to a state, or `None`, which proves that no reachable state is
//! such. [`find_terminal`] does the same for states without a step.
//!
//! # Fewer states
//!
//! The order of steps that do not affect each other seldom matters. *Partial-order reduction* takes a
//! *stubborn set* of the steps in each state and leaves the others out. *Symmetry reduction* merges
//! states that differ only by permuting identical processes. Both are on for texts, where they
//! preserve every verdict; [`Options`] has switches for them. A Rust model gets the first if it says how
//! its processes depend on each other ([`ProcessRelations`], [`reduced`]).
//!
//! # Limits
//!
//! A state space may have more states than any memory holds. [`Options`] has limits for the states, the
//! memory and the time. A property that a limit leaves open is [undecided](Verdict),
//! never assumed to hold:
//!
//! ```
//! use std::time::Duration;
//! use stubborn_checker::{Model, Options, Verdict};
//!
//! let model = Model::parse("var x: 0..999999\nprocess p { while x < 999999 { x = x + 1 } stop }")?;
//! let options = Options {
//!     max_states: Some(1000),
//!     ..Options::default()
//! };
//! let options = options.within(Duration::from_secs(60));
//! let report = model.check(&options)?;
//! let deadlock = report.property("deadlock").unwrap();
//! assert_eq!(deadlock.verdict, Verdict::Undecided);
//! let why = deadlock.why.as_deref().unwrap_or_default();
//! assert!(why.starts_with("the limit of 1,000 states was reached"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod check;
mod model;
mod options;
mod parameters;
mod probes;
pub mod reduced;
mod selection;
mod state_space;
mod vacuity;

pub use check::{Asked, Check, Checked, Live, SystemCoverage};
pub use model::{Errors, Model};
pub use options::Options;
pub use parameters::unknown_parameters;
pub use selection::{Selection, specification};
pub use state_space::{Path, PathStep, Stopped, explore, find, find_terminal};

// Models in Rust.
pub use stubborn_engine::members::Members;
pub use stubborn_engine::relations::{Others, ProcessRelations, Pulse};
pub use stubborn_engine::successors::{Label, Successors, Visit, Wanted, WorkingMemory};
// Settings, observers and results of a search.
pub use stubborn_engine::several::{Effort, Sharing};
pub use stubborn_engine::{
    Caller, CheckError, Clock, Disk, Event, Exploration as StateSpace, Liveness, Observer,
    Obstacle, Order, Permuted, Phase, Progress, RandomRuns, Reduction, Resources, Search, Sink,
    Storage, Symmetry,
};
pub use stubborn_model::problem::Severity;
pub use stubborn_report::{
    Place, Position, ProblemReport as Problem, PropertyReport as Property, Report, Shown as Value,
    StepReport as Step, TextRange, TraceReport as Trace, Verdict, reason,
};
pub use stubborn_system::system::Failure;

/// Runs of a model, taken step by step: one that a check has found, one that was saved, or one that
/// a person or chance chooses.
pub mod stepping {
    pub use stubborn_engine::interpreter::visit_steps;
    pub use stubborn_engine::{MonitorMove, MonitorRun, MonitorState, State, Trace, TraceStep};
    pub use stubborn_report::stepping::{
        Answer, Asking, Chance, Condition, Enabled, End, Given, LONGEST, Run, Standing, Stepped,
        Truth, Turned, Who, has_part, standing, standing_of_monitor,
    };
}

#[cfg(test)]
mod tests {
    /// The visible lines of the first Rust block among lines of Markdown.
    fn first_example<'t>(markdown: impl Iterator<Item = &'t str>, fence: &str) -> Vec<&'t str> {
        let block = markdown.skip_while(|line| *line != fence).skip(1);
        let block = block.take_while(|line| *line != "```");
        block.filter(|line| !line.starts_with("# ")).collect()
    }

    #[test]
    fn the_readme_shows_the_first_example_of_this_documentation() {
        let readme = first_example(include_str!("../../../README.md").lines(), "```rust");
        let documentation = include_str!("lib.rs").lines().map_while(|line| {
            let text = line.strip_prefix("//!")?;
            Some(text.strip_prefix(' ').unwrap_or(text))
        });
        assert_eq!(readme, first_example(documentation, "```"));
        assert!(readme.len() > 10);
    }

    #[test]
    fn the_documentation_shows_the_lock_of_the_examples() {
        let example = include_str!("../examples/broken_lock.stb").lines().skip(1);
        let shown = include_str!("lib.rs");
        for line in example.map(str::trim) {
            assert!(shown.contains(line), "{line}");
        }
    }
}
