//! Properties and settings (§6), and the list of everything that may stand in a file.

use super::{
    ActionDecl, BuchiDecl, ChannelDecl, ConstDecl, DefDecl, EnumDecl, Expr, MacroDecl, NameRef,
    ParamDecl, ProcessDecl, RefinesDecl, SpecificationDecl, TesterDecl, TestingDecl, TypeDecl,
    UseDecl, VarDecl, ast_enum, ast_node, child, children, first_own_token, token, word,
};
use crate::{SyntaxKind, SyntaxToken};

ast_enum! {
    /// Anything that may stand at the top of a file.
    Item {
        Use(UseDecl),
        Const(ConstDecl),
        Param(ParamDecl),
        Type(TypeDecl),
        Enum(EnumDecl),
        Var(VarDecl),
        Channel(ChannelDecl),
        Action(ActionDecl),
        Def(DefDecl),
        Macro(MacroDecl),
        Process(ProcessDecl),
        Invariant(InvariantDecl),
        Progress(ProgressDecl),
        Reachable(ReachableDecl),
        Ltl(LtlDecl),
        Recurrence(RecurrenceDecl),
        Fair(FairDecl),
        Deadlock(DeadlockSetting),
        Termination(TerminationSetting),
        Expect(ExpectSetting),
        Refines(RefinesDecl),
        Tester(TesterDecl),
        Specification(SpecificationDecl),
        Buchi(BuchiDecl),
        Testing(TestingDecl),
    }
}

ast_node! {
    /// `invariant NAME(params): e`
    InvariantDecl = INVARIANT_DECL: HasName, HasDocs, HasParams
}

impl InvariantDecl {
    /// What is true in every reachable state.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

/// The two forms of `progress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProgressMode {
    /// AG EF
    May,
    /// AG AF
    Must,
}

ast_node! {
    /// `progress NAME(params): may e`, `progress NAME(params): must e`
    ProgressDecl = PROGRESS_DECL: HasName, HasDocs, HasParams
}

impl ProgressDecl {
    /// `may` or `must`.
    pub fn mode(&self) -> Option<ProgressMode> {
        if token(&self.syntax, SyntaxKind::MAY_KW).is_some() {
            Some(ProgressMode::May)
        } else if token(&self.syntax, SyntaxKind::MUST_KW).is_some() {
            Some(ProgressMode::Must)
        } else {
            None
        }
    }
    /// What can or must be reached.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `reachable NAME(params): e`
    ReachableDecl = REACHABLE_DECL: HasName, HasDocs, HasParams
}

impl ReachableDecl {
    /// What is true in some reachable state.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `ltl NAME(params): f`
    LtlDecl = LTL_DECL: HasName, HasDocs, HasParams
}

impl LtlDecl {
    /// The formula: an expression in which temporal operators may stand (see
    /// [`PrefixOp`](super::PrefixOp) and [`BinaryOp`](super::BinaryOp)).
    pub fn formula(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `recurrence NAME(params): infinitely A implies infinitely B`
    RecurrenceDecl = RECURRENCE_DECL: HasName, HasDocs, HasParams
}

impl RecurrenceDecl {
    /// `A`: what is assumed to occur infinitely often.
    pub fn assumption(&self) -> Option<EventSet> {
        let implies = token(&self.syntax, SyntaxKind::IMPLIES_KW);
        children::<EventSet>(&self.syntax).find(|set| match &implies {
            Some(implies) => super::AstNode::range(set).start() < implies.text_range().start(),
            None => true,
        })
    }
    /// `B`: what then occurs infinitely often too.
    pub fn conclusion(&self) -> Option<EventSet> {
        let implies = token(&self.syntax, SyntaxKind::IMPLIES_KW)?;
        children::<EventSet>(&self.syntax)
            .find(|set| super::AstNode::range(set).start() > implies.text_range().start())
    }
}

ast_node! {
    /// `fair NAME(params): A`, `strongly fair NAME(params): A`
    FairDecl = FAIR_DECL: HasName, HasDocs, HasParams
}

impl FairDecl {
    /// Whether it says `strongly`.
    pub fn is_strong(&self) -> bool {
        word(&self.syntax, "strongly").is_some()
    }
    /// `A`: the steps that are not put off for ever. An event of it may be an instance, too: `p(i)`, `p`.
    pub fn steps(&self) -> Option<EventSet> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `a`, `a(*)`, `p(i)@label` or a set `{…}` of them, which may be empty.
    EventSet = EVENT_SET
}

impl EventSet {
    /// The members.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// An action with or without arguments, or the steps of an instance at a label. In
    /// `alphabet` and `visible` lists only the former makes sense.
    Event = EVENT
}

impl Event {
    /// The action or the process.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// The arguments: expressions and `*`.
    pub fn arg_list(&self) -> Option<super::ArgList> {
        child(&self.syntax)
    }
    /// The `@` of `p(i)@label`.
    pub fn at_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::AT)
    }
    /// The label (or the labels, `@{s, t}`) after the `@`.
    pub fn locations(&self) -> Vec<NameRef> {
        if self.at_token().is_none() {
            return Vec::new();
        }
        children::<NameRef>(&self.syntax).skip(1).collect()
    }
}

ast_node! {
    /// `deadlock allowed when e`, `deadlock ignored`
    DeadlockSetting = DEADLOCK_SETTING: HasDocs
}

impl DeadlockSetting {
    /// The word `deadlock`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
    /// Whether it says `ignored`.
    pub fn is_ignored(&self) -> bool {
        word(&self.syntax, "ignored").is_some()
    }
    /// The condition of `allowed when`.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `termination not required`
    TerminationSetting = TERMINATION_SETTING: HasDocs
}

impl TerminationSetting {
    /// The word `termination`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

ast_node! {
    /// `expect violated: mutex, access(2) when e`
    ExpectSetting = EXPECT_SETTING: HasDocs
}

impl ExpectSetting {
    /// The properties that are there to fail: names with the values of parameters, or without any.
    pub fn properties(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
    /// The condition after `when`, without which it counts always.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}
