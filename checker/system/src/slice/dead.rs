//! Variables whose value is never read again.
//!
//! A local variable is *live* at a location of its instance if some way on from there reads it before it
//! is assigned to as a whole: the usual analysis of live variables, over the locations of one instance
//! (Muchnick 1997, §14.1.3; for state spaces Bozga, Fernandez and Ghirvu, "State Space Reduction Based on
//! Live Variables Analysis", SAS 1999). What another instance, or the property, reads is live everywhere.
//! Elsewhere it is *dead*.
//!
//! Let two states be alike if they differ only in variables that are dead where their instance is. Then
//! each step of the one, failing or not, is one of the other, with the same participants and values of
//! its action, and leads to states that are alike: what the step reads is live where it is taken from, so
//! it has the same value in both; what it assigns has the same value in both; and what it leaves and is
//! live afterwards was live before. So being alike is a bisimulation, in which states that are alike are
//! terminal, at final locations, and satisfy the property's expressions alike. Every verdict stays when
//! one of them stands for all: each step ends by giving what is dead where it leads to the value that it
//! had at first. A test does so in the branch of an effect with its own condition, which is evaluated in the
//! same state.

use super::bits::Bits;
use super::foreign::Foreign;
use crate::footprint::{Thing, things_read};
use crate::property::Property;
use crate::system::{
    Effect, Expr, Instance, InstanceId, LocationId, Place, Step, System, Target, Variable,
    VariableIndex, VariableRef,
};
use crate::walk::{self, for_expressions, for_indices, for_uses_before_effects};

/// An instance with more than so many locations and steps, times variables, keeps all values: that bounds
/// what the analysis costs.
const MOST_PLACES: usize = 1 << 20;
/// Likewise for all instances together.
const MOST_DEAD: usize = 1 << 22;

/// How large instances may be.
#[derive(Clone, Copy)]
struct Most {
    of_one: usize,
    of_all: usize,
}

/// What is dead where.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Dead {
    /// By instance and location, ascending; nothing of an instance of which nothing is dead anywhere.
    at: Vec<Vec<Box<[VariableIndex]>>>,
    /// By instance, the variables that some step assigns to which ends where they are dead: no state
    /// ever has that value.
    lost: Vec<Box<[VariableIndex]>>,
}

impl Dead {
    /// The variables of an instance that are dead at a location.
    pub fn at(&self, instance: InstanceId, location: LocationId) -> &[VariableIndex] {
        let of_instance = self.at.get(instance as usize);
        let here = of_instance.and_then(|at| at.get(location as usize));
        here.map_or(&[], |here| here)
    }

    /// Whether a value that is assigned to a variable may be in no state.
    pub fn loses(&self, instance: InstanceId, variable: VariableIndex) -> bool {
        let lost = self.lost.get(instance as usize);
        lost.is_some_and(|lost| lost.binary_search(&variable).is_ok())
    }

    pub fn is_empty(&self) -> bool {
        self.at.iter().all(Vec::is_empty)
    }
}

/// The System in which what is dead has the value that it had at first, and what that is: for the given
/// properties about it. Costs time and memory in proportion to the System.
pub(super) fn without_dead(system: &mut System, properties: &[Property]) -> Dead {
    let most = Most {
        of_one: MOST_PLACES,
        of_all: MOST_DEAD,
    };
    without_dead_within(most, system, properties)
}

fn without_dead_within(most: Most, system: &mut System, properties: &[Property]) -> Dead {
    let foreign = Foreign::of(system, properties);
    let mut dead = Dead::default();
    let mut room = most;
    for (number, instance) in (0..).zip(&mut system.instances) {
        let touched = &foreign.touched[number as usize];
        let (at, lost) = match of_instance(number, instance, touched, &mut room) {
            Some(Local { at, reset, lost }) => {
                for (step, reset) in instance.steps.iter_mut().zip(&reset) {
                    let assign = |variables: &[VariableIndex]| {
                        let locals = &instance.locals;
                        let one = |v: &VariableIndex| first_value(number, *v, &locals[*v as usize]);
                        variables.iter().map(one).collect::<Vec<Effect>>()
                    };
                    match (&step.target, reset) {
                        (_, Reset { then, otherwise }) if then == otherwise => {
                            step.effects.extend(assign(then));
                        }
                        (Target::Test(condition, _, _), Reset { then, otherwise }) => {
                            step.effects.push(Effect::If(
                                condition.clone(),
                                assign(then),
                                assign(otherwise),
                            ));
                        }
                        (Target::To(_), _) => unreachable!("such a step leads to one place"),
                    }
                }
                (at, lost)
            }
            None => (Vec::new(), Box::default()),
        };
        dead.at.push(at);
        dead.lost.push(lost);
    }
    dead
}

/// The assignment of the value that a variable had at first.
fn first_value(instance: InstanceId, variable: VariableIndex, local: &Variable) -> Effect {
    Effect::Assign {
        place: Place {
            variable: VariableRef::Local(instance, variable),
            path: Vec::new(),
            ty: local.ty.clone(),
        },
        ty: local.ty.clone(),
        value: Expr::Const(local.initial.clone()),
    }
}

/// What is dead of one instance.
struct Local {
    at: Vec<Box<[VariableIndex]>>,
    /// Of each step.
    reset: Vec<Reset>,
    lost: Box<[VariableIndex]>,
}

/// What a step gives its first value, ascending: in the branches of a test, or wherever it leads.
#[derive(Clone, Default)]
struct Reset {
    then: Vec<VariableIndex>,
    otherwise: Vec<VariableIndex>,
}

/// `None` where nothing is dead anywhere, or the instance is too large.
fn of_instance(
    number: InstanceId,
    instance: &Instance,
    foreign: &Bits,
    room: &mut Most,
) -> Option<Local> {
    let (locations, locals) = (instance.locations.len(), instance.locals.len());
    let places = (locations + instance.steps.len()).checked_mul(locals)?;
    let has_own = (0..locals).any(|variable| !foreign.contains(variable));
    if !has_own || places > room.of_one.min(room.of_all) {
        return None;
    }
    room.of_all -= places;
    let uses: Vec<Use> = instance
        .steps
        .iter()
        .map(|step| Use::of(number, step, locals))
        .collect();
    let live = live(instance, &uses, foreign);
    let dead = |location: usize| {
        let all = 0..locals;
        let dead = all.filter(|variable| !live.contains(location * locals + variable));
        dead.map(|variable| variable as VariableIndex).collect()
    };
    let at: Vec<Box<[VariableIndex]>> = (0..locations).map(dead).collect();
    let many: usize = at.iter().map(|here| here.len()).sum();
    if many == 0 {
        return None;
    }
    let mut reset = vec![Reset::default(); instance.steps.len()];
    let mut lost = Bits::below(locals);
    for (from, location) in instance.locations.iter().enumerate() {
        for &step in &location.steps {
            let Reset { then, otherwise } = &mut reset[step as usize];
            let assigned = &uses[step as usize].assigned;
            let (first, second) = targets(&instance.steps[step as usize]);
            for (target, reset) in [(first, then), (second, otherwise)] {
                let dead = at[target as usize].iter().copied();
                let is_assigned = |variable: &VariableIndex| assigned.contains(*variable as usize);
                dead.clone().filter(is_assigned).for_each(|variable| {
                    lost.insert(variable as usize);
                });
                // What was dead before has that value already.
                reset.extend(dead.filter(|variable| {
                    is_assigned(variable) || live.contains(from * locals + *variable as usize)
                }));
            }
        }
    }
    // A step may be taken at several places.
    for variables in reset
        .iter_mut()
        .flat_map(|step| [&mut step.then, &mut step.otherwise])
    {
        variables.sort_unstable();
        variables.dedup();
    }
    Some(Local {
        at,
        reset,
        lost: lost.within(0..locals).collect(),
    })
}

/// Of each location, one after the other, the variables that are live there.
fn live(instance: &Instance, uses: &[Use], foreign: &Bits) -> Bits {
    let (locations, locals) = (instance.locations.len(), instance.locals.len());
    let mut live = Bits::below(locations * locals);
    // The steps to each location, with where they are taken from.
    let mut before: Vec<Vec<(u32, u32)>> = vec![Vec::new(); locations];
    for (from, location) in instance.locations.iter().enumerate() {
        for variable in foreign.within(0..locals) {
            live.insert(from * locals + variable as usize);
        }
        for &step in &location.steps {
            for variable in uses[step as usize].reads.within(0..locals) {
                live.insert(from * locals + variable as usize);
            }
            let (then, otherwise) = targets(&instance.steps[step as usize]);
            before[then as usize].push((from as u32, step));
            if otherwise != then {
                before[otherwise as usize].push((from as u32, step));
            }
        }
    }
    // What is live at a location is so before the steps to it, unless they assign it. Each place is gone
    // on from once, so that each variable goes over each step once.
    let mut open: Vec<usize> = (0..locations * locals)
        .filter(|place| live.contains(*place))
        .collect();
    while let Some(place) = open.pop() {
        let (location, variable) = (place / locals, place % locals);
        for &(from, step) in &before[location] {
            let before_it = from as usize * locals + variable;
            if !uses[step as usize].kills.contains(variable) && live.insert(before_it) {
                open.push(before_it);
            }
        }
    }
    live
}

/// Where a step leads: a test to the one or the other.
fn targets(step: &Step) -> (LocationId, LocationId) {
    match step.target {
        Target::To(target) => (target, target),
        Target::Test(_, then, otherwise) => (then, otherwise),
    }
}

/// What a step does with the variables of its own instance.
struct Use {
    /// Those that it may read as they were before.
    reads: Bits,
    /// Those that it assigns to as a whole, whatever happens.
    kills: Bits,
    /// Those that it may assign to, or to a part of.
    assigned: Bits,
}

impl Use {
    fn of(instance: InstanceId, step: &Step, locals: usize) -> Use {
        let mut using = Using {
            instance,
            used: Use {
                reads: Bits::below(locals),
                kills: Bits::below(locals),
                assigned: Bits::below(locals),
            },
        };
        for_uses_before_effects(step, &mut |one| match one {
            walk::Use::Reads(expr) => using.read(expr),
            walk::Use::Assigns(place) => using.assign(place),
        });
        using.effects(&step.effects);
        if let Target::Test(condition, _, _) = &step.target {
            using.read(condition);
        }
        using.used
    }
}

struct Using {
    instance: InstanceId,
    used: Use,
}

impl Using {
    fn read(&mut self, expr: &Expr) {
        things_read(expr, &mut |thing| {
            if let Some(variable) = self.own(thing)
                && !self.used.kills.contains(variable)
            {
                self.used.reads.insert(variable);
            }
        });
    }

    fn own(&self, thing: Thing) -> Option<usize> {
        match thing {
            Thing::Variable(VariableRef::Local(instance, variable))
                if instance == self.instance =>
            {
                Some(variable as usize)
            }
            _ => None,
        }
    }

    fn assign(&mut self, place: &Place) {
        if let Some(variable) = self.own(Thing::Variable(place.variable)) {
            self.used.assigned.insert(variable);
            if place.path.is_empty() {
                self.used.kills.insert(variable);
            }
        }
    }

    fn effects(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Assign { place, value, .. } => {
                    for_indices(place, &mut |index| self.read(index));
                    self.read(value);
                    self.assign(place);
                }
                Effect::If(condition, then, otherwise) => {
                    self.read(condition);
                    let before = self.used.kills.clone();
                    self.effects(then);
                    let by_then = std::mem::replace(&mut self.used.kills, before);
                    let before = self.used.kills.clone();
                    self.effects(otherwise);
                    let by_other = std::mem::replace(&mut self.used.kills, before);
                    // Only what both assign is assigned whatever happens.
                    self.used.kills.insert_all(&by_then.intersection(&by_other));
                }
                Effect::Assert(_) => for_expressions(effect, &mut |expr| self.read(expr)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::{Location, Type, Value};

    /// Instances of four variables, three locations and two steps each. The first step assigns to one of
    /// the variables what nobody reads.
    fn system() -> System {
        let bit = Type::Scalar { lo: 0, hi: 1 };
        let variable = Variable {
            ty: bit.clone(),
            initial: Value::Int(0),
        };
        let step = |effects, to| Step {
            communication: None,
            guard: None,
            choices: vec![],
            effects,
            target: Target::To(to),
        };
        let location = |steps| Location {
            steps,
            is_final: true,
        };
        let instance = |number| {
            let assign = Effect::Assign {
                place: Place {
                    variable: VariableRef::Local(number, 2),
                    path: vec![],
                    ty: bit.clone(),
                },
                ty: bit.clone(),
                value: Expr::int(1),
            };
            Instance {
                process: 0,
                locals: vec![variable.clone(); 4],
                steps: vec![step(vec![assign], 1), step(vec![], 2)],
                locations: vec![location(vec![0]), location(vec![1]), location(vec![])],
                initial: 0,
                alphabet: vec![],
            }
        };
        System {
            instances: (0..3).map(instance).collect(),
            ..System::default()
        }
    }

    /// Which of the instances lose a value, and that all others are as they were.
    fn losing(of_one: usize, of_all: usize) -> Vec<bool> {
        let mut system = system();
        let before = system.instances.clone();
        let dead = without_dead_within(Most { of_one, of_all }, &mut system, &[]);
        let instances = (0..).zip(system.instances.iter().zip(&before));
        instances
            .map(|(number, (instance, before))| {
                let loses = dead.loses(number, 2);
                assert_eq!(loses, instance != before);
                assert_eq!(loses, dead.at(number, 1) == [0, 1, 2, 3]);
                loses
            })
            .collect()
    }

    #[test]
    fn an_instance_of_as_many_places_as_allowed_forgets_and_a_larger_one_keeps_all() {
        // Three locations and two steps, times four variables.
        let losing = [19, 20, 21].map(|of_one| losing(of_one, MOST_DEAD));
        assert_eq!(losing, [[false; 3], [true; 3], [true; 3]]);
    }

    #[test]
    fn as_many_instances_forget_as_have_room_together() {
        let losing = [19, 20, 39, 40, 59, 60, 61].map(|of_all| losing(MOST_PLACES, of_all));
        let first = |count| [0, 1, 2].map(|number| number < count);
        assert_eq!(losing, [0, 1, 1, 2, 2, 3, 3].map(first));
    }
}
