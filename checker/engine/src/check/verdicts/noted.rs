//! Violations that a search without numbers for states visits. The runs to them are made later.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::Failure;

use super::evaluate::Evaluator;
use crate::packed::{Expression, Packed, Scratch};
use crate::properties::{AtEnd, InState, LooksAt};
use crate::search::layers::Look;
use crate::search::{OwnedLabel, Stop};
use crate::several::{self, Shown};
use crate::successors::{Label, Successors};
use crate::verdict::Finding;
use crate::worker_model::Gathers;

/// Most conjuncts into which an expression is split.
const MOST_PARTS: usize = 64;

/// Collector of the first violation of each open property; ends the search once it has them all.
pub struct Noting<'a> {
    packed: &'a Packed<'a>,
    asked: Vec<Asked<'a>>,
    /// Conjuncts to evaluate in each state, with the position of their property in `asked`. Each
    /// reads fewer variables than the whole expression.
    looks: Vec<(usize, Expression)>,
    scratch: Scratch,
    /// The state whose steps are being taken, and its layer.
    state: Vec<u64>,
    layer: Option<u64>,
    noted: Vec<Noted>,
    stops_at_first: bool,
}

struct Asked<'a> {
    property: usize,
    evaluator: Evaluator<'a>,
    is_open: bool,
}

/// A violation.
pub struct Noted {
    pub property: usize,
    pub finding: Finding,
    /// The state that shows it.
    pub state: Vec<u64>,
    /// Distance of that state from the initial one.
    pub layer: u64,
    /// The step that fails there.
    pub failing: Option<(OwnedLabel, Failure)>,
}

impl<'a> Noting<'a> {
    /// Returns a collector of violations of these properties, which have these numbers.
    pub fn new(
        packed: &'a Packed<'a>,
        properties: impl IntoIterator<Item = (usize, &'a Property)>,
    ) -> Noting<'a> {
        let mut looks = Vec::new();
        let properties = properties.into_iter().enumerate();
        let asked = properties.map(|(at, (property, of))| {
            let evaluator = Evaluator::new(packed, of);
            let looks_at = evaluator.kind.looks_at();
            if let (Some(whole), LooksAt::States(..)) = (&evaluator.expression, looks_at) {
                looks.extend(parts(packed, of, whole).into_iter().map(|part| (at, part)));
            }
            Asked {
                property,
                evaluator,
                is_open: true,
            }
        });
        Noting {
            packed,
            asked: asked.collect(),
            looks,
            scratch: packed.scratch(),
            state: Vec::new(),
            layer: None,
            noted: Vec::new(),
            stops_at_first: false,
        }
    }

    /// Ends the search with the first violation; a search with numbers finds it again, with a run.
    pub fn stopping(self) -> Self {
        Noting {
            stops_at_first: true,
            ..self
        }
    }

    /// Returns for each property of states the bits of a state that it reads, each set of bits once.
    pub fn footprints(&self) -> Vec<Vec<u64>> {
        let mut all: Vec<Vec<u64>> = Vec::new();
        for property in 0..self.asked.len() {
            let mut bits = vec![0; self.packed.words()];
            for (_, part) in self.looks.iter().filter(|(at, _)| *at == property) {
                self.packed.footprint_of(part, &mut bits);
            }
            if bits.iter().any(|word| *word != 0) && !all.contains(&bits) {
                all.push(bits);
            }
        }
        all
    }

    /// Stops looking for violations of a property.
    pub fn close(&mut self, property: usize) {
        let asked = self.asked.iter_mut();
        asked
            .filter(|asked| asked.property == property)
            .for_each(|asked| asked.is_open = false);
    }

    /// Whether a violation of each property was noted, or is no longer looked for.
    pub fn is_done(&self) -> bool {
        self.asked.iter().all(|asked| !asked.is_open)
    }

    /// Takes the violations found since the last call.
    pub fn take(&mut self) -> Vec<Noted> {
        std::mem::take(&mut self.noted)
    }

    /// Whether a state satisfies the goal of the property at this position.
    fn is_goal(&mut self, at: usize, state: &[u64]) -> bool {
        let asked = self.asked.get(at);
        asked.is_some_and(|asked| asked.evaluator.is_goal(state, &mut self.scratch))
    }

    /// Adds findings about properties, which are given by their positions.
    fn note(&mut self, found: Vec<(usize, Finding)>, at: At<'_>) -> ControlFlow<Stop> {
        if found.is_empty() {
            return ControlFlow::Continue(());
        }
        for (asked, finding) in found {
            self.asked[asked].is_open = false;
            self.noted.push(Noted {
                property: self.asked[asked].property,
                finding,
                state: at.state.unwrap_or(&self.state).to_vec(),
                layer: match at.state {
                    Some(_) => self.layer.map_or(0, |layer| layer + 1),
                    None => self.layer.unwrap_or_default(),
                },
                failing: at.failing.clone(),
            });
        }
        match !self.stops_at_first && self.asked.iter().any(|asked| asked.is_open) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(Stop::Decided),
        }
    }
}

/// Returns the conjuncts of the expression that a property asks of each state: the whole is false
/// if and only if one of them is.
fn parts(packed: &Packed<'_>, property: &Property, whole: &Expression) -> Vec<Expression> {
    let parts = packed.conjuncts(whole);
    // A conjunct of a goal may be true before the goal is.
    let is_sought = matches!(property, Property::Reachable(_));
    match is_sought || parts.len() > MOST_PARTS {
        true => vec![whole.clone()],
        false => parts,
    }
}

/// Place of a finding: a new state, or else the one whose steps are being taken.
#[derive(Default)]
struct At<'s> {
    state: Option<&'s [u64]>,
    failing: Option<(OwnedLabel, Failure)>,
}

impl Gathers for Noting<'_> {
    fn shown(&mut self) -> Vec<Shown> {
        let noted = self.take().into_iter().map(|noted| Shown {
            property: noted.property,
            layer: noted.layer,
            state: noted.state,
        });
        noted.collect()
    }

    fn go_on(&mut self, open: &[usize]) {
        for asked in &mut self.asked {
            asked.is_open = open.contains(&asked.property);
        }
    }

    fn is_asked(&mut self, asked: several::Asked, state: &[u64], ends: bool) -> bool {
        match asked {
            several::Asked::Ends => ends,
            several::Asked::Goal(at) => self.is_goal(at, state),
            several::Asked::Livelock | several::Asked::Infinite => false,
        }
    }
}

impl Look for Noting<'_> {
    #[inline]
    fn begins(&mut self, layer: u64, state: &[u64]) {
        self.layer = Some(layer);
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    fn looks(&self) -> usize {
        self.looks.len()
    }

    fn footprint(&self, look: usize, into: &mut [u64]) -> bool {
        let (_, part) = &self.looks[look];
        self.packed.footprint_of(part, into);
        true
    }

    /// Evaluates the whole expression if a conjunct shows a violation.
    fn found(&mut self, look: usize, state: &[u64]) -> ControlFlow<Stop> {
        let (at, part) = &self.looks[look];
        let (at, asked) = (*at, &self.asked[*at]);
        if !asked.is_open {
            return ControlFlow::Continue(());
        }
        let (evaluator, scratch) = (&asked.evaluator, &mut self.scratch);
        let Some(InState::Violation(_)) = evaluator.shown(part, state, scratch) else {
            return ControlFlow::Continue(());
        };
        let Some(InState::Violation(finding)) = evaluator.in_state(state, scratch) else {
            return ControlFlow::Continue(());
        };
        let place = At {
            state: Some(state),
            ..At::default()
        };
        self.note(vec![(at, finding)], place)
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        let open = self.asked.iter().enumerate();
        let open = open.filter(|(_, asked)| asked.is_open);
        let found = open
            .filter_map(|(at, asked)| Some((at, asked.evaluator.kind.at_failing_step(failure)?)));
        let found: Vec<(usize, Finding)> = found.collect();
        if found.is_empty() {
            return ControlFlow::Continue(());
        }
        let place = At {
            failing: Some((OwnedLabel::of(label), failure.clone())),
            ..At::default()
        };
        self.note(found, place)
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        let mut found = Vec::new();
        for at in 0..self.asked.len() {
            if !self.asked[at].is_open {
                continue;
            }
            let is_goal = self.is_goal(at, state);
            let evaluator = &self.asked[at].evaluator;
            match evaluator.at_end(state, is_goal, &mut self.scratch) {
                // The goal may have been out of reach long before, but it is violated here too.
                AtEnd::Violation(finding) | AtEnd::DeadEnd(finding) => found.push((at, finding)),
                AtEnd::Nothing => {}
            }
        }
        self.note(found, At::default())
    }
}
