//! Generated from `checker/syntax/stubborn.ungram` by `cargo xtask codegen`; do not edit.

use logos::Logos;

syntax_kinds! {
    tokens {
        /// The end of the text; never in a tree.
        EOF,
        /// White space.
        #[regex(r"[ \t\r\n\x0b\x0c\u{FEFF}]+")]
        WHITESPACE,
        /// `// …`
        #[regex(r"//[^\r\n]*", allow_greedy = true)]
        LINE_COMMENT,
        /// `/// …`, to the lexer's automaton a line comment.
        DOC_COMMENT,
        /// `/* … */`, which may nest; the lexer's automaton finds its beginning.
        #[token("/*")]
        BLOCK_COMMENT,
        /// Characters that begin no token, quotation marks and operators of other languages.
        #[regex(r"'[A-Za-z0-9_]*'")]
        #[regex(r"/\\|\\/|\\\*|\\[A-Za-z]+|~>")]
        UNKNOWN,
        /// A name, also with letters that names do not have; to the lexer's automaton a word, too.
        #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
        #[regex(r"[\p{L}_][\p{L}\p{M}\p{N}_]*", priority = 1)]
        IDENT,
        /// An integer.
        #[regex(r"[0-9][A-Za-z0-9_]*")]
        INT,
        /// A text in quotation marks.
        #[regex(r#""[^"\r\n]*"?"#)]
        STRING,
        #[token("(")]
        L_PAREN,
        #[token(")")]
        R_PAREN,
        #[token("{")]
        L_BRACE,
        #[token("}")]
        R_BRACE,
        #[token("[")]
        L_BRACKET,
        #[token("]")]
        R_BRACKET,
        #[token(",")]
        COMMA,
        #[token(";")]
        SEMICOLON,
        #[token(":")]
        COLON,
        /// Belongs to no construct.
        #[token("::")]
        COLON_COLON,
        /// Belongs to no construct.
        #[token(":=")]
        COLON_EQ,
        #[token(".")]
        DOT,
        #[token("..")]
        DOT_DOT,
        #[token("->")]
        ARROW,
        /// Belongs to no construct.
        #[token("=>")]
        FAT_ARROW,
        #[token("@")]
        AT,
        #[token("?")]
        QUESTION,
        #[token("+")]
        PLUS,
        #[token("+=")]
        PLUS_EQ,
        #[token("-")]
        MINUS,
        #[token("-=")]
        MINUS_EQ,
        #[token("*")]
        STAR,
        #[token("/")]
        SLASH,
        #[token("%")]
        PERCENT,
        #[token("=")]
        EQ,
        #[token("==")]
        EQ_EQ,
        #[token("!")]
        BANG,
        #[token("!=")]
        BANG_EQ,
        #[token("<")]
        LESS,
        #[token("<=")]
        LESS_EQ,
        #[token(">")]
        GREATER,
        #[token(">=")]
        GREATER_EQ,
        #[token("&&")]
        AMP_AMP,
        #[token("||")]
        PIPE_PIPE,
        /// Belongs to no construct.
        #[token("&")]
        AMP,
        /// Belongs to no construct.
        #[token("|")]
        PIPE,
    }
    keywords {
        ACTION_KW = "action",
        ALPHABET_KW = "alphabet",
        AND_KW = "and",
        ANY_KW = "any",
        ARRAY_KW = "array",
        ASSERT_KW = "assert",
        AWAIT_KW = "await",
        BOOL_KW = "bool",
        BREAK_KW = "break",
        BUCHI_KW = "buchi",
        CHANGE_KW = "change",
        CHANNEL_KW = "channel",
        CONST_KW = "const",
        DEF_KW = "def",
        DO_KW = "do",
        EITHER_KW = "either",
        ELSE_KW = "else",
        ENUM_KW = "enum",
        EXISTS_KW = "exists",
        FALSE_KW = "false",
        FOR_KW = "for",
        FORALL_KW = "forall",
        IF_KW = "if",
        IMPLIES_KW = "implies",
        IN_KW = "in",
        INVARIANT_KW = "invariant",
        LOOP_KW = "loop",
        LTL_KW = "ltl",
        MACRO_KW = "macro",
        MAY_KW = "may",
        MUST_KW = "must",
        NOT_KW = "not",
        OBSERVE_KW = "observe",
        ON_KW = "on",
        OR_KW = "or",
        PARAM_KW = "param",
        PROCESS_KW = "process",
        PROGRESS_KW = "progress",
        RECEIVE_KW = "receive",
        RECORD_KW = "record",
        RECURRENCE_KW = "recurrence",
        REFINES_KW = "refines",
        SEND_KW = "send",
        SKIP_KW = "skip",
        SPECIFICATION_KW = "specification",
        STATE_KW = "state",
        STOP_KW = "stop",
        TESTER_KW = "tester",
        TESTING_KW = "testing",
        THEN_KW = "then",
        TRUE_KW = "true",
        TYPE_KW = "type",
        USE_KW = "use",
        VAR_KW = "var",
        VISIBLE_KW = "visible",
        WHEN_KW = "when",
        WHILE_KW = "while",
    }
    nodes {
        /// Tokens that the parser could not use.
        ERROR,
        SOURCE_FILE,
        NAME,
        NAME_REF,
        USE_DECL,
        CONST_DECL,
        PARAM_DECL,
        TYPE_DECL,
        ENUM_DECL,
        VARIANT,
        VAR_DECL,
        CHANNEL_DECL,
        CHANNEL_INDEX,
        CAPACITY,
        MESSAGE,
        ACTION_DECL,
        DEF_DECL,
        MACRO_DECL,
        PROCESS_DECL,
        PARAM_LIST,
        BINDING,
        WHERE_CLAUSE,
        INVARIANT_DECL,
        PROGRESS_DECL,
        REACHABLE_DECL,
        LTL_DECL,
        RECURRENCE_DECL,
        FAIR_DECL,
        BOUND_DECL,
        EVENT_SET,
        EVENT,
        DEADLOCK_SETTING,
        TERMINATION_SETTING,
        EXPECT_SETTING,
        REFINES_DECL,
        TESTER_DECL,
        SPECIFICATION_DECL,
        BUCHI_DECL,
        TESTING_DECL,
        BODY,
        ALPHABET_DECL,
        VISIBLE_DECL,
        OBSERVE_DECL,
        STATE,
        SHARED_STEPS,
        MODIFIER,
        STEP,
        FOR_CLAUSE,
        ON_CLAUSE,
        SEND_CLAUSE,
        RECEIVE_CLAUSE,
        ARG_LIST,
        BIND_ARG,
        WILD_ARG,
        CHANGE_CLAUSE,
        WHEN_CLAUSE,
        DO_CLAUSE,
        TARGET,
        ASSIGNMENT,
        ANY_VALUE,
        FOR_EFFECT,
        BLOCK,
        ASSIGN_STMT,
        ASSERT_STMT,
        AWAIT_STMT,
        SKIP_STMT,
        LABEL,
        IF_STMT,
        WHILE_STMT,
        LOOP_STMT,
        EITHER_STMT,
        BRANCH,
        CALL_STMT,
        BREAK_STMT,
        GOTO_STMT,
        STOP_STMT,
        BOOL_TYPE,
        RANGE_TYPE,
        NAMED_TYPE,
        ARRAY_TYPE,
        RECORD_TYPE,
        FIELD_DECL,
        SET_TYPE,
        LIST_TYPE,
        LITERAL,
        NAME_EXPR,
        PAREN_EXPR,
        PREFIX_EXPR,
        BINARY_EXPR,
        IN_EXPR,
        QUANTIFIER_EXPR,
        IF_EXPR,
        INDEX_EXPR,
        FIELD_EXPR,
        CALL_EXPR,
        AT_EXPR,
        AGGREGATE_EXPR,
        ARRAY_EXPR,
        COMPREHENSION_EXPR,
        RECORD_EXPR,
        RECORD_FIELD,
        WITH_EXPR,
        SET_EXPR,
        SET_COMPREHENSION_EXPR,
        SLICE_EXPR,
    }
}
