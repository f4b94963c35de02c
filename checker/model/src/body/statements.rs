//! Bodies of statements.

use stubborn_syntax::ast::{self, HasName};

use crate::elaborate::Elaborator;
use crate::names::{Env, SymbolKind};
use crate::problem::Code;
use crate::spans::{span_of, token_span};
use crate::steps::{keeps, values};
use stubborn_system::source::Span;

use super::graph::{Arc, ArcId, Label, Node, NodeId, Stand, Way};
use super::macros::{MacroScope, expansion, is_word};
use super::{Act, Builder, DEEPEST_BLOCKS, Declared, Met, Planned, too_deep};

/// What is around a statement.
#[derive(Clone)]
pub(super) struct Scope {
    pub env: Env,
    pub macros: MacroScope,
    /// Where `break` goes on.
    pub exit: Option<NodeId>,
    /// Where `continue` goes on.
    pub again: Option<NodeId>,
    /// The innermost branch of an `either for`, 0 where there is none.
    pub branch: usize,
    /// The end of the body.
    pub end: NodeId,
    /// Within a macro the outermost call.
    pub call: Option<Stand>,
    /// Index into [`Builder::labels`].
    pub labels: usize,
    /// The statement that this is part of.
    pub around: Option<usize>,
    /// How many blocks are around.
    pub depth: u32,
    /// Of a macro that a block begins with, where the block begins.
    pub opening: Option<NodeId>,
}

/// A branch of an `either`.
struct Branch<'b> {
    statements: &'b [ast::Statement],
    /// Of its `for`.
    clause: Option<&'b ast::WhereClause>,
    /// Its block.
    at: Span,
    next: NodeId,
    either: NodeId,
}

/// How control can get through statements without a step.
#[derive(Clone, Copy, Default)]
pub(super) struct Passage {
    /// To what follows.
    through: bool,
    /// By a `break` out of the loop around.
    out: bool,
    /// By a `goto` or a `continue`.
    jumps: bool,
}

impl Passage {
    const THROUGH: Passage = Passage {
        through: true,
        out: false,
        jumps: false,
    };
    const JUMPS: Passage = Passage {
        through: false,
        out: false,
        jumps: true,
    };
}

impl Scope {
    /// The outermost one.
    fn of(env: &Env, macros: MacroScope, end: NodeId) -> Scope {
        Scope {
            env: env.clone(),
            macros,
            exit: None,
            again: None,
            branch: 0,
            end,
            call: None,
            labels: 0,
            around: None,
            depth: 0,
            opening: None,
        }
    }
}

impl Builder<'_, '_> {
    /// The statements of a body, which `leads` if control begins in them.
    pub(super) fn statements_of(
        &mut self,
        body: &ast::Body,
        name: Span,
        env: &Env,
        macros: MacroScope,
        leads: bool,
    ) {
        let statements: Vec<ast::Statement> = body.statements().collect();
        if statements.is_empty() && !leads {
            return;
        }
        let brace = body.r_brace_token();
        let span = brace.map_or(name, |token| token_span(self.file, &token));
        let stand = self.stand(span);
        let end = self.graph.add(Node::Onward(None), stand);
        let scope = Scope::of(env, macros, end);
        let (entry, _) = self.block(&statements, &scope, end);
        let last = self.graph.add(Node::End, stand);
        self.graph.lead(end, last);
        self.graph.labels.push(Label {
            name: "end".into(),
            node: last,
            span: None,
            is_final: true,
            visible: true,
        });
        if leads {
            self.graph.initial = entry;
        }
    }

    /// The statements of a macro by itself; a `break` may leave a loop around the call.
    pub(super) fn macro_alone(
        &mut self,
        statements: &[ast::Statement],
        name: Span,
        env: &Env,
        macros: MacroScope,
    ) {
        let stand = self.stand(name);
        let end = self.graph.add(Node::End, stand);
        let scope = Scope {
            exit: Some(end),
            again: Some(end),
            call: Some(stand),
            ..Scope::of(env, macros, end)
        };
        self.graph.initial = self.block(statements, &scope, end).0;
        for arc in &mut self.graph.arcs {
            arc.step.call = None;
        }
    }

    /// A body that is missing.
    pub(super) fn empty(&mut self, name: Span) {
        let stand = self.stand(name);
        self.graph.initial = self.graph.add(Node::End, stand);
    }

    fn stand(&self, span: Span) -> Stand {
        Stand {
            span,
            line: self.line(span),
        }
    }

    /// Within a macro with the line of the call.
    fn stand_in(&self, span: Span, scope: &Scope) -> Stand {
        let line = scope.call.map_or_else(|| self.line(span), |call| call.line);
        Stand { span, line }
    }

    /// Lays out statements after which control goes on with `next`; where they begin.
    pub(super) fn block(
        &mut self,
        statements: &[ast::Statement],
        scope: &Scope,
        next: NodeId,
    ) -> (NodeId, Passage) {
        let mut marks: Vec<NodeId> = Vec::with_capacity(statements.len() + 1);
        for statement in statements {
            let stand = self.stand(span_of(scope.env.file, statement));
            marks.push(self.graph.add(Node::Onward(None), stand));
        }
        marks.push(next);
        let mut passage = Passage::THROUGH;
        // The labels of the first statement, which may be that of a macro, stand where all begins, so
        // that they go with it where a branch of an `either` takes a step first.
        let opening = scope.opening.unwrap_or(marks[0]);
        let mut before = None;
        for (index, statement) in statements.iter().enumerate() {
            let span = span_of(scope.env.file, statement);
            if !self.has_room(scope.call.map_or(span, |call| call.span)) {
                break;
            }
            let (mark, next) = (marks[index], marks[index + 1]);
            if let ast::Statement::Label(label) = statement {
                let node = if before.is_none() { opening } else { mark };
                self.label(label, node, scope);
                self.graph.lead(mark, next);
                continue;
            }
            self.met.push(Met {
                span,
                node: mark,
                before,
                around: scope.around,
                is_state: false,
            });
            let this = self.met.len() - 1;
            let is_opening_call = before.is_none() && matches!(statement, ast::Statement::Call(_));
            let inside = Scope {
                around: Some(this),
                depth: scope.depth + 1,
                opening: is_opening_call.then_some(opening),
                ..scope.clone()
            };
            before = Some(this);
            if inside.depth > DEEPEST_BLOCKS {
                self.mistaken = true;
                let span = scope.call.map_or(span, |call| call.span);
                self.problem(Code::TooLarge, span, too_deep());
                break;
            }
            let (entry, pass) = self.statement(statement, &inside, mark, next);
            self.graph.lead(mark, entry);
            passage.out |= passage.through && pass.out;
            passage.jumps |= passage.through && pass.jumps;
            passage.through &= pass.through;
        }
        (marks[0], passage)
    }

    fn label(&mut self, label: &ast::Label, node: NodeId, scope: &Scope) {
        let Some(name) = label.name() else { return };
        let span = span_of(scope.env.file, &name);
        let text = name.text();
        let labels = &mut self.labels[scope.labels];
        if text == "end" {
            let message = "`end` is the end of the body; give this label another name";
            self.problem(Code::DuplicateName, span, message);
        } else if let Some(known) = labels.get_mut(&text) {
            let first = known.span;
            // The branches of an `either for` share one text.
            if first == span {
                known.nodes.push((node, scope.branch));
            } else {
                let message =
                    format!("there is already a label `{text}`; another name would mend it");
                self.elaborator.duplicate(span, first, message);
            }
        } else {
            let nodes = vec![(node, scope.branch)];
            labels.insert(text.clone(), Declared { span, nodes });
            self.declare(&text, span, SymbolKind::Label);
        }
        self.graph.labels.push(Label {
            name: text,
            node,
            span: Some(span),
            is_final: label.final_token().is_some(),
            visible: scope.call.is_none(),
        });
    }

    fn statement(
        &mut self,
        statement: &ast::Statement,
        scope: &Scope,
        mark: NodeId,
        next: NodeId,
    ) -> (NodeId, Passage) {
        let stays = Passage::default();
        let file = scope.env.file;
        let span = span_of(file, statement);
        match statement {
            ast::Statement::Step(step) => {
                let dead = step
                    .guard()
                    .is_some_and(|guard| self.decided(&scope.env, &guard) == Some(false));
                let act = Act::Step(step.clone());
                (self.primitive(act, dead, span, scope, next), stays)
            }
            ast::Statement::Assign(assign) => {
                let effects = assign.effects().collect();
                (self.effects(None, effects, span, scope, next), stays)
            }
            ast::Statement::Assert(assert) => {
                let effects = vec![ast::Effect::Assert(assert.clone())];
                (self.effects(None, effects, span, scope, next), stays)
            }
            ast::Statement::Await(wait) => {
                let (guard, effects) = (wait.condition(), wait.effects());
                (self.effects(guard, effects, span, scope, next), stays)
            }
            ast::Statement::Skip(_) => (self.skip(span, scope, next), stays),
            ast::Statement::For(each) => {
                let effects = vec![ast::Effect::For(each.clone())];
                (self.effects(None, effects, span, scope, next), stays)
            }
            ast::Statement::Stop(_) => (self.skip(span, scope, scope.end), stays),
            ast::Statement::Label(_) => (next, Passage::THROUGH),
            ast::Statement::If(test) => (self.test(test, scope, next), stays),
            ast::Statement::While(repeat) => {
                let condition = repeat.condition();
                let inside = Scope {
                    exit: Some(next),
                    again: Some(mark),
                    ..scope.clone()
                };
                let (point, arc) = self.test_point(condition, span, scope);
                let body = self.block(&statements_in(repeat.body()), &inside, mark).0;
                self.graph.test_leads(arc, body, next);
                (point, stays)
            }
            ast::Statement::Loop(repeat) => {
                let inside = Scope {
                    exit: Some(next),
                    again: Some(mark),
                    ..scope.clone()
                };
                let (body, pass) = self.block(&statements_in(repeat.body()), &inside, mark);
                if pass.through {
                    self.mistaken = true;
                    let word = repeat.loop_token();
                    let message = "this loop can be gone round without a step; let every way round it have \
                         one (`skip`, say)";
                    self.problem(
                        Code::LoopWithoutStep,
                        word.map_or(span, |token| token_span(file, &token)),
                        message,
                    );
                }
                let through = pass.out;
                let jumps = pass.jumps;
                (
                    body,
                    Passage {
                        through,
                        jumps,
                        ..stays
                    },
                )
            }
            ast::Statement::Either(either) => self.either(either, span, scope, next),
            ast::Statement::Call(call) => self.call(call, span, scope, next),
            ast::Statement::Goto(goto) => {
                let stand = self.stand_in(span, scope);
                let node = self.graph.add(Node::Onward(None), stand);
                self.goto(goto, node, scope);
                (node, Passage::JUMPS)
            }
            ast::Statement::Break(_) => match scope.exit {
                Some(exit) => (exit, Passage { out: true, ..stays }),
                None => {
                    self.mistaken = true;
                    let (at, message) = match scope.call {
                        Some(call) => (
                            call.span,
                            "this macro has a `break` that leaves the loop around it, and there \
                             is no loop around it here",
                        ),
                        None => (
                            span,
                            "there is no loop around this `break`; `stop` ends the process",
                        ),
                    };
                    self.problem(Code::BreakOutsideLoop, at, message);
                    (next, stays)
                }
            },
        }
    }

    fn point(&mut self, span: Span, scope: &Scope) -> NodeId {
        let stand = self.stand_in(span, scope);
        self.graph.add(Node::Point { arcs: Vec::new() }, stand)
    }

    fn primitive(
        &mut self,
        act: Act,
        dead: bool,
        span: Span,
        scope: &Scope,
        next: NodeId,
    ) -> NodeId {
        let point = self.point(span, scope);
        self.graph.arc(
            point,
            Arc {
                step: Planned {
                    act,
                    env: scope.env.clone(),
                    span,
                    macros: scope.macros.clone(),
                    call: scope.call.map(|call| call.span),
                },
                way: Way::To(next),
                dead,
            },
        );
        point
    }

    fn skip(&mut self, span: Span, scope: &Scope, next: NodeId) -> NodeId {
        self.effects(None, Vec::new(), span, scope, next)
    }

    fn effects(
        &mut self,
        guard: Option<ast::Expr>,
        effects: Vec<ast::Effect>,
        span: Span,
        scope: &Scope,
        next: NodeId,
    ) -> NodeId {
        let decided = guard
            .as_ref()
            .and_then(|guard| self.decided(&scope.env, guard));
        let act = Act::Simple { guard, effects };
        self.primitive(act, decided == Some(false), span, scope, next)
    }

    fn test(&mut self, test: &ast::IfStmt, scope: &Scope, next: NodeId) -> NodeId {
        let span = span_of(scope.env.file, test);
        let (point, arc) = self.test_point(test.condition(), span, scope);
        let then = self.block(&statements_in(test.then_block()), scope, next).0;
        let otherwise = match test.else_branch() {
            None => next,
            Some(ast::ElseBranch::Block(block)) => {
                let statements: Vec<ast::Statement> = block.statements().collect();
                self.block(&statements, scope, next).0
            }
            Some(ast::ElseBranch::If(nested)) => {
                self.block(&[ast::Statement::If(nested)], scope, next).0
            }
        };
        self.graph.test_leads(arc, then, otherwise);
        point
    }

    /// A point with a test; where it leads is said later.
    fn test_point(
        &mut self,
        condition: Option<ast::Expr>,
        span: Span,
        scope: &Scope,
    ) -> (NodeId, ArcId) {
        let point = self.point(span, scope);
        let decided = condition
            .as_ref()
            .and_then(|condition| self.decided(&scope.env, condition));
        // What is read and shown is the test, not all that depends on it.
        let end = condition
            .as_ref()
            .map_or(span.end, |condition| span_of(span.file, condition).end);
        let arc = self.graph.arc(
            point,
            Arc {
                step: Planned {
                    act: Act::Test(condition),
                    env: scope.env.clone(),
                    span: Span { end, ..span },
                    macros: scope.macros.clone(),
                    call: scope.call.map(|call| call.span),
                },
                way: Way::Test {
                    then: point,
                    otherwise: point,
                    decided,
                },
                dead: false,
            },
        );
        (point, arc)
    }

    fn either(
        &mut self,
        either: &ast::EitherStmt,
        span: Span,
        scope: &Scope,
        next: NodeId,
    ) -> (NodeId, Passage) {
        let stand = self.stand_in(span, scope);
        let branches = Vec::new();
        let node = self.graph.add(Node::Either { branches }, stand);
        for branch in either.branches() {
            let block = branch.block();
            let at = (block.as_ref()).map_or(span, |block| span_of(scope.env.file, block));
            let statements = statements_in(block);
            let bindings = branch.for_bindings();
            let clause = branch.for_clause().and_then(|it| it.where_clause());
            let layout = Branch {
                statements: &statements,
                clause: clause.as_ref(),
                at,
                next,
                either: node,
            };
            self.branch(&bindings, &layout, scope);
        }
        // No branch is left without a step.
        (node, Passage::default())
    }

    /// A branch, once for each value of its `for`.
    fn branch(&mut self, bindings: &[ast::Binding], branch: &Branch<'_>, scope: &Scope) {
        let Some((binding, rest)) = bindings.split_first() else {
            let kept = |this: &mut Elaborator| keeps(this, branch.clause);
            if !self.elaborator.in_scope(&scope.env, kept) {
                return;
            }
            let (entry, pass) = self.block(branch.statements, scope, branch.next);
            let entry = if pass.through || pass.out || pass.jumps {
                self.skip_before(entry, branch.statements, branch.at, scope)
            } else {
                entry
            };
            self.graph.branch(branch.either, entry);
            return;
        };
        let at = span_of(scope.env.file, binding);
        let of_binding = |this: &mut Elaborator| values(this, binding);
        for env in self.elaborator.in_scope(&scope.env, of_binding) {
            if !self.has_room(at) {
                return;
            }
            let inside = Scope {
                env,
                branch: self.enter_branch(scope.branch),
                ..scope.clone()
            };
            self.branch(rest, branch, &inside);
        }
    }

    /// A branch that could be left without a step takes one, as if a `skip` stood at its beginning
    /// with the labels of its first statement; where it begins then.
    fn skip_before(
        &mut self,
        entry: NodeId,
        statements: &[ast::Statement],
        block: Span,
        scope: &Scope,
    ) -> NodeId {
        let is_label = |statement: &&ast::Statement| matches!(statement, ast::Statement::Label(_));
        let first = statements.iter().find(|statement| !is_label(statement));
        let at = first.map_or(block, |first| span_of(scope.env.file, first));
        if !self.has_room(scope.call.map_or(at, |call| call.span)) {
            return entry;
        }
        if statements.is_empty() {
            return self.skip(at, scope, entry);
        }
        // What is labelled stands at the entry, before the step.
        let after = self.graph.onward(entry).unwrap_or(entry);
        let skip = self.skip(at, scope, after);
        self.graph.lead(entry, skip);
        entry
    }

    /// `continue`: on to the next round of the loop around it.
    fn again(&mut self, span: Span, scope: &Scope, next: NodeId) -> (NodeId, Passage) {
        if let Some(again) = scope.again {
            // A node of its own, so that the way round the loop without a step is found.
            let stand = self.stand_in(span, scope);
            let node = self.graph.add(Node::Onward(Some(again)), stand);
            self.rounds
                .push((node, scope.call.map_or(span, |call| call.span)));
            return (node, Passage::JUMPS);
        }
        self.mistaken = true;
        let (at, message) = match scope.call {
            Some(call) => (
                call.span,
                "this macro has a `continue` for the loop around it, and there is no loop around \
                 it here",
            ),
            None => (
                span,
                "there is no loop around this `continue`; `goto NAME` continues at a label",
            ),
        };
        self.problem(Code::BreakOutsideLoop, at, message);
        (next, Passage::default())
    }

    /// A macro used as a statement: its statements, in place.
    fn call(
        &mut self,
        call: &ast::CallStmt,
        span: Span,
        scope: &Scope,
        next: NodeId,
    ) -> (NodeId, Passage) {
        if is_word(call, "continue") && !self.elaborator.is_macro("continue", &scope.macros) {
            return self.again(span, scope, next);
        }
        if is_word(call, "reset") && !self.elaborator.is_macro("reset", &scope.macros) {
            let effects = vec![ast::Effect::Call(call.clone())];
            let point = self.effects(None, effects, span, scope, next);
            return (point, Passage::default());
        }
        let outer = scope.call.map(|call| call.span);
        let expansion = self.elaborator.outside_expansion(outer, |this| {
            this.in_scope(&scope.env, |this| expansion(this, call, &scope.macros))
        });
        let Some(expansion) = expansion else {
            self.mistaken = true;
            return (next, Passage::default());
        };
        self.labels.push(Default::default());
        let inside = Scope {
            env: expansion.env,
            macros: expansion.macros,
            call: Some(scope.call.unwrap_or_else(|| self.stand(span))),
            labels: self.labels.len() - 1,
            ..scope.clone()
        };
        let statements: Vec<ast::Statement> = expansion.block.statements().collect();
        self.block(&statements, &inside, next)
    }
}

fn statements_in(block: Option<ast::Block>) -> Vec<ast::Statement> {
    block
        .map(|block| block.statements().collect())
        .unwrap_or_default()
}
