//! What a monitor may still find from one of its states.

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

/// A state of a monitor, as far as it matters here.
#[derive(Clone, Debug)]
pub struct AwaitingState {
    pub livelock: bool,
    pub infinite: bool,
    pub next: Vec<u32>,
}

impl Awaits {
    /// Of each state.
    pub fn of(states: &[AwaitingState]) -> Vec<Awaits> {
        let last: Vec<bool> = states.iter().map(|s| s.livelock || s.infinite).collect();
        let next: Vec<Vec<u32>> = states.iter().map(|state| state.next.clone()).collect();
        let lasting = Components::of(&next).leading_to(&last);
        let all = states.iter().zip(lasting);
        all.map(|(state, lasting)| match (state.livelock, lasting) {
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
        let state = |livelock, infinite, next: &[u32]| AwaitingState {
            livelock,
            infinite,
            next: next.to_vec(),
        };
        let states = [
            state(false, false, &[1]),
            state(false, false, &[2, 3]),
            state(false, true, &[3]),
            state(false, false, &[3]),
            state(true, false, &[]),
        ];
        assert_eq!(
            Awaits::of(&states),
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
