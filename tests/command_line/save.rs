//! Searches that go on where an earlier command was ended.

use serde_json::Value;

use super::folder::{Folder, property};

/// Twenty thousand states.
const GRID: &str = "\
var x: array[0..3] of 0..11
process p(i in 0..3) { loop { x[i] = any 0..11 } }
termination not required
invariant small: x[0] <= 11
progress back: may x[0] == 0 and x[1] == 0 and x[2] == 0 and x[3] == 0
";

fn folder() -> Folder {
    Folder::with("grid.stb", GRID)
}

/// The properties without the time that they took.
fn properties(object: &Value) -> Vec<Value> {
    let mut all = object["properties"].as_array().expect("a list").clone();
    for one in &mut all {
        one["seconds"] = Value::Null;
    }
    all
}

fn messages(object: &Value) -> Vec<String> {
    let problems = object["problems"].as_array().expect("a list");
    let messages = problems.iter().filter_map(|one| one["message"].as_str());
    messages.map(str::to_owned).collect()
}

const ALL: &str = "--reduction none --keep-dead-variables";

#[test]
fn a_check_in_parts_is_what_it_is_in_one() {
    let folder = folder();
    for options in ["", ALL] {
        let command = format!("check grid.stb {options}");
        let (_, whole) = folder.json(&command);
        let saving = format!("{command} --save parts");
        let file = folder.path("parts");
        for states in [300, 4_000, 13_000] {
            let (status, object) = folder.json(&format!("{saving} --max-states {states}"));
            if status == 0 {
                continue;
            }
            assert_eq!(status, 2, "{object}");
            if options == ALL {
                let told = messages(&object);
                assert!(
                    told[0].contains("the same command goes on from there"),
                    "{told:?}"
                );
                assert!(file.is_file());
                assert_eq!(property(&object, "back")["states"], states, "{object}");
            }
        }
        let (status, object) = folder.json(&saving);
        assert_eq!(status, 0, "{object}");
        assert_eq!(properties(&object), properties(&whole));
        assert_eq!(messages(&object), messages(&whole));
        assert!(!file.exists(), "what is over is not kept");
    }
}

#[test]
fn an_exploration_in_parts_is_what_it_is_in_one() {
    let folder = folder();
    let command = format!("explore grid.stb {ALL}");
    let (_, whole) = folder.json(&command);
    for states in [1, 500, 20_000] {
        let saving = format!("{command} --save parts --max-states {states}");
        let (status, object) = folder.json(&saving);
        assert_eq!(status, 2, "{object}");
        assert_eq!(object["states"], states);
    }
    let (status, object) = folder.json(&format!("{command} --save parts"));
    assert_eq!(status, 0, "{object}");
    for figure in ["states", "edges", "terminal", "full", "complete"] {
        assert_eq!(object[figure], whole[figure], "{figure}");
    }
}

#[test]
fn what_was_kept_of_something_else_is_not_gone_on_with() {
    let folder = folder();
    let command = format!("check grid.stb --property small {ALL}");
    let saving = format!("{command} --save parts");
    let (status, _) = folder.json(&format!("{saving} --max-states 5000"));
    assert_eq!(status, 2);
    let whole = std::fs::read(folder.path("parts")).expect("it is there");
    // Another order, another text.
    let other = saving.replace("--save", "--order reverse --save");
    let (status, object) = folder.json(&other);
    assert_eq!(status, 0);
    assert!(
        messages(&object)[0].contains("of another text, or of other options"),
        "{object}"
    );
    let folder = folder.and(
        "grid.stb",
        &GRID.replace("x[i] = any 0..11", "x[i] = any 0..10"),
    );
    let (_, anew) = folder.json(&command);
    let (status, object) = folder.json(&saving);
    assert_eq!(status, 0);
    assert!(
        messages(&object)[0].contains("of another text, or of other options"),
        "{object}"
    );
    assert_eq!(properties(&object), properties(&anew));
    // The text as it was, and a byte that is not.
    let folder = folder.and("grid.stb", GRID);
    let (_, anew) = folder.json(&command);
    let mut changed = whole.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 4;
    std::fs::write(folder.path("parts"), changed).expect("a folder");
    let (status, object) = folder.json(&saving);
    assert_eq!(status, 0);
    assert!(messages(&object)[0].contains("is damaged"), "{object}");
    assert_eq!(properties(&object), properties(&anew));
    std::fs::write(folder.path("parts"), whole).expect("a folder");
    let (status, object) = folder.json(&saving);
    assert_eq!(status, 0);
    assert_eq!(messages(&object), [""; 0]);
}

#[test]
fn a_file_of_somebody_else_stays_what_it_is() {
    let folder = folder().and("precious", "do not touch");
    for command in ["check", "explore"] {
        let (status, object) = folder.json(&format!("{command} grid.stb --save precious"));
        assert_eq!(status, 3, "{object}");
        let told = messages(&object);
        assert!(
            told[0].contains("is no file that `--save` has written"),
            "{told:?}"
        );
    }
    let text = std::fs::read_to_string(folder.path("precious")).expect("it is there");
    assert_eq!(text, "do not touch");
}

#[test]
fn what_cannot_be_gone_on_with_says_so() {
    let folder = folder();
    let command = "check grid.stb --search dfs --save parts --max-states 300";
    let (status, object) = folder.json(&format!("{command} {ALL}"));
    assert_eq!(status, 2, "{object}");
    let told = messages(&object);
    assert!(told[0].contains("the same command begins anew"), "{told:?}");
    assert!(!folder.path("parts").exists());
    let (status, object) = folder.json("check grid.stb --save parts --storage bitstate");
    assert_eq!(status, 3, "{object}");
}

#[test]
fn what_cannot_be_written_is_told_once() {
    let folder = folder();
    let command = format!("check grid.stb {ALL} --save nowhere/parts --max-states 13000");
    let (status, object) = folder.json(&command);
    assert_eq!(status, 2, "{object}");
    let told = messages(&object);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(
        told[0].contains("`nowhere/parts` cannot be written"),
        "{told:?}"
    );
}
