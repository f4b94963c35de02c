//! Random graphs, dealt out to workers that pass each other what they send, and what a reachability matrix says of them.

use proptest::prelude::*;
use stubborn_random::fixed;

use super::{Backward, Direction, said};

/// A step, and whether it is wanted.
type Edge = (usize, usize, bool);

struct Workers {
    all: Vec<Backward>,
}

/// Whose a state is, and its number there.
fn place(state: usize, workers: usize) -> (usize, u32) {
    (state % workers, (state / workers) as u32)
}

impl Workers {
    fn new(states: usize, workers: usize, edges: &[Edge], marked: &[bool]) -> Workers {
        let numbers = states.div_ceil(workers) as u32;
        let all = (0..workers).map(|own| Backward::new(own as u32, numbers, true));
        let mut all: Vec<Backward> = all.collect();
        for (from, to, is_wanted) in edges {
            let ((worker, number), (owner, to)) = (place(*from, workers), place(*to, workers));
            assert!(all[owner].note(to, said(worker as u32, number, *is_wanted)));
        }
        for state in (0..states).filter(|state| marked[*state]) {
            let (owner, number) = place(state, workers);
            all[owner].mark(number);
        }
        Workers { all }
    }

    /// How many are known, or left, at the end of the direction.
    fn go(&mut self, direction: Direction) -> u64 {
        self.all.iter_mut().for_each(|one| one.begin(direction));
        loop {
            let mut outbox = vec![Vec::new(); self.all.len()];
            for one in &mut self.all {
                while one.go_back(&mut outbox) {}
            }
            for (one, slots) in self.all.iter_mut().zip(&outbox) {
                one.come_back(slots);
            }
            if self.all.iter().all(|one| one.waiting() == 0) {
                return self.all.iter().map(Backward::many).sum();
            }
        }
    }

    fn is_marked(&self, state: usize) -> bool {
        let (owner, number) = place(state, self.all.len());
        self.all[owner].is_marked(number)
    }
}

/// From which state which others can be reached, by one step or more.
fn reach(states: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; states]; states];
    edges.for_each(|(from, to)| reach[from][to] = true);
    for by in 0..states {
        for from in 0..states {
            for to in 0..states {
                reach[from][to] |= reach[from][by] && reach[by][to];
            }
        }
    }
    reach
}

fn graphs() -> impl Strategy<Value = (Vec<Edge>, Vec<bool>, usize)> {
    (1..12_usize, 1..5_usize).prop_flat_map(|(states, workers)| {
        let edge = (0..states, 0..states, any::<bool>());
        let edges = prop::collection::vec(edge, 0..2 * states);
        let marked = prop::collection::vec(any::<bool>(), states);
        (edges, marked, Just(workers))
    })
}

#[test]
fn what_can_reach_a_goal_is_known() {
    fixed::test(500, &graphs(), |(edges, goals, workers)| {
        let states = goals.len();
        let mut all = Workers::new(states, workers, &edges, &goals);
        all.go(Direction::Known);
        let reach = reach(states, edges.iter().map(|(from, to, _)| (*from, *to)));
        for state in 0..states {
            let can = goals[state] || (0..states).any(|to| goals[to] && reach[state][to]);
            prop_assert_eq!(all.is_marked(state), can, "{}", state);
        }
        Ok(())
    });
}

#[test]
fn what_is_left_is_what_can_reach_a_cycle_of_the_kind_that_is_asked_for() {
    fixed::test(500, &graphs(), |(edges, stays, workers)| {
        let states = stays.len();
        let inside = edges
            .iter()
            .filter(|(from, to, _)| stays[*from] && stays[*to]);
        let inside: Vec<&Edge> = inside.collect();
        let reach = reach(states, inside.iter().map(|(from, to, _)| (*from, *to)));
        for all_are_wanted in [false, true] {
            let mut all = Workers::new(states, workers, &edges, &stays);
            let mut left: u64 = stays.iter().map(|stays| u64::from(*stays)).sum();
            loop {
                let before = left;
                if !all_are_wanted {
                    all.go(Direction::Reach);
                }
                all.go(Direction::Count);
                left = all.go(Direction::Trim);
                if left == 0 || left == before || all_are_wanted {
                    break;
                }
            }
            let wanted = inside
                .iter()
                .filter(|(.., wanted)| *wanted || all_are_wanted);
            let on_cycle = wanted.filter(|(from, to, _)| from == to || reach[*to][*from]);
            let begins: Vec<usize> = on_cycle.map(|(from, ..)| *from).collect();
            for state in 0..states {
                let can = begins
                    .iter()
                    .any(|begin| state == *begin || reach[state][*begin]);
                // From a wanted step another may be reached, and so on, only round a cycle.
                prop_assert_eq!(all.is_marked(state), stays[state] && can, "{}", state);
            }
        }
        Ok(())
    });
}
