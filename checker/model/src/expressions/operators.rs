//! Operators, `if`, and membership.

use stubborn_syntax::ast::{self, AstNode, BinaryOp, PrefixOp};

use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::problem::Code;
use crate::types::Ty;
use stubborn_system::system::{Binary, Expr, Failure, Unary, Value};

/// `and` and `or`, whose operands are evaluated until one of them decides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Junction {
    And,
    Or,
}

/// The operands of a junction, taken in one by one and folded as far as they are known.
pub(crate) struct Joined {
    junction: Junction,
    operands: Vec<Expr>,
    /// An operand, known, after which no other is evaluated; and how.
    stopped: Option<Decided>,
    /// Whether only the text has decided that the rest is not evaluated.
    stopped_by_text: bool,
    decided: Decided,
    constness: Constness,
    /// The failure that the whole is known to have.
    failure: Option<Expr>,
}

impl Joined {
    pub fn new(junction: Junction) -> Joined {
        Joined {
            junction,
            operands: Vec::new(),
            stopped: None,
            stopped_by_text: false,
            decided: Decided::Text,
            constness: Constness::Constant,
            failure: None,
        }
    }

    /// Whether the text alone keeps further operands from being evaluated.
    pub fn is_stopped_by_text(&self) -> bool {
        self.stopped_by_text
    }

    pub fn is_stopped(&self) -> bool {
        self.stopped.is_some()
    }

    pub fn add(&mut self, operand: Typed) {
        self.constness = self.constness.max(operand.constness);
        let decides = operand
            .scalar()
            .is_some_and(|v| (v != 0) == (self.junction == Junction::Or));
        if decides && operand.known == Some(Decided::Text) {
            self.stopped_by_text = true;
        }
        if self.stopped.is_some() {
            return;
        }
        match operand.known {
            Some(decided) if operand.failure().is_some() || decides => {
                self.decided = self.decided.max(decided);
                self.stopped = Some(self.decided);
                if operand.failure().is_some() && self.operands.is_empty() {
                    self.failure = Some(operand.expr);
                } else {
                    self.operands.push(operand.expr);
                }
            }
            // Known, and leaves it to the others.
            Some(decided) => self.decided = self.decided.max(decided),
            None => self.operands.push(operand.expr),
        }
    }

    pub fn finish(mut self) -> Typed {
        let neutral = i64::from(self.junction == Junction::And);
        let known = |value: i64| Expr::Const(Value::Int(value));
        let (expr, known) = match (self.failure.take(), self.operands.len()) {
            (Some(failure), _) => (failure, Some(self.decided)),
            (None, 0) => (known(neutral), Some(self.decided)),
            (None, 1) if self.stopped.is_some() => (known(1 - neutral), Some(self.decided)),
            (None, 1) => (self.operands.remove(0), None),
            (None, _) => {
                let expr = match self.junction {
                    Junction::And => Expr::All(self.operands),
                    Junction::Or => Expr::Any(self.operands),
                };
                (expr, None)
            }
        };
        Typed::new(Ty::Bool, expr, known, self.constness)
    }
}

/// Whether the expression, without parentheses around it, is a comparison.
pub(super) fn is_comparison(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Binary(binary) => binary.op().is_some_and(BinaryOp::is_comparison),
        ast::Expr::In(_) => true,
        _ => false,
    }
}

/// Whether the expression is written out part by part, and takes its type from what it is beside.
fn written_out(expr: &ast::Expr) -> bool {
    match expr.clone().without_parens() {
        Some(ast::Expr::Array(_) | ast::Expr::Record(_) | ast::Expr::Set(_)) => true,
        Some(ast::Expr::Binary(binary)) => {
            let operands = [binary.lhs(), binary.rhs()];
            let is_sum = matches!(
                binary.op(),
                Some(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul)
            );
            is_sum && operands.iter().flatten().all(written_out)
        }
        Some(ast::Expr::If(choice)) => [choice.then_value(), choice.else_value()]
            .iter()
            .flatten()
            .all(written_out),
        _ => false,
    }
}

impl Elaborator<'_> {
    pub(crate) fn prefix(&mut self, prefix: &ast::PrefixExpr) -> Typed {
        if let Some(value) = prefix.negative_literal() {
            return Typed::constant(Ty::Int, Value::Int(value), Decided::Text);
        }
        let (Some(op), Some(operand)) = (prefix.op(), prefix.operand()) else {
            return Typed::unknown();
        };
        match op {
            PrefixOp::Neg => {
                let typed = self.integer(&operand, "`-`");
                self.unary(prefix, Ty::Int, Unary::Negate, typed)
            }
            PrefixOp::Not => {
                let typed = self.boolean(&operand, "`not`");
                self.unary(prefix, Ty::Bool, Unary::Not, typed)
            }
            PrefixOp::Always | PrefixOp::Eventually | PrefixOp::Next => {
                self.temporal(prefix, [Some(operand), None])
            }
        }
    }

    /// A temporal operator where none can stand: the parser reads them in formulas alone, so this is
    /// one within an operator or a definition's argument of a formula.
    fn temporal(&mut self, node: &impl AstNode, operands: [Option<ast::Expr>; 2]) -> Typed {
        let span = self.span(node);
        let message = "a temporal operator can stand in a formula alone: under `not`, `and`, `or`, `implies`, a quantifier or another temporal operator of an `ltl` property";
        self.error(Code::Misplaced, span, message);
        for operand in operands.iter().flatten() {
            self.expr(operand, None);
        }
        Typed::unknown()
    }

    /// `expected` is what the place asks for: a set or a list that is written out takes its type from it.
    pub(crate) fn binary(&mut self, binary: &ast::BinaryExpr, expected: Option<&Ty>) -> Typed {
        let (Some(lhs), Some(rhs)) = (binary.lhs(), binary.rhs()) else {
            for operand in [binary.lhs(), binary.rhs()].iter().flatten() {
                self.expr(operand, None);
            }
            return Typed::unknown();
        };
        let Some(op) = binary.op() else {
            self.expr(&lhs, None);
            self.expr(&rhs, None);
            return Typed::unknown();
        };
        if op.is_comparison() && is_comparison(&lhs) {
            // That comparisons do not chain has been told, and what was meant nobody knows.
            self.expr(&lhs, None);
            self.expr(&rhs, None);
            return Typed::unknown();
        }
        let arithmetic = match op {
            BinaryOp::And => return self.junction(binary, Junction::And, "`and`"),
            BinaryOp::Or => return self.junction(binary, Junction::Or, "`or`"),
            BinaryOp::Implies => return self.implication(&lhs, &rhs),
            BinaryOp::Until | BinaryOp::WeakUntil | BinaryOp::Release => {
                return self.temporal(binary, [Some(lhs), Some(rhs)]);
            }
            BinaryOp::Eq => return self.equality(binary, &lhs, &rhs, Binary::Equal),
            BinaryOp::Ne => return self.equality(binary, &lhs, &rhs, Binary::NotEqual),
            BinaryOp::Lt => (Binary::Less, Ty::Bool),
            BinaryOp::Le => (Binary::LessOrEqual, Ty::Bool),
            BinaryOp::Gt => (Binary::Greater, Ty::Bool),
            BinaryOp::Ge => (Binary::GreaterOrEqual, Ty::Bool),
            BinaryOp::Add => (Binary::Add, Ty::Int),
            BinaryOp::Sub => (Binary::Subtract, Ty::Int),
            BinaryOp::Mul => (Binary::Multiply, Ty::Int),
            BinaryOp::Div => (Binary::Divide, Ty::Int),
            BinaryOp::Rem => (Binary::Remainder, Ty::Int),
        };
        let token = binary.op_token();
        let what = format!("`{}`", token.as_ref().map_or("", |token| token.text()));
        let asked = expected.filter(|ty| matches!(ty, Ty::Set(_) | Ty::List(_)));
        let (first, second) = match written_out(&lhs) && !written_out(&rhs) {
            true => (&rhs, &lhs),
            false => (&lhs, &rhs),
        };
        // Of two that are written out none says of which type the other is.
        let asked = match written_out(first) {
            true => asked,
            false => Some(asked.unwrap_or(&Ty::Int)),
        };
        let read = self.expr(first, asked);
        let beside = match &read.ty {
            ty @ (Ty::Set(_) | Ty::List(_)) => ty.clone(),
            Ty::Unknown if asked.is_none() => Ty::Unknown,
            _ => asked.unwrap_or(&Ty::Int).clone(),
        };
        let other = self.expr(second, Some(&beside));
        let (a, b) = match std::ptr::eq(first, &lhs) {
            true => (read, other),
            false => (other, read),
        };
        if [&a.ty, &b.ty]
            .iter()
            .any(|ty| matches!(ty, Ty::Set(_) | Ty::List(_)))
        {
            return self.of_collections(binary, op, [&lhs, &rhs], [a, b]);
        }
        if [(&a.ty, &b.ty), (&b.ty, &a.ty)]
            .iter()
            .any(|(one, other)| one.is_unknown() && matches!(other, Ty::Array(_)))
        {
            // It may have been meant for a list.
            return Typed::unknown().being(a.constness.max(b.constness));
        }
        let are_integers = a.ty == Ty::Int && b.ty == Ty::Int;
        let [a, b] = self.as_integers([&lhs, &rhs], [a, b], &what);
        let (operator, ty) = arithmetic;
        if !are_integers && ty == Ty::Int {
            // What its value is used for says nothing of what was meant.
            return Typed::unknown().being(a.constness.max(b.constness));
        }
        self.operation(binary, operator, ty, a, b)
    }

    /// An operation on two integers. What its right operand alone makes fail is known to fail.
    pub(crate) fn operation(
        &mut self,
        node: &impl AstNode,
        operator: Binary,
        ty: Ty,
        a: Typed,
        b: Typed,
    ) -> Typed {
        let failure = match (operator, b.scalar()) {
            (Binary::Divide | Binary::Remainder, Some(0)) => Some(Failure::DivisionByZero),
            (Binary::ShiftLeft | Binary::ShiftRight, Some(by)) if !(0..=63).contains(&by) => {
                Some(Failure::ShiftOutside { by })
            }
            _ => None,
        };
        if let (Some(failure), Some(decided), None) = (failure, b.known, a.known) {
            if crate::template::is_open(&a.expr) {
                // Where the left operand fails too, it does so first.
                self.instances_differ();
            }
            self.fails_by(node, decided, &failure);
            return Typed::new(
                ty,
                Expr::Fail(failure),
                Some(decided),
                a.constness.max(b.constness),
            );
        }
        self.binary_of(node, ty, operator, [a, b])
    }

    fn junction(&mut self, binary: &ast::BinaryExpr, junction: Junction, what: &str) -> Typed {
        let mut operands = Vec::new();
        let mut rest = ast::Expr::Binary(binary.clone());
        // `a and b and c` is one conjunction, however it is nested.
        loop {
            match &rest {
                ast::Expr::Binary(inner) if Some(inner.op()) == Some(binary.op()) => {
                    let (Some(lhs), Some(rhs)) = (inner.lhs(), inner.rhs()) else {
                        operands.extend(inner.lhs());
                        operands.extend(inner.rhs());
                        break;
                    };
                    operands.push(rhs);
                    rest = lhs;
                }
                _ => {
                    operands.push(rest);
                    break;
                }
            }
        }
        let mut joined = Joined::new(junction);
        for operand in operands.iter().rev() {
            let typed = self.maybe_evaluated(!joined.is_stopped_by_text(), |this| {
                this.boolean(operand, what)
            });
            joined.add(typed);
        }
        joined.finish()
    }

    fn implication(&mut self, lhs: &ast::Expr, rhs: &ast::Expr) -> Typed {
        let condition = self.boolean(lhs, "`implies`");
        let mut joined = Joined::new(Junction::Or);
        let negated = self.unary(lhs, Ty::Bool, Unary::Not, condition);
        joined.add(negated);
        let conclusion = self.maybe_evaluated(!joined.is_stopped_by_text(), |this| {
            this.boolean(rhs, "`implies`")
        });
        joined.add(conclusion);
        joined.finish()
    }

    /// Reads something that is or is not evaluated.
    pub(crate) fn maybe_evaluated<R>(
        &mut self,
        evaluated: bool,
        read: impl FnOnce(&mut Self) -> R,
    ) -> R {
        if evaluated {
            read(self)
        } else {
            self.not_evaluated(read)
        }
    }

    fn equality(
        &mut self,
        binary: &ast::BinaryExpr,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        operator: Binary,
    ) -> Typed {
        if self.is_instance(lhs) && !matches!(rhs, ast::Expr::Literal(_)) {
            // That a process is no value is told once.
            self.expr(lhs, None);
            return Typed::opaque(Ty::Bool).being(Constness::State);
        }
        let (a, b) = self.of_one_type(lhs, rhs, None);
        if !a.ty.fits(&b.ty) {
            let name = match operator {
                Binary::Equal => "==",
                _ => "!=",
            };
            let rule = format!("`{name}` compares values of one type");
            self.different_types(binary, [(lhs, &a.ty), (rhs, &b.ty)], &rule);
            return Typed::opaque(Ty::Bool).being(a.constness.max(b.constness));
        }
        self.binary_of(binary, Ty::Bool, operator, [a, b])
    }

    /// Two expressions that should be of one type. A list of cells or a record that is written out
    /// takes its form from the other.
    fn of_one_type(
        &mut self,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        expected: Option<&Ty>,
    ) -> (Typed, Typed) {
        if written_out(lhs) && !written_out(rhs) {
            let b = self.expr(rhs, expected);
            let ty = b.ty.clone();
            let a = self.expr(lhs, Some(&ty));
            (a, b)
        } else {
            // Of two that are written out the second may take its form from the first.
            let a = self.expr(lhs, expected);
            let ty = a.ty.clone();
            let b = self.expr(rhs, expected.or(Some(&ty)));
            (a, b)
        }
    }

    pub(crate) fn conditional(
        &mut self,
        conditional: &ast::IfExpr,
        expected: Option<&Ty>,
    ) -> Typed {
        let condition = match conditional.condition() {
            Some(condition) => self.boolean(&condition, "`if`"),
            None => Typed::opaque(Ty::Bool),
        };
        let by_text = match condition.known {
            Some(Decided::Text) => condition.scalar(),
            _ => None,
        };
        let (Some(then), Some(otherwise)) = (conditional.then_value(), conditional.else_value())
        else {
            return Typed::unknown();
        };
        let counts = [by_text != Some(0), by_text.is_none_or(|v| v == 0)];
        let values = [&then, &otherwise];
        // What is written out takes its form from the other.
        let (first, second) = match written_out(&then) && !written_out(&otherwise) {
            true => (1, 0),
            false => (0, 1),
        };
        let read = self.maybe_evaluated(counts[first], |this| this.expr(values[first], expected));
        let ty = read.ty.clone();
        let expected = match &ty {
            Ty::Set(_) | Ty::List(_) => Some(&ty),
            _ => expected.or(Some(&ty)),
        };
        let other =
            self.maybe_evaluated(counts[second], |this| this.expr(values[second], expected));
        let (a, b) = match first {
            0 => (read, other),
            _ => (other, read),
        };
        let constness = condition.constness.max(a.constness).max(b.constness);
        if !a.ty.fits(&b.ty) {
            self.different_types(
                conditional,
                [(&then, &a.ty), (&otherwise, &b.ty)],
                "both values of an `if` are of one type",
            );
            return Typed::unknown().being(constness);
        }
        let ty = if a.ty.is_unknown() {
            b.ty.clone()
        } else {
            a.ty.clone()
        };
        if condition.failure().is_some() {
            return Typed {
                ty,
                constness,
                ..condition
            };
        }
        match (condition.scalar(), condition.known) {
            (Some(value), Some(decided)) => {
                let chosen = if value != 0 { a } else { b };
                Typed::new(
                    ty,
                    chosen.expr,
                    chosen.known.map(|known| known.max(decided)),
                    constness,
                )
            }
            _ => Typed {
                ty,
                expr: Expr::If(Box::new(condition.expr), Box::new(a.expr), Box::new(b.expr)),
                known: None,
                constness,
            },
        }
    }
}
