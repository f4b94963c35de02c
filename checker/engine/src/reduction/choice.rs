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
//! fired (D0).

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use stubborn_model::system::Failure;

use super::forest::{DISABLED, FAILS, OutcomeId, WAITS};
use super::interference::is_enabled;
use super::local_states::{LocalStateId, Part};
use super::members::Members;
use super::mutation::{Mutation, is_left_out};
use super::relations::{EnablerId, Lacking, Relations, Wanted};
use super::vocabulary::{EventId, View, ViewId};
use crate::packed::{Packed, Scratch as PackedScratch};
use crate::successors::{Label, Visit};

/// More enabled steps of an instance than this are not counted.
const MANY: u32 = 64;

/// Answers that were worked out for a pair and a future: not yet, no, yes.
type Answers = Box<[u8]>;

/// Working memory for one state at a time, and what was learned from those before.
pub struct Working {
    instances: Vec<Now>,
    events: Vec<Standing>,
    conditions: Vec<Option<bool>>,
    rows: Vec<Option<Members>>,
    stamp: u32,
    key: Vec<u64>,
    known: Known,
}

/// An instance in the present state.
#[derive(Default)]
struct Now {
    at: LocalStateId,
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

#[derive(Default)]
struct Known {
    numbers: Vec<FxHashMap<u64, LocalStateId>>,
    disturbed: FxHashMap<(ViewId, OutcomeId), u32>,
    disturbing: Vec<Case>,
    enabling: Vec<Answers>,
}

struct Case {
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

impl Working {
    pub fn new(relations: &Relations<'_>) -> Working {
        let instances = relations.locals.len();
        Working {
            instances: (0..instances).map(|_| Now::default()).collect(),
            events: vec![Standing::default(); relations.vocabulary.events.len()],
            conditions: vec![None; relations.conditions.len()],
            rows: vec![None; instances + relations.conditions.len()],
            stamp: 0,
            key: Vec::new(),
            known: Known {
                numbers: vec![FxHashMap::default(); instances],
                enabling: vec![Box::default(); relations.enablers.len()],
                ..Known::default()
            },
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
    pub relations: &'a Relations<'a>,
    pub working: &'a mut Working,
    pub scratch: &'a mut PackedScratch,
    pub state: &'a [u64],
}

impl Chooser<'_, '_> {
    /// `None` where everything is to be fired.
    pub fn choose(&mut self) -> Option<Choice> {
        let count = self.relations.locals.len();
        self.working.stamp = self.working.stamp.wrapping_add(1);
        self.working.rows.fill(None);
        self.working.conditions.fill(None);
        for instance in 0..count {
            self.look_at(instance)?;
        }
        let mut enabled = 0;
        let mut busy = 0;
        for instance in 0..count {
            let own = self.count(instance);
            self.working.instances[instance].enabled = own;
            enabled += own;
            busy += u32::from(own > 0);
        }
        if busy == 0 {
            return None;
        }
        let members = self.working.rows.len();
        let mut search = Components {
            chooser: self,
            index: 0,
            indices: vec![0; members],
            low: vec![0; members],
            stack: Vec::new(),
            is_open: Members::default(),
            leads_to_steps: Members::default(),
            best: None,
        };
        for instance in 0..count {
            let is_busy = search.chooser.working.instances[instance].enabled > 0;
            if is_busy && search.indices[instance] == 0 {
                search.visit(instance);
            }
            if search.is_settled() {
                break;
            }
        }
        let (fired, instances) = search.best?;
        Some(Choice {
            instances,
            leaves_out: fired < enabled,
            enabled,
            fired,
        })
    }

    /// Finds the local state of an instance, and what its parts come to; `None` if it has none,
    /// which cannot be.
    fn look_at(&mut self, instance: usize) -> Option<()> {
        let locals = &self.relations.locals[instance];
        let working = &mut *self.working;
        let mut width = 0;
        let mut short = 0;
        for slot in &locals.tracked {
            let raw = slot.raw(self.state);
            short |= raw.checked_shl(width).unwrap_or(0);
            width += slot.mask.count_ones();
        }
        let number = (width <= 64)
            .then(|| working.known.numbers[instance].get(&short).copied())
            .flatten();
        let number = match number {
            Some(number) => number,
            None => {
                working.key.clear();
                working
                    .key
                    .extend(locals.tracked.iter().map(|slot| slot.raw(self.state)));
                let number = locals.numbers.get(working.key.as_slice()).copied();
                debug_assert!(number.is_some(), "every local state was foreseen");
                let number = number?;
                if width <= 64 {
                    working.known.numbers[instance].insert(short, number);
                }
                number
            }
        };
        let now = &mut working.instances[instance];
        now.at = number;
        now.outcomes.clear();
        let vocabulary = &self.relations.vocabulary;
        let slots = &self.packed.layout.slots;
        for part in &locals.states[number as usize].parts {
            now.outcomes
                .push(match vocabulary.views()[part.view as usize] {
                    View::Exact { tree, .. } => vocabulary
                        .forest
                        .decide(tree, |cell| slots[cell as usize].raw(self.state)),
                    View::Rough { .. } => DISABLED,
                });
        }
        Some(())
    }

    /// How many enabled steps have the instance as their first participant.
    fn count(&mut self, instance: usize) -> u32 {
        let relations = self.relations;
        let at = self.working.instances[instance].at;
        let local = &relations.locals[instance].states[at as usize];
        if local.is_uncertain {
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

    /// What a member of the graph needs.
    fn row(&mut self, member: usize) -> Members {
        if let Some(row) = self.working.rows[member] {
            return row;
        }
        let count = self.relations.locals.len();
        let mut row = if member < count {
            self.needs_of_instance(member)
        } else {
            self.needs_of_condition(member - count)
        };
        row.remove(member);
        self.working.rows[member] = Some(row);
        row
    }

    fn needs_of_instance(&mut self, who: usize) -> Members {
        let relations = self.relations;
        let at = self.working.instances[who].at;
        let local = &relations.locals[who].states[at as usize];
        if local.is_opaque {
            return Members::below(relations.locals.len());
        }
        let mut needs = Members::default();
        for number in 0..local.parts.len() {
            let part = &local.parts[number];
            if part.joint.is_some() {
                continue;
            }
            let outcome = self.working.instances[who].outcomes[number];
            let profile = &relations.profiles[part.view as usize];
            let is_certain = profile.cubes.is_some() && profile.bag.is_none();
            if profile.cubes.is_none() || is_enabled(outcome) {
                self.stays(who, part.view, outcome, &mut needs);
            }
            if !is_certain || !is_enabled(outcome) {
                self.stays_disabled(who, part.view, false, &mut needs);
            }
        }
        for (event, numbers) in &local.offers {
            self.needs_of_event(who, *event, numbers, &mut needs);
        }
        needs
    }

    /// Adds those who could disturb an enabled step.
    fn stays(&mut self, who: usize, view: ViewId, outcome: OutcomeId, needs: &mut Members) {
        let case = self.case(view, outcome);
        let (mut strict, mut loose) = (Members::default(), Members::default());
        let has_others = self.working.known.disturbing[case as usize].has_others;
        let count = self.relations.locals.len();
        for other in (0..count).filter(|other| *other != who) {
            if self.disturbs(case, view, Some(outcome), who, other) {
                strict.insert(other);
            }
            if has_others && self.disturbs(case, view, None, who, other) {
                loose.insert(other);
            }
        }
        let known = &self.working.known.disturbing[case as usize];
        let (chosen, ends) = if has_others && loose.len() < strict.len() {
            (loose, known.ends_any)
        } else {
            (strict, known.ends)
        };
        needs.add(&chosen);
        if !ends.is_empty() && !is_left_out(Mutation::Visibility) {
            for condition in ends.iter() {
                // A condition that is there already has been seen: nothing need be kept of it.
                if !self.is_there(condition) {
                    needs.insert(count + condition);
                }
            }
        }
    }

    fn case(&mut self, view: ViewId, outcome: OutcomeId) -> u32 {
        if let Some(case) = self.working.known.disturbed.get(&(view, outcome)) {
            return *case;
        }
        let relations = self.relations;
        let profile = &relations.profiles[view as usize];
        let has_others = profile.cubes.as_ref().is_some_and(|cubes| {
            let mut enabled = cubes.iter().filter(|cube| is_enabled(cube.outcome));
            enabled.any(|cube| cube.outcome != outcome)
        });
        let futures = relations.sets.len();
        let exact = profile.cubes.is_some().then_some(outcome);
        let known = &mut self.working.known;
        known.disturbing.push(Case {
            this: vec![0; futures].into(),
            any: vec![0; if has_others { futures } else { 0 }].into(),
            has_others,
            ends: relations.ended_by(view, exact),
            ends_any: relations.ended_by(view, None),
        });
        let case = known.disturbing.len() as u32 - 1;
        known.disturbed.insert((view, outcome), case);
        case
    }

    fn disturbs(
        &mut self,
        case: u32,
        view: ViewId,
        outcome: Option<OutcomeId>,
        who: usize,
        other: usize,
    ) -> bool {
        let relations = self.relations;
        let future = {
            let futures = &relations.futures[other];
            let kind = futures.kind[who] as usize;
            futures.of[kind][self.working.instances[other].at as usize]
        };
        let case = &mut self.working.known.disturbing[case as usize];
        let answers = if outcome.is_some() {
            &mut case.this
        } else {
            &mut case.any
        };
        let answer = &mut answers[future as usize];
        if *answer == 0 {
            *answer = 1 + u8::from(relations.disturbs(future, view, outcome));
        }
        *answer == 2
    }

    /// Adds those who could make a step enabled that is not; with `matching`, those who could make
    /// it match at all.
    fn stays_disabled(&mut self, who: usize, view: ViewId, matching: bool, needs: &mut Members) {
        if is_left_out(Mutation::Enabling) {
            return;
        }
        let relations = self.relations;
        let enabling = &relations.enabling[view as usize];
        if let Some(enabler) = enabling.anyway
            && !(is_left_out(Mutation::Bags) && relations.profiles[view as usize].bag.is_some())
        {
            self.enablers(Some(who), enabler, needs);
        }
        let cubes = if matching {
            &enabling.matching
        } else {
            &enabling.ready
        };
        for cube in cubes {
            let mut best: Option<Members> = None;
            for lacking in cube {
                let Some(enabler) = self.enabler(lacking) else {
                    continue;
                };
                let mut those = Members::default();
                self.enablers(Some(who), enabler, &mut those);
                if best.is_none_or(|best| those.len() < best.len()) {
                    best = Some(those);
                }
                if those.is_subset(needs) {
                    break;
                }
            }
            // A bag's step may have all its literals true, and no message that matches.
            needs.add(&best.unwrap_or_default());
        }
    }

    /// By what a literal can become true that is false now; `None` if it is true.
    ///
    /// What the first message of a queue is does not count while there is none: then it is the
    /// length that must change.
    fn enabler(&self, lacking: &Lacking) -> Option<EnablerId> {
        let length = self.relations.heads.get(&lacking.literal.cell);
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

    /// Adds those who, while `who` stands still, could get to take such a step.
    fn enablers(&mut self, who: Option<usize>, enabler: EnablerId, into: &mut Members) {
        let relations = self.relations;
        for other in 0..relations.locals.len() {
            if Some(other) == who || into.contains(other) {
                continue;
            }
            let futures = &relations.futures[other];
            let kind = who.map_or(0, |who| futures.kind[who] as usize);
            let future = futures.of[kind][self.working.instances[other].at as usize];
            let answers = &mut self.working.known.enabling[enabler as usize];
            if answers.is_empty() {
                *answers = vec![0; relations.sets.len()].into();
            }
            let answer = &mut answers[future as usize];
            if *answer == 0 {
                *answer = 1 + u8::from(relations.enables(future, enabler));
            }
            if *answer == 2 {
                into.insert(other);
            }
        }
    }

    fn needs_of_event(&mut self, who: usize, event: EventId, numbers: &[u32], needs: &mut Members) {
        let relations = self.relations;
        let at = self.working.instances[who].at;
        let local = &relations.locals[who].states[at as usize];
        let Standing {
            enabled, matches, ..
        } = self.standing(event);
        let known = &relations.vocabulary.events[event as usize];
        let may_fail = known.can_fail && !is_left_out(Mutation::Failing);
        if enabled || matches && may_fail {
            if enabled && is_left_out(Mutation::Participants) {
                return;
            }
            // Nobody moves then but in the set; what is left are the guards.
            for other in &known.participants {
                needs.insert(*other as usize);
            }
            for number in numbers {
                let view = local.parts[*number as usize].view;
                let outcome = self.working.instances[who].outcomes[*number as usize];
                if is_enabled(outcome) {
                    self.stays(who, view, outcome, needs);
                } else {
                    self.stays_disabled(who, view, false, needs);
                }
                if may_fail && outcome == DISABLED {
                    self.stays_disabled(who, view, true, needs);
                }
            }
            return;
        }
        if is_left_out(Mutation::Blockers) {
            return;
        }
        // It waits for somebody: for one of them is enough.
        let mut best: Option<Members> = None;
        for &other in &known.participants {
            let parts: Vec<(ViewId, OutcomeId)> = self
                .parts(other as usize, event)
                .map(|(part, outcome)| (part.view, outcome))
                .collect();
            let mut outcomes = parts.iter().map(|(_, outcome)| *outcome);
            let waits = match may_fail {
                // A part that fails elsewhere is enough where all match.
                true => outcomes.all(|outcome| outcome == DISABLED),
                false => outcomes.all(|outcome| outcome == DISABLED || outcome == WAITS),
            };
            if !waits {
                continue;
            }
            let mut those = Members::default();
            if other as usize != who {
                those.insert(other as usize);
            }
            for (view, _) in parts {
                self.stays_disabled(who, view, may_fail, &mut those);
            }
            // Only the guards of this one matter, and it may be itself who changes them.
            those.remove(who);
            if best.is_none_or(|best| those.len() < best.len()) {
                best = Some(those);
            }
        }
        match best {
            Some(best) => needs.add(&best),
            None => {
                debug_assert!(false, "a joint step that is not enabled waits for somebody");
                needs.add(&Members::below(relations.locals.len()));
            }
        }
    }

    /// Whether a property's condition is there in this state.
    fn is_there(&mut self, condition: usize) -> bool {
        if let Some(known) = self.working.conditions[condition] {
            return known;
        }
        let stacks = &mut self.scratch.stacks;
        let found = self.relations.conditions[condition].holds(self.packed, stacks, self.state);
        self.working.conditions[condition] = Some(found);
        found
    }

    fn needs_of_condition(&mut self, condition: usize) -> Members {
        if is_left_out(Mutation::VisibleEnabling) {
            return Members::default();
        }
        let relations = self.relations;
        let (is_true, needs) = self.brought_about(&relations.wanted[condition]);
        debug_assert!(
            !is_true,
            "a condition that is there is not asked what it needs"
        );
        needs
    }

    /// Whether the formula is true; if not, those who could make it so.
    fn brought_about(&mut self, wanted: &Wanted) -> (bool, Members) {
        let mut needs = Members::default();
        let is_true = match wanted {
            Wanted::Constant(value) => *value,
            Wanted::Literal(lacking) => match self.enabler(lacking) {
                None => true,
                Some(enabler) => {
                    self.enablers(None, enabler, &mut needs);
                    false
                }
            },
            Wanted::Opaque(enabler) => {
                self.enablers(None, *enabler, &mut needs);
                false
            }
            Wanted::All(parts) => {
                let mut best: Option<Members> = None;
                for part in parts {
                    let (is_true, those) = self.brought_about(part);
                    if !is_true && best.is_none_or(|best| those.len() < best.len()) {
                        best = Some(those);
                    }
                }
                needs = best.unwrap_or_default();
                best.is_none()
            }
            Wanted::Any(parts) => {
                let mut any = false;
                for part in parts {
                    let (is_true, those) = self.brought_about(part);
                    any |= is_true;
                    needs.add(&those);
                }
                any
            }
            Wanted::AtLeast(least, parts) => {
                let mut count = 0;
                for part in parts {
                    let (is_true, those) = self.brought_about(part);
                    count += usize::from(is_true);
                    needs.add(&those);
                }
                count >= *least
            }
        };
        (is_true, if is_true { Members::default() } else { needs })
    }
}

/// Tarjan's algorithm over the members that the enabled steps need.
struct Components<'c, 'a, 'p> {
    chooser: &'c mut Chooser<'a, 'p>,
    index: u32,
    /// 0 for a member that was not met.
    indices: Vec<u32>,
    low: Vec<u32>,
    stack: Vec<usize>,
    is_open: Members,
    /// The members of complete components from which an enabled step can be reached.
    leads_to_steps: Members,
    /// The fewest enabled steps so far, and the component that has them.
    best: Option<(u32, Members)>,
}

impl Components<'_, '_, '_> {
    /// There is nothing better to be found.
    fn is_settled(&self) -> bool {
        self.best.is_some_and(|(fired, _)| fired <= 1)
    }

    /// No deeper than there are members.
    fn visit(&mut self, member: usize) {
        self.index += 1;
        self.indices[member] = self.index;
        self.low[member] = self.index;
        self.stack.push(member);
        self.is_open.insert(member);
        let row = self.chooser.row(member);
        for needed in row.iter() {
            if self.indices[needed] == 0 {
                self.visit(needed);
                if self.is_settled() {
                    return;
                }
                self.low[member] = self.low[member].min(self.low[needed]);
            } else if self.is_open.contains(needed) {
                self.low[member] = self.low[member].min(self.indices[needed]);
            }
        }
        if self.low[member] == self.indices[member] {
            self.close(member);
        }
    }

    fn close(&mut self, root: usize) {
        let count = self.chooser.relations.locals.len();
        let mut component = Members::default();
        let mut needed = Members::default();
        let mut enabled = 0;
        while let Some(member) = self.stack.pop() {
            self.is_open.remove(member);
            component.insert(member);
            needed.add(&self.chooser.row(member));
            if member < count {
                enabled += self.chooser.working.instances[member].enabled;
            }
            if member == root {
                break;
            }
        }
        let leads_on = needed
            .iter()
            .any(|member| self.leads_to_steps.contains(member));
        if enabled > 0 || leads_on {
            self.leads_to_steps.add(&component);
        }
        let is_candidate = enabled > 0 || is_left_out(Mutation::KeyStep);
        if is_candidate && !leads_on && self.best.is_none_or(|(fewest, _)| enabled < fewest) {
            self.best = Some((enabled, component));
        }
    }
}
