//! The state space, counted and written to files.

use serde_json::{Value, json};

use super::folder::{BROKEN_LOCK, Folder, LOCK};

const MEETING: &str = "\
action meet(0..1)
var x: 0..1
process a(i in 0..0) { initial state s { on meet(1) do x = 1 -> t } final state t { -> s } }
process b { initial state u { on meet(*) -> u } }
";

#[test]
fn it_counts_states_edges_and_terminal_states() {
    let (status, mut object) = Folder::with("lock.stb", LOCK).json("explore lock.stb");
    assert_eq!(status, 0);
    for figure in ["seconds", "bytes_per_state"] {
        assert!(
            object[figure].as_f64().is_some_and(|value| value >= 0.0),
            "{object}"
        );
        object[figure] = json!(0.0);
    }
    assert_eq!(
        object,
        json!({
            "files": ["lock.stb"],
            "problems": [],
            "states": 8,
            "edges": 14,
            "terminal": 1,
            "failing": 0,
            "full": true,
            "complete": true,
            "why": null,
            "seconds": 0.0,
            "bytes_per_state": 0.0,
            "symmetry": null,
            "failures": [],
        })
    );
}

#[test]
fn what_is_counted_and_told_does_not_depend_on_the_number_of_threads() {
    // Layers of up to 12,870 states.
    let counters: String = ('a'..='p')
        .map(|x| format!("var {x}: 0..1\nprocess of_{x} {{ loop {{ {x} = {x} + 1 }} }}\n"))
        .collect();
    let folder = Folder::with("counters.stb", &counters);
    let counted = |threads: u32| {
        let command = format!("explore counters.stb --reduction none --threads {threads}");
        let (status, mut object) = folder.json(&command);
        assert_eq!(status, 0);
        object["seconds"].take();
        object["bytes_per_state"].take();
        object
    };
    let alone = counted(1);
    assert_eq!(alone["states"], 1 << 16);
    assert_eq!(
        (&alone["edges"], &alone["failing"]),
        (&json!(16 << 16), &json!(8 << 16))
    );
    let told = alone["failures"].as_array().expect("a list");
    assert_eq!(told.len(), 16, "{alone}");
    for threads in [2, 3, 1000] {
        assert_eq!(counted(threads), alone);
    }
}

#[test]
fn a_limit_makes_it_incomplete() {
    let (status, object) = Folder::with("lock.stb", LOCK).json("explore lock.stb --max-states 3");
    assert_eq!(status, 2);
    assert_eq!(object["complete"], false);
    assert_eq!(object["full"], false);
    assert_eq!(object["why"], "the limit of 3 states was reached");
}

#[test]
fn a_step_that_fails_is_an_edge_and_no_state() {
    let text = "var x: 0..2\nprocess counter { loop { x = x + 1 } }\n";
    let folder = Folder::with("counter.stb", text);
    let (status, object) = folder.json("explore counter.stb --output counter.aut");
    assert_eq!(status, 0);
    let count = |name: &str| object[name].as_u64();
    assert_eq!(count("states"), Some(3));
    assert_eq!(count("edges"), Some(3));
    assert_eq!(count("terminal"), Some(0));
    assert_eq!(count("failing"), Some(1));
    assert_eq!(object["failures"][0]["why"], "the value 3 is outside 0..2");
    let left_out = "des (0, 2, 3)\n(0, \"tau\", 1)\n(1, \"tau\", 2)\n";
    assert_eq!(folder.read("counter.aut"), left_out);
}

#[test]
fn errors_of_properties_do_not_keep_it_from_being_built() {
    let text = format!("{LOCK}invariant wrong: nobody\n");
    let (status, object) = Folder::with("lock.stb", &text).json("explore lock.stb");
    assert_eq!(status, 0);
    assert_eq!(object["problems"][0]["code"], "unknown-name");
    assert_eq!(object["states"], 8);
    let text = LOCK.replace("-> idle", "-> nowhere");
    let (status, object) = Folder::with("lock.stb", &text).json("explore lock.stb");
    assert_eq!(status, 3);
    assert_eq!(object["problems"][0]["code"], "unknown-state");
    assert_eq!(object["states"], Value::Null);
}

#[test]
fn an_aldebaran_file_has_a_line_for_each_edge() {
    let folder = Folder::with("meeting.stb", MEETING);
    assert_eq!(
        folder
            .run("explore meeting.stb --output meeting.aut")
            .status,
        0
    );
    let aut = folder.read("meeting.aut");
    let mut lines = aut.lines();
    let header = lines.next().expect("a header");
    let edges: Vec<&str> = lines.collect();
    assert_eq!(header, format!("des (0, {}, 3)", edges.len()), "{aut}");
    assert!(
        aut.contains("\"meet(1)\"") && aut.contains("\"tau\""),
        "{aut}"
    );
}

#[test]
fn labels_may_name_the_steps_instead() {
    let folder = Folder::with("meeting.stb", MEETING);
    assert_eq!(
        folder
            .run("explore meeting.stb --output meeting.aut --labels steps")
            .status,
        0
    );
    let aut = folder.read("meeting.aut");
    assert!(aut.contains("\"a(0) line 3, b line 4\""), "{aut}");
    assert!(aut.contains("\"a(0) line 3\""), "{aut}");
}

#[test]
fn a_graphviz_file_has_nodes_with_their_values() {
    let folder = Folder::with("meeting.stb", MEETING);
    assert_eq!(
        folder
            .run("explore meeting.stb --output meeting.dot")
            .status,
        0
    );
    let dot = folder.read("meeting.dot");
    assert!(dot.starts_with("digraph states {\n"), "{dot}");
    assert!(
        dot.contains("0 [tooltip=\"x = 0, a(0) = s, b = u\"]"),
        "{dot}"
    );
    assert!(dot.contains("[label=\"meet(1)\"]"), "{dot}");
    assert!(dot.ends_with("}\n"), "{dot}");
}

#[test]
fn a_json_file_has_states_and_edges() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (_, counted) = folder.json("explore lock.stb --output space.json");
    let space: Value = serde_json::from_str(&folder.read("space.json")).expect("JSON");
    let states = space["states"].as_array().expect("states");
    let edges = space["edges"].as_array().expect("edges");
    assert_eq!(counted["states"], states.len());
    assert_eq!(counted["edges"], edges.len());
    let start = json!({"free": true, "entered": 0, "customer(0)": "idle", "customer(1)": "idle"});
    assert_eq!(states[0], start);
    assert_eq!(
        edges[0],
        json!({
            "from": 0, "to": 1, "label": "tau", "by": ["customer(0)"], "action": null,
            "file": "lock.stb", "line": 6,
        })
    );
}

#[test]
fn a_file_has_the_plain_state_space_unless_a_reduction_is_named() {
    let apart = "process one { skip }\nprocess other { skip }\n";
    let folder = Folder::with("apart.stb", apart);
    let states = |arguments: &str| folder.json(&format!("explore apart.stb {arguments}")).1;
    assert_eq!(states("--output space.json")["states"], 4);
    assert_eq!(
        states("--output space.json --reduction stubborn")["states"],
        3
    );
    let reduced = states("");
    assert_eq!(
        (&reduced["states"], &reduced["full"]),
        (&Value::from(3), &Value::from(false))
    );
    assert_eq!(states("--reduction none")["full"], true);
}

#[test]
fn nothing_else_is_left_behind() {
    let folder = Folder::with("lock.stb", LOCK);
    for output in ["lock.aut", "lock.dot", "lock.json"] {
        assert_eq!(
            folder
                .run(&format!("explore lock.stb --output {output}"))
                .status,
            0
        );
    }
    let files = std::fs::read_dir(folder.path("")).expect("the folder");
    assert_eq!(files.count(), 4);
}

#[test]
fn an_output_that_cannot_be_written_is_an_error() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, object) = folder.json("explore lock.stb --output lock.png");
    assert_eq!(status, 3);
    let message = object["problems"][0]["message"]
        .as_str()
        .expect("a message");
    assert!(message.contains(".aut, .dot or .json"), "{message}");
    let (status, object) = folder.json("explore lock.stb --output nowhere/lock.aut");
    assert_eq!(status, 3);
    let message = object["problems"][0]["message"]
        .as_str()
        .expect("a message");
    assert!(
        message.starts_with("`nowhere/lock.aut` cannot be written"),
        "{message}"
    );
}

#[test]
fn states_that_stand_for_others_are_not_written() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, object) = folder.json("explore lock.stb --output lock.aut --symmetry always");
    assert_eq!(status, 3);
    let message = object["problems"][0]["message"]
        .as_str()
        .expect("a message");
    assert!(message.contains("`--symmetry off` writes all"), "{message}");
    assert!(!folder.path("lock.aut").exists());
}

#[test]
fn a_tester_file_stands_for_its_model() {
    let folder = Folder::with("lock.stb", LOCK).and(
        "lock.tester",
        "use \"lock.stb\"\ntester silent { initial state s }\n",
    );
    assert_eq!(folder.json("explore lock.tester").1["states"], 8);
}

#[test]
fn where_states_stand_for_others_only_those_are_said_to_fail_that_do() {
    // Any of the six would be the third one in some state that stands for one of these.
    let model = "\
type Id = 0..5
var boss: Id = 3
var level: array[Id] of 0..3
process p(i in Id) {
    initial state s {
        when level[i] < 3 do level[i] = level[i] + 1 -> s
        when level[i] > 0 do level[i] = level[i] - 1 -> s
        when boss == i do assert level[i] < 3 -> s
        when boss != i do boss = boss -> s
    }
}
";
    let folder = Folder::with("m.stb", model);
    let failing = |more: &str| {
        let (_, object) = folder.json(&format!("explore m.stb --reduction none {more}"));
        let failures = object["failures"].as_array().expect("a list");
        let mut by: Vec<String> = failures.iter().map(|one| one["by"].to_string()).collect();
        by.dedup();
        (by, object["states"].clone())
    };
    let (by, _) = failing("");
    assert_eq!(by, failing("--symmetry off").0);
    assert_eq!(by.len(), 1, "{by:?}");
    assert!(by[0].contains("p(3)"), "{by:?}");

    let sound = model.replace("do assert level[i] < 3 ", "do boss = i ");
    let folder = Folder::with("m.stb", &sound);
    let states = |more: &str| {
        let (_, object) = folder.json(&format!("explore m.stb --reduction none {more}"));
        object["states"].as_u64().expect("a number")
    };
    assert_eq!(states("--symmetry off"), 4_096);
    assert!(states("") < 1_000, "{}", states(""));
}
