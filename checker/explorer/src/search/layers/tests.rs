mod wide;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{ThreadId, current, yield_now};
use std::time::Duration;

use proptest::prelude::*;
use stubborn_random::fixed;
use stubborn_random::systems::Source;
use stubborn_space::budget::Budget;
use stubborn_space::options::Limits;
use stubborn_space::packed::Packed;
use stubborn_space::profit::Profit;
use stubborn_space::successors::{Label, Successors, Visit, WorkingMemory};
use stubborn_space::verdict::Reason;
use stubborn_system::system::Failure;

use super::*;
use crate::search::asked::Asked;
use crate::search::thinned::Thinned;

/// Numbers of new states, failing steps and terminal states.
#[derive(Default)]
struct Count([u64; 3]);

impl Look for Count {
    fn found(&mut self, _: usize, _: &[u64]) -> ControlFlow<Stop> {
        self.0[0] += 1;
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        self.0[1] += 1;
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Stop> {
        self.0[2] += 1;
        ControlFlow::Continue(())
    }
}

/// Counts of a search.
#[derive(Debug, PartialEq)]
struct Counted {
    stop: Option<Stop>,
    states: u64,
    edges: u64,
    depth: u64,
    full: bool,
    met: [u64; 3],
}

fn searched<S>(model: &S, width: u32, threads: usize, budget: Budget<'_>) -> (Counted, Layers)
where
    S: Footprints + Sync,
{
    let mut meter = Meter::quiet(budget);
    let (flow, layers, looks) = search(
        model,
        bits(width),
        &mut meter,
        Team::for_any_model(threads),
        Count::default,
    );
    let met = |what: usize| looks.iter().map(|look| look.0[what]).sum();
    let counted = Counted {
        stop: flow.break_value(),
        states: layers.states,
        edges: layers.edges,
        depth: meter.depth,
        full: layers.full,
        met: [met(0), met(1), met(2)],
    };
    (counted, layers)
}

fn counted<S>(model: &S, width: u32, threads: usize, limits: Limits) -> Counted
where
    S: Footprints + Sync,
{
    searched(model, width, threads, limits.into()).0
}

/// The parts of states of one word with this number of bits.
fn bits(width: u32) -> Vec<(u32, u64)> {
    vec![(0, u64::MAX.checked_shr(u64::BITS - width).unwrap_or(0))]
}

fn width_of(packed: &Packed<'_>) -> u32 {
    let parts = packed.parts();
    let all = parts.iter().fold(0, |all, (_, bits)| all | bits);
    u64::BITS - u64::leading_zeros(all)
}

fn max_states(most: u64) -> Limits {
    Limits {
        max_states: Some(most),
        ..Limits::default()
    }
}

fn max_memory(most: u64) -> Limits {
    Limits {
        max_memory: Some(most),
        ..Limits::default()
    }
}

/// Tests random systems of small states.
fn drawn(cases: u32, test: impl Fn(&Packed<'_>) -> Result<(), TestCaseError>) {
    fixed::test(cases, &fixed::numbers(50..300), |numbers| {
        let system = Source::new(&numbers).system();
        let packed = Packed::new(&system).expect("its states are small");
        match packed.words() {
            1 => test(&packed),
            _ => Ok(()),
        }
    });
}

/// States are numbers, and a function gives the steps of each.
struct Numbers<F>(F);

const INITIAL: [u64; 1] = [0];

impl<I: Iterator<Item = u64>, F: Fn(u64) -> I> Successors for Numbers<F> {
    type Scratch = ();

    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> &[u64] {
        &INITIAL
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], (): &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        let label = Label {
            participants: &[(0, 0)],
            action: None,
        };
        let mut steps = (self.0)(state[0]);
        steps.try_for_each(|next| visitor.step(label, Ok(&[next])))
    }
}

impl<I: Iterator<Item = u64>, F: Fn(u64) -> I> Footprints for Numbers<F> {}

/// Many states with as many steps, to the same states.
const MANY: u64 = 1 << 20;

fn many_states_with_many_steps() -> Numbers<impl Fn(u64) -> std::ops::Range<u64>> {
    Numbers(|state| match state {
        0 => 1..65,
        1..65 => MANY..2 * MANY,
        _ => 0..0,
    })
}

#[test]
fn as_much_is_met_on_several_threads_as_on_one_where_steps_are_left_out_too() {
    let (several, reduced) = (AtomicU64::new(0), AtomicU64::new(0));
    drawn(250, |packed| {
        let width = width_of(packed);
        let limits = max_states(20_000);
        let thinned = Thinned(packed);
        let one = counted(packed, width, 1, limits);
        let reduced_one = counted(&thinned, width, 1, limits);
        for threads in [2, 3] {
            if one.stop.is_none() {
                let (found, layers) = searched(packed, width, threads, limits.into());
                prop_assert_eq!(&found, &one);
                several.fetch_add(u64::from(layers.several), Ordering::Relaxed);
            }
            if reduced_one.stop.is_none() {
                prop_assert_eq!(&counted(&thinned, width, threads, limits), &reduced_one);
                reduced.fetch_add(u64::from(!reduced_one.full), Ordering::Relaxed);
            }
        }
        Ok(())
    });
    let (several, reduced) = (several.into_inner(), reduced.into_inner());
    assert!(several > 20 && reduced > 60, "{several} {reduced}");
}

#[test]
fn as_many_states_as_are_allowed_are_no_limit_and_one_fewer_is() {
    drawn(60, |packed| {
        let width = width_of(packed);
        let all = counted(packed, width, 1, max_states(20_000));
        if all.stop.is_some() || all.states == 1 {
            return Ok(());
        }
        for threads in [2, 3] {
            for most in [all.states, all.states + 1] {
                prop_assert_eq!(&counted(packed, width, threads, max_states(most)), &all);
            }
            let most = all.states - 1;
            let found = counted(packed, width, threads, max_states(most));
            prop_assert_eq!(found.stop, Some(Stop::Limit(Reason::States(most))));
            prop_assert!(found.states == most && found.met[0] <= most);
        }
        Ok(())
    });
}

#[test]
fn a_limit_on_states_is_kept_to_wherever_it_comes() {
    let model = Numbers(|state| (1..20).map(move |step| (state * 7 + step * step) % 5_000));
    let all = counted(&model, 13, 1, Limits::default());
    assert_eq!((all.states, all.stop), (5_000, None));
    for threads in [2, 3, 8] {
        for most in (2..5_000).step_by(357).chain([4_998, 4_999]) {
            let found = counted(&model, 13, threads, max_states(most));
            assert_eq!(found.stop, Some(Stop::Limit(Reason::States(most))));
            // A worker that is ended does not show all states that it has found.
            assert!(found.states == most && found.met[0] <= most);
        }
        assert_eq!(counted(&model, 13, threads, max_states(5_000)).stop, None);
    }
}

#[test]
fn every_word_that_there_is_can_be_a_state_and_is_one_once() {
    // Each step chooses half of the bits.
    let (half, bits) = (1 << 6, 12);
    let model = Numbers(|state| {
        let lower = (0..half).map(move |low| state / half * half + low);
        lower.chain((0..half).map(move |high| high * half + state % half))
    });
    for threads in [1, 2, 3, 64] {
        let found = counted(&model, bits, threads, Limits::default());
        assert_eq!(
            (found.states, found.met),
            (half * half, [half * half, 0, 0])
        );
        assert_eq!((found.edges, found.depth), (half * half * half * 2, 2));
    }
    // Each step chooses all bits.
    let model = Numbers(|_| 0..1 << 10);
    for threads in [1, 2, 3] {
        let found = counted(&model, 10, threads, Limits::default());
        assert_eq!(
            (found.states, found.edges, found.depth),
            (1 << 10, 1 << 20, 1)
        );
    }
}

#[test]
fn a_state_with_very_many_steps_takes_no_more_memory_than_is_allowed() {
    let model = many_states_with_many_steps();
    for most in [1 << 20, 3 << 20, 10 << 20] {
        for threads in [1, 2, 3] {
            let (found, layers) = searched(&model, 21, threads, max_memory(most).into());
            assert_eq!(found.stop, Some(Stop::Limit(Reason::Memory(most))));
            assert_eq!(layers.several, threads > 1);
            assert!(layers.bytes <= most && !layers.full);
            assert!(found.edges < 2 * MANY, "{}", found.edges);
        }
    }
}

#[test]
fn what_is_allowed_and_needed_is_used() {
    let model = Numbers(|state| {
        (1..8)
            .map(move |step| state * 8 + step)
            .filter(|s| *s < 1 << 17)
    });
    let (all, layers) = searched(&model, 17, 2, Budget::default());
    assert!(layers.several);
    // Two threads may double their parts at the same time or one after the other.
    let most = layers.bytes * 3 / 2;
    for threads in [2, 3] {
        assert_eq!(counted(&model, 17, threads, max_memory(most)), all);
    }
}

#[test]
fn what_is_held_no_more_is_not_counted() {
    // Four hundred layers of a thousand states, and as many as the table has room for before it
    // doubles.
    let model = Numbers(|state| {
        let (row, column) = (state / 1_000 + 1, state % 1_000);
        let columns = match state {
            0 => 0..1_000,
            _ => column..column + 3,
        };
        columns
            .map(move |column| row * 1_000 + column % 1_000)
            .filter(|state| *state < 420_000)
    });
    for threads in [2, 3] {
        let (found, layers) = searched(&model, 19, threads, Budget::default());
        assert_eq!((found.states, found.depth), (419_001, 419));
        let bytes = layers.bytes as f64 / layers.states as f64;
        assert!(bytes < 8.0, "{bytes}");
    }
}

#[test]
fn where_there_is_no_memory_for_several_threads_one_searches() {
    let model = Numbers(|state| match state {
        0 => 1..4_000,
        _ => 0..1,
    });
    let (one, layers) = searched(&model, 12, 1, Budget::default());
    let (found, layers) = searched(&model, 12, 64, max_memory(layers.bytes).into());
    assert!(!layers.several);
    assert_eq!(found, one);
}

#[test]
fn time_and_cancelling_are_heard_in_the_midst_of_a_states_steps() {
    let model = many_states_with_many_steps();
    for threads in [1, 2, 3] {
        let clock = Asked::cancelling_after(u64::MAX);
        let limits = Limits {
            deadline: Some(clock.start + Duration::from_millis(100)),
            ..Limits::default()
        };
        let (found, _) = searched(&model, 21, threads, Budget::new(&clock).with(limits));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::Time)));
        assert!(found.edges < MANY, "{}", found.edges);
        let clock = Asked::cancelling_after(100);
        let (found, _) = searched(&model, 21, threads, Budget::new(&clock));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::Cancelled)));
        assert!(found.edges < MANY, "{}", found.edges);
    }
}

#[test]
fn cancelling_is_heard_where_very_many_steps_lead_to_a_state_that_was_just_met() {
    let model = Numbers(|_| (0..8 * MANY).map(|_| 0));
    let clock = Asked::cancelling_after(100);
    let (found, _) = searched(&model, 21, 1, Budget::new(&clock));
    assert_eq!(found.stop, Some(Stop::Limit(Reason::Cancelled)));
    assert!(found.edges < MANY, "{}", found.edges);
}

#[test]
fn cancelling_is_heard_among_states_without_steps() {
    let model = Numbers(|state| match state {
        0 => 1..20_001,
        _ => 0..0,
    });
    // While they are found the clock is read some 40 times.
    for (threads, looks) in [(1, 60), (2, 60), (3, 60)] {
        let (all, _) = searched(&model, 20, threads, Budget::default());
        assert_eq!((all.stop, all.met[2]), (None, 20_000));
        let clock = Asked::cancelling_after(looks);
        let (found, _) = searched(&model, 20, threads, Budget::new(&clock));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::Cancelled)));
        assert!((1..20_000).contains(&found.met[2]), "{}", found.met[2]);
    }
}

/// A layer of states of which the last has steps without an end, to states that are known.
fn one_without_an_end() -> Numbers<impl Fn(u64) -> Box<dyn Iterator<Item = u64>>> {
    Numbers(|state| -> Box<dyn Iterator<Item = u64>> {
        match state {
            0 => Box::new(1..=2_000),
            2_000 => Box::new((1..=2_000).cycle()),
            _ => Box::new(std::iter::empty()),
        }
    })
}

#[test]
fn cancelling_is_heard_where_one_thread_waits_for_another() {
    for threads in [1, 2, 3] {
        let clock = Asked::cancelling_after(200);
        let (found, _) = searched(&one_without_an_end(), 11, threads, Budget::new(&clock));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::Cancelled)));
        assert_eq!(found.states, 2_001);
    }
}

/// Model whose steps depend on the judgement of the layers before, as those of a reduction do.
struct Judging;

#[derive(Default)]
struct Judged(Profit);

impl WorkingMemory for Judged {
    fn profit(&mut self) -> Option<&mut Profit> {
        Some(&mut self.0)
    }
}

impl Successors for Judging {
    type Scratch = Judged;

    fn words(&self) -> usize {
        1
    }

    fn initial(&self) -> &[u64] {
        &INITIAL
    }

    fn scratch(&self) -> Judged {
        Judged::default()
    }

    fn visit(
        &self,
        state: &[u64],
        Judged(profit): &mut Judged,
        visitor: &mut dyn Visit,
    ) -> ControlFlow<()> {
        let times = match profit.is_tried(state) {
            true => {
                profit.count(4, 4, 0);
                1
            }
            false => 3,
        };
        let mut steps = (1..5).map(|step| (state[0] * 5 + step * times) % 50_000);
        let label = Label {
            participants: &[(0, 0)],
            action: None,
        };
        steps.try_for_each(|next| visitor.step(label, Ok(&[next])))
    }
}

impl Footprints for Judging {}

#[test]
fn every_thread_hears_of_the_layers_that_all_have_gone_through() {
    let one = counted(&Judging, 16, 1, Limits::default());
    assert!(one.states > 10_000 && one.depth > 5, "{one:?}");
    for threads in [2, 3, 8] {
        assert_eq!(counted(&Judging, 16, threads, Limits::default()), one);
    }
}

/// Breaks or panics at a terminal state, on one kind of thread; the others wait for that and
/// continue.
struct Ends<'a> {
    main: ThreadId,
    on_main: bool,
    panics: bool,
    is_over: &'a AtomicBool,
}

impl Look for Ends<'_> {
    fn found(&mut self, _: usize, _: &[u64]) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, _: &[u64]) -> ControlFlow<Stop> {
        if (current().id() == self.main) == self.on_main {
            self.is_over.store(true, Ordering::Relaxed);
            if self.panics {
                std::panic::resume_unwind(Box::new("so it ends"));
            }
            return ControlFlow::Break(Stop::Decided);
        }
        while !self.is_over.load(Ordering::Relaxed) {
            yield_now();
        }
        ControlFlow::Continue(())
    }
}

/// Result of a search in which one thread has endless steps unless it is ended.
fn ends(on_main: bool, panics: bool) -> Result<ControlFlow<Stop>, Box<dyn Any + Send>> {
    let is_over = AtomicBool::new(false);
    let look = || Ends {
        main: current().id(),
        on_main,
        panics,
        is_over: &is_over,
    };
    let mut meter = Meter::quiet(Budget::default());
    let found = AssertUnwindSafe(|| {
        search(
            &one_without_an_end(),
            bits(11),
            &mut meter,
            Team::for_any_model(3),
            look,
        )
        .0
    });
    catch_unwind(found)
}

#[test]
fn what_one_thread_finds_ends_the_others() {
    for on_main in [false, true] {
        let found = ends(on_main, false).expect("nobody panics");
        assert_eq!(found, ControlFlow::Break(Stop::Decided));
    }
}

#[test]
fn a_panic_on_one_thread_ends_the_others_and_is_the_searchs() {
    for on_main in [false, true] {
        let panic = ends(on_main, true).expect_err("somebody panics");
        assert_eq!(panic.downcast_ref(), Some(&"so it ends"));
    }
}
