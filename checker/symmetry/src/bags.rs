//! Messages of bags, whose order has no meaning.
//!
//! Where a message stands in a packed bag depends on its values: messages ascend. So a permutation
//! renames all messages of a bag, and puts them in order again.

use stubborn_space::packed::layout::{Cells, CellsMut, Slot};
use stubborn_system::symmetry::Element;

use super::names::{NOBODY, Names};

/// A bag that permutations move, or whose messages they rename.
#[derive(Debug)]
pub struct Bag {
    pub owners: Vec<Element>,
    /// The bags of a family are told apart by their owners alone.
    pub family: usize,
    length: Slot,
    /// The parts of one message after those of the one before.
    slots: Vec<Slot>,
    /// Of each part of a message the elements that its values name.
    pub names: Vec<Option<Names>>,
}

impl Bag {
    pub fn new(
        owners: &[Element],
        length: Slot,
        slots: Vec<Slot>,
        names: Vec<Option<Names>>,
    ) -> Bag {
        Bag {
            owners: owners.to_vec(),
            family: 0,
            length,
            slots,
            names,
        }
    }

    pub fn of(self, family: usize) -> Bag {
        Bag { family, ..self }
    }

    /// Whether a message has to do with several elements at once.
    pub fn is_linking(&self) -> bool {
        self.owners.len() + self.names.iter().flatten().count() > 1
    }

    /// Whether messages of one fit the other.
    pub fn is_like(&self, other: &Bag) -> bool {
        let form = |slot: &Slot| (slot.lo, slot.mask);
        self.slots.len() == other.slots.len()
            && form(&self.length) == form(&other.length)
            && (self.slots.iter().map(form)).eq(other.slots.iter().map(form))
    }

    /// Number of slots of all messages.
    pub fn cells(&self) -> usize {
        self.slots.len()
    }

    /// The messages that it holds in a state.
    #[inline]
    pub fn messages<'b>(&'b self, state: &[u64]) -> impl Iterator<Item = &'b [Slot]> + use<'b> {
        let messages = self.slots.chunks_exact(self.names.len().max(1));
        messages.take(self.length.raw(state) as usize)
    }

    /// Writes the messages of this bag, renamed, as those of its image.
    pub fn apply(&self, permutation: &[Element], from: &[u64], image: &Bag, to: &mut [u64]) {
        let parts = self.names.len().max(1);
        let mut rest = image.slots.chunks_exact(parts);
        for (count, message) in self.messages(from).enumerate() {
            rest.next();
            let renamed = |part: usize| {
                let raw = from.raw(message[part]);
                match &self.names[part] {
                    Some(names) => names.image(raw, permutation),
                    None => raw,
                }
            };
            let mut at = count;
            while at > 0 && {
                let before = &image.slots[(at - 1) * parts..at * parts];
                let before = before.iter().map(|slot| to.raw(*slot));
                before.gt((0..message.len()).map(renamed))
            } {
                for part in (at - 1) * parts..at * parts {
                    let moved = to.raw(image.slots[part]);
                    to.set_raw(image.slots[part + parts], moved);
                }
                at -= 1;
            }
            for part in 0..message.len() {
                to.set_raw(image.slots[at * parts + part], renamed(part));
            }
        }
        for slot in rest.flatten() {
            to.set_raw(*slot, 0);
        }
    }

    /// The elements that a message has to do with, each with its place: the owners of the bag, then
    /// those that its parts name.
    #[inline]
    pub fn members<'b>(
        &'b self,
        message: &'b [Slot],
        state: &'b [u64],
    ) -> impl Iterator<Item = (u64, Element)> + 'b {
        let owners = (1..).zip(self.owners.iter().copied());
        let named = (8..).zip(message.iter().zip(&self.names));
        let named = named.filter_map(|(place, (slot, names))| {
            let element = names.as_ref()?.element_of(state.raw(*slot));
            (element != NOBODY).then_some((place, element))
        });
        owners.chain(named)
    }

    /// The values of a message that name nobody, each with its part.
    #[inline]
    pub fn values<'b>(
        &'b self,
        message: &'b [Slot],
        state: &'b [u64],
    ) -> impl Iterator<Item = (u64, u64)> + 'b {
        let parts = (0..).zip(message.iter().zip(&self.names));
        parts.filter_map(|(part, (slot, names))| {
            let raw = state.raw(*slot);
            let names_nobody = |names: &Names| names.element_of(raw) == NOBODY;
            (names.as_ref().is_none_or(names_nobody)).then_some((part, raw))
        })
    }
}
