//! One search on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_engine::{
    CheckError, Limits, Options, Outcome, Progress, Reason, Reduction, Verdict, Watch, check,
};
use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::properties::Sliced;
use super::verdicts::Answer;

/// Room for the deepest expressions; a system gives it only as it is used.
const STACK: usize = 256 << 20;

/// Which search of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct JobId(pub u64);

/// What a search says while it runs. The receiver must not block.
#[derive(Clone, Debug)]
pub enum News {
    Progress(Progress),
    /// The property with this index has its verdict, the trace being a run of its slice.
    Decided {
        property: usize,
        outcome: Box<Outcome>,
    },
    /// The search is over: an answer for each property, as in [`News::Decided`], and how many states
    /// it explored.
    Finished {
        answers: Vec<Answer>,
        states: u64,
    },
}

/// A search that is to be made.
#[derive(Clone, Debug)]
pub struct Search {
    pub system: Arc<System>,
    pub properties: Vec<Sliced>,
    pub budget: Option<Duration>,
    /// In bytes.
    pub max_memory: Option<u64>,
}

/// Starts the search. Once `cancelled` is set it ends soon.
///
/// Always ends with one [`News::Finished`], whatever goes wrong.
pub fn start(
    search: Search,
    cancelled: Arc<AtomicBool>,
    tell: impl Fn(News) + Send + Sync + 'static,
) {
    let tell = Arc::new(tell);
    let teller = Arc::clone(&tell);
    let properties = search.properties.len();
    let thread = thread::Builder::new()
        .name("search".to_owned())
        .stack_size(STACK)
        .spawn(move || run(&search, &cancelled, &*teller));
    if let Err(error) = thread {
        tell(News::Finished {
            answers: vec![Answer::Refused(format!("no thread for a search: {error}")); properties],
            states: 0,
        });
    }
}

fn run(search: &Search, cancelled: &AtomicBool, tell: &(dyn Fn(News) + Sync)) {
    let watch = Watcher {
        cancelled,
        tell,
        system: &search.system,
        properties: &search.properties,
        before: AtomicU64::new(0),
        states: AtomicU64::new(0),
    };
    let options = Options {
        limits: Limits {
            max_states: None,
            max_memory: search.max_memory,
            // A time that no clock reaches is no limit.
            deadline: search
                .budget
                .and_then(|budget| Instant::now().checked_add(budget)),
        },
        ..Options::default()
    };
    let found = catch_unwind(AssertUnwindSafe(|| {
        let properties: Vec<Property> = search
            .properties
            .iter()
            .map(|one| one.property.clone())
            .collect();
        let outcomes = check(&search.system, &properties, &options, &watch)?;
        let stated = search.properties.iter().zip(&outcomes);
        let kept = stated.map(|(property, outcome)| property.kept(&search.system, outcome));
        Ok::<_, CheckError>(
            kept.map(|outcome| Answer::Outcome(Box::new(outcome)))
                .collect(),
        )
    }));
    let all = |answer: Answer| vec![answer; search.properties.len()];
    let answers = match found {
        Ok(Ok(answers)) => answers,
        Ok(Err(error)) => all(Answer::Refused(error.to_string())),
        Err(_) => all(Answer::Outcome(Box::new(Outcome {
            verdict: Verdict::Undecided(Reason::Internal("the search broke off".to_owned())),
            states: watch.explored(),
            edges: 0,
            full: false,
            reduction: Reduction::None,
            seconds: 0.0,
        }))),
    };
    let states = watch.explored();
    tell(News::Finished { answers, states });
}

struct Watcher<'a> {
    cancelled: &'a AtomicBool,
    tell: &'a (dyn Fn(News) + Sync),
    system: &'a System,
    properties: &'a [Sliced],
    /// What the searches generated that are over, of those that the job consists of.
    before: AtomicU64,
    /// What the one that runs has generated.
    states: AtomicU64,
}

impl Watcher<'_> {
    fn explored(&self) -> u64 {
        self.before.load(Ordering::Relaxed) + self.states.load(Ordering::Relaxed)
    }
}

impl Watch for Watcher<'_> {
    fn progress(&self, progress: &Progress) {
        self.states.store(progress.states, Ordering::Relaxed);
        (self.tell)(News::Progress(Progress {
            states: self.explored(),
            ..*progress
        }));
    }

    fn decided(&self, property: usize, outcome: &Outcome) {
        // A verdict that falls after the cancel is still right, but nobody waits for it.
        if !self.is_cancelled() {
            let kept = self.properties[property].kept(self.system, outcome);
            (self.tell)(News::Decided {
                property,
                outcome: Box::new(kept),
            });
        }
    }

    fn searched(&self, states: u64) {
        self.before.fetch_add(states, Ordering::Relaxed);
        self.states.store(0, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
