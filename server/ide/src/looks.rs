//! Whether the text of a tester file is one of ours: other programs have files whose names end in `.tester`, too.
//!
//! A text is ours that begins, behind its comments, as nobody else's does: with the `use` of a model, or with a property,
//! a tester or an automaton. One that begins with what others have as well, such as a `const`, is ours where a line of it
//! uses a model. VS Code's extension goes by the same forms where it says which open files are ours (`looks.ts`), and
//! `vscode-extension/test/looks.json` holds both to one list of texts.

use std::sync::LazyLock;

use regex::Regex;

use crate::database::Contents;

/// No more of a text is looked at, in characters.
const LOOKED_AT: usize = 64 * 1024;

const USE: &str = r#"use[ \t\r\n]+"[^"\n]*\.(?:stb|tester)""#;
/// A name and its parameters, in whose ranges a definition may be called.
const NAME: &str = r"[A-Za-z_][A-Za-z0-9_]*[ \t\r\n]*(?:\((?:[^()]|\([^()]*\))*\)[ \t\r\n]*)?";

/// What nobody else's text begins with.
static OURS: LazyLock<Regex> = LazyLock::new(|| {
    begins(&[
        USE.to_owned(),
        // With what stands in them, since a program may well have a `tester x {` of its own.
        format!(
            r"(?:tester|specification|buchi|testing)[ \t\r\n]+{NAME}\{{[ \t\r\n]*(?://|/\*|(?:observe|visible|var|macro|state|initial|reject|deadlock|livelock|infinite)(?-u:\b))"
        ),
        format!(r"(?:invariant|ltl)[ \t\r\n]+{NAME}:"),
        format!(r"progress[ \t\r\n]+{NAME}:[ \t\r\n]*(?:may|must)(?-u:\b)"),
        format!(r"recurrence[ \t\r\n]+{NAME}:[ \t\r\n]*infinitely(?-u:\b)"),
        r"refines[ \t\r\n]+[A-Za-z_][A-Za-z0-9_]*[ \t\r\n]+in[ \t\r\n]+(?:traces|failures|divergences|infinite[ \t\r\n]+traces|cffd)(?-u:\b)".to_owned(),
        r"expect[ \t\r\n]+violated[ \t\r\n]*:".to_owned(),
    ])
});

/// What one of ours may begin with, too, and others as well; also what stands in a tester file by mistake.
static MAYBE_OURS: LazyLock<Regex> = LazyLock::new(|| {
    begins(&[r"(?:const|param|type|enum|var|channel|action|def|macro|process|reachable|fair|strongly|deadlock|termination)(?-u:\b)".to_owned()])
});

/// Such a line makes a text ours that may be: without a model a tester file says nothing.
static USES: LazyLock<Regex> = LazyLock::new(|| form(&format!(r"(?m)^[ \t]*{USE}")));

fn begins(forms: &[String]) -> Regex {
    form(&format!("^(?:{})", forms.join("|")))
}

fn form(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a form that a test has tried")
}

/// Whether a file of the workspace belongs to us: a model, or a tester that looks like ours. A tester without a text
/// looks like nobody's.
pub fn is_ours(path: &str, contents: &Contents) -> bool {
    match contents {
        _ if !path.ends_with(".tester") => true,
        Contents::Text(text) => looks_like_ours(text),
        Contents::Unread | Contents::Missing | Contents::Refused(_) => false,
    }
}

/// Whether the first thing in the text of a tester file that is no comment is one of ours. An empty text is nobody's.
fn looks_like_ours(text: &str) -> bool {
    let end = text.char_indices().nth(LOOKED_AT);
    let rest = without_comments(&text[..end.map_or(text.len(), |(at, _)| at)]);
    OURS.is_match(rest) || (MAYBE_OURS.is_match(rest) && USES.is_match(rest))
}

/// What stands behind white space and comments at the beginning.
fn without_comments(text: &str) -> &str {
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
        let ends = if rest.starts_with("//") {
            rest.find('\n').map(|at| at + 1)
        } else if let Some(comment) = rest.strip_prefix("/*") {
            comment.find("*/").map(|at| at + 4)
        } else {
            return rest;
        };
        rest = ends.map_or("", |at| &rest[at..]);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// The texts that the extension's test has, too.
    fn texts(of: &str) -> Vec<String> {
        let all = include_str!("../../../vscode-extension/test/looks.json");
        let mut all: BTreeMap<String, Vec<String>> = serde_json::from_str(all).expect("lists");
        let texts = all.remove(of).expect("a list");
        assert!(texts.len() > 5);
        texts
    }

    #[test]
    fn forms_that_nobody_else_has_are_ours_by_themselves() {
        for text in texts("ours") {
            assert!(looks_like_ours(&text), "{text}");
        }
    }

    #[test]
    fn every_tester_of_the_examples_looks_like_ours() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        let files = std::fs::read_dir(folder).expect("a folder").flatten();
        let testers = files.filter(|file| file.file_name().to_string_lossy().ends_with(".tester"));
        let texts = testers.map(|file| std::fs::read_to_string(file.path()).expect("a text"));
        let texts: Vec<String> = texts.collect();
        assert!(texts.len() > 6 && texts.iter().all(|text| looks_like_ours(text)));
    }

    #[test]
    fn what_others_begin_with_as_well_is_ours_where_the_text_uses_a_model() {
        for text in texts("maybe") {
            assert!(!looks_like_ours(&format!("{text}\n")), "{text}");
            assert!(
                looks_like_ours(&format!("{text}\nuse \"lock.stb\"\n")),
                "{text}"
            );
            let others = format!("{text}\nuse strict;\n// use \"lock.stb\"\n");
            assert!(!looks_like_ours(&others), "{text}");
        }
    }

    #[test]
    fn the_files_of_other_programs_do_not_look_like_ours() {
        for text in texts("others") {
            assert!(!looks_like_ours(&text), "{text}");
        }
    }

    #[test]
    fn a_model_is_ours_by_its_name_and_a_tester_without_a_text_is_nobodys() {
        let text = |text: &str| Contents::Text(text.into());
        assert!(is_ours("m.stb", &text("import os")));
        assert!(!is_ours("m.tester", &text("import os")));
        assert!(is_ours("m.tester", &text("use \"m.stb\"")));
        assert!(!is_ours("m.tester", &Contents::Missing));
    }

    #[test]
    fn a_long_text_is_looked_at_up_to_the_limit() {
        let behind =
            |blanks: usize| looks_like_ours(&format!("{}use \"m.stb\"", " ".repeat(blanks)));
        let enough = LOOKED_AT - "use \"m.stb\"".len();
        assert!(behind(enough) && !behind(enough + 1));
        assert!(!looks_like_ours(&format!(
            "invariant a({}",
            "(b".repeat(100_000)
        )));
    }
}
