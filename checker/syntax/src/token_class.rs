//! What a token is to a reader: the classes that an editor colours without knowing any names.

use crate::SyntaxKind;

/// The class of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenClass {
    /// A reserved word, or another word where it has its meaning (`initial` before `state`).
    Keyword,
    /// The name of something.
    Name,
    /// An integer.
    Number,
    /// The name of a file, in quotation marks.
    String,
    /// A comment that documents nothing.
    Comment,
    /// A `///` comment.
    DocComment,
    /// An operator, `->` and `=` among them.
    Operator,
    /// Brackets, commas and the like.
    Punctuation,
    /// White space.
    Space,
    /// What begins no token.
    Unknown,
}

impl SyntaxKind {
    /// The class of a token of this kind; for a node's kind it means nothing.
    pub fn token_class(self) -> TokenClass {
        use SyntaxKind::*;
        match self {
            WHITESPACE | EOF => TokenClass::Space,
            LINE_COMMENT | BLOCK_COMMENT => TokenClass::Comment,
            DOC_COMMENT => TokenClass::DocComment,
            IDENT => TokenClass::Name,
            INT => TokenClass::Number,
            STRING => TokenClass::String,
            L_PAREN | R_PAREN | L_BRACE | R_BRACE | L_BRACKET | R_BRACKET | COMMA | SEMICOLON
            | COLON | COLON_COLON | DOT => TokenClass::Punctuation,
            DOT_DOT | ARROW | FAT_ARROW | COLON_EQ | PLUS_EQ | MINUS_EQ | AT | QUESTION | PLUS
            | MINUS | STAR | SLASH | PERCENT | EQ | EQ_EQ | BANG | BANG_EQ | LESS | LESS_EQ
            | GREATER | GREATER_EQ | AMP_AMP | PIPE_PIPE | AMP | PIPE => TokenClass::Operator,
            kind if kind.is_reserved_word() => TokenClass::Keyword,
            _ => TokenClass::Unknown,
        }
    }
}

/// The class of a token in a tree, which tells a word that has a meaning where it stands
/// (`initial`, `queue`, `traces`, `always`, …) from a name.
pub fn classify(token: &crate::SyntaxToken) -> TokenClass {
    use SyntaxKind::*;
    let parent = token.parent().map(|node| node.kind());
    match (token.kind(), parent) {
        // A name always has a node of its own; any other word means what the form says.
        (IDENT, Some(NAME | NAME_REF | ERROR) | None) => TokenClass::Name,
        (IDENT, _) => TokenClass::Keyword,
        (kind, Some(NAME | NAME_REF)) if kind.is_reserved_word() => TokenClass::Unknown,
        (kind, _) => kind.token_class(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_a_keyword_only_where_it_has_its_meaning() {
        let text = "process p { initial state initial { -> queue } state queue } // end";
        let tree = crate::parse(text).syntax();
        let classes: Vec<(String, TokenClass)> = tree
            .descendants_with_tokens()
            .filter_map(|element| element.into_token())
            .filter(|token| matches!(token.text(), "initial" | "queue" | "->" | "// end"))
            .map(|token| (token.text().to_string(), classify(&token)))
            .collect();
        let expected = [
            ("initial", TokenClass::Keyword),
            ("initial", TokenClass::Name),
            ("->", TokenClass::Operator),
            ("queue", TokenClass::Name),
            ("queue", TokenClass::Name),
            ("// end", TokenClass::Comment),
        ];
        let expected: Vec<(String, TokenClass)> = expected
            .iter()
            .map(|(text, class)| (text.to_string(), *class))
            .collect();
        assert_eq!(classes, expected);
    }
}
