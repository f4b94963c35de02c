//! Verdicts on the properties of a model.

use std::fmt;

use stubborn_report::{PropertyReport, Verdict as Told};

use crate::Trace;

/// Verdicts on the properties of a model.
///
/// Printed, it is a line for each property:
///
/// ```
/// use stubborn_checker::{Model, Options};
///
/// let model = Model::parse("var x: 0..3\nprocess p { x = 3; stop }\ninvariant low: x < 3")?;
/// let report = model.check(&Options::default())?;
/// assert_eq!(
///     report.to_string(),
///     "errors       holds\n\
///      deadlock     holds\n\
///      termination  holds\n\
///      low          violated: `low` is false after 1 step: x = 3\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The properties, in the order of [`Model::properties`](crate::Model::properties).
    pub properties: Vec<Property>,
}

/// A property and its verdict.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Name of the property, with the values of its parameters: `access(2)`.
    pub name: String,
    /// The verdict on the property.
    pub verdict: Verdict,
    /// Explanation of the verdict in one sentence, if there is more to say than the verdict.
    pub why: Option<String>,
    /// Path to the state that a `reachable` asks for, if it holds.
    pub witness: Option<Trace>,
    /// Whether the text says that it is to be violated (`expect violated`).
    pub expects_violation: bool,
    /// States visited by the search that decided the property, which may have decided others too.
    pub states: u64,
    /// Edges visited by that search.
    pub edges: u64,
}

/// Verdict on a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// It is proved.
    Holds,
    /// It is refuted, by a counterexample. Without one, no reachable state is what a `reachable`
    /// asks for.
    Violated(Option<Trace>),
    /// A limit ended the search; the reason in one sentence.
    Undecided(String),
}

impl Report {
    pub(crate) fn new(reports: Vec<PropertyReport>) -> Report {
        Report {
            properties: reports.into_iter().map(Property::new).collect(),
        }
    }

    /// The property with a name.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let report = Model::parse("process p { stop }")?.check(&Options::default())?;
    /// assert!(report.property("deadlock").is_some());
    /// assert!(report.property("mutex").is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|one| one.name == name)
    }

    /// Whether every property holds, or is violated where the text expects that.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let text = "var x: 0..3\nprocess p { x = 3; stop }\ninvariant low: x < 3\n";
    /// let is_as_expected = |text: &str| {
    ///     let report = Model::parse(text).unwrap().check(&Options::default()).unwrap();
    ///     report.is_as_expected()
    /// };
    /// assert!(!is_as_expected(text));
    /// assert!(is_as_expected(&format!("{text}expect violated: low")));
    /// ```
    pub fn is_as_expected(&self) -> bool {
        self.properties.iter().all(Property::is_as_expected)
    }
}

impl Property {
    fn new(report: PropertyReport) -> Property {
        let trace = report.trace.map(Trace::new);
        let why = report.why;
        let (verdict, witness) = match report.verdict {
            Told::Holds => (Verdict::Holds, trace),
            Told::Violated => (Verdict::Violated(trace), None),
            Told::Undecided => (Verdict::Undecided(why.clone().unwrap_or_default()), None),
        };
        Property {
            name: report.name,
            verdict,
            why,
            witness,
            expects_violation: report.expected_violated,
            states: report.states,
            edges: report.edges,
        }
    }

    /// Whether it holds, or is violated where the text expects that.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let model = Model::parse("var x: 0..9\nprocess p { while x < 9 { x = x + 1 } stop }")?;
    /// let options = Options { max_states: Some(5), ..Options::default() };
    /// let report = model.check(&options)?;
    /// let undecided = report.property("deadlock").unwrap();
    /// assert_eq!(undecided.why.as_deref(), Some("the limit of 5 states was reached"));
    /// assert!(!undecided.is_as_expected());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_as_expected(&self) -> bool {
        match self.verdict {
            Verdict::Holds => !self.expects_violation,
            Verdict::Violated(_) => self.expects_violation,
            Verdict::Undecided(_) => false,
        }
    }

    /// The counterexample of a violated property, or the path to the state that a `reachable` asks
    /// for.
    ///
    /// ```
    /// # use stubborn_checker::{Model, Options};
    /// let text = "var x: 0..3\nprocess p { x = 3; stop }\ninvariant low: x < 3\nreachable high: x == 3";
    /// let report = Model::parse(text)?.check(&Options::default())?;
    /// let [low, high] = ["low", "high"].map(|name| report.property(name).unwrap().trace().unwrap());
    /// assert_eq!(low, high);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn trace(&self) -> Option<&Trace> {
        match &self.verdict {
            Verdict::Violated(trace) => trace.as_ref(),
            Verdict::Holds | Verdict::Undecided(_) => self.witness.as_ref(),
        }
    }
}

/// `mutex  violated: 2 clients are in critical at once, after 4 steps`.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths = self.properties.iter().map(|one| one.name.chars().count());
        let width = lengths.max().unwrap_or(0);
        for Property {
            name, verdict, why, ..
        } in &self.properties
        {
            let verdict = match verdict {
                Verdict::Holds => "holds",
                Verdict::Violated(_) => "violated",
                Verdict::Undecided(_) => "undecided",
            };
            let why = why.as_ref().map_or(String::new(), |why| format!(": {why}"));
            writeln!(f, "{name:width$}  {verdict}{why}")?;
        }
        Ok(())
    }
}
