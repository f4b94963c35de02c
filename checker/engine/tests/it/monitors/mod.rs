//! Small models with monitors, as text, with the verdicts that were worked out by hand.

mod automata;

mod formulas;
mod questions;
mod testers;

use std::sync::Arc;

use stubborn_engine::{
    Caller, Finding, Liveness, Options, Order, Outcome, Reduction, Search, Verdict, Violation,
    check,
};
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;

/// A light that goes on and off for ever or goes out, beside somebody who may go round for ever.
pub const LIGHTS: &str = "
var x: 0..3
process p {
    initial state red { -> green }
    state green { do x = 1 -> red  -> dark }
    final state dark
}
process q {
    initial state here { -> here }
}
";

/// The model of a text, with what of it is watched by monitors.
pub struct Watched {
    pub model: stubborn_model::Model,
}

/// # Panics
/// Where the text has errors.
pub fn model(text: &str) -> Watched {
    let file = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, &Settings::default());
    let errors: Vec<_> = analysis
        .problems
        .iter()
        .filter(|problem| problem.severity == Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
    Watched {
        model: analysis.model.expect("without errors there is a model"),
    }
}

/// What is said of a property, in a few words.
pub fn word(outcome: &Outcome) -> String {
    match &outcome.verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Violated { finding, trace } => {
            let what = match finding {
                Finding::Watched(Violation::Reject) => "reject",
                Finding::Watched(Violation::Deadlock) => "deadlock",
                Finding::Watched(Violation::Livelock) => "livelock",
                Finding::Watched(Violation::Infinite) => "infinite",
                other => return format!("{other:?}"),
            };
            format!(
                "{what} after {}, cycle {}",
                trace.steps().len(),
                trace.cycle().len()
            )
        }
        Verdict::Undecided(reason) => format!("undecided: {reason:?}"),
    }
}

impl Watched {
    pub fn outcome(&self, name: &str, options: &Options) -> Outcome {
        let property = self.model.properties.iter().find(|p| p.name == name);
        let property = property.unwrap_or_else(|| panic!("there is no property {name}"));
        let properties: Vec<Property> = vec![property.property.clone()];
        let mut outcomes = check(&self.model.system, &properties, options, Caller::default())
            .expect("its states are small");
        outcomes.remove(0)
    }

    /// Whether the property holds, by each way in which it can be decided.
    ///
    /// # Panics
    /// Where they do not agree.
    pub fn verdict(&self, name: &str) -> String {
        let usual = word(&self.outcome(name, &Options::default()));
        for liveness in [
            Liveness::Auto,
            Liveness::OnePass,
            Liveness::Nested,
            Liveness::NestedErrorLast,
            Liveness::FourPass,
        ] {
            for search in [Search::Breadth, Search::Depth] {
                for order in [Order::Forward, Order::Reverse] {
                    for reduction in [Reduction::Stubborn, Reduction::None] {
                        let options = Options {
                            liveness,
                            search,
                            order,
                            reduction,
                            ..Options::default()
                        };
                        let found = self.outcome(name, &options).verdict;
                        let may_not_decide =
                            !matches!(liveness, Liveness::Auto | Liveness::FourPass);
                        match &found {
                            Verdict::Holds => assert_eq!(usual, "holds", "{options:?}"),
                            Verdict::Violated { .. } => assert_ne!(usual, "holds", "{options:?}"),
                            Verdict::Undecided(reason) => {
                                assert!(may_not_decide, "{name}: {options:?}: {reason:?}");
                            }
                        }
                    }
                }
            }
        }
        usual
    }
}
