//! Mistakes that beginners make, each with the one message that it gets: `checker/model/tests/mistakes`, by theme.
//!
//! A file is a list of texts. Before each stands what somebody has done, `=== …`, behind it what is said of it, `=> …`:
//! how severe it is and its code, where it is (line and column from 1), what is marked there, and the words. A mistake
//! has exactly one message. Where one has another number of them, `=== … | why` says so. The texts of a file that begins
//! with `model.stb` are testers of that model. `UPDATE_EXPECT=1` writes what is said now: read it as somebody who knows
//! nothing.

use std::fmt::Write;

use expect_test::expect_file;
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::{Problem, Severity};
use stubborn_model::program::Program;

use crate::support::program_of;

/// One text, with what stands before it.
struct Mistake<'t> {
    title: &'t str,
    text: String,
}

impl Mistake<'_> {
    fn all_of(file: &str) -> Vec<Mistake<'_>> {
        let mut mistakes: Vec<Mistake> = Vec::new();
        for line in file.lines() {
            if let Some(title) = line.strip_prefix("=== ") {
                let text = String::new();
                mistakes.push(Mistake { title, text });
            } else if let Some(mistake) = mistakes.last_mut()
                && !line.starts_with("=> ")
            {
                mistake.text += line;
                mistake.text += "\n";
            }
        }
        mistakes
    }

    /// Why it has another number of messages than one.
    fn why(&self) -> Option<&str> {
        self.title.split_once(" | ").map(|(_, why)| why)
    }
}

fn said(program: &Program, problem: &Problem) -> String {
    let severity = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Hint => "hint",
    };
    let mut said = format!("=> {severity}[{}] ", problem.code.as_str());
    if let Some(span) = problem.span {
        let file = program.file(span.file);
        let at = file.position(span.start);
        let marked = &file.text[span.start as usize..span.end as usize];
        // More than a line is a mark that nobody wants.
        assert!(!marked.contains('\n'), "{marked} is marked");
        let _ = write!(said, "{}:{} «{marked}» ", at.line, at.column);
    }
    said + &problem.message + "\n"
}

#[test]
fn each_mistake_has_one_message() {
    let mut titles = std::collections::BTreeSet::new();
    let mut wrong = Vec::new();
    for theme in THEMES {
        let path = format!("{}/tests/mistakes/{theme}.txt", env!("CARGO_MANIFEST_DIR"));
        let file = std::fs::read_to_string(&path).expect("a list of mistakes");
        let mut model = None;
        let mut shown = String::new();
        for mistake in Mistake::all_of(&file) {
            let Mistake { title, text } = &mistake;
            let _ = write!(shown, "=== {title}\n{text}");
            if *title == "model.stb" {
                model = Some(text.clone());
                continue;
            }
            let program = match &model {
                Some(model) => program_of("t.tester", text, &[("model.stb", model)]),
                None => program_of("model.stb", text, &[]),
            };
            let problems = analyze(&program, &Settings::default()).problems;
            for problem in &problems {
                shown += &said(&program, problem);
            }
            if (problems.len() == 1) == mistake.why().is_some() {
                wrong.push(format!("{theme}: {title}: {} messages", problems.len()));
            }
            if !titles.insert((theme, title.to_string())) {
                wrong.push(format!("{theme}: {title}: twice"));
            }
        }
        expect_file![path].assert_eq(&shown);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(titles.len() >= 100, "{} mistakes are too few", titles.len());
}

#[test]
fn what_is_no_mistake_has_no_message() {
    for text in [
        "",
        "// nothing yet\n",
        "var x: 0..3\r\nprocess p { x = 1 }\r\ninvariant small: x < 4\r\n",
        "\u{FEFF}var x: 0..3\n\tprocess p {\n\t\tx = 1;\n\t}\ninvariant small: x < 4",
        "action go\nprocess p { on go() }\n",
        "var x: 0..3\nprocess p { await (!(x == 1) && true || false); x = 1; }\nltl l: []<>(x == 1 -> x == 1)\n",
    ] {
        let program = program_of("model.stb", text, &[]);
        let problems = analyze(&program, &Settings::default()).problems;
        assert_eq!(problems, [], "{text}");
    }
}

const THEMES: [&str; 15] = [
    "promela",
    "tla",
    "mcrl2",
    "c",
    "python",
    "rust_and_go",
    "declarations",
    "expressions",
    "bodies",
    "communication",
    "surprises",
    "properties",
    "testers",
    "half_written",
    "protocols",
];
