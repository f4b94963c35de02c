//! That no step of any run is nobody's, that nobody is alone in a step without moving, and that sentences count the
//! steps that are there: of the examples, and of systems, testers, automata and specifications drawn by lot.

use std::fmt::Write;

use serde_json::{Map, Value};
use stubborn_random::random::Random;

use super::folder::Folder;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples");
/// So many cases of each test run; `STUBBORN_RANDOM_SYSTEMS` asks for more, from `STUBBORN_SEED` on.
const CASES: u64 = 40;

#[test]
fn every_step_of_the_examples_is_somebodys_and_is_counted() {
    let folder = Folder::new();
    let files = std::fs::read_dir(EXAMPLES).expect("the examples");
    let files = files.map(|file| file.expect("an example").path());
    let mut runs = 0;
    for file in files.filter(|file| {
        file.extension()
            .is_some_and(|end| end == "tester" || end == "stb")
    }) {
        let (_, object) = folder.json(&format!("check {}", file.display()));
        runs += looked_at(&object, &file.display().to_string());
    }
    assert!(runs > 50, "{runs} runs alone");
}

#[test]
fn every_step_of_what_is_drawn_is_somebodys_and_is_counted() {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|number| number.parse().ok())
    };
    let first = number("STUBBORN_SEED").unwrap_or(1) * 1_000_000;
    let mut runs = 0;
    for seed in first..first + number("STUBBORN_RANDOM_SYSTEMS").unwrap_or(CASES) {
        let mut random = Random::new(seed);
        let (model, tester) = (model(&mut random), tester(&mut random));
        let folder = Folder::with("m.stb", &model).and("t.tester", &tester);
        let order = random
            .pick(&["", " --search dfs", " --reduction none", " --order reverse"])
            .to_owned();
        let (status, object) = folder.json(&format!("check t.tester{order}"));
        assert!(
            status < 2,
            "seed {seed}: {:?}\n{model}\n{tester}",
            object["problems"]
        );
        runs += looked_at(&object, &format!("seed {seed}{order}\n{model}\n{tester}"));
    }
    assert!(runs > 100, "{runs} runs alone");
}

/// Goes through all runs; how many there are.
fn looked_at(object: &Value, of: &str) -> usize {
    let properties = object["properties"].as_array().expect("a list");
    let with_run = properties
        .iter()
        .filter(|property| !property["trace"].is_null());
    let told = with_run.map(|property| {
        if let Err(wrong) = is_in_order(property) {
            panic!("{}: {wrong}\n{:#}\n{of}", property["name"], property["why"]);
        }
    });
    told.count()
}

fn is_in_order(property: &Value) -> Result<(), String> {
    let trace = &property["trace"];
    let list = |of: &Value| of.as_array().cloned().unwrap_or_default();
    let (steps, cycle) = (list(&trace["steps"]), list(&trace["cycle"]));
    let mut places: Map<String, Value> = trace["start"].as_object().cloned().unwrap_or_default();
    let fails = property["kind"] == "errors";
    for (at, step) in steps.iter().chain(&cycle).enumerate() {
        let by = list(&step["by"]);
        if by.is_empty() {
            return Err(format!("step {} is nobody's", at + 1));
        }
        let moved = step["at"].as_object().ok_or("nobody is anywhere")?;
        let is_alone = by.len() == 1 && by[0] == property["name"];
        let stays = moved
            .iter()
            .all(|(who, place)| places.get(who) == Some(place));
        if is_alone && (stays || !step["action"].is_null()) {
            return Err(format!(
                "the monitor is alone in step {}, and does not move",
                at + 1
            ));
        }
        places.extend(moved.clone());
    }
    let why = property["why"].as_str().unwrap_or_default();
    // A step that shows the violation by itself is none of those before it.
    let shows = usize::from(fails || why.contains(" happens after "));
    if let Some(told) = number(why, "after ", " step")
        && told != steps.len() - shows
    {
        return Err(format!("there are {} steps", steps.len()));
    }
    match number(why, "a cycle of ", " step") {
        Some(told) if told != cycle.len() => Err(format!("{} steps are gone round", cycle.len())),
        _ => Ok(()),
    }
}

/// The first number that stands between two words.
fn number(text: &str, before: &str, after: &str) -> Option<usize> {
    let mut ways = text.match_indices(before);
    ways.find_map(|(at, _)| {
        let (number, _) = text[at + before.len()..].split_once(after)?;
        number.parse().ok()
    })
}

const ACTIONS: [&str; 3] = ["a", "b", "c"];

fn model(random: &mut Random) -> String {
    let mut text = "action a\naction b\naction c\nvar x: 0..2\n\
                    termination not required\ndeadlock ignored\n"
        .to_owned();
    for process in 0..random.between(1, 3) {
        let count = random.between(2, 4);
        let states = states(
            random,
            count,
            &[("final", 30)],
            &mut |random, _, to| match random.below(5) {
                0 => format!("do x = {} -> s{to};", random.below(3)),
                1 => format!("-> s{to};"),
                2 => format!(
                    "on {} when x == {} -> s{to};",
                    random.pick(&ACTIONS),
                    random.below(3)
                ),
                _ => format!("on {} -> s{to};", random.pick(&ACTIONS)),
            },
        );
        let _ = writeln!(text, "process p{process} {{\n{states}}}");
    }
    text
}

fn tester(random: &mut Random) -> String {
    let mut text = "use \"m.stb\"\n".to_owned();
    let count = random.between(2, 5);
    let states_of = states(
        random,
        count,
        &[],
        &mut |random, _, to| match random.percent(45) {
            true => format!("-> s{to};"),
            false => format!("on {} -> s{to};", random.pick(&ACTIONS)),
        },
    );
    let _ = writeln!(text, "specification s {{\n{states_of}}}");
    for semantics in [
        "traces",
        "failures",
        "divergences",
        "infinite traces",
        "cffd",
    ] {
        let _ = writeln!(text, "refines s in {semantics}");
    }
    let marks = [
        ("reject", 20),
        ("deadlock", 60),
        ("livelock", 30),
        ("infinite", 30),
    ];
    for name in ["one", "other"] {
        let count = random.between(2, 5);
        let states = states(random, count, &marks, &mut |random, from, to| {
            // No cycle of `tau`.
            match random.percent(30) && to > from {
                true => format!("on tau -> s{to};"),
                false => format!("on {} -> s{to};", random.pick(&ACTIONS)),
            }
        });
        let _ = writeln!(text, "tester {name} {{\n{states}}}");
    }
    text.push_str(
        "testing changes { observe p = x == 1\n\
             initial state s0 when not p { change p -> s1 }\n\
             livelock state s1 { change p -> s2 }\n\
             infinite state s2 { change p -> s1 } }\n\
         buchi ever { observe p = x == 1\n\
             initial state s0 when true { -> s0 -> s1 }\n\
             infinite deadlock state s1 when p { -> s1 -> s0 } }\n\
         ltl again: always eventually x == 1\n\
         recurrence both: infinitely a implies infinitely b\n\
         progress may_be: may x == 2\n\
         progress must_be: must x == 1\n",
    );
    text
}

/// States with steps between them, the marks with so many in a hundred of them.
fn states(
    random: &mut Random,
    count: i64,
    marks: &[(&str, usize)],
    step: &mut dyn FnMut(&mut Random, i64, i64) -> String,
) -> String {
    let mut text = String::new();
    for from in 0..count {
        text.push_str(if from == 0 { "    initial " } else { "    " });
        for (mark, percent) in marks {
            // The last one has no `tau`.
            let may_be = *mark != "deadlock" || from + 1 == count;
            if may_be && random.percent(*percent) {
                let _ = write!(text, "{mark} ");
            }
        }
        let _ = write!(text, "state s{from} {{");
        for _ in 0..random.below(4) {
            let to = random.between(0, count - 1);
            let _ = write!(text, " {}", step(random, from, to));
        }
        text.push_str(" }\n");
    }
    text
}
