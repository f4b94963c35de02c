//! The formatter changes white space alone, keeps every comment, and has nothing left to do the
//! second time.

use std::path::Path;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use stubborn_syntax::lexer::lex;
use stubborn_syntax::{SyntaxKind, format, parse};

fn good_texts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of good texts can be read")
        .map(|entry| entry.expect("so can its entries").path())
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a good text"))
        .collect()
}

/// The tokens, comments among them, without the white space.
fn tokens(text: &str) -> Vec<String> {
    let tokens = lex(text).0;
    let tokens = tokens
        .iter()
        .filter(|token| token.kind != SyntaxKind::WHITESPACE);
    tokens
        .map(|token| text[token.range].trim_end().to_string())
        .collect()
}

/// Formats the text and holds the formatter to its promises.
fn formatted(text: &str) -> String {
    let once = format(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    assert_eq!(tokens(&once), tokens(text), "{text}");
    assert_eq!(parse(&once).errors, [], "{once}");
    let twice = format(&once).unwrap_or_else(|errors| panic!("{errors:?}\n{once}"));
    assert_eq!(twice, once, "{text}");
    once
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&formatted(text));
}

#[test]
fn the_examples_of_the_language_are_left_alone() {
    for name in [
        "peterson_statements.stb",
        "every_form.stb",
        "every_form.tester",
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/good")
            .join(name);
        let text = std::fs::read_to_string(path).expect("a good text");
        let squeezed = |text: &str| {
            let lines = text
                .lines()
                .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
            lines.collect::<Vec<_>>()
        };
        assert_eq!(squeezed(&formatted(&text)), squeezed(&text));
    }
}

#[test]
fn arrows_braces_and_comments_of_lines_that_follow_each_other_are_aligned() {
    check(
        "process p {
initial state a {  // first
on ask(1)   do j=0->b   // one
-> c // another
when not x -> c

when x -> a
}
state b {do x=1->a}
state longer { do x = 12 -> b }
final state c}
tester t { initial state s { on a->s on b(1)-> other }
state other{on a -> s on b(1) -> s }
}
",
        expect![[r#"
            process p {
                initial state a {  // first
                    on ask(1) do j = 0   -> b  // one
                                         -> c  // another
                    when not x           -> c

                    when x               -> a
                }
                state b      { do x = 1  -> a }
                state longer { do x = 12 -> b }
                final state c
            }
            tester t {
                initial state s { on a -> s   on b(1) -> other }
                state other     { on a -> s   on b(1) -> s }
            }
        "#]],
    );
}

#[test]
fn blocks_are_on_one_line_or_have_their_braces_apart() {
    check(
        "process p
{
var x: 0..3
if x==1 { skip } else if x==2 { skip
skip } else
{
}
either { stop } or for k in T { on a(k) }
loop
{ x = 1,
y = 2
break }
do { x = 1
y = 2 }
}
process q { var x: bool skip; stop }
process r { skip }
enum E { a,
b }
",
        expect![[r#"
            process p {
                var x: 0..3
                if x == 1 { skip } else if x == 2 {
                    skip
                    skip
                } else { }
                either { stop } or for k in T { on a(k) }
                loop {
                    x = 1,
                        y = 2
                    break
                }
                do {
                    x = 1
                    y = 2
                }
            }
            process q {
                var x: bool
                skip; stop
            }
            process r { skip }
            enum E {
                a,
                b
            }
        "#]],
    );
}

#[test]
fn where_stands_between_spaces() {
    check(
        "invariant a(i  in T,j in T   where(i!=j)): x
process p(i in T
where i>0) { skip }
",
        expect![[r#"
            invariant a(i in T, j in T where (i != j)): x
            process p(i in T
                where i > 0) { skip }
        "#]],
    );
}

#[test]
fn lines_that_go_on_stand_deeper() {
    check(
        "invariant a: x ==
1 and
(y
or z)
def f(x in T,
y in U): g(x,
y)
process p {
on a(1)
when x
do y = 1,
z = 2
L:
await x
and y
}
const C = [
1, 2,
3
]
",
        expect![[r#"
            invariant a: x ==
                1 and
                (y
                    or z)
            def f(x in T,
                y in U): g(x,
                    y)
            process p {
                on a(1)
                    when x
                    do y = 1,
                    z = 2
                L:
                await x
                    and y
            }
            const C = [
                1, 2,
                3
            ]
        "#]],
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "

// at the beginning


// of a file
/* and */ var x: bool /* within */ = /* a */ true // end


/// Documented.
process p { // opener

// alone
skip /* after */ ; // last
/* before */ stop
// closing

}
/* of
   several
 lines */
// the end",
        expect![[r#"
            // at the beginning

            // of a file
            /* and */
            var x: bool /* within */ = /* a */ true  // end

            /// Documented.
            process p {  // opener

                // alone
                skip /* after */ ;  // last
                /* before */ stop
                // closing
            }
            /* of
               several
             lines */
            // the end
        "#]],
    );
}

#[test]
fn the_brackets_of_sets_and_lists_have_their_spaces() {
    check(
        "var s:set of 0..3={ 1,2 }\nvar l:list [3]of bool=[ ]\nprocess p { s={ x in 0..3:x!=1 }-{ }; l=l [1 .. len(l)-1]; await 1 in { 1 }+s and 1 in { 1 } }\n",
        expect![[r#"
            var s: set of 0..3 = {1, 2}
            var l: list[3] of bool = []
            process p { s = {x in 0..3: x != 1}-{}; l = l[1..len(l)-1]; await 1 in {1}+s and 1 in {1} }
        "#]],
    );
}

#[test]
fn operators_and_brackets_have_their_spaces() {
    check(
        "const a=-1+2*3-4*-f( 1 ,2 )[ 3 ] . x
const b = N-1 <M - 1 and!c&&not  d
const c = { f : 1 , g:[ 1,2 ] }
invariant d: p ( 1 )@ { a , b } and x in{1,2} and q @ s
invariant e: forall x in 0 .. N-1 , y in bool:count( x in T:y )<1
ltl f: [ ]p->< >( q U r )
recurrence g: infinitely{a,b( * )}implies infinitely { }
channel c [ T ] : queue [ 3 ] of T , U
type A = array [ T ] of record{ x:bool }
process p { send c [ 1 ]( ? x , * );receive d( ?a[1] ) }
",
        expect![[r#"
            const a = -1+2*3-4*-f(1, 2)[3].x
            const b = N-1 < M - 1 and !c && not d
            const c = {f: 1, g: [1, 2]}
            invariant d: p(1)@{a, b} and x in {1, 2} and q@s
            invariant e: forall x in 0..N-1, y in bool: count(x in T: y) < 1
            ltl f: [] p -> <> (q U r)
            recurrence g: infinitely {a, b(*)} implies infinitely {}
            channel c[T]: queue[3] of T, U
            type A = array[T] of record { x: bool }
            process p { send c[1](?x, *); receive d(?a[1]) }
        "#]],
    );
}

#[test]
fn the_line_ends_of_a_file_stay_of_their_kind() {
    assert_eq!(
        formatted("var x:bool\r\n\r\n\r\nvar y:bool"),
        "var x: bool\r\n\r\nvar y: bool\r\n"
    );
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("\n\n  \n"), "");
}

#[test]
fn a_mark_of_the_byte_order_stays() {
    assert_eq!(formatted("\u{feff}var x:bool\n"), "\u{feff}var x: bool\n");
    assert_eq!(formatted("\u{feff}"), "\u{feff}");
}

#[test]
fn a_text_with_errors_is_refused_with_the_reason() {
    let errors = format("var x: ").expect_err("a type is missing");
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].message, "expected a type");
}

fn space() -> impl Strategy<Value = &'static str> {
    prop_oneof![
        6 => Just(" "),
        3 => Just("\n"),
        1 => Just("\n\n\n"),
        1 => Just("   "),
        1 => Just(" // why\n"),
        1 => Just("\n  /// docs \n"),
        1 => Just("/* a */"),
        1 => Just(" /* a */ /* b */\n"),
        1 => Just("\r\n /* a\n  b */ "),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_layout_of_a_good_text_is_formatted_once_and_for_all(
        which in 0..100usize,
        spaces in proptest::collection::vec(space(), 200),
        from in 0.0..1.0f64,
    ) {
        let texts = good_texts();
        let text = &texts[which % texts.len()];
        let tokens = lex(text).0;
        let from = (from * tokens.len() as f64) as usize;
        let mut spaces = spaces.iter();
        let mut other = String::new();
        for (number, token) in tokens.iter().enumerate() {
            if number > 0 && text[tokens[number - 1].range].starts_with("//") {
                other += "\n";
            }
            let there = token.kind == SyntaxKind::WHITESPACE && number >= from;
            other += there.then(|| spaces.next()).flatten().unwrap_or(&&text[token.range]);
        }
        formatted(&other);
    }
}

#[test]
fn the_condition_of_what_is_expected_stays_on_its_line_or_goes_on_behind_it() {
    check(
        "expect  violated : a,b( 1 )when x==1
expect violated: c
when y
",
        expect![[r#"
            expect violated: a, b(1) when x == 1
            expect violated: c
                when y
        "#]],
    );
}
