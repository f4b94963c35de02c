//! Who can always go on, so that no terminal state is ever reached.
//!
//! Of one instance by itself this is known cheaply: at each place to which its own steps lead it has one that waits for
//! nothing.

use stubborn_engine::State;
use stubborn_system::system::{
    Argument, Communication, Expr, InstanceId, LocationId, Step, StepId, System, Target, Value,
};

use super::about::About;
use super::place::Place;

/// A statement is named up to so many characters.
const STATEMENT: usize = 48;

/// An instance that can always go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Restless {
    /// "weather can always take `healthy = not healthy`".
    pub sentence: String,
    /// What it can take where it is.
    pub place: Place,
}

/// The first instance of which it is known that it can always go on from here.
pub(super) fn restless(about: About<'_>, state: &State) -> Option<Restless> {
    let About { system, map, texts } = about;
    let all = 0..system.instances.len() as InstanceId;
    let mut found = all.filter_map(|instance| {
        let from = state.instances[instance as usize].location;
        Some((instance, always_taken(system, instance, from)?))
    });
    let (instance, steps) = found.next()?;
    let span = map.step(instance, *steps.first()?);
    let name = map.instance(instance);
    let sentence = match steps[..] {
        [_] => format!(
            "{name} can always take `{}`",
            texts.excerpt(span, STATEMENT)
        ),
        _ => format!("{name} has a step that waits for nothing wherever it comes"),
    };
    Some(Restless {
        sentence,
        place: texts.place(span),
    })
}

/// A step that waits for nothing at each place of an instance that its steps lead to; `None` where one has none.
fn always_taken(system: &System, instance: InstanceId, from: LocationId) -> Option<Vec<StepId>> {
    let body = &system.instances[instance as usize];
    let mut reached = vec![from];
    let mut is_reached = vec![false; body.locations.len()];
    is_reached[from as usize] = true;
    let mut steps = Vec::new();
    let mut next = 0;
    while let Some(at) = reached.get(next).copied() {
        next += 1;
        let here = &body.locations[at as usize].steps;
        let free = here
            .iter()
            .find(|id| waits_for_nothing(system, instance, &body.steps[**id as usize]))?;
        steps.push(*free);
        for id in here.iter().copied() {
            let targets = match &body.steps[id as usize].target {
                Target::To(location) => [*location, *location],
                Target::Test(_, then, otherwise) => [*then, *otherwise],
            };
            for location in targets {
                if !std::mem::replace(&mut is_reached[location as usize], true) {
                    reached.push(location);
                }
            }
        }
    }
    Some(steps)
}

fn waits_for_nothing(system: &System, instance: InstanceId, step: &Step) -> bool {
    let is_free = match &step.guard {
        None => true,
        Some(guard) => *guard == Expr::Const(Value::Int(1)),
    };
    is_free
        && match &step.communication {
            None => true,
            // Nobody else has it, and it fits whatever the state is.
            Some(Communication::On { action, arguments }) => {
                let is_fixed = |argument: &Argument| {
                    matches!(argument, Argument::Match(Expr::Const(_)) | Argument::Skip)
                };
                let mut others = system.instances.iter().zip(0..);
                let is_shared = others.any(|(other, id)| {
                    let mut patterns = other.alphabet.iter();
                    id != instance && patterns.any(|pattern| pattern.action == *action)
                });
                !is_shared && arguments.iter().all(is_fixed)
            }
            Some(Communication::Send { .. } | Communication::Receive(..)) => false,
        }
}
