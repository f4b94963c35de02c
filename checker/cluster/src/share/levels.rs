//! The layer of each state, found by a second breadth-first search among the states that there are.

/// Layers by the slots of states.
pub struct Levels {
    /// One more than the layer of each state; 0 if it is unknown.
    known: Vec<u32>,
    /// One more than the layer of the states that are reached now.
    level: u32,
    /// The states to be expanded, and those reached from them.
    pub layer: Vec<u32>,
    next: Vec<u32>,
}

impl Levels {
    pub fn new(slots: u32) -> Levels {
        Levels {
            known: vec![0; slots as usize],
            level: 1,
            layer: Vec::new(),
            next: Vec::new(),
        }
    }

    /// Memory for the layers of `slots` states, in bytes.
    pub fn bytes_for(slots: u32) -> u64 {
        u64::from(slots) * 4
    }

    pub fn bytes(&self) -> u64 {
        let slots = self.known.len() + self.layer.capacity() + self.next.capacity();
        slots as u64 * 4
    }

    /// Bytes that one more state takes while the list grows.
    pub fn bytes_to_reach(&self) -> u64 {
        match self.next.len() == self.next.capacity() {
            true => self.next.capacity() as u64 * 8 + 16,
            false => 0,
        }
    }

    /// Reaches a state.
    pub fn reach(&mut self, slot: u32) {
        let known = &mut self.known[slot as usize];
        if *known == 0 {
            *known = self.level;
            self.next.push(slot);
        }
    }

    /// Goes on to the next layer; returns the number of its states.
    pub fn next_layer(&mut self) -> u64 {
        self.layer = std::mem::take(&mut self.next);
        self.level += 1;
        self.layer.len() as u64
    }

    /// The layer of a state.
    pub fn of(&self, slot: u32) -> Option<u64> {
        self.known[slot as usize].checked_sub(1).map(u64::from)
    }
}
