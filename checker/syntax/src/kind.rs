//! The kinds of tokens and nodes that a tree is made of, generated from `stubborn.ungram` by
//! `cargo xtask codegen`.

/// Declares the kinds once: the enumeration, the list of all of them and the table of the
/// reserved words cannot differ.
macro_rules! syntax_kinds {
    (
        tokens { $($(#[$token_attribute:meta])* $token:ident,)* }
        keywords { $($keyword:ident = $word:literal,)* }
        nodes { $($(#[$node_doc:meta])* $node:ident,)* }
    ) => {
        /// The kind of a token or of a node of the tree.
        #[allow(non_camel_case_types, missing_docs)]
        #[derive(Logos, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum SyntaxKind {
            $($(#[$token_attribute])* $token,)*
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

mod generated;

pub use generated::SyntaxKind;

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
