//! Bodies: states, or statements (§5, §7).

use super::{
    AssertStmt, AstNode, Binding, Effect, Event, Expr, ForClause, MacroDecl, NameRef, Step,
    VarDecl, WhenClause, ast_enum, ast_node, child, children, first_own_token, token, word,
};
use crate::{SyntaxKind, SyntaxToken};

ast_node! {
    /// What stands between the braces of a process, tester, specification or automaton.
    Body = BODY
}

impl Body {
    /// Everything in it, in the order of the text.
    pub fn items(&self) -> impl Iterator<Item = BodyItem> + use<> {
        children(&self.syntax)
    }
    /// The process's own variables.
    pub fn vars(&self) -> impl Iterator<Item = VarDecl> + use<> {
        children(&self.syntax)
    }
    /// The macros that are declared in the process.
    pub fn macros(&self) -> impl Iterator<Item = MacroDecl> + use<> {
        children(&self.syntax)
    }
    /// The actions of the `alphabet` lines.
    pub fn alphabet(&self) -> Vec<Event> {
        children::<AlphabetDecl>(&self.syntax)
            .flat_map(|line| line.events())
            .collect()
    }
    /// The actions of the `visible` lines.
    pub fn visible(&self) -> Vec<Event> {
        children::<VisibleDecl>(&self.syntax)
            .flat_map(|line| line.events())
            .collect()
    }
    /// What an automaton observes.
    pub fn observations(&self) -> impl Iterator<Item = ObserveDecl> + use<> {
        children(&self.syntax)
    }
    /// The states, where the body is made of states.
    pub fn states(&self) -> impl Iterator<Item = State> + use<> {
        children(&self.syntax)
    }
    /// The statements, where the body is made of statements.
    pub fn statements(&self) -> impl Iterator<Item = Statement> + use<> {
        children(&self.syntax)
    }
    /// The `}` at its end, where the location `end` is.
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::R_BRACE)
    }
}

/// One thing in a body.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum BodyItem {
    Var(VarDecl),
    Alphabet(AlphabetDecl),
    Visible(VisibleDecl),
    Observe(ObserveDecl),
    Macro(MacroDecl),
    State(State),
    Statement(Statement),
}

impl AstNode for BodyItem {
    fn can_cast(kind: SyntaxKind) -> bool {
        use SyntaxKind::*;
        matches!(
            kind,
            VAR_DECL | ALPHABET_DECL | VISIBLE_DECL | OBSERVE_DECL | MACRO_DECL | STATE
        ) || Statement::can_cast(kind)
    }
    fn cast(node: crate::SyntaxNode) -> Option<Self> {
        match node.kind() {
            SyntaxKind::VAR_DECL => VarDecl::cast(node).map(BodyItem::Var),
            SyntaxKind::ALPHABET_DECL => AlphabetDecl::cast(node).map(BodyItem::Alphabet),
            SyntaxKind::VISIBLE_DECL => VisibleDecl::cast(node).map(BodyItem::Visible),
            SyntaxKind::OBSERVE_DECL => ObserveDecl::cast(node).map(BodyItem::Observe),
            SyntaxKind::MACRO_DECL => MacroDecl::cast(node).map(BodyItem::Macro),
            SyntaxKind::STATE => State::cast(node).map(BodyItem::State),
            _ => Statement::cast(node).map(BodyItem::Statement),
        }
    }
    fn syntax(&self) -> &crate::SyntaxNode {
        match self {
            BodyItem::Var(node) => node.syntax(),
            BodyItem::Alphabet(node) => node.syntax(),
            BodyItem::Visible(node) => node.syntax(),
            BodyItem::Observe(node) => node.syntax(),
            BodyItem::Macro(node) => node.syntax(),
            BodyItem::State(node) => node.syntax(),
            BodyItem::Statement(node) => node.syntax(),
        }
    }
}

ast_node! {
    /// `alphabet a, b(*)`
    AlphabetDecl = ALPHABET_DECL
}

impl AlphabetDecl {
    /// The actions.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `visible a, b(*)`
    VisibleDecl = VISIBLE_DECL
}

impl VisibleDecl {
    /// The actions.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `observe p = e`
    ObserveDecl = OBSERVE_DECL: HasName, HasDocs
}

impl ObserveDecl {
    /// What is observed under the name.
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `MODIFIERS state NAME when e { step … }`
    State = STATE: HasName, HasDocs
}

impl State {
    /// The modifiers before the word `state`, in the order of the text.
    pub fn modifiers(&self) -> impl Iterator<Item = Modifier> + use<> {
        children(&self.syntax)
    }
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
    /// The word `final`.
    pub fn final_token(&self) -> Option<SyntaxToken> {
        self.modifier(ModifierKind::Final)?.token()
    }
    /// The word `state`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::STATE_KW)
    }
    /// The condition on the state itself, in automata alone.
    pub fn condition(&self) -> Option<Expr> {
        child::<WhenClause>(&self.syntax)?.condition()
    }
    /// The steps, in order.
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// A word before `state`.
    Modifier = MODIFIER
}

/// What the words before `state` say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ModifierKind {
    Initial,
    Final,
    Reject,
    Deadlock,
    Livelock,
    Infinite,
}

impl ModifierKind {
    /// Every modifier.
    pub const ALL: [ModifierKind; 6] = [
        ModifierKind::Initial,
        ModifierKind::Final,
        ModifierKind::Reject,
        ModifierKind::Deadlock,
        ModifierKind::Livelock,
        ModifierKind::Infinite,
    ];

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            ModifierKind::Initial => "initial",
            ModifierKind::Final => "final",
            ModifierKind::Reject => "reject",
            ModifierKind::Deadlock => "deadlock",
            ModifierKind::Livelock => "livelock",
            ModifierKind::Infinite => "infinite",
        }
    }
}

impl Modifier {
    /// The word.
    pub fn token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
    /// Which it is.
    pub fn kind(&self) -> Option<ModifierKind> {
        let token = self.token()?;
        ModifierKind::ALL
            .into_iter()
            .find(|kind| kind.text() == token.text())
    }
}

ast_node! {
    /// `{ … }`: statements, or effects, whichever the place asks for.
    Block = BLOCK
}

impl Block {
    /// The statements, in order.
    pub fn statements(&self) -> impl Iterator<Item = Statement> + use<> {
        children(&self.syntax)
    }
    /// The effects, in order, those of `x = 1, y = 2` one by one. In a macro's body,
    /// which is parsed as statements, whatever is no effect (a step, say) is left out here; see
    /// [`Block::non_effects`].
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
        self.statements()
            .filter(|statement| {
                !matches!(
                    statement,
                    Statement::Assign(_)
                        | Statement::If(_)
                        | Statement::For(_)
                        | Statement::Assert(_)
                        | Statement::Call(_)
                )
            })
            .collect()
    }
    /// The `{`.
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::L_BRACE)
    }
    /// The `}`.
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::R_BRACE)
    }
}

ast_enum! {
    /// A statement.
    Statement {
        Step(Step),
        Assign(AssignStmt),
        Assert(AssertStmt),
        Await(AwaitStmt),
        Skip(SkipStmt),
        Label(Label),
        If(IfStmt),
        While(WhileStmt),
        Loop(LoopStmt),
        Either(EitherStmt),
        Call(MacroCall),
        Break(BreakStmt),
        Stop(StopStmt),
        For(ForEffect),
    }
}

ast_node! {
    /// `x = e, y = f`, one step.
    AssignStmt = ASSIGN_STMT
}

impl AssignStmt {
    /// The effects, in order; the first is an assignment.
    pub fn effects(&self) -> impl Iterator<Item = Effect> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// `await e`, `await e do …`
    AwaitStmt = AWAIT_STMT
}

impl AwaitStmt {
    /// What is waited for.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The `do` clause.
    pub fn do_clause(&self) -> Option<super::DoClause> {
        child(&self.syntax)
    }
    /// The effects of the `do` clause.
    pub fn effects(&self) -> Vec<Effect> {
        self.do_clause()
            .map(|clause| clause.effects())
            .unwrap_or_default()
    }
}

ast_node! {
    /// `skip`
    SkipStmt = SKIP_STMT
}

ast_node! {
    /// `NAME:` or `final NAME:` before a statement. The label is a statement of its own in the
    /// list, and belongs to the one that follows it (several labels may follow each other).
    Label = LABEL: HasName
}

impl Label {
    /// Whether it is right to wait here for ever.
    pub fn is_final(&self) -> bool {
        self.final_token().is_some()
    }
    /// The word `final`.
    pub fn final_token(&self) -> Option<SyntaxToken> {
        word(&self.syntax, "final")
    }
}

ast_node! {
    /// `if e { … } else { … }`, as a statement or as an effect.
    IfStmt = IF_STMT
}

/// What follows `else`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ElseBranch {
    /// `else if`
    If(IfStmt),
    /// `else { … }`
    Block(Block),
}

impl IfStmt {
    /// The test.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// The first block.
    pub fn then_block(&self) -> Option<Block> {
        let otherwise = self.else_token().map(|token| token.text_range().start());
        children::<Block>(&self.syntax)
            .find(|block| otherwise.is_none_or(|start| block.range().start() < start))
    }
    /// The word `else`.
    pub fn else_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::ELSE_KW)
    }
    /// What follows `else`.
    pub fn else_branch(&self) -> Option<ElseBranch> {
        let start = self.else_token()?.text_range().start();
        if let Some(nested) = child::<IfStmt>(&self.syntax) {
            return Some(ElseBranch::If(nested));
        }
        children::<Block>(&self.syntax)
            .find(|block| block.range().start() > start)
            .map(ElseBranch::Block)
    }
    /// The word `if`.
    pub fn if_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::IF_KW)
    }
}

ast_node! {
    /// `while e { … }`
    WhileStmt = WHILE_STMT
}

impl WhileStmt {
    /// The test.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    /// What is repeated.
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
    /// The word `while`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::WHILE_KW)
    }
}

ast_node! {
    /// `loop { … }`
    LoopStmt = LOOP_STMT
}

impl LoopStmt {
    /// What is repeated.
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
    /// The word `loop`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        token(&self.syntax, SyntaxKind::LOOP_KW)
    }
}

ast_node! {
    /// `either { … } or { … }`
    EitherStmt = EITHER_STMT
}

impl EitherStmt {
    /// The branches, in order.
    pub fn branches(&self) -> impl Iterator<Item = Branch> + use<> {
        children(&self.syntax)
    }
    /// The word `either`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        self.syntax.first_token()
    }
}

ast_node! {
    /// `either { … }`, `or for k in T { … }`: one branch with the word before it.
    Branch = BRANCH
}

impl Branch {
    /// The bindings of its `for`, none where there is no `for`.
    pub fn for_bindings(&self) -> Vec<Binding> {
        child::<ForClause>(&self.syntax)
            .map(|c| c.bindings().collect())
            .unwrap_or_default()
    }
    /// What the branch does.
    pub fn block(&self) -> Option<Block> {
        child(&self.syntax)
    }
    /// The word `either` or `or`.
    pub fn keyword(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

ast_node! {
    /// `f(e)` for a macro, as a statement or as an effect.
    MacroCall = CALL_STMT
}

impl MacroCall {
    /// The macro.
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    /// The arguments with their parentheses; a macro without parameters may be used without.
    pub fn arg_list(&self) -> Option<super::ArgList> {
        child(&self.syntax)
    }
    /// The arguments, where they are expressions (others are syntax errors).
    pub fn args(&self) -> Vec<Expr> {
        self.arg_list()
            .map(|list| children::<Expr>(list.syntax()).collect())
            .unwrap_or_default()
    }
}

ast_node! {
    /// `break`
    BreakStmt = BREAK_STMT
}

ast_node! {
    /// `stop`
    StopStmt = STOP_STMT
}

ast_node! {
    /// `for x in T { … }`: effects for each value, one after the other, in `do { … }` and in
    /// macros.
    ForEffect = FOR_EFFECT
}

impl ForEffect {
    /// What it binds, in order.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    /// What is repeated.
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
    /// The effects that are repeated.
    pub fn effects(&self) -> Vec<Effect> {
        self.body().map(|block| block.effects()).unwrap_or_default()
    }
}
