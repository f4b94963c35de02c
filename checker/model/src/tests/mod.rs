//! Models in, messages and meanings out.

mod collections;
mod constants;
mod definitions;
mod expressions;
mod failures;
mod files;
mod limits;
mod messages;
mod names;
mod processes;
mod rendering;
mod symbols;
mod syntax;
mod types;

use std::sync::Arc;

use expect_test::Expect;
use stubborn_syntax::ast::{self, HasParams};

pub(crate) use rendering::rendered;

use crate::elaborate::{Elaborator, Settings};
use crate::expressions::typed::Decided;
use crate::names::env::Binding;
use crate::names::symbols::Symbols;
use crate::problem::Problem;
use crate::program::{ParsedFile, Program};
use stubborn_system::system::Expr;

/// A program of one file.
pub(crate) fn program(text: &str) -> Program {
    let root = Arc::new(ParsedFile::new("model.stb", text));
    Program::assemble(root, &mut |_| None)
}

/// A program of several files; the last is the given one.
pub(crate) fn program_of(files: &[(&str, &str)]) -> Program {
    let file = |(path, text): &(&str, &str)| Arc::new(ParsedFile::new(*path, *text));
    let root = file(files.last().unwrap());
    Program::assemble(root, &mut |path| {
        files.iter().find(|(known, _)| *known == path).map(file)
    })
}

/// What is found in the declarations and the invariants, processes having no instances.
struct Reading {
    problems: Vec<Problem>,
    symbols: Symbols,
    /// Each invariant's name and what it means.
    invariants: Vec<(String, Expr)>,
}

fn read(program: &Program, parameters: &[(&str, &str)]) -> Reading {
    let parameters = parameters.iter();
    let settings = Settings {
        parameters: parameters
            .map(|(n, v)| (n.to_string(), v.to_string()))
            .collect(),
    };
    let mut elaborator = Elaborator::new(program, &settings);
    elaborator.finish_layout();
    elaborator.check_declarations();
    let mut invariants = Vec::new();
    for item in elaborator.items().iter() {
        let ast::Item::Invariant(invariant) = &item.ast else {
            continue;
        };
        elaborator.owned_by(item.id, |e| {
            let mut env = e.env.clone();
            for parameter in e.parameters(&invariant.params()) {
                let binding = Binding::Constant {
                    value: parameter.domain.range.lo,
                    domain: parameter.domain,
                    decided: Decided::Instance,
                };
                env = env.with(parameter.name, parameter.span, binding);
            }
            let Some(condition) = invariant.condition() else {
                return;
            };
            let name = ast::HasName::name(invariant).map(|name| name.text());
            let typed = e.in_scope(&env, |e| e.boolean(&condition, "an invariant"));
            invariants.push((name.unwrap_or_default(), typed.expr));
        });
    }
    elaborator.warn_of_unused();
    let (problems, symbols, _) = elaborator.finish();
    Reading {
        problems,
        symbols,
        invariants,
    }
}

/// Holds the messages of a model to what is expected of them.
fn check(text: &str, expected: Expect) {
    let program = program(text);
    let reading = read(&program, &[]);
    expected.assert_eq(&rendered(&program, &reading.problems));
}

/// Holds the messages of a model with processes to what is expected of them.
fn check_whole(text: &str, expected: Expect) {
    let program = program(text);
    let analysis = crate::analyze(&program, &Settings::default());
    expected.assert_eq(&rendered(&program, &analysis.problems));
}

/// Holds what an expression means to what is expected of it; the declarations around it are right.
fn means(declarations: &str, expression: &str, expected: Expect) {
    let text = format!("{declarations}\ninvariant it: {expression}\n");
    let program = program(&text);
    let reading = read(&program, &[]);
    let errors: Vec<Problem> = reading
        .problems
        .into_iter()
        .filter(|problem| problem.severity == crate::problem::Severity::Error)
        .collect();
    assert!(errors.is_empty(), "{}", rendered(&program, &errors));
    let (_, expr) = reading.invariants.last().unwrap();
    expected.assert_eq(&format!("{expr:?}"));
}
