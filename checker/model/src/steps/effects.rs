//! Effects: what a step changes.

use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode};

use crate::body::{DEEPEST_BLOCKS, MacroScope, expansion, is_word, too_deep};
use crate::elaborate::Elaborator;
use crate::expressions::PlaceUse;
use crate::expressions::typed::Constness;
use crate::problem::{Code, Words};
use crate::spans::first_token;
use stubborn_system::source::Span;
use stubborn_system::source_map::Branches;
use stubborn_system::system::{Effect, Expr};

use super::{Drawn, WEIGHT, each};

/// How many effects a step may have.
const MOST_EFFECTS: usize = 20_000;

impl Drawn {
    /// It has too many effects, which has been told.
    pub(super) fn is_too_large(&self) -> bool {
        self.size > MOST_EFFECTS
    }

    pub(super) fn effects(
        &mut self,
        elaborator: &mut Elaborator,
        effects: &[ast::Effect],
        macros: &MacroScope,
    ) {
        let mut list = Vec::new();
        let around = Around {
            inside: Inside::Nothing,
            depth: 0,
        };
        self.list(elaborator, effects, macros, around, &mut list);
        self.effects = list;
    }

    fn list(
        &mut self,
        elaborator: &mut Elaborator,
        effects: &[ast::Effect],
        macros: &MacroScope,
        around: Around,
        list: &mut Vec<Effect>,
    ) {
        if around.depth > DEEPEST_BLOCKS {
            if let Some(effect) = effects.first() {
                elaborator.error(Code::TooLarge, elaborator.span(effect), too_deep());
            }
            return;
        }
        for effect in effects {
            let span = elaborator.span(effect);
            if self.is_too_large() || !elaborator.spend(WEIGHT, span) {
                return;
            }
            self.size += 1;
            if self.size > MOST_EFFECTS {
                let message = format!(
                    "with `for` and macros written out this step has more than \
                         {MOST_EFFECTS} effects, too many to check; smaller ranges would mend it"
                );
                elaborator.error(Code::TooLarge, span, message);
                return;
            }
            match effect {
                ast::Effect::Assignment(assignment) => {
                    let effects = self.assignment(elaborator, assignment, around.inside);
                    list.extend(effects.into_iter().flatten());
                }
                ast::Effect::Assert(assert) => {
                    let Some(condition) = assert.condition() else {
                        continue;
                    };
                    let condition = elaborator.boolean(&condition, "`assert`").expr;
                    if condition != Expr::int(1) {
                        list.push(Effect::Assert(condition));
                    }
                }
                ast::Effect::If(test) => self.test(elaborator, test, macros, around, list),
                ast::Effect::For(repeat) => {
                    let bindings: Vec<ast::Binding> = repeat.bindings().collect();
                    let effects = repeat.effects();
                    let clause = repeat.where_clause();
                    each(elaborator, &bindings, &mut |this| {
                        match clause.as_ref().and_then(ast::WhereClause::condition) {
                            None => {
                                let around = around.within(Inside::Nothing);
                                self.list(this, &effects, macros, around, list);
                            }
                            Some(condition) => {
                                let span = this.span(&condition);
                                let branches = Choice {
                                    inside: Inside::Where,
                                    condition: Some(condition),
                                    span,
                                    then: effects.clone(),
                                    otherwise: Vec::new(),
                                };
                                self.choice(this, branches, macros, around, list);
                            }
                        }
                        !self.is_too_large()
                    });
                }
                ast::Effect::Call(call)
                    if is_word(call, "reset") && !elaborator.is_macro("reset", macros) =>
                {
                    // Initial values may depend on the parameters of the process.
                    elaborator.instances_differ();
                    self.size += elaborator.own_variables.len();
                    let written: u64 = (elaborator.own_variables.iter())
                        .map(|effect| match effect {
                            Effect::Assign { ty, .. } => ty.scalars(),
                            _ => 1,
                        })
                        .sum();
                    if elaborator.spend(written, span) {
                        list.extend_from_slice(&elaborator.own_variables);
                    }
                }
                ast::Effect::Call(call) => self.call(elaborator, call, macros, around, list),
            }
        }
    }

    fn assignment(
        &mut self,
        elaborator: &mut Elaborator,
        assignment: &ast::Assignment,
        inside: Inside,
    ) -> Option<Vec<Effect>> {
        let place = assignment
            .place()
            .and_then(|place| elaborator.place(&place, PlaceUse::Assigned));
        if let Some(any) = assignment.any() {
            return self.any(elaborator, assignment, &any, place, inside);
        }
        let value = assignment.assigned()?;
        let Some((place, declared)) = place else {
            elaborator.expr(&value, None);
            return None;
        };
        let what = assignment
            .place()
            .map_or_else(String::new, |place| elaborator.quoted(&place));
        if let Some(effects) = elaborator.changed_parts(&value, &place, &declared) {
            return Some(effects);
        }
        let value = elaborator.checked_value(&value, &declared, &what);
        Some(vec![Effect::Assign {
            ty: declared.system,
            place,
            value: value.expr,
        }])
    }

    fn test(
        &mut self,
        elaborator: &mut Elaborator,
        test: &ast::IfStmt,
        macros: &MacroScope,
        around: Around,
        list: &mut Vec<Effect>,
    ) {
        let then = test.then_block().map(|block| block.effects());
        let choice = Choice {
            inside: Inside::If,
            condition: test.condition(),
            // As the text of a test that is a step by itself.
            span: Span {
                end: (test.condition()).map_or(0, |condition| elaborator.span(&condition).end),
                ..elaborator.span(test)
            },
            then: then.unwrap_or_default(),
            otherwise: match test.else_branch() {
                None => Vec::new(),
                Some(ast::ElseBranch::Block(block)) => block.effects(),
                Some(ast::ElseBranch::If(nested)) => vec![ast::Effect::If(nested)],
            },
        };
        self.choice(elaborator, choice, macros, around, list);
    }

    fn choice(
        &mut self,
        elaborator: &mut Elaborator,
        choice: Choice,
        macros: &MacroScope,
        around: Around,
        list: &mut Vec<Effect>,
    ) {
        let Choice {
            inside,
            condition,
            span,
            then: first,
            otherwise: second,
        } = choice;
        let word = match inside {
            Inside::Where => "`where`",
            Inside::If | Inside::Nothing => "`if`",
        };
        let condition = condition.map(|condition| elaborator.boolean(&condition, word));
        let known = condition.as_ref().and_then(|condition| condition.scalar());
        // What constants keep or leave out is as without the `where`.
        let is_plain = inside == Inside::Where && known.is_some();
        // A macro by itself has no values of its parameters.
        let is_constant = condition
            .as_ref()
            .is_none_or(|it| it.constness != Constness::State);
        let around = around.within(match inside {
            Inside::Where if is_constant => Inside::Nothing,
            inside => inside,
        });
        let before = self.branches.tests.len();
        match known {
            // Those in it come behind it.
            None => self.branches.tests.push(span),
            Some(_) if is_plain => {}
            Some(value) => self.branches.decided.push((span, value != 0)),
        }
        let mut branch = |elaborator: &mut Elaborator, effects: &[ast::Effect], taken: bool| {
            let mut inner = Vec::new();
            if taken {
                self.list(elaborator, effects, macros, around, &mut inner);
            } else {
                let Branches { tests, decided } = &self.branches;
                let (tests, decided, choices) = (tests.len(), decided.len(), self.choices.len());
                elaborator.not_evaluated(|this| {
                    self.list(this, effects, macros, around, &mut inner);
                });
                self.branches.tests.truncate(tests);
                self.branches.decided.truncate(decided);
                self.choices.truncate(choices);
            }
            inner
        };
        let then = branch(elaborator, &first, known != Some(0));
        let otherwise = branch(elaborator, &second, known.is_none() || known == Some(0));
        match (known, condition) {
            (Some(0), _) => list.extend(otherwise),
            (Some(_), _) => list.extend(then),
            (None, Some(condition)) => list.push(Effect::If(condition.expr, then, otherwise)),
            // What is wrong has been told.
            (None, None) => self.branches.tests.truncate(before),
        }
    }

    /// A macro used as an effect.
    fn call(
        &mut self,
        elaborator: &mut Elaborator,
        call: &ast::CallStmt,
        macros: &MacroScope,
        around: Around,
        list: &mut Vec<Effect>,
    ) {
        let Some(expansion) = expansion(elaborator, call, macros) else {
            return;
        };
        let span = elaborator.span(call);
        if let Some(statement) = expansion.block.non_effects().first() {
            let name = call.name_ref().map(|name| name.text()).unwrap_or_default();
            let first = statement.syntax().first_token();
            let is_do = first.is_some_and(|token| token.kind() == SyntaxKind::DO_KW);
            let told = match is_do {
                true => "this is a statement; without its `do` it would be an effect",
                false => "this is a statement, not an effect",
            };
            let words = Words::from(format!(
                "`{name}` cannot be used as an effect, since it has statements; call it as a statement"
            ));
            let words = words.see(first_token(expansion.env.file, statement), told);
            elaborator.error(Code::Misplaced, span, words);
            return;
        }
        let effects = expansion.block.effects();
        let around = around.within(around.inside);
        elaborator.expanding(span, |this| {
            this.in_scope(&expansion.env, |this| {
                self.list(this, &effects, &expansion.macros, around, list);
            });
        });
    }
}

/// Effects that a condition chooses: an `if`, or what a `for` with a `where` does for one value.
struct Choice {
    /// What the condition belongs to.
    inside: Inside,
    condition: Option<ast::Expr>,
    span: Span,
    then: Vec<ast::Effect>,
    otherwise: Vec<ast::Effect>,
}

/// What is around an effect in its step.
#[derive(Clone, Copy)]
struct Around {
    inside: Inside,
    /// How many blocks are around, macros written out.
    depth: u32,
}

/// The innermost choice of branches around an effect.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inside {
    Nothing,
    If,
    /// A `for` with a `where` that depends on the state.
    Where,
}

impl Around {
    /// One block further in.
    fn within(self, inside: Inside) -> Around {
        Around {
            inside: match inside {
                Inside::Nothing => self.inside,
                Inside::If | Inside::Where => inside,
            },
            depth: self.depth + 1,
        }
    }
}
