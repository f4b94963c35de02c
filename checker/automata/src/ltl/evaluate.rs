//! Whether a formula holds of a run that is given as a word, straight from the operators' meaning.

use std::collections::HashMap;

use stubborn_system::property::Formula;

use crate::label::Valuation;
use crate::word::Word;
use crate::work::{Stopped, Work};

/// Whether the formula holds of the run; of one that ends as if it repeated its last valuation for
/// ever. Of an empty word, which no run has, nothing holds. Costs at most the size of the formula
/// times the square of the length of the word.
///
/// # Errors
/// Where the work has been stopped.
pub fn holds(formula: &Formula, word: &Word, work: &Work<'_>) -> Result<bool, Stopped> {
    evaluated(formula, &Run::of(word), work)
}

/// Whether the formula may hold of a run that begins so, as far as its operators one by one tell:
/// where this is false it holds of no run that does.
///
/// # Errors
/// Where the work has been stopped.
pub fn may_hold(
    formula: &Formula,
    beginning: &[Valuation],
    work: &Work<'_>,
) -> Result<bool, Stopped> {
    let run = Run {
        valuations: beginning.to_vec(),
        back: None,
    };
    evaluated(formula, &run, work)
}

/// What is not known is taken to be so that the formula holds.
fn evaluated(formula: &Formula, run: &Run, work: &Work<'_>) -> Result<bool, Stopped> {
    // Of each part of the formula at which positions it holds, the parts before the whole; of a part
    // whose truth is no help, what is not known is taken to be otherwise.
    let mut known: HashMap<(*const Formula, bool), Vec<bool>> = HashMap::new();
    let mut open = vec![(formula, true, false)];
    while let Some((part, helps, prepared)) = open.pop() {
        if !prepared {
            work.spend(1)?;
            open.push((part, helps, true));
            let helps = helps != matches!(part, Formula::Not(_));
            open.extend(parts(part).into_iter().map(|part| (part, helps, false)));
            continue;
        }
        work.spend(run.valuations.len())?;
        work.hold((known.len() + 1) * run.valuations.len())?;
        let at_all =
            |part: &Formula, helps: bool| known[&(std::ptr::from_ref(part), helps)].as_slice();
        let of = |part: &Formula| at_all(part, helps);
        let values = match part {
            Formula::Constant(value) => vec![*value; run.valuations.len()],
            Formula::Proposition(proposition) => {
                let bit = |valuation: &Valuation| {
                    let shifted = valuation.checked_shr(*proposition);
                    shifted.is_some_and(|shifted| shifted & 1 == 1)
                };
                run.valuations.iter().map(bit).collect()
            }
            Formula::Not(part) => at_all(part, !helps).iter().map(|value| !value).collect(),
            Formula::All(parts) => run.each(|at| parts.iter().all(|part| of(part)[at])),
            Formula::Any(parts) => run.each(|at| parts.iter().any(|part| of(part)[at])),
            // The least and the greatest solutions of what one step says.
            Formula::Always(part) => run.solve(true, helps, |at, later| of(part)[at] && later),
            Formula::Eventually(part) => run.solve(false, helps, |at, later| of(part)[at] || later),
            Formula::Until(left, right) => run.solve(false, helps, |at, later| {
                of(right)[at] || of(left)[at] && later
            }),
            Formula::WeakUntil(left, right) => run.solve(true, helps, |at, later| {
                of(right)[at] || of(left)[at] && later
            }),
            Formula::Release(left, right) => run.solve(true, helps, |at, later| {
                of(right)[at] && (of(left)[at] || later)
            }),
        };
        known.insert((std::ptr::from_ref(part), helps), values);
    }
    let values = &known[&(std::ptr::from_ref(formula), true)];
    Ok(values.first().copied().unwrap_or(false))
}

fn parts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::Constant(_) | Formula::Proposition(_) => Vec::new(),
        Formula::Not(part) | Formula::Always(part) | Formula::Eventually(part) => vec![&**part],
        Formula::All(parts) | Formula::Any(parts) => parts.iter().collect(),
        Formula::Until(left, right)
        | Formula::WeakUntil(left, right)
        | Formula::Release(left, right) => vec![&**left, &**right],
    }
}

/// An infinite run: after the last position comes the one at `back` again, or, where there is none,
/// nobody knows what.
struct Run {
    valuations: Vec<Valuation>,
    back: Option<usize>,
}

impl Run {
    fn of(word: &Word) -> Run {
        match word {
            Word::Ends(valuations) => Run {
                valuations: valuations.clone(),
                back: valuations.len().checked_sub(1),
            },
            Word::Lasso { cycle, .. } if cycle.is_empty() => Run {
                valuations: Vec::new(),
                back: None,
            },
            Word::Lasso { prefix, cycle } => Run {
                valuations: [prefix.as_slice(), cycle].concat(),
                back: Some(prefix.len()),
            },
        }
    }

    fn each(&self, holds: impl Fn(usize) -> bool) -> Vec<bool> {
        (0..self.valuations.len()).map(holds).collect()
    }

    /// The solution of `value(at) = step(at, value(at + 1))` that begins with `first` everywhere;
    /// where nobody knows what comes the value is `unknown`.
    fn solve(&self, first: bool, unknown: bool, step: impl Fn(usize, bool) -> bool) -> Vec<bool> {
        let mut values = vec![first; self.valuations.len()];
        let mut changed = true;
        while changed {
            changed = false;
            for at in (0..values.len()).rev() {
                let later = match (values.get(at + 1), self.back) {
                    (Some(later), _) => *later,
                    (None, Some(back)) => values[back],
                    (None, None) => unknown,
                };
                let value = step(at, later);
                changed |= value != values[at];
                values[at] = value;
            }
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;

    fn holds(formula: &Formula, word: &Word) -> bool {
        let work = Work::unlimited();
        super::holds(formula, word, &work).expect("nothing ends it")
    }

    fn p() -> Formula {
        Formula::Proposition(0)
    }

    fn lasso(prefix: &[Valuation], cycle: &[Valuation]) -> Word {
        Word::Lasso {
            prefix: prefix.to_vec(),
            cycle: cycle.to_vec(),
        }
    }

    #[test]
    fn what_always_holds_holds_at_every_position() {
        let always = Formula::Always(Box::new(p()));
        assert!(holds(&always, &lasso(&[1, 3], &[1])));
        assert!(!holds(&always, &lasso(&[1, 0], &[1])));
        assert!(!holds(&always, &lasso(&[1], &[1, 0])));
    }

    #[test]
    fn an_until_comes_true_and_a_weak_one_need_not() {
        let pair = || (Box::new(p()), Box::new(Formula::Proposition(1)));
        let (left, right) = pair();
        let until = Formula::Until(left, right);
        let (left, right) = pair();
        let weak = Formula::WeakUntil(left, right);
        let (left, right) = pair();
        let release = Formula::Release(left, right);
        assert!(holds(&until, &lasso(&[1, 1, 2], &[0])));
        assert!(!holds(&until, &lasso(&[], &[1])));
        assert!(holds(&weak, &lasso(&[], &[1])));
        assert!(!holds(&release, &lasso(&[2, 2, 1], &[0])));
        assert!(holds(&release, &lasso(&[2, 2, 3], &[0])));
        assert!(holds(&release, &lasso(&[], &[2])));
    }

    #[test]
    fn a_run_that_ends_repeats_its_last_valuation() {
        let end = Formula::Eventually(Box::new(Formula::Always(Box::new(p()))));
        assert!(holds(&end, &Word::Ends(vec![0, 1])));
        assert!(!holds(&end, &Word::Ends(vec![1, 0])));
    }

    #[test]
    fn what_a_beginning_decides_is_known_before_the_end() {
        let may_hold = |formula: &Formula, beginning: &[Valuation]| {
            super::may_hold(formula, beginning, &Work::unlimited()).expect("nothing ends it")
        };
        let not = |formula| Formula::Not(Box::new(formula));
        let always = Formula::Always(Box::new(p()));
        let eventually = Formula::Eventually(Box::new(p()));
        assert!(may_hold(&always, &[1, 1]) && !may_hold(&always, &[1, 0, 1]));
        assert!(may_hold(&eventually, &[0, 0]) && may_hold(&eventually, &[1]));
        assert!(may_hold(&not(eventually.clone()), &[0]) && !may_hold(&not(eventually), &[0, 1]));
        assert!(may_hold(&not(always.clone()), &[1]) && may_hold(&not(always), &[0]));
        let until = Formula::Until(Box::new(p()), Box::new(Formula::Proposition(1)));
        assert!(may_hold(&until, &[1, 1]) && !may_hold(&until, &[1, 0, 2]));
    }

    #[test]
    fn a_long_word_is_not_read_to_the_end_once_nobody_wants_it() {
        let long = lasso(&vec![1; 100_000], &[1]);
        let always = Formula::Always(Box::new(p()));
        let never = Work::asking(&|_| ControlFlow::Break(()));
        assert_eq!(super::holds(&always, &long, &never), Err(Stopped));
    }
}
