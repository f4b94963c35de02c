//! One more search, beside those of a check: its verdict is not reported, and it may not take much
//! longer than they do. Its questions and its limits are the same on the command line and in the
//! editor.

use std::collections::BTreeSet;

use stubborn_engine::Options;
use stubborn_engine::coverage::{Coverage, Item};
use stubborn_engine::plan::beside;
use stubborn_system::footprint::{Thing, of_effects};
use stubborn_system::property::Property;
use stubborn_system::system::{Binary, Expr, Step, System, Value, VariableIndex, VariableRef};
use stubborn_system::walk::tests;

/// A search that takes every step, for its coverage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EveryStep {
    /// Number of states of the check.
    pub beside: u64,
}

impl EveryStep {
    /// `options` are those of the check.
    pub fn options(self, options: &Options) -> Options {
        beside::every_step(options, self.beside)
    }
}

/// Questions for a search that takes every step: properties that always hold, about the branches of
/// effects and the variables that complete searches have left open. A search that leaves steps out
/// says little of branches and of variables that several instances assign to.
pub fn left_open(system: &System, coverage: &Coverage) -> Option<(EveryStep, Vec<Property>)> {
    let mut beside = 0;
    let mut open: Vec<&Step> = Vec::new();
    for (who, instance) in (0..).zip(&system.instances) {
        // A search that is not complete with steps left out is not without.
        let search = coverage.of_instance(who).filter(|search| search.is_whole)?;
        beside = search.states.max(beside);
        let steps = (0..).zip(&instance.steps).filter(|(number, step)| {
            let mut all = 0..tests(&step.effects) as u32;
            all.any(|test| coverage.get(Item::Branch(who, *number, test)).is_none())
        });
        open.extend(steps.map(|(_, step)| step));
    }
    let is_whole = |number: &VariableIndex| {
        let (search, _) = coverage.values(VariableRef::Shared(*number))?;
        Some(search.is_whole)
    };
    let mut asked = Vec::new();
    if !open.is_empty() {
        // It is about all processes, and about the variables that these steps assign to: if a
        // property alone reads one, the branches are in no search of all processes without it.
        // Variables that are never read stay left out.
        let mut assigned = BTreeSet::new();
        for step in open {
            of_effects(&step.effects, &mut |touch| match touch.thing {
                Thing::Variable(VariableRef::Shared(variable)) if touch.writes => {
                    assigned.insert(variable);
                }
                _ => {}
            });
        }
        assigned.retain(|variable| is_whole(variable).is_some());
        let assigned: Vec<VariableIndex> = assigned.into_iter().collect();
        asked.push(Property::Deadlock {
            allowed: Some(true_of(&assigned)),
        });
    }
    // Of a variable that is never read no search says anything.
    let variables = 0..system.variables.len() as VariableIndex;
    let open = variables.filter(|variable| is_whole(variable) == Some(false));
    let open: Vec<VariableIndex> = open.collect();
    if !open.is_empty() {
        // A variable that only a property reads is in no search of all processes.
        asked.push(Property::Invariant(true_of(&open)));
    }
    (!asked.is_empty()).then_some((EveryStep { beside }, asked))
}

/// Expression that is always true and mentions these variables. No text has it, since constants are
/// folded there: a property made of it differs from those of a text.
fn true_of(variables: &[VariableIndex]) -> Expr {
    let variables = variables.iter().map(|number| {
        let variable = Expr::Variable(VariableRef::Shared(*number));
        Expr::Binary(
            Binary::Equal,
            Box::new(variable.clone()),
            Box::new(variable),
        )
    });
    let mut all = vec![Expr::Const(Value::Int(1)), Expr::Const(Value::Int(1))];
    all.extend(variables);
    Expr::Any(all)
}
