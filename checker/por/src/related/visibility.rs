//! Stubborn sets beside a monitor: a tester, or an automaton that observes the system's states.
//!
//! Theorem 4.1 of A. Valmari, "On-the-Fly Verification with Stubborn Sets" (CAV '93), with processes
//! that have variables and steps that may fail. What holds is that *at least one* of the conditions
//! C1 to C4 (reject, deadlock, livelock, infinite) holds of the reduced product exactly when at least
//! one holds of the full one. It need not be the same: a livelock that is found first may hide the
//! others.
//!
//! A step is *visible* if the monitor moves with it. A *key* of a state is an enabled step that is never
//! seen and does not fail. It *passes* if one of its participants leaves by it a local state to which
//! no steps that are never visible lead it back, whatever the others do. The set T(s) of a state s obeys
//! D0 to D2, and:
//!
//! - Where the monitor does not wait for a livelock (s_T ∉ S_L), all steps that it may ever see are
//!   in T(s).
//! - Where besides no state of S_L or S_∞ can be reached from s_T, a key that passes may be in T(s)
//!   instead.
//! - Where it waits for a livelock, T(s) has a key. Where there is none, everything is in T(s).
//!
//! The key that passes is not in the paper, whose sets have all that is visible whatever it costs. With
//! it, steps that only lead on to the next one that is visible need not be taken in every order with it.
//! It is for violations alone that a finite run shows: a key may end what goes round for ever later
//! on, and that round be gone, again and again, instead of the steps that lead to it.
//!
//! No condition on cycles is needed, so the set is a function of the product's state alone.
//!
//! # Testers
//!
//! The tester is an instance of the system, with no variables but its location. The steps that it
//! sees are those in which it takes part, `tau` among them; they are in T(s) if it is a member, and
//! the set is closed under what it needs then (Algorithm 4.3). So is each set with an enabled step
//! that it sees, since an enabled joint step needs all its participants.
//!
//! *What fails.* D0 to D2 take a failing step for one that changes nothing, and tell it from one that
//! does not fail: a step that is moved past others (D1), or stays enabled beside them (D2), fails
//! after it exactly if it did before. In the product it leads nowhere. A run of the product has no
//! such step, so that D1, used for steps of runs alone, gives runs again. D2 is used in two places. A
//! key must lead somewhere, so it is asked not to fail. And in a terminal state no step is enabled,
//! failing ones included. So nothing more is asked of a set that has failing steps.
//!
//! *The reduced product shows nothing that is not there.* It is a part of the full one, and a state
//! that is terminal in it is terminal (D0).
//!
//! *It shows something if the full one does.* Let a violating run t1 t2 … begin in a state s of the
//! reduced product: it leads to a state marked reject, or to a terminal one marked deadlock, or it is
//! infinite and shows a livelock or an infinite trace. If it has no steps, s shows it. Otherwise let
//! tj be the first step that the tester sees, if there is one; before tj it stays where it is.
//!
//! 1. *Some step of the run is in T(s).* Let tk be the first. D1 lets tk be fired first, then t1 …
//!    tk-1, and this leads where t1 … tk leads. If k > j, then tj is not in T(s), so the tester is no
//!    member and does not see tk. So the steps that it sees come in the same order, and it goes through
//!    the same states. What remains after tk violates as before.
//! 2. *Otherwise T(s) has a key.* If T(s) were everything, t1 would be in it. So there is a key if s_T
//!    ∈ S_L. Let s_T ∉ S_L, and no key. Then all that is visible is in T(s), so the run has no step that
//!    is visible. So it is no infinite trace, and no livelock, as its tester stays at s_T. Reject would
//!    be marked in s. So it leads to a terminal state; but a step of T(s) is enabled in s (D0) and
//!    stays so (D2), which cannot be. The key stays enabled beside the whole run. Fire it: the run is
//!    possible after it (D2, D1; where it is infinite some result of the key allows all its prefixes,
//!    for there are finitely many), the tester is at the same state, and the same run remains. A
//!    terminal state at its end contradicts D2 again.
//!
//! Going on so gives a path of the reduced product. It comes to the violation, or to another:
//!
//! - Let s_T ∉ S_L, and T(s) have all that is visible. If there is a tj, then k ≤ j, and one step less
//!   remains before the next that is visible. If there is none, the run leads to a terminal state, as in
//!   case 2, and one step less remains of it.
//! - Let T(s) be one with a key that passes. The run is finite: its tester can reach nothing that an
//!   infinite one shows. By case 1 one step less remains of it. Case 2 cannot come infinitely often in
//!   a row, since each time a participant leaves a local state for ever.
//! - Let s_T ∈ S_L. If the path never comes to a step that is visible, it goes on for ever with the tester
//!   at s_T, or comes to the end of a finite run. The product is finite, so in the former case it has
//!   a cycle with a livelock.
//!
//! So each step that is visible is fired some time, and the tester goes through the same states as in the
//! run: to reject; to the end; to the last seen step and on for ever, which is a livelock; or from
//! states of S_∞ by infinitely many seen steps, and some cycle of the finite product has such a step.
//! Or a livelock has been found before. ∎
//!
//! # Automata that observe states
//!
//! The automaton is a testing automaton (H. Hansen, W. Penczek, A. Valmari, 2002, section 3): it
//! moves where propositions change their values, and reads nothing else. So its language is one of
//! changes, and the number of steps between two of them does not matter. A step of the product is
//! seen if a value changes. What must not be moved past each other are changes, so a step counts as
//! *observed* if it may change the value of a proposition (true, false, failing) in *some* state:
//! what is so of an instance in a local state does not depend on the present values of others. If it
//! did, a step could be moved before others that change nothing now, and do after it.
//!
//! What is observed is found for each instance from where it is. An observed step *lies ahead* of the
//! instances that can get to one, whatever the others do. All observed steps are in T(s), up to the
//! first of a run and that included, where all of these are members: the instance that takes it is
//! one, and the first step of the run that a member takes part in is in T(s).
//!
//! - A key is an enabled step that is not observed and does not fail.
//! - Where an enabled step of a member is observed, all of which one lies ahead are members.
//!
//! The proof is the same, with the automaton's run carried along and "visible" read as "observed"; D1
//! and D2 are of the system alone. In case 1, if tk is observed, it is enabled in s (D1), so all of which
//! one lies ahead are members, and none of t1 … tk-1 is observed, or it or one before it would be in T(s). These
//! change nothing, neither before tk nor after it, so tk changes the same propositions in s. If tk is
//! not observed it changes nothing anywhere. So the values change in the same order, and the
//! automaton can make the same moves. In case 2 the key changes nothing. A step that is observed but
//! changes nothing now is one that is invisible: where it is t1, and in no T(s), a key is fired; where
//! there is no key, everything is. And a state in which a proposition fails is a violation itself,
//! reached by a step that is observed, or the first one.

use std::ops::ControlFlow;

use stubborn_explorer::search::Stop;
use stubborn_space::members::Members;
use stubborn_space::packed::code::Code;
use stubborn_space::packed::walk::Walk as _;
use stubborn_space::packed::{Expression, Packed, StepRef};
use stubborn_space::relations::ProcessRelations;
use stubborn_space::successors::Label;
use stubborn_system::components::Components;
use stubborn_system::system::{InstanceId, System};

use super::bounds::Bounds;
use super::conditions::Condition;
use super::facts::Facts;
use super::footprint::Collector;
use super::forest::{CellId, Outcome, OutcomeId};
use super::interference::Profile;
use super::partial::Partial;
use super::present::Present;
use super::sensitive::{ahead_of, nearest};
use super::vocabulary::{EventId, ViewId, Vocabulary};
use super::work::{Look, Work};
use super::{Related, Scratch};
use crate::reduction::{Awaits, Transition, Visibility, key_finder};

/// A tester among the instances: a process without variables, which has its visible actions in its
/// alphabet, and `tau` as steps without communication.
pub struct Tester {
    monitor: InstanceId,
    /// By its location.
    awaits: Vec<Awaits>,
    passed: Vec<Vec<bool>>,
    /// The joint steps in which it takes part, where not all of these count.
    among: Option<Among>,
}

/// Some of the joint steps in which a tester takes part.
struct Among {
    events: Vec<bool>,
    /// By the tester's local state, whether one of them, or one that the tester takes alone, lies ahead.
    ahead: Vec<bool>,
}

impl Tester {
    /// The tester is the instance `monitor` of the system; `awaits` tells for each of its locations
    /// what lies ahead.
    pub fn new(related: &Related<'_>, monitor: InstanceId, awaits: Vec<Awaits>) -> Tester {
        let passed = related.facts.as_ref().map(|facts| {
            passed(facts, &|event, _| {
                event.is_some_and(|event| {
                    let event = &facts.vocabulary.events[event as usize];
                    event.participants.contains(&monitor)
                })
            })
        });
        Tester {
            monitor,
            awaits,
            passed: passed.unwrap_or_default(),
            among: None,
        }
    }

    pub(super) fn monitor(&self) -> InstanceId {
        self.monitor
    }

    /// The joint steps in which it takes part, each with its distance.
    pub fn visible(&self, related: &Related<'_>) -> Vec<(u32, Transition)> {
        let facts = related.facts.as_ref();
        facts.map_or(Vec::new(), |facts| {
            nearest(&facts.locals[self.monitor as usize], |part| part.joint)
        })
    }

    /// The same where it sees no other joint steps than these; what it takes alone it sees.
    pub fn among(&self, related: &Related<'_>, sensitive: &[Transition]) -> Tester {
        let facts = related.facts.as_ref();
        let among = facts.map(|facts| {
            let mut events = vec![false; facts.vocabulary.events.len()];
            for event in sensitive {
                events[*event as usize] = true;
            }
            let locals = &facts.locals[self.monitor as usize];
            Among {
                ahead: ahead_of(locals, &|part| {
                    part.joint.is_none_or(|event| events[event as usize])
                }),
                events,
            }
        });
        let passed = facts.map(|facts| {
            passed(facts, &|event, _| {
                event.is_some_and(|event| {
                    let of_event = &facts.vocabulary.events[event as usize];
                    let counts = among.as_ref().is_none_or(|some| some.counts(event));
                    counts && of_event.participants.contains(&self.monitor)
                })
            })
        });
        Tester {
            monitor: self.monitor,
            awaits: self.awaits.clone(),
            passed: passed.unwrap_or_default(),
            among,
        }
    }
}

impl Among {
    fn counts(&self, event: EventId) -> bool {
        self.events[event as usize]
    }
}

impl Visibility<Related<'_>> for Tester {
    fn awaits(&self, related: &Related<'_>, state: &[u64]) -> Option<Awaits> {
        let location = related.packed.location(state, self.monitor) as usize;
        let awaits = self.awaits.get(location).copied();
        Some(awaits.unwrap_or(Awaits::Lasting))
    }

    fn ahead(&self, _: &Related<'_>, _: &[u64], scratch: &mut Scratch) -> Members {
        let mut ahead = Members::default();
        let is_ahead = |among: &Among| {
            let now = scratch.instances().get(self.monitor as usize);
            now.is_none_or(|now| among.ahead[now.at as usize])
        };
        let counts = self.among.as_ref().is_none_or(is_ahead);
        if counts {
            ahead.insert(self.monitor as usize);
        }
        ahead
    }

    /// A visible step needs the tester as a participant.
    fn takes_visible(&self, _: &Related<'_>, _: usize, _: &[u64], _: &mut Scratch) -> bool {
        false
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        let mut participants = label.participants.iter();
        participants.any(|(who, _)| *who == self.monitor)
    }

    fn has_key(
        &self,
        related: &Related<'_>,
        process: usize,
        wanted: &Members,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        let is_invisible = |who: usize, event: Option<EventId>, _: ViewId| {
            let counts = |among: &Among| event.is_none_or(|event| among.counts(event));
            self.monitor as usize != who || !self.among.as_ref().is_none_or(counts)
        };
        let is_visible = &|label: Label<'_>| self.is_visible(label);
        let is = (
            is_visible as IsVisible<'_>,
            &is_invisible as IsInvisible<'_>,
        );
        related.has_key(process, wanted, is, state, scratch)
    }

    fn has_passed(
        &self,
        related: &Related<'_>,
        process: usize,
        _: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        related.has_passed(&self.passed, process, scratch)
    }
}

/// What may change the value of a proposition, for a testing automaton that observes whether
/// propositions hold, and runs beside the system.
pub struct Observed {
    /// What lies ahead of the automaton's state, where the model that is reduced has none of its
    /// own.
    pub awaits: Awaits,
    views: Vec<bool>,
    /// Futures with one that counts.
    futures: Vec<bool>,
    /// By instance and step, judged by what the step may touch: also where it was not tried.
    steps: Vec<Vec<bool>>,
    passed: Vec<Vec<bool>>,
}

impl<'a> Related<'a> {
    /// The same, with what may change the values of propositions.
    pub fn observing(
        packed: &'a Packed<'a>,
        propositions: &[Expression],
        look: &mut Look<'_>,
    ) -> ControlFlow<Stop, (Related<'a>, Observed)> {
        Related::observing_within(Bounds::default(), packed, propositions, look)
    }

    /// As [`Related::observing`], where so much may be found out.
    pub fn observing_within(
        bounds: Bounds,
        packed: &'a Packed<'a>,
        propositions: &[Expression],
        look: &mut Look<'_>,
    ) -> ControlFlow<Stop, (Related<'a>, Observed)> {
        let codes: Vec<&Code> = propositions.iter().map(|e| &e.0).collect();
        let work = &mut Work::new(look);
        let known = Facts::new(bounds, packed, &[], &codes, work)?;
        let (facts, observed) = match known {
            Some((facts, values)) => {
                let observed = Observed::new(packed, &facts, &values);
                (Some(facts), observed)
            }
            None => (None, Observed::unknown()),
        };
        ControlFlow::Continue((Related { packed, facts }, observed))
    }
}

impl Observed {
    /// `conditions` are those under which the propositions are true, and false.
    pub(super) fn new(packed: &Packed<'_>, facts: &Facts, conditions: &[Condition]) -> Observed {
        let forest = &facts.vocabulary.forest;
        let is_observed = |profile: &Profile| {
            conditions.iter().any(|condition| match &profile.cubes {
                None => condition.may_be_touched_by(&profile.writes),
                Some(cubes) => cubes
                    .iter()
                    .any(|cube| match forest.of_outcome(cube.outcome) {
                        Outcome::Takes(takes) => condition.may_be_ended_by(cube, takes),
                        _ => false,
                    }),
            })
        };
        let views: Vec<bool> = facts.profiles.iter().map(is_observed).collect();
        let mut reads: Vec<CellId> = conditions.iter().flat_map(|c| c.reads.clone()).collect();
        reads.sort_unstable();
        reads.dedup();
        Observed {
            awaits: Awaits::Lasting,
            futures: futures_with(facts, &views),
            steps: touching_steps(packed, &facts.vocabulary, &reads),
            passed: passed(facts, &|_, view| views[view as usize]),
            views,
        }
    }

    /// The transitions that may be observed, each with its distance.
    pub fn visible(&self, related: &Related<'_>) -> Vec<(u32, Transition)> {
        let facts = related.facts.as_ref();
        facts.map_or(Vec::new(), |facts| {
            facts.nearest(|part| self.views[part.view as usize].then_some(part.view))
        })
    }

    /// The same where no others are observed than these. Of a step that only the state can tell of it counts all
    /// the same what it may touch.
    pub fn among(&self, related: &Related<'_>, sensitive: &[Transition]) -> Observed {
        let mut views = vec![false; self.views.len()];
        for view in sensitive {
            views[*view as usize] = true;
        }
        let facts = related.facts.as_ref();
        Observed {
            awaits: self.awaits,
            futures: facts.map_or(Vec::new(), |facts| futures_with(facts, &views)),
            steps: self.steps.clone(),
            passed: facts.map_or(Vec::new(), |facts| {
                passed(facts, &|_, view| views[view as usize])
            }),
            views,
        }
    }

    /// Where nothing is known everything is fired, and none of this is asked.
    pub(super) fn unknown() -> Observed {
        Observed {
            awaits: Awaits::Lasting,
            views: Vec::new(),
            futures: Vec::new(),
            steps: Vec::new(),
            passed: Vec::new(),
        }
    }
}

impl Visibility<Related<'_>> for Observed {
    fn awaits(&self, _: &Related<'_>, _: &[u64]) -> Option<Awaits> {
        Some(self.awaits)
    }

    fn ahead(&self, related: &Related<'_>, _: &[u64], scratch: &mut Scratch) -> Members {
        let mut ahead = Members::default();
        for (instance, now) in scratch.instances().iter().enumerate() {
            if related.facts.is_some() && self.futures[now.future as usize] {
                ahead.insert(instance);
            }
        }
        ahead
    }

    fn takes_visible(
        &self,
        related: &Related<'_>,
        process: usize,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        related.takes(process, state, scratch, &|_, view| {
            self.views[view as usize]
        })
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        let mut participants = label.participants.iter();
        participants.any(|(who, step)| self.steps[*who as usize][*step as usize])
    }

    fn has_key(
        &self,
        related: &Related<'_>,
        process: usize,
        wanted: &Members,
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        let is_invisible = |_: usize, _: Option<EventId>, view: ViewId| !self.views[view as usize];
        let is_visible = &|label: Label<'_>| self.is_visible(label);
        let is = (
            is_visible as IsVisible<'_>,
            &is_invisible as IsInvisible<'_>,
        );
        related.has_key(process, wanted, is, state, scratch)
    }

    fn has_passed(
        &self,
        related: &Related<'_>,
        process: usize,
        _: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        related.has_passed(&self.passed, process, scratch)
    }
}

/// Whether a step is visible in some state.
type IsVisible<'a> = &'a dyn Fn(Label<'_>) -> bool;
/// Whether a part of an instance's step is never visible.
type IsInvisible<'a> = &'a dyn Fn(usize, Option<EventId>, ViewId) -> bool;

impl Related<'_> {
    /// Whether the instance is the first participant of a key in which one of the wanted takes
    /// part. Where somebody has a part that was not tried, only the steps can tell.
    fn has_key(
        &self,
        process: usize,
        wanted: &Members,
        (is_visible, is_invisible): (IsVisible<'_>, IsInvisible<'_>),
        state: &[u64],
        scratch: &mut Scratch,
    ) -> bool {
        let Some(present) = self.present(state, scratch) else {
            return false;
        };
        let local = present.local(process);
        if local.is_uncertain || present.working.is_opaque {
            let mut finder = key_finder(wanted, is_visible);
            let flow = self.visit_process(process, state, scratch, &mut finder);
            return flow.is_break();
        }
        let outcomes = &present.working.instances[process].outcomes;
        let mut parts = local.parts.iter().zip(outcomes);
        parts.any(|(part, outcome)| {
            part.joint.is_none()
                && wanted.contains(process)
                && is_key(present.facts, *outcome)
                && is_invisible(process, None, part.view)
        }) || local.offers.iter().any(|(event, _)| {
            let participants = &present.facts.vocabulary.events[*event as usize].participants;
            let is_first = participants
                .first()
                .is_some_and(|first| *first as usize == process);
            let mut all = participants.iter();
            is_first
                && all.any(|who| wanted.contains(*who as usize))
                && is_key_event(&present, *event, is_invisible)
        })
    }

    fn has_passed(&self, passed: &[Vec<bool>], process: usize, scratch: &Scratch) -> bool {
        let at = scratch.instances()[process].at;
        passed[process][at as usize]
    }
}

/// Every participant has a part that is there, does not fail, and is never visible.
fn is_key_event(
    present: &Present<'_, '_>,
    event: EventId,
    is_invisible: &dyn Fn(usize, Option<EventId>, ViewId) -> bool,
) -> bool {
    let participants = &present.facts.vocabulary.events[event as usize].participants;
    let mut participants = participants.iter().map(|who| *who as usize);
    participants.all(|who| {
        let mut parts = present.parts(who, event);
        parts.any(|(part, outcome)| {
            is_key(present.facts, outcome) && is_invisible(who, Some(event), part.view)
        })
    })
}

/// Whether a part is there and does not fail.
fn is_key(facts: &Facts, outcome: OutcomeId) -> bool {
    let forest = &facts.vocabulary.forest;
    matches!(forest.of_outcome(outcome), Outcome::Takes(_))
}

/// The local states of each instance to which steps that are never visible do not lead back.
fn passed(facts: &Facts, is_visible: &dyn Fn(Option<EventId>, ViewId) -> bool) -> Vec<Vec<bool>> {
    let of_instance = facts.locals.iter().map(|locals| {
        let invisible = locals.states.iter().map(|state| {
            let steps = state.successors.iter();
            let steps = steps.filter(|(_, event, view)| !is_visible(*event, *view));
            steps.map(|(to, _, _)| *to).collect()
        });
        let invisible: Vec<Vec<u32>> = invisible.collect();
        let components = Components::of(&invisible);
        let states = 0..invisible.len() as u32;
        states.map(|state| !components.is_on_cycle(state)).collect()
    });
    of_instance.collect()
}

/// The futures with one of these views.
fn futures_with(facts: &Facts, views: &[bool]) -> Vec<bool> {
    let futures = 0..facts.sets.len() as u32;
    let futures = futures.map(|future| {
        let mut of_future = facts.sets.get(future).views();
        of_future.any(|view| views[view as usize])
    });
    futures.collect()
}

/// Which steps of each instance may write one of these scalars. A location is not written where
/// nobody can tell the two apart.
fn touching_steps(
    packed: &Packed<'_>,
    vocabulary: &Vocabulary,
    reads: &[CellId],
) -> Vec<Vec<bool>> {
    let system: &System = packed.system();
    let nothing = Partial::nothing(packed.layout.words);
    let instances = system.instances.iter().enumerate();
    let of_instance = instances.map(|(who, instance)| {
        let location = vocabulary.cells.of(packed.layout.locations[who]);
        let touches = |step: usize| {
            let mut collector = Collector::new(packed, &vocabulary.cells, &nothing);
            match packed.step_ref(who as InstanceId, step as u32) {
                None => return false,
                Some(StepRef::Local(step)) => collector.local(&packed.local[step as usize]),
                Some(StepRef::On(step)) => {
                    let on = &packed.on[step as usize];
                    on.patterns.iter().for_each(|p| collector.pattern(p));
                    collector.body(&on.body);
                }
            }
            let moves = location.is_some_and(|cell| {
                let target = &instance.steps[step].target;
                let from = instance.locations.iter().enumerate();
                let mut from = from.filter(|(_, at)| at.steps.contains(&(step as u32)));
                from.any(|(from, _)| {
                    let mut to = target.locations();
                    to.any(|to| vocabulary.are_told_apart(cell, from as u64, u64::from(to)))
                })
            });
            let mut writes = collector.found.writes.iter();
            writes
                .any(|cell| reads.binary_search(cell).is_ok() && (Some(*cell) != location || moves))
        };
        (0..instance.steps.len()).map(touches).collect()
    });
    of_instance.collect()
}
