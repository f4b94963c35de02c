//! States: which one is initial, where it is right to stay for ever, and which actions a tester's
//! state lets happen.

use stubborn_model::problem::{Code, Mend, Problem};
use stubborn_model::program::Program;
use stubborn_report::{Place, PropertyReport};
use stubborn_syntax::ast::{AstNode, Body, HasName, Label, State, Statement};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::property::Form;
use stubborn_system::source::{FileId, Span};

use super::proposal::{Proposal, Root};
use super::text::{closing_brace, fresh, has_lines, indentation, node_at};
use crate::features::tree::bytes;

type Edit = (FileId, std::ops::Range<usize>, String);

pub fn proposal(root: Root<'_>, problem: &Problem) -> Option<Proposal> {
    let span = problem.span?;
    let (file, node) = node_at(root.program, span)?;
    match (problem.code, &problem.mend) {
        (Code::NoInitialState, _) => {
            let declaration = node.ancestors().nth(1)?;
            let body = declaration.children().find_map(Body::cast)?;
            let first = body.states().next()?;
            let at = bytes(first.range()).start;
            let title = format!(
                "Let it begin in `{}`: mark it `initial`",
                first.name()?.text()
            );
            let edit = (span.file, at..at, "initial ".to_owned());
            Some(Proposal {
                is_the_one: body.states().count() == 1,
                ..Proposal::new(title, vec![edit])
            })
        }
        (Code::SeveralInitialStates, _) => {
            let state = node.ancestors().find_map(State::cast)?;
            let word = bytes(state.initial_token()?.text_range());
            let rest = &file.text[word.end..];
            let blanks = rest.len() - rest.trim_start().len();
            let title = format!("Let `{}` not be initial", state.name()?.text());
            let edit = (span.file, word.start..word.end + blanks, String::new());
            Some(Proposal::new(title, vec![edit]))
        }
        (Code::MissingVisibleAction, Some(Mend::Steps(actions))) => {
            let state = node.ancestors().find_map(State::cast)?;
            let name = state.name()?.text();
            let steps: Vec<String> = actions
                .iter()
                .map(|action| format!("on {action} -> {name}"))
                .collect();
            let edit = steps_at_the_end(&file.text, span.file, &state, &steps);
            let more = match actions.len() {
                1 => String::new(),
                n => format!(" and {} more", n - 1),
            };
            let title = format!("Let `{}`{more} happen in `{name}`", actions.first()?);
            Some(Proposal {
                is_the_one: true,
                ..Proposal::new(title, vec![edit])
            })
        }
        _ => None,
    }
}

/// Steps behind those that a state has.
pub fn steps_at_the_end(text: &str, file: FileId, state: &State, steps: &[String]) -> Edit {
    let whole = bytes(state.range());
    let Some(brace) = closing_brace(state.syntax()) else {
        let steps = format!(" {{ {} }}", steps.join(" "));
        return (file, whole.end..whole.end, steps);
    };
    let before = &text[..bytes(brace.text_range()).start];
    let end = before.trim_end().len();
    let comment_ends = state
        .syntax()
        .children_with_tokens()
        .any(|one| one.kind() == SyntaxKind::LINE_COMMENT);
    if has_lines(text, &whole) || comment_ends {
        let outer = indentation(text, whole.start).to_owned();
        let mut lines = String::new();
        for step in steps {
            lines.push_str(&format!("\n{outer}    {step}"));
        }
        (file, end..end, lines)
    } else {
        (file, end..end, format!(" {}", steps.join(" ")))
    }
}

/// Marking as final where everybody is stuck, where a deadlock is none.
pub fn of_deadlock(root: Root<'_>, report: &PropertyReport) -> Option<Proposal> {
    if report.form != Form::Deadlock || report.waits.is_empty() {
        return None;
    }
    let mut edits: Vec<Edit> = Vec::new();
    let mut places: Vec<&Place> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for wait in &report.waits {
        if !places.contains(&&wait.place) {
            let (edit, name) = final_at(root.program, &wait.place, names.len())?;
            places.push(&wait.place);
            names.push(name);
            edits.push(edit);
        }
    }
    let more = match names.len() {
        1 => String::new(),
        2 => " and one more place".to_owned(),
        n => format!(" and {} more places", n - 1),
    };
    let first = names.first()?;
    let title = format!("It is right to stay at {first}{more} for ever: mark it `final`");
    Some(Proposal::new(title, edits))
}

/// What marks a state or a statement as final, and what it is called.
fn final_at(program: &Program, place: &Place, number: usize) -> Option<(Edit, String)> {
    let mut files = program.files.iter();
    let file = FileId(files.position(|file| *file.path == *place.file)? as u32);
    let span = Span {
        file,
        start: place.bytes.start,
        end: place.bytes.end,
    };
    let (parsed, node) = node_at(program, span)?;
    if let Some(state) = node.ancestors().find_map(State::cast) {
        let at = bytes(state.range()).start;
        let name = format!("`{}`", state.name()?.text());
        return Some(((file, at..at, "final ".to_owned()), name));
    }
    let statement = node
        .ancestors()
        .find(|one| Statement::can_cast(one.kind()) && one.kind() != SyntaxKind::LABEL)?;
    if let Some(label) = label_of(&statement) {
        let at = bytes(label.range()).start;
        let name = format!("`{}`", label.name()?.text());
        return Some(((file, at..at, "final ".to_owned()), name));
    }
    let at = bytes(statement.text_range()).start;
    let number = match number {
        0 => String::new(),
        n => (n + 1).to_string(),
    };
    let label = fresh(&parsed.text, &format!("resting{number}"));
    let line = parsed.position(at as u32).line;
    let edit = (file, at..at, format!("final {label}: "));
    Some((edit, format!("line {line}")))
}

/// The label directly before a statement.
fn label_of(statement: &SyntaxNode) -> Option<Label> {
    Label::cast(statement.prev_sibling()?)
}
