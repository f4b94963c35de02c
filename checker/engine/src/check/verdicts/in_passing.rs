//! Properties decided by single states and steps, in searches without numbers.

use std::ops::ControlFlow;

use stubborn_system::property::Property;
use stubborn_system::system::Failure;

use super::{AtEnd, Terminal, Verdicts, in_state};
use crate::packed::{Expression, Scratch};
use crate::properties::{Conclusion, Goals, InState, LooksAt};
use crate::recurring::Step;
use crate::search::layers::Look;
use crate::search::whole::reaching::Goal;
use crate::search::{Question, Stop};
use crate::successors::{Label, Successors};

/// Observer that stops the search at the first violation of a property that is still open: a search
/// with numbers finds it again, with a run to it.
pub struct InPassing<'v, 'a> {
    verdicts: &'v Verdicts<'a>,
    /// For each look at a state a property and a part of its expression. The property holds where
    /// all of its parts do, and each part depends on fewer variables.
    looks: Vec<(usize, Expression)>,
    scratch: Scratch,
}

/// Greatest number of parts of an expression; one with more is not divided.
const MOST_PARTS: usize = 64;

impl<'a> Verdicts<'a> {
    /// Whether the property holds unless a single state or step violates it.
    pub fn is_decided_in_passing(&self, property: usize) -> bool {
        self.kinds[property].conclusion() == Conclusion::Holds
    }

    /// Returns the goal of a property for one thread.
    pub fn goal(&self, property: usize, goals: Goals) -> GoalOf<'_, 'a> {
        GoalOf {
            verdicts: self,
            property,
            goals,
            scratch: self.packed.scratch(),
        }
    }

    pub fn in_passing(&self) -> InPassing<'_, 'a> {
        let looks = self.of_states.iter().flat_map(|&property| {
            let parts = self.parts(property);
            parts.into_iter().map(move |part| (property, part))
        });
        InPassing {
            verdicts: self,
            looks: looks.collect(),
            scratch: self.packed.scratch(),
        }
    }
}

impl Verdicts<'_> {
    /// Returns the parts of the expression of a property of states: all hold where the whole does,
    /// and one that does not shows the same violation.
    pub(super) fn parts(&self, property: usize) -> Vec<Expression> {
        let asked = match (&self.expressions[property], self.kinds[property].looks_at()) {
            (Some(asked), LooksAt::States(..)) => asked,
            _ => return Vec::new(),
        };
        let parts = self.packed.conjuncts(asked);
        // A state to be reached is not known by one part, which may be true before the others.
        let is_sought = matches!(self.properties[property], Property::Reachable(_));
        match is_sought || parts.len() > MOST_PARTS {
            true => vec![asked.clone()],
            false => parts,
        }
    }

    /// Whether a state satisfies the expression that a property wants to be reached.
    fn is_goal(&self, property: usize, state: &[u64], scratch: &mut Scratch) -> bool {
        let (kind, expression) = (&*self.kinds[property], self.expressions[property].as_ref());
        let shown = in_state(self.packed, kind, expression, state, scratch);
        shown == Some(InState::Goal)
    }
}

/// The states that a property wants to be reached.
pub struct GoalOf<'v, 'a> {
    verdicts: &'v Verdicts<'a>,
    property: usize,
    goals: Goals,
    scratch: Scratch,
}

impl Goal for GoalOf<'_, '_> {
    fn is(&mut self, state: &[u64]) -> bool {
        let all = self.verdicts;
        self.goals == Goals::Expression && all.is_goal(self.property, state, &mut self.scratch)
    }

    fn is_each_end(&self) -> bool {
        self.goals == Goals::Terminal
    }
}

/// The question whether a run avoids these states for ever.
impl Question for GoalOf<'_, '_> {
    const ALL_ARE_WANTED: bool = true;

    fn stays(&mut self, state: &[u64]) -> bool {
        !self.is(state)
    }

    fn step(&mut self, _: &[u64], _: Label<'_>, _: &[u64]) -> Step {
        Step::Wanted
    }
}

fn stops_if(is_violation: bool) -> ControlFlow<Stop> {
    match is_violation {
        true => ControlFlow::Break(Stop::Decided),
        false => ControlFlow::Continue(()),
    }
}

impl Look for InPassing<'_, '_> {
    fn looks(&self) -> usize {
        self.looks.len()
    }

    fn footprint(&self, look: usize, into: &mut [u64]) -> bool {
        let (_, part) = &self.looks[look];
        self.verdicts.packed.footprint_of(part, into);
        true
    }

    /// If a part has no value or does not hold, the same may be true of the whole, which the search
    /// with numbers decides.
    fn found(&mut self, look: usize, state: &[u64]) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let (property, part) = &self.looks[look];
        let kind = &*all.kinds[*property];
        let shown = in_state(all.packed, kind, Some(part), state, &mut self.scratch);
        stops_if(matches!(shown, Some(InState::Violation(_))))
    }

    fn failing(&mut self, _: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let shows = |property: usize| all.kinds[property].at_failing_step(failure).is_some();
        stops_if(all.undecided().any(shows))
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        let all = self.verdicts;
        let is_violation = all.undecided().any(|property| {
            let is_goal = all.is_goal(property, state, &mut self.scratch);
            let mut end = Terminal {
                packed: all.packed,
                expression: all.expressions[property].as_ref(),
                scratch: &mut self.scratch,
                state,
                is_goal,
            };
            all.kinds[property].at_end(&mut end) != AtEnd::Nothing
        });
        stops_if(is_violation)
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
