//! One search on a thread of its own.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_engine::{
    Limits, Options, Outcome, Progress, Reason, Reduction, Verdict, Watch, check,
};
use stubborn_model::claim::Claim;
use stubborn_model::system::System;

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
    /// The claim with this index has its verdict.
    Decided {
        claim: usize,
        outcome: Outcome,
    },
    /// The search is over: an answer for each claim, and how many states it explored.
    Finished {
        answers: Vec<Answer>,
        states: u64,
    },
}

/// A search that is to be made.
#[derive(Clone, Debug)]
pub struct Search {
    pub system: Arc<System>,
    pub claims: Vec<Claim>,
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
    let claims = search.claims.len();
    let thread = thread::Builder::new()
        .name("search".to_owned())
        .stack_size(STACK)
        .spawn(move || run(&search, &cancelled, &*teller));
    if let Err(error) = thread {
        tell(News::Finished {
            answers: vec![Answer::Refused(format!("no thread for a search: {error}")); claims],
            states: 0,
        });
    }
}

fn run(search: &Search, cancelled: &AtomicBool, tell: &(dyn Fn(News) + Sync)) {
    let watch = Watcher {
        cancelled,
        tell,
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
        check(&search.system, &search.claims, &options, &watch)
    }));
    let all = |answer: Answer| vec![answer; search.claims.len()];
    let answers = match found {
        Ok(Ok(outcomes)) => outcomes.into_iter().map(Answer::Outcome).collect(),
        Ok(Err(error)) => all(Answer::Refused(error.to_string())),
        Err(_) => all(Answer::Outcome(Outcome {
            verdict: Verdict::Undecided(Reason::Internal("the search broke off".to_owned())),
            states: watch.states.load(Ordering::Relaxed),
            edges: 0,
            full: false,
            reduction: Reduction::None,
            seconds: 0.0,
        })),
    };
    let states = answers
        .iter()
        .map(|answer| match answer {
            Answer::Outcome(outcome) => outcome.states,
            Answer::Refused(_) => 0,
        })
        .max()
        .unwrap_or(0)
        .max(watch.states.load(Ordering::Relaxed));
    tell(News::Finished { answers, states });
}

struct Watcher<'a> {
    cancelled: &'a AtomicBool,
    tell: &'a (dyn Fn(News) + Sync),
    states: AtomicU64,
}

impl Watch for Watcher<'_> {
    fn progress(&self, progress: &Progress) {
        self.states.fetch_max(progress.states, Ordering::Relaxed);
        (self.tell)(News::Progress(*progress));
    }

    fn decided(&self, claim: usize, outcome: &Outcome) {
        // A verdict that falls after the cancel is still right, but nobody waits for it.
        if !self.is_cancelled() {
            (self.tell)(News::Decided {
                claim,
                outcome: outcome.clone(),
            });
        }
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }
}
