//! How much is found out of the steps of a system before a state is looked at. Where there would be
//! more, what a step may touch takes the place of what it does: a reduction leaves out less then,
//! and what it keeps stays the same.

/// How much may be found out. Whatever the numbers are, the relations are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How many local states an instance may have before variables are left out.
    pub local_states: usize,
    /// And how many scalars these may have together.
    pub scalars: usize,
    /// How many trials one step in one local state is worth, and all of an instance.
    pub trials_of_a_part: u32,
    pub trials: u32,
    /// And of all instances together, unless that is too few for anything.
    pub trials_in_all: u32,
    pub least_trials: u32,
    /// How many values of choices, messages and actions a step is tried with.
    pub variants: u64,
    /// Most of its own scalars whose values before a step a tree tells: no conjunction is that
    /// long.
    pub own: usize,
    /// An expression with this many combinations of values or fewer is decided by trying them all.
    pub combinations: u64,
    /// More ways through a tree than this, and it counts as a sketch, or as rough.
    pub ways: usize,
    /// More pairs of ways than this, and two trees are compared by what they touch.
    pub pairs: usize,
    /// More views that one may not be independent of are not listed.
    pub neighbours: usize,
    /// With more instances it is not asked what they can still do from each state.
    pub foreseen: usize,
    /// Sizes of the caches of reaches and futures; beyond them all entries are forgotten.
    pub reaches: usize,
    pub futures: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds {
            local_states: 2048,
            scalars: 1 << 22,
            trials_of_a_part: 2048,
            trials: 50_000,
            trials_in_all: 400_000,
            least_trials: 10_000,
            variants: 256,
            own: 256,
            combinations: 2048,
            ways: 64,
            pairs: 1 << 12,
            neighbours: 1 << 12,
            foreseen: 1 << 10,
            reaches: 1 << 18,
            futures: 1 << 12,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use stubborn_system::system::{
        Binary, Effect, Expr, Instance, Location, Place, Range, Step, System, Target, Type, Value,
        Variable, VariableRef,
    };

    use super::*;
    use crate::related::StateCheck;
    use crate::related::conditions::Formula;
    use crate::related::facts::Facts;
    use crate::related::touching::Neighbours;
    use crate::related::work::Work;
    use stubborn_space::packed::Packed;

    const X: VariableRef = VariableRef::Shared(0);
    const Y: VariableRef = VariableRef::Shared(1);
    const Z: VariableRef = VariableRef::Shared(2);

    /// Who takes its only step where the first two variables are equal, who gives each of them any
    /// value, two who give the third one the same value, and who counts to three.
    const EQUAL: usize = 0;
    const ANY_X: usize = 1;
    const ANY_Y: usize = 2;
    const ONE: usize = 3;
    const OTHER: usize = 4;
    const COUNTS: usize = 5;

    fn four() -> Type {
        Type::Scalar { lo: 0, hi: 3 }
    }

    fn assign(variable: VariableRef, value: Expr) -> Effect {
        Effect::Assign {
            place: Place {
                variable,
                path: vec![],
                ty: four(),
            },
            ty: four(),
            value,
        }
    }

    fn is(operator: Binary, one: Expr, other: Expr) -> Expr {
        Expr::Binary(operator, Box::new(one), Box::new(other))
    }

    fn equal() -> Expr {
        is(Binary::Equal, Expr::Variable(X), Expr::Variable(Y))
    }

    fn system() -> System {
        let variable = Variable {
            ty: four(),
            initial: Value::Int(0),
        };
        let int = |value| Expr::Const(Value::Int(value));
        let step = |guard, choices: Vec<Range>, effect, to| Step {
            communication: None,
            guard,
            choices,
            effects: vec![effect],
            target: Target::To(to),
        };
        let any = |variable| {
            let values = vec![Range { lo: 0, hi: 3 }];
            step(None, values, assign(variable, Expr::Choice(0)), 0)
        };
        let instance = |step: Step, locals| {
            let location = |steps| Location {
                steps,
                is_final: true,
            };
            let mut locations = vec![location(vec![0])];
            if step.target == Target::To(1) {
                locations.push(location(vec![]));
            }
            Instance {
                process: 0,
                locals,
                steps: vec![step],
                locations,
                initial: 0,
                alphabet: vec![],
            }
        };
        let counter = Expr::Variable(VariableRef::Local(COUNTS as u32, 0));
        let more = is(Binary::Add, counter.clone(), int(1));
        let count = step(
            Some(is(Binary::Less, counter, int(3))),
            vec![],
            assign(VariableRef::Local(COUNTS as u32, 0), more),
            0,
        );
        let one = || step(None, vec![], assign(Z, int(1)), 0);
        System {
            variables: vec![variable.clone(); 3],
            instances: vec![
                instance(step(Some(equal()), vec![], assign(Z, int(2)), 1), vec![]),
                instance(any(X), vec![]),
                instance(any(Y), vec![]),
                instance(one(), vec![]),
                instance(one(), vec![]),
                instance(count, vec![variable]),
            ],
            ..System::default()
        }
    }

    /// Returns the results of `ask` for bounds one below `most`, at it, and one above.
    fn around<R>(
        most: usize,
        bound: impl Fn(&mut Bounds, usize),
        ask: impl Fn(&Facts) -> R,
    ) -> [R; 3] {
        let system = system();
        let packed = Packed::new(&system).expect("a small state");
        let check = packed.expression(&equal());
        [most - 1, most, most + 1].map(|most| {
            let mut bounds = Bounds::default();
            bound(&mut bounds, most);
            let checks = [(&check.0, StateCheck::Falsehood)];
            let mut look = |_| ControlFlow::Continue(());
            let facts = Facts::new(bounds, &packed, &checks, &[], &mut Work::new(&mut look));
            let (facts, _) = facts.continue_value().flatten().expect("no limit");
            ask(&facts)
        })
    }

    /// The view of the first step of an instance.
    fn view(facts: &Facts, instance: usize) -> u32 {
        facts.locals[instance].states[0].parts[0].view
    }

    fn is_exact(facts: &Facts, instance: usize) -> bool {
        facts.profiles[view(facts, instance) as usize].is_certain()
    }

    #[test]
    fn as_many_local_states_as_allowed_tell_an_instances_variables_apart() {
        let states = |facts: &Facts| facts.locals[COUNTS].states.len();
        let found = around(4, |bounds, most| bounds.local_states = most, states);
        assert_eq!(found, [1, 4, 4]);
        let found = around(4, |bounds, most| bounds.scalars = most, states);
        assert_eq!(found, [1, 4, 4]);
    }

    #[test]
    fn a_step_is_tried_as_often_as_allowed() {
        // As it is, with each value of the one variable, and with each of the other for each of
        // these.
        let tried = |facts: &Facts| is_exact(facts, EQUAL);
        let found = around(
            21,
            |bounds, most| bounds.trials_of_a_part = most as u32,
            tried,
        );
        assert_eq!(found, [false, true, true]);
        let of_instance = |bounds: &mut Bounds, most: usize| {
            (bounds.trials, bounds.least_trials) = (most as u32, 0);
        };
        assert_eq!(around(21, of_instance, tried), [false, true, true]);
        let of_all = |bounds: &mut Bounds, most: usize| {
            (bounds.trials_in_all, bounds.least_trials) = (6 * most as u32, 0);
        };
        assert_eq!(around(21, of_all, tried), [false, true, true]);
    }

    #[test]
    fn a_step_is_tried_with_as_many_values_of_its_choices_as_allowed() {
        let parts = |facts: &Facts| facts.locals[ANY_X].states[0].parts.len();
        let found = around(4, |bounds, most| bounds.variants = most as u64, parts);
        assert_eq!(found, [1, 4, 4]);
        let exact = |facts: &Facts| is_exact(facts, ANY_Y);
        let found = around(4, |bounds, most| bounds.variants = most as u64, exact);
        assert_eq!(found, [false, true, true]);
    }

    #[test]
    fn of_as_many_scalars_as_allowed_it_is_told_what_they_were_before() {
        // Of the step that gives it another value than it has.
        let reads = |facts: &Facts| {
            let parts = &facts.locals[ANY_X].states[0].parts;
            facts.profiles[parts[3].view as usize].reads.len()
        };
        let found = around(1, |bounds, most| bounds.own = most, reads);
        assert_eq!(found, [0, 1, 1]);
    }

    #[test]
    fn an_expression_is_tried_with_as_many_values_as_allowed() {
        let is_opaque = |facts: &Facts| {
            matches!(facts.conditions[0].formula, Formula::Any(ref any)
            if any.iter().any(|part| matches!(part, Formula::Opaque(_))))
        };
        let found = around(
            16,
            |bounds, most| bounds.combinations = most as u64,
            is_opaque,
        );
        assert_eq!(found, [true, false, false]);
    }

    #[test]
    fn a_tree_of_as_many_ways_as_allowed_is_gone_through() {
        // For each value of the one variable the other is equal or not.
        let ways = |facts: &Facts| {
            let profile = &facts.profiles[view(facts, EQUAL) as usize];
            profile.cubes.as_ref().map(Vec::len)
        };
        let found = around(8, |bounds, most| bounds.ways = most, ways);
        assert_eq!(found, [None, Some(8), Some(8)]);
    }

    #[test]
    fn as_many_pairs_of_ways_as_allowed_are_compared() {
        // What the two do is the same.
        let apart = |facts: &Facts| {
            let (one, other) = (view(facts, ONE), view(facts, OTHER));
            facts.interference().disturb(one, None, other)
        };
        let found = around(1, |bounds, most| bounds.pairs = most, apart);
        assert_eq!(found, [true, false, false]);
    }

    #[test]
    fn as_many_neighbours_as_allowed_are_listed() {
        // The two are one view, and who gives their variable another value is the other.
        let listed = |facts: &Facts| match facts.neighbours(view(facts, ONE)) {
            Neighbours::Few(few) => Some(few.len()),
            Neighbours::Many => None,
        };
        let found = around(2, |bounds, most| bounds.neighbours = most, listed);
        assert_eq!(found, [None, Some(2), Some(2)]);
    }

    #[test]
    fn of_as_many_instances_as_allowed_it_is_asked_what_they_can_still_do() {
        let found = around(
            6,
            |bounds, most| bounds.foreseen = most,
            |facts| facts.foresees(),
        );
        assert_eq!(found, [false, true, true]);
    }

    #[test]
    fn many_instances_and_conditions_have_relations_as_few_have() {
        let mut system = system();
        let process = system.instances[ONE].clone();
        system.instances.resize(300, process);
        let packed = Packed::new(&system).expect("a small state");
        let check = packed.expression(&equal());
        let checks = vec![(&check.0, StateCheck::Falsehood); 300];
        let mut look = |_| ControlFlow::Continue(());
        let work = &mut Work::new(&mut look);
        let facts = Facts::new(Bounds::default(), &packed, &checks, &[], work);
        let (facts, _) = facts.continue_value().flatten().expect("no limit");
        // Who gives one of the two variables any value may end each of the conditions.
        let last = facts.locals[ANY_X].states[0].parts[3].view;
        let ended = facts.ended_by(last, None);
        assert_eq!((ended.len(), ended.at_least(299)), (300, Some(299)));
        assert!(facts.ended_by(view(&facts, 299), None).is_empty());
    }
}
