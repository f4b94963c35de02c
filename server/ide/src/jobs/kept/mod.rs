//! Verdicts that outlive a session: what was decided once of a slice and a property is known when the
//! workspace is opened again.
//!
//! The searches ask here before they search, and give what they have decided. Who writes is a thread of
//! its own, so that nobody waits for a disk. Nothing that is read is trusted: `holds` is believed from this
//! very program about this very slice alone, where nothing was changed since ([`entry`]), and a violation
//! only where the reference interpreter takes its run again and finds that it violates the property.
//!
//! What is undecided is not kept: a limit says nothing about the model. Nor is a run that takes long to
//! be taken again, nor what only a run's continuation shows. Where verdicts are kept, and how many, the
//! user's system and own settings say: nothing that a workspace has in it can name a file here, and none
//! of its models can give another one a verdict, since names are hashes for which nobody can find
//! another text.

mod entry;
mod folder;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use etcetera::base_strategy::{BaseStrategy, choose_native_strategy};
use parking_lot::{Condvar, Mutex};
use stubborn_engine::{Outcome, Verdict};
use stubborn_report::defect::caught;
use stubborn_system::system::System;

use super::properties::Sliced;
use entry::{Decided, Entry, Name};
use folder::{Folder, taken};

/// What takes longer to be taken again is not kept. With what is asserted in debug builds it takes ten times as long, and
/// more where tests run beside each other.
const PATIENCE: Duration = Duration::from_millis(match cfg!(debug_assertions) {
    true => 10_000,
    false => 500,
});
/// Longer runs are not looked at.
const MOST_STEPS: usize = 1 << 15;
/// So many servers may write at a time without keeping more than they may: each looks at how much there is
/// after this part of it ([`SHARE`]), and leaves room for that of all.
const WRITERS: u64 = 8;
/// The part, as its reciprocal.
const SHARE: u64 = 64;
/// So many verdicts wait to be written; where more fall at once the others are not kept.
const MOST_WAITING: usize = 4096;
/// Room for the deepest expressions; a system gives it only as it is used.
const STACK: usize = 256 << 20;

/// Where the verdicts of this user are kept, if there is such a place: in the folder that the system
/// has for what can be made again.
pub fn folder_of_user() -> Option<PathBuf> {
    let folder = choose_native_strategy().ok()?.cache_dir();
    folder
        .is_absolute()
        .then(|| folder.join("stubborn").join("verdicts"))
}

/// The verdicts that are kept. It is off until it is told how much it may keep.
#[derive(Debug)]
pub struct Kept {
    folder: Folder,
    build: &'static str,
    /// In bytes; 0 where nothing is read or written.
    most: Arc<AtomicU64>,
    writer: SyncSender<Box<Found>>,
    waiting: Arc<Waiting>,
}

/// How many verdicts are to be written.
#[derive(Debug, Default)]
struct Waiting {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Waiting {
    fn add(&self) {
        *self.count.lock() += 1;
    }

    fn take(&self) {
        *self.count.lock() -= 1;
        self.changed.notify_all();
    }

    /// Until there are none, but not for longer than this.
    fn until_none(&self, patience: Duration) {
        let mut count = self.count.lock();
        let is_some = |count: &mut usize| *count > 0;
        self.changed.wait_while_for(&mut count, is_some, patience);
    }
}

/// What a search has found.
#[derive(Debug)]
struct Found {
    system: Arc<System>,
    property: Sliced,
    /// In terms of the slice.
    outcome: Outcome,
}

impl Kept {
    /// Starts the thread that writes. `build` names the sources of the whole program: a verdict of
    /// other sources is not believed.
    ///
    /// # Errors
    /// Where there is no thread for it.
    pub fn start(folder: PathBuf, build: &'static str) -> io::Result<Kept> {
        let (writer, work) = sync_channel(MOST_WAITING);
        let folder = Folder::new(folder);
        let most = Arc::new(AtomicU64::new(0));
        let mut writing = Writing {
            folder: folder.clone(),
            build,
            most: Arc::clone(&most),
            since: None,
        };
        let waiting = Arc::<Waiting>::default();
        let written = Arc::clone(&waiting);
        thread::Builder::new()
            .name("kept".to_owned())
            .stack_size(STACK)
            .spawn(move || writing.run(&work, &written))?;
        Ok(Kept {
            folder,
            build,
            most,
            writer,
            waiting,
        })
    }

    /// From now on so many bytes are kept; with 0 nothing is read or written.
    pub fn set_most(&self, bytes: u64) {
        self.most.store(bytes, Ordering::Relaxed);
    }

    fn is_on(&self) -> bool {
        self.most.load(Ordering::Relaxed) > 0
    }

    /// What was found of a property of this System, in terms of the slice; `None`, too, where `goes_on`
    /// does not. Costs reading a file, and taking the run of a violation.
    pub fn find(
        &self,
        system: &System,
        property: &Sliced,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Outcome> {
        if !self.is_on() {
            return None;
        }
        let name = Name::new(self.build, property.key);
        let digits = name.digits();
        let bytes = self.folder.read(&digits)?;
        let outcome = Entry::decode(name, &bytes).and_then(|entry| {
            let verdict = match &entry.verdict {
                Decided::Holds => Some(Verdict::Holds),
                Decided::Violated { finding, path } => {
                    caught(|| property.violated_again(system, finding, path, goes_on))
                        .ok()
                        .flatten()
                }
            };
            verdict.map(|verdict| Outcome {
                states: entry.states,
                edges: entry.edges,
                full: entry.full,
                reduction: entry.reduction,
                seconds: entry.seconds,
                ..Outcome::without_search(verdict)
            })
        });
        if outcome.is_none() && goes_on() {
            tracing::warn!("what was kept as {digits} makes no sense and is removed");
            self.folder.remove(&digits);
        }
        outcome
    }

    /// Has a verdict written some time, if it was decided. The outcome is in terms of the slice.
    pub fn keep(&self, system: &Arc<System>, property: &Sliced, outcome: &Outcome) {
        let is_short = match &outcome.verdict {
            Verdict::Holds => true,
            Verdict::Violated { trace, .. } => trace.len() <= MOST_STEPS,
            Verdict::Undecided(_) => false,
        };
        if is_short && self.is_on() {
            let found = Found {
                system: Arc::clone(system),
                property: property.clone(),
                outcome: outcome.clone(),
            };
            self.waiting.add();
            // Where too many wait, or the writer has gone, it is searched for another time.
            if self.writer.try_send(Box::new(found)).is_err() {
                self.waiting.take();
            }
        }
    }

    /// Waits until all is written that was to be, but not for longer than this: what is then not written
    /// is searched for another time.
    pub fn finish(&self, patience: Duration) {
        self.waiting.until_none(patience);
    }
}

/// What the writer knows.
struct Writing {
    folder: Folder,
    build: &'static str,
    most: Arc<AtomicU64>,
    /// What it has written since it last looked at how much there is; `None` before the first time.
    since: Option<u64>,
}

impl Writing {
    fn run(&mut self, work: &Receiver<Box<Found>>, waiting: &Waiting) {
        for found in work {
            drop(caught(|| self.write(&found)));
            waiting.take();
        }
    }

    fn write(&mut self, found: &Found) {
        let most = self.most.load(Ordering::Relaxed);
        if most == 0 {
            return;
        }
        let name = Name::new(self.build, found.property.key);
        let known = self.folder.read(&name.digits());
        let known = known.and_then(|bytes| Entry::decode(name, &bytes));
        let Some(entry) = entry(found, known.as_ref()) else {
            return;
        };
        // A search that takes long tells twice what it has decided.
        if known.as_ref() == Some(&entry) {
            return;
        }
        let Some(bytes) = entry.encode(name) else {
            return;
        };
        // Others write too: each looks at how much there is so often that there is room for several.
        let (length, room) = (taken(bytes.len() as u64), most / SHARE);
        if length > room {
            return;
        }
        if self.since.is_none_or(|since| since + length > room) {
            self.folder.sweep(most - WRITERS * room);
            self.since = Some(0);
        }
        match self.folder.write(&name.digits(), &bytes) {
            Ok(()) => self.since = self.since.map(|since| since + length),
            Err(error) => tracing::debug!("a verdict is not kept: {error}"),
        }
    }
}

/// What is written of what was found, if it can be shown again, where this is known of it. A run that is
/// there already is not taken once more for other figures.
fn entry(found: &Found, known: Option<&Entry>) -> Option<Entry> {
    let Found {
        system,
        property,
        outcome,
    } = found;
    let known = known.map(|entry| &entry.verdict);
    let verdict = match (&outcome.verdict, known) {
        (Verdict::Holds, _) => Decided::Holds,
        (Verdict::Violated { finding, trace }, Some(known))
            if known.is_violated(finding, trace.len()) =>
        {
            known.clone()
        }
        (Verdict::Violated { finding, trace }, _) => {
            let begun = Instant::now();
            let goes_on = || begun.elapsed() < PATIENCE;
            Decided::Violated {
                finding: finding.clone(),
                path: property.path(system, finding, trace, &goes_on)?,
            }
        }
        (Verdict::Undecided(_), _) => return None,
    };
    Some(Entry {
        verdict,
        states: outcome.states,
        edges: outcome.edges,
        full: outcome.full,
        reduction: outcome.reduction,
        seconds: outcome.seconds,
    })
}

#[cfg(test)]
mod tests;
