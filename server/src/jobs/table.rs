//! The job table.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use stubborn_engine::{Progress, Reason, Verdict};
use stubborn_system::system::System;

use super::fingerprint::Fingerprint;
use super::gate::Gate;
use super::properties::{Key, Sliced};
use super::search::{self, JobId, News, Search};
use super::turns::{Claim, claim};
use super::verdicts::{Answer, Known, Verdicts};

/// Properties about a System that somebody wants to know.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// What a person calls the file that they are about.
    pub name: Arc<str>,
    pub fingerprint: Fingerprint,
    pub system: Arc<System>,
    pub properties: Vec<Sliced>,
    /// Those that were violated when they were last searched.
    pub likely: HashSet<Key>,
}

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

/// So many more searches than run at a time are begun, and held in turn.
const HELD: usize = 8;

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
    waiting: Vec<(JobId, Job)>,
    next: u64,
    statistics: Statistics,
    /// How many searches with a limit run at a time, and how many without one.
    at_once: usize,
    /// What all searches with a limit may hold together, in bytes, and what all without one.
    memory: Option<[u64; 2]>,
    tell: Arc<dyn Fn(JobId, News) + Send + Sync>,
}

struct Job {
    wanted: Wanted,
    budget: Option<Duration>,
    gate: Arc<Gate>,
    /// In the order of all: when somebody asked for it last.
    asked: u64,
    /// What it may hold, in bytes.
    memory: Option<u64>,
    /// A person stopped it, and wants to see how far it came.
    stopped: bool,
    progress: Progress,
}

impl Job {
    fn is_live(&self) -> bool {
        !self.gate.is_cancelled()
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
    /// So many searches with a limit run at once, and as many without one; all together may hold so many
    /// bytes. `tell` is called on the searches' threads with what they find; it must not block, and what
    /// it is given must come back to [`JobTable::receive`].
    pub fn new(
        at_once: usize,
        memory: Option<u64>,
        tell: impl Fn(JobId, News) + Send + Sync + 'static,
    ) -> JobTable {
        JobTable {
            verdicts: Arc::default(),
            running: BTreeMap::new(),
            waiting: Vec::new(),
            next: 0,
            statistics: Statistics::default(),
            at_once: at_once.max(1),
            memory: memory.map(shares),
            tell: Arc::new(tell),
        }
    }

    /// From now on so many run at once, and those that begin may hold so many bytes together.
    pub fn set_bounds(&mut self, at_once: usize, memory: Option<u64>) {
        self.at_once = at_once.max(1);
        self.memory = memory.map(shares);
        self.take_turns();
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
        let mut again = Vec::new();
        for one in &wanted.properties {
            Arc::make_mut(&mut self.verdicts).touch(one.key.slice);
            let known = self.verdicts.get(one.key);
            if known.is_some_and(|known| known.answers(budget)) {
                self.statistics.reused += 1;
            } else if let Some(id) = self.pending_with(one.key, budget) {
                again.push(id);
            } else if properties.iter().all(|other| other.key != one.key) {
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
                properties,
                likely: wanted.likely.clone(),
            },
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
                let known = self.verdicts.get(property.key);
                if !known.is_some_and(|known| known.answers(job.budget)) {
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
        let waiting = self.waiting.iter().map(|(id, job)| (id, job));
        let mut all = self.running.iter().chain(waiting);
        let found =
            all.find(|(_, job)| job.is_live() && job.decides(property) && job.covers(budget));
        found.map(|(id, _)| *id)
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
                job.gate.cancel();
                self.statistics.cancelled += 1;
            }
        }
        self.take_turns();
    }

    /// Stops a search because a person wants it to stop: its properties are then known to be undecided.
    pub fn stop(&mut self, id: JobId) {
        if let Some(job) = self.running.get_mut(&id) {
            job.stopped = true;
            job.gate.cancel();
        }
        self.take_turns();
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
                self.take_turns();
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
                self.take_turns();
                Change {
                    verdicts,
                    finished: true,
                }
            }
        }
    }

    /// Begins, holds and lets go on searches, so that those run that are to have their turn. Searches
    /// without a limit have their own places: behind one of them a quick check might wait for ever.
    fn take_turns(&mut self) {
        for limited in [true, false] {
            let is_alike = |job: &Job| job.is_live() && job.budget.is_some() == limited;
            let begun = self.running.iter().filter(|(_, job)| is_alike(job));
            let mut claims: Vec<(Claim, JobId)> = begun
                .map(|(id, job)| (claim(job.gate.active(), job.asked), *id))
                .collect();
            let places = (self.at_once + HELD).saturating_sub(claims.len());
            let waiting = self.waiting.iter().filter(|(_, job)| is_alike(job));
            let mut waiting: Vec<(Claim, JobId)> = waiting
                .map(|(id, job)| (claim(Duration::ZERO, job.asked), *id))
                .collect();
            waiting.sort();
            claims.extend(waiting.into_iter().take(places));
            claims.sort();
            let after = claims.split_off(claims.len().min(self.at_once));
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
        job.memory = self.share_of(&job);
        job.gate = Arc::default();
        let properties = job.wanted.properties.iter().enumerate();
        let likely = properties.filter(|(_, one)| job.wanted.likely.contains(&one.key));
        let search = Search {
            system: Arc::clone(&job.wanted.system),
            likely: likely.map(|(at, _)| at).collect(),
            properties: job.wanted.properties.clone(),
            budget: job.budget,
            max_memory: job.memory,
        };
        let gate = Arc::clone(&job.gate);
        self.running.insert(id, job);
        self.statistics.searches += 1;
        let tell = Arc::clone(&self.tell);
        search::start(search, gate, move |news| tell(id, news));
    }

    /// Half of what is left of the memory for searches of its kind: whatever comes after it has some.
    fn share_of(&self, job: &Job) -> Option<u64> {
        let all = self.memory?[usize::from(job.budget.is_none())];
        let alike = self
            .running
            .values()
            .filter(|other| other.budget.is_some() == job.budget.is_some());
        let held: u64 = alike.filter_map(|other| other.memory).sum();
        Some(all.saturating_sub(held) / 2)
    }
}

/// What the searches with a limit may hold of this memory, and those without one, which need more.
fn shares(memory: u64) -> [u64; 2] {
    [memory / 5, memory - memory / 5]
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
    use std::time::Instant;

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
            name: "counter.stb".into(),
            fingerprint: Fingerprint::of(system),
            system: Arc::new(system.clone()),
            properties: sliced(system, properties, &|| {}),
            likely: HashSet::new(),
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

    /// How many searches run and are not held.
    fn turns(table: &JobTable) -> usize {
        let running = table.running.values();
        running.filter(|job| !job.gate.is_held()).count()
    }

    #[test]
    fn a_slow_search_is_held_for_a_quick_one_and_goes_on_where_it_was() {
        let (mut table, news) = table();
        let slow = wanted(&counter(i64::from(i32::MAX)), &[below(1 << 40)]);
        let slow_id = table.require(&slow, Some(Duration::from_secs(600)));
        let slow_id = slow_id.expect("a search");
        // It has told how far it is: it had more than its first turn.
        let (id, what) = news.recv().expect("news");
        assert_eq!(id, slow_id);
        table.receive(id, what);
        let quick = Wanted {
            name: "quick.stb".into(),
            ..wanted(&counter(9), &[below(20)])
        };
        table.require(&quick, Some(Duration::from_secs(600)));
        let standing = &table.standing()[&slow.properties[0].key];
        let Standing::Held(states, first) = standing else {
            panic!("{standing:?}");
        };
        assert!(*states > 0);
        assert_eq!(&**first, "quick.stb");
        while table.is_pending(quick.properties[0].key) {
            let (id, what) = news.recv().expect("news");
            table.receive(id, what);
        }
        assert!(!table.running[&slow_id].gate.is_held());
        let known = table.running[&slow_id].progress.states;
        let (id, what) = news.recv().expect("news");
        assert_eq!(id, slow_id);
        table.receive(id, what);
        assert!(table.running[&slow_id].progress.states > known);
        assert_eq!(table.statistics().searches, 2);
        table.stop_all();
    }

    #[test]
    fn of_many_slow_searches_each_has_its_turn() {
        let (mut table, news) = table();
        let all: Vec<Wanted> = (1..=10)
            .map(|less| wanted(&counter(i64::from(i32::MAX) - less), &[below(1 << 40)]))
            .collect();
        for one in &all {
            table.require(one, Some(Duration::from_secs(600)));
            assert_eq!(turns(&table), 1);
        }
        // At most so many are kept in memory; the others wait for one of them to end.
        let mut heard = HashSet::new();
        while heard.len() <= HELD {
            let (id, what) = news.recv().expect("news");
            table.receive(id, what);
            heard.insert(id);
            assert_eq!(turns(&table), 1);
        }
        table.stop_all();
    }

    #[test]
    fn time_in_which_a_search_is_held_is_not_of_its_budget() {
        let (mut table, news) = table();
        let budget = Duration::from_millis(300);
        let begun = Instant::now();
        let all: Vec<Wanted> = (1..=3)
            .map(|less| wanted(&counter(i64::from(i32::MAX) - less), &[below(1 << 40)]))
            .collect();
        for one in &all {
            table.require(one, Some(budget));
        }
        run_to_the_end(&mut table, &news);
        for one in &all {
            let known = table.verdicts().get(one.properties[0].key);
            let Answer::Outcome(outcome) = &known.expect("an answer").answer else {
                panic!("it was searched");
            };
            assert_eq!(outcome.verdict, Verdict::Undecided(Reason::Time));
        }
        // One after the other they had all of it; together they would have had it in one.
        assert!(begun.elapsed() > 2 * budget);
    }

    #[test]
    fn no_search_takes_the_memory_of_those_that_come_after_it() {
        let (sender, news) = channel();
        let tell = move |id, news| drop(sender.send((id, news)));
        let mut table = JobTable::new(1, Some(1 << 30), tell);
        for less in 1..=5 {
            let wanted = wanted(&counter(i64::from(i32::MAX) - less), &[below(1 << 40)]);
            table.require(&wanted, Some(Duration::from_secs(600)));
        }
        let held: Vec<u64> = table
            .running
            .values()
            .filter_map(|job| job.memory)
            .collect();
        assert!(held.iter().all(|bytes| *bytes > 0));
        assert!(held.iter().sum::<u64>() <= shares(1 << 30)[0]);
        table.stop_all();
        drop(news);
    }

    #[test]
    fn only_so_many_searches_run_at_a_time() {
        let (mut table, news) = table();
        let systems: Vec<System> = (5..9).map(counter).collect();
        for system in &systems {
            table.require(&wanted(system, &[below(20)]), None);
            assert_eq!(turns(&table), 1);
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
