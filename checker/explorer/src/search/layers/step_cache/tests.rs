use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use stubborn_model::elaborate::Settings;
use stubborn_random::systems::widened;
use stubborn_random::{mixture, read};
use stubborn_space::options::Limits;
use stubborn_space::packed::{Packed, Scratch};
use stubborn_space::successors::{Place, Successors};
use stubborn_system::system::{Failure, System};

use super::*;
use crate::search::layers::{Layers, Look, Team, search};
use crate::search::meter::{Meter, Stop};

/// Steps of a system, with the number of times that those of a group are computed.
struct Counted<'a> {
    packed: &'a Packed<'a>,
    /// Without groups nothing can be cached.
    has_groups: bool,
    worked_out: AtomicU64,
}

impl Counted<'_> {
    fn new<'a>(packed: &'a Packed<'a>, has_groups: bool) -> Counted<'a> {
        Counted {
            packed,
            has_groups,
            worked_out: AtomicU64::new(0),
        }
    }
}

impl Successors for Counted<'_> {
    type Scratch = Scratch;

    fn words(&self) -> usize {
        self.packed.words()
    }

    fn initial(&self) -> &[u64] {
        self.packed.initial()
    }

    fn scratch(&self) -> Scratch {
        self.packed.scratch()
    }

    fn visit(
        &self,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        self.worked_out
            .fetch_add(self.packed.groups() as u64, Relaxed);
        self.packed.visit(state, scratch, visitor)
    }
}

impl Footprints for Counted<'_> {
    fn groups(&self) -> usize {
        match self.has_groups {
            true => self.packed.groups(),
            false => 0,
        }
    }

    fn finer(&self, group: usize) -> Range<usize> {
        self.packed.finer(group)
    }

    fn place(&self, group: usize) -> Place {
        self.packed.place(group)
    }

    fn footprint(&self, group: usize, state: &[u64], common: Bits, into: &mut [u64]) -> bool {
        self.packed.footprint(group, state, common, into)
    }

    fn visit_group(
        &self,
        group: usize,
        state: &[u64],
        scratch: &mut Scratch,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        assert!(self.has_groups, "there are no groups");
        self.worked_out.fetch_add(1, Relaxed);
        self.packed.visit_group(group, state, scratch, visitor)
    }
}

/// New states by their looks, failing steps and terminal states, in the order of the search.
#[derive(Default, PartialEq)]
struct Met {
    found: Vec<(usize, Vec<u64>)>,
    failing: Vec<(String, Failure)>,
    terminal: Vec<Vec<u64>>,
}

impl Look for Met {
    fn looks(&self) -> usize {
        2
    }

    fn found(&mut self, look: usize, state: &[u64]) -> ControlFlow<Stop> {
        self.found.push((look, state.to_vec()));
        ControlFlow::Continue(())
    }

    fn failing(&mut self, label: Label<'_>, failure: &Failure) -> ControlFlow<Stop> {
        self.failing.push((format!("{label:?}"), failure.clone()));
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.terminal.push(state.to_vec());
        ControlFlow::Continue(())
    }
}

fn searched<S>(model: &S, parts: &[(u32, u64)], most: u64) -> (ControlFlow<Stop>, Layers, Met)
where
    S: Footprints + Sync,
{
    let limits = Limits {
        max_states: Some(most),
        ..Limits::default()
    };
    let mut meter = Meter::quiet(limits.into());
    let (flow, layers, mut looks) = search(
        model,
        parts.to_vec(),
        &mut meter,
        Team::for_any_model(1),
        Met::default,
    );
    (flow, layers, looks.pop().unwrap_or_default())
}

/// Random system of one of three kinds.
fn drawn(seed: u64) -> Option<Arc<System>> {
    read::model(&mixture::thirds(seed)).map(|drawn| drawn.system)
}

/// Searches such systems with cached steps and without. Returns the number of times that the steps
/// of a group were computed, the number of times that they were needed, and the number of systems
/// with failing steps.
fn compared(seeds: Range<u64>, changed: impl Fn(&System) -> System) -> [u64; 3] {
    let mut figures = [0; 3];
    for seed in seeds {
        let Some(system) = drawn(seed) else {
            continue;
        };
        let system = changed(&system);
        let packed = Packed::new(&system).expect("its states are small");
        let parts = packed.parts();
        for most in [seed % 97 + 1, 1_500] {
            let counted = Counted::new(&packed, true);
            let (flow, layers, met) = searched(&counted, &parts, most);
            let without = Counted::new(&packed, false);
            let (expected, plain, all) = searched(&without, &parts, most);
            assert_eq!(flow, expected, "{seed}");
            assert_eq!(
                (layers.states, layers.edges, layers.full, layers.given_up),
                (plain.states, plain.edges, plain.full, plain.given_up),
                "{seed}"
            );
            assert!(met == all, "{seed}");
            figures[0] += counted.worked_out.into_inner();
            figures[1] += layers.states * packed.groups() as u64;
            figures[2] += u64::from(!met.failing.is_empty());
        }
    }
    figures
}

#[test]
fn results_and_their_order_do_not_depend_on_whether_steps_are_cached() {
    let [worked_out, asked, failing] = compared(0..400, System::clone);
    assert!(asked > 50_000 && failing > 30, "{asked} {failing}");
    assert!(worked_out * 2 < asked, "{worked_out} {asked}");
    let [worked_out, asked, failing] = compared(400..800, widened);
    assert!(asked > 50_000 && failing > 30, "{asked} {failing}");
    assert!(worked_out * 3 < asked * 2, "{worked_out} {asked}");
}

/// Two queues with a sender each, and one receiver from both.
const TWO_QUEUES: &str = "
    channel left: queue[3] of 0..3
    channel right: queue[3] of 0..3
    process fills_left { initial final state s { for v in 0..3 send left(v) -> s } }
    process fills_right { initial final state s { for v in 0..3 send right(v) -> s } }
    process takes {
        initial final state s { receive left(*) -> s receive right(*) -> s }
    }
";

#[test]
fn groups_are_split_if_their_steps_are_found_too_seldom() {
    let drawn = read::text(TWO_QUEUES.to_owned(), &Settings::default()).expect("it is a model");
    let packed = Packed::new(&drawn.system).expect("its states are small");
    let counted = Counted::new(&packed, true);
    let (_, layers, _) = searched(&counted, &packed.parts(), 10_000);
    // 1 + 4 + 16 + 64 contents of each queue.
    assert_eq!(layers.states, 85 * 85);
    // As one group the receiver's steps would be computed in every state.
    let worked_out = counted.worked_out.into_inner();
    assert!(worked_out < 85 * 85, "{worked_out}");
}
