//! Pieces of a text that never occur.

use std::collections::HashMap;
use std::ops::Range;

use stubborn_model::problem::Code;
use stubborn_model::program::Program;
use stubborn_model::spans::span_in;
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::{FileId, Span};

use super::effects::CalledAsEffects;
use super::facts::{Facts, Life, OfStep};
use super::kind::{Kind, Never};

impl Facts<'_> {
    /// The longest pieces of a file that never occur and have nothing else in them.
    pub fn of_file(
        &self,
        file: FileId,
        program: &Program,
        effects: &CalledAsEffects,
        into: &mut Vec<Never>,
    ) {
        let effects = effects.places(program, file);
        let is_effect = |at: usize| {
            let before = effects.partition_point(|(start, _)| *start <= at);
            before > 0 && at < effects[before - 1].1
        };
        // Effects are reported of the steps that have them.
        let is_own = |span: &Span| span.file == file && !is_effect(span.start as usize);
        let steps = self.steps.iter().filter(|(span, _)| is_own(span));
        let mut steps: Vec<(Span, OfStep)> = steps.map(|(span, of)| (*span, *of)).collect();
        steps.sort_unstable_by_key(|(span, _)| (span.start, span.end));
        let mut pieces = Vec::new();
        let mut branches = HashMap::new();
        for item in program.file(file).parse.tree().items() {
            let body = match item {
                ast::Item::Process(process) => process.body(),
                _ => continue,
            };
            let Some(body) = body else { continue };
            let mut has_states = false;
            for state in body.states() {
                has_states = true;
                let name = state.name();
                let place = name.as_ref().map(|name| span_in(file, name.range()));
                let life = place.and_then(|place| self.named.get(&place));
                if let (Some(Life::Never(states)), Some(name)) = (life, name) {
                    pieces.push(Piece {
                        bytes: Range::<usize>::from(state.range()),
                        kind: Kind::State(name.text()),
                        states: *states,
                    });
                }
            }
            if !has_states {
                add_statements(body.syntax(), &steps, &mut pieces);
                let tests = body.syntax().descendants();
                branches
                    .extend(tests.filter_map(|test| Some((start(&test), Branches::of(&test)?))));
            }
        }
        pieces.sort_by_key(|piece| piece.bytes.start);
        let texts: Vec<Range<usize>> = pieces.iter().map(|piece| piece.bytes.clone()).collect();
        let is_in_piece = |at: usize| {
            let before = texts.partition_point(|piece| piece.start <= at);
            before > 0 && at < texts[before - 1].end
        };
        let has_piece = |block: &SyntaxNode| {
            let block = Range::<usize>::from(block.text_range());
            let first = texts.partition_point(|piece| piece.start < block.start);
            texts.get(first).is_some_and(|piece| piece.end <= block.end)
        };
        for (span, of) in &steps {
            let at = span.start as usize;
            if is_in_piece(at) {
                continue;
            }
            let branches = branches.get(&at);
            let then = branches.and_then(|branches| branches.then.as_ref());
            let otherwise = branches.and_then(|branches| branches.otherwise.as_ref());
            let (kind, states) = match (of.comes, of.taken, of.holds, of.fails) {
                (Life::Never(states), ..) => (Kind::Statements, states),
                (_, Life::Never(states), ..) => (Kind::Step, states),
                (_, _, Life::Never(states), _) if !then.is_some_and(has_piece) => {
                    (Kind::True, states)
                }
                (.., Life::Never(states)) if !otherwise.is_some_and(has_piece) => {
                    (Kind::False, states)
                }
                _ => continue,
            };
            pieces.push(Piece {
                bytes: span.start as usize..span.end as usize,
                kind,
                states,
            });
        }
        let before: Vec<Range<usize>> = pieces.iter().map(|piece| piece.bytes.clone()).collect();
        // A piece within another one is reported with that.
        let is_told = |at: usize| before.iter().any(|piece| piece.contains(&at));
        if self.tests.keys().any(|span| span.file == file) {
            let nodes = program.file(file).parse.syntax().descendants();
            let of_effects = nodes.filter_map(|node| self.of_test(file, &node));
            pieces.extend(of_effects.filter(|piece| !is_told(piece.bytes.start)));
        }
        for (name, life) in self.named.iter().filter(|(span, _)| span.file == file) {
            if let Life::Never(states) = life
                && !is_in_piece(name.start as usize)
            {
                let bytes = name.start as usize..name.end as usize;
                let text = &program.file(file).text[bytes.clone()];
                pieces.push(Piece {
                    kind: Kind::Label(text.to_owned()),
                    bytes,
                    states: *states,
                });
            }
        }
        let told = self.told(file);
        let is_told = |piece: &Piece| match piece.kind {
            // The rest of a piece is reported even if a part of it has its own message.
            Kind::Statements => {
                let first =
                    steps.partition_point(|(span, _)| (span.start as usize) < piece.bytes.start);
                let mut within = (steps[first..].iter().map(|(span, _)| span.start as usize))
                    .take_while(|start| *start < piece.bytes.end);
                within.all(|start| told.iter().any(|told| told.contains(&start)))
            }
            _ => told
                .iter()
                .any(|told| told.start < piece.bytes.end && piece.bytes.start < told.end),
        };
        pieces.retain(|piece| !is_told(piece));
        into.extend(pieces.into_iter().map(|piece| Never {
            kind: piece.kind,
            span: Span {
                file,
                start: piece.bytes.start as u32,
                end: piece.bytes.end as u32,
            },
            states: piece.states,
        }));
    }

    /// A branch of an `if` among the effects of steps that no run takes, or its test. Of an `if`
    /// that is never reached neither branch is taken, so that of nested ones the outermost branch
    /// alone is reported.
    fn of_test(&self, file: FileId, node: &SyntaxNode) -> Option<Piece> {
        let condition = ast::IfStmt::cast(node.clone())?.condition()?;
        let text = start(node)..usize::from(condition.range().end());
        let span = Span {
            file,
            start: text.start as u32,
            end: text.end as u32,
        };
        let of = *self.tests.get(&span)?;
        // A macro that is called as a statement has it as a step.
        let of = self.steps.get(&span).map_or(of, |step| of.or(*step));
        let branches = Branches::of(node)?;
        let (branch, kind, states) = match (of.holds, of.fails) {
            (Life::Never(states), Life::May) => (branches.then, Kind::True, states),
            (Life::May, Life::Never(states)) => (branches.otherwise, Kind::False, states),
            (Life::May, Life::May) | (Life::Never(_), Life::Never(_)) => return None,
        };
        let (bytes, kind) = match branch.and_then(|branch| written(&branch)) {
            Some(bytes) => (bytes, Kind::Branch),
            None => (text, kind),
        };
        Some(Piece {
            bytes,
            kind,
            states,
        })
    }

    /// Pieces that the text alone shows to be unreachable, which have their own messages.
    fn told(&self, file: FileId) -> Vec<Range<usize>> {
        let told = self.analysis.problems.iter();
        let told = told.filter(|problem| problem.code == Code::Unreachable);
        let spans = told.filter_map(|problem| problem.span);
        spans
            .filter(|span| span.file == file)
            .map(|span| span.start as usize..span.end as usize)
            .collect()
    }
}

struct Piece {
    bytes: Range<usize>,
    kind: Kind,
    states: u64,
}

/// Texts of what is done if a test is true, and if it is false.
struct Branches {
    then: Option<SyntaxNode>,
    otherwise: Option<SyntaxNode>,
}

impl Branches {
    fn of(test: &SyntaxNode) -> Option<Branches> {
        let (then, otherwise) = match ast::IfStmt::cast(test.clone()) {
            Some(test) => (test.then_block(), test.else_branch()),
            None => (ast::WhileStmt::cast(test.clone())?.body(), None),
        };
        Some(Branches {
            then: then.map(|block| block.syntax().clone()),
            otherwise: otherwise.map(|branch| branch.syntax().clone()),
        })
    }
}

fn start(node: &SyntaxNode) -> usize {
    node.text_range().start().into()
}

/// Text of a branch without its braces, if it has any.
fn written(branch: &SyntaxNode) -> Option<Range<usize>> {
    if branch.kind() == SyntaxKind::IF_STMT {
        return Some(branch.text_range().into());
    }
    let mut inside = branch.children().map(|child| child.text_range());
    let first = inside.next()?;
    let last = inside.last().unwrap_or(first);
    Some(first.start().into()..last.end().into())
}

/// Adds the statements among the children of a node, or in them, that have steps and none that a
/// run may reach; those that follow each other together.
fn add_statements(node: &SyntaxNode, steps: &[(Span, OfStep)], pieces: &mut Vec<Piece>) {
    // A label belongs to what follows it.
    let mut label = None;
    let mut goes_on = false;
    for child in node.children() {
        let piece = Range::<usize>::from(child.text_range());
        let statement = ast::Statement::cast(child.clone());
        if let Some(ast::Statement::Label(_)) = statement {
            label.get_or_insert(piece.start);
            continue;
        }
        let start = label.take().unwrap_or(piece.start);
        let dead = never_come_to(steps, &piece).filter(|_| statement.is_some());
        match dead {
            Some(states) => match pieces.last_mut() {
                Some(last) if goes_on => {
                    last.bytes.end = piece.end;
                    last.states = last.states.max(states);
                }
                _ => pieces.push(Piece {
                    bytes: start..piece.end,
                    kind: Kind::Statements,
                    states,
                }),
            },
            None if within(steps, &piece).any(|life| life != Life::May) => {
                add_statements(&child, steps, pieces);
            }
            None => {}
        }
        goes_on = dead.is_some();
    }
}

/// Whether a run may reach the steps whose text begins in a piece.
fn within(steps: &[(Span, OfStep)], piece: &Range<usize>) -> impl Iterator<Item = Life> {
    let first = steps.partition_point(|(span, _)| (span.start as usize) < piece.start);
    let end = piece.end;
    let of_piece = steps[first..].iter();
    of_piece
        .take_while(move |(span, _)| (span.start as usize) < end)
        .map(|(_, of)| of.comes)
}

/// Number of states that were searched, if the piece has steps and no run reaches any of them.
fn never_come_to(steps: &[(Span, OfStep)], piece: &Range<usize>) -> Option<u64> {
    let mut most = None;
    for life in within(steps, piece) {
        match life {
            Life::May => return None,
            Life::Never(states) => most = most.max(Some(states)),
        }
    }
    most
}
