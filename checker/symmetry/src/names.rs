//! Elements that the values of slots name.

use stubborn_space::packed::layout::Slot;
use stubborn_system::symmetry::Element;

/// Stands for no element.
pub const NOBODY: Element = Element::MAX;

/// Elements that the values of slots name.
#[derive(Debug)]
pub struct Names {
    /// By raw value.
    pub element: Vec<Element>,
    /// By element.
    pub raw: Vec<u64>,
}

/// A slot.
#[derive(Debug)]
pub struct Cell {
    pub slot: Slot,
    pub owners: Vec<Element>,
    pub when: When,
}

/// When the value of a slot names anybody.
#[derive(Debug)]
pub enum When {
    Always,
    /// Unless the instance is at one of these locations.
    Unless {
        location: Slot,
        blank: Box<[bool]>,
    },
    /// If a channel has more messages than this.
    Beyond {
        length: Slot,
        message: u64,
    },
}

impl Cell {
    /// Whether a value that can name an element names it in this state.
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
    /// Returns the element that a slot names, or [`NOBODY`].
    #[inline]
    pub fn of(&self, cell: &Cell, raw: u64, state: &[u64]) -> Element {
        match self.element_of(raw) {
            element if element != NOBODY && cell.counts(state) => element,
            _ => NOBODY,
        }
    }

    /// Returns the element that a value can name, or [`NOBODY`].
    #[inline]
    pub fn element_of(&self, raw: u64) -> Element {
        self.element.get(raw as usize).copied().unwrap_or(NOBODY)
    }

    /// Returns the value that names the image of the element that this one names.
    #[inline]
    pub fn image(&self, raw: u64, permutation: &[Element]) -> u64 {
        match self.element_of(raw) {
            NOBODY => raw,
            element => self.raw(permutation[usize::from(element)]),
        }
    }

    /// Returns the element that a value names, which must name one.
    pub fn element(&self, raw: u64) -> Element {
        self.element[raw as usize]
    }

    /// The value that names an element.
    #[inline]
    pub fn raw(&self, element: Element) -> u64 {
        self.raw[usize::from(element)]
    }
}
