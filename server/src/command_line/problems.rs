//! Problems of a command line, beside those of texts.

use stubborn_checker::Errors;
use stubborn_model::problem::{Code, Severity};
use stubborn_report::{ProblemReport, Texts};
use stubborn_syntax::SyntaxError;
use stubborn_system::source::{FileId, Span};

/// An error of the command line rather than of a text.
pub fn command_line_problem(message: String) -> ProblemReport {
    ProblemReport {
        code: Code::CommandLine.as_str(),
        severity: Severity::Error,
        message,
        place: None,
        related: Vec::new(),
    }
}

/// A note on how the command was carried out.
pub fn command_line_note(message: String) -> ProblemReport {
    ProblemReport {
        severity: Severity::Hint,
        ..command_line_problem(message)
    }
}

/// Reason for which a command is not carried out.
pub fn refusal(why: String) -> Errors {
    Errors::from(vec![command_line_problem(why)])
}

/// Warning that the limit on time was reached while the texts were read.
pub fn not_read_in_time() -> ProblemReport {
    ProblemReport {
        code: Code::Timeout.as_str(),
        severity: Severity::Warning,
        ..command_line_problem(String::from(
            "`--timeout` expired while the model was being read, so nothing was checked; use a longer \
             timeout, smaller ranges or fewer instances",
        ))
    }
}

/// Errors in the grammar of a text that no model is read from.
pub fn syntax_errors(path: &str, text: &str, errors: &[SyntaxError]) -> Errors {
    let texts = Texts::new([(path.into(), text.into())]);
    let problems = errors.iter().map(|error| {
        let hint = error.hint.as_ref();
        let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
        let span = Span {
            file: FileId(0),
            start: error.range.start().into(),
            end: error.range.end().into(),
        };
        ProblemReport {
            code: Code::Syntax.as_str(),
            place: Some(texts.place(span)),
            ..command_line_problem(format!("{}{hint}", error.message))
        }
    });
    Errors {
        problems: problems.collect(),
        texts,
    }
}
