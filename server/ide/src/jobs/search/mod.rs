//! One search on a thread of its own.

mod order;
mod rounds;

use std::collections::{HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_engine::coverage::Coverage;
use stubborn_engine::plan::editor;
use stubborn_engine::{
    Caller, CheckError, Event, Limits, Observer, Options, Outcome, Progress, Reason, Verdict, check,
};
use stubborn_system::property::Property;

use super::gate::Gate;
use super::verdicts::Answer;

pub use order::{JobId, News, Purpose, Search, Wanted};
use rounds::yield_to_others;
pub use rounds::{Settled, found_soon};

/// Room for the deepest expressions; a system gives it only as it is used.
const STACK: usize = 256 << 20;

/// A search that takes longer may be one that no session sees the end of.
const SOON: Duration = Duration::from_secs(1);

/// Starts the search. Once it is cancelled at its gate it ends soon.
///
/// Always ends with one [`News::Finished`], whatever goes wrong.
pub fn start(search: Search, gate: Arc<Gate>, tell: impl Fn(News) + Send + Sync + 'static) {
    let tell = Arc::new(tell);
    let teller = Arc::clone(&tell);
    let properties = search.wanted.properties.len();
    let thread = thread::Builder::new()
        .name("search".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            if let Purpose::Seeing(_) = search.wanted.purpose {
                yield_to_others();
            }
            run(&search, &gate, &*teller);
            drop(search);
            give_back();
        });
    if let Err(error) = thread {
        tell(News::Finished {
            answers: vec![
                Some(Answer::Refused(format!("no thread for a search: {error}")));
                properties
            ],
            states: 0,
        });
    }
}

/// Gives the machine back what a search has let go of: glibc keeps it for each thread by itself, and an
/// editor stays open for days. Other platforms' allocators do it of their own accord.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `malloc_trim` may be called at any time on any thread; it touches free memory alone.
    unsafe {
        libc::malloc_trim(0);
    }
}

fn run(search: &Search, gate: &Gate, tell: &(dyn Fn(News) + Sync)) {
    let explored = AtomicU64::new(0);
    let options = search.wanted.purpose.options(&editor::check(Limits {
        max_memory: search.max_memory,
        // A time that no clock reaches is no limit.
        deadline: search
            .budget
            .and_then(|budget| gate.now().checked_add(budget)),
        ..Limits::default()
    }));
    let mut answers = vec![Some(broken(0)); search.wanted.properties.len()];
    let goes_on = || {
        gate.pass();
        let is_late = |deadline: Instant| gate.now() >= deadline;
        !gate.is_cancelled() && !options.limits.deadline.is_some_and(is_late)
    };
    for property in found_before(search, &goes_on, tell) {
        answers[property] = None;
    }
    let open = |at: &usize| answers[*at].is_some();
    let open: Vec<usize> = (0..answers.len()).filter(open).collect();
    if !open.is_empty() {
        tell(News::Searching);
    }
    let settled = Settled::default();
    let (found, of_rounds) = thread::scope(|scope| {
        let soon = || {
            settled.wait(editor::HEAD_START);
            yield_to_others();
            found_soon(search, &open, &options, (gate, &settled), tell)
        };
        let beside = || {
            let thread = thread::Builder::new().name("round".to_owned());
            thread.stack_size(STACK).spawn_scoped(scope, soon).ok()
        };
        let beside = (!search.wanted.slow.is_empty()).then(beside).flatten();
        whole(
            search,
            &open,
            &options,
            (gate, &explored, &settled),
            tell,
            &mut answers,
        );
        settled.end();
        let found = beside.and_then(|round| round.join().ok());
        found.unwrap_or_default()
    });
    for (property, outcome) in found {
        // A limit takes nothing away from what a round has found. Its run is hardly ever a shortest one.
        if !answers[property].as_ref().is_some_and(Answer::is_violated) {
            answers[property] = Some(Answer::Outcome(Box::new(outcome)));
        }
    }
    tell(News::Finished {
        answers,
        states: explored.into_inner() + of_rounds,
    });
}

/// Returns the answer of a search that a defect has ended after this number of states.
fn broken(states: u64) -> Answer {
    let defect = Verdict::Undecided(Reason::Internal("the search broke off".to_owned()));
    Answer::Outcome(Box::new(Outcome {
        states,
        ..Outcome::without_search(defect)
    }))
}

/// Checks the open properties in the batches that are [planned](editor::batches).
fn whole(
    search: &Search,
    open: &[usize],
    options: &Options,
    (gate, explored, settled): (&Gate, &AtomicU64, &Settled),
    tell: &(dyn Fn(News) + Sync),
    answers: &mut [Option<Answer>],
) {
    let is_likely_beside_monitor = |at: &usize| {
        let one = &search.wanted.properties[*at];
        one.property.is_monitored() && search.wanted.likely.contains(&one.key)
    };
    let has_deadline = search.budget.is_some();
    let batches = editor::batches(open, has_deadline, is_likely_beside_monitor);
    let mut batches = VecDeque::from(batches);
    while let Some(batch) = batches.pop_front() {
        let watcher = Watcher {
            gate,
            tell,
            search,
            batch: &batch,
            before: explored,
            settled,
            states: AtomicU64::new(0),
        };
        let found = catch_unwind(AssertUnwindSafe(|| {
            of_batch(search, &batch, options, &watcher)
        }));
        let all = |answer: Answer| vec![answer; batch.len()];
        let found = match found {
            Ok(Ok(found)) => found,
            Ok(Err(error)) => all(Answer::Refused(error.to_string())),
            Err(_) => {
                let told = settled.properties();
                batches.extend(editor::after_defect(&batch, |one| told.contains(one)));
                drop(told);
                all(broken(watcher.explored()))
            }
        };
        explored.store(watcher.explored(), Ordering::Relaxed);
        for (property, answer) in batch.iter().zip(found) {
            // A bound is known by its number in this session alone.
            if let (Answer::Outcome(outcome), Some(kept)) = (&answer, &search.kept)
                && outcome.within == 0
            {
                kept.keep(
                    &search.wanted.system,
                    &search.wanted.properties[*property],
                    outcome,
                );
            }
            answers[*property] = Some(answer);
        }
    }
}

fn of_batch(
    search: &Search,
    batch: &[usize],
    options: &Options,
    watcher: &Watcher<'_>,
) -> Result<Vec<Answer>, CheckError> {
    let stated = || {
        batch
            .iter()
            .map(|property| &search.wanted.properties[*property])
    };
    let properties: Vec<Property> = stated().map(|one| one.property.clone()).collect();
    let caller = Caller::timed_by(watcher.gate).observed_by(watcher);
    let outcomes = check(&search.wanted.system, &properties, options, caller)?;
    let kept = stated()
        .zip(&outcomes)
        .map(|(one, outcome)| one.kept(&search.wanted.system, outcome));
    Ok(kept
        .map(|outcome| Answer::Outcome(Box::new(outcome)))
        .collect())
}

/// Tells what earlier sessions have found of the properties; which these are.
fn found_before(
    search: &Search,
    goes_on: &dyn Fn() -> bool,
    tell: &(dyn Fn(News) + Sync),
) -> Vec<usize> {
    let Some(kept) = &search.kept else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (property, one) in search.wanted.properties.iter().enumerate() {
        if !goes_on() {
            break;
        }
        if let Some(outcome) = kept.find(&search.wanted.system, one, goes_on) {
            tell(News::Decided {
                property,
                outcome: Box::new(outcome),
                found_before: true,
            });
            found.push(property);
        }
    }
    found
}

struct Watcher<'a> {
    gate: &'a Gate,
    tell: &'a (dyn Fn(News) + Sync),
    search: &'a Search,
    /// The indices of the properties that are asked about.
    batch: &'a [usize],
    /// States that the checks before this one have generated, of those that the job consists of.
    before: &'a AtomicU64,
    /// States that this check has generated.
    states: AtomicU64,
    settled: &'a Settled,
}

impl Watcher<'_> {
    fn decided(&self, within: usize, outcome: &Outcome) {
        let property = self.batch[within];
        self.settled.properties().insert(property);
        let one = &self.search.wanted.properties[property];
        let outcome = one.kept(&self.search.wanted.system, outcome);
        // What a search is soon through with is kept when its figures are known, all else then too.
        if let Some(kept) = &self.search.kept
            && self.gate.active() > SOON
        {
            kept.keep(&self.search.wanted.system, one, &outcome);
        }
        (self.tell)(News::Decided {
            property,
            outcome: Box::new(outcome),
            found_before: false,
        });
    }

    fn saw(&self, within: &[usize], coverage: &Coverage) {
        let mut known = HashSet::new();
        let mut slices = Vec::new();
        for property in within {
            let one = &self.search.wanted.properties[self.batch[*property]];
            if known.insert(one.key.slice) {
                let kept = one.kept_coverage(&self.search.wanted.system, coverage);
                slices.push((one.key.slice, Arc::new(kept)));
            }
        }
        (self.tell)(News::Saw(slices));
    }

    fn explored(&self) -> u64 {
        self.before.load(Ordering::Relaxed) + self.states.load(Ordering::Relaxed)
    }
}

impl Observer for Watcher<'_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Progress(progress) => {
                self.states.store(progress.states, Ordering::Relaxed);
                (self.tell)(News::Progress(Progress {
                    states: self.explored(),
                    ..*progress
                }));
            }
            Event::Searched(states) => self.states.store(states, Ordering::Relaxed),
            // A verdict after the cancel is right, but no request waits for it.
            _ if self.gate.is_cancelled() => {}
            Event::Decided(property, outcome) => self.decided(property, outcome),
            Event::Saw(properties, seen) => self.saw(properties, seen),
            Event::Attempted(..) | Event::Begins(_) | Event::Ends(_) => {}
        }
    }
}
