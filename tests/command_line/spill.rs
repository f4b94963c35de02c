//! Searches whose states are on the disk because there is no memory for them.

use serde_json::Value;

use super::folder::{Folder, property};

/// Fifty thousand states, and a violation as far as one can be.
const GRID: &str = "\
var x: array[0..3] of 0..14
process p(i in 0..3) { loop { when x[i] < 14 do x[i] = x[i] + 1 } }
termination not required
deadlock allowed when x[0] == 14
invariant small: x[0] <= 14
invariant not_all: x[0] + x[1] + x[2] + x[3] < 56
progress back: may x[0] == 14
";

const ALL: &str = "--reduction none --keep-dead-variables";
/// Half of which the program has for itself.
const LITTLE: &str = "--max-memory 1M";

fn folder() -> Folder {
    Folder::with("grid.stb", GRID)
}

fn messages(object: &Value) -> Vec<String> {
    let problems = object["problems"].as_array().expect("a list");
    let messages = problems.iter().filter_map(|one| one["message"].as_str());
    messages.map(str::to_owned).collect()
}

fn steps(property: &Value) -> usize {
    property["trace"]["steps"].as_array().expect("a run").len()
}

#[test]
fn what_memory_does_not_suffice_for_is_decided_on_the_disk() {
    let folder = folder();
    let command = format!("check grid.stb {ALL}");
    let (_, whole) = folder.json(&command);
    let (status, without) = folder.json(&format!("{command} {LITTLE}"));
    assert_eq!(status, 2, "{without}");
    let files = Folder::new();
    let disk = [
        "--max-memory",
        "1M",
        "--storage",
        "disk",
        "--format",
        "json",
    ];
    let ran = folder
        .program(&["check", "grid.stb"])
        .args(ALL.split_whitespace().chain(disk))
        .env("TMPDIR", files.path("."))
        .output()
        .expect("the program runs");
    let object: Value = serde_json::from_slice(&ran.stdout).expect("one JSON object");
    assert_eq!(ran.status.code(), Some(1), "{object}");
    for name in ["errors", "deadlock", "small"] {
        let (here, there) = (property(&object, name), property(&whole, name));
        assert_eq!(here["verdict"], "holds", "{object}");
        for figure in ["states", "edges", "full", "reduction"] {
            assert_eq!(here[figure], there[figure], "{name} {figure}");
        }
    }
    let far = property(&object, "not_all");
    assert_eq!(far["verdict"], "violated", "{object}");
    assert_eq!(steps(far), steps(property(&whole, "not_all")));
    let back = property(&object, "back");
    assert_eq!(back["verdict"], "undecided");
    let why = back["why"].as_str().expect("a sentence");
    assert!(
        why.contains("`--storage disk` goes on for errors, deadlocks and invariants only"),
        "{why}"
    );
    let told = messages(&object);
    assert!(told[0].contains("memory ran out"), "{told:?}");
    let names = std::fs::read_dir(files.path(".")).expect("a folder");
    assert_eq!(names.count(), 0, "nothing stays behind");
}

#[test]
fn states_are_counted_on_the_disk() {
    let folder = folder();
    let command = "explore grid.stb --reduction none --symmetry off";
    let (_, whole) = folder.json(command);
    let (status, object) = folder.json(&format!("{command} {LITTLE}"));
    assert_eq!(status, 2, "{object}");
    let (status, object) = folder.json(&format!("{command} {LITTLE} --storage disk"));
    assert_eq!(status, 0, "{object}");
    for figure in ["states", "edges", "terminal", "failing", "full", "complete"] {
        assert_eq!(object[figure], whole[figure], "{figure}");
    }
}

#[test]
fn where_memory_suffices_nothing_is_written() {
    let folder = folder();
    let command = format!("check grid.stb {ALL}");
    let (_, whole) = folder.json(&command);
    let (_, object) = folder.json(&format!("{command} --storage disk"));
    assert_eq!(messages(&object), messages(&whole));
    assert_eq!(messages(&object), [""; 0]);
}

#[test]
fn limits_end_what_is_on_the_disk() {
    let folder = folder();
    let command = format!("check grid.stb {ALL} {LITTLE} --storage disk --property small");
    let (status, object) = folder.json(&format!("{command} --max-states 40000"));
    assert_eq!(status, 2, "{object}");
    let small = property(&object, "small");
    assert_eq!(
        small["why"],
        "the limit of 40,000 states was reached; no violation in any run of up to 27 steps"
    );
    assert_eq!(small["states"], 40_000);
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = folder();
    let refused = |arguments: &str, why: &str| {
        let (status, object) = folder.json(arguments);
        assert_eq!(status, 3, "{object}");
        let told = messages(&object);
        assert!(told.iter().any(|told| told.contains(why)), "{told:?}");
    };
    for command in ["check", "explore"] {
        refused(
            &format!("{command} grid.stb --storage disk --search dfs"),
            "`--storage disk` does not work with `--search dfs`; write `--search bfs`",
        );
    }
    refused(
        "explore grid.stb --storage disk --output grid.aut",
        "`--output` does not work with `--storage disk`",
    );
    let ran = folder
        .program(&["check", "grid.stb", "--storage", "disk"])
        .env("TMPDIR", folder.path("none"))
        .output()
        .expect("the program runs");
    let told = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(3), "{told}");
    assert!(
        told.contains("cannot create files in the temporary folder"),
        "{told}"
    );
}

/// Each of its parts is true before the others are.
#[test]
fn what_is_to_be_reached_is_found_on_the_disk() {
    let text =
        format!("{GRID}reachable middle: x[0] == 7 and x[1] == 7 and x[2] == 7 and x[3] == 7\n");
    let folder = Folder::with("grid.stb", &text);
    let command = format!("check grid.stb {ALL} --property middle");
    let (_, whole) = folder.json(&command);
    let (status, object) = folder.json(&format!("{command} {LITTLE} --storage disk"));
    assert_eq!(status, 0, "{object}");
    let (here, there) = (property(&object, "middle"), property(&whole, "middle"));
    assert_eq!(here["verdict"], "holds", "{object}");
    assert_eq!(steps(here), steps(there));
}

/// What memory does not suffice for in the few states that a search has before it asks for permutations is left to one with
/// them, there too.
#[test]
fn permutations_are_used_where_memory_runs_out_at_once() {
    let text = include_str!("../../examples/peterson.stb");
    let folder = Folder::with("peterson.stb", text);
    let asked =
        "check peterson.stb -D N=5 --property mutex --max-memory 1M --threads 1 --timeout 60";
    let (_, object) = folder.json(&format!("{asked} --storage disk"));
    let mutex = property(&object, "mutex");
    assert_eq!(mutex["verdict"], "holds", "{mutex}");
    assert_eq!(mutex["symmetry"], 120, "{mutex}");
}
