//! Files and places in them.

/// Which file of a program, in the order in which they were met: the
/// given one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// A piece of a file's text, in bytes, `start <= end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub file: FileId,
    pub start: u32,
    pub end: u32,
}

/// Where the lines of a text begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    /// The offset of the first byte of each line.
    starts: Vec<u32>,
}

/// A line and a column, both counted from 1; columns count Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LineColumn {
    pub line: u32,
    pub column: u32,
}

impl LineIndex {
    pub fn new(text: &str) -> LineIndex {
        let after_breaks = text
            .bytes()
            .enumerate()
            .filter(|(_, byte)| *byte == b'\n')
            .map(|(offset, _)| offset as u32 + 1);
        LineIndex {
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    /// The line of a byte offset, counted from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.starts.partition_point(|start| *start <= offset) as u32
    }

    /// The position of a byte offset in `text`, which must be the text that the index was made of.
    /// An offset behind the end is at the end.
    pub fn position(&self, text: &str, offset: u32) -> LineColumn {
        let line = self.line(offset);
        let start = self.starts[line as usize - 1] as usize;
        let end = (offset as usize).min(text.len());
        let column = text
            .get(start..end)
            .map_or(0, |before| before.chars().count());
        LineColumn {
            line,
            column: column as u32 + 1,
        }
    }
}
