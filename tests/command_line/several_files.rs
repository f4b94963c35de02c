//! Testers, and more than one file.

use super::folder::{BROKEN_LOCK, Folder, LOCK, names, property};

const TESTER: &str = "\
use \"lock.stb\"
invariant calm: free or not free
tester silent { initial state s }
";

#[test]
fn a_tester_file_brings_its_models_properties_before_its_own() {
    let folder = Folder::with("lock.stb", LOCK).and("lock.tester", TESTER);
    let (_, object) = folder.json("check lock.tester");
    let listed = [
        "errors",
        "deadlock",
        "termination",
        "mutex",
        "access(0)",
        "access(1)",
        "calm",
        "silent",
    ];
    assert_eq!(names(&object), listed);
    assert_eq!(object["files"], serde_json::json!(["lock.tester"]));
    assert_eq!(property(&object, "mutex")["file"], "lock.stb");
    assert_eq!(property(&object, "calm")["file"], "lock.tester");
    assert_eq!(property(&object, "calm")["verdict"], "holds");
    let silent = property(&object, "silent");
    assert_eq!(silent["kind"], "tester");
    assert_eq!(silent["verdict"], "holds");
    assert!(silent["violation"].is_null());
}

#[test]
fn a_model_that_several_files_bring_is_checked_once() {
    let folder = Folder::with("lock.stb", LOCK).and("lock.tester", TESTER);
    let listed = [
        "errors",
        "deadlock",
        "termination",
        "mutex",
        "access(0)",
        "access(1)",
        "calm",
        "silent",
    ];
    for files in [
        "lock.stb lock.tester",
        "lock.tester lock.stb",
        "lock.tester ./lock.tester",
    ] {
        assert_eq!(
            names(&folder.json(&format!("check {files}")).1),
            listed,
            "{files}"
        );
    }
    let other = TESTER.replace("calm", "other").replace("silent", "quiet");
    let folder = folder.and("other.tester", &other);
    let (_, object) = folder.json("check lock.tester other.tester");
    assert_eq!(names(&object)[6..], ["calm", "silent", "other", "quiet"]);
}

#[test]
fn a_given_model_that_another_one_uses_is_checked_as_its_part_only() {
    let part = "var shared: bool\nprocess one { shared = true }\ninvariant small: true\n";
    let whole = "use \"part.stb\"\nprocess two { await shared }\n";
    let folder = Folder::with("part.stb", part).and("whole.stb", whole);
    let alone = folder.json("check part.stb").1;
    let (_, object) = folder.json("check part.stb whole.stb");
    assert_eq!(
        names(&object),
        ["errors", "deadlock", "termination", "small"]
    );
    assert!(
        property(&object, "deadlock")["states"].as_u64()
            > property(&alone, "deadlock")["states"].as_u64()
    );
}

#[test]
fn models_that_have_nothing_to_do_with_each_other_are_checked_one_after_the_other() {
    let folder = Folder::with("good/lock.stb", LOCK).and("bad/lock.stb", BROKEN_LOCK);
    let (status, object) = folder.json("check good/lock.stb bad/lock.stb");
    assert_eq!(status, 1);
    let files: Vec<_> = object["properties"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["file"])
        .collect();
    assert_eq!(
        files
            .iter()
            .filter(|file| ***file == "good/lock.stb")
            .count(),
        6
    );
    assert_eq!(
        files
            .iter()
            .filter(|file| ***file == "bad/lock.stb")
            .count(),
        7
    );
}

#[test]
fn a_parameter_has_to_be_in_one_of_several_models() {
    let folder = Folder::with("lock.stb", LOCK).and("broken.stb", BROKEN_LOCK);
    let (_, object) = folder.json("check broken.stb lock.stb -D N=3");
    assert!(names(&object).contains(&"access(2)"));
    assert_eq!(folder.json("check broken.stb lock.stb -D M=3").0, 3);
}

#[test]
fn a_property_has_to_be_in_one_of_several_models() {
    let folder = Folder::with("lock.stb", LOCK).and("broken.stb", BROKEN_LOCK);
    let (status, object) = folder.json("check broken.stb lock.stb --property never_two");
    assert_eq!((status, names(&object)), (0, vec!["never_two"]));
}

#[test]
fn a_variable_that_only_a_tester_reads_is_read() {
    let text = format!("{LOCK}var seen: bool\nprocess witness {{ seen = true }}\n");
    let tester = "use \"lock.stb\"\ninvariant looks: seen or not seen\n";
    let folder = Folder::with("lock.stb", &text).and("lock.tester", tester);
    assert_eq!(
        folder.json("check lock.stb").1["problems"][0]["code"],
        "never-read"
    );
    for files in ["lock.tester", "lock.stb lock.tester"] {
        let (_, object) = folder.json(&format!("check {files}"));
        assert_eq!(object["problems"], serde_json::json!([]), "{files}");
    }
}

#[test]
fn a_mistake_in_a_used_file_is_told_once() {
    let text = format!("{LOCK}invariant wrong: nobody\n");
    let folder = Folder::with("lock.stb", &text).and("lock.tester", TESTER);
    let (status, object) = folder.json("check lock.stb lock.tester");
    assert_eq!(status, 3);
    assert_eq!(object["problems"].as_array().map(Vec::len), Some(1));
    assert_eq!(object["problems"][0]["file"], "lock.stb");
}

#[test]
fn a_used_file_that_is_missing_is_told_where_it_is_used() {
    let folder = Folder::with("lock.tester", TESTER);
    let (status, object) = folder.json("check lock.tester");
    assert_eq!(status, 3);
    let problem = &object["problems"][0];
    assert_eq!(problem["code"], "missing-file");
    assert_eq!(
        problem["range"]["start"],
        serde_json::json!({"line": 1, "column": 5})
    );
}
