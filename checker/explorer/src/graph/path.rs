//! Shortest paths.

use super::Edges;

/// Of no state.
const UNSEEN: u32 = u32::MAX;

/// The states with how far they are from the initial one, in breadth-first order. Eight bytes for
/// each.
pub struct Nearest<'a> {
    edges: &'a Edges,
    parents: Vec<u32>,
    reached: Vec<u32>,
    next: usize,
    depth: usize,
    /// Where in `reached` the states begin that are one step farther.
    farther: usize,
}

impl<'a> Nearest<'a> {
    pub fn new(edges: &'a Edges) -> Nearest<'a> {
        let mut parents = vec![UNSEEN; edges.states() as usize];
        let mut reached = Vec::new();
        if let Some(initial) = parents.first_mut() {
            *initial = 0;
            reached.push(0);
        }
        Nearest {
            edges,
            parents,
            farther: reached.len(),
            reached,
            next: 0,
            depth: 0,
        }
    }

    /// From the initial state to one that has come.
    pub fn path(&self, state: u32) -> Vec<u32> {
        let mut path = vec![state];
        let mut at = state;
        while at != 0 {
            at = self.parents[at as usize];
            path.push(at);
        }
        path.reverse();
        path
    }
}

impl Iterator for Nearest<'_> {
    type Item = (u32, usize);

    fn next(&mut self) -> Option<(u32, usize)> {
        if self.next == self.farther {
            self.depth += 1;
            self.farther = self.reached.len();
        }
        let state = *self.reached.get(self.next)?;
        self.next += 1;
        for &target in self.edges.of(state) {
            let parent = &mut self.parents[target as usize];
            if *parent == UNSEEN {
                *parent = state;
                self.reached.push(target);
            }
        }
        Some((state, self.depth))
    }
}

/// A shortest path from the initial state to a state with `is_goal`, perhaps itself.
pub fn to_nearest(edges: &Edges, is_goal: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
    let mut nearest = Nearest::new(edges);
    let (state, _) = nearest.find(|(state, _)| is_goal(*state))?;
    Some(nearest.path(state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shortest() {
        let edges = Edges::of_lists(&[&[1, 2], &[2], &[3, 0], &[3]]);
        assert_eq!(to_nearest(&edges, |state| state == 3), Some(vec![0, 2, 3]));
        assert_eq!(to_nearest(&edges, |state| state == 0), Some(vec![0]));
        assert_eq!(to_nearest(&edges, |state| state == 4), None);
        let depths: Vec<(u32, usize)> = Nearest::new(&edges).collect();
        assert_eq!(depths, [(0, 0), (1, 1), (2, 1), (3, 2)]);
    }
}
