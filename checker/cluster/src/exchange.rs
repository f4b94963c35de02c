//! Exchange of rows between workers, by a dataflow.
//!
//! A round is an epoch of the dataflow. A probe behind the exchange shows when everything that was
//! sent in it has arrived everywhere ([`Exchange::has_all`]).

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use stubborn_engine::Reason;
use timely::container::{
    CapacityContainerBuilder, ContainerBuilder, LengthPreservingContainerBuilder, PushInto,
};
use timely::dataflow::InputHandle;
use timely::dataflow::channels::pact::ExchangeCore;
use timely::dataflow::operators::generic::operator::Operator as _;
use timely::dataflow::operators::probe::Handle as Probe;
use timely::dataflow::operators::vec::Broadcast;
use timely::dataflow::operators::{Input, Inspect as _, Probe as _};
use timely::worker::Worker;

/// Words that are sent together.
const BATCH: usize = 1 << 12;
/// The most words for which a list keeps its memory after they are sent.
const MOST_KEPT: usize = 8 * BATCH;
/// Time between two looks while a worker waits.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// Counts that the workers exchange at the end of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// States that wait for the next round.
    pub waiting: u64,
    /// Violations, or states that a question has marked.
    pub shown: u64,
    /// Counts by which the reduction is judged.
    pub judgement: [u64; 6],
    /// Workers that have left out a part of the layer: the next one may lack states.
    pub left: u64,
    pub workers: u64,
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        let mut judgement = self.judgement;
        for (own, other) in judgement.iter_mut().zip(other.judgement) {
            *own += other;
        }
        Tally {
            waiting: self.waiting + other.waiting,
            shown: self.shown + other.shown,
            judgement,
            left: self.left + other.left,
            workers: self.workers + other.workers,
        }
    }
}

/// Why a worker ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The leader has stopped the search.
    Stopped,
    /// A limit of its own.
    Limit(Reason),
}

/// Rows on their way to a worker.
#[derive(Clone, Serialize, Deserialize)]
struct Rows {
    to: u32,
    #[serde(with = "plain")]
    words: Vec<u64>,
}

/// Words as bytes, all at once: one by one they would take longer than the search.
mod plain {
    use std::fmt;

    use serde::de::{Error, Visitor};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(words: &[u64], to: S) -> Result<S::Ok, S::Error> {
        // Asked for their length, too: where they stand as they are sent nothing is copied for it.
        match cfg!(target_endian = "little") {
            true => to.serialize_bytes(bytemuck::cast_slice(words)),
            false => {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                to.serialize_bytes(&bytes)
            }
        }
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<u64>, D::Error> {
        from.deserialize_bytes(Words)
    }

    struct Words;

    impl Visitor<'_> for Words {
        type Value = Vec<u64>;

        fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
            to.write_str("whole words")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u64>, E> {
            let (words, []) = bytes.as_chunks() else {
                return Err(E::invalid_length(bytes.len(), &self));
            };
            Ok(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
        }
    }
}

/// Sends rows as they come. By default timely collects hundreds of them until the end of the epoch:
/// megabytes that no account has, while their receivers have nothing to do.
#[derive(Default)]
struct AtOnce {
    waiting: VecDeque<Vec<Rows>>,
    given: Vec<Rows>,
}

impl PushInto<Rows> for AtOnce {
    fn push_into(&mut self, rows: Rows) {
        self.waiting.push_back(vec![rows]);
    }
}

impl ContainerBuilder for AtOnce {
    type Container = Vec<Rows>;

    fn extract(&mut self) -> Option<&mut Vec<Rows>> {
        self.given = self.waiting.pop_front()?;
        Some(&mut self.given)
    }

    fn finish(&mut self) -> Option<&mut Vec<Rows>> {
        self.extract()
    }
}

impl LengthPreservingContainerBuilder for AtOnce {}

pub struct Exchange<'w> {
    worker: &'w mut Worker,
    dataflow: usize,
    rows: InputHandle<u64, AtOnce>,
    tallies: InputHandle<u64, CapacityContainerBuilder<Vec<Tally>>>,
    rows_told: Probe<u64>,
    tallies_told: Probe<u64>,
    arrived: Rc<RefCell<Vec<Vec<u64>>>>,
    tallied: Rc<RefCell<Tally>>,
    epoch: u64,
    workers: usize,
    workers_in_process: usize,
    /// Bytes of states that were sent to other processes.
    pub sent: u64,
    pub waited: Duration,
}

impl<'w> Exchange<'w> {
    /// All workers make their exchanges in the same order.
    pub fn new(worker: &'w mut Worker, workers_in_process: usize) -> Exchange<'w> {
        let dataflow = worker.next_dataflow_index();
        let arrived: Rc<RefCell<Vec<Vec<u64>>>> = Rc::default();
        let tallied: Rc<RefCell<Tally>> = Rc::default();
        let (rows_told, tallies_told) = (Probe::new(), Probe::new());
        let (rows, tallies) = worker.dataflow::<u64, _, _>(|scope| {
            let (rows, states) = scope.new_input_with_builder::<AtOnce>();
            let take = Rc::clone(&arrived);
            let to = ExchangeCore::<AtOnce, _>::new_core(|rows: &Rows| u64::from(rows.to));
            states
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(to, "take", |_, _| {
                    move |arrived, _| {
                        let mut take = take.borrow_mut();
                        arrived.for_each(|_, rows| {
                            take.extend(rows.drain(..).map(|rows| rows.words));
                        });
                    }
                })
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
        Exchange {
            workers: worker.peers(),
            worker,
            dataflow,
            rows,
            tallies,
            rows_told,
            tallies_told,
            arrived,
            tallied,
            epoch: 0,
            workers_in_process,
            sent: 0,
            waited: Duration::ZERO,
        }
    }

    pub fn index(&self) -> usize {
        self.worker.index()
    }

    pub fn workers(&self) -> usize {
        self.workers
    }

    /// Sends rows to other workers: all, or lists that are long enough.
    pub fn send(&mut self, outbox: &mut [Vec<u64>], all: bool) {
        let own = self.index();
        for (to, gathered) in outbox.iter_mut().enumerate() {
            if to == own || gathered.is_empty() || !all && gathered.len() < BATCH {
                continue;
            }
            if to / self.workers_in_process != own / self.workers_in_process {
                self.sent += gathered.len() as u64 * 8;
            }
            // The next ones find room for as many, unless one state had very many steps.
            let room = Vec::with_capacity(gathered.capacity().min(MOST_KEPT));
            self.rows.send(Rows {
                to: to as u32,
                words: std::mem::replace(gathered, room),
            });
        }
    }

    /// Rows from other workers.
    pub fn receive(&mut self) -> Vec<Vec<u64>> {
        self.worker.step();
        std::mem::take(&mut *self.arrived.borrow_mut())
    }

    /// Whether everything that was sent in this epoch has arrived everywhere, after all workers
    /// have [ended](Exchange::end_sending) it.
    pub fn has_all(&self) -> bool {
        !self.rows_told.less_than(&(self.epoch + 1))
    }

    /// Sends the last rows of this epoch.
    pub fn end_sending(&mut self, outbox: &mut [Vec<u64>]) {
        self.send(outbox, true);
        self.rows.advance_to(self.epoch + 1);
    }

    /// Waits for a while.
    pub fn rest(&mut self) {
        let began = Instant::now();
        self.worker.step_or_park(Some(BETWEEN_LOOKS));
        self.waited += began.elapsed();
    }

    /// Adds up the tallies of all workers and ends the epoch.
    ///
    /// # Errors
    /// If `goes_on` fails.
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

    /// Ends the dataflow with all other workers, as long as `goes_on` is true.
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use super::*;

    /// Longer than it ever takes.
    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn what_is_gathered_arrives_before_its_epoch_ends() {
        let has_arrived = Arc::new(AtomicBool::new(false));
        let config = timely::Config::process(2);
        let workers = timely::execute(config, move |worker| {
            let mut exchange = Exchange::new(worker, 1);
            let until = Instant::now() + LONG;
            if exchange.index() == 0 {
                exchange.send(&mut [Vec::new(), vec![7; BATCH]], false);
            }
            // Nobody has ended an epoch.
            while !has_arrived.load(Relaxed) && Instant::now() < until {
                if exchange.receive() == [[7; BATCH]] {
                    has_arrived.store(true, Relaxed);
                }
            }
            exchange.close(&|| true);
            has_arrived.load(Relaxed)
        });
        for arrived in workers.expect("there are threads").join() {
            assert_eq!(arrived, Ok(true));
        }
    }
}
