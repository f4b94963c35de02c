//! Which kinds of systems and verdicts have been compared, so that a test that has become blind is
//! noticed.

use std::collections::BTreeMap;
use std::fmt;

use stubborn_engine::{Outcome, Reduction, Verdict};
use stubborn_system::property::Property;

use super::definition::Tested;
use stubborn_random::model::Model;
use stubborn_random::sweep;

#[derive(Clone, Copy, Default)]
struct Count {
    all: u64,
    /// Decided under the reduction.
    reduced: u64,
    /// With fewer states or edges than the plain space has.
    fewer: u64,
}

#[derive(Default)]
pub struct Tally {
    pub systems: u64,
    /// By the definition.
    tested: Tested,
    states: u64,
    largest: u64,
    terminating: u64,
    /// Explorations that left states out, and that left edges out.
    fewer_states: u64,
    fewer_edges: u64,
    /// By the form of the property, whether the system is terminating, and whether it is violated.
    verdicts: BTreeMap<(&'static str, bool, bool), Count>,
    with: BTreeMap<&'static str, u64>,
    /// Runs that go round and never come to their goal, among the states that a limit allows.
    rounds_within: u64,
}

fn form(property: &Property) -> &'static str {
    match property {
        Property::Errors => "errors",
        Property::Deadlock { .. } => "deadlock",
        Property::Termination => "termination",
        Property::Invariant(_) => "invariant",
        Property::MayProgress(_) => "may",
        Property::MustProgress(_) => "must",
        Property::Reachable(_) => "reachable",
        Property::Recurrence(..) => "recurrence",
        _ => "others",
    }
}

impl Tally {
    pub fn system(&mut self, (states, edges): (u64, u64), explored: (u64, u64), terminating: bool) {
        self.systems += 1;
        self.states += states;
        self.largest = self.largest.max(states);
        self.terminating += u64::from(terminating);
        self.fewer_states += u64::from(explored.0 < states);
        self.fewer_edges += u64::from(explored.1 < edges);
    }

    pub fn with(&mut self, what: &'static str, it_has: bool) {
        *self.with.entry(what).or_default() += u64::from(it_has);
    }

    /// What the model has that a reduction may get wrong.
    pub fn with_parts(&mut self, model: &Model) {
        self.with("channels", !model.channels.is_empty());
        self.with("bags", model.channels.iter().any(|c| c.is_bag));
        self.with("actions", !model.actions.is_empty());
    }

    pub fn tested(&mut self, tested: &Tested) {
        self.systems += 1;
        self.tested.states += tested.states;
        self.tested.reduced += tested.reduced;
        self.tested.squares += tested.squares;
    }

    pub fn verdict(
        &mut self,
        property: &Property,
        terminating: bool,
        (states, edges): (u64, u64),
        outcome: &Outcome,
    ) {
        let violated = matches!(outcome.verdict, Verdict::Violated { .. });
        let key = (form(property), terminating, violated);
        let count = self.verdicts.entry(key).or_default();
        count.all += 1;
        if outcome.reduction != Reduction::None {
            count.reduced += 1;
            count.fewer += u64::from(outcome.states < states || outcome.edges < edges);
        }
    }

    /// What was found out within a limit on states.
    pub fn cut_short(&mut self, property: &Property, verdict: &Verdict) {
        let is_cycle =
            matches!(verdict, Verdict::Violated { trace, .. } if !trace.cycle().is_empty());
        let is_must = matches!(property, Property::MustProgress(_));
        self.rounds_within += u64::from(is_must && is_cycle);
    }

    /// The reduction must have left something out often, and each verdict must have been given
    /// often, both ways, whether or not the systems were terminating: under the reduction too,
    /// where a theorem allows it.
    pub fn assert_diverse(&self) {
        assert!(
            self.fewer_states >= self.systems / 4,
            "too little was left out:\n{self}"
        );
        for ((form, terminating, violated), count) in &self.verdicts {
            let least = self.systems / 200;
            let needs_termination = matches!(*form, "may" | "recurrence");
            let is_reducible = *form != "must" && (*terminating || !needs_termination);
            assert!(
                count.all >= least && (!is_reducible || count.fewer >= least),
                "too few of {form}, {terminating}, {violated}:\n{self}"
            );
        }
        // Seven forms, four ways; and termination, which says itself which way it is.
        assert_eq!(self.verdicts.len(), 30, "{self}");
        assert!(self.rounds_within > self.systems / 200, "{self}");
        self.assert_parts();
    }

    /// The definition must have been put to the test.
    pub fn assert_tested(&self) {
        self.assert_tested_in(4);
    }

    /// The same in so many states of each system.
    pub fn assert_tested_in(&self, states: u64) {
        assert!(
            self.tested.reduced >= self.systems * states
                && self.tested.squares >= self.systems * 10,
            "too little was left out:\n{self}"
        );
        self.assert_parts();
    }

    /// Products with monitors must have been made smaller, with violations and without.
    pub fn assert_watched(&self) {
        assert!(
            self.fewer_states >= self.systems / 5,
            "too little was left out:\n{self}"
        );
        self.assert_parts();
    }

    /// How many states a product with a monitor has, and the reduced one.
    pub fn product(&mut self, states: usize, reduced: usize) {
        self.systems += 1;
        self.states += states as u64;
        self.largest = self.largest.max(states as u64);
        self.fewer_states += u64::from(reduced < states);
    }

    fn assert_parts(&self) {
        for (what, count) in &self.with {
            assert!(
                *count >= self.systems / 20,
                "too few systems with {what}:\n{self}"
            );
        }
    }
}

impl sweep::Tally for Tally {
    fn add(&mut self, other: &Tally) {
        self.systems += other.systems;
        self.rounds_within += other.rounds_within;
        self.tested.states += other.tested.states;
        self.tested.reduced += other.tested.reduced;
        self.tested.squares += other.tested.squares;
        self.states += other.states;
        self.largest = self.largest.max(other.largest);
        self.terminating += other.terminating;
        self.fewer_states += other.fewer_states;
        self.fewer_edges += other.fewer_edges;
        for (key, count) in &other.verdicts {
            let own = self.verdicts.entry(*key).or_default();
            own.all += count.all;
            own.reduced += count.reduced;
            own.fewer += count.fewer;
        }
        for (what, count) in &other.with {
            *self.with.entry(what).or_default() += count;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let n = self.systems.max(1);
        writeln!(f, "{} systems", self.systems)?;
        if self.tested.states > 0 {
            writeln!(
                f,
                "{} states, something left out in {}, {} squares",
                self.tested.states, self.tested.reduced, self.tested.squares
            )?;
        } else {
            writeln!(
                f,
                "{} states on average, {} at the most; {} terminating; states left out in {}, steps in {}",
                self.states / n,
                self.largest,
                self.terminating,
                self.fewer_states,
                self.fewer_edges,
            )?;
        }
        write!(f, "with")?;
        for (what, count) in &self.with {
            write!(f, " {what} {count},")?;
        }
        let within = self.rounds_within;
        writeln!(f, " cycles against must within a limit {within}")?;
        for ((form, terminating, violated), count) in &self.verdicts {
            let terminating = if *terminating {
                "terminating"
            } else {
                "not terminating"
            };
            let verdict = if *violated { "violated" } else { "holds" };
            writeln!(
                f,
                "{form:12} {verdict:9} {terminating:16} {:8}, {:8} by the reduction, {:8} of them with less",
                count.all, count.reduced, count.fewer
            )?;
        }
        Ok(())
    }
}
