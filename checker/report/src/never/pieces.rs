//! The pieces of a text that say what never happens.

use std::collections::HashMap;
use std::ops::Range;

use stubborn_model::elaborate::span_in;
use stubborn_model::problem::Code;
use stubborn_model::program::Program;
use stubborn_syntax::SyntaxNode;
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_system::source::{FileId, Span};

use super::effects::CalledAsEffects;
use super::facts::{Facts, Life, OfStep};
use super::{Kind, Never};

impl Facts<'_> {
    /// What never happens in a file, the longest pieces that have nothing else in them.
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
        // What is done by the steps that call it is told of these.
        let is_own = |span: &Span| span.file == file && !is_effect(span.start as usize);
        let steps = self.steps.iter().filter(|(span, _)| is_own(span));
        let mut steps: Vec<(Span, OfStep)> = steps.map(|(span, of)| (*span, *of)).collect();
        steps.sort_unstable_by_key(|(span, _)| (span.start, span.end));
        let mut pieces = Vec::new();
        let mut branches = Branches::default();
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
                branches.add(body.syntax());
            }
        }
        pieces.sort_by_key(|piece| piece.bytes.start);
        let texts: Vec<Range<usize>> = pieces.iter().map(|piece| piece.bytes.clone()).collect();
        let is_in_piece = |at: usize| {
            let before = texts.partition_point(|piece| piece.start <= at);
            before > 0 && at < texts[before - 1].end
        };
        let has_piece = |block: &Range<usize>| {
            let first = texts.partition_point(|piece| piece.start < block.start);
            texts.get(first).is_some_and(|piece| piece.end <= block.end)
        };
        for (span, of) in &steps {
            let at = span.start as usize;
            if is_in_piece(at) {
                continue;
            }
            let (kind, states) = match (of.comes, of.taken, of.holds, of.fails) {
                (Life::Never(states), ..) => (Kind::Statements, states),
                (_, Life::Never(states), ..) => (Kind::Step, states),
                (_, _, Life::Never(states), _) if !branches.then(at).is_some_and(has_piece) => {
                    (Kind::True, states)
                }
                (.., Life::Never(states)) if !branches.otherwise(at).is_some_and(has_piece) => {
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
        // What is never done at all has been told as a whole.
        let is_told = |at: usize| before.iter().any(|piece| piece.contains(&at));
        let mut of_effects = self.of_effects(file, program);
        of_effects.retain(|piece| !is_told(piece.bytes.start));
        pieces.extend(of_effects);
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
            // What the text says of a part of it leaves the rest untold.
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

    /// What the text alone keeps from being reached, which has its own message.
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

pub(super) struct Piece {
    pub bytes: Range<usize>,
    pub kind: Kind,
    pub states: u64,
}

/// Where tests lead, by where their statements begin.
#[derive(Default)]
struct Branches {
    of: HashMap<usize, Branch>,
}

/// What is done where a test is true, and what where it is false; nothing where no text says so.
struct Branch {
    then: Option<Range<usize>>,
    otherwise: Option<Range<usize>>,
}

impl Branches {
    fn add(&mut self, body: &SyntaxNode) {
        for node in body.descendants() {
            let start = usize::from(node.text_range().start());
            let range = |block: &ast::Block| Range::<usize>::from(block.range());
            if let Some(test) = ast::IfStmt::cast(node.clone()) {
                let otherwise = match test.else_branch() {
                    Some(ast::ElseBranch::Block(block)) => Some(range(&block)),
                    Some(ast::ElseBranch::If(nested)) => Some(Range::<usize>::from(nested.range())),
                    None => None,
                };
                let then = test.then_block().as_ref().map(range);
                self.of.insert(start, Branch { then, otherwise });
            } else if let Some(test) = ast::WhileStmt::cast(node) {
                self.of.insert(
                    start,
                    Branch {
                        then: test.body().as_ref().map(range),
                        otherwise: None,
                    },
                );
            }
        }
    }

    fn then(&self, start: usize) -> Option<&Range<usize>> {
        self.of.get(&start)?.then.as_ref()
    }

    fn otherwise(&self, start: usize) -> Option<&Range<usize>> {
        self.of.get(&start)?.otherwise.as_ref()
    }
}

/// Adds the statements among the children of a node, or in them, that have steps and none that a run may
/// come to; those that follow each other together.
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

/// Whether a run may come to the steps whose text begins in a piece.
fn within(steps: &[(Span, OfStep)], piece: &Range<usize>) -> impl Iterator<Item = Life> {
    let first = steps.partition_point(|(span, _)| (span.start as usize) < piece.start);
    let end = piece.end;
    let of_piece = steps[first..].iter();
    of_piece
        .take_while(move |(span, _)| (span.start as usize) < end)
        .map(|(_, of)| of.comes)
}

/// How many states were searched, if the piece has steps and no run comes to any of them.
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
