//! From bodies to points of control and steps (`language.md` §5).

use crate::support::*;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&system(text));
}

#[test]
fn the_choice_of_an_either_is_made_by_the_first_step() {
    check(
        "var x: 0..3
process p {
    loop {
        either { x = 1 }
        or     { either { x = 2 } or { break } }
        or     { }
        x = 3
    }
    while x < 2 { x = x + 1 }
}
invariant i: x < 4
",
        expect![[r#"
            var x: 0..3 = 0
            p:
              initial line 4:
                do x = 1 -> line 7
                do x = 2 -> line 7
                -> line 9
                -> line 7
              line 7:
                do x = 3 -> line 4
              line 9:
                if (x < 2) -> line 9 (2) else -> end
              line 9 (2):
                do x = (x + 1) -> line 9
              final end:
        "#]],
    );
}

#[test]
fn where_a_branch_is_empty_it_takes_a_step_and_the_either_is_not_final() {
    check(
        "var x: 0..3
process p { either { x = 1 } or { } }
process q { either { stop } or { a: x = 2 } }
invariant i: x < 4 and not p@end and not q@end and not q@a
",
        expect![[r#"
            var x: 0..3 = 0
            p:
              initial line 2:
                do x = 1 -> end
                -> end
              final end:
            q:
              initial line 3:
                -> end
                do x = 2 -> end
              final end:
        "#]],
    );
}

#[test]
fn the_step_of_a_branch_has_the_labels_of_its_first_statement() {
    check(
        "var x: 0..3
macro leave(v in 0..3) { final going: break; v = 1 }
macro pass(v in 0..3) { leave(v) }
process p {
    loop {
        either { x = 1 }
        or { a: final b: break }
        or for v in 0..1 { c: loop { d: break } }
    }
    loop {
        either { pass(x) } or { e: either { f: break } or { skip } }
        g: x = 2
    }
    h: break_at_last: x = 3
}
invariant i: x < 4 and p@a or p@b or p@c or p@d or p@e or p@f or p@g or p@h
",
        expect![[r#"
              2 | macro leave(v in 0..3) { final going: break; v = 1 }
                |                                              ^^^^^
            warning[unreachable]: the process never comes here; what stands before this never lets it through
            var x: 0..3 = 0
            p:
              initial final d:
                do x = 1 -> d
                -> line 11
                -> d
                -> d
              final line 11:
                -> h
                -> h
                -> g
              g:
                do x = 2 -> line 11
              h:
                do x = 3 -> end
              final end:
        "#]],
    );
}

#[test]
fn labels_hold_where_their_statement_is_next() {
    check(
        "var x: 0..3
process p {
    round: loop {
        first: either { a: x = 1 } or { b: skip; x = 2 }
        final wait: x = 3
    }
}
invariant i: x < 4 and p@round and p@first and p@a and p@b and p@{wait, first}
",
        expect![[r#"
            var x: 0..3 = 0
            p:
              initial round:
                do x = 1 -> wait
                -> line 4
              line 4:
                do x = 2 -> wait
              final wait:
                do x = 3 -> round
        "#]],
    );
}

#[test]
fn a_loop_begins_where_its_first_statement_does() {
    check(
        "var x: 0..3
process p {
    loop {
        loop {
            x = 1
            if x == 1 { break } else { skip }
        }
        if x == 2 { stop }
    }
}
invariant i: x < 4
",
        expect![[r#"
            var x: 0..3 = 0
            p:
              initial line 5:
                do x = 1 -> line 6
              line 6:
                if (x == 1) -> line 8 else -> line 6 (2)
              line 6 (2):
                -> line 5
              line 8:
                if (x == 2) -> line 8 (2) else -> line 5
              line 8 (2):
                -> end
              final end:
        "#]],
    );
}

#[test]
fn a_second_unnamed_place_on_a_line_is_counted() {
    check(
        "var x: 0..3
process p { x = 1; x = 2; here: x = 3; either { x = 0 } or { skip } await x == 0 do x = 1 }
invariant i: x < 4
",
        expect![[r#"
            var x: 0..3 = 0
            p:
              initial line 2:
                do x = 1 -> line 2 (2)
              line 2 (2):
                do x = 2 -> here
              here:
                do x = 3 -> line 2 (3)
              line 2 (3):
                do x = 0 -> line 2 (4)
                -> line 2 (4)
              line 2 (4):
                when (x == 0) do x = 1 -> end
              final end:
        "#]],
    );
}

#[test]
fn a_branch_for_each_value() {
    check(
        "var x: 0..3
process p(i in 0..1) {
    either for k in 0..1, b in bool { await b do x = k + i; done: skip }
    or { skip }
}
invariant i: x < 4 and p(0)@done
",
        expect![[r#"
            var x: 0..3 = 0
            p(0):
              initial line 3:
                when 0 do x = 0 -> done
                do x = 0 -> done
                when 0 do x = 1 -> done
                do x = 1 -> done
                -> end
              done:
                -> end
              done:
                -> end
              done:
                -> end
              done:
                -> end
              final end:
            p(1):
              initial line 3:
                when 0 do x = 1 -> done
                do x = 1 -> done
                when 0 do x = 2 -> done
                do x = 2 -> done
                -> end
              done:
                -> end
              done:
                -> end
              done:
                -> end
              done:
                -> end
              final end:
        "#]],
    );
}

#[test]
fn what_literals_and_constants_decide_leads_nowhere() {
    check(
        "const yes = true
var x: 0..1
process p {
    while yes { x = 1 - x }
}
process q {
    initial state a { when not yes -> b   -> c }
    state b
    state c
}
process r {
    initial state a { when x == 0 and false -> b   when x == 0 -> b }
    final state b
}
invariant i: not q@b
",
        expect![[r#"
              8 |     state b
                |           ^
            warning[unreachable]: no steps of its process lead to this state; it could be left out
            var x: 0..1 = 0
            p:
              initial line 4:
                if 1 -> line 4 (2) else -> line 4
              line 4 (2):
                do x = (1 - x) -> line 4
            q:
              initial a:
                when 0 -> a
                -> c
              c:
            r:
              initial a:
                when all((x == 0), 0) -> b
                when (x == 0) -> b
              final b:
        "#]],
    );
}

/// Whether nothing behind a `while` with this test is ever reached.
fn is_never_left(declarations: &str, test: &str) -> bool {
    let body = format!("while {test} {{ x = 1 - x }}\n x = 0");
    let text = format!("var x: 0..1\n{declarations}process p {{ {body} }}\ninvariant i: x < 2\n");
    let problems = problems(&text);
    assert!(!problems.contains("error"), "{problems}");
    problems.contains("the process never comes here")
}

#[test]
fn a_constant_decides_however_many_definitions_are_before_it() {
    for number in [2, 49, 50, 51, 52, 199, 200] {
        let chain = |first: &str, kind: &str, joined: &str| {
            let others = (1..number).map(|at| format!("{kind} d{at}{joined} d{}\n", at - 1));
            format!("{first}\n{}", others.collect::<String>())
        };
        let last = format!("d{}", number - 1);
        let constants = chain("const d0 = true", "const", " =");
        assert!(is_never_left(&constants, &last), "{number} constants");
        let definitions = chain("def d0: true", "def", ":");
        assert!(is_never_left(&definitions, &last), "{number} definitions");
        let of_state = chain("def d0: x < 2", "def", ":");
        assert!(!is_never_left(&of_state, &last), "{number} of the state");
        let of_param = chain("param open: 0..1 = 1\nconst d0 = open == 1", "const", " =");
        assert!(!is_never_left(&of_param, &last), "{number} of a `param`");
    }
}

#[test]
fn a_declaration_that_uses_one_twice_is_looked_at_once() {
    let doubled = |number: usize, first: &str| {
        let others = (1..number).map(|at| format!("const d{at} = d{0} and d{0}\n", at - 1));
        format!("const d0 = {first}\n{}", others.collect::<String>())
    };
    assert!(is_never_left(&doubled(150, "true"), "d149"));
    // What was found out for one holds for the next.
    let mixed = format!("param open: 0..1 = 1\n{}", doubled(3, "open == 1"));
    assert!(!is_never_left(&mixed, "d2 and d1"));
    assert!(!is_never_left(&mixed, "d1 and d2"));
}

#[test]
fn a_constant_decides_however_many_macros_hand_it_on() {
    let nested = |depth: usize, argument: &str, joined: &str| {
        let inner = "macro m0(v in bool) { while v { x = 1 - x }\n x = 0 }\n";
        let others =
            (1..depth).map(|at| format!("macro m{at}(v in bool) {{ m{}({joined}) }}\n", at - 1));
        let others: String = others.collect();
        let last = depth - 1;
        problems(&format!(
            "var x: 0..1\n{inner}{others}process p {{ m{last}({argument}) }}\ninvariant i: x < 2\n"
        ))
    };
    let never = "the process never comes here";
    for depth in [2, 50, 51, 52, 99] {
        let decided = nested(depth, "true", "v");
        assert!(
            decided.contains(never) && !decided.contains("error"),
            "{depth}: {decided}"
        );
        let of_state = nested(depth, "x < 2", "v");
        assert_eq!(of_state, "", "{depth}");
    }
    assert!(nested(10, "true", "v and v").contains(never));
}

#[test]
fn macros_are_expanded_in_place() {
    check(
        "var x: 0..3
var y: 0..3
macro set(v in 0..3, to in 0..3) { v = to, y = 0 }
macro twice(v in 0..3) { v = 1; set(v, 2) ; if v == 2 { break } }
process p {
    macro mine(e in 0..3) { z = e; inside: x = z }
    var z: 0..3
    loop { twice(x)
      skip
      on_top: mine(z + 1)
      do { set(y, 3) }
    }
}
invariant i: x + y < 9
",
        expect![[r#"
            var x: 0..3 = 0
            var y: 0..3 = 0
            p:
              var z: 0..3 = 0
              initial line 8:
                do x = 1 -> line 8 (2)
              line 8 (2):
                do x = 2, y = 0 -> line 8 (3)
              line 8 (3):
                if (x == 2) -> end else -> line 9
              line 9:
                -> on_top
              on_top:
                do p.z = (p.z + 1) -> line 10
              line 10:
                do x = p.z -> line 11
              line 11:
                do y = 3, y = 0 -> line 8
              final end:
        "#]],
    );
}

#[test]
fn states_keep_the_order_of_the_text() {
    check(
        "enum Color { red, green }
action a(Color, 0..2)
channel c[Color]: queue[2] of 0..2, bool
channel b: bag[1] of Color
var x: 0..2
var r: record { n: 0..2, open: bool }
process p(i in Color) {
    var k: Color = i
    initial state s {
        for v in 0..1 on a(i, v) when v == x do k = red           -> s
        on a(green, *) when r.n > 0 do k = i                        -> t
        send c[i](x, true)                                          -> s
        receive c[k](?x, false) when x > 0 do assert x != 1         -> s
        receive b(?k)                                               -> s
    }
    state t { do { x = any 0..2, k = any Color; for w in 0..1 { x = w }; if r.open { k = red } else { r.open = true, r.n = 1 } } -> s }
}
invariant i: len(c[red]) < 2 and x < 3 and empty(b)
",
        expect![[r#"
              7 | process p(i in Color) {
                |         ^
            hint[no-place-to-stop]: no process has a place where it may stop, so that the model is taken to go on for ever and `termination` is not checked; mark a state `final`, or give a process a `stop`, or write `termination not required`
            var x: 0..2 = 0
            var r: record { 0..2, 0..1 } = {n: 0, open: false}
            channel c[red]: queue[2] of 0..2, 0..1
            channel c[green]: queue[2] of 0..2, 0..1
            channel b: bag[1] of 0..1
            action a(0..1, 0..2)
            p(red): alphabet a(red,0) a(red,1) a(green,*)
              var k: 0..1 = red
              initial s:
                on a(0, 0) when (0 == x) do p(red).k = 0 -> s
                on a(0, 1) when (1 == x) do p(red).k = 0 -> s
                on a(1, *) when (r.0 > 0) do p(red).k = 0 -> t
                send c[red](x, 1) -> s
                receive c[p(red).k](?x, 0) when (x > 0) do assert (x != 1) -> s
                receive b(?p(red).k) -> s
              t:
                choose #0 in 0..2 choose #1 in 0..1 do x = #0, p(red).k = #1, x = 0, x = 1, if r.1 { p(red).k = 0 } else { r.open = 1, r.n = 1 } -> s
            p(green): alphabet a(green,*)
              var k: 0..1 = green
              initial s:
                on a(1, 0) when (0 == x) do p(green).k = 0 -> s
                on a(1, 1) when (1 == x) do p(green).k = 0 -> s
                on a(1, *) when (r.0 > 0) do p(green).k = 1 -> t
                send c[green](x, 1) -> s
                receive c[p(green).k](?x, 0) when (x > 0) do assert (x != 1) -> s
                receive b(?p(green).k) -> s
              t:
                choose #0 in 0..2 choose #1 in 0..1 do x = #0, p(green).k = #1, x = 0, x = 1, if r.1 { p(green).k = 0 } else { r.open = 1, r.n = 1 } -> s
        "#]],
    );
}

#[test]
fn an_empty_body_is_at_its_end() {
    check(
        "process p { }\n",
        expect![[r#"
        p:
          initial final end:
    "#]],
    );
}

#[test]
fn steps_are_in_the_order_of_the_text_then_of_the_values() {
    check(
        "var x: 0..9
process p {
    either for k in 0..1 {
        either for l in 0..1 { x = k * 2 + l } or { x = 4 + k }
    }
    or { for k in 6..7 when x == 0 do x = k }
    assert x < 9
}
",
        expect![[r#"
            var x: 0..9 = 0
            p:
              initial line 3:
                do x = 0 -> line 7
                do x = 1 -> line 7
                do x = 2 -> line 7
                do x = 3 -> line 7
                do x = 4 -> line 7
                do x = 5 -> line 7
                when (x == 0) do x = 6 -> line 7
                when (x == 0) do x = 7 -> line 7
              line 7:
                do assert (x < 9) -> end
              final end:
        "#]],
    );
}

#[test]
fn after_an_assignment_a_comma_goes_on_with_any_effect() {
    check(
        "var x, y: 0..3
macro bump(v in 0..3) { v = (v + 1) % 4, if v == 2 { v = 0 } }
macro low(v in 0..3) { assert v < 3 }
process p {
    x = 1, if x > y { y = 2 }, assert y > 0
    y = 0, for i in 0..1 { x = i, y = y + i }
    x = 2, low(x)
    do bump(x)
    bump(y)
}
",
        expect![[r#"
            var x: 0..3 = 0
            var y: 0..3 = 0
            p:
              initial line 5:
                do x = 1, if (x > y) { y = 2 } else {  }, assert (y > 0) -> line 6
              line 6:
                do y = 0, x = 0, y = (y + 0), x = 1, y = (y + 1) -> line 7
              line 7:
                do x = 2, assert (x < 3) -> line 8
              line 8:
                do x = ((x + 1) % 4), if (x == 2) { x = 0 } else {  } -> line 9
              line 9:
                do y = ((y + 1) % 4), if (y == 2) { y = 0 } else {  } -> end
              final end:
        "#]],
    );
}
