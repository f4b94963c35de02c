//! Letting those stop who always ask again.
//!
//! Who uses a service need not ever ask for it again. A model in which everybody has to, sooner or
//! later, lets others be served only because somebody asked: an error by which they wait for the next
//! request then never shows, since the request always comes. So the one who asks is given the choice,
//! each time, to ask or to stop for good. That is the worst that the rest has to live with, and it is
//! what makes a model AG EF terminating (A. Valmari, "Stop It, and Be Stubborn!", 2015, sections II and
//! III).

use stubborn_model::problem::{Code, Problem};
use stubborn_model::program::ParsedFile;
use stubborn_report::PropertyReport;
use stubborn_syntax::ast::{AstNode, Body, HasName, Item, LoopStmt, ProcessDecl, State, Statement};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::property::Form;
use stubborn_system::source::FileId;

use super::proposal::{Proposal, Root};
use super::states::steps_at_the_end;
use super::text::{closing_brace, fresh, has_lines, indentation};
use crate::features::tree::bytes;

type Edit = (FileId, std::ops::Range<usize>, String);

pub fn proposal(root: Root<'_>, problem: &Problem) -> Option<Proposal> {
    let is_it = problem.code == Code::NoPlaceToStop;
    is_it.then(|| may_stop(root)).flatten()
}

pub fn of_termination(root: Root<'_>, report: &PropertyReport) -> Option<Proposal> {
    let is_it = report.form == Form::Termination;
    is_it.then(|| may_stop(root)).flatten()
}

/// Saying that the model goes on for ever.
pub fn not_required(root: Root<'_>, problem: &Problem) -> Option<Proposal> {
    let span = problem
        .span
        .filter(|_| problem.code == Code::NoPlaceToStop)?;
    let text = &root.program.files.get(span.file.0 as usize)?.text;
    let end = text.len();
    let line = match text.ends_with('\n') || text.is_empty() {
        true => "",
        false => "\n",
    };
    let edit = (
        span.file,
        end..end,
        format!("{line}termination not required\n"),
    );
    let title = "The model goes on for ever: write `termination not required`";
    Some(Proposal::new(title, vec![edit]))
}

/// The choice to stop for all processes that have none.
fn may_stop(root: Root<'_>) -> Option<Proposal> {
    let mut edits: Vec<Edit> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (number, file) in (0..).zip(&root.program.files) {
        for item in file.parse.tree().items() {
            let Item::Process(process) = item else {
                continue;
            };
            if let Some(of_process) = choice(file, FileId(number), &process) {
                names.push(process.name()?.text());
                edits.extend(of_process);
            }
        }
    }
    let who = match names.as_slice() {
        [] => return None,
        [one] => format!("`{one}`"),
        [one, other] => format!("`{one}` and `{other}`"),
        [one, rest @ ..] => format!("`{one}` and {} more", rest.len()),
    };
    let title = format!(
        "Let {who} stop for good instead of asking again: if all must ask again, nobody sees who \
         waits for it"
    );
    Some(Proposal::new(title, edits))
}

/// What lets a process stop where it begins anew, if it has no such place.
fn choice(file: &ParsedFile, id: FileId, process: &ProcessDecl) -> Option<Vec<Edit>> {
    let body = process.body()?;
    if body.states().next().is_some() {
        return of_states(file, id, &body);
    }
    let stops = |node: SyntaxNode| {
        matches!(
            node.kind(),
            SyntaxKind::STOP_STMT
                | SyntaxKind::BREAK_STMT
                | SyntaxKind::GOTO_STMT
                | SyntaxKind::WHILE_STMT
        )
    };
    let last = body.statements().last()?;
    let round = LoopStmt::cast(last.syntax().clone())?;
    if round.syntax().descendants().any(stops) {
        return None;
    }
    Some(vec![of_loop(file, id, &round)?])
}

const STOP: &str = "stop /* for good: nobody has to ask again */";

fn of_loop(file: &ParsedFile, id: FileId, round: &LoopStmt) -> Option<Edit> {
    let text = &file.text;
    let statements: Vec<Statement> = round.body()?.statements().collect();
    let first = statements.first()?;
    if let Statement::Either(either) = first {
        let last = bytes(either.range()).end;
        let branch = match has_lines(text, &bytes(either.range())) {
            true => {
                let outer = indentation(text, bytes(either.range()).start);
                format!("\n{outer}or {{ {STOP} }}")
            }
            false => format!(" or {{ {STOP} }}"),
        };
        return Some((id, last..last, branch));
    }
    // A label belongs to the statement after it.
    let is_label = |one: &&Statement| one.syntax().kind() == SyntaxKind::LABEL;
    let labels = statements.iter().take_while(is_label).count();
    let end = bytes(statements.get(labels)?.range()).end;
    let start = bytes(first.range()).start;
    let whole = start..end;
    let instead = match has_lines(text, &whole) {
        true => {
            let outer = indentation(text, start).to_owned();
            let inner = text[whole.clone()].replace('\n', "\n    ");
            format!("either {{ {STOP} }}\n{outer}or {{\n{outer}    {inner}\n{outer}}}")
        }
        false => format!("either {{ {STOP} }} or {{ {} }}", &text[whole.clone()]),
    };
    Some((id, whole, instead))
}

fn of_states(file: &ParsedFile, id: FileId, body: &Body) -> Option<Vec<Edit>> {
    let states: Vec<State> = body.states().collect();
    if states.iter().any(State::is_final) {
        return None;
    }
    let initial = states.iter().find(|state| state.is_initial())?;
    let name = fresh(&file.text, "stopped");
    let step = format!("-> {name}");
    let edit = steps_at_the_end(&file.text, id, initial, &[step]);
    let brace = bytes(closing_brace(body.syntax())?.text_range()).start;
    let state = format!("final state {name} /* for good: nobody has to ask again */");
    let whole = bytes(body.range());
    let end = match has_lines(&file.text, &whole) {
        true => {
            let outer = indentation(&file.text, bytes(initial.range()).start);
            let before = file.text[..brace].trim_end().len();
            (id, before..before, format!("\n{outer}{state}"))
        }
        false => (id, brace..brace, format!("{state} ")),
    };
    Some(vec![edit, end])
}
