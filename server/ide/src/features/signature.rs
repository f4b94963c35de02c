//! What the parentheses around a place ask for: of a definition, a macro, an action, a channel, an
//! instance of a process, a property.
//!
//! Only the tokens before the place are looked at: what is being called is hardly ever finished.

use std::ops::Range;

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_syntax::SyntaxKind::{self, *};
use stubborn_syntax::{begins_item, lexer};

use super::hover::words;
use super::parameters::{Names, parameters, where_clause};
use crate::database::{Contents, Db, SourceFile, analyzed, scopes, whole};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// `process customer(i in Id)`.
    pub label: String,
    /// Where its parameters stand in it.
    pub parameters: Vec<Range<usize>>,
    /// The one that is being written; `None` where there are more arguments than parameters.
    pub active: Option<usize>,
    pub documentation: Option<String>,
}

/// What is asked for at `offset`.
pub fn signature(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Signature> {
    let Contents::Text(text) = file.contents(db) else {
        return None;
    };
    let calls = open_calls(text, offset)?;
    // Parentheses within an argument ask for nothing themselves.
    let call = calls.into_iter().rev().find(|call| call.callee.is_some())?;
    let name = text.get(call.callee?)?;
    if let Some((_, parameters)) = BUILT_IN.iter().find(|(known, _)| *known == name) {
        let parameters: Vec<String> = parameters.iter().map(|&one| one.to_owned()).collect();
        let number = if parameters.last().is_some_and(|last| last == "…") {
            call.number.min(parameters.len() - 1)
        } else {
            call.number
        };
        return Some(made(name, &parameters, number, words::of_function(name)));
    }
    let (whole, analysis, scopes) = (whole(db, file)?, analyzed(db, file)?, scopes(db, file)?);
    let names = Names::new(&whole.program, &analysis, &scopes, call.open);
    let symbol = names.general(name).or_else(|| names.property(name))?;
    let declared = names.declaration(symbol)?;
    let parameters = parameters(&declared)?;
    if parameters.is_empty() {
        return None;
    }
    let before = format!("{} {name}", word(symbol)?);
    let documentation = symbol.documentation.as_deref();
    let mut found = made(&before, &parameters, call.number, documentation);
    if let Some(clause) = where_clause(&declared) {
        found
            .label
            .insert_str(found.label.len() - 1, &format!(" {clause}"));
    }
    if symbol.kind == SymbolKind::Definition && !symbol.ty.is_empty() {
        found.label.push_str(&format!(": {}", symbol.ty));
    }
    Some(found)
}

fn made(
    before: &str,
    parameters: &[String],
    number: usize,
    documentation: Option<&str>,
) -> Signature {
    let mut label = format!("{before}(");
    let mut places = Vec::new();
    for (number, parameter) in parameters.iter().enumerate() {
        if number > 0 {
            label.push_str(", ");
        }
        places.push(label.len()..label.len() + parameter.len());
        label.push_str(parameter);
    }
    label.push(')');
    Signature {
        label,
        active: (number < places.len()).then_some(number),
        parameters: places,
        documentation: documentation.map(str::to_owned),
    }
}

/// The word of what takes arguments.
fn word(symbol: &Symbol) -> Option<&'static str> {
    Some(match symbol.kind {
        SymbolKind::Action => "action",
        SymbolKind::Channel => "channel",
        SymbolKind::Definition => "def",
        SymbolKind::Macro => "macro",
        SymbolKind::Process => "process",
        SymbolKind::Property => "property",
        SymbolKind::Tester => "tester",
        _ => return None,
    })
}

/// The functions of the language, and what they ask for.
const BUILT_IN: &[(&str, &[&str])] = &[
    ("count", &["x in T: e"]),
    ("sum", &["x in T: e"]),
    ("min", &["e", "…"]),
    ("max", &["e", "…"]),
    ("len", &["channel"]),
    ("empty", &["channel"]),
    ("full", &["channel"]),
    ("bit_and", &["e", "e"]),
    ("bit_or", &["e", "e"]),
    ("bit_xor", &["e", "e"]),
    ("bit_not", &["e"]),
    ("shift_left", &["e", "by"]),
    ("shift_right", &["e", "by"]),
];

/// A bracket without its end.
struct Call {
    bracket: SyntaxKind,
    /// The name before it, of a parenthesis with one.
    callee: Option<Range<usize>>,
    /// Behind the bracket.
    open: usize,
    /// How many arguments stand before the place.
    number: usize,
}

/// The brackets that are open at `offset`, the innermost last; `None` within a comment.
fn open_calls(text: &str, offset: usize) -> Option<Vec<Call>> {
    let mut open: Vec<Call> = Vec::new();
    // The tokens before the next one, and the name before the brackets of an index.
    let (mut last, mut before_last): (Option<(SyntaxKind, Range<usize>)>, Option<SyntaxKind>) =
        (None, None);
    let mut indexed = None;
    for token in lexer::lex(text).0 {
        let range = Range::<usize>::from(token.range);
        if offset <= range.start {
            break;
        }
        let kind = token.kind;
        if kind.is_trivia() {
            let is_line = matches!(kind, LINE_COMMENT | DOC_COMMENT);
            if kind != WHITESPACE && (offset < range.end || is_line && offset == range.end) {
                return None;
            }
            continue;
        }
        let is_declared = before_last.is_some_and(|kind| begins_item(kind) || kind == MACRO_KW);
        let name = match &last {
            Some((IDENT, name)) if !is_declared => Some(name.clone()),
            _ => None,
        };
        match kind {
            L_PAREN | L_BRACKET | L_BRACE => {
                let callee = match last {
                    Some((R_BRACKET, _)) => indexed.take(),
                    _ => name,
                };
                open.push(Call {
                    bracket: kind,
                    callee: callee.filter(|_| kind != L_BRACE),
                    open: range.end,
                    number: 0,
                });
            }
            // A place before the token is still within.
            R_PAREN | R_BRACKET | R_BRACE if range.end <= offset => {
                let is_its = |call: &Call| {
                    matches!(
                        (call.bracket, kind),
                        (L_PAREN, R_PAREN) | (L_BRACKET, R_BRACKET) | (L_BRACE, R_BRACE)
                    )
                };
                if let Some(at) = open.iter().rposition(is_its) {
                    let closed = open.drain(at..).next();
                    indexed = closed.and_then(|call| call.callee);
                }
            }
            COMMA => {
                if let Some(call) = open.last_mut() {
                    call.number += 1;
                }
            }
            _ if ends_arguments(kind) => {
                while open.last().is_some_and(|call| call.bracket != L_BRACE) {
                    open.pop();
                }
                if begins_item(kind) {
                    open.clear();
                }
            }
            _ => {}
        }
        before_last = last.as_ref().map(|(kind, _)| *kind);
        last = Some((kind, range));
    }
    // The brackets of an index have a name before them, and ask for nothing.
    for call in &mut open {
        if call.bracket != L_PAREN {
            call.callee = None;
        }
    }
    Some(open)
}

/// What cannot stand within parentheses, so that a parenthesis before it was left open.
fn ends_arguments(kind: SyntaxKind) -> bool {
    begins_item(kind)
        || matches!(
            kind,
            VAR_KW
                | STATE_KW
                | ON_KW
                | SEND_KW
                | RECEIVE_KW
                | WHEN_KW
                | DO_KW
                | AWAIT_KW
                | WHILE_KW
                | LOOP_KW
                | EITHER_KW
                | ARROW
                | SEMICOLON
        )
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file};
    use super::*;

    const NAMES: &str = "\
type Id = 0..2
var n: 0..5
channel q: queue[1] of Id, bool
channel qs[Id]: queue[1] of bool
action ask(Id, bool)
action done
/// Twice as much.
def twice(k in Id): 2*k
macro put(v in Id, w in bool) { n = v }
process lamp(i in Id) { on ask(i, true) }
";

    /// The signature with the parameter that is being written in brackets.
    fn shown(marked: &str) -> Option<String> {
        let (text, at) = cursor(&format!("{NAMES}{marked}"));
        let (db, file) = file(&text);
        let Signature {
            mut label,
            parameters,
            active,
            ..
        } = signature(&db, file, at)?;
        if let Some(active) = active {
            let place = parameters[active].clone();
            let written = format!("<{}>", &label[place.clone()]);
            label.replace_range(place, &written);
        }
        Some(label)
    }

    #[track_caller]
    fn is(marked: &str, expected: &str) {
        assert_eq!(shown(marked).as_deref(), Some(expected), "{marked}");
    }

    #[test]
    fn each_thing_with_arguments_says_what_it_asks_for() {
        is("process p { on ask($0", "action ask(<Id>, bool)");
        is("process p { on ask(1, $0) }", "action ask(Id, <bool>)");
        is("process p { send q(?n,$0\n}", "channel q(Id, <bool>)");
        is("process p { send qs[n]($0", "channel qs(<bool>)");
        is(
            "process p { put(n, t$0) }",
            "macro put(v in Id, <w in bool>)",
        );
        is(
            "invariant i: twice($0) > 1",
            "def twice(<k in Id>): integer",
        );
        is("invariant i: lamp($0", "process lamp(<i in Id>)");
        is("invariant i: min(n, 1, $0", "min(e, <…>)");
        is("invariant i: len($0)", "len(<channel>)");
    }

    #[test]
    fn the_innermost_call_is_meant_that_has_a_name() {
        is("process p { put(twice($0", "def twice(<k in Id>): integer");
        is(
            "process p { put(twice(1), $0",
            "macro put(v in Id, <w in bool>)",
        );
        is("process p { put((n + $0", "macro put(<v in Id>, w in bool)");
        is("process p { on ask([n, 2, $0", "action ask(<Id>, bool)");
    }

    #[test]
    fn what_keeps_values_stands_behind_them() {
        is(
            "process r(k in Id, l in Id where k  != l) { skip }\ninvariant i: r(0, $0",
            "process r(k in Id, <l in Id> where k != l)",
        );
    }

    #[test]
    fn of_too_many_arguments_none_is_the_one_that_is_written() {
        is("process p { on ask(1, true, $0", "action ask(Id, bool)");
    }

    #[test]
    fn outside_of_arguments_there_is_nothing_to_say() {
        for marked in [
            "process p { on ask(1, true)$0",
            "process p { on ask(1\n when $0",
            "process p { on ask( // wh$0o\n",
            "process r($0",
            "def g(k in Id, $0",
            "invariant i: (n + $0",
            "invariant i: unknown($0",
            "process p { on done($0",
        ] {
            assert_eq!(shown(marked), None, "{marked}");
        }
    }

    #[test]
    fn no_place_of_a_broken_text_is_a_surprise() {
        let text = "process p(i in Id) { on ask(lamp(1)@{a}, [é, (]) send q[1](}) }";
        for cut in (0..=text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            let (db, one) = file(&text[..cut]);
            signature(&db, one, cut);
            let (db, one) = file(text);
            signature(&db, one, cut);
        }
    }

    #[test]
    fn a_signature_has_the_documentation_of_its_name() {
        let (text, at) = cursor(&format!("{NAMES}invariant i: twice($0"));
        let (db, file) = file(&text);
        let found = signature(&db, file, at).expect("a signature");
        assert_eq!(found.documentation.as_deref(), Some("Twice as much."));
    }
}
