//! The first process: it says what is searched, and hears what was found.

use std::collections::VecDeque;
use std::net::TcpStream;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use stubborn_engine::Reason;
use stubborn_engine::several::{Effort, Question, Several, Shared};

use crate::connections::Mesh;
use crate::desk::Means;
use crate::faults::{Fault, failed};
use crate::frames;
use crate::messages::Order;
use crate::peers::{Efforts, Heard, HowEnded, Peers};
use crate::searching::Searching;
use crate::site::Site;
use crate::voice::{Signs, Silence, Voice};

/// The first of several processes, with connections to all others.
pub struct Leader {
    inner: Mutex<Peers>,
    efforts: Efforts,
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
            inner: Mutex::new(Peers {
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

    fn inner(&self) -> MutexGuard<'_, Peers> {
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
