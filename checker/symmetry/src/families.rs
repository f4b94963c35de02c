//! The slots of a packed state in families: those that permutations move to each other.

use rustc_hash::FxHashMap;
use stubborn_space::packed::Packed;
use stubborn_space::packed::layout::{Cells, Slot};
use stubborn_system::symmetry::{Element, Shape, Symmetry};
use stubborn_system::system::{InstanceId, VariableRef};

/// What is no element.
pub const NOBODY: Element = Element::MAX;
/// No slot has these owners.
const NO_CELL: u32 = u32::MAX;

/// Slots that are told apart by their owners alone.
#[derive(Debug)]
pub struct Family {
    /// The clusters of the owners.
    pub clusters: Vec<u16>,
    /// By the places of the owners in their clusters, the first varying slowest: the number of the cell.
    at: Vec<u32>,
    /// What the values name.
    pub names: Option<Names>,
}

/// Which elements the values of slots name.
#[derive(Debug)]
pub struct Names {
    /// By raw value.
    element: Vec<Element>,
    /// By element.
    raw: Vec<u64>,
}

/// A slot.
#[derive(Debug)]
pub struct Cell {
    pub slot: Slot,
    pub owners: Vec<Element>,
    when: When,
}

/// When the value of a slot names anybody.
#[derive(Debug)]
enum When {
    Always,
    /// Unless the instance is at one of these locations.
    Unless {
        location: Slot,
        blank: Box<[bool]>,
    },
    /// Where a channel has more messages than this.
    Beyond {
        length: Slot,
        message: u64,
    },
}

impl Cell {
    /// Whether the value names somebody, if it is one that does.
    #[inline]
    fn counts(&self, state: &[u64]) -> bool {
        match &self.when {
            When::Always => true,
            When::Unless { location, blank } => !blank[location.raw(state) as usize],
            When::Beyond { length, message } => length.raw(state) > *message,
        }
    }
}

impl Names {
    /// Whom a slot names, or nobody.
    #[inline]
    fn of(&self, cell: &Cell, raw: u64, state: &[u64]) -> Element {
        match self.element.get(raw as usize) {
            Some(element) if *element != NOBODY && cell.counts(state) => *element,
            _ => NOBODY,
        }
    }

    /// Whom a value names that names somebody.
    pub fn element(&self, raw: u64) -> Element {
        self.element[raw as usize]
    }

    /// The value that names an element.
    #[inline]
    pub fn raw(&self, element: Element) -> u64 {
        self.raw[usize::from(element)]
    }
}

/// All slots that are not the same whatever is permuted.
#[derive(Debug, Default)]
pub struct Families {
    pub families: Vec<Family>,
    /// Those of one family after those of the one before.
    pub cells: Vec<Cell>,
    /// Where each family's begin, and the last one's end.
    pub first: Vec<usize>,
}

impl Families {
    /// `None` where some permutation would move a slot to where none is.
    pub fn of(symmetry: &Symmetry, packed: &Packed<'_>) -> Option<Families> {
        let mut gather = Gather {
            symmetry,
            packed,
            found: Vec::new(),
            numbers: FxHashMap::default(),
        };
        gather.all();
        let mut families = Families::default();
        let mut cluster_of = vec![(0, 0); symmetry.elements()];
        for (cluster, elements) in symmetry.clusters.iter().enumerate() {
            for (place, element) in elements.iter().enumerate() {
                cluster_of[usize::from(*element)] = (cluster as u16, place);
            }
        }
        for found in gather.found {
            let owners = &found.cells[0].owners;
            let clusters = owners.iter().map(|owner| cluster_of[usize::from(*owner)].0);
            let clusters: Vec<u16> = clusters.collect();
            if clusters.is_empty() && found.names.is_none() {
                continue;
            }
            let of_cluster = |c: &u16| symmetry.clusters[usize::from(*c)].len();
            let sizes = clusters.iter().map(of_cluster);
            let size = sizes.clone().product();
            let mut at = vec![NO_CELL; size];
            families.first.push(families.cells.len());
            for cell in found.cells {
                let owners = cell.owners.iter().zip(sizes.clone());
                let index = owners.fold(0, |index, (owner, size)| {
                    index * size + cluster_of[usize::from(*owner)].1
                });
                if cell.owners.len() != clusters.len() || at[index] != NO_CELL {
                    return None;
                }
                at[index] = families.cells.len() as u32;
                families.cells.push(cell);
            }
            families.families.push(Family {
                clusters,
                at,
                names: found.names,
            });
        }
        families.first.push(families.cells.len());
        families.is_closed(symmetry).then_some(families)
    }

    /// Whether every swap of two neighbours moves each slot to another.
    fn is_closed(&self, symmetry: &Symmetry) -> bool {
        let clusters = symmetry.clusters.iter();
        let mut pairs = clusters.flat_map(|cluster| cluster.windows(2));
        pairs.all(|pair| {
            let pair = [pair[0], pair[1]];
            (0..self.families.len()).all(|family| {
                self.cells_of(family).iter().all(|cell| {
                    let owners = cell.owners.iter().map(|owner| swapped_with(pair, *owner));
                    let owners: Vec<Element> = owners.collect();
                    let to = self.find(family, &owners, symmetry);
                    to.is_some_and(|to| {
                        let to = &self.cells[to];
                        (to.slot.lo, to.slot.mask) == (cell.slot.lo, cell.slot.mask)
                    })
                })
            })
        })
    }

    fn find(&self, family: usize, owners: &[Element], symmetry: &Symmetry) -> Option<usize> {
        let clusters = &self.families[family].clusters;
        let mut index = 0;
        for (owner, cluster) in owners.iter().zip(clusters) {
            let elements = &symmetry.clusters[usize::from(*cluster)];
            index = index * elements.len() + usize::from(owner.checked_sub(elements[0])?);
        }
        let at = *self.families[family].at.get(index)?;
        (at != NO_CELL).then_some(at as usize)
    }

    /// The cells of a family.
    #[inline]
    pub fn cells_of(&self, family: usize) -> &[Cell] {
        &self.cells[self.first[family]..self.first[family + 1]]
    }

    /// The cell of a family with these owners. `places` gives the place of an element in its cluster, and the
    /// cluster's size.
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
        let index = owners.fold(0, |index, owner| {
            let (place, size) = places[usize::from(owner)];
            index * usize::from(size) + usize::from(place)
        });
        self.families[family].at[index]
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
        // Owners of other clusters are nobody whom these can become.
        key.push(-4);
        key.extend(owners.iter().map(|owner| self.cluster(owner)));
        let next = self.found.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            let names = sort
                .map(|sort| self.names(sort, slot))
                .filter(|names| !names.element.is_empty());
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

    /// Which elements the values of a slot name; nobody where the slot has no room for them.
    fn names(&self, sort: u32, slot: Slot) -> Names {
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
        names
    }
}

impl Family {
    /// Whom a cell of the family with this value names, or nobody.
    #[inline]
    pub fn named(&self, cell: &Cell, raw: u64, state: &[u64]) -> Element {
        let names = self.names.as_ref();
        names.map_or(NOBODY, |names| names.of(cell, raw, state))
    }
}

/// What an element becomes where two change places.
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
}

impl Links {
    pub fn of(families: &Families) -> Links {
        let is_linking = |at: &usize| {
            let family = &families.families[*at];
            family.clusters.len() + usize::from(family.names.is_some()) > 1
        };
        let (linking, single) = (0..families.families.len()).partition(is_linking);
        Links { linking, single }
    }
}
