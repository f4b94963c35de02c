//! Random testers (Valmari 1993, Def. 3.1) beside random systems.

use std::fmt;

use stubborn_system::system::{
    Action, ActionId, ActionPattern, Argument, Communication, Expr, Instance, InstanceId, Location,
    Step, StepId, System, Target, Value,
};

use crate::random::Random;
use crate::watch::marks::Marks;

/// A system with a tester as its last instance.
pub struct Tested {
    pub system: System,
    pub monitor: InstanceId,
    /// By the tester's location.
    pub marks: Vec<Marks>,
}

/// Some of the system's steps become actions, and a tester sees some of the actions.
pub fn tested(system: &System, seed: u64) -> Tested {
    let mut r = Random::new(seed ^ 0x7e57_e125);
    let mut system = system.clone();
    name_steps(&mut system, &mut r);
    let monitor = system.instances.len() as InstanceId;
    let mut visible: Vec<ActionPattern> = Vec::new();
    for (action, known) in system.actions.iter().enumerate() {
        let patterns = system.instances.iter().flat_map(|i| &i.alphabet);
        let occurs = patterns.filter(|p| p.action == action as ActionId).count() > 0;
        if occurs && !r.one_in(4) {
            let arguments = known.arguments.iter();
            visible.push(ActionPattern {
                action: action as ActionId,
                arguments: arguments
                    .map(|range| r.one_in(2).then(|| r.between(range.lo, range.hi)))
                    .collect(),
            });
        }
    }
    let states = 1 + r.below(4);
    let density = [4, 8, 12][r.below(3)];
    let marks: Vec<Marks> = (0..states)
        .map(|state| Marks {
            reject: state > 0 && r.one_in(density),
            deadlock: r.one_in(density),
            livelock: r.one_in(3),
            infinite: r.one_in(3),
        })
        .collect();
    let mut tester = Instance {
        process: 1 + system
            .instances
            .iter()
            .map(|i| i.process)
            .max()
            .unwrap_or(0),
        locals: vec![],
        steps: vec![],
        locations: vec![],
        initial: 0,
        alphabet: visible.clone(),
    };
    for (state, mark) in marks.iter().enumerate() {
        let mut steps = Vec::new();
        let mut step = |communication, target: usize| {
            tester.steps.push(Step {
                communication,
                guard: None,
                choices: vec![],
                effects: vec![],
                target: Target::To(target as u32),
            });
            steps.push(tester.steps.len() as StepId - 1);
        };
        for pattern in &visible {
            for _ in 0..[0, 1, 1, 1, 2][r.below(5)] {
                let ranges = &system.actions[pattern.action as usize].arguments;
                let arguments = pattern.arguments.iter().zip(ranges);
                let arguments = arguments.map(|(argument, range)| match argument {
                    Some(value) => Argument::Match(Expr::Const(Value::Int(*value))),
                    None if r.one_in(2) => {
                        let value = r.between(range.lo, range.hi);
                        Argument::Match(Expr::Const(Value::Int(value)))
                    }
                    None => Argument::Skip,
                });
                let arguments = arguments.collect();
                let action = pattern.action;
                let on = Communication::On { action, arguments };
                step(Some(on), r.below(states));
            }
        }
        // No cycle of tau, and none from a deadlock state.
        if state + 1 < states && !mark.deadlock && r.one_in(5) {
            step(None, state + 1 + r.below(states - state - 1));
        }
        tester.locations.push(Location {
            steps,
            is_final: true,
        });
    }
    system.instances.push(tester);
    Tested {
        system,
        monitor,
        marks,
    }
}

/// Makes some steps without communication actions that nobody else takes part in.
fn name_steps(system: &mut System, r: &mut Random) {
    for _ in 0..1 + r.below(3) {
        let who = r.below(system.instances.len());
        let action = system.actions.len() as ActionId;
        let instance = &mut system.instances[who];
        let mut is_used = false;
        let mut left = 1 + r.below(2);
        let count = instance.steps.len();
        for at in 0..count * 2 {
            let step = &mut instance.steps[at % count];
            let is_free = step.communication.is_none() && matches!(step.target, Target::To(_));
            if left > 0 && is_free && r.one_in(count) {
                let arguments = vec![];
                step.communication = Some(Communication::On { action, arguments });
                (left, is_used) = (left - 1, true);
            }
        }
        if is_used {
            let arguments = vec![];
            instance.alphabet.push(ActionPattern { action, arguments });
            let arguments = vec![];
            system.actions.push(Action { arguments });
        }
    }
}

impl fmt::Debug for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instances = self.system.instances.iter();
        let named = instances.map(|instance| &instance.alphabet);
        let tester = &self.system.instances[self.monitor as usize];
        writeln!(f, "alphabets {:?}", named.collect::<Vec<_>>())?;
        write!(f, "tester {tester:?}\nmarks {:?}", self.marks)
    }
}
