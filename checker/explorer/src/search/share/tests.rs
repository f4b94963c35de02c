//! Some workers that pass each other states of several words, whose words have few bits, and a search that keeps all whole.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use stubborn_random::systems::widened;
use stubborn_random::{mixture, read};
use stubborn_space::budget::Budget;
use stubborn_space::packed::Packed;
use stubborn_space::several::Seat;
use stubborn_space::successors::Successors;
use stubborn_space::successors::{Label, Visit, Wanted};
use stubborn_system::system::Failure;

use super::telling::Telling;
use super::*;
use crate::search::layers::Look;
use crate::search::meter::Meter;

type State = Vec<u64>;

/// What was met, in which layer, and of which state.
#[derive(Clone, Debug, Default, PartialEq)]
struct Met {
    found: Vec<(u64, State)>,
    failing: Vec<(u64, State)>,
    terminal: Vec<(u64, State)>,
}

impl Met {
    fn and(mut self, other: Met) -> Met {
        self.found.extend(other.found);
        self.failing.extend(other.failing);
        self.terminal.extend(other.terminal);
        self
    }

    fn sorted(mut self) -> Met {
        self.found.sort();
        self.failing.sort();
        self.terminal.sort();
        self
    }
}

#[derive(Default)]
struct Looking {
    met: Met,
    layer: Option<u64>,
    state: State,
}

impl Look for Looking {
    fn found(&mut self, _: usize, state: &[u64]) -> ControlFlow<Stop> {
        let layer = self.layer.map_or(0, |layer| layer + 1);
        self.met.found.push((layer, state.to_vec()));
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        let layer = self.layer.expect("its layer has begun");
        self.met.failing.push((layer, self.state.clone()));
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        assert_eq!(state, self.state);
        let layer = self.layer.expect("its layer has begun");
        self.met.terminal.push((layer, state.to_vec()));
        ControlFlow::Continue(())
    }
}

impl Follow for Looking {
    fn begins(&mut self, layer: u64, state: &[u64]) {
        self.layer = Some(layer);
        self.state = state.to_vec();
    }
}

impl Gathers for Looking {
    fn shown(&mut self) -> Vec<Shown> {
        Vec::new()
    }

    fn go_on(&mut self, _: &[usize]) {}

    fn told(&self) -> Vec<FailingStep> {
        Vec::new()
    }
}

/// Where a state's steps lead, and how many fail.
#[derive(Default)]
struct Steps {
    to: Vec<State>,
    fail: usize,
}

impl Visit for Steps {
    fn wanted(&self) -> Wanted {
        Wanted::All
    }

    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Ok(state) => self.to.push(state.to_vec()),
            Err(_) => self.fail += 1,
        }
        ControlFlow::Continue(())
    }
}

/// Of each state its layer, and where its steps lead.
type States = HashMap<State, (u64, Vec<State>)>;

/// What there is to meet, if it is no more than so many states.
fn known(packed: &Packed<'_>, most: usize) -> Option<(Met, States)> {
    let mut scratch = packed.scratch();
    let mut met = Met::default();
    let mut all = HashMap::new();
    let initial = packed.initial().to_vec();
    let mut layer: Vec<State> = vec![initial.clone()];
    all.insert(initial, (0, Vec::new()));
    for number in 0.. {
        let mut next = Vec::new();
        for state in layer {
            met.found.push((number, state.clone()));
            let mut steps = Steps::default();
            let _ = packed.visit(&state, &mut scratch, &mut steps);
            let failing = std::iter::repeat_n((number, state.clone()), steps.fail);
            met.failing.extend(failing);
            if steps.to.is_empty() && steps.fail == 0 {
                met.terminal.push((number, state.clone()));
            }
            for to in &steps.to {
                if !all.contains_key(to) {
                    all.insert(to.clone(), (number + 1, Vec::new()));
                    next.push(to.clone());
                }
            }
            all.insert(state, (number, steps.to));
        }
        if all.len() > most {
            return None;
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    Some((met.sorted(), all))
}

type Worker<'s, 'm, 'p> = Share<'s, 'm, Packed<'p>, Looking>;

/// Has all layers gone through, up to the end or this one.
fn go_through(workers: &mut [Worker<'_, '_, '_>], to: Option<u64>) {
    let words = workers[0].words();
    let initials = workers[0].initials();
    let owner = workers[0].owner(&initials);
    assert!(workers[owner].meet(&initials).is_continue());
    for layer in 0.. {
        let states: u64 = workers.iter_mut().map(Part::next_layer).sum();
        if states == 0 || to.is_some_and(|to| layer >= to) {
            return;
        }
        let mut gathered = vec![Vec::new(); workers.len()];
        let mut has_more = vec![true; workers.len()];
        while has_more.contains(&true) {
            for at in 0..workers.len() {
                let flow = workers[at].take_steps(&mut gathered);
                has_more[at] = flow.continue_value().expect("no limit");
                // Some arrive at once, and others later.
                let to = (at + layer as usize) % workers.len();
                let rows = std::mem::take(&mut gathered[to]);
                assert!(rows.len().is_multiple_of(words));
                assert!(workers[to].meet(&rows).is_continue());
            }
        }
        for (worker, rows) in workers.iter_mut().zip(gathered) {
            assert!(worker.meet(&rows).is_continue());
        }
    }
}

/// How often words have changed, how many states have none, and how many workers have given numbers to whole words.
fn compared(
    packed: &Packed<'_>,
    workers: usize,
    (bits, has_whole_words): (u32, bool),
    remembered: Use,
) -> Option<[u64; 3]> {
    let (met, all) = known(packed, 300)?;
    let account = AtomicU64::new(0);
    let seats = (0..workers).map(|own| Seat { own, workers });
    let mut workers: Vec<Worker<'_, '_, '_>> = seats
        .map(|seat| {
            let mut meter = Meter::quiet(Budget::default());
            let parts = packed.parts();
            let decide = decide(packed, &parts, seat, &mut meter);
            let decide = decide.continue_value().expect("no limit");
            let means = Means {
                meter,
                account: &account,
                seat,
            };
            let initials = packed.initial().to_vec();
            let look = Looking::default();
            let mut share = Share::new(packed, initials, parts, decide, remembered, look, means);
            let Kept::Several(several) = &mut share.kept else {
                panic!("states have several words");
            };
            several.coded.of_few_bits(bits, has_whole_words);
            share
        })
        .collect();
    go_through(&mut workers, None);
    let counts = workers.iter().map(Part::count);
    let count = counts.reduce(Count::and).expect("there is a worker");
    let edges = all.values().map(|(_, to)| to.len() as u64).sum::<u64>() + count.failing;
    assert_eq!((count.states, count.edges), (all.len() as u64, edges));
    assert_eq!(count.failing, met.failing.len() as u64);
    assert_eq!(count.terminal, met.terminal.len() as u64);
    let told = workers.iter_mut().map(|worker| worker.taking.look.met());
    let told = told.fold(Met::default(), Met::and);
    assert_eq!(told.sorted(), met);
    ways(&mut workers, &all);
    let kept = workers.iter().map(|worker| match &worker.kept {
        Kept::One(_) => [0; 3],
        Kept::Several(several) => {
            let coded = &several.coded;
            let has_numbered = has_whole_words && !coded.has_whole_words();
            [coded.changes(), coded.many_whole(), has_numbered.into()]
        }
    });
    let kept = kept.fold([0; 3], |all, of| [0, 1, 2].map(|what| all[what] + of[what]));
    drop(workers);
    assert_eq!(account.into_inner(), 0, "what was held is given back");
    Some(kept)
}

/// Layers are noted, states have numbers, and there is a way to each.
fn ways(workers: &mut [Worker<'_, '_, '_>], all: &States) {
    let last = all.values().map(|(layer, _)| *layer).max().unwrap_or(0);
    for worker in &mut *workers {
        assert_eq!(worker.begin_ways(last + 1).continue_value(), Some(true));
    }
    go_through(workers, Some(last + 1));
    let mut of_layers = vec![0; last as usize + 1];
    for (at, (state, (layer, _))) in all.iter().enumerate() {
        of_layers[*layer as usize] += 1;
        let shown = Shown {
            property: 0,
            layer: 0,
            state: state.clone(),
        };
        let owner = workers[0].owner(state);
        for (own, worker) in workers.iter_mut().enumerate() {
            let level = (own == owner).then_some(*layer);
            assert_eq!(worker.layer_of(&shown), level);
            let number = worker.kept.number(state);
            assert_eq!(number.is_some(), own == owner);
            let mut copied = vec![1; state.len()];
            if let Some(number) = number {
                assert!(worker.kept.copy(number, &mut copied));
                assert_eq!(copied, *state);
                assert_eq!(worker.kept.level_of(number), level);
            }
        }
        // All are gone through for each that is asked.
        if at % 16 == 0
            && let Some(before) = layer.checked_sub(1)
        {
            let mut of_all = workers
                .iter_mut()
                .filter_map(|worker| worker.before(before, state).continue_value().expect("none"));
            let state_before = of_all.next().expect("one leads there");
            let (layer, to) = &all[&state_before];
            assert!(*layer == before && to.contains(state));
        }
    }
    for (layer, many) in of_layers.into_iter().enumerate() {
        let of_worker = |worker: &Worker<'_, '_, '_>| {
            let (mut from, mut state) = (0, worker.state.clone());
            let next = || worker.kept.of_level(layer as u64, &mut from, &mut state);
            std::iter::from_fn(next).count()
        };
        assert_eq!(workers.iter().map(of_worker).sum::<usize>(), many);
    }
    for worker in workers {
        worker.end_ways();
    }
}

impl taking::Heard<Looking> {
    fn met(&mut self) -> Met {
        std::mem::take(&mut self.look_mut().met)
    }
}

#[test]
fn workers_find_all_states_whether_a_word_has_bits_for_them_or_not() {
    let mut all = [0; 3];
    for seed in 0..120 {
        let Some(drawn) = read::model(&mixture::thirds(seed)) else {
            continue;
        };
        let system = widened(&drawn.system);
        let packed = Packed::new(&system).expect("its states are small");
        let workers = 1 + seed as usize % 3;
        for bits in [0, 3, 6, 9, 64] {
            for whole_words in [false, true] {
                let remembered = [Use::Never, Use::Always][seed as usize / 3 % 2];
                let how = (bits, whole_words);
                let Some(kept) = compared(&packed, workers, how, remembered) else {
                    break;
                };
                assert!(bits < 64 || kept[1] == 0);
                all = [0, 1, 2].map(|what| all[what] + kept[what]);
            }
        }
    }
    let [changes, whole, numbered] = all;
    assert!(changes > 300 && whole > 3_000 && numbered > 100, "{all:?}");
}
