//! Conjunctions of formulas, decided formula by formula.
//!
//! All runs satisfy `f and g` if all runs satisfy `f` and all runs satisfy `g`. So each conjunct has
//! a slice, an automaton and searches of its own: an automaton for the negation of all of them sees
//! whatever any of them sees, and may have as many states as theirs multiplied.
//!
//! `always (f and g)` is `always f and always g`, and `not (f or g)` is `not f and not g`. What has no
//! temporal operator is one proposition and stays whole, since `g` may fail where `f` is false.
//!
//! A violated conjunct gives the conjunction its trace and figures; they are tried in the order of the
//! text. If all hold, the figures are those of the search that generated most states.

use std::collections::HashSet;

use stubborn_system::property::{Fair, Formula, Ltl, Property};
use stubborn_system::system::System;

use super::decide::decide;
use crate::caller::Caller;
use crate::options::{Limits, Options};
use crate::plan::turns::Turns;
use crate::verdict::{Outcome, Reason, Verdict};

/// The conjuncts of a formula, in the order of the text and each once; `None` if it is no conjunction.
pub fn conjuncts(property: &Property) -> Option<Vec<Property>> {
    let Property::Ltl(ltl) = property.asked() else {
        return None;
    };
    let formulas = conjuncts_of_formula(ltl)?.into_iter();
    let properties = formulas.map(|ltl| match property {
        Property::Fair(fair) => Property::Fair(Fair {
            property: Box::new(Property::Ltl(ltl)),
            assumptions: fair.assumptions.clone(),
        }),
        _ => Property::Ltl(ltl),
    });
    Some(properties.collect())
}

/// The conjuncts of a formula, each with its own propositions.
pub fn conjuncts_of_formula(ltl: &Ltl) -> Option<Vec<Ltl>> {
    let mut formulas = Vec::new();
    split(&ltl.formula, true, &mut |formula| formulas.push(formula));
    let mut known = HashSet::new();
    formulas.retain(|formula| known.insert(formula.clone()));
    let formulas = formulas.into_iter().map(|formula| alone(ltl, formula));
    Some(formulas.collect()).filter(|formulas: &Vec<Ltl>| formulas.len() > 1)
}

/// Calls with formulas whose conjunction is the formula, or its negation unless `is_true`.
fn split(formula: &Formula, is_true: bool, then: &mut dyn FnMut(Formula)) {
    match (formula, is_true) {
        (Formula::Not(operand), _) => split(operand, !is_true, then),
        (Formula::All(operands), true) | (Formula::Any(operands), false) => {
            for operand in operands {
                split(operand, is_true, then);
            }
        }
        (Formula::Always(operand), true) | (Formula::Eventually(operand), false) => {
            split(operand, is_true, &mut |part| {
                then(Formula::Always(Box::new(part)));
            });
        }
        (formula, true) => then(formula.clone()),
        (formula, false) => then(Formula::Not(Box::new(formula.clone()))),
    }
}

/// A part of a formula, with the propositions that are in it.
fn alone(ltl: &Ltl, mut formula: Formula) -> Ltl {
    let mut used = Vec::new();
    for_propositions(&mut formula, &mut |number| used.push(*number));
    used.sort_unstable();
    used.dedup();
    for_propositions(&mut formula, &mut |number| {
        *number = used.partition_point(|before| before < number) as u32;
    });
    let propositions = used
        .iter()
        .map(|number| &ltl.propositions[*number as usize]);
    Ltl {
        propositions: propositions.cloned().collect(),
        formula,
    }
}

fn for_propositions(formula: &mut Formula, then: &mut dyn FnMut(&mut u32)) {
    match formula {
        Formula::Constant(_) => {}
        Formula::Proposition(number) => then(number),
        Formula::Not(operand) | Formula::Always(operand) | Formula::Eventually(operand) => {
            for_propositions(operand, then);
        }
        Formula::All(operands) | Formula::Any(operands) => {
            for operand in operands {
                for_propositions(operand, then);
            }
        }
        Formula::Until(one, other)
        | Formula::WeakUntil(one, other)
        | Formula::Release(one, other) => {
            for_propositions(one, then);
            for_propositions(other, then);
        }
    }
}

/// Decides the conjuncts one after the other, until one is violated. They share the time that there
/// is as properties do ([`Turns`]).
pub fn decide_each(
    system: &System,
    conjuncts: &[Property],
    options: &Options,
    caller: Caller<'_>,
) -> Outcome {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; conjuncts.len()];
    let begun = caller.budget.now();
    let mut turns = Turns::within(options.limits);
    turns.begin((0..conjuncts.len()).collect(), begun);
    while let Some(turn) = turns.next(caller.budget.now()) {
        let number = turn.search;
        let limits = Limits {
            shortening: options.limits.shortening.max(turn.limits.shortening),
            ..turn.limits
        };
        let options = Options { limits, ..*options };
        let outcome = decide(system, &conjuncts[number], &options, caller.with(limits));
        let outcome = outcome.unwrap_or_else(|error| {
            Outcome::without_search(Verdict::Undecided(Reason::from(error)))
        });
        match outcome.verdict {
            Verdict::Undecided(Reason::Time) => turns.add(number, turn.time),
            Verdict::Undecided(Reason::Cancelled) | Verdict::Violated { .. } => {
                outcomes = vec![Some(outcome)];
                break;
            }
            _ => {}
        }
        outcomes[number] = Some(outcome);
    }
    let within = outcomes
        .iter()
        .flatten()
        .fold(0, |all, one| all | one.within);
    let decisive = outcomes.into_iter().flatten().max_by_key(|outcome| {
        let open = match outcome.verdict {
            Verdict::Holds | Verdict::Violated { .. } => 0,
            Verdict::Undecided(Reason::Time) => 2,
            Verdict::Undecided(_) => 1,
        };
        (open, outcome.states)
    });
    Outcome {
        within,
        seconds: caller.budget.now().duration_since(begun).as_secs_f64(),
        ..decisive.expect("a conjunction has conjuncts, and each has a turn")
    }
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::Expr;

    use super::*;

    fn proposition(number: u32) -> Formula {
        Formula::Proposition(number)
    }

    fn always(formula: Formula) -> Formula {
        Formula::Always(Box::new(formula))
    }

    fn not(formula: Formula) -> Formula {
        Formula::Not(Box::new(formula))
    }

    fn eventually(formula: Formula) -> Formula {
        Formula::Eventually(Box::new(formula))
    }

    /// The propositions, as numbers, and the formula of each conjunct.
    fn split(formula: Formula) -> Vec<(Vec<u32>, Formula)> {
        let ltl = Ltl {
            propositions: (0..9).map(Expr::Choice).collect(),
            formula,
        };
        let number = |expr: &Expr| match expr {
            Expr::Choice(number) => *number,
            _ => unreachable!("each is a choice"),
        };
        let conjuncts = conjuncts_of_formula(&ltl).unwrap_or_default().into_iter();
        let conjuncts = conjuncts.map(|one| {
            let numbers = one.propositions.iter().map(number);
            (numbers.collect(), one.formula)
        });
        conjuncts.collect()
    }

    #[test]
    fn a_conjunct_has_the_propositions_that_it_mentions() {
        let formula = Formula::All(vec![
            always(proposition(3)),
            eventually(Formula::Any(vec![proposition(7), not(proposition(3))])),
        ]);
        let second = eventually(Formula::Any(vec![proposition(1), not(proposition(0))]));
        let expected = [(vec![3], always(proposition(0))), (vec![3, 7], second)];
        assert_eq!(split(formula), expected);
    }

    #[test]
    fn always_and_negations_are_distributed() {
        let formula = always(not(Formula::Any(vec![
            eventually(proposition(0)),
            not(eventually(proposition(1))),
        ])));
        let expected = [
            (vec![0], always(always(not(proposition(0))))),
            (vec![1], always(eventually(proposition(0)))),
        ];
        assert_eq!(split(formula), expected);
    }

    #[test]
    fn equal_conjuncts_are_there_once() {
        let twice = |number| always(eventually(proposition(number)));
        let formula = Formula::All(vec![twice(0), twice(1), twice(0)]);
        assert_eq!(split(formula).len(), 2);
        assert!(split(Formula::All(vec![twice(0), twice(0)])).is_empty());
        assert!(split(Formula::Any(vec![twice(0), twice(1)])).is_empty());
    }
}
