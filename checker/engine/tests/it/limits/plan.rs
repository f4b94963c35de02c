//! Counts of a plan whose attempts are abandoned or stopped.

use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use stubborn_engine::plan::attempt::{Ended, Finished, Strategy};
use stubborn_engine::{Caller, Clock, Event, Observer, Options, Reason, Symmetry, Verdict, check};
use stubborn_system::property::Property;

use super::shares::counting;

/// A clock that shows another tenth of a second whenever it is read, so that all progress is reported.
struct Recording {
    began: Instant,
    reads: AtomicU32,
    states: Mutex<Vec<u64>>,
    finished: Mutex<Vec<Finished>>,
    cancels_after_the_first: bool,
    is_cancelled: AtomicBool,
}

impl Recording {
    fn caller(&self) -> Caller<'_> {
        Caller::timed_by(self).observed_by(self)
    }

    fn new(cancels_after_the_first: bool) -> Recording {
        Recording {
            began: Instant::now(),
            reads: AtomicU32::new(0),
            states: Mutex::default(),
            finished: Mutex::default(),
            cancels_after_the_first,
            is_cancelled: AtomicBool::new(false),
        }
    }
}

impl Observer for Recording {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Progress(progress) => {
                let mut states = self.states.lock().expect("nobody has panicked");
                states.push(progress.states);
            }
            Event::Attempted(_, finished) => {
                let mut all = self.finished.lock().expect("nobody has panicked");
                all.push(finished.clone());
                let is_cancelled = self.cancels_after_the_first;
                self.is_cancelled.store(is_cancelled, Ordering::Relaxed);
            }
            _ => {}
        }
    }
}

impl Clock for Recording {
    fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    fn now(&self) -> Instant {
        let reads = self.reads.fetch_add(1, Ordering::Relaxed);
        self.began + Duration::from_millis(100) * reads
    }
}

/// A small plain search of a thousand states comes first.
fn options() -> Options {
    Options {
        plain_first: NonZeroU32::new(1_000),
        symmetry: Symmetry::Off,
        keep_steps: true,
        ..Options::default()
    }
}

const ASKED: [Property; 1] = [Property::Deadlock { allowed: None }];

#[test]
fn no_count_decreases_when_an_attempt_is_abandoned() {
    let (system, _) = counting(&[60, 60]);
    let recording = Recording::new(false);
    check(&system, &ASKED, &options(), recording.caller()).expect("its states are small");
    let finished = recording
        .finished
        .into_inner()
        .expect("nobody has panicked");
    assert_eq!(finished[0].attempt.strategy, Strategy::SmallPlain);
    assert_eq!(
        (&finished[0].ended, finished[0].states),
        (&Ended::NotSmall, 1_000)
    );
    assert!(finished.len() > 1 && finished[1].states < 1_000);
    let states = recording.states.into_inner().expect("nobody has panicked");
    assert!(states.is_sorted(), "{states:?}");
    assert!(states.last().is_some_and(|last| *last > 0), "{states:?}");
}

#[test]
fn a_plan_that_is_stopped_reports_the_search_that_came_furthest() {
    let (system, _) = counting(&[60, 60]);
    let recording = Recording::new(true);
    let found =
        check(&system, &ASKED, &options(), recording.caller()).expect("its states are small");
    assert_eq!(found[0].verdict, Verdict::Undecided(Reason::Cancelled));
    assert_eq!(found[0].states, 1_000);
    let finished = recording
        .finished
        .into_inner()
        .expect("nobody has panicked");
    assert_eq!(finished.len(), 2);
    assert_eq!(finished[1].ended, Ended::Limit(Reason::Cancelled));
}
