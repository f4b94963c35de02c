//! Macros: expanded in place, the arguments for the parameters.

use std::rc::Rc;

use stubborn_syntax::ast::{self, HasName, HasParams};

use crate::elaborate::Elaborator;
use crate::names::{Binding, DeclarationKind, Env};
use crate::problem::Code;
use crate::spans::span_of;
use stubborn_system::source::Span;

/// A macro that a process declares, which sees the process's variables.
#[derive(Clone, Debug)]
pub(crate) struct OwnMacro {
    pub name: String,
    pub span: Span,
    pub declaration: ast::MacroDecl,
    pub env: Env,
}

/// Which macros may be called at a place.
#[derive(Clone, Debug, Default)]
pub(crate) struct MacroScope {
    /// Those of the process.
    own: Rc<Vec<OwnMacro>>,
    /// Those that are being expanded, by where their names are declared.
    expanding: Option<Rc<Expanding>>,
    /// They are called by a macro that is read by itself.
    is_by_itself: bool,
}

#[derive(Debug)]
struct Expanding {
    name: Span,
    outer: Option<Rc<Expanding>>,
}

/// What a call of a macro stands for.
pub(crate) struct Expansion {
    pub block: ast::Block,
    pub env: Env,
    pub macros: MacroScope,
}

/// How deep macros may call each other.
const DEEPEST_EXPANSION: usize = 100;

impl MacroScope {
    pub fn of_process(own: Vec<OwnMacro>) -> MacroScope {
        MacroScope {
            own: Rc::new(own),
            ..MacroScope::default()
        }
    }

    /// The same where a macro is read by itself, whoever calls it: that calls are too deep is told where a process makes
    /// them, and not once more for each macro among them.
    pub fn by_itself(self) -> MacroScope {
        MacroScope {
            is_by_itself: true,
            ..self
        }
    }

    fn expanding(&self) -> impl Iterator<Item = Span> {
        std::iter::successors(self.expanding.as_deref(), |frame| frame.outer.as_deref())
            .map(|frame| frame.name)
    }

    /// What may be called within a macro whose name is declared at `name`.
    pub fn within(&self, name: Span, is_own: bool) -> MacroScope {
        MacroScope {
            own: if is_own {
                self.own.clone()
            } else {
                Rc::default()
            },
            expanding: Some(Rc::new(Expanding {
                name,
                outer: self.expanding.clone(),
            })),
            is_by_itself: self.is_by_itself,
        }
    }
}

impl Elaborator<'_> {
    /// Whether a macro has this name.
    pub(crate) fn is_macro(&self, name: &str, scope: &MacroScope) -> bool {
        let declared = self.declared_name(self.env.file, name);
        let is_global = declared
            .is_some_and(|id| matches!(self.declaration(id).kind, DeclarationKind::Macro(_)));
        is_global || scope.own.iter().any(|own| own.name == name)
    }
}

/// The body of the macro that is called, with its parameters bound. `None` where there is no such
/// macro, where the arguments do not fit, and where a macro calls itself.
pub(crate) fn expansion(
    elaborator: &mut Elaborator,
    call: &ast::CallStmt,
    scope: &MacroScope,
) -> Option<Expansion> {
    let name_ref = call.name_ref()?;
    let name = name_ref.text();
    let span = elaborator.span(&name_ref);
    let own = scope.own.iter().find(|own| own.name == name).cloned();
    let (declaration, declared, macro_env) = match &own {
        Some(own) => {
            elaborator.symbols.refer(span, own.span);
            (own.declaration.clone(), own.span, own.env.clone())
        }
        None => {
            let is_macro = |kind: &DeclarationKind| matches!(kind, DeclarationKind::Macro(_));
            let mend = "`macro NAME` declares one";
            let id = elaborator.declared_as(&name_ref, is_macro, "a macro", mend)?;
            let found = elaborator.declaration(id).clone();
            let DeclarationKind::Macro(declaration) = &found.kind else {
                return None;
            };
            (
                declaration.clone(),
                found.span,
                Env::of_file(found.span.file),
            )
        }
    };
    // A cycle of macros is told at its first member.
    if scope.expanding().any(|outer| outer == declared) {
        return None;
    }
    if scope.expanding().count() >= DEEPEST_EXPANSION {
        if scope.is_by_itself {
            return None;
        }
        let message = format!(
            "more than {DEEPEST_EXPANSION} macros stand in each other here, too many to check"
        );
        elaborator.error(Code::TooLarge, span, message);
        return None;
    }
    let parameters = elaborator.in_scope(&macro_env, |this| this.parameters(&declaration.params()));
    let given = call.args();
    if !elaborator.right_number(&name_ref, parameters.len()) {
        return None;
    }
    let mut inner = macro_env;
    for (parameter, expr) in parameters.iter().zip(given) {
        let binding = elaborator.macro_argument(&expr, parameter, &name);
        inner = inner.with(&*parameter.name, parameter.span, binding);
    }
    Some(Expansion {
        block: declaration.body()?,
        env: inner,
        macros: scope.within(declared, own.is_some()),
    })
}

/// The parameters of a macro that is checked by itself: they have no value.
pub(crate) fn opaque_parameters(elaborator: &mut Elaborator, declaration: &ast::MacroDecl) -> Env {
    let mut inner = elaborator.env.clone();
    for parameter in elaborator.parameters(&declaration.params()) {
        let binding = Binding::Opaque {
            domain: parameter.domain,
            assignable: true,
        };
        inner = inner.with(parameter.name, parameter.span, binding);
    }
    inner
}

/// The macros that a body declares.
pub(crate) fn own_macros(body: &ast::Body, env: &Env) -> Vec<OwnMacro> {
    body.macros()
        .filter_map(|declaration| {
            let name = declaration.name()?;
            Some(OwnMacro {
                name: name.text(),
                span: span_of(env.file, &name),
                declaration,
                env: env.clone(),
            })
        })
        .collect()
}

/// Whether a call consists of this word alone.
pub(crate) fn is_word(call: &ast::CallStmt, word: &str) -> bool {
    call.arg_list().is_none() && call.name_ref().is_some_and(|name| name.text() == word)
}
