//! The job table.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use stubborn_engine::{Progress, Reason, Verdict};
use stubborn_system::system::System;

use super::fingerprint::Fingerprint;
use super::properties::{Key, Sliced};
use super::search::{self, JobId, News, Search};
use super::verdicts::{Answer, Known, Verdicts};

/// Properties about a System that somebody wants to know.
#[derive(Clone, Debug)]
pub struct Wanted {
    pub fingerprint: Fingerprint,
    pub system: Arc<System>,
    pub properties: Vec<Sliced>,
}

/// How a property stands that is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Other searches come first.
    Waiting,
    /// It is being searched, and so many states were found.
    Running(u64),
}

/// What the searches of a session have cost, and what was spared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States explored by all searches, those that were given up included.
    pub states: u64,
    /// Searches that were started.
    pub searches: u64,
    /// How often a verdict was wanted that was known already.
    pub reused: u64,
    /// Searches that were given up, since nobody waits for them any more.
    pub cancelled: u64,
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
    waiting: VecDeque<(JobId, Job)>,
    next: u64,
    statistics: Statistics,
    /// How many searches with a limit run at a time, and how many without one.
    at_once: usize,
    /// What one search may hold, in bytes.
    max_memory: Option<u64>,
    tell: Arc<dyn Fn(JobId, News) + Send + Sync>,
}

struct Job {
    wanted: Wanted,
    budget: Option<Duration>,
    cancelled: Arc<AtomicBool>,
    /// A person stopped it, and wants to see how far it came.
    stopped: bool,
    progress: Progress,
}

impl Job {
    fn is_live(&self) -> bool {
        !self.cancelled.load(Ordering::Relaxed)
    }

    fn decides(&self, property: Key) -> bool {
        self.wanted.properties.iter().any(|one| one.key == property)
    }

    /// Whether it says no less than a search with this budget would.
    fn covers(&self, budget: Option<Duration>) -> bool {
        match (self.budget, budget) {
            (None, _) => true,
            (Some(has), Some(wanted)) => wanted <= has,
            (Some(_), None) => false,
        }
    }
}

impl JobTable {
    /// `tell` is called on the searches' threads with what they find; it must not block, and what
    /// it is given must come back to [`JobTable::receive`].
    pub fn new(
        at_once: usize,
        max_memory: Option<u64>,
        tell: impl Fn(JobId, News) + Send + Sync + 'static,
    ) -> JobTable {
        JobTable {
            verdicts: Arc::default(),
            running: BTreeMap::new(),
            waiting: VecDeque::new(),
            next: 0,
            statistics: Statistics::default(),
            at_once: at_once.max(1),
            max_memory,
            tell: Arc::new(tell),
        }
    }

    pub fn verdicts(&self) -> &Arc<Verdicts> {
        &self.verdicts
    }

    pub fn statistics(&self) -> Statistics {
        let mut statistics = self.statistics;
        statistics.states += self
            .running
            .values()
            .map(|job| job.progress.states)
            .sum::<u64>();
        statistics
    }

    /// Has one search decide those of the properties that are neither known nor being decided, and says
    /// which search if there is one.
    pub fn require(&mut self, wanted: &Wanted, budget: Option<Duration>) -> Option<JobId> {
        let mut properties: Vec<Sliced> = Vec::new();
        for one in &wanted.properties {
            Arc::make_mut(&mut self.verdicts).touch(one.key.slice);
            let known = self.verdicts.get(one.key);
            if known.is_some_and(|known| known.answers(budget)) {
                self.statistics.reused += 1;
            } else if !self.is_pending_with(one.key, budget)
                && properties.iter().all(|other| other.key != one.key)
            {
                properties.push(one.clone());
            }
        }
        if properties.is_empty() {
            return None;
        }
        let id = JobId(self.next);
        self.next += 1;
        let job = Job {
            wanted: Wanted {
                fingerprint: wanted.fingerprint,
                system: Arc::clone(&wanted.system),
                properties,
            },
            budget,
            cancelled: Arc::default(),
            stopped: false,
            progress: Progress::default(),
        };
        self.waiting.push_back((id, job));
        self.start_waiting();
        Some(id)
    }

    /// How all properties that a search decides now or will stand.
    pub fn standing(&self) -> HashMap<Key, Standing> {
        let waiting = self.waiting.iter();
        let waiting = waiting.map(|(_, job)| (job, Standing::Waiting));
        let running = self.running.values();
        let running = running.map(|job| (job, Standing::Running(job.progress.states)));
        let mut standing = HashMap::new();
        for (job, how) in waiting.chain(running).filter(|(job, _)| job.is_live()) {
            for property in &job.wanted.properties {
                let known = self.verdicts.get(property.key);
                if !known.is_some_and(|known| known.answers(job.budget)) {
                    standing.insert(property.key, how);
                }
            }
        }
        standing
    }

    /// Whether a search decides this property now, or will.
    pub fn is_pending(&self, property: Key) -> bool {
        self.live().any(|job| job.decides(property))
    }

    fn is_pending_with(&self, property: Key, budget: Option<Duration>) -> bool {
        self.live()
            .any(|job| job.decides(property) && job.covers(budget))
    }

    fn live(&self) -> impl Iterator<Item = &Job> {
        let waiting = self.waiting.iter().map(|(_, job)| job);
        self.running
            .values()
            .chain(waiting)
            .filter(|job| job.is_live())
    }

    /// Gives up every search that is of no use any more: of whose open properties none is current, or, if
    /// no text has its System any more, not all are. Those that are current may need much less than
    /// the whole of it; they are searched anew when they are asked for again.
    pub fn retain(
        &mut self,
        is_current: impl Fn(Key) -> bool,
        is_present: impl Fn(Fingerprint) -> bool,
    ) {
        let verdicts = &self.verdicts;
        let is_stale = |job: &Job| {
            let is_open = |property: &&Sliced| {
                let known = verdicts.get(property.key);
                !known.is_some_and(|known| known.answers(job.budget))
            };
            let open = job.wanted.properties.iter().filter(is_open);
            let (current, gone): (Vec<_>, Vec<_>) =
                open.partition(|property| is_current(property.key));
            !gone.is_empty() && (current.is_empty() || !is_present(job.wanted.fingerprint))
        };
        self.waiting.retain(|(_, job)| !is_stale(job));
        for job in self.running.values() {
            if job.is_live() && is_stale(job) {
                job.cancelled.store(true, Ordering::Relaxed);
                self.statistics.cancelled += 1;
            }
        }
        self.start_waiting();
    }

    /// Stops a search because a person wants it to stop: its properties are then known to be undecided.
    pub fn stop(&mut self, id: JobId) {
        if let Some(job) = self.running.get_mut(&id) {
            job.stopped = true;
            job.cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Gives up everything.
    pub fn stop_all(&mut self) {
        self.retain(|_| false, |_| false);
    }

    /// The searches that run and are wanted.
    pub fn running(&self) -> impl Iterator<Item = (JobId, &Progress)> {
        self.running
            .iter()
            .filter(|(_, job)| job.is_live())
            .map(|(id, job)| (*id, &job.progress))
    }

    /// Takes in what a search has told.
    pub fn receive(&mut self, id: JobId, news: News) -> Change {
        let Some(job) = self.running.get_mut(&id) else {
            return Change::default();
        };
        match news {
            News::Progress(progress) => {
                job.progress = progress;
                Change::default()
            }
            News::Decided { property, outcome } => {
                let answer = Answer::Outcome(outcome);
                let verdicts = record(&mut self.verdicts, job, property, answer);
                Change {
                    verdicts,
                    finished: false,
                }
            }
            News::Finished { answers, states } => {
                let mut verdicts = false;
                for (property, answer) in answers.into_iter().enumerate() {
                    verdicts |= record(&mut self.verdicts, job, property, answer);
                }
                self.statistics.states += states;
                self.running.remove(&id);
                self.start_waiting();
                Change {
                    verdicts,
                    finished: true,
                }
            }
        }
    }

    fn has_place(&self, waiting: &Job) -> bool {
        let is_alike =
            |job: &&Job| job.is_live() && job.budget.is_some() == waiting.budget.is_some();
        self.running.values().filter(is_alike).count() < self.at_once
    }

    /// Starts those that wait, first come, first served. Searches without a limit have their own
    /// places: behind one of them a quick check might wait for ever.
    fn start_waiting(&mut self) {
        while let Some(at) = self.waiting.iter().position(|(_, job)| self.has_place(job)) {
            let Some((id, job)) = self.waiting.remove(at) else {
                return;
            };
            let search = Search {
                system: Arc::clone(&job.wanted.system),
                properties: job.wanted.properties.clone(),
                budget: job.budget,
                max_memory: self.max_memory,
            };
            let cancelled = Arc::clone(&job.cancelled);
            self.running.insert(id, job);
            self.statistics.searches += 1;
            let tell = Arc::clone(&self.tell);
            search::start(search, cancelled, move |news| tell(id, news));
        }
    }
}

/// Keeps an answer, unless it says less than what is known. Whether it was kept.
fn record(verdicts: &mut Arc<Verdicts>, job: &Job, property: usize, answer: Answer) -> bool {
    let Some(Sliced { key, .. }) = job.wanted.properties.get(property) else {
        return false;
    };
    if let Answer::Outcome(outcome) = &answer
        && let Verdict::Undecided(why) = &outcome.verdict
    {
        // Given up for an edit: the property stands as if it had never been searched.
        let given_up = *why == Reason::Cancelled && !job.stopped;
        let known = verdicts.get(*key);
        if given_up || known.is_some_and(|known| known.is_proof()) {
            return false;
        }
    }
    let known = Known {
        answer,
        budget: job.budget,
    };
    if verdicts.get(*key).map(|k| &**k) == Some(&known) {
        return false;
    }
    Arc::make_mut(verdicts).insert(*key, known);
    true
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use stubborn_system::property::Property;
    use stubborn_system::system::{
        Binary, Effect, Expr, Instance, Location, Place, Step, Target, Type, Value, Variable,
        VariableRef,
    };

    use stubborn_engine::interpreter::replay;

    use super::super::properties::sliced;
    use super::*;

    /// A counter from 0 to `top` that goes round.
    fn counter(top: i64) -> System {
        let ty = Type::Scalar { lo: 0, hi: top };
        System {
            variables: vec![Variable {
                ty,
                initial: Value::Int(0),
            }],
            instances: vec![counting(top, 0)],
            ..System::default()
        }
    }

    /// Who counts in the variable with this number.
    fn counting(top: i64, variable: u32) -> Instance {
        let ty = Type::Scalar { lo: 0, hi: top };
        let x = VariableRef::Shared(variable);
        let at_top = Expr::Binary(
            Binary::Equal,
            Box::new(Expr::Variable(x)),
            Box::new(Expr::Const(Value::Int(top))),
        );
        let next = Expr::Binary(
            Binary::Add,
            Box::new(Expr::Variable(x)),
            Box::new(Expr::Const(Value::Int(1))),
        );
        let zero = Expr::Const(Value::Int(0));
        let step = Step {
            communication: None,
            guard: None,
            choices: Vec::new(),
            effects: vec![Effect::Assign {
                place: Place {
                    variable: x,
                    path: Vec::new(),
                    ty: ty.clone(),
                },
                ty: ty.clone(),
                value: Expr::If(Box::new(at_top), Box::new(zero), Box::new(next)),
            }],
            target: Target::To(0),
        };
        Instance {
            process: variable,
            locals: Vec::new(),
            steps: vec![step],
            locations: vec![Location {
                steps: vec![0],
                is_final: false,
            }],
            initial: 0,
            alphabet: Vec::new(),
        }
    }

    fn below(top: i64) -> Property {
        below_of(0, top)
    }

    fn below_of(variable: u32, top: i64) -> Property {
        Property::Invariant(Expr::Binary(
            Binary::Less,
            Box::new(Expr::Variable(VariableRef::Shared(variable))),
            Box::new(Expr::Const(Value::Int(top))),
        ))
    }

    fn wanted(system: &System, properties: &[Property]) -> Wanted {
        Wanted {
            fingerprint: Fingerprint::of(system),
            system: Arc::new(system.clone()),
            properties: sliced(system, properties, &|| {}),
        }
    }

    fn table() -> (JobTable, Receiver<(JobId, News)>) {
        let (sender, receiver) = channel();
        let tell = move |id, news| drop(sender.send((id, news)));
        (JobTable::new(1, None, tell), receiver)
    }

    fn run_to_the_end(table: &mut JobTable, news: &Receiver<(JobId, News)>) {
        while table.live().next().is_some() {
            let (id, what) = news.recv().unwrap();
            table.receive(id, what);
        }
    }

    fn key(system: &System, property: &Property) -> Key {
        sliced(system, [property], &|| {})[0].key
    }

    fn verdict(table: &JobTable, system: &System, property: &Property) -> Verdict {
        let known = table.verdicts().get(key(system, property));
        match &known.expect("an answer").answer {
            Answer::Outcome(outcome) => outcome.verdict.clone(),
            Answer::Refused(why) => panic!("{why}"),
        }
    }

    #[test]
    fn several_properties_share_one_search() {
        let (mut table, news) = table();
        let system = counter(9);
        table.require(&wanted(&system, &[below(20), below(5)]), None);
        run_to_the_end(&mut table, &news);
        assert_eq!(verdict(&table, &system, &below(20)), Verdict::Holds);
        assert!(verdict(&table, &system, &below(5)).is_violated());
        assert_eq!(table.statistics().searches, 1);
        assert_eq!(table.statistics().states, 10);
    }

    #[test]
    fn what_is_known_is_not_searched_again_and_a_new_property_is_searched_alone() {
        let (mut table, news) = table();
        let system = counter(9);
        table.require(&wanted(&system, &[below(20)]), None);
        run_to_the_end(&mut table, &news);
        let before = table.statistics();
        table.require(&wanted(&system, &[below(20)]), None);
        run_to_the_end(&mut table, &news);
        assert_eq!(table.statistics().states, before.states);
        assert_eq!(table.statistics().reused, 1);

        table.require(&wanted(&system, &[below(20), below(30)]), None);
        let properties = table
            .running
            .values()
            .map(|job| job.wanted.properties.len());
        assert_eq!(properties.collect::<Vec<_>>(), [1]);
        run_to_the_end(&mut table, &news);
        assert_eq!(verdict(&table, &system, &below(30)), Verdict::Holds);
    }

    #[test]
    fn what_is_being_searched_is_not_searched_twice() {
        let (mut table, news) = table();
        let wanted = wanted(&counter(100_000), &[below(200_000)]);
        table.require(&wanted, None);
        table.require(&wanted, None);
        run_to_the_end(&mut table, &news);
        assert_eq!(table.statistics().searches, 1);
    }

    #[test]
    fn a_search_that_nobody_waits_for_is_given_up_and_leaves_no_verdict() {
        let (mut table, news) = table();
        let system = counter(i64::from(i32::MAX));
        let property = below(1 << 40);
        table.require(&wanted(&system, std::slice::from_ref(&property)), None);
        table.retain(|_| false, |_| false);
        while !table.running.is_empty() {
            let (id, what) = news.recv().unwrap();
            table.receive(id, what);
        }
        assert_eq!(table.statistics().cancelled, 1);
        assert_eq!(table.verdicts().get(key(&system, &property)), None);
    }

    #[test]
    fn a_search_that_a_person_stops_leaves_its_properties_undecided() {
        let (mut table, news) = table();
        let system = counter(i64::from(i32::MAX));
        let wanted = wanted(&system, &[below(1 << 40)]);
        table.require(&wanted, None);
        let (id, _) = table.running().next().unwrap();
        table.stop(id);
        while !table.running.is_empty() {
            let (id, what) = news.recv().unwrap();
            table.receive(id, what);
        }
        assert_eq!(
            verdict(&table, &system, &below(1 << 40)),
            Verdict::Undecided(Reason::Cancelled)
        );
        table.require(&wanted, Some(Duration::ZERO));
        assert_eq!(table.running.len(), 1, "it can be asked for again");
        table.stop_all();
    }

    #[test]
    fn a_quick_check_does_not_wait_for_one_without_a_limit() {
        let (mut table, news) = table();
        let endless = counter(i64::from(i32::MAX));
        table.require(&wanted(&endless, &[below(1 << 40)]), None);
        let small = counter(9);
        let quick = wanted(&small, &[below(20)]);
        table.require(&quick, Some(Duration::from_secs(60)));
        assert_eq!(table.running.len(), 2);
        while table.is_pending(quick.properties[0].key) {
            let (id, what) = news.recv().unwrap();
            table.receive(id, what);
        }
        assert_eq!(verdict(&table, &small, &below(20)), Verdict::Holds);
        table.stop_all();
    }

    #[test]
    fn only_so_many_searches_run_at_a_time() {
        let (mut table, news) = table();
        let systems: Vec<System> = (5..9).map(counter).collect();
        for system in &systems {
            table.require(&wanted(system, &[below(20)]), None);
            assert_eq!(table.running.len(), 1);
        }
        run_to_the_end(&mut table, &news);
        for system in &systems {
            assert_eq!(verdict(&table, system, &below(20)), Verdict::Holds);
        }
    }

    #[test]
    fn what_is_known_of_a_slice_is_known_in_another_system_with_the_same_slice() {
        let (mut table, news) = table();
        let system = counter(9);
        let properties = [below(20), below(5)];
        table.require(&wanted(&system, &properties), None);
        run_to_the_end(&mut table, &news);
        let before = table.statistics();

        // Somebody else comes before it, and everything has another number.
        let mut larger = counter(3);
        larger.variables.extend(system.variables.clone());
        larger.instances.push(counting(9, 1));
        let moved: Vec<Property> = [20, 5].map(|top| below_of(1, top)).to_vec();
        assert_eq!(table.require(&wanted(&larger, &moved), None), None);
        assert_eq!(table.statistics().states, before.states);
        assert_eq!(table.statistics().reused, 2);

        let violated = &sliced(&larger, &moved, &|| {})[1];
        let known = table.verdicts().get(violated.key).expect("it is known");
        let Answer::Outcome(shown) = violated.shown(&larger, &known.answer, &|| {}) else {
            panic!("it was searched");
        };
        let Verdict::Violated { trace, .. } = shown.verdict else {
            panic!("{:?}", shown.verdict);
        };
        assert_eq!(replay(&larger, &trace), Ok(()));
        assert!(
            trace
                .steps()
                .iter()
                .all(|step| step.participants == [(1, 0)])
        );
    }
}
