//! Generated from `checker/syntax/stubborn.ungram` by `cargo xtask codegen`; do not edit.

use super::node::{AstNode, child, children, children_between};
use super::node::{token, token_of, word};
use crate::{SyntaxKind, SyntaxNode, SyntaxToken};

ast_node! {
    /// A whole file, of models or of testers.
    ///
    /// ```text
    /// Item*
    /// ```
    SourceFile = SOURCE_FILE
}

ast_choice! {
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
        Bound(BoundDecl),
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
    /// A name where it is declared.
    ///
    /// ```text
    /// '#ident'
    /// ```
    Name = NAME
}

ast_node! {
    /// A name where it is used.
    ///
    /// ```text
    /// '#ident'
    /// ```
    NameRef = NAME_REF
}

ast_node! {
    /// Everything that another file declares.
    ///
    /// ```text
    /// 'use' path:'#string'
    /// ```
    UseDecl = USE_DECL
}

impl UseDecl {
    pub fn use_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "use")
    }
    pub fn path_token(&self) -> Option<SyntaxToken> {
        token_of(&self.syntax, SyntaxKind::STRING)
    }
}

ast_node! {
    /// A constant.
    ///
    /// ```text
    /// 'const' Name (':' ty:TypeExpr)? '=' value:Expr
    /// ```
    ConstDecl = CONST_DECL
}

impl ConstDecl {
    pub fn const_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "const")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A constant that can be set from outside; `value` is its default.
    ///
    /// ```text
    /// 'param' Name ':' ty:TypeExpr '=' value:Expr
    /// ```
    ParamDecl = PARAM_DECL
}

impl ParamDecl {
    pub fn param_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "param")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A name for a type.
    ///
    /// ```text
    /// 'type' Name '=' ty:TypeExpr
    /// ```
    TypeDecl = TYPE_DECL
}

impl TypeDecl {
    pub fn type_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "type")
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// An enumeration.
    ///
    /// ```text
    /// 'enum' Name '{' (Variant (',' Variant)* ','?)? '}'
    /// ```
    EnumDecl = ENUM_DECL
}

impl EnumDecl {
    pub fn enum_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "enum")
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn variants(&self) -> impl Iterator<Item = Variant> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// A value of an enumeration.
    ///
    /// ```text
    /// Name
    /// ```
    Variant = VARIANT
}

ast_node! {
    /// Variables with one type and one initial value, shared or a process's own.
    ///
    /// ```text
    /// 'var' Name (',' Name)* ':' ty:TypeExpr ('=' value:Expr)?
    /// ```
    VarDecl = VAR_DECL
}

impl VarDecl {
    pub fn var_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "var")
    }
    pub fn names(&self) -> impl Iterator<Item = Name> + use<> {
        children(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A channel, or an array of channels; `value` has the messages that it holds at first.
    ///
    /// ```text
    /// 'channel' Name ChannelIndex? ':' kind:ChannelKind Capacity '?of' Message ('=' value:Expr)?
    /// ```
    ChannelDecl = CHANNEL_DECL
}

impl ChannelDecl {
    pub fn channel_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "channel")
    }
    pub fn channel_index(&self) -> Option<ChannelIndex> {
        child(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn kind(&self) -> Option<ChannelKind> {
        word(&self.syntax, ChannelKind::from_text)
    }
    pub fn capacity(&self) -> Option<Capacity> {
        child(&self.syntax)
    }
    pub fn of_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "of")
    }
    pub fn message(&self) -> Option<Message> {
        child(&self.syntax)
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The types of the indices of an array of channels, at most two.
    ///
    /// ```text
    /// '[' types:TypeExpr (',' types:TypeExpr)* ']'
    /// ```
    ChannelIndex = CHANNEL_INDEX
}

impl ChannelIndex {
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn types(&self) -> impl Iterator<Item = TypeExpr> + use<> {
        children(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
}

ast_words! {
    /// Whether messages keep their order in a channel.
    ChannelKind {
        Queue = "queue",
        Bag = "bag",
    }
}

ast_node! {
    /// The number of messages that a channel can hold.
    ///
    /// ```text
    /// '[' value:Expr ']'
    /// ```
    Capacity = CAPACITY
}

impl Capacity {
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
}

ast_node! {
    /// The types of the parts of a channel's messages.
    ///
    /// ```text
    /// types:TypeExpr (',' types:TypeExpr)*
    /// ```
    Message = MESSAGE
}

impl Message {
    pub fn types(&self) -> impl Iterator<Item = TypeExpr> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// An action: a step that processes take together; with the types of its arguments.
    ///
    /// ```text
    /// 'action' Name ('(' types:TypeExpr (',' types:TypeExpr)* ','? ')')?
    /// ```
    ActionDecl = ACTION_DECL
}

impl ActionDecl {
    pub fn action_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "action")
    }
    pub fn l_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "(")
    }
    pub fn types(&self) -> impl Iterator<Item = TypeExpr> + use<> {
        children(&self.syntax)
    }
    pub fn r_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ")")
    }
}

ast_node! {
    /// A named expression.
    ///
    /// ```text
    /// 'def' Name ParamList? ':' body:Expr
    /// ```
    DefDecl = DEF_DECL
}

impl DefDecl {
    pub fn def_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "def")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Named statements or effects, expanded in place. They are parsed as statements; see
    /// [`Block::effects`] for the other reading.
    ///
    /// ```text
    /// 'macro' Name ParamList? body:Block
    /// ```
    MacroDecl = MACRO_DECL
}

impl MacroDecl {
    pub fn macro_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "macro")
    }
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A process: one instance for each value of its parameters.
    ///
    /// ```text
    /// '?fair'? 'process' Name ParamList? Body
    /// ```
    ProcessDecl = PROCESS_DECL
}

impl ProcessDecl {
    pub fn fair_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "fair")
    }
    pub fn process_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "process")
    }
    pub fn body(&self) -> Option<Body> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Parameters in parentheses.
    ///
    /// ```text
    /// '(' Binding (',' Binding)* ','? WhereClause? ')'
    /// ```
    ParamList = PARAM_LIST
}

impl ParamList {
    pub fn l_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "(")
    }
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(&self.syntax)
    }
    pub fn r_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ")")
    }
}

ast_node! {
    /// A parameter, or what `for`, a quantifier or an aggregate binds. Quantifiers and aggregates bind
    /// the elements of a set or a list, too; where that is a name alone, it is read as that of a type.
    ///
    /// ```text
    /// Name 'in' (ty:TypeExpr | over:Expr)
    /// ```
    Binding = BINDING
}

impl Binding {
    pub fn in_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "in")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
    pub fn over(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Keeps those values of what is bound for which an expression is true: a constant one for
    /// parameters, steps and branches.
    ///
    /// ```text
    /// '?where' condition:Expr
    /// ```
    WhereClause = WHERE_CLAUSE
}

impl WhereClause {
    pub fn where_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "where")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A condition that is true in every reachable state.
    ///
    /// ```text
    /// 'invariant' Name ParamList? ':' condition:Expr
    /// ```
    InvariantDecl = INVARIANT_DECL
}

impl InvariantDecl {
    pub fn invariant_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "invariant")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A condition that can be reached from every reachable state (`may`), or that every run from
    /// there reaches (`must`).
    ///
    /// ```text
    /// 'progress' Name ParamList? ':' mode:ProgressMode condition:Expr
    /// ```
    ProgressDecl = PROGRESS_DECL
}

impl ProgressDecl {
    pub fn progress_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "progress")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn mode(&self) -> Option<ProgressMode> {
        word(&self.syntax, ProgressMode::from_text)
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_words! {
    /// The two forms of `progress`: AG EF and AG AF.
    ProgressMode {
        May = "may",
        Must = "must",
    }
}

ast_node! {
    /// A condition that is true in some reachable state.
    ///
    /// ```text
    /// '?reachable' Name ParamList? ':' condition:Expr
    /// ```
    ReachableDecl = REACHABLE_DECL
}

impl ReachableDecl {
    pub fn reachable_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "reachable")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A formula of linear temporal logic: an expression in which temporal operators may stand.
    ///
    /// ```text
    /// 'ltl' Name ParamList? ':' formula:Expr
    /// ```
    LtlDecl = LTL_DECL
}

impl LtlDecl {
    pub fn ltl_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "ltl")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn formula(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Steps that occur infinitely often if others do.
    ///
    /// ```text
    /// 'recurrence' Name ParamList? ':'
    ///   '?infinitely' assumption:EventSet 'implies' '?infinitely' conclusion:EventSet
    /// ```
    RecurrenceDecl = RECURRENCE_DECL
}

impl RecurrenceDecl {
    pub fn recurrence_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "recurrence")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn assumption(&self) -> Option<EventSet> {
        children_between(&self.syntax, None, Some("implies")).next()
    }
    pub fn implies_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "implies")
    }
    pub fn conclusion(&self) -> Option<EventSet> {
        children_between(&self.syntax, Some("implies"), None).next()
    }
}

ast_node! {
    /// A fairness assumption: steps that are not put off for ever. An event of it may be an
    /// instance, too: `p(i)`, `p`.
    ///
    /// ```text
    /// '?strongly'? '?fair' Name ParamList? ':' steps:EventSet
    /// ```
    FairDecl = FAIR_DECL
}

impl FairDecl {
    pub fn strongly_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "strongly")
    }
    pub fn fair_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "fair")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn steps(&self) -> Option<EventSet> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A condition on the states of which steps are taken.
    ///
    /// ```text
    /// '?bound' Name ':' condition:Expr
    /// ```
    BoundDecl = BOUND_DECL
}

impl BoundDecl {
    pub fn bound_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "bound")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// One event, or a set of them, which may be empty.
    ///
    /// ```text
    /// Event
    /// | '{' (Event (',' Event)* ','?)? '}'
    /// ```
    EventSet = EVENT_SET
}

impl EventSet {
    pub fn events(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// An action with or without arguments, or the steps of an instance at a label. In `alphabet`
    /// and `visible` lists only the former makes sense; in `expect` it is a property.
    ///
    /// ```text
    /// NameRef ArgList?
    /// ('@' (locations:NameRef | '{' locations:NameRef (',' locations:NameRef)* ','? '}'))?
    /// ```
    Event = EVENT
}

impl Event {
    pub fn name_ref(&self) -> Option<NameRef> {
        children_between(&self.syntax, None, Some("@")).next()
    }
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
    pub fn at_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "@")
    }
    pub fn locations(&self) -> impl Iterator<Item = NameRef> + use<> {
        children_between(&self.syntax, Some("@"), None)
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// Says which terminal states are no deadlocks.
    ///
    /// ```text
    /// '?deadlock' ('?ignored' | '?allowed' 'when' condition:Expr)
    /// ```
    DeadlockSetting = DEADLOCK_SETTING
}

impl DeadlockSetting {
    pub fn deadlock_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "deadlock")
    }
    pub fn ignored_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "ignored")
    }
    pub fn allowed_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "allowed")
    }
    pub fn when_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "when")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Says that the model need not terminate.
    ///
    /// ```text
    /// '?termination' 'not' '?required'
    /// ```
    TerminationSetting = TERMINATION_SETTING
}

impl TerminationSetting {
    pub fn termination_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "termination")
    }
    pub fn not_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "not")
    }
    pub fn required_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "required")
    }
}

ast_node! {
    /// Properties that are there to fail: names with the values of parameters, or without any.
    ///
    /// ```text
    /// '?expect' '?violated' ':' properties:Event (',' properties:Event)* ('when' condition:Expr)?
    /// ```
    ExpectSetting = EXPECT_SETTING
}

impl ExpectSetting {
    pub fn expect_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "expect")
    }
    pub fn violated_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "violated")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn properties(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
    pub fn when_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "when")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The comparison of the model with a specification.
    ///
    /// ```text
    /// 'refines' specification:NameRef 'in' Refinement
    /// ```
    RefinesDecl = REFINES_DECL
}

impl RefinesDecl {
    pub fn refines_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "refines")
    }
    pub fn specification(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn in_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "in")
    }
}

ast_words! {
    /// The semantics in which a model is compared with a specification. `failures` are traces and
    /// stable failures, `cffd` stable failures, divergences and infinite traces.
    Refinement {
        Traces = "traces",
        Failures = "failures",
        Divergences = "divergences",
        InfiniteTraces = "infinite traces",
        Cffd = "cffd",
    }
}

ast_node! {
    /// A tester: behaviour that the model must not have.
    ///
    /// ```text
    /// 'tester' Name ParamList? Body
    /// ```
    TesterDecl = TESTER_DECL
}

impl TesterDecl {
    pub fn tester_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "tester")
    }
    pub fn body(&self) -> Option<Body> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A specification.
    ///
    /// ```text
    /// 'specification' Name ParamList? Body
    /// ```
    SpecificationDecl = SPECIFICATION_DECL
}

impl SpecificationDecl {
    pub fn specification_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "specification")
    }
    pub fn body(&self) -> Option<Body> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A Büchi automaton.
    ///
    /// ```text
    /// 'buchi' Name ParamList? Body
    /// ```
    BuchiDecl = BUCHI_DECL
}

impl BuchiDecl {
    pub fn buchi_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "buchi")
    }
    pub fn body(&self) -> Option<Body> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A testing automaton.
    ///
    /// ```text
    /// 'testing' Name ParamList? Body
    /// ```
    TestingDecl = TESTING_DECL
}

impl TestingDecl {
    pub fn testing_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "testing")
    }
    pub fn body(&self) -> Option<Body> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The body of a process, tester, specification or automaton: states, or statements.
    ///
    /// ```text
    /// '{' (
    ///   vars:VarDecl
    /// | AlphabetDecl
    /// | VisibleDecl
    /// | observations:ObserveDecl
    /// | macros:MacroDecl
    /// | State
    /// | SharedSteps
    /// | Statement ';'?
    /// )* '}'
    /// ```
    Body = BODY
}

impl Body {
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn vars(&self) -> impl Iterator<Item = VarDecl> + use<> {
        children(&self.syntax)
    }
    pub fn alphabet_decls(&self) -> impl Iterator<Item = AlphabetDecl> + use<> {
        children(&self.syntax)
    }
    pub fn visible_decls(&self) -> impl Iterator<Item = VisibleDecl> + use<> {
        children(&self.syntax)
    }
    pub fn observations(&self) -> impl Iterator<Item = ObserveDecl> + use<> {
        children(&self.syntax)
    }
    pub fn macros(&self) -> impl Iterator<Item = MacroDecl> + use<> {
        children(&self.syntax)
    }
    pub fn states(&self) -> impl Iterator<Item = State> + use<> {
        children(&self.syntax)
    }
    pub fn shared_stepss(&self) -> impl Iterator<Item = SharedSteps> + use<> {
        children(&self.syntax)
    }
    pub fn statements(&self) -> impl Iterator<Item = Statement> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_choice! {
    /// One thing in a body.
    BodyItem {
        Var(VarDecl),
        Alphabet(AlphabetDecl),
        Visible(VisibleDecl),
        Observe(ObserveDecl),
        Macro(MacroDecl),
        State(State),
        Shared(SharedSteps),
        Statement(Statement),
    }
}

ast_node! {
    /// Actions that the process takes part in besides those of its steps.
    ///
    /// ```text
    /// 'alphabet' Event (',' Event)*
    /// ```
    AlphabetDecl = ALPHABET_DECL
}

impl AlphabetDecl {
    pub fn alphabet_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "alphabet")
    }
    pub fn events(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// Actions that a tester sees.
    ///
    /// ```text
    /// 'visible' Event (',' Event)*
    /// ```
    VisibleDecl = VISIBLE_DECL
}

impl VisibleDecl {
    pub fn visible_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "visible")
    }
    pub fn events(&self) -> impl Iterator<Item = Event> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// A name for what an automaton observes.
    ///
    /// ```text
    /// 'observe' Name '=' value:Expr
    /// ```
    ObserveDecl = OBSERVE_DECL
}

impl ObserveDecl {
    pub fn observe_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "observe")
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A state with its steps. Only a state of an automaton has a condition.
    ///
    /// ```text
    /// Modifier* 'state' Name WhenClause? ('{' (Step ';'?)* '}')?
    /// ```
    State = STATE
}

impl State {
    pub fn modifiers(&self) -> impl Iterator<Item = Modifier> + use<> {
        children(&self.syntax)
    }
    pub fn state_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "state")
    }
    pub fn when_clause(&self) -> Option<WhenClause> {
        child(&self.syntax)
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// Steps of several states, or labelled statements: of those named, or with `any` of all that are
    /// not final.
    ///
    /// ```text
    /// 'in' ('any' | states:NameRef (',' states:NameRef)*) '{' (Step ';'?)* '}'
    /// ```
    SharedSteps = SHARED_STEPS
}

impl SharedSteps {
    pub fn in_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "in")
    }
    pub fn any_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "any")
    }
    pub fn states(&self) -> impl Iterator<Item = NameRef> + use<> {
        children(&self.syntax)
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn steps(&self) -> impl Iterator<Item = Step> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// A word before `state`.
    ///
    /// ```text
    /// kind:ModifierKind
    /// ```
    Modifier = MODIFIER
}

impl Modifier {
    pub fn kind(&self) -> Option<ModifierKind> {
        word(&self.syntax, ModifierKind::from_text)
    }
}

ast_words! {
    /// The words that may stand before `state`.
    ModifierKind {
        Initial = "initial",
        Final = "final",
        Reject = "reject",
        Deadlock = "deadlock",
        Livelock = "livelock",
        Infinite = "infinite",
    }
}

ast_node! {
    /// One atomic transition, each clause of which is optional. A step of a state may have a name. A
    /// `send` directly behind a `receive` is `onward`.
    ///
    /// ```text
    /// (Name ':')? ForClause? Communication? onward:SendClause? ChangeClause? WhenClause? DoClause? Target?
    /// ```
    Step = STEP
}

impl Step {
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn for_clause(&self) -> Option<ForClause> {
        child(&self.syntax)
    }
    pub fn communication(&self) -> Option<Communication> {
        child(&self.syntax)
    }
    pub fn change_clause(&self) -> Option<ChangeClause> {
        child(&self.syntax)
    }
    pub fn when_clause(&self) -> Option<WhenClause> {
        child(&self.syntax)
    }
    pub fn do_clause(&self) -> Option<DoClause> {
        child(&self.syntax)
    }
    pub fn target(&self) -> Option<Target> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The names that a step or a branch is repeated for.
    ///
    /// ```text
    /// 'for' Binding (',' Binding)* WhereClause?
    /// ```
    ForClause = FOR_CLAUSE
}

impl ForClause {
    pub fn for_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "for")
    }
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(&self.syntax)
    }
}

ast_choice! {
    /// The part of a step that others take part in.
    Communication {
        On(OnClause),
        Send(SendClause),
        Receive(ReceiveClause),
    }
}

ast_node! {
    /// An action; `tau` in a tester stands for its own move.
    ///
    /// ```text
    /// 'on' action:NameRef ArgList?
    /// ```
    OnClause = ON_CLAUSE
}

impl OnClause {
    pub fn on_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "on")
    }
    pub fn action(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A message that is sent to a channel, or to one of an array of channels.
    ///
    /// ```text
    /// 'send' channel:NameRef ('[' indices:Expr (',' indices:Expr)* ']')? ArgList
    /// ```
    SendClause = SEND_CLAUSE
}

impl SendClause {
    pub fn send_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "send")
    }
    pub fn channel(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn indices(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A message that is received from a channel, or from one of an array of channels.
    ///
    /// ```text
    /// 'receive' channel:NameRef ('[' indices:Expr (',' indices:Expr)* ']')? ArgList
    /// ```
    ReceiveClause = RECEIVE_CLAUSE
}

impl ReceiveClause {
    pub fn receive_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "receive")
    }
    pub fn channel(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn indices(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Arguments with their parentheses.
    ///
    /// ```text
    /// '(' (Argument (',' Argument)* ','?)? ')'
    /// ```
    ArgList = ARG_LIST
}

impl ArgList {
    pub fn l_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "(")
    }
    pub fn arguments(&self) -> impl Iterator<Item = Argument> + use<> {
        children(&self.syntax)
    }
    pub fn r_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ")")
    }
}

ast_choice! {
    /// One argument of an action, a message or a call: an expression, which must match, a place
    /// that is assigned to, or anything.
    Argument {
        Expr(Expr),
        Bind(BindArg),
        Wild(WildArg),
    }
}

ast_node! {
    /// A place that takes the value: a name, a cell or a field.
    ///
    /// ```text
    /// '?' place:Expr
    /// ```
    BindArg = BIND_ARG
}

impl BindArg {
    pub fn question_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "?")
    }
    pub fn place(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// An argument that takes anything.
    ///
    /// ```text
    /// '*'
    /// ```
    WildArg = WILD_ARG
}

impl WildArg {
    pub fn star_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "*")
    }
}

ast_node! {
    /// The observed names whose values change, in testing automata alone.
    ///
    /// ```text
    /// 'change' names:NameRef (',' names:NameRef)*
    /// ```
    ChangeClause = CHANGE_CLAUSE
}

impl ChangeClause {
    pub fn change_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "change")
    }
    pub fn names(&self) -> impl Iterator<Item = NameRef> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// A guard, or the condition on a state.
    ///
    /// ```text
    /// 'when' condition:Expr
    /// ```
    WhenClause = WHEN_CLAUSE
}

impl WhenClause {
    pub fn when_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "when")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The effects of a step.
    ///
    /// ```text
    /// 'do' (Block | effects:(Effect (',' Effect)*))
    /// ```
    DoClause = DO_CLAUSE
}

impl DoClause {
    pub fn do_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "do")
    }
    pub fn block(&self) -> Option<Block> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The state that a step leads to; `same`, where no state has that name, is the one that it is
    /// taken from.
    ///
    /// ```text
    /// '->' state:NameRef
    /// ```
    Target = TARGET
}

impl Target {
    pub fn arrow_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "->")
    }
    pub fn state(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_choice! {
    /// A change that a step makes.
    Effect {
        Assignment(Assignment),
        If(IfStmt),
        For(ForEffect),
        Assert(AssertStmt),
        Call(CallStmt),
    }
}

ast_node! {
    /// An assignment to a name, a cell or a field. With `+=` and `-=` the value is added to what is
    /// there, or subtracted from it.
    ///
    /// ```text
    /// place:Expr ('=' (value:Expr | any:AnyValue) | '+=' value:Expr | '-=' value:Expr)
    /// ```
    Assignment = ASSIGNMENT
}

impl Assignment {
    pub fn place(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "=")
    }
    pub fn any(&self) -> Option<AnyValue> {
        child(&self.syntax)
    }
    pub fn plus_eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "+=")
    }
    pub fn minus_eq_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "-=")
    }
}

ast_node! {
    /// Any value of a type.
    ///
    /// ```text
    /// 'any' ty:TypeExpr
    /// ```
    AnyValue = ANY_VALUE
}

impl AnyValue {
    pub fn any_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "any")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Effects for each value, one after the other, in `do { … }` and in macros.
    ///
    /// ```text
    /// 'for' Binding (',' Binding)* WhereClause? body:Block
    /// ```
    ForEffect = FOR_EFFECT
}

impl ForEffect {
    pub fn for_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "for")
    }
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(&self.syntax)
    }
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
}

ast_choice! {
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
        Call(CallStmt),
        Break(BreakStmt),
        Goto(GotoStmt),
        Stop(StopStmt),
        For(ForEffect),
    }
}

ast_node! {
    /// Statements, or effects, whichever the place asks for.
    ///
    /// ```text
    /// '{' ((Statement ';'?)* | effects:(Effect (',' | ';')?)*) '}'
    /// ```
    Block = BLOCK
}

impl Block {
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn statements(&self) -> impl Iterator<Item = Statement> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// One step; the first of its effects is an assignment.
    ///
    /// ```text
    /// Effect (',' Effect)*
    /// ```
    AssignStmt = ASSIGN_STMT
}

impl AssignStmt {
    pub fn effects(&self) -> impl Iterator<Item = Effect> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// A condition that must be true.
    ///
    /// ```text
    /// 'assert' condition:Expr
    /// ```
    AssertStmt = ASSERT_STMT
}

impl AssertStmt {
    pub fn assert_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "assert")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A condition that is waited for.
    ///
    /// ```text
    /// 'await' condition:Expr DoClause?
    /// ```
    AwaitStmt = AWAIT_STMT
}

impl AwaitStmt {
    pub fn await_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "await")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn do_clause(&self) -> Option<DoClause> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A step without effects.
    ///
    /// ```text
    /// 'skip'
    /// ```
    SkipStmt = SKIP_STMT
}

impl SkipStmt {
    pub fn skip_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "skip")
    }
}

ast_node! {
    /// A label, which belongs to the statement behind it; several may follow each other. With
    /// `final` it is right to wait there for ever.
    ///
    /// ```text
    /// '?final'? Name ':'
    /// ```
    Label = LABEL
}

impl Label {
    pub fn final_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "final")
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
}

ast_node! {
    /// A choice by a test, as a statement or as an effect.
    ///
    /// ```text
    /// 'if' condition:Expr then_block:Block ('else' ElseBranch)?
    /// ```
    IfStmt = IF_STMT
}

impl IfStmt {
    pub fn if_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "if")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn then_block(&self) -> Option<Block> {
        children_between(&self.syntax, None, Some("else")).next()
    }
    pub fn else_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "else")
    }
    pub fn else_branch(&self) -> Option<ElseBranch> {
        children_between(&self.syntax, Some("else"), None).next()
    }
}

ast_choice! {
    /// The branch behind `else`.
    ElseBranch {
        If(IfStmt),
        Block(Block),
    }
}

ast_node! {
    /// A loop with a test.
    ///
    /// ```text
    /// 'while' condition:Expr body:Block
    /// ```
    WhileStmt = WHILE_STMT
}

impl WhileStmt {
    pub fn while_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "while")
    }
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A loop without a test.
    ///
    /// ```text
    /// 'loop' body:Block
    /// ```
    LoopStmt = LOOP_STMT
}

impl LoopStmt {
    pub fn loop_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "loop")
    }
    pub fn body(&self) -> Option<Block> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A choice between branches, the first with `either` and the others with `or` before them.
    ///
    /// ```text
    /// Branch Branch*
    /// ```
    EitherStmt = EITHER_STMT
}

impl EitherStmt {
    pub fn branches(&self) -> impl Iterator<Item = Branch> + use<> {
        children(&self.syntax)
    }
}

ast_node! {
    /// One branch with the word before it; with `for`, one for each value.
    ///
    /// ```text
    /// ('either' | 'or') ForClause? Block
    /// ```
    Branch = BRANCH
}

impl Branch {
    pub fn either_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "either")
    }
    pub fn or_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "or")
    }
    pub fn for_clause(&self) -> Option<ForClause> {
        child(&self.syntax)
    }
    pub fn block(&self) -> Option<Block> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A macro's call, as a statement or as an effect. One without parameters may have no
    /// parentheses. Where no macro has that name, `continue` is the statement and `reset` the effect.
    ///
    /// ```text
    /// NameRef ArgList?
    /// ```
    CallStmt = CALL_STMT
}

impl CallStmt {
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The end of the loop around it.
    ///
    /// ```text
    /// 'break'
    /// ```
    BreakStmt = BREAK_STMT
}

impl BreakStmt {
    pub fn break_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "break")
    }
}

ast_node! {
    /// A jump to the statement with a label.
    ///
    /// ```text
    /// '?goto' label:NameRef
    /// ```
    GotoStmt = GOTO_STMT
}

impl GotoStmt {
    pub fn goto_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "goto")
    }
    pub fn label(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// The end of the process.
    ///
    /// ```text
    /// 'stop'
    /// ```
    StopStmt = STOP_STMT
}

impl StopStmt {
    pub fn stop_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "stop")
    }
}

ast_choice! {
    /// A type as it is written.
    TypeExpr {
        Bool(BoolType),
        Range(RangeType),
        Named(NamedType),
        Array(ArrayType),
        Record(RecordType),
        Set(SetType),
        List(ListType),
    }
}

ast_node! {
    /// The type of truth values.
    ///
    /// ```text
    /// 'bool'
    /// ```
    BoolType = BOOL_TYPE
}

impl BoolType {
    pub fn bool_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "bool")
    }
}

ast_node! {
    /// The integers of a range, both ends of which belong to it.
    ///
    /// ```text
    /// low:Expr '..' high:Expr
    /// ```
    RangeType = RANGE_TYPE
}

impl RangeType {
    pub fn low(&self) -> Option<Expr> {
        children_between(&self.syntax, None, Some("..")).next()
    }
    pub fn dot_dot_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "..")
    }
    pub fn high(&self) -> Option<Expr> {
        children_between(&self.syntax, Some(".."), None).next()
    }
}

ast_node! {
    /// The name of an enumeration or of another type.
    ///
    /// ```text
    /// NameRef
    /// ```
    NamedType = NAMED_TYPE
}

impl NamedType {
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// An array; with several indices, an array of arrays.
    ///
    /// ```text
    /// 'array' '[' indices:TypeExpr (',' indices:TypeExpr)* ']' '?of' element:TypeExpr
    /// ```
    ArrayType = ARRAY_TYPE
}

impl ArrayType {
    pub fn array_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "array")
    }
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn indices(&self) -> impl Iterator<Item = TypeExpr> + use<> {
        children_between(&self.syntax, None, Some("]"))
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
    pub fn of_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "of")
    }
    pub fn element(&self) -> Option<TypeExpr> {
        children_between(&self.syntax, Some("of"), None).next()
    }
}

ast_node! {
    /// A record.
    ///
    /// ```text
    /// 'record' '{' (fields:FieldDecl (',' fields:FieldDecl)* ','?)? '}'
    /// ```
    RecordType = RECORD_TYPE
}

impl RecordType {
    pub fn record_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "record")
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn fields(&self) -> impl Iterator<Item = FieldDecl> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// A field of a record.
    ///
    /// ```text
    /// Name ':' ty:TypeExpr
    /// ```
    FieldDecl = FIELD_DECL
}

impl FieldDecl {
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A set.
    ///
    /// ```text
    /// '?set' '?of' element:TypeExpr
    /// ```
    SetType = SET_TYPE
}

impl SetType {
    pub fn set_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "set")
    }
    pub fn of_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "of")
    }
    pub fn element(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A list with a limit for the number of its elements.
    ///
    /// ```text
    /// '?list' '[' capacity:Expr ']' '?of' element:TypeExpr
    /// ```
    ListType = LIST_TYPE
}

impl ListType {
    pub fn list_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "list")
    }
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn capacity(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
    pub fn of_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "of")
    }
    pub fn element(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}

ast_choice! {
    /// An expression. In a formula, which is one, temporal operators may stand.
    Expr {
        Literal(Literal),
        Name(NameExpr),
        Paren(ParenExpr),
        Prefix(PrefixExpr),
        Binary(BinaryExpr),
        In(InExpr),
        Quantifier(QuantifierExpr),
        If(IfExpr),
        Index(IndexExpr),
        Field(FieldExpr),
        Call(CallExpr),
        At(AtExpr),
        Aggregate(AggregateExpr),
        Array(ArrayExpr),
        Comprehension(ComprehensionExpr),
        Record(RecordExpr),
        With(WithExpr),
        Set(SetExpr),
        SetComprehension(SetComprehensionExpr),
        Slice(SliceExpr),
    }
}

ast_node! {
    /// An integer or a truth value.
    ///
    /// ```text
    /// '#int' | 'true' | 'false'
    /// ```
    Literal = LITERAL
}

impl Literal {
    pub fn true_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "true")
    }
    pub fn false_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "false")
    }
}

ast_node! {
    /// A variable, a constant, a value of an enumeration, or a definition without parameters.
    ///
    /// ```text
    /// NameRef
    /// ```
    NameExpr = NAME_EXPR
}

impl NameExpr {
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// An expression in parentheses.
    ///
    /// ```text
    /// '(' inner:Expr ')'
    /// ```
    ParenExpr = PAREN_EXPR
}

impl ParenExpr {
    pub fn l_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "(")
    }
    pub fn inner(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn r_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ")")
    }
}

ast_node! {
    /// An operator before its operand; from `always` on temporal ones.
    ///
    /// ```text
    /// op:('-' | 'not' | '!' | '?always' | '[' ']' | '?eventually' | '<' '>') operand:Expr
    /// ```
    PrefixExpr = PREFIX_EXPR
}

impl PrefixExpr {
    pub fn operand(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// An operator between two operands; from `until` on temporal ones.
    ///
    /// ```text
    /// lhs:Expr
    /// op:(
    ///   'implies' | 'or' | '||' | 'and' | '&&'
    /// | '==' | '!=' | '<' | '<=' | '>' | '>='
    /// | '+' | '-' | '*' | '/' | '%'
    /// | '?until' | '?U' | '?weak_until' | '?W' | '?release' | '?R' | '->'
    /// )
    /// rhs:Expr
    /// ```
    BinaryExpr = BINARY_EXPR
}

ast_node! {
    /// Whether an element is in a set or a list, or among expressions that are written out.
    ///
    /// ```text
    /// element:Expr 'in' members:(Expr | '{' (Expr (',' Expr)* ','?)? '}')
    /// ```
    InExpr = IN_EXPR
}

impl InExpr {
    pub fn element(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn in_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "in")
    }
}

ast_node! {
    /// An expression for all values, or for some value.
    ///
    /// ```text
    /// Quantifier Binding (',' Binding)* WhereClause? ':' body:Expr
    /// ```
    QuantifierExpr = QUANTIFIER_EXPR
}

impl QuantifierExpr {
    pub fn quantifier(&self) -> Option<Quantifier> {
        word(&self.syntax, Quantifier::from_text)
    }
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_words! {
    /// The two quantifiers.
    Quantifier {
        Forall = "forall",
        Exists = "exists",
    }
}

ast_node! {
    /// A choice between two values.
    ///
    /// ```text
    /// 'if' condition:Expr 'then' then_value:Expr 'else' else_value:Expr
    /// ```
    IfExpr = IF_EXPR
}

impl IfExpr {
    pub fn if_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "if")
    }
    pub fn condition(&self) -> Option<Expr> {
        children_between(&self.syntax, None, Some("then")).next()
    }
    pub fn then_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "then")
    }
    pub fn then_value(&self) -> Option<Expr> {
        children_between(&self.syntax, Some("then"), Some("else")).next()
    }
    pub fn else_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "else")
    }
    pub fn else_value(&self) -> Option<Expr> {
        children_between(&self.syntax, Some("else"), None).next()
    }
}

ast_node! {
    /// A cell of an array, or an element of a list; `a[i, j]` is `a[i][j]`. Of a channel, one of an
    /// array of channels.
    ///
    /// ```text
    /// base:Expr '[' indices:Expr (',' indices:Expr)* ']'
    /// ```
    IndexExpr = INDEX_EXPR
}

impl IndexExpr {
    pub fn base(&self) -> Option<Expr> {
        children_between(&self.syntax, None, Some("[")).next()
    }
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn indices(&self) -> impl Iterator<Item = Expr> + use<> {
        children_between(&self.syntax, Some("["), None)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
}

ast_node! {
    /// A field of a record, or a variable of an instance of a process.
    ///
    /// ```text
    /// base:Expr '.' field:NameRef
    /// ```
    FieldExpr = FIELD_EXPR
}

impl FieldExpr {
    pub fn base(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn dot_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ".")
    }
    pub fn field(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A definition, an instance of a process, or a built-in function.
    ///
    /// ```text
    /// NameRef ArgList
    /// ```
    CallExpr = CALL_EXPR
}

impl CallExpr {
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn arg_list(&self) -> Option<ArgList> {
        child(&self.syntax)
    }
}

ast_node! {
    /// Whether an instance is at a state or a label, or at one of several.
    ///
    /// ```text
    /// instance:Expr '@'
    /// (locations:NameRef | '{' locations:NameRef (',' locations:NameRef)* ','? '}')
    /// ```
    AtExpr = AT_EXPR
}

impl AtExpr {
    pub fn instance(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn at_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "@")
    }
    pub fn locations(&self) -> impl Iterator<Item = NameRef> + use<> {
        children(&self.syntax)
    }
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// A built-in function over all values of what it binds; its name is an [`Aggregate`].
    ///
    /// ```text
    /// NameRef '(' Binding (',' Binding)* WhereClause? ':' body:Expr ')'
    /// ```
    AggregateExpr = AGGREGATE_EXPR
}

impl AggregateExpr {
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn l_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "(")
    }
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn r_paren_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ")")
    }
}

ast_words! {
    /// The built-in functions that bind names.
    Aggregate {
        Count = "count",
        Sum = "sum",
        Min = "min",
        Max = "max",
    }
}

ast_node! {
    /// An array, or a list, by its elements in order.
    ///
    /// ```text
    /// '[' (elements:Expr (',' elements:Expr)* ','?)? ']'
    /// ```
    ArrayExpr = ARRAY_EXPR
}

impl ArrayExpr {
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
}

ast_node! {
    /// An array, each cell of which is worked out from its index.
    ///
    /// ```text
    /// '[' Binding ':' body:Expr ']'
    /// ```
    ComprehensionExpr = COMPREHENSION_EXPR
}

impl ComprehensionExpr {
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn binding(&self) -> Option<Binding> {
        child(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
}

ast_node! {
    /// A record.
    ///
    /// ```text
    /// '{' fields:RecordField (',' fields:RecordField)* ','? '}'
    /// ```
    RecordExpr = RECORD_EXPR
}

impl RecordExpr {
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn fields(&self) -> impl Iterator<Item = RecordField> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// A field and its value. In a pattern, which is a record among the arguments of `receive` or `on`,
    /// a field may take a value, or anything.
    ///
    /// ```text
    /// NameRef ':' (value:Expr | BindArg | WildArg)
    /// ```
    RecordField = RECORD_FIELD
}

impl RecordField {
    pub fn name_ref(&self) -> Option<NameRef> {
        child(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn value(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn bind_arg(&self) -> Option<BindArg> {
        child(&self.syntax)
    }
    pub fn wild_arg(&self) -> Option<WildArg> {
        child(&self.syntax)
    }
}

ast_node! {
    /// A record with other values in some fields.
    ///
    /// ```text
    /// base:Expr '?with' record:RecordExpr
    /// ```
    WithExpr = WITH_EXPR
}

impl WithExpr {
    pub fn base(&self) -> Option<Expr> {
        children_between(&self.syntax, None, Some("with")).next()
    }
    pub fn with_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "with")
    }
    pub fn record(&self) -> Option<RecordExpr> {
        children_between(&self.syntax, Some("with"), None).next()
    }
}

ast_node! {
    /// A set by its elements.
    ///
    /// ```text
    /// '{' (elements:Expr (',' elements:Expr)* ','?)? '}'
    /// ```
    SetExpr = SET_EXPR
}

impl SetExpr {
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn elements(&self) -> impl Iterator<Item = Expr> + use<> {
        children(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// The set of the values for which an expression is true.
    ///
    /// ```text
    /// '{' Binding ':' body:Expr '}'
    /// ```
    SetComprehensionExpr = SET_COMPREHENSION_EXPR
}

impl SetComprehensionExpr {
    pub fn l_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "{")
    }
    pub fn binding(&self) -> Option<Binding> {
        child(&self.syntax)
    }
    pub fn colon_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, ":")
    }
    pub fn body(&self) -> Option<Expr> {
        child(&self.syntax)
    }
    pub fn r_brace_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "}")
    }
}

ast_node! {
    /// The part of a list from one index to another, both of which belong to it.
    ///
    /// ```text
    /// base:Expr '[' low:Expr '..' high:Expr ']'
    /// ```
    SliceExpr = SLICE_EXPR
}

impl SliceExpr {
    pub fn base(&self) -> Option<Expr> {
        children_between(&self.syntax, None, Some("[")).next()
    }
    pub fn l_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "[")
    }
    pub fn low(&self) -> Option<Expr> {
        children_between(&self.syntax, Some("["), Some("..")).next()
    }
    pub fn dot_dot_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "..")
    }
    pub fn high(&self) -> Option<Expr> {
        children_between(&self.syntax, Some(".."), None).next()
    }
    pub fn r_bracket_token(&self) -> Option<SyntaxToken> {
        token(&self.syntax, "]")
    }
}
