//! `-D`: parameters of every kind, and several values of one.

use serde_json::{Value, json};

use super::folder::Folder;

/// A store that may lose or repeat what it is given.
const STORE: &str = "
enum Bug { none, lost, twice }
param BUG: Bug = none
param EAGER: bool = false
param N: 1..4 = 2
var stored: 0..8
process user(i in 1..N) {
    stored = stored + (if BUG == lost then 0 else if BUG == twice then 2 else 1)
    done: skip
}
invariant kept: (forall i in 1..N: user(i)@end) implies stored == N
reachable early: EAGER and stored == 0
";

fn listed(object: &Value) -> Vec<(Value, Value, Value)> {
    let properties = object["properties"].as_array().expect("properties");
    let told = properties.iter().map(|one| {
        let field = |name: &str| one[name].clone();
        (field("name"), field("verdict"), field("parameters"))
    });
    told.collect()
}

#[test]
fn a_truth_value_and_a_value_of_an_enumeration_are_set() {
    let folder = Folder::with("store.stb", STORE);
    let kept = |options: &str| {
        let (_, object) = folder.json(&format!("check store.stb --property kept {options}"));
        listed(&object).remove(0).1
    };
    assert_eq!(kept(""), "holds");
    assert_eq!(kept("-D BUG=lost"), "violated");
    let (status, object) = folder.json("check store.stb --property early -D EAGER=true");
    assert_eq!(status, 0, "{object:#}");
    assert_eq!(
        object["parameters"],
        json!({"BUG": "none", "EAGER": "true", "N": 2})
    );
    let (status, object) = folder.json("check store.stb -D BUG=stolen");
    assert_eq!(status, 3);
    let told = "`-D BUG=stolen`: `stolen` is no value of the parameter `BUG`; write one of none, lost, twice";
    assert_eq!(object["problems"][0]["message"], told);
}

#[test]
fn each_property_is_listed_once_for_each_value() {
    let folder = Folder::with("store.stb", STORE);
    let command = "check store.stb --property kept -D BUG=none,twice -D N=1..2";
    let (status, object) = folder.json(command);
    assert_eq!(status, 1, "{object:#}");
    let of = |bug: &str, number: &str| json!({"BUG": bug, "N": number.parse::<i64>().unwrap()});
    let kept = |verdict: &str, parameters| (json!("kept"), json!(verdict), parameters);
    assert_eq!(
        listed(&object),
        [
            kept("holds", of("none", "1")),
            kept("holds", of("none", "2")),
            kept("violated", of("twice", "1")),
            kept("violated", of("twice", "2")),
        ]
    );
    assert_eq!(object["parameters"], json!({"EAGER": "false"}));
    let told = folder.run(command).out;
    assert!(
        told.contains("violated[invariant]: kept [BUG=twice, N=1]: "),
        "{told}"
    );
    assert!(told.contains("\n  kept [BUG=none, N=2]   holds"), "{told}");
    let first = folder.run(&format!("{command} --stop-at-first")).out;
    assert!(!first.contains("N=2]  violated"), "{first}");
}

#[test]
fn values_that_cannot_be_combined_are_refused() {
    let folder = Folder::with("store.stb", STORE);
    for (command, told) in [
        (
            "check store.stb -D N=1..4 -D BUG=none,lost --coverage",
            "`--coverage` takes one value of each parameter; write `-D NAME=VALUE`",
        ),
        (
            "check store.stb -D N=1..2000",
            "`-D N=…`: the values make more than 1000 combinations; write fewer",
        ),
        (
            "explore store.stb -D N=1..2",
            "`explore` takes one value of each parameter; write `-D NAME=VALUE`",
        ),
        (
            "check store.stb -D N=3..5",
            "`-D N=5`: 5 is outside 1..4, the range of the parameter `N`",
        ),
    ] {
        let (status, object) = folder.json(command);
        assert_eq!(status, 3, "{object}");
        assert_eq!(object["problems"][0]["message"], told);
    }
    assert_eq!(folder.run("check store.stb -D N=1,").status, 3);
}
