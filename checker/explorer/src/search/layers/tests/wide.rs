//! States of several words, whose words change while several threads search.

use stubborn_random::systems::widened;
use stubborn_random::{mixture, read};

use super::*;

/// Observed states and counts.
#[derive(Default)]
struct Met {
    states: Vec<Vec<u64>>,
    failing: u64,
    terminal: Vec<Vec<u64>>,
}

impl Look for Met {
    fn found(&mut self, _: usize, state: &[u64]) -> ControlFlow<Stop> {
        self.states.push(state.to_vec());
        ControlFlow::Continue(())
    }

    fn failing(&mut self, _: Label<'_>, _: &Failure) -> ControlFlow<Stop> {
        self.failing += 1;
        ControlFlow::Continue(())
    }

    fn terminal(&mut self, state: &[u64]) -> ControlFlow<Stop> {
        self.terminal.push(state.to_vec());
        ControlFlow::Continue(())
    }
}

/// Result of a search, with sorted observations.
#[derive(PartialEq)]
struct Found {
    stop: Option<Stop>,
    /// States, edges, and steps that fail.
    figures: [u64; 3],
    full: bool,
    given_up: bool,
    states: Vec<Vec<u64>>,
    terminal: Vec<Vec<u64>>,
}

/// Searches; returns also whether several threads took part.
fn all_of<S>(model: &S, parts: &[(u32, u64)], threads: usize, limits: Limits) -> (Found, bool)
where
    S: Footprints + Sync,
{
    let mut meter = Meter::quiet(limits.into());
    let (flow, layers, looks) = search(
        model,
        parts.to_vec(),
        &mut meter,
        Team::for_any_model(threads),
        Met::default,
    );
    let failing = looks.iter().map(|met| met.failing).sum();
    let sorted = |of: fn(&Met) -> &Vec<Vec<u64>>| {
        let mut all: Vec<Vec<u64>> = looks.iter().flat_map(of).cloned().collect();
        all.sort_unstable();
        all
    };
    let found = Found {
        stop: flow.break_value(),
        figures: [layers.states, layers.edges, failing],
        full: layers.full,
        given_up: layers.given_up,
        states: sorted(|met| &met.states),
        terminal: sorted(|met| &met.terminal),
    };
    (found, layers.several)
}

#[test]
fn the_same_wide_states_are_found_on_several_threads_where_steps_are_left_out() {
    let cases = std::env::var("PROPTEST_CASES").ok();
    let cases = cases.and_then(|cases| cases.parse().ok()).unwrap_or(240);
    let (mut together, mut reduced) = (0, 0);
    for seed in 0..cases {
        let model = mixture::thirds(seed);
        let Some(drawn) = read::model(&model) else {
            continue;
        };
        let system = widened(&drawn.system);
        let packed = Packed::new(&system).expect("its states are small");
        let parts = packed.parts();
        let limits = max_states(3_000);
        let thinned = Thinned(&packed);
        let (one, _) = all_of(&packed, &parts, 1, limits);
        let (one_reduced, _) = all_of(&thinned, &parts, 1, limits);
        for threads in [2, 3] {
            if one.stop.is_none() {
                let (found, several) = all_of(&packed, &parts, threads, limits);
                assert!(found == one, "{seed}");
                together += u32::from(several);
            }
            if one_reduced.stop.is_none() {
                let (found, several) = all_of(&thinned, &parts, threads, limits);
                assert!(found == one_reduced, "{seed}");
                reduced += u32::from(several && !found.full);
            }
        }
    }
    assert!(together > 60 && reduced > 30, "{together} {reduced}");
}

/// Model whose steps a function gives.
struct Wide<F>(F);

/// No step.
const ZEROS: [u64; 3] = [0; 3];

impl<I: Iterator<Item = [u64; 3]>, F: Fn([u64; 3]) -> I> Successors for Wide<F> {
    type Scratch = ();

    fn words(&self) -> usize {
        3
    }

    fn initial(&self) -> &[u64] {
        &ZEROS
    }

    fn scratch(&self) {}

    fn visit(&self, state: &[u64], (): &mut (), visitor: &mut dyn Visit) -> ControlFlow<()> {
        let label = Label {
            participants: &[(0, 0)],
            action: None,
        };
        let mut steps = (self.0)([state[0], state[1], state[2]]);
        steps.try_for_each(|next| visitor.step(label, Ok(&next)))
    }
}

impl<I: Iterator<Item = [u64; 3]>, F: Fn([u64; 3]) -> I> Footprints for Wide<F> {}

/// States are numbers whose bits are spread over three words; a function gives the steps of each.
fn spread<I: Iterator<Item = u64>>(
    [first, second]: [u32; 2],
    steps: impl Fn(u64) -> I + Sync,
) -> impl Footprints<Scratch = ()> + Sync {
    let state = move |number: u64| {
        let rest = number >> first;
        [
            (number & ((1 << first) - 1)) << 9,
            rest & ((1 << second) - 1),
            rest >> second << 20,
        ]
    };
    Wide(move |[one, two, three]: [u64; 3]| {
        let number = one >> 9 | two << first | three >> 20 << first << second;
        steps(number).map(state)
    })
}

/// States are numbers below some bound, each with many bits that depend on it.
fn crowded(most: u64) -> impl Footprints<Scratch = ()> + Sync {
    Wide(move |[number, ..]: [u64; 3]| {
        let next = (1..9).map(move |step| (number * 3 + step) % most);
        next.map(|number| {
            let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            [number, mixed, mixed.rotate_left(29) ^ number]
        })
    })
}

const WHOLE_WORDS: [(u32, u64); 3] = [(0, u64::MAX), (1, u64::MAX), (2, u64::MAX)];

#[test]
fn values_that_come_in_the_midst_of_a_layer_get_bits() {
    let most = 60_000;
    for bits in [[3, 5], [9, 2], [1, 1], [6, 6]] {
        // The first layers are small, and then come many values at once.
        let model = spread(bits, |state| {
            (0..7).map(move |step| (state * 7 + step * step * 31 + 1) % most)
        });
        let (one, _) = all_of(&model, &WHOLE_WORDS, 1, Limits::default());
        for threads in [2, 3, 8] {
            let (found, several) = all_of(&model, &WHOLE_WORDS, threads, Limits::default());
            assert!(
                found == one && several != one.given_up,
                "{bits:?} {threads}"
            );
        }
    }
}

/// Of these there are more values than a word has bits for.
fn many_parts() -> Vec<(u32, u64)> {
    let part = |number: u32| (1 + number / 32, 3 << (number % 32 * 2));
    let parts: Vec<(u32, u64)> = (0..64).map(part).collect();
    [&parts[..], &[(0, u64::MAX)]].concat()
}

#[test]
fn where_a_word_has_no_bits_for_many_parts_whole_words_are_numbered() {
    for threads in [1, 2, 3] {
        let model = crowded(5_000);
        let (whole, _) = all_of(&model, &WHOLE_WORDS, threads, Limits::default());
        let (found, _) = all_of(&model, &many_parts(), threads, Limits::default());
        assert!(found == whole && !found.given_up);
        assert_eq!((found.figures[0], found.states.len()), (5_000, 5_000));
        let (found, _) = all_of(&model, &many_parts(), threads, max_states(4_000));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::States(4_000))));
    }
}

/// States are numbers of 16 bits, of which each has five copies.
fn copied(most: u64) -> impl Footprints<Scratch = ()> + Sync {
    Wide(move |[both, ..]: [u64; 3]| {
        let number = both & 0xffff;
        let next = (1..9).map(move |step| (number * 3 + step) % most);
        next.map(|number| [number << 21 | number, number << 11, number << 23 | number])
    })
}

#[test]
fn parts_that_depend_on_each_other_are_joined_where_a_word_has_no_bits_for_all() {
    let most = 40_000;
    let parts = |word: u32, first: u32| (0..14).map(move |at| (word, 7 << (first + 3 * at)));
    let parts: Vec<(u32, u64)> = [parts(0, 0), parts(1, 11), parts(2, 0)]
        .into_iter()
        .flatten()
        .collect();
    for threads in [1, 2, 3] {
        // Whole words have more values together than there are states.
        let (found, _) = all_of(&copied(most), &WHOLE_WORDS, threads, Limits::default());
        assert!(found.given_up);
        let (found, _) = all_of(&copied(most), &parts, threads, Limits::default());
        assert!(!found.given_up);
        assert_eq!(found.figures[..2], [most, 8 * most]);
        assert_eq!(found.states.len() as u64, most);
    }
}

#[test]
fn what_does_not_pay_is_given_up_on_any_number_of_threads() {
    let parts = many_parts();
    for threads in [1, 2, 3] {
        let (found, _) = all_of(&crowded(8_000), &WHOLE_WORDS, threads, Limits::default());
        assert!(found.stop == Some(Stop::Decided) && found.given_up);
        let (found, _) = all_of(&crowded(8_000), &parts, threads, Limits::default());
        assert!(found.stop == Some(Stop::Decided) && found.given_up);
    }
}

#[test]
fn limits_are_kept_to_where_states_are_wide() {
    let most = 60_000;
    let model = spread([6, 6], |state| {
        (0..7).map(move |step| (state * 7 + step * step * 31 + 1) % most)
    });
    for threads in [1, 2, 3] {
        for limit in [100, 3_000, 20_000] {
            let (found, _) = all_of(&model, &WHOLE_WORDS, threads, max_states(limit));
            assert_eq!(found.stop, Some(Stop::Limit(Reason::States(limit))));
            assert_eq!(found.figures[0], limit);
        }
        let (found, _) = all_of(&model, &WHOLE_WORDS, threads, max_memory(300 << 10));
        assert_eq!(found.stop, Some(Stop::Limit(Reason::Memory(300 << 10))));
    }
}
