//! Widening a range to a value that it was given, and a channel to the messages that it holds.

use stubborn_engine::{Finding, Verdict};
use stubborn_model::Model;
use stubborn_model::problem::{Mend, Problem};
use stubborn_syntax::ast::{self, AstNode, Expr, RangeType, TypeExpr};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;
use stubborn_system::system::Failure;

use super::proposal::{Proposal, Root};
use super::text::node_at;
use crate::features::fields::{Fields, Written};
use crate::features::tree::{bytes, declaring_in, span};
use crate::jobs::Answer;

/// For a constant that is outside the type of what it is for.
pub fn proposal(root: Root<'_>, problem: &Problem) -> Option<Proposal> {
    let span = problem.span?;
    let (_, node) = node_at(root.program, span)?;
    match problem.mend {
        Some(Mend::Capacity(messages)) => {
            let channel = node.ancestors().find_map(ast::ChannelDecl::cast)?;
            let at = bytes(channel.capacity()?.value()?.range());
            let title = format!("Make room for {messages} messages");
            let edit = (span.file, at, messages.to_string());
            Some(Proposal {
                is_the_one: true,
                ..Proposal::new(title, vec![edit])
            })
        }
        Some(Mend::Fit(value)) => {
            let (file, range) = node.ancestors().find_map(|node| {
                let argument = node.parent().filter(|of| of.kind() == SyntaxKind::ARG_LIST);
                if argument.is_some() {
                    let (file, ty) = carried(root, span.file, &node)?;
                    return range_in(root, file, ty);
                }
                let ty = match node.kind() {
                    SyntaxKind::ASSIGNMENT => {
                        let place = ast::Assignment::cast(node)?.place()?;
                        return range_of(root, span.file, &place);
                    }
                    SyntaxKind::VAR_DECL => ast::VarDecl::cast(node)?.ty()?,
                    SyntaxKind::CONST_DECL => ast::ConstDecl::cast(node)?.ty()?,
                    SyntaxKind::PARAM_DECL => ast::ParamDecl::cast(node)?.ty()?,
                    _ => return None,
                };
                range_in(root, span.file, ty)
            })?;
            widened(root, file, &range, value)
        }
        _ => None,
    }
}

/// For a step that fails since it gives something a value outside its type.
pub fn of_error(root: Root<'_>, model: &Model, answer: &Answer) -> Option<Proposal> {
    let Answer::Outcome(outcome) = answer else {
        return None;
    };
    let Verdict::Violated { finding, trace } = &outcome.verdict else {
        return None;
    };
    let Finding::StepFails(Failure::OutsideType { value, lo, hi }) = finding else {
        return None;
    };
    let last = trace.steps().last()?;
    // What several places of the step could have been is not guessed.
    let mut ranges: Vec<(FileId, RangeType)> = Vec::new();
    for (instance, step) in &last.participants {
        let source = model.source_map.instances.get(*instance as usize)?;
        let span = *source.steps.get(*step as usize)?;
        let (_, node) = node_at(root.program, span)?;
        for part in node.descendants() {
            let ty = match assigned(&part) {
                Some(place) => fields(root).of_expression(span.file, &place),
                None => carried(root, span.file, &part),
            };
            let Some((file, range)) = ty.and_then(|(file, ty)| range_in(root, file, ty)) else {
                continue;
            };
            let ends = (
                value_of(root, file, range.low()),
                value_of(root, file, range.high()),
            );
            let may_be =
                ends.0.is_none_or(|low| low == *lo) && ends.1.is_none_or(|high| high == *hi);
            if may_be && !ranges.contains(&(file, range.clone())) {
                ranges.push((file, range));
            }
        }
    }
    match ranges.as_slice() {
        [(file, range)] => widened(root, *file, range, *value),
        _ => None,
    }
}

/// What an assignment or a `?x` gives a value.
fn assigned(node: &SyntaxNode) -> Option<Expr> {
    match node.kind() {
        SyntaxKind::ASSIGNMENT => ast::Assignment::cast(node.clone())?.place(),
        SyntaxKind::BIND_ARG => node.children().find_map(Expr::cast),
        _ => None,
    }
}

/// The type of what an expression among the arguments of an action or a message is for.
fn carried(root: Root<'_>, file: FileId, argument: &SyntaxNode) -> Option<(FileId, TypeExpr)> {
    Expr::cast(argument.clone())?;
    let list = argument.parent().and_then(ast::ArgList::cast)?;
    let position = list.arguments().position(|one| one.syntax() == argument)?;
    let clause = list.syntax().parent()?;
    let name = match clause.kind() {
        SyntaxKind::ON_CLAUSE => ast::OnClause::cast(clause)?.action()?,
        SyntaxKind::SEND_CLAUSE => ast::SendClause::cast(clause)?.channel()?,
        _ => return None,
    };
    let declared = (root.analysis.symbols).at(span(file, name.range()))?.span;
    let declaration = declaring_in(root.program, declared)?;
    let types = match declaration.kind() {
        SyntaxKind::ACTION_DECL => ast::ActionDecl::cast(declaration)?.types().collect(),
        SyntaxKind::CHANNEL_DECL => ast::ChannelDecl::cast(declaration)?.message_types(),
        _ => Vec::new(),
    };
    let ty = types.into_iter().nth(position)?;
    Some((declared.file, ty))
}

fn widened(root: Root<'_>, file: FileId, range: &RangeType, value: i64) -> Option<Proposal> {
    let (low, high) = (range.low()?, range.high()?);
    let low_value = value_of(root, file, Some(low.clone()))?;
    let is_below = value < low_value;
    let end = if is_below { &low } else { &high };
    let text = end.syntax().text().to_string();
    let is_plain = matches!(end, Expr::Literal(_) | Expr::Prefix(_));
    let instead = match (is_plain, is_below) {
        (true, _) => value.to_string(),
        // It stays what it was said to depend on.
        (false, true) => format!("min({text}, {value})"),
        (false, false) => format!("max({text}, {value})"),
    };
    let before = range.syntax().text();
    let after = match is_below {
        true => format!("{instead}..{}", high.syntax().text()),
        false => format!("{}..{instead}", low.syntax().text()),
    };
    let title = format!("Widen `{before}` to `{after}`");
    Some(Proposal::new(
        title,
        vec![(file, bytes(end.range()), instead)],
    ))
}

/// The range that the type of a place is, or that it is in the end.
fn range_of(root: Root<'_>, file: FileId, place: &Expr) -> Option<(FileId, RangeType)> {
    range(fields(root), fields(root).of_expression(file, place)?)
}

fn range_in(root: Root<'_>, file: FileId, ty: TypeExpr) -> Option<(FileId, RangeType)> {
    range(fields(root), (file, ty))
}

fn range(fields: Fields<'_>, written: Written) -> Option<(FileId, RangeType)> {
    match fields.without_names(written)? {
        (file, TypeExpr::Range(range)) => Some((file, range)),
        _ => None,
    }
}

fn fields(root: Root<'_>) -> Fields<'_> {
    Fields::new(root.program, root.analysis)
}

/// The value of an end of a range, as far as that is seen without working it out.
fn value_of(root: Root<'_>, file: FileId, end: Option<Expr>) -> Option<i64> {
    match end? {
        Expr::Literal(literal) => literal
            .syntax()
            .text()
            .to_string()
            .replace('_', "")
            .parse()
            .ok(),
        Expr::Prefix(prefix) => {
            let text = prefix.syntax().text().to_string();
            text.replace(['_', ' '], "").parse().ok()
        }
        Expr::Name(name) => {
            let symbol = (root.analysis.symbols).at(span(file, name.name_ref()?.range()))?;
            symbol.value.as_ref()?.parse().ok()
        }
        Expr::Binary(binary) => {
            let mut sides = binary.syntax().children().filter_map(Expr::cast);
            let one = value_of(root, file, sides.next())?;
            let other = value_of(root, file, sides.next())?;
            let operator = binary
                .syntax()
                .children_with_tokens()
                .filter_map(|element| element.into_token())
                .find(|token| !token.kind().is_trivia())?;
            match operator.kind() {
                SyntaxKind::PLUS => one.checked_add(other),
                SyntaxKind::MINUS => one.checked_sub(other),
                SyntaxKind::STAR => one.checked_mul(other),
                _ => None,
            }
        }
        _ => None,
    }
}
