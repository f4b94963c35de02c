//! Some of a run, by the names of actions and where nothing is left.

use expect_test::expect;

use super::folder::Folder;
use super::trace_forms::{mail, run};

#[test]
fn an_action_may_be_named_and_what_leaves_nothing_has_no_head() {
    let ran = mail().run("check mail.stb --property at_most_one --only ring(card)");
    expect![[r#"
        step  who                  from → to      statement      what changed
          14  postman: ring(card)  rings → waits  on ring(held)
              house                line 23        on ring(*)

        13 of 14 steps are not shown: `--only` names nothing in them.

        mail.stb
        at_most_one  violated
    "#]]
    .assert_eq(&run(&ran));
    let ran = mail().run("check mail.stb --property at_most_one --only house");
    expect![[r#"
        step  who                  from → to  statement   what changed
          12  house: ring(letter)  line 23    on ring(*)
          14  house: ring(card)    line 23    on ring(*)

        12 of 14 steps are not shown: `--only` names nothing in them.

        mail.stb
        at_most_one  violated
    "#]]
    .assert_eq(&run(&ran));
    let text =
        "var x, y: 0..1\nprocess p { loop { x = 1 - x } }\nltl still: eventually always x == 0\n";
    let ran = Folder::with("m.stb", text).run("check m.stb --property still --only y");
    expect![[r#"
        hint[no-place-to-stop]: no process has a place where it may stop, so that the model is taken to go on for ever and `termination` is not checked; mark a state `final`, or give a process a `stop`, or write `termination not required`
         --> m.stb:2:9
        |
        2 | process p { loop { x = 1 - x } }
        |         ^

        violated[ltl]: still: from the start a cycle of 2 steps can be gone round for ever, and this run does not satisfy the formula
         --> m.stb:3:5
        |
        3 | ltl still: eventually always x == 0
        |     ^^^^^

        None of its 2 steps is shown: `--only` names nothing in them.

        m.stb
        still  violated
    "#]].assert_eq(&run(&ran));
}
