//! Testers, automata, formulas and refinement: what is found, what is said of it, and by which search.

use expect_test::expect;
use serde_json::Value;

use super::folder::{Folder, property};

/// A machine that may rinse itself for ever, and be out of tea.
const MACHINE: &str = "\
enum Drink { tea, coffee }
action coin
action serve(Drink)

process machine {
    initial final state idle { on coin -> paid }
    state paid {
        -> paid
        -> ready
        -> no_tea
    }
    state ready { on serve(*) -> idle }
    state no_tea { on serve(coffee) -> idle }
}

process sweeper {
    initial final state idle
}

termination not required
";

const TESTERS: &str = "\
use \"machine.stb\"

tester bargain {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    state paid { on serve(*) -> idle  on tau -> eager  on coin -> paid }
    state eager { on serve(tea) -> idle  on serve(coffee) -> cheated  on coin -> eager }
    reject state cheated
}

tester tea_lover {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    deadlock state paid { on serve(tea) -> idle }
}

tester hurried {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    livelock state paid { on serve(*) -> idle  on coin -> paid }
}

tester no_coffee_again {
    initial state idle { on serve(tea) -> idle  on serve(coffee) -> sad  on coin -> idle }
    infinite state sad { on serve(tea) -> idle  on serve(coffee) -> sad  on coin -> sad }
}

tester polite {
    initial state idle { on coin -> paid  on serve(*) -> free }
    state paid { on serve(*) -> idle  on coin -> paid }
    reject state free
}

specification perfect {
    initial state idle { on coin -> paid }
    state paid { on serve(*) -> idle }
}

refines perfect in traces
refines perfect in failures
refines perfect in divergences
refines perfect in infinite traces
";

const AUTOMATA: &str = "\
use \"machine.stb\"

buchi never_ready {
    observe ready = machine@ready
    initial state before { -> before  -> after }
    initial infinite state after when not ready { -> after }
}

buchi out_of_tea {
    observe gone = machine@no_tea
    initial state before when not gone { -> before  -> bad }
    reject state bad when gone
}

testing stays_paid {
    observe paid = machine@paid
    initial state before when not paid { change paid -> inside }
    livelock state inside { change paid -> before }
}

ltl served: always (machine@paid implies eventually machine@idle)
ltl paid_first: (not machine@ready) weak_until machine@paid
ltl comes_back: always eventually machine@{idle, paid}
";

fn folder() -> Folder {
    Folder::with("machine.stb", MACHINE)
        .and("machine.tester", TESTERS)
        .and("automata.tester", AUTOMATA)
}

/// Each property's verdict, its violation, and why.
fn told(object: &Value) -> String {
    let properties = object["properties"].as_array().expect("a list");
    let told = properties.iter().filter(|one| {
        let kind = one["kind"].as_str().unwrap_or("");
        !matches!(kind, "errors" | "deadlock")
    });
    let told = told.map(|one| {
        let text = |name: &str| one[name].as_str().unwrap_or("-").to_owned();
        format!(
            "{} ({}): {}, {}\n    {}\n",
            text("name"),
            text("kind"),
            text("verdict"),
            text("violation"),
            text("why")
        )
    });
    told.collect()
}

#[test]
fn the_violations_of_a_tester_and_of_a_refinement_are_told_apart() {
    let (status, object) = folder().json("check machine.tester");
    assert_eq!(status, 1);
    expect![[r#"
        bargain (tester): violated, trace
            the tester is in its reject state `cheated` after 4 steps
        tea_lover (tester): violated, stable-failure
            after 2 steps nothing can happen any more while the tester is in its deadlock state `paid`; refused: `serve(tea)`
        hurried (tester): violated, divergence
            after 1 step a cycle of 1 step can be gone round for ever, of which the tester sees none, while it is in its livelock state `paid`
        no_coffee_again (tester): violated, infinite-trace
            from the start a cycle of 6 steps can be gone round for ever, and the tester, which sees it, is in its infinite trace state `sad` again and again
        polite (tester): holds, -
            -
        refines perfect in traces (refinement): holds, -
            -
        refines perfect in failures (refinement): violated, stable-failure
            after 2 steps the system offers nothing but `serve(coffee)`, and by itself it cannot go on; `perfect`, which may be at `{paid}`, never refuses that much: at `paid` it can do `serve(coffee)`, `serve(tea)`
        refines perfect in divergences (refinement): violated, divergence
            after 1 step a cycle of 1 step can be gone round for ever without any of the actions that `perfect` has, which `perfect` cannot do then: at `paid` it can do `serve(coffee)`, `serve(tea)`
        refines perfect in infinite traces (refinement): holds, -
            -
    "#]].assert_eq(&told(&object));
}

#[test]
fn a_refinement_names_the_specification_s_variables_and_what_it_could_have_done() {
    let model = "\
enum Drink { tea, coffee }
action order(Drink)
action served(Drink)
process machine {
    var last: Drink
    loop { either { on order(?last) } or { on served(last) } }
}
process customer { loop { either { on order(*) } or { on order(tea) } or { on served(*) } } }
termination not required
";
    let testers = "\
use \"m.stb\"
specification once {
    var owed: array[Drink] of 0..2
    var flag: bool
    initial state quiet {
        for d in Drink on order(d) when owed[d] < 2 do owed[d] = owed[d] + 1 -> quiet
        for d in Drink on served(d) when owed[d] > 0 do owed[d] = owed[d] - 1 -> quiet
        do flag = true -> loud
    }
    state loud {
        for d in Drink on order(d) when owed[d] < 2 do owed[d] = owed[d] + 1 -> quiet
        for d in Drink on served(d) when owed[d] > 0 do owed[d] = owed[d] - 1 -> quiet
    }
}
refines once in traces
";
    let folder = Folder::with("m.stb", model).and("m.tester", testers);
    let (status, object) = folder.json("check m.tester");
    assert_eq!(status, 1);
    expect![[r#"
        refines once in traces (refinement): violated, trace
            `served(tea)` happens at the start, which `once` cannot do then: at `quiet` with owed[tea] = 0, owed[coffee] = 0, flag = false, or `loud` with owed[tea] = 0, owed[coffee] = 0, flag = true it can do `order(coffee)`, `order(tea)`
    "#]].assert_eq(&told(&object));
}

#[test]
fn automata_and_formulas_say_what_they_have_found_and_who_never_moves() {
    let (status, object) = folder().json("check automata.tester");
    assert_eq!(status, 1);
    expect![[r#"
        never_ready (buchi): violated, infinite
            after 1 step a cycle of 1 step can be gone round for ever, and the accepting state `after` is met again and again
        out_of_tea (buchi): violated, reject
            the automaton is in its reject state `bad` after 2 steps
        stays_paid (testing): violated, livelock
            after 1 step a cycle of 1 step can be gone round for ever, on which nothing changes that the automaton observes, while it is in its livelock state `inside`
        served (ltl): violated, -
            after 1 step a cycle of 1 step can be gone round for ever, and this run does not satisfy the formula
        paid_first (ltl): holds, -
            -
        comes_back (ltl): holds, -
            -
    "#]].assert_eq(&told(&object));
}

#[test]
fn a_formula_says_which_of_its_parts_a_run_breaks() {
    let text = "var x: 0..2\ndef low: x >= 0 and x < 2\nprocess p { loop { x = 1; x = 2; x = 0 } }\n\
                termination not required\n\
                ltl here: always (x <= 2 and (x == 0 implies (eventually x == 1 and eventually always low)))\n\
                ltl each: forall k in 0..2: eventually always x == k\nltl safe: always x < 2\nltl small: always low\n";
    let (status, object) = Folder::with("round.stb", text).json("check round.stb");
    assert_eq!(status, 1);
    let why = |name: &str| {
        property(&object, name)["why"]
            .as_str()
            .unwrap_or("")
            .to_owned()
    };
    let here = why("here");
    assert!(
        here.ends_with("the formula's part `always (x == 0 implies eventually always low)`"),
        "{here}"
    );
    let each = why("each");
    let parts = "the formula's part `eventually always x == k` for k = 0 (nor 2 other parts)";
    assert!(each.ends_with(parts), "{each}");
    let small = why("small");
    assert!(
        small.contains("does not satisfy the formula's part `always (x < 2)`,"),
        "{small}"
    );
    let safe = why("safe");
    assert!(safe.contains("does not satisfy the formula,"), "{safe}");
}

#[test]
fn a_tester_stands_last_in_the_steps_that_it_takes_part_in_and_alone_in_its_own() {
    let (_, object) = folder().json("check machine.tester --property bargain");
    let trace = &property(&object, "bargain")["trace"];
    assert_eq!(trace["start"]["bargain"], "idle");
    let steps = trace["steps"].as_array().expect("a list");
    let seen: Vec<String> = steps
        .iter()
        .map(|step| {
            let file = step["file"].as_str().unwrap_or("");
            let line = &step["range"]["start"]["line"];
            format!(
                "{} {} {} {file}:{line}\n",
                step["by"], step["action"], step["at"]
            )
        })
        .collect();
    expect![[r#"
        ["machine","bargain"] "coin" {"machine":"paid","bargain":"paid"} machine.stb:6
        ["bargain"] null {"bargain":"eager"} machine.tester:5
        ["machine"] null {"machine":"ready"} machine.stb:9
        ["machine","bargain"] "serve(coffee)" {"machine":"idle","bargain":"cheated"} machine.stb:12
    "#]]
    .assert_eq(&seen.concat());
}

#[test]
fn a_refinement_s_location_is_the_set_of_where_its_specification_may_be() {
    let name = "refines perfect in failures";
    let ran = folder().run_with(&[
        "check",
        "machine.tester",
        "--format",
        "json",
        "--property",
        name,
    ]);
    let object: Value = serde_json::from_str(&ran.out).expect("one JSON object");
    let trace = &property(&object, name)["trace"];
    assert_eq!(trace["start"][name], "{idle}");
    let last = trace["steps"].as_array().expect("a list").iter().rev();
    let at = last.filter_map(|step| step["at"][name].as_str()).next();
    assert_eq!(at, Some("{paid}"));
}

#[test]
fn a_buchi_automaton_takes_part_in_every_step_and_a_testing_automaton_in_changes() {
    let (_, object) = folder().json("check automata.tester");
    let steps = |name: &str| {
        let trace = &property(&object, name)["trace"];
        let parts = ["steps", "cycle"].map(|part| trace[part].as_array().expect("a list").clone());
        parts.concat()
    };
    let takes_part = |step: &Value, name: &str| {
        let by = step["by"].as_array().expect("a list");
        by.last().is_some_and(|last| last == name)
    };
    assert!(
        steps("never_ready")
            .iter()
            .all(|step| takes_part(step, "never_ready"))
    );
    for step in steps("stays_paid") {
        let changes = step["at"]["machine"] == "paid" && step["action"] == "coin"
            || step["at"]["machine"] != "paid" && step["action"] == Value::Null;
        assert_eq!(takes_part(&step, "stays_paid"), changes, "{step}");
    }
    // A formula has no states that anybody has named.
    assert!(
        steps("served")
            .iter()
            .all(|step| !takes_part(step, "served"))
    );
}

#[test]
fn a_stable_failure_shows_the_tester_in_the_table() {
    let ran = folder().run("check machine.tester --property tea_lover");
    expect![[r#"
        hint[missing-visible-action]: the state `paid` has no step for `coin` and one more, which therefore cannot happen while the tester is here; add a step if it may
          --> machine.tester:12:20
           |
        12 |     deadlock state paid { on serve(tea) -> idle }
           |                    ^^^^

        violated[tester: stable-failure]: tea_lover: after 2 steps nothing can happen any more while the tester is in its deadlock state `paid`; refused: `serve(tea)`
          --> machine.tester:10:8
           |
        10 | tester tea_lover {
           |        ^^^^^^^^^

          step  who            from → to      statement  what changed
             1  machine: coin  idle → paid    on coin
                tea_lover      idle → paid    on coin
             2  machine        paid → no_tea

        machine.tester
          tea_lover  violated

        1 property: 1 is violated; 4 states, 5 edges, _ s
        --- exit status 1
    "#]].assert_eq(&ran.shown());
}

#[test]
fn the_cycle_of_a_violated_formula_is_marked() {
    let ran = folder().run("check automata.tester --property served");
    expect![[r#"
        hint[nothing-of-ends]: `never_ready` says nothing of runs that end, since an `infinite` state accepts only what goes on for ever; mark the states `deadlock` in which a run must not end
         --> automata.tester:3:7
          |
        3 | buchi never_ready {
          |       ^^^^^^^^^^^

        violated[ltl]: served: after 1 step a cycle of 1 step can be gone round for ever, and this run does not satisfy the formula
          --> automata.tester:21:5
           |
        21 | ltl served: always (machine@paid implies eventually machine@idle)
           |     ^^^^^^

          step  who            from → to    statement  what changed
             1  machine: coin  idle → paid  on coin
             ↻  again and again:
             2  machine        paid
             ↺  back to the state after step 1

        automata.tester
          served  violated

        1 property: 1 is violated; 7 states, 11 edges, _ s
        --- exit status 1
    "#]].assert_eq(&ran.shown());
}

#[test]
fn what_a_chosen_search_cannot_find_is_undecided_and_says_which_could() {
    let folder = folder();
    let verdict = |name: &str, liveness: &str| {
        let arguments = format!("check machine.tester --property {name} --liveness {liveness}");
        let (_, object) = folder.json(&arguments);
        let property = property(&object, name);
        let told = property["why"].as_str().unwrap_or("").to_owned();
        (property["verdict"].as_str().unwrap_or("").to_owned(), told)
    };
    for liveness in ["auto", "one-pass", "four-pass"] {
        assert_eq!(verdict("hurried", liveness).0, "violated", "{liveness}");
    }
    for liveness in ["auto", "nested", "four-pass"] {
        assert_eq!(
            verdict("no_coffee_again", liveness).0,
            "violated",
            "{liveness}"
        );
    }
    for (name, liveness) in [("hurried", "nested"), ("no_coffee_again", "one-pass")] {
        let (verdict, why) = verdict(name, liveness);
        assert_eq!(verdict, "undecided", "{name}");
        assert!(
            why.starts_with(&format!("`--liveness {liveness}` cannot find")),
            "{why}"
        );
        assert!(why.contains("four-pass"), "{why}");
    }
}

#[test]
fn bitstate_storage_finds_violations_and_never_says_that_anything_holds() {
    let folder = folder();
    let (status, object) = folder.json("check machine.tester --storage bitstate --bits 16");
    assert_eq!(status, 1);
    for one in object["properties"].as_array().expect("a list") {
        assert_ne!(one["verdict"], "holds", "{one}");
    }
    assert_eq!(property(&object, "bargain")["verdict"], "violated");
    let polite = property(&object, "polite");
    assert_eq!(polite["verdict"], "undecided");
    let why = polite["why"].as_str().unwrap_or("");
    assert!(
        why.contains("bitstate storage may have missed states"),
        "{why}"
    );
    let (status, object) = folder.json("explore machine.stb --storage bitstate");
    assert_eq!(status, 3);
    let message = object["problems"][0]["message"].as_str().unwrap_or("");
    assert!(message.contains("--storage exact"), "{message}");
}

#[test]
fn an_expression_that_fails_violates_without_a_condition_broken() {
    let folder = folder().and(
        "fails.tester",
        "use \"machine.stb\"\nconst a: array[0..1] of bool = [true, false]\n\
         ltl odd: always a[if machine@ready then 2 else 0]\n\
         buchi other { observe p = a[if machine@ready then 2 else 0] initial state s when p { -> s  -> t } infinite state t when not p { -> t } }\n",
    );
    let (status, object) = folder.json("check fails.tester");
    assert_eq!(status, 1);
    for name in ["odd", "other"] {
        let property = property(&object, name);
        assert_eq!(property["verdict"], "violated", "{property}");
        assert_eq!(property["violation"], Value::Null);
        let why = property["why"].as_str().unwrap_or("");
        assert!(
            why.contains("has no value after 2 steps: the index 2"),
            "{why}"
        );
    }
}

#[test]
fn a_table_that_no_memory_has_room_for_is_refused() {
    let (status, object) =
        folder().json("check machine.tester --storage bitstate --bits 40 --max-memory 1M");
    assert_eq!(status, 3);
    let message = object["problems"][0]["message"].as_str().unwrap_or("");
    assert!(
        message.starts_with("`--bits 40` is a table of 128.0 GB"),
        "{message}"
    );
}

#[test]
fn a_cycle_closes_at_once_where_only_what_nobody_reads_is_another_after_its_first_round() {
    let model = "\
process p {
    var unread: 0..1
    loop { either { unread = 1; skip } or { unread = 0; skip } or { stop } }
}
termination not required
ltl ends: eventually p@end
progress comes: must p@end
";
    let folder = Folder::with("m.stb", model);
    for property in ["ends", "comes"] {
        let (_, object) = folder.json(&format!("check m.stb --property {property}"));
        let trace = &object["properties"][0]["trace"];
        let steps = ["steps", "cycle"].map(|part| trace[part].as_array().map(Vec::len));
        assert_eq!(steps, [Some(0), Some(2)], "{property}: {trace}");
    }
}
