//! Where instances and channels go when two values are swapped: a guess, by what their steps look like, that is
//! put to the proof afterwards.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::blank::Blank;
use super::renamed::{Moved, Renaming, Row, Swap, Unlike};
use super::sorts::{IndexSort, Node, Sorts};
use crate::system::{ChannelId, ChannelRef, Expr, InstanceId, Step, System, VariableRef};
use crate::walk::{for_expressions_of_step, for_subexpressions};

/// So often looks are made those of what is named, too.
const ROUNDS: usize = 3;

/// What is known of a System before anything is swapped.
pub struct Known<'a> {
    pub system: &'a System,
    pub sorts: &'a Sorts,
    pub blank: &'a [Blank],
    /// Of each instance.
    kinds: Vec<u32>,
    /// Of each channel: those of one kind are declared alike.
    channel_kinds: Vec<u32>,
    /// Of each instance and each of its steps the channels that it names.
    named: Vec<Vec<Vec<ChannelId>>>,
    /// And the other instances.
    others: Vec<Vec<Vec<InstanceId>>>,
    /// What each instance looks like.
    looks: Vec<u64>,
    /// Of each step of each instance.
    rows: Vec<Vec<u64>>,
}

/// The looks of an instance, and of each of its steps.
type Looks = (u64, Vec<u64>);

impl<'a> Known<'a> {
    pub fn of(
        system: &'a System,
        sorts: &'a Sorts,
        blank: &'a [Blank],
    ) -> Result<Known<'a>, Unlike> {
        let mut numbers = HashMap::new();
        let channels = system.channels.iter();
        let channel_kinds = channels.map(|channel| {
            let next = numbers.len() as u32;
            *numbers
                .entry((channel.order, channel.capacity, &channel.message))
                .or_insert(next)
        });
        let mut known = Known {
            system,
            sorts,
            blank,
            kinds: sorts.kind_of.iter().map(|kind| *kind as u32).collect(),
            channel_kinds: channel_kinds.collect(),
            named: system
                .instances
                .iter()
                .map(|one| one.steps.iter().map(channels_of).collect())
                .collect(),
            others: Vec::new(),
            looks: Vec::new(),
            rows: Vec::new(),
        };
        for (number, instance) in (0..).zip(&system.instances) {
            known.others.push(
                instance
                    .steps
                    .iter()
                    .map(|step| others_of(number, step))
                    .collect(),
            );
        }
        for instance in 0..system.instances.len() as InstanceId {
            let (looks, rows) = known.looks(instance, None, &mut 0)?;
            known.looks.push(looks);
            known.rows.push(rows);
        }
        let looks = std::mem::take(&mut known.looks);
        known.looks = known.refined(looks, &known.rows);
        Ok(known)
    }

    pub fn kind(&self, instance: InstanceId) -> u32 {
        self.kinds[instance as usize]
    }

    /// Whether two instances differ in nothing that their own steps tell.
    pub fn look_alike(&self, one: InstanceId, other: InstanceId) -> bool {
        self.kind(one) == self.kind(other) && self.looks[one as usize] == self.looks[other as usize]
    }

    fn looks(
        &self,
        instance: InstanceId,
        values: Option<(Node, i64, i64)>,
        work: &mut u64,
    ) -> Result<Looks, Unlike> {
        let renaming = Renaming {
            system: self.system,
            sorts: self.sorts,
            blank: self.blank,
            swap: &Swap {
                values,
                instances: Moved::Of(&self.kinds),
                channels: Moved::Of(&self.channel_kinds),
            },
        };
        let of = &self.system.instances[instance as usize];
        let mut of_steps = vec![0; of.steps.len()];
        let mut all: Vec<Row> = Vec::new();
        for (at, location) in (0..).zip(&of.locations) {
            let mut rows: Vec<u64> = Vec::new();
            for step in &location.steps {
                let row = renaming.step(instance, at, *step as usize, &of.steps[*step as usize])?;
                *work += row.len() as u64;
                let look = hash(&row);
                of_steps[*step as usize] = look;
                rows.push(look);
            }
            rows.sort_unstable();
            rows.push(u64::from(location.is_final));
            all.push(rows);
        }
        let mut alphabet: Vec<Row> = of
            .alphabet
            .iter()
            .map(|pattern| renaming.pattern(pattern))
            .collect();
        alphabet.sort_unstable();
        Ok((hash(&(self.kind(instance), all, alphabet)), of_steps))
    }

    /// Where the instances go, and what their steps look like afterwards.
    pub fn instances(
        &self,
        values: (Node, i64, i64),
        work: &mut u64,
    ) -> Result<(Vec<u32>, Vec<Vec<u64>>), Unlike> {
        let mut images = Vec::new();
        let mut rows = Vec::new();
        for instance in 0..self.system.instances.len() as InstanceId {
            let (looks, of_steps) = self.looks(instance, Some(values), work)?;
            images.push(looks);
            rows.push(of_steps);
        }
        let images = self.refined(images, &rows);
        let to = vec![None; images.len()];
        let to = permutation(&self.looks, &images, to).ok_or(Unlike)?;
        Ok((to, rows))
    }

    /// The looks of instances, with those of the channels and instances that they name, which in turn have to do
    /// with others.
    fn refined(&self, mut looks: Vec<u64>, rows: &[Vec<u64>]) -> Vec<u64> {
        for _ in 0..ROUNDS {
            let mut uses: Vec<Vec<(u64, u64)>> = vec![Vec::new(); self.system.channels.len()];
            for (instance, steps) in self.named.iter().enumerate() {
                for (step, channels) in steps.iter().enumerate() {
                    for channel in channels {
                        uses[*channel as usize].push((looks[instance], rows[instance][step]));
                    }
                }
            }
            uses.iter_mut().for_each(|uses| uses.sort_unstable());
            let of_channels: Vec<u64> = uses.iter().map(hash).collect();
            let next = (0..looks.len()).map(|instance| {
                let mut names = Vec::new();
                for (step, row) in rows[instance].iter().enumerate() {
                    let channels = self.named[instance][step].iter();
                    let channels = channels.map(|channel| of_channels[*channel as usize]);
                    let others = self.others[instance][step].iter();
                    let others = others.map(|other| looks[*other as usize]);
                    names.extend(channels.chain(others).map(|look| (*row, look)));
                }
                names.sort_unstable();
                hash(&(looks[instance], names))
            });
            looks = next.collect();
        }
        looks
    }

    /// What steps look like where no value is renamed.
    pub fn rows(&self) -> &[Vec<u64>] {
        &self.rows
    }

    /// Where the channels go if the instances go there.
    pub fn channels(
        &self,
        values: Option<(Node, i64, i64)>,
        instances: &[u32],
        rows: &[Vec<u64>],
    ) -> Result<Vec<u32>, Unlike> {
        let identity: Vec<u32> = (0..instances.len() as u32).collect();
        let uses = self.uses(&identity, &self.rows);
        let images = self.uses(instances, rows);
        let mut to = vec![None; uses.len()];
        if let Some((sort, a, b)) = values {
            self.by_index((sort, a, b), &mut to);
        }
        permutation(&uses, &images, to).ok_or(Unlike)
    }

    /// Those of an array that has the swapped values for indices go where these go.
    fn by_index(&self, (sort, a, b): (Node, i64, i64), to: &mut [Option<u32>]) {
        let becomes = |node: Node, index: i64| match index {
            index if self.sorts.root(node) != sort => index,
            index if index == a => b,
            index if index == b => a,
            index => index,
        };
        for array in self.sorts.channel_arrays() {
            let has_sort = |index: &IndexSort| self.sorts.root(index.node) == sort;
            if !array.indices.iter().any(has_sort) {
                continue;
            }
            for at in 0..array.len() {
                let image = array.image(at, &becomes);
                to[(array.first + at) as usize] = image.map(|image| array.first + image);
            }
        }
    }

    /// Of each channel who names it in which steps.
    fn uses(&self, instances: &[u32], rows: &[Vec<u64>]) -> Vec<u64> {
        let mut uses: Vec<Vec<(u32, u64)>> = vec![Vec::new(); self.system.channels.len()];
        for (instance, steps) in self.named.iter().enumerate() {
            for (step, channels) in steps.iter().enumerate() {
                for channel in channels {
                    uses[*channel as usize].push((instances[instance], rows[instance][step]));
                }
            }
        }
        let of = uses.into_iter().zip(&self.channel_kinds);
        of.map(|(mut uses, kind)| {
            uses.sort_unstable();
            hash(&(kind, uses))
        })
        .collect()
    }
}

/// The other instances that a step of one names.
fn others_of(own: InstanceId, step: &Step) -> Vec<InstanceId> {
    let mut named = Vec::new();
    for_expressions_of_step(step, &mut |expr| {
        for_subexpressions(expr, &mut |part| match part {
            Expr::At(other, _) | Expr::Variable(VariableRef::Local(other, _)) if *other != own => {
                named.push(*other);
            }
            _ => {}
        });
    });
    named
}

/// Where each goes whose image looks like that: where it is known to go, or to itself, where it looks as
/// before, and otherwise to the first that looks so and is not taken.
fn permutation(looks: &[u64], images: &[u64], mut to: Vec<Option<u32>>) -> Option<Vec<u32>> {
    let mut is_taken = vec![false; to.len()];
    for image in to.iter().flatten() {
        is_taken[*image as usize] = true;
    }
    let mut free: HashMap<u64, Vec<u32>> = HashMap::new();
    for at in (0..looks.len()).rev().filter(|at| !is_taken[*at]) {
        match looks[at] == images[at] && to[at].is_none() {
            true => to[at] = Some(at as u32),
            false => free.entry(looks[at]).or_default().push(at as u32),
        }
    }
    for (to, image) in to.iter_mut().zip(images) {
        if to.is_none() {
            *to = free.get_mut(image)?.pop();
        }
    }
    to.into_iter().collect()
}

/// The channels that a step names one by one.
fn channels_of(step: &Step) -> Vec<ChannelId> {
    let mut named = Vec::new();
    named.extend(step.channels().filter_map(|channel| match channel {
        ChannelRef::One(id) => Some(*id),
        ChannelRef::Indexed { .. } => None,
    }));
    for_expressions_of_step(step, &mut |expr| {
        for_subexpressions(expr, &mut |part| {
            if let Expr::Length(channel) | Expr::IsEmpty(channel) | Expr::IsFull(channel) = part
                && let ChannelRef::One(id) = channel
            {
                named.push(*id);
            }
        });
    });
    named
}

fn hash<T: Hash>(of: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}
