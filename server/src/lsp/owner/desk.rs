//! An owner for the tests, whose events are taken one by one.

use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::time::Duration;

use stubborn_ide::jobs::{JobId, JobTable};
use tokio::sync::mpsc::UnboundedReceiver;
use tower_lsp::lsp_types::{Diagnostic, TextDocumentContentChangeEvent, Url};

use super::Owner;
use crate::lsp::outbound::{Message, Outbound};
use crate::lsp::owner::{Event, Events};
use crate::lsp::workers::Workers;

pub struct Desk {
    pub owner: Owner,
    events: Receiver<Event>,
    told: UnboundedReceiver<Message>,
}

/// The file that is open.
pub const ROOT: &str = "/nowhere/m.stb";

impl Desk {
    /// A model is open. Checks have no limit.
    pub fn with(model: &str) -> Desk {
        let (events, receiver) = Events::new();
        let (outbound, told) = Outbound::new();
        let news = events.clone();
        let jobs = JobTable::new(move |job, what| news.send(Event::News(job, what)));
        let workers = Workers::start(2).unwrap();
        let mut owner = Owner::new(events, outbound, workers, jobs, Arc::default(), None);
        owner.settings.budget = None;
        owner.settings.tell_verdicts = true;
        owner.client.refreshes_lenses = true;
        let mut desk = Desk {
            owner,
            events: receiver,
            told,
        };
        desk.open(ROOT, model);
        desk
    }

    pub fn open(&mut self, path: &str, text: &str) {
        self.owner.take(Event::Opened {
            url: url(path),
            version: 1,
            text: text.to_owned(),
        });
    }

    /// The model becomes another one.
    pub fn change(&mut self, text: String) {
        self.owner.take(Event::Changed {
            url: url(ROOT),
            version: 2,
            changes: vec![TextDocumentContentChangeEvent {
                range: None,
                range_length: None,
                text,
            }],
        });
    }

    pub fn save(&mut self) {
        self.owner.take(Event::Saved(url(ROOT)));
    }

    /// Takes events until no more wait and it `is_so`.
    pub fn until(&mut self, is_so: impl Fn(&mut Desk) -> bool) {
        loop {
            while let Ok(event) = self.events.try_recv() {
                self.owner.take(event);
            }
            self.owner.settle();
            if is_so(self) {
                return;
            }
            self.take_next();
        }
    }

    /// Waits for an event, and says whether it told the properties of a text.
    pub fn take_next(&mut self) -> bool {
        let event = self.events.recv_timeout(Duration::from_secs(120)).unwrap();
        let is_sliced = matches!(event, Event::Sliced(..));
        self.owner.take(event);
        is_sliced
    }

    /// Nothing is searched, and all is known that follows from what is.
    pub fn is_idle(&mut self) -> bool {
        !self.owner.changes.any && self.owner.refreshing.is_none() && self.owner.jobs.is_idle()
    }

    /// The searches that run and are wanted.
    pub fn searches(&self) -> Vec<JobId> {
        self.owner.jobs.running().map(|(id, _)| id).collect()
    }

    /// All that was told since this was last asked.
    pub fn told(&mut self) -> Vec<Message> {
        std::iter::from_fn(|| self.told.try_recv().ok()).collect()
    }

    /// What is wrong with the file of this path, each time that it was told since anything was last asked.
    pub fn told_of(&mut self, path: &str) -> Vec<Vec<Diagnostic>> {
        let of_path = |message| match message {
            Message::Diagnostics {
                url: of,
                diagnostics,
                ..
            } if of == url(path) => Some(diagnostics),
            _ => None,
        };
        self.told().into_iter().filter_map(of_path).collect()
    }
}

pub fn url(path: &str) -> Url {
    Url::parse(&format!("file://{path}")).unwrap()
}
