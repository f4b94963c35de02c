//! Where a variable has only the value that it is given when nobody reads it again.
//!
//! Steps give variables their first values where they are dead ([`dead`](crate::slice::Dead)). Such a value
//! names nobody. So a permutation leaves the values of a variable as they are where its instance is at a
//! location at which the variable is *blank*. What is found here is a proposal, the largest that is consistent;
//! [`renamed`](super::renamed) holds each step to it: a variable that is blank where the step begins is not
//! read before it is assigned to as a whole, and it is blank where the step leads exactly if it was given
//! its first value, or was blank already.

use crate::footprint::{Thing, things_read};
use crate::property::Property;
use crate::system::{
    Effect, Expr, Instance, InstanceId, LocationId, Step, System, Target, VariableIndex,
    VariableRef,
};
use crate::walk::{
    Use, for_expressions, for_expressions_of_step, for_indices, for_uses_before_effects,
};

use super::sorts::{NONE, Sorts};

/// Of one instance the variables that are blank at each location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blank {
    locals: usize,
    at: Vec<bool>,
}

impl Blank {
    pub fn is(&self, location: LocationId, variable: VariableIndex) -> bool {
        let at = location as usize * self.locals + variable as usize;
        self.at.get(at).copied().unwrap_or(false)
    }

    pub fn is_anywhere(&self, variable: VariableIndex) -> bool {
        let of_it = self.at.iter().skip(variable as usize);
        of_it.step_by(self.locals.max(1)).any(|is_blank| *is_blank)
    }
}

/// Of each instance what is blank where; the same for all instances of one kind.
pub fn find(system: &System, sorts: &Sorts, properties: &[Property]) -> Vec<Blank> {
    let kinds = sorts.locals.len();
    let mut members: Vec<Vec<InstanceId>> = vec![Vec::new(); kinds];
    for (instance, kind) in (0..).zip(&sorts.kind_of) {
        members[*kind].push(instance);
    }
    let mut may_be: Vec<Vec<bool>> = members
        .iter()
        .enumerate()
        .map(|(kind, of)| {
            let first = &system.instances[of[0] as usize];
            let locals = 0..first.locals.len();
            locals
                .map(|v| {
                    let mut is_sorted = false;
                    let none = sorts.root(NONE);
                    sorts.locals[kind][v]
                        .scalars(&mut |node| is_sorted |= sorts.root(*node) != none);
                    let same = |i: &InstanceId| {
                        let instance = &system.instances[*i as usize];
                        instance.locals[v].initial == first.locals[v].initial
                            && instance.locations.len() == first.locations.len()
                    };
                    is_sorted && of.iter().all(same)
                })
                .collect()
        })
        .collect();
    // What others read, or a property, is what it is.
    let mut foreign = |reader: Option<InstanceId>, expr: &Expr| {
        things_read(expr, &mut |thing| {
            if let Thing::Variable(VariableRef::Local(i, v)) = thing
                && Some(i) != reader
            {
                may_be[sorts.kind_of[i as usize]][v as usize] = false;
            }
        });
    };
    for (number, instance) in (0..).zip(&system.instances) {
        for step in &instance.steps {
            for_expressions_of_step(step, &mut |expr| foreign(Some(number), expr));
        }
    }
    for property in properties {
        property
            .expressions()
            .iter()
            .for_each(|expr| foreign(None, expr));
    }
    let of_kind: Vec<Blank> = (members.iter().zip(&may_be))
        .map(|(of, may_be)| of_kind(system, of, may_be))
        .collect();
    sorts
        .kind_of
        .iter()
        .map(|kind| of_kind[*kind].clone())
        .collect()
}

fn of_kind(system: &System, members: &[InstanceId], may_be: &[bool]) -> Blank {
    let first = &system.instances[members[0] as usize];
    let locals = first.locals.len();
    if !may_be.contains(&true) {
        return Blank::default();
    }
    let mut blank = Blank {
        locals,
        at: (0..first.locations.len())
            .flat_map(|_| may_be.iter().copied())
            .collect(),
    };
    // Each round takes something away, or is the last.
    loop {
        let mut is_changed = false;
        for number in members {
            let instance = &system.instances[*number as usize];
            for (at, location) in instance.locations.iter().enumerate() {
                for step in &location.steps {
                    let step = &instance.steps[*step as usize];
                    is_changed |= restrict(&mut blank, *number, instance, at, step);
                }
            }
        }
        if !is_changed {
            return blank;
        }
    }
}

/// Takes away what a step from a location contradicts.
fn restrict(
    blank: &mut Blank,
    number: InstanceId,
    instance: &Instance,
    from: usize,
    step: &Step,
) -> bool {
    let locals = blank.locals;
    let now = blank.at[from * locals..(from + 1) * locals].to_vec();
    let targets: Vec<LocationId> = step.target.locations().collect();
    let mut run = Run {
        number,
        now,
        wrong: vec![false; locals],
    };
    for_uses_before_effects(step, &mut |one| match one {
        Use::Reads(expr) => run.reads(expr),
        Use::Assigns(place) => run.assigns(place.variable, place.path.is_empty()),
    });
    if let Target::Test(condition, _, _) = &step.target {
        run.reads(condition);
    }
    let is_first = |v: VariableIndex, value: &Expr| matches!(value, Expr::Const(value) if *value == instance.locals[v as usize].initial);
    let mut after: Vec<Vec<bool>> = Vec::new();
    for (nth, effect) in step.effects.iter().enumerate() {
        let is_last = nth + 1 == step.effects.len();
        match (effect, &step.target) {
            (Effect::Assign { place, value, .. }, _) => {
                for_indices(place, &mut |index| run.reads(index));
                run.reads(value);
                run.assigns(place.variable, place.path.is_empty());
                if let VariableRef::Local(i, v) = place.variable
                    && i == number
                    && place.path.is_empty()
                    && is_first(v, value)
                    && targets.iter().all(|to| blank.is(*to, v))
                {
                    run.now[v as usize] = true;
                }
            }
            (Effect::If(condition, then, otherwise), Target::Test(tested, t, o))
                if is_last && condition == tested && are_plain(then) && are_plain(otherwise) =>
            {
                for (effects, target) in [(then, *t), (otherwise, *o)] {
                    let mut branch = Run {
                        number,
                        now: run.now.clone(),
                        wrong: Vec::new(),
                    };
                    branch.wrong.clone_from(&run.wrong);
                    for effect in effects {
                        let Effect::Assign { place, value, .. } = effect else {
                            continue;
                        };
                        branch.reads(value);
                        branch.assigns(place.variable, place.path.is_empty());
                        if let VariableRef::Local(i, v) = place.variable
                            && i == number
                            && is_first(v, value)
                            && blank.is(target, v)
                        {
                            branch.now[v as usize] = true;
                        }
                    }
                    run.wrong = branch.wrong;
                    after.push(branch.now);
                }
            }
            (effect, _) => {
                for_expressions(effect, &mut |expr| run.reads(expr));
                run.inner(effect);
            }
        }
    }
    if after.is_empty() {
        after = vec![run.now.clone(); targets.len()];
    }
    let mut is_changed = false;
    for (now, target) in after.iter().zip(&targets) {
        for (v, is_blank) in now.iter().enumerate() {
            let there = &mut blank.at[*target as usize * locals + v];
            if !is_blank && *there {
                *there = false;
                is_changed = true;
            } else if *is_blank && !*there {
                run.wrong[v] = true;
            }
        }
    }
    for v in 0..locals {
        let here = &mut blank.at[from * locals + v];
        if run.wrong[v] && *here {
            *here = false;
            is_changed = true;
        }
    }
    is_changed
}

/// Whether they are assignments of constants to whole variables.
pub fn are_plain(effects: &[Effect]) -> bool {
    effects.iter().all(|effect| {
        matches!(effect, Effect::Assign { place, value: Expr::Const(_), .. } if place.path.is_empty())
    })
}

/// What is blank while a step is taken.
struct Run {
    number: InstanceId,
    now: Vec<bool>,
    /// What cannot have been blank when it began.
    wrong: Vec<bool>,
}

impl Run {
    fn reads(&mut self, expr: &Expr) {
        things_read(expr, &mut |thing| {
            if let Thing::Variable(VariableRef::Local(i, v)) = thing
                && i == self.number
                && self.now[v as usize]
            {
                self.wrong[v as usize] = true;
            }
        });
    }

    fn assigns(&mut self, variable: VariableRef, is_whole: bool) {
        if let VariableRef::Local(i, v) = variable
            && i == self.number
        {
            let v = v as usize;
            self.wrong[v] |= self.now[v] && !is_whole;
            self.now[v] = false;
        }
    }

    /// An effect that may not happen.
    fn inner(&mut self, effect: &Effect) {
        match effect {
            Effect::Assign { place, .. } => self.assigns(place.variable, false),
            Effect::If(_, then, otherwise) => {
                then.iter()
                    .chain(otherwise)
                    .for_each(|effect| self.inner(effect));
            }
            Effect::Assert(_) => {}
        }
    }
}
