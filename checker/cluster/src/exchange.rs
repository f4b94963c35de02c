//! Sending states to those whom they belong to, by a dataflow.
//!
//! An epoch is what is done between two times at which all wait for each other ([`Exchange::wait`]). That all that was
//! sent in it has arrived, everywhere, is told by timely's progress tracking, by a probe behind the exchange.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use stubborn_engine::Reason;
use timely::dataflow::InputHandle;
use timely::dataflow::operators::probe::Handle as Probe;
use timely::dataflow::operators::vec::Broadcast;
use timely::dataflow::operators::{Exchange as _, Input, Inspect, Probe as _};
use timely::worker::Worker;

/// So many words of states are sent together.
const BATCH: usize = 1 << 12;
/// Whoever waits looks up so often.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// What each worker tells all others at the end of an epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// How many states it has that are new.
    pub new: u64,
    /// How many it has that show something.
    pub shown: u64,
    /// What it has counted by which steps are left out.
    pub judgement: [u64; 6],
    /// How many workers it is of.
    pub workers: u64,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        let mut judgement = self.judgement;
        for (own, other) in judgement.iter_mut().zip(other.judgement) {
            *own += other;
        }
        Tally {
            new: self.new + other.new,
            shown: self.shown + other.shown,
            judgement,
            workers: self.workers + other.workers,
        }
    }
}

/// A worker that is told to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By those who asked.
    Stopped,
    /// By a limit of its own.
    Limit(Reason),
}

type Rows = (u32, Vec<u64>);

pub struct Exchange<'w> {
    worker: &'w mut Worker,
    dataflow: usize,
    rows: InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Rows>>>,
    tallies: InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Tally>>>,
    rows_told: Probe<u64>,
    tallies_told: Probe<u64>,
    arrived: Rc<RefCell<Vec<Vec<u64>>>>,
    tallied: Rc<RefCell<Tally>>,
    epoch: u64,
    /// By worker, what is still to be sent.
    gathered: Vec<Vec<u64>>,
    workers_in_process: usize,
    /// Bytes of states that were sent to other processes.
    pub sent: u64,
    pub waited: Duration,
}

impl<'w> Exchange<'w> {
    /// All workers make one at the same place in the row of all that they make.
    pub fn new(worker: &'w mut Worker, workers_in_process: usize) -> Exchange<'w> {
        let dataflow = worker.next_dataflow_index();
        let arrived: Rc<RefCell<Vec<Vec<u64>>>> = Rc::default();
        let tallied: Rc<RefCell<Tally>> = Rc::default();
        let (rows_told, tallies_told) = (Probe::new(), Probe::new());
        let (rows, tallies) = worker.dataflow::<u64, _, _>(|scope| {
            let (rows, states) = scope.new_input::<Vec<Rows>>();
            let take = Rc::clone(&arrived);
            states
                .exchange(|(to, _): &Rows| u64::from(*to))
                .inspect(move |(_, rows)| take.borrow_mut().push(rows.clone()))
                .probe_with(&rows_told);
            let (tallies, told) = scope.new_input::<Vec<Tally>>();
            let sum = Rc::clone(&tallied);
            told.broadcast()
                .inspect(move |tally| {
                    let mut sum = sum.borrow_mut();
                    *sum = sum.and(*tally);
                })
                .probe_with(&tallies_told);
            (rows, tallies)
        });
        let peers = worker.peers();
        Exchange {
            worker,
            dataflow,
            rows,
            tallies,
            rows_told,
            tallies_told,
            arrived,
            tallied,
            epoch: 0,
            gathered: vec![Vec::new(); peers],
            workers_in_process,
            sent: 0,
            waited: Duration::ZERO,
        }
    }

    pub fn index(&self) -> usize {
        self.worker.index()
    }

    /// Whom a state belongs to. The hash has nothing to do with those by which a worker keeps its states.
    #[inline]
    pub fn owner(state: &[u64], workers: usize) -> usize {
        let mut hash = 0x51_7c_c1_b7_27_22_0a_95_u64;
        for word in state {
            hash = (hash ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
            hash ^= hash >> 32;
        }
        hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((u128::from(hash) * workers as u128) >> 64) as usize
    }

    pub fn workers(&self) -> usize {
        self.gathered.len()
    }

    /// What states wait in.
    pub fn gathered(&mut self) -> &mut [Vec<u64>] {
        &mut self.gathered
    }

    /// States of this worker's own.
    pub fn own(&mut self) -> Vec<u64> {
        let own = self.index();
        std::mem::take(&mut self.gathered[own])
    }

    /// Sends what has gathered, all or as much as is worth it.
    pub fn send(&mut self, all: bool) {
        let own = self.index();
        for to in 0..self.gathered.len() {
            let gathered = &mut self.gathered[to];
            if to == own || gathered.is_empty() || !all && gathered.len() < BATCH {
                continue;
            }
            if to / self.workers_in_process != own / self.workers_in_process {
                self.sent += gathered.len() as u64 * 8;
            }
            self.rows.send((to as u32, std::mem::take(gathered)));
        }
        if all {
            self.rows.flush();
        }
    }

    /// What others have sent.
    pub fn receive(&mut self) -> Vec<Vec<u64>> {
        self.worker.step();
        std::mem::take(&mut *self.arrived.borrow_mut())
    }

    /// Whether all that was sent in this epoch has arrived everywhere, once all have [ended](Exchange::end_sending) it.
    pub fn has_all(&self) -> bool {
        !self.rows_told.less_than(&(self.epoch + 1))
    }

    /// Nothing more is sent in this epoch.
    pub fn end_sending(&mut self) {
        self.send(true);
        self.rows.advance_to(self.epoch + 1);
    }

    /// Lets others work for a while.
    pub fn rest(&mut self) {
        let began = Instant::now();
        self.worker.step_or_park(Some(BETWEEN_LOOKS));
        self.waited += began.elapsed();
    }

    /// Tells all others, and hears what all have told: the end of the epoch. Ends where `goes_on` says no.
    ///
    /// # Errors
    /// Why it does.
    pub fn tell(
        &mut self,
        tally: Tally,
        goes_on: &dyn Fn() -> Result<(), Ended>,
    ) -> Result<Tally, Ended> {
        self.tallies.send(Tally {
            workers: 1,
            ..tally
        });
        self.epoch += 1;
        self.tallies.advance_to(self.epoch);
        while self.tallies_told.less_than(&self.epoch) {
            goes_on()?;
            self.rest();
        }
        let told = std::mem::take(&mut *self.tallied.borrow_mut());
        match told.workers == self.workers() as u64 {
            true => Ok(told),
            // Somebody has ended already.
            false => loop {
                goes_on()?;
                self.rest();
            },
        }
    }

    /// All is sent that ever will be; waits until all others say the same, as long as `goes_on` says so.
    pub fn close(self, goes_on: &dyn Fn() -> bool) {
        let Exchange {
            worker,
            dataflow,
            rows,
            tallies,
            ..
        } = self;
        drop((rows, tallies));
        while worker.installed_dataflows().contains(&dataflow) {
            if !goes_on() {
                worker.drop_dataflow(dataflow);
                return;
            }
            worker.step_or_park(Some(BETWEEN_LOOKS));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_are_shared_out_evenly() {
        for workers in [2, 3, 4, 7] {
            let mut many = vec![0_u32; workers];
            for state in 0..100_000_u64 {
                many[Exchange::owner(&[state << 7], workers)] += 1;
            }
            let even = 100_000 / workers as u32;
            let is_even = |many: &u32| many.abs_diff(even) < even / 20;
            assert!(many.iter().all(is_even), "{many:?}");
        }
    }
}
