//! Syntax errors: one message each, and the rest of the file is still read.

use expect_test::expect;

use super::{program, read};

/// Where each message is and what it is about; the words of syntax errors are the parser's.
fn told(text: &str, expected: expect_test::Expect) {
    let program = program(text);
    let mut lines = String::new();
    for problem in read(&program, &[]).problems {
        let at = program.files[0].position(problem.span.unwrap().start);
        lines += &format!("{}:{} {}\n", at.line, at.column, problem.code.as_str());
    }
    expected.assert_eq(&lines);
}

#[test]
fn a_syntax_error_makes_no_other_message() {
    told(
        "var x: 0..\nvar y 0..3\nvar z: = 1\nconst a = \nconst b: = 3\ntype T = \nenum E { }\nparam N: = 3\ninvariant i: x == y and z == a + b\ninvariant j: x == \ninvariant k: (x == 1\ninvariant l: x = 1\ninvariant m: not\n",
        expect![[r#"
            1:11 syntax
            2:6 syntax
            3:7 syntax
            4:10 syntax
            5:9 syntax
            6:9 syntax
            7:6 empty-type
            8:9 syntax
            10:18 syntax
            11:21 syntax
            12:16 syntax
            13:17 syntax
        "#]],
    );
}

#[test]
fn what_follows_a_syntax_error_is_still_read() {
    told(
        "var x: 0..3 = (1 + \nvar y: bool\ninvariant i: y + 1 == x\nchannel c: queue of bool\nchannel d: queue[1]\naction a(0..\nprocess p(i in ) { state s }\ndef f(x in 0..3) x\ninvariant k: f(1) and empty(c) and empty(d)\n",
        expect![[r#"
            1:19 syntax
            3:14 wrong-type
            4:17 syntax
            5:20 syntax
            6:13 syntax
            7:15 syntax
            8:17 syntax
            9:14 wrong-type
        "#]],
    );
}

#[test]
fn operators_of_other_languages_are_told_once() {
    told(
        "var x: 0..3\nvar b: bool\ninvariant i: x => b\ninvariant j: b & b\ninvariant k: x := 3\ninvariant l: b ? b : b\ninvariant m: x == 1 == b\ninvariant n: 0x12 == x\ninvariant o: x.y.z\n",
        expect![[r#"
            3:16 syntax
            4:16 syntax
            5:16 syntax
            6:16 syntax
            7:21 syntax
            8:14 syntax
            9:16 wrong-type
        "#]],
    );
}

#[test]
fn comparisons_that_chain_are_told_once() {
    told(
        "var x: 0..3\nvar b: bool\ninvariant i: x == 1 == 2\ninvariant j: x < 2 == x\ninvariant k: x in {1} in {2}\ninvariant l: b == x < 3\ndef d(y in 0..3): y\ninvariant m: d(x < 1 < 2) == 1\n",
        expect![[r#"
            3:21 syntax
            4:20 syntax
            5:23 syntax
            6:21 syntax
            8:22 syntax
        "#]],
    );
}

#[test]
fn a_field_called_by_a_reserved_word_is_told_where_it_stands() {
    told(
        "type R = record { cars: 0..2, on: bool }\nvar r: R = {on: true, cars: 1}\ninvariant i: r.on and r.cars == 1\ninvariant j: r. and r.cars == 1\n",
        expect![[r#"
            1:31 syntax
            2:13 syntax
            3:16 syntax
            4:16 syntax
        "#]],
    );
}
