//! Which locations of an instance are passed, and by which steps.

use crate::footprint::{Thing, of_effects, things_read};
use crate::slice::foreign::Foreign;
use crate::slice::own_values::{OwnValues, Taking, Values, is_surely};
use crate::system::{Expr, InstanceId, LocationId, Step, StepId, System, Target, VariableRef};

/// Which of several steps can be taken is tried with so many combinations of values at the most.
const MOST_TRIED: u64 = 512;

/// The locations that are passed.
pub struct Inner {
    /// By location, the steps of which always exactly one can be taken; none where it is not passed.
    pub steps: Vec<Vec<StepId>>,
    /// Those that are passed, each behind all that its steps lead to.
    pub order: Vec<LocationId>,
}

impl Inner {
    pub fn of(system: &System, number: InstanceId, values: &OwnValues, foreign: &Foreign) -> Inner {
        let looking = Looking {
            system,
            number,
            foreign,
            taking: Taking {
                system,
                instance: number,
                intervals: None,
            },
            looks: looks(system, number, foreign),
        };
        let locations = values.at.iter().zip(0..);
        let steps = locations.map(|(here, location)| match here {
            Some(here) => looking.at(location, here).unwrap_or_default(),
            None => Vec::new(),
        });
        let mut inner = Inner {
            steps: steps.collect(),
            order: Vec::new(),
        };
        inner.open_cycles(system, number);
        inner
    }

    pub fn is_passed(&self, location: LocationId) -> bool {
        !self.steps[location as usize].is_empty()
    }

    /// Goes through the passed locations depth first: one that is met again on the way from itself is not
    /// passed any more. Each cycle has such a one, so that none is left.
    fn open_cycles(&mut self, system: &System, number: InstanceId) {
        #[derive(Clone, Copy, PartialEq)]
        enum Met {
            Not,
            OnTheWay,
            Done,
        }
        let instance = &system.instances[number as usize];
        let mut met = vec![Met::Not; self.steps.len()];
        let targets = |steps: &[StepId]| -> Vec<LocationId> {
            let steps = steps.iter();
            let all = steps.flat_map(|step| targets(&instance.steps[*step as usize]));
            all.collect()
        };
        let mut order = Vec::new();
        for start in 0..self.steps.len() as LocationId {
            if met[start as usize] != Met::Not || !self.is_passed(start) {
                continue;
            }
            met[start as usize] = Met::OnTheWay;
            let mut way = vec![(start, targets(&self.steps[start as usize]))];
            while let Some((location, left)) = way.last_mut() {
                let Some(next) = left.pop() else {
                    met[*location as usize] = Met::Done;
                    order.push(*location);
                    way.pop();
                    continue;
                };
                match met[next as usize] {
                    Met::OnTheWay => self.steps[next as usize].clear(),
                    Met::Not if self.is_passed(next) => {
                        met[next as usize] = Met::OnTheWay;
                        way.push((next, targets(&self.steps[next as usize])));
                    }
                    Met::Not | Met::Done => {}
                }
            }
        }
        order.retain(|location| self.is_passed(*location));
        self.order = order;
    }
}

/// Where a step may lead.
pub fn targets(step: &Step) -> impl Iterator<Item = LocationId> + use<> {
    let (one, other) = match step.target {
        Target::To(target) => (target, None),
        Target::Test(_, then, otherwise) => (then, Some(otherwise)),
    };
    std::iter::once(one).chain(other)
}

/// What others ask of each location: the numbers of the sets that it is in.
fn looks(system: &System, number: InstanceId, foreign: &Foreign) -> Vec<Vec<u32>> {
    let instance = &system.instances[number as usize];
    let mut looks = vec![Vec::new(); instance.locations.len()];
    let mut asked: Vec<&Vec<LocationId>> = foreign.asked[number as usize].iter().collect();
    asked.sort_unstable();
    for (set, at) in asked.into_iter().zip(0..) {
        for location in set {
            // Who asks may ask for more than there are.
            if let Some(looks) = looks.get_mut(*location as usize) {
                looks.push(at);
            }
        }
    }
    looks
}

struct Looking<'a> {
    system: &'a System,
    number: InstanceId,
    foreign: &'a Foreign,
    taking: Taking<'a>,
    looks: Vec<Vec<u32>>,
}

impl Looking<'_> {
    /// The steps of which always exactly one can be taken, if they are inner ones, where the instance is
    /// here with these values.
    fn at(&self, location: LocationId, here: &Values) -> Option<Vec<StepId>> {
        if self.foreign.named[self.number as usize].contains(&location) {
            return None;
        }
        let instance = &self.system.instances[self.number as usize];
        let mut guards: Vec<&Expr> = Vec::new();
        let mut inner = Vec::new();
        for &number in &instance.locations[location as usize].steps {
            let step = &instance.steps[number as usize];
            if step.communication.is_some() {
                return None;
            }
            let mut known = here.clone();
            if let Some(guard) = &step.guard {
                let ranges = self.taking.ranges(here, &[]);
                if !ranges.cannot_fail(guard) {
                    return None;
                }
                if is_surely(&ranges, guard, false) {
                    continue;
                }
                if !is_surely(&ranges, guard, true) {
                    if !self.is_private(guard) {
                        return None;
                    }
                    guards.push(guard);
                }
                if !self.taking.refine(guard, true, &mut known) {
                    continue;
                }
            }
            self.is_inner(location, step, &known).then_some(())?;
            inner.push(number);
        }
        let is_one = match guards.len() {
            0 => inner.len() == 1,
            _ => guards.len() == inner.len() && self.is_always_one(&guards, here),
        };
        is_one.then_some(inner)
    }

    fn is_inner(&self, location: LocationId, step: &Step, known: &Values) -> bool {
        let looks = &self.looks;
        let mut targets = targets(step);
        if !step.choices.is_empty()
            || !targets.all(|target| looks[target as usize] == looks[location as usize])
        {
            return false;
        }
        let touched = &self.foreign.touched[self.number as usize];
        let written = &self.foreign.written[self.number as usize];
        let mut is_private = true;
        of_effects(&step.effects, &mut |touch| {
            is_private &= match touch.thing {
                Thing::Variable(VariableRef::Local(of, variable)) if of == self.number => {
                    let others = if touch.writes { touched } else { written };
                    !others.contains(variable as usize)
                }
                _ => false,
            };
        });
        let is_sure = match &step.target {
            Target::To(_) => true,
            // It is evaluated before the effects.
            Target::Test(condition, _, _) => {
                self.is_private(condition) && self.taking.ranges(known, &[]).cannot_fail(condition)
            }
        };
        is_private && is_sure && !self.taking.perform(&step.effects, &[], known).may_fail
    }

    /// Whether it reads nothing but variables of the instance that nobody else assigns to.
    fn is_private(&self, expr: &Expr) -> bool {
        let written = &self.foreign.written[self.number as usize];
        let mut is_private = true;
        things_read(expr, &mut |thing| {
            is_private &= matches!(
                thing,
                Thing::Variable(VariableRef::Local(of, variable))
                    if of == self.number && !written.contains(variable as usize)
            );
        });
        is_private
    }

    /// Whether exactly one of the guards is true, whatever the values are that they read.
    fn is_always_one(&self, guards: &[&Expr], here: &Values) -> bool {
        let mut read: Vec<usize> = Vec::new();
        for guard in guards {
            things_read(guard, &mut |thing| {
                if let Thing::Variable(VariableRef::Local(_, variable)) = thing {
                    read.push(variable as usize);
                }
            });
        }
        read.sort_unstable();
        read.dedup();
        let mut many: u64 = 1;
        for &variable in &read {
            let Some((lo, hi)) = here[variable] else {
                return false;
            };
            let size = u64::try_from(i128::from(hi) - i128::from(lo) + 1).unwrap_or(u64::MAX);
            many = many.saturating_mul(size);
        }
        if many.saturating_mul(guards.len() as u64) > MOST_TRIED {
            return false;
        }
        let mut tried = here.clone();
        for &variable in &read {
            tried[variable] = here[variable].map(|(lo, _)| (lo, lo));
        }
        loop {
            let ranges = self.taking.ranges(&tried, &[]);
            let is_true = |guard: &&&Expr| is_surely(&ranges, guard, true);
            let is_false = |guard: &&&Expr| is_surely(&ranges, guard, false);
            let (can, cannot) = (
                guards.iter().filter(is_true).count(),
                guards.iter().filter(is_false).count(),
            );
            if (can, can + cannot) != (1, guards.len()) {
                return false;
            }
            let next = read
                .iter()
                .rev()
                .find(|v| tried[**v].map(|v| v.1) < here[**v].map(|v| v.1));
            let Some(&next) = next else {
                return true;
            };
            for &variable in read.iter().rev() {
                if variable == next {
                    tried[variable] = tried[variable].map(|(value, _)| (value + 1, value + 1));
                    break;
                }
                tried[variable] = here[variable].map(|(lo, _)| (lo, lo));
            }
        }
    }
}
