//! `f(3)`: definitions and the built-in functions.

use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::expressions::typed::{Constness, Typed};
use crate::names::declarations::{BUILT_IN_FUNCTIONS, DeclarationKind};
use crate::names::elsewhere;
use crate::names::env::Found;
use crate::problem::Code;
use crate::types::Ty;
use stubborn_system::system::{Binary, Expr, Unary};

impl Elaborator<'_> {
    pub(crate) fn call(&mut self, call: &ast::CallExpr) -> Typed {
        let arguments = call.args();
        let Some(name) = call.name_ref() else {
            return self.lost_call(&arguments);
        };
        let text = name.text();
        if BUILT_IN_FUNCTIONS.contains(&text.as_str()) {
            return self.built_in(call, &name, &arguments);
        }
        let found = match self.resolve(&name) {
            Some(found) => found,
            None if elsewhere::is_path_quantifier(&text) => {
                return self.lost_call(&within_path_quantifiers(arguments));
            }
            None => return self.lost_call(&arguments),
        };
        let (is, mend) = match found {
            Found::Declared(id) => {
                let declaration = self.declaration(id).clone();
                self.mark_read(declaration.span);
                match &declaration.kind {
                    DeclarationKind::Definition(_) => {
                        let used = self.span(call);
                        return self.expand_definition(id, &arguments, &name, used);
                    }
                    DeclarationKind::Process(_) => (
                        "a process",
                        format!("`{text}(…)@STATE` asks where an instance of it is"),
                    ),
                    DeclarationKind::Action(..) => {
                        self.action_as_value(&declaration, self.span(&name));
                        return self.lost_call(&arguments);
                    }
                    kind => (kind.described(), cells(&text)),
                }
            }
            Found::Bound(_, declared) => {
                self.mark_read(declared);
                ("a value", cells(&text))
            }
        };
        let message = format!(
            "only a definition or a built-in function takes arguments in an expression, but `{text}` is {is}; {mend}"
        );
        self.error(Code::WrongType, self.span(&name), message);
        self.lost_call(&arguments)
    }

    /// What a mistake leaves of a call: its arguments are checked all the same.
    fn lost_call(&mut self, arguments: &[ast::Expr]) -> Typed {
        for argument in arguments {
            if !self.is_instance(argument) && !self.is_channel(argument) {
                self.expr(argument, None);
            }
        }
        Typed::unknown()
    }

    fn is_channel(&self, expr: &ast::Expr) -> bool {
        let ast::Expr::Name(name) = expr else {
            return false;
        };
        let name = name.name_ref().map(|name| name.text()).unwrap_or_default();
        let declared = self.declared_name(self.env.file, &name);
        let kind = declared.map(|id| &self.declaration(id).kind);
        self.env.lookup(&name).is_none() && matches!(kind, Some(DeclarationKind::Channel(_)))
    }

    fn built_in(
        &mut self,
        call: &ast::CallExpr,
        used: &ast::NameRef,
        arguments: &[ast::Expr],
    ) -> Typed {
        let text = used.text();
        let name = text.as_str();
        let span = self.span(call);
        let what = format!("`{name}`");
        match name {
            "min" | "max" => {
                if arguments.is_empty() {
                    let message = format!(
                        "{what} takes at least one argument: `{name}(e, e)`, or `{name}(x in T: e)`"
                    );
                    self.error(Code::WrongArguments, span, message);
                    return Typed::opaque(Ty::Int);
                }
                let parts: Vec<Typed> = arguments.iter().map(|a| self.integer(a, &what)).collect();
                self.folded(call, Ty::Int, parts, |exprs| match name {
                    "min" => Expr::Min(exprs),
                    _ => Expr::Max(exprs),
                })
            }
            "count" | "sum" => {
                let message = format!(
                    "{what} goes through the values of a type, the indices of an array, say: `{name}(x in T: e)`"
                );
                self.error(Code::WrongArguments, span, message);
                Typed::opaque(Ty::Int)
            }
            "len" | "empty" | "full" => self.of_channel(call, used, arguments),
            "bit_not" => {
                if !self.right_number(used, 1) {
                    return self.wrong_number(arguments);
                }
                let typed = self.integer(&arguments[0], &what);
                self.unary(call, Ty::Int, Unary::BitNot, typed)
            }
            _ => {
                let operator = match name {
                    "bit_and" => Binary::BitAnd,
                    "bit_or" => Binary::BitOr,
                    "bit_xor" => Binary::BitXor,
                    "shift_left" => Binary::ShiftLeft,
                    _ => Binary::ShiftRight,
                };
                if !self.right_number(used, 2) {
                    return self.wrong_number(arguments);
                }
                let [a, b] = self.integers([&arguments[0], &arguments[1]], &what);
                self.operation(call, operator, Ty::Int, a, b)
            }
        }
    }

    fn wrong_number(&mut self, arguments: &[ast::Expr]) -> Typed {
        self.lost_call(arguments);
        Typed::opaque(Ty::Int)
    }

    /// Whether the expression names a channel, or one of an array of them.
    fn names_channel(&self, expr: &ast::Expr) -> bool {
        match expr.clone().without_parens() {
            Some(ast::Expr::Index(indexed)) => {
                let base = indexed.base().and_then(ast::Expr::without_parens);
                base.is_some_and(|base| self.is_channel(&base))
            }
            Some(expr) => self.is_channel(&expr),
            None => false,
        }
    }

    /// The same of a list or a set.
    fn of_collection(
        &mut self,
        call: &ast::CallExpr,
        name: &str,
        argument: &ast::Expr,
        unknown: Typed,
    ) -> Typed {
        let collection = self.expr(argument, None);
        match collection.ty.clone() {
            Ty::Set(set) => self.asked_of_set(call, name, collection, &set),
            Ty::List(list) => self.asked_of_list(call, name, collection, list.capacity),
            Ty::Unknown => unknown,
            ty => {
                let mend = match &ty {
                    Ty::Array(_) => "; how many cells an array has is said by its type",
                    _ => "",
                };
                let message = format!(
                    "`{name}` asks about a channel, a list or a set, but {} is {}{mend}",
                    self.quoted(argument),
                    self.described(&ty)
                );
                self.error(Code::WrongType, self.span(argument), message);
                unknown
            }
        }
    }

    fn of_channel(
        &mut self,
        call: &ast::CallExpr,
        used: &ast::NameRef,
        arguments: &[ast::Expr],
    ) -> Typed {
        let text = used.text();
        let name = text.as_str();
        let ty = match name {
            "len" => Ty::Int,
            _ => Ty::Bool,
        };
        let unknown = Typed::opaque(ty.clone()).being(Constness::State);
        if !self.right_number(used, 1) {
            return unknown;
        }
        if !self.names_channel(&arguments[0]) {
            return self.of_collection(call, name, &arguments[0], unknown);
        }
        let Some(channel) = self.channel_named(&arguments[0]) else {
            return unknown;
        };
        let expr = match name {
            "len" => Expr::Length(channel),
            "empty" => Expr::IsEmpty(channel),
            _ => Expr::IsFull(channel),
        };
        Typed::of_state(ty, expr)
    }
}

/// What stands in all of `AG(EF(e))`, of whose operators the first is told.
fn within_path_quantifiers(mut arguments: Vec<ast::Expr>) -> Vec<ast::Expr> {
    while let [ast::Expr::Call(call)] = &arguments[..]
        && (call.name_ref()).is_some_and(|name| elsewhere::is_path_quantifier(&name.text()))
    {
        arguments = call.args();
    }
    arguments
}

fn cells(name: &str) -> String {
    format!("a cell of an array is `{name}[…]`")
}
