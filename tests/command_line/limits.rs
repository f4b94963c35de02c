//! Searches that are cut short.

use super::folder::{BROKEN_LOCK, Folder, LOCK, property};

/// A space that no machine can search.
const ENDLESS: &str = "\
var x: array[0..9] of 0..1000
process p(i in 0..9) { loop { x[i] = any 0..1000 } }
termination not required
invariant small: x[0] <= 1000
";

#[test]
fn a_limit_is_reached_when_one_more_state_is_found() {
    let folder = Folder::with("lock.stb", LOCK);
    let (_, all) = folder.json("check lock.stb");
    let states = all["properties"][0]["states"]
        .as_u64()
        .expect("a number of states");
    let (status, object) = folder.json(&format!("check lock.stb --max-states {states}"));
    assert_eq!(status, 0, "{object}");
    let (status, object) = folder.json(&format!("check lock.stb --max-states {}", states - 1));
    assert_eq!(status, 2);
    let mutex = property(&object, "mutex");
    assert_eq!(mutex["verdict"], "undecided");
    assert_eq!(
        mutex["why"],
        format!("the limit of {} states was reached", states - 1)
    );
    assert_eq!(mutex["full"], false);
    assert!(mutex["trace"].is_null());
}

#[test]
fn a_violation_that_was_found_before_the_limit_counts() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    // In the plain state space, which all properties share.
    let plain = "check lock.stb --reduction none --keep-dead-variables";
    let (_, alone) = folder.json(&format!("{plain} --property mutex"));
    let states = property(&alone, "mutex")["states"]
        .as_u64()
        .expect("a number of states");
    let (status, object) = folder.json(&format!("{plain} --max-states {states}"));
    assert_eq!(status, 1);
    assert_eq!(property(&object, "mutex")["verdict"], "violated");
    assert_eq!(property(&object, "never_two")["verdict"], "undecided");
}

#[test]
fn memory_and_time_end_a_search_too() {
    let folder = Folder::with("endless.stb", ENDLESS);
    let (status, object) = folder.json("check endless.stb --max-memory 1M");
    assert_eq!(status, 2);
    assert_eq!(
        property(&object, "small")["why"],
        "the memory limit of 1.0 MB was reached"
    );
    let (status, object) = folder.json("check endless.stb --timeout 0.2");
    assert_eq!(status, 2);
    let why = property(&object, "small")["why"].as_str().unwrap_or("");
    assert!(why.starts_with("the time limit was reached"), "{why}");
    // The whole state space, of which stubborn sets leave next to nothing.
    let (status, object) = folder.json("explore endless.stb --reduction none --timeout 0.2");
    assert_eq!(status, 2);
    assert_eq!(object["complete"], false);
    assert_eq!(object["full"], false);
    assert_eq!(object["why"], "the time limit was reached");
}

#[test]
fn time_that_is_over_before_the_model_is_read_is_told() {
    let folder = Folder::with("lock.stb", LOCK);
    for command in ["check", "explore"] {
        let (status, object) = folder.json(&format!("{command} lock.stb --timeout 0"));
        assert_eq!(status, 2, "{object}");
        assert_eq!(object["problems"][0]["code"], "timeout", "{object}");
        assert_eq!(object["problems"][0]["severity"], "warning");
    }
    let (_, object) = folder.json("check lock.stb --timeout 0");
    assert_eq!(object["properties"], serde_json::json!([]));
}

/// Two processes that share all of their variables, so that nothing can be left out.
const DEPENDENT: &str = "\
var a: 0..19
var b: 0..19
var c: 0..19
process left { loop { either { a = (a + b + 1) % 20 } or { b = (b + c + 1) % 20 } } }
process right { loop { either { b = (b + 2 * c + 1) % 20 } or { c = (c + a + 1) % 20 } } }
termination not required
invariant small: a + b + c <= 57
invariant low: a + b + c <= 56
";

#[test]
fn stubborn_sets_that_do_not_pay_give_way_unless_states_are_limited() {
    let folder = Folder::with("dependent.stb", DEPENDENT);
    let ends = |object: &serde_json::Value| -> Vec<String> {
        let attempts = property(object, "small")["attempts"].as_array().cloned();
        let attempts = attempts.unwrap_or_default().into_iter();
        attempts.map(|one| one["end"].to_string()).collect()
    };
    let verdicts = |object: &serde_json::Value| {
        ["errors", "deadlock", "small", "low"].map(|name| property(object, name)["verdict"].clone())
    };
    let command = "check dependent.stb --threads 1 --explain";
    let (_, object) = folder.json(command);
    let gives_way = |ends: &[String]| ends.iter().any(|end| end.contains("leave too little out"));
    assert!(gives_way(&ends(&object)), "{object}");
    assert_eq!(property(&object, "small")["reduction"], "none");
    let (_, plain) = folder.json(&format!("{command} --reduction none"));
    assert_eq!(verdicts(&object), verdicts(&plain));
    let (_, limited) = folder.json(&format!("{command} --max-states 100000"));
    assert!(!gives_way(&ends(&limited)), "{limited}");
    assert_eq!(verdicts(&limited), verdicts(&plain));
}
