//! `const` and `param`, and what is set from outside.

use stubborn_syntax::ast;

use super::infos::ConstantInfo;
use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constant, Constness, Decided, Typed};
use crate::memory::readings::Meaning;
use crate::names::declarations::{Declaration, DeclarationId, DeclarationKind};
use crate::problem::Code;
use crate::types::{Declared, Ty};
use stubborn_system::system::{Range, Value};
use stubborn_system::value::written;

/// Values of an enumeration that a message lists.
const MOST_NAMED: usize = 20;

impl Elaborator<'_> {
    /// The value of a `const` or `param`.
    pub(crate) fn constant_info(&mut self, id: DeclarationId) -> ConstantInfo {
        if let Some(known) = self.resolutions.constants.get(&id) {
            return known.clone();
        }
        let declaration = self.declaration(id).clone();
        if let Some(Meaning::Constant(info)) = self.recalled(declaration.item) {
            self.resolutions.constants.insert(id, info.clone());
            return info;
        }
        let read = |this: &mut Self| {
            let typed = this.working_out(id, |this| match &declaration.kind {
                DeclarationKind::Constant(ast) => this.const_value(&declaration, ast),
                DeclarationKind::Param(ast) => this.param_value(&declaration, ast),
                _ => Typed::unknown(),
            });
            ConstantInfo {
                typed: typed.unwrap_or_else(Typed::unknown),
            }
        };
        let info = match &declaration.kind {
            DeclarationKind::Constant(_) => {
                let meaning = |info: &ConstantInfo| Some(Meaning::Constant(info.clone()));
                self.remembered(declaration.item, read, meaning)
            }
            _ => read(self),
        };
        if !self.is_open(id) {
            self.resolutions.constants.insert(id, info.clone());
        }
        info
    }

    fn const_value(&mut self, declaration: &Declaration, ast: &ast::ConstDecl) -> Typed {
        let declared = ast.ty().map(|ty| self.declared(&ty));
        let Some(value) = ast.value() else {
            return declared.map_or_else(Typed::unknown, |declared| Typed::opaque(declared.ty));
        };
        let what = format!("`{}`", declaration.name);
        let constant = match &declared {
            Some(declared) => self.constant_in(&value, declared, &what),
            None => {
                let constant = self.constant(&value, None, &format!("the value of {what}"));
                match constant {
                    Some(constant) if !constant.ty.is_scalar() => {
                        let ty = self.ty_text(&constant.ty).replace("integer", "0..9");
                        let message = format!(
                            "a constant array or record needs its type: `const {}: {ty} = …`",
                            declaration.name
                        );
                        self.error(Code::WrongType, self.span(&value), message);
                        None
                    }
                    constant => constant,
                }
            }
        };
        let text = match (&declared, &constant) {
            (Some(declared), _) => self.type_text(declared),
            (None, Some(constant)) => self.ty_text(&constant.ty),
            (None, None) => String::new(),
        };
        self.symbols.set_type(declaration.span, text);
        match constant {
            Some(constant) => {
                let shown = written(&constant.value, &self.shape_of(&constant.ty));
                self.symbols.set_value(declaration.span, shown);
                Typed::constant(constant.ty, constant.value, constant.decided)
            }
            None => declared.map_or_else(Typed::unknown, |declared| Typed::opaque(declared.ty)),
        }
    }

    fn param_value(&mut self, declaration: &Declaration, ast: &ast::ParamDecl) -> Typed {
        let name = &declaration.name;
        let declared = match ast.ty() {
            Some(ty) => {
                let declared = self.declared(&ty);
                match declared.ty.is_scalar() {
                    true => declared,
                    false => {
                        let described = self.described(&declared.ty);
                        let message = format!(
                            "a `param` is an integer, a truth value or of an enumeration, not {described}; \
                             write `param {name}: 1..5 = 3`, say"
                        );
                        self.error(Code::WrongType, self.span(&ty), message);
                        Declared::unknown()
                    }
                }
            }
            None => Declared::unknown(),
        };
        let default = ast
            .value()
            .and_then(|value| self.constant_in(&value, &declared, &format!("`{name}`")));
        let parameters = &self.settings.parameters;
        let setting = parameters.iter().rev().find(|(set, _)| **set == **name);
        let value = match setting.map(|(_, value)| value.clone()) {
            Some(value) => self.setting(declaration, &value, &declared),
            None => match default {
                Some(default) if !declared.ty.is_unknown() => Some(default.value),
                _ => None,
            },
        };
        if declared.known {
            let text = self.type_text(&declared);
            self.symbols.set_type(declaration.span, text);
        }
        match value {
            Some(value) => {
                let shown = written(&value, &declared.shape);
                self.symbols.set_value(declaration.span, shown);
                Typed::constant(declared.ty, value, Decided::Text)
            }
            None => Typed::opaque(declared.ty),
        }
    }

    /// The value that is set from outside.
    fn setting(
        &mut self,
        declaration: &Declaration,
        value: &str,
        declared: &Declared,
    ) -> Option<Value> {
        let name = &declaration.name;
        let range = declared.domain().range;
        if !matches!(declared.ty, Ty::Int | Ty::Unknown) && declared.known {
            let mut values = range.lo..=range.hi;
            let named = values.find(|one| declared.shape.scalar(*one) == value.trim());
            if named.is_none() {
                let all = (range.lo..=range.hi).map(|one| declared.shape.scalar(one));
                let all: Vec<String> = all.take(MOST_NAMED).collect();
                let message = format!(
                    "`-D {name}={value}`: `{value}` is no value of the parameter `{name}`; write one of {}",
                    all.join(", ")
                );
                self.problem_outside(Code::ParameterOutsideRange, message);
            }
            return named.map(Value::Int);
        }
        let outside = |this: &mut Self, value: &str| {
            this.problem_outside(
                Code::ParameterOutsideRange,
                format!(
                    "`-D {name}={value}`: {value} is outside {}..{}, the range of the parameter `{name}`",
                    range.lo, range.hi
                ),
            );
            None
        };
        let written = value.trim().replace('_', "");
        let digits = written.strip_prefix('-').unwrap_or(&written);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            self.problem_outside(
                Code::CommandLine,
                format!("`-D {name}={value}`: `{value}` is not an integer"),
            );
            return None;
        }
        let Ok(number) = written.parse::<i64>() else {
            // No range goes beyond 64 bits.
            return outside(self, &written);
        };
        let value = Value::Int(number);
        if declared.known && !range.contains(number) {
            return outside(self, &written);
        }
        Some(value)
    }

    /// Messages for settings of what is no `param`.
    pub(crate) fn check_settings(&mut self) {
        let params: Vec<String> = self
            .names
            .declarations
            .iter()
            .filter(|d| matches!(d.kind, DeclarationKind::Param(_)))
            .map(|d| d.name.to_string())
            .collect();
        for (name, value) in &self.settings.parameters {
            if params.contains(name) {
                continue;
            }
            let mend = match self.nearest(name, params.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if params.is_empty() => String::from("the model has no `param`"),
                None => format!("the model has {}", params.join(", ")),
            };
            self.problem_outside(
                Code::CommandLine,
                format!("`-D {name}={value}`: there is no parameter `{name}`; {mend}"),
            );
        }
    }

    /// The value of a constant expression of any type; `None`, with a message, where it is none or
    /// fails. `what` says what is asked for: "an end of a range".
    pub fn constant(
        &mut self,
        expr: &ast::Expr,
        expected: Option<&Ty>,
        what: &str,
    ) -> Option<Constant> {
        let typed = self.expr(expr, expected);
        self.require_constant(expr, &typed, what)
    }

    /// The value of an expression that has been read, which must be constant.
    pub fn require_constant(
        &mut self,
        expr: &ast::Expr,
        typed: &Typed,
        what: &str,
    ) -> Option<Constant> {
        if typed.is_open() {
            self.instances_differ();
            return None;
        }
        if typed.constness == Constness::State {
            let quoted = self.quoted(expr);
            let message = format!(
                "{what} must be constant, but {quoted} depends on the state; literals, constants and parameters can stand here"
            );
            self.error(Code::NotConstant, self.span(expr), message);
            return None;
        }
        if let (Some(failure), Some(Decided::Instance)) = (typed.failure(), typed.known) {
            // There is no step whose evaluation could fail instead.
            let failure = failure.clone();
            self.fails(expr, &failure);
        }
        let value = typed.value()?.clone();
        Some(Constant {
            ty: typed.ty.clone(),
            value,
            decided: typed.known?,
        })
    }

    /// A constant that must be an integer.
    pub(crate) fn constant_integer(&mut self, expr: &ast::Expr, what: &str) -> Typed {
        let typed = self.integer(expr, what);
        if typed.ty.is_unknown() && typed.constness != Constness::State {
            return typed;
        }
        match self.require_constant(expr, &typed, what) {
            Some(_) => typed,
            None if typed.constness == Constness::Opaque => typed,
            None => Typed::unknown(),
        }
    }

    /// A constant that must be in the type, whoever decides it: an initial value, the value of a
    /// `const`. `what` has the type: "`gate`".
    pub fn constant_in(
        &mut self,
        expr: &ast::Expr,
        declared: &Declared,
        what: &str,
    ) -> Option<Constant> {
        // A value for a type that is too large is so too; for one that is not known for another
        // reason it has a size of its own.
        let is_told = !declared.known
            && self
                .owner()
                .is_some_and(|owner| self.reports.is_too_large(owner));
        let told = std::mem::replace(&mut self.size_is_told, is_told);
        let typed = self.expr(expr, Some(&declared.ty));
        self.size_is_told = told;
        if !self.fits(expr, &typed, &declared.ty, what) {
            return None;
        }
        let constant = self.require_constant(expr, &typed, &format!("the value of {what}"))?;
        if self.check_range(expr, &typed, declared, what) {
            Some(constant)
        } else {
            None
        }
    }

    /// The number of something: a constant of at least `least`.
    pub(crate) fn constant_number(
        &mut self,
        expr: &ast::Expr,
        range: Range,
        what: &str,
        too_small: &str,
    ) -> Option<i64> {
        let value = self.constant_integer(expr, what).scalar()?;
        if range.contains(value) {
            return Some(value);
        }
        let (code, mend) = if value < range.lo {
            (Code::OutsideType, too_small.to_string())
        } else {
            (
                Code::TooLarge,
                format!("at most {} can be checked", range.hi),
            )
        };
        let message = format!("{what} cannot be {value}; {mend}");
        self.error(code, self.span(expr), message);
        None
    }
}
