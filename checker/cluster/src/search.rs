//! A worker's part of one search.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use stubborn_engine::several::{Effort, Part, Question};
use stubborn_engine::{Allowed, Reason};

use crate::exchange::{Ended, Exchange, Tally};
use crate::messages::{Order, Said};
use crate::site::{Board, Looking};
use crate::worker::Desk;

/// How far it is is told so often.
const BETWEEN_COUNTS: Duration = Duration::from_millis(100);

/// Takes part until the search is over, or is to end.
pub fn take_part(desk: &Desk, search: u64, question: &Question, exchange: &mut Exchange<'_>) {
    let looking = Looking {
        board: &desk.board,
        search,
    };
    let allowed = Allowed {
        limits: desk.means.limits,
        account: &desk.board.account,
        watch: &looking,
    };
    let searched = stubborn_engine::take_part(question, allowed, |part| {
        let mut taking = Taking {
            desk,
            search,
            exchange,
            part,
            told: Instant::now(),
            is_for_ways: false,
        };
        let ended = taking.all();
        taking.tell_count();
        match ended {
            Ok(()) => desk.say(search, Said::Over(taking.part.failing())),
            Err(Ended::Limit(reason)) => desk.say(search, Said::Limit(reason.into())),
            Err(Ended::Stopped) => {}
        }
    });
    if let Err(reason) = searched {
        desk.say(search, Said::Limit(reason.into()));
    }
}

struct Taking<'t, 'w> {
    desk: &'t Desk,
    search: u64,
    exchange: &'t mut Exchange<'w>,
    part: &'t mut dyn Part,
    told: Instant,
    /// States are gone through once more, and nothing is counted.
    is_for_ways: bool,
}

fn ended(reason: Reason) -> Ended {
    match reason {
        Reason::Cancelled => Ended::Stopped,
        reason => Ended::Limit(reason),
    }
}

/// What a part of a search comes to, where it may come to a limit.
fn or_ended<T>(flow: ControlFlow<Reason, T>) -> Result<T, Ended> {
    match flow {
        ControlFlow::Continue(done) => Ok(done),
        ControlFlow::Break(reason) => Err(ended(reason)),
    }
}

/// Whether nobody has said that the search is over.
fn goes_on(board: &Board, search: u64) -> Result<(), Ended> {
    match board.stopped.load(Relaxed) >= search || board.is_broken.load(Relaxed) {
        true => Err(Ended::Stopped),
        false => Ok(()),
    }
}

impl Taking<'_, '_> {
    fn all(&mut self) -> Result<(), Ended> {
        self.begin()?;
        loop {
            let all = self.layer()?;
            if all.shown > 0 {
                self.tell_count();
                self.desk.say(self.search, Said::Waits);
                self.answer()?;
            }
            if all.new == 0 {
                return Ok(());
            }
        }
    }

    fn goes_on(&self) -> Result<(), Ended> {
        goes_on(&self.desk.board, self.search)
    }

    /// Whoever it belongs to takes in the initial state.
    fn begin(&mut self) -> Result<(), Ended> {
        let initial = self.part.initial();
        let owner = Exchange::owner(&initial, self.exchange.workers());
        match owner == self.exchange.index() {
            true => or_ended(self.part.meet(&initial)),
            false => Ok(()),
        }
    }

    /// Takes the steps of the states at hand, and waits until all others have done the same: what all have found
    /// together.
    fn layer(&mut self) -> Result<Tally, Ended> {
        self.take_steps()?;
        self.exchange.end_sending();
        while !self.exchange.has_all() {
            self.goes_on()?;
            self.exchange.rest();
            self.take_in()?;
            self.count_now_and_then();
        }
        self.take_in()?;
        let shown = self.part.shown();
        let tally = Tally {
            new: self.part.next_layer(),
            shown: shown.len() as u64,
            judgement: self.part.judgement(),
            workers: 0,
        };
        if !shown.is_empty() {
            self.desk.say(self.search, Said::Shown(shown));
        }
        let (board, search) = (&self.desk.board, self.search);
        let all = self.exchange.tell(tally, &|| goes_on(board, search))?;
        if all.new > 0 && !self.is_for_ways {
            let keeps = self.exchange.index() == 0;
            self.part.end_layer(all.judgement, keeps);
        }
        Ok(all)
    }

    fn take_steps(&mut self) -> Result<(), Ended> {
        loop {
            self.goes_on()?;
            if self.desk.board.leave_steps.load(Relaxed) {
                self.part.leave_steps();
            }
            let workers = self.exchange.workers();
            let gathered = self.exchange.gathered();
            let mut send = |state: &[u64]| {
                gathered[Exchange::owner(state, workers)].extend_from_slice(state);
            };
            let has_more = or_ended(self.part.take_steps(&mut send))?;
            let own = self.exchange.own();
            or_ended(self.part.meet(&own))?;
            self.exchange.send(false);
            self.take_in()?;
            self.count_now_and_then();
            if !has_more {
                return Ok(());
            }
        }
    }

    /// What others have sent.
    fn take_in(&mut self) -> Result<(), Ended> {
        for rows in self.exchange.receive() {
            // What does not come to whole states was never sent by such a worker.
            if rows.len() % self.part.words() != 0 {
                let defect = "states arrived that are none".to_owned();
                return Err(Ended::Limit(Reason::Internal(defect)));
            }
            or_ended(self.part.meet(&rows))?;
        }
        Ok(())
    }

    fn count_now_and_then(&mut self) {
        if self.told.elapsed() >= BETWEEN_COUNTS {
            self.tell_count();
        }
    }

    fn tell_count(&mut self) {
        self.told = Instant::now();
        let count = self.part.count();
        let effort = Effort {
            process: self.desk.process,
            states: count.states,
            bytes: count.most,
            sent: self.exchange.sent,
            waited: self.exchange.waited.as_secs_f64(),
        };
        self.desk.say(self.search, Said::Count(count, effort));
    }

    /// Does as it is told until the search goes on.
    fn answer(&mut self) -> Result<(), Ended> {
        loop {
            self.goes_on()?;
            match self.desk.orders.try_recv() {
                Ok(Order::GoOn(open)) => {
                    self.part.go_on(&open);
                    return Ok(());
                }
                Ok(Order::BeginWays(to)) => {
                    self.begin_ways(to)?;
                    self.desk.say(self.search, Said::Ready);
                }
                Ok(Order::LayerOf(shown)) => {
                    let owner = Exchange::owner(&shown.state, self.exchange.workers());
                    let is_own = owner == self.exchange.index();
                    let layer = is_own.then(|| self.part.layer_of(&shown)).flatten();
                    self.desk.say(self.search, Said::Layer(layer));
                }
                Ok(Order::Before(layer, state)) => {
                    let before = or_ended(self.part.before(layer, &state))?;
                    self.desk.say(self.search, Said::Before(before));
                }
                Ok(Order::EndWays) => self.part.end_ways(),
                Ok(_) => {}
                Err(TryRecvError::Empty) => self.exchange.rest(),
                Err(TryRecvError::Disconnected) => return Err(Ended::Stopped),
            }
        }
    }

    /// Finds out in which layer each state is, where that is not known.
    fn begin_ways(&mut self, to: u64) -> Result<(), Ended> {
        if !or_ended(self.part.begin_ways(to))? {
            return Ok(());
        }
        self.is_for_ways = true;
        self.begin()?;
        for _ in 0..=to {
            if self.layer()?.new == 0 {
                break;
            }
        }
        self.is_for_ways = false;
        Ok(())
    }
}
