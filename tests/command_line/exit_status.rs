//! How the program exits, and what it says when it cannot do what it is asked for.

use std::process::{Command, Stdio};

use super::folder::{BROKEN_LOCK, Folder, LOCK};

/// The status, and the message of the only problem, which is at no place of a text.
fn refused(folder: &Folder, arguments: &str) -> String {
    let (status, object) = folder.json(arguments);
    assert_eq!(status, 3, "{object}");
    assert_eq!(object["properties"], serde_json::json!([]));
    let problems = object["problems"].as_array().expect("a list of problems");
    let [problem] = &problems[..] else {
        panic!("one problem, not {problems:?}")
    };
    assert_eq!(problem["severity"], "error");
    assert!(problem["file"].is_null() && problem["range"].is_null());
    problem["message"].as_str().expect("a message").to_owned()
}

#[test]
fn it_is_0_where_everything_holds_and_1_where_something_is_violated() {
    let folder = Folder::with("lock.stb", LOCK).and("broken.stb", BROKEN_LOCK);
    assert_eq!(folder.run("check lock.stb").status, 0);
    assert_eq!(folder.run("check broken.stb").status, 1);
    assert_eq!(folder.run("check lock.stb broken.stb").status, 1);
}

#[test]
fn an_error_in_the_text_comes_before_a_violation() {
    let text = format!("{BROKEN_LOCK}invariant wrong: nobody > 1\n");
    let (status, object) = Folder::with("lock.stb", &text).json("check lock.stb");
    assert_eq!(status, 3);
    let verdict = &super::folder::property(&object, "mutex")["verdict"];
    assert_eq!(
        verdict, "violated",
        "what does not depend on the error is checked as ever"
    );
}

#[test]
fn a_violation_comes_before_a_limit() {
    let text = format!("{BROKEN_LOCK}ltl calm: always free\n");
    assert_eq!(
        Folder::with("lock.stb", &text).run("check lock.stb").status,
        1
    );
}

#[test]
fn a_missing_file_is_an_error() {
    let folder = Folder::with("lock.stb", LOCK);
    assert_eq!(
        refused(&folder, "check nothing.stb"),
        "there is no file `nothing.stb`"
    );
    assert_eq!(
        refused(&folder, "check lock.stb nothing.stb"),
        "there is no file `nothing.stb`"
    );
    assert_eq!(
        refused(&folder, "explore nothing.stb"),
        "there is no file `nothing.stb`"
    );
    assert_eq!(folder.run("fmt nothing.stb").status, 3);
}

#[test]
fn a_folder_and_bytes_that_are_no_text_are_errors() {
    let folder = Folder::with("models/lock.stb", LOCK);
    std::fs::write(folder.path("bytes.stb"), b"var x: bool\n\xff\xfe").expect("a file");
    assert_eq!(
        refused(&folder, "check models"),
        "`models` is not a file; a model is given by its file, `model.stb`"
    );
    assert_eq!(
        refused(&folder, "check bytes.stb"),
        "`bytes.stb` is not text in UTF-8: line 2 has other bytes"
    );
}

#[test]
fn an_unknown_property_is_an_error_that_names_those_there_are() {
    let folder = Folder::with("lock.stb", LOCK);
    let there_are = "There are `access`, `deadlock`, `errors`, `mutex`, `termination`";
    assert_eq!(
        refused(&folder, "check lock.stb --property mutexx"),
        format!("there is no property `mutexx`; did you mean `mutex`? {there_are}")
    );
    assert_eq!(
        refused(&folder, "check lock.stb --property access(7)"),
        "there is no property `access(7)`: 7 is outside 0..1; there are `access(0)`, `access(1)`"
    );
    assert_eq!(
        refused(&folder, "explore lock.stb --property mutexx"),
        format!("there is no property `mutexx`; did you mean `mutex`? {there_are}")
    );
}

#[test]
fn a_property_that_where_leaves_out_is_none() {
    let text = format!("{LOCK}invariant free(i in 0..2, j in 0..2 where i < j): i < j\n");
    let folder = Folder::with("lock.stb", &text);
    assert_eq!(
        refused(&folder, "check lock.stb --property free(1,1)"),
        "there is no property `free(1,1)`; there are `free(0,1)`, `free(0,2)`, `free(1,2)`, which `where` keeps"
    );
}

#[test]
fn a_cell_of_an_instance_that_where_always_leaves_out_is_asked_for_in_vain() {
    let text = "var x: 0..1\nprocess p(i in 0..1, j in bool where j != true) { var a: array[0..1] of bool\n skip }\n\
                invariant q: p(x, true).a[0]\n";
    let folder = Folder::with("m.stb", text);
    let ran = folder.run("check m.stb");
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.out.contains("`q` has no value at the start"),
        "{}",
        ran.out
    );
}

#[test]
fn a_built_in_property_that_is_turned_off_cannot_be_asked_for() {
    let text = format!("deadlock ignored\ntermination not required\n{LOCK}");
    let folder = Folder::with("lock.stb", &text);
    assert_eq!(
        refused(&folder, "check lock.stb --property deadlock"),
        "the property `deadlock` is not checked here: the model says `deadlock ignored`"
    );
    assert_eq!(
        refused(&folder, "check lock.stb --property termination"),
        "the property `termination` is not checked here: the model says `termination not \
         required`, or no process has a place to stop"
    );
}

#[test]
fn a_property_that_an_error_takes_away_is_not_said_to_be_unknown() {
    let text = format!("{LOCK}invariant wrong: nobody > 1\n");
    let (status, object) = Folder::with("lock.stb", &text).json("check lock.stb --property wrong");
    assert_eq!(status, 3);
    let problems = object["problems"].as_array().expect("a list of problems");
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0]["code"], "unknown-name");
}

#[test]
fn an_unknown_parameter_is_an_error() {
    let folder = Folder::with("lock.stb", LOCK);
    assert_eq!(
        refused(&folder, "check lock.stb -D M=2"),
        "there is no `param M` to set; there is `N`"
    );
    assert_eq!(
        refused(&folder, "explore lock.stb -D M=2"),
        "there is no `param M` to set; there is `N`"
    );
}

#[test]
fn a_parameter_outside_its_range_is_an_error() {
    let folder = Folder::with("lock.stb", LOCK);
    for value in ["7", "-1", "99999999999999999999"] {
        let message = refused(&folder, &format!("check lock.stb -D N={value}"));
        assert!(message.contains("2..4"), "{message}");
        refused(&folder, &format!("explore lock.stb -D N={value}"));
    }
}

#[test]
fn an_option_that_cannot_be_read_is_told_on_standard_error_alone() {
    let folder = Folder::with("lock.stb", LOCK);
    for arguments in [
        "check lock.stb --format json --order sideways",
        "check lock.stb --format json --nonsense",
        "check lock.stb --format json -D N",
        "check lock.stb --format json --threads 0",
        "check lock.stb --format json --max-memory much",
        "check --format json",
        "nonsense",
        "",
    ] {
        let ran = folder.run(arguments);
        assert_eq!(ran.status, 3, "{arguments}");
        assert_eq!(ran.out, "", "{arguments}");
        assert!(!ran.err.is_empty(), "{arguments}");
    }
}

#[test]
fn rounds_are_for_whole_states() {
    let folder = Folder::with("lock.stb", LOCK);
    for reduction in ["sensitive", "sensitive-cycles"] {
        let arguments = format!("check lock.stb --reduction {reduction} --storage bitstate");
        let message = refused(&folder, &arguments);
        let expected = format!(
            "`--reduction {reduction}` does not work with `--storage bitstate`; write `--storage exact`"
        );
        assert!(message.starts_with(&expected), "{message}");
    }
}

#[test]
fn help_is_no_error() {
    let folder = Folder::new();
    for arguments in [
        "help",
        "help check",
        "help explore",
        "help automaton",
        "help fmt",
        "check --help",
    ] {
        let ran = folder.run(arguments);
        assert_eq!((ran.status, &*ran.err), (0, ""), "{arguments}");
        assert!(ran.out.contains("Usage: stubborn"), "{arguments}");
    }
    assert_eq!(folder.run("help nonsense").status, 3);
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let mut child = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(["check", "lock.stb"])
        .current_dir(folder.path(""))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let ended = child.wait_with_output().expect("the program ends");
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!(String::from_utf8_lossy(&ended.stderr), "");
}
