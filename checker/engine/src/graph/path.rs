//! Shortest paths.

use std::collections::VecDeque;

use super::Edges;

/// A shortest path of at least one edge from `from` to a state with `is_goal`, all of whose states
/// are `within`; both ends belong to it.
pub fn shortest(
    edges: &Edges,
    from: u32,
    within: impl Fn(u32) -> bool,
    is_goal: impl Fn(u32) -> bool,
) -> Option<Vec<u32>> {
    const UNSEEN: u32 = u32::MAX;
    let mut parents = vec![UNSEEN; edges.states() as usize];
    let mut open = VecDeque::from([from]);
    parents[from as usize] = from;
    while let Some(state) = open.pop_front() {
        for &target in edges.of(state) {
            if within(target) && is_goal(target) {
                let mut path = vec![target, state];
                let mut at = state;
                while at != from {
                    at = parents[at as usize];
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
            if parents[target as usize] == UNSEEN && within(target) {
                parents[target as usize] = state;
                open.push_back(target);
            }
        }
    }
    None
}

/// A shortest path from the initial state to a state with `is_goal`, perhaps itself.
pub fn to_nearest(edges: &Edges, is_goal: impl Fn(u32) -> bool) -> Option<Vec<u32>> {
    if is_goal(0) {
        return Some(vec![0]);
    }
    shortest(edges, 0, |_| true, is_goal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shortest_and_may_lead_back_to_its_beginning() {
        let edges = Edges::of_lists(&[&[1, 2], &[2], &[3, 0], &[3]]);
        assert_eq!(to_nearest(&edges, |state| state == 3), Some(vec![0, 2, 3]));
        assert_eq!(to_nearest(&edges, |state| state == 0), Some(vec![0]));
        let cycle = shortest(&edges, 1, |_| true, |state| state == 1);
        assert_eq!(cycle, Some(vec![1, 2, 0, 1]));
        let own = shortest(&edges, 3, |_| true, |state| state == 3);
        assert_eq!(own, Some(vec![3, 3]));
        assert_eq!(shortest(&edges, 1, |state| state != 0, |s| s == 1), None);
    }
}
