//! Kinds of items that never occur, and their sentences.

use stubborn_system::source::Span;

use crate::phrases::{MOST_LISTED, grouped};
use crate::place::Place;

/// An item that never occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never {
    pub kind: Kind,
    pub span: Span,
    /// Number of states that were searched; none if the text alone shows it.
    pub states: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A state of a process, by its name.
    State(String),
    Label(String),
    /// One statement or several, one after the other, that no run reaches.
    Statements,
    /// It is reached, and never taken.
    Step,
    /// A branch of an `if` among the effects of a step that is taken.
    Branch,
    /// A test that is never true.
    True,
    /// A test that is never false.
    False,
    /// A variable, or a part of it, and the values of its enumeration that it never has.
    Values(String, Vec<String>),
}

impl Kind {
    /// One word for scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::State(_) => "state",
            Kind::Label(_) => "label",
            Kind::Statements => "statement",
            Kind::Step => "step",
            Kind::Branch => "branch",
            Kind::True | Kind::False => "test",
            Kind::Values(..) => "value",
        }
    }

    /// The state, the label, or the variable.
    pub fn name(&self) -> Option<&str> {
        match self {
            Kind::State(name) | Kind::Label(name) | Kind::Values(name, _) => Some(name),
            Kind::Statements | Kind::Step | Kind::Branch | Kind::True | Kind::False => None,
        }
    }

    /// Whether the text could be deleted.
    pub fn is_unused(&self) -> bool {
        match self {
            Kind::State(_) | Kind::Label(_) | Kind::Statements | Kind::Branch => true,
            // The place where a process waits for ever stays visible.
            Kind::Step | Kind::True | Kind::False | Kind::Values(..) => false,
        }
    }

    /// "no run reaches this state".
    pub fn sentence(&self) -> String {
        match self {
            Kind::State(_) => "no run reaches this state".to_owned(),
            Kind::Label(_) => "no run reaches this label".to_owned(),
            Kind::Statements => "no run comes here".to_owned(),
            Kind::Step => "no run takes this step".to_owned(),
            Kind::Branch => "no run goes into this branch".to_owned(),
            Kind::True => "this is never true".to_owned(),
            Kind::False => "this is never false".to_owned(),
            Kind::Values(variable, values) => {
                format!("`{variable}` is never {}", any_of(values))
            }
        }
    }
}

/// "`red`, `green` or `blue`".
fn any_of(values: &[String]) -> String {
    let named: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    match named.as_slice() {
        [one] => one.clone(),
        [first, second, ..] if named.len() > MOST_LISTED => {
            format!("{first}, {second} or one of {} others", named.len() - 2)
        }
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
        [] => String::new(),
    }
}

impl Never {
    /// "no run reaches this state; 12 states were searched".
    pub fn sentence(&self) -> String {
        let states = match self.states {
            0 => return self.kind.sentence(),
            1 => "1 state was".to_owned(),
            states => format!("{} states were", grouped(states)),
        };
        format!("{}; {states} searched", self.kind.sentence())
    }
}

/// Items that never occur, found by a check.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoverageReport {
    /// In the order of the text.
    pub never: Vec<NeverReport>,
    /// Processes that may do more than is known: no search has covered everything that they depend
    /// on.
    pub untold: Vec<String>,
    /// The search that takes every step was given up. Branches of effects that depend on other
    /// processes, and values of variables that several processes assign to, may never occur
    /// besides.
    pub given_up: bool,
}

/// An item that never occurs, with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct NeverReport {
    pub never: Never,
    pub place: Place,
    /// The first line of its text.
    pub text: String,
}
