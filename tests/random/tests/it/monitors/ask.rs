//! What is asked of the checker, and which answers are right.

use stubborn_engine::{
    Liveness, Options, Order, Outcome, Reason, Reduction, Search, Storage, Verdict, Violation,
};

use super::product::Found;
use stubborn_random::random::Random;
use stubborn_random::watch::Monitor;

const LIVENESS: [Liveness; 5] = [
    Liveness::Auto,
    Liveness::OnePass,
    Liveness::Nested,
    Liveness::NestedErrorLast,
    Liveness::FourPass,
];

/// Every search, full and reduced, in an order by lot; and now and then one where states are taken for others.
pub fn asks(r: &mut Random) -> Vec<Options> {
    let mut all = Vec::new();
    for liveness in LIVENESS {
        let in_rounds = *r.pick(&[Reduction::Sensitive, Reduction::SensitiveCycles]);
        for reduction in [Reduction::None, Reduction::Stubborn, in_rounds] {
            all.push(Options {
                order: *r.pick(&[Order::Forward, Order::Reverse]),
                search: *r.pick(&[Search::Breadth, Search::Depth]),
                reduction,
                liveness,
                keep_dead_variables: r.one_in(2),
                ..Options::default()
            });
        }
    }
    if r.one_in(4) {
        let mut one = *r.pick(&all);
        one.storage = Storage::Bitstate {
            bits: *r.pick(&[4, 10, 16]),
        };
        all.push(one);
        one.storage = Storage::Compact {
            bits: *r.pick(&[4, 20, 64]),
        };
        all.push(one);
    }
    all
}

/// What is known of a case.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The conditions that certainly hold.
    pub found: Found,
    /// Those that may be said to hold: also where no run goes on after the rejecting.
    pub perhaps: Found,
    /// What the monitor watches for: which marks it has.
    pub has_livelock: bool,
    pub has_infinite: bool,
    /// Some states are on no run, since all steps from there on fail. An automaton's rejecting there
    /// is no violation, and one pass alone does not tell it from one.
    pub is_cut_off: bool,
}

impl Expected {
    pub fn is_violated(&self) -> bool {
        self.found.contains(&true)
    }

    /// Whether a search may leave it open where nothing is found, and which conditions it decides
    /// all the same.
    fn decided(&self, monitor: &Monitor, liveness: Liveness) -> (bool, Found) {
        const ALL: Found = [true; 4];
        match (liveness, monitor) {
            (Liveness::Auto | Liveness::FourPass, _) => (false, ALL),
            (Liveness::OnePass, Monitor::Formula(_)) => (true, [false; 4]),
            // What is found in the automaton that it becomes may have to be looked for again, by a
            // search that one pass cannot make.
            (Liveness::OnePass, Monitor::Buchi(_) | Monitor::Testing(_)) => {
                match self.has_infinite || self.is_cut_off {
                    true => (true, [false; 4]),
                    false => (false, ALL),
                }
            }
            (Liveness::OnePass, _) => (self.has_infinite, [true, true, true, false]),
            (Liveness::Nested | Liveness::NestedErrorLast, Monitor::Tester(_)) => {
                (self.has_livelock, [true, true, false, true])
            }
            // Seen as a Büchi automaton, the others are decided.
            (Liveness::Nested | Liveness::NestedErrorLast, _) => (false, ALL),
        }
    }

    /// Holds an outcome against what is known. The trace is somebody else's matter.
    pub fn judge(
        &self,
        monitor: &Monitor,
        asked: &Options,
        outcome: &Outcome,
    ) -> Result<(), String> {
        let may_hold = !self.is_violated();
        let may_be_violated = self.perhaps.contains(&true);
        let (may_be_open, decided) = self.decided(monitor, asked.liveness);
        let in_bits = asked.storage != Storage::Exact;
        match &outcome.verdict {
            Verdict::Holds if in_bits => Err("holds, of what such storage cannot prove".into()),
            Verdict::Holds if may_hold => Ok(()),
            Verdict::Holds => Err(format!("holds, but {:?} is so", self.found)),
            Verdict::Violated { .. } if may_be_violated => Ok(()),
            Verdict::Violated { finding, .. } => Err(format!("{finding:?}, but there is no such")),
            Verdict::Undecided(Reason::Missed(_) | Reason::NeedsExactStorage) if in_bits => Ok(()),
            Verdict::Undecided(Reason::Liveness(_)) if in_bits => Ok(()),
            Verdict::Undecided(Reason::Liveness(liveness)) => {
                if !may_be_open || *liveness != asked.liveness {
                    return Err("undecided, of what the search decides".into());
                }
                // Under a reduction one condition may disappear behind another.
                let overlooked = self.found.iter().zip(decided).any(|(is, d)| *is && d);
                if overlooked && asked.reduction == Reduction::None {
                    return Err(format!("undecided, but {:?} is so", self.found));
                }
                Ok(())
            }
            Verdict::Undecided(reason) => Err(format!("undecided: {reason:?}")),
        }
    }
}

/// The place of a violation among the conditions.
pub fn condition(violation: Violation) -> usize {
    match violation {
        Violation::Reject => 0,
        Violation::Deadlock => 1,
        Violation::Livelock => 2,
        Violation::Infinite => 3,
    }
}
