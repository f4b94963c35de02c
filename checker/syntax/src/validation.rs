//! What the grammar accepts and the language does not: which clauses, lines and words may stand
//! in which body, and which numbers there are.
//!
//! Only what a place looks like is judged here. Whatever needs a name's meaning or the whole of
//! a file (mixed bodies, a missing `initial`, `break` outside a loop, …) is told elsewhere.

mod owner;

use std::collections::BTreeSet;

use rowan::TextRange;

use crate::ast::*;
use crate::interrupt::Interrupt;
use crate::{SyntaxError, SyntaxKind, SyntaxNode};

use owner::Owner;

/// The mistakes in a tree, in the order of the text; not all of them where it is to end.
pub(crate) fn validate(root: &SyntaxNode, interrupt: &Interrupt<'_>) -> Vec<SyntaxError> {
    let mut found = Mistakes {
        errors: Vec::new(),
        last_body: None,
    };
    for node in root.descendants() {
        if interrupt.is_due() {
            break;
        }
        match node.kind() {
            SyntaxKind::LITERAL => found.literal(&node),
            SyntaxKind::BODY => found.body(&node),
            SyntaxKind::STEP => found.step_among_statements(&node),
            SyntaxKind::FOR_EFFECT => found.loop_over_values(&node),
            SyntaxKind::ANY_VALUE => found.any_value(&node),
            SyntaxKind::EVENT => found.event(&node),
            _ => {}
        }
    }
    found.errors
}

struct Mistakes {
    errors: Vec<SyntaxError>,
    /// The body that a step was last found in, and whether it has states or is no process's.
    last_body: Option<(SyntaxNode, bool)>,
}

impl Mistakes {
    fn tell(&mut self, range: TextRange, message: impl Into<String>, hint: impl Into<String>) {
        self.errors
            .push(SyntaxError::new(message, range).with_hint(hint));
    }

    fn literal(&mut self, node: &SyntaxNode) {
        let Some(literal) = Literal::cast(node.clone()) else {
            return;
        };
        let Some(token) = literal.token() else { return };
        let digits = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'_')
        };
        if token.kind() != SyntaxKind::INT || !digits(token.text()) {
            return;
        }
        let fits = match literal.value() {
            Some(LiteralValue::Int(value)) => {
                let is_negated = || {
                    let parent = node.parent().and_then(PrefixExpr::cast);
                    parent.is_some_and(|parent| parent.op() == Some(PrefixOp::Neg))
                };
                value <= i64::MAX as u64 || is_negated()
            }
            _ => false,
        };
        if !fits {
            self.tell(
                token.text_range(),
                "this integer is too large",
                format!("integers have 64 bits: the largest is {}", i64::MAX),
            );
        }
    }

    fn body(&mut self, node: &SyntaxNode) {
        let (Some(body), Some(owner)) = (Body::cast(node.clone()), Owner::of(node)) else {
            return;
        };
        let (mut begun, mut has_statements) = (false, false);
        // What was told to come too late: the same of those behind it says nothing more.
        let mut late = None;
        let mut told_statement = false;
        for item in body.items() {
            let range = item.syntax().first_token().map(|token| token.text_range());
            let Some(range) = range else { continue };
            match &item {
                BodyItem::State(state) => {
                    begun = true;
                    late = None;
                    self.state(state, owner);
                }
                BodyItem::Shared(shared) => self.shared_steps(shared, owner, range, has_statements),
                BodyItem::Statement(_) if owner.behaves_as_process() => {
                    has_statements = true;
                    begun = true;
                    late = None;
                    self.clauses(item.syntax(), owner);
                    for step in item.syntax().descendants().skip(1) {
                        self.clauses(&step, owner);
                    }
                }
                BodyItem::Statement(_) => {
                    if !told_statement {
                        told_statement = true;
                        let message = format!("{} is made of states", owner.article());
                        self.tell(range, message, "write `state NAME { … }`");
                    }
                }
                BodyItem::Var(_) | BodyItem::Alphabet(_) | BodyItem::Macro(_)
                    if owner.behaves_as_process() =>
                {
                    let name = line_name(&item);
                    if begun && late.replace(name) != Some(name) {
                        let at_edge = stands_at_the_edge(item.syntax());
                        self.tell(
                            range,
                            format!("{name} comes too late"),
                            match at_edge {
                                true => {
                                    "it stands at the head of the body, before the states or statements; if it \
                                     belongs to no process, a `}` is missing before it"
                                }
                                false => {
                                    "it stands at the head of the body, before the states or statements"
                                }
                            },
                        );
                    }
                }
                BodyItem::Visible(_) if owner == Owner::Tester => {}
                BodyItem::Observe(_) if matches!(owner, Owner::Buchi | Owner::Testing) => {}
                BodyItem::Visible(_) => {
                    let hint = if owner.behaves_as_process() {
                        "write `alphabet`, which says what the process takes part in"
                    } else {
                        "it stands in a tester"
                    };
                    self.tell(range, format!("{} has no `visible`", owner.article()), hint);
                }
                BodyItem::Alphabet(_) if owner == Owner::Tester => {
                    self.tell(range, "a tester has no `alphabet`", "write `visible`");
                }
                BodyItem::Observe(_) => self.tell(
                    range,
                    format!("{} has no `observe`", owner.article()),
                    "it stands in a `buchi` or `testing` automaton",
                ),
                BodyItem::Var(_) | BodyItem::Alphabet(_) | BodyItem::Macro(_) => self.tell(
                    range,
                    format!("{} has no {}", owner.article(), line_word(&item)),
                    "it stands in a process",
                ),
            }
        }
    }

    fn state(&mut self, state: &State, owner: Owner) {
        self.modifiers(state, owner);
        if let Some(when) = state.syntax().children().find_map(WhenClause::cast) {
            let range = when.syntax().first_token().map(|token| token.text_range());
            match (owner, range) {
                (Owner::Buchi, _) | (_, None) => {}
                (Owner::Testing, _) if state.is_initial() => {}
                (Owner::Testing, Some(range)) => self.tell(
                    range,
                    "only an initial state of a testing automaton has a `when`",
                    "the `change` of the steps says what holds in the others",
                ),
                (_, Some(range)) => self.tell(
                    range,
                    format!("a state of {} has no condition", owner.article()),
                    "write the guard in its steps: `{ when e -> s }`",
                ),
            }
        }
        for step in state.steps() {
            self.clauses(step.syntax(), owner);
            if let Some(name) = step.name()
                && !owner.behaves_as_process()
            {
                let message = format!("a step of {} has no name", owner.article());
                self.tell(name.range(), message, "leave out the name and the `:`");
            }
            if owner == Owner::Testing
                && step.change_clause().is_none()
                && let Some(token) = step.first_token()
                && step
                    .syntax()
                    .children()
                    .all(|clause| clause.kind() == SyntaxKind::TARGET)
            {
                self.tell(
                    token.text_range(),
                    "this step can never be taken",
                    "say what changes: `change p, q -> s`; while nothing changes the automaton \
                     stays where it is",
                );
            }
        }
    }

    /// Steps of several states; `range` is that of the word `in`.
    fn shared_steps(
        &mut self,
        shared: &SharedSteps,
        owner: Owner,
        range: TextRange,
        has_statements: bool,
    ) {
        if !owner.behaves_as_process() {
            let message = format!("the states of {} share no steps", owner.article());
            self.tell(range, message, "write the steps in each of its states");
            return;
        }
        if has_statements {
            self.tell(
                range,
                "steps of several places stand before the first statement",
                "move them to the head of the body",
            );
        }
        for step in shared.steps() {
            self.clauses(step.syntax(), owner);
        }
    }

    fn modifiers(&mut self, state: &State, owner: Owner) {
        let mut seen = BTreeSet::new();
        for modifier in state.modifiers() {
            let Some(token) = modifier.token() else {
                continue;
            };
            let allowed = owner.modifiers();
            match modifier.kind() {
                Some(kind) if allowed.contains(&kind) => {
                    if !seen.insert(kind) {
                        self.tell(
                            token.text_range(),
                            format!("`{}` stands here twice", kind.text()),
                            "leave one of them out",
                        );
                    }
                }
                _ => {
                    let words: Vec<String> = allowed
                        .iter()
                        .map(|kind| format!("`{}`", kind.text()))
                        .collect();
                    self.tell(
                        token.text_range(),
                        format!(
                            "a state of {} cannot be `{}`",
                            owner.article(),
                            token.text()
                        ),
                        format!("it may be {}", words.join(", ")),
                    );
                }
            }
        }
    }

    /// The clauses of one step that its kind of body does not have; the first is told.
    fn clauses(&mut self, step: &SyntaxNode, owner: Owner) {
        if step.kind() != SyntaxKind::STEP {
            return;
        }
        let refused = step
            .children()
            .find(|clause| is_clause(clause.kind()) && !owner.allows_clause(clause.kind()));
        if let Some(clause) = refused
            && let Some(token) = clause.first_token()
            && !has_told_channel(&clause)
        {
            let message = format!("`{}` cannot stand here", token.text());
            let hint = match clause.kind() {
                SyntaxKind::CHANGE_CLAUSE => "`change` stands in testing automata alone",
                SyntaxKind::SEND_CLAUSE | SyntaxKind::RECEIVE_CLAUSE
                    if owner == Owner::Specification =>
                {
                    "a specification has no channels; it has actions and its own variables"
                }
                _ => owner.step_form(),
            };
            self.tell(token.text_range(), message, hint);
        }
    }

    /// `->` where there are no states. Where there are, the body is mixed, which is told
    /// elsewhere.
    fn step_among_statements(&mut self, node: &SyntaxNode) {
        let Some(step) = Step::cast(node.clone()) else {
            return;
        };
        let Some(arrow) = step.target().and_then(|target| target.arrow_token()) else {
            return;
        };
        if node.parent().is_some_and(|parent| {
            matches!(parent.kind(), SyntaxKind::STATE | SyntaxKind::SHARED_STEPS)
        }) {
            return;
        }
        let body = node.ancestors().find_map(Body::cast);
        let is_other = match (&body, &self.last_body) {
            (None, _) => false,
            (Some(body), Some((last, is_other))) if last == body.syntax() => *is_other,
            (Some(body), _) => {
                let owner = Owner::of(body.syntax());
                let is_other =
                    body.states().next().is_some() || !owner.is_some_and(Owner::behaves_as_process);
                self.last_body = Some((body.syntax().clone(), is_other));
                is_other
            }
        };
        if !is_other {
            self.tell(
                arrow.text_range(),
                "a step among statements has no `->`",
                "it goes on with the statement that follows; write `state NAME { … }` around the \
                 steps for a process of states",
            );
        }
    }

    fn loop_over_values(&mut self, node: &SyntaxNode) {
        let mut in_macro = false;
        for around in node.ancestors().skip(1) {
            match around.kind() {
                SyntaxKind::DO_CLAUSE | SyntaxKind::ASSIGN_STMT | SyntaxKind::FOR_EFFECT => return,
                SyntaxKind::MACRO_DECL => in_macro = true,
                SyntaxKind::BODY => break,
                _ => {}
            }
        }
        // What it goes through has been told to be wrong.
        let mut bindings = node
            .children()
            .filter(|child| child.kind() == SyntaxKind::BINDING);
        let is_wrong = |binding: SyntaxNode| {
            let mut nodes = binding.descendants();
            nodes.any(|node| node.kind() == SyntaxKind::ERROR)
        };
        if bindings.any(is_wrong) {
            return;
        }
        if !in_macro {
            let waits = node.descendants().any(|inside| {
                Statement::can_cast(inside.kind())
                    && inside.kind() != SyntaxKind::ASSIGN_STMT
                    && !Effect::can_cast(inside.kind())
            });
            let mend = match waits {
                true => "these are steps: go through the values with a variable and a `while`",
                false => "write `do for x in T { … }`, which is one step",
            };
            if let Some(token) = node.first_token() {
                let message = "a `for` with a block stands among effects";
                self.tell(token.text_range(), message, mend);
            }
            return;
        }
        let stray = node.descendants().find(|inside| {
            Statement::can_cast(inside.kind())
                && inside.kind() != SyntaxKind::ASSIGN_STMT
                && !Effect::can_cast(inside.kind())
        });
        if let Some(token) = stray.and_then(|stray| stray.first_token()) {
            self.tell(
                token.text_range(),
                "only effects stand in a `for` with a block",
                "all of it is one step: assignments, `if`, `for`, `assert` and macros of these",
            );
        }
    }

    fn any_value(&mut self, node: &SyntaxNode) {
        let mut is_inside = false;
        for around in node.ancestors() {
            match around.kind() {
                SyntaxKind::IF_STMT => is_inside = true,
                SyntaxKind::DO_CLAUSE | SyntaxKind::ASSIGN_STMT => break,
                // An `if` among statements has steps in it, each with its own choice.
                SyntaxKind::BODY | SyntaxKind::MACRO_DECL => {
                    is_inside = false;
                    break;
                }
                _ => {}
            }
        }
        if is_inside && let Some(token) = node.first_token() {
            self.tell(
                token.text_range(),
                "`any` cannot stand inside an `if`",
                "choose the value first, `do x = any T`, and use it in the `if`",
            );
        }
    }

    /// `p(i)@label` among actions.
    fn event(&mut self, node: &SyntaxNode) {
        let Some(at) = Event::cast(node.clone()).and_then(|event| event.at_token()) else {
            return;
        };
        let parent = node.parent().map(|parent| parent.kind());
        if matches!(
            parent,
            Some(SyntaxKind::ALPHABET_DECL | SyntaxKind::VISIBLE_DECL)
        ) {
            self.tell(
                at.text_range(),
                "only actions stand here",
                "write `a` or `a(*)`; `p@s` stands in a `recurrence`",
            );
        }
    }
}

/// Whether a message's channel was told to stand where no channel can, in the body around.
fn has_told_channel(clause: &SyntaxNode) -> bool {
    let is_message = matches!(
        clause.kind(),
        SyntaxKind::SEND_CLAUSE | SyntaxKind::RECEIVE_CLAUSE
    );
    let body = || {
        clause
            .ancestors()
            .find(|node| node.kind() == SyntaxKind::BODY)
    };
    is_message
        && body().is_some_and(|body| {
            let refused = body
                .children()
                .filter(|node| node.kind() == SyntaxKind::ERROR);
            let mut inside = refused.flat_map(|node| node.children());
            inside.any(|node| node.kind() == SyntaxKind::CHANNEL_DECL)
        })
}

/// Whether it begins a line without a blank before it, as declarations do.
fn stands_at_the_edge(node: &SyntaxNode) -> bool {
    let before = node.first_token().and_then(|token| token.prev_token());
    before.is_some_and(|token| token.text().ends_with('\n'))
}

fn is_clause(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        FOR_CLAUSE
            | ON_CLAUSE
            | SEND_CLAUSE
            | RECEIVE_CLAUSE
            | CHANGE_CLAUSE
            | WHEN_CLAUSE
            | DO_CLAUSE
            | TARGET
    )
}

fn line_word(item: &BodyItem) -> &'static str {
    match item {
        BodyItem::Var(_) => "variables of its own",
        BodyItem::Alphabet(_) => "`alphabet`",
        _ => "macros",
    }
}

fn line_name(item: &BodyItem) -> &'static str {
    match item {
        BodyItem::Var(_) => "this `var`",
        BodyItem::Alphabet(_) => "this `alphabet`",
        _ => "this `macro`",
    }
}
