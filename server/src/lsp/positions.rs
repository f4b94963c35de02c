//! Where something stands in an open text, as the client counts.
//!
//! The protocol counts lines, and in a line the units of an encoding that client and server agree
//! on. Whatever a client sends means a place in the text: a line after the last is the end of the
//! text, a character after the last of a line is the end of the line, and the middle of a character
//! is where the character begins. In texts that are no longer edited, [`stubborn_syntax::LineIndex`]
//! finds the same places.

use ropey::{Rope, RopeSlice};
use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{Position, PositionEncodingKind};

/// The first of the client's encodings that is known, for a client lists them as it likes them;
/// UTF-16, which every client understands, where it lists none.
pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Encoding {
    offered
        .unwrap_or_default()
        .iter()
        .find_map(|kind| match kind.as_str() {
            "utf-8" => Some(Encoding::Utf8),
            "utf-16" => Some(Encoding::Utf16),
            "utf-32" => Some(Encoding::Utf32),
            _ => None,
        })
        .unwrap_or(Encoding::Utf16)
}

/// What the protocol calls an encoding.
pub fn kind(encoding: Encoding) -> PositionEncodingKind {
    match encoding {
        Encoding::Utf8 => PositionEncodingKind::UTF8,
        Encoding::Utf16 => PositionEncodingKind::UTF16,
        Encoding::Utf32 => PositionEncodingKind::UTF32,
    }
}

/// The index of the character of `rope` at a position.
pub fn char_index(rope: &Rope, position: Position, encoding: Encoding) -> usize {
    let line = position.line as usize;
    if line >= rope.len_lines() {
        return rope.len_chars();
    }
    let text = without_line_end(rope.line(line));
    let unit = position.character as usize;
    let within = match encoding {
        Encoding::Utf8 => text.byte_to_char(unit.min(text.len_bytes())),
        Encoding::Utf16 => text.utf16_cu_to_char(unit.min(text.len_utf16_cu())),
        Encoding::Utf32 => unit.min(text.len_chars()),
    };
    rope.line_to_char(line) + within
}

fn without_line_end(line: RopeSlice<'_>) -> RopeSlice<'_> {
    let mut end = line.len_chars();
    while end > 0 && matches!(line.char(end - 1), '\n' | '\r') {
        end -= 1;
    }
    line.slice(..end)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use stubborn_syntax::LineIndex;

    use super::*;

    #[test]
    fn the_middle_of_a_character_is_where_it_begins() {
        let rope = Rope::from_str("a𝔸b");
        let at = Position::new(0, 2);
        assert_eq!(char_index(&rope, at, Encoding::Utf16), 1);
        assert_eq!(char_index(&rope, at, Encoding::Utf8), 1);
        assert_eq!(char_index(&rope, at, Encoding::Utf32), 2);
    }

    #[test]
    fn the_first_known_encoding_of_the_client_is_taken() {
        let kinds = [
            PositionEncodingKind::new("utf-7"),
            PositionEncodingKind::UTF32,
            PositionEncodingKind::UTF8,
        ];
        assert_eq!(negotiate(Some(&kinds)), Encoding::Utf32);
        assert_eq!(negotiate(Some(&[])), Encoding::Utf16);
        assert_eq!(negotiate(None), Encoding::Utf16);
    }

    proptest! {
        #[test]
        fn an_open_text_and_one_at_rest_have_the_same_places(
            text in "[ab\r\n\u{b}\u{2028}é𝔸]{0,20}",
            line in 0u32..6,
            character in 0u32..12,
        ) {
            let (rope, lines) = (Rope::from_str(&text), LineIndex::new(&text));
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let open = char_index(&rope, Position::new(line, character), encoding);
                let at = stubborn_syntax::Position { line, character };
                let rest = usize::from(lines.offset(at, encoding));
                prop_assert_eq!(rope.char_to_byte(open), rest);
            }
        }
    }
}
