//! The formatter: it changes white space alone.
//!
//! Where a line ends is mostly the author's choice and stays; what is between the tokens of a
//! line, how deep a line stands, and where the columns of `->`, of one-line states and of
//! comments are, is the formatter's. A block is either on one line or has its braces on lines
//! of their own side.

mod anchors;
mod columns;
mod indentation;
mod spacing;

pub use indentation::indentation;

use crate::interrupt::{Interrupt, Interrupted};
use crate::parse::parse_unless;
use crate::{SyntaxError, SyntaxKind, SyntaxNode, SyntaxToken};
use anchors::{Anchor, anchors};
use columns::{Column, Line};
use indentation::INDENT;

/// What some editors begin a file with, to say that it is in UTF-8.
const BYTE_ORDER: char = '\u{feff}';
/// Between two steps on one line.
const STEP_GAP: usize = 3;

/// The text in the layout of the language: four spaces for each level, at most one blank line,
/// columns of `->` and of comments aligned. Formatting twice gives what formatting once does. A mark of
/// the byte order at the beginning is not of the layout, and stays.
///
/// # Errors
///
/// A text with syntax errors is refused; the errors are those of [`parse`].
pub fn format(text: &str) -> Result<String, Vec<SyntaxError>> {
    format_within(text, &|| false).map_err(|unformatted| match unformatted {
        Unformatted::Mistaken(errors) => errors,
        Unformatted::Interrupted => Vec::new(),
    })
}

/// Why a text was not formatted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unformatted {
    /// It has these mistakes in its syntax.
    Mistaken(Vec<SyntaxError>),
    Interrupted,
}

impl From<Interrupted> for Unformatted {
    fn from(_: Interrupted) -> Unformatted {
        Unformatted::Interrupted
    }
}

/// As [`format`], and asks from time to time whether to end.
///
/// # Errors
/// Where the text has syntax errors, or the work was to end.
pub fn format_within(text: &str, is_to_end: &dyn Fn() -> bool) -> Result<String, Unformatted> {
    let interrupt = &Interrupt::new(is_to_end);
    let parse = parse_unless(text, interrupt)?;
    if !parse.errors.is_empty() {
        return Err(Unformatted::Mistaken(parse.errors));
    }
    let root = parse.syntax();
    let mut formatter = Formatter::new(&root, interrupt);
    interrupt.has_ended()?;
    formatter.run(interrupt);
    let line_end = line_end(&root, interrupt);
    interrupt.has_ended()?;
    let laid_out = columns::lay_out(formatter.lines, line_end, interrupt);
    interrupt.has_ended()?;
    Ok(match text.starts_with(BYTE_ORDER) {
        true => format!("{BYTE_ORDER}{laid_out}"),
        false => laid_out,
    })
}

/// What ends most lines of the text.
fn line_end(root: &SyntaxNode, interrupt: &Interrupt<'_>) -> &'static str {
    let mut windows = 0usize;
    let mut others = 0usize;
    for element in root.descendants_with_tokens() {
        if interrupt.is_due() {
            break;
        }
        if let Some(token) = element
            .into_token()
            .filter(|it| it.kind() == SyntaxKind::WHITESPACE)
        {
            let pairs = token.text().matches("\r\n").count();
            windows += pairs;
            others += count_line_ends(token.text()) - pairs;
        }
    }
    if windows > others { "\r\n" } else { "\n" }
}

/// A token that is no white space and no comment, with what stands before it.
struct Item {
    token: SyntaxToken,
    comments: Vec<Comment>,
    /// How many line ends stand directly before it.
    line_ends: usize,
    /// Whether white space or a comment stands before it.
    is_apart: bool,
    anchor: Anchor,
}

struct Comment {
    text: String,
    line_ends: usize,
    is_line: bool,
}

struct Formatter {
    items: Vec<Item>,
    /// The comments after the last token.
    rest: Vec<Comment>,
    lines: Vec<Line>,
    /// For each token that has been written, the number of its line.
    written: Vec<usize>,
}

impl Formatter {
    /// Not all of it where it is to end.
    fn new(root: &SyntaxNode, interrupt: &Interrupt<'_>) -> Formatter {
        let mut items = Vec::new();
        let mut comments = Vec::new();
        let mut line_ends = 0;
        let mut is_apart = false;
        let anchors = anchors(root, interrupt);
        let tokens = root
            .descendants_with_tokens()
            .filter_map(|element| element.into_token());
        for token in tokens {
            if interrupt.is_due() {
                break;
            }
            match token.kind() {
                SyntaxKind::WHITESPACE => {
                    line_ends += count_line_ends(token.text());
                    is_apart = true;
                }
                kind if kind.is_trivia() => {
                    comments.push(Comment {
                        text: token.text().trim_end().to_string(),
                        line_ends,
                        is_line: kind != SyntaxKind::BLOCK_COMMENT,
                    });
                    line_ends = 0;
                    is_apart = true;
                }
                _ => {
                    let anchor = anchors.get(items.len()).copied().unwrap_or(Anchor::Margin);
                    items.push(Item {
                        token,
                        comments: std::mem::take(&mut comments),
                        line_ends,
                        is_apart,
                        anchor,
                    });
                    line_ends = 0;
                    is_apart = false;
                }
            }
        }
        Formatter {
            items,
            rest: comments,
            lines: Vec::new(),
            written: Vec::new(),
        }
    }

    fn run(&mut self, interrupt: &Interrupt<'_>) {
        for index in 0..self.items.len() {
            if interrupt.is_due() {
                return;
            }
            self.item(index);
        }
        let rest = std::mem::take(&mut self.rest);
        self.comments(&rest, 0, true);
    }

    fn item(&mut self, index: usize) {
        let comments = std::mem::take(&mut self.items[index].comments);
        let item = &self.items[index];
        let before = index
            .checked_sub(1)
            .map(|before| self.items[before].token.clone());
        let mut line_ends = item.line_ends;
        if comments.is_empty() && spacing::joins_line_before(&item.token) {
            line_ends = 0;
        }
        if before.is_none() || spacing::must_begin_line(before.as_ref(), &item.token) {
            line_ends = line_ends.max(1);
        }
        if comments.last().is_some_and(|comment| comment.is_line) {
            line_ends = line_ends.max(1);
        }
        if item.token.kind() == SyntaxKind::R_BRACE
            && comments.is_empty()
            && before
                .as_ref()
                .is_some_and(|before| before.kind() == SyntaxKind::L_BRACE)
        {
            line_ends = 0;
        }
        let indent = self.indent(item.anchor);
        let is_closer = matches!(item.anchor, Anchor::Closes(_));
        let comment_indent = if is_closer { indent + INDENT } else { indent };
        let at_end_of_line = line_ends > 0;
        self.comments(&comments, comment_indent, at_end_of_line);

        let item = &self.items[index];
        let after_opener = comments.is_empty()
            && before.is_some_and(|before| before.kind() == SyntaxKind::L_BRACE);
        if line_ends > 0 {
            let blank = line_ends > 1 && !is_closer && !after_opener;
            let token = item.token.clone();
            self.begin_line(indent, blank);
            if spacing::is_arrow_of_state(&token) {
                self.arrow(&token);
            }
            self.write(token.text());
        } else {
            let token = item.token.clone();
            let gap = self.gap(index, !comments.is_empty());
            match self.column_before(index) {
                Some((Column::Arrow, _)) => self.arrow(&token),
                Some((column, gap)) => self.column(column, gap),
                None => self.write(&" ".repeat(gap)),
            }
            self.write(token.text());
        }
        self.written.push(self.lines.len().saturating_sub(1));
    }

    /// The space before a token that does not begin a line.
    fn gap(&self, index: usize, after_comment: bool) -> usize {
        let Some(before) = index.checked_sub(1) else {
            return 0;
        };
        if after_comment {
            return 1;
        }
        let is_apart = |index: usize| self.items.get(index).is_none_or(|item| item.is_apart);
        let (left, right) = (&self.items[before].token, &self.items[index].token);
        let is_spaced = if spacing::is_sum_or_product(right) {
            is_apart(index) || is_apart(index + 1)
        } else if spacing::is_sum_or_product(left) {
            is_apart(before) || is_apart(index)
        } else {
            spacing::is_spaced(left, right)
        };
        usize::from(is_spaced)
    }

    /// The column that begins with a token in the middle of a line, if one does.
    fn column_before(&self, index: usize) -> Option<(Column, usize)> {
        let before = &self.items[index.checked_sub(1)?].token;
        let token = &self.items[index].token;
        if spacing::is_brace_of_line(token) {
            return Some((Column::Brace, 1));
        }
        if spacing::begins_step_of_state(token) && before.kind() != SyntaxKind::L_BRACE {
            let gap = if before.kind() == SyntaxKind::SEMICOLON {
                1
            } else {
                STEP_GAP
            };
            return Some((Column::Step, gap));
        }
        if spacing::is_arrow_of_state(token) {
            return Some((Column::Arrow, 1));
        }
        None
    }

    fn comments(&mut self, comments: &[Comment], indent: usize, ends_line: bool) {
        let mut after_line_comment = false;
        for (number, comment) in comments.iter().enumerate() {
            let begins_line = comment.line_ends > 0 || after_line_comment || self.lines.is_empty();
            let next_ends = match comments.get(number + 1) {
                Some(next) => comment.is_line || next.line_ends > 0,
                None => ends_line,
            };
            if begins_line {
                let after_opener = number == 0 && self.ends_with_opener();
                self.begin_line(indent, comment.line_ends > 1 && !after_opener);
                self.write(&comment.text);
            } else if next_ends && !comment.text.contains('\n') && !self.has_comment() {
                if let Some(line) = self.lines.last_mut() {
                    line.comment = Some(comment.text.clone());
                }
            } else {
                self.write(" ");
                self.write(&comment.text);
            }
            after_line_comment = comment.is_line;
        }
    }

    fn has_comment(&self) -> bool {
        self.lines.last().is_some_and(|line| line.comment.is_some())
    }

    fn ends_with_opener(&self) -> bool {
        let count = self.written.len();
        let last = count.checked_sub(1).and_then(|last| self.items.get(last));
        last.is_some_and(|item| item.token.kind() == SyntaxKind::L_BRACE)
    }

    fn begin_line(&mut self, indent: usize, blank: bool) {
        if blank && !self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        self.lines.push(Line::new(indent));
    }

    fn column(&mut self, column: Column, gap: usize) {
        if let Some(line) = self.lines.last_mut() {
            line.begin_column(column, gap);
        }
    }

    fn arrow(&mut self, token: &SyntaxToken) {
        if let Some(line) = self.lines.last_mut() {
            line.begin_arrow(spacing::home_of(token));
        }
    }

    fn write(&mut self, text: &str) {
        if let Some(line) = self.lines.last_mut() {
            line.write(text);
        }
    }

    /// How deep a line stands that begins with a token with this anchor.
    fn indent(&self, anchor: Anchor) -> usize {
        let of_line = |token: usize| {
            let line = self
                .written
                .get(token)
                .and_then(|&line| self.lines.get(line));
            line.map_or(0, |line| line.indent)
        };
        match anchor {
            Anchor::Margin => 0,
            Anchor::Within(token) => of_line(token) + INDENT,
            Anchor::Closes(token) | Anchor::Level(token) => of_line(token),
        }
    }
}

/// `\n`, `\r\n` and `\r` each end a line.
fn count_line_ends(text: &str) -> usize {
    let mut count = 0;
    let mut last = ' ';
    for character in text.chars() {
        if character == '\r' || (character == '\n' && last != '\r') {
            count += 1;
        }
        last = character;
    }
    count
}
