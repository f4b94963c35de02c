//! What a model file declares (§3).

use super::{
    Body, Expr, HasDocs, HasName, Item, NameRef, TypeExpr, ast_node, child, children, token, word,
};
use crate::{SyntaxKind, SyntaxToken};

ast_node! {
    /// `use "FILE"`
    UseDecl = USE_DECL: HasDocs
}

impl UseDecl {
    /// The file's name with its quotation marks.
    pub fn path_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::STRING)
    }
    /// The file's name.
    pub fn path(&self) -> Option<String> {
        let token = self.path_token()?;
        let text = token.text();
        let text = text.strip_prefix('"').unwrap_or(text);
        Some(text.strip_suffix('"').unwrap_or(text).to_string())
    }
}

ast_node! {
    /// `const NAME = e`, `const NAME: T = e`
    ConstDecl = CONST_DECL: HasName, HasDocs
}

impl ConstDecl {
    /// The type, where it is given.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    /// The value.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `param NAME: lo..hi = e`
    ParamDecl = PARAM_DECL: HasName, HasDocs
}

impl ParamDecl {
    /// The range that the value must be in.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    /// The value, unless one is set from outside.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `type NAME = T`
    TypeDecl = TYPE_DECL: HasName, HasDocs
}

impl TypeDecl {
    /// What the name stands for.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `enum NAME { a, b, c }`
    EnumDecl = ENUM_DECL: HasName, HasDocs
}

impl EnumDecl {
    /// The values, in order.
    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// A value of an enumeration.
    Variant = VARIANT: HasName, HasDocs
}

ast_node! {
    /// `var x, y: T = e`, shared or a process's own.
    VarDecl = VAR_DECL: HasDocs
}

impl VarDecl {
    /// The variables that are declared.
    pub fn names(&self) -> impl Iterator<Item = super::Name> + use<> {
        children(&self.syntax)
    }
    /// Their type.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    /// The value of each at first, where one is given.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

/// How a channel keeps its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChannelKind {
    /// First in, first out.
    Queue,
    /// Without an order.
    Bag,
}

ast_node! {
    /// `channel c[I]: queue[n] of T1, T2 = e`
    ChannelDecl = CHANNEL_DECL: HasName, HasDocs
}

impl ChannelDecl {
    /// The type of the index of an array of channels.
    pub fn index(&self) -> Option<TypeExpr> {
        child::<ChannelIndex>(&self.syntax)?.ty()
    }
    /// `queue` or `bag`.
    pub fn kind(&self) -> Option<ChannelKind> {
        match self.kind_token()?.text() {
            "queue" => Some(ChannelKind::Queue),
            "bag" => Some(ChannelKind::Bag),
            _ => None,
        }
    }
    /// The word `queue` or `bag`.
    pub fn kind_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::IDENT)
    }
    /// How many messages it can hold.
    pub fn capacity(&self) -> Option<Expr> {
        child::<Capacity>(&self.syntax)?.value()
    }
    /// The types of a message's parts.
    pub fn message_types(&self) -> Vec<TypeExpr> {
        child::<Message>(&self.syntax)
            .map(|m| m.types().collect())
            .unwrap_or_default()
    }
    /// What it holds at first.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `[I]` after a channel's name.
    ChannelIndex = CHANNEL_INDEX
}

impl ChannelIndex {
    /// The type of the index.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `[n]` after `queue` or `bag`.
    Capacity = CAPACITY
}

impl Capacity {
    /// The number of messages.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The types of a channel's messages, after `of`.
    Message = MESSAGE
}

impl Message {
    /// The types, in order.
    pub fn types(&self) -> impl Iterator<Item = TypeExpr> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `action a(T1, T2)`
    ActionDecl = ACTION_DECL: HasName, HasDocs
}

impl ActionDecl {
    /// The types of the arguments.
    pub fn types(&self) -> impl Iterator<Item = TypeExpr> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `def f(x in T): e`
    DefDecl = DEF_DECL: HasName, HasDocs, HasParams
}

impl DefDecl {
    /// What the name stands for.
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `macro f(x in T) { … }`
    MacroDecl = MACRO_DECL: HasName, HasDocs, HasParams
}

impl MacroDecl {
    /// The statements or effects that the name stands for. They are parsed as statements; see
    /// [`Block::effects`](super::Block::effects) for the other reading.
    pub fn body(&self) -> Option<super::Block> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `process p(i in T) { … }`, `fair process p(i in T) { … }`
    ProcessDecl = PROCESS_DECL: HasName, HasDocs, HasParams
}

impl ProcessDecl {
    /// What stands between the braces.
    pub fn body(&self) -> Option<Body> {
        child(&self.syntax)
    }
    /// The word `process`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::PROCESS_KW)
    }
    /// The word `fair` before it: no instance of it is put off for ever.
    pub fn fair_token(&self) -> Option<SyntaxToken> {
        word(&self.syntax, "fair")
    }
}

ast_node! {
    /// `tester NAME(params) { … }` (§7)
    TesterDecl = TESTER_DECL: HasName, HasDocs, HasParams
}

ast_node! {
    /// `specification NAME(params) { … }` (§7)
    SpecificationDecl = SPECIFICATION_DECL: HasName, HasDocs, HasParams
}

ast_node! {
    /// `buchi NAME(params) { … }` (§7)
    BuchiDecl = BUCHI_DECL: HasName, HasDocs, HasParams
}

ast_node! {
    /// `testing NAME(params) { … }` (§7)
    TestingDecl = TESTING_DECL: HasName, HasDocs, HasParams
}

macro_rules! with_body {
    ($($node:ident),+) => {
        $(impl $node {
            /// What stands between the braces.
            pub fn body(&self) -> Option<Body> {
                child(&self.syntax)
            }
        })+
    };
}
with_body!(TesterDecl, SpecificationDecl, BuchiDecl, TestingDecl);

ast_node! {
    /// `refines NAME in traces` (§7)
    RefinesDecl = REFINES_DECL: HasDocs
}

/// The semantics in which a model is compared with a specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refinement {
    /// `traces`
    Traces,
    /// `failures`: traces and stable failures.
    Failures,
    /// `divergences`: divergence traces.
    Divergences,
    /// `infinite traces`
    InfiniteTraces,
    /// `cffd`: stable failures, divergences and infinite traces.
    Cffd,
}

impl Refinement {
    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Refinement::Traces => "traces",
            Refinement::Failures => "failures",
            Refinement::Divergences => "divergences",
            Refinement::InfiniteTraces => "infinite traces",
            Refinement::Cffd => "cffd",
        }
    }
}

impl RefinesDecl {
    /// The specification.
    pub fn specification(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// The semantics after `in`.
    pub fn refinement(&self) -> Option<Refinement> {
        let words: Vec<String> = self
            .syntax
            .children_with_tokens()
            .filter_map(|element| element.into_token())
            .filter(|token| token.kind() == SyntaxKind::IDENT)
            .map(|token| token.text().to_string())
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["traces"] => Some(Refinement::Traces),
            ["failures"] => Some(Refinement::Failures),
            ["divergences"] => Some(Refinement::Divergences),
            ["infinite", "traces"] => Some(Refinement::InfiniteTraces),
            ["cffd"] => Some(Refinement::Cffd),
            _ => None,
        }
    }
}

impl Item {
    /// The name that the item declares, where it declares one (a `var` declares several).
    pub fn name(&self) -> Option<super::Name> {
        match self {
            Item::Const(item) => item.name(),
            Item::Param(item) => item.name(),
            Item::Type(item) => item.name(),
            Item::Enum(item) => item.name(),
            Item::Channel(item) => item.name(),
            Item::Action(item) => item.name(),
            Item::Def(item) => item.name(),
            Item::Macro(item) => item.name(),
            Item::Process(item) => item.name(),
            Item::Invariant(item) => item.name(),
            Item::Progress(item) => item.name(),
            Item::Reachable(item) => item.name(),
            Item::Ltl(item) => item.name(),
            Item::Recurrence(item) => item.name(),
            Item::Fair(item) => item.name(),
            Item::Tester(item) => item.name(),
            Item::Specification(item) => item.name(),
            Item::Buchi(item) => item.name(),
            Item::Testing(item) => item.name(),
            Item::Use(_)
            | Item::Var(_)
            | Item::Deadlock(_)
            | Item::Termination(_)
            | Item::Expect(_)
            | Item::Refines(_) => None,
        }
    }
}

impl HasDocs for Item {}
