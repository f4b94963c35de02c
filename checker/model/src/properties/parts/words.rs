//! The words of a part, and the names in them.

use stubborn_syntax::ast;

use super::around::{Around, Chain, Operand, What};

/// The words of the text, on one line, with what of those around them belongs to it, and how they hold together.
pub(super) fn line(expr: &ast::Expr, around: &[Around]) -> (String, Shape) {
    let mut line = on_one_line(expr);
    let mut shape = Shape::of(expr);
    for around in around.iter().rev() {
        let in_parentheses = match shape {
            Shape::One => line.clone(),
            _ => format!("({line})"),
        };
        (line, shape) = match &around.what {
            What::Always => (format!("always {in_parentheses}"), Shape::Joined),
            What::Not => (format!("not {in_parentheses}"), Shape::Joined),
            What::Given(given) => (
                format!("{} implies {line}", on_one_line(given)),
                Shape::ReachesFar,
            ),
            What::If(test, true) => (
                format!("if {} then {line}", on_one_line(test)),
                Shape::ReachesFar,
            ),
            What::If(test, false) => (
                format!("if not ({}) then {line}", on_one_line(test)),
                Shape::ReachesFar,
            ),
            What::Or(chain) => joined(chain, line, shape),
        };
    }
    (line, shape)
}

pub(super) fn joined(chain: &Chain, line: String, shape: Shape) -> (String, Shape) {
    let closed = |line: String, shape| match shape {
        Shape::ReachesFar => format!("({line})"),
        Shape::One | Shape::Joined => line,
    };
    let mut line = Some(closed(line, shape));
    let operands = chain.operands.iter().enumerate();
    let all = operands.filter_map(|(at, one)| match one {
        _ if at == chain.at => line.take(),
        Operand::Text(text) => Some(on_one_line(text)),
        Operand::Taken(taken) => {
            let (line, shape) = self::line(&taken.expr, &taken.around);
            Some(closed(line, shape))
        }
    });
    let all: Vec<String> = all.collect();
    let last = chain.operands.len() - 1;
    let shape = match &chain.operands[last] {
        Operand::Text(text) if last != chain.at && Shape::of(text) == Shape::ReachesFar => {
            Shape::ReachesFar
        }
        _ => Shape::Joined,
    };
    (all.join(" or "), shape)
}

/// How the words of an expression hold together.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Whatever stands around it.
    One,
    /// Joined by something that binds no looser than `or`.
    Joined,
    /// It would take in what stands behind it, or be taken apart beside an `or`.
    ReachesFar,
}

impl Shape {
    fn of(expr: &ast::Expr) -> Shape {
        let right = |operand: Option<ast::Expr>| match operand.as_ref().map(Shape::of) {
            Some(Shape::ReachesFar) => Shape::ReachesFar,
            _ => Shape::Joined,
        };
        match expr {
            ast::Expr::Binary(binary) if binary.op() == Some(ast::BinaryOp::Implies) => {
                Shape::ReachesFar
            }
            ast::Expr::Binary(binary) => right(binary.rhs()),
            ast::Expr::Prefix(prefix) => right(prefix.operand()),
            ast::Expr::If(_) | ast::Expr::Quantifier(_) => Shape::ReachesFar,
            // A call, say, though it were one.
            other if on_one_line(other).contains(' ') => Shape::Joined,
            _ => Shape::One,
        }
    }
}

/// The names of `k = 3` and so on.
pub(super) fn names(values: &[String]) -> impl Iterator<Item = &str> {
    values.iter().map(|value| name_of_value(value))
}

pub(super) fn name_of_value(value: &str) -> &str {
    value.split_once(" = ").map_or(value, |(name, _)| name)
}

/// What is bound, where one name is bound twice the inner value alone.
pub(super) fn by_name(values: &[String]) -> Vec<&str> {
    let is_last = |at: usize| {
        let name = name_of_value(&values[at]);
        !names(&values[at + 1..]).any(|other| other == name)
    };
    let all = (0..values.len()).filter(|at| is_last(*at));
    all.map(|at| values[at].as_str()).collect()
}

/// Whether a word of the line is this name.
pub(super) fn says(name: &str, line: &str) -> bool {
    let mut words = line.split(|one: char| !one.is_alphanumeric() && one != '_');
    words.any(|word| word == name)
}

/// Whether a word of the text is this name.
pub(super) fn occurs(name: &str, expr: &ast::Expr) -> bool {
    let tokens = ast::AstNode::syntax(expr).descendants_with_tokens();
    tokens
        .filter_map(|one| one.into_token())
        .any(|token| token.text() == name)
}

pub(super) fn on_one_line(expr: &ast::Expr) -> String {
    let text = ast::AstNode::syntax(expr).text().to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
