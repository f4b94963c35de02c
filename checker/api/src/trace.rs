//! Counterexamples, with the names of the text.

use std::fmt;

use stubborn_report::{Place, Shown as Value, StepReport, TraceReport, table};

/// Width of a printed trace, in characters.
const WIDTH: usize = 100;

/// A run of a model: a counterexample, or a path to a state that was asked for. It has been replayed
/// by an interpreter that shares no code with the search.
///
/// An infinite run ends in a cycle: its last [`cycle`](Trace::cycle) steps lead from
/// the state before them back to the same state.
///
/// Printed, it is the table that the command line shows:
///
/// ```
/// use stubborn_checker::{Model, Options};
///
/// let model = Model::parse(
///     "var x: 0..3
///     process p { one: x = 2; two: x = 3 }
///     invariant low: x < 3",
/// )?;
/// let report = model.check(&Options::default())?;
/// let trace = report.property("low").unwrap().trace().unwrap();
/// assert_eq!(
///     trace.to_string(),
///     "step  who  from → to  statement  what changed\n\
///      \x20  1  p    one → two  x = 2      x = 2\n\
///      \x20  2  p    two → end  x = 3      x = 3\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace(TraceReport);

/// A step of a [`Trace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The process instances that take the step, in the order of the text; a tester or an automaton
    /// that watches the model comes last.
    pub participants: Vec<Participant>,
    /// Action of a joint step, with its values: `enter(1)`.
    pub action: Option<String>,
    /// Names and new values of the variables and channels that the step changes.
    pub changes: Vec<(String, Value)>,
    /// Reason for which the step fails, if it does; it is then the last one.
    pub failure: Option<String>,
    /// Place of the first participant's statement in the text.
    pub place: Place,
}

/// A process instance that takes a step, or a tester that watches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Name of the instance: `client(1)`.
    pub name: String,
    /// Its location before the step.
    pub from: String,
    /// Its location after the step.
    pub to: String,
    /// The statement on one line, without its target.
    pub statement: String,
}

impl Trace {
    pub(crate) fn new(report: TraceReport) -> Trace {
        Trace(report)
    }

    /// Number of steps, including those of the cycle.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let text = "var x: bool\nprocess p { loop { either { x = not x } or { stop } } }\nprogress done: must p@end";
    /// let report = Model::parse(text)?.check(&Options::default())?;
    /// let trace = report.property("done").unwrap().trace().unwrap();
    /// assert!(trace.len() >= trace.cycle() && trace.cycle() > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether the initial state itself is what the trace shows.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let model = Model::parse("var x: 0..3\nprocess p { stop }\ninvariant high: x > 0")?;
    /// let report = model.check(&Options::default())?;
    /// assert!(report.property("high").unwrap().trace().unwrap().is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of steps of the cycle at the end; 0 without a cycle.
    pub fn cycle(&self) -> usize {
        self.0.cycle
    }

    /// The steps, including those of the cycle. Each is made when it is asked for, so that a trace
    /// of a million steps takes little memory.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options, Value};
    /// # let text = "var x: 0..3\nprocess p { x = 2; x = 3; stop }\ninvariant low: x < 3";
    /// # let report = Model::parse(text)?.check(&Options::default())?;
    /// # let trace = report.property("low").unwrap().trace().unwrap();
    /// let last = trace.steps().last().unwrap();
    /// assert_eq!(last.participants[0].name, "p");
    /// assert_eq!(last.participants[0].statement, "x = 3");
    /// assert_eq!(last.changes, [("x".to_owned(), Value::Number(3))]);
    /// assert_eq!(last.place.range.start.line, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn steps(&self) -> impl Iterator<Item = Step> {
        self.0.every_step(0).map(Step::new)
    }

    /// Names and values of all variables, channels and locations after a number of steps; 0 is the
    /// initial state.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// # let text = "var x: 0..3\nprocess p { x = 2; x = 3; stop }\ninvariant low: x < 3";
    /// # let report = Model::parse(text)?.check(&Options::default())?;
    /// # let trace = report.property("low").unwrap().trace().unwrap();
    /// let values_of_x = (0..=trace.len()).map(|steps| trace.values_after(steps)[0].1.to_string());
    /// assert_eq!(values_of_x.collect::<Vec<_>>(), ["0", "2", "3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn values_after(&self, steps: usize) -> Vec<(String, Value)> {
        self.0.values_after(steps)
    }
}

impl Step {
    fn new(report: StepReport) -> Step {
        let locations = report.from.iter().zip(&report.to);
        let participants = report.by.iter().zip(locations).enumerate();
        let participants = participants.map(|(at, (name, (from, to)))| Participant {
            name: name.clone(),
            from: from.clone(),
            to: to.clone(),
            statement: report.statement(at).0,
        });
        Step {
            participants: participants.collect(),
            action: report.action,
            changes: report.changes,
            failure: report.fails,
            place: report.place,
        }
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table(&self.0).plain(WIDTH))
    }
}
