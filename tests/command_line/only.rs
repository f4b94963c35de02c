//! Parts of a run by the names of actions, and parts without a step.

use expect_test::expect;

use super::folder::Folder;
use super::trace_forms::{mail, replayed};

#[test]
fn an_action_may_be_named_and_what_leaves_nothing_has_no_head() {
    let told = |only: &str| replayed(mail(), "mail.stb", "at_most_one", only);
    expect![[r#"
        step  who                  from → to      statement      what changed
          14  postman: ring(card)  rings → waits  on ring(held)
              house                line 23        on ring(*)

        13 of 14 steps are not shown: `--only` names nothing in them.
    "#]]
    .assert_eq(&told("--only ring(card)"));
    expect![[r#"
        step  who                  from → to  statement   what changed
          12  house: ring(letter)  line 23    on ring(*)
          14  house: ring(card)    line 23    on ring(*)

        12 of 14 steps are not shown: `--only` names nothing in them.
    "#]]
    .assert_eq(&told("--only house"));
    let text =
        "var x, y: 0..1\nprocess p { loop { x = 1 - x } }\nltl still: eventually always x == 0\n";
    let folder = Folder::with("m.stb", text);
    assert_eq!(
        replayed(folder, "m.stb", "still", "--only y"),
        "None of its 2 steps is shown: `--only` names nothing in them.\n"
    );
}
