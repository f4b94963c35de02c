//! Texts of one or several files, and what becomes of them, as a person would look at it.

use std::sync::Arc;

use stubborn_model::elaborate::Settings;
use stubborn_model::problem::{Problem, Severity};
use stubborn_model::program::{ParsedFile, Program};
use stubborn_model::{Analysis, analyze};
use stubborn_system::dump;

/// The program of `text` at `path`, with other files that it may use.
pub fn program_of(path: &str, text: &str, others: &[(&str, &str)]) -> Program {
    let root = Arc::new(ParsedFile::new(path, text));
    Program::assemble(root, &mut |path| {
        others
            .iter()
            .find(|(other, _)| *other == path)
            .map(|(path, text)| Arc::new(ParsedFile::new(*path, *text)))
    })
}

pub fn analysis(text: &str) -> Analysis {
    analyze(&program_of("model.stb", text, &[]), &Settings::default())
}

/// The system of a text without problems.
pub fn system(text: &str) -> String {
    let program = program_of("model.stb", text, &[]);
    let analysis = analyze(&program, &Settings::default());
    match &analysis.model {
        Some(model) => {
            let problems = rendered(&program, &analysis.problems);
            problems + &dump::dump(&model.system, &model.source_map)
        }
        None => rendered(&program, &analysis.problems),
    }
}

/// What is wrong with a text: each message under the line that it belongs to.
pub fn problems(text: &str) -> String {
    let program = program_of("model.stb", text, &[]);
    let analysis = analyze(&program, &Settings::default());
    rendered(&program, &analysis.problems)
}

/// What is wrong with a tester of a model.
pub fn tester_problems(model: &str, tester: &str) -> String {
    let program = program_of("t.tester", tester, &[("model.stb", model)]);
    let analysis = analyze(&program, &Settings::default());
    rendered(&program, &analysis.problems)
}

/// The names of the properties, with their forms and the lines where they stand.
pub fn properties(program: &Program) -> String {
    let analysis = analyze(program, &Settings::default());
    let Some(model) = analysis.model else {
        return String::from("no model\n") + &rendered(program, &analysis.problems);
    };
    let mut text = String::new();
    for property in &model.properties {
        let file = program.file(property.span.file);
        let at = file.position(property.span.start);
        text += &format!(
            "{} ({:?}) {}:{}:{}\n",
            property.name, property.form, file.path, at.line, at.column
        );
    }
    text
}

pub fn rendered(program: &Program, problems: &[Problem]) -> String {
    let mut text = String::new();
    for problem in problems {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        if let Some(span) = problem.span {
            let file = program.file(span.file);
            let at = file.position(span.start);
            let line = file.text.lines().nth(at.line as usize - 1).unwrap_or("");
            let end = (span.end.max(span.start + 1) - span.start) as usize;
            let width = end.min(line.len().saturating_sub(at.column as usize - 1).max(1));
            text += &format!("{:>3} | {line}\n", at.line);
            text += &format!(
                "    | {}{}\n",
                " ".repeat(at.column as usize - 1),
                "^".repeat(width)
            );
        }
        text += &format!(
            "{severity}[{}]: {}\n",
            problem.code.as_str(),
            problem.message
        );
        for (span, note) in &problem.related {
            let file = program.file(span.file);
            let at = file.position(span.start);
            text += &format!("    {}:{}: {note}\n", at.line, at.column);
        }
    }
    text
}
