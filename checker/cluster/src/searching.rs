//! The leader's side of a search: messages of workers, and orders to them.

use std::ops::ControlFlow;
use std::sync::MutexGuard;
use std::time::{Duration, Instant};

use stubborn_engine::Reason;
use stubborn_engine::several::{
    Asked, Count, Effort, Event, FailingStep, Poll, Question, Shared, Sharing, Shown,
};

use crate::identity::named;
use crate::messages::{Order, Said};
use crate::peers::{Efforts, Peers};
use crate::voice::TO_END;

/// Time between two questions whether to go on.
const BETWEEN_QUESTIONS: Duration = Duration::from_millis(20);
/// Grace period to end a search for a process that is alive, as a multiple of that for a silent
/// one.
const TIMES_TO_END: u32 = 6;

/// A search that has begun, or is over.
pub struct Searching<'s> {
    inner: MutexGuard<'s, Peers>,
    number: u64,
    max_states: Option<u64>,
    properties: usize,
    counts: Vec<Count>,
    efforts: &'s Efforts,
    /// Violations since the search went on.
    shown: Vec<Shown>,
    failing: Vec<FailingStep>,
    /// Numbers of workers that wait, and that have ended; and which are idle.
    waiting: usize,
    over: usize,
    idle: Vec<bool>,
    /// Number of open properties.
    open: usize,
    /// A path is searched for, whatever the limit on states.
    is_for_way: bool,
    /// There are more states than the limit allows: no more steps are taken, and the violations of
    /// the present layer are the last ones.
    has_too_many: bool,
    /// Steps were left out in the last layer.
    lacks_steps: bool,
    /// The caller does not wait any more.
    is_urgent: bool,
    /// Why an order was not carried out by all workers, which then wait for each other: one has
    /// reached a limit, or the caller did not wait. The search cannot continue.
    astray: Option<Reason>,
}

impl<'s> Searching<'s> {
    /// A search that has just begun, with this number.
    pub fn of(
        question: &Question,
        number: u64,
        inner: MutexGuard<'s, Peers>,
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

    /// Why the search is to end.
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

    /// Why there was not enough time: a process may have stopped.
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

    /// The limit on states, if there are more.
    fn too_many(&self) -> Option<Reason> {
        let most = self.max_states?;
        (self.count().states > most).then_some(Reason::States(most))
    }

    /// Receives a message of a worker, except counts and the like, which are noted.
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

    /// Sends an order to which every worker gives one answer. `take` gives back other messages.
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

    /// Ends the search on all workers, and waits while they are alive: they free their states
    /// first. If the caller does not wait, or the time is over, a silent process is not waited for,
    /// and all others no longer than a silent one.
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
