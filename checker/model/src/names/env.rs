//! What the names around an expression stand for: those that are bound from the outside in, on top
//! of what the file sees.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use crate::expressions::typed::{Decided, Typed};
use crate::names::declarations::DeclarationId;
use crate::types::{Declared, Domain};
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::VariableRef;

/// What a bound name stands for.
#[derive(Clone, Debug)]
pub enum Binding {
    /// A constant: a parameter of the process or property, what `for`, `either for` or a quantifier
    /// binds, the constant argument of a `def`.
    Constant {
        value: i64,
        domain: Domain,
        decided: Decided,
    },
    /// A parameter of a template, counted from 0: a constant whose value is put in for each instance
    /// ([`crate::template`]).
    Open { number: u32, domain: Domain },
    /// A parameter without a value, in something that is checked by itself: of a macro or a `def`;
    /// or one whose type has a mistake.
    Opaque {
        domain: Domain,
        /// Of a macro: the argument may turn out to be a place.
        assignable: bool,
    },
    /// The argument of a `def`, evaluated once: the value of the [`Let`](stubborn_system::system::Expr::Let)
    /// that has `level` others around it.
    Bound { level: u32, domain: Domain },
    /// A local variable.
    Variable {
        variable: VariableRef,
        declared: Declared,
    },
    /// The argument of a macro, which stands for itself, read where it was written.
    Argument {
        expr: ast::Expr,
        env: Env,
        domain: Domain,
        /// The use of a macro in whose body it was written, if any.
        expansion: Option<Span>,
    },
    /// An expression that has been read already, with so many
    /// [`Let`](stubborn_system::system::Expr::Let)s around it: what a Büchi automaton observes, an
    /// element of a list.
    Expression { typed: Typed, depth: u32 },
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Found {
    /// A bound name, and where it is declared.
    Bound(Binding, Span),
    /// What a file declares.
    Declared(DeclarationId),
}

impl Binding {
    /// A value of the domain that is not known, and no place.
    pub(crate) fn opaque(domain: Domain) -> Binding {
        Binding::Opaque {
            domain,
            assignable: false,
        }
    }
}

/// A chain of bindings; cloning and extending it is cheap, and does not change the original.
#[derive(Clone, Debug)]
pub struct Env {
    pub file: FileId,
    innermost: Option<Rc<Link>>,
    /// How many [`Let`](stubborn_system::system::Expr::Let)s are around the expression.
    pub(crate) depth: u32,
}

#[derive(Debug)]
struct Link {
    bound: Bound,
    outer: Option<Rc<Link>>,
}

#[derive(Debug)]
enum Bound {
    One {
        name: String,
        span: Span,
        binding: Binding,
    },
    /// Many names at once, looked up without going through them.
    Many(FxHashMap<String, (Binding, Span)>),
}

impl Env {
    /// Sees what the file sees, and nothing else.
    pub fn of_file(file: FileId) -> Env {
        Env {
            file,
            innermost: None,
            depth: 0,
        }
    }

    /// With one more name, which hides what has had it before. `span` is where it is declared.
    #[must_use]
    pub fn with(&self, name: impl Into<String>, span: Span, binding: Binding) -> Env {
        self.with_bound(Bound::One {
            name: name.into(),
            span,
            binding,
        })
    }

    /// With many more names, as if one after the other.
    #[must_use]
    pub(crate) fn with_many(
        &self,
        names: impl IntoIterator<Item = (String, Span, Binding)>,
    ) -> Env {
        let names = names.into_iter();
        let bound = names.map(|(name, span, binding)| (name, (binding, span)));
        self.with_bound(Bound::Many(bound.collect()))
    }

    fn with_bound(&self, bound: Bound) -> Env {
        Env {
            file: self.file,
            innermost: Some(Rc::new(Link {
                bound,
                outer: self.innermost.clone(),
            })),
            depth: self.depth,
        }
    }

    /// For an expression that stands in another file, which sees what that file sees beside the bound names.
    #[must_use]
    pub(crate) fn in_file(&self, file: FileId) -> Env {
        Env {
            file,
            ..self.clone()
        }
    }

    #[must_use]
    pub(crate) fn at_depth(&self, depth: u32) -> Env {
        Env {
            depth,
            ..self.clone()
        }
    }

    /// What the name is bound to, and where.
    pub fn lookup(&self, name: &str) -> Option<(&Binding, Span)> {
        self.links().find_map(|link| match &link.bound {
            Bound::One {
                name: bound,
                span,
                binding,
            } => (bound == name).then_some((binding, *span)),
            Bound::Many(bound) => bound.get(name).map(|(binding, span)| (binding, *span)),
        })
    }

    /// The bound names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.links().flat_map(|link| {
            let (one, many) = match &link.bound {
                Bound::One { name, .. } => (Some(name), None),
                Bound::Many(bound) => (None, Some(bound.keys())),
            };
            one.into_iter()
                .chain(many.into_iter().flatten())
                .map(String::as_str)
        })
    }

    fn links(&self) -> impl Iterator<Item = &Link> {
        std::iter::successors(self.innermost.as_deref(), |link| link.outer.as_deref())
    }
}

impl Domain {
    /// The bindings of a name that runs through the values, in their order; a single opaque one
    /// where they are not known, so that what is under it is checked all the same.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        let domain = self.clone();
        let opaque = (!domain.known).then(|| Binding::opaque(domain.clone()));
        let values = (domain.known).then_some(domain.range.lo..=domain.range.hi);
        let values = values.into_iter().flatten();
        opaque
            .into_iter()
            .chain(values.map(move |value| Binding::Constant {
                value,
                domain: domain.clone(),
                decided: Decided::Instance,
            }))
    }
}
