//! Workers that pass each other states, and a search that keeps all states whole.

use std::collections::HashMap;
use std::sync::atomic::Ordering::Relaxed;

use stubborn_engine::Gathers;
use stubborn_engine::several::{Chosen, Question as Asking};
use stubborn_engine::{Budget, Clock, Options};
use stubborn_explorer::search::Meter;
use stubborn_explorer::search::layers::Look;
use stubborn_model::elaborate::Settings;
use stubborn_random::systems::widened;
use stubborn_random::{mixture, read};
use stubborn_space::options::Use;
use stubborn_space::packed::Packed;
use stubborn_space::successors::{Erased, Label, Visit, Wanted};
use stubborn_system::system::Failure;

use super::*;

type State = Vec<u64>;

/// Observations, with the layer and the state of each.
#[derive(Debug, Default, PartialEq)]
struct Met {
    found: Vec<(u64, State)>,
    failing: Vec<(u64, State)>,
    terminal: Vec<(u64, State)>,
}

impl Met {
    fn sorted(mut self) -> Met {
        self.found.sort();
        self.failing.sort();
        self.terminal.sort();
        self
    }
}

#[derive(Default)]
struct Observer {
    met: Met,
    layer: Option<u64>,
    state: State,
}

impl Look for Observer {
    fn begins(&mut self, layer: u64, state: &[u64]) {
        self.layer = Some(layer);
        self.state = state.to_vec();
    }

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

impl Gathers for Observer {
    fn shown(&mut self) -> Vec<Shown> {
        Vec::new()
    }

    fn go_on(&mut self, _: &[usize]) {}
}

/// Targets of the steps of a state, and the number of failing ones.
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

/// The layer of each state, and the targets of its steps.
type States = HashMap<State, (u64, Vec<State>)>;

/// Observations of a plain search, unless there are more states than `most`.
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

/// Goes through all rounds of a phase.
fn go_through<C: Coding>(workers: &mut [Share<'_, C>], phase: Phase, whole_from: u64) {
    for worker in &mut *workers {
        assert!(worker.begin(phase).is_continue());
    }
    for round in 0.. {
        let mut has_more = vec![true; workers.len()];
        while has_more.contains(&true) {
            for at in 0..workers.len() {
                let flow = workers[at].work();
                has_more[at] = flow.continue_value().expect("no limit");
                for to in 0..workers.len() {
                    let rows = std::mem::take(&mut workers[at].outbox()[to]);
                    assert!(workers[to].receive(&rows).is_continue());
                }
            }
        }
        let waiting = workers.iter_mut().map(|worker| {
            if phase == Phase::Explore && round >= whole_from && !worker.explorer.is_whole() {
                assert!(worker.explorer.keep_whole().is_continue());
            }
            worker.end_round().continue_value().expect("no limit")
        });
        if waiting.sum::<u64>() == 0 {
            return;
        }
    }
}

fn compared<C: Coding>(
    packed: &Packed<'_>,
    workers: usize,
    (coding, initial): (impl Fn() -> C, u64),
    (whole_from, remembered): (u64, Use),
) -> bool {
    let Some((met, all)) = known(packed, 300) else {
        return false;
    };
    let account = AtomicU64::new(0);
    let erased = Erased(packed);
    let mut observers: Vec<Observer> = (0..workers).map(|_| Observer::default()).collect();
    let mut used = vec![0; packed.words()];
    for (word, bits) in packed.parts() {
        used[word as usize] |= bits;
    }
    let shares = observers.iter_mut().enumerate().map(|(own, observer)| {
        let mut meter = Meter::quiet(Budget::default());
        let seat = Seat { own, workers };
        let partition = deciding::partition(packed, &packed.parts(), seat, &mut meter);
        let local = Local {
            model: Model::with_footprints(&erased),
            initials: packed.initial().to_vec(),
            parts: packed.parts(),
            remembered,
            observer,
            meter: meter.clone(),
        };
        let partition = partition.continue_value().expect("no limit");
        let ledger = Ledger::new(meter, Some(&account));
        let coded = (coding(), initial, whole_from == 0);
        Share::new(local, coded, used.clone(), (partition, own), ledger)
    });
    let mut shares: Vec<Share<'_, C>> = shares.collect();
    go_through(&mut shares, Phase::Explore, whole_from);
    let counts = shares.iter().map(Share::count);
    let count = counts.reduce(Count::and).expect("there is a worker");
    let edges = all.values().map(|(_, to)| to.len() as u64).sum::<u64>() + count.failing;
    assert_eq!((count.states, count.edges), (all.len() as u64, edges));
    assert_eq!(count.failing, met.failing.len() as u64);
    assert_eq!(count.terminal, met.terminal.len() as u64);
    paths(&mut shares, &all);
    drop(shares);
    assert_eq!(account.into_inner(), 0, "all memory is given back");
    let mut told = Met::default();
    for observer in observers {
        told.found.extend(observer.met.found);
        told.failing.extend(observer.met.failing);
        told.terminal.extend(observer.met.terminal);
    }
    assert_eq!(told.sorted(), met);
    true
}

/// Layers are noted, states have slots, and there is a path to each.
fn paths<C: Coding>(workers: &mut [Share<'_, C>], all: &States) {
    go_through(workers, Phase::Levels, 0);
    for (at, (state, (layer, _))) in all.iter().enumerate() {
        let owner = workers[0].explorer.owner(state);
        for (own, worker) in workers.iter_mut().enumerate() {
            let level = (own == owner).then_some(*layer);
            assert_eq!(worker.layer_of(state), level);
            let slot = worker.explorer.slot(state);
            assert_eq!(slot.is_some(), own == owner);
            let mut copied = vec![1; state.len()];
            if let Some(slot) = slot {
                assert!(worker.explorer.state_in(slot, &mut copied));
                assert_eq!(copied, *state);
            }
        }
        // All states are visited for each that is asked for.
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
    for worker in workers {
        worker.go_on(&[]);
    }
}

#[test]
fn workers_find_all_states_however_they_keep_them() {
    let mut many = 0;
    for seed in 0..120 {
        let Some(drawn) = read::model(&mixture::thirds(seed)) else {
            continue;
        };
        let remembered = [Use::Never, Use::Always][seed as usize / 3 % 2];
        let workers = 1 + seed as usize % 3;
        for whole_from in [0, 1, 4, u64::MAX] {
            let how = (whole_from, remembered);
            let wide = widened(&drawn.system);
            let packed = Packed::new(&wide).expect("its states are small");
            let parts: Vec<(u32, u64)> = packed.parts();
            let coding = || Components::new(parts.clone(), packed.initial()).expect("few parts");
            many += u32::from(compared(&packed, workers, (coding, 0), how));
            let packed = Packed::new(&drawn.system).expect("its states are small");
            if let [word] = packed.initial() {
                let bits = packed.parts().iter().fold(0, |all, (_, bits)| all | bits);
                let width = u64::BITS - u64::leading_zeros(bits);
                let coding = || OneWord { width };
                many += u32::from(compared(&packed, workers, (coding, *word), how));
            }
        }
    }
    assert!(many > 300, "{many}");
}

/// Counts how often it is asked whether to go on.
#[derive(Default)]
struct Counting(AtomicU64);

impl Clock for Counting {
    fn is_cancelled(&self) -> bool {
        self.0.fetch_add(1, Relaxed);
        false
    }
}

#[test]
fn a_worker_asks_whether_to_go_on_while_steps_lead_to_a_state_that_it_has_met() {
    let text = "
var x: 0..3
var y: 0..99999
process p {
    initial state s { do { y = any 0..99999; x = 0 * y; y = 0 } -> t }
    final state t
}
";
    for pad in ["", "\nvar pad: array[0..1] of 0..1099511627775\n"] {
        let drawn = read::text(format!("{text}{pad}"), &Settings::default()).expect("it is right");
        let question = Asking {
            system: drawn.system.as_ref().clone(),
            properties: Vec::new(),
            reduced: false,
            chosen: Chosen::of(&Options::default()),
            watched: None,
            max_states: None,
        };
        let (account, clock) = (AtomicU64::new(0), Counting::default());
        let seat = Seat { own: 0, workers: 1 };
        let mut edges = 0;
        let taken = stubborn_engine::take_part(&question, Budget::new(&clock), &mut |local| {
            let local = Local {
                observer: &mut *local.observer,
                ..local
            };
            edges = match AnyShare::new(local, (&account, seat)).continue_value() {
                Some(AnyShare::One(share)) => asks(share, &clock),
                Some(AnyShare::Several(share)) => asks(share, &clock),
                None => panic!("no limit"),
            };
        });
        assert_eq!((taken, edges), (Ok(()), 100_000));
    }
}

/// Expands the initial state, which has a hundred thousand steps.
fn asks<C: Coding>(mut share: Share<'_, C>, clock: &Counting) -> u64 {
    assert!(share.begin(Phase::Explore).is_continue());
    assert_eq!(share.end_round(), ControlFlow::Continue(1));
    let before = clock.0.load(Relaxed);
    assert!(share.work().is_continue());
    assert_eq!(share.end_round(), ControlFlow::Continue(1));
    let asked = clock.0.load(Relaxed) - before;
    assert!(asked > 100, "asked {asked} times");
    share.count().edges
}
