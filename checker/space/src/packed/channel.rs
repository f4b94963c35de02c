//! Messages in packed states: the oldest first, those of a bag ascending, the slots that hold none
//! zero, so that equal contents have equal words.

use super::layout::{ChannelLayout, Layout, Slot};

impl ChannelLayout {
    pub fn len(&self, state: &[u64]) -> u32 {
        self.length.raw(state) as u32
    }

    pub fn is_full(&self, state: &[u64]) -> bool {
        self.len(state) >= self.capacity
    }

    fn message<'a>(&self, layout: &'a Layout, at: u32) -> &'a [Slot] {
        let from = self.slot(at, 0);
        &layout.slots[from..from + self.parts as usize]
    }

    pub fn read(&self, layout: &Layout, state: &[u64], at: u32, message: &mut Vec<i64>) {
        message.clear();
        message.extend(self.message(layout, at).iter().map(|slot| slot.get(state)));
    }

    /// Whether two messages are equal.
    pub fn are_equal(&self, layout: &Layout, state: &[u64], a: u32, b: u32) -> bool {
        let mut parts = self.message(layout, a).iter().zip(self.message(layout, b));
        parts.all(|(a, b)| a.raw(state) == b.raw(state))
    }

    /// Adds a message at the end. There must be room, and its parts must be in their ranges.
    pub fn append(&self, layout: &Layout, state: &mut [u64], message: &[i64]) {
        self.put(layout, state, self.len(state), message);
    }

    /// Adds a message where it belongs in a bag.
    pub fn insert(&self, layout: &Layout, state: &mut [u64], message: &[i64]) {
        let mut at = self.len(state);
        let comes_after = |at: u32, state: &[u64]| {
            let slots = self.message(layout, at).iter();
            slots
                .map(|slot| slot.get(state))
                .gt(message.iter().copied())
        };
        while at > 0 && comes_after(at - 1, state) {
            self.copy(layout, state, at - 1, at);
            at -= 1;
        }
        self.put(layout, state, at, message);
    }

    fn put(&self, layout: &Layout, state: &mut [u64], at: u32, message: &[i64]) {
        debug_assert!(!self.is_full(state), "a full channel takes no message");
        for (slot, value) in self.message(layout, at).iter().zip(message) {
            slot.set(state, *value);
        }
        let length = self.length.raw(state) + 1;
        self.length.set_raw(state, length);
    }

    fn copy(&self, layout: &Layout, state: &mut [u64], from: u32, to: u32) {
        for (from, to) in self
            .message(layout, from)
            .iter()
            .zip(self.message(layout, to))
        {
            to.set_raw(state, from.raw(state));
        }
    }

    /// Takes a message out; those after it move up.
    pub fn remove(&self, layout: &Layout, state: &mut [u64], at: u32) {
        let length = self.len(state);
        debug_assert!(at < length, "only a message that is there can be taken out");
        for m in at + 1..length {
            self.copy(layout, state, m, m - 1);
        }
        for slot in self.message(layout, length - 1) {
            slot.set_raw(state, 0);
        }
        self.length.set_raw(state, u64::from(length) - 1);
    }
}
