//! Reading expressions (`language.md` §3): their types, and what they mean with everything constant
//! folded.

mod access;
mod binders;
mod calls;
mod changes;
mod collections;
mod elements;
mod instances;
mod leaves;
mod lists;
mod literals;
mod messages;
mod operators;
mod pieces;
mod places;
mod sets;
pub mod typed;
mod with;

pub(crate) use leaves::{scalar_places, scalars_of};
pub(crate) use messages::failed;
pub(crate) use pieces::{cannot_fail, size};
pub use places::PlaceUse;
pub(crate) use sets::{set_of, shape as set_shape};

use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::Elaborator;
use crate::evaluate::{Stop, evaluate, outside_type};
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::problem::Code;
use crate::spans::span_of;
use crate::types::{Declared, Ty};
use stubborn_system::source::Span;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Binary, Expr, Failure, Range, Type, Unary};

/// How deep expressions may be nested, definitions written out.
const MAX_NESTED: u32 = 1000;

impl Elaborator<'_> {
    /// Reads an expression. `expected` is the type that its place asks for, if any: a list of cells
    /// is indexed as it says, and a record's fields are put into its order. That the type is the
    /// expected one is for the caller to check, with [`Elaborator::fits`].
    pub fn expr(&mut self, expr: &ast::Expr, expected: Option<&Ty>) -> Typed {
        let outermost = self.nested == 0;
        if outermost {
            self.written = 0;
        }
        if !self.spend(1, self.span(expr)) {
            return Typed::unknown();
        }
        if self.nested >= MAX_NESTED {
            let message = format!(
                "written out this is nested more than {MAX_NESTED} deep, too deep to check"
            );
            self.error(Code::TooLarge, self.span(expr), message);
            return Typed::unknown();
        }
        self.nested += 1;
        let typed = self.expr_of_any_form(expr, expected);
        self.nested -= 1;
        typed
    }

    fn expr_of_any_form(&mut self, expr: &ast::Expr, expected: Option<&Ty>) -> Typed {
        match expr {
            ast::Expr::Literal(literal) => self.literal(literal),
            ast::Expr::Name(name) => self.name(name),
            ast::Expr::Paren(paren) => match paren.inner() {
                Some(inner) => self.expr(&inner, expected),
                None => Typed::unknown(),
            },
            ast::Expr::Prefix(prefix) => self.prefix(prefix),
            ast::Expr::Binary(binary) => self.binary(binary, expected),
            ast::Expr::In(membership) => self.membership(membership),
            ast::Expr::Quantifier(quantifier) => self.quantifier(quantifier),
            ast::Expr::If(conditional) => self.conditional(conditional, expected),
            ast::Expr::Index(index) => self.index(index),
            ast::Expr::Field(field) => self.field(field),
            ast::Expr::Call(call) => self.call(call),
            ast::Expr::At(at) => self.at(at),
            ast::Expr::Aggregate(aggregate) => self.aggregate(aggregate),
            ast::Expr::Array(array) => self.array_literal(array, expected),
            ast::Expr::Comprehension(array) => self.comprehension(array, expected),
            ast::Expr::Record(record) => self.record_literal(record, expected),
            ast::Expr::With(with) => self.with(with, expected),
            ast::Expr::Set(set) => self.set_literal(set, expected),
            ast::Expr::SetComprehension(set) => self.set_comprehension(set, expected),
            ast::Expr::Slice(slice) => self.slice(slice, expected),
        }
    }

    /// An expression that must be a truth value: `what` takes it ("`and`", "an invariant"). Of
    /// something else there is a message, and what is given back stands for an unknown truth value.
    pub fn boolean(&mut self, expr: &ast::Expr, what: &str) -> Typed {
        self.operand(expr, &Ty::Bool, what)
    }

    /// An expression that must be an integer, likewise.
    pub fn integer(&mut self, expr: &ast::Expr, what: &str) -> Typed {
        self.operand(expr, &Ty::Int, what)
    }

    /// Two operands that must be integers. Where both are of one other type, that is one mistake.
    pub(crate) fn integers(&mut self, operands: [&ast::Expr; 2], what: &str) -> [Typed; 2] {
        let read = operands.map(|operand| self.expr(operand, Some(&Ty::Int)));
        self.as_integers(operands, read, what)
    }

    pub(crate) fn as_integers(
        &mut self,
        operands: [&ast::Expr; 2],
        [a, b]: [Typed; 2],
        what: &str,
    ) -> [Typed; 2] {
        if a.ty == b.ty && a.ty != Ty::Int {
            let unknown = Typed::opaque(Ty::Int).being(b.constness);
            return [self.as_operand(operands[0], a, &Ty::Int, what), unknown];
        }
        [
            self.as_operand(operands[0], a, &Ty::Int, what),
            self.as_operand(operands[1], b, &Ty::Int, what),
        ]
    }

    fn operand(&mut self, expr: &ast::Expr, ty: &Ty, what: &str) -> Typed {
        let typed = self.expr(expr, Some(ty));
        self.as_operand(expr, typed, ty, what)
    }

    fn as_operand(&mut self, expr: &ast::Expr, typed: Typed, ty: &Ty, what: &str) -> Typed {
        if typed.ty == *ty {
            return typed;
        }
        if !typed.ty.is_unknown() {
            self.wrong_operand(expr, &typed.ty, ty, what);
        }
        Typed::opaque(ty.clone()).being(typed.constness)
    }

    /// Whether the expression may stand where a value of the type is asked for; a message if not.
    /// `what` has the type: "`gate[1]`".
    pub fn fits(&mut self, expr: &ast::Expr, typed: &Typed, ty: &Ty, what: &str) -> bool {
        if typed.ty.fits(ty) {
            return true;
        }
        self.does_not_fit(expr, &typed.ty, ty, what);
        false
    }

    /// An expression whose value goes to something of the type: what is assigned, sent, or given as
    /// an argument. Its type is checked, and whether it is in range if it is decided by the text; any
    /// other value is for the evaluation of the step to check. `what` has the type: "`gate[1]`".
    pub fn checked_value(&mut self, expr: &ast::Expr, into: &Declared, what: &str) -> Typed {
        let typed = self.expr(expr, Some(&into.ty));
        if !self.fits(expr, &typed, &into.ty, what) {
            return Typed::unknown();
        }
        if !self.is_evaluated() {
            return typed;
        }
        if typed.known == Some(Decided::Text) {
            self.check_range(expr, &typed, into, what);
        } else if typed.known.is_none() && into.known && !into.ty.is_unknown() {
            self.check_parts(expr, into, what, Some(Decided::Text));
        }
        typed
    }

    /// An argument of `on`: as [`Elaborator::checked_value`], and a constant must be in range and
    /// must not fail whoever decides it, for it says which actions the instance takes part in.
    pub fn action_argument(&mut self, expr: &ast::Expr, into: &Declared, what: &str) -> Typed {
        let typed = self.checked_value(expr, into, what);
        if typed.is_open() {
            // What is outside is told of that instance.
            if into.known
                && let Type::Scalar { lo, hi } = into.system
            {
                self.only_within(&typed, Range { lo, hi });
            }
        } else if typed.constness == Constness::Constant {
            if let Some(failure) = typed.failure().cloned() {
                if typed.known == Some(Decided::Instance) {
                    self.fails(expr, &failure);
                }
            } else {
                self.check_range(expr, &typed, into, what);
            }
        }
        typed
    }

    /// Whether the value, as far as it is known, is in the type; a message at the first part that
    /// is not.
    pub(crate) fn check_range(
        &mut self,
        expr: &ast::Expr,
        typed: &Typed,
        into: &Declared,
        what: &str,
    ) -> bool {
        if !into.known || typed.ty.is_unknown() || into.ty.is_unknown() {
            return true;
        }
        let Some(value) = typed.value() else {
            return true;
        };
        let Some(failure) = outside_type(value, &into.system) else {
            return true;
        };
        if !self.check_parts(expr, into, what, None) {
            return false;
        }
        self.outside(expr, &failure, into, what);
        false
    }

    /// As [`Elaborator::check_range`], for the parts of an array or a record that is written out,
    /// each for itself; of those only that are decided by `decided`, if it is given.
    fn check_parts(
        &mut self,
        expr: &ast::Expr,
        into: &Declared,
        what: &str,
        decided: Option<Decided>,
    ) -> bool {
        let mut right = true;
        for (part, declared, field) in parts_of(expr, into) {
            let typed = self.only_looking(|this| this.expr(&part, Some(&declared.ty)));
            let what = match field {
                Some(field) => format!("`{field}`"),
                None => format!("a part of {what}"),
            };
            right &= self.check_parts(&part, &declared, &what, decided);
            if declared.ty.is_scalar()
                && typed.ty.fits(&declared.ty)
                && (decided.is_none() || typed.known == decided)
            {
                right &= self.check_range(&part, &typed, &declared, &what);
            }
        }
        right
    }

    /// An operation on one operand, likewise.
    pub(crate) fn unary(
        &mut self,
        node: &impl AstNode,
        ty: Ty,
        operator: Unary,
        operand: Typed,
    ) -> Typed {
        self.folded(node, ty, vec![operand], |mut operand| {
            Expr::Unary(operator, Box::new(operand.remove(0)))
        })
    }

    /// An operation on two operands, likewise.
    pub(crate) fn binary_of(
        &mut self,
        node: &impl AstNode,
        ty: Ty,
        operator: Binary,
        [a, b]: [Typed; 2],
    ) -> Typed {
        self.folded(node, ty, vec![a, b], |mut operands| {
            let b = Box::new(operands.remove(1));
            Expr::Binary(operator, Box::new(operands.remove(0)), b)
        })
    }

    /// Makes an expression of its parts, worked out if they are known. If that fails, and only the
    /// text decides it, there is a message at `node`.
    pub(crate) fn folded(
        &mut self,
        node: &impl AstNode,
        ty: Ty,
        parts: Vec<Typed>,
        make: impl FnOnce(Vec<Expr>) -> Expr,
    ) -> Typed {
        let constness = parts.iter().map(|part| part.constness).max();
        let constness = constness.unwrap_or(Constness::Constant);
        let known: Option<Decided> = parts
            .iter()
            .map(|part| part.known)
            .try_fold(Decided::Text, |decided, known| Some(decided.max(known?)));
        let part_fails = parts.iter().any(|part| part.failure().is_some());
        let expr = make(parts.into_iter().map(|part| part.expr).collect());
        let Some(decided) = known else {
            return Typed::new(ty, expr, None, constness);
        };
        let (expr, known) = match evaluate(&expr) {
            Ok(value) => (Expr::Const(value), Some(decided)),
            Err(Stop::Failure(failure)) => {
                // What fails in a part has been told there.
                if !part_fails {
                    self.fails_by(node, decided, &failure);
                }
                (Expr::Fail(failure), Some(decided))
            }
            Err(Stop::State) => (expr, None),
        };
        Typed::new(ty, expr, known, constness)
    }

    /// A message where only the text decides that the node fails, and nothing keeps it from being
    /// evaluated.
    pub(crate) fn fails_by(&mut self, node: &impl AstNode, decided: Decided, failure: &Failure) {
        if decided == Decided::Text && self.is_evaluated() {
            self.fails(node, failure);
        }
    }

    /// Place of a node in the file that is being read.
    pub(crate) fn span(&self, node: &impl AstNode) -> Span {
        span_of(self.env.file, node)
    }
}

/// The parts of an array or a record that is written out, with their types, and the names of fields.
fn parts_of(expr: &ast::Expr, into: &Declared) -> Vec<(ast::Expr, Declared, Option<String>)> {
    let part = |ty: &Ty, system: &Type, shape: &Shape| Declared {
        ty: ty.clone(),
        system: system.clone(),
        shape: shape.clone(),
        known: into.known,
    };
    match (
        expr.clone().without_parens(),
        &into.ty,
        &into.system,
        &into.shape,
    ) {
        (
            Some(ast::Expr::Array(array)),
            Ty::Array(ty),
            Type::Array { cell, .. },
            Shape::Array(_, shape),
        ) => {
            let cell = part(&ty.cell, cell, shape);
            array
                .elements()
                .map(|element| (element, cell.clone(), None))
                .collect()
        }
        (Some(ast::Expr::Array(array)), Ty::List(ty), Type::Record(types), Shape::List(shape)) => {
            let Some(Type::Array { cell, .. }) = types.get(1) else {
                return Vec::new();
            };
            let element = part(&ty.element, cell, shape);
            let elements = array.elements();
            elements.map(|one| (one, element.clone(), None)).collect()
        }
        (
            Some(written @ (ast::Expr::Record(_) | ast::Expr::With(_))),
            Ty::Record(fields),
            Type::Record(types),
            Shape::Record(shapes),
        ) => {
            // Of what is given other values these alone are written out.
            let given = match &written {
                ast::Expr::Record(record) => record.fields().collect(),
                ast::Expr::With(with) => with.fields(),
                _ => Vec::new(),
            };
            let parts = given.into_iter().filter_map(|field| {
                let name = field.name_ref()?.text();
                let position = fields.iter().position(|(field, _)| *field == name)?;
                let (_, shape) = shapes.get(position)?;
                let declared = part(&fields[position].1, types.get(position)?, shape);
                Some((field.value()?, declared, Some(name)))
            });
            parts.collect()
        }
        _ => Vec::new(),
    }
}
