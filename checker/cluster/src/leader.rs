//! The first process: it says what is searched, and hears what was found.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_engine::Reason;
use stubborn_engine::several::{Effort, Question, Several, Shared};

use crate::connections::Mesh;
use crate::faults::{Failure, Fault, broken, ended, failed};
use crate::frames;
use crate::identity::named;
use crate::messages::{Order, Said, Word};
use crate::searching::Searching;
use crate::site::{Means, Site};
use crate::voice::{Signs, Silence, Voice};

/// Where a worker fails because another process is gone, that is known as soon.
const TO_BLAME: Duration = Duration::from_secs(1);

/// What comes from a process.
enum Heard {
    Word(Word),
    /// Nothing more, and why.
    Lost(Failure),
}

/// The first of several processes, with connections to all others.
pub struct Leader {
    inner: Mutex<Inner>,
    efforts: Efforts,
}

/// What each worker has done of the search that is under way: for whoever looks on while that holds all else.
#[derive(Default)]
pub struct Efforts(Mutex<Vec<Effort>>);

impl Efforts {
    pub fn all(&self) -> MutexGuard<'_, Vec<Effort>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a process has ended, where that is known: "signal: 9 (SIGKILL)".
pub type HowEnded = Box<dyn Fn(u32) -> Option<String> + Send>;

pub struct Inner {
    site: Option<Site>,
    how_ended: HowEnded,
    /// To the others.
    to: Vec<Option<Voice>>,
    heard: Receiver<(u32, Heard)>,
    /// What workers have said of a search that nobody has taken yet.
    told: VecDeque<(u32, u64, Said)>,
    silence: Silence,
    /// From then on nobody wants to wait.
    deadline: Option<Instant>,
    signs: Signs,
    pub processes: u32,
    pub workers: u32,
    searches: u64,
    /// Why nothing can be searched any more.
    pub fault: Option<Fault>,
}

impl Leader {
    /// With workers in this process, too. Of another one that is there no more `how_ended` may know more.
    ///
    /// # Errors
    /// Where there are no threads for them.
    pub fn new(mut mesh: Mesh, means: Means, how_ended: HowEnded) -> Result<Leader, Fault> {
        let streams = std::mem::take(&mut mesh.messages).into_iter();
        let all = mesh.identity.processes;
        let to: Vec<Option<Voice>> = streams.map(|stream| stream.map(Voice::on)).collect();
        Leader::begin(mesh, means, how_ended, to.clone()).inspect_err(|why| {
            for voice in to.iter().flatten() {
                // Who is gone needs not be told.
                let _ = voice.say(&Order::Broken(failed(0, all, why)));
            }
        })
    }

    /// Hears all those to whom it speaks from now on.
    fn begin(
        mut mesh: Mesh,
        means: Means,
        how_ended: HowEnded,
        to: Vec<Option<Voice>>,
    ) -> Result<Leader, Fault> {
        let (words, told) = channel();
        let site = Site::open(&mut mesh, means, &words)?;
        drop(words);
        let (hear, heard) = channel();
        let own = hear.clone();
        let pass = move || {
            while let Ok(word) = told.recv() {
                if own.send((0, Heard::Word(word))).is_err() {
                    return;
                }
            }
        };
        let unable = |error: std::io::Error| format!("the others cannot be heard: {error}");
        let thread = |name: &str| thread::Builder::new().name(name.to_owned());
        thread("hearing").spawn(pass).map_err(unable)?;
        for (voice, process) in to.iter().zip(0..) {
            let Some(voice) = voice else { continue };
            let from = voice.answers().map_err(unable)?;
            let hear = hear.clone();
            let listen = move || hear_all(process, from, &hear);
            thread("hearing").spawn(listen).map_err(unable)?;
        }
        let voices = to.iter().zip(0..).filter_map(|(voice, process)| {
            let voice = voice.clone()?;
            Some((process, voice))
        });
        let signs = Signs::to(voices.collect(), means.silence, move |process, why| {
            let _ = hear.send((process, Heard::Lost(why)));
        })?;
        Ok(Leader {
            efforts: Efforts::default(),
            inner: Mutex::new(Inner {
                site: Some(site),
                how_ended,
                silence: Silence::of(to.len(), means.silence),
                deadline: means.deadline,
                signs,
                to,
                heard,
                told: VecDeque::new(),
                processes: mesh.identity.processes,
                workers: mesh.identity.workers,
                searches: 0,
                fault: None,
            }),
        })
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        let mut inner = self.inner();
        for voice in inner.to.iter().flatten() {
            // Who is gone needs not be told.
            let _ = voice.say(&match &inner.fault {
                None => Order::Quit,
                Some(fault) => Order::Broken(fault.clone()),
            });
        }
        let is_whole = inner.fault.is_none();
        if let Some(mut site) = inner.site.take() {
            match is_whole {
                true => site.close(),
                false => site.leave(),
            }
        }
    }
}

fn hear_all(process: u32, mut from: TcpStream, hear: &Sender<(u32, Heard)>) {
    loop {
        let heard = match frames::read(&mut from, None) {
            Ok(word) => Heard::Word(word),
            Err(error) => Heard::Lost(error.into()),
        };
        let is_lost = matches!(heard, Heard::Lost(_));
        if hear.send((process, heard)).is_err() || is_lost {
            return;
        }
    }
}

impl Inner {
    /// Says something to all workers.
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

    /// What a worker says about this search, if one says anything soon.
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

    /// What a worker says of a search, if it is that; all else is seen to.
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

    /// Who has said nothing lately, of what was heard.
    pub fn missing(&self) -> Option<u32> {
        let (process, _) = self.silence.missed()?;
        Some(process as u32)
    }

    /// Whether nobody wants to wait any more.
    pub fn is_out_of_time(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Nobody says nothing for so long.
    pub fn longest(&self) -> Duration {
        self.silence.longest()
    }

    /// Who has said nothing lately, and for how long, though all that was said is heard first.
    pub fn missed(&mut self) -> Option<(u32, Duration)> {
        while let Ok((process, heard)) = self.heard.try_recv() {
            let told = self.takes(process, heard);
            self.told.extend(told);
        }
        let (process, since) = self.silence.missed()?;
        Some((process as u32, since))
    }

    /// A process whose connection to another has broken fails, too: where that one is gone it is to blame.
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

impl Several for Leader {
    fn search<'s>(&'s self, question: &Question) -> Result<Box<dyn Shared + 's>, Reason> {
        let mut inner = self.inner();
        if let Some(fault) = &inner.fault {
            return Err(Reason::Others(fault.clone()));
        }
        inner.searches += 1;
        let number = inner.searches;
        inner.silence.begin();
        inner.order(&Order::Search(number, Box::new(question.clone())));
        Ok(Box::new(Searching::of(
            question,
            number,
            inner,
            &self.efforts,
        )))
    }

    fn efforts(&self) -> Vec<Effort> {
        self.efforts.all().clone()
    }

    fn fault(&self) -> Option<Fault> {
        let mut inner = self.inner();
        // While this process worked alone another one may have ended.
        let _ = inner.missed();
        inner.fault.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::SILENCE;

    #[test]
    fn what_is_heard_while_somebody_is_looked_for_who_is_silent_is_told_afterwards() {
        let (hear, heard) = channel();
        let mut inner = Inner {
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
