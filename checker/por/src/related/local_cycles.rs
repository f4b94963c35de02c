//! Algorithm B of L. Brim et al. (2005): a search that sees to cycles itself, where the
//! *insensitive cycles* of processes become fewer from round to round, until there are none.
//!
//! A transition here is a view, or a joint step with its values, and a step is *sensitive* if a
//! part of it is. A cycle of a process is one in the graph of an instance's local states; it is
//! insensitive if none of its parts is sensitive. As there are finitely many local states, an
//! instance that takes infinitely many steps goes round such cycles for ever. So, where no cycle is
//! insensitive, every infinite run has infinitely many sensitive steps; and no run has more
//! insensitive ones in a row than there are local states of all instances together, since each step
//! takes all its participants along an edge of a graph without a cycle. Variables are no matter:
//! those that are an instance's own are in its local states, or left out of them, which makes
//! cycles and takes none away.
//!
//! # Beside a monitor
//!
//! With the sets of [`Observed`](super::Observed) and [`Tester`](super::Tester) no cycle matters,
//! since all that may ever be visible is in them, or a key is. Here neither is asked. A set T(s)
//! obeys D0 to D2, and C2: if it has an enabled sensitive step, then it has, of each run from s
//! with a sensitive step, that one or one before it: all instances of which one lies ahead are
//! members. And it has a step that is enabled and does not fail, or all: the search takes all steps
//! of a state where none of the set's leads off its path (C3~, [`Closing`]).
//!
//! Findings of a round are real. The last one finds something if there is something, where all that
//! is visible is sensitive, and no cycle insensitive. The paper has that from its Theorem 3.2,
//! whose proof looks for *scattered* cycles that are the identity in all states (Def. 3.3), where
//! only one state is known in which they are. There is a shorter way, which needs neither them nor
//! C3~. Let t1 t2 … be a violating run from a state s of the reduced product: to a state marked
//! reject, which then is its last; or to a terminal one; or an infinite one. Let tj be its first
//! sensitive step, if there is one.
//!
//! 1. *Some step of the run is in T(s).* Let tk be the first: D1 lets it be fired first. If it is
//!    sensitive then k = j, by C2 and since those before tj are not; so the sensitive steps come in
//!    the same order, and among them those that are visible: the monitor goes through the same
//!    states. What remains after tk violates as before.
//! 2. *No step of it is.* If it has no steps, s shows the violation. An enabled step u of T(s) that
//!    does not fail stays so beside the whole run and commutes with it (D1, D2). If u is sensitive,
//!    then the run has no sensitive step (C2): so it is not infinite; it does not lead to a state
//!    marked reject, which s would be; and its last state is not terminal, as u is enabled there.
//!    So u is insensitive. It is fired, and the same run remains.
//!
//! In case 2 a step is fired that is insensitive, and in case 1 one may be that comes after tj. But
//! no more than so many insensitive steps can follow each other, and while there is a tj the next
//! sensitive step that is fired is tj. So all sensitive steps of the run are fired, in their order:
//! the state marked reject is reached; or from an infinite run an infinite path comes with the same
//! visible steps, which in the finite product has a cycle that shows the same; or a finite run
//! remains without a sensitive step, of which case 2 cannot come (its last state is terminal), and
//! each time that case 1 does one step less remains. ∎
//!
//! Failing steps: the argument of [`visibility`](super::visibility). A step that fails is in no
//! run, and a set of failing steps alone has no step that leads off the path.
//!
//! # Recurrences
//!
//! There the condition on cycles is C3 itself ([`cycles`](crate::reduction::cycles)), asked of the
//! reduced space when it is there. A set with a sensitive step leaves nothing out. So where no
//! cycle of a process is insensitive, every cycle of the space has a state in which nothing is left
//! out.
//!
//! [`Closing`]: stubborn_explorer::search::closing::Closing

use rustc_hash::FxHashSet;
use stubborn_space::members::Members;
use stubborn_space::recurring::Recurring;
use stubborn_space::successors::Label;
use stubborn_system::components::Components;
use stubborn_system::system::StepId;

use super::Related;
use super::facts::Facts;
use super::interference::is_enabled;
use super::local_states::{LocalStates, Part};
use super::sensitive::ahead_of;
use super::vocabulary::{EventId, ViewId};
use crate::reduction::{At, Awaits, Transition, Visibility};

/// Which parts are sensitive.
#[derive(Clone)]
struct Counting {
    views: Vec<bool>,
    events: Vec<bool>,
}

impl Counting {
    /// The number of a view is its transition's; those of joint steps follow.
    fn of(facts: &Facts, sensitive: &[Transition]) -> Counting {
        let (views, events) = (facts.profiles.len(), facts.vocabulary.events.len());
        let mut counting = Counting {
            views: vec![false; views],
            events: vec![false; events],
        };
        for &one in sensitive {
            match (one as usize).checked_sub(views) {
                None => counting.views[one as usize] = true,
                Some(event) => counting.events[event] = true,
            }
        }
        counting
    }

    fn counts(&self, event: Option<EventId>, view: ViewId) -> bool {
        self.views[view as usize] || event.is_some_and(|event| self.events[event as usize])
    }
}

/// Visibility of a system's steps in algorithm B.
pub struct InOrder {
    counting: Option<Counting>,
    /// By instance and local state, whether a sensitive step lies ahead.
    ahead: Vec<Vec<bool>>,
}

impl InOrder {
    pub fn new(related: &Related<'_>, sensitive: &[Transition]) -> InOrder {
        let Some(facts) = &related.facts else {
            return InOrder {
                counting: None,
                ahead: Vec::new(),
            };
        };
        let counting = Counting::of(facts, sensitive);
        let of_instances = facts.locals.iter();
        let ahead = of_instances.map(|locals| {
            let starts = |part: &Part| counting.counts(part.joint, part.view);
            ahead_of(locals, &starts)
        });
        InOrder {
            ahead: ahead.collect(),
            counting: Some(counting),
        }
    }
}

impl Visibility<Related<'_>> for InOrder {
    fn awaits(&self, _: &Related<'_>, _: &[u64]) -> Option<Awaits> {
        Some(Awaits::InOrder)
    }

    fn ahead(&self, at: &mut At<'_, Related<'_>>) -> Members {
        let instances = at.scratch.instances().iter().zip(&self.ahead).enumerate();
        let ahead = instances.filter(|(_, (now, ahead))| ahead[now.at as usize]);
        ahead.map(|(instance, _)| instance).collect()
    }

    fn takes_visible(&self, process: usize, at: &mut At<'_, Related<'_>>) -> bool {
        let Some(counting) = &self.counting else {
            return false;
        };
        Related::takes(process, at, &|event, view| counting.counts(event, view))
    }

    fn is_visible(&self, _: Label<'_>) -> bool {
        true
    }
}

impl Related<'_> {
    /// Whether the process may have an enabled part of this kind in the present state. Of what was
    /// too much to be tried nothing is known.
    pub(super) fn takes(
        process: usize,
        at: &mut At<'_, Related<'_>>,
        is_one: &dyn Fn(Option<EventId>, ViewId) -> bool,
    ) -> bool {
        let Some(mut present) = at.model.present(at.state, at.scratch) else {
            return false;
        };
        let mut parts = present.local(process).parts.iter().enumerate();
        parts.any(|(number, part)| {
            let outcome = present.working.instances[process].outcomes[number];
            let is_rough = present.facts.profiles[part.view as usize].cubes.is_none();
            is_one(part.joint, part.view)
                && (is_rough
                    || is_enabled(outcome)
                        && part
                            .joint
                            .is_none_or(|event| present.standing(event).enabled))
        })
    }

    /// The views of parts on insensitive cycles of processes, each with its distance. What
    /// `questions` see on its way is sensitive, too.
    pub fn insensitive_cycles(
        &self,
        sensitive: &[Transition],
        questions: &[Recurring],
    ) -> Vec<(u32, Transition)> {
        let Some(facts) = &self.facts else {
            return Vec::new();
        };
        let counting = Counting::of(facts, sensitive);
        let mut on_cycles: FxHashSet<ViewId> = FxHashSet::default();
        for (who, locals) in facts.locals.iter().enumerate() {
            let mut is_seen = self.seen_by(facts, who, locals, questions);
            let (mut targets, mut views) = (Vec::new(), Vec::new());
            for (at, state) in locals.states.iter().enumerate() {
                let insensitive = state.successors.iter().filter(|(_, event, view)| {
                    !counting.counts(*event, *view) && !is_seen(at, *event)
                });
                let (to, of_state): (Vec<u32>, Vec<ViewId>) =
                    insensitive.map(|(to, _, view)| (*to, *view)).unzip();
                targets.push(to);
                views.push(of_state);
            }
            let components = Components::of(&targets);
            for (from, (to, views)) in (0..).zip(targets.iter().zip(&views)) {
                let steps = to.iter().zip(views);
                let round = steps
                    .filter(|(to, _)| components.component(**to) == components.component(from));
                on_cycles.extend(round.map(|(_, view)| *view));
            }
        }
        facts.nearest(|part| on_cycles.contains(&part.view).then_some(part.view))
    }

    /// Whether a question certainly sees what an instance takes at a local state, alone or in a
    /// joint step.
    fn seen_by<'f>(
        &self,
        facts: &'f Facts,
        who: usize,
        locals: &LocalStates,
        questions: &'f [Recurring],
    ) -> impl FnMut(usize, Option<EventId>) -> bool + 'f {
        let slot = self.packed.layout.locations[who];
        let place = locals.tracked.iter().position(|tracked| *tracked == slot);
        let mut locations = vec![0u32; locals.states.len()];
        if let Some(place) = place {
            for (location, key) in locations.iter_mut().zip(&locals.keys) {
                *location = key[place] as u32;
            }
        }
        // Which step it is is not known here, so that no named step is certain to be taken.
        let participants = [(who as u32, StepId::MAX)];
        move |at, event| {
            let values = event.map(|event| {
                let event = &facts.vocabulary.events[event as usize];
                (event.action, &*event.values)
            });
            let label = Label {
                participants: &participants,
                action: values,
            };
            let at = |_| locations[at];
            questions
                .iter()
                .any(|question| question.is_visible(label, &at))
        }
    }
}
