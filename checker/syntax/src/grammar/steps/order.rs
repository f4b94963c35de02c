//! The order of a step's clauses, and what stands out of it.

use crate::SyntaxKind::{self, *};
use crate::grammar::body_kind::BodyKind;
use crate::grammar::names;
use crate::grammar::starts::CLAUSE_START;
use crate::parser::Parser;

/// The place of a clause in the order of clauses.
pub(super) fn order(kind: SyntaxKind) -> Option<u32> {
    match kind {
        FOR_KW => Some(1),
        ON_KW | SEND_KW | RECEIVE_KW => Some(2),
        CHANGE_KW => Some(3),
        WHEN_KW => Some(4),
        DO_KW => Some(5),
        ARROW => Some(6),
        _ => None,
    }
}

/// So many tokens stand in what a message quotes.
pub(super) const MOST_QUOTED: usize = 20;

/// What a step has that takes a message and sends one, in the place of the word that it begins with.
pub(super) const SENDS_TOO: SyntaxKind = ARROW;

impl Parser<'_> {
    /// Tells of a second `for` in a step, and goes past its word. Both bind names of the same clause.
    pub(super) fn another_for(&mut self) {
        let mut begins = self.position();
        let before = self.taken_since(begins.saturating_sub(MOST_QUOTED));
        let first = before.iter().rposition(|(kind, _)| *kind == FOR_KW);
        begins = first.map_or(before.len(), |first| first + 1);
        let behind: Vec<_> = (1..MOST_QUOTED)
            .map(|n| (self.nth(n), self.nth_text(n)))
            .take_while(|(kind, _)| !CLAUSE_START.contains(*kind) && !matches!(kind, L_BRACE | EOF))
            .collect();
        let all = [names::written(&before[begins..]), names::written(&behind)];
        self.refuse(
            "a step has one `for`",
            format!("write `for {}`", all.join(", ")),
        );
    }

    /// The action or the message here as it is written, `send c[i](e)`.
    pub(super) fn event_here(&self) -> String {
        let mut end = 2;
        while matches!(self.nth(end), L_BRACKET | L_PAREN) {
            match self.closer_of(end) {
                Some(closer) => end = closer + 1,
                None => break,
            }
        }
        let word = self.nth_text(0);
        let tokens: Vec<_> = (1..end.min(MOST_QUOTED))
            .map(|n| (self.nth(n), self.nth_text(n)))
            .collect();
        let tail = if end > MOST_QUOTED { "…" } else { "" };
        format!("{word} {}{tail}", names::written(&tokens))
    }

    /// Takes `on`, `send` or `receive` where a step of a state has come to a later clause, or has had one of them (`event`),
    /// with a message. Whether it was one.
    pub(super) fn another_event(
        &mut self,
        last: u32,
        in_state: bool,
        event: Option<SyntaxKind>,
    ) -> bool {
        let is_event =
            matches!(self.current(), ON_KW | SEND_KW | RECEIVE_KW) && self.nth(1) == IDENT;
        // No specification has channels, which is told of each step: the step is none that has lost its end.
        let is_refused = self.body_of == Some(BodyKind::Specification) && !self.at(ON_KW);
        let is_step = in_state && last < 6 && (!self.nth_begins_line(0) || is_refused);
        if !is_event || !is_step {
            return false;
        }
        let is_kept = event.is_none() || is_refused;
        let clause = if last == 5 { "do" } else { "when" };
        match event {
        _ if is_refused => {}
        None => {
            let here = self.event_here();
            self.unexpected(
                format!("`{here}` stands before `{clause}`"),
                or_another_step(&format!("{here} {clause} …")),
            );
        }
        Some(SENDS_TOO) if !self.at(ON_KW) => self.unexpected(
            "a `receive` may be followed by one `send`",
            "what else is sent or received is a step of its own, with a state between",
        ),
        Some(RECEIVE_KW) if self.at(SEND_KW) && last > 2 => {
            let here = self.event_here();
            self.unexpected(
                format!("`{here}` stands directly behind the `receive`"),
                or_another_step(&format!("receive … {here} {clause} …")),
            );
        }
        Some(_) => self.unexpected(
            "a step has one of `on`, `send` and `receive`",
            "a `receive` may be followed by one `send`; what else there is, is a step of its own, \
             with a state between",
        ),
    }
        let marker = self.start();
        match self.current() {
            ON_KW => self.on_clause(),
            SEND_KW => self.message_clause(SEND_CLAUSE),
            _ => self.message_clause(RECEIVE_CLAUSE),
        }
        match is_kept {
            true => marker.abandon(self),
            false => drop(marker.complete(self, ERROR)),
        }
        true
    }
}

fn or_another_step(written: &str) -> String {
    format!("write `{written}`, or `-> s` before it where another step begins")
}
