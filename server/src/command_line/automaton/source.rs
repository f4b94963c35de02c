//! An automaton or a tester as it is shown, with the names that belong to it.

use stubborn_automata::{Buchi, Testing};

/// An automaton or a tester with the names that belong to it.
#[derive(Clone, Debug)]
pub struct Source {
    /// `starves(0)`; of a formula the formula.
    pub name: String,
    /// What it could be called in a file: `starves`.
    pub base: String,
    /// What it could be called there beside itself, as an automaton of the other kind.
    pub converted: String,
    /// What it accepts, in a sentence without a full stop.
    pub accepts: String,
    pub propositions: Vec<Proposition>,
    /// The names of its states, where it has some.
    pub states: Vec<String>,
    /// It is insensitive to stuttering by its making: a formula has no `next`.
    pub is_insensitive: bool,
    pub what: What,
}

#[derive(Clone, Debug)]
pub struct Proposition {
    pub name: String,
    /// The expression that it stands for, where there is a model.
    pub meaning: Option<String>,
    /// What it is called in a file of the HOA format, which takes any text, where that is more.
    pub text: Option<String>,
}

#[derive(Clone, Debug)]
pub enum What {
    Buchi(Buchi),
    Testing(Testing),
    /// A tester sees actions and no propositions: it is shown, and not converted.
    Tester {
        text: String,
        dot: String,
    },
}

impl Source {
    /// What it could be called in a file as what begins with this keyword.
    pub fn called(&self, keyword: &str) -> &str {
        match (&self.what, keyword) {
            (What::Buchi(_), "buchi") | (What::Testing(_), "testing") => &self.base,
            _ => &self.converted,
        }
    }

    /// The same with those propositions alone that have these numbers.
    pub fn with_propositions(&self, kept: &[u32]) -> Source {
        let kept = kept
            .iter()
            .filter_map(|at| self.propositions.get(*at as usize));
        Source {
            propositions: kept.cloned().collect(),
            ..self.clone()
        }
    }
}

/// A text that goes into a comment of one line.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ")
}
