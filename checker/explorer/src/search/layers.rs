//! Breadth-first search in layers without numbers, for questions about single states and steps.
//!
//! A state is encoded as one word. A few bytes of it are kept in a
//! [`Quotient`](crate::store::quotient::Quotient) table, and the whole word only while its layer is
//! expanded. There are no predecessors: a search with numbers finds a counterexample again. States,
//! edges and layers are those of [`breadth_first`](super::breadth_first).
//!
//! One loop goes through the layers ([`layered`]), with one worker or, from the first layer on that
//! is wide enough, with several, which take states in another order; the counts are the same. The
//! loop over the states of a layer ([`expand`]) is also that of searches on the disk and in several
//! processes.

mod access;
pub(super) mod blocks;
pub(super) mod bounds;
pub(super) mod expand;
mod layered;
pub(super) mod look;
pub(super) mod look_cache;
mod outcomes;
pub(super) mod pool;
mod result;
mod shared_set;
pub(super) mod sink;
pub(super) mod step_cache;
mod team;
mod worker;

use std::ops::ControlFlow;

use stubborn_space::successors::Footprints;

use self::result::Searched;
use super::meter::{Meter, Stop};
use crate::store::coding::{Components, OneWord};

pub use self::expand::{Expander, States};
pub use self::look::Look;
pub use self::result::{Layers, pays};
pub use self::sink::Sink;
pub use self::step_cache::may_be_cached;
pub use self::team::Team;

/// Number of times that parts are joined because a word has too few bits for their numbers.
const MOST_JOINED: u32 = 4;
/// Most words of a state that are numbered whole: more have too many values together.
const MOST_WORDS: usize = 4;

/// Finds every reachable state, the nearest first, unless something stops it or it gives up; on at
/// most the threads of the team, each with an observer of its own. `parts` are all bits of a state
/// that may ever be set: for each part a word and some of its bits, which have few values together.
pub fn search<S, L>(
    model: &S,
    parts: Vec<(u32, u64)>,
    meter: &mut Meter<'_>,
    team: Team,
    mut look: impl FnMut() -> L,
) -> Searched<L>
where
    S: Footprints + Sync,
    L: Look + Send,
{
    let [word] = model.initial() else {
        let depth = meter.depth;
        let mut of = |parts| {
            meter.depth = depth;
            let coding = Components::new(parts, model.initial())?;
            Some(layered::search(team, (model, 0), coding, meter, &mut look))
        };
        let mut found = of(parts.clone());
        for _ in 0..MOST_JOINED {
            match found.as_mut().and_then(|found| found.1.joined.take()) {
                Some(parts) => found = of(parts),
                None => break,
            }
        }
        let is_too_narrow = |found: &Searched<L>| found.1.is_too_narrow;
        let found = match whole_words(&parts) {
            Some(words) if found.as_ref().is_none_or(is_too_narrow) => of(words),
            _ => found,
        };
        if found.as_ref().is_none_or(|found| found.1.given_up) {
            meter.depth = depth;
        }
        let given_up = || {
            (
                ControlFlow::Break(Stop::Decided),
                Layers::given_up(),
                vec![],
            )
        };
        return found.unwrap_or_else(given_up);
    };
    let all = parts.iter().fold(0, |all, (_, bits)| all | bits);
    let width = u64::BITS - all.leading_zeros();
    layered::search(team, (model, *word), OneWord { width }, meter, look)
}

/// Returns one part for each whole word, if a state has few words. The numbers of many components
/// take more bits than a word has even if they are few; whole words have at most as many values as
/// there are states. (Two words always fit.)
fn whole_words(parts: &[(u32, u64)]) -> Option<Vec<(u32, u64)>> {
    let mut words: Vec<(u32, u64)> = Vec::new();
    for (word, bits) in parts {
        match words.iter_mut().find(|(other, _)| other == word) {
            Some((_, all)) => *all |= bits,
            None => words.push((*word, *bits)),
        }
    }
    (words.len() <= MOST_WORDS && words.len() < parts.len()).then_some(words)
}

#[cfg(test)]
mod tests;
