//! Symmetry reduction on random texts of like processes, of which a share tells them apart somewhere.

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use stubborn_engine::interpreter::{replay, steps};
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::{Successors, Visit};
use stubborn_engine::symmetry::{Orbits, Symmetric};
use stubborn_engine::{
    Label, Limits, Options, Outcome, Reason, Reduction, Search, Silent, State, Symmetry as Use,
    Verdict, check,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read::{self, Drawn};
use stubborn_random::symmetric::{self, Share};
use stubborn_system::property::Property;
use stubborn_system::symmetry::{Element, Symmetry};
use stubborn_system::system::{Failure, System};

const MOST_STATES: usize = 3000;
/// So many permutations are tried one by one.
const MOST_PERMUTATIONS: f64 = 48.0;

/// How many texts are drawn, unless the environment asks for more (`STUBBORN_RANDOM_SYSTEMS`).
fn cases(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = number("STUBBORN_SEED").unwrap_or(0);
    first..first + number("STUBBORN_RANDOM_SYSTEMS").unwrap_or(default)
}

fn drawn(seed: u64) -> Option<(String, Drawn)> {
    let share = if seed.is_multiple_of(3) {
        Share::Nearly
    } else {
        Share::Symmetric
    };
    let text = symmetric::text(seed, share);
    let drawn = read::text(text.clone(), &Settings::default())?;
    Some((text, drawn))
}

fn orbits(system: &System, properties: &[Property]) -> Option<Orbits> {
    let symmetry = Symmetry::find(system, properties, &mut || true)?;
    Orbits::of(&symmetry, &Packed::new(system).expect("it is small"))
}

/// The states that steps lead to.
#[derive(Default)]
struct Targets(Vec<Vec<u64>>);

impl Visit for Targets {
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.0.extend(outcome.ok().map(<[u64]>::to_vec));
        ControlFlow::Continue(())
    }
}

/// All states that can be reached; `None` where there are many.
fn reached<M: Successors>(model: &M) -> Option<Vec<Vec<u64>>> {
    let mut scratch = model.scratch();
    let mut states = vec![model.initial().to_vec()];
    let mut known: BTreeSet<Vec<u64>> = states.iter().cloned().collect();
    let mut next = 0;
    while next < states.len() {
        let mut targets = Targets::default();
        let _ = model.visit(&states[next], &mut scratch, &mut targets);
        next += 1;
        for state in targets.0 {
            if known.insert(state.clone()) {
                states.push(state);
            }
        }
        if states.len() > MOST_STATES {
            return None;
        }
    }
    Some(states)
}

/// All products of swaps of two neighbours.
fn group(symmetry: &Symmetry, identity: Vec<Element>) -> Vec<Vec<Element>> {
    let mut all = vec![identity];
    let mut next = 0;
    while next < all.len() {
        let pairs = symmetry
            .clusters
            .iter()
            .flat_map(|cluster| cluster.windows(2));
        for pair in pairs {
            let swap = |e: &Element| match *e {
                e if e == pair[0] => pair[1],
                e if e == pair[1] => pair[0],
                e => e,
            };
            let product: Vec<Element> = all[next].iter().map(swap).collect();
            if !all.contains(&product) {
                all.push(product);
            }
        }
        next += 1;
    }
    all
}

/// What the reference interpreter's steps come to, as a multiset: how many fail, and how many lead to each state.
fn outcomes(
    system: &System,
    state: &State,
    turned: impl Fn(&State) -> State,
) -> (usize, HashMap<State, usize>) {
    let mut failing = 0;
    let mut to = HashMap::new();
    for step in steps(system, state) {
        match step.outcome {
            Ok(state) => *to.entry(turned(&state)).or_default() += 1,
            Err(_) => failing += 1,
        }
    }
    (failing, to)
}

#[test]
fn permutations_map_the_steps_of_the_reference_interpreter_onto_each_other() {
    let (mut symmetric, mut states) = (0, 0);
    for seed in cases(400) {
        let Some((text, drawn)) = drawn(seed) else {
            continue;
        };
        let system = &*drawn.system;
        let packed = Packed::new(system).expect("it is small");
        let Some(symmetry) = Symmetry::find(system, &[], &mut || true) else {
            continue;
        };
        let orbits = Orbits::of(&symmetry, &packed).expect("they can be turned");
        if symmetry.permutations() > MOST_PERMUTATIONS {
            continue;
        }
        symmetric += 1;
        let Some(all) = reached(&packed) else {
            continue;
        };
        for permutation in group(&symmetry, orbits.identity()) {
            let turned = |state: &State| {
                let words = packed.pack(state);
                let mut to = words.clone();
                orbits.apply(&permutation, &words, &mut to);
                packed.unpack(&to)
            };
            for words in all.iter().step_by(1 + all.len() / 40) {
                let state = packed.unpack(words);
                states += 1;
                assert_eq!(
                    outcomes(system, &state, turned),
                    outcomes(system, &turned(&state), State::clone),
                    "seed {seed}, {permutation:?} in {state:?}:\n{text}"
                );
            }
        }
    }
    assert!(symmetric > 150 && states > 10_000, "{symmetric} {states}");
}

#[test]
fn the_states_of_a_search_are_the_orbits_of_those_that_can_be_reached() {
    let (mut counted, mut smaller) = (0, 0);
    for seed in cases(300) {
        let Some((text, drawn)) = drawn(seed) else {
            continue;
        };
        let system = &*drawn.system;
        let packed = Packed::new(system).expect("it is small");
        let Some(symmetry) = Symmetry::find(system, &[], &mut || true) else {
            continue;
        };
        let orbits = Orbits::of(&symmetry, &packed).expect("they can be turned");
        if symmetry.permutations() > MOST_PERMUTATIONS {
            continue;
        }
        let Some(all) = reached(&packed) else {
            continue;
        };
        let permutations = group(&symmetry, orbits.identity());
        // The least of each orbit, by trying all permutations.
        let least = |state: &Vec<u64>| {
            let mut to = state.clone();
            let turned = permutations.iter().map(|permutation| {
                orbits.apply(permutation, state, &mut to);
                to.clone()
            });
            turned.min()
        };
        let expected: BTreeSet<_> = all.iter().map(least).collect();
        let found = reached(&Symmetric::new(&packed, &orbits)).expect("there are fewer");
        assert_eq!(found.len(), expected.len(), "seed {seed}:\n{text}");
        let same: BTreeSet<_> = found.iter().map(least).collect();
        assert_eq!(same, expected, "seed {seed}:\n{text}");
        counted += 1;
        smaller += usize::from(found.len() < all.len());
    }
    assert!(counted > 100 && smaller > 25, "{counted} {smaller}");
}

fn plain() -> Options {
    Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(MOST_STATES as u64),
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn with_symmetry() -> Vec<Options> {
    let mut all = Vec::new();
    for search in [Search::Breadth, Search::Depth] {
        for reduction in [Reduction::None, Reduction::Stubborn] {
            for keep in [false, true] {
                if reduction == Reduction::None && keep {
                    continue;
                }
                all.push(Options {
                    search,
                    reduction,
                    keep_dead_variables: keep,
                    symmetry: Use::Auto,
                    ..Options::default()
                });
            }
        }
    }
    all
}

#[test]
fn symmetry_keeps_every_verdict_and_every_trace_is_a_run() {
    let (mut compared, mut turned, mut violated, mut cycles) = (0, 0, 0, 0);
    for seed in cases(150) {
        let Some((text, drawn)) = drawn(seed) else {
            continue;
        };
        let system = &*drawn.system;
        let properties: Vec<Property> = drawn
            .properties
            .iter()
            .map(|named| named.property.clone())
            .collect();
        let expected = check(system, &properties, &plain(), &Silent).expect("it is small");
        if expected
            .iter()
            .any(|outcome| matches!(outcome.verdict, Verdict::Undecided(Reason::States(_))))
        {
            continue;
        }
        // All at once, and each by itself: more permutations leave one of them as it is.
        let mut look = |asked: &[Property], expected: &[Outcome]| {
            for options in with_symmetry() {
                let found = check(system, asked, &options, &Silent).expect("it is small");
                for ((property, expected), found) in asked.iter().zip(expected).zip(&found) {
                    compared += 1;
                    turned += usize::from(found.symmetry.is_some());
                    let told =
                        || format!("seed {seed}, {property:?} with {options:?}: {found:?}\n{text}");
                    match (&expected.verdict, &found.verdict) {
                        (Verdict::Holds, Verdict::Holds) => {}
                        (Verdict::Violated { .. }, Verdict::Violated { trace, .. }) => {
                            violated += 1;
                            assert_eq!(replay(system, trace), Ok(()), "{}", told());
                            cycles +=
                                usize::from(found.symmetry.is_some() && !trace.cycle().is_empty());
                        }
                        _ => panic!("{expected:?} {}", told()),
                    }
                }
            }
        };
        look(&properties, &expected);
        for (property, expected) in properties.iter().zip(&expected) {
            look(
                std::slice::from_ref(property),
                std::slice::from_ref(expected),
            );
        }
    }
    println!("{compared} compared, {turned} with symmetry, {violated} violated, {cycles} cycles");
    assert!(
        turned > 2_000 && violated > 1_000 && cycles > 100,
        "{compared} {turned} {violated} {cycles}"
    );
}

#[test]
fn what_tells_instances_apart_is_found_out() {
    let of = |text: &str| {
        let drawn = read::text(text.to_owned(), &Settings::default()).expect("the text is right");
        orbits(&drawn.system, &[]).map(|orbits| orbits.permutations())
    };
    let process = |variables: &str, body: &str| {
        format!("type Id = 0..3\n{variables}\nprocess p(i in Id) {{ loop {{ {body} }} }}")
    };
    let turn = |body: &str| of(&process("var turn: Id", body));
    assert_eq!(turn("await turn == i do turn = any Id"), Some(24));
    assert_eq!(turn("await turn == i do turn = (i + 1) % 4"), None);
    assert_eq!(turn("await turn <= i do turn = i"), None);
    let both = |body: &str| of(&process("var turn: Id\nvar flag: array[Id] of bool", body));
    assert_eq!(both("await flag[i] do flag[turn] = true"), Some(24));
    assert_eq!(
        both("await turn == 2 or flag[i] do flag[turn] = true"),
        Some(6)
    );
    assert_eq!(
        both("await flag[0] or flag[1] do flag[turn] = flag[i]"),
        Some(4)
    );
    assert_eq!(
        of("process p(i in 1..5) { var x: 0..3 loop { await x < 3 do x = x + 1 } }"),
        Some(120)
    );
}
