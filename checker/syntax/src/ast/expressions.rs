//! Expressions (§3) and formulas (§6): operators, values of literals, and accessors that the
//! grammar does not give.

use rowan::{Language as _, NodeOrToken};

use super::generated::{
    Aggregate, AggregateExpr, BinaryExpr, CallExpr, Expr, InExpr, Literal, NameExpr, NamedType,
    PrefixExpr, RecordField, WithExpr,
};
use super::node::{AstNode, children, first_own, first_own_token, token};
use crate::{Stubborn, SyntaxKind, SyntaxToken};

impl Expr {
    /// The expression without the parentheses around it.
    pub fn without_parens(self) -> Option<Expr> {
        let mut expr = self;
        while let Expr::Paren(paren) = expr {
            expr = paren.inner()?;
        }
        Some(expr)
    }
}

/// The value of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LiteralValue {
    /// An integer. 2^63 is there too, because it may stand after a `-`
    /// (see [`PrefixExpr::negative_literal`]); anywhere else it is a syntax error.
    Int(u64),
    /// `true`, `false`
    Bool(bool),
}

impl Literal {
    /// The value; `None` for an integer that is no 64-bit integer, which is a syntax error.
    pub fn value(&self) -> Option<LiteralValue> {
        let (kind, text) = first_own(&self.syntax)?;
        match kind {
            SyntaxKind::TRUE_KW => Some(LiteralValue::Bool(true)),
            SyntaxKind::FALSE_KW => Some(LiteralValue::Bool(false)),
            SyntaxKind::INT => {
                let value: u64 = text.replace('_', "").parse().ok()?;
                (value <= 1 << 63).then_some(LiteralValue::Int(value))
            }
            _ => None,
        }
    }
    /// The literal's token.
    pub fn token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

/// The operators before their operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PrefixOp {
    /// `-`
    Neg,
    /// `not`, `!`
    Not,
    /// `always`, `[]`, in formulas.
    Always,
    /// `eventually`, `<>`, in formulas.
    Eventually,
    /// `next`, `X`: always a syntax error.
    Next,
}

impl NamedType {
    /// The name as an expression: where a name is bound it may be that of a set or a list.
    pub fn as_value(&self) -> Expr {
        Expr::Name(NameExpr {
            syntax: self.syntax.clone(),
        })
    }
}

impl PrefixExpr {
    /// The operator.
    pub fn op(&self) -> Option<PrefixOp> {
        match first_own(&self.syntax)? {
            (SyntaxKind::MINUS, _) => Some(PrefixOp::Neg),
            (SyntaxKind::NOT_KW | SyntaxKind::BANG, _) => Some(PrefixOp::Not),
            (SyntaxKind::L_BRACKET, _) | (_, "always") => Some(PrefixOp::Always),
            (SyntaxKind::LESS, _) | (_, "eventually") => Some(PrefixOp::Eventually),
            (_, "next" | "X") => Some(PrefixOp::Next),
            _ => None,
        }
    }
    /// The operator's first token.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
    /// The value of `-7`, where the operand is an integer literal: also that of the least
    /// integer, whose literal without the `-` is none.
    pub fn negative_literal(&self) -> Option<i64> {
        match (self.op()?, self.operand()?) {
            (PrefixOp::Neg, Expr::Literal(literal)) => match literal.value()? {
                LiteralValue::Int(value) => i64::try_from(-i128::from(value)).ok(),
                LiteralValue::Bool(_) => None,
            },
            _ => None,
        }
    }
}

/// The operators between two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `implies`; in formulas also `->`.
    Implies,
    /// `or`, `||`
    Or,
    /// `and`, `&&`
    And,
    /// `until`, `U`, in formulas.
    Until,
    /// `weak_until`, `W`, in formulas.
    WeakUntil,
    /// `release`, `R`, in formulas.
    Release,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
}

impl BinaryOp {
    /// Whether it compares; these do not chain.
    pub fn is_comparison(self) -> bool {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    pub(crate) fn of(kind: SyntaxKind, text: &str) -> Option<BinaryOp> {
        Some(match kind {
            SyntaxKind::IMPLIES_KW | SyntaxKind::ARROW => BinaryOp::Implies,
            SyntaxKind::OR_KW | SyntaxKind::PIPE_PIPE => BinaryOp::Or,
            SyntaxKind::AND_KW | SyntaxKind::AMP_AMP => BinaryOp::And,
            SyntaxKind::EQ_EQ => BinaryOp::Eq,
            SyntaxKind::BANG_EQ => BinaryOp::Ne,
            SyntaxKind::LESS => BinaryOp::Lt,
            SyntaxKind::LESS_EQ => BinaryOp::Le,
            SyntaxKind::GREATER => BinaryOp::Gt,
            SyntaxKind::GREATER_EQ => BinaryOp::Ge,
            SyntaxKind::PLUS | SyntaxKind::PLUS_EQ => BinaryOp::Add,
            SyntaxKind::MINUS | SyntaxKind::MINUS_EQ => BinaryOp::Sub,
            SyntaxKind::STAR => BinaryOp::Mul,
            SyntaxKind::SLASH => BinaryOp::Div,
            SyntaxKind::PERCENT => BinaryOp::Rem,
            SyntaxKind::IDENT => match text {
                "until" | "U" => BinaryOp::Until,
                "weak_until" | "W" => BinaryOp::WeakUntil,
                "release" | "R" => BinaryOp::Release,
                _ => return None,
            },
            _ => return None,
        })
    }
}

impl BinaryExpr {
    /// The left operand.
    pub fn lhs(&self) -> Option<Expr> {
        let before = self.operands_before_op()?;
        children(&self.syntax).next().filter(|_| before > 0)
    }
    /// The right operand.
    pub fn rhs(&self) -> Option<Expr> {
        children(&self.syntax).nth(self.operands_before_op()?)
    }
    fn operands_before_op(&self) -> Option<usize> {
        let mut before = 0;
        for child in self.syntax.green().children() {
            match child {
                NodeOrToken::Node(node) => {
                    let kind = Stubborn::kind_from_raw(node.kind());
                    before += usize::from(Expr::can_cast(kind));
                }
                NodeOrToken::Token(token) => {
                    if !Stubborn::kind_from_raw(token.kind()).is_trivia() {
                        return Some(before);
                    }
                }
            }
        }
        None
    }
    /// The operator's token.
    pub fn op_token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
    /// The operator; `None` for one that the language does not have, a syntax error.
    pub fn op(&self) -> Option<BinaryOp> {
        let (kind, text) = first_own(&self.syntax)?;
        BinaryOp::of(kind, text)
    }
}

impl InExpr {
    /// The members of the set.
    pub fn members(&self) -> Vec<Expr> {
        let Some(in_token) = self.in_token() else {
            return Vec::new();
        };
        let start = in_token.text_range().start();
        children::<Expr>(&self.syntax)
            .filter(|expr| expr.range().start() > start)
            .collect()
    }
    /// The set or the list that is asked, where its members are not written out behind `in`.
    pub fn whole(&self) -> Option<Expr> {
        match token(&self.syntax, "{") {
            Some(_) => None,
            None => self.members().into_iter().next(),
        }
    }
}

impl CallExpr {
    /// The arguments.
    pub fn args(&self) -> Vec<Expr> {
        self.arg_list().map(|list| list.args()).unwrap_or_default()
    }
}

impl AggregateExpr {
    /// Which function it is; `None` for a name that is none of them.
    pub fn aggregate(&self) -> Option<Aggregate> {
        Aggregate::from_text(&self.name_ref()?.text())
    }
}

impl WithExpr {
    /// The fields, in the order of the text.
    pub fn fields(&self) -> Vec<RecordField> {
        self.record()
            .map_or_else(Vec::new, |record| record.fields().collect())
    }
}
