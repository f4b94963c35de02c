//! The job table.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use stubborn_engine::Progress;

use super::fingerprint::Fingerprint;
use super::job::{Job, record};
use super::kept::Kept;
use super::properties::Key;
use super::search::{self, JobId, News, Purpose, Search, Wanted};
use super::shares::{Kind, Shares};
use super::turns::{Claim, claim};
use super::verdicts::{Answer, Verdicts};

/// How a property stands that is not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The checks of these files come first.
    Waiting(Arc<str>),
    /// It is being searched, and so many states were found.
    Running(u64),
    /// So many states were found, and are kept while the checks of these files have their turn.
    Held(u64, Arc<str>),
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct UnderWay<'t> {
    pub id: JobId,
    /// What a person calls what it is about.
    pub name: &'t str,
    pub progress: &'t Progress,
    /// How many properties it has still to decide.
    pub open: usize,
    /// Whether it has no limit on time.
    pub is_unlimited: bool,
    /// Whether it has not begun, or is held while others have their turn.
    pub waits: bool,
}

/// What the searches of a session have cost that somebody waited for, and what was spared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// States explored by all searches, those that were given up included.
    pub states: u64,
    /// Searches that were started.
    pub searches: u64,
    /// How often a verdict was wanted that was known already.
    pub reused: u64,
    /// Verdicts that an earlier session has found, and that were not searched for in this one.
    pub found_before: u64,
    /// Searches that were given up, since nobody waits for them any more.
    pub cancelled: u64,
    /// Searches that were started for which nobody waited; nothing else here counts these.
    pub asides: u64,
}

/// What a piece of news has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    pub verdicts: bool,
    pub finished: bool,
}

/// Which searches run and wait, and what is known.
pub struct JobTable {
    verdicts: Arc<Verdicts>,
    running: BTreeMap<JobId, Job>,
    waiting: Vec<(JobId, Job)>,
    next: u64,
    statistics: Statistics,
    /// How many searches with a limit run at a time, and how many without one.
    at_once: usize,
    memory: Option<Shares>,
    tell: Arc<dyn Fn(JobId, News) + Send + Sync>,
    /// What is known from earlier sessions.
    kept: Option<Arc<Kept>>,
    /// A text is being understood, which leaves all searches standing.
    is_paused: bool,
}

impl JobTable {
    /// One search runs at a time and may hold what it likes, until [`JobTable::set_bounds`]. `tell` is
    /// called on the searches' threads with what they find; it must not block, and what it is given must
    /// come back to [`JobTable::receive`].
    pub fn new(tell: impl Fn(JobId, News) + Send + Sync + 'static) -> JobTable {
        JobTable {
            verdicts: Arc::default(),
            running: BTreeMap::new(),
            waiting: Vec::new(),
            next: 0,
            statistics: Statistics::default(),
            at_once: 1,
            memory: None,
            tell: Arc::new(tell),
            kept: None,
            is_paused: false,
        }
    }

    /// From now on what earlier sessions have decided is not searched for, and what is decided is kept
    /// for later ones.
    pub fn keep(&mut self, kept: Option<Arc<Kept>>) {
        self.kept = kept;
    }

    /// From now on so many searches with a limit run at once, and as many without one; and those that begin
    /// may hold so many bytes together.
    pub fn set_bounds(&mut self, at_once: usize, memory: Option<u64>) {
        self.at_once = at_once.max(1);
        self.memory = memory.map(Shares::of);
        self.take_turns();
    }

    /// Has all searches stand, or go on, while a text is being understood: a person waits for that, and it may
    /// make them worthless. Their clocks stand still, and who has a turn keeps it.
    pub fn pause(&mut self, is_paused: bool) {
        if std::mem::replace(&mut self.is_paused, is_paused) == is_paused {
            return;
        }
        for job in self.running.values() {
            match is_paused {
                true => job.gate.pause(),
                false => job.gate.resume(),
            }
        }
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    pub fn verdicts(&self) -> &Arc<Verdicts> {
        &self.verdicts
    }

    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics;
        let running = self.running.values().filter(|job| !job.is_aside());
        statistics.states += running.map(|job| job.progress.states).sum::<u64>();
        statistics
    }

    /// Has one search decide those of the properties that are neither known nor being decided, and says
    /// which search if there is one.
    pub fn require(&mut self, wanted: &Wanted, budget: Option<Duration>) -> Option<JobId> {
        let memory = self.share(Kind::of(wanted.purpose, budget));
        let (mut properties, mut keys) = (Vec::new(), HashSet::new());
        let mut again = BTreeSet::new();
        for one in &wanted.properties {
            Arc::make_mut(&mut self.verdicts).touch(one.key.slice);
            let known = self.verdicts.get(one.key);
            if known.is_some_and(|known| known.answers(budget, memory)) {
                self.statistics.reused += 1;
            } else if let Some(id) = self.pending_with(one.key, budget) {
                again.insert(id);
            } else if keys.insert(one.key) {
                properties.push(one.clone());
            }
        }
        for id in again {
            self.ask_again(id);
        }
        if properties.is_empty() {
            self.take_turns();
            return None;
        }
        let id = JobId(self.next);
        self.next += 1;
        let job = Job {
            wanted: Wanted {
                name: Arc::clone(&wanted.name),
                fingerprint: wanted.fingerprint,
                system: Arc::clone(&wanted.system),
                likely: wanted.likely.intersection(&keys).copied().collect(),
                slow: (wanted.slow.iter())
                    .filter(|(key, _)| keys.contains(key))
                    .map(|(key, states)| (*key, *states))
                    .collect(),
                purpose: wanted.purpose,
                properties,
            },
            keys,
            budget,
            gate: Arc::default(),
            asked: id.0,
            memory: None,
            stopped: false,
            progress: Progress::default(),
        };
        self.waiting.push((id, job));
        self.take_turns();
        Some(id)
    }

    /// Somebody asks for a search that there is.
    fn ask_again(&mut self, id: JobId) {
        let waiting = self.waiting.iter_mut().map(|(id, job)| (&*id, job));
        let mut all = self.running.iter_mut().chain(waiting);
        if let Some((_, job)) = all.find(|(other, _)| **other == id) {
            job.asked = self.next;
            self.next += 1;
        }
    }

    /// How all properties that a search decides now or will stand.
    pub fn standing(&self) -> HashMap<Key, Standing> {
        let first = [true, false].map(|limited| self.have_turns(limited));
        let first = |job: &Job| Arc::clone(&first[usize::from(job.budget.is_none())]);
        let waiting = self.waiting.iter();
        let waiting = waiting.map(|(_, job)| (job, Standing::Waiting(first(job))));
        let running = self.running.values().map(|job| {
            let standing = match job.gate.is_held() {
                true => Standing::Held(job.progress.states, first(job)),
                false => Standing::Running(job.progress.states),
            };
            (job, standing)
        });
        let mut standing = HashMap::new();
        for (job, how) in waiting.chain(running).filter(|(job, _)| job.is_live()) {
            for property in &job.wanted.properties {
                if !job.is_answered(self.verdicts.get(property.key)) {
                    standing.insert(property.key, how.clone());
                }
            }
        }
        standing
    }

    /// Whether a search decides this property now, or will.
    pub fn is_pending(&self, property: Key) -> bool {
        self.live().any(|job| job.decides(property))
    }

    /// The search that decides this property, and says no less than one with this budget.
    fn pending_with(&self, property: Key, budget: Option<Duration>) -> Option<JobId> {
        let mut all = self.all();
        let found =
            all.find(|(_, job)| job.is_live() && job.decides(property) && job.covers(budget));
        found.map(|(id, _)| id)
    }

    /// The names of those that run now, with a limit or without one: "a.stb and b.stb".
    fn have_turns(&self, limited: bool) -> Arc<str> {
        let running = self.running.values();
        let running = running
            .filter(|job| job.is_live() && !job.gate.is_held() && job.budget.is_some() == limited);
        let mut names: Vec<&str> = running.map(|job| &*job.wanted.name).collect();
        names.sort_unstable();
        names.dedup();
        match names.is_empty() {
            true => "another check".into(),
            false => names.join(" and ").into(),
        }
    }

    fn live(&self) -> impl Iterator<Item = &Job> {
        self.all().map(|(_, job)| job).filter(|job| job.is_live())
    }

    /// Whether there is no search, be it one that waits.
    pub fn is_idle(&self) -> bool {
        self.running.is_empty() && self.waiting.is_empty()
    }

    /// Gives up every search that is of no use any more: of whose open properties none is current, or, if
    /// no text has its System any more, not all are. Those that are current may need much less than
    /// the whole of it: they are returned, each with the budget of its search, to be required again.
    pub fn retain(
        &mut self,
        is_current: impl Fn(Key) -> bool,
        is_present: impl Fn(Fingerprint) -> bool,
    ) -> Vec<(Key, Option<Duration>)> {
        let verdicts = &self.verdicts;
        let mut lost = Vec::new();
        let mut is_stale = |job: &Job| {
            let open = job.keys.iter().copied();
            let open = open.filter(|key| !job.is_answered(verdicts.get(*key)));
            let (current, gone): (Vec<Key>, Vec<Key>) = open.partition(|key| is_current(*key));
            let is_stale =
                !gone.is_empty() && (current.is_empty() || !is_present(job.wanted.fingerprint));
            if is_stale {
                lost.extend(current.into_iter().map(|key| (key, job.budget)));
            }
            is_stale
        };
        self.waiting.retain(|(_, job)| !is_stale(job));
        for job in self.running.values() {
            if job.is_live() && is_stale(job) {
                job.gate.cancel();
                self.statistics.cancelled += u64::from(!job.is_aside());
            }
        }
        self.take_turns();
        lost
    }

    /// Stops a search because a person wants it to stop: its properties are then known to be undecided. Of one
    /// that has not begun nothing is left, and nothing will be heard: whether it was such a one.
    pub fn stop(&mut self, id: JobId) -> bool {
        let waiting = self.waiting.len();
        self.waiting.retain(|(other, _)| *other != id);
        let has_gone = self.waiting.len() < waiting;
        if let Some(job) = self.running.get_mut(&id) {
            job.stopped = true;
            job.gate.cancel();
        }
        self.take_turns();
        has_gone
    }

    /// The searches, be they ones that wait, that decide some of these properties.
    pub fn deciding(&self, properties: &HashSet<Key>) -> Vec<JobId> {
        let all = self.all().filter(|(_, job)| job.is_live());
        let deciding = all.filter(|(_, job)| !job.keys.is_disjoint(properties));
        deciding.map(|(id, _)| id).collect()
    }

    /// Whether nobody waits for a search with a limit.
    pub fn has_leisure(&self) -> bool {
        !self
            .live()
            .any(|job| job.budget.is_some() && !job.is_aside())
    }

    /// All searches that somebody waits for, in the order in which they were first asked for.
    pub fn under_way(&self) -> impl Iterator<Item = UnderWay<'_>> {
        let is_waited_for = |job: &Job| job.is_live() && !job.is_aside();
        let mut all: Vec<_> = self.all().filter(|(_, job)| is_waited_for(job)).collect();
        all.sort_by_key(|(id, _)| *id);
        all.into_iter().map(|(id, job)| {
            let open = job.keys.iter();
            let open = open.filter(|key| !job.is_answered(self.verdicts.get(**key)));
            UnderWay {
                id,
                name: &job.wanted.name,
                progress: &job.progress,
                open: open.count(),
                is_unlimited: job.budget.is_none(),
                waits: !self.running.contains_key(&id) || job.gate.is_held(),
            }
        })
    }

    fn all(&self) -> impl Iterator<Item = (JobId, &Job)> {
        let waiting = self.waiting.iter().map(|(id, job)| (*id, job));
        let running = self.running.iter().map(|(id, job)| (*id, job));
        running.chain(waiting)
    }

    /// Gives up everything.
    pub fn stop_all(&mut self) {
        self.retain(|_| false, |_| false);
    }

    /// The searches that run and are wanted.
    pub fn running(&self) -> impl Iterator<Item = (JobId, &Progress)> {
        let running = self.running.iter().filter(|(_, job)| job.is_live());
        running.map(|(id, job)| (*id, &job.progress))
    }

    /// Takes in what a search has told.
    pub fn receive(&mut self, id: JobId, news: News) -> Change {
        let Some(job) = self.running.get_mut(&id) else {
            return Change::default();
        };
        let is_aside = job.is_aside();
        match news {
            News::Progress(progress) => {
                job.progress = progress;
                self.take_turns();
                Change::default()
            }
            News::Searching => {
                match is_aside {
                    true => self.statistics.asides += 1,
                    false => self.statistics.searches += 1,
                }
                Change::default()
            }
            News::Decided {
                property,
                outcome,
                found_before,
            } => {
                self.statistics.found_before += u64::from(found_before && !is_aside);
                let answer = Answer::Outcome(outcome);
                Change {
                    verdicts: record(&mut self.verdicts, job, property, answer, found_before),
                    finished: false,
                }
            }
            News::Saw(slices) => {
                let mut verdicts = false;
                for (slice, seen) in slices {
                    verdicts |= Arc::make_mut(&mut self.verdicts).saw(slice, seen);
                }
                Change {
                    verdicts,
                    finished: false,
                }
            }
            News::Finished { answers, states } => {
                let mut verdicts = false;
                for (property, answer) in answers.into_iter().enumerate() {
                    if let Some(answer) = answer {
                        verdicts |= record(&mut self.verdicts, job, property, answer, false);
                    }
                }
                if !is_aside {
                    self.statistics.states += states;
                }
                self.running.remove(&id);
                self.take_turns();
                Change {
                    verdicts,
                    finished: true,
                }
            }
        }
    }

    /// Begins, holds and lets go on searches, so that those run that are to have their turn. Searches
    /// without a limit have their own places: behind one of them a quick check might wait for ever. Those
    /// for which nobody waits have the places of those with a limit while there is none of these.
    fn take_turns(&mut self) {
        for limited in [true, false] {
            let is_alike = |job: &Job| job.is_live() && job.budget.is_some() == limited;
            let begun = self.running.iter().filter(|(_, job)| is_alike(job));
            let claim_of = |job: &Job, active| (job.is_aside(), claim(active, job.asked));
            let mut claims: Vec<((bool, Claim), JobId)> = begun
                .map(|(id, job)| (claim_of(job, job.gate.active()), *id))
                .collect();
            // One that has not begun has had nothing of its time, so that it is begun before one that
            // has had some goes on.
            let waiting = self.waiting.iter().filter(|(_, job)| is_alike(job));
            claims.extend(waiting.map(|(id, job)| (claim_of(job, Duration::ZERO), *id)));
            claims.sort();
            let waited_for = claims.iter().filter(|((is_aside, _), _)| !is_aside);
            let have_turns = match waited_for.count() {
                0 => claims.len().min(self.at_once),
                waited_for => waited_for.min(self.at_once),
            };
            let after = claims.split_off(have_turns);
            // First those that stop, then those that go on.
            for (_, id) in &after {
                if let Some(job) = self.running.get(id) {
                    job.gate.hold();
                }
            }
            for (_, id) in &claims {
                match self.running.get(id) {
                    Some(job) => job.gate.open(),
                    None => self.begin(*id),
                }
            }
        }
    }

    /// Begins a search that waits.
    fn begin(&mut self, id: JobId) {
        let Some(at) = self.waiting.iter().position(|(other, _)| *other == id) else {
            return;
        };
        let (_, mut job) = self.waiting.remove(at);
        job.memory = self.share(job.kind());
        job.gate = Arc::default();
        if self.is_paused {
            job.gate.pause();
        }
        let search = Search {
            wanted: job.wanted.clone(),
            budget: job.budget,
            max_memory: job.memory,
            // Coverage is not stored.
            kept: (self.kept.clone()).filter(|_| !matches!(job.wanted.purpose, Purpose::Seeing(_))),
        };
        let gate = Arc::clone(&job.gate);
        self.running.insert(id, job);
        let tell = Arc::clone(&self.tell);
        search::start(search, gate, move |news| tell(id, news));
    }

    /// What a search that begins now may hold, beside those of its kind.
    fn share(&self, kind: Kind) -> Option<u64> {
        let running = self.running.values().filter(|job| job.kind() == kind);
        let held: u64 = running.filter_map(|job| job.memory).sum();
        Some(self.memory?.next(kind, held))
    }
}

#[cfg(test)]
mod tests;
