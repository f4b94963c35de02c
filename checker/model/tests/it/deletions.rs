//! One word less: the example is broken at one place, and one message says so, there.
//!
//! One word in seven is left out in turn. For every one of them, and to see what is told of those
//! that have several messages:
//!
//! ```text
//! STUBBORN_DELETIONS=1 cargo test -p stubborn-model --test it -- --nocapture deletions
//! ```

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::{Problem, Severity};
use stubborn_model::program::{NoText, ParsedFile, Program};

fn examples() -> (PathBuf, Vec<String>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let files = fs::read_dir(&folder).expect("the examples");
    let names = files.map(|file| file.expect("a file").file_name());
    let names = names.map(|name| name.into_string().expect("a name"));
    let is_text = |name: &String| name.ends_with(".stb") || name.ends_with(".tester");
    let mut names: Vec<String> = names.filter(is_text).collect();
    names.sort_unstable();
    (folder, names)
}

fn errors(folder: &Path, name: &str, text: &str) -> Vec<Problem> {
    let first = Arc::new(ParsedFile::new(name, text));
    let program = Program::assemble_from(first, &mut |path| {
        let text = fs::read_to_string(folder.join(path)).map_err(|_| NoText::Missing)?;
        Ok(Arc::new(ParsedFile::new(path, text)))
    });
    let mut problems = analyze(&program, &Settings::default()).problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    problems
}

#[test]
fn a_word_that_is_missing_is_one_mistake_at_its_place() {
    let step = env::var("STUBBORN_DELETIONS").ok();
    let step: usize = step.and_then(|step| step.parse().ok()).unwrap_or(7);
    let (folder, names) = examples();
    // Deletions that break the text, those that are told once, and there, and more than three times.
    let (mut broken, mut once, mut there, mut often) = (0, 0, 0, 0);
    for name in &names {
        let text = fs::read_to_string(folder.join(name)).expect("a text");
        let tokens = stubborn_syntax::parse(&text).syntax();
        let tokens = tokens.descendants_with_tokens();
        let tokens = tokens.filter_map(|element| element.into_token());
        let tokens = tokens.filter(|token| !token.kind().is_trivia() && !token.text().is_empty());
        for token in tokens.step_by(step) {
            let range = token.text_range();
            let (start, end) = (usize::from(range.start()), usize::from(range.end()));
            let without = format!("{}{}", &text[..start], &text[end..]);
            let found = errors(&folder, name, &without);
            if found.is_empty() {
                continue;
            }
            broken += 1;
            let line = |at: usize| without[..at].matches('\n').count();
            let told = found[0].span.map_or(0, |span| line(span.start as usize));
            once += usize::from(found.len() == 1);
            there += usize::from(told.abs_diff(line(start)) <= 1);
            often += usize::from(found.len() > 3);
            if found.len() > 1 {
                println!("{name}:{}: without `{}`:", line(start) + 1, token.text());
                for problem in &found {
                    println!("    {}: {}", problem.code.as_str(), problem.message);
                }
            }
        }
    }
    println!("{broken} deletions: {once} told once, {there} there, {often} more than three times");
    assert!(once * 10 >= broken * 9, "{once} of {broken} are told once");
    assert!(
        there * 10 >= broken * 9,
        "{there} of {broken} are told there"
    );
    assert_eq!(
        often, 0,
        "{often} of {broken} are told more than three times"
    );
}

#[test]
fn a_mistake_in_a_use_makes_no_name_of_that_file_unknown() {
    let folder = examples().0;
    for used in ["use fischer.stb", "use 'fischer.stb'", "\"fischer.stb\""] {
        let text = format!("{used}\ninvariant i: x > 1 and y > 2\n");
        let found = errors(&folder, "t.tester", &text);
        assert_eq!(found.len(), 1, "{found:#?}");
    }
}

#[test]
fn a_name_that_is_missing_at_many_places_is_told_once_with_all_of_them() {
    let folder = examples().0;
    let uses = |count: usize| {
        format!(
            "var b: bool\nprocess p {{ {} }}\n",
            "b = gone ".repeat(count)
        )
    };
    assert_eq!(errors(&folder, "m.stb", &uses(2)).len(), 2);
    assert_eq!(errors(&folder, "m.stb", &uses(3)).len(), 3);
    assert_eq!(errors(&folder, "m.stb", &uses(4)).len(), 1);
    let others = |count: usize| errors(&folder, "m.stb", &uses(count))[0].related.len();
    assert_eq!([8, 9, 10].map(others), [7, 8, 8]);
    let found = errors(&folder, "m.stb", &uses(12));
    assert_eq!(found.len(), 1, "{found:#?}");
    assert!(
        found[0].message.ends_with("; and so at 11 more places"),
        "{found:#?}"
    );
    assert_eq!(found[0].related.len(), 8);
    // It may have been declared by what the parser could not read.
    let found = errors(&folder, "m.stb", &format!("{}var gone bool\n", uses(2)));
    assert!(found.len() <= 2, "{found:#?}");
}

#[test]
fn what_is_missing_in_several_places_is_as_many_mistakes_as_there_should_be_declarations() {
    let folder = examples().0;
    let processes =
        "process p { initial state a { -> idel } state idle { -> idel } final state c { -> idel } }
process q { initial state a { -> idel } state idle { -> idel } final state c { -> idel } }
var x: 0..3
invariant i: x == idel or p@idel
";
    let found = errors(&folder, "m.stb", processes);
    let codes: Vec<&str> = found.iter().map(|one| one.code.as_str()).collect();
    assert_eq!(
        codes,
        [
            "unknown-state",
            "unknown-state",
            "unknown-name",
            "unknown-state"
        ],
        "{found:#?}"
    );
    // A number is wrong where it is written.
    let assigned = "var x: 0..3\nprocess p { x = 5 x = 5 x = 5 x = 5 x = 5 }\ninvariant bad x >\n";
    let found = errors(&folder, "m.stb", assigned);
    assert_eq!(found.len(), 6, "{found:#?}");
}

#[test]
fn a_mistake_in_a_tester_changes_nothing_of_what_is_told_of_its_model() {
    let folder = examples().0;
    let model = "var x: bool\nprocess p { x = foo x = foo }\n";
    let alone = errors(&folder, "m.stb", model);
    let first = Arc::new(ParsedFile::new(
        "t.tester",
        "use \"m.stb\"\ninvariant k: x ==\n",
    ));
    let program = Program::assemble(first, &mut |_| {
        Some(Arc::new(ParsedFile::new("m.stb", model)))
    });
    let problems = analyze(&program, &Settings::default()).problems;
    let of_model = problems.iter().filter(|one| one.message.contains("`foo`"));
    let messages: Vec<&String> = of_model.map(|one| &one.message).collect();
    assert_eq!(
        messages,
        alone.iter().map(|one| &one.message).collect::<Vec<_>>()
    );
}

#[test]
fn what_is_declared_well_is_told_beside_a_mistake_of_the_grammar() {
    let folder = examples().0;
    let text = "var g: 0..3\nvar b: bool\nprocess p { g = 1 } }\nprocess q { g = b }\n";
    let found = errors(&folder, "m.stb", text);
    assert_eq!(found.len(), 2, "{found:#?}");
}

#[test]
fn a_mistake_hides_nothing_on_other_lines_whatever_ends_them() {
    let folder = examples().0;
    for end in ["\n", "\r\n", "\r"] {
        let lines = [
            "var b: bool",
            "process p { b = }",
            "process q { b = 7 }",
            "invariant i: b",
            "",
        ];
        let found = errors(&folder, "m.stb", &lines.join(end));
        assert_eq!(found.len(), 2, "{end:?}: {found:#?}");
    }
}

#[test]
fn a_state_that_is_missing_is_told_twice_and_from_the_third_time_on_once() {
    let folder = examples().0;
    let told = |count: usize| {
        let steps = "when b -> gone ".repeat(count);
        let text = format!("var b: bool\nprocess p {{ initial state s {{ {steps} }} }}\n");
        errors(&folder, "m.stb", &text).len()
    };
    assert_eq!([1, 2, 3].map(told), [1, 2, 1]);
}

#[test]
fn of_a_hundred_mistakes_in_the_grammar_what_follows_is_not_told() {
    let folder = examples().0;
    let told = |count: usize| {
        let wrong = (0..count).map(|at| format!("invariant i{at}: (gone{at}\n"));
        let found = errors(&folder, "m.stb", &wrong.collect::<String>());
        let syntax = found.iter().filter(|one| one.code.as_str() == "syntax");
        let syntax = syntax.count();
        (syntax, found.len() - syntax)
    };
    assert_eq!(
        [99, 100, 101, 110].map(told),
        [(99, 0), (100, 0), (101, 1), (110, 10)]
    );
}

#[test]
fn of_a_mistake_in_the_grammar_a_thousand_words_may_be_what_is_missing() {
    let folder = examples().0;
    let told = |before: usize| {
        // Each comma is a word, and so is what stands before the first.
        let commas = ",".repeat(before - 7);
        let text = format!("type t = {{{commas}last\ninvariant i: last > 1\n");
        let found = errors(&folder, "m.stb", &text);
        found.iter().any(|one| one.code.as_str() == "unknown-name")
    };
    assert_eq!([998, 999, 1_000].map(told), [false, false, true]);
}

#[test]
fn a_line_of_a_thousand_bytes_is_looked_through_for_what_is_missing() {
    let folder = examples().0;
    let told = |length: usize| {
        let line = "invariant i: last + true > 1 ";
        let line = format!("{line}//{}", "x".repeat(length - line.len() - 2));
        let found = errors(&folder, "m.stb", &format!("type t = {{ last,, \n{line}"));
        found.len()
    };
    assert_eq!([999, 1_000, 1_001].map(told), [1, 1, 2]);
}
