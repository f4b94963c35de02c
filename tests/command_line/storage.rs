//! Storage that may take states for others.

use serde_json::Value;

use super::folder::{BROKEN_LOCK, Folder, LOCK, property};

fn why(object: &Value, name: &str) -> String {
    let property = property(object, name);
    assert_eq!(property["verdict"], "undecided", "{property}");
    property["why"].as_str().unwrap_or("").to_owned()
}

#[test]
fn what_was_searched_is_told_and_nothing_is_said_to_hold() {
    let folder = Folder::with("lock.stb", LOCK);
    let cases = [
        (
            "bitstate --bits 10",
            "bitstate storage may have missed states: the chance of even one is about 1 in ",
        ),
        (
            "compact",
            "compact storage may have missed states: the chance of even one is less than 1 in 1000000",
        ),
        (
            "compact --bits 16",
            "compact storage may have missed states: the chance of even one is about 1 in ",
        ),
    ];
    for (storage, told) in cases {
        let command = format!("check lock.stb --property mutex --storage {storage}");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 2, "{object}");
        let why = why(&object, "mutex");
        assert!(why.starts_with("nothing was found"), "{why}");
        assert!(why.contains(told), "{storage}: {why}");
        assert!(why.ends_with("; `--storage exact` would prove it"), "{why}");
    }
}

#[test]
fn a_table_that_is_too_small_says_so() {
    let folder = Folder::with(
        "grid.stb",
        "var x: array[0..3] of 0..9\nprocess p(i in 0..3) { loop { x[i] = any 0..9 } }\n\
         termination not required\ninvariant small: x[0] <= 9\n",
    );
    let command = "check grid.stb --property small --storage bitstate --bits 10 --reduction none";
    let all = format!("{command} --keep-dead-variables");
    let (_, object) = folder.json(&all);
    let told = why(&object, "small");
    assert!(told.contains("it searched at most "), "{told}");
    assert!(told.contains("a larger `--bits` would miss less"), "{told}");
    let (_, object) = folder.json(&all.replace("--bits 10", "--bits 17"));
    let told = why(&object, "small");
    assert!(told.contains("it searched about 99."), "{told}");
}

#[test]
fn a_violation_is_found() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    for storage in ["bitstate", "compact"] {
        let command = format!("check lock.stb --property mutex --storage {storage}");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 1, "{object}");
        assert_eq!(property(&object, "mutex")["verdict"], "violated");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = Folder::with("lock.stb", LOCK);
    let cases = [
        (
            "--bits 20",
            "`--bits 20` does not work with `--storage exact`; write `--storage bitstate` or",
        ),
        (
            "--bits 20 --storage disk",
            "`--bits 20` does not work with `--storage disk`; write `--storage bitstate` or",
        ),
        (
            "--storage compact --reduction sensitive",
            "`--reduction sensitive` does not work with `--storage compact`; write `--storage exact`",
        ),
        (
            "--storage bitstate --bits 41",
            "`--bits 41`: `--storage bitstate` has a table of",
        ),
        (
            "--storage compact --bits 12",
            "`--bits 12`: `--storage compact` has fingerprints of",
        ),
    ];
    for (options, told) in cases {
        let (status, object) = folder.json(&format!("check lock.stb {options}"));
        assert_eq!(status, 3, "{object}");
        let message = object["problems"][0]["message"].as_str().unwrap_or("");
        assert!(message.starts_with(told), "{message}");
    }
}
