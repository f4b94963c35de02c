//! Coverage of a System: a table of what searches have seen of each of its items.
//!
//! What was seen happens in the System: the states of a search are reachable ones, and those of a
//! slice are what stays of reachable ones (`stubborn_system::slice`). What was *not* seen happens
//! nowhere only if the entry is whole ([`Search::is_whole`]).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry as Place;

use stubborn_system::slice::{Cone, Parts, Slice};
use stubborn_system::system::{
    Instance, InstanceId, LocationId, StepId, System, Target, Type, VariableRef,
};
use stubborn_system::walk::tests;

/// Part of a state space that a search has looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// Some of it: what was not seen may happen all the same.
    #[default]
    Part,
    /// Enough of it for everything that one instance alone changes: its location, its own
    /// variables, the shared ones that no other instance assigns to. Variables that several
    /// instances assign to may have values that were not seen.
    Local,
    /// All of it: what was not seen never happens.
    Whole,
}

/// Item of a System that a search can cover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Item {
    Location(InstanceId, LocationId),
    Step(InstanceId, StepId),
    /// An `if` among the effects of a step, by its number there
    /// ([`for_tests`](stubborn_system::walk::for_tests)).
    Branch(InstanceId, StepId, u32),
    Variable(VariableRef),
}

/// What was seen of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sight {
    /// The search has not looked at it, or merged steps pass over it.
    Unknown,
    /// Number of states in which the instance was at the location.
    States(u64),
    /// How the step was taken; which branches of the `if` were taken.
    Taken(Taken),
    /// Values of each scalar of the variable, in the order of its cells and fields.
    Values(Vec<Values>),
}

/// Search that an entry is from. A greater one says more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Search {
    /// What it has not seen of the item never happens.
    pub is_whole: bool,
    /// States are canonical: a count of states is that of all instances that permutations move to
    /// this one.
    pub is_turned: bool,
    /// Number of its states.
    pub states: u64,
}

/// Entry of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub search: Search,
    pub sight: Sight,
}

/// The table. Extent, number of states and levels are those of one search, and stay as they are when
/// tables of others are merged into it. Items that no search has had are not in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    pub extent: Extent,
    pub is_turned: bool,
    pub states: u64,
    /// Number of states at each depth of a breadth-first search, without those that it has found
    /// later, to make up for steps that it had left out.
    pub levels: Vec<u64>,
    pub entries: BTreeMap<Item, Entry>,
}

/// How a step was taken in some state, failing included; which branches of an `if` were taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// It was; a test was found true.
    pub then: bool,
    /// A test was found false.
    pub otherwise: bool,
}

impl Taken {
    pub const BOTH: Taken = Taken {
        then: true,
        otherwise: true,
    };

    /// Outcome of a test.
    pub fn test(is_true: bool) -> Taken {
        Taken {
            then: is_true,
            otherwise: !is_true,
        }
    }

    /// Whether it was taken at all.
    pub fn at_all(self) -> bool {
        self.then || self.otherwise
    }

    pub fn or(self, other: Taken) -> Taken {
        Taken {
            then: self.then | other.then,
            otherwise: self.otherwise | other.otherwise,
        }
    }
}

/// Values that a scalar had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Set of values of a type with few: bit `k` stands for `lo + k`.
    Each {
        lo: i64,
        set: u64,
    },
    Between {
        least: i64,
        greatest: i64,
    },
}

impl Values {
    /// The values one by one, if they are few.
    pub fn each(&self) -> Option<impl Iterator<Item = i64> + use<>> {
        let Values::Each { lo, set } = *self else {
            return None;
        };
        let bits = (0..64).filter(move |bit| set >> bit & 1 == 1);
        Some(bits.map(move |bit| lo.wrapping_add(bit)))
    }

    /// The least and the greatest.
    pub fn ends(&self) -> (i64, i64) {
        match *self {
            Values::Each { lo, set } => {
                let high = 63 - i64::from(set.leading_zeros().min(63));
                let low = i64::from(set.trailing_zeros().min(63));
                (lo.wrapping_add(low), lo.wrapping_add(high))
            }
            Values::Between { least, greatest } => (least, greatest),
        }
    }

    /// Adds a value by its distance from the least of the type, which is `lo`.
    pub fn add(&mut self, raw: u64, lo: i64) {
        match self {
            Values::Each { set, .. } => *set |= 1 << raw,
            Values::Between { least, greatest } => {
                let value = lo.wrapping_add(raw as i64);
                *least = value.min(*least);
                *greatest = value.max(*greatest);
            }
        }
    }
}

impl Coverage {
    /// Adds an entry of the search that the table is of.
    pub fn note(&mut self, item: Item, is_whole: bool, sight: Sight) {
        let search = Search {
            is_whole,
            is_turned: self.is_turned,
            states: self.states,
        };
        self.entries.insert(item, Entry { search, sight });
    }

    pub fn get(&self, item: Item) -> Option<&Entry> {
        self.entries.get(&item)
    }

    /// Search that says the most of an instance, if one has had it.
    pub fn of_instance(&self, instance: InstanceId) -> Option<Search> {
        let entry = self.get(Item::Location(instance, 0));
        entry.map(|entry| entry.search)
    }

    /// Number of states with an instance at a location.
    pub fn visits(&self, instance: InstanceId, location: LocationId) -> Option<u64> {
        match self.get(Item::Location(instance, location))?.sight {
            Sight::States(states) => Some(states),
            _ => None,
        }
    }

    /// How a step, or an `if`, was taken.
    pub fn taken(&self, item: Item) -> Option<Taken> {
        match self.get(item)?.sight {
            Sight::Taken(taken) => Some(taken),
            _ => None,
        }
    }

    /// Values of the scalars of a variable.
    pub fn values(&self, variable: VariableRef) -> Option<(Search, &[Values])> {
        let entry = self.get(Item::Variable(variable))?;
        match &entry.sight {
            Sight::Values(values) => Some((entry.search, values)),
            _ => None,
        }
    }

    /// Adds what another table has of the same System: the entry of the search that says more, and
    /// all branches, since one search may have left out those of another.
    pub fn merge(&mut self, other: &Coverage) {
        for (item, entry) in &other.entries {
            let mut known = match self.entries.entry(*item) {
                Place::Vacant(place) => {
                    place.insert(entry.clone());
                    continue;
                }
                Place::Occupied(known) => known,
            };
            let known = known.get_mut();
            if let (Item::Branch(..), Sight::Taken(known), Sight::Taken(taken)) =
                (item, &mut known.sight, &entry.sight)
            {
                *known = known.or(*taken);
            } else if entry.search > known.search {
                known.clone_from(entry);
            }
        }
    }

    /// The part of a table of a System that a cone keeps, by the numbers of the slice.
    pub fn projected(&self, system: &System, cone: &Cone) -> Coverage {
        self.renumbered(kept(system, cone).into_iter())
    }

    /// A table of the slice that a cone leaves, by the numbers of the System.
    pub fn unprojected(&self, system: &System, cone: &Cone) -> Coverage {
        let kept = kept(system, cone).into_iter();
        self.renumbered(kept.map(|(whole, sliced)| (sliced, whole)))
    }

    fn renumbered(&self, items: impl Iterator<Item = (Item, Item)>) -> Coverage {
        let entries = items.filter_map(|(from, to)| Some((to, self.get(from)?.clone())));
        self.with(entries.collect())
    }

    fn with(&self, entries: BTreeMap<Item, Entry>) -> Coverage {
        Coverage {
            levels: self.levels.clone(),
            entries,
            ..*self
        }
    }

    /// A table of a slice, by the numbers of the System that it was made of.
    pub fn lifted(&self, system: &System, slice: &Slice) -> Coverage {
        let mut all = self.with(BTreeMap::new());
        for within in 0..slice.instances.len() as InstanceId {
            if let Some(search) = self.of_instance(within) {
                self.lift_instance(system, slice, within, |item, sight| {
                    all.entries.insert(item, Entry { search, sight });
                });
            }
        }
        for (item, entry) in &self.entries {
            let Item::Variable(variable) = *item else {
                continue;
            };
            let mut entry = entry.clone();
            let whole = match variable {
                VariableRef::Shared(shared) => {
                    VariableRef::Shared(slice.variables[shared as usize])
                }
                VariableRef::Local(within, local) => {
                    let loses =
                        slice.dead.loses(within, local) || slice.merged.loses(within, local);
                    entry.search.is_whole &= !loses;
                    let instance = slice.instances[within as usize];
                    VariableRef::Local(instance, slice.locals[within as usize][local as usize])
                }
            };
            all.entries.insert(Item::Variable(whole), entry);
        }
        all
    }

    /// The locations, steps and branches of an instance of the System, which the slice has as
    /// `within`. A step of the slice consists of some of the System's ([`Merged::parts`]); one that
    /// is part of none was removed since it is never taken (`Slice::simplified`, `Slice::merged`).
    ///
    /// [`Merged::parts`]: stubborn_system::slice::Merged::parts
    fn lift_instance(
        &self,
        system: &System,
        slice: &Slice,
        within: InstanceId,
        mut note: impl FnMut(Item, Sight),
    ) {
        let (sliced, whole) = (
            &slice.system.instances[within as usize],
            slice.instances[within as usize],
        );
        let instance = &system.instances[whole as usize];
        let numbers = 0..sliced.steps.len() as StepId;
        let taken: Option<Vec<Taken>> = numbers
            .map(|step| self.taken(Item::Step(within, step)))
            .collect();
        // Without a look at the steps nothing is known of the removed ones either.
        let never = taken.is_some().then(Taken::default);
        let mut steps = vec![never; instance.steps.len()];
        let of_step = |step| slice.tests_kept(system, step);
        let kept: Vec<Vec<u32>> = instance.steps.iter().map(of_step).collect();
        let mut branches: Vec<Vec<Option<Taken>>> =
            kept.iter().map(|kept| vec![never; kept.len()]).collect();
        for (number, taken) in (0..).zip(taken.into_iter().flatten()) {
            let parts = slice.merged.parts(within, number);
            let target = &sliced.steps[number as usize].target;
            // A step has the branches of its parts one after the other.
            let mut next = 0;
            for (part, taken) in taken_of_parts(instance, &parts, taken, target) {
                let part = part as usize;
                steps[part] = steps[part].map(|known| known.or(taken));
                for branch in &mut branches[part] {
                    let taken = self.taken(Item::Branch(within, number, next));
                    *branch = branch.zip(taken).map(|(known, taken)| known.or(taken));
                    next += 1;
                }
            }
        }
        // An instance that was never where a merged step begins or ends has not taken it.
        let was_at = |location| self.visits(within, location) != Some(0);
        let is_passed = |location| {
            let mut by = slice.merged.passed_by(within, location);
            by.any(|(from, to)| was_at(from) && was_at(to))
        };
        // An instance that is passed over a location can go on from there.
        let goes_nowhere = |location: LocationId| {
            let mut here = instance.locations[location as usize].steps.iter();
            here.all(|step| steps[*step as usize].is_some_and(|taken| !taken.at_all()))
        };
        for location in 0..sliced.locations.len() as LocationId {
            let sight = match self.visits(within, location) {
                Some(0) if is_passed(location) && !goes_nowhere(location) => Sight::Unknown,
                Some(states) => Sight::States(states),
                None => Sight::Unknown,
            };
            note(Item::Location(whole, location), sight);
        }
        for (step, ((taken, kept), branches)) in (0..).zip(steps.iter().zip(kept).zip(branches)) {
            let sight = taken.map_or(Sight::Unknown, Sight::Taken);
            note(Item::Step(whole, step), sight);
            for (number, taken) in kept.into_iter().zip(branches) {
                if let Some(taken) = taken {
                    note(Item::Branch(whole, step, number), Sight::Taken(taken));
                }
            }
        }
    }

    /// Whether this says more than another table of the same System.
    pub fn is_better_than(&self, other: &Coverage) -> bool {
        // A state that stands for others says more than one.
        let worth = |one: &Coverage| (one.extent, one.is_turned, one.states);
        worth(self) > worth(other)
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> usize {
        let of_values = |entry: &Entry| match &entry.sight {
            Sight::Values(values) => values.capacity() * size_of::<Values>(),
            _ => 0,
        };
        let values: usize = self.entries.values().map(of_values).sum();
        let entries = self.entries.len() * size_of::<(Item, Entry)>();
        size_of::<Coverage>() + self.levels.capacity() * size_of::<u64>() + entries + values
    }
}

/// How the parts of a step were taken, which leads to `target` in the slice. A test that others
/// follow was true if the next part begins there, and may have been either if that can begin at
/// both.
fn taken_of_parts<'a>(
    instance: &'a Instance,
    parts: &'a Parts<'_>,
    taken: Taken,
    target: &'a Target,
) -> impl Iterator<Item = (StepId, Taken)> + 'a {
    let all = match parts {
        Parts::One(step) => std::slice::from_ref(step),
        Parts::Several(steps) => steps,
    };
    (0..).zip(all).map(move |(at, part)| {
        let goes_on_at = |location: LocationId| match (all.get(at + 1), target) {
            (Some(next), _) => instance.locations[location as usize].steps.contains(next),
            (None, Target::To(target)) => *target == location,
            (None, Target::Test(..)) => false,
        };
        let is_last = at + 1 == all.len();
        let of_part = match (&instance.steps[*part as usize].target, target) {
            _ if matches!(parts, Parts::One(_)) => taken,
            (Target::To(_), _) => Taken {
                then: taken.at_all(),
                otherwise: false,
            },
            // The test is that of the whole step.
            (Target::Test(..), Target::Test(..)) if is_last => taken,
            (Target::Test(_, then, otherwise), _) => Taken {
                then: taken.at_all() && goes_on_at(*then),
                otherwise: taken.at_all() && goes_on_at(*otherwise),
            },
        };
        (*part, of_part)
    })
}

/// Items that a cone keeps of a System, by their numbers in the System and in the slice.
fn kept(system: &System, cone: &Cone) -> Vec<(Item, Item)> {
    let mut items = Vec::new();
    for (within, whole) in (0..).zip(cone.instances()) {
        let instance = &system.instances[whole as usize];
        let locations = 0..instance.locations.len() as LocationId;
        items.extend(locations.map(|at| (Item::Location(whole, at), Item::Location(within, at))));
        for (number, step) in (0..).zip(&instance.steps) {
            items.push((Item::Step(whole, number), Item::Step(within, number)));
            if tests(&step.effects) > 0 {
                let tests = (0..).zip(cone.tests_kept(system, step));
                items.extend(tests.map(|(at, test)| {
                    let of = |who, test| Item::Branch(who, number, test);
                    (of(whole, test), of(within, at))
                }));
            }
        }
        let locals = (0..).zip(cone.locals(whole));
        items.extend(locals.map(|(at, local)| {
            let of = |who, local| Item::Variable(VariableRef::Local(who, local));
            (of(whole, local), of(within, at))
        }));
    }
    let shared = (0..).zip(cone.shared());
    items.extend(shared.map(|(at, shared)| {
        let of = |shared| Item::Variable(VariableRef::Shared(shared));
        (of(shared), of(at))
    }));
    items
}

/// Number of scalars of a variable, as a number of places in memory.
pub fn scalars(ty: &Type) -> usize {
    usize::try_from(ty.scalars()).unwrap_or(usize::MAX)
}
