use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use proptest::prelude::*;
use stubborn_random::fixed;
use stubborn_random::systems::Source;
use stubborn_space::budget::Budget;
use stubborn_space::options::{Limits, Reduction};
use stubborn_space::packed::Packed;
use stubborn_space::successors::{Successors, Visit};
use stubborn_space::verdict::Reason;

use super::failing_disk::{Fault, InMemory, tiny};
use super::*;
use crate::search::asked::Asked;
use crate::search::thinned::Thinned;
use crate::search::{Alone, Listener, Monitored, Run, Space, Ways, breadth_first};

/// Numbers of new states, failing steps and terminal states; and the states by their layers.
#[derive(Default)]
struct Count {
    met: [u64; 3],
    layer: Option<u64>,
    states: Vec<(u64, Vec<u64>)>,
}

impl Look for Count {
    fn begins(&mut self, layer: u64, _: &[u64]) {
        self.layer = Some(layer);
    }

    fn found(&mut self, _: usize, state: &[u64]) -> ControlFlow<Stop> {
        self.met[0] += 1;
        let layer = self.layer.map_or(0, |layer| layer + 1);
        self.states.push((layer, state.to_vec()));
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        self.met[1] += 1;
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Stop> {
        self.met[2] += 1;
        ControlFlow::Continue(())
    }
}

/// The same for a search with numbers.
impl Listener for Count {
    fn found(&mut self, ways: &dyn Ways, number: u32, state: &[u64]) -> ControlFlow<Stop> {
        self.met[0] += 1;
        let layer = ways.path(number).len() as u64 - 1;
        self.states.push((layer, state.to_vec()));
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: &dyn Ways, _: u32, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        self.met[1] += 1;
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &dyn Ways, _: u32, _: &[u64]) -> ControlFlow<Stop> {
        self.met[2] += 1;
        ControlFlow::Continue(())
    }
}

/// Result of a search.
#[derive(Debug, PartialEq)]
struct Counted {
    stop: Option<Stop>,
    states: u64,
    edges: u64,
    depth: u64,
    reduction: Reduction,
    met: [u64; 3],
    /// The states of each layer, sorted.
    by_layer: Vec<(u64, Vec<u64>)>,
}

fn to_the_end<S: Footprints, L: Look>(search: &mut DiskSearch<'_, '_, S, L>) -> Option<Stop> {
    search.search(|_| {}).break_value()
}

fn on_disk<S: Footprints>(
    model: &S,
    sizes: Option<Sizes>,
    disk: &InMemory,
    budget: Budget<'_>,
) -> Counted {
    let meter = Meter::quiet(budget);
    let mut search = DiskSearch::new(model, &meter, disk, sizes, Count::default());
    let stop = to_the_end(&mut search);
    let (count, depth) = (search.count(), search.depth());
    let Count {
        met,
        states: mut by_layer,
        ..
    } = search.into_look();
    by_layer.sort();
    assert!(disk.is_empty(), "nothing stays");
    Counted {
        stop,
        states: count.states,
        edges: count.edges,
        depth,
        reduction: Reduction::needed(count.leaves_out),
        met,
        by_layer,
    }
}

fn with_numbers<S: Footprints>(model: &S, limits: Limits) -> Counted {
    let mut meter = Meter::quiet(limits.into());
    let model = Alone::new(model);
    let space = Space::new(model.words(), model.initials());
    let order = stubborn_space::options::Order::Forward;
    let mut run = Run::new(&model, order, &mut meter, space, Count::default());
    let stop = breadth_first::search(&mut run).break_value();
    let (states, edges) = (run.space.states(), run.space.edges);
    let reduction = Reduction::needed(run.leaves_out);
    let Count {
        met,
        states: mut by_layer,
        ..
    } = run.listener;
    by_layer.sort();
    Counted {
        stop,
        states,
        edges,
        depth: meter.depth,
        reduction,
        met,
        by_layer,
    }
}

fn most(states: u64) -> Limits {
    Limits {
        max_states: Some(states),
        ..Limits::default()
    }
}

/// Tests random systems.
fn drawn(cases: u32, test: impl Fn(&Packed<'_>) -> Result<(), TestCaseError>) {
    fixed::test(cases, &fixed::numbers(50..300), |numbers| {
        let system = Source::new(&numbers).system();
        test(&Packed::new(&system).expect("its states are small"))
    });
}

#[test]
fn layers_and_counts_are_those_of_a_search_with_numbers() {
    let (compared, wide, merged) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    drawn(300, |packed| {
        let limits = most(4_000);
        let words = packed.words();
        let whole = with_numbers(packed, limits);
        if whole.stop.is_some() {
            return Ok(());
        }
        for sizes in [
            tiny(words),
            Sizes::of(Some(0), words),
            Sizes::of(None, words),
        ] {
            let disk = InMemory::default();
            let found = on_disk(packed, Some(sizes), &disk, limits.into());
            prop_assert_eq!(&found, &whole, "{:?}", sizes);
            merged.fetch_max(disk.most_files() as u64, Relaxed);
        }
        compared.fetch_add(whole.states, Relaxed);
        wide.fetch_add(u64::from(words > 1), Relaxed);
        let reduced = Thinned(packed);
        let whole = with_numbers(&reduced, limits);
        let found = on_disk(
            &reduced,
            Some(tiny(words)),
            &InMemory::default(),
            limits.into(),
        );
        prop_assert_eq!(&found, &whole);
        Ok(())
    });
    let met = [compared, wide, merged].map(AtomicU64::into_inner);
    assert!(met[0] > 1_000 && met[1] > 20 && met[2] > 6, "{met:?}");
}

#[test]
fn paths_are_shortest_runs() {
    let followed = AtomicU64::new(0);
    drawn(60, |packed| {
        let meter = Meter::quiet(most(600).into());
        let disk = InMemory::default();
        let sizes = Some(tiny(packed.words()));
        let mut search = DiskSearch::new(packed, &meter, &disk, sizes, Count::default());
        to_the_end(&mut search);
        let states = std::mem::take(&mut search.look().states);
        for (layer, state) in states.iter().step_by(7) {
            let path = search.path(*layer, state, &mut |_| ControlFlow::Continue(()));
            let path = path.continue_value().expect("there is one");
            prop_assert_eq!(path.len() as u64, layer + 1);
            prop_assert_eq!(&path[0][..], packed.initial());
            prop_assert_eq!(&path[*layer as usize][..], &state[..]);
            for step in path.windows(2) {
                prop_assert!(leads(packed, &step[0], &step[1]));
            }
            followed.fetch_add(*layer, Relaxed);
        }
        Ok(())
    });
    assert!(followed.into_inner() > 2_000);
}

/// Whether one of the state's steps leads to the other.
fn leads<S: Footprints>(model: &S, from: &[u64], to: &[u64]) -> bool {
    struct Find<'a>(&'a [u64], bool);
    impl Visit for Find<'_> {
        fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
            self.1 |= outcome == Ok(self.0);
            ControlFlow::Continue(())
        }
    }
    let mut find = Find(to, false);
    let _ = model.visit(from, &mut model.scratch(), &mut find);
    find.1
}

/// States are pairs of numbers, in one word, or in two or nine: nine words have no sorted arrays.
struct Grid {
    words: usize,
    side: u64,
    initial: Vec<u64>,
}

impl Grid {
    fn new(words: usize, side: u64) -> Grid {
        Grid {
            words,
            side,
            initial: vec![0; words],
        }
    }
}

impl Successors for Grid {
    type Scratch = ();

    fn words(&self) -> usize {
        self.words
    }

    fn initial(&self) -> &[u64] {
        &self.initial
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        let (down, up) = (state[0] % self.side, state[0] / self.side);
        let next = |at: u64| (at + 1) % self.side;
        for to in [
            next(down) + up * self.side,
            down + next(up) * self.side,
            down * self.side + up,
        ] {
            let mut target = state.to_vec();
            target[0] = to;
            target[self.words - 1] = to;
            let label = Label {
                participants: &[],
                action: None,
            };
            visitor.step(label, Ok(&target))?;
        }
        ControlFlow::Continue(())
    }
}

impl Footprints for Grid {}

#[test]
fn states_of_many_words_are_distinguished() {
    for words in [1, 2, 9] {
        let grid = Grid::new(words, 40);
        let whole = with_numbers(&grid, Limits::default());
        assert_eq!(whole.states, 1_600);
        let disk = InMemory::default();
        let found = on_disk(&grid, Some(tiny(words)), &disk, Budget::default());
        assert_eq!(found, whole);
    }
}

/// States in a chain, with steps backwards.
struct Chain(u64);

impl Successors for Chain {
    type Scratch = ();

    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> &[u64] {
        &[0]
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], _: &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        let label = Label {
            participants: &[],
            action: None,
        };
        let next = (state[0] + 1).min(self.0);
        visitor.step(label, Ok(&[next]))?;
        visitor.step(label, Ok(&[state[0] / 2]))
    }
}

impl Footprints for Chain {}

#[test]
fn narrow_layers_do_not_read_all_visited_states() {
    let moved = |len: u64| {
        let disk = InMemory::default();
        let sizes = Sizes {
            recent: 1 << 14,
            ..Sizes::of(Some(0), 1)
        };
        let found = on_disk(&Chain(len), Some(sizes), &disk, Budget::default());
        assert_eq!((found.states, found.depth), (len + 1, len));
        disk.moved() as f64 / len as f64
    };
    // The cost of each state is at most logarithmic.
    let (short, long) = (moved(4_000), moved(64_000));
    assert!(long < short * 4.0 + 2_000.0, "{short} {long}");
}

#[test]
fn no_result_depends_on_data_that_was_not_written_or_read_correctly() {
    let grid = Grid::new(1, 9);
    let disk = InMemory::default();
    let whole = on_disk(&grid, Some(tiny(1)), &disk, Budget::default());
    assert_eq!((&whole.stop, whole.states), (&None, 81));
    let asked = disk.asked();
    assert!(asked > 200, "{asked}");
    let mut bits = 0;
    for after in 0..asked {
        for fault in [Fault::Error, Fault::Bit] {
            let disk = InMemory::failing(after, fault);
            let found = on_disk(&grid, Some(tiny(1)), &disk, Budget::default());
            match (&found.stop, fault) {
                (Some(Stop::Limit(Reason::Disk(_))), _) => bits += u64::from(fault == Fault::Bit),
                // The wrong bit was never looked at.
                (None, Fault::Bit) => assert_eq!(found, whole, "{after}"),
                // Only files were removed that are not needed.
                (None, Fault::Error) => assert!(found == whole && after + 20 > asked, "{after}"),
                (stop, _) => panic!("{stop:?}"),
            }
        }
    }
    assert!(bits > 100, "{bits}");
}

#[test]
fn limits_are_obeyed_everywhere() {
    let grid = Grid::new(1, 30);
    let tiny = Some(tiny(1));
    for states in [1, 2, 17, 899] {
        let disk = InMemory::default();
        let found = on_disk(&grid, tiny, &disk, most(states).into());
        assert_eq!(found.stop, Some(Stop::Limit(Reason::States(states))));
        assert_eq!(found.states, states);
    }
    let found = on_disk(&grid, tiny, &InMemory::default(), most(900).into());
    assert_eq!(found.stop, None);
    let looks = 5_000;
    let clock = Asked::cancelling_after(looks);
    let whole = on_disk(&grid, tiny, &InMemory::default(), Budget::new(&clock));
    assert_eq!(whole.stop, None, "it asks less often");
    for looks in (1..1_000).step_by(83) {
        let clock = Asked::cancelling_after(looks);
        let disk = InMemory::default();
        let found = on_disk(&grid, tiny, &disk, Budget::new(&clock));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::Cancelled)), "{looks}");
    }
    let memory = Limits {
        max_memory: Some(10_000),
        ..Limits::default()
    };
    let found = on_disk(&grid, None, &InMemory::default(), memory.into());
    assert_eq!(found.stop, Some(Stop::Limit(Reason::Memory(10_000))));
    // A path is found within limits of its own.
    let disk = InMemory::default();
    let meter = Meter::quiet(Budget::default());
    let mut search = DiskSearch::new(&grid, &meter, &disk, tiny, Count::default());
    assert_eq!(to_the_end(&mut search), None);
    let (layer, state) = search.look().states.last().expect("there are").clone();
    let asked = Cell::new(0);
    let path = search.path(layer, &state, &mut |_| {
        asked.set(asked.get() + 1);
        ControlFlow::Break(Stop::Limit(Reason::Time))
    });
    assert_eq!(path.break_value(), Some(Stop::Limit(Reason::Time)));
    assert_eq!(asked.get(), 1);
}
