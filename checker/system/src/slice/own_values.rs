//! Which values the variables of one instance can have at each of its locations, whatever the others do.
//!
//! An abstract interpretation over intervals (P. Cousot and R. Cousot, "Abstract Interpretation: A Unified
//! Lattice Model for Static Analysis of Programs", POPL 1977) of the graph of one instance: its locations
//! are gone through, and each step takes what is known of where it is taken from to where it leads. Only
//! the instance itself may assign to what is followed, so that nothing that the others do changes it.
//! Whatever a step reads besides may have any value of its type, and any of its guards that may be true
//! lets it be taken. So each reachable state has each variable within what is known of it at the
//! location of the instance; a location of which nothing is known is one where it never is.
//!
//! A bound that goes on moving at some location moves to the end of the type at once (widening).

use super::bits::Bits;
use super::bounds::{Bounds, Intervals, Known, Ranges};
use crate::system::{
    Binary, Effect, Expr, InstanceId, LocationId, Range, Step, System, Target, Type, Unary, Value,
    VariableRef,
};

/// A bound moves so often at one location before it is widened.
const MOST_MOVES: u8 = 4;
/// A location is gone on from so often before all that is followed there is widened.
const MOST_VISITS: u32 = 64;

/// What is known of the variables at a place: of each the least and the greatest value, `None` where it
/// is not followed.
pub type Values = Vec<Option<(i64, i64)>>;

/// Of one instance, by its locations; `None` where it never is.
pub struct OwnValues {
    pub at: Vec<Option<Values>>,
}

/// One instance whose steps are taken on what is known.
pub struct Taking<'a> {
    pub system: &'a System,
    pub instance: InstanceId,
    /// Of the variables of others, and of those that are not followed.
    pub intervals: Option<&'a Intervals>,
}

/// What becomes of what is known.
pub struct Performed {
    /// Afterwards; `None` where it always fails.
    pub after: Option<Values>,
    pub may_fail: bool,
}

impl OwnValues {
    /// Follows the scalars of the instance that nobody else assigns to (`written` has the others). Costs
    /// time in proportion to the instance's steps times its variables.
    pub fn of(system: &System, number: InstanceId, written: &Bits) -> OwnValues {
        let taking = Taking {
            system,
            instance: number,
            intervals: None,
        };
        let instance = &system.instances[number as usize];
        let locals = instance.locals.iter().enumerate();
        let first = locals.map(|(v, local)| match (&local.ty, &local.initial) {
            (Type::Scalar { .. }, Value::Int(value)) if !written.contains(v) => {
                Some((*value, *value))
            }
            _ => None,
        });
        let mut growing = Growing {
            taking: &taking,
            at: vec![None; instance.locations.len()],
            moves: vec![vec![0; instance.locals.len()]; instance.locations.len()],
            open: Vec::new(),
            is_open: vec![false; instance.locations.len()],
        };
        growing.join(instance.initial, first.collect());
        let mut visits = vec![0; instance.locations.len()];
        while let Some(location) = growing.open.pop() {
            growing.is_open[location as usize] = false;
            let visits = &mut visits[location as usize];
            *visits += 1;
            if *visits == MOST_VISITS {
                growing.widen(location);
            }
            let Some(here) = growing.at[location as usize].clone() else {
                continue;
            };
            for &step in &instance.locations[location as usize].steps {
                let step = &instance.steps[step as usize];
                taking.step(step, &here, &mut |target, after| {
                    growing.join(target, after)
                });
            }
        }
        OwnValues { at: growing.at }
    }
}

struct Growing<'a> {
    taking: &'a Taking<'a>,
    at: Vec<Option<Values>>,
    moves: Vec<Vec<u8>>,
    open: Vec<LocationId>,
    is_open: Vec<bool>,
}

impl Growing<'_> {
    fn join(&mut self, location: LocationId, new: Values) {
        let taking = self.taking;
        let Some(known) = &mut self.at[location as usize] else {
            self.at[location as usize] = Some(new);
            self.open(location);
            return;
        };
        let mut has_moved = false;
        let moves = &mut self.moves[location as usize];
        for (v, (known, new)) in known.iter_mut().zip(new).enumerate() {
            let (Some(known), Some(new)) = (known, new) else {
                continue;
            };
            let joined = (known.0.min(new.0), known.1.max(new.1));
            if joined != *known {
                has_moved = true;
                moves[v] = moves[v].saturating_add(1);
                let (lo, hi) = taking.range(v);
                let ends = |moved: bool, bound, end| match moved && moves[v] > MOST_MOVES {
                    true => end,
                    false => bound,
                };
                *known = (
                    ends(joined.0 != known.0, joined.0, lo),
                    ends(joined.1 != known.1, joined.1, hi),
                );
            }
        }
        if has_moved {
            self.open(location);
        }
    }

    fn open(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.is_open[location as usize], true) {
            self.open.push(location);
        }
    }

    fn widen(&mut self, location: LocationId) {
        if let Some(known) = &mut self.at[location as usize] {
            for (v, known) in known.iter_mut().enumerate() {
                if known.is_some() {
                    *known = Some(self.taking.range(v));
                }
            }
        }
    }
}

impl Taking<'_> {
    fn range(&self, variable: usize) -> (i64, i64) {
        match self.system.instances[self.instance as usize].locals[variable].ty {
            Type::Scalar { lo, hi } => (lo, hi),
            _ => unreachable!("only scalars are followed"),
        }
    }

    /// What the expressions of a step are worked out in, where so much is known.
    pub fn ranges<'r>(&'r self, values: &'r Values, choices: &'r [Range]) -> Ranges<'r> {
        Ranges {
            system: self.system,
            choices,
            known: Some(Known {
                instance: self.instance,
                values,
            }),
            intervals: self.intervals,
        }
    }

    /// Calls with where the step may lead from where so much is known, and what is known there.
    fn step(&self, step: &Step, here: &Values, then: &mut dyn FnMut(LocationId, Values)) {
        let mut here = here.clone();
        self.forget_bound(step, &mut here);
        if let Some(guard) = &step.guard
            && !self.refine(guard, true, &mut here)
        {
            return;
        }
        match &step.target {
            Target::To(target) => {
                if let Some(after) = self.perform(&step.effects, &step.choices, &here).after {
                    then(*target, after);
                }
            }
            Target::Test(condition, yes, no) => {
                for (target, value) in [(*yes, true), (*no, false)] {
                    let mut here = here.clone();
                    if self.refine(condition, value, &mut here)
                        && let Some(after) = self.perform(&step.effects, &step.choices, &here).after
                    {
                        then(target, after);
                    }
                }
            }
        }
    }

    /// What the step binds may be any value of its type.
    pub fn forget_bound(&self, step: &Step, values: &mut Values) {
        for place in step.bound() {
            if let Some(v) = self.own(place.variable, values) {
                values[v] = Some(self.range(v));
            }
        }
    }

    /// The variable where it is followed.
    pub fn own(&self, variable: VariableRef, values: &Values) -> Option<usize> {
        match variable {
            VariableRef::Local(instance, v)
                if instance == self.instance && values[v as usize].is_some() =>
            {
                Some(v as usize)
            }
            _ => None,
        }
    }

    /// What is known after the effects.
    pub fn perform(&self, effects: &[Effect], choices: &[Range], before: &Values) -> Performed {
        let mut performed = Performed {
            after: Some(before.clone()),
            may_fail: false,
        };
        for effect in effects {
            let Some(mut now) = performed.after.take() else {
                break;
            };
            let ranges = self.ranges(&now, choices);
            match effect {
                Effect::Assign { place, ty, value } => {
                    let value = ranges.of(value);
                    let is_sure = ranges.is_sure(place)
                        && value.as_ref().is_some_and(|value| value.are_in(ty));
                    performed.may_fail |= !is_sure;
                    if let Some(v) = self.own(place.variable, &now) {
                        let (lo, hi) = match (value, ty) {
                            (
                                Some(Bounds::Scalar { lo, hi }),
                                Type::Scalar {
                                    lo: least,
                                    hi: most,
                                },
                            ) => (lo.max(*least), hi.min(*most)),
                            _ => self.range(v),
                        };
                        if lo > hi {
                            break;
                        }
                        now[v] = Some((lo, hi));
                    }
                    performed.after = Some(now);
                }
                Effect::If(condition, then, otherwise) => {
                    performed.may_fail |= !ranges.cannot_fail(condition);
                    for (effects, value) in [(then, true), (otherwise, false)] {
                        let mut now = now.clone();
                        if self.refine(condition, value, &mut now) {
                            let branch = self.perform(effects, choices, &now);
                            performed.may_fail |= branch.may_fail;
                            performed.after = match (performed.after, branch.after) {
                                (Some(one), Some(other)) => Some(either(&one, &other)),
                                (one, other) => one.or(other),
                            };
                        }
                    }
                }
                Effect::Assert(condition) => {
                    performed.may_fail |= !is_surely(&ranges, condition, true);
                    if self.refine(condition, true, &mut now) {
                        performed.after = Some(now);
                    }
                }
            }
        }
        performed
    }

    /// Adds that the condition has this value; `false` where it never does.
    pub fn refine(&self, condition: &Expr, value: bool, known: &mut Values) -> bool {
        if is_surely(&self.ranges(known, &[]), condition, !value) {
            return false;
        }
        match condition {
            Expr::Unary(Unary::Not, operand) => self.refine(operand, !value, known),
            Expr::All(parts) if value => parts.iter().all(|part| self.refine(part, true, known)),
            Expr::Any(parts) if !value => parts.iter().all(|part| self.refine(part, false, known)),
            Expr::Variable(variable) => match self.own(*variable, known) {
                Some(v) if value => except(v, 0, known),
                Some(v) => within(v, 0, 0, known),
                None => true,
            },
            Expr::Binary(operator, left, right) => {
                // Other operators say nothing of their operands.
                let Some(opposite) = operator.negated() else {
                    return true;
                };
                let operator = if value { *operator } else { opposite };
                self.compare(operator, left, right, known)
                    && self.compare(operator.mirrored().unwrap_or(operator), right, left, known)
            }
            _ => true,
        }
    }

    /// Adds that a variable compares so with something; `false` where it cannot.
    fn compare(&self, operator: Binary, left: &Expr, right: &Expr, known: &mut Values) -> bool {
        let Expr::Variable(variable) = left else {
            return true;
        };
        let Some(v) = self.own(*variable, known) else {
            return true;
        };
        let Some(Bounds::Scalar { lo, hi }) = self.ranges(known, &[]).of(right) else {
            return true;
        };
        match operator {
            Binary::Equal => within(v, lo, hi, known),
            Binary::NotEqual if lo == hi => except(v, lo, known),
            Binary::Less => match hi.checked_sub(1) {
                Some(most) => within(v, i64::MIN, most, known),
                None => false,
            },
            Binary::LessOrEqual => within(v, i64::MIN, hi, known),
            Binary::Greater => match lo.checked_add(1) {
                Some(least) => within(v, least, i64::MAX, known),
                None => false,
            },
            Binary::GreaterOrEqual => within(v, lo, i64::MAX, known),
            _ => true,
        }
    }
}

/// Whether the condition does not fail and always has this value.
pub fn is_surely(ranges: &Ranges<'_>, condition: &Expr, value: bool) -> bool {
    match ranges.of(condition) {
        Some(Bounds::Scalar { lo, hi }) => match value {
            true => lo > 0 || hi < 0,
            false => (lo, hi) == (0, 0),
        },
        _ => false,
    }
}

pub fn either(one: &Values, other: &Values) -> Values {
    let both = one.iter().zip(other);
    both.map(|(one, other)| match (one, other) {
        (Some((a, b)), Some((c, d))) => Some((*a.min(c), *b.max(d))),
        _ => None,
    })
    .collect()
}

fn within(variable: usize, least: i64, most: i64, known: &mut Values) -> bool {
    let Some((lo, hi)) = &mut known[variable] else {
        return true;
    };
    (*lo, *hi) = ((*lo).max(least), (*hi).min(most));
    lo <= hi
}

fn except(variable: usize, value: i64, known: &mut Values) -> bool {
    match known[variable] {
        Some((lo, hi)) if lo == value && hi == value => false,
        Some((lo, hi)) if lo == value => within(variable, lo + 1, hi, known),
        Some((lo, hi)) if hi == value => within(variable, lo, hi - 1, known),
        _ => true,
    }
}
