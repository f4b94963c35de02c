//! The slots of a packed state in families: those that permutations move to each other.

use rustc_hash::FxHashMap;
use stubborn_space::packed::Packed;
use stubborn_space::packed::layout::{Cells, ChannelLayout, Slot};
use stubborn_system::symmetry::{Element, Owned, Shape, Symmetry};
use stubborn_system::system::{ChannelId, InstanceId, Order, VariableRef};

use super::bags::Bag;
use super::names::{Cell, NOBODY, Names, When};
use super::table::Table;

/// Slots that are told apart by their owners alone.
#[derive(Debug)]
pub struct Family {
    pub table: Table,
    /// Elements that the values name.
    pub names: Option<Names>,
}

/// All slots that are not the same whatever is permuted.
#[derive(Debug, Default)]
pub struct Families {
    pub families: Vec<Family>,
    /// Those of one family after those of the one before.
    pub cells: Vec<Cell>,
    /// Beginnings of the families' cells, and the end of the last.
    pub first: Vec<usize>,
    /// The messages of bags are not among the cells.
    pub bags: Vec<Bag>,
    /// Of each family of bags.
    of_bags: Vec<Table>,
}

impl Families {
    /// `None` where some permutation would move a slot to where none is.
    pub fn of(symmetry: &Symmetry, packed: &Packed<'_>) -> Option<Families> {
        let mut gather = Gather {
            symmetry,
            packed,
            found: Vec::new(),
            numbers: FxHashMap::default(),
            bags: Vec::new(),
            bag_numbers: FxHashMap::default(),
        };
        gather.all();
        let mut families = Families::default();
        for found in gather.found {
            if found.cells[0].owners.is_empty() && found.names.is_none() {
                continue;
            }
            let first = families.cells.len();
            let owners = found.cells.iter().map(|cell| &cell.owners[..]);
            let table = Table::of(symmetry, (first as u32..).zip(owners))?;
            families.first.push(first);
            families.cells.extend(found.cells);
            families.families.push(Family {
                table,
                names: found.names,
            });
        }
        families.first.push(families.cells.len());
        for bags in gather.bags {
            if bags[0].owners.is_empty() && bags[0].names.iter().all(Option::is_none) {
                continue;
            }
            let first = families.bags.len() as u32;
            let owners = bags.iter().map(|bag| &bag.owners[..]);
            let table = Table::of(symmetry, (first..).zip(owners))?;
            let family = families.of_bags.len();
            families
                .bags
                .extend(bags.into_iter().map(|bag| bag.of(family)));
            families.of_bags.push(table);
        }
        families.is_closed(symmetry).then_some(families)
    }

    /// Whether every swap of two neighbours moves each slot to another.
    fn is_closed(&self, symmetry: &Symmetry) -> bool {
        let clusters = symmetry.clusters.iter();
        let mut pairs = clusters.flat_map(|cluster| cluster.windows(2));
        pairs.all(|pair| {
            let pair = [pair[0], pair[1]];
            let image = |table: &Table, owners: &[Element]| {
                let owners = owners.iter().map(|owner| swapped_with(pair, *owner));
                table.find(&owners.collect::<Vec<_>>(), symmetry)
            };
            let mut families = self.families.iter().enumerate();
            let cells = families.all(|(number, family)| {
                self.cells_of(number).iter().all(|cell| {
                    let to = image(&family.table, &cell.owners);
                    to.is_some_and(|to| {
                        let to = &self.cells[to as usize];
                        (to.slot.lo, to.slot.mask) == (cell.slot.lo, cell.slot.mask)
                    })
                })
            });
            let bags = self.bags.iter().all(|bag| {
                let to = image(&self.of_bags[bag.family], &bag.owners);
                to.is_some_and(|to| self.bags[to as usize].is_like(bag))
            });
            cells && bags
        })
    }

    /// The cells of a family.
    #[inline]
    pub fn cells_of(&self, family: usize) -> &[Cell] {
        &self.cells[self.first[family]..self.first[family + 1]]
    }

    /// The cell of a family with these owners. `places` gives the place of an element in its
    /// cluster, and the cluster's size.
    #[inline]
    pub fn cell(
        &self,
        family: usize,
        owners: impl Iterator<Item = Element>,
        places: &[(u16, u16)],
    ) -> &Cell {
        &self.cells[self.number(family, owners, places) as usize]
    }

    /// Its number among all cells.
    #[inline]
    pub fn number(
        &self,
        family: usize,
        owners: impl Iterator<Item = Element>,
        places: &[(u16, u16)],
    ) -> u32 {
        self.families[family].table.number(owners, places)
    }

    /// Returns the bag that a permutation moves this one to.
    #[inline]
    pub fn image_of(&self, bag: &Bag, permutation: &[Element], places: &[(u16, u16)]) -> &Bag {
        let owners = bag.owners.iter();
        let owners = owners.map(|owner| permutation[usize::from(*owner)]);
        &self.bags[self.of_bags[bag.family].number(owners, places) as usize]
    }
}

/// Cells that will be a family.
struct Found {
    cells: Vec<Cell>,
    names: Option<Names>,
}

struct Gather<'a> {
    symmetry: &'a Symmetry,
    packed: &'a Packed<'a>,
    found: Vec<Found>,
    /// By what a slot is, but for its owners.
    numbers: FxHashMap<Vec<i64>, usize>,
    /// By family.
    bags: Vec<Vec<Bag>>,
    bag_numbers: FxHashMap<Vec<i64>, usize>,
}

impl Gather<'_> {
    fn all(&mut self) {
        let system = self.packed.system();
        let layout = &self.packed.layout;
        for v in 0..system.variables.len() as u32 {
            let mut slot = layout.base(VariableRef::Shared(v)) as usize;
            let shape = self.symmetry.of_shared(v);
            self.shape(
                shape,
                &mut slot,
                (&mut vec![0, i64::from(v)], &mut Vec::new()),
                None,
            );
        }
        for (number, instance) in (0..).zip(&system.instances) {
            let owned = &self.symmetry.instances[number as usize];
            let family = i64::from(owned.family);
            let location = layout.locations[number as usize];
            let mut owners = owned.owners.clone();
            self.add(vec![1, family], location, &owners, None, When::Always);
            for v in 0..instance.locals.len() as u32 {
                let mut slot = layout.base(VariableRef::Local(number, v)) as usize;
                let shape = self.symmetry.of_local(number, v);
                let key = &mut vec![2, family, i64::from(v)];
                self.shape(shape, &mut slot, (key, &mut owners), Some((number, v)));
            }
        }
        for (number, channel) in (0..).zip(&layout.channels) {
            let owned = &self.symmetry.channels[number as usize];
            let family = i64::from(owned.family);
            self.add(
                vec![3, family],
                channel.length,
                &owned.owners,
                None,
                When::Always,
            );
            if system.channels[number as usize].order == Order::Bag {
                self.bag(number, owned, channel);
                continue;
            }
            for message in 0..channel.capacity {
                for (part, sort) in self.symmetry.of_message(number).iter().enumerate() {
                    let slot = layout.slots[channel.slot(message, part as u32)];
                    let key = vec![4, family, i64::from(message), part as i64];
                    let when = When::Beyond {
                        length: channel.length,
                        message: u64::from(message),
                    };
                    self.add(key, slot, &owned.owners, *sort, when);
                }
            }
        }
    }

    fn bag(&mut self, number: ChannelId, owned: &Owned, channel: &ChannelLayout) {
        let messages = channel.slot(0, 0)..channel.slot(channel.capacity, 0);
        let slots = self.packed.layout.slots[messages].to_vec();
        let sorts = self.symmetry.of_message(number).iter().zip(&slots);
        let names = sorts.map(|(sort, slot)| sort.and_then(|sort| self.names(sort, *slot)));
        let names = names.collect();
        let mut key = vec![i64::from(owned.family)];
        key.extend(owned.owners.iter().map(|owner| self.cluster(owner)));
        let next = self.bags.len();
        let family = *self.bag_numbers.entry(key).or_insert(next);
        if family == next {
            self.bags.push(Vec::new());
        }
        let bag = Bag::new(&owned.owners, channel.length, slots, names);
        self.bags[family].push(bag);
    }

    fn shape(
        &mut self,
        shape: &Shape,
        slot: &mut usize,
        (key, owners): (&mut Vec<i64>, &mut Vec<Element>),
        local: Option<(InstanceId, u32)>,
    ) {
        match shape {
            Shape::Scalar(sort) => {
                let blank = local.and_then(|(instance, v)| {
                    let locations = &self.packed.system().instances[instance as usize].locations;
                    let is_blank = |at| self.symmetry.is_blank(instance, at, v);
                    let blank: Box<[bool]> = (0..locations.len() as u32).map(is_blank).collect();
                    blank.contains(&true).then_some(When::Unless {
                        location: self.packed.layout.locations[instance as usize],
                        blank,
                    })
                });
                let when = blank.unwrap_or(When::Always);
                let of_slot = self.packed.layout.slots[*slot];
                *slot += 1;
                self.add(key.clone(), of_slot, owners, *sort, when);
            }
            Shape::Array {
                index,
                lo,
                len,
                cell,
            } => {
                for at in 0..i64::from(*len) {
                    let owner = index.and_then(|sort| self.symmetry.element(sort, lo + at));
                    match owner {
                        Some(owner) => {
                            owners.push(owner);
                            // One for each cluster.
                            key.extend([-1, self.cluster(&owner)]);
                        }
                        None => key.extend([-2, at]),
                    }
                    self.shape(cell, slot, (key, owners), local);
                    key.truncate(key.len() - 2);
                    if owner.is_some() {
                        owners.pop();
                    }
                }
            }
            Shape::Record(fields) => {
                for (number, field) in fields.iter().enumerate() {
                    key.extend([-3, number as i64]);
                    self.shape(field, slot, (key, owners), local);
                    key.truncate(key.len() - 2);
                }
            }
        }
    }

    fn add(
        &mut self,
        mut key: Vec<i64>,
        slot: Slot,
        owners: &[Element],
        sort: Option<u32>,
        when: When,
    ) {
        // No permutation moves an owner to another cluster.
        key.push(-4);
        key.extend(owners.iter().map(|owner| self.cluster(owner)));
        let next = self.found.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let names = sort.and_then(|sort| self.names(sort, slot));
            self.found.push(Found {
                cells: Vec::new(),
                names,
            });
        }
        self.found[number].cells.push(Cell {
            slot,
            owners: owners.to_vec(),
            when,
        });
    }

    fn cluster(&self, element: &Element) -> i64 {
        let mut clusters = self.symmetry.clusters.iter();
        clusters.position(|of| of.contains(element)).unwrap_or(0) as i64
    }

    /// Returns the elements that the values of a slot name, if there are any; none for which the
    /// slot has no room.
    fn names(&self, sort: u32, slot: Slot) -> Option<Names> {
        let mut names = Names {
            element: Vec::new(),
            raw: vec![0; self.symmetry.elements()],
        };
        for (value, element) in self.symmetry.values(sort) {
            let raw = value.wrapping_sub(slot.lo) as u64;
            if *value >= slot.lo && raw <= slot.mask {
                let raw_at = raw as usize;
                if names.element.len() <= raw_at {
                    names.element.resize(raw_at + 1, NOBODY);
                }
                names.element[raw_at] = *element;
                names.raw[usize::from(*element)] = raw;
            }
        }
        (!names.element.is_empty()).then_some(names)
    }
}

impl Family {
    /// Returns the element that a cell of the family with this value names, or [`NOBODY`].
    #[inline]
    pub fn named(&self, cell: &Cell, raw: u64, state: &[u64]) -> Element {
        let names = self.names.as_ref();
        names.map_or(NOBODY, |names| names.of(cell, raw, state))
    }
}

/// Returns the image of an element under the swap of two.
pub fn swapped_with([one, other]: [Element; 2], element: Element) -> Element {
    match element {
        e if e == one => other,
        e if e == other => one,
        e => e,
    }
}

/// The value of a cell.
#[inline]
pub fn raw(cell: &Cell, state: &[u64]) -> u64 {
    state.raw(cell.slot)
}

/// Which families have to do with several elements at once.
#[derive(Debug)]
pub struct Links {
    /// The numbers of those families.
    pub linking: Vec<usize>,
    /// And of the others.
    pub single: Vec<usize>,
    /// The same of bags.
    pub linking_bags: Vec<usize>,
    pub single_bags: Vec<usize>,
}

impl Links {
    pub fn of(families: &Families) -> Links {
        let is_linking = |at: &usize| {
            let family = &families.families[*at];
            family.table.clusters.len() + usize::from(family.names.is_some()) > 1
        };
        let (linking, single) = (0..families.families.len()).partition(is_linking);
        let is_linking = |at: &usize| families.bags[*at].is_linking();
        let (linking_bags, single_bags) = (0..families.bags.len()).partition(is_linking);
        Links {
            linking,
            single,
            linking_bags,
            single_bags,
        }
    }

    /// Whether nothing has to do with several elements at once.
    pub fn is_empty(&self) -> bool {
        self.linking.is_empty() && self.linking_bags.is_empty()
    }
}
