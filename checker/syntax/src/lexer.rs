//! Text to tokens. Every character belongs to a token, so the tokens' texts, one after the
//! other, are the text.

use logos::Logos;
use rowan::{TextRange, TextSize};

use crate::grammar::elsewhere;
use crate::interrupt::Interrupt;
use crate::{MAX_NESTING, SyntaxError, SyntaxKind};

/// A token: its kind and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: SyntaxKind,
    /// Where it stands.
    pub range: TextRange,
}

/// What the automaton of logos tells apart; reserved words are names to it.
#[derive(Logos, Debug, Clone, Copy, PartialEq, Eq)]
enum Raw {
    #[regex(r"[ \t\r\n\x0b\x0c\u{FEFF}]+")]
    Whitespace,
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    LineComment,
    #[token("/*")]
    BlockComment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    /// A name with letters that names do not have.
    #[regex(r"[\p{L}_][\p{L}\p{M}\p{N}_]*", priority = 1)]
    ForeignWord,
    #[regex(r"[0-9][A-Za-z0-9_]*")]
    Int,
    #[regex(r#""[^"\r\n]*"?"#)]
    String,
    /// What people put in quotation marks that are none here.
    #[regex(r"'[A-Za-z0-9_]*'")]
    Quoted,
    /// Operators of other languages.
    #[regex(r"/\\|\\/|\\\*|\\[A-Za-z]+|~>")]
    ForeignOperator,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    LBrace,
    #[token("}")]
    RBrace,
    #[token("[")]
    LBracket,
    #[token("]")]
    RBracket,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("::")]
    ColonColon,
    #[token(":=")]
    ColonEq,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token("->")]
    Arrow,
    #[token("=>")]
    FatArrow,
    #[token("@")]
    At,
    #[token("?")]
    Question,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("=")]
    Eq,
    #[token("==")]
    EqEq,
    #[token("!")]
    Bang,
    #[token("!=")]
    BangEq,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEq,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEq,
    #[token("&&")]
    AmpAmp,
    #[token("||")]
    PipePipe,
    #[token("&")]
    Amp,
    #[token("|")]
    Pipe,
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
    let mut lexer = Raw::lexer(text);
    while let Some(raw) = lexer.next() {
        if interrupt.is_due() {
            break;
        }
        let start = lexer.span().start;
        let kind = match raw {
            Ok(Raw::BlockComment) => {
                let comment = block_comment(lexer.remainder());
                lexer.bump(comment.length);
                report_comment(&comment, start, lexer.span().end, &mut errors);
                SyntaxKind::BLOCK_COMMENT
            }
            Ok(Raw::LineComment) => {
                let text = lexer.slice();
                if text.starts_with("///") && !text.starts_with("////") {
                    SyntaxKind::DOC_COMMENT
                } else {
                    SyntaxKind::LINE_COMMENT
                }
            }
            Ok(Raw::Word) => {
                SyntaxKind::from_reserved_word(lexer.slice()).unwrap_or(SyntaxKind::IDENT)
            }
            Ok(raw) => raw.kind(),
            Err(()) => SyntaxKind::UNKNOWN,
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
            errors.push(elsewhere::foreign_name(text, token.range));
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
    error.with_hint(elsewhere::mend_unknown(text, rest))
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

impl Raw {
    fn kind(self) -> SyntaxKind {
        match self {
            Raw::Whitespace => SyntaxKind::WHITESPACE,
            Raw::LineComment => SyntaxKind::LINE_COMMENT,
            Raw::BlockComment => SyntaxKind::BLOCK_COMMENT,
            Raw::Word => SyntaxKind::IDENT,
            Raw::Int => SyntaxKind::INT,
            Raw::String => SyntaxKind::STRING,
            Raw::ForeignWord => SyntaxKind::IDENT,
            Raw::Quoted | Raw::ForeignOperator => SyntaxKind::UNKNOWN,
            Raw::LParen => SyntaxKind::L_PAREN,
            Raw::RParen => SyntaxKind::R_PAREN,
            Raw::LBrace => SyntaxKind::L_BRACE,
            Raw::RBrace => SyntaxKind::R_BRACE,
            Raw::LBracket => SyntaxKind::L_BRACKET,
            Raw::RBracket => SyntaxKind::R_BRACKET,
            Raw::Comma => SyntaxKind::COMMA,
            Raw::Semicolon => SyntaxKind::SEMICOLON,
            Raw::Colon => SyntaxKind::COLON,
            Raw::ColonColon => SyntaxKind::COLON_COLON,
            Raw::ColonEq => SyntaxKind::COLON_EQ,
            Raw::Dot => SyntaxKind::DOT,
            Raw::DotDot => SyntaxKind::DOT_DOT,
            Raw::Arrow => SyntaxKind::ARROW,
            Raw::FatArrow => SyntaxKind::FAT_ARROW,
            Raw::At => SyntaxKind::AT,
            Raw::Question => SyntaxKind::QUESTION,
            Raw::Plus => SyntaxKind::PLUS,
            Raw::Minus => SyntaxKind::MINUS,
            Raw::Star => SyntaxKind::STAR,
            Raw::Slash => SyntaxKind::SLASH,
            Raw::Percent => SyntaxKind::PERCENT,
            Raw::Eq => SyntaxKind::EQ,
            Raw::EqEq => SyntaxKind::EQ_EQ,
            Raw::Bang => SyntaxKind::BANG,
            Raw::BangEq => SyntaxKind::BANG_EQ,
            Raw::Less => SyntaxKind::LESS,
            Raw::LessEq => SyntaxKind::LESS_EQ,
            Raw::Greater => SyntaxKind::GREATER,
            Raw::GreaterEq => SyntaxKind::GREATER_EQ,
            Raw::AmpAmp => SyntaxKind::AMP_AMP,
            Raw::PipePipe => SyntaxKind::PIPE_PIPE,
            Raw::Amp => SyntaxKind::AMP,
            Raw::Pipe => SyntaxKind::PIPE,
        }
    }
}
