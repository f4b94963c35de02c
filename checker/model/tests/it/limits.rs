//! A text that grows too large when it is written out is refused with a number, and soon.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&problems(text));
}

#[test]
fn too_many_instances() {
    check(
        "process p(i in 0..99, j in 0..99) { stop }
process q(i in 0..0) { stop }
process r(i in 0..999_999_999_999) { stop }
",
        expect![[r#"
              2 | process q(i in 0..0) { stop }
                |         ^
            error[too-large]: `q` has 1 instances, after 10000 of other processes, and no more than 10000 can be checked; smaller types of its parameters would mend it
              3 | process r(i in 0..999_999_999_999) { stop }
                |         ^
            error[too-large]: `r` has 1000000000000 instances, after 10001 of other processes, and no more than 10000 can be checked; smaller types of its parameters would mend it
        "#]],
    );
}

#[test]
fn too_many_branches() {
    check(
        "var x: 0..3
action a(0..1_000_000)
process p {
    either for k in 0..999_999 { x = 1; x = 2 } or { skip }
    on a(*)
}
",
        expect![[r#"
              4 |     either for k in 0..999_999 { x = 1; x = 2 } or { skip }
                |                                         ^^^^^
            error[too-large]: the processes, with `either for` and macros expanded, have more than 200000 statements and steps, which is too large to check
        "#]],
    );
}

#[test]
fn too_many_values() {
    check(
        "var x: 0..3
process p {
    for k in 0..10_000_000 when x == 0;
    for k in 0..999, l in 0..999 when x == 0;
    for k in 0..999, l in 0..999 do { for m in 0..9_999, n in 0..9_999 { x = 1 } };
    do { for k in 0..9_999, l in 0..9_999 { } };
}
",
        expect![[r#"
              3 |     for k in 0..10_000_000 when x == 0;
                |              ^^^^^^^^^^^^^
            error[too-large]: these are 10000001 values, too many to check; a smaller range would mend it
              4 |     for k in 0..999, l in 0..999 when x == 0;
                |         ^^^^^^^^^^^
            error[too-large]: this `for` has more than 100000 values, too many to check; smaller ranges would mend it
              5 |     for k in 0..999, l in 0..999 do { for m in 0..9_999, n in 0..9_999 { x = 1 } };
                |                                                                          ^^^^^
            error[too-large]: with `for` and macros written out this step has more than 20000 effects, too many to check; smaller ranges would mend it
              6 |     do { for k in 0..9_999, l in 0..9_999 { } };
                |              ^^^^^^^^^^^^^
            error[too-large]: this `for` has more than 100000 values, too many to check; smaller ranges would mend it
        "#]],
    );
}

#[test]
fn too_many_steps() {
    check(
        "var x: 0..3
process p(i in 0..99) { for k in 0..9_999 when x == 0 do x = k % 2 }
",
        expect![[r#"
              2 | process p(i in 0..99) { for k in 0..9_999 when x == 0 do x = k % 2 }
                |         ^
            error[too-large]: the processes have more than 200000 steps with every value of `for`, too many to check; smaller ranges would mend it
        "#]],
    );
}

#[test]
fn macros_that_grow() {
    let mut text = String::from("var x: 0..3\nmacro m0 { x = 1; x = 2 }\n");
    for level in 1..40 {
        text += &format!("macro m{level} {{ m{0}(); m{0}() }}\n", level - 1);
    }
    text += "process p { m39(); assert x < 3 }\n";
    let found = problems(&text);
    assert!(found.contains("error[too-large]"), "{found}");
    assert!(found.len() < 2000, "{found}");
}

#[test]
fn effects_that_grow() {
    let mut text = String::from("var x: 0..3\nmacro m0 { x = 1, x = 2 }\n");
    for level in 1..40 {
        text += &format!("macro m{level} {{ m{0}() m{0}() }}\n", level - 1);
    }
    text += "process p { do { m39() } assert x < 3 }\n";
    let found = problems(&text);
    assert!(found.contains("error[too-large]"), "{found}");
    assert!(found.len() < 2000, "{found}");
}

#[test]
fn blocks_in_blocks() {
    let deep = |block: &str| {
        let mut text = String::from("skip");
        for _ in 0..120 {
            text = block.replace("…", &text);
        }
        text
    };
    let inner = deep("either { loop { … break } } or { stop }");
    let outer = deep("if x == 1 { … } else { m0() }");
    let text = format!(
        "var x: 0..3
macro m0 {{ {inner} }}
macro m1 {{ {outer} }}
macro m2 {{ {} }}
process p {{ m2() assert x < 3 }}
",
        outer.replace("m0", "m1")
    );
    let found = problems(&text);
    assert!(found.contains("error"), "{found}");
}

#[test]
fn many_empty_branches_one_after_the_other_are_as_many_choices() {
    let mut text = String::from("var x: 0..3\nprocess p {\n");
    for _ in 0..5_000 {
        text += "either { x = 1 } or { }\n";
    }
    text += "assert x < 3 }\n";
    assert_eq!(problems(&text), "");
}

#[test]
fn many_loops_that_begin_with_a_choice_in_each_other() {
    let mut text = String::from("var x: 0..3\nprocess p {\n");
    for _ in 0..55 {
        text += "loop { either { x = 1 } or { ";
    }
    text += "loop { either for v in 0..49_999 { assert x < 3 } }";
    text += &"} }".repeat(55);
    text += "}\n";
    let found = problems(&text);
    assert!(found.contains("error[too-large]"), "{found}");
    assert!(found.contains("are next at once"), "{found}");
}

#[test]
fn many_participants() {
    let text = "action a(0..9_999)
var x: array[0..9_999] of 0..1
process p(i in 0..4) { for k in 0..499 on a(k) do x[k] = 1 - x[k] }
";
    let found = problems(text);
    assert!(found.contains("error[joint-conflict]"), "{found}");
}
