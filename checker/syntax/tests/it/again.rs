//! A text that is parsed again after an edit becomes what it becomes by itself.
//!
//! `PROPTEST_CASES=20000 cargo test -p stubborn-syntax --test it again` goes through more edits than are
//! gone through every time.

use std::cell::Cell;
use std::fmt::Write;

use proptest::prelude::*;
use stubborn_syntax::lexer::lex;
use stubborn_syntax::{Interrupted, Parse, parse, parse_again};

use crate::survival::{good_texts, token};

/// Each text is parsed after the one before it, and becomes what it becomes by itself.
fn check_one_after_the_other<T: AsRef<str>>(first: &str, texts: impl IntoIterator<Item = T>) {
    let (mut old, mut before) = (first.to_owned(), parse(first));
    for text in texts {
        let text = text.as_ref();
        before = again(&before, &old, text).0;
        let by_itself = parse(text);
        let tree = |parse: &Parse| format!("{:#?}", parse.syntax());
        if before != by_itself {
            // What a person would look at first.
            assert_eq!(before.errors, by_itself.errors, "{old}\n---\n{text}");
            assert_eq!(before.warnings, by_itself.warnings, "{old}\n---\n{text}");
            assert_eq!(tree(&before), tree(&by_itself), "{old}\n---\n{text}");
            assert_eq!(before, by_itself, "{old}\n---\n{text}");
        }
        old = text.to_owned();
    }
}

/// What becomes of the text, and how often it is asked whether to end.
fn again(before: &Parse, old: &str, text: &str) -> (Parse, u32) {
    let asked = Cell::new(0);
    let count = || {
        asked.set(asked.get() + 1);
        false
    };
    let parse = parse_again(before, old, text, &count).expect("nobody ends it");
    (parse, asked.get())
}

/// Items of each kind, many of them with something that the parser tells or looks further for.
const ITEMS: &[&str] = &[
    "const N = 3",
    "const M: 0..3 = N +",
    "type T = 0..3",
    "enum E { a, b }",
    "enum process { a, process, b }",
    "var x, y: T = 1",
    "var x = 1 var y: T",
    "channel c[T]: queue[1] of T",
    "action go(T)",
    "action go, stay",
    "/// Says.\ndef d(i in T): i == x",
    "def d(i in T) = i",
    "def",
    "macro m(i in T) { x = i; on go(1)",
    "macro m { for }",
    "process p { x = 1 on go(1) }",
    "process p(i in T) {\n    var z: T\n    initial state s { when z == 1 -> s }\n}",
    "  process p { on go(1)\n  when x == 1 }",
    "process p {\n    x = 1\n    loop { on go(1) when x == 1\n",
    "process p { if x == 1 { y = [1, (2 } ; on go(1) when y == 2 when }",
    "process p { any x }\n}",
    "process p x = 1 }",
    "procces p { skip }",
    "tester t { initial state s { on go(1) -> s when } }",
    "buchi b { observe o = x == 1 state s -> s }",
    "invariant i: x == 99999999999999999999",
    "ltl l: always x == 1 U y == 2;",
    "progress p: may",
    "recurrence r: infinitely",
    "recurrence r: infinitely { go } implies infinitely { go",
    "deadlock allowed when x == 1",
    "deadlock",
    "fair process p { x = 1 }",
    "fair",
    "fair f: go",
    "strongly fair f(i in T): { p(i), go",
    "strongly",
    "fair p(1)",
    "fair tester t { initial state s }",
    "termination not required",
    "use \"m.stb\"",
    "use \"m.stb",
    "state s",
    "x = 1",
    "x 'a' ä",
    "~~",
    "}",
    ")",
    ";",
    "/* said /* twice */ */",
    "/* open",
    "*/",
    "// said",
    "",
];

fn item() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(ITEMS)
}

/// What stands between two items.
fn between() -> impl Strategy<Value = &'static str> {
    proptest::sample::select(
        &[
            "\n",
            "\n",
            "\n",
            "\n\n",
            "\r\n",
            "\n// why\n",
            " ",
            "\n\u{FEFF}",
        ][..],
    )
}

fn text() -> impl Strategy<Value = String> {
    let items = proptest::collection::vec((item(), between()), 0..12);
    let made = items.prop_map(|items| items.iter().flat_map(|(a, b)| [*a, *b]).collect());
    prop_oneof![
        4 => made,
        1 => (0..100usize).prop_map(|which| {
            let texts = good_texts();
            texts[which % texts.len()].clone()
        }),
    ]
}

/// An edit at a place: what kind, how much it takes away, and what it puts there.
type Edit = (u8, f64, usize, &'static str, &'static str);

fn edit() -> impl Strategy<Value = Edit> {
    (0..9u8, 0.0..1.0f64, 0..12usize, token(), item())
}

fn edited(text: &str, (kind, place, length, token, item): Edit) -> String {
    let (tokens, _) = lex(text);
    let at = (place * tokens.len() as f64) as usize;
    let start = |at: usize| {
        tokens
            .get(at)
            .map_or(text.len(), |token| token.range.start().into())
    };
    let character = |at: f64| {
        let mut at = (at * text.len() as f64) as usize;
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let (from, to, new) = match kind {
        0 => (start(at), start(at + 1), token),
        1 => (start(at), start(at), token),
        2 => (start(at), start(at + 1), ""),
        3 => (start(at), start(at + length), ""),
        4 => (start(at), start(at), item),
        5 => (start(at), start(at), "\n"),
        6 => (character(place), character(place), "q"),
        7 => (character(place), character(place), token),
        _ => {
            let from = character(place);
            let to = text[from..].chars().next().map_or(0, char::len_utf8);
            (from, from + to, "")
        }
    };
    format!("{}{new}{}", &text[..from], &text[to..])
}

fn cases() -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_edits_one_after_the_other_give_what_each_text_gives_by_itself(
        first in text(),
        edits in proptest::collection::vec(edit(), 1..8),
    ) {
        let mut text = first.clone();
        let texts = edits.into_iter().map(|edit| {
            text = edited(&text, edit);
            text.clone()
        });
        check_one_after_the_other(&first, texts);
    }
}

#[test]
fn any_token_of_a_good_text_may_be_left_out_and_come_back() {
    for text in good_texts() {
        let without = |token: &stubborn_syntax::lexer::Token| {
            let (from, to): (usize, usize) = (token.range.start().into(), token.range.end().into());
            [format!("{}{}", &text[..from], &text[to..]), text.clone()]
        };
        let tokens = lex(&text).0;
        check_one_after_the_other(&text, tokens.iter().step_by(7).flat_map(without));
    }
}

#[test]
fn what_an_item_was_read_from_may_stand_far_behind_it() {
    let first = "process p {\n    x = 1\nconst N = 1\nconst M = 2\nconst O = 3\n";
    // The brace that is missing comes with the last item, and goes.
    let closed = format!("{first}}}\n");
    check_one_after_the_other(first, [&closed, first, &closed]);
    // So does the place of a message that names a line.
    let moved = format!("const L = 0\n\n{first}");
    check_one_after_the_other(first, [&moved, first, &moved.replace("\n\n", "\n")]);
}

/// So many definitions, with this one in their middle.
fn definitions(count: usize, middle: &str) -> String {
    let mut text = String::new();
    for number in 0..count {
        let _ = match number == count / 2 {
            true => writeln!(text, "{middle}"),
            false => writeln!(
                text,
                "def d{number}(i in 0..3): i == level or level <= {number}"
            ),
        };
    }
    text
}

#[test]
fn a_key_in_one_item_of_many_reads_that_item_alone() {
    let text = definitions(2000, "def middle: level == 1");
    let before = parse(&text);
    for middle in [
        "def middle: levelq == 1",
        "def middle: level == ",
        "def middle(i in 0..3): level == 1",
        "process middle { on a when b }",
        "",
        "// gone",
        "const a = 1\nconst b = 2",
    ] {
        let text_now = definitions(2000, middle);
        let (now, asked) = again(&before, &text, &text_now);
        assert!(now == parse(&text_now), "{middle}");
        assert_eq!(asked, 0, "{middle}");
        // And back, from one with a mistake.
        assert_eq!(
            again(&now, &text_now, &text),
            (before.clone(), 0),
            "{middle}"
        );
    }
    // The whole asks for each of some thousand tokens.
    let (_, asked) = again(&parse(""), "", &text);
    assert!(asked > 20, "{asked}");
}

#[test]
fn an_item_without_its_end_is_read_with_all_behind_it() {
    let text = definitions(200, "process middle { skip }");
    for middle in [
        "process middle { skip ",
        "/* process middle",
        "process middle { (",
        "}",
    ] {
        let open = definitions(200, middle);
        check_one_after_the_other(&text, [&open, &text]);
    }
    // What closes it may stand behind another.
    let apart = "process p { skip }\nprocess q { skip }\n}\nconst N = 1\n";
    let within = apart.replacen(" }\n", "\n", 1);
    check_one_after_the_other(apart, [&within, apart]);
}

#[test]
fn that_a_tree_is_too_deep_is_told_once_whichever_item_becomes_so() {
    let deep = format!("def d: {}1\n", "1 + ".repeat(700));
    let both = format!("{deep}const N = 1\nconst M = 2\n{deep}");
    let first = format!("{deep}const N = 1\nconst M = 2\ndef d: 1\n");
    let last = format!("def d: 1\nconst N = 1\nconst M = 2\n{deep}");
    let none = "def d: 1\nconst N = 1\nconst M = 2\ndef d: 1\n";
    let texts = [&*first, none, &last, &both, &first, &both, &last, none];
    check_one_after_the_other(&both, texts);
}

#[test]
fn parsing_again_can_be_ended_on_its_way() {
    let text = definitions(2000, "def middle: level == 1");
    let ended = parse_again(&parse(""), "", &text, &|| true);
    assert_eq!(ended.err(), Some(Interrupted));
}
