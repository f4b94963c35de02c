//! `deadlock` and `termination`: what is set of the built-in properties.

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::{Item, ItemId};
use crate::problem::{Code, Words};
use crate::spans::token_span;
use stubborn_system::source::Span;
use stubborn_system::system::Expr;

/// What the text sets.
#[derive(Default)]
pub(crate) struct Settled {
    pub deadlock: Option<Deadlock>,
    /// `termination not required`: where.
    pub termination: Option<Span>,
}

pub(crate) struct Deadlock {
    pub span: Span,
    pub item: ItemId,
    pub ignored: bool,
    pub allowed: Option<Expr>,
}

pub(crate) fn settings(elaborator: &mut Elaborator) -> Settled {
    let mut settled = Settled::default();
    for item in elaborator.items().iter() {
        elaborator.owned_by(item.id, |this| match &item.ast {
            ast::Item::Deadlock(ast) => deadlock(this, item, ast, &mut settled),
            ast::Item::Termination(ast) => termination(this, item, ast, &mut settled),
            _ => {}
        });
    }
    settled
}

fn deadlock(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::DeadlockSetting,
    settled: &mut Settled,
) {
    let Some(word) = ast.deadlock_token() else {
        return;
    };
    let span = token_span(item.file, &word);
    let allowed = ast.condition().map(|condition| {
        elaborator
            .boolean(&condition, "the condition of `deadlock`")
            .expr
    });
    let first = settled.deadlock.as_ref().map(|first| first.span);
    if !may_stand(elaborator, item, span, "deadlock", first) {
        return;
    }
    settled.deadlock = Some(Deadlock {
        span,
        item: item.id,
        ignored: ast.ignored_token().is_some(),
        allowed,
    });
}

fn termination(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::TerminationSetting,
    settled: &mut Settled,
) {
    let Some(word) = ast.termination_token() else {
        return;
    };
    let span = token_span(item.file, &word);
    if may_stand(elaborator, item, span, "termination", settled.termination) {
        settled.termination = Some(span);
    }
}

/// A setting stands in a model file, and once.
fn may_stand(
    elaborator: &mut Elaborator,
    item: &Item,
    span: Span,
    word: &str,
    first: Option<Span>,
) -> bool {
    if elaborator.program.file(item.file).is_tester() {
        let message = format!(
            "`{word}` is set in the model's file, not in a tester file, so that every check \
                 of the model has it"
        );
        elaborator.error(Code::Misplaced, span, message);
        return false;
    }
    if let Some(first) = first {
        let words = Words::from(format!("`{word}` is already set; one of the two has to go"))
            .see(first, "it is set here first");
        elaborator.error(Code::DuplicateName, span, words);
        return false;
    }
    true
}
