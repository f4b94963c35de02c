//! Fairness (§9): `fair process`, `fair NAME: A`, `strongly fair NAME: A`. The first word has been taken where nothing
//! else is said.

use crate::SyntaxKind::{self, *};
use crate::parser::{Marker, Parser};

use super::bodies::BodyKind;
use super::items::{self, colon};
use super::{ITEM_START, names, properties};

const FAIR: &str =
    "it is written `fair NAME: A`, where `A` is an action, an instance or a set of them";
const STRONGLY: &str = "it is written `strongly fair NAME: A`";

/// Whether such an item begins here, in any context.
pub(super) fn at_fairness(p: &Parser<'_>) -> bool {
    let goes_on =
        || p.nth(1) == PROCESS_KW || p.nth(1) == IDENT && matches!(p.nth(2), COLON | L_PAREN);
    match p.nth_word(0) {
        Some("fair") => goes_on(),
        Some("strongly") => p.nth_word(1) == Some("fair") || goes_on(),
        Some("weakly" | "weak" | "strong") => {
            let is_followed = p.nth(2) == PROCESS_KW || p.nth(2) == IDENT && p.nth(3) == COLON;
            p.nth_word(1) == Some("fair") && is_followed
        }
        _ => false,
    }
}

/// Refuses a word that says otherwise how strong fairness is.
pub(super) fn other_strength(p: &mut Parser<'_>) {
    let hint = match p.nth_word(0) {
        Some("weakly" | "weak") => "leave it out: `fair` alone is weak fairness",
        Some("strong") => "write `strongly fair`",
        _ => return,
    };
    let message = format!("`{}` does not stand before `fair`", p.nth_text(0));
    p.refuse(message, hint);
}

/// Refuses the words before an item that is not a process, and gives the item's kind. None of them has been taken.
pub(super) fn before_another(p: &mut Parser<'_>) -> Option<SyntaxKind> {
    let words = match (p.nth_word(0), p.nth_word(1)) {
        (Some("strongly"), Some("fair")) => 2,
        (Some("fair" | "strongly"), _) => 1,
        _ => return None,
    };
    let kind = p.nth(words);
    let is_another = ITEM_START.contains(kind)
        && (kind != PROCESS_KW || p.nth_word(0) == Some("strongly") && words == 1)
        && p.nth(words + 1) == IDENT
        && (1..=words).all(|n| !p.nth_begins_line(n));
    if !is_another {
        return None;
    }
    let word = kind.reserved_word().unwrap_or_default();
    let (message, hint) = match kind {
        PROCESS_KW => no_strong_process(),
        _ => (
            format!("no `{word}` is fair, only a `process`"),
            "leave it out, or write `fair NAME: A` for the steps that are not to be put off for ever",
        ),
    };
    p.unexpected(message, hint);
    for _ in 0..words {
        p.bump_as_error();
    }
    Some(kind)
}

fn no_strong_process() -> (String, &'static str) {
    (
        String::from("a process is `fair`, not `strongly fair`"),
        "write `strongly fair NAME(i in T): p(i)` beside it",
    )
}

/// `fair process p(i in T) { … }`, `fair NAME: A`
pub(super) fn fair(p: &mut Parser<'_>, marker: Marker) {
    if p.at(PROCESS_KW) {
        p.bump();
        items::with_body(p, marker, BodyKind::Process, PROCESS_DECL);
        return;
    }
    if p.at(IDENT) && p.nth(1) == IDENT && items::misspelt(p.nth_text(0)) == Some(PROCESS_KW) {
        let message = format!("`{}` begins no declaration", p.nth_text(0));
        p.refuse(message, "did you mean `process`?");
        items::with_body(p, marker, BodyKind::Process, PROCESS_DECL);
        return;
    }
    assumption(p, marker, FAIR);
}

/// How many words say here that something is fair.
fn words_here(p: &Parser<'_>) -> usize {
    match (p.nth_word(0), p.nth_word(1)) {
        (Some("strongly" | "strong" | "weakly" | "weak"), Some("fair")) => 2,
        (Some("fair"), _) => 1,
        _ => 0,
    }
}

/// Refuses so many words that stand behind the `process` of this name, and not before it.
fn misplaced(p: &mut Parser<'_>, words: usize, name: &str) {
    let hint = format!("write `fair process {name}`");
    p.unexpected("`fair` stands before `process`", hint);
    for _ in 0..words {
        p.bump_as_error();
    }
}

/// Refuses `fair` between `process` and the name.
pub(super) fn behind_word(p: &mut Parser<'_>) {
    let words = words_here(p);
    if words > 0 && p.nth(words) == IDENT && !p.nth_begins_line(words) {
        let name = p.nth_text(words);
        misplaced(p, words, name);
    }
}

/// Refuses `fair` between the head of the process `name` and its body.
pub(super) fn behind_head(p: &mut Parser<'_>, name: &str) {
    let words = words_here(p);
    if words > 0 && p.nth(words) == L_BRACE {
        misplaced(p, words, name);
    }
}

/// `strongly fair NAME: A`
pub(super) fn strongly(p: &mut Parser<'_>, marker: Marker) {
    if !p.eat_word("fair") {
        p.missing("expected `fair` after `strongly`", STRONGLY);
    } else if p.at(PROCESS_KW) {
        let (message, hint) = no_strong_process();
        p.unexpected(message, hint);
        p.bump();
        items::with_body(p, marker, BodyKind::Process, PROCESS_DECL);
        return;
    }
    assumption(p, marker, STRONGLY);
}

fn assumption(p: &mut Parser<'_>, marker: Marker, form: &str) {
    if p.at_end() || p.nth_begins_line(0) && (!p.at(IDENT) || items::at_item_start(p)) {
        p.missing("expected a name, `:` and the steps", form);
    } else if lacks_name(p) {
        let steps = match (p.current(), p.nth(1)) {
            (L_BRACE, _) => String::from("{…}"),
            (_, AT) => format!("{}@{}", p.nth_text(0), p.nth_text(2)),
            _ if p.nth(3) == R_PAREN => format!("{}({})", p.nth_text(0), p.nth_text(2)),
            _ => format!("{}(…)", p.nth_text(0)),
        };
        let written = format!("write `fair NAME: {steps}`");
        p.unexpected("expected a name and `:` before the steps", written);
        properties::event_set(p);
    } else {
        names::name(p, "what is fair");
        names::opt_param_list_where(p);
        if p.at(COLON) || p.at(EQ) {
            colon(p, "expected `:` and the steps", form);
            if p.nth_begins_line(0) && items::at_item_start(p) {
                p.missing("expected the steps", form);
            } else {
                properties::event_set(p);
                several(p);
            }
        } else {
            p.missing("expected `:` and the steps", form);
            if matches!(p.current(), IDENT | L_BRACE) && !p.nth_begins_line(0) {
                properties::event_set(p);
            }
        }
    }
    items::finish(p, marker, FAIR_DECL);
}

/// Refuses more steps behind the first, `fair f: p(0), p(1)`.
fn several(p: &mut Parser<'_>) {
    if !p.at(COMMA) {
        return;
    }
    p.unexpected(
        "steps of several that are fair together stand in braces",
        "write `{p(0), p(1)}`, or `fair NAME(i in T): p(i)` for each by itself",
    );
    super::skip_to(p, |p| p.nth_begins_line(0) && items::at_item_start(p));
}

/// Whether the steps stand where the name belongs: `fair p(1)`, `fair p@s`, `fair {a, b}`.
fn lacks_name(p: &Parser<'_>) -> bool {
    if p.at(L_BRACE) {
        return true;
    }
    p.at(IDENT)
        && match p.nth(1) {
            AT => true,
            L_PAREN if p.nth(2) == IDENT && p.nth(3) == IN_KW => false,
            L_PAREN => p
                .closer_of(1)
                .is_some_and(|close| p.nth(close + 1) != COLON),
            _ => false,
        }
}
