//! What is assumed of runs.

use expect_test::expect;
use serde_json::json;

use super::folder::{Folder, property};

const MODEL: &str = "\
var x: 0..1

fair process p(i in 0..1) {
    loop { await x == i do x = 1 - i }
}

action rest
process q { loop { on rest } }

strongly fair lucky: rest
ltl again: always eventually x == 0
invariant low: x < 2
progress can: may x == 1
";

#[test]
fn each_property_says_what_it_assumes() {
    let folder = Folder::with("turns.stb", MODEL).and(
        "turns.tester",
        "use \"turns.stb\"\nfair mine(i in 0..1): p(i)\nrecurrence r: infinitely rest implies infinitely rest\n",
    );
    let (_, object) = folder.json("check turns.stb turns.tester");
    let fairness = |name: &str| property(&object, name)["fairness"].clone();
    let of_model = json!(["fair p(0)", "fair p(1)", "strongly fair lucky"]);
    assert_eq!(fairness("again"), of_model);
    for name in ["errors", "low", "can"] {
        assert_eq!(fairness(name), json!([]));
    }
    assert_eq!(
        fairness("r"),
        json!([
            "fair p(0)",
            "fair p(1)",
            "strongly fair lucky",
            "fair mine(0)",
            "fair mine(1)"
        ])
    );
}

#[test]
fn what_depends_on_a_mistaken_assumption_is_not_listed() {
    let folder = Folder::with("turns.stb", &MODEL.replace("lucky: rest", "lucky: best"));
    let (status, object) = folder.json("check turns.stb");
    assert_eq!(status, 3);
    let listed = object["properties"].as_array().expect("a list").iter();
    let listed: Vec<_> = listed
        .map(|one| one["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(listed, ["errors", "deadlock", "low", "can"]);
}

#[test]
fn of_a_long_cycle_with_many_assumptions_it_is_said_that_it_meets_them() {
    let model = "\
type I = 0..519
action a(I)
var t: I
process p { loop { on a(?t) } }
strongly fair f(i in I): a(i)
progress v: must false
";
    let (_, object) = Folder::with("many.stb", model).json("check many.stb --property v");
    let why = property(&object, "v")["why"].to_string();
    assert!(
        why.contains("it is fair: it meets 520 assumptions"),
        "{why}"
    );
}

#[test]
fn where_weak_fairness_is_not_enough_strong_fairness_is_named() {
    let text = "\
type Id = 0..1
var taken: bool
fair process user(i in Id) {
    loop {
        either { stop } or { skip }
        want: await not taken do taken = true
        cs: taken = false
    }
}
ltl gets_in: always (user(0)@want implies eventually user(0)@cs)
";
    let (_, object) = Folder::with("m.stb", text).json("check m.stb --property gets_in");
    expect!["after 1 step a cycle of 3 steps can be gone round for ever, and this run does not satisfy the formula; it is fair: no step of `fair user(0)` is possible just after step 3, and step 2 is one of `fair user(1)`; a step of `fair user(0)` is possible again and again: `strongly fair` would exclude this run; user(0) never moves on it, which no assumption excludes"].assert_eq(
        property(&object, "gets_in")["why"]
            .as_str()
            .expect("a sentence"),
    );
}
