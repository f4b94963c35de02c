//! Trying which values, and which instances, can be swapped.

use std::collections::HashMap;

use super::blank::{self, Blank};
use super::group::Symmetry;
use super::matching::Known;
use super::obstacle::Site;
use super::owners::{Element, Moves, Owned, owners};
use super::renamed::{Moved, Renaming, Row, Swap, Unlike, Written, ensure};
use super::shapes::{Shape, SortId};
use super::sorts::{NONE, Node, Sorts};
use crate::property::{Property, StepPattern};
use crate::system::{InstanceId, System, VariableRef};

/// Sorts with more values, and processes with more instances that no value names, are left alone.
const MOST_VALUES: i64 = 64;
/// So many words of steps are looked at before what was found is all.
const MOST_WORK: u64 = 1 << 24;

/// Two elements can be swapped.
pub struct Generator {
    pub instances: Vec<u32>,
    pub channels: Vec<u32>,
}

/// What can be swapped with each other.
struct Cluster {
    /// `None` where they are instances.
    sort: Option<Node>,
    /// The values, or the numbers of instances.
    values: Vec<i64>,
    /// Swaps the first with each of the others.
    generators: Vec<Generator>,
}

pub fn find(
    system: &System,
    properties: &[Property],
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Symmetry> {
    if properties.iter().any(Property::is_monitored) || !goes_on() {
        return None;
    }
    let mut joined = Sorts::of(system, properties);
    joined.join();
    let found = with_sorts(system, properties, &joined, goes_on);
    // Perhaps too much was taken for one.
    found.or_else(|| with_sorts(system, properties, &Sorts::of(system, properties), goes_on))
}

fn with_sorts(
    system: &System,
    properties: &[Property],
    sorts: &Sorts,
    goes_on: &mut dyn FnMut() -> bool,
) -> Option<Symmetry> {
    let blank = blank::find(system, sorts, properties);
    let known = Known::of(system, sorts, &blank).ok()?;
    let mut trial = Trial::new(&known, properties)?;
    let mut clusters = Vec::new();
    for (sort, lo, hi) in sorts.all() {
        if (1..MOST_VALUES).contains(&hi.saturating_sub(lo)) {
            clusters.extend(trial.of_sort(sort, lo, hi, goes_on)?);
        }
    }
    clusters.extend(trial.of_instances(&clusters, goes_on)?);
    assemble(system, sorts, blank, clusters)
}

pub struct Trial<'a> {
    pub(super) known: &'a Known<'a>,
    properties: &'a [Property],
    /// What everything is where nothing is renamed.
    plain: Form,
    work: u64,
    /// What the proof looks at.
    pub(super) site: Site,
}

/// Everything that must be the same afterwards.
struct Form {
    /// Of each instance, by location.
    instances: Vec<Vec<Vec<Row>>>,
    alphabets: Vec<Vec<Row>>,
    locals: Vec<Row>,
    properties: Vec<Vec<Row>>,
}

impl<'a> Trial<'a> {
    pub fn new(known: &'a Known<'a>, properties: &'a [Property]) -> Option<Trial<'a>> {
        let identity = |count: usize| (0..count as u32).collect::<Vec<u32>>();
        let (instances, channels) = (
            identity(known.system.instances.len()),
            identity(known.system.channels.len()),
        );
        let mut trial = Trial {
            known,
            properties,
            plain: Form {
                instances: Vec::new(),
                alphabets: Vec::new(),
                locals: Vec::new(),
                properties: Vec::new(),
            },
            work: 0,
            site: Site::Declarations,
        };
        let swap = Swap {
            values: None,
            instances: Moved::To(&instances),
            channels: Moved::To(&channels),
        };
        let renaming = trial.renaming(&swap);
        for instance in instances.iter().copied() {
            let of = &known.system.instances[instance as usize];
            let locations = 0..of.locations.len();
            let rows = locations.map(|at| trial.location(&renaming, instance, at));
            let rows = rows.collect::<Result<_, _>>().ok()?;
            let alphabet = trial.alphabet(&renaming, instance);
            let locals = trial.locals(&renaming, instance).ok()?;
            trial.plain.instances.push(rows);
            trial.plain.alphabets.push(alphabet);
            trial.plain.locals.push(locals);
        }
        trial.plain.properties = trial.asked(&renaming).ok()?;
        Some(trial)
    }

    fn renaming<'s>(&self, swap: &'s Swap<'s>) -> Renaming<'s>
    where
        'a: 's,
    {
        Renaming {
            system: self.known.system,
            sorts: self.known.sorts,
            blank: self.known.blank,
            swap,
        }
    }

    /// The steps that an instance may take at a location.
    fn location(
        &self,
        renaming: &Renaming<'_>,
        instance: InstanceId,
        at: usize,
    ) -> Result<Vec<Row>, Unlike> {
        let of = &self.known.system.instances[instance as usize];
        let steps = of.locations[at].steps.iter();
        let rows = steps.map(|step| {
            renaming.step(
                instance,
                at as u32,
                *step as usize,
                &of.steps[*step as usize],
            )
        });
        let mut rows: Vec<Row> = rows.collect::<Result<_, _>>()?;
        rows.sort_unstable();
        Ok(rows)
    }

    fn alphabet(&self, renaming: &Renaming<'_>, instance: InstanceId) -> Vec<Row> {
        let patterns = self.known.system.instances[instance as usize]
            .alphabet
            .iter();
        let mut rows: Vec<Row> = patterns.map(|pattern| renaming.pattern(pattern)).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn locals(&self, renaming: &Renaming<'_>, instance: InstanceId) -> Result<Row, Unlike> {
        let mut row = Row::new();
        for (v, local) in (0..).zip(&self.known.system.instances[instance as usize].locals) {
            renaming.ty(&local.ty, self.known.sorts.local(instance, v), &mut row)?;
        }
        Ok(row)
    }

    /// What the properties ask.
    fn asked(&self, renaming: &Renaming<'_>) -> Result<Vec<Vec<Row>>, Unlike> {
        let properties = self.properties.iter();
        properties.map(|one| self.asked_by(one, renaming)).collect()
    }

    fn asked_by(&self, property: &Property, renaming: &Renaming<'_>) -> Result<Vec<Row>, Unlike> {
        let mut rows = Vec::new();
        for expr in property.expressions() {
            rows.push(renaming.expression(expr)?);
        }
        for set in property.step_sets() {
            let of_pattern = |pattern: &StepPattern| {
                Ok(match pattern {
                    StepPattern::Action(action) => {
                        let mut row = vec![1];
                        row.extend(renaming.pattern(action));
                        row
                    }
                    StepPattern::At(instance, locations) => {
                        let mut row = vec![2, renaming.image(*instance)];
                        row.extend(locations.iter().map(|location| u64::from(*location)));
                        row
                    }
                    // A swap may permute the steps of one instance, and so the named ones with others.
                    StepPattern::Taken(..) => return Err(Unlike),
                })
            };
            let of_set: Result<Vec<Row>, Unlike> = set.patterns.iter().map(of_pattern).collect();
            let mut of_set = of_set?;
            of_set.sort_unstable();
            of_set.dedup();
            rows.push(vec![of_set.len() as u64]);
            rows.extend(of_set);
        }
        Ok(rows)
    }

    /// The proof that a swap is a symmetry.
    pub(super) fn prove(&mut self, swap: &Swap<'_>, to: &Generator) -> Written {
        let renaming = self.renaming(swap);
        let system = self.known.system;
        let sorts = self.known.sorts;
        for (number, (variable, shape)) in (0..).zip(system.variables.iter().zip(&sorts.shared)) {
            self.site = Site::Variable(VariableRef::Shared(number));
            renaming.ty(&variable.ty, shape, &mut Row::new())?;
        }
        self.site = Site::Declarations;
        for (action, nodes) in system.actions.iter().zip(&sorts.actions) {
            for (range, node) in action.arguments.iter().zip(nodes) {
                renaming.is_closed(*node, range.lo, range.hi)?;
            }
        }
        for (at, channel) in system.channels.iter().enumerate() {
            let image = to.channels[at] as usize;
            let other = &system.channels[image];
            let declared = |c: &crate::system::Channel| (c.order, c.capacity, c.message.clone());
            ensure(declared(channel) == declared(other))?;
            let nodes = sorts.messages[at].iter().zip(&sorts.messages[image]);
            for (range, (node, other)) in channel.message.iter().zip(nodes) {
                ensure(sorts.root(*node) == sorts.root(*other))?;
                renaming.is_closed(*node, range.lo, range.hi)?;
            }
        }
        for (number, property) in self.properties.iter().enumerate() {
            self.site = Site::Property(number);
            ensure(self.asked_by(property, &renaming)? == self.plain.properties[number])?;
        }
        self.site = Site::Declarations;
        for instance in 0..system.instances.len() as InstanceId {
            let image = to.instances[instance as usize];
            ensure(self.known.kind(instance) == self.known.kind(image))?;
            let (of, other) = (
                &system.instances[instance as usize],
                &system.instances[image as usize],
            );
            ensure(of.locations.len() == other.locations.len())?;
            let image = image as usize;
            ensure(self.locals(&renaming, instance)? == self.plain.locals[image])?;
            ensure(self.alphabet(&renaming, instance) == self.plain.alphabets[image])?;
            for at in 0..of.locations.len() {
                ensure(of.locations[at].is_final == other.locations[at].is_final)?;
                let rows = self.location(&renaming, instance, at);
                self.work += rows
                    .iter()
                    .flatten()
                    .map(|row| row.len() as u64)
                    .sum::<u64>();
                if rows.as_ref() != Ok(&self.plain.instances[image][at]) {
                    self.site = self.without_image(&renaming, (instance, image), at);
                    return Err(Unlike);
                }
            }
        }
        Ok(())
    }

    /// The first step of an instance at a location that is no step of another once it is renamed.
    fn without_image(
        &self,
        renaming: &Renaming<'_>,
        (instance, image): (InstanceId, usize),
        at: usize,
    ) -> Site {
        let of = &self.known.system.instances[instance as usize];
        let rows = &self.plain.instances[image][at];
        let mut steps = of.locations[at].steps.iter();
        let found = steps.find(|step| {
            let row = renaming.step(
                instance,
                at as u32,
                **step as usize,
                &of.steps[**step as usize],
            );
            !row.is_ok_and(|row| rows.binary_search(&row).is_ok())
        });
        found.map_or(Site::Declarations, |step| Site::Step(instance, *step))
    }

    /// `Err` where two values cannot be swapped.
    pub(super) fn swap_values(&mut self, sort: Node, a: i64, b: i64) -> Result<Generator, Unlike> {
        let (instances, rows) = self.known.instances((sort, a, b), &mut self.work)?;
        self.proved(Some((sort, a, b)), instances, &rows)
    }

    pub(super) fn swap_instances(
        &mut self,
        pairs: &[(InstanceId, InstanceId)],
    ) -> Result<Generator, Unlike> {
        let mut instances: Vec<u32> = (0..self.known.system.instances.len() as u32).collect();
        for (a, b) in pairs {
            instances.swap(*a as usize, *b as usize);
        }
        self.proved(None, instances, self.known.rows())
    }

    /// The swap that moves the instances so, if it is proved to be a symmetry.
    fn proved(
        &mut self,
        values: Option<(Node, i64, i64)>,
        instances: Vec<u32>,
        rows: &[Vec<u64>],
    ) -> Result<Generator, Unlike> {
        let channels = self.known.channels(values, &instances, rows)?;
        let to = Generator {
            instances,
            channels,
        };
        let swap = Swap {
            values,
            instances: Moved::To(&to.instances),
            channels: Moved::To(&to.channels),
        };
        self.prove(&swap, &to)?;
        Ok(to)
    }

    /// The values of a sort that can be swapped with each other.
    fn of_sort(
        &mut self,
        sort: Node,
        lo: i64,
        hi: i64,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Cluster>> {
        self.clusters(Some(sort), lo..=hi, goes_on, &|this, first, value| {
            this.swap_values(sort, first, value)
        })
    }

    /// The values that can be swapped with each other. That two can be is an equivalence: a swap of
    /// a and c is one of a and b, one of b and c, and one of a and b again.
    fn clusters(
        &mut self,
        sort: Option<Node>,
        values: impl Iterator<Item = i64>,
        goes_on: &mut dyn FnMut() -> bool,
        swap: &dyn Fn(&mut Self, i64, i64) -> Result<Generator, Unlike>,
    ) -> Option<Vec<Cluster>> {
        let mut clusters: Vec<Cluster> = Vec::new();
        for value in values {
            let mut is_new = true;
            for cluster in &mut clusters {
                if !goes_on() {
                    return None;
                }
                if self.work > MOST_WORK {
                    break;
                }
                if let Ok(generator) = swap(self, cluster.values[0], value) {
                    cluster.values.push(value);
                    cluster.generators.push(generator);
                    is_new = false;
                    break;
                }
            }
            if is_new {
                clusters.push(Cluster {
                    sort,
                    values: vec![value],
                    generators: Vec::new(),
                });
            }
        }
        clusters.retain(|cluster| cluster.values.len() > 1);
        Some(clusters)
    }

    /// Instances that no value names, and so none that is swapped moves.
    fn of_instances(
        &mut self,
        found: &[Cluster],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Cluster>> {
        let generators = found.iter().flat_map(|cluster| &cluster.generators);
        let generators: Vec<&Generator> = generators.collect();
        let mut by_kind: HashMap<u32, Vec<InstanceId>> = HashMap::new();
        let mut kinds = Vec::new();
        for instance in 0..self.known.system.instances.len() as InstanceId {
            let kind = self.known.kind(instance);
            by_kind
                .entry(kind)
                .or_insert_with(|| {
                    kinds.push(kind);
                    Vec::new()
                })
                .push(instance);
        }
        let is_moved = |i: &InstanceId| {
            generators
                .iter()
                .any(|one| one.instances[*i as usize] != *i)
        };
        let mut clusters = Vec::new();
        let mut left: Vec<Vec<InstanceId>> = Vec::new();
        for kind in kinds {
            let members = &by_kind[&kind];
            let is_fit = members.len() > 1
                && members.len() <= MOST_VALUES as usize
                && !members.iter().any(is_moved);
            if is_fit {
                let of = self.alone(std::slice::from_ref(members), goes_on)?;
                if of.is_empty() {
                    left.push(members.clone());
                }
                clusters.extend(of);
            }
        }
        // Perhaps several processes have to be moved at once.
        while let Some(first) = left.first() {
            let count = first.len();
            let (alike, rest): (Vec<_>, Vec<_>) =
                left.into_iter().partition(|of| of.len() == count);
            if alike.len() > 1 {
                clusters.extend(self.alone(&alike, goes_on)?);
            }
            left = rest;
        }
        Some(clusters)
    }

    /// The nth instances of some kinds, moved together.
    fn alone(
        &mut self,
        kinds: &[Vec<InstanceId>],
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Option<Vec<Cluster>> {
        let numbers = 0..kinds[0].len() as i64;
        self.clusters(None, numbers, goes_on, &|this, first, nth| {
            let pairs = kinds
                .iter()
                .map(|of| (of[first as usize], of[nth as usize]));
            let pairs: Vec<(u32, u32)> = pairs.collect();
            ensure(pairs.iter().all(|(a, b)| this.known.look_alike(*a, *b)))?;
            this.swap_instances(&pairs)
        })
    }
}

/// The group that the clusters' swaps generate.
fn assemble(
    system: &System,
    sorts: &Sorts,
    blank: Vec<Blank>,
    found: Vec<Cluster>,
) -> Option<Symmetry> {
    let mut kept: Vec<Cluster> = Vec::new();
    let mut owned = None;
    for cluster in found {
        kept.push(cluster);
        match owned_by(system, &kept) {
            Some(both) => owned = Some(both),
            // Whose something is cannot be told.
            None => drop(kept.pop()),
        }
    }
    let (instances, channels) = owned?;
    let mut sort_numbers: HashMap<Node, SortId> = HashMap::new();
    let mut values: Vec<Vec<(i64, Element)>> = Vec::new();
    let mut clusters = Vec::new();
    let mut next: Element = 0;
    for cluster in &kept {
        let elements: Vec<Element> = (next..next + cluster.values.len() as Element).collect();
        next += elements.len() as Element;
        if let Some(sort) = cluster.sort {
            let number = *sort_numbers.entry(sort).or_insert(values.len() as SortId);
            values.resize(values.len().max(number as usize + 1), Vec::new());
            let pairs = cluster.values.iter().copied().zip(elements.iter().copied());
            values[number as usize].extend(pairs);
        }
        clusters.push(elements);
    }
    values.iter_mut().for_each(|of| of.sort_unstable());
    let none = sorts.root(NONE);
    let mut sort = |node: &Node| match sorts.root(*node) {
        root if root == none => None,
        root => sort_numbers.get(&root).copied(),
    };
    let shared = sorts
        .shared
        .iter()
        .map(|shape| shape.map(&mut sort))
        .collect();
    let of_kind: Vec<Vec<Shape>> = (sorts.locals.iter())
        .map(|locals| locals.iter().map(|shape| shape.map(&mut sort)).collect())
        .collect();
    let messages = sorts
        .messages
        .iter()
        .map(|parts| parts.iter().map(&mut sort).collect())
        .collect();
    Some(Symmetry {
        clusters,
        values,
        shared,
        locals: sorts
            .kind_of
            .iter()
            .map(|kind| of_kind[*kind].clone())
            .collect(),
        messages,
        instances,
        channels,
        blank,
    })
}

/// The owners of instances and channels.
fn owned_by(system: &System, clusters: &[Cluster]) -> Option<(Vec<Owned>, Vec<Owned>)> {
    let mut of_instances = Vec::new();
    let mut of_channels = Vec::new();
    let mut first: Element = 0;
    for cluster in clusters {
        for (other, generator) in (first + 1..).zip(&cluster.generators) {
            let swapped = (first, other);
            of_instances.push(Moves {
                swapped,
                to: &generator.instances,
            });
            of_channels.push(Moves {
                swapped,
                to: &generator.channels,
            });
        }
        first = first.checked_add(Element::try_from(cluster.values.len()).ok()?)?;
    }
    Some((
        owners(system.instances.len(), &of_instances)?,
        owners(system.channels.len(), &of_channels)?,
    ))
}
