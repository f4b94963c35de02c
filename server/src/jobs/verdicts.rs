//! What is known of claims, by what they say and not by where they stand.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use stubborn_engine::{Outcome, Reason, Verdict};

use super::fingerprint::Fingerprint;

/// How many Systems' verdicts are kept. The one that was used longest ago goes first.
const SYSTEMS: usize = 512;

/// The answer to one claim about one System.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    pub answer: Answer,
    /// How long the search was allowed to take; `None` where it had no limit.
    pub budget: Option<Duration>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Outcome(Outcome),
    /// The System cannot be searched, and why.
    Refused(String),
}

/// The verdicts on the claims about one System.
pub type SystemVerdicts = HashMap<Fingerprint, Arc<Known>>;

/// All verdicts of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Verdicts {
    systems: HashMap<Fingerprint, Arc<SystemVerdicts>>,
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

    /// Whether a search with this budget could say no more.
    pub fn answers(&self, budget: Option<Duration>) -> bool {
        let outcome = match &self.answer {
            Answer::Outcome(outcome) => outcome,
            Answer::Refused(_) => return true,
        };
        match &outcome.verdict {
            Verdict::Holds | Verdict::Violated { .. } => true,
            Verdict::Undecided(Reason::NotBuilt(_) | Reason::Internal(_)) => true,
            // Somebody stopped it, who may want it now.
            Verdict::Undecided(Reason::Cancelled) => false,
            Verdict::Undecided(_) => match (self.budget, budget) {
                (None, _) => true,
                (Some(had), Some(has)) => has <= had,
                (Some(_), None) => false,
            },
        }
    }
}

impl Verdicts {
    pub fn of_system(&self, system: Fingerprint) -> Option<&Arc<SystemVerdicts>> {
        self.systems.get(&system)
    }

    pub fn get(&self, system: Fingerprint, claim: Fingerprint) -> Option<&Arc<Known>> {
        self.systems.get(&system)?.get(&claim)
    }

    pub fn insert(&mut self, system: Fingerprint, claim: Fingerprint, known: Known) {
        self.touch(system);
        let verdicts = self.systems.entry(system).or_default();
        Arc::make_mut(verdicts).insert(claim, Arc::new(known));
    }

    /// Takes note that the System is still looked at.
    pub fn touch(&mut self, system: Fingerprint) {
        if self.recent.back() == Some(&system) {
            return;
        }
        self.recent.retain(|other| *other != system);
        self.recent.push_back(system);
        while self.recent.len() > SYSTEMS {
            if let Some(oldest) = self.recent.pop_front() {
                self.systems.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(verdict: Verdict, budget: Option<u64>) -> Known {
        Known {
            answer: Answer::Outcome(Outcome {
                verdict,
                states: 1,
                edges: 1,
                full: true,
                reduction: stubborn_engine::Reduction::None,
                seconds: 0.0,
            }),
            budget: budget.map(Duration::from_secs),
        }
    }

    #[test]
    fn a_proof_is_one_whatever_the_budget_was() {
        assert!(known(Verdict::Holds, Some(1)).answers(None));
    }

    #[test]
    fn what_a_limit_left_open_is_searched_again_only_with_a_wider_limit() {
        let open = known(Verdict::Undecided(Reason::Time), Some(2));
        assert!(open.answers(Some(Duration::from_secs(2))));
        assert!(!open.answers(Some(Duration::from_secs(3))));
        assert!(!open.answers(None));
        assert!(known(Verdict::Undecided(Reason::Memory(1)), None).answers(None));
    }

    #[test]
    fn what_somebody_stopped_is_no_answer() {
        let stopped = known(Verdict::Undecided(Reason::Cancelled), Some(2));
        assert!(!stopped.answers(Some(Duration::from_secs(1))));
    }

    #[test]
    fn the_verdicts_of_the_system_used_longest_ago_go_first() {
        let mut verdicts = Verdicts::default();
        let of = Fingerprint::of::<usize>;
        for system in 0..SYSTEMS {
            verdicts.insert(of(&system), of(&0), known(Verdict::Holds, None));
        }
        verdicts.touch(of(&0));
        verdicts.insert(of(&SYSTEMS), of(&0), known(Verdict::Holds, None));
        assert!(verdicts.get(of(&0), of(&0)).is_some());
        assert!(verdicts.get(of(&1), of(&0)).is_none());
    }
}
