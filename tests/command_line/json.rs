//! The object that scripts read, field by field.

use serde_json::json;

use super::folder::{BROKEN_LOCK, FORKS, Folder, LOCK, names, property};

fn range(line: u32, column: u32, end: u32) -> serde_json::Value {
    json!({"start": {"line": line, "column": column}, "end": {"line": line, "column": end}})
}

#[test]
fn a_property_that_holds_has_figures_and_no_trace() {
    let folder = Folder::with("lock.stb", LOCK);
    let (_, object) = folder.json("check lock.stb");
    assert_eq!(object["files"], json!(["lock.stb"]));
    assert_eq!(object["problems"], json!([]));
    let mut mutex = property(&object, "mutex").clone();
    assert!(
        mutex["seconds"]
            .as_f64()
            .is_some_and(|seconds| seconds >= 0.0)
    );
    mutex["seconds"] = json!(0.0);
    assert_eq!(
        mutex,
        json!({
            "name": "mutex",
            "kind": "invariant",
            "file": "lock.stb",
            "range": range(13, 11, 16),
            "verdict": "holds",
            "why": null,
            "states": 8,
            "edges": 14,
            "full": true,
            "reduction": "none",
            "symmetry": null,
            "search": "bfs",
            "seconds": 0.0,
            "expected": "holds",
            "fairness": [],
            "within": [],
            "vacuous": [],
            "trace": null,
        })
    );
}

#[test]
fn a_violation_has_a_trace_with_names_and_places() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (_, object) = folder.json("check lock.stb");
    let mutex = property(&object, "mutex");
    assert_eq!(mutex["verdict"], "violated");
    assert_eq!(
        mutex["why"],
        "2 customers are in critical at once, after 4 steps"
    );
    assert_eq!(
        mutex["trace"],
        json!({
            "start": {
                "free": true, "entered": 0, "customer(0)": "idle", "customer(1)": "idle",
            },
            "steps": [
                {
                    "by": ["customer(0)"], "action": null, "file": "lock.stb",
                    "range": range(6, 9, 59),
                    "changes": {}, "at": {"customer(0)": "entering"},
                    "text": "when free -> entering", "outcome": null,
                },
                {
                    "by": ["customer(1)"], "action": null, "file": "lock.stb",
                    "range": range(6, 9, 59),
                    "changes": {}, "at": {"customer(1)": "entering"},
                    "text": "when free -> entering", "outcome": null,
                },
                {
                    "by": ["customer(0)"], "action": null, "file": "lock.stb",
                    "range": range(9, 22, 59),
                    "changes": {"free": false}, "at": {"customer(0)": "critical"},
                    "text": "do free = false -> critical", "outcome": null,
                },
                {
                    "by": ["customer(1)"], "action": null, "file": "lock.stb",
                    "range": range(9, 22, 59),
                    "changes": {}, "at": {"customer(1)": "critical"},
                    "text": "do free = false -> critical", "outcome": null,
                },
            ],
            "cycle": [],
        })
    );
}

#[test]
fn the_keys_stand_in_the_order_of_the_contract() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (_, object) = folder.json("check lock.stb");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    assert_eq!(keys(&object), ["files", "problems", "properties"]);
    assert_eq!(
        keys(property(&object, "mutex")),
        [
            "name",
            "kind",
            "file",
            "range",
            "verdict",
            "why",
            "states",
            "edges",
            "full",
            "reduction",
            "symmetry",
            "search",
            "seconds",
            "expected",
            "fairness",
            "within",
            "vacuous",
            "trace",
        ]
    );
}

#[test]
fn values_are_written_as_in_the_language() {
    let text = "\
enum Side { north, south }
type Bridge = record { cars: array[Side] of 0..3, open: bool }
var bridge: Bridge
var lamp: array[Side] of Side = [x in Side: x]
channel c[0..1]: queue[2] of 0..3, Side
channel one: bag[2] of bool
action go(0..3, Side)
process p(i in 0..1) {
    var j: 0..3
    var at: Side
    send c[i](j, south)
    receive c[i](?j, ?at)
    bridge.cars[at] = bridge.cars[at] + 1
    send one(true)
    on go(2, at) do bridge = {cars: [x in Side: 3], open: true}, lamp[north] = south
}
process q { on go(?k, *) }
";
    // `q` has no variable `k`: a mistake of its own.
    let (status, _) = Folder::with("values.stb", text).json("check values.stb");
    assert_eq!(status, 3);

    let text = text.replace(
        "process q { on go(?k, *) }",
        "process q {\n    var k: 0..3\n    on go(?k, *)\n}",
    );
    let text = text.replace("process p(i in 0..1)", "process p(i in 0..0)");
    let text = format!("{text}progress done: must false\n");
    let folder = Folder::with("values.stb", &text);
    let (status, object) = folder.json("check values.stb");
    assert_eq!(status, 1, "{object}");
    let trace = &property(&object, "done")["trace"];
    assert_eq!(
        trace["start"],
        json!({
            "bridge.cars[north]": 0, "bridge.cars[south]": 0, "bridge.open": false,
            "lamp[north]": "north", "lamp[south]": "south",
            "c[0]": [], "c[1]": [], "one": [],
            "p(0).j": 0, "p(0).at": "north", "q.k": 0,
            "p(0)": "line 11", "q": "line 19",
        })
    );
    let changes: Vec<_> = trace["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .map(|step| &step["changes"])
        .collect();
    assert_eq!(*changes[0], json!({"c[0]": [[0, "south"]]}));
    assert_eq!(*changes[1], json!({"c[0]": [], "p(0).at": "south"}));
    assert_eq!(*changes[2], json!({"bridge.cars[south]": 1}));
    assert_eq!(*changes[3], json!({"one": [[true]]}));
    let joint = &trace["steps"][4];
    assert_eq!(joint["by"], json!(["p(0)", "q"]));
    assert_eq!(joint["action"], "go(2,south)");
    assert_eq!(joint["at"], json!({"p(0)": "end", "q": "end"}));
    assert_eq!(
        joint["changes"],
        json!({
            "bridge.cars[north]": 3, "bridge.cars[south]": 3, "bridge.open": true,
            "lamp[north]": "south", "q.k": 2,
        })
    );
}

#[test]
fn a_trace_of_errors_ends_with_the_step_that_fails() {
    let text = "\
var x: 0..2
process counter { loop { x = x + 1 } }
";
    let (status, object) = Folder::with("counter.stb", text).json("check counter.stb");
    assert_eq!(status, 1);
    let errors = property(&object, "errors");
    assert_eq!(errors["range"], range(2, 9, 16), "the first process's name");
    assert_eq!(
        errors["why"],
        "`x = x + 1` of counter fails after 2 steps: the value 3 is outside 0..2, the type of `x`"
    );
    let steps = errors["trace"]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 3);
    assert_eq!(steps[2]["changes"], json!({}));
    assert_eq!(steps[2]["at"], json!({"counter": "line 2"}));
}

#[test]
fn a_deadlock_says_who_waits_for_what() {
    let (status, object) = Folder::with("forks.stb", FORKS).json("check forks.stb");
    assert_eq!(status, 1);
    assert_eq!(
        property(&object, "deadlock")["why"],
        "eater(0) and eater(1) wait for each other, after 2 steps: eater(0) at one waits for \
         `fork[1]`; eater(1) at one waits for `fork[0]`"
    );
}

#[test]
fn a_cycle_is_told_apart_from_the_way_to_it() {
    let text = "\
var lit: bool
process switch { lit = true loop { lit = true; lit = lit } }
progress off: must not lit and other@end
process other { skip }
";
    let (_, object) = Folder::with("switch.stb", text).json("check switch.stb --property off");
    let off = property(&object, "off");
    assert_eq!(off["verdict"], "violated", "{off}");
    let trace = &off["trace"];
    let cycle = trace["cycle"].as_array().expect("a cycle");
    assert!(!cycle.is_empty(), "{trace}");
    let mut state = trace["start"].as_object().expect("a state").clone();
    let mut go = |steps: &serde_json::Value| {
        for step in steps.as_array().expect("steps") {
            for part in ["changes", "at"] {
                state.extend(step[part].as_object().expect("values").clone());
            }
        }
        state.clone()
    };
    let before = go(&trace["steps"]);
    assert_eq!(go(&trace["cycle"]), before, "the cycle closes exactly");
}

#[test]
fn a_mistake_has_a_code_a_severity_and_a_place() {
    let text = format!("{LOCK}invariant wrong: fre\n");
    let (status, object) = Folder::with("lock.stb", &text).json("check lock.stb");
    assert_eq!(status, 3);
    let problem = &object["problems"][0];
    assert_eq!(problem["code"], "unknown-name");
    assert_eq!(problem["severity"], "error");
    assert_eq!(problem["file"], "lock.stb");
    assert_eq!(problem["range"], range(15, 18, 21));
    assert!(
        problem["message"]
            .as_str()
            .is_some_and(|message| message.contains("`free`"))
    );
    assert!(!names(&object).contains(&"wrong"), "{object}");
    assert!(names(&object).contains(&"mutex"), "{object}");
}

#[test]
fn columns_count_characters() {
    let text = format!("{LOCK}/* größer */ invariant wrong: fre\n");
    let (_, object) = Folder::with("lock.stb", &text).json("check lock.stb");
    assert_eq!(object["problems"][0]["range"], range(15, 31, 34));
}
