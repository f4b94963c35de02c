//! Which properties are listed, under which names and where, and what errors take away.

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&properties(&program_of("model.stb", text, &[])));
}

#[test]
fn the_examples_of_the_language_have_no_problems() {
    let statements = include_str!("../language/peterson.stb");
    let states = include_str!("../language/peterson_states.stb");
    assert_eq!(problems(statements), "");
    assert_eq!(problems(states), "");
    let tester = include_str!("../language/peterson.tester");
    let program = program_of("peterson.tester", tester, &[("peterson.stb", statements)]);
    expect![[r#"
        errors (Errors) peterson.stb:10:9
        deadlock (Deadlock) peterson.stb:10:9
        termination (Termination) peterson.stb:10:9
        mutex (Invariant) peterson.stb:27:11
        access(0) (Progress) peterson.stb:28:10
        access(1) (Progress) peterson.stb:28:10
        access(2) (Progress) peterson.stb:28:10
        overtaking (Tester) peterson.tester:4:8
    "#]]
    .assert_eq(&properties(&program));
}

#[test]
fn the_order_is_that_of_the_text() {
    check(
        "invariant first(b in bool, k in 1..2): b or x < 3
var x: 0..3
termination not required
process p { initial final state a { when x < 3 do x = x + 1 -> a } }
deadlock allowed when x == 3
enum Color { red, green }
progress last(c in Color): may x == 2 or c == red
",
        expect![[r#"
            first(false,1) (Invariant) model.stb:1:11
            first(false,2) (Invariant) model.stb:1:11
            first(true,1) (Invariant) model.stb:1:11
            first(true,2) (Invariant) model.stb:1:11
            errors (Errors) model.stb:4:9
            deadlock (Deadlock) model.stb:5:1
            last(red) (Progress) model.stb:7:10
            last(green) (Progress) model.stb:7:10
        "#]],
    );
}

#[test]
fn built_in_properties_stand_at_the_first_process() {
    check(
        "var x: 0..3
process p { initial state a { when x < 3 do x = x + 1 -> a } }
process q { initial state a { -> a } }
",
        expect![[r#"
            errors (Errors) model.stb:2:9
            deadlock (Deadlock) model.stb:2:9
        "#]],
    );
    check(
        "var x: 0..3 invariant i: x < 3\n",
        expect![[r#"
        errors (Errors) model.stb:1:1
        deadlock (Deadlock) model.stb:1:1
        i (Invariant) model.stb:1:23
    "#]],
    );
    check(
        "process p { skip }\ndeadlock ignored\n",
        expect![[r#"
            errors (Errors) model.stb:1:9
            termination (Termination) model.stb:1:9
        "#]],
    );
}

#[test]
fn a_final_label_that_is_reached_is_a_place_to_stop() {
    check(
        "var x: 0..3
process p { loop { final rest: x = 1 - x % 2 } }
process q { while true { skip } final never: stop }
",
        expect![[r#"
            errors (Errors) model.stb:2:9
            deadlock (Deadlock) model.stb:2:9
            termination (Termination) model.stb:2:9
        "#]],
    );
    check(
        "var x: 0..3
process q { while true { x = 1 - x % 2 } final never: stop }
",
        expect![[r#"
            errors (Errors) model.stb:2:9
            deadlock (Deadlock) model.stb:2:9
        "#]],
    );
}

#[test]
fn an_error_in_a_property_takes_away_that_one_alone() {
    check(
        "const TOO_MUCH = 1 / 0
def half: x / TOO_MUCH
def good: x < 2
var x: 0..3
process p { initial final state a { when good do x = x + 1 -> a } }
invariant a: x < y
invariant b: half == 1
invariant c: good
deadlock allowed when x
ltl d: always next good
tester e { initial state s { on a -> t } }
refines f in traces
",
        expect![[r#"
            errors (Errors) model.stb:5:9
            termination (Termination) model.stb:5:9
            c (Invariant) model.stb:8:11
        "#]],
    );
}

#[test]
fn an_error_in_what_a_process_uses_takes_away_everything() {
    check(
        "const TOO_MUCH = 1 / 0
var x: 0..3
process p { initial final state a { when x < TOO_MUCH do x = x + 1 -> a } }
invariant c: x < 4
",
        expect![[r#"
            no model
              1 | const TOO_MUCH = 1 / 0
                |                  ^^^^^
            error[constant-fails]: `1 / 0` divides by zero, which fails
        "#]],
    );
}

#[test]
fn a_testers_properties_come_after_its_models() {
    let model = "use \"base.stb\"
process p { on go; stop }
invariant i: x < 3
";
    let base = "var x: 0..3
action go
process q { on go do x = 1 }
progress j: may x == 1
";
    let tester = "use \"model.stb\"
progress mine(k in 0..1): may x == k
tester t(k in 0..1) { initial state s { on go -> s } }
specification s(k in 0..1) { on go; stop }
refines s in infinite traces
buchi b { observe p = x == 0 initial infinite state s when p { -> s } }
testing w { observe p = x == 0 initial livelock state s when p { change p -> s } }
ltl l: always p@end
recurrence r: infinitely go implies infinitely {}
";
    let program = program_of(
        "t.tester",
        tester,
        &[("model.stb", model), ("base.stb", base)],
    );
    expect![[r#"
        errors (Errors) base.stb:3:9
        deadlock (Deadlock) base.stb:3:9
        termination (Termination) base.stb:3:9
        j (Progress) base.stb:4:10
        i (Invariant) model.stb:3:11
        mine(0) (Progress) t.tester:2:10
        mine(1) (Progress) t.tester:2:10
        t(0) (Tester) t.tester:3:8
        t(1) (Tester) t.tester:3:8
        refines s(0) in infinite traces (Refinement) t.tester:5:9
        refines s(1) in infinite traces (Refinement) t.tester:5:9
        b (Buchi) t.tester:6:7
        w (Testing) t.tester:7:9
        l (Ltl) t.tester:8:5
        r (Recurrence) t.tester:9:12
    "#]]
    .assert_eq(&properties(&program));
}
