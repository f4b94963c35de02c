use stubborn_syntax::lexer::lex;

use super::super::fixture::{cursor, file};
use super::*;
use crate::database::Database;

const NAMES: &str = "\
enum Color { red, green }
type Id = 0..2
type Pair = record { first: Color, second: Id }
/// The light.
var light: Color
var on_: bool
var n: 0..5
var pairs: array[Id] of Pair
channel q: queue[1] of Color, Id
action ask(Id, Color)
action done
def twice(k in Id): 2*k
macro turn(c in Color) { light = c }
process lamp(i in Id) {
    var mine: Color
    initial state dark { on done -> bright }
    final state bright
}
";

fn offered_in(db: &Database, file: SourceFile, at: usize) -> Vec<Offer> {
    match completion(db, file, at, None).map(|found| found.offers) {
        Some(Offers::These(offers)) => offers,
        _ => Vec::new(),
    }
}

/// What is offered at the `$0` of a text behind the names above.
fn offers(marked: &str) -> Vec<Offer> {
    let (text, at) = cursor(&format!("{NAMES}{marked}"));
    let (db, file) = file(&text);
    offered_in(&db, file, at)
}

fn labels(marked: &str) -> Vec<String> {
    offers(marked)
        .into_iter()
        .map(|offer| offer.label)
        .collect()
}

#[track_caller]
fn only(marked: &str, expected: &[&str]) {
    assert_eq!(labels(marked), expected, "{marked}");
}

/// Some are offered, and others are not.
#[track_caller]
fn among(marked: &str, some: &[&str], none: &[&str]) {
    let found = labels(marked);
    for one in some {
        assert!(
            found.iter().any(|label| label == one),
            "no {one} in {found:?}"
        );
    }
    for one in none {
        assert!(
            !found.iter().any(|label| label == one),
            "{one} in {found:?}"
        );
    }
}

#[track_caller]
fn first(marked: &str, expected: &[&str]) {
    let found = labels(marked);
    assert_eq!(
        found[..expected.len().min(found.len())],
        *expected,
        "{found:?}"
    );
}

#[test]
fn on_is_followed_by_an_action() {
    only("process p { on $0\n}", &["ask", "done"]);
    only("process p { on do$0 }", &["ask", "done"]);
    only("process p { alphabet $0 }", &["ask", "done"]);
}

#[test]
fn what_is_expected_is_a_property() {
    let properties = "invariant low: n < 3\nltl calm: always on_\n";
    among(
        &format!("{properties}expect violated: $0"),
        &["low", "calm", "errors", "deadlock", "termination"],
        &["ask", "done", "lamp", "n"],
    );
    among(
        &format!("{properties}expect violated: low, $0\n"),
        &["calm", "deadlock"],
        &["ask", "done", "lamp"],
    );
    only(
        &format!("{properties}expect violated: low, calm $0"),
        &["when"],
    );
    among(
        &format!("{properties}expect violated: low when $0"),
        &["max", "if"],
        &["when", "low", "calm"],
    );
}

#[test]
fn an_arrow_is_followed_by_a_state_of_the_same_body() {
    only(
        "process p { initial state a { on done -> $0 }\nfinal state b }",
        &["a", "b"],
    );
    only("process p {\n  initial state a {\n    -> $0", &["a"]);
}

#[test]
fn an_instance_is_at_its_own_states() {
    only("invariant i: lamp(1) @ $0", &["dark", "bright"]);
    only("invariant i: lamp(1)@{dark, $0", &["dark", "bright"]);
    only("invariant i: lamp(0)@d$0ark or on_", &["dark", "bright"]);
    only(
        "process s { loop { here: skip } }\nprogress p: may s@$0",
        &["here", "end"],
    );
    only("recurrence r: infinitely lamp(1)@$0", &["dark", "bright"]);
    only("fair f: lamp(1)@$0", &["dark", "bright"]);
    only("fair f: $0", &["ask", "done", "lamp"]);
    only("strongly fair f: {done, la$0", &["ask", "done", "lamp"]);
    only("strongly fair $0", &[]);
    among("$0", &["fair", "strongly fair", "process"], &["tester"]);
    only("strongly fair f: {done, lamp(1)@$0", &["dark", "bright"]);
}

#[test]
fn send_and_receive_are_followed_by_a_channel() {
    only("process p { send $0\n}", &["q"]);
    only("process p { receive q$0 }", &["q"]);
    only("process p { receive q(*) send $0 }", &["q"]);
    among(
        "process p { receive q(*) $0 }",
        &["send", "when", "do"],
        &[],
    );
    only("invariant i: len($0", &["q"]);
}

#[test]
fn a_dot_is_followed_by_fields_or_by_the_variables_of_an_instance() {
    only("invariant i: pairs[1].$0", &["first", "second"]);
    only("process p { pairs[0].$0\n}", &["first", "second"]);
    only("invariant i: lamp(1).$0 == red", &["mine"]);
}

#[test]
fn where_a_value_of_an_enumeration_is_asked_for_these_come_first_and_no_others_come() {
    for marked in [
        "process p { light = $0\n}",
        "process p { light = $0",
        "invariant i: light == $0",
        "invariant i: light in {red, $0",
        "invariant i: pairs[0].first != $0",
        "process p { on ask(1, $0",
        "process p { turn($0) }",
        "process p { send q($0, 1) }",
        "const C: Color = $0",
        "var v: Color = gr$0",
    ] {
        first(marked, &["red", "green"]);
        among(marked, &[], &["on_", "n", "true", "count"]);
    }
    let found = labels("process p { light = $0\n}");
    assert_eq!(found[2], "light");
}

#[test]
fn a_condition_begins_with_what_is_true_or_false() {
    let found = labels("process p { await $0 }");
    let place = |label: &str| found.iter().position(|one| one == label);
    assert!(place("on_") < place("n"));
    assert!(place("n") < place("red"));
    among(
        "process p { await $0 }",
        &["not", "lamp", "forall"],
        &["always", "q", "done"],
    );
    among("ltl f: $0", &["always", "eventually", "on_"], &["q"]);
}

#[test]
fn where_an_integer_is_asked_for_there_are_integers() {
    among(
        "process p { n = $0 }",
        &["n", "twice", "sum", "any"],
        &["on_", "red", "true"],
    );
    among("invariant i: n + $0 > 1", &["n"], &["on_", "red"]);
    among(
        "invariant i: pairs[$0].first == red",
        &["n"],
        &["on_", "red"],
    );
}

#[test]
fn a_constant_is_made_of_constants() {
    among(
        "param M: 1..3 = 1\nconst C = $0",
        &["M", "twice"],
        &["n", "light", "lamp"],
    );
    among("param M: 1..3 = 1\nvar w: 0..$0", &["M"], &["n"]);
}

#[test]
fn a_type_is_a_word_or_the_name_of_one() {
    only(
        "var w: $0",
        &[
            "Id", "Pair", "Color", "bool", "array", "record", "set of", "list",
        ],
    );
    only("action a($0", &["Id", "Color", "bool"]);
    only("var a: array[$0", &["Id", "Color", "bool"]);
    among("var a: array[Id] of $0", &["Pair", "record"], &[]);
    among("param M: 1..2 = 1\nvar a: $0", &["M"], &["n"]);
    among("process p(i in $0", &["Id", "bool"], &["n"]);
    among("process p { n = any $0 }", &["Id"], &["n"]);
}

#[test]
fn values_of_for_are_there_in_their_step_alone() {
    among("process p { for k in Id on ask($0", &["k", "n"], &[]);
    among(
        "process p { for k in Id on ask(k, red)\n    $0",
        &["n"],
        &["k"],
    );
    among("invariant i: forall k in Id: $0", &["k"], &[]);
    among("invariant i(j in Id): forall k in Id: $0", &["j", "k"], &[]);
    among("def low(k in Id): $0", &["k"], &[]);
    among(
        "invariant i: (forall k in Id: k > 0) and $0",
        &["n"],
        &["k"],
    );
}

#[test]
fn a_question_mark_is_followed_by_what_can_hold_the_value() {
    only(
        "process p { var own: Color\n receive q(?$0",
        &["own", "light", "pairs"],
    );
    only(
        "process p { var own: Color\n receive q(?own, ?$0)\n}",
        &["n", "pairs"],
    );
}

#[test]
fn words_fit_their_place() {
    among(
        "$0",
        &["process", "invariant", "var", "const"],
        &["tester", "while", "state"],
    );
    among(
        "process p {\n    $0\n}",
        &["var", "state", "initial", "loop", "on"],
        &["process", "->"],
    );
    among(
        "process p {\n    $0\n    initial state a { -> a }\n}",
        &["state", "var"],
        &["loop", "while", "on"],
    );
    among(
        "process p {\n    x: skip\n    $0\n}",
        &["loop", "stop", "light", "turn"],
        &["state", "var"],
    );
    among(
        "process p {\n    initial state a {\n        $0\n    }\n}",
        &["on", "when", "->"],
        &["loop", "state", "light"],
    );
    only(
        "process p {\n    initial $0",
        &["state", "initial", "final"],
    );
    only("progress x: $0", &["may", "must"]);
    only("channel d: $0", &["queue", "bag"]);
    only("channel d: queue[2] $0", &["of"]);
    only("invariant i: forall k $0", &["in"]);
    only("recurrence r: $0", &["infinitely"]);
    only("recurrence r(i $0", &["in"]);
    only("fair $0", &["process"]);
    only("strongly $0", &["fair"]);
    only("fair f(i $0", &["in"]);
    only("fair f(i in $0", &["Id", "Color", "bool"]);
    only("recurrence r(i in $0", &["Id", "Color", "bool"]);
    only("progress r(i in Id $0): may true", &["where"]);
    only("process p(i in 0..2, j in Id wh$0) { skip }", &["where"]);
    only("tester t(i in Id $0", &["where"]);
    only("progress r(i in Id, $0): may true", &[]);
    only("def r(i in Id $0): true", &[]);
    only("invariant where(i$0): true", &[]);
    among(
        "progress r(i in Id, j in Id where $0): may true",
        &["i", "j", "not"],
        &["where"],
    );
    among(
        "progress r(i in Id, j in Id where i != $0): may true",
        &["i", "j"],
        &["where"],
    );
    only("var here: Pair = {$0", &["first", "second"]);
    only("var here: Pair = {first: red, $0}", &["first", "second"]);
    only("var here: Pair = {first: $0}", &["red", "green", "if"]);
    only("deadlock $0", &["allowed when", "ignored"]);
}

#[test]
fn a_step_goes_on_with_its_next_clauses() {
    only(
        "process p { initial state a { on done $0 } }",
        &["when", "do", "->"],
    );
    among(
        "process p { initial state a { on done when on_ $0 } }",
        &["and", "do", "->"],
        &["on", "when"],
    );
    among("process p { await on_ $0 }", &["do", "and", "or"], &["->"]);
    among(
        "process p { if on_ { skip } $0 }",
        &["else", "stop"],
        &["or"],
    );
    among(
        "process p { either { skip } $0 }",
        &["or", "stop"],
        &["else"],
    );
    among("process p { n = 1, $0 }", &["n", "turn"], &["stop", "red"]);
    among("invariant i: if on_ $0", &["then"], &[]);
}

#[test]
fn an_effect_is_no_statement() {
    among("process p { skip do { $0 } }", &[], &["loop"]);
    among(
        "process p { on done do $0 }",
        &["light", "n", "turn", "if"],
        &["loop", "await", "red"],
    );
}

#[test]
fn comments_texts_numbers_and_new_names_are_left_alone() {
    for marked in [
        "// on $0\n",
        "/* light = $0 */",
        "const A = 12$0",
        "process $0",
        "var v$0",
        "invariant i: forall $0",
        "enum E { $0 }",
    ] {
        only(marked, &[]);
    }
}

#[test]
fn the_word_that_is_being_typed_is_replaced_whole() {
    let (text, at) = cursor(&format!("{NAMES}invariant i: li$0ght == red"));
    let (db, file) = file(&text);
    let found = completion(&db, file, at, None).expect("offers");
    assert_eq!(&text[found.bytes], "light");
}

#[test]
fn a_name_is_shown_with_its_type_and_its_documentation() {
    let offers = offers("invariant i: $0");
    let light = offers
        .iter()
        .find(|offer| offer.label == "light")
        .expect("it");
    assert_eq!(light.detail, "Color");
    assert_eq!(light.documentation.as_deref(), Some("The light."));
    let lamp = offers
        .iter()
        .find(|offer| offer.label == "lamp")
        .expect("it");
    assert_eq!(lamp.snippet.as_deref(), Some("lamp($0)"));
}

#[test]
fn a_tester_is_offered_what_its_model_has() {
    let mut db = Database::default();
    db.set_contents("/m.stb", Contents::Text(NAMES.into()));
    let at = |marked: &str, db: &mut Database| {
        let (text, at) = cursor(marked);
        db.set_contents("/t.tester", Contents::Text(text.into()));
        let file = db.file("/t.tester");
        let found = offered_in(db, file, at);
        found
            .into_iter()
            .map(|offer| offer.label)
            .collect::<Vec<_>>()
    };
    let of = "use \"m.stb\"\ntester t { initial state s { on $0 } }";
    assert_eq!(at(of, &mut db), ["ask", "done", "tau"]);
    let of = "use \"m.stb\"\nspecification s { initial state a }\nrefines $0";
    assert_eq!(at(of, &mut db), ["s"]);
    let of = "use \"m.stb\"\nbuchi b { observe p = $0\n initial state s }";
    assert!(at(of, &mut db).contains(&"lamp".to_owned()));
    let of = "use \"m.stb\"\nbuchi b { observe p = on_\n initial state s when $0 }";
    assert_eq!(at(of, &mut db)[0], "p");
    let found = at("use \"m.stb\"\n$0", &mut db);
    assert!(found.contains(&"tester".to_owned()) && !found.contains(&"process".to_owned()));
}

#[test]
fn a_name_of_a_file_is_asked_for_with_what_is_written_of_it() {
    for marked in ["use \"$0\"\n", "use \"$0\n"] {
        let (text, at) = cursor(marked);
        let (db, file) = file(&text);
        let found = completion(&db, file, at, Some('"')).expect("offers");
        assert_eq!(found.bytes, 5..5);
        assert_eq!(found.offers, Offers::Files(String::new()));
    }
    let (text, at) = cursor("use \"../mo$0del.stb\"\n");
    let (db, file) = file(&text);
    let found = completion(&db, file, at, None).expect("offers");
    assert_eq!(&text[found.bytes], "../model.stb");
    assert_eq!(found.offers, Offers::Files("../mo".to_owned()));
}

#[test]
fn a_character_asks_only_where_it_begins_something() {
    for (marked, typed) in [
        ("invariant i: n >$0", '>'),
        ("type T = 0..$0", '.'),
        ("invariant i: \"$0", '"'),
    ] {
        let (text, at) = cursor(&format!("{NAMES}{marked}"));
        let (db, file) = file(&text);
        assert_eq!(completion(&db, file, at, Some(typed)), None, "{marked}");
    }
}

#[test]
fn no_place_of_any_text_is_a_surprise() {
    let text = format!("{NAMES}invariant i: (forall k in Id: lamp(k)@{{dark}}) and light == red\n");
    for cut in (0..text.len()).step_by(3) {
        let (db, file) = file(&text[..cut]);
        completion(&db, file, cut, None);
    }
    let (db, file) = file("var é: bool\ninvariant i: é");
    for at in 0..40 {
        completion(&db, file, at, None);
    }
}

#[test]
fn of_too_many_names_those_are_offered_that_begin_as_the_word_does() {
    let mut text = String::new();
    for number in 0..=MOST {
        text.push_str(&format!("const N{number}: 0..1 = 0\n"));
    }
    text.push_str("invariant i: n1999 > 0");
    let (db, file) = file(&text);
    let at = text.len() - " > 0".len();
    let found = completion(&db, file, at, None).expect("offers");
    assert!(!found.is_all);
    let Offers::These(offers) = found.offers else {
        panic!("names");
    };
    assert_eq!(offers.len(), 1);
    assert_eq!(offers[0].label, "N1999");
}

#[test]
fn a_snippet_is_a_text_without_mistakes() {
    for is_tester in [false, true] {
        for snippet in words::snippets(is_tester) {
            let mut text = snippet.text.replace("$0", "");
            while let Some(start) = text.find("${") {
                let end = start + text[start..].find('}').expect("an end");
                let value = text[start..end].split_once(':').map_or("name", |it| it.1);
                let value = value.to_owned();
                text.replace_range(start..=end, &value);
            }
            let errors = stubborn_syntax::parse(&text).errors;
            assert_eq!(errors, [], "{text}");
        }
    }
}

/// The examples, each with what it uses.
fn examples() -> Vec<(Database, SourceFile, String)> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let entries = std::fs::read_dir(folder).expect("the examples");
    let texts: Vec<(String, String)> = entries
        .map(|entry| entry.expect("an example").path())
        .filter(|path| path.is_file())
        .filter_map(|path| {
            let text = std::fs::read_to_string(&path).ok()?;
            Some((format!("/{}", path.file_name()?.to_str()?), text))
        })
        .collect();
    let of = |path: &String, text: &String| {
        let mut db = Database::default();
        for (path, text) in &texts {
            db.set_contents(path, Contents::Text(text.as_str().into()));
        }
        let file = db.file(path);
        (db, file, text.clone())
    };
    texts.iter().map(|(path, text)| of(path, text)).collect()
}

/// One in so many words of the examples is left out, and what is behind it too: each is another text.
const CUT: usize = 61;

#[test]
fn what_stands_in_the_examples_is_offered_where_it_stands() {
    let mut missed = Vec::new();
    for (mut db, file, text) in examples() {
        let path = file.path(&db).to_string();
        let analysis = analyzed(&db, file).expect("a text");
        for (number, token) in lex(&text).0.iter().enumerate() {
            let place = Span {
                file: FileId(0),
                start: token.range.start().into(),
                end: token.range.end().into(),
            };
            let (at, word) = (place.start as usize, &text[token.range]);
            let declared = analysis.symbols.at(place).map(|symbol| symbol.span);
            let is_word = token.kind.is_reserved_word() || token.kind == SyntaxKind::IDENT;
            if !is_word || declared == Some(place) {
                continue;
            }
            let is_it = |one: &Offer| one.label.split(' ').any(|part| part == word);
            if !offered_in(&db, file, at).iter().any(is_it) {
                missed.push(format!("{path}:{at}: {word}"));
            }
            let is_known =
                declared.is_none_or(|span| span.file != FileId(0) || span.end < place.end);
            if number % CUT == 0 && is_known {
                let (before, behind) = (&text[..at], &text[place.end as usize..]);
                for broken in [before.to_owned(), format!("{before}{behind}")] {
                    db.set_contents(&path, Contents::Text(broken.into()));
                    if !offered_in(&db, file, at).iter().any(is_it) {
                        missed.push(format!("{path}:{at}: {word}, which is missing"));
                    }
                }
                db.set_contents(&path, Contents::Text(text.as_str().into()));
            }
        }
    }
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn a_name_within_a_type_that_is_written_out_is_followed() {
    among("var a: array[0..1] of Id = [$0", &["max", "if"], &["light"]);
    among(
        "const big = 2\nvar r: record { x: Id } = {x: $0",
        &["big"],
        &["red"],
    );
    only("var a: array[0..1] of Pair = [{$0", &["first", "second"]);
}

#[test]
fn what_is_asked_for_is_written_once_and_an_index_before_it() {
    let snippet = |marked: &str, label: &str| {
        let offers = offers(marked);
        let offer = offers.into_iter().find(|offer| offer.label == label);
        offer.unwrap_or_else(|| panic!("no {label}")).snippet
    };
    assert_eq!(
        snippet("process p { on as$0", "ask").as_deref(),
        Some("ask($0)")
    );
    assert_eq!(snippet("process p { on as$0(1, red)", "ask"), None);
    assert_eq!(
        snippet(
            "channel cs[Id]: queue[1] of bool\nprocess p { send c$0",
            "cs"
        )
        .as_deref(),
        Some("cs[${1}]($0)")
    );
}

#[test]
fn a_line_of_nothing_but_words_before_a_state_is_as_long_as_it_likes() {
    let words = "initial ".repeat(20_000);
    assert!(!labels(&format!("process p {{\n x: skip\n {words}$0")).is_empty());
}
