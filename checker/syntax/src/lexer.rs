//! Text to tokens. Every character belongs to a token, so the tokens' texts, one after the
//! other, are the text. The automaton that finds them is made of the patterns of [`SyntaxKind`];
//! reserved words are names to it.

use logos::Logos;
use rowan::{TextRange, TextSize};

use crate::foreign;
use crate::interrupt::Interrupt;
use crate::{MAX_NESTING, SyntaxError, SyntaxKind};

/// A token: its kind and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: SyntaxKind,
    /// Its place in the text.
    pub range: TextRange,
}

/// The tokens of a text, and what is wrong with single ones (a comment without its end, a
/// character that begins no token, …).
pub fn lex(text: &str) -> (Vec<Token>, Vec<SyntaxError>) {
    lex_unless(text, &Interrupt::new(&|| false))
}

/// As [`lex`]; not all of them where it is to end.
pub(crate) fn lex_unless(text: &str, interrupt: &Interrupt<'_>) -> (Vec<Token>, Vec<SyntaxError>) {
    let mut tokens: Vec<Token> = Vec::with_capacity(text.len() / 3);
    let mut errors = Vec::new();
    let mut lexer = SyntaxKind::lexer(text);
    while let Some(found) = lexer.next() {
        if interrupt.is_due() {
            break;
        }
        let start = lexer.span().start;
        let kind = match found.unwrap_or(SyntaxKind::UNKNOWN) {
            SyntaxKind::BLOCK_COMMENT => {
                let comment = block_comment(lexer.remainder());
                lexer.bump(comment.length);
                report_comment(&comment, start, lexer.span().end, &mut errors);
                SyntaxKind::BLOCK_COMMENT
            }
            SyntaxKind::LINE_COMMENT => {
                let text = lexer.slice();
                if text.starts_with("///") && !text.starts_with("////") {
                    SyntaxKind::DOC_COMMENT
                } else {
                    SyntaxKind::LINE_COMMENT
                }
            }
            SyntaxKind::IDENT => {
                SyntaxKind::from_reserved_word(lexer.slice()).unwrap_or(SyntaxKind::IDENT)
            }
            kind => kind,
        };
        let range = text_range(start, lexer.span().end);
        match tokens.last_mut() {
            Some(last) if kind == SyntaxKind::UNKNOWN && last.kind == SyntaxKind::UNKNOWN => {
                last.range = TextRange::new(last.range.start(), range.end());
            }
            _ => tokens.push(Token { kind, range }),
        }
    }
    for token in &tokens {
        report_token(
            token,
            &text[token.range],
            &text[token.range.end().into()..],
            &mut errors,
        );
    }
    errors.sort_by_key(|error| error.range.start());
    (tokens, errors)
}

/// Whether the text ends within a comment.
pub(crate) fn ends_in_comment(tokens: &[Token], text: &str) -> bool {
    tokens.last().is_some_and(|last| {
        let rest = text[last.range].strip_prefix("/*");
        rest.is_some_and(|rest| block_comment(rest).open > 0)
    })
}

fn text_range(start: usize, end: usize) -> TextRange {
    // Texts are refused above 4 GB before they come here (see `parse`).
    let size = |offset| TextSize::try_from(offset).unwrap_or(TextSize::new(u32::MAX));
    TextRange::new(size(start), size(end))
}

struct BlockComment {
    /// The bytes after the first `/*` that belong to it.
    length: usize,
    /// How many `/*` in it have no `*/`.
    open: usize,
    deepest: usize,
}

/// Finds the end of a comment; `rest` begins after its `/*`.
fn block_comment(rest: &str) -> BlockComment {
    let bytes = rest.as_bytes();
    let mut open = 1;
    let mut deepest = 1;
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'*')) => {
                open += 1;
                deepest = deepest.max(open);
                at += 2;
            }
            (b'*', Some(b'/')) => {
                open -= 1;
                at += 2;
                if open == 0 {
                    break;
                }
            }
            _ => at += 1,
        }
    }
    BlockComment {
        length: at,
        open,
        deepest,
    }
}

fn report_comment(comment: &BlockComment, start: usize, end: usize, errors: &mut Vec<SyntaxError>) {
    if comment.open > 0 {
        errors.push(
            SyntaxError::new("this comment has no end", text_range(start, start + 2))
                .with_hint("close it with `*/`; comments nest, so each `/*` in it needs its own"),
        );
    } else if comment.deepest > MAX_NESTING {
        errors.push(
            SyntaxError::new(
                format!("comments may be nested {MAX_NESTING} deep at the most"),
                text_range(start, end.min(start + 2)),
            )
            .with_hint("leave out the inner `/*` and `*/`"),
        );
    }
}

/// `rest` is what stands behind the token.
fn report_token(token: &Token, text: &str, rest: &str, errors: &mut Vec<SyntaxError>) {
    match token.kind {
        SyntaxKind::IDENT if !text.is_ascii() => {
            errors.push(foreign::foreign_name(text, token.range));
        }
        SyntaxKind::STRING if text.len() < 2 || !text.ends_with('"') => {
            errors.push(
                SyntaxError::new("this text has no end", token.range)
                    .with_hint("close it with `\"` on the same line"),
            );
        }
        SyntaxKind::INT => {
            let digits = text
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'_');
            if !digits {
                errors.push(
                    SyntaxError::new(
                        format!("`{text}` is neither a number nor a name"),
                        token.range,
                    )
                    .with_hint("numbers are decimal, and names do not begin with a digit"),
                );
            } else if text.ends_with('_') {
                errors.push(
                    SyntaxError::new(format!("`{text}` ends with `_`"), token.range)
                        .with_hint("`_` may stand between the digits of a number"),
                );
            }
        }
        SyntaxKind::UNKNOWN => errors.push(unknown(token.range, text, rest)),
        _ => {}
    }
}

fn unknown(range: TextRange, text: &str, rest: &str) -> SyntaxError {
    let shown: String = text.chars().take(8).flat_map(shown).collect();
    let error = SyntaxError::new(format!("`{shown}` means nothing here"), range);
    error.with_hint(foreign::mend_unknown(text, rest))
}

/// A character as it is shown in a message: what cannot be seen as its number.
fn shown(c: char) -> Vec<char> {
    // The Greek question mark looks like a `;`.
    if c.is_control() || c.is_whitespace() || c == '\u{37e}' {
        format!("U+{:04X}", c as u32).chars().collect()
    } else {
        vec![c]
    }
}

impl SyntaxError {
    /// The one token that its hint asks for in the place of what is wrong; none where the hint says
    /// anything else.
    pub fn instead(&self) -> Option<&str> {
        let hint = self.hint.as_deref().filter(|_| !self.range.is_empty())?;
        let quoted = hint
            .strip_prefix("write `")
            .and_then(|rest| rest.strip_suffix('`'))
            .or_else(|| hint.strip_prefix("did you mean `")?.strip_suffix("`?"))?;
        let (tokens, errors) = lex(quoted);
        let tokens = tokens.iter().filter(|token| token.kind != SyntaxKind::EOF);
        (errors.is_empty() && tokens.count() == 1).then_some(quoted)
    }
}
