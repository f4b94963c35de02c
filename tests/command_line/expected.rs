//! What is to be reached, and what is expected to fail.

use std::path::Path;

use expect_test::expect;
use quick_junit::Report;

use super::folder::{Folder, property};

const RACE: &str = "\
var x: 0..2

process p(i in 0..1) {
    initial state a { do x = x + 1 -> b }
    final state b
}

reachable both: p(0)@b and p(1)@b
reachable nobody: x == 0 and p(0)@b
invariant low: x < 2
invariant below(k in 2..3): x < k
";

fn with(line: &str) -> Folder {
    Folder::with("race.stb", &format!("{RACE}{line}\n"))
}

#[test]
fn what_can_be_reached_holds_with_a_run_to_it() {
    let (status, object) = with("").json("check race.stb --property both --property nobody");
    assert_eq!(status, 1);
    let both = property(&object, "both");
    assert_eq!(
        (&both["kind"], &both["verdict"]),
        (&"reachable".into(), &"holds".into())
    );
    assert_eq!(both["why"], "it is true after 2 steps");
    assert_eq!(both["trace"]["steps"].as_array().map(Vec::len), Some(2));
    let nobody = property(&object, "nobody");
    assert_eq!(nobody["verdict"], "violated");
    assert_eq!(nobody["why"], "it is true in no reachable state");
    assert!(nobody["trace"].is_null());
}

#[test]
fn a_property_that_is_violated_as_expected_is_right_for_the_exit_status() {
    let folder = with("expect violated: nobody, low, below(2)");
    let (status, object) = folder.json("check race.stb");
    assert_eq!(status, 0);
    assert_eq!(property(&object, "low")["verdict"], "violated");
    assert_eq!(property(&object, "low")["expected"], "violated");
    assert_eq!(property(&object, "below(3)")["expected"], "holds");
    // One more, which holds.
    let folder = with("expect violated: nobody, low, below, both");
    let (status, object) = folder.json("check race.stb");
    assert_eq!(status, 1);
    assert_eq!(property(&object, "both")["verdict"], "holds");
    // Without limits nothing is undecided; with one it is, whatever is expected.
    let limited = folder.run("check race.stb --property below(3) --max-states 2");
    assert_eq!(limited.status, 2);
}

#[test]
fn a_person_reads_what_is_as_expected_and_what_is_not() {
    let folder = with("expect violated: low, both, below(2)");
    let ran = folder.run("check race.stb --property low --property both --property nobody");
    expect![[r#"
        reached[reachable]: both: it is true after 2 steps
         --> race.stb:8:11
          |
        8 | reachable both: p(0)@b and p(1)@b
          |           ^^^^

          step  who   from → to  statement     what changed
             1  p(0)  a → b      do x = x + 1  x = 1
             2  p(1)  a → b      do x = x + 1  x = 2

        violated[reachable]: nobody: it is true in no reachable state
         --> race.stb:9:11
          |
        9 | reachable nobody: x == 0 and p(0)@b
          |           ^^^^^^

        violated, as expected[invariant]: low: `low` is false after 2 steps: x = 2
          --> race.stb:10:11
           |
        10 | invariant low: x < 2
           |           ^^^

          step  who   from → to  statement     what changed
             1  p(0)  a → b      do x = x + 1  x = 1
             2  p(1)  a → b      do x = x + 1  x = 2

        race.stb
          both    holds, though it is expected to be violated      it is true after 2 steps
          nobody  violated
          low     violated, as expected

        3 properties: 1 is violated, as expected, 1 holds against expectation, 1 is violated; 4 states, 4 edges, _ s
        --- exit status 1
    "#]].assert_eq(&ran.shown());
}

#[test]
fn scanners_and_build_servers_are_told_what_is_not_as_expected_alone() {
    let folder = with("expect violated: nobody, low, both, below(2)");
    let ran = folder.run("check race.stb --format sarif");
    let log: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    let [result] = &results[..] else {
        panic!("one result, not {results:#?}")
    };
    assert_eq!(
        result["message"]["text"],
        "`both` holds, though it is expected to be violated: it is true after 2 steps"
    );
    let ran = folder.run("check race.stb --format junit");
    let report = Report::deserialize_from_str(&ran.out).expect("a JUnit document");
    assert_eq!((report.failures, report.errors), (1, 0));
}

#[test]
fn a_tester_file_may_expect_what_its_model_does_not() {
    let folder = with("").and(
        "race.tester",
        "use \"race.stb\"\nreachable here: x == 1\nexpect violated: low, below(2), nobody\n",
    );
    assert_eq!(folder.run("check race.stb").status, 1);
    assert_eq!(folder.run("check race.tester").status, 0);
    assert_eq!(folder.run("check race.tester race.stb").status, 0);
}

#[test]
fn names_that_no_property_has_are_told_once_each() {
    let (status, object) =
        with("expect violated: lo, below(4), below(2, 3), errors(1), mutex").json("check race.stb");
    assert_eq!(status, 3);
    let problems = object["problems"].as_array().expect("problems");
    let messages: Vec<&str> = problems
        .iter()
        .filter_map(|one| one["message"].as_str())
        .collect();
    expect![[r#"
        there is no property `lo`; did you mean `low`?
        4 is outside 2..3, the type of `k` of `below`; a value up to 3, or a type that goes up to 4, would mend it
        `below` has 1 value, and 2 stand here
        `errors` stands for itself here; leave its values out
        there is no property `mutex`; a property of this file, or of one that it uses, can stand here"#]].assert_eq(&messages.join("\n"));
    // What is wrong with it is wrong with nothing else.
    assert_eq!(property(&object, "low")["verdict"], "violated");
}

#[test]
fn a_check_may_end_at_the_first_property_that_is_not_as_expected() {
    // Some millions of states behind the first violation.
    let text = "var x: array[0..7] of 0..7\n\
                process p(i in 0..7) { loop { either { await x[i] < 7 do x[i] = x[i] + 1 } or { x[i] = 0 } } }\n\
                invariant small: x[0] < 3\ninvariant low: x[1] < 2\n\
                invariant sum: sum(i in 0..7: x[i]) < 57\n";
    let folder = Folder::with("many.stb", text);
    let (status, object) = folder.json("check many.stb --stop-at-first --reduction none");
    assert_eq!(status, 1);
    assert_eq!(property(&object, "low")["verdict"], "violated");
    let sum = property(&object, "sum");
    assert_eq!(sum["verdict"], "undecided");
    let why = sum["why"].as_str().expect("a sentence");
    assert!(
        why.starts_with("`--stop-at-first` has ended the check"),
        "{why}"
    );
    // What is there to fail ends nothing.
    let folder = Folder::with(
        "race.stb",
        &format!("{RACE}expect violated: low, below(2)\n"),
    );
    let (_, object) = folder.json("check race.stb --stop-at-first --property low --property both");
    assert_eq!(property(&object, "both")["verdict"], "holds");
}

#[test]
fn a_file_expects_nothing_of_those_that_use_it() {
    let model = "process p { skip }\nreachable a: p@end\nexpect violated: b\n";
    let user = "use \"used.stb\"\ninvariant b: not p@end\n";
    let folder = Folder::with("used.stb", model)
        .and("user.stb", user)
        .and("watch.tester", "use \"used.stb\"\ninvariant b: not p@end\n");
    for file in ["used.stb", "user.stb", "watch.tester"] {
        let (status, object) = folder.json(&format!("check {file}"));
        assert_eq!(status, 3, "{file}: {object:#}");
        if file != "used.stb" {
            assert_eq!(property(&object, "b")["expected"], "holds");
        }
    }
}

#[test]
fn what_is_not_checked_at_all_cannot_be_expected_to_fail() {
    let text = "var v: 0..1\nprocess p { loop { v = 1 - v } }\nexpect violated: termination\n";
    let (status, object) = Folder::with("on.stb", text).json("check on.stb");
    assert_eq!(status, 3);
    let problems = object["problems"].as_array().expect("problems");
    let error = problems.iter().find(|one| one["severity"] == "error");
    let message = error.expect("an error")["message"].as_str();
    let message = message.expect("a message");
    let says = "`termination` is not checked here: no process";
    assert!(message.starts_with(says), "{message}");
}

#[test]
fn a_comma_too_much_is_one_mistake() {
    let folder = with("expect violated: low ,\nexpect violated: nobody");
    let (status, object) = folder.json("check race.stb");
    assert_eq!(status, 3);
    let problems = object["problems"].as_array().expect("problems");
    let messages: Vec<&str> = problems
        .iter()
        .filter_map(|one| one["message"].as_str())
        .collect();
    assert_eq!(
        messages,
        ["expected another property after `,`; or leave the `,` out"]
    );
    assert_eq!(property(&object, "nobody")["expected"], "violated");
}

#[test]
fn each_design_does_what_it_is_expected_to_with_its_bug_and_without_it() {
    let designs = [
        ("cache_coherence", ["WAITS=0", "WAITS=1"]),
        ("lease", ["FENCED=0", "FENCED=2"]),
        ("lock_free_stack", ["TAGS=1", "TAGS=4"]),
        ("lost_wakeup", ["CONDITIONS=1", "CONDITIONS=2"]),
        ("replicated_log", ["OWN_TERM=0", "OWN_TERM=1"]),
        ("sliding_window", ["WINDOW=3", "WINDOW=2"]),
        ("two_phase_commit", ["FORCED=0", "FORCED=1"]),
        ("work_stealing", ["FENCE=0", "FENCE=1"]),
    ];
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for (design, [with_bug, without]) in designs {
        let name = format!("{design}.stb");
        let text = std::fs::read_to_string(examples.join(&name)).expect("an example");
        let folder = Folder::with(&name, &text);
        for (setting, is_violated) in [(with_bug, true), (without, false)] {
            let (status, object) = folder.json(&format!("check {name} -D {setting}"));
            assert_eq!(status, 0, "{design} {setting}");
            let properties = object["properties"].as_array().expect("a list");
            let any = properties.iter().any(|one| one["verdict"] == "violated");
            assert_eq!(any, is_violated, "{design} {setting}");
        }
    }
}
