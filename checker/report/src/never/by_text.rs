//! States and statements that the text alone shows to be unreachable: no steps of their process
//! lead to them.
//!
//! No System has a location for them, so that no search can miss one; the analysis has warned of
//! each.

use std::collections::HashSet;

use stubborn_model::Analysis;
use stubborn_model::problem::Code;
use stubborn_model::program::Program;
use stubborn_model::spans::span_of;
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_system::source::{FileId, Span};

use super::kind::{Kind, Never};

/// States and statements that no step leads to; the editor has a warning of each already.
pub fn never_by_text(analysis: &Analysis, program: &Program) -> Vec<Never> {
    let told = analysis.problems.iter();
    let told = told.filter(|problem| problem.code == Code::Unreachable);
    let spans: HashSet<Span> = told.filter_map(|problem| problem.span).collect();
    let mut all = Vec::new();
    for number in 0..program.files.len() {
        let file = FileId(number as u32);
        if !spans.iter().any(|span| span.file == file) {
            continue;
        }
        for item in program.file(file).parse.tree().items() {
            // Testers and automata are no part of the model.
            let (ast::Item::Process(_) | ast::Item::Macro(_)) = item else {
                continue;
            };
            for node in item.syntax().descendants() {
                if let Some(state) = ast::State::cast(node.clone()) {
                    let name = state.name();
                    if let Some(name) = name
                        && spans.contains(&span_of(file, &name))
                    {
                        all.push((Kind::State(name.text()), span_of(file, &state)));
                    }
                } else if let Some(statement) = ast::Statement::cast(node) {
                    let span = span_of(file, &statement);
                    if spans.contains(&span) {
                        all.push((Kind::Statements, span));
                    }
                }
            }
        }
    }
    let all = all.into_iter();
    all.map(|(kind, span)| Never {
        kind,
        span,
        states: 0,
    })
    .collect()
}
