//! Whether anything that a search meets shows a violation, where only that is asked.

use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::{AtEnd, Terminal, Verdicts, in_state};
use crate::packed::Scratch;
use crate::properties::{Conclusion, InState};
use crate::search::Stop;
use crate::search::layers::Look;
use crate::successors::{Label, Successors};

/// Breaks at the first violation of a property that is still open: a search with numbers finds it again,
/// and a run to it.
pub struct InPassing<'v, 'a> {
    verdicts: &'v Verdicts<'a>,
    scratch: Scratch,
}

impl<'a> Verdicts<'a> {
    /// Whether every open property holds where nothing that a search meets shows otherwise.
    pub fn are_decided_in_passing(&self) -> bool {
        let mut open = self.undecided();
        open.all(|property| self.kinds[property].conclusion() == Conclusion::Holds)
    }

    pub fn in_passing(&self) -> InPassing<'_, 'a> {
        InPassing {
            verdicts: self,
            scratch: self.packed.scratch(),
        }
    }
}

fn stops_if(is_violation: bool) -> ControlFlow<Stop> {
    match is_violation {
        true => ControlFlow::Break(Stop::Decided),
        false => ControlFlow::Continue(()),
    }
}

impl Look for InPassing<'_, '_> {
    fn found(&mut self, state: u64) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let mut of_states = all.of_states.iter();
        let is_violation = of_states.any(|&property| {
            let (kind, expression) = (&*all.kinds[property], all.expressions[property].as_ref());
            let shown = in_state(all.packed, kind, expression, &[state], &mut self.scratch);
            matches!(shown, Some(InState::Violation(_)))
        });
        stops_if(is_violation)
    }

    fn failing(&mut self, _: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let shows = |property: usize| all.kinds[property].at_failing_step(failure).is_some();
        stops_if(all.undecided().any(shows))
    }

    fn terminal(&mut self, state: u64) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let is_violation = all.undecided().any(|property| {
            let mut end = Terminal {
                packed: all.packed,
                expression: all.expressions[property].as_ref(),
                scratch: &mut self.scratch,
                state: &[state],
                is_goal: false,
            };
            all.kinds[property].at_end(&mut end) != AtEnd::Nothing
        });
        stops_if(is_violation)
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;
    use std::sync::atomic::{AtomicU32, Ordering};

    use proptest::prelude::*;
    use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
    use stubborn_random::systems::Source;
    use stubborn_system::property::Property;

    use crate::check;
    use crate::options::{Limits, Options, Reduction};
    use crate::verdict::{Reason, Verdict};
    use crate::watch::Silent;

    #[test]
    fn verdicts_do_not_depend_on_the_number_of_threads_wherever_a_limit_on_states_comes() {
        let config = ProptestConfig {
            cases: 100,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let seed = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let numbers = proptest::collection::vec(any::<u16>(), 50..400);
        let met = [const { AtomicU32::new(0) }; 3];
        let result = TestRunner::new_with_rng(config, seed).run(&numbers, |numbers| {
            let mut source = Source::new(&numbers);
            let system = source.system();
            let mut properties = source.properties(&system);
            properties.retain(|property| matches!(property, Property::Invariant(_)));
            properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
            for most in [2, 5, 12, 30, 100, 3_000] {
                let found = [1, 2, 3].map(|threads| {
                    let options = Options {
                        reduction: Reduction::None,
                        threads: NonZeroUsize::new(threads),
                        limits: Limits {
                            max_states: Some(most),
                            ..Limits::default()
                        },
                        ..Options::default()
                    };
                    let found = check(&system, &properties, &options, &Silent);
                    let told = found.expect("small states").into_iter().map(|outcome| {
                        let holds = outcome.verdict == Verdict::Holds;
                        let counts = (outcome.states, outcome.edges, outcome.full);
                        (outcome.verdict, holds.then_some(counts))
                    });
                    told.collect::<Vec<_>>()
                });
                for (verdict, _) in &found[0] {
                    let what = match verdict {
                        Verdict::Holds => 0,
                        Verdict::Violated { .. } => 1,
                        Verdict::Undecided(Reason::States(_)) => 2,
                        Verdict::Undecided(_) => continue,
                    };
                    met[what].fetch_add(1, Ordering::Relaxed);
                }
                prop_assert_eq!(&found[1], &found[0]);
                prop_assert_eq!(&found[2], &found[0]);
            }
            Ok(())
        });
        result.expect("it is so");
        let met = met.map(AtomicU32::into_inner);
        assert!(met.iter().all(|met| *met > 50), "{met:?}");
    }
}
