//! What the first process does while a search is under way: it hears what workers say, and asks them.

use std::ops::ControlFlow;
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

use stubborn_engine::Reason;
use stubborn_engine::several::{
    Asked, Count, Effort, Event, FailingStep, Poll, Question, Shared, Sharing, Shown,
};

use crate::identity::named;
use crate::leader::{Efforts, Inner};
use crate::messages::{Order, Said};
use crate::voice::TO_END;

/// Between two questions whether to go on.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(20);
/// Whoever says all the time that it is there, and does not end a search, has so many times as long for it as one that says
/// nothing: then it never will.
const TIMES_TO_END: u32 = 6;

/// A search that is under way, or over.
pub struct Searching<'s> {
    inner: MutexGuard<'s, Inner>,
    number: u64,
    max_states: Option<u64>,
    properties: usize,
    counts: Vec<Count>,
    efforts: &'s Efforts,
    /// What was shown since the search went on.
    shown: Vec<Shown>,
    failing: Vec<FailingStep>,
    /// How many workers wait, and have come to the end; and which have nothing to do any more.
    waiting: usize,
    over: usize,
    idle: Vec<bool>,
    /// How many properties are open.
    open: usize,
    /// A way is looked for, whatever the limit on states is.
    is_for_way: bool,
    /// There are more states than the limit allows: no more steps are taken, and what the layer at hand has shown is the
    /// last to be told.
    has_too_many: bool,
    /// They were left out in the last layer.
    lacks_steps: bool,
    /// Whoever has asked for the search does not want to wait any more.
    is_urgent: bool,
    /// Why not all have done what they were told to, while all wait for each other: one has come to a limit, or they were not
    /// waited for. Then nothing comes of the search any more.
    astray: Option<Reason>,
}

impl<'s> Searching<'s> {
    /// That has just begun, with this number.
    pub fn of(
        question: &Question,
        number: u64,
        inner: MutexGuard<'s, Inner>,
        efforts: &'s Efforts,
    ) -> Searching<'s> {
        let workers = (inner.processes * inner.workers) as usize;
        *efforts.all() = vec![Effort::default(); workers];
        Searching {
            max_states: question.max_states,
            properties: match question.watched {
                Some(_) => 2,
                None => question.properties.len(),
            },
            number,
            counts: vec![Count::default(); workers],
            efforts,
            shown: Vec::new(),
            failing: Vec::new(),
            waiting: 0,
            over: 0,
            idle: vec![false; workers],
            // Of what a monitor watches for one is enough, of two kinds.
            open: match question.watched {
                Some(_) => 1,
                None => question.properties.len(),
            },
            is_for_way: false,
            has_too_many: false,
            lacks_steps: false,
            is_urgent: false,
            astray: None,
            inner,
        }
    }
}

impl Searching<'_> {
    fn workers(&self) -> usize {
        self.counts.len()
    }

    /// Why nothing comes to an end any more, or nobody wants it.
    fn stops(&mut self, poll: Poll<'_>) -> Option<Reason> {
        if let Some(fault) = &self.inner.fault {
            return Some(Reason::Others(fault.clone()));
        }
        if let Some(too_many) = self.too_many()
            && !self.is_for_way
            && !self.has_too_many
        {
            return Some(too_many);
        }
        match poll(&self.count()) {
            ControlFlow::Continue(()) => None,
            ControlFlow::Break(reason) => {
                self.is_urgent = true;
                Some(match reason {
                    Reason::Time => self.out_of_time(),
                    reason => reason,
                })
            }
        }
    }

    /// Why there was not enough time: somebody may have stood still.
    fn out_of_time(&mut self) -> Reason {
        let Some((silent, since)) = self.inner.missed() else {
            return Reason::Time;
        };
        let who = named(silent, self.inner.processes);
        let seconds = since.as_secs_f64();
        let fault = format!(
            "the time limit was reached when {who} had said nothing for {seconds:.0} seconds"
        );
        self.inner.breaks(fault.clone());
        Reason::Others(fault)
    }

    /// The limit on states, where there are more.
    fn too_many(&self) -> Option<Reason> {
        let most = self.max_states?;
        (self.count().states > most).then_some(Reason::States(most))
    }

    /// What a worker says, with what is always to be done about it.
    fn hear(&mut self) -> Option<(u32, Said)> {
        let (worker, said) = self.inner.hear(self.number, BETWEEN_QUESTIONS)?;
        let at = worker as usize;
        if at >= self.workers() {
            self.inner
                .breaks("a worker that is none of all has said something".to_owned());
            return None;
        }
        match said {
            Said::Count(count, effort) => {
                self.counts[at] = count;
                self.efforts.all()[at] = effort;
                None
            }
            Said::Idle => {
                self.idle[at] = true;
                None
            }
            said => Some((worker, said)),
        }
    }

    /// Has all do something, of which every worker says one thing: what `take` makes of it. It gives back what it does not
    /// take.
    fn have_all(
        &mut self,
        order: &Order,
        poll: Poll<'_>,
        take: &mut dyn FnMut(Said) -> Option<Said>,
    ) -> Result<(), Reason> {
        if let Some(reason) = &self.astray {
            return Err(reason.clone());
        }
        self.inner.order(order);
        let done = self.all(poll, take);
        if let Err(reason) = &done {
            self.astray = Some(reason.clone());
        }
        done
    }

    fn all(
        &mut self,
        poll: Poll<'_>,
        take: &mut dyn FnMut(Said) -> Option<Said>,
    ) -> Result<(), Reason> {
        let mut said_by = 0;
        while said_by < self.workers() {
            if let Some((_, said)) = self.hear() {
                match take(said) {
                    None => said_by += 1,
                    Some(Said::Limit(limit)) => return Err(limit.into()),
                    Some(_) => {}
                }
            }
            if let Some(reason) = self.stops(poll) {
                return Err(reason);
            }
        }
        Ok(())
    }

    fn answered(&mut self, asked: Asked, poll: Poll<'_>) -> Result<Option<Shown>, Reason> {
        let mut all: Vec<Shown> = Vec::new();
        self.have_all(&Order::Ask(asked), poll, &mut |said| match said {
            Said::Nearest(own) => {
                all.extend(own);
                None
            }
            other => Some(other),
        })?;
        Ok(all.into_iter().min())
    }

    fn found_way(&mut self, shown: &Shown, poll: Poll<'_>) -> Result<Vec<Box<[u64]>>, Reason> {
        let defect = |what: &str| Reason::Internal(what.to_owned());
        let mut layer = None;
        let order = Order::LayerOf(shown.state.clone());
        self.have_all(&order, poll, &mut |said| match said {
            Said::Layer(told) => {
                layer = layer.or(told);
                None
            }
            other => Some(other),
        })?;
        let layer = layer.ok_or_else(|| defect("nobody has the state that was shown"))?;
        let mut way: Vec<Box<[u64]>> = vec![shown.state.clone().into()];
        for layer in (0..layer).rev() {
            let state = way[way.len() - 1].to_vec();
            let mut before: Option<Vec<u64>> = None;
            self.have_all(&Order::Before(layer, state), poll, &mut |said| match said {
                Said::Before(told) => {
                    before = match (before.take(), told) {
                        (Some(one), Some(other)) => Some(one.min(other)),
                        (one, other) => one.or(other),
                    };
                    None
                }
                other => Some(other),
            })?;
            let before = before.filter(|before| before.len() == shown.state.len());
            let before =
                before.ok_or_else(|| defect("no state of a layer leads to one of the next"))?;
            way.push(before.into());
        }
        way.reverse();
        Ok(way)
    }

    /// Tells all to end, and gives them time for it as long as they say that they are there: what they have kept is given
    /// back first, which takes as long as it is large. Where nobody wants to wait, or the time is over, somebody who is
    /// missed is not waited for, and all others no longer than one that says nothing.
    fn end(&mut self) {
        self.inner.order(&Order::Stop(self.number));
        let began = Instant::now();
        while self.inner.fault.is_none() {
            let Some(busy) = self.idle.iter().position(|is_idle| !is_idle) else {
                return;
            };
            let waited = began.elapsed();
            let is_urgent = self.is_urgent || self.inner.is_out_of_time();
            let missing = match is_urgent && waited >= TO_END {
                true => self.inner.missing(),
                false => None,
            };
            let longest = match is_urgent {
                true => self.inner.longest(),
                false => self.inner.longest() * TIMES_TO_END,
            };
            if missing.is_some() || waited >= longest {
                // Those that are there may only wait for the one that is not.
                let process = missing.unwrap_or(busy as u32 / self.inner.workers);
                let who = named(process, self.inner.processes);
                let fault = format!("{who} has not ended a search when it was told to");
                return self.inner.breaks(fault);
            }
            self.hear();
        }
    }
}

impl Shared for Searching<'_> {
    fn next(&mut self, poll: Poll<'_>) -> Event {
        if let Some(too_many) = self.too_many()
            && self.has_too_many
        {
            return Event::Stopped(too_many);
        }
        if let Some(reason) = &self.astray {
            return Event::Stopped(reason.clone());
        }
        loop {
            match self.hear() {
                Some((_, Said::Shown(shown))) => {
                    let known = |one: &Shown| one.property < self.properties;
                    self.shown.extend(shown.into_iter().filter(known));
                    let mut properties: Vec<usize> =
                        self.shown.iter().map(|shown| shown.property).collect();
                    properties.sort_unstable();
                    properties.dedup();
                    if properties.len() == self.open {
                        self.inner.order(&Order::LeaveSteps);
                    }
                }
                Some((_, Said::Waits)) => self.waiting += 1,
                Some((_, Said::Over(failing))) => {
                    self.over += 1;
                    self.failing.extend(failing);
                }
                Some((_, Said::StepsLeft)) => {
                    self.over += 1;
                    self.lacks_steps = true;
                }
                Some((_, Said::Limit(limit))) => return Event::Stopped(limit.into()),
                _ => {}
            }
            if self.waiting == self.workers() {
                self.waiting = 0;
                let mut shown = std::mem::take(&mut self.shown);
                // The nearest of each property, and of several the first in an order of their own.
                shown.sort_by(|one, other| {
                    let key = |shown: &Shown| (shown.property, shown.layer);
                    key(one)
                        .cmp(&key(other))
                        .then_with(|| one.state.cmp(&other.state))
                });
                shown.dedup_by_key(|shown| shown.property);
                return match self.too_many() {
                    Some(too_many) if shown.is_empty() => Event::Stopped(too_many),
                    _ => Event::Shown(shown),
                };
            }
            if self.over == self.workers() {
                return match self.too_many() {
                    Some(too_many) => Event::Stopped(too_many),
                    None if self.lacks_steps => {
                        let defect = "steps were left out of a search that goes on".to_owned();
                        Event::Stopped(Reason::Internal(defect))
                    }
                    None => Event::Over,
                };
            }
            match self.stops(poll) {
                // What this layer has shown so far is told at its end, which comes at once.
                Some(Reason::States(_)) if !self.has_too_many => {
                    self.has_too_many = true;
                    self.inner.order(&Order::LeaveSteps);
                }
                Some(reason) => return Event::Stopped(reason),
                None => {}
            }
        }
    }

    fn way(&mut self, shown: &Shown, poll: Poll<'_>) -> Result<Vec<Box<[u64]>>, Reason> {
        self.is_for_way = true;
        let way = self.found_way(shown, poll);
        self.is_for_way = false;
        way
    }

    fn ask(&mut self, asked: Asked, poll: Poll<'_>) -> Result<Option<Shown>, Reason> {
        self.is_for_way = true;
        let answer = self.answered(asked, poll);
        self.is_for_way = false;
        answer
    }

    fn which(&mut self, states: &[Vec<u64>], poll: Poll<'_>) -> Result<Vec<bool>, Reason> {
        let mut which = vec![false; states.len()];
        self.have_all(
            &Order::Which(states.to_vec()),
            poll,
            &mut |said| match said {
                Said::Which(own) => {
                    for (all, own) in which.iter_mut().zip(own) {
                        *all |= own;
                    }
                    None
                }
                other => Some(other),
            },
        )?;
        Ok(which)
    }

    fn go_on(&mut self, open: &[usize]) {
        if self.astray.is_some() {
            return;
        }
        self.open = open.len();
        self.inner.order(&Order::GoOn(open.to_vec()));
    }

    fn count(&self) -> Count {
        let all = self.counts.iter().copied();
        all.fold(Count::default(), Count::and)
    }

    fn failing(&self) -> Vec<FailingStep> {
        let mut failing = self.failing.clone();
        failing.sort();
        failing
    }

    fn sharing(&self) -> Sharing {
        Sharing {
            processes: self.inner.processes,
            workers: self.efforts.all().clone(),
        }
    }
}

impl Drop for Searching<'_> {
    fn drop(&mut self) {
        self.end();
        self.efforts.all().clear();
    }
}
