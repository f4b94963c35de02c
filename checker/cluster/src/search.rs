//! A worker's part of one search.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::TryRecvError;
use std::time::{Duration, Instant};

use stubborn_engine::several::{Asked, Effort, Part, Phase, Question, Seat};
use stubborn_engine::{Allowed, Budget, Reason};

use crate::exchange::{Ended, Exchange, Tally};
use crate::messages::{Order, Said};
use crate::site::{Board, Looking};
use crate::worker::Desk;

/// How far it is is told so often.
const BETWEEN_COUNTS: Duration = Duration::from_millis(100);
/// Where there are questions about what was found until then, all wait at so many states, and then at so many times as
/// many: what is asked takes a small part of what it takes at the end.
const FIRST_PAUSE: u64 = 1 << 10;
const TIMES: u64 = 8;
/// Where there is a limit on states each worker tells as often that it has found such a part of its share of them.
const PARTS_OF_LIMIT: u64 = 8;

/// Takes part until the search is over, or is to end.
pub fn take_part(desk: &Desk, search: u64, question: &Question, exchange: &mut Exchange<'_>) {
    let looking = Looking {
        board: &desk.board,
        search,
    };
    let allowed = Allowed {
        budget: Budget::new(&looking).with(desk.means.limits),
        account: &desk.board.account,
        seat: Seat {
            own: exchange.index(),
            workers: exchange.workers(),
        },
    };
    let searched = stubborn_engine::take_part(question, allowed, |part| {
        let mut taking = Taking {
            desk,
            search,
            exchange,
            part,
            told: Instant::now(),
            max_states: question.max_states,
            states_told: 0,
            is_left: false,
            is_for_ways: false,
            arriving: Arriving::States,
            found: 0,
            pause: if question.pauses {
                FIRST_PAUSE
            } else {
                u64::MAX
            },
        };
        let ended = taking.all();
        taking.tell_count();
        match ended {
            Ok(()) | Err(Ended::Stopped) => {}
            Err(Ended::Limit(reason)) => desk.say(search, Said::Limit(reason.into())),
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
    /// The limit on the states of all, and how many of its own it has told of.
    max_states: Option<u64>,
    states_told: u64,
    /// Steps of this layer are left out.
    is_left: bool,
    /// States are gone through once more, and nothing is counted.
    is_for_ways: bool,
    arriving: Arriving,
    /// How many states all have found, and at how many all wait next.
    found: u64,
    pause: u64,
}

/// What others send in this epoch.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arriving {
    States,
    /// States, and what is said of a step to each.
    Steps,
    /// Numbers of states.
    Numbers,
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
            self.found += all.new;
            let pauses = all.new > 0 && self.found >= self.pause;
            if pauses {
                self.pause = self.found.saturating_mul(TIMES);
            }
            if all.shown > 0 || pauses {
                self.tell_count();
                self.desk.say(self.search, Said::Waits);
                self.answer()?;
            }
            if all.new > 0 && all.left > 0 {
                // Behind steps that were left out a run to what is shown may not be the shortest.
                self.tell_count();
                self.desk.say(self.search, Said::StepsLeft);
                return Err(Ended::Stopped);
            }
            if all.new == 0 {
                self.tell_count();
                self.desk.say(self.search, Said::Over(self.part.failing()));
                // There may be questions.
                return self.answer();
            }
        }
    }

    fn goes_on(&self) -> Result<(), Ended> {
        goes_on(&self.desk.board, self.search)
    }

    /// Whoever they belong to takes in the initial states.
    fn begin(&mut self) -> Result<(), Ended> {
        let initials = self.part.initials();
        for initial in initials.chunks_exact(self.part.words()) {
            if self.part.owner(initial) == self.exchange.index() {
                or_ended(self.part.meet(initial))?;
            }
        }
        Ok(())
    }

    /// Takes the steps of the states at hand, and waits until all others have done the same: what all have found
    /// together.
    fn layer(&mut self) -> Result<Tally, Ended> {
        self.is_left = false;
        self.take_steps()?;
        self.end_sending()?;
        let shown = self.part.shown();
        let tally = Tally {
            new: self.part.next_layer(),
            shown: shown.len() as u64,
            judgement: self.part.judgement(),
            left: u64::from(self.is_left),
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

    /// Waits until all that was sent in this epoch, by all, was taken in.
    fn end_sending(&mut self) -> Result<(), Ended> {
        self.exchange.end_sending();
        while !self.exchange.has_all() {
            self.goes_on()?;
            self.exchange.rest();
            self.take_in()?;
            self.count_now_and_then();
        }
        self.take_in()
    }

    fn take_steps(&mut self) -> Result<(), Ended> {
        loop {
            self.goes_on()?;
            if self.desk.board.leave_steps.load(Relaxed) || self.has_too_many() {
                self.part.leave_steps();
                self.is_left = true;
            }
            let has_more = or_ended(self.part.take_steps(self.exchange.gathered()))?;
            or_ended(self.part.meet(self.exchange.own()))?;
            self.pass_on()?;
            if !has_more {
                return Ok(());
            }
        }
    }

    /// Sends what is gathered, takes in what has come, and tells what is counted.
    fn pass_on(&mut self) -> Result<(), Ended> {
        self.exchange.send(false);
        self.take_in()?;
        self.count_now_and_then();
        Ok(())
    }

    /// What others have sent.
    fn take_in(&mut self) -> Result<(), Ended> {
        for rows in self.exchange.receive() {
            let each = match self.arriving {
                Arriving::States => self.part.words(),
                Arriving::Steps => self.part.words() + 1,
                Arriving::Numbers => 1,
            };
            // What does not come to whole states was never sent by such a worker.
            if rows.len() % each != 0 {
                let defect = "states arrived that are none".to_owned();
                return Err(Ended::Limit(Reason::Internal(defect)));
            }
            match self.arriving {
                Arriving::States => or_ended(self.part.meet(&rows))?,
                Arriving::Steps => or_ended(self.part.take_told(&rows))?,
                Arriving::Numbers => self.part.come_back(&rows),
            }
        }
        Ok(())
    }

    fn count_now_and_then(&mut self) {
        if self.told.elapsed() >= BETWEEN_COUNTS {
            self.tell_count();
        }
        if let Some(most) = self.max_states
            && !self.is_for_ways
        {
            let own = self.part.count().states;
            let share = most / self.exchange.workers() as u64 / PARTS_OF_LIMIT;
            if own > self.states_told + share {
                self.tell_count();
            }
        }
    }

    /// Whether this worker alone is beyond the limit. The first process, which adds up what all have, says so a little later.
    fn has_too_many(&self) -> bool {
        let most = self.max_states.filter(|_| !self.is_for_ways);
        most.is_some_and(|most| self.part.count().states > most)
    }

    fn tell_count(&mut self) {
        self.told = Instant::now();
        let count = self.part.count();
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
                    let is_own = self.part.owner(&shown.state) == self.exchange.index();
                    let layer = is_own.then(|| self.part.layer_of(&shown)).flatten();
                    self.desk.say(self.search, Said::Layer(layer));
                }
                Ok(Order::Before(layer, state)) => {
                    let before = or_ended(self.part.before(layer, &state))?;
                    self.desk.say(self.search, Said::Before(before));
                }
                Ok(Order::EndWays) => self.part.end_ways(),
                Ok(Order::Ask(asked)) => {
                    self.ask(asked)?;
                    let answer = self.part.answer();
                    self.desk.say(self.search, Said::Asked(answer));
                }
                Ok(Order::Nearest) => {
                    let nearest = or_ended(self.part.nearest_answer())?;
                    self.desk.say(self.search, Said::Nearest(nearest));
                }
                Ok(Order::Which(states)) => {
                    let which = states.iter().map(|state| self.part.is_answer(state));
                    let which = which.collect();
                    self.desk.say(self.search, Said::Which(which));
                }
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

    /// Asks a question about all states, together with all others.
    fn ask(&mut self, asked: Asked) -> Result<(), Ended> {
        self.arriving = Arriving::Steps;
        let asking = self.ask_all(asked);
        self.arriving = Arriving::States;
        asking
    }

    fn ask_all(&mut self, asked: Asked) -> Result<(), Ended> {
        or_ended(self.part.begin_asking(asked))?;
        let mut left = self.tell_steps()?;
        self.arriving = Arriving::Numbers;
        if asked.is_about_reaching() {
            self.go_back(Phase::Known)?;
            return Ok(());
        }
        loop {
            let before = left;
            if !asked.all_are_wanted() {
                self.go_back(Phase::Reach)?;
            }
            self.go_back(Phase::Count)?;
            left = self.go_back(Phase::Trim)?;
            if left == 0 || left == before || asked.all_are_wanted() {
                return Ok(());
            }
        }
    }

    /// Tells everybody which steps lead to its states. How many states the question begins with.
    fn tell_steps(&mut self) -> Result<u64, Ended> {
        loop {
            self.goes_on()?;
            let has_more = or_ended(self.part.take_steps_back(self.exchange.gathered()))?;
            or_ended(self.part.take_told(self.exchange.own()))?;
            self.pass_on()?;
            if !has_more {
                break;
            }
        }
        self.end_sending()?;
        Ok(self.all_together()?.shown)
    }

    /// Goes back along steps until nobody has a state that waits. How many states are known then, or left.
    fn go_back(&mut self, phase: Phase) -> Result<u64, Ended> {
        or_ended(self.part.begin_phase(phase))?;
        loop {
            loop {
                self.goes_on()?;
                let gathered = self.exchange.gathered();
                let mut is_known = true;
                let mut send = |worker: u32, number: u64| match gathered.get_mut(worker as usize) {
                    Some(to) => to.push(number),
                    None => is_known = false,
                };
                let has_more = self.part.go_back(&mut send);
                if !is_known {
                    let defect = "a step comes from a worker that is none of all".to_owned();
                    return Err(Ended::Limit(Reason::Internal(defect)));
                }
                self.pass_on()?;
                if !has_more {
                    break;
                }
            }
            self.end_sending()?;
            let all = self.all_together()?;
            if all.new == 0 {
                return Ok(all.shown);
            }
        }
    }

    /// What all have, at the end of an epoch.
    fn all_together(&mut self) -> Result<Tally, Ended> {
        let tally = Tally {
            new: self.part.waiting(),
            shown: self.part.answer(),
            ..Tally::default()
        };
        let (board, search) = (&self.desk.board, self.search);
        self.exchange.tell(tally, &|| goes_on(board, search))
    }
}
