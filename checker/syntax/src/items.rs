//! The tokens that each item of a text was read from.

use rowan::{TextRange, TextSize};

use crate::SyntaxKind;
use crate::error::SyntaxError;
use crate::grammar::starts::ITEM_START;
use crate::lexer::Token;
use crate::parser::Looked;

/// What the items of a text were read from, in its order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Items {
    pub(crate) items: Vec<Extent>,
    /// Whether the tree is cut off somewhere, which is told once in a text.
    pub(crate) is_too_deep: bool,
}

/// What one item was read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Where the white space before it begins, or it itself where it depends on what is before it.
    pub(crate) from: TextSize,
    /// Where its first token stands.
    pub(crate) first: TextRange,
    /// The end of the last token that was looked at, or `None` where the end of the text was.
    pub(crate) looked: Option<TextSize>,
}

impl Items {
    pub(crate) fn new(tokens: &[Token], text: &str, items: &[Looked], is_too_deep: bool) -> Items {
        let extent = |item: &Looked| Extent {
            from: beginning(tokens, text, item.first),
            first: item.first.range,
            looked: item.end,
        };
        Items {
            items: items.iter().map(extent).collect(),
            is_too_deep,
        }
    }
}

/// Where the white space before the token begins with which an item begins, if the item depends on
/// nothing before that: its word says what it is, and there is a line end before it.
fn beginning(tokens: &[Token], text: &str, first: Token) -> TextSize {
    let begins = ITEM_START.contains(first.kind) || first.kind == SyntaxKind::VAR_KW;
    let at = tokens.partition_point(|token| token.range.start() < first.range.start());
    let space = at.checked_sub(1).map(|before| tokens[before]);
    let space = space.filter(|space| {
        space.kind == SyntaxKind::WHITESPACE && text[space.range].contains(['\n', '\r'])
    });
    match space {
        Some(space) if begins => space.range.start(),
        _ => first.range.start(),
    }
}

impl Extent {
    /// Whether it can be read without what is before it.
    pub(crate) fn stands_alone(&self) -> bool {
        self.from < self.first.start()
    }

    pub(crate) fn moved(self, by: Move) -> Extent {
        Extent {
            from: by.of(self.from),
            first: by.of_range(self.first),
            looked: self.looked.map(|looked| by.of(looked)),
        }
    }
}

/// How far something moves.
#[derive(Clone, Copy)]
pub(crate) struct Move(pub i64);

impl Move {
    pub(crate) fn of(self, offset: TextSize) -> TextSize {
        // Both texts have less than 4 GB.
        TextSize::new((i64::from(u32::from(offset)) + self.0) as u32)
    }

    pub(crate) fn of_range(self, range: TextRange) -> TextRange {
        TextRange::new(self.of(range.start()), self.of(range.end()))
    }

    pub(crate) fn of_error(self, error: &SyntaxError) -> SyntaxError {
        SyntaxError {
            range: self.of_range(error.range),
            ..error.clone()
        }
    }
}
