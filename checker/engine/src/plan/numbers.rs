//! When a search does without numbers for its states.
//!
//! Without numbers a search uses several threads and less memory, but takes the steps of the states again for
//! each question about all of them; with numbers it keeps edges for all questions. Counts decide, never the
//! clock.

use super::facts::Facts;
use crate::options::{Options, Search, Use};
use crate::properties::{Conclusion, Goals, Preserved};

/// Costs, in halves of one pass over the states without numbers: the pass itself,
const ALL_STATES: usize = 2;
/// a question about what can be reached,
const REACHING: usize = 3;
/// a question about what all runs visit,
const AVOIDING: usize = 5;
/// a question about what recurs, which takes steps again in every round of elimination
/// (`tests/benchmarks/realistic.sh`: 2.0 s for seven of them in `inheritance`, 1.4 s with numbers),
const RECURRING: usize = 11;
/// a search with numbers, on one thread, that keeps edges,
const WITH_NUMBERS: usize = 5;
/// a question to it about what recurs,
const RECURRING_WITH_NUMBERS: usize = 10;
/// and to begin a reduced search anew, with stubborn sets for several threads that each remember their own.
const ANEW: usize = 1;

/// States that are visited once more in no time.
const FEW_STATES: u64 = 100_000;

/// Number of states of a layer that is worth a second thread.
const WIDE_LAYER: u32 = 1 << 13;

/// The width at which a layer of a reduced search is worth a second thread.
pub fn wide_layer(options: &Options) -> u32 {
    match options.unnumbered {
        Use::Always => 2,
        Use::WhereItPays | Use::Never => WIDE_LAYER,
    }
}

/// Whether the results can be given without numbers at all.
pub fn suits(options: &Options) -> bool {
    options.search == Search::Breadth && !options.tells_seen
}

/// Whether `states` visited without numbers are few enough to visit them again, with numbers, in the hope of
/// a cycle among them.
pub fn are_few(states: u64) -> bool {
    states <= FEW_STATES
}

/// The cost of deciding properties without numbers, and with them; `None` where numbers are needed.
pub struct Price(Option<(usize, usize)>);

impl Price {
    /// In the plain state space.
    pub fn of<'f>(open: impl IntoIterator<Item = &'f Facts>) -> Price {
        let conclusions: Vec<&Conclusion> = open.into_iter().map(|one| &one.conclusion).collect();
        let is_termination =
            |asked: &&Conclusion| matches!(asked, Conclusion::Reaching(Goals::Terminal, _));
        let settles_all = conclusions.iter().any(is_termination);
        let (mut price, mut with_numbers) = (ALL_STATES, WITH_NUMBERS);
        for asked in conclusions {
            match asked {
                Conclusion::Holds => {}
                Conclusion::Reaching(Goals::Expression, _) if settles_all => {}
                Conclusion::Reaching(..) => price += REACHING,
                Conclusion::Avoiding(_) => price += AVOIDING,
                Conclusion::Recurring(_) => {
                    price += RECURRING;
                    with_numbers += RECURRING_WITH_NUMBERS;
                }
                Conclusion::Apart => return Price(None),
            }
        }
        Price(Some((price, with_numbers)))
    }

    /// In the state space that stubborn sets leave.
    pub fn reduced<'f>(open: impl IntoIterator<Item = &'f Facts>) -> Price {
        let open: Vec<&Facts> = (open.into_iter())
            .filter(|one| one.preserved != Preserved::Never)
            .collect();
        let recurs = |one: &&&Facts| matches!(one.conclusion, Conclusion::Recurring(_));
        let recurring = open.iter().filter(recurs).count();
        let termination = match needs_termination(open) {
            true => REACHING,
            false => 0,
        };
        Price(Some((
            ALL_STATES + ANEW + termination + RECURRING * recurring,
            WITH_NUMBERS + RECURRING_WITH_NUMBERS * recurring,
        )))
    }

    /// Whether it is worth paying for states of `words` words.
    pub fn is_paid(&self, words: usize, options: &Options) -> bool {
        self.0.is_some_and(|(price, with_numbers)| {
            let is_cheap = match options.unnumbered {
                Use::WhereItPays => price <= with_numbers * options.threads(),
                Use::Always => true,
                Use::Never => return false,
            };
            price == ALL_STATES || is_cheap && words == 1
        })
    }
}

/// Whether a reduced search decides some of the properties only in a model that is AG EF terminating.
pub fn needs_termination<'f>(open: impl IntoIterator<Item = &'f Facts>) -> bool {
    let mut open = open.into_iter();
    open.any(|one| match one.preserved {
        Preserved::Always => one.conclusion != Conclusion::Holds,
        Preserved::Never => false,
        _ => true,
    })
}
