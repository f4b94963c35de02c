//! Places in files, as people count: lines and columns from 1.

use std::ops::Range;
use std::sync::Arc;

use serde::Serialize;
use stubborn_model::program::Program;
use stubborn_syntax::{LineIndex, TextSize};
use stubborn_system::source::{FileId, Span};

/// A piece of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The path by which the file is known to the user.
    pub file: Arc<str>,
    pub bytes: Range<u32>,
    pub range: TextRange,
}

/// From the first place to the first place after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct TextRange {
    pub start: Position,
    pub end: Position,
}

/// Lines and columns count from 1, columns in Unicode scalar values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// The files of a program, by [`FileId`], for turning spans into places.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    files: Vec<TextFile>,
}

#[derive(Clone, Debug)]
struct TextFile {
    path: Arc<str>,
    text: Arc<str>,
    lines: Arc<LineIndex>,
}

impl Texts {
    /// The paths and texts in the order of their [`FileId`]s.
    pub fn new(files: impl IntoIterator<Item = (Arc<str>, Arc<str>)>) -> Texts {
        let files = files.into_iter().map(|(path, text)| TextFile {
            lines: LineIndex::new(&text).into(),
            path,
            text,
        });
        Texts {
            files: files.collect(),
        }
    }

    /// The files of a program.
    pub fn of(program: &Program) -> Texts {
        let files = program.files.iter().map(|file| TextFile {
            path: file.path.as_str().into(),
            text: Arc::clone(&file.text),
            lines: Arc::clone(&file.lines),
        });
        Texts {
            files: files.collect(),
        }
    }

    /// The paths and texts.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|one| (&*one.path, &*one.text))
    }

    /// Takes up the files of others that are not known yet. Spans then belong to neither; what is
    /// asked for by its path is.
    pub fn add(&mut self, others: &Texts) {
        for other in &others.files {
            if !self.files.iter().any(|known| known.path == other.path) {
                self.files.push(other.clone());
            }
        }
    }

    pub fn path(&self, file: FileId) -> &str {
        self.files
            .get(file.0 as usize)
            .map_or("", |file| &file.path)
    }

    /// The whole text of the file with this path.
    pub fn text_of(&self, path: &str) -> Option<&str> {
        self.files
            .iter()
            .find(|file| &*file.path == path)
            .map(|file| &*file.text)
    }

    /// What stands in a span; empty where there is no such text.
    pub fn text(&self, span: Span) -> &str {
        self.files
            .get(span.file.0 as usize)
            .and_then(|file| file.text.get(span.start as usize..span.end as usize))
            .unwrap_or("")
    }

    /// The text of a span on one line, white space made one blank, cut after `width` characters.
    pub fn excerpt(&self, span: Span, width: usize) -> String {
        excerpt(self.text(span), width)
    }

    /// The line on which a span begins, from 1.
    pub fn line(&self, span: Span) -> u32 {
        self.place(span).range.start.line
    }

    pub fn place(&self, span: Span) -> Place {
        let Some(file) = self.files.get(span.file.0 as usize) else {
            return Place::nowhere();
        };
        Place {
            file: file.path.clone(),
            bytes: span.start..span.end,
            range: TextRange {
                start: file.position(span.start),
                end: file.position(span.end),
            },
        }
    }
}

impl Place {
    /// The beginning of a file without a name.
    pub(super) fn nowhere() -> Place {
        let origin = Position { line: 1, column: 1 };
        Place {
            file: "".into(),
            bytes: 0..0,
            range: TextRange {
                start: origin,
                end: origin,
            },
        }
    }
}

impl TextFile {
    fn position(&self, offset: u32) -> Position {
        let at = self.lines.line_column(TextSize::new(offset));
        Position {
            line: at.line,
            column: at.column,
        }
    }
}

/// `text` on one line without comments, cut after `width` characters.
pub(super) fn excerpt(text: &str, width: usize) -> String {
    let text = without_comments(text);
    let words: Vec<&str> = text.split_whitespace().collect();
    cut(&words.join(" "), width)
}

/// A blank in the place of each comment; those between `/*` and `*/` nest.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut depth = 0;
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let passed = match depth {
            0 if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => {
                depth += 1;
                kept.push(' ');
                2
            }
            1.. if rest.starts_with("*/") => {
                depth -= 1;
                2
            }
            0 => {
                kept.push(next);
                next.len_utf8()
            }
            _ => next.len_utf8(),
        };
        rest = &rest[passed..];
    }
    kept
}

/// A line, cut after `width` characters.
pub fn cut(line: &str, width: usize) -> String {
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let kept: String = line.chars().take(width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_from_one() {
        let texts = Texts::new([("a.stb".into(), "// é\nvar x: bool\n".into())]);
        let at = |start, end| {
            texts
                .place(Span {
                    file: FileId(0),
                    start,
                    end,
                })
                .range
        };
        let position = |line, column| Position { line, column };
        assert_eq!(
            at(5, 6),
            TextRange {
                start: position(1, 5),
                end: position(2, 1)
            }
        );
        assert_eq!(
            at(10, 11),
            TextRange {
                start: position(2, 5),
                end: position(2, 6)
            }
        );
        assert_eq!(at(18, 18).start, position(3, 1));
    }

    #[test]
    fn a_span_of_no_file_is_the_origin() {
        let place = Texts::default().place(Span {
            file: FileId(3),
            start: 4,
            end: 9,
        });
        assert_eq!(place.range.start, Position { line: 1, column: 1 });
    }

    #[test]
    fn an_excerpt_is_one_line_without_comments() {
        assert_eq!(
            excerpt("when a   // why\n  do x = 1", 40),
            "when a do x = 1"
        );
        assert_eq!(
            excerpt("when /* a /* b */ c */ d // e\n*/ é", 40),
            "when d */ é"
        );
        assert_eq!(excerpt("await last[j] != i", 10), "await las…");
    }
}
