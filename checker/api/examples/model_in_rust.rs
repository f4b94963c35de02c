//! Dining philosophers as a Rust type: the state space with and without partial-order reduction, and
//! a shortest path to the deadlock.

use std::ops::ControlFlow;

use stubborn_checker::{
    Label, Members, Options, Others, ProcessRelations, Pulse, Stopped, Successors, Visit, explore,
    find_terminal, reduced,
};

const SEATS: usize = 8;

/// Each philosopher takes the fork on the left, then the one on the right, and puts both back.
///
/// The first words of a state are the locations of the philosophers: 0 without a fork, 1 with the
/// left one, 2 with both. The others are 1 where a fork is taken.
struct Philosophers;

/// The fork that a philosopher needs for the next step; none to put both back.
fn next_fork(philosopher: usize, location: u64) -> Option<usize> {
    match location {
        0 => Some(SEATS + philosopher),
        1 => Some(SEATS + (philosopher + 1) % SEATS),
        _ => None,
    }
}

impl Successors for Philosophers {
    type Scratch = ();

    fn words(&self) -> usize {
        2 * SEATS
    }

    fn initial(&self) -> &[u64] {
        &[0; 2 * SEATS]
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        (0..SEATS).try_for_each(|one| self.visit_process(one, state, &mut (), visitor))
    }
}

impl ProcessRelations for Philosophers {
    fn processes(&self) -> usize {
        SEATS
    }

    fn visit_process(
        &self,
        philosopher: usize,
        state: &[u64],
        _: &mut (),
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let location = state[philosopher];
        let mut next = state.to_vec();
        match next_fork(philosopher, location) {
            Some(fork) if state[fork] == 1 => return ControlFlow::Continue(()),
            Some(fork) => (next[philosopher], next[fork]) = (location + 1, 1),
            None => {
                let forks = [0, 1].map(|location| next_fork(philosopher, location));
                forks.into_iter().flatten().for_each(|fork| next[fork] = 0);
                next[philosopher] = 0;
            }
        }
        let label = Label {
            participants: &[(philosopher as u32, location as u32)],
            action: None,
        };
        visitor.step(label, Ok(&next))
    }

    fn begin(&self, _: &[u64], _: &mut ()) -> bool {
        true
    }

    fn enabled(&self, philosopher: usize, state: &[u64], _: &mut ()) -> u32 {
        let fork = next_fork(philosopher, state[philosopher]);
        u32::from(fork.is_none_or(|fork| state[fork] == 0))
    }

    /// A step that takes a fork depends on the neighbour who uses the same fork, whether it is free
    /// (the neighbour may take it first) or not (the neighbour has to put it back). No other
    /// philosopher touches the forks that are put back.
    fn needs(
        &self,
        philosopher: usize,
        _: &Others,
        state: &[u64],
        _: &mut (),
        _: &mut Pulse<'_>,
    ) -> Members {
        let mut needs = Members::default();
        match state[philosopher] {
            0 => needs.insert((philosopher + SEATS - 1) % SEATS),
            1 => needs.insert((philosopher + 1) % SEATS),
            _ => {}
        }
        needs
    }
}

fn main() -> Result<(), Stopped> {
    let options = Options::default();
    let all = explore(&Philosophers, &options);
    let some = reduced::explore(&Philosophers, &options);
    println!(
        "{} states, {} with partial-order reduction",
        all.states, some.states
    );
    assert_eq!((all.terminal, some.terminal), (1, 1));

    let path = find_terminal(&Philosophers, &options, |_| true)?;
    for step in path.iter().flat_map(|path| &path.steps) {
        let (philosopher, _) = step.participants[0];
        println!("philosopher {philosopher} takes the left fork");
    }
    Ok(())
}
