//! Items that stand in a body, where none can.

use super::body_kind::BodyKind;
use crate::SyntaxKind::*;
use crate::parser::Parser;

use super::names;

impl Parser<'_> {
    /// It is told, and parsed all the same. What it declares is not there.
    pub(super) fn misplaced_item(&mut self) {
        let word = self.nth_text(0);
        let message = format!("`{word}` stands at the top of a file, not in a body");
        match (self.current(), self.body_of) {
            (CHANNEL_KW, Some(BodyKind::Specification)) => self.unexpected(
                "a specification has no channels",
                "a list is an array and its length: `var line: array[0..N-1] of Id`, `var n: 0..N`",
            ),
            (DEF_KW, Some(BodyKind::Process)) => {
                let mend = definition_outside(self);
                let mend = mend.as_deref().unwrap_or("move it out of the braces");
                self.unexpected(message, mend);
            }
            _ => self.unexpected(message, "move it out of the braces"),
        }
        let marker = self.start();
        let kind = self.current();
        let inside = std::mem::replace(&mut self.in_body, false);
        self.item_of(kind);
        self.in_body = inside;
        marker.complete(self, ERROR);
    }
}

/// How far the head of a process and its variables are looked through for what a definition in it uses.
const FAR: usize = 400;

/// How the definition here, which uses a variable of the process around it, is written outside of that.
fn definition_outside(p: &Parser<'_>) -> Option<String> {
    let body = p.body_at?;
    let before = p.taken_since(body.saturating_sub(FAR));
    let lines = p.taken_since(body).len();
    let (head, lines) = before.split_at(before.len() - lines.min(before.len()));
    let word = head.iter().rposition(|(kind, _)| *kind == PROCESS_KW)?;
    let (_, process) = head.get(word + 1)?;
    let head = &head[word + 2..];
    let mut locals = Vec::new();
    let mut in_names = false;
    for (kind, text) in lines.iter().take(FAR) {
        match kind {
            VAR_KW => in_names = true,
            IDENT if in_names => locals.push(*text),
            COMMA => {}
            _ => in_names = false,
        }
    }
    let name = p.nth_text(1);
    let own = (p.nth(2) == L_PAREN).then(|| p.closer_of(2)).flatten();
    let behind = own.map_or(2, |closer| closer + 1);
    let used = (behind..behind + FAR)
        .take_while(|n| !p.nth_begins_line(*n))
        .map(|n| p.nth_text(n))
        .find(|text| locals.contains(text))?;
    // `(i in Id, j in Id)`: the names stand before `in`.
    let parameters: Vec<&str> = (head.windows(2))
        .filter(|pair| pair[1].0 == IN_KW)
        .map(|pair| pair[0].1)
        .collect();
    let bound = names::written(head);
    let bound = bound.trim_start_matches('(').trim_end_matches(')');
    let own = match own {
        Some(closer) if closer > 3 => "…, ",
        _ => "",
    };
    Some(match parameters.as_slice() {
        [] => format!("write `def {name}: … {process}.{used} …` at the top"),
        _ => format!(
            "write `def {name}({own}{bound}): … {process}({}).{used} …` at the top",
            parameters.join(", ")
        ),
    })
}
