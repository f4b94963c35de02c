//! Steps of one instance.

use std::ops::ControlFlow;

use stubborn_system::system::{
    ChannelRef, Communication, Expr, InstanceId, Order, Range, Step, StepId, System,
};

use super::body::{Body, Pattern, first_choices, next_choices};
use super::code::{Channel, Code, Fault};
use super::compile::Compiler;
use super::evaluate::{Stacks, must_be_in};
use super::layout::{Layout, Slot, copy};
use crate::successors::{Label, Visit};

/// A step without an action.
pub struct LocalStep {
    who: [(InstanceId, StepId); 1],
    pub message: Option<Message>,
    pub body: Body,
}

pub enum Message {
    Send(Outgoing),
    Receive {
        channel: Channel,
        /// Each with the range of its part of the message.
        arguments: Box<[(Pattern, Range)]>,
        order: Order,
        /// Where the guard is false, no argument or index that fails counts.
        is_protected: bool,
        /// What is sent with the message taken out.
        onward: Option<Outgoing>,
    },
}

/// What a step sends.
pub struct Outgoing {
    pub channel: Channel,
    /// Each with the range that it must be in.
    pub values: Box<[(Code, Range)]>,
    order: Order,
}

impl Outgoing {
    /// The channel's number, with the message in `message`; none where it is full. Evaluated in
    /// `state`.
    fn evaluate(
        &self,
        layout: &Layout,
        state: &[u64],
        stacks: &mut Stacks,
        message: &mut Vec<i64>,
    ) -> Result<Option<usize>, Fault> {
        let channel = stacks.channel(layout, state, &self.channel)? as usize;
        if layout.channels[channel].is_full(state) {
            return Ok(None);
        }
        message.clear();
        for (value, range) in &self.values {
            let value = stacks.scalar(layout, state, value)?;
            must_be_in(*range, value)?;
            message.push(value);
        }
        Ok(Some(channel))
    }

    fn put(&self, layout: &Layout, state: &mut [u64], channel: usize, message: &[i64]) {
        let channel = &layout.channels[channel];
        match self.order {
            Order::Queue => channel.append(layout, state, message),
            Order::Bag => channel.insert(layout, state, message),
        }
    }
}

/// What a `receive` asks of one part of a message in the present state.
enum Wanted {
    Equals(i64),
    Into(Slot, Range),
    Whatever,
}

/// Working memory for the steps of one instance.
pub struct LocalScratch {
    /// The state after the message was sent or taken out, before the effects.
    before: Vec<u64>,
    pub(super) next: Vec<u64>,
    message: Vec<i64>,
    wanted: Vec<Wanted>,
}

impl LocalScratch {
    pub fn new(words: usize) -> LocalScratch {
        LocalScratch {
            before: vec![0; words],
            next: vec![0; words],
            message: Vec::new(),
            wanted: Vec::new(),
        }
    }
}

impl LocalStep {
    pub fn new(
        system: &System,
        compiler: &mut Compiler<'_>,
        who: (InstanceId, StepId),
        location: Slot,
        step: &Step,
    ) -> LocalStep {
        let kind = |channel: &ChannelRef| &system.channels[channel.first() as usize];
        let outgoing = |compiler: &mut Compiler<'_>, channel: &ChannelRef, values: &[Expr]| {
            let ranges = kind(channel).message.iter().copied();
            Outgoing {
                values: compiler.scalars(values).into_iter().zip(ranges).collect(),
                order: kind(channel).order,
                channel: compiler.channel(channel),
            }
        };
        let message = match &step.communication {
            None => None,
            Some(Communication::Send { channel, values }) => {
                Some(Message::Send(outgoing(compiler, channel, values)))
            }
            Some(Communication::Receive(channel, arguments, onward)) => Some(Message::Receive {
                arguments: arguments
                    .iter()
                    .map(|argument| Pattern::new(compiler, argument))
                    .zip(kind(channel).message.iter().copied())
                    .collect(),
                order: kind(channel).order,
                channel: compiler.channel(channel),
                is_protected: step.is_protected(),
                onward: onward
                    .as_ref()
                    .map(|onward| outgoing(compiler, &onward.channel, &onward.values)),
            }),
            Some(Communication::On { .. }) => unreachable!("joint steps are not of one instance"),
        };
        LocalStep {
            who: [who],
            message,
            body: Body::new(compiler, location, step),
        }
    }

    /// Whether it can neither be taken nor fail, whatever the state is.
    pub fn is_impossible(&self) -> bool {
        matches!(self.body.guard, Some(Code::Const(0)))
            && !matches!(self.message, Some(Message::Receive { .. }))
    }

    /// Who takes it, and its body, if there is no message and the body can be specialised.
    pub fn plain(&self) -> Option<((InstanceId, StepId), &Body)> {
        let is_plain = self.message.is_none() && self.body.can_be_specialised();
        is_plain.then_some((self.who[0], &self.body))
    }

    /// Gives the steps that it stands for in `state`.
    #[inline]
    pub fn visit(
        &self,
        layout: &Layout,
        state: &[u64],
        scratch: &mut LocalScratch,
        stacks: &mut Stacks,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let flow = match &self.message {
            None => match self.body.passes(layout, state, stacks) {
                Ok(true) => {
                    let next = &mut scratch.next;
                    Ok(self.finish(layout, state, state, next, stacks, visitor))
                }
                Ok(false) => Ok(ControlFlow::Continue(())),
                Err(failure) => Err(failure),
            },
            Some(Message::Send(outgoing)) => {
                match self.send(outgoing, layout, state, scratch, stacks) {
                    Ok(true) => {
                        let LocalScratch { before, next, .. } = scratch;
                        Ok(self.finish(layout, state, before, next, stacks, visitor))
                    }
                    Ok(false) => Ok(ControlFlow::Continue(())),
                    Err(failure) => Err(failure),
                }
            }
            Some(Message::Receive { .. }) => self.receive(layout, state, scratch, stacks, visitor),
        };
        flow.unwrap_or_else(|failure| visitor.step(self.label(), Err(&failure)))
    }

    fn label(&self) -> Label<'_> {
        Label {
            participants: &self.who,
            action: None,
        }
    }

    /// The effects and the target for each combination of choices. `before` is the state after the
    /// communication.
    fn finish(
        &self,
        layout: &Layout,
        state: &[u64],
        before: &[u64],
        next: &mut [u64],
        stacks: &mut Stacks,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let ranges = &self.body.choices;
        if !ranges.is_empty() {
            first_choices(ranges.iter(), &mut stacks.choices);
        }
        loop {
            copy(next, before);
            let result = stacks
                .perform(layout, next, &self.body.effects)
                .and_then(|()| self.body.arrive(layout, state, next, stacks));
            match result {
                Ok(()) => visitor.step(self.label(), Ok(next))?,
                Err(failure) => visitor.step(self.label(), Err(&failure))?,
            }
            if ranges.is_empty() || !next_choices(ranges.iter(), &mut stacks.choices) {
                return ControlFlow::Continue(());
            }
        }
    }

    /// Whether the message can be sent; the state in which it is is then in `scratch.before`.
    fn send(
        &self,
        outgoing: &Outgoing,
        layout: &Layout,
        state: &[u64],
        scratch: &mut LocalScratch,
        stacks: &mut Stacks,
    ) -> Result<bool, Fault> {
        if !self.body.passes(layout, state, stacks)? {
            return Ok(false);
        }
        let Some(channel) = outgoing.evaluate(layout, state, stacks, &mut scratch.message)? else {
            return Ok(false);
        };
        copy(&mut scratch.before, state);
        outgoing.put(layout, &mut scratch.before, channel, &scratch.message);
        Ok(true)
    }

    fn receive(
        &self,
        layout: &Layout,
        state: &[u64],
        scratch: &mut LocalScratch,
        stacks: &mut Stacks,
        visitor: &mut dyn Visit,
    ) -> Result<ControlFlow<()>, Fault> {
        let Some(Message::Receive {
            channel,
            arguments,
            order,
            is_protected,
            onward,
        }) = &self.message
        else {
            return Ok(ControlFlow::Continue(()));
        };
        let number = match stacks.channel(layout, state, channel) {
            Ok(number) => number as usize,
            Err(failure) if self.counts(*is_protected, layout, state, stacks) => {
                return Err(failure);
            }
            Err(_) => return Ok(ControlFlow::Continue(())),
        };
        let channel = &layout.channels[number];
        let length = channel.len(state);
        if length == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        scratch.wanted.clear();
        let mut failure = None;
        for (argument, range) in arguments {
            let wanted = match argument {
                Pattern::Match(code) => stacks.scalar(layout, state, code).and_then(|value| {
                    must_be_in(*range, value)?;
                    Ok(Wanted::Equals(value))
                }),
                Pattern::Bind { part, range } => stacks
                    .part(layout, state, part)
                    .map(|slot| Wanted::Into(layout.slots[slot as usize], *range)),
                Pattern::Skip => Ok(Wanted::Whatever),
            };
            scratch.wanted.push(wanted.unwrap_or_else(|found| {
                failure.get_or_insert(found);
                Wanted::Whatever
            }));
        }
        let candidates = match order {
            Order::Queue => 1,
            Order::Bag => length,
        };
        for at in 0..candidates {
            // The messages of a bag ascend, so equal ones stand beside each other.
            if at > 0 && channel.are_equal(layout, state, at - 1, at) {
                continue;
            }
            channel.read(layout, state, at, &mut scratch.message);
            let mut parts = scratch.message.iter().zip(&scratch.wanted);
            if parts.any(|(value, wanted)| matches!(wanted, Wanted::Equals(w) if w != value)) {
                continue;
            }
            if let Some(failure) = failure {
                return if self.counts(*is_protected, layout, state, stacks) {
                    Err(failure)
                } else {
                    Ok(ControlFlow::Continue(()))
                };
            }
            let taken = self.take(layout, state, number, at, scratch, stacks);
            let ready = match (taken, onward) {
                (Ok(true), Some(onward)) => Self::pass_on(onward, layout, scratch, stacks),
                (taken, _) => taken,
            };
            let flow = match ready {
                Ok(true) => {
                    let LocalScratch { before, next, .. } = scratch;
                    self.finish(layout, state, before, next, stacks, visitor)
                }
                Ok(false) => ControlFlow::Continue(()),
                Err(failure) => visitor.step(self.label(), Err(&failure)),
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Whether an argument or an index of a `receive` that fails counts.
    fn counts(
        &self,
        is_protected: bool,
        layout: &Layout,
        state: &[u64],
        stacks: &mut Stacks,
    ) -> bool {
        !(is_protected && self.body.passes(layout, state, stacks) == Ok(false))
    }

    /// Whether the message `at`, which is in `scratch.message` and matches, can be taken; the state
    /// without it is then in `scratch.before`.
    fn take(
        &self,
        layout: &Layout,
        state: &[u64],
        channel: usize,
        at: u32,
        scratch: &mut LocalScratch,
        stacks: &mut Stacks,
    ) -> Result<bool, Fault> {
        let channel = &layout.channels[channel];
        copy(&mut scratch.before, state);
        for (value, wanted) in scratch.message.iter().zip(&scratch.wanted) {
            if let Wanted::Into(slot, range) = wanted {
                must_be_in(*range, *value)?;
                slot.set(&mut scratch.before, *value);
            }
        }
        if !self.body.passes(layout, &scratch.before, stacks)? {
            return Ok(false);
        }
        channel.remove(layout, &mut scratch.before, at);
        Ok(true)
    }

    /// Whether there is room for what is sent with the message taken out; it is then sent in
    /// `scratch.before`.
    fn pass_on(
        onward: &Outgoing,
        layout: &Layout,
        scratch: &mut LocalScratch,
        stacks: &mut Stacks,
    ) -> Result<bool, Fault> {
        let LocalScratch {
            before, message, ..
        } = scratch;
        let Some(channel) = onward.evaluate(layout, before, stacks, message)? else {
            return Ok(false);
        };
        onward.put(layout, before, channel, message);
        Ok(true)
    }
}
