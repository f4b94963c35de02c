//! Expressions (§3) and formulas (§6), which are one grammar: a formula is an expression in
//! which temporal operators stand too.

use rowan::{Language as _, NodeOrToken};

use super::{
    ArgList, AstNode, Binding, NameRef, ast_enum, ast_node, child, children, first_own,
    first_own_token, token,
};
use crate::{Stubborn, SyntaxKind, SyntaxToken};

ast_enum! {
    /// An expression.
    Expr {
        Literal(Literal),
        Name(NameExpr),
        Paren(ParenExpr),
        Prefix(PrefixExpr),
        Binary(BinaryExpr),
        In(InExpr),
        Quantifier(QuantifierExpr),
        If(IfExpr),
        Index(IndexExpr),
        Field(FieldExpr),
        Call(CallExpr),
        At(AtExpr),
        Aggregate(AggregateExpr),
        Array(ArrayExpr),
        Comprehension(ComprehensionExpr),
        Record(RecordExpr),
        With(WithExpr),
        Set(SetExpr),
        SetComprehension(SetComprehensionExpr),
        Slice(SliceExpr),
    }
}

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

ast_node! {
    /// `7`, `true`, `false`
    Literal = LITERAL
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

ast_node! {
    /// A name: a variable, a constant, an enumeration's value, a definition without parameters.
    NameExpr = NAME_EXPR
}

impl NameExpr {
    /// The name.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `(e)`
    ParenExpr = PAREN_EXPR
}

impl ParenExpr {
    /// What stands between the parentheses.
    pub fn inner(&self) -> Option<Expr> {
        child(&self.syntax)
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

ast_node! {
    /// An operator before its operand.
    PrefixExpr = PREFIX_EXPR
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
    /// The operand.
    pub fn operand(&self) -> Option<Expr> {
        child(&self.syntax)
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
            SyntaxKind::PLUS => BinaryOp::Add,
            SyntaxKind::MINUS => BinaryOp::Sub,
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

ast_node! {
    /// An operator between two operands.
    BinaryExpr = BINARY_EXPR
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

ast_node! {
    /// `e in {e, e}`
    InExpr = IN_EXPR
}

impl InExpr {
    /// What may be in the set.
    pub fn element(&self) -> Option<Expr> {
        let start = self.in_token()?.text_range().start();
        children::<Expr>(&self.syntax).find(|expr| expr.range().start() < start)
    }
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
        match token(&self.syntax, SyntaxKind::L_BRACE) {
            Some(_) => None,
            None => self.members().into_iter().next(),
        }
    }
    /// The word `in`.
    pub fn in_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::IN_KW)
    }
}

/// The two quantifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Quantifier {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
}

ast_node! {
    /// `forall x in T, y in U: e`, `exists …: e`
    QuantifierExpr = QUANTIFIER_EXPR
}

impl QuantifierExpr {
    /// Which it is.
    pub fn quantifier(&self) -> Option<Quantifier> {
        match first_own(&self.syntax)?.0 {
            SyntaxKind::FORALL_KW => Some(Quantifier::Forall),
            SyntaxKind::EXISTS_KW => Some(Quantifier::Exists),
            _ => None,
        }
    }
    /// What it binds, in order.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    /// What it says of each value.
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `if e then e else e`
    IfExpr = IF_EXPR
}

impl IfExpr {
    /// The test.
    pub fn condition(&self) -> Option<Expr> {
        self.between(SyntaxKind::IF_KW, SyntaxKind::THEN_KW)
    }
    /// The value where the test is true.
    pub fn then_value(&self) -> Option<Expr> {
        self.between(SyntaxKind::THEN_KW, SyntaxKind::ELSE_KW)
    }
    /// The value where the test is false.
    pub fn else_value(&self) -> Option<Expr> {
        let start = token(&self.syntax, SyntaxKind::ELSE_KW)?
            .text_range()
            .start();
        children::<Expr>(&self.syntax).find(|expr| expr.range().start() > start)
    }

    fn between(&self, from: SyntaxKind, to: SyntaxKind) -> Option<Expr> {
        let from = token(&self.syntax, from)?.text_range().start();
        let to = token(&self.syntax, to).map(|token| token.text_range().start());
        children::<Expr>(&self.syntax).find(|expr| {
            let start = expr.range().start();
            start > from && to.is_none_or(|to| start < to)
        })
    }
}

ast_node! {
    /// `a[i]`
    IndexExpr = INDEX_EXPR
}

impl IndexExpr {
    /// The array.
    pub fn base(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The index.
    pub fn index(&self) -> Option<Expr> {
        let bracket = token(&self.syntax, SyntaxKind::L_BRACKET)?
            .text_range()
            .start();
        children::<Expr>(&self.syntax).find(|expr| expr.range().start() > bracket)
    }
}

ast_node! {
    /// `r.f`; `p(i).x`, where the base is a call, and `p.x` for a process without parameters.
    FieldExpr = FIELD_EXPR
}

impl FieldExpr {
    /// The record, or the instance.
    pub fn base(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The field, or the instance's variable.
    pub fn field(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `f(3)`: a definition, an instance of a process, or a built-in function.
    CallExpr = CALL_EXPR
}

impl CallExpr {
    /// The name before the parentheses.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// The arguments with their parentheses.
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
    /// The arguments.
    pub fn args(&self) -> Vec<Expr> {
        self.arg_list()
            .map(|list| children::<Expr>(list.syntax()).collect())
            .unwrap_or_default()
    }
}

ast_node! {
    /// `p(i)@s`, `p(i)@{s, t}`
    AtExpr = AT_EXPR
}

impl AtExpr {
    /// The instance: a call, or a name for a process without parameters.
    pub fn instance(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The states or labels.
    pub fn locations(&self) -> impl Iterator<Item = NameRef> + use<> {
        children(&self.syntax)
    }
    /// The `@`.
    pub fn at_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::AT)
    }
}

/// The built-in functions that bind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Aggregate {
    Count,
    Sum,
    Min,
    Max,
}

ast_node! {
    /// `count(x in T: e)`, `sum(…)`, `min(…)`, `max(…)`
    AggregateExpr = AGGREGATE_EXPR
}

impl AggregateExpr {
    /// The function's name.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// Which function it is; `None` for a name that is none of them.
    pub fn aggregate(&self) -> Option<Aggregate> {
        match self.name_ref()?.text().as_str() {
            "count" => Some(Aggregate::Count),
            "sum" => Some(Aggregate::Sum),
            "min" => Some(Aggregate::Min),
            "max" => Some(Aggregate::Max),
            _ => None,
        }
    }
    /// What it binds, in order.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    /// What is counted, summed up or compared.
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `[e, e, …]`
    ArrayExpr = ARRAY_EXPR
}

impl ArrayExpr {
    /// The cells, in order.
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `[x in I: e]`
    ComprehensionExpr = COMPREHENSION_EXPR
}

impl ComprehensionExpr {
    /// The index and its type.
    pub fn binding(&self) -> Option<Binding> {
        child(&self.syntax)
    }
    /// The cell at the index.
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `{e, e}`, `{}`
    SetExpr = SET_EXPR
}

impl SetExpr {
    /// The elements, in the order of the text.
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `{x in T: e}`
    SetComprehensionExpr = SET_COMPREHENSION_EXPR
}

impl SetComprehensionExpr {
    /// The element and its type.
    pub fn binding(&self) -> Option<Binding> {
        child(&self.syntax)
    }
    /// Whether it is in the set.
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `l[e..e]`
    SliceExpr = SLICE_EXPR
}

impl SliceExpr {
    /// The list.
    pub fn base(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The first index and the last, both of which belong to it.
    pub fn ends(&self) -> [Option<Expr>; 2] {
        let mut all = children::<Expr>(&self.syntax).skip(1);
        [all.next(), all.next()]
    }
}

ast_node! {
    /// `{f: e, g: e}`
    RecordExpr = RECORD_EXPR
}

impl RecordExpr {
    /// The fields, in the order of the text.
    pub fn fields(&self) -> impl Iterator<Item = RecordField> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `r with { f: e, g: e }`
    WithExpr = WITH_EXPR
}

impl WithExpr {
    /// The record whose other fields it has.
    pub fn base(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The fields that it has instead.
    pub fn record(&self) -> Option<RecordExpr> {
        let mut all = children::<Expr>(&self.syntax).skip(1);
        all.find_map(|one| match one {
            Expr::Record(record) => Some(record),
            _ => None,
        })
    }
    /// The fields, in the order of the text.
    pub fn fields(&self) -> Vec<RecordField> {
        self.record()
            .map_or_else(Vec::new, |record| record.fields().collect())
    }
}

ast_node! {
    /// `f: e`
    RecordField = RECORD_FIELD
}

impl RecordField {
    /// The field.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// Its value.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}
