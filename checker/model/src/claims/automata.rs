//! Büchi automata and testing automata, which observe states.

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, AstNode, HasName, HasParams, ModifierKind};

use crate::claim::{Claim, Form};
use crate::elaborate::{Elaborator, span_of};
use crate::names::{Binding, DeclarationKind, Env, Item, Symbol, SymbolKind, nearest};
use crate::problem::Code;
use crate::source::Span;

use super::testers::{Initial, States};
use super::{Property, first_token, for_each_value, name_of};

pub(super) fn buchi(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::BuchiDecl,
    found: &mut Vec<Property>,
) {
    let allowed = [
        ModifierKind::Initial,
        ModifierKind::Reject,
        ModifierKind::Deadlock,
        ModifierKind::Infinite,
    ];
    let kind = Kind {
        form: Form::Buchi,
        whose: "a Büchi automaton",
        allowed: &allowed,
    };
    kind.read(elaborator, item, ast, ast.body(), found);
}

pub(super) fn testing(
    elaborator: &mut Elaborator,
    item: &Item,
    ast: &ast::TestingDecl,
    found: &mut Vec<Property>,
) {
    let allowed = [
        ModifierKind::Initial,
        ModifierKind::Reject,
        ModifierKind::Deadlock,
        ModifierKind::Livelock,
        ModifierKind::Infinite,
    ];
    let kind = Kind {
        form: Form::Testing,
        whose: "a testing automaton",
        allowed: &allowed,
    };
    kind.read(elaborator, item, ast, ast.body(), found);
}

struct Kind<'k> {
    form: Form,
    whose: &'k str,
    allowed: &'k [ModifierKind],
}

/// The observed names, by where they are declared.
type Observed = FxHashMap<String, Span>;

impl Kind<'_> {
    fn read(
        &self,
        elaborator: &mut Elaborator,
        item: &Item,
        ast: &(impl HasName + HasParams),
        body: Option<ast::Body>,
        found: &mut Vec<Property>,
    ) {
        let Some((base, span)) = name_of(item, ast) else {
            return;
        };
        let Some(body) = body else { return };
        self.check_items(elaborator, item, &body);
        let observed = observed(elaborator, item, &body);
        let states = States::of(elaborator, item, &body, span, Initial::OneOrMore);
        states.check_modifiers(elaborator, self.allowed, self.whose);
        self.check_states(elaborator, item, &states);
        for (_, step) in states.steps() {
            self.check_step(elaborator, item, step, &observed);
        }
        states.warn_of_unreachable(elaborator);
        for_each_value(
            elaborator,
            item,
            &ast.params(),
            span,
            &mut |this, env, shown| {
                let inner = observe(this, env, &body, &observed);
                for state in states.states() {
                    if let Some(condition) = state.condition() {
                        only_observed(this, &inner, &condition, &observed);
                        this.boolean(&inner, &condition, "the `when` of a state");
                    }
                }
                found.push(Property {
                    name: shown(&base),
                    base: base.clone(),
                    claim: Claim::NotBuilt(self.form),
                    form: self.form,
                    span,
                });
            },
        );
    }

    fn check_items(&self, elaborator: &mut Elaborator, item: &Item, body: &ast::Body) {
        let mut statement_told = false;
        for part in body.items() {
            let what = match &part {
                ast::BodyItem::State(_) | ast::BodyItem::Observe(_) => continue,
                ast::BodyItem::Alphabet(_) => "`alphabet`",
                ast::BodyItem::Visible(_) => "`visible`",
                ast::BodyItem::Var(_) => "variables",
                ast::BodyItem::Macro(_) => "macros",
                ast::BodyItem::Statement(_) if statement_told => continue,
                ast::BodyItem::Statement(_) => {
                    statement_told = true;
                    "statements"
                }
            };
            elaborator.error(
                Code::Misplaced,
                first_token(item.file, &part),
                format!(
                    "{} has no {what}; it is made of `observe` lines and states",
                    self.whose
                ),
            );
        }
    }

    fn check_states(&self, elaborator: &mut Elaborator, item: &Item, states: &States) {
        if self.form != Form::Testing {
            return;
        }
        for state in states.states() {
            if let Some(condition) = state.condition()
                && !state.is_initial()
            {
                elaborator.error(
                    Code::Misplaced,
                    span_of(item.file, &condition),
                    "only the initial states of a testing automaton have a `when`; what holds at \
                     the others follows from the changes",
                );
            }
        }
    }

    fn check_step(
        &self,
        elaborator: &mut Elaborator,
        item: &Item,
        step: &ast::Step,
        observed: &Observed,
    ) {
        let file = item.file;
        let mut clauses: Vec<(Span, &str)> = Vec::new();
        if let Some(binding) = step.for_bindings().first() {
            clauses.push((span_of(file, binding), "for"));
        }
        if let Some(clause) = step.communication() {
            let word = match clause {
                ast::Communication::On(_) => "on",
                ast::Communication::Send(_) => "send",
                ast::Communication::Receive(_) => "receive",
            };
            clauses.push((first_token(file, &clause), word));
        }
        if let Some(clause) = step.when() {
            clauses.push((first_token(file, &clause), "when"));
        }
        if let Some(clause) = step.do_clause() {
            clauses.push((first_token(file, &clause), "do"));
        }
        let change = step.change();
        match (&change, self.form) {
            (Some(clause), Form::Buchi) => clauses.push((first_token(file, clause), "change")),
            (Some(clause), _) => {
                for name in clause.names() {
                    check_observed(elaborator, file, &name, observed);
                }
            }
            (None, Form::Testing) => elaborator.error(
                Code::Misplaced,
                first_token(file, step),
                "a step of a testing automaton says what changes: `change NAME -> STATE`",
            ),
            (None, _) => {}
        }
        let has = match self.form {
            Form::Buchi => "`->` alone",
            _ => "`change` and `->` alone",
        };
        for (span, word) in clauses {
            elaborator.error(
                Code::Misplaced,
                span,
                format!("the steps of {} have {has}, no `{word}`", self.whose),
            );
        }
    }
}

fn observed(elaborator: &mut Elaborator, item: &Item, body: &ast::Body) -> Observed {
    let mut observed = Observed::default();
    for line in body.observations() {
        let Some(name) = line.name() else { continue };
        let span = span_of(item.file, &name);
        let text = name.text();
        elaborator.check_declarable(&text, span);
        if let Some(first) = observed.get(&text) {
            elaborator.error_with(
                Code::DuplicateName,
                span,
                format!("`{text}` is already observed; another name would mend it"),
                vec![(*first, String::from("it is declared here first"))],
            );
            continue;
        }
        elaborator.symbols.declare(Symbol {
            name: text.clone(),
            kind: SymbolKind::Observed,
            span,
            ty: String::from("bool"),
            value: None,
            documentation: ast::HasDocs::docs(&line),
        });
        observed.insert(text, span);
    }
    observed
}

/// The observed names on top of the parameters.
fn observe(elaborator: &mut Elaborator, env: &Env, body: &ast::Body, observed: &Observed) -> Env {
    let mut inner = env.clone();
    for line in body.observations() {
        let (Some(name), Some(value)) = (line.name(), line.value()) else {
            continue;
        };
        let text = name.text();
        let typed = elaborator.boolean(env, &value, &format!("`{text}`"));
        let span = span_of(env.file, &name);
        if observed.get(&text) == Some(&span) {
            inner = inner.with(text, span, Binding::Expression(typed));
        }
    }
    inner
}

fn check_observed(
    elaborator: &mut Elaborator,
    file: crate::source::FileId,
    name: &ast::NameRef,
    observed: &Observed,
) {
    let span = span_of(file, name);
    let text = name.text();
    match observed.get(&text) {
        Some(declared) => elaborator.symbols.refer(span, *declared),
        None if text.is_empty() => {}
        None => {
            let mut known: Vec<&str> = observed.keys().map(String::as_str).collect();
            known.sort_unstable();
            let mend = match nearest(&text, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("`observe {text} = …` would observe it"),
            };
            elaborator.error(
                Code::UnknownName,
                span,
                format!("`{text}` is not observed here; {mend}"),
            );
        }
    }
}

/// The `when` of a state is over the observed names, and what is constant.
fn only_observed(elaborator: &mut Elaborator, env: &Env, expr: &ast::Expr, observed: &Observed) {
    let file = env.file;
    for node in expr.syntax().descendants() {
        let (span, what) = match ast::Expr::cast(node) {
            Some(ast::Expr::At(at)) => (span_of(file, &at), String::from("where a process is")),
            Some(ast::Expr::Name(expr)) => {
                let Some(name) = expr.name_ref() else {
                    continue;
                };
                let text = name.text();
                let declared = elaborator.declared_name(file, &text);
                let is_state = declared.is_some_and(|id| {
                    matches!(
                        elaborator.declaration(id).kind,
                        DeclarationKind::Variable(..) | DeclarationKind::Channel(_)
                    )
                });
                if observed.contains_key(&text) || env.lookup(&text).is_some() || !is_state {
                    continue;
                }
                (span_of(file, &name), format!("`{text}`"))
            }
            _ => continue,
        };
        elaborator.error(
            Code::Misplaced,
            span,
            format!(
                "a state's `when` is over what is observed, and {what} is not; observe it under \
                 a name with `observe NAME = …`"
            ),
        );
    }
}
