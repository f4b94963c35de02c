//! States and statements to which no run comes: they are shown faded, as unused code is.
//!
//! It is said only where it follows from a search of all that the process depends on, which has taken
//! every step, or every step that matters ([`stubborn_engine::seen::Extent`]).

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::Analysis;
use stubborn_model::problem::Code;
use stubborn_model::program::Program;
use stubborn_syntax::SyntaxNode;
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_system::source::{FileId, Span};

use super::diagnostics::{Message, Messages, Roots, Severity, grouped};
use super::tree::{bytes, span};
use crate::database::{Db, SourceFile, analyzed, sighted, whole};
use crate::jobs::Sighted;

/// What a run never comes to, in the root's own file and in those that are no roots.
pub fn of_unreached(db: &dyn Db, root: SourceFile, roots: &Roots) -> Messages {
    let mut messages = Messages::new();
    for (path, found) in unreached(db, root).iter() {
        if **path == **root.path(db) || !roots.has(path) {
            messages.insert(Arc::clone(path), found.clone());
        }
    }
    messages
}

/// The same in all files of the root.
#[salsa::tracked(returns(clone))]
fn unreached(db: &dyn Db, root: SourceFile) -> Arc<Messages> {
    let (Some(whole), Some(analysis), Some(sighted)) =
        (whole(db, root), analyzed(db, root), sighted(db, root))
    else {
        return Arc::default();
    };
    let facts = Facts::new(&analysis, &sighted, &|| db.unwind_if_revision_cancelled());
    if !facts.has_dead {
        return Arc::default();
    }
    // What the text alone keeps from being reached has its own message.
    let told = analysis.problems.iter();
    let told: Vec<Span> = told
        .filter(|problem| problem.code == Code::Unreachable)
        .filter_map(|problem| problem.span)
        .collect();
    let mut messages = Messages::new();
    for (number, file) in whole.program.files.iter().enumerate() {
        let id = FileId(number as u32);
        let is_told = |piece: &Range<usize>| {
            told.iter().any(|span| {
                span.file == id
                    && (span.start as usize) < piece.end
                    && piece.start < span.end as usize
            })
        };
        let mut found = facts.pieces(id, &whole.program);
        found.retain(|piece| !is_told(&piece.bytes));
        let found = found.into_iter().map(|piece| Message {
            severity: Severity::Hint,
            code: "never-reached",
            text: piece.sentence(),
            bytes: piece.bytes,
            unnecessary: true,
            related: Vec::new(),
        });
        messages.insert(file.path.as_str().into(), found.collect());
    }
    Arc::new(messages)
}

/// What no run comes to.
struct Piece {
    bytes: Range<usize>,
    is_state: bool,
    /// How many states were searched.
    states: u64,
}

impl Piece {
    fn sentence(&self) -> String {
        let states = match self.states {
            1 => "1 state was".to_owned(),
            states => format!("{} states were", grouped(states)),
        };
        match self.is_state {
            true => format!("no run reaches this state; {states} searched"),
            false => format!("no run comes here; {states} searched"),
        }
    }
}

/// Whether some run may come there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    May,
    /// None does: so many states were searched.
    Never(u64),
}

/// Of each state's name and each step's text.
struct Facts {
    states: HashMap<Span, Life>,
    steps: HashMap<Span, Life>,
    has_dead: bool,
}

fn note(all: &mut HashMap<Span, Life>, place: Span, life: Life) {
    let known = all.entry(place).or_insert(life);
    *known = match (*known, life) {
        (Life::Never(one), Life::Never(other)) => Life::Never(one.max(other)),
        _ => Life::May,
    };
}

impl Facts {
    /// `on_the_way` is called for each instance, and may unwind.
    fn new(analysis: &Analysis, sighted: &Sighted, on_the_way: &dyn Fn()) -> Facts {
        let mut facts = Facts {
            states: HashMap::new(),
            steps: HashMap::new(),
            has_dead: false,
        };
        let Some(model) = &analysis.model else {
            return facts;
        };
        let instances = model
            .system
            .instances
            .iter()
            .zip(&model.source_map.instances);
        for (number, (instance, source)) in instances.enumerate() {
            on_the_way();
            let seen = sighted.instances.get(number).and_then(Option::as_ref);
            let life = |location: u32| match seen {
                Some(seen)
                    if seen.is_whole && seen.locations.get(location as usize) == Some(&Some(0)) =>
                {
                    Life::Never(seen.states)
                }
                _ => Life::May,
            };
            for (name, holds) in &source.named {
                // One that the text leads nowhere to has its own message.
                if holds.is_empty() {
                    note(&mut facts.states, *name, Life::May);
                }
                for at in holds {
                    note(&mut facts.states, *name, life(*at));
                }
            }
            for (location, at) in instance.locations.iter().zip(0..) {
                for step in &location.steps {
                    if let Some(text) = source.steps.get(*step as usize) {
                        note(&mut facts.steps, *text, life(at));
                    }
                }
            }
        }
        let mut all = facts.states.values().chain(facts.steps.values());
        facts.has_dead = all.any(|life| *life != Life::May);
        facts
    }

    /// The pieces of a file that no run comes to, the longest that have nothing else in them.
    fn pieces(&self, file: FileId, program: &Program) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let steps = self.steps.iter().filter(|(span, _)| span.file == file);
        let mut steps: Vec<(Span, Life)> = steps.map(|(span, life)| (*span, *life)).collect();
        steps.sort_unstable_by_key(|(span, _)| (span.start, span.end));
        for item in program.file(file).parse.tree().items() {
            let ast::Item::Process(process) = item else {
                continue;
            };
            let Some(body) = process.body() else { continue };
            let mut has_states = false;
            for state in body.states() {
                has_states = true;
                let name = state.name().map(|name| span(file, name.range()));
                if let Some(Life::Never(states)) = name.and_then(|name| self.states.get(&name)) {
                    pieces.push(Piece {
                        bytes: bytes(state.range()),
                        is_state: true,
                        states: *states,
                    });
                }
            }
            if !has_states {
                add_statements(body.syntax(), &steps, &mut pieces);
            }
        }
        pieces
    }
}

/// Adds the statements among the children of a node, or in them, that have steps and none that a run may
/// come to; those that follow each other together.
fn add_statements(node: &SyntaxNode, steps: &[(Span, Life)], pieces: &mut Vec<Piece>) {
    // A label belongs to what follows it.
    let mut label = None;
    let mut goes_on = false;
    for child in node.children() {
        let piece = bytes(child.text_range());
        let statement = ast::Statement::cast(child.clone());
        if let Some(ast::Statement::Label(_)) = statement {
            label.get_or_insert(piece.start);
            continue;
        }
        let start = label.take().unwrap_or(piece.start);
        match never(steps, &piece).filter(|_| statement.is_some()) {
            Some(states) => match pieces.last_mut() {
                Some(last) if goes_on => {
                    last.bytes.end = piece.end;
                    last.states = last.states.max(states);
                }
                _ => pieces.push(Piece {
                    bytes: start..piece.end,
                    is_state: false,
                    states,
                }),
            },
            None if within(steps, &piece).any(|life| life != Life::May) => {
                add_statements(&child, steps, pieces);
            }
            None => {}
        }
        goes_on = statement.is_some() && never(steps, &piece).is_some();
    }
}

/// The steps whose text begins in a piece.
fn within(steps: &[(Span, Life)], piece: &Range<usize>) -> impl Iterator<Item = Life> {
    let first = steps.partition_point(|(span, _)| (span.start as usize) < piece.start);
    let end = piece.end;
    let of_piece = steps[first..].iter();
    of_piece
        .take_while(move |(span, _)| (span.start as usize) < end)
        .map(|(_, life)| *life)
}

/// How many states were searched, if the piece has steps and no run comes to any of them.
fn never(steps: &[(Span, Life)], piece: &Range<usize>) -> Option<u64> {
    let mut most = None;
    for life in within(steps, piece) {
        match life {
            Life::May => return None,
            Life::Never(states) => most = most.max(Some(states)),
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{checked, checked_files};
    use super::*;

    /// The text with what is faded in angle brackets, and the messages.
    fn faded(text: &str) -> (String, Vec<String>) {
        let (db, file) = checked(text);
        let messages = of_unreached(&db, file, &Roots::default());
        let found: Vec<Message> = messages.into_values().flatten().collect();
        let mut shown = text.to_owned();
        for message in found.iter().rev() {
            assert!(message.unnecessary && message.severity == Severity::Hint);
            shown.insert(message.bytes.end, '⟩');
            shown.insert(message.bytes.start, '⟨');
        }
        let said = found.into_iter().map(|message| message.text);
        (shown, said.collect())
    }

    #[test]
    fn a_state_that_no_run_reaches_is_faded() {
        let text = "var n: 0..3\nprocess p {\n    initial state one { when n < 3 do n = n + 1 -> one\n        \
                    when n > 5 -> two }\n    ⟨state two { -> one }⟩\n}\ndeadlock ignored\n";
        let (shown, said) = faded(&text.replace(['⟨', '⟩'], ""));
        assert_eq!(shown, text);
        assert_eq!(said, ["no run reaches this state; 4 states were searched"]);
    }

    #[test]
    fn statements_that_no_run_comes_to_are_faded_together_with_their_label() {
        let text = "var n: 0..3\nprocess p {\n    if n > 2 { ⟨here: n = 1\n n = 2⟩ } else { n = 1 }\n    \
                    either { await n == 1 } or { await n == 0; ⟨skip; if n == 0 { n = 3 }⟩ }\n    \
                    loop { n = 0; await n > 0; ⟨n = 2⟩ }\n}\ndeadlock ignored\n";
        let (shown, said) = faded(&text.replace(['⟨', '⟩'], ""));
        assert_eq!(shown, text);
        assert_eq!(said, ["no run comes here; 5 states were searched"; 3]);
    }

    #[test]
    fn what_one_instance_reaches_is_not_faded() {
        let text = "process p(i in 0..2) { if i == 1 { skip } }\nprocess q(i in 0..1) { await i > 1; ⟨skip⟩ }\n\
                    deadlock ignored\n";
        let (shown, _) = faded(&text.replace(['⟨', '⟩'], ""));
        assert_eq!(shown, text);
    }

    #[test]
    fn a_search_that_has_ended_early_fades_nothing() {
        let text = "var n: 0..3\nprocess p { n = n + 1; n = n + 3; await n < 0; skip }\n\
                    deadlock ignored\ntermination not required\n";
        assert_eq!(faded(text).0, text);
    }

    #[test]
    fn what_the_text_alone_keeps_from_being_reached_is_told_once() {
        let text = "process p { stop\n skip }\n";
        assert_eq!(faded(text).0, text);
    }

    #[test]
    fn what_a_used_file_has_is_told_of_that_file_itself() {
        let model = "var n: 0..1\nprocess p { await n > 0; skip }\ndeadlock ignored\n";
        let texts = [
            ("/m.stb", model),
            ("/t.tester", "use \"m.stb\"\ninvariant i: n == 0\n"),
        ];
        let (db, file) = checked_files(&texts);
        let count = |roots: &Roots| {
            let messages = of_unreached(&db, file, roots);
            messages.get("/m.stb").map_or(0, Vec::len)
        };
        assert_eq!(count(&Roots::default()), 1);
        let mut roots = Roots::default();
        roots.add(&db, db.file("/m.stb"));
        assert_eq!(count(&roots), 0);
    }
}
