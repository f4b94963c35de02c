//! Bodies (§5, §7): accessors that the grammar does not give.

use super::generated::{
    AssignStmt, AwaitStmt, Binding, Block, Body, BodyItem, Branch, CallStmt, Effect, Event, Expr,
    ForEffect, Modifier, ModifierKind, State, Statement,
};
use super::node::{AstNode, children, first_own_token};
use crate::SyntaxToken;

impl Body {
    /// Everything in it, in the order of the text.
    pub fn items(&self) -> impl Iterator<Item = BodyItem> + use<> {
        children(&self.syntax)
    }
    /// The actions of the `alphabet` lines.
    pub fn alphabet(&self) -> Vec<Event> {
        self.alphabet_decls()
            .flat_map(|line| line.events())
            .collect()
    }
    /// The actions of the `visible` lines.
    pub fn visible(&self) -> Vec<Event> {
        self.visible_decls()
            .flat_map(|line| line.events())
            .collect()
    }
}

impl State {
    /// The modifier of that kind, if the state has it.
    pub fn modifier(&self, kind: ModifierKind) -> Option<Modifier> {
        self.modifiers()
            .find(|modifier| modifier.kind() == Some(kind))
    }
    /// Whether it is marked `initial`.
    pub fn is_initial(&self) -> bool {
        self.modifier(ModifierKind::Initial).is_some()
    }
    /// Whether it is marked `final`.
    pub fn is_final(&self) -> bool {
        self.modifier(ModifierKind::Final).is_some()
    }
    /// The word `initial`.
    pub fn initial_token(&self) -> Option<SyntaxToken> {
        self.modifier(ModifierKind::Initial)?.token()
    }
    /// The condition on the state itself, in automata alone.
    pub fn condition(&self) -> Option<Expr> {
        self.when_clause()?.condition()
    }
}

impl Modifier {
    /// The word, also one that is no modifier.
    pub fn token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

impl Block {
    /// The effects, in order, those of `x = 1, y = 2` one by one. A macro's body is parsed as
    /// statements; those that are no effects are left out here, see [`Block::non_effects`].
    pub fn effects(&self) -> Vec<Effect> {
        let mut effects = Vec::new();
        for node in self.syntax.children() {
            match AssignStmt::cast(node.clone()) {
                Some(assign) => effects.extend(assign.effects()),
                None => effects.extend(Effect::cast(node)),
            }
        }
        effects
    }
    /// The statements that cannot be read as effects, for a macro that is used as an effect.
    pub fn non_effects(&self) -> Vec<Statement> {
        let is_effect = |statement: &Statement| {
            let kind = statement.syntax().kind();
            AssignStmt::can_cast(kind) || Effect::can_cast(kind)
        };
        self.statements().filter(|it| !is_effect(it)).collect()
    }
}

impl AwaitStmt {
    /// The effects of the `do` clause.
    pub fn effects(&self) -> Vec<Effect> {
        self.do_clause()
            .map(|clause| clause.effects())
            .unwrap_or_default()
    }
}

impl Branch {
    /// The bindings of its `for`, none where there is no `for`.
    pub fn for_bindings(&self) -> Vec<Binding> {
        self.for_clause()
            .map(|clause| clause.bindings().collect())
            .unwrap_or_default()
    }
}

impl CallStmt {
    /// The arguments, where they are expressions (others are syntax errors).
    pub fn args(&self) -> Vec<Expr> {
        self.arg_list().map(|list| list.args()).unwrap_or_default()
    }
}

impl ForEffect {
    /// The effects that are repeated.
    pub fn effects(&self) -> Vec<Effect> {
        self.body().map(|block| block.effects()).unwrap_or_default()
    }
}
