//! The kinds of tokens and nodes that a tree is made of.

/// Declares the kinds once: the enumeration, the list of all of them and the table of the
/// reserved words cannot differ.
macro_rules! syntax_kinds {
    (
        tokens { $($(#[$token_doc:meta])* $token:ident,)* }
        keywords { $($keyword:ident = $word:literal,)* }
        nodes { $($(#[$node_doc:meta])* $node:ident,)* }
    ) => {
        /// What a token or a node of the tree is.
        #[allow(non_camel_case_types, missing_docs)]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum SyntaxKind {
            $($(#[$token_doc])* $token,)*
            $($keyword,)*
            $($(#[$node_doc])* $node,)*
        }

        impl SyntaxKind {
            /// Every kind, in the order of their numbers.
            pub const ALL: &'static [SyntaxKind] = &[
                $(SyntaxKind::$token,)* $(SyntaxKind::$keyword,)* $(SyntaxKind::$node,)*
            ];

            /// The reserved words of the language, in alphabetical order.
            pub const RESERVED_WORDS: &'static [&'static str] = &[$($word,)*];

            /// The kind of a reserved word, `None` for a name.
            pub fn from_reserved_word(word: &str) -> Option<SyntaxKind> {
                match word {
                    $($word => Some(SyntaxKind::$keyword),)*
                    _ => None,
                }
            }

            /// The text of a reserved word.
            pub fn reserved_word(self) -> Option<&'static str> {
                match self {
                    $(SyntaxKind::$keyword => Some($word),)*
                    _ => None,
                }
            }
        }
    };
}

syntax_kinds! {
    tokens {
        /// The end of the text; never in a tree.
        EOF,
        WHITESPACE,
        /// `// …`
        LINE_COMMENT,
        /// `/// …`
        DOC_COMMENT,
        /// `/* … */`, which may nest.
        BLOCK_COMMENT,
        /// Characters that begin no token.
        UNKNOWN,
        IDENT,
        INT,
        STRING,
        L_PAREN,
        R_PAREN,
        L_BRACE,
        R_BRACE,
        L_BRACKET,
        R_BRACKET,
        COMMA,
        SEMICOLON,
        COLON,
        /// `::`, which belongs to no construct: told as a mistake.
        COLON_COLON,
        /// `:=`, which belongs to no construct: told as a mistake.
        COLON_EQ,
        DOT,
        /// `..`
        DOT_DOT,
        /// `->`
        ARROW,
        /// `=>`, which belongs to no construct: told as a mistake.
        FAT_ARROW,
        AT,
        QUESTION,
        PLUS,
        MINUS,
        STAR,
        SLASH,
        PERCENT,
        EQ,
        EQ_EQ,
        BANG,
        BANG_EQ,
        LESS,
        LESS_EQ,
        GREATER,
        GREATER_EQ,
        AMP_AMP,
        PIPE_PIPE,
        /// `&`, which belongs to no construct: told as a mistake.
        AMP,
        /// `|`, which belongs to no construct: told as a mistake.
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
        SOURCE_FILE,
        /// Tokens that the parser could not use.
        ERROR,
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
        MODIFIER,

        STEP,
        FOR_CLAUSE,
        ON_CLAUSE,
        SEND_CLAUSE,
        RECEIVE_CLAUSE,
        CHANGE_CLAUSE,
        WHEN_CLAUSE,
        DO_CLAUSE,
        TARGET,
        ARG_LIST,
        BIND_ARG,
        WILD_ARG,

        BLOCK,
        ASSIGN_STMT,
        ASSIGNMENT,
        ANY_VALUE,
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
        STOP_STMT,
        FOR_EFFECT,

        BOOL_TYPE,
        RANGE_TYPE,
        NAMED_TYPE,
        ARRAY_TYPE,
        SET_TYPE,
        LIST_TYPE,
        RECORD_TYPE,
        FIELD_DECL,

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
        SET_EXPR,
        SET_COMPREHENSION_EXPR,
        SLICE_EXPR,
        RECORD_EXPR,
        RECORD_FIELD,
        WITH_EXPR,
    }
}

impl SyntaxKind {
    /// White space or a comment: what may stand between any two tokens.
    pub fn is_trivia(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            WHITESPACE | LINE_COMMENT | DOC_COMMENT | BLOCK_COMMENT
        )
    }

    /// One of the reserved words of §2.
    pub fn is_reserved_word(self) -> bool {
        self.reserved_word().is_some()
    }

    fn from_raw(raw: u16) -> SyntaxKind {
        SyntaxKind::ALL
            .get(raw as usize)
            .copied()
            .unwrap_or(SyntaxKind::ERROR)
    }
}

/// Ties the kinds to rowan's untyped trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stubborn {}

impl rowan::Language for Stubborn {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::from_raw(raw.0)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

/// A node of the tree.
pub type SyntaxNode = rowan::SyntaxNode<Stubborn>;
/// A token of the tree.
pub type SyntaxToken = rowan::SyntaxToken<Stubborn>;
/// A node or a token of the tree.
pub type SyntaxElement = rowan::SyntaxElement<Stubborn>;

/// A set of kinds of tokens.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenSet([u64; 2]);

impl TokenSet {
    pub(crate) const fn new(kinds: &[SyntaxKind]) -> TokenSet {
        let mut bits = [0; 2];
        let mut i = 0;
        while i < kinds.len() {
            let kind = kinds[i] as usize;
            bits[kind / 64] |= 1 << (kind % 64);
            i += 1;
        }
        TokenSet(bits)
    }

    pub(crate) const fn union(self, other: TokenSet) -> TokenSet {
        TokenSet([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    pub(crate) const fn contains(self, kind: SyntaxKind) -> bool {
        let kind = kind as usize;
        kind < 128 && self.0[kind / 64] & (1 << (kind % 64)) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_survives_the_way_through_its_number() {
        for &kind in SyntaxKind::ALL {
            assert_eq!(SyntaxKind::from_raw(kind as u16), kind);
        }
    }

    #[test]
    fn the_reserved_words_are_those_of_the_language() {
        let reserved = "action alphabet and any array assert await bool break buchi change \
            channel const def do either else enum exists false for forall if implies in invariant \
            loop ltl macro may must not observe on or param process progress receive record \
            recurrence refines send skip specification state stop tester testing then true type \
            use var visible when while";
        let words: Vec<&str> = reserved.split_whitespace().collect();
        assert_eq!(SyntaxKind::RESERVED_WORDS, words.as_slice());
    }
}
