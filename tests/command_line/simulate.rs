//! Going along runs in a terminal, and taking saved ones again.

use std::fs;
use std::path::Path;

use expect_test::expect;
use serde_json::{Value, json};

use super::folder::{BROKEN_LOCK, FORKS, Folder, LOCK, property};

#[test]
fn steps_are_listed_and_the_one_is_taken_whose_number_is_typed() {
    let typed =
        "1\n2\np customer(0)@critical\np free and\np customer(1)\nu\nx\n9\n?\nu\nu\ns\nq\n1\n";
    let ran = Folder::with("m.stb", LOCK).run_typed("simulate m.stb", typed);
    expect![[r#"
        at the start
            free = true
            customer(0) = idle
            customer(1) = idle
          1  customer(0) idle → critical, line 6   free = false
          2  customer(0) idle → stopped, line 7
          3  customer(1) idle → critical, line 6   free = false
          4  customer(1) idle → stopped, line 7
        1: customer(0) idle → critical, line 6   free = false
        · access(0) is true
          1  customer(0) critical → idle, line 9   free = true
          2  customer(1) idle → stopped, line 7
        2: customer(1) idle → stopped, line 7
        · access(1) is true
          1  customer(0) critical → idle, line 9   free = true
        customer(0)@critical = true
        expected an expression after `and`
        customer(1) = stopped
        back after 1 step
          1  customer(0) critical → idle, line 9   free = true
          2  customer(1) idle → stopped, line 7
        `x` is nothing that can be done; ? shows what can
        there is no step 9
          NUMBER     take this step
          u          undo the last step
          r [N]      take N steps at random, one where there is no N
          p EXPR     print what an expression comes to here, or a channel or an instance
          s          show the state
          l          list the steps again, as an empty line does
          ?          show this
          q          quit
        back after 0 steps
          1  customer(0) idle → critical, line 6   free = false
          2  customer(0) idle → stopped, line 7
          3  customer(1) idle → critical, line 6   free = false
          4  customer(1) idle → stopped, line 7
        this is the start: there is nothing to undo
            free = true
            customer(0) = idle
            customer(1) = idle
        --- exit status 0
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_line_that_does_not_end_is_taken_in_pieces() {
    let ran = Folder::with("m.stb", LOCK).run_typed("simulate m.stb", &"7".repeat(10_000));
    assert_eq!((ran.status, &*ran.err), (0, ""));
    assert_eq!(ran.out.matches("there is no step 777").count(), 3);
}

#[test]
fn what_a_run_shows_is_said_and_is_the_exit_status() {
    // An invariant: both pass the test before one has set the lock.
    let lock = Folder::with("m.stb", BROKEN_LOCK);
    let ran = lock.run_typed("simulate m.stb", "1\n2\n1\n2\n");
    assert!(ran.out.contains("! mutex is false\n"), "{}", ran.out);
    assert_eq!(ran.status, 1);
    // What is taken back does not count.
    assert_eq!(
        lock.run_typed("simulate m.stb", "1\n2\n1\n2\nu\n").status,
        0
    );
    let forks = Folder::with("m.stb", FORKS);
    let ran = forks.run_typed("simulate m.stb", "1\n2\n");
    let stuck = "deadlock: no step can be taken; eater(0) at one waits for `fork[1]`; eater(1) at one waits for";
    assert!(ran.out.contains(stuck), "{}", ran.out);
    assert_eq!(ran.status, 1);
    let fails = "var x: 0..1\nprocess p { x = 1 x = x + 1 }\n";
    let ran = Folder::with("m.stb", fails).run_typed("simulate m.stb", "1\n1\n1\n");
    assert!(
        ran.out
            .contains("the step has failed: the value 2 is outside 0..1"),
        "{}",
        ran.out
    );
    assert_eq!(ran.status, 1);
    let expected = format!("{fails}expect violated: errors\n");
    let ran = Folder::with("m.stb", &expected).run_typed("simulate m.stb", "1\n1\n1\n");
    assert_eq!(ran.status, 0);
    let ends = Folder::with("m.stb", "process p { skip }\n").run("simulate m.stb --random");
    assert!(
        ends.out
            .ends_with("no step can be taken, and that is right here\n"),
        "{}",
        ends.out
    );
    assert_eq!(ends.status, 0);
}

#[test]
fn equal_seeds_give_equal_runs() {
    let folder = Folder::with("m.stb", LOCK);
    let at_random = |seed: u32| {
        let ran = folder.run(&format!(
            "simulate m.stb -D N=4 --random --steps 30 --seed {seed}"
        ));
        assert_eq!((ran.status, &*ran.err), (0, ""));
        ran.out
    };
    assert_eq!(at_random(5), at_random(5));
    let runs: Vec<String> = (0..5)
        .map(|seed| at_random(seed).replace(&format!("seed {seed}"), ""))
        .collect();
    assert!(runs.iter().any(|run| *run != runs[0]));
}

#[test]
fn what_cannot_be_simulated_is_refused() {
    let folder = Folder::with("m.stb", "var x: 0..1\nprocess p { x = y }\n").and("no.json", "{}");
    for (arguments, told) in [
        ("simulate none.stb", "there is no file `none.stb`"),
        ("simulate m.stb", "`y` is not known here"),
        ("simulate m.stb --seed", "a value is required"),
        ("simulate m.stb --steps 3", "--random"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 3, "{arguments}");
        assert!(ran.err.contains(told), "{arguments}: {}", ran.err);
    }
    let folder = Folder::with("m.stb", LOCK)
        .and("no.json", "{}")
        .and("text.json", "x");
    for (arguments, told) in [
        ("simulate m.stb -D M=3", "M"),
        (
            "simulate m.stb --replay none.json",
            "there is no file `none.json`",
        ),
        ("simulate m.stb --replay no.json", "it has no trace"),
        ("simulate m.stb --replay text.json", "it is not JSON"),
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 3, "{arguments}");
        assert!(ran.err.contains(told), "{arguments}: {}", ran.err);
    }
}

/// A folder with what the check of its model has found.
fn found(model: &str, property: &str) -> (Folder, Value) {
    let folder = Folder::with("m.stb", model);
    let (_, object) = folder.json("check m.stb");
    let written = serde_json::to_string(&object).expect("JSON");
    let trace = super::folder::property(&object, property)["trace"].clone();
    assert!(trace.is_object(), "{property} has a trace");
    (folder.and("found.json", &written), trace)
}

#[test]
fn a_saved_trace_is_taken_again_whole_or_by_itself() {
    let (folder, trace) = found(BROKEN_LOCK, "mutex");
    let ran = folder.run("simulate m.stb --replay found.json --property mutex");
    assert_eq!((ran.status, &*ran.err), (0, ""));
    assert!(ran.out.contains("! mutex is false\n"), "{}", ran.out);
    let count = trace["steps"].as_array().expect("steps").len();
    let told = format!("the trace of mutex is a run of this model, {count} steps\n");
    assert!(ran.out.ends_with(&told), "{}", ran.out);
    // The first that there is, and a trace without its document.
    assert_eq!(folder.run("simulate m.stb --replay found.json").status, 0);
    let folder = folder.and("one.json", &trace.to_string());
    assert_eq!(folder.run("simulate m.stb --replay one.json").status, 0);
    let ran = folder.run("simulate m.stb --replay found.json --property other");
    assert!(
        ran.err.contains("it has no property `other`"),
        "{}",
        ran.err
    );
    assert_eq!(ran.status, 3);
}

#[test]
fn a_trace_of_another_model_is_told_with_the_step_where_it_departs() {
    let (folder, trace) = found(BROKEN_LOCK, "mutex");
    let mended = folder.and(
        "m.stb",
        &BROKEN_LOCK.replace("-> entering\n", "-> stopped\n"),
    );
    let ran = mended.run("simulate m.stb --replay found.json --property mutex");
    assert_eq!((ran.status, &*ran.out), (3, ""));
    assert!(
        ran.err.contains(
            "the trace departs from the model at its step 1: customer(0) can take a step there, \
             but customer(0) is at stopped then, and in the trace at entering"
        ),
        "{}",
        ran.err
    );
    type Change<'a> = (&'a dyn Fn(&mut Value), &'a str);
    let changes: &[Change] = &[
        (
            &|trace| trace["start"]["free"] = json!(false),
            "does not begin where the model does: `free` is true in the model, and false",
        ),
        (
            &|trace| trace["start"]["more"] = json!(1),
            "the model has no `more`",
        ),
        (
            &|trace| trace["steps"][2]["by"] = json!(["customer(7)"]),
            "at its step 3: customer(7) can take no step there",
        ),
        (
            &|trace| trace["steps"][2]["changes"] = json!({}),
            "at its step 3: customer(",
        ),
        (
            &|trace| trace["steps"][1]["action"] = json!("go"),
            "at its step 2: customer(1) can take a step there, but without an action",
        ),
        (
            &|trace| trace["steps"][0] = json!(7),
            "at its step 1: it does not say who takes it",
        ),
        (
            &|trace| trace["cycle"] = json!([trace["steps"][0]]),
            "departs from the model at its step",
        ),
        (&|trace| trace["cycle"] = json!([{"by": []}]), ""),
    ];
    for (change, told) in changes {
        let mut other = trace.clone();
        change(&mut other);
        let folder = Folder::with("m.stb", BROKEN_LOCK).and("t.json", &other.to_string());
        let ran = folder.run("simulate m.stb --replay t.json");
        match told.is_empty() {
            true => assert_eq!(ran.status, 0, "{}", ran.err),
            false => {
                assert_eq!(ran.status, 3, "{told}");
                assert!(ran.err.contains(told), "{told}: {}", ran.err);
            }
        }
    }
}

/// Every trace that a check of the examples writes is one of the model.
#[test]
fn the_traces_of_the_examples_are_runs_of_their_models() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut replayed = 0;
    for name in [
        "peterson_mutex_violating.stb",
        "fischer.tester",
        "lost_wakeup.stb",
        "token_ring_broken.tester",
        "philosophers.stb",
        "vending.tester",
        "lease.stb",
    ] {
        let mut folder = Folder::new();
        for file in fs::read_dir(&examples).expect("the examples").flatten() {
            let text = fs::read_to_string(file.path()).expect("a text");
            folder = folder.and(&file.file_name().to_string_lossy(), &text);
        }
        let (_, object) = folder.json(&format!("check {name}"));
        let folder = folder.and("found.json", &object.to_string());
        for one in object["properties"].as_array().expect("properties") {
            if !one["trace"].is_object() {
                continue;
            }
            let property = one["name"].as_str().expect("a name");
            let arguments = [
                "simulate",
                name,
                "--replay",
                "found.json",
                "--property",
                property,
            ];
            let ran = folder.run_with(&arguments);
            assert_eq!((ran.status, &*ran.err), (0, ""), "{name}: {property}");
            let has_cycle = one["trace"]["cycle"]
                .as_array()
                .is_some_and(|cycle| !cycle.is_empty());
            assert_eq!(ran.out.contains("the cycle closes"), has_cycle);
            replayed += 1;
        }
        let _ = property(&object, "errors");
    }
    assert!(replayed >= 6, "{replayed} traces");
}

#[test]
fn what_has_an_index_or_values_is_asked_for_with_them() {
    let text =
        "channel link[0..1]: queue[1] of bool\nprocess p(i in 0..1) { send link[i](true) }\n";
    let ran = Folder::with("m.stb", text).run_typed("simulate m.stb", "p link\np p\np link[0]\n");
    for told in [
        "`link` has an index: `link[0]`\n",
        "`p` has values: `p(0)`\n",
        "link[0] = []\n",
    ] {
        assert!(ran.out.contains(told), "{}", ran.out);
    }
}

#[test]
fn a_run_that_was_made_with_other_settings_says_so_where_it_departs() {
    let text = "\
param N: 1..3 = 1
param M: 0..1 = 0
var x: 0..3
process p { x = N; x = 0 }
invariant low: x < M + 1
";
    let folder = Folder::with("m.stb", text);
    let (_, object) = folder.json("check m.stb -D N=3");
    assert_eq!(object["parameters"]["N"], 3);
    let folder = folder.and("run.json", &object.to_string());
    let replay =
        |arguments: &str| folder.run(&format!("simulate m.stb --replay run.json {arguments}"));
    assert_eq!(replay("-D N=3").status, 0);
    let other = replay("");
    assert_eq!(other.status, 3);
    assert!(
        other.err.contains("it was made with N=3, here it is 1"),
        "{}",
        other.err
    );
}
