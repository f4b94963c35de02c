//! The instances and their joint steps in a state.

use std::ops::ControlFlow;

use stubborn_space::members::Members;
use stubborn_space::packed::{Packed, Scratch as PackedScratch};
use stubborn_space::profit::A_STEP;
use stubborn_space::successors::Label;
use stubborn_system::system::Failure;

use super::ahead::{Here, Now, ReachId, Reaches, Run};
use super::bounds::Bounds;
use super::enabling::{EnablerId, Lacking};
use super::facts::Facts;
use super::forest::{CellId, DISABLED, FAILS, OutcomeId};
use super::futures::{Future, FutureId, FutureSets};
use super::interference::{Effort, is_enabled};
use super::local_states::{LocalState, LocalStateId, Part};
use super::numbers::Numbers;
use super::touching::Neighbours;
use super::vocabulary::EventId;

/// More enabled steps of an instance than this are not counted.
const MANY: u32 = 64;

/// Answers that were worked out for a pair and a future: not yet, no, yes.
#[derive(Default)]
pub struct Answers(Vec<u8>);

impl Answers {
    pub fn get(&self, future: FutureId) -> Option<bool> {
        match self.0.get(future as usize)? {
            0 => None,
            answer => Some(*answer == 2),
        }
    }

    /// Forgets the answers for all futures from this one on.
    fn forget(&mut self, from: usize) {
        self.0.truncate(from);
    }

    pub fn learn(&mut self, future: FutureId, answer: bool) {
        if self.0.len() <= future as usize {
            self.0.resize(future as usize + 1, 0);
        }
        self.0[future as usize] = 1 + u8::from(answer);
    }
}

/// Working memory for one state at a time, and what was learned from those before.
pub struct Working {
    pub instances: Vec<Now>,
    events: Vec<Standing>,
    stamp: u32,
    /// Some instance has a part of a joint step that was not tried.
    pub is_opaque: bool,
    key: Vec<u64>,
    pub known: Known,
    /// The abstract runs from here.
    pub runs: Vec<Run>,
    reaches: Reaches,
    bounds: Bounds,
    /// How many futures local states have.
    futures: usize,
    /// How often the others were forgotten.
    pub forgotten: u32,
    /// Look-ups so far, but for those that found out what is remembered: a function of what was
    /// asked.
    pub work: u64,
    /// And those.
    pub learning: u64,
}

/// A joint step in the present state.
#[derive(Clone, Copy, Default)]
pub struct Standing {
    stamp: u32,
    pub enabled: bool,
    /// Every participant has a part that matches.
    pub matches: bool,
}

/// Cache of answers from the states before.
pub struct Known {
    /// Futures that are not among those of local states; their numbers follow those.
    pub futures: FutureSets,
    numbers: Vec<Numbers>,
    /// By view, of its outcomes that were met.
    pub disturbed: Vec<Vec<(OutcomeId, u32)>>,
    pub disturbing: Vec<Case>,
    pub enabling: Vec<Bringing>,
}

/// Instances that may bring an enabler about.
#[derive(Default)]
pub struct Bringing {
    /// From their initial local states, and so from any.
    pub ever: Option<Members>,
    /// By futures.
    pub answers: Answers,
}

/// A view with one outcome, and who may take a step that is not independent of it.
pub struct Case {
    /// Instances that may ever disturb it, whatever its outcome is.
    pub ever: Members,
    /// The views that may disturb it.
    pub neighbours: Neighbours,
    /// By futures: whether they disturb it with this outcome, and with any.
    pub answers: [Answers; 2],
    /// Whether it makes a difference if the outcome changes.
    pub has_others: bool,
    /// The conditions that it may end; and whatever its outcome is.
    pub ends: Members,
    pub ends_any: Members,
}

impl Working {
    pub fn new(facts: &Facts) -> Working {
        let instances = facts.locals.len();
        Working {
            instances: (0..instances).map(|_| Now::default()).collect(),
            events: vec![Standing::default(); facts.vocabulary.events.len()],
            stamp: 0,
            is_opaque: false,
            key: Vec::new(),
            runs: Vec::new(),
            reaches: Reaches::new(instances),
            bounds: facts.vocabulary.bounds,
            futures: facts.sets.len(),
            forgotten: 0,
            known: Known {
                futures: FutureSets::default(),
                numbers: facts.locals.iter().map(Numbers::new).collect(),
                enabling: facts.enablers.iter().map(|_| Bringing::default()).collect(),
                disturbed: vec![Vec::new(); facts.profiles.len()],
                disturbing: Vec::new(),
            },
            work: 0,
            learning: 0,
        }
    }

    /// About how much memory it takes what is remembered of the others' futures, in bytes.
    pub fn bytes(&self) -> u64 {
        self.reaches.bytes()
    }

    /// Not to remember ever more: what is forgotten is found out again when it is asked for.
    fn forget(&mut self) {
        let futures = self.known.futures.len();
        if self.reaches.len() <= self.bounds.reaches && futures <= self.bounds.futures {
            return;
        }
        self.reaches = Reaches::new(self.instances.len());
        self.known.futures = FutureSets::default();
        self.forgotten = self.forgotten.wrapping_add(1);
        for case in &mut self.known.disturbing {
            case.answers
                .iter_mut()
                .for_each(|of| of.forget(self.futures));
        }
        for bringing in &mut self.known.enabling {
            bringing.answers.forget(self.futures);
        }
    }

    /// Invalidates the answers for other states.
    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamp = 1;
            self.events.iter_mut().for_each(|event| event.stamp = 0);
            self.runs.iter_mut().for_each(|run| run.stamp = 0);
            self.instances.iter_mut().for_each(|now| now.alone.0 = 0);
        }
    }
}

/// One state, and what is asked of it.
pub struct Present<'a, 'p> {
    pub packed: &'a Packed<'p>,
    pub facts: &'a Facts,
    pub working: &'a mut Working,
    pub scratch: &'a mut PackedScratch,
    pub state: &'a [u64],
}

impl<'a> Present<'a, '_> {
    /// Looks at every instance. Whether all of them were foreseen, which cannot be otherwise.
    pub fn begin(&mut self) -> bool {
        self.working.next_stamp();
        self.working.forget();
        self.working.is_opaque = false;
        (0..self.facts.locals.len()).all(|instance| self.look_at(instance).is_some())
    }

    /// The run in which these stand still.
    pub fn ahead(&mut self, still: &Members, effort: &mut Effort<'_>) -> usize {
        let stamp = self.working.stamp;
        let mut runs = self.working.runs.iter();
        if let Some(at) = runs.position(|run| run.stamp == stamp && run.still == *still) {
            return at;
        }
        let mut runs = self.working.runs.iter();
        let at = runs.position(|run| run.stamp != stamp);
        let at = at.unwrap_or_else(|| {
            self.working.runs.push(Run::default());
            self.working.runs.len() - 1
        });
        for who in 0..self.facts.locals.len() {
            if !still.contains(who) {
                self.reach_alone(who, effort);
            }
        }
        let (facts, working) = (self.facts, &mut *self.working);
        let run = &mut working.runs[at];
        (run.stamp, run.still) = (stamp, still.clone());
        let mut here = Here {
            facts,
            state: self.state,
            instances: &working.instances,
            futures: &mut working.known.futures,
            effort,
            work: 0,
            learning: 0,
        };
        working.reaches.run(&mut here, run);
        working.work += here.work;
        working.learning += here.learning;
        at
    }

    /// The future of an instance from here on while all others stand still.
    pub fn alone(&mut self, who: usize, effort: &mut Effort<'_>) -> FutureId {
        let reach = self.reach_alone(who, effort);
        self.working.reaches.future(reach)
    }

    fn reach_alone(&mut self, who: usize, effort: &mut Effort<'_>) -> ReachId {
        let (facts, working) = (self.facts, &mut *self.working);
        let (stamp, known) = working.instances[who].alone;
        if stamp == working.stamp {
            return known;
        }
        let mut here = Here {
            facts,
            state: self.state,
            instances: &working.instances,
            futures: &mut working.known.futures,
            effort,
            work: 0,
            learning: 0,
        };
        let reach = working.reaches.alone(&mut here, who);
        working.learning += here.work + here.learning;
        working.instances[who].alone = (working.stamp, reach);
        reach
    }

    pub fn future(&self, future: FutureId) -> Future<'_> {
        match (future as usize).checked_sub(self.facts.sets.len()) {
            None => self.facts.sets.get(future),
            Some(more) => self.working.known.futures.get(more as FutureId),
        }
    }

    /// The local state in which an instance is.
    pub fn local(&self, instance: usize) -> &'a LocalState {
        let at = self.working.instances[instance].at;
        &self.facts.locals[instance].states[at as usize]
    }

    /// Finds the local state of an instance, and what its parts come to; `None` if there is no such
    /// local state, which cannot be.
    fn look_at(&mut self, instance: usize) -> Option<()> {
        let locals = &self.facts.locals[instance];
        let working = &mut *self.working;
        let numbers = &mut working.known.numbers[instance];
        let number = match numbers.find(self.state) {
            Some(number) => number,
            None => {
                working.key.clear();
                let values = locals.tracked.iter().map(|slot| slot.raw(self.state));
                working.key.extend(values);
                let number = locals.keys.get_index_of(working.key.as_slice());
                // A state that permutations make of one that is reached need not be reached itself.
                debug_assert!(
                    number.is_some() || self.facts.is_turned,
                    "every local state was foreseen"
                );
                let number = number? as LocalStateId;
                numbers.learn(self.state, number);
                number
            }
        };
        let now = &mut working.instances[instance];
        now.at = number;
        now.future = self.facts.futures[instance].of[0][number as usize];
        now.outcomes.clear();
        let vocabulary = &self.facts.vocabulary;
        let slots = &self.packed.layout.slots;
        let local = &locals.states[number as usize];
        for part in &local.parts {
            let raw = |cell: CellId| slots[cell as usize].raw(self.state);
            now.outcomes.push(vocabulary.forest.decide(part.tree, raw));
        }
        working.work += 1 + local.parts.len() as u64;
        working.is_opaque |= local.is_opaque;
        Some(())
    }

    /// How many enabled steps have the instance as their first participant. If some instance has a
    /// part that was not tried, only the steps themselves can tell.
    pub fn enabled(&mut self, instance: usize) -> u32 {
        let facts = self.facts;
        let local = self.local(instance);
        if local.is_uncertain || self.working.is_opaque {
            let mut count = 0;
            let mut counter = |_: Label<'_>, _: Result<&[u64], &Failure>| {
                count += 1;
                match count < MANY {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            };
            let (state, scratch) = (self.state, &mut *self.scratch);
            let _ = self
                .packed
                .visit_instance(instance, state, scratch, &mut counter);
            self.working.work += A_STEP * u64::from(1 + count);
            return count;
        }
        let mut count = 0;
        let outcomes = &self.working.instances[instance].outcomes;
        for (part, outcome) in local.parts.iter().zip(outcomes) {
            count += u32::from(part.joint.is_none() && is_enabled(*outcome));
        }
        for (event, _) in &local.offers {
            // There are no participants if values that fail are in no instance's alphabet.
            let participants = &facts.vocabulary.events[*event as usize].participants;
            if (participants.first()).is_some_and(|first| *first as usize == instance) {
                count += self.combinations(*event);
            }
        }
        count
    }

    /// The parts that an instance has for a joint step now, each with what it comes to.
    pub fn parts(
        &self,
        instance: usize,
        event: EventId,
    ) -> impl Iterator<Item = (&'a Part, OutcomeId)> + '_ {
        let now = &self.working.instances[instance];
        let local = self.local(instance);
        let offer = local.offers.binary_search_by_key(&event, |(e, _)| *e);
        let numbers = offer.map_or(&[][..], |at| local.offers[at].1.as_slice());
        numbers.iter().map(|number| {
            let number = *number as usize;
            (&local.parts[number], now.outcomes[number])
        })
    }

    /// By what a literal can become true that is false now; `None` if it is true.
    ///
    /// The first message of a queue does not count while there is none: then the length must
    /// change.
    #[inline]
    pub fn enabler(&self, lacking: &Lacking) -> Option<EnablerId> {
        let length = self.facts.heads.get(&lacking.literal.cell);
        if length.is_some_and(|length| length.raw(self.state) == 0) {
            return None;
        }
        let slot = self.packed.layout.slots[lacking.literal.cell as usize];
        let raw = slot.raw(self.state);
        let values = &lacking.literal.values;
        let at = values.partition_point(|value| *value < raw);
        if values.get(at) == Some(&raw) {
            return None;
        }
        let below = u32::from(at < values.len());
        let above = u32::from(at > 0);
        Some(lacking.enabler + below + 2 * above)
    }

    pub fn standing(&mut self, event: EventId) -> Standing {
        let participants = &self.facts.vocabulary.events[event as usize].participants;
        self.working.work += participants.len() as u64;
        let known = self.working.events[event as usize];
        if known.stamp == self.working.stamp {
            return known;
        }
        let (mut ready, mut matches, mut fails) = (true, true, false);
        for &who in participants {
            let mut outcomes = self.parts(who as usize, event).map(|(_, outcome)| outcome);
            let (mut here, mut matching) = (false, false);
            for outcome in &mut outcomes {
                here |= is_enabled(outcome);
                fails |= outcome == FAILS;
                matching |= outcome != DISABLED;
            }
            ready &= here;
            matches &= matching;
        }
        let standing = Standing {
            stamp: self.working.stamp,
            enabled: ready || matches && fails,
            matches,
        };
        self.working.events[event as usize] = standing;
        standing
    }

    fn combinations(&mut self, event: EventId) -> u32 {
        if !self.standing(event).enabled {
            return 0;
        }
        let participants = &self.facts.vocabulary.events[event as usize].participants;
        let ready = participants.iter().map(|who| {
            let parts = self.parts(*who as usize, event);
            parts.filter(|(_, outcome)| is_enabled(*outcome)).count() as u32
        });
        // A part that fails beside one that waits makes a failing step too.
        ready.fold(1, u32::saturating_mul).max(1)
    }
}
