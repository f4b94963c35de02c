//! A worker's part of one search: rounds, and orders between them.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use stubborn_engine::several::{Asked, Effort, Question};
use stubborn_engine::{Budget, Local, Reason};
use stubborn_explorer::search::Stop;
use stubborn_explorer::store::coding::Coding;

use crate::board::{Board, Looking};
use crate::desk::Desk;
use crate::exchange::{Ended, Exchange, Tally};
use crate::messages::{Order, Said};
use crate::share::{AnyShare, Direction, Phase, Seat, Share};

/// Time between two counts for the leader.
const BETWEEN_COUNTS: Duration = Duration::from_millis(100);
/// The number of states at which all workers first wait for a question about cycles, and the factor
/// to the next one: together the questions cost a small part of the last one.
const FIRST_PAUSE: u64 = 1 << 10;
const TIMES: u64 = 8;
/// Counts that a worker sends for its share of a limit on states.
const PARTS_OF_LIMIT: u64 = 8;

/// Takes part until the search is over, or is to end.
pub fn take_part(desk: &Desk, search: u64, question: &Question, exchange: &mut Exchange<'_>) {
    let looking = Looking {
        board: &desk.board,
        search,
    };
    let seat = Seat {
        own: exchange.index(),
        workers: exchange.workers(),
    };
    let mut carried_out = Ok(());
    let budget = Budget::new(&looking).with(desk.means.limits);
    let taken = stubborn_engine::take_part(question, budget, &mut |local| {
        // With the shorter one of both lifetimes.
        let local = Local {
            observer: &mut *local.observer,
            ..local
        };
        let of = (desk, search, question);
        carried_out = match AnyShare::new(local, (&desk.board.account, seat)) {
            ControlFlow::Continue(AnyShare::One(share)) => carry_out(share, of, exchange),
            ControlFlow::Continue(AnyShare::Several(share)) => carry_out(share, of, exchange),
            ControlFlow::Break(Stop::Limit(reason)) => Err(ended(reason)),
            ControlFlow::Break(Stop::Decided) => Ok(()),
        };
    });
    let limit = match (taken, carried_out) {
        (Err(reason), _) | (Ok(()), Err(Ended::Limit(reason))) => reason,
        (Ok(()), Ok(()) | Err(Ended::Stopped)) => return,
    };
    desk.say(search, Said::Limit(limit.into()));
}

fn carry_out<C: Coding>(
    share: Share<'_, C>,
    (desk, search, question): (&Desk, u64, &Question),
    exchange: &mut Exchange<'_>,
) -> Result<(), Ended> {
    let mut taking = Taking {
        desk,
        search,
        exchange,
        share,
        told: Instant::now(),
        max_states: question.max_states,
        states_told: 0,
        is_left: false,
        found: 0,
        // Cycles beside a monitor may be found before all states are.
        pause: match question.watched {
            Some(_) => FIRST_PAUSE,
            None => u64::MAX,
        },
    };
    let ended = taking.all();
    taking.tell_count();
    ended
}

struct Taking<'t, 'w, 'm, C> {
    desk: &'t Desk,
    search: u64,
    exchange: &'t mut Exchange<'w>,
    share: Share<'m, C>,
    /// When the count was sent last.
    told: Instant,
    /// The limit on the states of all workers, and the own states that were counted.
    max_states: Option<u64>,
    states_told: u64,
    /// The rest of this layer is left out.
    is_left: bool,
    /// States of all workers, and the number at which all wait for questions.
    found: u64,
    pause: u64,
}

fn ended(reason: Reason) -> Ended {
    match reason {
        Reason::Cancelled => Ended::Stopped,
        reason => Ended::Limit(reason),
    }
}

/// Breaks if the search was stopped.
fn goes_on(board: &Board, search: u64) -> Result<(), Ended> {
    match board.stopped.load(Relaxed) >= search || board.is_broken.load(Relaxed) {
        true => Err(Ended::Stopped),
        false => Ok(()),
    }
}

impl<'m, C: Coding> Taking<'_, '_, 'm, C> {
    /// Takes a step of the share. A search with nothing left to find has not reached a limit.
    fn done<T: Default>(
        &mut self,
        step: impl FnOnce(&mut Share<'m, C>) -> ControlFlow<Stop, T>,
    ) -> Result<T, Ended> {
        match step(&mut self.share) {
            ControlFlow::Continue(done) => Ok(done),
            ControlFlow::Break(Stop::Limit(reason)) => Err(ended(reason)),
            ControlFlow::Break(Stop::Decided) => {
                self.share.leave_steps();
                Ok(T::default())
            }
        }
    }

    fn all(&mut self) -> Result<(), Ended> {
        self.done(|share| share.begin(Phase::Explore))?;
        loop {
            let all = self.layer()?;
            self.found += all.waiting;
            let pauses = all.waiting > 0 && self.found >= self.pause;
            if pauses {
                self.pause = self.found.saturating_mul(TIMES);
            }
            if all.shown > 0 || pauses {
                self.tell_count();
                self.desk.say(self.search, Said::Waits);
                self.answer()?;
            }
            if all.waiting > 0 && all.left > 0 {
                // Behind steps that were left out a run to what is shown may not be the shortest.
                self.tell_count();
                self.desk.say(self.search, Said::StepsLeft);
                return Err(Ended::Stopped);
            }
            if all.waiting == 0 {
                self.tell_count();
                self.desk.say(self.search, Said::Over(self.share.failing()));
                // There may be questions.
                return self.answer();
            }
        }
    }

    fn goes_on(&self) -> Result<(), Ended> {
        goes_on(&self.desk.board, self.search)
    }

    /// Expands a layer, together with all others.
    fn layer(&mut self) -> Result<Tally, Ended> {
        self.is_left = false;
        let waiting = self.round(Phase::Explore)?;
        let shown = self.share.shown();
        let tally = Tally {
            waiting,
            shown: shown.len() as u64,
            judgement: self.share.judgement(),
            left: u64::from(self.is_left),
            workers: 0,
        };
        if !shown.is_empty() {
            self.desk.say(self.search, Said::Shown(shown));
        }
        let all = self.tell(tally)?;
        if all.waiting > 0 {
            let keeps = self.exchange.index() == 0;
            self.share.end_layer(all.judgement, keeps);
        }
        Ok(all)
    }

    /// Goes through all rounds of a phase. Returns how many states of all workers are marked then.
    fn phase(&mut self, phase: Phase) -> Result<u64, Ended> {
        self.done(|share| share.begin(phase))?;
        loop {
            let tally = Tally {
                waiting: self.round(phase)?,
                shown: self.share.marked(),
                ..Tally::default()
            };
            let all = self.tell(tally)?;
            if all.waiting == 0 {
                return Ok(all.shown);
            }
        }
    }

    fn tell(&mut self, tally: Tally) -> Result<Tally, Ended> {
        let (board, search) = (&self.desk.board, self.search);
        self.exchange.tell(tally, &|| goes_on(board, search))
    }

    /// Does the work of a round, and waits until everything that was sent in it, by all workers,
    /// has arrived. Returns the number of states that wait for the next round.
    fn round(&mut self, phase: Phase) -> Result<u64, Ended> {
        let own = self.exchange.index();
        loop {
            self.goes_on()?;
            let leaves = || self.desk.board.leave_steps.load(Relaxed) || self.has_too_many();
            if phase == Phase::Explore && leaves() {
                self.share.leave_steps();
                self.is_left = true;
            }
            let has_more = self.done(Share::work)?;
            let mut rows = std::mem::take(&mut self.share.outbox()[own]);
            self.done(|share| share.receive(&rows))?;
            rows.clear();
            self.share.outbox()[own] = rows;
            self.exchange.send(self.share.outbox(), false);
            self.receive()?;
            if !has_more {
                break;
            }
        }
        self.exchange.end_sending(self.share.outbox());
        while !self.exchange.has_all() {
            self.goes_on()?;
            self.exchange.rest();
            self.receive()?;
        }
        self.receive()?;
        self.done(Share::end_round)
    }

    /// Receives what others have sent, and sends the count if it is time.
    fn receive(&mut self) -> Result<(), Ended> {
        for rows in self.exchange.receive() {
            self.done(|share| share.receive(&rows))?;
        }
        let own = self.share.count().states;
        let share = self.max_states.map_or(u64::MAX, |most| {
            most / self.exchange.workers() as u64 / PARTS_OF_LIMIT
        });
        if self.told.elapsed() >= BETWEEN_COUNTS || own > self.states_told.saturating_add(share) {
            self.tell_count();
        }
        Ok(())
    }

    /// Whether this worker alone is beyond the limit. The leader, which adds the counts of all
    /// workers up, knows of it a little later.
    fn has_too_many(&self) -> bool {
        let most = self.max_states;
        most.is_some_and(|most| self.share.count().states > most)
    }

    fn tell_count(&mut self) {
        self.told = Instant::now();
        let count = self.share.count();
        self.states_told = count.states;
        let effort = Effort {
            process: self.desk.process,
            states: count.states,
            bytes: count.most,
            sent: self.exchange.sent,
            waited: self.exchange.waited.as_secs_f64(),
        };
        self.desk.say(self.search, Said::Count(count, effort));
    }

    /// Carries out orders until the exploration continues.
    fn answer(&mut self) -> Result<(), Ended> {
        loop {
            self.goes_on()?;
            let said = match self.desk.orders.try_recv() {
                Ok(Order::GoOn(open)) => {
                    self.share.go_on(&open);
                    return Ok(());
                }
                Ok(Order::LayerOf(state)) => {
                    self.find_levels()?;
                    Said::Layer(self.share.layer_of(&state))
                }
                Ok(Order::Before(layer, state)) => {
                    Said::Before(self.done(|share| share.before(layer, &state))?)
                }
                Ok(Order::Ask(asked)) => {
                    self.find_levels()?;
                    self.ask(asked)?;
                    Said::Nearest(self.done(Share::nearest)?)
                }
                Ok(Order::Which(states)) => {
                    let which = states.iter().map(|state| self.share.is_answer(state));
                    Said::Which(which.collect())
                }
                Ok(_) => continue,
                Err(TryRecvError::Empty) => {
                    self.exchange.rest();
                    continue;
                }
                Err(TryRecvError::Disconnected) => return Err(Ended::Stopped),
            };
            self.desk.say(self.search, said);
        }
    }

    /// Finds the layer of each state, unless they are known.
    fn find_levels(&mut self) -> Result<(), Ended> {
        if !self.share.knows_levels() {
            self.phase(Phase::Levels)?;
        }
        Ok(())
    }

    /// Answers a question about all states, together with all others.
    fn ask(&mut self, asked: Asked) -> Result<(), Ended> {
        let mut left = self.phase(Phase::Edges(asked))?;
        if asked.is_about_reaching() {
            self.phase(Phase::Back(Direction::Known))?;
            return Ok(());
        }
        loop {
            let before = left;
            if !asked.all_are_wanted() {
                self.phase(Phase::Back(Direction::Reach))?;
            }
            self.phase(Phase::Back(Direction::Count))?;
            left = self.phase(Phase::Back(Direction::Trim))?;
            if left == 0 || left == before || asked.all_are_wanted() {
                return Ok(());
            }
        }
    }
}
