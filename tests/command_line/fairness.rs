//! What is assumed of runs.

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
