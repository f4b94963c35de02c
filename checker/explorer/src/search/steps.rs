//! The steps of a state, collected in the order in which they are to be taken.

use std::ops::ControlFlow;

use stubborn_space::monitor::{Flags, Marks, Monitored};
use stubborn_space::options::Order;
use stubborn_space::successors::{Label, Visit, Wanted};
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId};

use super::meter::Stop;

/// Steps, one after the other. A search cuts it off where it has done with them.
pub struct Steps {
    words: usize,
    keeps_labels: bool,
    states: Vec<u64>,
    /// The steps that fail, ascending; in `states` they have words that mean nothing.
    failing: Vec<(usize, Failing)>,
    labels: Vec<OwnedLabel>,
    /// What each step is to the monitor, where there is one.
    flags: Vec<Flags>,
    /// Steps of the last state were left out.
    pub leaves_out: bool,
}

/// A step that fails.
pub struct Failing {
    pub label: OwnedLabel,
    pub failure: Failure,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedLabel {
    participants: Vec<(InstanceId, StepId)>,
    action: Option<(ActionId, Vec<i64>)>,
}

impl OwnedLabel {
    pub fn of(label: Label<'_>) -> OwnedLabel {
        OwnedLabel {
            participants: label.participants.to_vec(),
            action: label
                .action
                .map(|(action, values)| (action, values.to_vec())),
        }
    }

    #[inline]
    pub fn label(&self) -> Label<'_> {
        Label::new(&self.participants, &self.action)
    }
}

/// Where the next steps of a state begin, if it has more than fit at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Nothing,
    /// Those from this number on; in reverse order those before it.
    From(u64),
}

impl Steps {
    pub fn new(words: usize, keeps_labels: bool) -> Steps {
        Steps {
            words,
            keeps_labels,
            states: Vec::new(),
            failing: Vec::new(),
            labels: Vec::new(),
            flags: Vec::new(),
            leaves_out: false,
        }
    }

    #[inline]
    pub fn len(&self) -> usize {
        if self.words == 1 {
            self.states.len()
        } else {
            self.states.len() / self.words
        }
    }

    #[inline]
    pub fn state(&self, at: usize) -> &[u64] {
        &self.states[at * self.words..(at + 1) * self.words]
    }

    /// The words of all steps, one after the other.
    #[inline]
    pub fn states(&self) -> impl Iterator<Item = &[u64]> {
        self.states.chunks_exact(self.words)
    }

    #[inline]
    pub fn failing(&self, at: usize) -> Option<&Failing> {
        if self.failing.is_empty() {
            return None;
        }
        let found = self.failing.binary_search_by_key(&at, |(at, _)| *at);
        found.ok().map(|found| &self.failing[found].1)
    }

    #[inline]
    pub fn label(&self, at: usize) -> Option<Label<'_>> {
        self.labels.get(at).map(OwnedLabel::label)
    }

    /// What the step is to the monitor.
    #[inline]
    pub fn flags(&self, at: usize) -> Flags {
        self.flags.get(at).copied().unwrap_or_default()
    }

    /// What the step leads to; nowhere if it fails.
    #[inline]
    pub fn target(&self, at: usize) -> Option<(&[u64], Flags)> {
        match self.failing(at) {
            Some(_) => None,
            None => Some((self.state(at), self.flags(at))),
        }
    }

    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.states.truncate(len * self.words);
        let failing = self.failing.partition_point(|(at, _)| *at < len);
        self.failing.truncate(failing);
        self.labels.truncate(len);
        self.flags.truncate(len);
    }

    #[inline]
    pub fn bytes(&self) -> u64 {
        (self.states.len() * 8 + self.flags.len() + (self.failing.len() + self.labels.len()) * 128)
            as u64
    }

    /// Adds a step, with what it is to the monitor if there is one.
    #[inline]
    pub fn push(
        &mut self,
        label: Label<'_>,
        outcome: Result<&[u64], &Failure>,
        flags: Option<Flags>,
    ) {
        match outcome {
            Ok([word]) => self.states.push(*word),
            Ok(state) => self.states.extend_from_slice(state),
            Err(failure) => {
                let failing = Failing {
                    label: OwnedLabel::of(label),
                    failure: failure.clone(),
                };
                self.failing.push((self.len(), failing));
                self.states.resize(self.states.len() + self.words, 0);
            }
        }
        if self.keeps_labels {
            self.labels.push(OwnedLabel::of(label));
        }
        if let Some(flags) = flags {
            self.flags.push(flags);
        }
    }

    fn reverse_from(&mut self, begin: usize) {
        if self.len() == begin {
            return;
        }
        let words = self.words;
        if words == 1 {
            self.states[begin..].reverse();
        } else {
            let (mut low, mut high) = (begin, self.len());
            while low + 1 < high {
                high -= 1;
                for word in 0..words {
                    self.states.swap(low * words + word, high * words + word);
                }
                low += 1;
            }
        }
        let failing = self.failing.partition_point(|(at, _)| *at < begin);
        let last = self.len() + begin - 1;
        for (at, _) in &mut self.failing[failing..] {
            *at = last - *at;
        }
        self.failing[failing..].reverse();
        if self.keeps_labels {
            self.labels[begin..].reverse();
        }
        if let Some(flags) = self.flags.get_mut(begin..) {
            flags.reverse();
        }
    }

    /// How many steps are collected at once: a state with an `any` of a huge type has more steps
    /// than there is memory.
    #[inline]
    fn most(&self) -> u64 {
        ((1 << 19) / self.words as u64).clamp(256, 1 << 16)
    }
}

/// Adds the steps of `state` to `steps`, in the given order, as many as fit; `rest` says from
/// where, and is set to what is left. Whether any were left out for good is then told in `steps`.
pub fn expand<M: Monitored>(
    model: &M,
    state: &[u64],
    scratch: &mut M::Scratch,
    (order, wanted): (Order, Wanted),
    rest: &mut Rest,
    steps: &mut Steps,
    poll: &mut dyn FnMut() -> ControlFlow<Stop>,
) -> ControlFlow<Stop> {
    let begin = steps.len();
    let most = steps.most();
    // All in the forward order: what is to be collected.
    let (first, past) = match (order, *rest) {
        (_, Rest::Nothing) => (0, most),
        (Order::Forward, Rest::From(first)) => (first, first + most),
        (Order::Reverse, Rest::From(past)) => (past.saturating_sub(most), past),
    };
    steps.leaves_out = false;
    let counts_on = order == Order::Reverse && *rest == Rest::Nothing;
    let mut collector = Collector {
        model,
        from: state,
        marks: if model.is_alone() {
            Marks::default()
        } else {
            model.marks(state)
        },
        steps,
        is_alone: model.is_alone(),
        wanted,
        at: 0,
        first,
        past,
        counts_on,
        poll: &mut *poll,
        stop: None,
    };
    let _ = model.visit(state, scratch, &mut collector);
    let (at, stop) = (collector.at, collector.stop);
    if let Some(stop) = stop {
        return ControlFlow::Break(stop);
    }
    match order {
        Order::Forward => {
            *rest = if at > past {
                Rest::From(past)
            } else {
                Rest::Nothing
            }
        }
        Order::Reverse if counts_on && at > most => {
            // More than fit: the last ones come first.
            steps.truncate(begin);
            *rest = Rest::From(at);
            let again = (order, Wanted::again(steps.leaves_out));
            return expand(model, state, scratch, again, rest, steps, poll);
        }
        Order::Reverse => {
            steps.reverse_from(begin);
            *rest = if first > 0 {
                Rest::From(first)
            } else {
                Rest::Nothing
            };
        }
    }
    ControlFlow::Continue(())
}

struct Collector<'a, M> {
    model: &'a M,
    from: &'a [u64],
    /// Those of the state that the steps are of.
    marks: Marks,
    steps: &'a mut Steps,
    is_alone: bool,
    wanted: Wanted,
    /// How many steps have been given.
    at: u64,
    first: u64,
    past: u64,
    /// Counts the steps after those that are wanted.
    counts_on: bool,
    poll: &'a mut dyn FnMut() -> ControlFlow<Stop>,
    stop: Option<Stop>,
}

impl<M: Monitored> Visit for Collector<'_, M> {
    #[inline]
    fn wanted(&self) -> Wanted {
        self.wanted
    }

    #[inline]
    fn leaves_out(&mut self) {
        self.steps.leaves_out = true;
    }

    #[inline]
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        if self.first <= self.at && self.at < self.past {
            let flags = || {
                outcome.map_or(Flags::default(), |to| {
                    let is_visible = self.model.is_visible(label, self.from, to);
                    Flags::of(is_visible, self.marks, self.model.marks(to))
                })
            };
            let flags = (!self.is_alone).then(flags);
            self.steps.push(label, outcome, flags);
        }
        self.at += 1;
        if self.at > self.past && !self.counts_on {
            return ControlFlow::Break(());
        }
        if self.at.is_multiple_of(1024) {
            return self.pulse();
        }
        ControlFlow::Continue(())
    }

    fn pulse(&mut self) -> ControlFlow<()> {
        if let ControlFlow::Break(stop) = (self.poll)() {
            self.stop = Some(stop);
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
