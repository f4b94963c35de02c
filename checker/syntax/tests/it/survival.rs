//! No input makes the parser panic, lose a character, or fear for its stack.

use std::cell::Cell;
use std::path::Path;
use std::time::Instant;

use proptest::prelude::*;
use stubborn_syntax::lexer::lex;
use stubborn_syntax::{
    MAX_NESTING, MAX_TREE_DEPTH, Parse, SyntaxNode, Unformatted, format_within, parse, parse_within,
};

pub fn good_texts() -> Vec<String> {
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

/// Parses the text and holds the parser to its promises.
fn survives(text: &str) -> Parse {
    let parse = parse(text);
    assert_eq!(parse.syntax().to_string(), text);
    for problem in parse.errors.iter().chain(&parse.warnings) {
        assert!(
            usize::from(problem.range.end()) <= text.len(),
            "{problem:?}"
        );
        assert!(
            text.is_char_boundary(problem.range.start().into()),
            "{problem:?}"
        );
        assert!(!problem.message.is_empty());
    }
    assert!(parse.errors.is_sorted_by_key(|error| error.range.start()));
    parse
}

/// Everything that may stand in a text.
const TOKENS: &[&str] = &[
    "x",
    "initial",
    "final",
    "deadlock",
    "termination",
    "fair",
    "strongly",
    "errors",
    "always",
    "U",
    "X",
    "next",
    "of",
    "queue",
    "infinitely",
    "0",
    "17",
    "9223372036854775808",
    "1_",
    "\"file\"",
    "\"file",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ";",
    ":",
    "::",
    ":=",
    ".",
    "..",
    "->",
    "=>",
    "@",
    "?",
    "+",
    "-",
    "*",
    "/",
    "%",
    "=",
    "==",
    "!",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "&",
    "|",
    "#",
    "ä",
    "int",
    "byte",
    "let",
    "mut",
    "mtype",
    "init",
    "never",
    "active",
    "inline",
    "typedef",
    "struct",
    "proc",
    "chan",
    "proctype",
    "define",
    "include",
    "begin",
    "end",
    "elif",
    "switch",
    "match",
    "select",
    "forever",
    "repeat",
    "choose",
    "with",
    "run",
    "go",
    "wait",
    "until",
    "print",
    "printf",
    "goto",
    "continue",
    "recv",
    "put",
    "set",
    "EXCEPT",
    "IF",
    "THEN",
    "mod",
    "is",
    "as",
    "at",
    "leads_to",
    "xor",
    "G",
    "F",
    "AG",
    "EF",
    "all",
    "some",
    "range",
    "accept",
    "reject",
    "reachable",
    "expect",
    "violated",
    "UNCHANGED",
    "VARIABLES",
    "c.send",
    "lock",
    "zähler",
    "/\\",
    "\\/",
    "\\in",
    "\\A",
    "~>",
    "~",
    "'",
    "**",
    "<<",
    "<-",
    "--",
    "“",
    "//c\n",
    "///d\n",
    "/*",
    "*/",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
];

pub fn token() -> impl Strategy<Value = &'static str> {
    use stubborn_syntax::SyntaxKind;
    prop_oneof![
        proptest::sample::select(TOKENS),
        proptest::sample::select(SyntaxKind::RESERVED_WORDS),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]

    #[test]
    fn random_bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        survives(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random_tokens_survive(
        tokens in proptest::collection::vec(token(), 0..120),
        space in proptest::bool::ANY,
    ) {
        survives(&tokens.join(if space { " " } else { "" }));
    }

    #[test]
    fn broken_examples_survive(
        which in 0..100usize,
        breaks in proptest::collection::vec((0..5u8, 0.0..1.0f64, token()), 1..6),
    ) {
        let texts = good_texts();
        let text = &texts[which % texts.len()];
        let mut tokens: Vec<String> =
            lex(text).0.iter().map(|token| text[token.range].to_string()).collect();
        for (kind, place, other) in breaks {
            let at = (place * tokens.len() as f64) as usize;
            match kind {
                _ if tokens.is_empty() => {}
                0 => tokens.truncate(at),
                1 => drop(tokens.remove(at)),
                2 => tokens.insert(at, tokens[at].clone()),
                3 => tokens[at] = other.to_string(),
                _ => tokens.insert(at, other.to_string()),
            }
        }
        survives(&tokens.concat());
    }
}

fn depth(root: &SyntaxNode) -> usize {
    let mut deepest = 0;
    let mut depth = 0usize;
    for event in root.preorder() {
        match event {
            rowan::WalkEvent::Enter(_) => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            rowan::WalkEvent::Leave(_) => depth -= 1,
        }
    }
    deepest
}

/// On a stack of 2 MB, as the threads of a server have: the text is refused, and the tree is no
/// danger to those who walk it.
fn is_refused(text: String) {
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let parse = survives(&text);
            assert!(!parse.errors.is_empty(), "accepted: {}…", &text[..60]);
            assert!(
                parse.errors.len() <= 3,
                "{:?}: {}…",
                &parse.errors[..4],
                &text[..60]
            );
            assert!(depth(&parse.syntax()) <= MAX_TREE_DEPTH);
        });
    thread
        .expect("a thread")
        .join()
        .expect("the text is refused without a crash");
}

const DEEP: usize = 20_000;

#[test]
fn what_is_nested_too_deep_is_refused_with_a_message() {
    let around = |open: &str, middle: &str, close: &str| {
        format!("{}{middle}{}", open.repeat(DEEP), close.repeat(DEEP))
    };
    for expression in [
        around("(", "1", ")"),
        around("(1 + ", "1", ")"),
        "(".repeat(DEEP),
        around("-", "1", ""),
        around("not ", "true", ""),
        around("a[", "1", "]"),
        "a[".repeat(DEEP),
        around("[", "1", "]"),
        around("f(", "1", ")"),
        around("{f: ", "1", "}"),
        around("if a then ", "1", " else 2"),
        around("if a then 1 else ", "1", ""),
        around("forall x in T: ", "true", ""),
        around("count(x in T: ", "true", ")"),
        around("", "a", ".f"),
        around("", "a", "[0]"),
        around("1 + ", "1", ""),
        around("1 == ", "1", ""),
        around("a and ", "a", ""),
        around("a implies ", "a", ""),
    ] {
        is_refused(format!("invariant x: {expression}\n"));
    }
    for formula in [
        around("[]", "a", ""),
        around("<>", "a", ""),
        around("always ", "a", ""),
        around("a -> ", "a", ""),
        around("a U ", "a", ""),
        around("(a W ", "a", ")"),
    ] {
        is_refused(format!("ltl x: {formula}\n"));
    }
    for ty in [
        around("array[bool] of ", "bool", ""),
        around("record { f: ", "bool", " }"),
    ] {
        is_refused(format!("type x = {ty}\n"));
    }
    for body in [
        around("loop { ", "skip", " }"),
        "loop { ".repeat(DEEP),
        around("if a { ", "skip", " }"),
        around("either { ", "skip", " }"),
        around("if a { skip } else ", "{ skip }", ""),
        around("do { if a { ", "x = 1", " } }"),
        format!("do {{ {} }}", around("if a { ", "x = 1", " }")),
        format!("do {{ {} }}", around("for k in T { ", "x = 1", " }")),
        around("{ ", "skip", " }"),
    ] {
        is_refused(format!("process p {{ {body} }}\n"));
    }
    is_refused(around("/* ", "deep", " */"));
}

#[test]
fn what_is_nested_as_deep_as_is_allowed_is_read() {
    let deep = MAX_NESTING - 2;
    let text = format!(
        "invariant x: {}1{} == 1\n",
        "(".repeat(deep),
        ")".repeat(deep)
    );
    assert_eq!(parse(&text).errors, []);
    let chain = format!("invariant x: 1{} > 0\n", " + 1".repeat(500));
    assert_eq!(parse(&chain).errors, []);
}

#[test]
fn a_text_is_nested_as_deep_as_is_allowed_and_no_deeper() {
    let mistakes = |text: String| parse(&text).errors.len();
    // The expression is one level.
    let brackets = |deep: usize| {
        let (open, close) = ("(".repeat(deep - 1), ")".repeat(deep - 1));
        mistakes(format!("invariant x: {open}1{close} == 1\n"))
    };
    let comments = |deep: usize| mistakes(format!("{}{}", "/*".repeat(deep), "*/".repeat(deep)));
    let around = [MAX_NESTING - 1, MAX_NESTING, MAX_NESTING + 1];
    assert_eq!(around.map(brackets), [0, 0, 1]);
    assert_eq!(around.map(comments), [0, 0, 1]);
}

#[test]
fn a_chain_of_operators_is_as_long_as_a_tree_may_be_deep() {
    let text = |operators: usize| format!("invariant x: 0 < 1{}\n", " + 1".repeat(operators));
    let depth_of = |operators: usize| depth(&parse(&text(operators)).syntax());
    // What is around the chain.
    let around = depth_of(1) - 1;
    let read = |depth: usize| {
        let chain = depth - around;
        (depth_of(chain), parse(&text(chain)).errors.len())
    };
    let depths = [MAX_TREE_DEPTH - 1, MAX_TREE_DEPTH, MAX_TREE_DEPTH + 1];
    let found = [
        (MAX_TREE_DEPTH - 1, 0),
        (MAX_TREE_DEPTH, 0),
        (MAX_TREE_DEPTH, 1),
    ];
    assert_eq!(depths.map(read), found);
}

#[test]
fn reading_and_laying_out_a_text_ends_wherever_it_is_asked_to() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    let good = std::fs::read_to_string(folder.join("peterson_states.stb")).expect("a good text");
    let cut: String = good.chars().take(good.len() / 2).collect();
    let junk = "process p { loop { either { on a( [ forall ".repeat(20);
    for text in [good.repeat(20), cut.repeat(20), junk.repeat(20)] {
        let asked = Cell::new(0_u32);
        let answer = |after: u32| {
            asked.set(asked.get() + 1);
            asked.get() > after
        };
        let ends = |after: u32| {
            asked.set(0);
            let parsed = parse_within(&text, &|| answer(after));
            // Nobody asks again who was told to end.
            assert!(asked.get() <= after + 1);
            parsed.is_err()
        };
        assert!(!ends(u32::MAX - 1));
        let questions = asked.get();
        // One for each thousand tokens or so, as often as the text is gone through.
        let tokens = lex(&text).0.len() as u32;
        assert!(questions >= 3 * (tokens >> 10), "{questions} of {tokens}");
        assert!((0..questions).all(ends));
        assert!(!ends(questions));

        let formats = |after: u32| {
            asked.set(0);
            let formatted = format_within(&text, &|| answer(after));
            assert!(asked.get() <= after + 1);
            formatted
        };
        let whole = formats(u32::MAX - 1);
        let questions = asked.get();
        let interrupted = Err(Unformatted::Interrupted);
        assert!((0..questions).all(|after| formats(after) == interrupted));
        assert_eq!(formats(questions), whole);
    }
}

#[test]
fn a_long_text_is_parsed_in_a_moment() {
    let example = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/peterson_states.stb"),
    )
    .expect("a good text");
    let text = example.repeat(2000 / example.lines().count() + 1);
    let fastest = (0..5)
        .map(|_| {
            let start = Instant::now();
            assert_eq!(parse(&text).errors, []);
            start.elapsed()
        })
        .min();
    let fastest = fastest.expect("it was measured");
    // A few milliseconds; the bound leaves room for a machine with other work.
    assert!(fastest.as_millis() < 500, "2,000 lines took {fastest:?}");
}

#[test]
fn a_text_of_one_kind_of_token_takes_time_in_proportion_to_its_length() {
    for token in TOKENS
        .iter()
        .chain(stubborn_syntax::SyntaxKind::RESERVED_WORDS)
    {
        let text = format!("{token} ").repeat(500);
        let start = Instant::now();
        survives(&text);
        assert!(
            start.elapsed().as_secs() < 5,
            "`{token}` took {:?}",
            start.elapsed()
        );
        survives(&format!("process p {{ {text}"));
        survives(&format!("process p {{ initial state s {{ {text}"));
        survives(&format!("ltl p: {text}"));
        assert!(
            start.elapsed().as_secs() < 20,
            "`{token}` took {:?}",
            start.elapsed()
        );
    }
}
