//! One more search, beside those of a check: of which nobody is told the verdict, and which is not to take much longer than
//! they do. What it asks, and how much it may search, is the same on the command line and in the editor.

use std::collections::BTreeSet;

use stubborn_engine::{Options, Reduction};
use stubborn_system::footprint::{Thing, of_effects};
use stubborn_system::property::Property;
use stubborn_system::system::{
    Binary, Expr, Step, StepId, System, Value, VariableIndex, VariableRef,
};
use stubborn_system::walk::tests;

use crate::Sighted;

/// What takes this many times as many states as the check is not worth its time;
const MORE_STATES: u64 = 4;
/// and these are always searched.
pub const LEAST_STATES: u64 = 100_000;

/// What is allowed beside a check of so many states.
pub fn allowed(options: &Options, states: u64) -> Options {
    let most = states.saturating_mul(MORE_STATES).max(LEAST_STATES);
    let mut options = *options;
    let limit = options.limits.max_states;
    options.limits.max_states = Some(limit.map_or(most, |limit| limit.min(most)));
    options
}

/// A search that takes every step, for what it sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EveryStep {
    /// How many states the check had.
    pub beside: u64,
}

impl EveryStep {
    /// `options` are those of the check.
    pub fn options(self, options: &Options) -> Options {
        Options {
            reduction: Reduction::None,
            tells_seen: true,
            ..allowed(options, self.beside)
        }
    }
}

/// Of branches of effects, and of the values of what several assign to, a search that leaves steps out tells little. Where
/// searches that have come to their end have left these open, what is asked in one that takes every step: properties that
/// always hold, about all that is open.
pub fn left_open(system: &System, sighted: &Sighted) -> Option<(EveryStep, Vec<Property>)> {
    let instances = sighted.instances.iter();
    let all: Option<Vec<_>> = instances
        .map(|seen| seen.as_ref().filter(|seen| seen.is_whole))
        .collect();
    // What has not come to its end with steps left out does not without.
    let all = all?;
    let mut asked = Vec::new();
    let of_instances = system.instances.iter().zip(&all);
    let steps = of_instances.flat_map(|(instance, seen)| {
        let steps = instance.steps.iter().zip(0..);
        steps.map(|(step, number): (_, StepId)| (step, number, &seen.branches))
    });
    let open = steps.filter(|(step, number, known)| {
        let mut all = 0..tests(&step.effects) as u32;
        all.any(|test| !known.contains_key(&(*number, test)))
    });
    let open: Vec<&Step> = open.map(|(step, ..)| step).collect();
    if !open.is_empty() {
        // It is about all processes, and about what these steps assign to: if a property alone reads it, the branches are
        // in no search of all processes without that. What nobody reads stays left out.
        let mut assigned = BTreeSet::new();
        for step in open {
            of_effects(&step.effects, &mut |touch| match touch.thing {
                Thing::Variable(VariableRef::Shared(variable)) if touch.writes => {
                    assigned.insert(variable);
                }
                _ => {}
            });
        }
        assigned.retain(|variable| sighted.variables[*variable as usize].is_some());
        let assigned: Vec<VariableIndex> = assigned.into_iter().collect();
        asked.push(Property::Deadlock {
            allowed: Some(true_of(&assigned)),
        });
    }
    // Of one that nobody reads no search tells anything.
    let variables = sighted.variables.iter().zip(0..);
    let open = variables.filter_map(|(sight, number)| {
        let sight = sight.as_ref()?;
        (!sight.seen.is_whole).then_some(number)
    });
    let open: Vec<VariableIndex> = open.collect();
    if !open.is_empty() {
        // What only a property reads is in no search of all processes.
        asked.push(Property::Invariant(true_of(&open)));
    }
    let beside = all.iter().map(|seen| seen.states).max().unwrap_or(0);
    (!asked.is_empty()).then_some((EveryStep { beside }, asked))
}

/// What is true whatever these variables have, and depends on them as it is written. No text comes to it, since
/// constants are folded in what texts say: a property made of it is none of a text.
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
