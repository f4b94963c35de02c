//! The canonical tester of a specification: what it must not see, for each semantics.
//!
//! Let S be the specification and X(σ) the set of states that it may be in after the trace σ, empty
//! where σ is no trace of S; [`Deterministic`] has a state for each X(σ) that is not empty. The
//! tester follows X(σ); as it is deterministic but for `tau`, it is after σ in the state of X(σ), or
//! has taken a `tau` from there. Where X(σ) is empty for the first time it goes *outside*. By
//! Valmari 1993, Def. 3.2 and Thm 3.3, it has to be shown for each semantics that what the tester
//! calls illegal is exactly what the specification cannot do, as far as a process can do it.
//!
//! - *Traces*: outside is a reject state. σ has a prefix after which the tester rejects if and only
//!   if X of a prefix, hence X(σ), is empty, hence σ ∉ tr(S).
//!
//! - *Failures*: traces as above. Let σ be a trace of S. (σ, A) ∈ sfail(S) if and only if X(σ) has a
//!   stable state q with next(q) ∩ A = ∅; so it is illegal if and only if A has an event of each
//!   next(q), that is, A has a minimal such *hitting set* as a subset. For each minimal hitting set H
//!   there is a `tau` to a deadlock monitor state whose next set is H: so (σ, A) is an illegal stable
//!   failure by Def. 3.2 if and only if H ⊆ A for some H. Where X(σ) has no stable state, H = ∅ is
//!   the only one: S is never stable there, and neither may the system be. Where some q refuses
//!   everything there is none. Where σ is no trace of S, its failures are told as an illegal trace.
//!   The events of H lead to where they lead from X(σ), so that the monitor states add nothing else.
//!   An event that never occurs in the model belongs to every refusal of it, so it is left out of H,
//!   and a next set with such an event is hit already ([`Subset::acceptances`]).
//!
//! - *Divergences*: σ ∈ divtr(S) if and only if a state of X(σ) can run invisibly for ever. Where
//!   none can, the state is a livelock monitor state. Outside is one that takes part in everything:
//!   no continuation of a σ ∉ tr(S) is a divergence trace of S. An illegal trace by itself is allowed.
//!
//! - *Infinite traces*: outside is an infinite trace monitor state that takes part in everything.
//!   An infinite ξ is illegal in S if and only if a finite prefix is no trace of S: S is finite, so
//!   if each prefix can be executed, the runs of S for the prefixes are a tree of finitely many
//!   branches at each point, and have an infinite branch (König's lemma), which executes ξ. (Valmari
//!   remarks that a finite-state specification has no other illegal infinite traces.) And ξ has such
//!   a prefix if and only if the tester is outside infinitely often.
//!
//! - *CFFD*: stable failures and divergences as above, outside being a reject state. A process that
//!   has a trace σ ∉ tr(S) comes after σ to a stable state, and has a stable failure (σ, ∅); or never
//!   does, and then it has a divergence trace that begins with σ or an infinite one; each of the three
//!   is one that S does not have. And each infinite trace that S does not have, has such a prefix. (A
//!   run that ends with a failing step is none of the three; its trace is told all the same.)
//!
//! A state after which nothing of this can happen any more is left out with all steps to it: the
//! tester then blocks what leads there, and nothing has to be explored behind it. It blocks nothing
//! in a deadlock monitor state that belongs to its next set: there the step leads to a state that is
//! not monitored and takes part in nothing. Events that never occur in the model are left out.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use stubborn_automata::{NotMade, Work};
use stubborn_system::components::Components;
use stubborn_system::property::{Semantics, Tester, TesterState, TesterStep};
use stubborn_system::system::ActionPattern;

use super::determinise::{Deterministic, Subset};
use super::events::{EventId, Events};
use super::hitting::minimal_hitting_sets;
use crate::verdict::Reason;

/// The canonical tester of a specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// It names no event that never occurs in the model.
    pub tester: Tester,
    /// For each of its states the locations (ascending) at which the specification may then be; none
    /// where the specification cannot do what has been done, or where nothing is looked for any
    /// more.
    pub shown: Vec<crate::trace::MonitorState>,
}

/// How many states a tester may have.
pub const MOST_STATES: usize = 200_000;

/// How many steps the states of a tester may have together.
const MOST_STEPS: usize = 5_000_000;

/// About what a state of a tester takes, and a step with its pattern.
const BYTES_OF_STATE: usize = 256;
const BYTES_OF_STEP: usize = 64;

/// How many minimal hitting sets one state may have.
pub const MOST_HITTING_SETS: usize = 2_000;

/// Which kinds of violation a semantics asks for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub failures: bool,
    pub divergences: bool,
    /// Being outside is a violation by itself.
    traces: bool,
    infinite_traces: bool,
}

impl Asked {
    pub fn of(semantics: Semantics) -> Asked {
        let is_cffd = semantics == Semantics::Cffd;
        Asked {
            failures: is_cffd || semantics == Semantics::Failures,
            divergences: is_cffd || semantics == Semantics::Divergences,
            traces: is_cffd || matches!(semantics, Semantics::Traces | Semantics::Failures),
            infinite_traces: semantics == Semantics::InfiniteTraces,
        }
    }

    /// The automaton without what does not matter.
    pub fn forget_others(self, all: &mut Deterministic) {
        for state in &mut all.states {
            if !self.failures {
                state.acceptances.clear();
            }
            if !self.divergences {
                state.diverges = false;
            }
        }
    }
}

/// The canonical tester of what a specification may be in after each trace.
///
/// # Errors
/// Where it would have more states than `most`, or too many steps, or the work has been stopped.
pub fn canonical(
    all: &Deterministic,
    events: &Events,
    semantics: Semantics,
    most: usize,
    work: &Work<'_>,
) -> Result<Canonical, NotMade<Reason>> {
    let asked = Asked::of(semantics);
    let refusals = refusals(all, asked, most, work)?;
    let matters = matters(all, events, asked, &refusals);
    let construction = Construction {
        all,
        events,
        asked,
        refusals,
        matters,
        states: IndexSet::default(),
        steps: 0,
    };
    construction.build(most, work)
}

/// For each state the minimal hitting sets of what it accepts.
fn refusals(
    all: &Deterministic,
    asked: Asked,
    most: usize,
    work: &Work<'_>,
) -> Result<Vec<Vec<Vec<EventId>>>, NotMade<Reason>> {
    let too_large = |most: usize| NotMade::TooLarge(Reason::MonitorTooLarge(most as u64));
    let mut total = 0;
    let mut refusals = Vec::with_capacity(all.states.len());
    for state in &all.states {
        let mut found = Vec::new();
        if asked.failures {
            found = minimal_hitting_sets(&state.acceptances, MOST_HITTING_SETS, work)?
                .ok_or(too_large(MOST_HITTING_SETS))?;
        }
        total += found.len();
        if total > most {
            return Err(too_large(most));
        }
        refusals.push(found);
    }
    Ok(refusals)
}

/// For each state whether something can be violated there or later.
fn matters(
    all: &Deterministic,
    events: &Events,
    asked: Asked,
    refusals: &[Vec<Vec<EventId>>],
) -> Vec<bool> {
    let possible = events.occurring().count();
    let states = all.states.iter();
    let is_goal = |(state, refusals): (&Subset, &Vec<_>)| {
        let leads_outside = state.next.len() < possible;
        leads_outside || !refusals.is_empty() || is_livelock(state, asked)
    };
    let goals: Vec<bool> = states.clone().zip(refusals).map(is_goal).collect();
    let next = states.map(|state| state.next.iter().map(|(_, to)| *to).collect());
    let next: Vec<Vec<u32>> = next.collect();
    Components::of(&next).leading_to(&goals)
}

fn is_livelock(state: &Subset, asked: Asked) -> bool {
    asked.divergences && !state.diverges
}

/// A state of the tester.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Role {
    /// The trace so far leads the specification to this state of the automaton.
    At(u32),
    /// The same, and the system may not refuse all these events.
    Refused(u32, Vec<EventId>),
    /// No trace of the specification any more.
    Outside,
    /// Nothing is looked for any more.
    Done,
}

struct Construction<'a> {
    all: &'a Deterministic,
    events: &'a Events,
    asked: Asked,
    refusals: Vec<Vec<Vec<EventId>>>,
    matters: Vec<bool>,
    /// In the order in which they are met first.
    states: IndexSet<Role, FxBuildHasher>,
    steps: usize,
}

impl Construction<'_> {
    fn build(mut self, most: usize, work: &Work<'_>) -> Result<Canonical, NotMade<Reason>> {
        let possible = self.events.occurring().count();
        let visible = self.patterns(self.events.occurring().map(|event| (event, 0)).collect());
        let visible: Vec<ActionPattern> = visible.into_iter().map(|(on, _)| on).collect();
        let mut tester = Tester {
            visible,
            states: Vec::new(),
            initial: self.number(Role::At(0)),
        };
        let mut shown: Vec<Vec<u32>> = Vec::new();
        while let Some(role) = self.states.get_index(tester.states.len()) {
            let role = role.clone();
            work.spend(1 + 10 * possible)?;
            work.hold(BYTES_OF_STATE * self.states.len() + BYTES_OF_STEP * self.steps)?;
            let state = self.state(&role, &tester.visible);
            self.steps += state.steps.len();
            tester.states.push(state);
            shown.push(match role {
                Role::At(at) | Role::Refused(at, _) => {
                    self.all.states[at as usize].locations.clone()
                }
                Role::Outside | Role::Done => Vec::new(),
            });
            if self.steps > MOST_STEPS || self.states.len() > most {
                // So many there are at the least.
                let found = self.states.len() as u64 - 1;
                return Err(NotMade::TooLarge(Reason::MonitorTooLarge(found)));
            }
        }
        Ok(Canonical { tester, shown })
    }

    fn number(&mut self, role: Role) -> u32 {
        self.states.insert_full(role).0 as u32
    }

    fn state(&mut self, role: &Role, visible: &[ActionPattern]) -> TesterState {
        match role {
            Role::At(at) => self.following(*at),
            Role::Refused(at, refused) => {
                let steps = refused.iter().map(|event| {
                    let to = self.after(*at, *event);
                    (*event, to.unwrap_or_else(|| self.number(Role::Done)))
                });
                let steps = steps.collect();
                TesterState {
                    deadlock: true,
                    steps: self.on_events(steps),
                    ..TesterState::default()
                }
            }
            Role::Outside => self.outside(visible),
            Role::Done => TesterState::default(),
        }
    }

    /// A state that follows the trace.
    fn following(&mut self, at: u32) -> TesterState {
        if !self.matters[at as usize] {
            return TesterState::default();
        }
        let events = self.events;
        let steps = events.occurring();
        let steps = steps.filter_map(|event| Some((event, self.after(at, event)?)));
        let steps = steps.collect();
        let mut steps = self.on_events(steps);
        for refused in self.refusals[at as usize].clone() {
            let target = self.number(Role::Refused(at, refused));
            steps.push(TesterStep { on: None, target });
        }
        TesterState {
            livelock: is_livelock(&self.all.states[at as usize], self.asked),
            steps,
            ..TesterState::default()
        }
    }

    /// Where an event leads that occurs in the model, unless nothing can be violated there.
    fn after(&mut self, at: u32, event: EventId) -> Option<u32> {
        let next = &self.all.states[at as usize].next;
        match next.binary_search_by_key(&event, |(event, _)| *event) {
            Err(_) => Some(self.number(Role::Outside)),
            Ok(found) => {
                let to = next[found].1;
                self.matters[to as usize].then(|| self.number(Role::At(to)))
            }
        }
    }

    fn outside(&mut self, visible: &[ActionPattern]) -> TesterState {
        if self.asked.traces {
            return TesterState {
                reject: true,
                ..TesterState::default()
            };
        }
        let target = self.number(Role::Outside);
        let steps = visible.iter().map(|on| TesterStep {
            on: Some(on.clone()),
            target,
        });
        TesterState {
            livelock: self.asked.divergences,
            infinite: self.asked.infinite_traces,
            steps: steps.collect(),
            ..TesterState::default()
        }
    }

    fn on_events(&self, steps: Vec<(EventId, u32)>) -> Vec<TesterStep> {
        let steps = self.patterns(steps).into_iter();
        steps
            .map(|(on, target)| TesterStep {
                on: Some(on),
                target,
            })
            .collect()
    }

    /// The steps, by event, with one pattern for all of its events where these lead to one state.
    fn patterns(&self, steps: Vec<(EventId, u32)>) -> Vec<(ActionPattern, u32)> {
        let target_of = |event: EventId| {
            let found = steps.binary_search_by_key(&event, |(event, _)| *event);
            found.ok().map(|at| steps[at].1)
        };
        // The pattern that stands for the event, at the first of its events.
        let mut of_first: FxHashMap<EventId, &ActionPattern> = FxHashMap::default();
        let mut covered: FxHashSet<EventId> = FxHashSet::default();
        for (pattern, of_pattern) in &self.events.patterns {
            let first = of_pattern[0];
            let Some(target) = target_of(first) else {
                continue;
            };
            let rest = &of_pattern[1..];
            if !rest.is_empty() && rest.iter().all(|event| target_of(*event) == Some(target)) {
                of_first.insert(first, pattern);
                covered.extend(rest);
            }
        }
        let mut patterns = Vec::new();
        for (event, target) in &steps {
            if let Some(pattern) = of_first.get(event) {
                patterns.push(((*pattern).clone(), *target));
            } else if !covered.contains(event) {
                patterns.push((self.events.pattern(*event), *target));
            }
        }
        patterns
    }
}
