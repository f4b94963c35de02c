//! Offsets to lines and columns, and back.
//!
//! A line ends with `\n`, `\r\n` or `\r`, as in the language server protocol. The end of a line
//! does not belong to its columns.

use rowan::{TextRange, TextSize};

/// A place for people: lines and columns count from 1, columns in Unicode scalar values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineColumn {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The unit of the characters of a [`Position`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// 16-bit units: two for a character above U+FFFF.
    Utf16,
    /// Unicode scalar values.
    Utf32,
}

/// A place for editors: lines and characters count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 0.
    pub line: u32,
    /// The character in the line, from 0, in the units of an [`Encoding`].
    pub character: u32,
}

/// The lines of one text. Making it costs one pass over the text; a look-up is a binary search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    lines: Vec<Line>,
    /// The characters of more than one byte, in the order of the text.
    wide: Vec<Wide>,
    length: TextSize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Line {
    start: TextSize,
    /// Where its line end begins.
    end: TextSize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Wide {
    start: TextSize,
    character: char,
    /// How many bytes more than 16-bit units, and than scalar values, the text has up to its end.
    surplus: [u32; 2],
}

impl Wide {
    fn end(self) -> TextSize {
        self.start + TextSize::of(self.character)
    }
}

impl Encoding {
    fn width(self, character: char) -> u32 {
        match self {
            Encoding::Utf8 => character.len_utf8() as u32,
            Encoding::Utf16 => character.len_utf16() as u32,
            Encoding::Utf32 => 1,
        }
    }
}

impl LineIndex {
    /// The lines of `text`. There is always one more line than line ends.
    pub fn new(text: &str) -> LineIndex {
        let mut lines = Vec::new();
        let mut wide = Vec::new();
        let mut start = TextSize::new(0);
        let mut surplus = [0; 2];
        let (bytes, mut offset) = (text.as_bytes(), 0);
        let is_special = |byte: &u8| matches!(byte, b'\r' | b'\n' | 0x80..);
        while let Some(next) = bytes[offset..].iter().position(is_special) {
            offset += next;
            let end = size(offset);
            match text[offset..].chars().next() {
                Some(character @ ('\r' | '\n')) => {
                    let is_pair = character == '\r' && bytes.get(offset + 1) == Some(&b'\n');
                    offset += if is_pair { 2 } else { 1 };
                    lines.push(Line { start, end });
                    start = size(offset);
                }
                Some(character) => {
                    offset += character.len_utf8();
                    let bytes = Encoding::Utf8.width(character);
                    surplus[0] += bytes - Encoding::Utf16.width(character);
                    surplus[1] += bytes - Encoding::Utf32.width(character);
                    wide.push(Wide {
                        start: end,
                        character,
                        surplus,
                    });
                }
                None => break,
            }
        }
        let length = size(text.len());
        lines.push(Line { start, end: length });
        LineIndex {
            lines,
            wide,
            length,
        }
    }

    /// The range of a line, from 0, without its line end.
    pub fn line_range(&self, line: u32) -> Option<TextRange> {
        self.lines
            .get(line as usize)
            .map(|line| TextRange::new(line.start, line.end))
    }

    /// The line and column of an offset. One behind the text is taken as its end, one within a
    /// character as its beginning, one within a line end as its beginning.
    pub fn line_column(&self, offset: TextSize) -> LineColumn {
        let position = self.position(offset, Encoding::Utf32);
        LineColumn {
            line: position.line + 1,
            column: position.character + 1,
        }
    }

    /// The position of an offset; see [`LineIndex::line_column`].
    pub fn position(&self, offset: TextSize, encoding: Encoding) -> Position {
        let offset = offset.min(self.length);
        let number = self
            .lines
            .partition_point(|line| line.start <= offset)
            .saturating_sub(1);
        let line = self.lines[number];
        let offset = offset.min(line.end);
        // Those of the line up to the offset, the last of which it may be within.
        let first = self.wide.partition_point(|wide| wide.start < line.start);
        let behind = self.wide.partition_point(|wide| wide.start < offset);
        let mut last = behind.checked_sub(1);
        let mut character = u32::from(offset - line.start);
        if let Some(wide) = last
            .filter(|last| *last >= first)
            .map(|last| self.wide[last])
            && wide.end() > offset
        {
            character -= u32::from(offset - wide.start);
            last = last.and_then(|last| last.checked_sub(1));
        }
        let surplus = |last: Option<usize>| match (last, encoding) {
            (None, _) | (_, Encoding::Utf8) => 0,
            (Some(last), Encoding::Utf16) => self.wide[last].surplus[0],
            (Some(last), Encoding::Utf32) => self.wide[last].surplus[1],
        };
        character -= surplus(last) - surplus(first.checked_sub(1));
        Position {
            line: number as u32,
            character,
        }
    }

    /// The offset of a position. A character behind the end of its line is taken as that end, a
    /// line behind the text as the end of the text, a place within a character as its beginning.
    pub fn offset(&self, position: Position, encoding: Encoding) -> TextSize {
        let Some(&line) = self.lines.get(position.line as usize) else {
            return self.length;
        };
        let mut offset = line.start;
        let mut left = position.character;
        for wide in self.wide_from(line.start) {
            if wide.start >= line.end {
                break;
            }
            let narrow = u32::from(wide.start - offset);
            if left <= narrow {
                break;
            }
            left -= narrow;
            let width = encoding.width(wide.character);
            if left < width {
                return wide.start;
            }
            left -= width;
            offset = wide.end();
        }
        let room = u32::from(line.end - offset);
        offset + TextSize::new(left.min(room))
    }

    /// The offset of a line and column; see [`LineIndex::offset`]. Line and column 0 are taken
    /// as 1.
    pub fn offset_of(&self, place: LineColumn) -> TextSize {
        let position = Position {
            line: place.line.saturating_sub(1),
            character: place.column.saturating_sub(1),
        };
        self.offset(position, Encoding::Utf32)
    }

    fn wide_from(&self, start: TextSize) -> impl Iterator<Item = Wide> + '_ {
        let first = self.wide.partition_point(|wide| wide.start < start);
        self.wide[first..].iter().copied()
    }
}

fn size(offset: usize) -> TextSize {
    TextSize::try_from(offset).unwrap_or(TextSize::new(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ab\r\nä€𝒳d\n\nlast\rq";

    fn at(pattern: &str) -> TextSize {
        size(TEXT.find(pattern).expect("the pattern is in the text"))
    }

    fn position(line: u32, character: u32) -> Position {
        Position { line, character }
    }

    #[test]
    fn columns_for_people_count_scalar_values_from_one() {
        let index = LineIndex::new(TEXT);
        assert_eq!(
            index.line_column(0.into()),
            LineColumn { line: 1, column: 1 }
        );
        assert_eq!(
            index.line_column(at("d")),
            LineColumn { line: 2, column: 4 }
        );
        assert_eq!(
            index.line_column(at("last")),
            LineColumn { line: 4, column: 1 }
        );
        assert_eq!(
            index.line_column(at("q")),
            LineColumn { line: 5, column: 1 }
        );
        assert_eq!(index.lines.len(), 5);
    }

    #[test]
    fn each_encoding_counts_in_its_own_units() {
        let index = LineIndex::new(TEXT);
        assert_eq!(index.position(at("d"), Encoding::Utf8), position(1, 9));
        assert_eq!(index.position(at("d"), Encoding::Utf16), position(1, 4));
        assert_eq!(index.position(at("d"), Encoding::Utf32), position(1, 3));
    }

    #[test]
    fn every_boundary_goes_there_and_back_in_every_encoding() {
        let index = LineIndex::new(TEXT);
        let line_end_inside = at("\n");
        for (offset, _) in TEXT.char_indices().chain([(TEXT.len(), 'x')]) {
            let offset = size(offset);
            if offset == line_end_inside {
                continue;
            }
            for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
                let there = index.position(offset, encoding);
                assert_eq!(
                    index.offset(there, encoding),
                    offset,
                    "{there:?} {encoding:?}"
                );
            }
            assert_eq!(index.offset_of(index.line_column(offset)), offset);
        }
    }

    #[test]
    fn what_lies_past_the_end_is_taken_as_the_end() {
        let index = LineIndex::new(TEXT);
        assert_eq!(index.offset(position(0, 99), Encoding::Utf16), 2.into());
        assert_eq!(
            index.offset(position(1, 99), Encoding::Utf16),
            at("\n\nlast")
        );
        assert_eq!(
            index.offset(position(99, 0), Encoding::Utf16),
            size(TEXT.len())
        );
        assert_eq!(
            index.line_column(1000.into()),
            LineColumn { line: 5, column: 2 }
        );
        assert_eq!(
            LineIndex::new("").line_column(7.into()),
            LineColumn { line: 1, column: 1 }
        );
    }

    #[test]
    fn the_middle_of_a_character_or_of_a_line_end_is_its_beginning() {
        let index = LineIndex::new(TEXT);
        let astral = at("𝒳");
        assert_eq!(index.offset(position(1, 3), Encoding::Utf16), astral);
        assert_eq!(
            index.position(astral + TextSize::new(2), Encoding::Utf32),
            index.position(astral, Encoding::Utf32)
        );
        assert_eq!(
            index.line_column(3.into()),
            LineColumn { line: 1, column: 3 }
        );
    }

    #[test]
    fn a_line_is_known_without_its_end() {
        let index = LineIndex::new(TEXT);
        let lines: Vec<&str> = (0..)
            .map_while(|line| index.line_range(line))
            .map(|range| &TEXT[range])
            .collect();
        assert_eq!(lines, ["ab", "ä€𝒳d", "", "last", "q"]);
    }
}
