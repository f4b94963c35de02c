//! What is known of properties, by what they say and not by where they stand.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use stubborn_engine::coverage::Coverage;
use stubborn_engine::{Outcome, Reason, Verdict};

use super::fingerprint::Fingerprint;
use super::properties::Key;

/// How many slices' verdicts are kept. The one that was used longest ago goes first.
const SLICES: usize = 4096;
/// Memory for the coverage of slices, in bytes. That of the slice used longest ago is dropped first.
const MOST_SEEN: usize = 16 << 20;

/// The answer to one property about one slice.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub answer: Answer,
    /// How long the search was allowed to take; `None` where it had no limit.
    pub budget: Option<Duration>,
    /// An earlier session has found it.
    pub found_before: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Outcome(Box<Outcome>),
    /// The System cannot be searched, and why.
    Refused(String),
}

impl Answer {
    /// There is a run to be shown.
    pub fn is_violated(&self) -> bool {
        match self {
            Answer::Outcome(outcome) => outcome.verdict.is_violated(),
            Answer::Refused(_) => false,
        }
    }
}

/// The verdicts on the properties about one slice.
pub type SliceVerdicts = HashMap<Fingerprint, Arc<Known>>;

/// All verdicts of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts {
    slices: HashMap<Fingerprint, Arc<SliceVerdicts>>,
    /// Coverage of slices, in their terms.
    seen: HashMap<Fingerprint, Arc<Coverage>>,
    /// How many bytes that takes.
    seen_bytes: usize,
    /// The used longest ago first.
    recent: VecDeque<Fingerprint>,
}

impl Known {
    /// Whether it was decided, and not left open.
    pub fn is_proof(&self) -> bool {
        matches!(
            &self.answer,
            Answer::Outcome(outcome) if !matches!(outcome.verdict, Verdict::Undecided(_))
        )
    }

    /// Whether a search with this budget and this memory could say no more.
    pub fn answers(&self, budget: Option<Duration>, memory: Option<u64>) -> bool {
        let outcome = match &self.answer {
            Answer::Outcome(outcome) => outcome,
            Answer::Refused(_) => return true,
        };
        match &outcome.verdict {
            Verdict::Holds | Verdict::Violated { .. } => true,
            // More time would not help.
            Verdict::Undecided(
                Reason::Internal(_)
                | Reason::MonitorTooLarge(_)
                | Reason::AutomatonTooLarge(_)
                | Reason::FormulaTooLarge(_)
                | Reason::Liveness(_)
                | Reason::Missed(_)
                | Reason::NeedsExactStorage,
            ) => true,
            // Somebody stopped it, who may want it now.
            Verdict::Undecided(Reason::Cancelled) => false,
            // It had nothing of the time.
            Verdict::Undecided(Reason::Time) if outcome.states == 0 => false,
            // Others had the memory then, or a user has given more.
            Verdict::Undecided(Reason::Memory(had)) if memory.is_none_or(|has| has > *had) => false,
            Verdict::Undecided(_) => match (self.budget, budget) {
                (None, _) => true,
                (Some(had), Some(has)) => has <= had,
                (Some(_), None) => false,
            },
        }
    }
}

impl Verdicts {
    pub fn get(&self, key: Key) -> Option<&Arc<Known>> {
        self.slices.get(&key.slice)?.get(&key.property)
    }

    /// The traces in it are runs of the slice.
    pub fn insert(&mut self, key: Key, known: Known) {
        self.touch(key.slice);
        let verdicts = self.slices.entry(key.slice).or_default();
        Arc::make_mut(verdicts).insert(key.property, Arc::new(known));
    }

    /// Coverage of a slice, if a search has reported any.
    pub fn seen(&self, slice: Fingerprint) -> Option<&Arc<Coverage>> {
        self.seen.get(&slice)
    }

    /// Keeps the coverage of a slice, unless another search has covered more. Whether it was kept.
    pub fn saw(&mut self, slice: Fingerprint, seen: Arc<Coverage>) -> bool {
        let known = self.seen.get(&slice);
        if known.is_some_and(|known| !seen.is_better_than(known)) || seen.bytes() > MOST_SEEN {
            return false;
        }
        self.touch(slice);
        self.forget_seen(slice);
        self.seen_bytes += seen.bytes();
        self.seen.insert(slice, seen);
        let mut at = 0;
        while self.seen_bytes > MOST_SEEN
            && let Some(oldest) = self.recent.get(at).copied()
        {
            self.forget_seen(oldest);
            at += 1;
        }
        true
    }

    fn forget_seen(&mut self, slice: Fingerprint) {
        if let Some(seen) = self.seen.remove(&slice) {
            self.seen_bytes -= seen.bytes();
        }
    }

    /// Takes note that the slice is still looked at.
    pub fn touch(&mut self, slice: Fingerprint) {
        if self.recent.back() == Some(&slice) {
            return;
        }
        self.recent.retain(|other| *other != slice);
        self.recent.push_back(slice);
        while self.recent.len() > SLICES {
            if let Some(oldest) = self.recent.pop_front() {
                self.slices.remove(&oldest);
                self.forget_seen(oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use stubborn_engine::coverage::{Entry, Extent, Item, Sight};

    use super::*;

    fn known(verdict: Verdict, budget: Option<u64>) -> Known {
        Known {
            answer: Answer::Outcome(Box::new(Outcome {
                verdict,
                states: 1,
                edges: 1,
                full: true,
                reduction: stubborn_engine::Reduction::None,
                round: None,
                symmetry: stubborn_engine::Permuted::No,
                sharing: None,
                within: 0,
                runs: None,
                depth: None,
                seconds: 0.0,
            })),
            budget: budget.map(Duration::from_secs),
            found_before: false,
        }
    }

    #[test]
    fn a_proof_is_one_whatever_the_budget_was() {
        assert!(known(Verdict::Holds, Some(1)).answers(None, None));
    }

    #[test]
    fn what_a_limit_left_open_is_searched_again_only_with_a_wider_limit() {
        let open = known(Verdict::Undecided(Reason::Time), Some(2));
        assert!(open.answers(Some(Duration::from_secs(2)), None));
        assert!(!open.answers(Some(Duration::from_secs(3)), None));
        assert!(!open.answers(None, None));
        assert!(known(Verdict::Undecided(Reason::Memory(1)), None).answers(None, Some(1)));
    }

    #[test]
    fn what_memory_left_open_wants_more_of_it_and_no_second_try_with_as_much() {
        let open = known(Verdict::Undecided(Reason::Memory(100)), None);
        assert!(!open.answers(None, Some(101)) && !open.answers(None, None));
        assert!(open.answers(None, Some(100)) && open.answers(None, Some(1)));
        assert!(known(Verdict::Holds, None).answers(None, None));
    }

    #[test]
    fn what_had_nothing_of_the_time_is_no_answer() {
        let mut open = known(Verdict::Undecided(Reason::Time), Some(2));
        assert!(open.answers(Some(Duration::from_secs(2)), None));
        let Answer::Outcome(outcome) = &mut open.answer else {
            panic!("it was searched");
        };
        outcome.states = 0;
        assert!(!open.answers(Some(Duration::from_secs(2)), None));
    }

    #[test]
    fn what_somebody_stopped_is_no_answer() {
        let stopped = known(Verdict::Undecided(Reason::Cancelled), Some(2));
        assert!(!stopped.answers(Some(Duration::from_secs(1)), None));
    }

    #[test]
    fn the_verdicts_of_the_slice_used_longest_ago_go_first() {
        let mut verdicts = Verdicts::default();
        let of = |slice: usize| Key {
            slice: Fingerprint::of(&slice),
            property: Fingerprint::of(&0),
        };
        for slice in 0..SLICES {
            verdicts.insert(of(slice), known(Verdict::Holds, None));
        }
        verdicts.touch(of(0).slice);
        verdicts.insert(of(SLICES), known(Verdict::Holds, None));
        assert!(verdicts.get(of(0)).is_some());
        assert!(verdicts.get(of(1)).is_none());
    }

    fn saw(extent: Extent, states: u64) -> Arc<Coverage> {
        Arc::new(Coverage {
            extent,
            states,
            ..Coverage::default()
        })
    }

    #[test]
    fn what_was_seen_of_a_slice_stays_until_another_search_has_seen_more() {
        let mut verdicts = Verdicts::default();
        let slice = Fingerprint::of(&0);
        assert!(verdicts.saw(slice, saw(Extent::Part, 10)));
        assert!(!verdicts.saw(slice, saw(Extent::Part, 9)));
        assert!(verdicts.saw(slice, saw(Extent::Whole, 9)));
        assert!(!verdicts.saw(slice, saw(Extent::Local, 10)));
        let kept = verdicts.seen(slice).expect("it was kept");
        assert_eq!((kept.extent, kept.states), (Extent::Whole, 9));
        assert!(verdicts.seen(Fingerprint::of(&1)).is_none());
    }

    #[test]
    fn what_was_seen_of_slices_takes_no_more_memory_than_it_may() {
        let mut verdicts = Verdicts::default();
        let large = |states| {
            let mut coverage = Coverage::clone(&saw(Extent::Whole, states));
            let each = size_of::<(Item, Entry)>();
            for location in 0..(MOST_SEEN / 3 / each) as u32 {
                coverage.note(Item::Location(0, location), true, Sight::Unknown);
            }
            Arc::new(coverage)
        };
        for slice in 0..6 {
            assert!(verdicts.saw(Fingerprint::of(&slice), large(1)));
        }
        assert!(verdicts.seen_bytes <= MOST_SEEN);
        assert!(verdicts.seen(Fingerprint::of(&0)).is_none());
        assert!(verdicts.seen(Fingerprint::of(&5)).is_some());
    }
}
