//! Lists: a value of `list[n] of T` has a length and `n` cells, of which those behind the length have the least value
//! of `T`, so that lists with the same elements are one value.

use std::sync::Arc;

use stubborn_syntax::ast;
use stubborn_system::source_map::Shape;
use stubborn_system::system::{
    Access, Binary, Effect, Expr, Failure, Place, Type, Value, VariableRef,
};

use super::access::Indexed;
use super::pieces::{Pieces, junction, size};
use crate::elaborate::Elaborator;
use crate::expressions::typed::{Decided, Typed};
use crate::problem::Code;
use crate::types::{ListTy, Ty};

/// Where the length stands in the record that a list is, and where the cells do.
pub(crate) const LENGTH: u32 = 0;
pub(crate) const CELLS: u32 = 1;

impl Elaborator<'_> {
    /// `[e, e]` where a list is asked for.
    pub(crate) fn list_literal(&mut self, array: &ast::ArrayExpr, ty: &Arc<ListTy>) -> Typed {
        let written: Vec<ast::Expr> = array.elements().collect();
        let declared = ty.elements(self.shape_of(&ty.element));
        let read = self.elements_read(&written, &declared, "an element of this list");
        if written.len() as u64 > u64::from(ty.capacity) {
            let message = format!(
                "a `{}` has {} elements at the most, but these are {}",
                self.ty_text(&Ty::List(ty.clone())),
                ty.capacity,
                written.len()
            );
            self.error(Code::WrongType, self.span(array), message);
            return Typed::unknown();
        }
        if read.is_faulty || !self.spend(u64::from(ty.capacity), self.span(array)) {
            return Typed::unknown().being(read.constness);
        }
        if let Some(failed) = read.failed(&Ty::List(ty.clone())) {
            return failed;
        }
        let list = ty.clone();
        self.folded(array, Ty::List(ty.clone()), read.elements, |parts| {
            literal(parts, &read.are_within, &list)
        })
    }

    /// `l[e]`
    pub(crate) fn list_element(
        &mut self,
        place: Indexed<'_>,
        list: Typed,
        index: &ast::Expr,
        ty: &ListTy,
    ) -> Typed {
        let index = self.list_index(place, index, ty);
        if index.is_open() && list.known.is_some() {
            self.instances_differ();
        }
        self.folded(
            place.0,
            ty.element.clone(),
            vec![list, index],
            |mut parts| {
                let index = parts.remove(1);
                let list = parts.remove(0);
                let length = Expr::field(list.clone(), LENGTH);
                Expr::cell(Expr::field(list, CELLS), 0, within(index, length))
            },
        )
    }

    /// The index of an element; a message where only the text decides that there is never one.
    fn list_index(&mut self, place: Indexed<'_>, written: &ast::Expr, ty: &ListTy) -> Typed {
        let index = self.integer(written, "the index of a list");
        let hi = i64::from(ty.capacity) - 1;
        let never = index.scalar().filter(|index| !(0..=hi).contains(index));
        if let (Some(value), Some(Decided::Text)) = (never, index.known)
            && self.is_evaluated()
        {
            let failure = Failure::OutsideArray {
                index: value,
                lo: 0,
                hi,
            };
            let list = self.before_index(place);
            self.index_fails(written, &failure, &list, &Shape::Int);
        }
        index
    }

    /// The place of an element.
    pub(crate) fn list_place(
        &mut self,
        indexed: Indexed<'_>,
        place: &mut Place,
        index: &ast::Expr,
        ty: &ListTy,
    ) {
        let index = self.list_index(indexed, index, ty).expr;
        let length = Expr::field(value_of(place), LENGTH);
        place.path.push(Access::Field(CELLS));
        place.path.push(Access::Cell {
            lo: 0,
            len: ty.capacity,
            index: within(index, length),
        });
    }

    /// `l[e..e]`
    pub(crate) fn slice(&mut self, slice: &ast::SliceExpr, expected: Option<&Ty>) -> Typed {
        let list = match slice.base() {
            Some(base) => self.expr(&base, expected.filter(|ty| matches!(ty, Ty::List(_)))),
            None => Typed::unknown(),
        };
        let ends = [slice.low(), slice.high()].map(|end| match end {
            Some(end) => self.integer(&end, "an index of a list"),
            None => Typed::unknown(),
        });
        let constness = ends.iter().map(|end| end.constness).max();
        let constness = constness.map_or(list.constness, |ends| ends.max(list.constness));
        let lost = Typed::unknown().being(constness);
        let Ty::List(ty) = list.ty.clone() else {
            if !list.ty.is_unknown() {
                let base = slice
                    .base()
                    .map_or_else(String::new, |base| self.quoted(&base));
                let is = self.described(&list.ty);
                let message = format!(
                    "only of a list a part can be taken, but {base} is {is}; `[i in I: a[i]]` has some cells of an array"
                );
                self.error(Code::WrongType, self.span(slice), message);
            }
            return lost;
        };
        let [first, last] = ends;
        let written = size(&list.expr) + 3 * size(&first.expr) + 4 * size(&last.expr);
        let written = (written as u64).saturating_mul(u64::from(ty.capacity));
        if first.ty != Ty::Int || last.ty != Ty::Int || !self.spend(written, self.span(slice)) {
            return lost;
        }
        let operands = [list, first, last];
        self.differ_where_open(&operands);
        let capacity = ty.capacity;
        let least = ty.range.lo;
        self.folded(slice, Ty::List(ty), operands.into(), |mut parts| {
            let last = parts.remove(2);
            let first = parts.remove(1);
            let list = Pieces::of_list(parts.remove(0), capacity);
            let (first, last) = (list.behind(first), list.behind(last));
            list.then(|parts| part(parts, first, last, capacity, least))
        })
    }

    /// `l + m`
    pub(crate) fn concatenation(
        &mut self,
        binary: &ast::BinaryExpr,
        ty: &Arc<ListTy>,
        operands: [Typed; 2],
    ) -> Typed {
        self.differ_where_open(&operands);
        let sizes = operands.iter().map(|operand| size(&operand.expr) as u64);
        let cells = u64::from(ty.capacity).saturating_mul(u64::from(ty.capacity));
        let written = sizes.fold(1, u64::saturating_add).saturating_mul(cells);
        if !self.spend(written, self.span(binary)) {
            return Typed::unknown();
        }
        let list = ty.clone();
        self.folded(
            binary,
            Ty::List(ty.clone()),
            operands.into(),
            |mut parts| {
                let b = Pieces::of_list(parts.remove(1), list.capacity);
                let a = Pieces::of_list(parts.remove(0), list.capacity);
                Pieces::joined(a, b, |a, b| joined(a, b, list.capacity, list.range.lo))
            },
        )
    }

    /// `e in l`
    pub(crate) fn in_list(
        &mut self,
        membership: &ast::InExpr,
        operands: [Typed; 2],
        capacity: u32,
    ) -> Typed {
        self.differ_where_open(&operands[1..]);
        let [element, list] = operands;
        let written = (size(&element.expr) + size(&list.expr)) as u64;
        if !self.spend(
            written.saturating_mul(u64::from(capacity)),
            self.span(membership),
        ) {
            return Typed::unknown();
        }
        self.folded(membership, Ty::Bool, vec![element, list], |mut parts| {
            let list = Pieces::of_list(parts.remove(1), capacity);
            let element = list.behind(parts.remove(0));
            list.then(|mut parts| {
                let length = parts.remove(0);
                let is_it = parts.into_iter().enumerate().map(|(at, cell)| {
                    let is_it = Expr::binary(Binary::Equal, element.clone(), cell);
                    let is_there = compared(Binary::Less, Expr::int(at as i64), length.clone());
                    junction(vec![is_it, is_there], false)
                });
                junction(is_it.collect(), true)
            })
        })
    }

    /// `len(l)`, `empty(l)`, `full(l)`
    pub(crate) fn asked_of_list(
        &mut self,
        call: &ast::CallExpr,
        name: &str,
        list: Typed,
        capacity: u32,
    ) -> Typed {
        let result = match name {
            "len" => Ty::Int,
            _ => Ty::Bool,
        };
        self.folded(call, result, vec![list], |mut parts| {
            let length = Expr::field(parts.remove(0), LENGTH);
            match name {
                "len" => length,
                "empty" => compared(Binary::Equal, length, Expr::int(0)),
                _ => compared(Binary::Equal, length, Expr::int(capacity)),
            }
        })
    }

    /// Of `l = l + [e]` the element that is put behind the others.
    pub(crate) fn appended(&self, value: &ast::Expr) -> Option<(ast::Expr, ast::Expr)> {
        let Some(ast::Expr::Binary(binary)) = value.clone().without_parens() else {
            return None;
        };
        let (Some(ast::BinaryOp::Add), Some(ast::Expr::Array(array))) =
            (binary.op(), binary.rhs()?.without_parens())
        else {
            return None;
        };
        let mut elements = array.elements();
        let one = elements.next().filter(|_| elements.next().is_none())?;
        Some((binary.lhs()?, one))
    }
}

/// The effects of putting an element behind those of the list in a place: it is evaluated in the state before, and
/// where there is no room for it that fails.
pub(crate) fn append(place: &Place, element: Expr, capacity: u32) -> [Effect; 2] {
    let Type::Record(types) = &place.ty else {
        unreachable!("a list is a record of its length and its cells");
    };
    let Type::Array { cell, .. } = &types[CELLS as usize] else {
        unreachable!("the cells of a list are an array");
    };
    let length = Expr::field(value_of(place), LENGTH);
    let within = |path: Vec<Access>, ty: &Type| Place {
        variable: place.variable,
        path: place.path.iter().cloned().chain(path).collect(),
        ty: ty.clone(),
    };
    let has_room = compared(Binary::Less, length.clone(), Expr::int(capacity));
    let behind = Access::Cell {
        lo: 0,
        len: capacity,
        index: either(has_room, length.clone(), is_full(capacity)),
    };
    let cell_place = within(vec![Access::Field(CELLS), behind], cell);
    let length_type = &types[LENGTH as usize];
    [
        Effect::Assign {
            place: cell_place,
            ty: (**cell).clone(),
            value: element,
        },
        Effect::Assign {
            place: within(vec![Access::Field(LENGTH)], length_type),
            ty: length_type.clone(),
            value: compared(Binary::Add, length, Expr::int(1)),
        },
    ]
}

/// What is in a place.
pub(crate) fn value_of(place: &Place) -> Expr {
    let whole = Expr::Variable(place.variable);
    place.path.iter().fold(whole, |whole, access| match access {
        Access::Field(at) => Expr::field(whole, *at),
        Access::Cell { lo, index, .. } => Expr::cell(whole, *lo, index.clone()),
    })
}

/// Whether an expression is what is in a place.
pub(crate) fn is_value_of(expr: &Expr, place: &Place) -> bool {
    place.variable != VariableRef::Shared(u32::MAX) && *expr == value_of(place)
}

fn literal(elements: Vec<Expr>, are_within: &[bool], list: &ListTy) -> Expr {
    let ty = Type::scalar(list.range.lo, list.range.hi);
    let length = Expr::int(elements.len() as i64);
    let mut pieces = Pieces::default();
    let mut cells: Vec<Expr> = Vec::with_capacity(list.capacity as usize);
    for (element, is_within) in elements.into_iter().zip(are_within) {
        let element = pieces.behind(element);
        let cell = match *is_within {
            true => element,
            // It fails where it is outside, also where nobody asks for it.
            false => pieces.bind(element, ty.clone(), &mut cells),
        };
        cells.push(cell);
    }
    cells.resize(list.capacity as usize, Expr::int(list.range.lo));
    pieces.then(|_| Expr::Cells(vec![length, Expr::Cells(cells)]))
}

fn compared(operator: Binary, a: Expr, b: Expr) -> Expr {
    match (operator, &a, &b) {
        (Binary::Less, Expr::Const(Value::Int(a)), Expr::Const(Value::Int(b))) => Expr::int(a < b),
        _ => Expr::binary(operator, a, b),
    }
}

fn either(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    match condition {
        Expr::Const(Value::Int(0)) => otherwise,
        Expr::Const(_) => then,
        condition => Expr::If(Box::new(condition), Box::new(then), Box::new(otherwise)),
    }
}

/// The index of an element that there is.
fn within(index: Expr, length: Expr) -> Expr {
    match (&index, &length) {
        (Expr::Const(Value::Int(at)), Expr::Const(Value::Int(many))) if 0 <= *at && at < many => {
            index
        }
        _ => Expr::binary(Binary::Within, index, length),
    }
}

fn is_full(capacity: u32) -> Expr {
    let room = i64::from(capacity);
    Expr::Fail(Failure::ListIsFull { room })
}

/// The elements of a list from one index to another.
fn part(mut list: Vec<Expr>, first: Expr, last: Expr, capacity: u32, least: i64) -> Expr {
    let length = list.remove(0);
    let is_empty = compared(Binary::Less, last.clone(), first.clone());
    // Where the last of them is none, it is told of that one.
    let is_last_there = compared(Binary::Less, last.clone(), length.clone());
    let outside = either(is_last_there, first.clone(), last.clone());
    let count = compared(
        Binary::Add,
        compared(Binary::Subtract, last, first.clone()),
        Expr::int(1),
    );
    let from = either(is_empty.clone(), Expr::int(0), within(outside, length));
    let scalar = |hi: u32| Type::scalar(0, i64::from(hi));
    // From where the elements are taken is the outer value, and how many are the inner one.
    let mut pieces = Pieces::of(list);
    let mut before = [is_empty, count];
    let from = pieces.bind(from, scalar(capacity - 1), &mut before);
    let [is_empty, count] = before;
    let count = either(is_empty, Expr::int(0), count);
    let mut before = [from];
    let count = pieces.bind(count, scalar(capacity), &mut before);
    let [from] = before;
    pieces.then(|cells| {
        let cells = Expr::Cells(cells);
        let each = (0..capacity).map(|at| {
            let at = Expr::int(at);
            let cell = Expr::cell(
                cells.clone(),
                0,
                compared(Binary::Add, from.clone(), at.clone()),
            );
            either(
                compared(Binary::Less, at, count.clone()),
                cell,
                Expr::int(least),
            )
        });
        Expr::Cells(vec![count.clone(), Expr::Cells(each.collect())])
    })
}

fn joined(mut a: Vec<Expr>, mut b: Vec<Expr>, capacity: u32, least: i64) -> Expr {
    let (first, second) = (a.remove(0), b.remove(0));
    let sum = match (&first, &second) {
        (Expr::Const(Value::Int(a)), Expr::Const(Value::Int(b))) => Expr::int(a + b),
        _ => compared(Binary::Add, first.clone(), second),
    };
    let mut pieces = Pieces::of(a);
    let has_room = Expr::binary(Binary::LessOrEqual, sum.clone(), Expr::int(capacity));
    let sum = either(has_room, sum, is_full(capacity));
    let mut before: Vec<Expr> = std::iter::once(first).chain(b).collect();
    let ty = Type::scalar(0, i64::from(capacity));
    let length = pieces.bind(sum, ty, &mut before);
    let first = before.remove(0);
    let second = Expr::Cells(before);
    pieces.then(|cells| {
        let each = cells.into_iter().zip(0..).map(|(cell, at)| {
            let at = Expr::int(at);
            let behind = Expr::cell(
                second.clone(),
                0,
                compared(Binary::Subtract, at.clone(), first.clone()),
            );
            let of_second = compared(Binary::Less, at.clone(), length.clone());
            either(
                compared(Binary::Less, at, first.clone()),
                cell,
                either(of_second, behind, Expr::int(least)),
            )
        });
        Expr::Cells(vec![length.clone(), Expr::Cells(each.collect())])
    })
}
