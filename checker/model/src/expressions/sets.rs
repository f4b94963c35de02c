//! Sets: a value of `set of T` has a truth value for each value of `T`, as an `array[T] of bool` has.
//!
//! What is made of several sets is worked out for each value by itself, so that a step depends on no more of a set
//! than it has to. What may fail is evaluated all the same, whatever the set comes to.

use std::sync::Arc;

use stubborn_syntax::ast;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{Binary, Expr, Range, Type, Unary, Value};

use super::pieces::{Pieces, cannot_fail, junction, size};
use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Typed};
use crate::names::env::{Binding, Found};
use crate::problem::Code;
use crate::template::Condition;
use crate::types::{ArrayTy, Declared, Domain, Ty};

/// The type of sets of the values of a scalar type.
pub(crate) fn set_of(domain: &Domain) -> Ty {
    Ty::Set(Arc::new(ArrayTy {
        index: domain.ty.clone(),
        range: domain.range,
        index_shape: domain.shape.clone(),
        cell: Ty::Bool,
    }))
}

/// The elements that a set may have.
pub(crate) fn elements(set: &ArrayTy) -> Declared {
    Declared::new(
        set.index.clone(),
        scalar(set.range),
        set.index_shape.clone(),
        true,
    )
}

fn scalar(range: Range) -> Type {
    Type::scalar(range.lo, range.hi)
}

impl Elaborator<'_> {
    /// `{e, e}`, of the type that its place asks for; without one, of an enumeration's or truth values.
    pub(crate) fn set_literal(&mut self, set: &ast::SetExpr, expected: Option<&Ty>) -> Typed {
        let written: Vec<ast::Expr> = set.elements().collect();
        let ty = match expected {
            Some(Ty::Set(ty)) => ty.clone(),
            _ => match self.set_without_place(set, &written, expected) {
                Some(ty) => ty,
                None => return Typed::unknown(),
            },
        };
        let declared = elements(&ty);
        let read = self.elements_read(&written, &declared, "an element of this set");
        let cells = ty.range.size().saturating_mul(written.len() as u64 + 1);
        if read.is_faulty || !self.spend(cells, self.span(set)) {
            return Typed::unknown().being(read.constness);
        }
        if let Some(failed) = read.failed(&Ty::Set(ty.clone())) {
            return failed;
        }
        let range = ty.range;
        self.folded(set, Ty::Set(ty), read.elements, |parts| {
            literal(parts, &read.are_within, range)
        })
    }

    /// The type of a set whose place asks for none.
    fn set_without_place(
        &mut self,
        set: &ast::SetExpr,
        written: &[ast::Expr],
        expected: Option<&Ty>,
    ) -> Option<Arc<ArrayTy>> {
        let read: Vec<Typed> = written
            .iter()
            .map(|element| self.only_looking(|this| this.expr(element, None)))
            .collect();
        let Some(first) = read.first() else {
            // `{}`
            let message = match expected {
                // What is asked for is not known, which has been told.
                Some(Ty::Unknown) => return None,
                Some(Ty::List(_)) => "an empty list is written `[]`",
                Some(Ty::Array(_)) => "an array is written `[e, e]`, with a cell for each index",
                _ => {
                    "which set this is is not known here; give it a name with a type, `const s: set of 0..3 = {}`, say"
                }
            };
            self.error(Code::WrongType, self.span(set), message);
            return None;
        };
        let range = match &first.ty {
            // What is asked for is not known, which has been told.
            _ if matches!(expected, Some(Ty::Unknown)) => return None,
            Ty::Bool => Range { lo: 0, hi: 1 },
            Ty::Enumeration(id) => Range::new(0, self.enumeration(*id).values.len() as i64 - 1),
            Ty::Unknown => return None,
            // What is asked for is no set, which is told by whoever asks.
            _ if matches!(expected, Some(ty) if !ty.is_unknown()) => {
                let values: Vec<i64> = read.iter().filter_map(Typed::scalar).collect();
                match (values.iter().min(), values.iter().max()) {
                    (Some(lo), Some(hi)) if hi.saturating_sub(*lo) < 1000 => {
                        Range { lo: *lo, hi: *hi }
                    }
                    _ => Range { lo: 0, hi: 0 },
                }
            }
            _ => {
                let message = "which values this set could have is not known here; give it a name with a type, \
                               `const s: set of 0..3 = {1, 2}`, say";
                self.error(Code::WrongType, self.span(set), message);
                return None;
            }
        };
        let ty = read[0].ty.clone();
        Some(Arc::new(ArrayTy {
            index_shape: self.shape_of(&ty),
            index: ty,
            range,
            cell: Ty::Bool,
        }))
    }

    /// `{x in T: e}`
    pub(crate) fn set_comprehension(
        &mut self,
        set: &ast::SetComprehensionExpr,
        expected: Option<&Ty>,
    ) -> Typed {
        let (Some(binding), Some(body)) = (set.binding(), set.body()) else {
            return Typed::unknown();
        };
        let mut parts: Vec<Typed> = Vec::new();
        let domain = self.each_bound(&binding, "an element of a set", &mut |this| {
            parts.push(this.boolean(&body, "what says which values are in a set"));
            true
        });
        let Some(domain) = domain else {
            return Typed::unknown();
        };
        if !domain.known {
            let constness = parts.iter().map(|part| part.constness).max();
            return Typed::unknown().being(constness.unwrap_or(Constness::Opaque));
        }
        // Of a wider type that is asked for, the other values are not in it.
        let asked = match expected {
            Some(Ty::Set(asked)) if asked.index.fits(&domain.ty) => Some(asked.range),
            _ => None,
        };
        let range = match asked {
            Some(asked) if asked.lo <= domain.range.lo && domain.range.hi <= asked.hi => asked,
            _ => domain.range,
        };
        let before = (domain.range.lo - range.lo) as usize;
        let behind = (range.hi - domain.range.hi) as usize;
        if !self.spend((before + behind) as u64, self.span(set)) {
            return Typed::unknown();
        }
        let ty = set_of(&Domain { range, ..domain });
        self.folded(set, ty, parts, |parts| {
            let none = |count| std::iter::repeat_n(Expr::int(0), count);
            Expr::Cells(none(before).chain(parts).chain(none(behind)).collect())
        })
    }

    /// `e in s`
    pub(crate) fn in_set(
        &mut self,
        membership: &ast::InExpr,
        element: (&ast::Expr, Typed),
        set: Typed,
        ty: &ArrayTy,
    ) -> Typed {
        let (written, element) = element;
        let is_within = self.is_within(written, &element, (&ty.index, ty.range));
        let range = ty.range;
        self.folded(membership, Ty::Bool, vec![element, set], |mut parts| {
            let set = parts.remove(1);
            is_in(parts.remove(0), set, range, is_within)
        })
    }

    /// Whether the value, which is no constant, is known to be one that the set may have.
    pub(crate) fn is_within(
        &mut self,
        written: &ast::Expr,
        typed: &Typed,
        (ty, range): (&Ty, Range),
    ) -> bool {
        if *ty != Ty::Int {
            return true;
        }
        if typed.is_open() {
            // An instance in which it is outside is read by itself.
            self.only_within(typed, range);
            if size(&typed.expr) > 1 {
                self.instances_differ();
            }
            return true;
        }
        if typed.known.is_some() {
            return true;
        }
        // One in which it is known is read by itself.
        self.only_if(&typed.expr, Condition::OfState);
        let Some(ast::Expr::Name(name)) = written.clone().without_parens() else {
            return false;
        };
        let Some(name) = name.name_ref() else {
            return false;
        };
        let declared = match self.only_looking(|this| this.resolve(&name)) {
            Some(Found::Bound(Binding::Variable { declared, .. }, _)) => declared,
            Some(Found::Bound(Binding::Bound { domain, .. }, _)) => domain.declared(),
            Some(Found::Declared(id)) => match self.variable_info(id) {
                Some(info) => info.declared.clone(),
                None => return false,
            },
            _ => return false,
        };
        match declared.system {
            Type::Scalar { lo, hi } => range.lo <= lo && hi <= range.hi,
            _ => false,
        }
    }

    /// What is made of these part by part is another thing where a parameter of the process has its value.
    pub(crate) fn differ_where_open(&mut self, operands: &[Typed]) {
        if operands
            .iter()
            .any(|operand| crate::template::is_open(&operand.expr))
        {
            self.instances_differ();
        }
    }

    /// `+`, `-`, `*` and the comparisons of two sets of one type.
    pub(crate) fn of_sets(
        &mut self,
        binary: &ast::BinaryExpr,
        op: ast::BinaryOp,
        ty: &Arc<ArrayTy>,
        operands: [Typed; 2],
    ) -> Typed {
        self.differ_where_open(&operands);
        let len = ty.range.size();
        let sizes = operands.iter().map(|operand| size(&operand.expr) as u64);
        let written_out = sizes.fold(len, |sum, size| {
            sum.saturating_add(size.saturating_mul(len))
        });
        if !self.spend(written_out, self.span(binary)) {
            return Typed::unknown();
        }
        let result = match op {
            ast::BinaryOp::Add | ast::BinaryOp::Sub | ast::BinaryOp::Mul => Ty::Set(ty.clone()),
            _ => Ty::Bool,
        };
        let range = ty.range;
        self.folded(binary, result, operands.into(), |mut parts| {
            let b = Pieces::of_set(parts.remove(1), range);
            let a = Pieces::of_set(parts.remove(0), range);
            Pieces::joined(a, b, |a, b| combined(op, a, b))
        })
    }

    /// `len(s)`, `empty(s)`, `full(s)`
    pub(crate) fn asked_of_set(
        &mut self,
        call: &ast::CallExpr,
        name: &str,
        set: Typed,
        ty: &ArrayTy,
    ) -> Typed {
        self.differ_where_open(std::slice::from_ref(&set));
        let written_out = (size(&set.expr) as u64).saturating_mul(ty.range.size());
        if !self.spend(written_out, self.span(call)) {
            return Typed::unknown();
        }
        let result = match name {
            "len" => Ty::Int,
            _ => Ty::Bool,
        };
        let range = ty.range;
        self.folded(call, result, vec![set], |mut parts| {
            let set = Pieces::of_set(parts.remove(0), range);
            set.then(|parts| match name {
                "len" => Expr::Count(parts),
                "empty" => negated(junction(parts, true)),
                _ => junction(parts, false),
            })
        })
    }

    /// Of `s = s + {e}` and `s = s - {e}` the elements that alone change, and whether they are in it afterwards.
    /// `None` where more than these may change.
    pub(crate) fn changed_elements(
        &mut self,
        value: &ast::Expr,
    ) -> Option<(ast::Expr, Vec<ast::Expr>, bool)> {
        let Some(ast::Expr::Binary(binary)) = value.clone().without_parens() else {
            return None;
        };
        let is_in = match binary.op()? {
            ast::BinaryOp::Add => true,
            ast::BinaryOp::Sub => false,
            _ => return None,
        };
        let Some(ast::Expr::Set(set)) = binary.rhs()?.without_parens() else {
            return None;
        };
        let elements: Vec<ast::Expr> = set.elements().collect();
        Some((binary.lhs()?, elements, is_in))
    }
}

fn literal(elements: Vec<Expr>, are_within: &[bool], range: Range) -> Expr {
    let mut pieces = Pieces::default();
    let mut tests: Vec<Expr> = Vec::new();
    let mut always: Vec<i64> = Vec::new();
    for (element, is_within) in elements.into_iter().zip(are_within) {
        match element {
            Expr::Const(Value::Int(value)) if range.contains(value) => always.push(value),
            element if *is_within && size(&element) == 1 => tests.push(pieces.behind(element)),
            element => {
                let element = pieces.behind(element);
                let bound = pieces.bind(element, scalar(range), &mut tests);
                tests.push(bound);
            }
        }
    }
    let parts = (range.lo..=range.hi).map(|value| {
        if always.contains(&value) {
            return Expr::int(1);
        }
        let is_it = |test: &Expr| Expr::binary(Binary::Equal, test.clone(), Expr::int(value));
        match &tests[..] {
            [] => Expr::int(0),
            several => junction(several.iter().map(is_it).collect(), true),
        }
    });
    pieces.parts = parts.collect();
    pieces.then(Expr::Cells)
}

fn combined(op: ast::BinaryOp, a: Vec<Expr>, b: Vec<Expr>) -> Expr {
    let pairs = a.into_iter().zip(b);
    let without = |(a, b)| and(a, negated(b));
    match op {
        ast::BinaryOp::Add => Expr::Cells(pairs.map(|(a, b)| or(a, b)).collect()),
        ast::BinaryOp::Sub => Expr::Cells(pairs.map(without).collect()),
        ast::BinaryOp::Mul => Expr::Cells(pairs.map(|(a, b)| and(a, b)).collect()),
        ast::BinaryOp::Le => is_part_of(pairs),
        ast::BinaryOp::Ge => is_part_of(pairs.map(|(a, b)| (b, a))),
        ast::BinaryOp::Lt => is_less(pairs),
        _ => is_less(pairs.map(|(a, b)| (b, a))),
    }
}

fn is_part_of(pairs: impl Iterator<Item = (Expr, Expr)>) -> Expr {
    junction(pairs.map(|(a, b)| or(negated(a), b)).collect(), false)
}

fn is_less(pairs: impl Iterator<Item = (Expr, Expr)>) -> Expr {
    let pairs: Vec<(Expr, Expr)> = pairs.collect();
    let has_more = pairs.iter().cloned().map(|(a, b)| and(b, negated(a)));
    let has_more = junction(has_more.collect(), true);
    junction(vec![is_part_of(pairs.into_iter()), has_more], false)
}

fn negated(expr: Expr) -> Expr {
    match expr {
        Expr::Const(Value::Int(value)) => Expr::int(value == 0),
        expr => Expr::Unary(Unary::Not, Box::new(expr)),
    }
}

/// Whether a set has the element. Both are evaluated.
fn is_in(element: Expr, set: Expr, range: Range, is_within: bool) -> Expr {
    let fails_never = cannot_fail(&set);
    let cell = |index: Expr| Expr::cell(set, range.lo, index);
    match &element {
        Expr::Const(Value::Int(value)) if range.contains(*value) => return cell(element),
        Expr::Const(_) if fails_never => return Expr::int(0),
        Expr::Const(_) => return and(cell(Expr::int(range.lo)), Expr::int(0)),
        _ if is_within => return cell(element),
        _ => {}
    }
    let compared = |operator, end| Expr::binary(operator, element.clone(), Expr::int(end));
    let mut is_value = vec![
        compared(Binary::GreaterOrEqual, range.lo),
        compared(Binary::LessOrEqual, range.hi),
    ];
    if fails_never {
        is_value.push(cell(element.clone()));
        return Expr::All(is_value);
    }
    let is_value = Expr::All(is_value);
    let index = Expr::If(
        Box::new(is_value.clone()),
        Box::new(element.clone()),
        Box::new(Expr::int(range.lo)),
    );
    Expr::binary(Binary::BitAnd, is_value, cell(index))
}

/// Both are evaluated, unless neither can fail.
fn or(a: Expr, b: Expr) -> Expr {
    match cannot_fail(&a) && cannot_fail(&b) {
        true => junction(vec![a, b], true),
        false => Expr::binary(Binary::BitOr, a, b),
    }
}

/// Likewise.
fn and(a: Expr, b: Expr) -> Expr {
    match cannot_fail(&a) && cannot_fail(&b) {
        true => junction(vec![a, b], false),
        false => Expr::binary(Binary::BitAnd, a, b),
    }
}

/// How an element of a set is written.
pub(crate) fn shape(element: Shape, lo: i64) -> Shape {
    Shape::Set {
        lo,
        element: Arc::new(element),
    }
}
