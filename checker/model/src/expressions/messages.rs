//! What is said of expressions that have the wrong type or fail.

use stubborn_syntax::ast::{self, AstNode};

use crate::elaborate::Elaborator;
use crate::expressions::typed::{Decided, Typed};
use crate::problem::{Code, Mend, Words};
use crate::types::{Declared, Ty};
use stubborn_system::source_map::Shape;
use stubborn_system::system::Failure;

impl Elaborator<'_> {
    /// "`and` takes truth values, but `j` is an integer; did you mean `j != 0`?"
    pub(crate) fn wrong_operand(&mut self, expr: &ast::Expr, is: &Ty, wanted: &Ty, what: &str) {
        let quoted = self.quoted(expr);
        let (mend, instead) = self.mend(expr, is, wanted);
        // An operator or function is quoted: "`and` takes truth values".
        let operator = what.strip_prefix('`');
        let several = ["and", "or", "implies", "count", "forall", "exists"];
        let several = operator.is_some_and(|op| several.contains(&op.trim_end_matches('`')));
        let asked = match (operator.is_some(), several, wanted) {
            (true, true, Ty::Bool) => "takes truth values",
            (true, false, Ty::Bool) => "takes a truth value",
            (true, ..) => "takes integers",
            (false, _, Ty::Bool) => "is a truth value",
            (false, ..) => "is an integer",
        };
        let message = format!(
            "{what} {asked}, but {quoted} is {}{mend}",
            self.described(is)
        );
        let words = Words::instead(message, instead);
        self.error(Code::WrongType, self.span(expr), words);
    }

    /// "`gate[1]` is an integer, but `true` is a truth value"
    pub(crate) fn does_not_fit(&mut self, expr: &ast::Expr, is: &Ty, wanted: &Ty, what: &str) {
        let quoted = self.quoted(expr);
        let (mend, instead) = self.mend(expr, is, wanted);
        let message = format!(
            "{what} is {}, but {quoted} is {}{mend}",
            self.described(wanted),
            self.described(is)
        );
        let words = Words::instead(message, instead);
        self.error(Code::WrongType, self.span(expr), words);
    }

    /// What would make a value of the wanted type of the expression, as it is told and, where that is
    /// known, as it would be written.
    fn mend(&self, expr: &ast::Expr, is: &Ty, wanted: &Ty) -> (String, Option<String>) {
        let text = self.quoted(expr).trim_matches('`').to_string();
        if let Some(meant) = self.meant(expr, &text, is, wanted) {
            let whole = expr.syntax().text().to_string();
            let instead = self.meant(expr, &whole, is, wanted);
            let instead = instead.map(|instead| match instead.starts_with("if ") {
                // It would reach as far to the right as it can.
                true => format!("({instead})"),
                false => instead,
            });
            return (format!("; did you mean `{meant}`?"), instead);
        }
        let mend = match (is, wanted) {
            (Ty::Int, Ty::Bool) => {
                String::from("; a comparison or `true` or `false` can stand here")
            }
            (_, Ty::Enumeration(id)) => {
                let values = self.enumeration(*id).values.join("`, `");
                format!("; its values are `{values}`")
            }
            (Ty::Bool | Ty::Int | Ty::Enumeration(_), Ty::Array(_)) => {
                String::from("; a value for each cell is written `[i in I: e]`")
            }
            (Ty::Set(_), Ty::Array(_)) => String::from("; an array is written `[e, e]`"),
            (Ty::Array(_) | Ty::List(_), Ty::Set(_)) => String::from("; a set is written `{e, e}`"),
            (Ty::Set(_), Ty::List(_)) => String::from("; a list is written `[e, e]`"),
            (Ty::Array(_), Ty::Bool | Ty::Int) if is_simple(expr) => {
                format!("; did you mean one of its cells, `{text}[…]`?")
            }
            _ => String::new(),
        };
        (mend, None)
    }

    /// What was probably meant by an expression with this text.
    fn meant(&self, expr: &ast::Expr, text: &str, is: &Ty, wanted: &Ty) -> Option<String> {
        let bare = expr.clone().without_parens();
        let is_literal = matches!(bare, Some(ast::Expr::Literal(_)));
        let text = match is_literal {
            true => text.trim_matches(['(', ')']),
            false => text,
        };
        Some(match (is, wanted) {
            (Ty::Int, Ty::Bool) if is_literal => match text {
                "0" => String::from("false"),
                "1" => String::from("true"),
                _ => return None,
            },
            (Ty::Int, Ty::Bool) if is_simple(expr) => format!("{text} != 0"),
            (Ty::Int, Ty::Bool) => format!("({text}) != 0"),
            (Ty::Bool, Ty::Int) if is_literal => {
                String::from(if text == "true" { "1" } else { "0" })
            }
            (Ty::Bool, Ty::Int) => format!("if {text} then 1 else 0"),
            (Ty::Enumeration(id), Ty::Bool) => {
                let enumeration = self.enumeration(*id);
                format!("{text} == {}", enumeration.values.first()?)
            }
            (Ty::Record(fields), Ty::Bool | Ty::Int) if is_simple(expr) => {
                let (field, _) = fields.iter().find(|(_, ty)| ty == wanted)?;
                format!("{text}.{field}")
            }
            _ => return None,
        })
    }

    /// The two sides of a comparison, or the branches of an `if`, are not of one type.
    pub(crate) fn different_types(
        &mut self,
        node: &impl AstNode,
        sides: [(&ast::Expr, &Ty); 2],
        rule: &str,
    ) {
        let [(a, a_ty), (b, b_ty)] = sides;
        let (mend, _) = self.mend(b, b_ty, a_ty);
        let message = format!(
            "{rule}, but {} is {} and {} is {}{mend}",
            self.quoted(a),
            self.described(a_ty),
            self.quoted(b),
            self.described(b_ty)
        );
        self.error(Code::WrongType, self.span(node), message);
    }

    /// A value is outside the type of what it is for: "7 is outside 0..3, the type of `gate[1]`".
    pub(crate) fn outside(
        &mut self,
        expr: &ast::Expr,
        failure: &Failure,
        declared: &Declared,
        what: &str,
    ) {
        let Failure::OutsideType { value, lo, hi } = failure else {
            return;
        };
        let quoted = self.quoted(expr);
        let whole = declared.ty.is_scalar();
        let subject = if !whole {
            format!("{value} in {quoted} is")
        } else if quoted == format!("`{value}`") {
            format!("{value} is")
        } else {
            format!("{quoted} is {value}, which is")
        };
        let of = if whole {
            format!("the type of {what}")
        } else {
            format!("the range of a part of {what}")
        };
        let mend = if value < lo {
            format!("a value from {lo} on, or a type that begins at {value}, would mend it")
        } else {
            format!("a value up to {hi}, or a type that goes up to {value}, would mend it")
        };
        let message = format!("{subject} outside {lo}..{hi}, {of}; {mend}");
        let words = Words::new(message, Some(Mend::Fit(*value)));
        self.error(Code::OutsideType, self.span(expr), words);
    }

    /// A constant fails.
    pub(crate) fn fails(&mut self, node: &impl AstNode, failure: &Failure) {
        let message = failed(&self.quoted(node), failure);
        self.error(Code::ConstantFails, self.span(node), message);
    }

    /// As [`Elaborator::fails`], for an index into something with a name, where the text decides it.
    pub(crate) fn fails_if_text(
        &mut self,
        index: &ast::Expr,
        typed: &Typed,
        failure: &Failure,
        name: &str,
        shape: &Shape,
    ) {
        if typed.known == Some(Decided::Text) && self.is_evaluated() {
            self.index_fails(index, failure, &format!("`{name}`"), shape);
        }
    }

    pub(crate) fn index_fails(
        &mut self,
        index: &ast::Expr,
        failure: &Failure,
        array: &str,
        shape: &Shape,
    ) {
        let Failure::OutsideArray {
            index: value,
            lo,
            hi,
        } = failure
        else {
            return;
        };
        let quoted = self.quoted(index);
        let written = shape.scalar(*value);
        let subject = if quoted == format!("`{written}`") {
            format!("{written} is")
        } else {
            format!("{quoted} is {written}, which is")
        };
        let message = format!(
            "{subject} outside {}..{}, the indices of {array}",
            shape.scalar(*lo),
            shape.scalar(*hi)
        );
        self.error(Code::ConstantFails, self.span(index), message);
    }
}

fn is_simple(expr: &ast::Expr) -> bool {
    matches!(
        expr,
        ast::Expr::Name(_)
            | ast::Expr::Index(_)
            | ast::Expr::Field(_)
            | ast::Expr::Call(_)
            | ast::Expr::Paren(_)
            | ast::Expr::Aggregate(_)
    )
}

/// That an expression, as it is quoted, fails, and why.
pub(crate) fn failed(quoted: &str, failure: &Failure) -> String {
    match failure {
        Failure::OutsideType { value, lo, hi } => {
            format!("{quoted} fails: {value} is outside {lo}..{hi}")
        }
        Failure::OutsideArray { index, lo, hi } => {
            format!("{quoted} fails: there is no cell {index}, the indices are {lo}..{hi}")
        }
        Failure::NoSuchInstance { value } => {
            format!("{quoted} fails: there is no instance {value}")
        }
        Failure::LeftOut => {
            format!("{quoted} fails: its `where` leaves this instance out")
        }
        Failure::DivisionByZero => format!("{quoted} divides by zero, which fails"),
        Failure::Overflow => {
            format!("{quoted} is no 64-bit integer: it is evaluated to an overflow, which fails")
        }
        Failure::ShiftOutside { by } => {
            format!("{quoted} fails: a shift is by 0 to 63 places, not by {by}")
        }
        Failure::NoElement { index, length } => {
            let list = match length {
                0 => String::from("an empty list"),
                _ => format!("a list of {length}"),
            };
            format!("{quoted} fails: there is no element {index} in {list}")
        }
        Failure::ListIsFull { room } => {
            format!("{quoted} has more elements than the {room} that the list has room for")
        }
        Failure::Assertion => format!("{quoted} is false"),
        Failure::NothingToCompare => {
            format!("{quoted} fails: its `where` leaves out every value")
        }
    }
}
