//! What is allowed and may surprise in how processes take part in actions (`language.md` §8): a
//! value that nobody decides on, and two steps that one action can take to different states.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::problem::{Code, Words};
use crate::processes::Process;
use crate::steps::alphabet::shown;
use crate::steps::joint::constant_arguments;
use stubborn_system::source::Span;
use stubborn_system::source_map::{ActionSource, InstanceSource};
use stubborn_system::system::{
    ActionId, ActionPattern, Argument, Communication, Expr, Instance, InstanceId, Range, Target,
    Value,
};

/// A step that an action can take to another state.
pub(crate) struct Way {
    pub pattern: ActionPattern,
    /// What its pattern leaves open is a `*`.
    pub has_star: bool,
    /// The state that it leads to.
    pub to: u32,
    pub is_guarded: bool,
    pub span: Span,
}

/// How many pairs of steps, and how many actions with their values, are looked at. Hints are not
/// worth more.
const MOST_LOOKED_AT: usize = 1_000_000;

/// Hints at the steps of a state that share an action with an earlier one and lead elsewhere. Two
/// that both have a guard are taken to be kept apart by it. `name` gives the name of a state, `room`
/// is how many pairs may still be looked at.
pub(crate) fn ambiguous(
    elaborator: &mut Elaborator,
    mut ways: Vec<Way>,
    name: &dyn Fn(u32) -> String,
    room: &mut usize,
) {
    ways.sort_by_key(|way| way.span.start);
    let mut of_action: FxHashMap<ActionId, Vec<&Way>> = FxHashMap::default();
    for way in &ways {
        let before = of_action.entry(way.pattern.action).or_default();
        if *room < before.len() {
            return;
        }
        *room -= before.len();
        let other = before.iter().find_map(|other| {
            let may_be_either = other.to != way.to
                && !(other.is_guarded && way.is_guarded)
                && other.span != way.span;
            common(&other.pattern.arguments, &way.pattern.arguments)
                .filter(|_| may_be_either)
                .map(|values| (*other, values))
        });
        before.push(way);
        let Some((other, values)) = other else {
            continue;
        };
        let action = shown(elaborator, way.pattern.action, &values);
        // Who writes `a(*)` beside `a(1)` may mean all other values.
        let leaves_open = |one: &Way| one.has_star && one.pattern.arguments != values;
        let star = match (leaves_open(other), leaves_open(way)) {
            (true, false) => format!("; `*` in the other one takes `{action}` too"),
            (false, true) => format!("; `*` in this one takes `{action}` too"),
            _ => String::new(),
        };
        let (here, there) = (name(way.to), name(other.to));
        let words = Words::from(format!(
            "`{action}` can lead to `{here}` by this step and to `{there}` by another one, and \
             either may be taken{star}; narrow one of them if that is not meant"
        ));
        let words = words.see(other.span, "the other step is here");
        elaborator.hint(Code::AmbiguousStep, way.span, words);
    }
}

/// What two patterns of one action have in common.
fn common(one: &[Option<i64>], other: &[Option<i64>]) -> Option<Vec<Option<i64>>> {
    let pairs = one.iter().zip(other);
    let both = pairs.map(|(a, b)| match (a, b) {
        (Some(a), Some(b)) if a != b => None,
        _ => Some(a.or(*b)),
    });
    both.collect()
}

/// The steps of the states of processes.
pub(crate) fn ambiguous_steps(
    elaborator: &mut Elaborator,
    processes: &[Process],
    instances: &[Instance],
    sources: &[Arc<InstanceSource>],
) {
    let mut room = MOST_LOOKED_AT;
    for (instance, source) in instances.iter().zip(sources) {
        let body = processes[instance.process as usize].body.as_ref();
        if body.is_none_or(|body| body.states().next().is_none()) {
            continue;
        }
        let name = |location: u32| source.locations[location as usize].name.clone();
        for location in &instance.locations {
            let ways = location.steps.iter().filter_map(|id| {
                let step = &instance.steps[*id as usize];
                let is_never_taken = step.guard == Some(Expr::Const(Value::Int(0)));
                let (Some(Communication::On { action, arguments }), Target::To(to), false) =
                    (&step.communication, &step.target, is_never_taken)
                else {
                    return None;
                };
                Some(Way {
                    pattern: ActionPattern {
                        action: *action,
                        arguments: constant_arguments(arguments),
                    },
                    has_star: arguments.contains(&Argument::Skip),
                    to: *to,
                    is_guarded: step.guard.is_some(),
                    span: source.steps[*id as usize],
                })
            });
            ambiguous(elaborator, ways.collect(), &name, &mut room);
        }
    }
}

/// How one step, or one line of an alphabet, stands to the values of an action.
struct Offer<'a> {
    instance: InstanceId,
    /// Those that are fixed.
    fixed: Vec<Option<i64>>,
    /// The arguments of a step; none of an alphabet.
    arguments: Option<&'a [Argument]>,
}

impl Offer<'_> {
    fn is_for(&self, values: &[i64]) -> bool {
        let mut pairs = self.fixed.iter().zip(values);
        pairs.all(|(fixed, value)| fixed.is_none_or(|fixed| fixed == *value))
    }
}

/// Hints at actions with a value that can occur though all who take part in it have `?` or `*` for
/// it, where other values of the same action are named.
pub(crate) fn undecided_values(
    elaborator: &mut Elaborator,
    instances: &[Instance],
    sources: &[Arc<InstanceSource>],
) {
    let (actions, action_sources) = elaborator.actions();
    let mut offers: Vec<Vec<Offer<'_>>> = actions.iter().map(|_| Vec::new()).collect();
    for (number, instance) in instances.iter().enumerate() {
        let instance_id = number as InstanceId;
        let lines = instance.alphabet.iter().map(|pattern| Offer {
            instance: instance_id,
            fixed: pattern.arguments.clone(),
            arguments: None,
        });
        for (line, pattern) in lines.zip(&instance.alphabet) {
            offers[pattern.action as usize].push(line);
        }
        for step in &instance.steps {
            if let Some(Communication::On { action, arguments }) = &step.communication {
                offers[*action as usize].push(Offer {
                    instance: instance_id,
                    fixed: constant_arguments(arguments),
                    arguments: Some(arguments),
                });
            }
        }
    }
    let mut room = MOST_LOOKED_AT;
    for (action, offers) in offers.iter().enumerate() {
        let found = undecided(&actions[action].arguments, offers, &mut room);
        if let Some((values, participant)) = found {
            let source = &action_sources[action];
            let name = &sources[participant as usize].name;
            tell(elaborator, action as ActionId, source, &values, name);
        }
    }
}

fn tell(
    elaborator: &mut Elaborator,
    action: ActionId,
    source: &ActionSource,
    values: &[i64],
    participant: &str,
) {
    let values: Vec<Option<i64>> = values.iter().copied().map(Some).collect();
    let (occurs, name) = (shown(elaborator, action, &values), &source.name);
    let stars = vec!["*"; values.len()].join(", ");
    let message = format!(
        "nobody decides that `{occurs}` occurs: all who take part in it, `{participant}` among \
             them, have `?` or `*` where other values are named, and who names a value takes part in \
             no other; a line `alphabet {name}({stars})` in the process that should decide would \
             mend it"
    );
    elaborator.hint(Code::UndecidedValue, source.span, message);
}

/// Values of the action on which nobody decides, and the first who takes part in it then.
fn undecided(
    ranges: &[Range],
    offers: &[Offer<'_>],
    room: &mut usize,
) -> Option<(Vec<i64>, InstanceId)> {
    // In each argument the values that are named, and one that is not: all others are like it.
    let mut tried: Vec<Vec<i64>> = Vec::new();
    for (position, range) in ranges.iter().enumerate() {
        let mut named: FxHashSet<i64> = offers.iter().filter_map(|o| o.fixed[position]).collect();
        named.retain(|value| range.contains(*value));
        let other = (range.lo..=range.hi).find(|value| !named.contains(value));
        let mut all: Vec<i64> = named.into_iter().chain(other).collect();
        all.sort_unstable();
        tried.push(all);
    }
    if tried.iter().all(|values| values.len() == 1) {
        return None;
    }
    let count = tried.iter().map(Vec::len).fold(1, usize::saturating_mul);
    let cost = count.saturating_mul(offers.len());
    *room = room.checked_sub(cost)?;
    let mut at = vec![0; tried.len()];
    loop {
        let values: Vec<i64> = at.iter().zip(&tried).map(|(at, all)| all[*at]).collect();
        if let Some(first) = leave_open(&values, offers) {
            return Some((values, first));
        }
        let next = (0..at.len()).rev().find(|position| {
            at[*position] += 1;
            let goes_on = at[*position] < tried[*position].len();
            if !goes_on {
                at[*position] = 0;
            }
            goes_on
        });
        next?;
    }
}

/// Who takes part first, if all who do have a step, and leave open all arguments though somebody who
/// takes no part names one, or the one argument in which what that one names is different.
fn leave_open(values: &[i64], offers: &[Offer<'_>]) -> Option<InstanceId> {
    let taking: Vec<&Offer<'_>> = offers.iter().filter(|offer| offer.is_for(values)).collect();
    let instances: FxHashSet<InstanceId> = taking.iter().map(|offer| offer.instance).collect();
    let steps = || {
        taking
            .iter()
            .filter_map(|o| Some((o.instance, o.arguments?)))
    };
    let able: FxHashSet<InstanceId> = steps().map(|(instance, _)| instance).collect();
    if able.is_empty() || able.len() < instances.len() {
        return None;
    }
    let is_open = |position: usize| {
        let open = |argument: &Argument| matches!(argument, Argument::Bind(_) | Argument::Skip);
        steps().all(|(_, arguments)| open(&arguments[position]))
    };
    let open: Vec<bool> = (0..values.len()).map(is_open).collect();
    let all_open = !open.contains(&false);
    let names_another = |offer: &Offer<'_>| {
        let pairs = || offer.fixed.iter().zip(values).enumerate();
        let mut differing = pairs()
            .filter(|(_, (fixed, value))| fixed.is_some_and(|fixed| fixed != **value))
            .map(|(position, _)| position);
        match (differing.next(), differing.next()) {
            (Some(position), None) => open[position],
            (Some(_), Some(_)) => all_open,
            (None, _) => false,
        }
    };
    let mut others = (offers.iter()).filter(|offer| !instances.contains(&offer.instance));
    let is_left_open = others.any(names_another);
    is_left_open.then(|| able.into_iter().min()).flatten()
}

/// Hints at a Büchi automaton that says nothing of runs that end.
pub(crate) fn says_nothing_of_ends(
    elaborator: &mut Elaborator,
    states: &[ast::State],
    name: &str,
    span: Span,
) {
    let has = |kind| states.iter().any(|state| state.modifier(kind).is_some());
    if has(ast::ModifierKind::Infinite)
        && !has(ast::ModifierKind::Deadlock)
        && !has(ast::ModifierKind::Reject)
    {
        let message = format!(
            "`{name}` says nothing of runs that end, since an `infinite` state accepts only what \
                 goes on for ever; mark the states `deadlock` in which a run must not end"
        );
        elaborator.hint(Code::NothingOfEnds, span, message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_values_are_tried_as_there_is_room_for() {
        let arguments = [Argument::Skip];
        let named = Offer {
            instance: 0,
            fixed: vec![Some(1)],
            arguments: None,
        };
        let open = Offer {
            instance: 1,
            fixed: vec![None],
            arguments: Some(&arguments),
        };
        let offers = [named, open];
        // The value that is named, and one for all others, each with both.
        let found = |mut room: usize| {
            let found = undecided(&[Range { lo: 1, hi: 9 }], &offers, &mut room);
            (found.is_some(), room)
        };
        assert_eq!([3, 4, 5].map(found), [(false, 3), (true, 0), (true, 1)]);
    }
}
