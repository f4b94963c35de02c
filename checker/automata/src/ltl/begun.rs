//! What the beginning of a run decides of a formula, whatever comes after it.

use std::collections::HashMap;

use stubborn_system::property::Formula;

use super::evaluate::parts;
use crate::label::Valuation;
use crate::work::{Stopped, Work};

/// Whether the formula holds of every infinite run that begins like this, or of none; `None` where that
/// is not known from the values of its parts (Kleene's logic of three values, what comes after the
/// beginning being unknown), which tell `p or not p` of later not to be true. Costs at most the size
/// of the formula times the length of the beginning.
///
/// # Errors
/// Where the work has been stopped.
pub fn decided(
    formula: &Formula,
    begun: &[Valuation],
    work: &Work<'_>,
) -> Result<Option<bool>, Stopped> {
    // Of each part of the formula its value at each position, the parts before the whole.
    let mut known: HashMap<*const Formula, Vec<Value>> = HashMap::new();
    let mut open = vec![(formula, false)];
    while let Some((part, prepared)) = open.pop() {
        if !prepared {
            work.spend(1)?;
            open.push((part, true));
            open.extend(parts(part).into_iter().map(|part| (part, false)));
            continue;
        }
        work.spend(begun.len())?;
        work.hold((known.len() + 1) * begun.len())?;
        let of = |part: &Formula, at: usize| known[&std::ptr::from_ref(part)][at];
        let each = |value: &dyn Fn(usize) -> Value| (0..begun.len()).map(value).collect();
        // What one step says of a position and the next.
        let solve = |step: &dyn Fn(usize, Value) -> Value| {
            let mut values = vec![Value::Unknown; begun.len()];
            let mut later = Value::Unknown;
            for at in (0..begun.len()).rev() {
                later = step(at, later);
                values[at] = later;
            }
            values
        };
        let values: Vec<Value> = match part {
            Formula::Constant(value) => each(&|_| Value::of(*value)),
            Formula::Proposition(proposition) => each(&|at| {
                let shifted = begun[at].checked_shr(*proposition);
                Value::of(shifted.is_some_and(|shifted| shifted & 1 == 1))
            }),
            Formula::Not(part) => each(&|at| of(part, at).negated()),
            Formula::All(parts) => each(&|at| {
                let values = parts.iter().map(|part| of(part, at));
                values.min().unwrap_or(Value::True)
            }),
            Formula::Any(parts) => each(&|at| {
                let values = parts.iter().map(|part| of(part, at));
                values.max().unwrap_or(Value::False)
            }),
            Formula::Always(part) => solve(&|at, later| of(part, at).min(later)),
            Formula::Eventually(part) => solve(&|at, later| of(part, at).max(later)),
            Formula::Until(left, right) | Formula::WeakUntil(left, right) => {
                solve(&|at, later| of(right, at).max(of(left, at).min(later)))
            }
            Formula::Release(left, right) => {
                solve(&|at, later| of(right, at).min(of(left, at).max(later)))
            }
        };
        known.insert(std::ptr::from_ref(part), values);
    }
    let values = &known[&std::ptr::from_ref(formula)];
    Ok(match values.first() {
        Some(Value::True) => Some(true),
        Some(Value::False) => Some(false),
        Some(Value::Unknown) | None => None,
    })
}

/// `and` is the least of values, `or` the greatest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Value {
    False,
    Unknown,
    True,
}

impl Value {
    fn of(value: bool) -> Value {
        if value { Value::True } else { Value::False }
    }

    fn negated(self) -> Value {
        match self {
            Value::False => Value::True,
            Value::Unknown => Value::Unknown,
            Value::True => Value::False,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ltl::evaluate::holds;
    use crate::word::Word;

    fn known(formula: &Formula, begun: &[Valuation]) -> Option<bool> {
        decided(formula, begun, &Work::unlimited()).expect("nothing ends it")
    }

    fn p() -> Box<Formula> {
        Box::new(Formula::Proposition(0))
    }

    fn not(formula: Formula) -> Formula {
        Formula::Not(Box::new(formula))
    }

    #[test]
    fn what_should_always_hold_is_decided_where_it_does_not() {
        let always = Formula::Always(p());
        assert_eq!(known(&always, &[1, 1, 1]), None);
        assert_eq!(known(&always, &[1, 0, 1]), Some(false));
        assert_eq!(known(&not(always), &[1, 0, 1]), Some(true));
    }

    #[test]
    fn what_should_come_some_time_is_decided_once_it_has_come() {
        let eventually = Formula::Eventually(p());
        assert_eq!(known(&eventually, &[0, 0]), None);
        assert_eq!(known(&eventually, &[0, 1]), Some(true));
        let again = Formula::Always(Box::new(eventually));
        assert_eq!(known(&again, &[0, 1]), None);
        assert_eq!(known(&again, &[]), None);
    }

    fn formulas() -> impl Strategy<Value = Formula> {
        let leaf = prop_oneof![
            any::<bool>().prop_map(Formula::Constant),
            (0..2_u32).prop_map(Formula::Proposition),
        ];
        leaf.prop_recursive(4, 16, 2, |part| {
            let one = || part.clone().prop_map(Box::new);
            let some = || proptest::collection::vec(part.clone(), 0..3);
            prop_oneof![
                one().prop_map(Formula::Not),
                some().prop_map(Formula::All),
                some().prop_map(Formula::Any),
                one().prop_map(Formula::Always),
                one().prop_map(Formula::Eventually),
                (one(), one()).prop_map(|(left, right)| Formula::Until(left, right)),
                (one(), one()).prop_map(|(left, right)| Formula::WeakUntil(left, right)),
                (one(), one()).prop_map(|(left, right)| Formula::Release(left, right)),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn what_is_decided_is_so_of_every_run_that_begins_like_this(
            formula in formulas(),
            begun in proptest::collection::vec(0..4_u64, 1..5),
            after in proptest::collection::vec(0..4_u64, 0..4),
            cycle in proptest::collection::vec(0..4_u64, 1..4),
        ) {
            if let Some(decided) = known(&formula, &begun) {
                let run = Word::Lasso { prefix: [begun, after].concat(), cycle };
                let holds = holds(&formula, &run, &Work::unlimited());
                prop_assert_eq!(holds.expect("nothing ends it"), decided);
            }
        }
    }
}
