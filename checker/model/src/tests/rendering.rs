//! Problems as a person sees them: under the line of the text that they are about.

use std::fmt::Write;

use stubborn_syntax::{TextRange, TextSize};

use crate::problem::{Problem, Severity};
use crate::program::Program;
use stubborn_system::source::Span;

/// Each problem under its line, with what is underlined, its code and its message.
pub(crate) fn rendered(program: &Program, problems: &[Problem]) -> String {
    let mut out = String::new();
    for problem in problems {
        let severity = match problem.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Hint => "hint",
        };
        let code = problem.code.as_str();
        match problem.span {
            Some(span) => underline(
                &mut out,
                program,
                span,
                &format!("{severity}[{code}]: {}", problem.message),
            ),
            None => writeln!(out, "{severity}[{code}]: {}", problem.message).unwrap(),
        }
        for (span, message) in &problem.related {
            underline(&mut out, program, *span, &format!("note: {message}"));
        }
    }
    out
}

fn underline(out: &mut String, program: &Program, span: Span, message: &str) {
    let file = program.file(span.file);
    let start = file.lines.line_column(TextSize::new(span.start));
    let line = file.lines.line_range(start.line - 1).unwrap();
    let end = TextSize::new(span.end)
        .min(line.end())
        .max(TextSize::new(span.start));
    let width = file.text[TextRange::new(TextSize::new(span.start), end)]
        .chars()
        .count();
    let number = if program.files.len() > 1 {
        format!("{}:{}", file.path, start.line)
    } else {
        start.line.to_string()
    };
    let margin = " ".repeat(number.len());
    writeln!(out, "{number} | {}", &file.text[line]).unwrap();
    let indent = " ".repeat(start.column as usize - 1);
    writeln!(
        out,
        "{margin} | {indent}{} {message}",
        "^".repeat(width.max(1))
    )
    .unwrap();
}
