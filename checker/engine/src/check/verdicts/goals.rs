//! Questions that properties ask of all states together.

use super::Verdicts;
use super::evaluate::Evaluator;
use crate::packed::Scratch;
use crate::properties::Goals;
use crate::recurring::Step;
use crate::search::Question;
use crate::search::whole::reaching::Goal;
use crate::successors::{Label, Successors as _};

impl<'a> Verdicts<'a> {
    /// Returns the goal of a property for one thread.
    pub fn goal(&self, property: usize, goals: Goals) -> GoalOf<'_, 'a> {
        GoalOf {
            evaluator: self.evaluator(property),
            goals,
            scratch: self.packed.scratch(),
        }
    }
}

/// The states that a property requires to be reachable.
pub struct GoalOf<'v, 'a> {
    evaluator: &'v Evaluator<'a>,
    goals: Goals,
    scratch: Scratch,
}

impl Goal for GoalOf<'_, '_> {
    fn is(&mut self, state: &[u64]) -> bool {
        self.goals == Goals::Expression && self.evaluator.is_goal(state, &mut self.scratch)
    }

    fn is_each_end(&self) -> bool {
        self.goals == Goals::Terminal
    }
}

/// Question whether an infinite run avoids the goal states.
impl Question for GoalOf<'_, '_> {
    const ALL_ARE_WANTED: bool = true;

    fn stays(&mut self, state: &[u64]) -> bool {
        !self.is(state)
    }

    fn step(&mut self, _: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        Step::Wanted
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use proptest::prelude::*;
    use stubborn_random::{mixture, read};
    use stubborn_system::property::Property;
    use stubborn_system::system::{Expr, Instance, Location, Step, System, Target, Unary};

    use crate::caller::Caller;
    use crate::check;
    use crate::check::told::{drawn, told};
    use crate::options::{Options, Reduction};
    use crate::verdict::{Reason, Verdict};

    #[test]
    fn verdicts_on_random_systems_do_not_depend_on_the_number_of_threads() {
        let met = [const { AtomicU32::new(0) }; 3];
        drawn(100, |system, mut properties| {
            properties.retain(|property| matches!(property, Property::Invariant(_)));
            properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
            for most in [2, 5, 12, 30, 100, 3_000] {
                let one = told(system, &properties, 1, most);
                for (verdict, _) in &one {
                    let what = match verdict {
                        Verdict::Holds => 0,
                        Verdict::Violated { .. } => 1,
                        Verdict::Undecided(Reason::States(_)) => 2,
                        Verdict::Undecided(_) => continue,
                    };
                    met[what].fetch_add(1, Ordering::Relaxed);
                }
                for threads in [2, 3] {
                    prop_assert_eq!(&told(system, &properties, threads, most), &one);
                }
            }
            Ok(())
        });
        let met = met.map(AtomicU32::into_inner);
        assert!(met.iter().all(|met| *met > 50), "{met:?}");
    }

    #[test]
    fn verdicts_and_counts_are_those_of_a_search_with_numbers() {
        let mut met = [0; 2];
        for seed in 0..300 {
            let model = mixture::thirds(seed);
            let Some(drawn) = read::model(&model) else {
                continue;
            };
            let properties = drawn.properties.into_iter().map(|named| named.property);
            let mut properties: Vec<Property> = properties
                .filter(|property| matches!(property, Property::Invariant(_)))
                .collect();
            properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
            for property in properties {
                let told = [false, true].map(|tells_seen| {
                    let options = Options {
                        reduction: Reduction::None,
                        tells_seen,
                        ..Options::default()
                    };
                    let asked = std::slice::from_ref(&property);
                    let found = check(&drawn.system, asked, &options, Caller::default());
                    let outcome = found.expect("its states are small").remove(0);
                    (outcome.verdict, outcome.states, outcome.edges)
                });
                assert_eq!(told[0], told[1], "{seed}");
                met[usize::from(told[0].0.is_violated())] += 1;
            }
        }
        assert!(met.iter().all(|met| *met > 50), "{met:?}");
    }

    /// Each of so many goes one step, in any order.
    fn goers(many: u32) -> System {
        let step = Step {
            communication: None,
            guard: None,
            choices: Vec::new(),
            effects: Vec::new(),
            target: Target::To(1),
        };
        let location = |steps: &[u32]| Location {
            steps: steps.to_vec(),
            is_final: true,
        };
        let instance = Instance {
            process: 0,
            locals: Vec::new(),
            steps: vec![step],
            locations: vec![location(&[0]), location(&[])],
            initial: 0,
            alphabet: Vec::new(),
        };
        System {
            instances: vec![instance; many as usize],
            ..System::default()
        }
    }

    #[test]
    fn whether_a_violation_comes_before_a_limit_does_not_depend_on_the_number_of_threads() {
        let system = goers(12);
        // Layer 6 has 924 states, after 1,586 others, and these are in its first half and in its
        // second.
        let (mut violated, mut undecided) = (0, 0);
        for gone in [
            0b0000_0011_1111,
            0b0101_0101_0101,
            0b1010_1010_1010,
            0b1111_1100_0000,
        ] {
            let at = (0..12).map(|i| Expr::At(i, vec![gone >> i & 1]));
            let property = [Property::Invariant(Expr::Unary(
                Unary::Not,
                Box::new(Expr::All(at.collect())),
            ))];
            for most in (1_600..2_510).step_by(130) {
                let one = told(&system, &property, 1, most);
                match one[0].0.is_violated() {
                    true => violated += 1,
                    false => undecided += 1,
                }
                for threads in [2, 3] {
                    assert_eq!(
                        told(&system, &property, threads, most),
                        one,
                        "{gone:b} {most}"
                    );
                }
            }
        }
        assert!(violated > 5 && undecided > 5, "{violated} {undecided}");
    }
}
