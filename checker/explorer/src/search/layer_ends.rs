//! Where the layers of a breadth-first search end.

/// More layers are not told apart: a space that goes so deep is a narrow one, and a list as long as that would be a part of
/// what its states take.
const MOST: usize = 1 << 14;

/// Layers with fewer states say nothing about the growth of a state space.
const LEAST_COMPARED: u32 = 64;

/// By the numbers of the states, which are those in which they were found: behind each layer, from that of the initial
/// states on. Empty where another search than a breadth-first one has found them.
#[derive(Clone, Debug, Default)]
pub struct LayerEnds {
    ends: Vec<u32>,
    /// What is found now is of no layer: it is found to make up for steps that were left out, or there were too many.
    is_over: bool,
}

impl LayerEnds {
    pub fn bytes(&self) -> u64 {
        self.ends.capacity() as u64 * 4
    }

    /// A search begins with so many states.
    pub fn begin(&mut self, states: u32) {
        self.ends = vec![states];
        self.is_over = false;
    }

    /// Notes that a layer is complete, with `states` states in all.
    pub fn end(&mut self, states: u32) {
        if self.is_over {
            return;
        }
        self.is_over = self.ends.len() >= MOST;
        if !self.is_over {
            self.ends.push(states);
        }
    }

    /// States that are found from now on, when there are so many, are of no layer.
    pub fn close(&mut self, states: u32) {
        if self.ends.last().is_some_and(|last| *last < states) {
            self.end(states);
        }
        self.is_over = true;
    }

    /// States for a hundred of another search, in the layers that are complete in both; `None` if
    /// these are too few to say something about growth.
    pub fn for_100_of(&self, other: &LayerEnds) -> Option<u64> {
        let layers = self.complete().min(other.complete());
        let (states, others) = (self.states_within(layers), other.states_within(layers));
        (others >= LEAST_COMPARED).then(|| u64::from(states) * 100 / u64::from(others))
    }

    /// The depth up to which all steps of all states have been taken.
    pub fn complete_depth(&self) -> Option<u64> {
        // The steps of the last complete layer may not all have been taken.
        self.ends.len().checked_sub(2).map(|depth| depth as u64)
    }

    /// Number of complete layers.
    pub fn complete(&self) -> usize {
        self.ends.len()
    }

    /// Number of states in the first `layers` layers, or in the complete ones if these are fewer.
    fn states_within(&self, layers: usize) -> u32 {
        let ends = &self.ends[..layers.min(self.ends.len())];
        ends.last().copied().unwrap_or(0)
    }

    /// How many states each layer has, the last of which may be incomplete, if there are so many states in all.
    pub fn sizes(&self, states: u32) -> Vec<u64> {
        let open = self
            .ends
            .last()
            .filter(|last| !self.is_over && **last < states);
        let ends = self.ends.iter().copied().chain(open.map(|_| states));
        let mut before = 0;
        let size = |end: u32| u64::from(end - std::mem::replace(&mut before, end));
        ends.map(size).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_found_later_to_make_up_for_steps_is_of_no_layer() {
        let mut ends = LayerEnds::default();
        assert!(ends.sizes(9).is_empty());
        ends.begin(1);
        ends.end(4);
        assert_eq!(ends.sizes(4), [1, 3]);
        assert_eq!(ends.sizes(9), [1, 3, 5]);
        ends.close(9);
        ends.end(11);
        assert_eq!(ends.sizes(12), [1, 3, 5]);
    }

    #[test]
    fn searches_are_compared_in_the_layers_that_are_complete_in_both() {
        let of = |all: &[u32]| {
            let mut ends = LayerEnds::default();
            ends.begin(all[0]);
            all[1..].iter().for_each(|end| ends.end(*end));
            ends
        };
        let (plain, reduced) = (of(&[1, 50, 150, 900]), of(&[1, 40, 100]));
        assert_eq!(plain.for_100_of(&reduced), Some(150));
        assert_eq!(reduced.for_100_of(&plain), Some(66));
        assert_eq!(of(&[1, 50]).for_100_of(&reduced), None);
    }

    #[test]
    fn layers_are_told_apart_up_to_a_number() {
        let mut ends = LayerEnds::default();
        ends.begin(1);
        for states in 2..100_000 {
            ends.end(states);
        }
        assert_eq!(ends.sizes(100_000).len(), MOST);
    }
}
