//! Choosing a stubborn set for a state.
//!
//! A set is made of instances: with an instance all its steps are in it, the joint ones among them.
//! "If this instance, then those" is a graph, and so is "if this property's imaginary step": a set
//! from which no edge leads out fulfils D1 and D2 (Valmari 2015, section IV):
//!
//! - An enabled step needs every instance that could, from where it is, while this one stands still,
//!   get to take a step that disturbs it. So whatever the others do, it stays enabled and commutes
//!   with it. An enabled joint step needs its other participants.
//! - A disabled step needs, for each conjunction under which it would be enabled, those who could
//!   make one of the literals true that is now false. A joint step that waits needs one of those
//!   that it waits for, and those who could make this one's guard true.
//! - A step that may end a property's condition needs the condition; a condition needs those who
//!   could bring it about.
//!
//! The strong components of this graph are found with Tarjan's algorithm; of those from which no
//! other component with an enabled step can be reached, the one with the fewest enabled steps is
//! fired (D0). A monitor asks for more (`goals`).

mod components;
mod goals;
mod needs;
mod numbers;

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use components::{Components, Visited};
use numbers::Numbers;

use crate::packed::{Packed, Scratch as PackedScratch};
use crate::reduction::forest::{CellId, DISABLED, FAILS, OutcomeId, WAITS};
use crate::reduction::futures::FutureId;
use crate::reduction::interference::is_enabled;
use crate::reduction::local_states::{LocalStateId, Part};
use crate::reduction::members::Members;
use crate::reduction::monitors::Visibility;
use crate::reduction::relations::Relations;
use crate::reduction::vocabulary::EventId;
use crate::successors::{Label, Visit};

/// More enabled steps of an instance than this are not counted.
const MANY: u32 = 64;

/// Answers that were worked out for a pair and a future: not yet, no, yes.
type Answers = Box<[u8]>;

/// Working memory for one state at a time, and what was learned from those before.
pub struct Working {
    instances: Vec<Now>,
    events: Vec<Standing>,
    /// What each member needs, and for which state that was last found out.
    rows: Vec<(u32, Members)>,
    stamp: u32,
    key: Vec<u64>,
    known: Known,
    components: Visited,
}

/// An instance in the present state.
#[derive(Default)]
struct Now {
    at: LocalStateId,
    /// What it may do from here on, whoever stands still.
    future: FutureId,
    /// Of each part.
    outcomes: Vec<OutcomeId>,
    /// How many steps are enabled of which it is the first participant.
    enabled: u32,
}

/// A joint step in the present state.
#[derive(Clone, Copy, Default)]
struct Standing {
    stamp: u32,
    enabled: bool,
    /// Every participant has a part that matches.
    matches: bool,
}

struct Known {
    numbers: Vec<Numbers>,
    /// By view, of its outcomes that were met.
    disturbed: Vec<Vec<(OutcomeId, u32)>>,
    disturbing: Vec<Case>,
    enabling: Vec<Bringing>,
}

/// Who may bring about what an enabler says.
#[derive(Default)]
struct Bringing {
    /// From their initial local states, and so from any.
    ever: Option<Members>,
    /// By futures.
    answers: Answers,
}

struct Case {
    /// Who may ever disturb it, whatever its outcome is.
    ever: Members,
    /// By futures.
    this: Answers,
    any: Answers,
    /// Whether it makes a difference if the outcome changes.
    has_others: bool,
    /// The conditions that it may end; and whatever its outcome is.
    ends: Members,
    ends_any: Members,
}

/// What is to be fired in a state.
pub struct Choice {
    pub instances: Members,
    /// Whether any enabled step is left out.
    pub leaves_out: bool,
    pub enabled: u32,
    pub fired: u32,
}

impl Choice {
    fn new(instances: Members, fired: u32, enabled: u32) -> Choice {
        Choice {
            instances,
            leaves_out: fired < enabled,
            enabled,
            fired,
        }
    }
}

/// What the present state is like.
struct Prepared {
    enabled: u32,
    /// Somebody has a part of a joint step that was not tried.
    is_opaque: bool,
}

impl Working {
    pub fn new(relations: &Relations) -> Working {
        let instances = relations.locals.len();
        Working {
            instances: (0..instances).map(|_| Now::default()).collect(),
            events: vec![Standing::default(); relations.vocabulary.events.len()],
            rows: vec![(0, Members::default()); instances + relations.conditions.len()],
            stamp: 0,
            key: Vec::new(),
            known: Known {
                numbers: relations.locals.iter().map(Numbers::new).collect(),
                enabling: relations
                    .enablers
                    .iter()
                    .map(|_| Bringing::default())
                    .collect(),
                disturbed: vec![Vec::new(); relations.profiles.len()],
                disturbing: Vec::new(),
            },
            components: Visited::default(),
        }
    }

    /// What was found out for other states is no longer valid.
    fn next_stamp(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamp = 1;
            self.events.iter_mut().for_each(|event| event.stamp = 0);
            self.rows.iter_mut().for_each(|row| row.0 = 0);
        }
    }

    /// The instances that are the first participants of steps enabled in the present state.
    pub fn busy(&self) -> Members {
        let mut busy = Members::default();
        for (who, now) in self.instances.iter().enumerate() {
            if now.enabled > 0 {
                busy.insert(who);
            }
        }
        busy
    }
}

/// One state and the set that is being chosen for it.
pub struct Chooser<'a, 'p> {
    pub packed: &'a Packed<'p>,
    pub relations: &'a Relations,
    pub working: &'a mut Working,
    pub scratch: &'a mut PackedScratch,
    pub state: &'a [u64],
    /// What a monitor sees.
    pub visibility: Visibility<'a>,
    /// The instances that may yet take a step that is observed.
    pub visible_ahead: Members,
}

impl Chooser<'_, '_> {
    /// `None` where everything is to be fired.
    pub fn choose(&mut self) -> Option<Choice> {
        let prepared = self.prepare()?;
        let (fired, instances) = self.smallest(None)?;
        Some(Choice::new(instances, fired, prepared.enabled))
    }

    /// Looks at every instance. `None` where there is nothing to choose.
    fn prepare(&mut self) -> Option<Prepared> {
        let count = self.relations.locals.len();
        self.working.next_stamp();
        let mut is_opaque = false;
        for instance in 0..count {
            is_opaque |= self.look_at(instance)?;
        }
        let mut enabled = 0;
        let mut busy = 0;
        for instance in 0..count {
            let own = self.count(instance, is_opaque);
            self.working.instances[instance].enabled = own;
            enabled += own;
            busy += u32::from(own > 0);
        }
        self.find_visible_ahead();
        // With one instance there is nothing to choose.
        (busy > 1).then_some(Prepared { enabled, is_opaque })
    }

    /// The closed set with the fewest enabled steps of those that are found, and has one; with
    /// `keys`, of those that have one of these instances. With its number of enabled steps.
    fn smallest(&mut self, keys: Option<Members>) -> Option<(u32, Members)> {
        let count = self.relations.locals.len();
        let mut visited = std::mem::take(&mut self.working.components);
        visited.begin(self.working.rows.len());
        let mut search = Components {
            chooser: self,
            visited,
            is_open: Members::default(),
            leads_to_steps: Members::default(),
            keys,
            best: None,
        };
        for instance in 0..count {
            let begins = match keys {
                None => search.chooser.working.instances[instance].enabled > 0,
                Some(keys) => keys.contains(instance),
            };
            if begins && search.visited.indices[instance] == 0 {
                search.visit(instance);
            }
            if search.is_settled() {
                break;
            }
        }
        let (best, visited) = (search.best, search.visited);
        self.working.components = visited;
        best
    }

    /// Finds the local state of an instance, and what its parts come to. Whether it has a part of a
    /// joint step that was not tried; `None` if there is no such local state, which cannot be.
    fn look_at(&mut self, instance: usize) -> Option<bool> {
        let locals = &self.relations.locals[instance];
        let working = &mut *self.working;
        let numbers = &mut working.known.numbers[instance];
        let number = match numbers.find(&locals.tracked, self.state) {
            Some(number) => number,
            None => {
                working.key.clear();
                let values = locals.tracked.iter().map(|slot| slot.raw(self.state));
                working.key.extend(values);
                let number = locals.numbers.get(working.key.as_slice()).copied();
                debug_assert!(number.is_some(), "every local state was foreseen");
                let number = number?;
                numbers.learn(&locals.tracked, self.state, number);
                number
            }
        };
        let now = &mut working.instances[instance];
        now.at = number;
        now.future = self.relations.futures[instance].of[0][number as usize];
        now.outcomes.clear();
        let vocabulary = &self.relations.vocabulary;
        let slots = &self.packed.layout.slots;
        for part in &locals.states[number as usize].parts {
            let raw = |cell: CellId| slots[cell as usize].raw(self.state);
            now.outcomes.push(vocabulary.forest.decide(part.tree, raw));
        }
        Some(locals.states[number as usize].is_opaque)
    }

    /// How many enabled steps have the instance as their first participant. Where somebody has a
    /// part that was not tried, only the steps themselves can tell.
    fn count(&mut self, instance: usize, is_opaque: bool) -> u32 {
        let relations = self.relations;
        let at = self.working.instances[instance].at;
        let local = &relations.locals[instance].states[at as usize];
        if local.is_uncertain || is_opaque {
            struct Counter(u32);
            impl Visit for Counter {
                fn step(&mut self, _: Label<'_>, _: Result<&[u64], &Failure>) -> ControlFlow<()> {
                    self.0 += 1;
                    if self.0 < MANY {
                        ControlFlow::Continue(())
                    } else {
                        ControlFlow::Break(())
                    }
                }
            }
            let mut counter = Counter(0);
            let (state, scratch) = (self.state, &mut *self.scratch);
            let _ = self
                .packed
                .visit_instance(instance, state, scratch, &mut counter);
            // The events must be looked at all the same.
            for (event, _) in &local.offers {
                self.standing(*event);
            }
            return counter.0;
        }
        let mut count = 0;
        let outcomes = &self.working.instances[instance].outcomes;
        for (part, outcome) in local.parts.iter().zip(outcomes) {
            count += u32::from(part.joint.is_none() && is_enabled(*outcome));
        }
        for (event, _) in &local.offers {
            // Nobody takes part where values that fail are in no instance's alphabet.
            let participants = &relations.vocabulary.events[*event as usize].participants;
            if (participants.first()).is_some_and(|first| *first as usize == instance) {
                count += self.combinations(*event);
            }
        }
        count
    }

    /// The parts that an instance has for a joint step now, each with what it comes to.
    fn parts(&self, instance: usize, event: EventId) -> impl Iterator<Item = (&Part, OutcomeId)> {
        let now = &self.working.instances[instance];
        let local = &self.relations.locals[instance].states[now.at as usize];
        let offer = local.offers.binary_search_by_key(&event, |(e, _)| *e);
        let numbers = offer.map_or(&[][..], |at| local.offers[at].1.as_slice());
        numbers.iter().map(|number| {
            let number = *number as usize;
            (&local.parts[number], now.outcomes[number])
        })
    }

    fn standing(&mut self, event: EventId) -> Standing {
        let known = self.working.events[event as usize];
        if known.stamp == self.working.stamp {
            return known;
        }
        let participants = &self.relations.vocabulary.events[event as usize].participants;
        let (mut ready, mut matches, mut fails) = (true, true, false);
        for &who in participants {
            let mut outcomes = self.parts(who as usize, event).map(|(_, outcome)| outcome);
            let (mut here, mut matching) = (false, false);
            for outcome in &mut outcomes {
                here |= outcome != DISABLED && outcome != WAITS;
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
        let participants = &self.relations.vocabulary.events[event as usize].participants;
        let ready = participants.iter().map(|who| {
            let parts = self.parts(*who as usize, event);
            let ready = parts.filter(|(_, outcome)| *outcome != DISABLED && *outcome != WAITS);
            ready.count() as u32
        });
        // Where a part fails beside one that waits there is a failing step too.
        ready.fold(1, u32::saturating_mul).max(1)
    }
}
