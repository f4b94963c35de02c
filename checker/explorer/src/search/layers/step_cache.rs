//! Cache of the steps of states.
//!
//! The steps of a state come in groups, one for each process. Which steps a group has, and what
//! they change, is a function of some bits of the state, the *footprint* of the group
//! ([`Footprints::footprint`]); a step changes no bits outside it. The word of a state tells each
//! of these bits by some of its own ([`Coding::telling`]). Two states whose words have *these* bits
//! in common have the same steps in the group, and for each step the words before and after it
//! differ in the same bits: those outside the footprint stay as they are, and those in it are the
//! same before and the same after. The cache has these differences by the bits in common, so that a
//! state whose steps are all cached is not even decoded.
//!
//! The footprint depends on the location of the process, a function of a few bits of the word that
//! every footprint contains ([`Coding::field`]).
//!
//! Failing steps are computed each time, since the observer sees their labels. A group whose steps
//! are found in the cache too seldom is computed each time for a while; counts decide, not times.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use stubborn_space::options::Use;
use stubborn_space::pays::Pays;
use stubborn_space::successors::{Bits, Footprints, Label, Visit, Wanted};
use stubborn_system::system::Failure;

use super::outcomes::{NO_KEY, NOT_KNOWN, Outcome, Outcomes};
use super::sink::Sink;
use crate::store::coding::{Coding, Field};

/// Most bits of a word that tell the location of a process.
const MOST_BITS: u32 = 12;
/// Most values of these bits for all groups together.
const MOST_PLACES: usize = 1 << 18;
/// Most memory of the cache in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// Most steps of a group in one state that are cached.
const MOST_STEPS: usize = 1 << 12;
/// Builds with debug assertions check one of this many entries that are used.
const CHECKED: u64 = 8;

/// The cache takes at most a part of the memory limit and, beyond a few bytes, of the memory in
/// use.
const PART_OF_MEMORY: u64 = 16;
const PART_IN_USE: u64 = 4;
const FEW_BYTES: u64 = 32 << 20;

/// Whether caches may take `bytes` bytes, if the search holds `held` in all and may hold
/// `most_memory`.
pub fn may_be_cached(bytes: u64, held: u64, most_memory: Option<u64>) -> bool {
    bytes <= FEW_BYTES.max(held / PART_IN_USE)
        && most_memory.is_none_or(|most| bytes <= most / PART_OF_MEMORY)
}

/// Cached steps of all groups.
#[derive(Default)]
pub struct StepCache {
    when: Use,
    /// The groups of the model that give all of its steps, in this order; finer ones for some.
    numbers: Vec<usize>,
    groups: Vec<Group>,
    /// The group that is to be replaced by finer ones.
    splits: Option<usize>,
    /// Whether the entries of some group are more than fit in a processor's cache.
    is_large: bool,
    /// Number of changes of all words after which the groups were set up.
    laid_out: Option<u64>,
    /// Number of states that were visited.
    states: u64,
    bytes: u64,
    /// Buffers for the footprint of a group and the changes of its steps.
    footprint: Vec<u64>,
    noted: Vec<u64>,
}

struct Group {
    /// The number of the model's group.
    number: usize,
    /// The bits of a word that tell the location of the process, and the bits of a state that they
    /// tell.
    field: Field,
    common: Bits,
    /// By the value of the field, the bits of a word that the steps are a function of, or
    /// [`NO_KEY`].
    telling: Box<[u64]>,
    /// Whether the footprint was computed, by the value of the field.
    is_asked: Box<[bool]>,
    outcomes: Outcomes,
    pays: Pays,
}

impl Group {
    /// Group without entries, after `states` states.
    fn new(number: usize, states: u64, (field, common): (Field, Bits)) -> Group {
        let places = 1 << field.bits;
        Group {
            number,
            field,
            common,
            telling: vec![NO_KEY; places].into(),
            is_asked: vec![false; places].into(),
            outcomes: Outcomes::new(),
            pays: Pays::since(states),
        }
    }

    /// The same group, whether caching pays or not.
    fn whatever_it_costs(self) -> Group {
        Group {
            pays: Pays::always(),
            ..self
        }
    }

    /// Memory of a new group, in bytes.
    fn first_bytes(field: Field) -> u64 {
        let places = 1_u64 << field.bits;
        size_of::<Group>() as u64 + places * 9 + Outcomes::BYTES
    }

    /// Memory in use, in bytes.
    fn bytes(&self) -> u64 {
        Group::first_bytes(self.field) - Outcomes::BYTES + self.outcomes.bytes()
    }

    #[inline(always)]
    fn place(&self, word: u64) -> usize {
        (word >> self.field.shift) as usize & (self.telling.len() - 1)
    }
}

impl StepCache {
    /// Empty cache, used as this option says.
    pub fn when(when: Use) -> StepCache {
        StepCache {
            when,
            ..StepCache::default()
        }
    }

    /// Gives the steps of the state with this word, which is decoded into `state` if necessary.
    #[inline]
    pub fn visit<S: Footprints, T: Sink>(
        &mut self,
        model: &S,
        word: u64,
        state: &mut [u64],
        scratch: &mut S::Scratch,
        sink: &mut T,
    ) -> ControlFlow<T::Stop> {
        if self.laid_out != Some(sink.changes()) {
            self.lay_out(model, sink);
        }
        if let Some(at) = self.splits.take() {
            self.split(model, at, sink);
        }
        if self.groups.is_empty() {
            sink.coding().begin(word, state);
            return visit_whole(model, state, scratch, sink);
        }
        self.states += 1;
        let mut is_laid_out = false;
        let mut at = 0;
        while let Some(group) = self.groups.get(at) {
            let outcome = match group.pays.rests(self.states) {
                true => Outcomes::UNKNOWN,
                false => group.outcomes.of(word & group.telling[group.place(word)]),
            };
            debug_assert!(
                outcome.steps == NOT_KNOWN
                    || !(self.states + at as u64).is_multiple_of(CHECKED)
                    || self.is_right(model, at, (word, state.len(), outcome), scratch, sink),
                "cached steps are the steps"
            );
            match outcome.steps {
                0 => {}
                1 => sink.leads_to(word ^ outcome.change)?,
                NOT_KNOWN => {
                    if !is_laid_out {
                        sink.coding().begin(word, state);
                        is_laid_out = true;
                    }
                    self.compute(model, at, (word, state), scratch, sink)?;
                }
                steps => {
                    for step in 0..steps {
                        let change = self.groups[at].outcomes.change(outcome, step);
                        sink.leads_to(word ^ change)?;
                    }
                }
            }
            at += 1;
        }
        ControlFlow::Continue(())
    }

    /// Prefetches the entries for a state that is visited soon.
    #[inline(always)]
    pub fn fetch(&self, word: u64) {
        if self.is_large {
            for group in self.groups.iter().filter(|g| g.outcomes.is_large()) {
                group
                    .outcomes
                    .fetch(word & group.telling[group.place(word)]);
            }
        }
    }

    /// Whether the steps of a group are computed to be those that are cached.
    fn is_right<S: Footprints, T: Sink>(
        &self,
        model: &S,
        at: usize,
        (word, words, outcome): (u64, usize, Outcome),
        scratch: &mut S::Scratch,
        sink: &mut T,
    ) -> bool {
        let mut decoded = |word: u64| {
            let mut state = vec![0; words];
            sink.coding().state(word, &mut state);
            state
        };
        let state = decoded(word);
        let Group {
            number, outcomes, ..
        } = &self.groups[at];
        let changes = (0..outcome.steps).map(|step| outcomes.change(outcome, step));
        let kept = changes.map(|change| decoded(word ^ change));
        let mut expected = Expected(kept.collect());
        let flow = model.visit_group(*number, &state, scratch, &mut expected);
        flow.is_continue() && expected.0.is_empty()
    }

    /// Translates all entries to the words as they are from now on, if there is memory for it.
    ///
    /// They stay right: the numbers of values move, and one that had no bits is 0. Which bits tell
    /// a footprint is asked anew, as they may be more; until then a state is looked up by its whole
    /// word, and finds no entry of others.
    fn is_translated<S: Footprints, T: Sink>(&mut self, model: &S, sink: &mut T) -> bool {
        let Some(change) = sink.coding().last_change().cloned() else {
            return false;
        };
        let most_bits = self.most_bits();
        self.groups.iter_mut().all(|group| {
            let (field, common) = sink.coding().field(model.place(group.number), most_bits);
            let before = group.bytes();
            let more = Group::first_bytes(field) + group.outcomes.bytes();
            if self.bytes + more > MOST_BYTES || !sink.holds(more) {
                return false;
            }
            match field.bits < group.field.bits {
                // Footprints are another function of the word.
                true => group.outcomes.clear(),
                false => group.outcomes.translate(|word| change.of(word)),
            }
            (group.field, group.common) = (field, common);
            group.telling = vec![NO_KEY; 1 << field.bits].into();
            group.is_asked = vec![false; 1 << field.bits].into();
            let now = group.bytes();
            sink.lets_go(before + more - now);
            self.bytes = self.bytes + now - before;
            true
        })
    }

    /// Most bits of a field that tells the location of a process.
    fn most_bits(&self) -> u32 {
        let places = MOST_PLACES / self.numbers.len().max(1);
        places.checked_ilog2().unwrap_or(0).min(MOST_BITS)
    }

    /// Sets up groups without entries, for the words as they are from now on.
    #[cold]
    fn lay_out<S: Footprints, T: Sink>(&mut self, model: &S, sink: &mut T) {
        if self.laid_out.is_none() {
            let groups = (0..model.groups()).flat_map(|group| self.at_first(model, group));
            self.numbers = groups.collect();
        } else if self.laid_out.map(|then| then + 1) == Some(sink.changes())
            && self.is_translated(model, sink)
        {
            self.laid_out = Some(sink.changes());
            return;
        }
        self.groups.clear();
        self.is_large = false;
        sink.lets_go(std::mem::take(&mut self.bytes));
        self.laid_out = Some(sink.changes());
        if self.when == Use::Never {
            return;
        }
        let bytes_and_groups = self.new_groups(model, &self.numbers, sink);
        if let Some((bytes, groups)) = bytes_and_groups
            && bytes <= MOST_BYTES
            && sink.holds(bytes)
        {
            self.bytes = bytes;
            self.groups = groups;
        }
    }

    /// The groups that replace a group of the model at first: itself. If caching is always used,
    /// every other one is replaced by finer ones, so that tests cover both.
    fn at_first<S: Footprints>(&self, model: &S, group: usize) -> Range<usize> {
        let finer = match self.when {
            Use::Always if group % 2 == 1 => model.finer(group),
            _ => 0..0,
        };
        match finer.is_empty() {
            true => group..group + 1,
            false => finer,
        }
    }

    /// Replaces a group by finer ones, if there are any and there is memory for them.
    #[cold]
    fn split<S: Footprints, T: Sink>(&mut self, model: &S, at: usize, sink: &mut T) {
        let finer = model.finer(self.numbers[at]);
        if self.groups.is_empty() || finer.is_empty() {
            return;
        }
        let numbers: Vec<usize> = finer.collect();
        let Some((bytes, groups)) = self.new_groups(model, &numbers, sink) else {
            return;
        };
        if self.bytes + bytes <= MOST_BYTES && sink.holds(bytes) {
            let given_back = self.groups[at].bytes();
            sink.lets_go(given_back);
            self.bytes = self.bytes + bytes - given_back;
            self.numbers.splice(at..=at, numbers);
            self.groups.splice(at..=at, groups);
        }
    }

    /// Groups with these numbers of the model, without entries, and their memory in bytes; `None`
    /// if they are too many.
    fn new_groups<S: Footprints, T: Sink>(
        &self,
        model: &S,
        numbers: &[usize],
        sink: &mut T,
    ) -> Option<(u64, Vec<Group>)> {
        if self.numbers.len() > MOST_PLACES {
            return None;
        }
        let most_bits = self.most_bits();
        let field = |number| sink.coding().field(model.place(number), most_bits);
        let fields: Vec<(Field, Bits)> = numbers.iter().copied().map(field).collect();
        let bytes = fields.iter().map(|(field, _)| Group::first_bytes(*field));
        let bytes = bytes.sum();
        let groups = numbers.iter().zip(fields);
        let groups = groups.map(|(number, field)| Group::new(*number, self.states, field));
        let groups = match self.when {
            Use::Always => groups.map(Group::whatever_it_costs).collect(),
            Use::WhereItPays | Use::Never => groups.collect(),
        };
        Some((bytes, groups))
    }

    /// Computes the steps of a group in this state, and caches them if that pays.
    #[cold]
    fn compute<S: Footprints, T: Sink>(
        &mut self,
        model: &S,
        at: usize,
        (word, state): (u64, &[u64]),
        scratch: &mut S::Scratch,
        sink: &mut T,
    ) -> ControlFlow<T::Stop> {
        let number = self.groups[at].number;
        let key = self.key_to_cache(model, at, (word, state), sink);
        let mut noted = std::mem::take(&mut self.noted);
        noted.clear();
        let mut passing = Passing {
            from: word,
            noted,
            is_noted: key.is_some(),
            ..Passing::on(sink)
        };
        let flow = passing.ended(|passing| model.visit_group(number, state, scratch, passing));
        let Passing {
            noted, is_noted, ..
        } = passing;
        if let Some(key) = key
            && flow.is_continue()
        {
            let is_kept = is_noted && noted.len() <= MOST_STEPS;
            let outcomes = &mut self.groups[at].outcomes;
            let changes = is_kept.then_some(&noted[..]);
            self.bytes += outcomes.keep_within(self.bytes, key, changes, sink);
            self.is_large |= outcomes.is_large();
        }
        self.noted = noted;
        flow
    }

    /// The bits of the word by which the steps are to be cached; `None` if they are not.
    fn key_to_cache<S: Footprints, T: Sink>(
        &mut self,
        model: &S,
        at: usize,
        (word, state): (u64, &[u64]),
        sink: &mut T,
    ) -> Option<u64> {
        let group = &mut self.groups[at];
        if group.pays.rests(self.states) {
            return None;
        }
        let place = group.place(word);
        if !group.is_asked[place] {
            group.is_asked[place] = true;
            self.footprint.clear();
            self.footprint.resize(state.len(), 0);
            let bits = &mut self.footprint;
            if model.footprint(group.number, state, group.common, bits) {
                let telling = sink.coding().telling(bits) | group.field.mask();
                // All ones are no key: caching by all bits would seldom pay.
                group.telling[place] = telling;
            }
        }
        let telling = group.telling[place];
        let key = word & telling;
        // An entry that says that steps must be computed is not counted as a miss.
        if telling == NO_KEY || group.outcomes.has(key) {
            return None;
        }
        if group.pays.misses(self.states) {
            group.outcomes.clear();
            self.splits = Some(at);
        }
        Some(key)
    }
}

impl Outcomes {
    /// Keeps an entry if there is room, `held` bytes being in use; returns how many more are then.
    pub fn keep_within<T: Sink>(
        &mut self,
        held: u64,
        key: u64,
        changes: Option<&[u64]>,
        sink: &mut T,
    ) -> u64 {
        let Some(more) = self.bytes_to_keep(changes.map_or(0, <[u64]>::len)) else {
            return 0;
        };
        // While a table grows the old one exists as well.
        if more > 0 && (held + more > MOST_BYTES || !sink.holds(more)) {
            return 0;
        }
        let before = self.bytes();
        self.keep(key, changes);
        let grown = self.bytes() - before;
        debug_assert!(grown <= more, "enough was held");
        sink.lets_go(more - grown);
        grown
    }
}

/// States that steps are still to lead to, in this order.
struct Expected(VecDeque<Vec<u64>>);

impl Visit for Expected {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match (outcome, self.0.pop_front()) {
            (Ok(state), Some(kept)) if *state == kept[..] => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    }
}

/// Gives all steps of a state to a sink, without the cache.
pub fn visit_whole<S: Footprints, T: Sink>(
    model: &S,
    state: &[u64],
    scratch: &mut S::Scratch,
    sink: &mut T,
) -> ControlFlow<T::Stop> {
    Passing::on(sink).ended(|passing| model.visit(state, scratch, passing))
}

/// Visitor that passes steps on to a sink, and may note what they change.
struct Passing<'t, T: Sink> {
    sink: &'t mut T,
    from: u64,
    noted: Vec<u64>,
    /// Whether steps are noted: until one fails or leads to a state that has no word.
    is_noted: bool,
    stop: Option<T::Stop>,
}

impl<T: Sink> Passing<'_, T> {
    /// Visitor that notes nothing.
    fn on(sink: &mut T) -> Passing<'_, T> {
        Passing {
            sink,
            from: 0,
            noted: Vec::new(),
            is_noted: false,
            stop: None,
        }
    }

    /// Visits steps; returns why the sink breaks off, if it does.
    fn ended(&mut self, visit: impl FnOnce(&mut Self) -> ControlFlow<()>) -> ControlFlow<T::Stop> {
        let flow = visit(self);
        debug_assert_eq!(flow.is_break(), self.stop.is_some());
        match self.stop.take() {
            Some(stop) => ControlFlow::Break(stop),
            None => ControlFlow::Continue(()),
        }
    }

    #[inline(always)]
    fn pass(
        &mut self,
        label: Label<'_>,
        outcome: Result<&[u64], &Failure>,
    ) -> ControlFlow<T::Stop> {
        match outcome {
            Ok(state) => match self.sink.word_of(state)? {
                Some(word) => {
                    if self.is_noted && self.noted.len() <= MOST_STEPS {
                        self.noted.push(word ^ self.from);
                    }
                    self.sink.leads_to(word)
                }
                None => {
                    self.is_noted = false;
                    ControlFlow::Continue(())
                }
            },
            Err(failure) => {
                self.is_noted = false;
                self.sink.failing(label, failure)
            }
        }
    }
}

impl<T: Sink> Visit for Passing<'_, T> {
    fn wanted(&self) -> Wanted {
        self.sink.wanted()
    }

    fn leaves_out(&mut self) {
        self.sink.leaves_out();
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        let flow = self.pass(label, outcome);
        flow.map_break(|stop| self.stop = Some(stop))
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        let flow = self.sink.pulse();
        flow.map_break(|stop| self.stop = Some(stop))
    }
}

#[cfg(test)]
mod tests;
