//! All that is known of a system's steps before any state is looked at.

use std::ops::ControlFlow;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use stubborn_explorer::search::Stop;
use stubborn_space::members::Members;
use stubborn_space::packed::Packed;
use stubborn_space::packed::code::Code;
use stubborn_space::packed::layout::{Layout, Slot};
use stubborn_system::system::{InstanceId, Order};

use super::bounds::Bounds;
use super::classes::Outlooks;
use super::conditions::{Condition, Formula, StateCheck};
use super::enabling::{Conjunction, EnablerId, Enabling, Lacking, Wanted};
use super::followed::Followed;
use super::forest::{CellId, Cube, DISABLED, Literal, OutcomeId, WAITS};
use super::futures::{Future, FutureSets, Futures};
use super::interference::{Effort, Enabler, Interference, Profile};
use super::local_states::{Explorer, LocalStates, Part};
use super::sensitive::{Insensitive, nearest};
use super::touching::{Neighbours, Touching};
use super::vocabulary::{View, ViewId, Vocabulary};
use super::work::Work;
use crate::reduction::Transition;

/// Number of views that each one is compared with in debug builds.
const LARGEST_CHECKED: usize = 64;

/// With the enablers that are made of it.
const BYTES_PER_LITERAL: usize = 1024;

pub struct Facts {
    pub vocabulary: Vocabulary,
    pub locals: Vec<LocalStates>,
    pub profiles: Vec<Profile>,
    pub futures: Vec<Futures>,
    pub sets: FutureSets,
    pub followed: Followed,
    /// By view: what would make a step with it enabled.
    pub enabling: Vec<Enabling>,
    pub enablers: Vec<Enabler>,
    pub conditions: Vec<Condition>,
    /// By condition, in the same form as its formula.
    pub wanted: Vec<Wanted>,
    pub outlooks: Option<Outlooks>,
    /// States may be asked for to which no run leads.
    pub is_turned: bool,
    /// Views that are visible to conditions but count as invisible.
    pub insensitive: Insensitive,
    orders: Vec<Order>,
    /// Which views touch what.
    touching: Touching,
    /// By part of a queue's first message, the queue's length.
    pub heads: FxHashMap<CellId, Slot>,
}

#[derive(Default)]
struct Enablers(IndexSet<Enabler, FxBuildHasher>);

impl Enablers {
    fn number(&mut self, enabler: Enabler) -> EnablerId {
        self.0.insert_full(enabler).0 as EnablerId
    }

    fn lacking(&mut self, literal: &Literal) -> Lacking {
        let of = |below, above| Enabler::Literal(literal.clone(), below, above);
        let enabler = self.number(of(false, false));
        // The four follow each other: they are only ever made together.
        self.number(of(true, false));
        self.number(of(false, true));
        self.number(of(true, true));
        Lacking {
            literal: literal.clone(),
            enabler,
        }
    }

    fn conjunction(&mut self, cube: &Cube, into: &mut Vec<Conjunction>) {
        let literals = cube.literals.iter();
        let literals: Vec<Lacking> = literals.map(|literal| self.lacking(literal)).collect();
        let shared = into.last().map_or(0, |before| {
            let pairs = before.literals.iter().zip(&literals);
            // Equal literals have equal enablers.
            let alike = |(a, b): &(&Lacking, &Lacking)| a.enabler == b.enabler;
            pairs.take_while(alike).count()
        });
        into.push(Conjunction { literals, shared });
    }

    fn wanted(&mut self, formula: &Formula) -> Wanted {
        let all = |enablers: &mut Enablers, parts: &[Formula]| {
            parts.iter().map(|part| enablers.wanted(part)).collect()
        };
        match formula {
            Formula::Constant(value) => Wanted::Constant(*value),
            Formula::Literal(literal) => Wanted::Literal(self.lacking(literal)),
            Formula::Opaque(cells) => {
                Wanted::Opaque(self.number(Enabler::Touch(cells.as_slice().into())))
            }
            Formula::All(parts) => Wanted::All(all(self, parts)),
            Formula::Any(parts) => Wanted::Any(all(self, parts)),
            Formula::AtLeast(least, parts) => Wanted::AtLeast(*least, all(self, parts)),
        }
    }
}

impl Facts {
    /// With the conditions under which some more expressions have their values (see
    /// [`Condition::of_values`]). The time that it takes is bounded for each instance, and counted
    /// in trials; it breaks off where a limit is reached.
    pub fn new(
        bounds: Bounds,
        packed: &Packed<'_>,
        checks: &[(&Code, StateCheck)],
        observed: &[&Code],
        work: &mut Work<'_>,
    ) -> ControlFlow<Stop, Option<(Facts, Vec<Condition>)>> {
        let system = packed.system();
        let instances = system.instances.len();
        let expressions = checks.iter().map(|(code, _)| *code);
        let expressions: Vec<&Code> = expressions.chain(observed.iter().copied()).collect();
        let mut vocabulary = Vocabulary::new(bounds, packed, &expressions, work)?;
        let mut locals: Vec<LocalStates> = Vec::with_capacity(instances);
        for who in 0..instances as InstanceId {
            locals.push(Explorer::new(packed, &mut vocabulary, who, work).explore()?);
        }
        let mut conditions: Vec<Condition> = Vec::with_capacity(checks.len());
        for (code, how) in checks {
            let condition = Condition::new(packed, &mut vocabulary, code, *how);
            work.scalars(condition.as_ref().map_or(0, |c| c.reads.len()))?;
            conditions.extend(condition);
        }
        let mut values: Vec<Condition> = Vec::with_capacity(2 * observed.len());
        for code in observed {
            let [no, yes] = Condition::of_values(packed, &mut vocabulary, code);
            work.scalars(no.reads.len() + yes.reads.len())?;
            values.extend([no, yes]);
        }
        let views: Vec<View> = vocabulary.views.iter().cloned().collect();
        let mut profiles: Vec<Profile> = Vec::with_capacity(views.len());
        let mut enablers = Enablers::default();
        let mut enabling = Vec::with_capacity(views.len());
        for view in &views {
            let profile = Profile::of(&vocabulary, view);
            let literals = profile.literals();
            work.holds(literals * BYTES_PER_LITERAL);
            work.scalars(profile.reads.len() + profile.writes.len() + literals)?;
            enabling.push(enabling_of(&mut enablers, &profile, view));
            profiles.push(profile);
        }
        wait_beside_failing(&vocabulary, &locals, &mut profiles);
        let wanted = conditions.iter().map(|c| enablers.wanted(&c.formula));
        let wanted: Vec<Wanted> = wanted.collect();
        let mut sets = FutureSets::default();
        let mut futures = Vec::with_capacity(instances);
        for who in 0..instances as InstanceId {
            let views = views.len();
            let of = Futures::of_instance(who, &locals, &vocabulary, views, &mut sets, work)?;
            futures.push(of);
        }
        let touching = Touching::of(&profiles);
        let asked = conditions.iter().flat_map(|c| c.reads.iter().copied());
        let followed = Followed::of(&packed.layout, &vocabulary, &profiles, &locals, asked);
        let outlooks = Outlooks::of(&vocabulary, &locals, &futures, &enabling, &wanted);
        let channels = system.channels.iter();
        let facts = Facts {
            outlooks,
            vocabulary,
            locals,
            profiles,
            futures,
            sets,
            followed,
            enabling,
            enablers: enablers.0.into_iter().collect(),
            touching,
            heads: heads(&packed.layout),
            conditions,
            wanted,
            is_turned: false,
            insensitive: Insensitive::default(),
            orders: channels.map(|channel| channel.order).collect(),
        };
        ControlFlow::Continue(Some((facts, values)))
    }

    /// Whether it is asked what instances can still do from a state.
    pub fn foresees(&self) -> bool {
        self.locals.len() <= self.vocabulary.bounds.foreseen
    }

    /// The product of how many local states the instances have, and how many values the other
    /// scalars.
    pub fn most_states(&self, layout: &Layout) -> u64 {
        let tracked = self.locals.iter().flat_map(|locals| &locals.tracked);
        let tracked: FxHashSet<CellId> = tracked
            .filter_map(|slot| self.vocabulary.cells.of(*slot))
            .collect();
        let locals = self.locals.iter().map(|locals| locals.states.len() as u64);
        let others = (0..).zip(&layout.ranges);
        let others = others.filter(|(cell, _)| !tracked.contains(cell));
        let sizes = locals.chain(others.map(|(_, range)| range.size()));
        sizes.fold(1, u64::saturating_mul)
    }

    /// The transitions of the parts of all instances, with their distances.
    pub fn nearest(
        &self,
        transition: impl Fn(&Part) -> Option<Transition>,
    ) -> Vec<(u32, Transition)> {
        let locals = self.locals.iter();
        locals.flat_map(|of| nearest(of, &transition)).collect()
    }

    pub fn interference(&self) -> Interference<'_> {
        Interference {
            vocabulary: &self.vocabulary,
            profiles: &self.profiles,
            orders: &self.orders,
        }
    }

    /// The views that [may not be independent](Touching::neighbours) of this one.
    pub fn neighbours(&self, view: ViewId) -> Neighbours {
        let most = self.vocabulary.bounds.neighbours;
        let neighbours = self
            .touching
            .neighbours(&self.profiles[view as usize], most);
        debug_assert!(self.are_all(view, &neighbours), "there is another");
        neighbours
    }

    /// Whether no other view may disturb it, as far as that can be asked quickly.
    fn are_all(&self, view: ViewId, neighbours: &Neighbours) -> bool {
        let Neighbours::Few(few) = neighbours else {
            return true;
        };
        let interference = self.interference();
        let mut others = 0..self.profiles.len().min(LARGEST_CHECKED) as ViewId;
        others.all(|other| few.contains(&other) || !interference.disturb(view, None, other))
    }

    /// Whether a step of the future may disturb an enabled one with this view, which has these
    /// neighbours, and this outcome. Where the effort is stopped, it says so.
    pub fn disturbs(
        &self,
        future: Future<'_>,
        (view, neighbours): (ViewId, &Neighbours),
        outcome: Option<OutcomeId>,
        effort: &mut Effort<'_>,
    ) -> bool {
        let interference = self.interference();
        let mut disturbs = |other: ViewId| {
            effort.spend(interference.cost(view, other))
                || interference.disturb(view, outcome, other)
        };
        match neighbours {
            Neighbours::Few(few) => {
                let mut few_of_future = few.iter().filter(|other| future.contains(**other));
                few_of_future.any(|other| disturbs(*other)) || effort.spend(few.len() / 8)
            }
            Neighbours::Many => future.views().any(disturbs),
        }
    }

    /// The instances for which this is true of everything that they may ever do.
    pub fn who_ever(&self, mut may: impl FnMut(Future<'_>) -> bool) -> Members {
        let instances = self.futures.iter().enumerate();
        let those = instances.filter(|(_, futures)| may(self.sets.get(futures.of[0][0])));
        those.map(|(instance, _)| instance).collect()
    }

    /// Whether a step of the future may make it true.
    pub fn enables(&self, future: Future<'_>, enabler: EnablerId, effort: &mut Effort<'_>) -> bool {
        let interference = self.interference();
        let enabler = &self.enablers[enabler as usize];
        let mut enables = |view| effort.spend(1) || interference.enables(enabler, view);
        let few = match enabler {
            Enabler::Literal(literal, ..) => Some(self.touching.writers(literal.cell)),
            Enabler::Touch(cells) => match **cells {
                [cell] => Some(self.touching.writers(cell)),
                _ => None,
            },
            Enabler::Append(channel) => Some(self.touching.users(*channel)),
        };
        match few {
            Some(few) => few
                .iter()
                .any(|view| future.contains(*view) && enables(*view)),
            None => future.views().any(enables),
        }
    }

    /// The conditions that a step with this view and outcome, or with any, may make go away; none
    /// of a view that is not sensitive.
    pub fn ended_by(&self, view: ViewId, outcome: Option<OutcomeId>) -> Members {
        let (profile, forest) = (&self.profiles[view as usize], &self.vocabulary.forest);
        let conditions = self.conditions.iter().enumerate();
        let ended = conditions.filter(|(_, c)| c.may_be_ended_by(profile, forest, outcome));
        let ended: Members = ended.map(|(number, _)| number).collect();
        if !ended.is_empty() && self.insensitive.contains(view) {
            return Members::default();
        }
        ended
    }
}

/// Marks the parts of joint steps that may fail through one part alone, whatever the guards of the
/// others say.
fn wait_beside_failing(vocabulary: &Vocabulary, locals: &[LocalStates], profiles: &mut [Profile]) {
    let parts = locals.iter().flat_map(|of| &of.states);
    for part in parts.flat_map(|state| &state.parts) {
        let Some(event) = part.joint else { continue };
        let event = &vocabulary.events[event as usize];
        if event.can_fail || vocabulary.opaque.contains(&event.action) {
            profiles[part.view as usize].waits_beside_failing = true;
        }
    }
}

fn heads(layout: &Layout) -> FxHashMap<CellId, Slot> {
    let channels = layout.channels.iter();
    let parts = channels.flat_map(|channel| {
        let parts = 0..channel.parts;
        parts.map(|part| (channel.slot(0, part) as CellId, channel.length))
    });
    parts.collect()
}

fn enabling_of(enablers: &mut Enablers, profile: &Profile, view: &View) -> Enabling {
    let mut enabling = Enabling::default();
    match &profile.cubes {
        None => {
            let reads = profile.reads.as_slice().into();
            enabling.anyway.push(enablers.number(Enabler::Touch(reads)));
        }
        Some(cubes) => {
            let joint = matches!(view, View::Exact { joint: true, .. });
            for cube in cubes {
                if cube.outcome != DISABLED && cube.outcome != WAITS {
                    enablers.conjunction(cube, &mut enabling.ready);
                }
                if cube.outcome != DISABLED && joint {
                    enablers.conjunction(cube, &mut enabling.matching);
                }
            }
        }
    }
    if let Some(bag) = profile.bag {
        enabling.anyway.push(enablers.number(Enabler::Append(bag)));
    }
    enabling
}
