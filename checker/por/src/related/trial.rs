//! Trying a step where only a part of the state is known.
//!
//! The rules are those of [`stubborn_system::system`]; the code is the one that the packed
//! successors run. A trial that asks for a scalar that is not known means nothing, and is made
//! again for each of its values.

use stubborn_space::packed::body::{Body, Pattern};
use stubborn_space::packed::evaluate::{Stacks, must_be_in};
use stubborn_space::packed::joint_step::OnStep;
use stubborn_space::packed::layout::{Layout, Slot};
use stubborn_space::packed::local::{LocalStep, Message, Outgoing};
use stubborn_system::system::{Order, Range};

use super::forest::ChannelUse;
use super::partial::{Missing, Partial};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Disabled,
    Waits,
    Fails,
    /// An effect of a part of a joint step fails.
    Breaks,
    Takes,
}

/// Result of a trial; the state after it is in `next`, whose written scalars are the effects
/// besides those listed here.
pub struct Attempt {
    pub status: Status,
    /// Changes of the lengths of channels.
    pub added: Vec<(Slot, i8)>,
    /// The first message of a queue, which will be another.
    pub lost: Vec<Slot>,
    pub uses: Vec<(u32, ChannelUse)>,
    /// The values that are sent, or that a message taken from a bag is to have; `None` for one that
    /// fails.
    pub values: Vec<Option<i64>>,
    /// The bag in which a message has to be for it, fail as it may.
    pub bag: Option<u32>,
}

impl Attempt {
    fn of(status: Status) -> Attempt {
        Attempt {
            status,
            added: Vec::new(),
            lost: Vec::new(),
            uses: Vec::new(),
            values: Vec::new(),
            bag: None,
        }
    }

    /// It fails, if there is the message that it asks for.
    fn failing(self) -> Attempt {
        Attempt {
            values: self.values,
            bag: self.bag,
            ..Attempt::of(Status::Fails)
        }
    }
}

pub struct Trial<'a> {
    pub layout: &'a Layout,
    pub stacks: &'a mut Stacks,
    /// The partial state before.
    pub before: &'a Partial,
    /// Begins as the same.
    pub next: &'a mut Partial,
}

impl Trial<'_> {
    /// A step without an action. A `receive` from a bag takes a message whose parts for `?` are
    /// these, and is taken to find one that matches.
    pub fn local(mut self, step: &LocalStep, choices: &[i64], message: &[i64]) -> Attempt {
        let mut attempt = Attempt::of(Status::Takes);
        let ready = match &step.message {
            None => match step.body.passes(self.layout, self.before, self.stacks) {
                Ok(true) => Status::Takes,
                Ok(false) => Status::Disabled,
                Err(_) => Status::Fails,
            },
            Some(Message::Send(outgoing)) => self.send(step, outgoing, &mut attempt),
            Some(Message::Receive { onward, .. }) => {
                match (self.receive(step, message, &mut attempt), onward) {
                    (Status::Takes, Some(onward)) => self.append(onward, true, &mut attempt),
                    (received, _) => received,
                }
            }
        };
        match ready {
            Status::Takes => self.finish(&step.body, choices, attempt),
            Status::Fails => attempt.failing(),
            ready => Attempt::of(ready),
        }
    }

    fn finish(&mut self, body: &Body, choices: &[i64], attempt: Attempt) -> Attempt {
        self.stacks.choices.clear();
        self.stacks.choices.extend_from_slice(choices);
        let result = self
            .stacks
            .perform(self.layout, self.next, &body.effects)
            .and_then(|()| body.arrive(self.layout, self.before, self.next, self.stacks));
        match result {
            Ok(()) => attempt,
            Err(_) => attempt.failing(),
        }
    }

    fn send(&mut self, step: &LocalStep, outgoing: &Outgoing, attempt: &mut Attempt) -> Status {
        match step.body.passes(self.layout, self.before, self.stacks) {
            Ok(true) => {}
            Ok(false) => return Status::Disabled,
            Err(_) => return Status::Fails,
        }
        self.append(outgoing, false, attempt)
    }

    /// Sends a message, which is evaluated in the state before, or, of a step that `received` one,
    /// in that without it.
    fn append(&mut self, outgoing: &Outgoing, received: bool, attempt: &mut Attempt) -> Status {
        debug_assert!(
            attempt.bag.is_none(),
            "values are those of one message: what is asked of a bag's or what is sent"
        );
        let Trial {
            layout,
            stacks,
            before,
            next,
        } = self;
        let state: &Partial = match received {
            true => next,
            false => before,
        };
        let Ok(number) = stacks.channel(layout, state, &outgoing.channel) else {
            return Status::Fails;
        };
        let channel = &layout.channels[number as usize];
        let length = state.length(channel.length);
        if length >= u64::from(channel.capacity) {
            return Status::Disabled;
        }
        for (value, range) in &outgoing.values {
            let value = stacks.scalar(layout, state, value);
            match value.and_then(|value| must_be_in(*range, value).map(|()| value)) {
                Ok(value) => attempt.values.push(Some(value)),
                Err(_) => return Status::Fails,
            }
        }
        next.set_length(channel.length, length + 1);
        // The length of the channel that a message was just taken from is as before.
        match (attempt.added.iter()).position(|(slot, _)| *slot == channel.length) {
            Some(at) => {
                attempt.added.remove(at);
            }
            None => attempt.added.push((channel.length, 1)),
        }
        attempt.uses.push((number, ChannelUse::Append));
        Status::Takes
    }

    fn receive(&mut self, step: &LocalStep, message: &[i64], attempt: &mut Attempt) -> Status {
        let Some(Message::Receive {
            channel,
            arguments,
            order,
            is_protected,
            ..
        }) = &step.message
        else {
            return Status::Disabled;
        };
        let Ok(number) = self.stacks.channel(self.layout, self.before, channel) else {
            return self.fails_unless(*is_protected, &step.body, Status::Disabled);
        };
        let channel = &self.layout.channels[number as usize];
        let length = self.before.length(channel.length);
        if length == 0 {
            return Status::Disabled;
        }
        attempt.bag = (*order == Order::Bag).then_some(number);
        let mut fails = false;
        let mut matches = true;
        let mut binds: Vec<(Slot, Range, i64)> = Vec::new();
        let mut given = message.iter();
        for (part, (argument, range)) in arguments.iter().enumerate() {
            let first = self.layout.slots[channel.slot(0, part as u32)];
            match argument {
                Pattern::Match(code) => {
                    let value = self.stacks.scalar(self.layout, self.before, code);
                    match value.and_then(|value| must_be_in(*range, value).map(|()| value)) {
                        Ok(value) if *order == Order::Queue => {
                            matches &= first.get(self.before) == value;
                        }
                        Ok(value) => attempt.values.push(Some(value)),
                        Err(_) => {
                            attempt.values.push(None);
                            fails = true;
                        }
                    }
                }
                Pattern::Bind { part, range } => {
                    let value = match order {
                        Order::Queue => first.get(self.before),
                        Order::Bag => given.next().copied().unwrap_or(range.lo),
                    };
                    match self.stacks.part(self.layout, self.before, part) {
                        Ok(slot) => binds.push((self.layout.slots[slot as usize], *range, value)),
                        Err(_) => fails = true,
                    }
                }
                Pattern::Skip => {}
            }
        }
        if !matches {
            return Status::Disabled;
        }
        if fails {
            return self.fails_unless(*is_protected, &step.body, Status::Disabled);
        }
        for (slot, range, value) in binds {
            if !range.contains(value) {
                return Status::Fails;
            }
            slot.set(self.next, value);
        }
        match step.body.passes(self.layout, self.next, self.stacks) {
            Ok(true) => {}
            Ok(false) => return Status::Disabled,
            Err(_) => return Status::Fails,
        }
        self.next.set_length(channel.length, length - 1);
        attempt.added.push((channel.length, -1));
        attempt.uses.push((number, ChannelUse::Remove));
        if *order == Order::Queue {
            for part in 0..channel.parts {
                let slot = self.layout.slots[channel.slot(0, part)];
                attempt.lost.push(slot);
            }
        }
        Status::Takes
    }

    /// Returns the status of a step with an argument or an index that fails: that of a false guard if
    /// the step is protected and its guard is false.
    fn fails_unless(&mut self, is_protected: bool, body: &Body, waits: Status) -> Status {
        let guard_is_false =
            |trial: &mut Self| body.passes(trial.layout, trial.before, trial.stacks) == Ok(false);
        if is_protected && guard_is_false(self) {
            waits
        } else {
            Status::Fails
        }
    }

    /// An instance's part of a joint step with these values.
    pub fn joint(
        mut self,
        step: &OnStep,
        values: &[i64],
        ranges: &[Range],
        choices: &[i64],
    ) -> Attempt {
        let mut fails = false;
        for ((pattern, value), range) in step.patterns.iter().zip(values).zip(ranges) {
            match pattern {
                Pattern::Match(code) => match self.stacks.scalar(self.layout, self.before, code) {
                    Ok(wanted) if wanted == *value => {}
                    Ok(wanted) if range.contains(wanted) => {
                        return Attempt::of(Status::Disabled);
                    }
                    _ => fails = true,
                },
                Pattern::Bind { part, range } => {
                    match self.stacks.part(self.layout, self.before, part) {
                        Ok(slot) if range.contains(*value) => {
                            self.layout.slots[slot as usize].set(self.next, *value);
                        }
                        _ => fails = true,
                    }
                }
                Pattern::Skip => {}
            }
        }
        if fails {
            let status = self.fails_unless(!step.binds, &step.body, Status::Waits);
            return Attempt::of(status);
        }
        match step.body.passes(self.layout, self.next, self.stacks) {
            Ok(true) => {}
            Ok(false) => return Attempt::of(Status::Waits),
            Err(_) => return Attempt::of(Status::Fails),
        }
        let attempt = self.finish(&step.body, choices, Attempt::of(Status::Takes));
        match attempt.status {
            Status::Fails => Attempt::of(Status::Breaks),
            _ => attempt,
        }
    }
}

/// Reads nothing that is not known, so that what a trial found can be trusted.
pub fn missing(before: &Partial, next: &Partial) -> Option<Missing> {
    before.take_missing().or(next.take_missing())
}
