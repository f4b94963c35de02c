//! What is said to be seen, and what is said never to happen, held to the plain state space.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;

use stubborn_engine::coverage::{Coverage, Extent, Item, Search, Sight, Taken, Values};
use stubborn_engine::{
    Caller, Event, Label, Observer, Options, Reduction, Sink, State, check, explore,
};
use stubborn_random::model::Model;
use stubborn_random::random::Random;
use stubborn_random::read;
use stubborn_random::sweep;
use stubborn_system::property::Property;
use stubborn_system::system::{Failure, System, Target, Value, VariableRef};

use super::branches::Witness;
use super::compare::Asked;

/// Larger systems are put back.
const MOST_STATES: u64 = 1_500;

/// What some searches have told, and for which properties.
#[derive(Default)]
struct Told(Mutex<Vec<(Vec<usize>, Coverage)>>);

impl Observer for Told {
    fn event(&self, event: Event<'_>) {
        if let Event::Saw(properties, seen) = event {
            let mut told = self.0.lock().expect("nobody panics");
            told.push((properties.to_vec(), seen.clone()));
        }
    }
}

/// Everything that every reachable state has.
struct Reachable {
    states: u64,
    locations: Vec<BTreeSet<u32>>,
    /// Of each shared variable, for each of its scalars.
    shared: Vec<Vec<BTreeSet<i64>>>,
    locals: Vec<Vec<Vec<BTreeSet<i64>>>>,
    /// Where each instance is in each state.
    at: Vec<Vec<u32>>,
    /// The steps of each instance that are taken, and to which states they lead; to none where they fail.
    taken: BTreeSet<(u32, u32, Option<u32>)>,
    branches: Witness,
}

impl Sink for Reachable {
    fn wants_states(&self) -> bool {
        true
    }

    fn state(&mut self, number: u32, state: &State) {
        assert_eq!(number as usize, self.at.len(), "states come in their order");
        let at = state.instances.iter().map(|instance| instance.location);
        self.at.push(at.collect());
        self.states += 1;
        self.branches.look_at(state);
        for (seen, value) in self.shared.iter_mut().zip(&state.shared) {
            add(seen, value);
        }
        for (number, instance) in state.instances.iter().enumerate() {
            self.locations[number].insert(instance.location);
            for (seen, value) in self.locals[number].iter_mut().zip(&instance.locals) {
                add(seen, value);
            }
        }
    }

    fn edge(&mut self, _: u32, label: Label<'_>, to: u32) {
        let steps = label.participants.iter();
        self.taken.extend(steps.map(|(i, s)| (*i, *s, Some(to))));
    }

    fn failing(&mut self, _: u32, label: Label<'_>, _: &Failure) {
        let steps = label.participants.iter();
        self.taken.extend(steps.map(|(i, s)| (*i, *s, None)));
    }
}

fn add(seen: &mut Vec<BTreeSet<i64>>, value: &Value) {
    fn go(seen: &mut Vec<BTreeSet<i64>>, at: &mut usize, value: &Value) {
        match value {
            Value::Int(value) => {
                if seen.len() == *at {
                    seen.push(BTreeSet::new());
                }
                seen[*at].insert(*value);
                *at += 1;
            }
            Value::Cells(cells) => cells.iter().for_each(|cell| go(seen, at, cell)),
        }
    }
    go(seen, &mut 0, value);
}

impl Reachable {
    fn of(system: &System) -> Result<Option<Reachable>, String> {
        let of_all = |count: usize| vec![Vec::new(); count];
        let mut all = Reachable {
            states: 0,
            locations: vec![BTreeSet::new(); system.instances.len()],
            shared: of_all(system.variables.len()),
            locals: (system.instances.iter())
                .map(|instance| of_all(instance.locals.len()))
                .collect(),
            at: Vec::new(),
            taken: BTreeSet::new(),
            branches: Witness::of(system),
        };
        let mut options = Options {
            reduction: Reduction::None,
            keep_dead_variables: true,
            ..Options::default()
        };
        options.limits.max_states = Some(MOST_STATES);
        let explored = explore(system, &options, Caller::default(), &mut all);
        let explored = explored.map_err(|error| error.to_string())?;
        Ok(explored.complete.then_some(all))
    }

    /// How a step is taken, and whether it fails somewhere.
    fn steps(&self, system: &System, who: u32, step: u32) -> (Taken, bool) {
        let (mut taken, mut fails) = (Taken::default(), false);
        for (_, _, to) in self
            .taken
            .range((who, step, None)..=(who, step, Some(u32::MAX)))
        {
            match (
                &system.instances[who as usize].steps[step as usize].target,
                to,
            ) {
                (_, None) => fails = true,
                (Target::Test(_, then, otherwise), Some(to)) if then != otherwise => {
                    match self.at[*to as usize][who as usize] == *otherwise {
                        true => taken.otherwise = true,
                        false => taken.then = true,
                    }
                }
                (_, Some(_)) => taken.then = true,
            }
        }
        (taken, fails)
    }
}

/// Which kinds of answers have been held to the plain space, so that a test that has become blind is
/// noticed.
#[derive(Default)]
pub struct Tally {
    systems: u64,
    /// Searches that looked at a part, at enough for local states, and at everything.
    extents: [u64; 3],
    /// Local states and values of local variables that a reduced search says are never reached.
    never: u64,
    /// Shared variables of which a reduced search says that it has had all values.
    owned: u64,
    /// Shared variables of which a reduced search missed values, which it may.
    missed: u64,
    /// Local variables of which values were merged away.
    lost: u64,
    /// Steps that a search says are never taken, where not every step was taken and where it was; tests that
    /// are never true, or never false.
    idle: [u64; 2],
    one_way: u64,
    /// Branches of effects that such searches say no run goes into, and `if`s of which they say nothing.
    passed: [u64; 2],
    untold: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tally {
            systems,
            extents,
            never,
            owned,
            missed,
            lost,
            idle,
            one_way,
            passed,
            untold,
        } = self;
        write!(
            f,
            "{systems} systems; searches of a part, of local states, of all: {extents:?}; {never} \
             locations that a reduced search rules out; {owned} shared variables of which it has all \
             values, {missed} shared variables of which it misses values; {lost} local variables of which \
             values are merged away; {idle:?} steps that a reduced or another search says are never taken, \
             {one_way} tests that always come out the same; {passed:?} branches of effects that a reduced or \
             another search says no run goes into, {untold} conditional effects of which it says nothing"
        )
    }
}

impl sweep::Tally for Tally {
    fn add(&mut self, other: &Tally) {
        self.systems += other.systems;
        for (mine, other) in self.extents.iter_mut().zip(other.extents) {
            *mine += other;
        }
        self.never += other.never;
        self.owned += other.owned;
        self.missed += other.missed;
        self.lost += other.lost;
        for (mine, other) in self.idle.iter_mut().zip(other.idle) {
            *mine += other;
        }
        self.one_way += other.one_way;
        for (mine, other) in self.passed.iter_mut().zip(other.passed) {
            *mine += other;
        }
        self.untold += other.untold;
    }
}

impl Tally {
    pub fn assert_diverse(&self) {
        let kinds = self
            .extents
            .iter()
            .chain([&self.never, &self.owned, &self.lost, &self.one_way])
            .chain(&self.idle)
            .chain(&self.passed);
        assert!(kinds.copied().min() >= Some(20), "{self}");
    }
}

/// Whatever the searches say of a system is so.
pub fn seen_is_reached_and_never_is_never(
    model: &Model,
    seed: u64,
    tally: &mut Tally,
) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let Some(reachable) = Reachable::of(&drawn.system)? else {
        return Ok(false);
    };
    let mut random = Random::new(seed ^ 0x5ee);
    let asked = Asked::of_seed(seed);
    let properties: Vec<Property> = drawn
        .properties
        .iter()
        .map(|p| p.property.clone())
        .collect();
    // Some of them, so that searches that end early do not hide what the others would tell.
    let several: Vec<Property> = (properties.iter())
        .filter(|_| random.one_in(2))
        .cloned()
        .collect();
    let built_in = vec![Property::Errors, Property::Deadlock { allowed: None }];
    for properties in [&properties, &several, &built_in] {
        for reduction in [Reduction::Stubborn, Reduction::None] {
            let options = Options {
                tells_seen: true,
                reduction,
                ..asked.options()
            };
            let told = Told::default();
            check(
                &drawn.system,
                properties,
                &options,
                Caller::observing(&told),
            )
            .map_err(|error| error.to_string())?;
            for (of, seen) in told.0.into_inner().expect("nobody panics") {
                tally.extents[seen.extent as usize] += 1;
                is_true(&drawn.system, &seen, &reachable, !asked.whole, tally)
                    .map_err(|wrong| format!("{wrong} ({of:?}, {reduction:?}, {asked:?})"))?;
            }
        }
    }
    tally.systems += 1;
    Ok(true)
}

/// Where dead variables are merged a value may be in no state that a search keeps.
fn is_true(
    system: &System,
    seen: &Coverage,
    reachable: &Reachable,
    merged: bool,
    tally: &mut Tally,
) -> Result<(), String> {
    if seen.states > reachable.states {
        return Err(format!("{} states of {}", seen.states, reachable.states));
    }
    let is_local_whole = seen.extent >= Extent::Local;
    for (who, instance) in (0..).zip(&system.instances) {
        if seen.of_instance(who).is_none() {
            continue;
        }
        let number = who as usize;
        let counts = (0..instance.locations.len() as u32).map(|at| seen.visits(who, at));
        if counts.flatten().sum::<u64>() != seen.states {
            return Err(format!("instance {number} is somewhere in every state"));
        }
        branches_are_true(system, who, seen, reachable, tally)?;
    }
    for (item, entry) in &seen.entries {
        let is_whole = entry.search.is_whole;
        match (*item, &entry.sight) {
            (Item::Location(who, location), Sight::States(count)) => {
                let is_reached = reachable.locations[who as usize].contains(&location);
                if *count > 0 && !is_reached {
                    return Err(format!("instance {who} is never at {location}"));
                }
                if *count == 0 && is_whole {
                    tally.never += u64::from(seen.extent == Extent::Local);
                    if is_reached {
                        return Err(format!("instance {who} gets to {location}"));
                    }
                }
            }
            (Item::Step(who, step), Sight::Taken(said)) => {
                let (taken, fails) = reachable.steps(system, who, step);
                // Of a test that fails, and of steps that are searched as one with others that do, more may be said.
                let is_wrong = taken.then && !said.then
                    || taken.otherwise && !said.otherwise
                    || said.at_all() && !taken.at_all() && !fails && !merged
                    || fails && !said.at_all();
                if is_wrong || !is_whole {
                    return Err(format!(
                        "step {step} of instance {who}: {said:?} was said of {taken:?}, {fails}"
                    ));
                }
                let of_all = seen.extent == Extent::Whole;
                tally.idle[usize::from(of_all)] += u64::from(!said.at_all());
                let target = &system.instances[who as usize].steps[step as usize].target;
                let is_test = matches!(target, Target::Test(..));
                tally.one_way += u64::from(is_test && said.then != said.otherwise);
            }
            (Item::Variable(variable @ VariableRef::Local(who, local)), Sight::Values(values)) => {
                let all = &reachable.locals[who as usize][local as usize];
                tally.lost += u64::from(!is_whole && is_local_whole);
                if is_whole && !is_local_whole || !is_whole && is_local_whole && !merged {
                    return Err(format!("{variable:?}: {values:?}"));
                }
                compared(entry.search, values, all)
                    .map_err(|wrong| format!("{variable:?}: {wrong}"))?;
            }
            (Item::Variable(VariableRef::Shared(number)), Sight::Values(values)) => {
                let is_right = match seen.extent {
                    Extent::Part => !is_whole,
                    Extent::Local => true,
                    Extent::Whole => is_whole,
                };
                if !is_right {
                    return Err(format!("shared {number}: {values:?} of {:?}", seen.extent));
                }
                tally.owned += u64::from(is_whole && seen.extent == Extent::Local);
                let missed = compared(entry.search, values, &reachable.shared[number as usize])
                    .map_err(|wrong| format!("shared {number}: {wrong}"))?;
                tally.missed += u64::from(missed && seen.extent == Extent::Local);
            }
            _ => {}
        }
    }
    Ok(())
}

/// What is said of the branches of an instance's effects.
fn branches_are_true(
    system: &System,
    who: u32,
    seen: &Coverage,
    reachable: &Reachable,
    tally: &mut Tally,
) -> Result<(), String> {
    let is_local_whole = seen.extent >= Extent::Local;
    let is_whole = usize::from(seen.extent == Extent::Whole);
    for (&(of, step, number), gone) in reachable.branches.gone.range((who, 0, 0)..(who + 1, 0, 0)) {
        debug_assert_eq!(of, who);
        let Some(said) = seen.taken(Item::Branch(who, step, number)) else {
            tally.untold += u64::from(is_local_whole);
            continue;
        };
        if !is_local_whole {
            return Err(format!(
                "`if` {number} of step {step} of instance {who} in a part"
            ));
        }
        let (_, fails) = reachable.steps(system, who, step);
        // Of what a step has done before it fails nobody knows.
        let is_wrong = gone.then && !said.then || gone.otherwise && !said.otherwise || {
            !fails && said != *gone
        };
        if is_wrong {
            return Err(format!(
                "`if` {number} of step {step} of instance {who}: {said:?} was said of {gone:?}, {fails}"
            ));
        }
        let ways = [said.then, said.otherwise];
        tally.passed[is_whole] += ways.iter().filter(|is| !**is).count() as u64;
    }
    Ok(())
}

/// Whether there are values that were not seen.
fn compared(search: Search, seen: &[Values], all: &[BTreeSet<i64>]) -> Result<bool, String> {
    if seen.len() != all.len() {
        return Err(format!("{} scalars of {}", seen.len(), all.len()));
    }
    let mut missed = false;
    for (seen, all) in seen.iter().zip(all) {
        let ends = (all.first().copied(), all.last().copied());
        let (least, greatest) = seen.ends();
        let (is_reached, is_all) = match (seen, seen.each()) {
            (Values::Each { .. }, Some(each)) => {
                let each: BTreeSet<i64> = each.collect();
                (each.is_subset(all), each == *all)
            }
            _ => (
                all.contains(&least) && all.contains(&greatest),
                (Some(least), Some(greatest)) == ends,
            ),
        };
        if !is_reached || search.is_whole && !is_all {
            return Err(format!("{seen:?} was seen of {all:?}"));
        }
        missed |= !is_all;
    }
    Ok(missed)
}
