//! What is known of a place: of a property its verdict and the trace that shows it, of any name its
//! type, its value, its documentation and what the searches have seen of it, of a word of the language what it means, of a `use` what the
//! file declares, and of any line which steps of the traces pass it.

mod markdown;
mod plain;
pub mod property;
mod seen;
mod steps;
mod symbol;
mod used_file;
pub mod words;

use std::ops::Range;

use stubborn_model::names::symbols::SymbolKind;
use stubborn_system::source::FileId;

use super::state::Pending;
use super::tree::token_at;
use crate::before::BeforeOfRoot;
use crate::database::{Db, SourceFile, analyzed, coverage_of_root, parsed};

pub use markdown::escaped;
pub use plain::plain;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// Markdown.
    pub text: String,
    /// What it is about.
    pub bytes: Range<usize>,
}

/// What is known of what stands at `offset`. `roots` are the files that may use this one.
pub fn hover(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Option<Hover> {
    let mut parts = Vec::new();
    let mut bytes = None;
    if let Some((at, named)) = of_name(db, file, offset, pending, before) {
        bytes = Some(at);
        parts.extend(named);
    } else if let Some(token) =
        parsed(db, file).and_then(|file| token_at(&file.parse.syntax(), offset))
    {
        let told = words::told(&token).or_else(|| used_file::told(db, file, &token));
        if let Some(told) = told {
            let range = token.text_range();
            bytes = Some(range.start().into()..range.end().into());
            parts.push(told);
        }
    }
    if let Some((line, steps)) = steps::told(db, roots, file, offset) {
        bytes = bytes.or(Some(line));
        parts.push(steps);
    }
    Some(Hover {
        text: parts.join("\n\n---\n\n"),
        bytes: bytes?,
    })
}

fn of_name(
    db: &dyn Db,
    file: SourceFile,
    offset: usize,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Option<(Range<usize>, Vec<String>)> {
    let analysis = analyzed(db, file)?;
    let offset = u32::try_from(offset).ok()?;
    let symbol = analysis.symbols.at_offset(FileId(0), offset);
    let properties = property::of_properties(db, file, offset, pending, before);
    let span = properties
        .as_ref()
        .map(|(at, _)| *at)
        .or(symbol.map(|(at, _)| at))?;
    let mut parts = Vec::new();
    if let Some((_, symbol)) = symbol {
        let mut text = symbol::of_symbol(symbol);
        let coverage = coverage_of_root(db, file);
        if let Some(seen) = coverage.and_then(|all| seen::of_symbol(&analysis, &all, symbol)) {
            text.push_str(&format!("\n\n{seen}"));
        }
        parts.push(text);
    }
    if let Some((_, verdicts)) = properties {
        parts.push(verdicts);
    }
    // Of a property the verdict comes first; at the name of a process there may be the built-in
    // ones, of which nobody asks first.
    if symbol.is_some_and(|(_, symbol)| symbol.kind == SymbolKind::Property) {
        parts.reverse();
    }
    Some((span.start as usize..span.end as usize, parts))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{checked, checked_files, cursor, file};
    use super::*;

    fn shown(marked: &str, expected: Expect) {
        let (text, at) = cursor(marked);
        let (db, file) = checked(&text);
        let hover = hover(&db, &[file], file, at, &Pending::new(), None).expect("a hover");
        let name = &text[hover.bytes];
        expected.assert_eq(&format!("{name}\n\n{}\n", hover.text));
    }

    #[test]
    fn an_assumption_shows_what_is_said_of_it_and_a_word_what_it_means() {
        let text = "process p { loop { skip } }\n/// In its turn.\nfa$1ir ser$0ved: p\n";
        shown(
            &text.replace("$1", ""),
            expect![[r#"
            served

            ```stubborn
            (assumption) served
            ```

            In its turn.
        "#]],
        );
        shown(
            &text.replace("$0", "").replace("$1", "$0"),
            expect![[r#"
            fair

            Runs are asked about alone in which these steps are not put off for ever: if one of them can be taken in every state from some point on, or `strongly fair` in states again and again, then one is taken again and again. `ltl`, `must`, `recurrence`, `buchi` and `testing` have this.

            ```stubborn
            fair served(i in 0..1): enter(i)
            ```
        "#]],
        );
    }

    #[test]
    fn a_violated_property_shows_its_verdict_the_trace_and_what_is_said_of_it() {
        shown(
            "var x: 0..5\nprocess p { loop { x = (x + 1) % 6 } }\n\
             /// Never far.\ninvariant sma$0ll: x < 2\n",
            expect![[r#"
                small

                ✗ **small** is violated: `small` is false after 2 steps: x = 2.

                | step | who | does              | what changed |
                | ---: | --- | ----------------- | ------------ |
                |    1 | p   | `x = (x + 1) % 6` | `x = 1`      |
                |    2 | p   | `x = (x + 1) % 6` | `x = 2`      |


                *invariant · 6 states, 6 edges in 0.00 s; bfs, reduction none*

                ---

                ```stubborn
                (property) small
                ```

                Never far.
            "#]],
        );
    }

    #[test]
    fn the_cycle_of_a_trace_is_marked() {
        shown(
            "var x: 0..2\nprocess p { loop { either { x = 1 } or { x = 2 } } }\n\
             progress $0two: must x == 2\n",
            expect![[r#"
                two

                ✗ **two** is violated: after 1 step a cycle of 1 step can be gone round for ever, and a state with `x == 2` is never met in it.

                | step | who                              | does    | what changed       |
                | ---: | -------------------------------- | ------- | ------------------ |
                |    1 | p                                | `x = 1` | `x = 1`            |
                |    ↻ | *again and again:*               |         |                    |
                |    2 | p                                | `x = 1` | `x = 1, as before` |
                |    ↺ | *back to the state after step 1* |         |                    |


                *progress · 3 states, 6 edges in 0.00 s; bfs, reduction none*

                ---

                ```stubborn
                (property) two
                ```
            "#]],
        );
    }

    #[test]
    fn a_parameter_shows_its_value_and_its_documentation() {
        shown(
            "/// How many.\nparam N: 1..4 = 2\nvar x: 0..$0N\nprocess p { x = 1 }\n",
            expect![[r#"
                N

                ```stubborn
                param N: 1..4 = 2
                ```

                How many.
            "#]],
        );
    }

    #[test]
    fn a_property_that_is_not_checked_yet_says_when_it_is() {
        let (text, at) =
            cursor("var x: bool\nprocess p { x = true }\ninvariant $0one: x or not x\n");
        let (db, file) = file(&text);
        let hover = hover(&db, &[file], file, at, &Pending::new(), None).expect("a hover");
        assert!(
            hover.text.contains("is checked when you save"),
            "{}",
            hover.text
        );
    }

    /// The hover at the `$0` of the last file, all of which are roots; of the last the properties have
    /// been checked.
    fn told(marked: &[(&str, &str)]) -> Option<(String, String)> {
        let (path, text) = marked.last().expect("a file");
        let (text, at) = cursor(text);
        let mut texts = marked.to_vec();
        *texts.last_mut().expect("a file") = (path, &text);
        let (db, file) = checked_files(&texts);
        let roots: Vec<SourceFile> = texts.iter().map(|(path, _)| db.file(path)).collect();
        let hover = hover(&db, &roots, file, at, &Pending::new(), None)?;
        Some((text[hover.bytes].to_owned(), hover.text))
    }

    #[test]
    fn a_word_of_the_language_tells_what_it_means() {
        let text = "var x: bool\nprocess p { $0await x }\n";
        let (word, text) =
            told(&[("/m.stb", &text.replacen("x: bool", "x: bool = true", 1))]).expect("a hover");
        assert_eq!(word, "await");
        assert!(
            text.starts_with("Waits until the condition is true"),
            "{text}"
        );
        let text = "process p { skip }\ninvariant i: p@en$0d or not p@end\n";
        let (word, text) = told(&[("/m.stb", text)]).expect("a hover");
        assert_eq!(word, "end");
        assert!(text.starts_with("The end of a process's body"), "{text}");
    }

    #[test]
    fn the_path_of_a_use_tells_what_the_file_declares() {
        let model = "param N: 1..2 = 1\nvar x: 0..N\naction go\nprocess p { on go do x = 1 }\ninvariant i: x < 2\n";
        let tester = "use \"m.$0stb\"\nuse \"no.stb\"\ninvariant j: x < 2\n";
        let (path, text) = told(&[("/m.stb", model), ("/t.tester", tester)]).expect("a hover");
        assert_eq!(path, "\"m.stb\"");
        assert_eq!(
            text,
            "`/m.stb`\n\nparameters and constants: `N`\n\nvariables and channels: `x`\n\n\
             actions: `go`\n\nprocesses: `p`\n\nproperties and testers: `i`"
        );
    }

    #[test]
    fn a_line_tells_which_steps_of_a_trace_pass_it_and_who_is_stuck_there() {
        let model = "var x: 0..5\nprocess p {\n    $0x = x + 1\n    x = x + 2\n    await x > 4\n}\ninvariant small: x < 3\n";
        let (line, text) = told(&[("/m.stb", model)]).expect("a hover");
        assert_eq!(line, "x");
        let steps = text.split("---\n\n").nth(1).expect("the steps");
        expect![[r#"
            Here passes the trace, of 2 steps, that shows how **deadlock** is violated:

            - step 1: p: `x = 1`

            Here passes the trace, of 2 steps, that shows how **small** is violated:

            - step 1: p: `x = 1`"#]]
        .assert_eq(steps);
        let stuck = model
            .replacen("$0", "", 1)
            .replacen("    await", "  $0  await", 1);
        let (line, text) = told(&[("/m.stb", &stuck)]).expect("a hover");
        assert_eq!(line, "await x > 4");
        assert!(text.contains("- p at line 5 waits for `x > 4`"), "{text}");
    }

    #[test]
    fn who_waits_in_a_deadlock_is_told_once_and_of_very_many_how_many_there_are() {
        let waits = |last: u32| {
            let model = format!(
                "var go: bool\nprocess $0p(i in 1..{last}) {{ skip\n    await go do go = true }}\n"
            );
            told(&[("/m.stb", &model)]).expect("a hover").1
        };
        let few = waits(3);
        assert_eq!(few.matches("waits for `go`").count(), 3, "{few}");
        let many = waits(25);
        assert_eq!(many.matches("waits for `go`").count(), 20, "{many}");
        assert!(many.contains("- and 5 more wait"), "{many}");
    }

    #[test]
    fn a_line_tells_what_came_of_its_test_and_that_an_assignment_changes_nothing() {
        let model = "var x: 0..5\nprocess p {\n    $0if x == 0 { x = 0 } else { skip }\n    x = 5\n}\ninvariant small: x < 3\n";
        let (_, text) = told(&[("/m.stb", model)]).expect("a hover");
        let steps = text.split("---\n\n").nth(1).expect("the steps");
        expect![[r#"
            Here passes the trace, of 3 steps, that shows how **small** is violated:

            - step 1: p: `if x == 0`: yes
            - step 2: p: `x = 0`, as before"#]]
        .assert_eq(steps);
    }

    #[test]
    fn where_no_name_stands_there_is_nothing_to_say() {
        let (db, file) = file("var x: bool   \n");
        assert_eq!(hover(&db, &[file], file, 13, &Pending::new(), None), None);
    }

    #[test]
    fn nothing_in_a_sentence_is_taken_for_markdown_but_code() {
        assert_eq!(escaped("a_b at `c_d` [x]"), "a\\_b at `c_d` \\[x\\]");
    }

    /// What the searches have seen of what is at the cursor.
    fn seen(marked: &str) -> Option<String> {
        let (text, at) = cursor(marked);
        let (db, file) = checked(&text);
        let hover = hover(&db, &[file], file, at, &Pending::new(), None)?;
        let of_name = hover.text.split("\n\n---\n\n").next()?;
        let (_, seen) = of_name.split_once("\n```\n\n")?;
        Some(seen.to_owned())
    }

    #[test]
    fn a_state_tells_in_how_many_states_it_was_reached() {
        let text = "var n: 0..3\nprocess p {\n initial state one { when n < 3 do n = n + 1 -> one when n > 5 -> two }\n \
                    final state two\n}\ntermination not required\ndeadlock allowed when n == 3\n";
        let one = text.replacen("state one", "state $0one", 1);
        assert_eq!(
            seen(&one).as_deref(),
            Some("Reached in 4 of the 4 states that were searched.")
        );
        let two = text.replacen("-> two", "-> $0two", 1);
        assert_eq!(
            seen(&two).as_deref(),
            Some("Never reached: no run comes here (4 states were searched).")
        );
    }

    #[test]
    fn a_label_tells_which_instances_reach_it() {
        let text = "var turn: 0..2\nprocess p(i in 0..2) {\n await turn == i and i < 2\n $0here: turn = turn + 1\n}\n\
                    deadlock ignored\n";
        assert_eq!(
            seen(text).as_deref(),
            Some(
                "Reached by p(0) in 1, by p(1) in 1 of the 5 states that were searched. Never reached \
                 by p(2)."
            )
        );
    }

    #[test]
    fn of_instances_that_are_alike_it_is_not_counted_which_of_them_was_there() {
        let text = "type Id = 0..4\nvar n: 0..9\nvar $1last: Id\nprocess p(i in Id) {\n loop {\n  $2here: n = (n + 1) % 10\n\
                    await n != 3\n last = i\n await last != i\n }\n}\ndeadlock ignored\ntermination not required\n";
        let of = |nth: &str, other: &str| seen(&text.replacen(nth, "$0", 1).replacen(other, "", 1));
        assert_eq!(
            of("$2", "$1").as_deref(),
            Some("Reached by all 5 instances.")
        );
        let last = of("$1", "$2").expect("it was seen");
        assert!(
            last.starts_with("Values seen: 0..4, every one of the type ("),
            "{last}"
        );
    }

    #[test]
    fn a_variable_tells_which_values_it_had() {
        let text = "enum E { red, green, blue }\nvar $1n: 0..7\nvar $2e: E\nvar $3a: array[0..1] of bool\n\
                    var $4r: record { f: bool, g: 0..100 }\nprocess p { var $5l: 0..3\n n = 2; e = green; a[1] = true; r.g = 7; l = n\n\
                    await a[0] or r.f or e == red or r.g == l }\ndeadlock ignored\n";
        let of = |nth: &str| {
            let marked = text.replacen(nth, "$0", 1);
            let rest: Vec<String> = (1..6).map(|n| format!("${n}")).collect();
            let marked = rest
                .iter()
                .fold(marked, |text, mark| text.replacen(mark, "", 1));
            seen(&marked).expect("it was seen")
        };
        let how = "(no run has others; 6 states were searched)";
        assert_eq!(of("$1"), format!("Values seen: 0, 2 {how}."));
        assert_eq!(of("$2"), format!("Values seen: red, green {how}."));
        assert_eq!(
            of("$3"),
            format!("Values seen in its cells: false, true, every one of the type {how}.")
        );
        assert_eq!(
            of("$4"),
            format!("Values seen {how}:\n\n- `.f`: false\n- `.g`: some in 0..7")
        );
        assert_eq!(of("$5"), format!("Values seen: 0, 2 {how}."));
    }

    #[test]
    fn the_ends_of_what_is_known_of_many_names_are_told_by_their_names() {
        let names: Vec<String> = (0..65).map(|n| format!("c{n}")).collect();
        let text = format!(
            "enum E {{ {} }}\nvar $0e: E\nprocess p {{ e = c57; await e == c1 }}\ndeadlock ignored\n",
            names.join(", ")
        );
        assert_eq!(
            seen(&text).as_deref(),
            Some("Values seen: some in c0..c57 (no run has others; 2 states were searched).")
        );
    }

    #[test]
    fn of_a_search_that_has_ended_early_only_what_was_seen_is_told() {
        let text = "var $0n: 0..7\nprocess p { either { n = n + 9 } or { n = 1 } loop { n = 2 } }\n\
                    deadlock ignored\ninvariant i: n < 1\n";
        assert_eq!(
            seen(text).as_deref(),
            Some("Values seen: 0, 1 (in 2 states, which need not show all).")
        );
    }

    #[test]
    fn what_no_search_has_looked_at_has_nothing_to_tell() {
        assert_eq!(seen("var $0n: 0..7\nprocess p { n = 1 }\n"), None);
        let (text, at) = cursor("var n: 0..7\nprocess p { $0here: await n == 0 }\n");
        let (db, file) = file(&text);
        let hover = hover(&db, &[file], file, at, &Pending::new(), None).expect("a hover");
        assert!(!hover.text.contains("eached"), "{}", hover.text);
    }

    #[test]
    fn long_lists_end_with_how_much_more_there_is() {
        let values = |count: usize| {
            let marked = format!(
                "var x: 0..1\nprocess p {{ x = 1 }}\ninvariant i$0(k in 1..{count}): x < 2\n"
            );
            let (text, at) = cursor(&marked);
            let (db, file) = checked(&text);
            let hover = hover(&db, &[file], file, at, &Pending::new(), None).expect("a hover");
            (
                hover.text.matches("holds").count(),
                hover.text.contains("… and 1 more."),
            )
        };
        assert_eq!(
            [49, 50, 51].map(values),
            [(49, false), (50, false), (50, true)]
        );
        let declared = |count: usize| {
            let names: String = (0..count)
                .map(|at| format!("const c{at} = {at}\n"))
                .collect();
            let told = told(&[("/used.stb", &names), ("/m.stb", "use \"us$0ed.stb\"\n")]);
            let (_, text) = told.expect("what the file declares");
            (text.matches("`c").count(), text.contains(" and 1 more"))
        };
        assert_eq!(
            [19, 20, 21].map(declared),
            [(19, false), (20, false), (20, true)]
        );
    }

    #[test]
    fn of_a_trace_eight_steps_of_a_line_are_told_and_of_the_properties_five() {
        let line = |steps: usize, properties: usize| {
            let invariants = (0..properties).map(|at| format!("invariant i{at}: x < {steps}\n"));
            let invariants: String = invariants.collect();
            let marked = format!(
                "var x: 0..20\nprocess p {{ initial final state s {{\n  when$0 x < 20 do x = x + 1 -> s\n}} }}\n{invariants}"
            );
            let (text, at) = cursor(&marked);
            let (db, file) = checked(&text);
            hover(&db, &[file], file, at, &Pending::new(), None)
                .expect("a hover")
                .text
        };
        let steps = |steps: usize| {
            let text = line(steps, 1);
            (
                text.matches("- step").count(),
                text.contains("… and 1 more"),
            )
        };
        assert_eq!(
            [7, 8, 9].map(steps),
            [(7, false), (8, false), (8, true)],
            "{}",
            line(9, 1)
        );
        let properties = |properties: usize| {
            let text = line(1, properties);
            (
                text.matches("Here passes").count(),
                text.contains("… and the traces of 1 more."),
            )
        };
        assert_eq!(
            [4, 5, 6].map(properties),
            [(4, false), (5, false), (5, true)]
        );
    }

    #[test]
    fn four_instances_that_come_to_a_place_are_each_told() {
        let told = |last: i64| {
            seen(&format!(
                "process p(i in 1..{last}) {{ initial state s {{ -> t }} final state $0t }}\n"
            ))
        };
        let by_each = |last: i64| told(last).is_some_and(|text| text.contains("by p(1) in"));
        assert_eq!([3, 4, 5].map(by_each), [true, true, false], "{:?}", told(5));
    }
}
