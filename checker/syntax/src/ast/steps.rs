//! Steps and their clauses (§4).

use rowan::{GreenNodeData, Language as _, NodeOrToken};

use super::{AstNode, Binding, Expr, ast_enum, ast_node, child, children, first_own_token, token};
use super::{Block, ForEffect, IfStmt, MacroCall, NameRef, TypeExpr};
use super::{kind_of, nodes_in};
use crate::{Stubborn, SyntaxKind, SyntaxNode, SyntaxToken};

ast_node! {
    /// One atomic transition: `for … on … when … do … -> s`, each clause optional.
    Step = STEP
}

impl Step {
    /// The bindings of the `for` at its head, none where there is no `for`.
    pub fn for_bindings(&self) -> Vec<Binding> {
        child::<ForClause>(&self.syntax)
            .map(|c| c.bindings().collect())
            .unwrap_or_default()
    }
    /// `on`, `send` or `receive`.
    pub fn communication(&self) -> Option<Communication> {
        child(&self.syntax)
    }
    /// The `send` behind a `receive`, in the same step.
    pub fn onward(&self) -> Option<SendClause> {
        match self.communication()? {
            Communication::Receive(_) => child(&self.syntax),
            Communication::On(_) | Communication::Send(_) => None,
        }
    }
    /// `change p, q`, in testing automata alone.
    pub fn change(&self) -> Option<ChangeClause> {
        child(&self.syntax)
    }
    /// The `when` clause.
    pub fn when(&self) -> Option<WhenClause> {
        child(&self.syntax)
    }
    /// The condition of the `when` clause.
    pub fn guard(&self) -> Option<Expr> {
        self.when()?.condition()
    }
    /// The `do` clause.
    pub fn do_clause(&self) -> Option<DoClause> {
        child(&self.syntax)
    }
    /// The effects of the `do` clause, in order, however they are written.
    pub fn effects(&self) -> Vec<Effect> {
        self.do_clause()
            .map(|clause| clause.effects())
            .unwrap_or_default()
    }
    /// `-> s`
    pub fn target(&self) -> Option<Target> {
        child(&self.syntax)
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

ast_node! {
    /// `for v in T, …` at the head of a step or of a branch.
    ForClause = FOR_CLAUSE
}

impl ForClause {
    /// What it binds, in order.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
}

ast_enum! {
    /// What a step does together with others.
    Communication {
        On(OnClause),
        Send(SendClause),
        Receive(ReceiveClause),
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

ast_node! {
    /// `on a(e, ?x, *)`
    OnClause = ON_CLAUSE
}

impl OnClause {
    /// The action; `tau` in a tester stands for its own move.
    pub fn action(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// The arguments with their parentheses.
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
}

/// The names of all actions that steps in the node say, and of those that lists of events do: by a look at
/// the tree itself, since there may be very much else in it.
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

ast_node! {
    /// `send c[i](e, …)`
    SendClause = SEND_CLAUSE
}

ast_node! {
    /// `receive c[i](e, ?x, *)`
    ReceiveClause = RECEIVE_CLAUSE
}

macro_rules! channel_clause {
    ($($node:ident),+) => {
        $(impl $node {
            /// The channel, or the array of channels.
            pub fn channel(&self) -> Option<NameRef> {
                child(&self.syntax)
            }
            /// The index into an array of channels.
            pub fn index(&self) -> Option<Expr> {
                child(&self.syntax)
            }
            /// The arguments with their parentheses.
            pub fn arg_list(&self) -> Option<ArgList> {
                child(&self.syntax)
            }
        })+
    };
}
channel_clause!(SendClause, ReceiveClause);

ast_node! {
    /// Arguments with their parentheses.
    ArgList = ARG_LIST
}

impl ArgList {
    /// The arguments, in order.
    pub fn arguments(&self) -> impl Iterator<Item = Argument> + use<> {
        children(&self.syntax)
    }
}

/// One argument of an action, a channel or a call.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Argument {
    /// An expression, which must match.
    Expr(Expr),
    /// `?place`
    Bind(BindArg),
    /// `*`
    Wild(WildArg),
}

impl AstNode for Argument {
    fn can_cast(kind: SyntaxKind) -> bool {
        BindArg::can_cast(kind) || WildArg::can_cast(kind) || Expr::can_cast(kind)
    }
    fn cast(node: SyntaxNode) -> Option<Self> {
        match node.kind() {
            SyntaxKind::BIND_ARG => BindArg::cast(node).map(Argument::Bind),
            SyntaxKind::WILD_ARG => WildArg::cast(node).map(Argument::Wild),
            _ => Expr::cast(node).map(Argument::Expr),
        }
    }
    fn syntax(&self) -> &SyntaxNode {
        match self {
            Argument::Expr(node) => node.syntax(),
            Argument::Bind(node) => node.syntax(),
            Argument::Wild(node) => node.syntax(),
        }
    }
}

ast_node! {
    /// `?place`
    BindArg = BIND_ARG
}

impl BindArg {
    /// What is assigned: a name, a cell or a field.
    pub fn place(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `*`
    WildArg = WILD_ARG
}

ast_node! {
    /// `change p, q`
    ChangeClause = CHANGE_CLAUSE
}

impl ChangeClause {
    /// The observed names whose values change.
    pub fn names(&self) -> impl Iterator<Item = NameRef> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `when e`
    WhenClause = WHEN_CLAUSE
}

impl WhenClause {
    /// The condition.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `do x = e, y = f`, `do { … }`
    DoClause = DO_CLAUSE
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

ast_enum! {
    /// What a step changes.
    Effect {
        Assignment(Assignment),
        If(IfStmt),
        For(ForEffect),
        Assert(AssertStmt),
        Call(MacroCall),
    }
}

ast_node! {
    /// `place = e`, `place = any T`
    Assignment = ASSIGNMENT
}

impl Assignment {
    /// What is assigned: a name, a cell or a field.
    pub fn place(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The right-hand side, where it is an expression.
    pub fn value(&self) -> Option<Expr> {
        let eq = self.eq_token()?;
        children::<Expr>(&self.syntax).find(|e| e.range().start() > eq.text_range().start())
    }
    /// The right-hand side, where it is `any T`.
    pub fn any(&self) -> Option<AnyValue> {
        child(&self.syntax)
    }
    /// The `=`.
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

ast_node! {
    /// `any T`
    AnyValue = ANY_VALUE
}

impl AnyValue {
    /// The type whose values are tried.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `assert e`
    AssertStmt = ASSERT_STMT
}

impl AssertStmt {
    /// What must be true.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `-> s`
    Target = TARGET
}

impl Target {
    /// The state.
    pub fn state(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// The `->`.
    pub fn arrow_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::ARROW)
    }
}
