//! What the properties of a model say of single states, for whoever wants to see when that turns.

use stubborn_engine::State;
use stubborn_engine::interpreter::holds;
use stubborn_system::property::Property;
use stubborn_system::system::Expr;

use super::model::Stepped;
use crate::failure;

/// The condition of a property of states.
#[derive(Clone, Copy, Debug)]
pub struct Condition<'m> {
    /// The property's name, with the values of its parameters.
    pub name: &'m str,
    pub expr: &'m Expr,
    /// It is to be true in every state: an invariant, that the text does not expect to fail.
    pub is_to_hold: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Truth {
    True,
    False,
    /// Its evaluation fails, for this reason.
    Fails(String),
}

impl Stepped {
    /// The conditions of the invariants, of what is to be reached and of what progress is, in the order of the text.
    pub fn conditions(&self) -> impl Iterator<Item = Condition<'_>> {
        self.properties.iter().filter_map(|named| {
            let (expr, is_invariant) = match named.property.asked() {
                Property::Invariant(expr) => (expr, true),
                Property::Reachable(expr)
                | Property::MayProgress(expr)
                | Property::MustProgress(expr) => (expr, false),
                _ => return None,
            };
            Some(Condition {
                name: &named.name,
                expr,
                is_to_hold: is_invariant && !named.expected_violated,
            })
        })
    }

    /// How they all stand in a state.
    pub fn truths(&self, state: &State) -> Vec<Truth> {
        let all = self.conditions();
        all.map(|one| match holds(&self.system, state, one.expr) {
            Ok(true) => Truth::True,
            Ok(false) => Truth::False,
            Err(why) => Truth::Fails(failure(&why)),
        })
        .collect()
    }
}

/// A condition that another state has otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turned {
    /// "mutex is false".
    pub sentence: String,
    /// Something that is to hold everywhere does not hold any more.
    pub is_wrong: bool,
}

impl Condition<'_> {
    /// How it stands, as it is told.
    pub fn standing(&self, truth: &Truth) -> Turned {
        let name = self.name;
        Turned {
            sentence: match truth {
                Truth::True => format!("{name} is true"),
                Truth::False => format!("{name} is false"),
                Truth::Fails(why) => format!("{name} has no value: {why}"),
            },
            is_wrong: self.is_to_hold && *truth != Truth::True,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::fixture::stepped;
    use super::super::run::Run;

    #[test]
    fn what_turns_is_told_as_it_turns() {
        let model = Arc::new(stepped(
            "var x: 0..3\nvar a: array[1..2] of 0..3\nprocess p { x = 1 x = 2 x = 3 }\n\
             invariant small(k in 1..2): x <= k\nreachable two: x == 2\ninvariant cell: x == 0 or a[x] == 0\n\
             ltl l: always x == 0\n",
        ));
        let mut run = Run::new(model);
        let mut told = Vec::new();
        while let Some(step) = run.enabled(1).steps.pop() {
            let turned = run.take(step).into_iter();
            told.push(turned.map(|one| one.sentence).collect::<Vec<_>>());
        }
        assert_eq!(
            told,
            [
                vec![],
                vec!["small(1) is false".to_owned(), "two is true".to_owned()],
                vec![
                    "small(2) is false".to_owned(),
                    "two is false".to_owned(),
                    "cell has no value: the index 3 is outside the array's 1..2".to_owned()
                ]
            ]
        );
    }
}
