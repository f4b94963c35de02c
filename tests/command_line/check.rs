//! Which properties are checked, and with which parameters.

use serde_json::json;

use super::folder::{BROKEN_LOCK, Folder, LOCK, names, property};

#[test]
fn every_property_is_listed_in_the_order_of_the_text() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, object) = folder.json("check lock.stb");
    assert_eq!(status, 0);
    let listed = [
        "errors",
        "deadlock",
        "termination",
        "mutex",
        "access(0)",
        "access(1)",
    ];
    assert_eq!(names(&object), listed);
}

#[test]
fn a_parameter_is_set_from_outside() {
    let folder = Folder::with("lock.stb", LOCK);
    let (status, object) = folder.json("check lock.stb -D N=4");
    assert_eq!(status, 0);
    assert_eq!(
        names(&object)[4..],
        ["access(0)", "access(1)", "access(2)", "access(3)"]
    );
}

#[test]
fn of_two_settings_of_a_parameter_the_last_counts() {
    let folder = Folder::with("lock.stb", LOCK);
    let (_, object) = folder.json("check lock.stb -D N=4 -D N=3");
    assert_eq!(names(&object).len(), 3 + 1 + 3);
}

#[test]
fn a_number_may_be_written_as_in_the_language() {
    let text = "param N: 0..2_000 = 1\nvar x: 0..2_000 = N\nprocess p { await x == 1_000 }\n";
    let folder = Folder::with("large.stb", text);
    assert_eq!(folder.json("check large.stb").0, 1);
    assert_eq!(folder.json("check large.stb -D N=1_000").0, 0);
}

#[test]
fn a_property_is_named_with_all_its_values_or_with_one() {
    let folder = Folder::with("lock.stb", LOCK);
    let (_, object) = folder.json("check lock.stb --property access");
    assert_eq!(names(&object), ["access(0)", "access(1)"]);
    let (_, object) = folder.json("check lock.stb --property access(1) --property mutex");
    assert_eq!(names(&object), ["mutex", "access(1)"]);
    let (_, object) = folder.json("check lock.stb --property errors");
    assert_eq!(names(&object), ["errors"]);
}

#[test]
fn blanks_in_a_property_s_name_mean_nothing() {
    let folder = Folder::with("lock.stb", LOCK).and(
        "lock.tester",
        "use \"lock.stb\"\nspecification calm { initial state s }\nrefines calm in infinite traces\n",
    );
    for name in ["access( 1 )", "refines calm in infinite traces"] {
        let ran = folder.run_with(&[
            "check",
            "lock.tester",
            "--format",
            "json",
            "--property",
            name,
        ]);
        let object: serde_json::Value = serde_json::from_str(&ran.out).expect("one JSON object");
        assert_eq!(names(&object), [name.replace("( 1 )", "(1)")]);
    }
}

#[test]
fn only_the_violation_of_the_named_property_is_the_exit_status() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    assert_eq!(folder.json("check lock.stb").0, 1);
    assert_eq!(folder.json("check lock.stb --property never_two").0, 0);
}

#[test]
fn a_property_alone_has_the_figures_of_its_own_search() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (_, all) = folder.json("check lock.stb");
    let (_, alone) = folder.json("check lock.stb --property mutex");
    let states = |object| property(object, "mutex")["states"].as_u64();
    assert!(states(&alone) < states(&all));
    assert_eq!(property(&alone, "mutex")["full"], false);
}

#[test]
fn a_formula_is_listed_with_the_properties_of_its_model() {
    let text = format!("{LOCK}ltl calm: always free\n");
    let (status, object) = Folder::with("lock.stb", &text).json("check lock.stb");
    assert_eq!(status, 1);
    let calm = property(&object, "calm");
    assert_eq!(calm["verdict"], "violated");
    assert_eq!(calm["kind"], "ltl");
    assert_eq!(property(&object, "mutex")["verdict"], "holds");
}

/// A value that is never read again tells no states apart, whichever way of a test led there.
#[test]
fn there_are_never_more_states_where_dead_values_are_forgotten() {
    let folder = Folder::with(
        "branches.stb",
        "var z: bool\nprocess p {\n var x: 0..3\n either { z = false } or { z = true }\n x = 1\n\
         if x == 1 and z { z = false }\n after: skip\n}\ninvariant ok: not p@after or not z\n",
    );
    let states = |options: &str| {
        let options = format!("check branches.stb --reduction none --property ok {options}");
        let (_, object) = folder.json(&options);
        assert_eq!(property(&object, "ok")["verdict"], "holds");
        property(&object, "ok")["states"]
            .as_u64()
            .expect("a number")
    };
    let kept = states("--keep-dead-variables");
    assert_eq!((states(""), kept), (6, 8));
}

#[test]
fn depth_first_and_backwards_find_the_same_verdicts() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let verdicts = |options: &str| -> Vec<String> {
        let (_, object) = folder.json(&format!("check lock.stb {options}"));
        let properties = object["properties"].as_array().expect("a list").clone();
        properties
            .iter()
            .map(|one| one["verdict"].to_string())
            .collect()
    };
    let usual = verdicts("");
    assert_eq!(verdicts("--search dfs"), usual);
    assert_eq!(verdicts("--order reverse"), usual);
    assert_eq!(
        verdicts("--reduction none --keep-dead-variables --threads 1"),
        usual
    );
}

/// The verdict on a property, with steps left out and without.
fn verdicts(text: &str, name: &str) -> [String; 2] {
    let folder = Folder::with("m.stb", text);
    ["stubborn", "none"].map(|reduction| {
        let (_, object) = folder.json(&format!("check m.stb --reduction {reduction}"));
        let verdict = property(&object, name)["verdict"].as_str();
        verdict.expect("a verdict").to_owned()
    })
}

#[test]
fn an_invariant_with_a_part_of_many_values_is_violated_with_steps_left_out_too() {
    let text = "var x: 0..39 = 1
var y: 0..39 = 1
process q { initial state before { -> behind } final state behind }
process r { initial state before { -> behind } final state behind }
process w { await q@behind; x = 5; y = 7 }
invariant i: not (x == y and q@before and r@behind)
";
    assert_eq!(verdicts(text, "i"), ["violated"; 2]);
}

#[test]
fn places_behind_the_sixty_fourth_of_a_process_are_not_taken_for_others() {
    let states: String = (0..70)
        .map(|at| format!("state s{at} {{ -> s{} }}\n", at + 1))
        .collect();
    let text = format!(
        "process p {{ initial state begin {{ -> s0 }}\n{states}final state s70 }}
process q {{ initial state before {{ when p@s66 and not p@{{s1, s2}} -> behind }} final state behind }}
invariant waits: not q@behind
"
    );
    assert_eq!(verdicts(&text, "waits"), ["violated"; 2]);
}

#[test]
fn verdicts_and_traces_do_not_depend_on_the_number_of_threads() {
    // Layers of up to 12,870 states.
    let folder = Folder::with(
        "goers.stb",
        "var gone: 0..16\n\
         process goer(i in 0..15) { initial state here { do gone = gone + 1 -> there } final state there { } }\n\
         termination not required\n\
         invariant some: gone < 11\n\
         invariant all: gone < 17\n",
    );
    let checked = |threads: u32| {
        let plain = "check goers.stb --reduction none --keep-dead-variables";
        let (status, mut object) = folder.json(&format!("{plain} --threads {threads}"));
        assert_eq!(status, 1, "{object}");
        for property in object["properties"].as_array_mut().expect("a list") {
            property["seconds"].take();
            if property["verdict"] == "violated" {
                property["states"].take();
                property["edges"].take();
            }
        }
        object
    };
    let alone = checked(1);
    let steps = &property(&alone, "some")["trace"]["steps"];
    assert_eq!(steps.as_array().map(Vec::len), Some(11));
    let holds = property(&alone, "all");
    assert_eq!(
        (&holds["states"], &holds["edges"]),
        (&json!(1 << 16), &json!(8 << 16))
    );
    for threads in [2, 3] {
        assert_eq!(checked(threads), alone);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_whose_name_is_no_utf_8_is_there_all_the_same() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::with("lock.stb", LOCK);
    let name = std::ffi::OsStr::from_bytes(b"a\xff.stb");
    std::fs::copy(folder.path("lock.stb"), folder.path("").join(name)).expect("a copy");
    let ran = folder
        .program(&["check"])
        .arg(name)
        .output()
        .expect("it runs");
    assert_eq!(ran.status.code(), Some(3));
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(
        said.contains("is no UTF-8; give the file another"),
        "{said}"
    );
}
