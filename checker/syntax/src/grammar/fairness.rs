//! Fairness (§9): `fair process`, `fair NAME: A`, `strongly fair NAME: A`. The first word has been taken where nothing
//! else is said.

use super::body_kind::BodyKind;
use super::starts::ITEM_START;
use crate::SyntaxKind::{self, *};
use crate::parser::{Marker, Parser};

use super::items;

const FAIR: &str =
    "it is written `fair NAME: A`, where `A` is an action, an instance or a set of them";
const STRONGLY: &str = "it is written `strongly fair NAME: A`";

impl Parser<'_> {
    /// Whether such an item begins here, in any context.
    pub(super) fn at_fairness(&self) -> bool {
        let goes_on = || {
            self.nth(1) == PROCESS_KW
                || self.nth(1) == IDENT && matches!(self.nth(2), COLON | L_PAREN)
        };
        match self.nth_word(0) {
            Some("fair") => goes_on(),
            Some("strongly") => self.nth_word(1) == Some("fair") || goes_on(),
            Some("weakly" | "weak" | "strong") => {
                let is_followed =
                    self.nth(2) == PROCESS_KW || self.nth(2) == IDENT && self.nth(3) == COLON;
                self.nth_word(1) == Some("fair") && is_followed
            }
            _ => false,
        }
    }

    /// Refuses a word that says otherwise how strong fairness is.
    pub(super) fn other_fairness(&mut self) {
        let hint = match self.nth_word(0) {
            Some("weakly" | "weak") => "leave it out: `fair` alone is weak fairness",
            Some("strong") => "write `strongly fair`",
            _ => return,
        };
        let message = format!("`{}` does not stand before `fair`", self.nth_text(0));
        self.refuse(message, hint);
    }

    /// Refuses the words before an item that is not a process, and gives the item's kind. None of them has been taken.
    pub(super) fn fairness_before_another(&mut self) -> Option<SyntaxKind> {
        let words = match (self.nth_word(0), self.nth_word(1)) {
            (Some("strongly"), Some("fair")) => 2,
            (Some("fair" | "strongly"), _) => 1,
            _ => return None,
        };
        let kind = self.nth(words);
        let is_another = ITEM_START.contains(kind)
            && (kind != PROCESS_KW || self.nth_word(0) == Some("strongly") && words == 1)
            && self.nth(words + 1) == IDENT
            && (1..=words).all(|n| !self.nth_begins_line(n));
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
        self.unexpected(message, hint);
        for _ in 0..words {
            self.bump_as_error();
        }
        Some(kind)
    }
}

fn no_strong_process() -> (String, &'static str) {
    (
        String::from("a process is `fair`, not `strongly fair`"),
        "write `strongly fair NAME(i in T): p(i)` beside it",
    )
}

impl Parser<'_> {
    /// `fair process p(i in T) { … }`, `fair NAME: A`
    pub(super) fn fair(&mut self, marker: Marker) {
        if self.at(PROCESS_KW) {
            self.bump();
            self.with_body(marker, BodyKind::Process, PROCESS_DECL);
            return;
        }
        if self.at(IDENT)
            && self.nth(1) == IDENT
            && items::misspelt(self.nth_text(0)) == Some(PROCESS_KW)
        {
            let message = format!("`{}` begins no declaration", self.nth_text(0));
            self.refuse(message, "did you mean `process`?");
            self.with_body(marker, BodyKind::Process, PROCESS_DECL);
            return;
        }
        assumption(self, marker, FAIR);
    }
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

impl Parser<'_> {
    /// Refuses `fair` between `process` and the name.
    pub(super) fn fairness_behind_word(&mut self) {
        let words = words_here(self);
        if words > 0 && self.nth(words) == IDENT && !self.nth_begins_line(words) {
            let name = self.nth_text(words);
            misplaced(self, words, name);
        }
    }

    /// Refuses `fair` between the head of the process `name` and its body.
    pub(super) fn fairness_behind_head(&mut self, name: &str) {
        let words = words_here(self);
        if words > 0 && self.nth(words) == L_BRACE {
            misplaced(self, words, name);
        }
    }

    /// `strongly fair NAME: A`
    pub(super) fn strongly(&mut self, marker: Marker) {
        if !self.eat_word("fair") {
            self.missing("expected `fair` after `strongly`", STRONGLY);
        } else if self.at(PROCESS_KW) {
            let (message, hint) = no_strong_process();
            self.unexpected(message, hint);
            self.bump();
            self.with_body(marker, BodyKind::Process, PROCESS_DECL);
            return;
        }
        assumption(self, marker, STRONGLY);
    }
}

fn assumption(p: &mut Parser<'_>, marker: Marker, form: &str) {
    if p.at_end() || p.nth_begins_line(0) && (!p.at(IDENT) || p.at_item_start()) {
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
        p.event_set();
    } else {
        p.name("what is fair");
        p.opt_param_list_where();
        if p.at(COLON) || p.at(EQ) {
            p.colon("expected `:` and the steps", form);
            if p.nth_begins_line(0) && p.at_item_start() {
                p.missing("expected the steps", form);
            } else {
                p.event_set();
                several(p);
            }
        } else {
            p.missing("expected `:` and the steps", form);
            if matches!(p.current(), IDENT | L_BRACE) && !p.nth_begins_line(0) {
                p.event_set();
            }
        }
    }
    p.finish_item(marker, FAIR_DECL);
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
    p.skip_to(|p| p.nth_begins_line(0) && p.at_item_start());
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
