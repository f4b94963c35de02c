//! `--depth`: all runs of up to so many steps, and what is said of the longer ones.

use serde_json::Value;

use super::folder::{Folder, LOCK, property};

/// Counts to 9 and blocks one step later.
const COUNTER: &str = "
action tick
var x: 0..9
process counter {
    initial state counting {
        on tick when x < 9 do x = x + 1 -> counting
        when x == 9 -> off
    }
    state off { when x == 0 -> counting }
}
invariant low: x < 6
reachable high: x == 9
progress comes: may x == 0
ltl short: always x < 4
ltl ends: eventually x == 8 and not (x == 8)
";

const TESTERS: &str = "
use \"counter.stb\"
tester four {
    initial state none { on tick -> one }
    state one { on tick -> two }
    state two { on tick -> three }
    state three { on tick -> bad }
    reject state bad
}
specification three {
    initial state none { on tick -> one }
    state one { on tick -> two }
    state two { on tick -> last }
    state last
}
refines three in traces
";

fn told<'o>(object: &'o Value, name: &str) -> (&'o str, &'o str) {
    let property = property(object, name);
    let field = |field: &str| property[field].as_str().unwrap_or("");
    (field("verdict"), field("why"))
}

fn steps(object: &Value, name: &str) -> usize {
    property(object, name)["trace"]["steps"]
        .as_array()
        .map_or(0, Vec::len)
}

#[test]
fn runs_of_up_to_the_depth_are_checked_for_every_kind_of_property() {
    let folder = Folder::with("counter.stb", COUNTER).and("counter.tester", TESTERS);
    let (status, object) = folder.json("check counter.stb counter.tester --depth 5");
    assert_eq!(status, 1, "{object:#}");
    for name in ["short", "four", "refines three in traces"] {
        assert_eq!(told(&object, name).0, "violated", "{name}: {object:#}");
        assert_eq!(steps(&object, name), 4, "{name}");
    }
    let clear = "no violation in any run of up to 5 steps";
    for name in ["errors", "low", "ends"] {
        assert_eq!(told(&object, name), ("undecided", clear), "{name}");
        assert_eq!(property(&object, name)["depth"], 5, "{name}");
    }
    let not_reached = "it is reached by no run of up to 5 steps";
    assert_eq!(told(&object, "high"), ("undecided", not_reached));
    let of_all_states = "the depth limit of 5 steps was reached";
    assert_eq!(told(&object, "comes"), ("undecided", of_all_states));
    assert_eq!(property(&object, "comes")["depth"], Value::Null);
}

#[test]
fn a_violation_at_the_depth_is_found_and_enough_depth_decides() {
    let folder = Folder::with("counter.stb", COUNTER).and("counter.tester", TESTERS);
    let (_, object) = folder.json("check counter.stb --depth 6");
    assert_eq!(told(&object, "low").0, "violated");
    assert_eq!(steps(&object, "low"), 6);
    let verdicts = |options: &str| {
        let (status, object) = folder.json(&format!("check counter.tester {options}"));
        let properties = object["properties"].as_array().cloned();
        let verdicts = properties.unwrap_or_default().into_iter();
        let verdicts = verdicts.map(|one| (one["name"].clone(), one["verdict"].clone()));
        (status, verdicts.collect::<Vec<_>>())
    };
    assert_eq!(verdicts("--depth 40"), verdicts(""));
}

#[test]
fn a_reduced_search_to_a_depth_claims_nothing_of_all_runs() {
    let folder = Folder::with("lock.stb", LOCK);
    let command = "check lock.stb -D N=4 --property mutex --depth 3";
    let (status, object) = folder.json(command);
    let clear = "no violation in any run of up to 3 steps";
    assert_eq!((status, told(&object, "mutex").1), (2, clear));
    let (status, object) = folder.json(&format!("{command} --symmetry always"));
    assert_eq!((status, told(&object, "mutex").1), (2, clear));
    let (_, object) = folder.json(&format!("{command} --reduction stubborn --symmetry always"));
    assert_eq!(
        told(&object, "mutex").1,
        "the depth limit of 3 steps was reached"
    );
}

#[test]
fn an_exploration_to_a_depth_is_incomplete() {
    let folder = Folder::with("counter.stb", COUNTER);
    let (status, object) = folder.json("explore counter.stb --depth 4");
    assert_eq!(status, 2, "{object}");
    assert_eq!(object["states"], 5);
    assert_eq!(object["complete"], false);
    let (status, object) = folder.json("explore counter.stb --depth 40");
    assert_eq!((status, &object["states"]), (0, &Value::from(11)));
}

#[test]
fn a_property_of_fair_runs_is_not_decided_up_to_a_depth() {
    let folder = Folder::with(
        "turn.stb",
        "var x: 0..3\nfair process p { loop { x = (x + 1) % 4 } }\ntermination not required\n\
         progress returns: must x == 3\n",
    );
    let (status, object) = folder.json("check turn.stb --depth 9");
    assert_eq!(status, 2, "{object}");
    let why = "a property of fair runs is not decided up to a depth; leave `--depth` out";
    assert_eq!(told(&object, "returns"), ("undecided", why));
}

#[test]
fn options_that_reorder_or_miss_states_are_refused() {
    let folder = Folder::with("lock.stb", LOCK);
    for option in [
        "--search dfs",
        "--storage bitstate",
        "--storage disk",
        "--reduction sensitive",
        "--liveness nested",
    ] {
        let (status, object) = folder.json(&format!("check lock.stb --depth 3 {option}"));
        assert_eq!(status, 3, "{object}");
        let wrong = format!(
            "`--depth` searches all states up to a depth, breadth first; leave `{option}` out"
        );
        assert_eq!(object["problems"][0]["message"], wrong);
    }
}
