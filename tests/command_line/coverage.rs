//! `--coverage`: what never happens.

use expect_test::expect;
use serde_json::json;

use super::folder::Folder;

const MODEL: &str = "\
enum Colour { red, green, blue }
var lamp: Colour
var n: 0..3

process p {
    initial state one {
        when n < 3 do { n = n + 1; lamp = green } -> one
        when n > 3 -> two
    }
    state two { -> one }
}
process q {
    if n == 4 { tell: lamp = blue }
    await lamp != red
}
deadlock ignored
";

#[test]
fn a_person_is_told_what_never_happens_where_it_stands_and_in_how_many_states() {
    let folder = Folder::with("lamp.stb", MODEL);
    let told = folder.run("check lamp.stb --coverage").out;
    let from = told.find("Never reached").expect("what never happens");
    expect![[r#"
        Never reached or taken (11 states were searched):
          lamp.stb:2:5    lamp                  `lamp` is never `blue`
          lamp.stb:8:9    when n > 3 -> two     no run takes this step
          lamp.stb:10:5   state two { -> one }  no run reaches this state
          lamp.stb:13:17  tell: lamp = blue     no run comes here
    "#]]
    .assert_eq(&told[from..told.rfind("\n2 properties").expect("the end")]);
}

#[test]
fn scripts_are_told_with_kinds_names_and_ranges() {
    let folder = Folder::with("lamp.stb", MODEL);
    let (_, object) = folder.json("check lamp.stb --coverage --reduction none");
    let never = object["coverage"]["never"].as_array().expect("a list");
    let told: Vec<_> = never
        .iter()
        .map(|one| json!([one["kind"], one["name"], one["range"]["start"]["line"]]))
        .collect();
    assert_eq!(
        told,
        [
            json!(["value", "lamp", 2]),
            json!(["step", null, 8]),
            json!(["state", "two", 10]),
            json!(["statement", null, 13]),
        ]
    );
    assert_eq!(object["coverage"]["untold"], json!([]));
    let (_, object) = folder.json("check lamp.stb");
    assert_eq!(object["coverage"], json!(null));
}

#[test]
fn nothing_is_said_never_to_happen_of_what_was_not_searched_to_its_end() {
    let text = "var n: 0..99\nprocess p { loop { n = (n + 1) % 100; await n < 99; if n > 100 { skip } } }\n\
                process q { skip }\n";
    let folder = Folder::with("cut.stb", text);
    let (status, object) = folder.json("check cut.stb --coverage --max-states 20");
    assert_eq!(status, 2);
    assert_eq!(
        object["coverage"],
        json!({"never": [], "untold": ["p", "q"], "given_up": false})
    );
    let told = folder.run("check cut.stb --coverage --max-states 20").out;
    assert!(
        told.contains("Not known of `p`, `q`: no search that tells it has come to its end."),
        "{told}"
    );
}

/// The lines of what never happens.
fn lines(text: &str) -> Vec<u64> {
    let folder = Folder::with("m.stb", text);
    let lines = ["", " --reduction none --keep-dead-variables"].map(|options| -> Vec<u64> {
        let (_, object) = folder.json(&format!("check m.stb --coverage{options}"));
        assert_eq!(object["coverage"]["untold"], json!([]));
        let never = object["coverage"]["never"].as_array().expect("a list");
        let lines = never
            .iter()
            .map(|one| one["range"]["start"]["line"].as_u64());
        lines.map(|line| line.expect("a number")).collect()
    });
    let [default, plain] = lines;
    assert_eq!(default, plain, "{text}");
    default
}

#[test]
fn what_is_taken_away_before_a_search_since_it_never_happens_is_told_too() {
    let states = "process p {\n    var x: 0..2\n    var y: 0..2\n    initial state a {\n        when x < 0 -> b\n        \
                  when y == 1 -> b\n        do x = 1 -> b\n    }\n    state b { do x = 0 -> a }\n}\n";
    assert_eq!(lines(states), [5, 6]);
    let statements = "process p {\n    var b: bool\n    either {\n        await b\n        b = false\n    } or {\n        \
                      b = false\n        stop\n    }\n}\n";
    assert_eq!(lines(statements), [4, 5]);
}

#[test]
fn what_a_test_comes_to_is_known_within_steps_that_are_searched_as_one() {
    let text = "var g: bool\nprocess p {\n    var x: 0..3\n    loop {\n        g = not g\n        x = (x + 1) % 3\n        \
                if x == 1 {\n            x = 2\n        }\n        if x > 2 {\n            x = 0\n        } else {\n            \
                x = 1\n        }\n        if x < 3 {\n            x = 1\n        }\n        while x > 5 {\n            x = 0\n        }\n    }\n}\n\
                process q { await g; g = false }\n";
    assert_eq!(lines(text), [11, 15, 19]);
}

#[test]
fn what_the_text_alone_shows_of_a_part_of_it_leaves_the_rest_to_be_told() {
    let text = "var x: 0..3\nprocess p {\n    if x == 3 {\n        loop {\n            skip\n            stop\n            \
                x = 1\n        }\n    }\n}\nprocess q { x = 0 }\n";
    assert_eq!(lines(text), [4, 7]);
}

#[test]
fn a_macro_that_is_called_behind_do_happens_though_no_run_comes_to_another_call_of_it() {
    let text = "var x: 0..3\nvar go: bool\nmacro up() {\n    x = 1\n}\nmacro twice() {\n    up()\n}\n\
                process p {\n    either {\n        await not go do twice()\n    } or {\n        await go\n        twice()\n    }\n}\n";
    assert_eq!(lines(text), [13]);
    let alone = text.replace("not go do twice()", "not go do x = 2");
    assert_eq!(lines(&alone), [4, 13]);
    // A process has macros of its own.
    let own = "var x: 0..3\nvar go: bool\nprocess p {\n    macro up() {\n        x = 1\n    }\n    either {\n        \
               await not go do up()\n    } or {\n        await go\n        up()\n    }\n}\n";
    assert_eq!(lines(own), [10]);
}

#[test]
fn what_a_tester_file_brings_is_told_once_with_its_model() {
    let folder = Folder::with("lamp.stb", MODEL)
        .and("lamp.tester", "use \"lamp.stb\"\ninvariant low: n <= 3\n");
    let (_, of_model) = folder.json("check lamp.stb --coverage");
    let (_, of_both) = folder.json("check lamp.tester --coverage");
    assert_eq!(of_model["coverage"], of_both["coverage"]);
}

#[test]
fn what_the_text_leads_nowhere_to_is_in_the_list() {
    let text = "var x: 0..1\n\
                process p { initial final state s0 { do x = 1 -> s0 } state s1 { -> s0 } }\n\
                process q { stop x = 0 }\n\
                termination not required\n";
    let folder = Folder::with("m.stb", text);
    let told = folder.run("check m.stb --coverage").out;
    let from = told.find("Never reached").expect("what never happens");
    expect![[r#"
        Never reached or taken:
          m.stb:2:55  state s1 { -> s0 }  no run reaches this state
          m.stb:3:18  x = 0               no run comes here
    "#]]
    .assert_eq(&told[from..told.rfind("\n2 properties").expect("the end")]);
    let (_, object) = folder.json("check m.stb --coverage");
    let never = object["coverage"]["never"].as_array().expect("a list");
    let told: Vec<_> = never
        .iter()
        .map(|one| json!([one["kind"], one["name"], one["states"]]))
        .collect();
    assert_eq!(
        told,
        [json!(["state", "s1", 0]), json!(["statement", null, 0])]
    );
}

const BRANCHES: &str = "\
var n: 0..3
var high: bool

macro note(limit in 0..9) {
    if n > limit {
        high = true
    } else {
        high = false
    }
}

process p(i in 0..1) {
    var x: 0..3
    var y: bool
    initial state one {
        when n < 2 do {
            n = n + 1
            note(1)
            note(2)
            if n > 2 {
                x = 1
                if x == 1 { y = true } else { y = false }
            } else {
                x = 2
            }
            if i == 0 { y = true } else { y = false }
            if i == 0 or n > 2 { x = 3 } else { y = y and n > 0 }
        } -> one
        when n == 2 do {
            n = 0
            if x == 2 { y = true } else if x == 3 { y = false } else { x = 0 }
            if x < 3 or n == 0 { y = true }
            if n > 0 { } else { x = 2 }
            for k in 0..1 { if x == k { x = 3 } else { x = x } }
        } -> one
    }
}
deadlock ignored
invariant known: high or x_of_p
def x_of_p: forall i in 0..1: p(i).x <= 3 and (p(i).y or p(i).x < 9)
";

#[test]
fn a_branch_of_effects_that_no_instance_goes_into_is_told_without_those_in_it() {
    let folder = Folder::with("m.stb", BRANCHES);
    let told = folder.run("check m.stb --coverage --reduction none").out;
    let from = told.find("Never reached").expect("what never happens");
    expect![[r#"
        Never reached or taken (16 states were searched):
          m.stb:21:17  x = 1               no run goes into this branch
          m.stb:32:13  if x < 3 or n == 0  this is never false
          m.stb:33:13  if n > 0            this is never true
          m.stb:34:41  x = 3               no run goes into this branch
    "#]]
    .assert_eq(&told[from..told.rfind("\n2 properties").expect("the end")]);
    let (_, object) = folder.json("check m.stb --coverage --reduction none");
    let never = object["coverage"]["never"].as_array().expect("a list");
    let told: Vec<_> = never
        .iter()
        .map(|one| json!([one["kind"], one["name"], one["range"]]))
        .collect();
    expect![[r#"
        [
          "branch",
          null,
          {
            "start": {
              "line": 21,
              "column": 17
            },
            "end": {
              "line": 22,
              "column": 58
            }
          }
        ]
    "#]]
    .assert_eq(&format!(
        "{}\n",
        serde_json::to_string_pretty(&told[0]).expect("json")
    ));
}

#[test]
fn what_becomes_of_branches_is_known_where_steps_are_searched_as_one_and_values_are_forgotten() {
    let text = "\
var g: 0..1
process p {
    var x: 0..3
    var y: 0..3
    loop {
        g = 1 - g
        do {
            x = (x + 1) % 3
            if x == 3 {
                y = 1
            } else { y = 2 }
        }
        do {
            if y == 1 {
                x = 2
            }
            y = 3
        }
        do { if x == 1 { y = 1 } else if x == 2 { y = 2 } else { y = 0 } }
        do {
            if y < 3 { g = 1 }
        }
        assert g == 1
    }
}
process q { loop { await g == 1 } }
";
    assert_eq!(lines(text), [10, 15, 21]);
}

#[test]
fn into_which_branch_others_lead_is_told_where_every_step_was_taken() {
    let text = "\
var g: 0..3
var n: 0..3
process p {
    var x: 0..3
    var own: 0..3
    loop {
        do {
            if g == 3 {
                x = 1
            } else { x = 2 }
            if x == 0 {
                x = 3
            }
            if own > 1 {
                own = 0
            } else { own = 1 - own }
        }
        await x != 3
    }
}
process q { loop { g = (g + 1) % 3 } }
process r(i in 0..1) {
    loop {
        await n < 3 do n = n + 1
        await n > 0 do n = n - 1
    }
}
";
    let folder = Folder::with("m.stb", text);
    let told = |options: &str| -> Vec<serde_json::Value> {
        let (_, object) = folder.json(&format!("check m.stb --coverage{options}"));
        assert_eq!(object["coverage"]["untold"], json!([]));
        let never = object["coverage"]["never"].as_array().expect("a list");
        let one = |one: &serde_json::Value| json!([one["kind"], one["range"]["start"]["line"]]);
        never.iter().map(one).collect()
    };
    let [first, second, own] = [9, 12, 15].map(|line| json!(["branch", line]));
    // Steps that were left out may come to the same by another branch: they are all taken once more.
    for options in [" --reduction none", ""] {
        assert_eq!(told(options), [&first, &second, &own].map(Clone::clone));
    }
}

#[test]
fn an_if_that_is_a_step_in_one_place_and_an_effect_in_another_is_told_of_both() {
    let text = |first: u32| {
        format!(
            "var n: 0..3\nvar x: 0..3\nmacro m() {{\n    if n > 1 {{\n        x = 1\n    }} else {{\n        \
             x = 2\n    }}\n}}\nprocess p {{\n    n = {first}\n    m()\n    n = 0\n    do {{ m(); n = 0 }}\n}}\n\
             invariant i: x < 3\n"
        )
    };
    assert_eq!(lines(&text(1)), [5]);
    assert_eq!(lines(&text(2)), [0; 0]);
}

/// What others assign to decides into which branch a step goes.
const SHARED: &str = "\
var many: 0..3
var first: 0..2
process p(i in 1..2) {
    do {
        if many > 2 { first = i } else { many = many + 1 }
        if first == 0 { first = i }
    }
    await first != 0
}
";

#[test]
fn of_branches_that_depend_on_others_every_step_is_taken_once_more() {
    let folder = Folder::with("shared.stb", SHARED);
    for how in ["", "--reduction none"] {
        let (_, object) = folder.json(&format!("check shared.stb --coverage {how}"));
        let never = object["coverage"]["never"].as_array().expect("a list");
        let told = never.iter().map(|one| {
            let start = &one["range"]["start"];
            json!([one["kind"], start["line"], start["column"]])
        });
        assert_eq!(
            told.collect::<Vec<_>>(),
            [json!(["branch", 5, 23])],
            "{how}: {object}"
        );
    }
}

#[test]
fn of_what_a_property_alone_reads_every_step_is_taken_too() {
    let text = "\
enum Colour { red, green, blue }
var lamp: Colour
var n: 0..3
process p(i in 1..2) {
    loop {
        await n < 3
        lamp = green
        n = (n + 1) % 3
    }
}
invariant ok: lamp != blue
";
    assert_eq!(lines(text), [2]);
}

#[test]
fn of_branches_that_write_what_a_property_alone_reads_every_step_is_taken_too() {
    let text = "\
var g, y: 0..3
process q {
    do {
        if g == 1 { y = 1 } else { y = 2 }
    }
}
process s { g = 2 }
reachable hidden: y == 1
";
    assert_eq!(lines(text), [4]);
}

#[test]
fn where_taking_every_step_once_more_is_given_up_it_says_so() {
    let folder = Folder::with("wide.stb", &WIDE.replace("MANY", "49"));
    let (_, object) = folder.json("check wide.stb --coverage");
    assert_eq!(object["coverage"]["given_up"], true, "{object}");
    let output = folder.run("check wide.stb --coverage").out;
    assert!(
        output.contains(
            "Not known of some branches and values that depend on what several processes do: taking every step once \
             more was given up."
        ),
        "{output}"
    );
    let folder = Folder::with("small.stb", &WIDE.replace("MANY", "4"));
    let (_, object) = folder.json("check small.stb --coverage");
    assert_eq!(object["coverage"]["given_up"], false, "{object}");
}

/// What happens at the end depends on all processes before.
const WIDE: &str = "\
enum Colour { red, green, blue }
var lamp: Colour
var x, y, z: 0..MANY
process q { while x < MANY { x = x + 1 } }
process r { while y < MANY { y = y + 1 } }
process s { while z < MANY { z = z + 1 } }
process p(i in 1..2) {
    await x == MANY and y == MANY and z == MANY
    await lamp != blue
    do { if lamp == blue { lamp = red } else { lamp = green } }
}
";
