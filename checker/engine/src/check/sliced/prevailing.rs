//! What was told to be violated is so, whatever becomes of the search for a shorter run.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::observer::{Event, Observer};
use crate::verdict::{Outcome, Verdict};

/// Passes everything on, and remembers violations.
pub struct Prevailing<'w> {
    observer: &'w dyn Observer,
    /// Of each property the last one.
    violated: Mutex<HashMap<usize, Outcome>>,
}

impl<'w> Prevailing<'w> {
    pub fn new(observer: &'w dyn Observer) -> Prevailing<'w> {
        Prevailing {
            observer,
            violated: Mutex::default(),
        }
    }

    /// The violation of a property that was told.
    pub fn verdict(&self, property: usize) -> Option<Verdict> {
        let violated = self.violated();
        Some(violated.get(&property)?.verdict.clone())
    }

    /// In the place of outcomes that leave open what was told to be violated, that.
    pub fn prevails(&self, outcomes: &mut [Option<Outcome>]) {
        let mut violated = self.violated();
        for (property, outcome) in outcomes.iter_mut().enumerate() {
            let is_open = |one: &Outcome| matches!(one.verdict, Verdict::Undecided(_));
            if outcome.as_ref().is_some_and(is_open)
                && let Some(told) = violated.remove(&property)
            {
                *outcome = Some(told);
            }
        }
    }

    fn violated(&self) -> MutexGuard<'_, HashMap<usize, Outcome>> {
        let violated = self.violated.lock();
        violated.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Prevailing<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Decided(property, outcome) = event
            && outcome.verdict.is_violated()
        {
            self.violated().insert(property, outcome.clone());
        }
        self.observer.event(event);
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
    use std::time::{Duration, Instant};

    use proptest::prelude::*;
    use stubborn_model::elaborate::Settings;
    use stubborn_random::read;

    use crate::budget::Clock;
    use crate::caller::Caller;
    use crate::check;
    use crate::check::told::drawn;
    use crate::interpreter::replay;
    use crate::options::{Limits, Options, Reduction, Symmetry};

    use super::*;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(usize, Outcome)>>);

    impl Observer for Heard {
        fn event(&self, event: Event<'_>) {
            if let Event::Decided(property, outcome) = event {
                let mut heard = self.0.lock().expect("nobody panics");
                heard.push((property, outcome.clone()));
            }
        }
    }

    /// Also where a limit ends the search for a shorter run, which some find.
    #[test]
    fn what_is_told_to_be_violated_is_so_in_the_end_by_a_run_that_is_no_longer() {
        let [violated, shorter] = [const { AtomicU32::new(0) }; 2];
        drawn(300, |system, properties| {
            for (reduction, most) in [
                (Reduction::None, 3_000),
                (Reduction::Stubborn, 3_000),
                (Reduction::Stubborn, 12),
            ] {
                let options = Options {
                    reduction,
                    limits: Limits {
                        max_states: Some(most),
                        ..Limits::default()
                    },
                    ..Options::default()
                };
                let heard = Heard::default();
                let found = check(system, &properties, &options, Caller::observing(&heard));
                let found = found.expect("its states are small");
                for (property, told) in heard.0.into_inner().expect("nobody panics") {
                    let Verdict::Violated { trace, .. } = &told.verdict else {
                        continue;
                    };
                    violated.fetch_add(1, Ordering::Relaxed);
                    prop_assert_eq!(replay(system, trace), Ok(()));
                    let last = &found[property].verdict;
                    prop_assert!(last.is_violated(), "{:?}", properties[property]);
                    prop_assert!(last.steps() <= trace.len());
                    shorter.fetch_add(u32::from(last.steps() < trace.len()), Ordering::Relaxed);
                }
            }
            Ok(())
        });
        let met = [violated, shorter].map(AtomicU32::into_inner);
        assert!(met[0] > 500 && met[1] > 5, "{met:?}");
    }
    /// Whose time is over as soon as the first search is.
    #[derive(Default)]
    struct Impatient {
        heard: Heard,
        is_late: AtomicBool,
    }

    const LONG: Duration = Duration::from_secs(3600);

    impl Observer for Impatient {
        fn event(&self, event: Event<'_>) {
            self.heard.event(event);
            if let Event::Searched(..) = event {
                self.is_late.store(true, Ordering::Relaxed);
            }
        }
    }

    impl Clock for Impatient {
        fn now(&self) -> Instant {
            match self.is_late.load(Ordering::Relaxed) {
                true => Instant::now() + LONG,
                false => Instant::now(),
            }
        }
    }

    /// The first stage tells that four who may stop never come to their goal any more, and has too few states to know
    /// where that was so first; for the next there is no time.
    #[test]
    fn what_a_stage_has_told_is_so_though_the_next_comes_to_nothing() {
        let text = "\
type Id = 0..3
var n: array[Id] of 0..5
process p(i in Id) { loop { either { stop } or { n[i] = (n[i] + 1) % 6 } } }
progress goes: may n[0] == 5
";
        let drawn = read::text(text.to_owned(), &Settings::default()).expect("it is right");
        let named = drawn.properties.into_iter().find(|one| one.name == "goes");
        let goes = [named.expect("it is there").property];
        let options = Options {
            reduction: Reduction::None,
            symmetry: Symmetry::Always,
            first_states: NonZeroU32::new(600),
            limits: Limits {
                deadline: Some(Instant::now() + LONG / 2),
                ..Limits::default()
            },
            ..Options::default()
        };
        let late = Impatient::default();
        let caller = Caller::timed_by(&late).observed_by(&late);
        let found = check(&drawn.system, &goes, &options, caller).expect("its states are small");
        let told = late.heard.0.into_inner().expect("nobody panics");
        assert!(told.iter().any(|(_, told)| told.verdict.is_violated()));
        assert!(found[0].verdict.is_violated(), "{:?}", found[0].verdict);
    }
}
