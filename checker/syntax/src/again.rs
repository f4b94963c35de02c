//! Parsing a text again after an edit: the items that the edit touches are read, and the others stay.
//!
//! An item depends on the tokens that the parser has looked at for it, and on no others; which these
//! are is noted while it is read ([`Looked`]). So the items before the edit are what they were where
//! none of them was read from a token that the edit may have changed, and the items behind it are
//! what they were where the one before them ends where they begin: an item that begins with its
//! word, on a line of its own, depends on nothing before it. Wherever this is not certain the whole
//! text is read.

use std::ops::Range;

use rowan::{GreenNode, NodeOrToken, TextRange, TextSize};

use crate::SyntaxError;
use crate::interrupt::{Interrupt, Interrupted};
use crate::items::{Extent, Items, Move};
use crate::lexer::{self};
use crate::parse::{Parse, parse_of, parse_unless};
use crate::parser::messages::LINE_OF_BRACE;
use crate::parser::{Input, Parser};

/// As [`parse_within`](crate::parse_within), where `before` is what became of the text `old`, which
/// may be any: the more of it there is in `text`, the less there is to do.
///
/// # Errors
/// Where it was to end.
pub fn parse_again(
    before: &Parse,
    old: &str,
    text: &str,
    is_to_end: &dyn Fn() -> bool,
) -> Result<Parse, Interrupted> {
    let interrupt = Interrupt::new(is_to_end);
    if let Some(piece) = Piece::of(before, old, text)
        && let Some(parse) = piece.parse(&interrupt)?
    {
        return Ok(piece.in_place(before, parse));
    }
    parse_unless(text, &interrupt)
}

/// The items that an edit touches, in the text before it and in the one after.
struct Piece<'t> {
    text: &'t str,
    /// The numbers of the items then.
    items: Range<usize>,
    /// The numbers of the root's children then.
    children: Range<usize>,
    /// The numbers of the mistakes that were told of it.
    errors: Range<usize>,
    /// Where it stood.
    old: TextRange,
    /// Where it stands.
    new: TextRange,
    /// Where what is read to find its end does: with the item behind it, if there is one.
    read: TextRange,
    /// How far what is behind it has moved.
    moved: Move,
}

impl<'t> Piece<'t> {
    /// The smallest one with which all else may stay.
    fn of(before: &Parse, old: &str, text: &'t str) -> Option<Piece<'t>> {
        let length = TextSize::try_from(old.len()).ok()?;
        let new_length = TextSize::try_from(text.len()).ok()?;
        if before.green.text_len() != length || before.items.is_too_deep {
            return None;
        }
        let items = &before.items.items;
        let changed = changed(old.as_bytes(), text.as_bytes());
        let first = first_touched(items, changed.start());
        let behind = |item: &Extent| item.stands_alone() && item.from > changed.end();
        let from = |number: usize| {
            let found = items.iter().skip(number).position(behind);
            found.map_or(items.len(), |found| number + found)
        };
        let last = from(first + 1);
        let begin = |number: usize| items.get(number).map_or(length, |item| item.from);
        let start = if first == 0 {
            TextSize::new(0)
        } else {
            begin(first)
        };
        let (end, read) = (begin(last), begin(from(last + 1)));
        let moved = Move(i64::from(u32::from(new_length)) - i64::from(u32::from(length)));
        let piece = Piece {
            text,
            items: first..last,
            children: child_at(&before.green, start)?..child_at(&before.green, end)?,
            errors: errors_of(before, first..last),
            old: TextRange::new(start, end),
            new: TextRange::new(start, moved.of(end)),
            read: TextRange::new(start, moved.of(read)),
            moved,
        };
        // Some messages name a line.
        let names_line = |error: &SyntaxError| {
            let hint = error.hint.as_deref();
            hint.is_some_and(|hint| hint.starts_with(LINE_OF_BRACE))
        };
        let lines = |text: &str| text.matches('\n').count();
        let is_as_told = lines(&old[piece.old]) == lines(&text[piece.new])
            || !before.errors[piece.errors.end..].iter().any(names_line);
        is_as_told.then_some(piece)
    }

    /// What becomes of it, with the white space behind it and with places in it. `None` where that
    /// depends on what is behind it, or changes that.
    fn parse(&self, interrupt: &Interrupt<'_>) -> Result<Option<Parse>, Interrupted> {
        let text = &self.text[self.read];
        let (tokens, mut lexical) = lexer::lex_unless(text, interrupt);
        interrupt.has_ended()?;
        let is_rest = usize::from(self.read.end()) == self.text.len();
        let input = Input {
            text,
            tokens: &tokens,
            before: &self.text[..self.read.start().into()],
            end: self.new.len(),
            is_cut_short: is_rest && lexer::ends_in_comment(&tokens, text),
        };
        let own = tokens.partition_point(|token| token.range.start() < input.end);
        let last = own.checked_sub(1).map(|last| tokens[last]);
        if last.is_some_and(|last| last.range.end() != input.end) {
            return Ok(None);
        }
        let mut parser = Parser::new(input, interrupt);
        parser.source_file();
        let output = parser.finish();
        interrupt.has_ended()?;
        // Behind the white space comes the word of the next item.
        let next = tokens.get(own + 1).map(|token| token.range.start());
        let is_certain = is_rest || output.items.iter().all(|item| item.end.is_some());
        if output.next != next || !is_certain {
            return Ok(None);
        }
        lexical.retain(|error| error.range.start() < input.end);
        let input = Input {
            tokens: &tokens[..tokens.len().min(own + 1)],
            ..input
        };
        let parse = parse_of(input, lexical, output, interrupt)?;
        // What is left out at the end of an item can take the white space behind it into the item.
        let ends = child_at(&parse.green, self.new.len()).is_some();
        Ok((ends && !parse.items.is_too_deep).then_some(parse))
    }

    /// The parse of the whole text, from the one before and the one of the piece.
    fn in_place(&self, before: &Parse, piece: Parse) -> Parse {
        let into = Move(i64::from(u32::from(self.new.start())));
        let own = child_at(&piece.green, self.new.len()).unwrap_or_default();
        let children = piece
            .green
            .children()
            .take(own)
            .map(|child| child.to_owned());
        let green = before
            .green
            .splice_children(self.children.clone(), children);
        let warned = |at: TextSize| {
            let warnings = &before.warnings;
            warnings.partition_point(|warning| warning.range.start() < at)
        };
        let warnings = warned(self.old.start())..warned(self.old.end());
        let together = |all: &[SyntaxError], these: &Range<usize>, new: &[SyntaxError]| {
            let (kept, behind) = (&all[..these.start], &all[these.end..]);
            let new = new.iter().map(|error| into.of_error(error));
            let behind = behind.iter().map(|error| self.moved.of_error(error));
            kept.iter().cloned().chain(new).chain(behind).collect()
        };
        let items = &before.items.items;
        let (kept, behind) = (&items[..self.items.start], &items[self.items.end..]);
        let new = piece.items.items.iter().map(|item| item.moved(into));
        let behind = behind.iter().map(|item| item.moved(self.moved));
        Parse {
            green,
            errors: together(&before.errors, &self.errors, &piece.errors),
            warnings: together(&before.warnings, &warnings, &piece.warnings),
            items: Items {
                items: kept.iter().copied().chain(new).chain(behind).collect(),
                is_too_deep: false,
            },
        }
    }
}

/// What was there in the old text in the place of what is new.
fn changed(old: &[u8], new: &[u8]) -> TextRange {
    let alike = |(a, b): &(&u8, &u8)| a == b;
    let same = old.iter().zip(new).take_while(alike).count();
    let rest = old[same..].iter().rev().zip(new[same..].iter().rev());
    let end = old.len() - rest.take_while(alike).count();
    // Texts of 4 GB have been refused.
    TextRange::new(TextSize::new(same as u32), TextSize::new(end as u32))
}

/// The last item before which nothing has changed, nor anything that an item before it was read from.
fn first_touched(items: &[Extent], change: TextSize) -> usize {
    let mut first = 0;
    let mut looked = Some(TextSize::new(0));
    for (number, item) in items.iter().enumerate() {
        let word = item.first.end();
        // The character behind the word, which ends it, is before the change too.
        if word >= change {
            break;
        }
        if item.stands_alone() && looked.is_some_and(|looked| looked <= word) {
            first = number;
        }
        looked = looked.zip(item.looked).map(|(a, b)| a.max(b));
    }
    first
}

/// The numbers of the mistakes that were told of these items: the first token behind an item may be one
/// of its own, and the word of an item is none.
fn errors_of(before: &Parse, items: Range<usize>) -> Range<usize> {
    let up_to = |number: usize| match before.items.items.get(number) {
        Some(item) => before
            .errors
            .partition_point(|error| error.range.start() <= item.first.start()),
        None => before.errors.len(),
    };
    let start = if items.start == 0 {
        0
    } else {
        up_to(items.start)
    };
    start..up_to(items.end)
}

/// The number of the child of the root that begins there, or the number of children for the end.
fn child_at(root: &GreenNode, place: TextSize) -> Option<usize> {
    let mut offset = TextSize::new(0);
    let mut number = 0;
    for child in root.children() {
        if offset >= place {
            break;
        }
        offset += match child {
            NodeOrToken::Node(node) => node.text_len(),
            NodeOrToken::Token(token) => token.text_len(),
        };
        number += 1;
    }
    (offset == place).then_some(number)
}
