//! Which kinds of cases and verdicts there were, so that a test that has become blind is noticed.

use std::collections::BTreeMap;
use std::fmt;

use stubborn_engine::{Options, Outcome, Verdict, Violation};

use stubborn_random::sweep;
use stubborn_random::watch::Monitor;

#[derive(Default)]
pub struct Tally {
    pub cases: u64,
    /// By the monitor, the search asked for and the verdict.
    verdicts: BTreeMap<(&'static str, String, &'static str), u64>,
    /// By the monitor and what was found.
    violations: BTreeMap<(&'static str, Violation), u64>,
    /// Searches under a reduction, and how many of them went through fewer states.
    reduced: BTreeMap<&'static str, (u64, u64)>,
    with: BTreeMap<&'static str, u64>,
}

fn name(monitor: &Monitor) -> &'static str {
    match monitor {
        Monitor::Tester(_) => "tester",
        Monitor::Formula(_) => "formula",
        Monitor::Buchi(_) => "buchi",
        Monitor::Testing(_) => "testing",
    }
}

impl Tally {
    pub fn with(&mut self, what: &'static str, it_has: bool) {
        *self.with.entry(what).or_default() += u64::from(it_has);
    }

    pub fn verdict(&mut self, monitor: &Monitor, asked: &Options, outcome: &Outcome) {
        let verdict = match outcome.verdict {
            Verdict::Holds => "holds",
            Verdict::Violated { .. } => "violated",
            Verdict::Undecided(_) => "undecided",
        };
        let key = (name(monitor), format!("{:?}", asked.liveness), verdict);
        *self.verdicts.entry(key).or_default() += 1;
    }

    pub fn violation(&mut self, monitor: &Monitor, violation: Violation) {
        let key = (name(monitor), violation);
        *self.violations.entry(key).or_default() += 1;
    }

    /// What a search in rounds has come to.
    pub fn in_rounds(&mut self, outcome: &Outcome) {
        let is_early = outcome.round.is_some_and(|round| !round.is_exact);
        let is_violated = matches!(outcome.verdict, Verdict::Violated { .. });
        self.with("violations before the last round", is_early && is_violated);
        let is_late = outcome.round.is_some_and(|round| round.number > 1);
        self.with("violations after the first round", is_late && is_violated);
        let holds = outcome.verdict == Verdict::Holds;
        self.with("what holds in several rounds", is_late && holds);
    }

    pub fn reduced(&mut self, monitor: &Monitor, fewer: bool) {
        let count = self.reduced.entry(name(monitor)).or_default();
        count.0 += 1;
        count.1 += u64::from(fewer);
    }

    /// Each search must have found something and proved something, and a reduction must have left
    /// something out.
    pub fn assert_diverse(&self) {
        for monitor in self.reduced.keys() {
            for liveness in ["Auto", "Nested", "NestedErrorLast", "FourPass"] {
                for verdict in ["holds", "violated"] {
                    let key = (*monitor, liveness.to_owned(), verdict);
                    let count = self.verdicts.get(&key).copied().unwrap_or(0);
                    assert!(count >= self.cases / 20, "too few of {key:?}:\n{self}");
                }
            }
        }
        for (monitor, (all, fewer)) in &self.reduced {
            let is_enough = *fewer * 40 >= *all;
            assert!(
                is_enough,
                "too little is left out beside a {monitor}:\n{self}"
            );
        }
        for (what, least) in [
            ("ends", 20),
            ("failing steps", 20),
            ("violations before the last round", 20),
            ("violations after the first round", 1000),
            ("what holds in several rounds", 20),
        ] {
            let count = self.with.get(what).copied().unwrap_or(0);
            assert!(
                count >= self.cases / least,
                "too few cases with {what}:\n{self}"
            );
        }
    }

    /// A tester must have shown each of C1 to C4.
    pub fn assert_each_violation(&self, monitor: &'static str) {
        use Violation::*;
        for violation in [Reject, Deadlock, Livelock, Infinite] {
            let count = self.violations.get(&(monitor, violation)).copied();
            let is_enough = count.unwrap_or(0) >= self.cases / 20;
            assert!(is_enough, "too few of {violation:?}:\n{self}");
        }
    }
}

impl sweep::Tally for Tally {
    fn add(&mut self, other: &Tally) {
        self.cases += other.cases;
        for (key, count) in &other.verdicts {
            *self.verdicts.entry(key.clone()).or_default() += count;
        }
        for (key, count) in &other.violations {
            *self.violations.entry(*key).or_default() += count;
        }
        for (key, (all, fewer)) in &other.reduced {
            let own = self.reduced.entry(key).or_default();
            own.0 += all;
            own.1 += fewer;
        }
        for (what, count) in &other.with {
            *self.with.entry(what).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} cases", self.cases)?;
        write!(f, "with")?;
        for (what, count) in &self.with {
            write!(f, " {what} {count},")?;
        }
        writeln!(f)?;
        for ((monitor, liveness, verdict), count) in &self.verdicts {
            writeln!(f, "{monitor:8} {liveness:16} {verdict:10} {count:8}")?;
        }
        for ((monitor, violation), count) in &self.violations {
            writeln!(
                f,
                "{monitor:8} {:16} found      {count:8}",
                format!("{violation:?}")
            )?;
        }
        for (monitor, (all, fewer)) in &self.reduced {
            writeln!(f, "{monitor:8} fewer states in {fewer} of {all} searches")?;
        }
        Ok(())
    }
}
