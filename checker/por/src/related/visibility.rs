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
use stubborn_space::packed::{Expression, Packed};
use stubborn_space::successors::Label;
use stubborn_system::components::Components;
use stubborn_system::system::{InstanceId, System};

use super::bounds::Bounds;
use super::facts::Facts;
use super::footprint::Collector;
use super::forest::{CellId, OutcomeId};
use super::interference::Profile;
use super::local_states::Part;
use super::partial::Partial;
use super::present::Present;
use super::sensitive::{ahead_of, nearest};
use super::vocabulary::{EventId, ViewId, Vocabulary};
use super::work::{Look, Work};
use super::{Related, Scratch};
use crate::reduction::{At, Awaits, Transition, Visibility, key_finder};

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
        Tester::seeing(related, monitor, awaits, None)
    }

    /// The joint steps in which it takes part, each with its distance.
    pub fn visible(&self, related: &Related<'_>) -> Vec<(u32, Transition)> {
        self.nearest(related, |part, _| part.joint)
    }

    /// The transitions that the tester sees, as algorithm B numbers them; those that it takes alone
    /// among them.
    pub fn visible_in_order(&self, related: &Related<'_>) -> Vec<(u32, Transition)> {
        self.nearest(related, |part, views| {
            Some(part.joint.map_or(part.view, |event| views + event))
        })
    }

    /// The transitions of the tester's parts, each with its distance, given the number of views.
    fn nearest(
        &self,
        related: &Related<'_>,
        transition: impl Fn(&Part, Transition) -> Option<Transition>,
    ) -> Vec<(u32, Transition)> {
        related.facts.as_ref().map_or(Vec::new(), |facts| {
            let views = facts.profiles.len() as Transition;
            let locals = &facts.locals[self.monitor as usize];
            nearest(locals, |part| transition(part, views))
        })
    }

    /// The same where it sees no other joint steps than these; what it takes alone it sees.
    pub fn among(&self, related: &Related<'_>, sensitive: &[Transition]) -> Tester {
        let among = related.facts.as_ref().map(|facts| {
            let mut events = vec![false; facts.vocabulary.events.len()];
            for event in sensitive {
                events[*event as usize] = true;
            }
            let locals = &facts.locals[self.monitor as usize];
            let sees = |part: &Part| part.joint.is_none_or(|event| events[event as usize]);
            Among {
                ahead: ahead_of(locals, &sees),
                events,
            }
        });
        Tester::seeing(related, self.monitor, self.awaits.clone(), among)
    }

    fn seeing(
        related: &Related<'_>,
        monitor: InstanceId,
        awaits: Vec<Awaits>,
        among: Option<Among>,
    ) -> Tester {
        let mut tester = Tester {
            monitor,
            awaits,
            passed: Vec::new(),
            among,
        };
        if let Some(facts) = &related.facts {
            let sees = |event: EventId| {
                let participants = &facts.vocabulary.events[event as usize].participants;
                tester.counts(event) && participants.contains(&monitor)
            };
            tester.passed = passed(facts, &|event, _| event.is_some_and(sees));
        }
        tester
    }

    /// Whether it sees a joint step in which it takes part.
    fn counts(&self, event: EventId) -> bool {
        let among = self.among.as_ref();
        among.is_none_or(|among| among.events[event as usize])
    }
}

impl Visibility<Related<'_>> for Tester {
    fn awaits(&self, related: &Related<'_>, state: &[u64]) -> Option<Awaits> {
        let location = related.packed.location(state, self.monitor) as usize;
        let awaits = self.awaits.get(location).copied();
        Some(awaits.unwrap_or(Awaits::Lasting))
    }

    fn ahead(&self, at: &mut At<'_, Related<'_>>) -> Members {
        let monitor = self.monitor as usize;
        let now = at.scratch.instances().get(monitor);
        let is_ahead = |among: &Among| now.is_none_or(|now| among.ahead[now.at as usize]);
        let counts = self.among.as_ref().is_none_or(is_ahead);
        counts.then_some(monitor).into_iter().collect()
    }

    /// A visible step needs the tester as a participant.
    fn takes_visible(&self, _: usize, _: &mut At<'_, Related<'_>>) -> bool {
        false
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        let mut participants = label.participants.iter();
        participants.any(|(who, _)| *who == self.monitor)
    }

    fn has_key(&self, process: usize, wanted: &Members, at: &mut At<'_, Related<'_>>) -> bool {
        has_key(self, process, wanted, at, &|who, event, _| {
            self.monitor as usize != who || event.is_some_and(|event| !self.counts(event))
        })
    }

    fn has_passed(&self, process: usize, at: &mut At<'_, Related<'_>>) -> bool {
        has_passed(&self.passed, process, at.scratch)
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
        let known = Facts::new(bounds, packed, &[], &codes, &mut Work::new(look))?;
        let (facts, observed) = match known {
            // The values are the conditions under which the propositions are true, and false.
            Some((facts, values)) => {
                let forest = &facts.vocabulary.forest;
                let is_observed = |profile: &Profile| {
                    let mut values = values.iter();
                    values.any(|condition| condition.may_be_ended_by(profile, forest, None))
                };
                let views = facts.profiles.iter().map(is_observed).collect();
                let mut reads: Vec<CellId> = values.iter().flat_map(|c| c.reads.clone()).collect();
                reads.sort_unstable();
                reads.dedup();
                let steps = touching_steps(packed, &facts.vocabulary, &reads);
                let observed = Observed::of(Some(&facts), Awaits::Lasting, views, steps);
                (Some(facts), observed)
            }
            // Where nothing is known everything is fired, and none of this is asked.
            None => {
                let observed = Observed::of(None, Awaits::Lasting, Vec::new(), Vec::new());
                (None, observed)
            }
        };
        ControlFlow::Continue((Related { packed, facts }, observed))
    }
}

impl Observed {
    fn of(
        facts: Option<&Facts>,
        awaits: Awaits,
        views: Vec<bool>,
        steps: Vec<Vec<bool>>,
    ) -> Observed {
        let is_observed = |_, view: ViewId| views[view as usize];
        Observed {
            awaits,
            futures: facts.map_or(Vec::new(), |facts| futures_with(facts, &views)),
            steps,
            passed: facts.map_or(Vec::new(), |facts| passed(facts, &is_observed)),
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
        Observed::of(
            related.facts.as_ref(),
            self.awaits,
            views,
            self.steps.clone(),
        )
    }
}

impl Visibility<Related<'_>> for Observed {
    fn awaits(&self, _: &Related<'_>, _: &[u64]) -> Option<Awaits> {
        Some(self.awaits)
    }

    fn ahead(&self, at: &mut At<'_, Related<'_>>) -> Members {
        let instances = at.scratch.instances().iter().enumerate();
        let ahead = instances.filter(|(_, now)| self.futures[now.future as usize]);
        ahead.map(|(instance, _)| instance).collect()
    }

    fn takes_visible(&self, process: usize, at: &mut At<'_, Related<'_>>) -> bool {
        Related::takes(process, at, &|_, view| self.views[view as usize])
    }

    fn is_visible(&self, label: Label<'_>) -> bool {
        let mut participants = label.participants.iter();
        participants.any(|(who, step)| self.steps[*who as usize][*step as usize])
    }

    fn has_key(&self, process: usize, wanted: &Members, at: &mut At<'_, Related<'_>>) -> bool {
        let is_invisible = |_, _, view: ViewId| !self.views[view as usize];
        has_key(self, process, wanted, at, &is_invisible)
    }

    fn has_passed(&self, process: usize, at: &mut At<'_, Related<'_>>) -> bool {
        has_passed(&self.passed, process, at.scratch)
    }
}

/// Whether a part of an instance's step is never visible.
type IsInvisible<'a> = &'a dyn Fn(usize, Option<EventId>, ViewId) -> bool;

/// Whether the instance is the first participant of a key in which one of the wanted takes part.
/// If an instance has a part that was not tried, only the steps can tell.
fn has_key<'r>(
    visibility: &impl Visibility<Related<'r>>,
    process: usize,
    wanted: &Members,
    at: &mut At<'_, Related<'r>>,
    is_invisible: IsInvisible<'_>,
) -> bool {
    let Some(present) = at.model.present(at.state, at.scratch) else {
        return false;
    };
    let local = present.local(process);
    if local.is_uncertain || present.working.is_opaque {
        let mut finder = key_finder(wanted, |label| visibility.is_visible(label));
        return at.visit_process(process, &mut finder).is_break();
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
        let mut all = participants.iter();
        participants.first() == Some(&(process as InstanceId))
            && all.any(|who| wanted.contains(*who as usize))
            && is_key_event(&present, *event, is_invisible)
    })
}

fn has_passed(passed: &[Vec<bool>], process: usize, scratch: &Scratch) -> bool {
    let at = scratch.instances()[process].at;
    passed[process][at as usize]
}

/// Every participant has a part that is there, does not fail, and is never visible.
fn is_key_event(present: &Present<'_, '_>, event: EventId, is_invisible: IsInvisible<'_>) -> bool {
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
    facts.vocabulary.forest.takes(outcome).is_some()
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
            collector.step(who as InstanceId, step as u32);
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
