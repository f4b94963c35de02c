//! What a monitor may still find from one of its states.

use stubborn_space::monitor::Marks;
use stubborn_system::components::Components;

/// Which violations lie ahead of a state of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// It is a livelock monitor state.
    Livelock,
    /// It is none, but a violation may lie ahead that only an infinite run shows: a livelock or an
    /// infinite trace monitor state can be reached.
    Lasting,
    /// Only what a finite run shows.
    Ending,
    /// Whatever it is: sets keep the order of what is visible, and the search sees to cycles.
    InOrder,
}

impl Awaits {
    /// What lies ahead of each state of a monitor, given its marks and where it leads.
    pub fn of(marks: &[Marks], next: &[Vec<u32>]) -> Vec<Awaits> {
        let last: Vec<bool> = marks.iter().map(|s| s.livelock || s.infinite).collect();
        let lasting = Components::of(next).leading_to(&last).into_iter();
        let all = marks.iter().zip(lasting);
        all.map(|(marks, lasting)| match (marks.livelock, lasting) {
            (true, _) => Awaits::Livelock,
            (false, true) => Awaits::Lasting,
            (false, false) => Awaits::Ending,
        })
        .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_ahead_is_found_through_any_number_of_states() {
        let state = |livelock, infinite| Marks {
            livelock,
            infinite,
            ..Marks::default()
        };
        let none = state(false, false);
        let states = [none, none, state(false, true), none, state(true, false)];
        let next = [vec![1], vec![2, 3], vec![3], vec![3], vec![]];
        assert_eq!(
            Awaits::of(&states, &next),
            [
                Awaits::Lasting,
                Awaits::Lasting,
                Awaits::Lasting,
                Awaits::Ending,
                Awaits::Livelock
            ]
        );
    }
}
