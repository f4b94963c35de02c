//! Symmetry reduction on random texts of like processes, of which a share tells them apart somewhere.

mod compared;
mod seen;

use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

use compared::{MOST_STATES, Tally, Ways, compared, drawn};
use stubborn_engine::interpreter::steps;
use stubborn_engine::packed::Packed;
use stubborn_engine::successors::{Successors, Visit};
use stubborn_engine::symmetry::{Orbits, Symmetric};
use stubborn_engine::{
    Caller, Label, Options, Outcome, Reduction, State, Symmetry as Use, Verdict, check,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read;
use stubborn_system::property::Property;
use stubborn_system::symmetry::{Difference, Element, Reason, Site, Symmetry};
use stubborn_system::system::{Binary, Failure, System};

/// So many permutations are tried one by one.
const MOST_PERMUTATIONS: f64 = 48.0;

/// How many texts are drawn, unless the environment asks for more (`STUBBORN_RANDOM_SYSTEMS`).
fn cases(default: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = number("STUBBORN_SEED").unwrap_or(0);
    first..first + number("STUBBORN_RANDOM_SYSTEMS").unwrap_or(default)
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

#[test]
fn symmetry_keeps_every_verdict_and_every_trace_is_a_run() {
    let mut tally = Tally::default();
    let seeds = cases(300);
    let many = match seeds.end - seeds.start {
        ..5_000 => Ways::Many,
        _ => Ways::Few,
    };
    for seed in seeds {
        if let Err(difference) = compared(seed, many, &mut tally) {
            panic!("{difference}");
        }
    }
    println!("{tally:?}");
    assert!(
        tally.in_trials > 100 && tally.hashed > 500 && tally.found_there > 200,
        "{tally:?}"
    );
    assert!(
        tally.turned > 2_000 && tally.beside > 200 && tally.violated > 1_000 && tally.cycles > 100,
        "{tally:?}"
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

#[test]
fn usual_shapes_of_protocols_leave_all_permutations() {
    let (y, seen) = ("var y: Id", "var seen: array[Id] of bool");
    let shapes = [
        // A sentinel below or above the identities.
        (
            "var owner: -1..3 = -1",
            "",
            "await owner < 0 do owner = i; await owner == i do owner = -1",
        ),
        (
            "var owner: 0..4 = 4",
            "",
            "await owner == 4 do owner = i; await owner == i do owner = 4",
        ),
        (
            "var votes: set of Id",
            "",
            "await not i in votes do votes = votes + {i}; await len(votes) > 2 do votes = {i}",
        ),
        (
            "channel net: bag[3] of Id, 0..1",
            y,
            "send net(i, 1); receive net(?y, 0) do y = i",
        ),
        (
            "channel post[Id]: bag[2] of Id",
            y,
            "send post[y](i); receive post[y](?y)",
        ),
        (
            "channel mail[Id]: queue[2] of Id",
            y,
            "y = any Id; send mail[y](i); receive mail[i](?y)",
        ),
        // Identities inside records.
        (
            "type Message = record { kind: 0..1, from: Id }\nchannel net: bag[2] of Message",
            "var m: Message",
            "send net({kind: 1, from: i}); receive net(?m) when m.from != i; \
             receive net({kind: 0, from: ?m.from})",
        ),
        (
            "type Message = record { to: Id, sent: record { kind: 0..1, from: Id } }\n\
             channel net: queue[2] of 0..1, Message",
            y,
            "y = any Id; send net(1, {to: y, sent: {from: i, kind: 0}}); \
             receive net(1, {to: i, sent: {from: ?y}})",
        ),
        // A channel for each pair, chosen by values, by one value and by none.
        (
            "channel link[Id, Id]: queue[1] of bool",
            "var x, y: Id",
            "x = any Id, y = any Id; await x == i; send link[x, y](true); receive link[y, x](*)",
        ),
        (
            "channel link[Id, Id]: queue[1] of Id",
            y,
            "y = any Id; send link[i, y](i); receive link[y, i](?y)",
        ),
        (
            "channel link[Id, Id]: bag[1] of bool",
            y,
            "either for k in Id { send link[i, k](true) } \
             or for k in Id { receive link[k, i](true) do y = k }",
        ),
        (
            "var table: array[Id] of bool",
            seen,
            "do { for k in Id { seen[k] = table[k] } }; await seen[i] do table[i] = not table[i]",
        ),
        (
            "var table: array[Id] of bool",
            seen,
            "do { for k in Id { if table[k] { seen[k] = true } } }; await seen[i] do table[i] = not table[i]",
        ),
        (
            "var table: array[Id] of bool",
            seen,
            "seen = [k in Id: table[k] or k == i]; await seen[i] do table[i] = not table[i]",
        ),
    ];
    for (shared, local, body) in shapes {
        let text = format!(
            "type Id = 0..3\n{shared}\nprocess p(i in Id) {{\n    {local}\n    \
             loop {{ {body} }}\n}}"
        );
        let drawn = read::text(text.clone(), &Settings::default()).expect("the text is right");
        let orbits = orbits(&drawn.system, &[]);
        let permutations = orbits.map(|orbits| orbits.permutations());
        assert_eq!(permutations, Some(24), "{text}");
        assert_eq!(
            Difference::find(&drawn.system, &[], &mut || true),
            [],
            "{text}"
        );
    }
}

#[test]
fn the_first_obstacle_to_permutations_is_found() {
    let of = |variables: &str, body: &str| {
        let text = format!(
            "type Id = 0..3\nvar turn: Id\n{variables}\n\
             process p(i in Id) {{ loop {{ {body} }} }}\ninvariant it: turn == 0"
        );
        let drawn = read::text(text, &Settings::default()).expect("the text is right");
        let properties: Vec<Property> = (drawn.properties.iter())
            .map(|named| named.property.clone())
            .filter(|property| matches!(property, Property::Invariant(_)))
            .collect();
        let found = |properties: &[Property]| {
            let found = Difference::find(&drawn.system, properties, &mut || true);
            found
                .first()
                .map(|one| (one.instances, one.site, one.reason))
        };
        (found(&[]), found(&properties))
    };
    let by_order = Reason::Compares(Binary::LessOrEqual);
    let step = |at| Site::Step(0, at);
    assert_eq!(
        of("", "await turn <= i do turn = i").0,
        Some(([0, 1], step(0), by_order))
    );
    assert_eq!(
        of("", "await turn == i do turn = (turn + 1) % 4").0,
        Some(([0, 1], step(0), Reason::Calculates))
    );
    assert_eq!(
        of("", "await turn == i or turn == 2 do turn = any Id"),
        (
            Some(([0, 2], step(0), Reason::Other)),
            Some(([0, 1], Site::Property(0), Reason::Other))
        )
    );
    // What goes through the identities in their order is not in the step that compares them.
    assert_eq!(
        of(
            "var to: 0..4",
            "await turn == i do turn = any Id; await to == i do to = (to + 1) % 5"
        )
        .0,
        Some(([0, 1], step(1), Reason::Calculates))
    );
}

/// What is found of a text with some options.
fn of(text: &str, options: &Options) -> Vec<Outcome> {
    let drawn = read::text(text.to_owned(), &Settings::default()).expect("the text is right");
    let properties = drawn.properties.iter();
    let properties: Vec<Property> = properties.map(|named| named.property.clone()).collect();
    check(&drawn.system, &properties, options, Caller::default()).expect("it is small")
}

/// Seven processes that go round, of which one at a time may be in the middle, or several where there is no turn.
fn going_round(await_turn: &str, initial: &str) -> String {
    format!(
        "type Id = 0..6
var inside: 0..7
var turn: Id
process p(i in Id) {{
    var seen: Id{initial}
    initial state out {{ when {await_turn} do inside = inside + 1 -> middle }}
    state middle {{ do turn = any Id -> left }}
    state left {{ do seen = turn, inside = inside - 1 -> out }}
}}
termination not required
invariant alone: inside <= 1
invariant few: inside <= 7
invariant mine(i in Id): p(i).seen == i or p(i).seen != i
progress enters: may exists i in Id: p(i)@middle
progress ends: must exists i in Id: p(i)@left
recurrence again: infinitely p(2)@middle implies infinitely p(2)@left
"
    )
}

#[test]
fn a_model_of_many_states_is_asked_for_permutations_and_one_of_few_is_not() {
    let off = Options {
        symmetry: Use::Off,
        reduction: Reduction::None,
        ..Options::default()
    };
    let auto = Options {
        symmetry: Use::Auto,
        ..off
    };
    for (text, pays) in [
        (going_round("true", ""), true),
        // There are few states.
        (going_round("inside == 0", ""), false),
        // Who goes on is told by a number that is calculated with.
        (going_round("turn + i != 3", ""), false),
    ] {
        let (expected, found) = (of(&text, &off), of(&text, &auto));
        let mut turned = 0;
        for (expected, found) in expected.iter().zip(&found) {
            assert_eq!(
                expected.verdict.is_violated(),
                found.verdict.is_violated(),
                "{text}"
            );
            assert_eq!(
                expected.verdict == Verdict::Holds,
                found.verdict == Verdict::Holds
            );
            turned += usize::from(found.symmetry.permutations().is_some());
            match found.symmetry.permutations() {
                Some(_) => assert!(found.states * 2 < expected.states, "{text}"),
                None => assert!(found.states <= expected.states.max(1001), "{text}"),
            }
        }
        assert_eq!(turned > 0, pays, "{text}");
    }
}
