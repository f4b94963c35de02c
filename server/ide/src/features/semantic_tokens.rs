//! What each token of a text is: its class where the tree tells it, and of a name what it stands for.
//!
//! The kinds and modifiers are some of those that every theme knows. A name that stands for nothing
//! known has no token, so that it keeps the colour of plain text.

use std::collections::HashMap;
use std::ops::Range;

use stubborn_model::names::BUILT_IN_FUNCTIONS;
use stubborn_model::names::symbols::{Symbol, SymbolKind, Symbols};
use stubborn_syntax::{SyntaxKind, SyntaxToken, TokenClass, classify};
use stubborn_system::source::FileId;

use super::tree::span;
use crate::database::{Db, SourceFile, analyzed, parsed};

/// A piece of one line that is to be told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub bytes: Range<usize>,
    pub kind: Kind,
    /// A bit for each of [`MODIFIERS`].
    pub modifiers: u32,
}

/// In the order of [`KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Keyword,
    Comment,
    String,
    Number,
    Operator,
    Variable,
    Parameter,
    /// The field of a record.
    Property,
    /// A definition, a property, or a built-in function.
    Function,
    Macro,
    Type,
    Enum,
    /// A value of an enumeration; a state or a label, which is one of those that a process has.
    EnumMember,
    /// A process or a tester.
    Class,
    /// An action.
    Event,
}

/// What the protocol calls the kinds.
pub const KINDS: [&str; 15] = [
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "variable",
    "parameter",
    "property",
    "function",
    "macro",
    "type",
    "enum",
    "enumMember",
    "class",
    "event",
];

const DECLARATION: u32 = 1;
/// It keeps its value.
const READONLY: u32 = 1 << 1;
/// It documents something.
const DOCUMENTATION: u32 = 1 << 2;
/// The language brings it along.
const DEFAULT_LIBRARY: u32 = 1 << 3;

/// What the protocol calls the modifiers, from the lowest bit on.
pub const MODIFIERS: [&str; 4] = ["declaration", "readonly", "documentation", "defaultLibrary"];

/// The tokens of a file, or of those parts of it that touch `within`, in the order of the text.
pub fn tokens(db: &dyn Db, file: SourceFile, within: Option<&Range<usize>>) -> Vec<Token> {
    let Some(parsed) = parsed(db, file) else {
        return Vec::new();
    };
    let analysis = analyzed(db, file);
    let names = analysis
        .as_ref()
        .map(|analysis| Names::of(&analysis.symbols));
    let root = parsed.parse.syntax();
    let whole = 0..parsed.text.len();
    let within = within.unwrap_or(&whole);
    let mut tokens = Vec::new();
    let mut next = match u32::try_from(within.start.min(whole.end)) {
        Ok(start) => root.token_at_offset(start.into()).right_biased(),
        Err(_) => None,
    };
    while let Some(token) = next {
        let start = usize::from(token.text_range().start());
        if start >= within.end {
            break;
        }
        if let Some((kind, modifiers)) = told(&token, names.as_ref()) {
            for bytes in lines(token.text(), start) {
                tokens.push(Token {
                    bytes,
                    kind,
                    modifiers,
                });
            }
        }
        next = token.next_token();
    }
    tokens
}

/// What the names stand for.
struct Names<'s> {
    symbols: &'s Symbols,
    /// The fields of records, as far as no two have the same name.
    fields: HashMap<&'s str, Option<&'s Symbol>>,
}

impl Names<'_> {
    fn of(symbols: &Symbols) -> Names<'_> {
        let mut fields: HashMap<&str, Option<&Symbol>> = HashMap::new();
        for symbol in symbols.iter().filter(|one| one.kind == SymbolKind::Field) {
            fields
                .entry(&symbol.name)
                .and_modify(|field| *field = None)
                .or_insert(Some(symbol));
        }
        Names { symbols, fields }
    }
}

/// The pieces of a text on each of its lines.
fn lines(text: &str, start: usize) -> impl Iterator<Item = Range<usize>> {
    let base = text.as_ptr() as usize;
    text.split(['\n', '\r'])
        .filter(|line| !line.is_empty())
        .map(move |line| {
            let at = start + (line.as_ptr() as usize - base);
            at..at + line.len()
        })
}

fn told(token: &SyntaxToken, names: Option<&Names<'_>>) -> Option<(Kind, u32)> {
    Some(match classify(token) {
        TokenClass::Keyword => (Kind::Keyword, 0),
        TokenClass::Number => (Kind::Number, 0),
        TokenClass::String => (Kind::String, 0),
        TokenClass::Comment => (Kind::Comment, 0),
        TokenClass::DocComment => (Kind::Comment, DOCUMENTATION),
        TokenClass::Operator => (Kind::Operator, 0),
        TokenClass::Name => return name(token, names?),
        TokenClass::Punctuation | TokenClass::Space | TokenClass::Unknown => return None,
    })
}

fn name(token: &SyntaxToken, names: &Names<'_>) -> Option<(Kind, u32)> {
    let place = span(FileId(0), token.text_range());
    if let Some(symbol) = names.symbols.at(place) {
        return Some(of_symbol(symbol, symbol.span == place));
    }
    let around = token.parent()?.parent()?.kind();
    let is_built_in = match around {
        SyntaxKind::CALL_EXPR | SyntaxKind::AGGREGATE_EXPR => {
            BUILT_IN_FUNCTIONS.contains(&token.text())
        }
        SyntaxKind::AT_EXPR => token.text() == "end",
        SyntaxKind::FIELD_EXPR | SyntaxKind::RECORD_FIELD => {
            let field = names.fields.get(token.text()).copied().flatten();
            return Some(of_symbol(field?, false));
        }
        _ => false,
    };
    let kind = match around {
        SyntaxKind::AT_EXPR => Kind::EnumMember,
        _ => Kind::Function,
    };
    is_built_in.then_some((kind, DEFAULT_LIBRARY))
}

fn of_symbol(symbol: &Symbol, declaration: bool) -> (Kind, u32) {
    let (kind, modifiers) = match symbol.kind {
        SymbolKind::Constant | SymbolKind::Param => (Kind::Variable, READONLY),
        SymbolKind::Type => (Kind::Type, 0),
        SymbolKind::Enumeration => (Kind::Enum, 0),
        SymbolKind::EnumerationValue => (Kind::EnumMember, READONLY),
        SymbolKind::Field => (Kind::Property, 0),
        SymbolKind::Variable | SymbolKind::LocalVariable | SymbolKind::Channel => {
            (Kind::Variable, 0)
        }
        SymbolKind::Observed => (Kind::Variable, READONLY),
        SymbolKind::Action => (Kind::Event, 0),
        SymbolKind::Definition | SymbolKind::Property | SymbolKind::Assumption => {
            (Kind::Function, 0)
        }
        SymbolKind::Macro => (Kind::Macro, 0),
        SymbolKind::Process | SymbolKind::Tester => (Kind::Class, 0),
        SymbolKind::Parameter | SymbolKind::Bound => (Kind::Parameter, READONLY),
        SymbolKind::State | SymbolKind::Label => (Kind::EnumMember, 0),
    };
    let declared = if declaration { DECLARATION } else { 0 };
    (kind, declared | modifiers)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::file;
    use super::*;

    fn shown(text: &str, within: Option<Range<usize>>) -> String {
        let (db, file) = file(text);
        let tokens = tokens(&db, file, within.as_ref());
        let tokens = tokens.into_iter().map(|token| {
            let names = MODIFIERS.iter().enumerate();
            let set = names.filter(|(at, _)| token.modifiers >> at & 1 == 1);
            let set: String = set.map(|(_, name)| format!(" {name}")).collect();
            let kind = KINDS[token.kind as usize];
            format!("`{}` {kind}{set}\n", &text[token.bytes])
        });
        tokens.collect()
    }

    fn are(text: &str, expected: Expect) {
        expected.assert_eq(&shown(text, None));
    }

    #[test]
    fn a_name_is_what_it_stands_for() {
        are(
            "/// One.\nparam N: 1..2 = 1\ntype R = record { f: 0..N }\nvar r: R\naction go(0..1)\n\
             process p(i in 0..1) { here: on go(i) r.f = min(i, 1) }\n\
             invariant one: p(0)@{here, end}\n",
            expect![[r#"
                `/// One.` comment documentation
                `param` keyword
                `N` variable declaration readonly
                `1` number
                `..` operator
                `2` number
                `=` operator
                `1` number
                `type` keyword
                `R` type declaration
                `=` operator
                `record` keyword
                `f` property declaration
                `0` number
                `..` operator
                `N` variable readonly
                `var` keyword
                `r` variable declaration
                `R` type
                `action` keyword
                `go` event declaration
                `0` number
                `..` operator
                `1` number
                `process` keyword
                `p` class declaration
                `i` parameter declaration readonly
                `in` keyword
                `0` number
                `..` operator
                `1` number
                `here` enumMember declaration
                `on` keyword
                `go` event
                `i` parameter readonly
                `r` variable
                `f` property
                `=` operator
                `min` function defaultLibrary
                `i` parameter readonly
                `1` number
                `invariant` keyword
                `one` function declaration
                `p` class
                `0` number
                `@` operator
                `here` enumMember
                `end` enumMember defaultLibrary
            "#]],
        );
    }

    #[test]
    fn where_is_a_word_behind_parameters_and_a_name_elsewhere() {
        are(
            "process p(where in 0..2 where where > 0) { skip }\n",
            expect![[r#"
                `process` keyword
                `p` class declaration
                `where` parameter declaration readonly
                `in` keyword
                `0` number
                `..` operator
                `2` number
                `where` keyword
                `where` parameter readonly
                `>` operator
                `0` number
                `skip` keyword
            "#]],
        );
    }

    #[test]
    fn what_makes_fair_is_a_word_where_it_stands_as_one() {
        are(
            "fair process fair { skip }\nstrongly fair strongly(k in 0..1): {fair, fair@end}\n",
            expect![[r#"
                `fair` keyword
                `process` keyword
                `fair` class declaration
                `skip` keyword
                `strongly` keyword
                `fair` keyword
                `strongly` function declaration
                `k` parameter declaration readonly
                `in` keyword
                `0` number
                `..` operator
                `1` number
                `fair` class
                `fair` class
                `@` operator
            "#]],
        );
    }

    #[test]
    fn a_comment_of_several_lines_is_a_token_on_each() {
        are(
            "/* a\r\n\r\n b */ var = unknown",
            expect![[r#"
                `/* a` comment
                ` b */` comment
                `var` keyword
                `=` operator
            "#]],
        );
    }

    #[test]
    fn of_a_range_there_are_the_tokens_that_touch_it() {
        let text = "var x: bool\nvar y: bool\nvar z: bool\n";
        let at = text.find('y').expect("it");
        assert_eq!(shown(text, Some(at..at + 1)), "`y` variable declaration\n");
        let all = shown(text, None);
        assert_eq!(shown(text, Some(0..text.len())), all);
        assert_eq!(shown(text, Some(text.len()..usize::MAX)), "");
    }
}
