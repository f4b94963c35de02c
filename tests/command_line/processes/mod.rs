//! Checks by several processes, as a user starts them.

mod faults;
mod meeting;
mod rig;

use std::time::Duration;

use serde_json::Value;

use super::folder::{Folder, property};

/// As many states as a machine would need hours for.
const ENDLESS: &str = "\
var x: array[0..9] of 0..1000
process p(i in 0..9) { loop { x[i] = any 0..1000 } }
termination not required
invariant small: x[0] <= 1000
";

/// Twenty thousand states, of which the farthest violates something.
const GRID: &str = "\
var x: array[0..3] of 0..11
process p(i in 0..3) { loop { when x[i] < 11 do x[i] = x[i] + 1 } }
termination not required
deadlock allowed when x[0] == 11
invariant not_all: x[0] + x[1] + x[2] + x[3] < 44
invariant small: x[0] <= 11
progress back: may x[0] == 11
progress full: must x[0] == 11
";

const PLAIN: &str = "--reduction none --keep-dead-variables";
/// Nothing is waited for any longer.
const LONGEST: Duration = Duration::from_secs(60);

fn steps(property: &Value) -> usize {
    property["trace"]["steps"].as_array().expect("a run").len()
}

#[test]
fn two_processes_tell_what_one_does_and_who_has_searched() {
    let folder = Folder::with("grid.stb", GRID);
    let (_, alone) = folder.json(&format!("check grid.stb {PLAIN} --threads 1"));
    for threads in [1, 2] {
        let command = format!("cluster --processes 2 check grid.stb {PLAIN} --threads {threads}");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 1, "{object}");
        for name in ["errors", "deadlock", "small", "not_all"] {
            let (here, there) = (property(&object, name), property(&alone, name));
            assert_eq!(here["verdict"], there["verdict"], "{object}");
            let sharing = &here["sharing"];
            assert_eq!(sharing["processes"], 2, "{object}");
            let workers = sharing["workers"].as_array().expect("workers");
            assert_eq!(workers.len(), 2 * threads);
            let states = workers
                .iter()
                .map(|one| one["states"].as_u64().expect("a number"));
            assert_eq!(
                states.sum::<u64>(),
                here["states"].as_u64().expect("a number")
            );
            if here["verdict"] == "holds" {
                for figure in ["states", "edges", "full", "reduction"] {
                    assert_eq!(here[figure], there[figure], "{name} {figure}");
                }
            }
        }
        let far = property(&object, "not_all");
        assert_eq!(steps(far), steps(property(&alone, "not_all")));
        let back = property(&object, "back");
        assert_eq!(back["verdict"], property(&alone, "back")["verdict"]);
    }
}

#[test]
fn what_is_about_all_states_is_decided_together() {
    let folder = Folder::with("grid.stb", GRID);
    let ltl = format!("{GRID}\nltl end: eventually x[0] == 11\nltl low: always x[0] <= 11\n");
    let folder_of_formulas = Folder::with("grid.stb", &ltl);
    for (folder, names) in [
        (&folder, &["back"][..]),
        (&folder_of_formulas, &["end", "low"][..]),
    ] {
        for how in [PLAIN, ""] {
            let (_, alone) = folder.json(&format!("check grid.stb {how} --threads 1"));
            let command = format!("cluster --processes 2 check grid.stb {how} --threads 1");
            let (_, object) = folder.json(&command);
            for name in names {
                let (here, there) = (property(&object, name), property(&alone, name));
                assert_eq!(here["verdict"], there["verdict"], "{name}: {object}");
                assert_eq!(here["sharing"]["processes"], 2, "{name}: {object}");
            }
        }
    }
}

#[test]
fn what_only_one_process_decides_stays_undecided() {
    let folder = Folder::with("grid.stb", GRID);
    let (_, object) = folder.json("cluster --processes 2 check grid.stb --threads 1");
    let full = property(&object, "full");
    assert_eq!(full["verdict"], "undecided", "{object}");
    let why = full["why"].as_str().expect("a sentence");
    assert!(why.contains("`stubborn check` without `cluster`"), "{why}");
}

#[test]
fn a_state_space_is_counted_by_several_as_by_one() {
    let folder = Folder::with("grid.stb", GRID);
    for how in [PLAIN, ""] {
        let (_, alone) = folder.json(&format!("explore grid.stb {how} --threads 1"));
        let command = format!("cluster --processes 3 explore grid.stb {how} --threads 1");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 0, "{object}");
        for figure in ["states", "edges", "terminal", "failing", "full", "complete"] {
            assert_eq!(object[figure], alone[figure], "{how} {figure}");
        }
        assert_eq!(object["sharing"]["processes"], 3, "{object}");
    }
}

#[test]
fn what_cannot_be_shared_is_refused_in_a_sentence() {
    let folder = Folder::with("grid.stb", GRID);
    for options in [
        "check grid.stb --storage bitstate",
        "check grid.stb --storage disk",
        "check grid.stb --search dfs",
        "check grid.stb --symmetry always",
        "check grid.stb --reduction sensitive",
        "check grid.stb --coverage",
        "explore grid.stb --output grid.aut",
    ] {
        let (status, object) = folder.json(&format!("cluster --processes 2 {options}"));
        assert_eq!(status, 3);
        let (_, option) = options.split_once(" --").expect("an option");
        let option = option.trim_end_matches(" grid.aut");
        let wrong = format!("`stubborn cluster` does not work with `--{option}`; leave it out");
        assert!(object.to_string().contains(&wrong), "{object}");
    }
    for (how, told) in [
        (
            "--processes 2 --process 2",
            "cannot be used with '--process",
        ),
        ("--hosts hosts", "--process <K>"),
        ("", "--processes <N>|--hosts <FILE>"),
    ] {
        let ran = folder.run(&format!("cluster {how} check grid.stb"));
        assert_eq!(ran.status, 3);
        assert!(ran.err.contains(told), "{}", ran.err);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_text_that_is_standard_input_is_read_by_all() {
    let folder = Folder::with("grid.stb", GRID);
    let text = std::fs::File::open(folder.path("grid.stb")).expect("it was written");
    let ran = folder
        .program(&["cluster", "--processes", "2", "check", "/dev/stdin"])
        .args(["--property", "small", "--threads", "1"])
        .stdin(text)
        .output()
        .expect("the program runs");
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{out}");
}

#[test]
fn a_state_space_that_one_process_has_no_memory_for_is_decided_by_two() {
    let text = GRID.replace("11", "24").replace("< 44", "< 96");
    let folder = Folder::with("grid.stb", &text);
    // Half of it the program has for itself.
    let command = format!("explore grid.stb {PLAIN} --threads 1 --max-memory 10M");
    let (status, object) = folder.json(&command);
    assert_eq!(status, 2, "{object}");
    let (status, object) = folder.json(&format!("cluster --processes 2 {command}"));
    assert_eq!(status, 0, "{object}");
    assert_eq!(object["states"], 25_u64.pow(4));
    // So is what only the last state violates, with a run that all put together.
    let command = format!("check grid.stb {PLAIN} --property not_all --threads 1 --max-memory 12M");
    let (status, object) = folder.json(&command);
    assert_eq!(status, 2, "{object}");
    let (status, object) = folder.json(&format!("cluster --processes 2 {command}"));
    assert_eq!(status, 1, "{object}");
    assert_eq!(steps(property(&object, "not_all")), 96, "{object}");
}
