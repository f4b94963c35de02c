//! Whether one Büchi automaton accepts all that another accepts: three tests, the cheap ones first.

pub(crate) mod delayed;
mod outcome;
pub(crate) mod profiles;
mod single_runs;

pub use self::outcome::Inclusion;

use crate::buchi::Buchi;
use crate::label::{Valuation, bits};
use crate::work::{NotMade, Stopped, Work};

/// With more propositions only the simulation is tried.
const MOST_LETTERS: u32 = 10;

/// Whether `all` accepts every word that `some` accepts. Of both either no end or every end
/// repeats. What `Shown` and `Refuted` say is so; in small automata it is always one of them. The
/// time that it takes is bounded.
///
/// # Errors
/// Where the work has been stopped.
pub fn inclusion(some: &Buchi, all: &Buchi, work: &Work<'_>) -> Result<Inclusion, Stopped> {
    let over = some.mentions() | all.mentions();
    let (some, split) = match (some.split_over(over, work), all.split_over(over, work)) {
        (Ok(some), Ok(split)) => (some, split),
        (Err(NotMade::Stopped), _) | (_, Err(NotMade::Stopped)) => return Err(Stopped),
        _ => return Ok(Inclusion::Unknown),
    };
    if delayed::simulates(&split, &some, work)? {
        return Ok(Inclusion::Shown);
    }
    if over.count_ones() > MOST_LETTERS {
        return Ok(Inclusion::Unknown);
    }
    let letters = letters(over);
    let (some, all) = (some.without_reject(), all.without_reject());
    if all.has_single_runs(work)? {
        return single_runs::inclusion(&some, &all, &letters, work);
    }
    profiles::inclusion(&some, &all, &letters, work)
}

/// All valuations of some propositions.
fn letters(of: Valuation) -> Vec<Valuation> {
    let mut letters = vec![0];
    for bit in bits(of) {
        letters.extend_from_within(..);
        let half = letters.len() / 2;
        letters[half..].iter_mut().for_each(|letter| *letter |= bit);
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::random::Random;

    #[test]
    fn what_is_shown_is_so_and_what_is_refuted_is_not() {
        let mut random = Random::new(71);
        let (mut shown, mut refuted, mut seen) = (0, 0, 0);
        for _ in 0..1_500 {
            let some = random.buchi(1);
            let mut all = random.buchi(1);
            all.ends_repeat = some.ends_repeat;
            let differ = (0..60).any(|_| {
                let word = random.word(1);
                some.accepts(&word) && !all.accepts(&word)
            });
            match inclusion(&some, &all, &Work::unlimited()).unwrap() {
                Inclusion::Shown => {
                    assert!(!differ, "{some:?} {all:?}");
                    shown += 1;
                }
                Inclusion::Refuted => {
                    refuted += 1;
                    seen += usize::from(differ);
                }
                Inclusion::Unknown => panic!("{some:?} {all:?}"),
            }
        }
        // Nearly all that is refuted shows in short words.
        assert!(shown > 300 && refuted > 300, "{shown} {refuted}");
        assert!(seen * 100 > refuted * 97, "{seen} of {refuted}");
    }

    #[test]
    fn every_automaton_includes_itself_and_its_reduction() {
        let mut random = Random::new(72);
        for _ in 0..500 {
            let buchi = random.buchi(2);
            assert_eq!(
                inclusion(&buchi, &buchi, &Work::unlimited()).unwrap(),
                Inclusion::Shown
            );
            let reduced = buchi.clone().reduced(false, &Work::unlimited()).unwrap();
            assert_eq!(
                inclusion(&buchi, &reduced, &Work::unlimited()).unwrap(),
                Inclusion::Shown,
                "{buchi:?}"
            );
            assert_eq!(
                inclusion(&reduced, &buchi, &Work::unlimited()).unwrap(),
                Inclusion::Shown,
                "{buchi:?}"
            );
        }
    }
}
