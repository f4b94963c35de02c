//! Steps (§4): accessors that the grammar does not give.

use rowan::{GreenNodeData, Language as _, NodeOrToken};

use super::generated::{
    ArgList, Argument, Assignment, BinaryExpr, Binding, Block, Communication, DoClause, Effect,
    Expr, NameRef, SendClause, Step,
};
use super::node::{AstNode, child, children, first_own_token, kind_of, nodes_in};
use crate::{Stubborn, SyntaxKind, SyntaxNode, SyntaxToken};

impl Step {
    /// The bindings of the `for` at its head, none where there is no `for`.
    pub fn for_bindings(&self) -> Vec<Binding> {
        self.for_clause()
            .map(|clause| clause.bindings().collect())
            .unwrap_or_default()
    }
    /// The `send` behind a `receive`, in the same step.
    pub fn onward(&self) -> Option<SendClause> {
        match self.communication()? {
            Communication::Receive(_) => child(&self.syntax),
            Communication::On(_) | Communication::Send(_) => None,
        }
    }
    /// The condition of the `when` clause.
    pub fn guard(&self) -> Option<Expr> {
        self.when_clause()?.condition()
    }
    /// The effects of the `do` clause, in order, however they are written.
    pub fn effects(&self) -> Vec<Effect> {
        self.do_clause()
            .map(|clause| clause.effects())
            .unwrap_or_default()
    }
    /// The state named after `->`.
    pub fn next_state(&self) -> Option<NameRef> {
        self.target()?.state()
    }
    /// The step's first token, which stands for the step in messages.
    pub fn first_token(&self) -> Option<SyntaxToken> {
        self.syntax.first_token()
    }
}

impl Communication {
    /// The arguments, none where there are no parentheses.
    pub fn arguments(&self) -> Vec<Argument> {
        let list = match self {
            Communication::On(clause) => clause.arg_list(),
            Communication::Send(clause) => clause.arg_list(),
            Communication::Receive(clause) => clause.arg_list(),
        };
        list.map(|list| list.arguments().collect())
            .unwrap_or_default()
    }
}

/// The names of all actions in the steps and the lists of events within the node. They are read
/// from the green tree, since there may be very much else in it.
pub fn action_names(node: &SyntaxNode) -> Vec<String> {
    let mut names = Vec::new();
    let green = node.green();
    let mut open: Vec<&GreenNodeData> = vec![&green];
    while let Some(node) = open.pop() {
        match kind_of(node) {
            SyntaxKind::ON_CLAUSE | SyntaxKind::EVENT => names.extend(name_in(node)),
            _ => {}
        }
        open.extend(nodes_in(node));
    }
    names
}

/// The first name that is used directly in the node.
fn name_in(node: &GreenNodeData) -> Option<String> {
    let name = nodes_in(node).find(|inner| kind_of(inner) == SyntaxKind::NAME_REF)?;
    let mut tokens = name.children().filter_map(NodeOrToken::into_token);
    let own = tokens.find(|token| !Stubborn::kind_from_raw(token.kind()).is_trivia());
    Some(own.map_or_else(String::new, |token| token.text().to_string()))
}

impl ArgList {
    /// The arguments that are expressions.
    pub(super) fn args(&self) -> Vec<Expr> {
        children(&self.syntax).collect()
    }
}

impl DoClause {
    /// The effects, in order, however they are written.
    pub fn effects(&self) -> Vec<Effect> {
        match child::<Block>(&self.syntax) {
            Some(block) => block.effects(),
            None => children(&self.syntax).collect(),
        }
    }
}

impl Assignment {
    /// The value that is assigned: of `x = e` the right-hand side, of `x += e` the sum of both sides.
    pub fn assigned(&self) -> Option<Expr> {
        match first_own_token(&self.syntax)?.kind() {
            // The node has the form of `x + e`, with `+=` for the operator.
            SyntaxKind::PLUS_EQ | SyntaxKind::MINUS_EQ => Some(Expr::Binary(BinaryExpr {
                syntax: self.syntax.clone(),
            })),
            _ => self.value(),
        }
    }
    /// The right-hand side, where it is an expression; also behind a sign that was written for
    /// the `=`.
    pub fn value(&self) -> Option<Expr> {
        let sign = first_own_token(&self.syntax)?.text_range().start();
        children::<Expr>(&self.syntax).find(|expr| expr.range().start() > sign)
    }
}
