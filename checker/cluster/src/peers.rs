//! The other processes, as the leader sees them: messages from them, and their failures.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stubborn_engine::several::Effort;

use crate::faults::{Failure, Fault, broken, ended, failed};
use crate::identity::named;
use crate::messages::{Order, Said, Word};
use crate::site::Site;
use crate::voice::{Signs, Silence, Voice};

/// Time within which a lost process is known after a worker has failed because of it.
const TO_BLAME: Duration = Duration::from_secs(1);

/// Message of a process, or its end.
pub enum Heard {
    Word(Word),
    /// The connection has ended, for this reason.
    Lost(Failure),
}

/// Progress of each worker, which can be read while the search holds everything else.
#[derive(Default)]
pub struct Efforts(Mutex<Vec<Effort>>);

impl Efforts {
    pub fn all(&self) -> MutexGuard<'_, Vec<Effort>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a process has ended, if that is known: "signal: 9 (SIGKILL)".
pub type HowEnded = Box<dyn Fn(u32) -> Option<String> + Send>;

/// The other processes, as the leader sees them.
pub struct Peers {
    pub site: Option<Site>,
    pub how_ended: HowEnded,
    /// Connections to the other processes.
    pub to: Vec<Option<Voice>>,
    pub heard: Receiver<(u32, Heard)>,
    /// Messages of workers that the search has not taken yet.
    pub told: VecDeque<(u32, u64, Said)>,
    pub silence: Silence,
    /// End of the time to wait for others.
    pub deadline: Option<Instant>,
    pub signs: Signs,
    pub processes: u32,
    pub workers: u32,
    pub searches: u64,
    /// Reason why no further search is possible.
    pub fault: Option<Fault>,
}

impl Peers {
    /// Sends an order to all workers.
    pub fn order(&mut self, order: &Order) {
        for at in 0..self.to.len() {
            let Some(voice) = &self.to[at] else {
                continue;
            };
            if let Err(error) = voice.say(order) {
                self.is_lost(at as u32, error.into());
            }
        }
        if let Some(site) = &self.site {
            site.order(order);
        }
    }

    fn is_lost(&mut self, process: u32, why: Failure) {
        if self.signs.were_missing(self.silence.longest()) {
            let first = named(0, self.processes);
            return self.breaks(format!(
                "{first} was stopped for so long that others have ended"
            ));
        }
        let how = match &why {
            Failure::Closed => (self.how_ended)(process),
            Failure::Useless(_) => None,
        };
        self.breaks(match how {
            Some(how) => ended(process, self.processes, &how),
            None => why.between(0, process, self.processes),
        });
    }

    pub fn breaks(&mut self, fault: Fault) {
        self.fault.get_or_insert(fault);
        if let Some(site) = &self.site {
            site.board
                .is_broken
                .store(true, std::sync::atomic::Ordering::Relaxed);
        }
    }

    /// Returns the next message of a worker about this search, if one comes within this time.
    pub fn hear(&mut self, search: u64, within: Duration) -> Option<(u32, Said)> {
        while let Some((worker, of, said)) = self.told.pop_front() {
            if of == search {
                return Some((worker, said));
            }
        }
        if let Ok((process, heard)) = self.heard.recv_timeout(within)
            && let Some((worker, of, said)) = self.takes(process, heard)
            && of == search
        {
            return Some((worker, said));
        }
        if let Some(silent) = self.silence.silent() {
            let who = named(silent as u32, self.processes);
            let seconds = self.silence.longest().as_secs();
            self.breaks(match self.silence.is_of_all() {
                false => format!("{who} has said nothing for {seconds} seconds"),
                true => format!(
                    "{who} has said nothing for {seconds} seconds, nor has any other: {} may be cut off from them",
                    named(0, self.processes)
                ),
            });
        }
        None
    }

    /// Handles a message. Returns it if it is one of a worker about a search.
    fn takes(&mut self, process: u32, heard: Heard) -> Option<(u32, u64, Said)> {
        let word = match heard {
            Heard::Word(word) => word,
            Heard::Lost(why) => {
                self.is_lost(process, why);
                return None;
            }
        };
        self.silence.heard(process as usize);
        match word {
            Word::Worker(worker, of, said) => return Some((worker, of, said)),
            Word::Alive | Word::HasMet => {}
            Word::Failed(why) => {
                self.has_failed(process, failed(process, self.processes, &why));
            }
            Word::Lost(other, why) => {
                let why = broken((process, other), self.processes, &why);
                self.has_failed(process, why);
            }
            Word::Deaf(why) => self.is_lost(process, Failure::Useless(why)),
        }
        None
    }

    /// Returns a process that has been silent lately.
    pub fn missing(&self) -> Option<u32> {
        let (process, _) = self.silence.missed()?;
        Some(process as u32)
    }

    /// Whether the time to wait is over.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Longest silence of a process that is alive.
    pub fn longest(&self) -> Duration {
        self.silence.longest()
    }

    /// Returns a process that has been silent lately and for how long, after all messages that have
    /// arrived are handled.
    pub fn missed(&mut self) -> Option<(u32, Duration)> {
        while let Ok((process, heard)) = self.heard.try_recv() {
            let told = self.takes(process, heard);
            self.told.extend(told);
        }
        let (process, since) = self.silence.missed()?;
        Some((process as u32, since))
    }

    /// Handles the failure of a process. If another process is lost, that is reported as the cause:
    /// a broken connection makes both ends fail.
    fn has_failed(&mut self, process: u32, why: Fault) {
        if self.fault.is_some() {
            return;
        }
        let until = Instant::now() + TO_BLAME;
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match self.heard.recv_timeout(left) {
                Ok((other, Heard::Lost(Failure::Closed))) if other != process => {
                    return self.is_lost(other, Failure::Closed);
                }
                Ok((other, Heard::Word(Word::Failed(why)))) if other != process => {
                    return self.breaks(failed(other, self.processes, &why));
                }
                _ => {}
            }
        }
        self.breaks(why);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;
    use crate::site::SILENCE;

    #[test]
    fn what_is_heard_while_somebody_is_looked_for_who_is_silent_is_told_afterwards() {
        let (hear, heard) = channel();
        let mut inner = Peers {
            site: None,
            how_ended: Box::new(|_| None),
            to: Vec::new(),
            heard,
            told: VecDeque::new(),
            silence: Silence::of(2, SILENCE),
            deadline: None,
            signs: Signs::to(Vec::new(), SILENCE, |_, _| ()).expect("there are threads"),
            processes: 2,
            workers: 1,
            searches: 2,
            fault: None,
        };
        for (search, said) in [(1, Said::Waits), (2, Said::Layer(None)), (2, Said::Idle)] {
            let word = Word::Worker(1, search, said);
            hear.send((1, Heard::Word(word))).expect("it is heard");
        }
        assert_eq!(inner.missed(), None);
        let mut said = || inner.hear(2, Duration::ZERO);
        assert!(matches!(said(), Some((1, Said::Layer(None)))));
        assert!(matches!(said(), Some((1, Said::Idle))));
        assert!(said().is_none());
    }
}
