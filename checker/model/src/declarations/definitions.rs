//! Definitions, and parameters in general.

use std::rc::Rc;

use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};

use super::infos::{DefinitionInfo, Parameter};
use crate::declarations::without_values;
use crate::elaborate::{Elaborator, MAX_DEPTH};
use crate::evaluate::outside_type;
use crate::expressions::typed::{Constness, Decided, Typed};
use crate::memory::readings::Meaning;
use crate::names::declarations::{BUILT_IN_FUNCTIONS, DeclarationId, DeclarationKind};
use crate::names::env::{Binding, Env, Found};
use crate::names::symbols::{Symbol, SymbolKind};
use crate::problem::Code;
use crate::types::{Declared, Domain, Ty};
use stubborn_system::source::Span;
use stubborn_system::system::{Expr, Type, Value};

/// A definition that is what stands for it.
pub(crate) struct Opened {
    /// What its parameters are in its body.
    pub env: Env,
    pub body: ast::Expr,
    /// Their names.
    pub parameters: Vec<String>,
}

impl Elaborator<'_> {
    /// The parameters `(x in T, y in U)`, in order. The type of each may not depend on the others.
    /// Names that are there twice are told.
    pub fn parameters(&mut self, list: &[ast::Binding]) -> Vec<Parameter> {
        let mut parameters: Vec<Parameter> = Vec::new();
        for binding in list {
            let domain = match binding.ty() {
                Some(ty) => self.domain_or(&ty, "a parameter", &|_, _| {
                    "; take an index or an instance, and read `a[i]` or `p(i).x` of it".to_owned()
                }),
                None => Domain::unknown(),
            };
            let Some(name) = binding.name() else { continue };
            let span = self.span(&name);
            self.declare_bound(binding, &domain, SymbolKind::Parameter);
            if let Some(first) = parameters.iter().find(|p| p.name == name.text()) {
                let first = first.span;
                let message = format!(
                    "there are two parameters `{}`; another name would mend it",
                    name.text()
                );
                self.duplicate(span, first, message);
            }
            parameters.push(Parameter {
                name: name.text(),
                span,
                domain,
            });
        }
        parameters
    }

    /// Makes the symbol of a bound name, and checks that it may be declared.
    pub(crate) fn declare_bound(
        &mut self,
        binding: &ast::Binding,
        domain: &Domain,
        kind: SymbolKind,
    ) {
        let Some(name) = binding.name() else { return };
        let span = self.span(&name);
        let ty = self.type_text(&domain.declared());
        self.symbols
            .declare(Symbol::new(name.text(), kind, span).with_type(ty));
        self.check_declarable(&name.text(), span);
    }

    /// A definition, checked by itself with parameters that have no value.
    pub(crate) fn definition(&mut self, id: DeclarationId) -> Rc<DefinitionInfo> {
        if let Some(known) = self.resolutions.definitions.get(&id)
            && known.laid_out == self.laid_out
        {
            return known.clone();
        }
        let declaration = self.declaration(id).clone();
        let DeclarationKind::Definition(ast) = &declaration.kind else {
            return Rc::new(DefinitionInfo::unknown(Vec::new()));
        };
        // Before the processes are laid out it may come to something else.
        if self.laid_out
            && let Some(Meaning::Definition(info)) = self.recalled(declaration.item)
        {
            let info = Rc::new(info);
            self.resolutions.definitions.insert(id, info.clone());
            return info;
        }
        let check = |this: &mut Self| {
            let parameters = this.parameters(&ast.params());
            let env = without_values(&this.env, &parameters);
            let ty = match ast.body() {
                Some(body) => this.in_scope(&env, |this| this.expr(&body, None)).ty,
                None => Ty::Unknown,
            };
            DefinitionInfo {
                ty,
                parameters,
                laid_out: this.laid_out,
                expandable: !this.reports.is_too_large(declaration.item),
            }
        };
        let read = |this: &mut Self| {
            let checked = this.working_out(id, check);
            if let Some(info) = &checked {
                let text = this.ty_text(&info.ty);
                this.symbols.set_type(declaration.span, text);
            }
            checked
        };
        let checked = if self.laid_out {
            let meaning = |info: &Option<DefinitionInfo>| info.clone().map(Meaning::Definition);
            self.remembered(declaration.item, read, meaning)
        } else {
            read(self)
        };
        match checked {
            Some(info) => {
                let info = Rc::new(info);
                self.resolutions.definitions.insert(id, info.clone());
                info
            }
            None => {
                let parameters = match self.resolutions.definitions.get(&id) {
                    Some(known) => known.parameters.clone(),
                    None => Vec::new(),
                };
                let info = Rc::new(DefinitionInfo {
                    laid_out: self.laid_out,
                    ..DefinitionInfo::unknown(parameters)
                });
                if !self.is_open(id) {
                    self.resolutions.definitions.insert(id, info.clone());
                }
                info
            }
        }
    }

    /// The use of a definition at `call`, its body in the place of it. Each argument is evaluated
    /// once, and must be in the type of its parameter.
    pub(crate) fn expand_definition(
        &mut self,
        id: DeclarationId,
        arguments: &[ast::Expr],
        used: &ast::NameRef,
        call: Span,
    ) -> Typed {
        let info = self.definition(id);
        let declaration = self.declaration(id).clone();
        let name = &declaration.name;
        if !info.expandable {
            self.reports.is_of_too_large(declaration.item, self.owner());
            for argument in arguments {
                self.expr(argument, None);
            }
            return Typed::unknown();
        }
        if !self.right_number(used, info.parameters.len()) {
            for argument in arguments {
                self.expr(argument, None);
            }
            return Typed::opaque(info.ty.clone());
        }
        if self.nesting >= MAX_DEPTH {
            let message = format!(
                "more than {MAX_DEPTH} definitions stand in each other here, too many to check"
            );
            self.error(Code::TooLarge, call, message);
            return Typed::unknown();
        }
        let mut body_env = Env::of_file(declaration.span.file).at_depth(self.env.depth);
        let mut lets: Vec<(Expr, Type)> = Vec::new();
        let mut failed = None;
        let mut faulty = false;
        for (argument, parameter) in arguments.iter().zip(&info.parameters) {
            let env = self.env.at_depth(body_env.depth);
            let what = format!("`{}` of `{name}`", parameter.name);
            let wanted = &parameter.domain.ty;
            let typed = self.in_scope(&env, |this| this.expr(argument, Some(wanted)));
            if !self.fits(argument, &typed, wanted, &what) {
                faulty = true;
                continue;
            }
            if typed.failure().is_some() {
                failed.get_or_insert(typed);
                continue;
            }
            let binding = match self.argument(argument, &typed, parameter, &what) {
                Ok(Some(binding)) => binding,
                Ok(None) => {
                    let ty = parameter.domain.declared().system;
                    lets.push((typed.expr, ty));
                    let level = body_env.depth;
                    body_env = body_env.at_depth(level + 1);
                    Binding::Bound {
                        level,
                        domain: parameter.domain.clone(),
                    }
                }
                Err(failure) => {
                    failed.get_or_insert(failure);
                    continue;
                }
            };
            body_env = body_env.with(&*parameter.name, parameter.span, binding);
        }
        if faulty {
            return Typed::opaque(info.ty.clone());
        }
        if let Some(failed) = failed {
            return Typed {
                ty: info.ty.clone(),
                ..failed
            };
        }
        let DeclarationKind::Definition(ast) = &declaration.kind else {
            return Typed::unknown();
        };
        let Some(body) = ast.body() else {
            return Typed::unknown();
        };
        let typed = self.expanding(call, |this| {
            this.in_scope(&body_env, |this| this.expr(&body, None))
        });
        if lets.is_empty() {
            return typed;
        }
        let expr = lets
            .into_iter()
            .rev()
            .fold(typed.expr, |body, (value, ty)| Expr::bind(value, ty, body));
        Typed::of_state(typed.ty, expr)
    }

    /// The body of the definition that an expression uses, and what its parameters are there. `None`
    /// where it uses none, or an argument depends on the state.
    pub(crate) fn opened_definition(&mut self, expr: &ast::Expr) -> Option<Opened> {
        let (used, arguments) = match expr {
            ast::Expr::Name(name) => (name.name_ref()?, Vec::new()),
            ast::Expr::Call(call) => (call.name_ref()?, call.args()),
            _ => return None,
        };
        if BUILT_IN_FUNCTIONS.contains(&used.text().as_str()) {
            return None;
        }
        let Found::Declared(id) = self.resolve(&used)? else {
            return None;
        };
        let declaration = self.declaration(id).clone();
        let DeclarationKind::Definition(ast) = &declaration.kind else {
            return None;
        };
        let info = self.definition(id);
        if !info.expandable || info.parameters.len() != arguments.len() {
            return None;
        }
        let mut body_env = Env::of_file(declaration.span.file).at_depth(self.env.depth);
        for (argument, parameter) in arguments.iter().zip(&info.parameters) {
            let what = format!("`{}` of `{}`", parameter.name, declaration.name);
            let typed = self.expr(argument, Some(&parameter.domain.ty));
            let binding = self.argument(argument, &typed, parameter, &what);
            let Ok(Some(binding @ Binding::Constant { .. })) = binding else {
                return None;
            };
            body_env = body_env.with(&*parameter.name, parameter.span, binding);
        }
        let parameters = info.parameters.iter();
        Some(Opened {
            env: body_env,
            body: ast.body()?,
            parameters: parameters.map(|one| one.name.clone()).collect(),
        })
    }

    /// What an argument binds its parameter to: nothing yet where it must be evaluated; a failure
    /// where it is known to be outside the parameter's type.
    fn argument(
        &mut self,
        argument: &ast::Expr,
        typed: &Typed,
        parameter: &Parameter,
        what: &str,
    ) -> Result<Option<Binding>, Typed> {
        let domain = parameter.domain.clone();
        if typed.is_open() {
            if domain.known {
                self.only_within(typed, domain.range);
            }
            // An open parameter is no bound value, and is the same at any depth.
            return Ok(Some(Binding::Expression {
                typed: Typed {
                    ty: domain.ty,
                    ..typed.clone()
                },
                depth: 0,
            }));
        }
        if let (Some(value), Some(decided)) = (typed.scalar(), typed.known) {
            if domain.known {
                let declared = domain.declared();
                let outside = outside_type(&Value::Int(value), &declared.system);
                if let Some(failure) = outside {
                    if decided == Decided::Text && self.is_evaluated() {
                        self.outside(argument, &failure, &declared, what);
                    }
                    return Err(Typed {
                        expr: Expr::Fail(failure),
                        ..typed.clone()
                    });
                }
            }
            if typed.constness == Constness::Constant {
                return Ok(Some(Binding::Constant {
                    value,
                    domain,
                    decided,
                }));
            }
        }
        if typed.constness == Constness::Opaque || !domain.known {
            return Ok(Some(Binding::opaque(domain)));
        }
        Ok(self.plain(argument, &domain))
    }

    /// The binding of a plain variable whose type is within the domain: it cannot fail, and need not
    /// be evaluated apart.
    fn plain(&mut self, argument: &ast::Expr, domain: &Domain) -> Option<Binding> {
        let within = |declared: &Declared| match declared.system {
            Type::Scalar { lo, hi } => {
                declared.known && domain.range.lo <= lo && hi <= domain.range.hi
            }
            _ => false,
        };
        let ast::Expr::Name(name) = argument.clone().without_parens()? else {
            return None;
        };
        match self.resolve(&name.name_ref()?)? {
            Found::Bound(Binding::Variable { variable, declared }, _) => {
                within(&declared).then_some(Binding::Variable { variable, declared })
            }
            Found::Bound(Binding::Bound { level, domain }, _) => {
                within(&domain.declared()).then_some(Binding::Bound { level, domain })
            }
            Found::Declared(id) => {
                let info = self.variable_info(id)?;
                within(&info.declared).then_some(Binding::Variable {
                    variable: stubborn_system::system::VariableRef::Shared(info.index),
                    declared: info.declared.clone(),
                })
            }
            Found::Bound(..) => None,
        }
    }

    /// Whether the name is followed by as many arguments as wanted; a message if not, at the first
    /// that is too many or where one is missing.
    pub fn right_number(&mut self, name: &ast::NameRef, wanted: usize) -> bool {
        self.right_number_or(name, wanted, "")
    }

    /// The same, with what would mend it where one is missing.
    pub fn right_number_or(&mut self, name: &ast::NameRef, wanted: usize, mend: &str) -> bool {
        let list = name.syntax().parent();
        let list = list.and_then(|parent| parent.children().find_map(ast::ArgList::cast));
        let given: Vec<Span> = list
            .iter()
            .flat_map(|list| list.arguments())
            .map(|argument| self.span(&argument))
            .collect();
        if given.len() == wanted {
            return true;
        }
        let span = match (given.get(wanted), given.last(), &list) {
            (Some(extra), ..) => *extra,
            (None, Some(last), _) => behind(*last),
            (None, None, Some(list)) => {
                let list = self.span(list);
                Span {
                    start: list.start + 1,
                    end: list.start + 1,
                    ..list
                }
            }
            (None, None, None) => behind(self.span(name)),
        };
        let arguments = match wanted {
            0 => String::from("no arguments"),
            1 => String::from("one argument"),
            n => format!("{n} arguments"),
        };
        let are_given = match given.len() {
            0 => String::from("none is given"),
            1 => String::from("one is given"),
            n => format!("{n} are given"),
        };
        let mend = if given.len() < wanted { mend } else { "" };
        let message = format!(
            "`{}` takes {arguments}, but {are_given} here{mend}",
            name.text()
        );
        self.error(Code::WrongArguments, span, message);
        false
    }
}

/// The place directly behind something: where what is missing is told.
pub(crate) fn behind(span: Span) -> Span {
    Span {
        start: span.end,
        ..span
    }
}
