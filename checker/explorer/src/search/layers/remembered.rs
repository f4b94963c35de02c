//! Steps that are remembered instead of worked out again.
//!
//! The steps of a state come in groups, one for each process. What the steps of a group are, and what they
//! change, is a function of some bits of the state, its *footprint* ([`Successors::footprint`]), and where a
//! step leads no others differ. The word of a state tells each of these bits in some of its own
//! ([`Coding::telling`]). So two states whose words have *these* bits in common have the same steps in that
//! group, and for each step the words before it and after it differ by the same bits: those outside the
//! footprint are not changed, and those in it are the same before and the same after. This is what is kept, by
//! the bits in common, so that a state is not even laid out whose steps are all known.
//!
//! Which bits these are depends on where the process is, a function of a few bits of the word that every
//! footprint has in it ([`Coding::field`]).
//!
//! Steps that fail are worked out each time: somebody is told of them. So are those of a group that meets what
//! it does not know too often for that to pay, for a while; what counts is how often, and no time.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};

use stubborn_space::options::Use;
use stubborn_space::pays::Pays;
use stubborn_space::successors::{Bits, Footprints, Label, Visit, Wanted};
use stubborn_system::system::Failure;

use super::expand::Sink;
use super::outcomes::{NO_KEY, NOT_KNOWN, Outcome, Outcomes};
use crate::store::coding::{Coding, Field};

/// So many bits of a word may say where a process is,
const MOST_BITS: u32 = 12;
/// and so many places there may be for all groups together.
const MOST_PLACES: usize = 1 << 18;
/// With all that is kept, in bytes.
const MOST_BYTES: u64 = 64 << 20;
/// Groups with more steps than this in one state are worked out each time.
const MOST_STEPS: usize = 1 << 12;
/// Builds that check themselves look at one of so many.
const CHECKED: u64 = 8;

/// No more than this part of the memory that is allowed,
const PART_OF_MEMORY: u64 = 16;
/// and, from so many bytes on, of what is in use.
const PART_IN_USE: u64 = 4;
const FEW_BYTES: u64 = 4 << 20;

/// Whether so many bytes may go into what is remembered, where the search holds so many in all and may take
/// so many.
pub fn may_be(bytes: u64, held: u64, most_memory: Option<u64>) -> bool {
    bytes <= FEW_BYTES.max(held / PART_IN_USE)
        && most_memory.is_none_or(|most| bytes <= most / PART_OF_MEMORY)
}

/// What is known of the steps of all groups.
#[derive(Default)]
pub struct Remembered {
    when: Use,
    /// Which of the model's groups give all of its steps, in this order: for some those that are finer.
    numbers: Vec<usize>,
    groups: Vec<Group>,
    /// One that is to be replaced by finer ones.
    splits: Option<usize>,
    /// Of some group there is more than a processor has near.
    is_large: bool,
    /// For words as they were after so many changes.
    laid_out: Option<u64>,
    /// How many states were asked for.
    states: u64,
    bytes: u64,
    /// For the footprint of a group, and the changes of its steps.
    footprint: Vec<u64>,
    noted: Vec<u64>,
}

struct Group {
    /// Of the model's.
    number: usize,
    /// Of the words, what says where the process is, and what that tells of a state.
    field: Field,
    common: Bits,
    /// By the field: the bits of a word that the steps are a function of, or [`NO_KEY`].
    telling: Box<[u64]>,
    /// Whether that was asked.
    is_asked: Box<[bool]>,
    outcomes: Outcomes,
    pays: Pays,
}

impl Group {
    /// After so many states.
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

    /// The same, whether it pays or not.
    fn whatever_it_costs(self) -> Group {
        Group {
            pays: Pays::always(),
            ..self
        }
    }

    /// Memory that one takes in the beginning, in bytes.
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

impl Remembered {
    /// Where it is asked for.
    pub fn when(when: Use) -> Remembered {
        Remembered {
            when,
            ..Remembered::default()
        }
    }

    /// Gives the steps of the state with this word, which is laid out in `state` if it has to be.
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
                    || self.is_so(model, at, (word, state.len(), outcome), scratch, sink),
                "what is kept is what is worked out"
            );
            match outcome.steps {
                0 => {}
                1 => sink.leads_to(word ^ outcome.change)?,
                NOT_KNOWN => {
                    if !is_laid_out {
                        sink.coding().begin(word, state);
                        is_laid_out = true;
                    }
                    self.work_out(model, at, (word, state), scratch, sink)?;
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

    /// Has what is kept of the steps of a state come near, which is visited soon.
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

    /// Whether the steps of a group are worked out to be what is kept of them.
    fn is_so<S: Footprints, T: Sink>(
        &self,
        model: &S,
        at: usize,
        (word, words, outcome): (u64, usize, Outcome),
        scratch: &mut S::Scratch,
        sink: &mut T,
    ) -> bool {
        let mut laid_out = |word: u64| {
            let mut state = vec![0; words];
            sink.coding().state(word, &mut state);
            state
        };
        let state = laid_out(word);
        let Group {
            number, outcomes, ..
        } = &self.groups[at];
        let changes = (0..outcome.steps).map(|step| outcomes.change(outcome, step));
        let kept = changes.map(|change| laid_out(word ^ change));
        let mut gathered = Gathered(kept.collect());
        let flow = model.visit_group(*number, &state, scratch, &mut gathered);
        flow.is_continue() && gathered.0.is_empty()
    }

    /// For words as they are from now on, of which nothing is known.
    #[cold]
    fn lay_out<S: Footprints, T: Sink>(&mut self, model: &S, sink: &mut T) {
        if self.laid_out.is_none() {
            let groups = (0..model.groups()).flat_map(|group| self.at_first(model, group));
            self.numbers = groups.collect();
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

    /// The groups that a model's one is taken for at first: itself. Where it is not asked what pays, every other one is
    /// taken for finer ones, so that either way is gone.
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

    /// Puts finer groups in the place of one, if there are any and there is memory for them.
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

    /// Groups with these of the model's numbers, of which nothing is known, and the memory that they take, in
    /// bytes; `None` where they are too many.
    fn new_groups<S: Footprints, T: Sink>(
        &self,
        model: &S,
        numbers: &[usize],
        sink: &mut T,
    ) -> Option<(u64, Vec<Group>)> {
        let places = MOST_PLACES / self.numbers.len().max(1);
        let most_bits = places.checked_ilog2()?.min(MOST_BITS);
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

    /// Gives the steps of a group in this state, and keeps what they are if that is worth it.
    #[cold]
    fn work_out<S: Footprints, T: Sink>(
        &mut self,
        model: &S,
        at: usize,
        (word, state): (u64, &[u64]),
        scratch: &mut S::Scratch,
        sink: &mut T,
    ) -> ControlFlow<T::Stop> {
        let number = self.groups[at].number;
        let key = self.key_to_keep(model, at, (word, state), sink);
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

    /// The bits of the word that the steps are to be kept by; `None` if they are not to be kept.
    fn key_to_keep<S: Footprints, T: Sink>(
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
                // All ones would be no key, and two states are seldom alike.
                group.telling[place] = telling;
            }
        }
        let telling = group.telling[place];
        let key = word & telling;
        // What is known to have to be worked out each time is no surprise.
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
    /// Keeps it, if there is place, where so many bytes are held already; and how many more are held then.
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
        // While it grows what there was is there as well.
        if more > 0 && (held + more > MOST_BYTES || !sink.holds(more)) {
            return 0;
        }
        let before = self.bytes();
        self.keep(key, changes);
        let grown = self.bytes() - before;
        debug_assert!(grown <= more, "as much was asked for");
        sink.lets_go(more - grown);
        grown
    }
}

/// States that steps are still to lead to, in this order.
struct Gathered(VecDeque<Vec<u64>>);

impl Visit for Gathered {
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
