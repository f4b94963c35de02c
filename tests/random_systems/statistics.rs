//! Which kinds of systems have been looked at, so that a test that has become blind is noticed.

use std::collections::BTreeMap;
use std::fmt;

use super::space::{self, Space};
use super::state::System;
use stubborn_random::model::{Body, PropertyKind};
use stubborn_random::sweep;

#[derive(Default)]
pub struct Statistics {
    pub systems: usize,
    states: usize,
    largest: usize,
    edges: usize,
    failing: usize,
    with: BTreeMap<&'static str, usize>,
    /// For each kind: how often it held, and how often not.
    verdicts: BTreeMap<&'static str, (usize, usize)>,
}

impl Statistics {
    pub fn count(&mut self, system: &System, space: &Space) {
        self.systems += 1;
        self.states += space.states.len();
        self.largest = self.largest.max(space.states.len());
        self.edges += space.edges;
        self.failing += space.fails.iter().filter(|f| **f).count();
        let m = &system.model;
        let joint = space
            .states
            .iter()
            .take(50)
            .any(|s| space::moves(system, s).iter().any(|m| m.by.len() > 1));
        let has = [
            ("channels", !m.channels.is_empty()),
            ("bags", m.channels.iter().any(|c| c.is_bag)),
            ("joint steps", joint),
            ("macros", !m.macros.is_empty()),
            ("definitions", !m.definitions.is_empty()),
            (
                "states",
                m.processes
                    .iter()
                    .any(|p| matches!(p.body, Body::States(_))),
            ),
            (
                "statements",
                m.processes
                    .iter()
                    .any(|p| matches!(p.body, Body::Statements(_))),
            ),
        ];
        for (what, it_has) in has {
            *self.with.entry(what).or_default() += it_has as usize;
        }
        for e in space::expected(system, space) {
            let stem = e.name.split('(').next().unwrap();
            let property = m.properties.iter().find(|p| p.name == stem);
            let kind = match property.map(|p| p.kind) {
                Some(PropertyKind::May) => "may",
                Some(PropertyKind::Must) => "must",
                _ => e.kind,
            };
            let count = self.verdicts.entry(kind).or_default();
            match e.is_violated() {
                false => count.0 += 1,
                true => count.1 += 1,
            }
        }
    }

    /// Each verdict must have been given often, both ways.
    pub fn assert_diverse(&self) {
        for (kind, (holds, violated)) in &self.verdicts {
            let least = self.systems / 25;
            assert!(
                *holds >= least && *violated >= least,
                "{kind} is too one-sided:\n{self}"
            );
        }
        for (what, count) in &self.with {
            assert!(
                *count >= self.systems / 10,
                "too few systems with {what}:\n{self}"
            );
        }
    }
}

impl sweep::Tally for Statistics {
    fn add(&mut self, other: &Statistics) {
        self.systems += other.systems;
        self.states += other.states;
        self.largest = self.largest.max(other.largest);
        self.edges += other.edges;
        self.failing += other.failing;
        for (what, count) in &other.with {
            *self.with.entry(what).or_default() += count;
        }
        for (kind, (holds, violated)) in &other.verdicts {
            let own = self.verdicts.entry(kind).or_default();
            own.0 += holds;
            own.1 += violated;
        }
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let n = self.systems.max(1);
        write!(
            f,
            "{} systems, {} states on average, {} at the most, {} edges, {} states with failing steps; with",
            self.systems,
            self.states / n,
            self.largest,
            self.edges,
            self.failing
        )?;
        for (what, count) in &self.with {
            write!(f, " {what} {count},")?;
        }
        write!(f, " held and violated:")?;
        for (kind, (holds, violated)) in &self.verdicts {
            write!(f, " {kind} {holds} and {violated};")?;
        }
        Ok(())
    }
}
