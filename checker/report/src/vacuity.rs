//! Vacuity: properties that hold only because a premise never occurs, the left side of an `implies`
//! that is never true, or a name that an automaton observes and that never changes.
//!
//! Each premise is a property of its own, whether a state can be reached, decided by a search like
//! any other.

use stubborn_engine::interpreter::evaluate;
use stubborn_engine::{State, Verdict};
use stubborn_model::{NamedProperty, Premise, PremiseKind};
use stubborn_system::property::{Property, StepSet};
use stubborn_system::system::{Expr, System, Unary, Value};

use super::place::{Place, Texts};

/// A premise that never occurs, so that a property holds whatever else the model does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vacuous {
    /// Place of the left side, or of the name.
    pub place: Place,
    /// "`n > 5` is never true".
    pub sentence: String,
}

/// The properties about the premises of a property, in their order: a run that is found for one
/// shows that it occurs. None for one that fails in the initial state.
pub fn questions(named: &NamedProperty, system: &System) -> Vec<Option<Property>> {
    let questions = named.premises.iter().map(|premise| {
        let condition = premise.condition.clone();
        let at_first = |condition| evaluate(system, &State::initial(system), condition).ok();
        match (&premise.kind, at_first(&condition)) {
            (PremiseKind::Given | PremiseKind::GivenWithin, _) => {
                Some(Property::Reachable(condition))
            }
            // If no run does it, no fair one does.
            (PremiseKind::Recurs, _) => match named.property.asked() {
                // Without steps that must recur it says that these do not.
                Property::Recurrence(infinitely, implies) if !implies.patterns.is_empty() => {
                    Some(Property::Recurrence(infinitely.clone(), StepSet::default()))
                }
                _ => None,
            },
            // The answer is known: it is true in no state that is asked about.
            (PremiseKind::GivenAtStart, Some(Value::Int(0))) => {
                Some(Property::Reachable(Expr::Const(Value::Int(0))))
            }
            (PremiseKind::GivenAtStart, _) | (PremiseKind::Observed(_), None) => None,
            (PremiseKind::Observed(_), Some(Value::Int(0))) => Some(Property::Reachable(condition)),
            (PremiseKind::Observed(_), Some(_)) => Some(Property::Reachable(Expr::Unary(
                Unary::Not,
                Box::new(condition),
            ))),
        }
    });
    questions.collect()
}

/// Whether the answer is that the premise never occurs.
pub fn never_happens(answer: &Verdict) -> bool {
    *answer == Verdict::Holds
}

/// Report on a premise that never occurs; `text` is that of its file.
pub fn vacuous(premise: &Premise, text: &str, texts: &Texts) -> Vacuous {
    let written = text.get(premise.span.start as usize..premise.span.end as usize);
    let words: Vec<&str> = written.unwrap_or_default().split_whitespace().collect();
    let words = words.join(" ");
    let sentence = match &premise.kind {
        PremiseKind::Given => {
            format!("`{words}` is never true, so that nothing is asked of what it implies")
        }
        PremiseKind::GivenWithin => format!(
            "`{words}` is never true where it is asked, so that nothing is asked of what it implies"
        ),
        PremiseKind::Recurs => format!(
            "no run has steps of `{words}` infinitely often, so that nothing is asked of it"
        ),
        PremiseKind::GivenAtStart => format!(
            "`{words}` is false in the initial state, and without `always` it is asked there alone, so that nothing \
             is asked of what it implies"
        ),
        PremiseKind::Observed(name) => format!("`{name}`, which it observes, never changes"),
    };
    Vacuous {
        place: texts.place(premise.span),
        sentence,
    }
}
