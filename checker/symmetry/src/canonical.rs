//! Canonical states: one representative for each orbit.
//!
//! Each element is given a *colour*, a number that a permutation moves with it: what the slots come
//! to that it owns, and who names it. Where a slot has to do with two elements (it has two owners,
//! or an owner and somebody whom it names) the colour of the one becomes part of that of the other,
//! again and again, until no more are told apart: the usual refinement of colours in tests for
//! isomorphism. The elements of a cluster are put in the order of their colours. Those of one
//! colour are swapped: where that changes nothing their order does not matter, and otherwise all
//! orders of them are tried, if these are few, and the least state is taken.
//!
//! Whatever colours are, the result is what some permutation makes of the state. It is the same for
//! all states of an orbit unless there were too many orders to try.

use stubborn_space::packed::Packed;
use stubborn_system::symmetry::{Element, Symmetry};

use super::bags::Bag;
use super::families::raw;
use super::names::NOBODY;
use super::orbits::Orbits;

/// Most orders that are tried.
const MOST_ORDERS: u64 = 720;
/// Most rounds of refining colours.
const MOST_ROUNDS: usize = 4;

/// Working memory for one state at a time.
#[derive(Debug)]
pub struct Scratch {
    /// The permutation that has made the last canonical form.
    pub permutation: Vec<Element>,
    /// How often a permutation was tried on a state.
    pub tried: u64,
    base: Vec<u64>,
    colours: Vec<u64>,
    next: Vec<u64>,
    order: Vec<Element>,
    state: Vec<u64>,
    best: Vec<u64>,
    other: Vec<u64>,
    together: Vec<u64>,
}

impl Scratch {
    pub fn new(elements: usize, words: usize) -> Scratch {
        Scratch {
            permutation: vec![0; elements],
            tried: 0,
            base: vec![0; elements],
            colours: vec![0; elements],
            next: vec![0; elements],
            order: Vec::new(),
            state: vec![0; words],
            best: vec![0; words],
            other: vec![0; words],
            together: Vec::new(),
        }
    }
}

impl Orbits {
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.places.len(), self.words)
    }

    /// The canonical form of a state. The permutation that makes it of the state is in the scratch.
    /// The words of a monitor behind those of the system stay as they are.
    #[inline]
    pub fn canonical<'s>(&self, state: &[u64], scratch: &'s mut Scratch) -> &'s [u64] {
        let (system, monitor) = state.split_at(self.words);
        self.make_canonical(system, scratch);
        if monitor.is_empty() {
            return &scratch.state;
        }
        scratch.together.clear();
        scratch.together.extend_from_slice(&scratch.state);
        scratch.together.extend_from_slice(monitor);
        &scratch.together
    }

    /// Puts the canonical form of the system's words into the scratch.
    fn make_canonical(&self, state: &[u64], scratch: &mut Scratch) {
        self.colour(state, scratch);
        let has_ties = self.sort(scratch);
        self.apply(&scratch.permutation, state, &mut scratch.state);
        scratch.tried += 1;
        if has_ties && !self.links.is_empty() {
            self.break_ties(state, scratch);
        }
    }

    /// Those alone that leave a state as it is; `None` where that is the identity.
    pub fn keeping(
        self,
        symmetry: &Symmetry,
        packed: &Packed<'_>,
        state: &[u64],
    ) -> Option<Orbits> {
        let class = self.kept(state);
        let is_whole = |cluster: &Vec<Element>| {
            let mut elements = cluster.iter();
            elements.all(|element| class[usize::from(*element)] == cluster[0])
        };
        if self.clusters.iter().all(is_whole) {
            return Some(self);
        }
        let within = symmetry.within(&class);
        match within.permutations() > 1.0 {
            true => Orbits::of(&within, packed),
            false => None,
        }
    }

    /// Returns for each element the first one of its cluster that it can be swapped with while the
    /// state stays as it is.
    fn kept(&self, state: &[u64]) -> Vec<Element> {
        let (mut class, mut identity) = (self.identity(), self.identity());
        let mut image = state.to_vec();
        for cluster in &self.clusters {
            for (at, &element) in cluster.iter().enumerate() {
                let found = cluster[..at].iter().copied().find(|&other| {
                    let is_first = class[usize::from(other)] == other;
                    is_first && {
                        self.swap(&mut identity, [other, element], state, &mut image);
                        image == state
                    }
                });
                class[usize::from(element)] = found.unwrap_or(element);
            }
        }
        class
    }

    /// Size of the orbit of the last canonicalised state; a lower bound if different elements have one
    /// colour.
    pub fn size(&self, scratch: &Scratch) -> f64 {
        let factorial = |of: usize| (2..=of).map(|n| n as f64).product::<f64>();
        let of_cluster = |cluster: &Vec<Element>| {
            let colours = cluster.iter();
            let colours = colours.map(|element| scratch.colours[usize::from(*element)]);
            let mut colours: Vec<u64> = colours.collect();
            colours.sort_unstable();
            let alike = colours.chunk_by(|a, b| a == b);
            factorial(cluster.len()) / alike.map(|of| factorial(of.len())).product::<f64>()
        };
        self.clusters.iter().map(of_cluster).product()
    }
}

/// A number that is not likely to come from other numbers.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let product = u128::from(a ^ 0x9e37_79b9_7f4a_7c15) * u128::from(b ^ 0xd6e8_feb8_6659_fd93);
    (product as u64) ^ ((product >> 64) as u64)
}

impl Orbits {
    /// Gives each element its colour.
    fn colour(&self, state: &[u64], scratch: &mut Scratch) {
        let families = &self.families;
        let Scratch {
            base,
            colours,
            next,
            ..
        } = scratch;
        base.fill(0);
        for number in &self.links.single {
            let family = &families.families[*number];
            let key = mix(*number as u64, 1);
            for cell in families.cells_of(*number) {
                let value = raw(cell, state);
                let (whose, more) = match cell.owners.first() {
                    Some(owner) => (*owner, mix(key, value)),
                    None => (family.named(cell, value, state), key),
                };
                if whose != NOBODY {
                    let of = &mut base[usize::from(whose)];
                    *of = of.wrapping_add(more);
                }
            }
        }
        for number in &self.links.single_bags {
            self.add_messages(&families.bags[*number], state, None, base);
        }
        colours.copy_from_slice(base);
        if self.links.is_empty() {
            return;
        }
        let mut told_apart = 0;
        for _ in 0..MOST_ROUNDS {
            next.copy_from_slice(base);
            for number in &self.links.linking {
                let family = &families.families[*number];
                let key = mix(*number as u64, 2);
                for cell in families.cells_of(*number) {
                    let value = raw(cell, state);
                    let named = family.named(cell, value, state);
                    let named = (named != NOBODY).then_some(named);
                    let value = named.map_or(value, |_| u64::MAX);
                    let members = || cell.owners.iter().copied().chain(named);
                    for (place, member) in (1..).zip(members()) {
                        let mut seen = mix(mix(key, place), value);
                        for (at, other) in (1..).zip(members()) {
                            let what = if other == member {
                                1
                            } else {
                                mix(colours[usize::from(other)], 3)
                            };
                            seen = seen.wrapping_add(mix(what, at + 16));
                        }
                        let of = &mut next[usize::from(member)];
                        *of = of.wrapping_add(mix(seen, 5));
                    }
                }
            }
            for number in &self.links.linking_bags {
                self.add_messages(&families.bags[*number], state, Some(&colours[..]), next);
            }
            for (colour, next) in colours.iter_mut().zip(next.iter()) {
                *colour = mix(*colour, *next);
            }
            let now = self.distinct(colours);
            if now <= told_apart || now == colours.len() {
                break;
            }
            told_apart = now;
        }
    }

    /// Adds to the colours what the messages of a bag say of the elements that they have to do with:
    /// their values, and the colours of the others.
    fn add_messages(&self, bag: &Bag, state: &[u64], colours: Option<&[u64]>, to: &mut [u64]) {
        for message in bag.messages(state) {
            let key = mix(bag.family as u64, 4);
            let values = bag.values(message, state);
            let said = values.fold(key, |said, (part, raw)| mix(mix(said, part), raw));
            for (place, member) in bag.members(message, state) {
                let mut seen = mix(said, place);
                for (at, other) in bag.members(message, state) {
                    let what = match colours {
                        Some(colours) if other != member => mix(colours[usize::from(other)], 3),
                        _ => 1,
                    };
                    seen = seen.wrapping_add(mix(what, at + 16));
                }
                let of = &mut to[usize::from(member)];
                *of = of.wrapping_add(mix(seen, 5));
            }
        }
    }

    /// How many elements of the same cluster have colours of their own.
    fn distinct(&self, colours: &[u64]) -> usize {
        let of_cluster = |cluster: &Vec<Element>| {
            let of = |element: &Element| colours[usize::from(*element)];
            let is_first = |(at, element): &(usize, &Element)| {
                !cluster[..*at].iter().any(|other| of(other) == of(element))
            };
            cluster.iter().enumerate().filter(is_first).count()
        };
        self.clusters.iter().map(of_cluster).sum()
    }

    /// The permutation that puts the elements in the order of their colours. Whether some have the
    /// same.
    fn sort(&self, scratch: &mut Scratch) -> bool {
        let Scratch {
            permutation,
            colours,
            order,
            ..
        } = scratch;
        let mut has_ties = false;
        for cluster in &self.clusters {
            order.clear();
            order.extend(cluster);
            order.sort_unstable_by_key(|element| (colours[usize::from(*element)], *element));
            for (place, element) in cluster.iter().zip(order.iter()) {
                permutation[usize::from(*element)] = *place;
            }
            let mut pairs = order.windows(2);
            has_ties |=
                pairs.any(|pair| colours[usize::from(pair[0])] == colours[usize::from(pair[1])]);
        }
        has_ties
    }

    /// Tries the orders of elements that colours do not tell apart. `state` is what the form is of.
    #[cold]
    fn break_ties(&self, state: &[u64], scratch: &mut Scratch) {
        // The elements of the canonical form, in runs of one colour.
        let mut colours = vec![0; scratch.colours.len()];
        for (element, image) in scratch.permutation.iter().enumerate() {
            colours[usize::from(*image)] = scratch.colours[element];
        }
        let mut runs: Vec<&[Element]> = Vec::new();
        let mut orders: u64 = 1;
        let mut identity = self.identity();
        for cluster in &self.clusters {
            let same =
                |a: &Element, b: &Element| colours[usize::from(*a)] == colours[usize::from(*b)];
            for run in cluster.chunk_by(same).filter(|run| run.len() > 1) {
                let is_fixed = run.windows(2).all(|pair| {
                    let pair = [pair[0], pair[1]];
                    self.swap(&mut identity, pair, &scratch.state, &mut scratch.other);
                    scratch.tried += 1;
                    scratch.other == scratch.state
                });
                // If every swap of neighbours keeps the state, all orders do.
                if !is_fixed {
                    let of_run: u64 = (2..=run.len() as u64).fold(1, u64::saturating_mul);
                    orders = orders.saturating_mul(of_run);
                    runs.push(run);
                }
            }
        }
        if runs.is_empty() || orders > MOST_ORDERS {
            return;
        }
        scratch.best.copy_from_slice(&scratch.state);
        let mut least = self.identity();
        scratch.tried += orders - 1;
        for number in 1..orders {
            let order = nth(number, &runs, self.identity());
            self.apply(&order, &scratch.state, &mut scratch.other);
            if scratch.other < scratch.best {
                scratch.best.copy_from_slice(&scratch.other);
                least = order;
            }
        }
        for image in &mut scratch.permutation {
            *image = least[usize::from(*image)];
        }
        std::mem::swap(&mut scratch.state, &mut scratch.best);
        debug_assert!({
            self.apply(&scratch.permutation, state, &mut scratch.other);
            scratch.other == scratch.state
        });
    }
}

/// One of the orders of the elements of runs, by its number.
fn nth(mut number: u64, runs: &[&[Element]], mut order: Vec<Element>) -> Vec<Element> {
    for run in runs {
        let mut left = run.to_vec();
        for element in *run {
            let among = left.len() as u64;
            order[usize::from(*element)] = left.remove((number % among) as usize);
            number /= among;
        }
    }
    order
}
