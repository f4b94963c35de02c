//! What never happens: states, labels and statements to which no run comes, steps that none takes, tests that always
//! come out the same, values of an enumeration that a variable never has.
//!
//! It is said only where it follows from a search of all that the process depends on, which has taken
//! every step, or every step that matters ([`stubborn_engine::seen::Extent`]).

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use stubborn_model::Analysis;
use stubborn_model::program::Program;
use stubborn_syntax::SyntaxNode;
use stubborn_syntax::ast::{self, AstNode, HasName};
use stubborn_system::footprint::things_read;
use stubborn_system::source::{FileId, Span};
use stubborn_system::system::{Expr, Target};

use super::place::Place;
use super::sighted::Sighted;
use super::sighting::Ranges;
use super::why::{MOST_LISTED, grouped};

/// One thing that never happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Never {
    pub kind: Kind,
    pub span: Span,
    /// How many states were searched.
    pub states: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A state of a process, by its name.
    State(String),
    Label(String),
    /// One statement or several, one after the other, to which no run comes.
    Statements,
    /// It is come to, and never taken.
    Step,
    /// A test that is never true.
    True,
    /// A test that is never false.
    False,
    /// A variable, or a part of it, and the values of its enumeration that it never has.
    Values(String, Vec<String>),
}

impl Kind {
    /// One word for scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::State(_) => "state",
            Kind::Label(_) => "label",
            Kind::Statements => "statement",
            Kind::Step => "step",
            Kind::True | Kind::False => "test",
            Kind::Values(..) => "value",
        }
    }

    /// The state, the label, or the variable.
    pub fn name(&self) -> Option<&str> {
        match self {
            Kind::State(name) | Kind::Label(name) | Kind::Values(name, _) => Some(name),
            Kind::Statements | Kind::Step | Kind::True | Kind::False => None,
        }
    }

    /// Whether it is text that could as well not be there.
    pub fn is_unused(&self) -> bool {
        match self {
            Kind::State(_) | Kind::Label(_) | Kind::Statements => true,
            // Who waits there for ever is to be seen.
            Kind::Step | Kind::True | Kind::False | Kind::Values(..) => false,
        }
    }

    /// "no run reaches this state".
    pub fn sentence(&self) -> String {
        match self {
            Kind::State(_) => "no run reaches this state".to_owned(),
            Kind::Label(_) => "no run reaches this label".to_owned(),
            Kind::Statements => "no run comes here".to_owned(),
            Kind::Step => "no run takes this step".to_owned(),
            Kind::True => "this is never true".to_owned(),
            Kind::False => "this is never false".to_owned(),
            Kind::Values(variable, values) => {
                format!("`{variable}` is never {}", any_of(values))
            }
        }
    }
}

/// "`red`, `green` or `blue`".
fn any_of(values: &[String]) -> String {
    let named: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
    match named.as_slice() {
        [one] => one.clone(),
        [first, second, ..] if named.len() > MOST_LISTED => {
            format!("{first}, {second} or one of {} others", named.len() - 2)
        }
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
        [] => String::new(),
    }
}

impl Never {
    /// "no run reaches this state; 12 states were searched".
    pub fn sentence(&self) -> String {
        let states = match self.states {
            1 => "1 state was".to_owned(),
            states => format!("{} states were", grouped(states)),
        };
        format!("{}; {states} searched", self.kind.sentence())
    }
}

/// What a check has found that never happens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CoverageReport {
    /// In the order of the text.
    pub never: Vec<NeverReport>,
    /// The processes that may do more than is known: no search has gone through all that they depend on.
    pub untold: Vec<String>,
}

/// One thing that never happens, with the place where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct NeverReport {
    pub never: Never,
    pub place: Place,
    /// The first line of its text.
    pub text: String,
}

/// What never happens in the processes of a program, in the order of the text. `on_the_way` is called for each
/// instance, and may unwind.
pub fn never(
    analysis: &Analysis,
    sighted: &Sighted,
    program: &Program,
    on_the_way: &dyn Fn(),
) -> Vec<Never> {
    let facts = Facts::new(analysis, sighted, on_the_way);
    let mut all = Vec::new();
    if facts.has_dead {
        for number in 0..program.files.len() {
            on_the_way();
            facts.of_file(FileId(number as u32), program, &mut all);
        }
    }
    all.extend(values(analysis, sighted));
    all.sort_by_key(|one| (one.span.file.0, one.span.start, one.span.end));
    all
}

/// The values of enumerations that variables never have.
fn values(analysis: &Analysis, sighted: &Sighted) -> Vec<Never> {
    let (Some(ranges), Some(model)) = (Ranges::new(analysis, sighted), &analysis.model) else {
        return Vec::new();
    };
    let names = model.source_map.variables.iter();
    let locals = model
        .source_map
        .instances
        .iter()
        .flat_map(|of| of.locals.iter());
    let names: HashMap<Span, &str> = names
        .chain(locals)
        .map(|one| (one.span, one.name.as_str()))
        .collect();
    let mut all = Vec::new();
    for span in ranges.names() {
        let Some(range) = ranges.range(span).filter(|range| range.is_whole) else {
            continue;
        };
        for part in &range.parts {
            let missing = part.missing_names();
            if missing.is_empty() {
                continue;
            }
            let name = names.get(&span).copied().unwrap_or_default();
            all.push(Never {
                kind: Kind::Values(
                    format!("{name}{}", part.path),
                    missing.into_iter().map(str::to_owned).collect(),
                ),
                span,
                states: range.states,
            });
        }
    }
    all
}

/// Whether some run may do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Life {
    May,
    /// None does: so many states were searched.
    Never(u64),
}

impl Life {
    /// Of what several instances, or several steps, do.
    fn or(self, other: Life) -> Life {
        match (self, other) {
            (Life::Never(one), Life::Never(other)) => Life::Never(one.max(other)),
            _ => Life::May,
        }
    }
}

/// What is known of a step's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfStep {
    /// Coming to where it begins.
    comes: Life,
    taken: Life,
    /// Finding it true, and finding it false, if it is a test.
    holds: Life,
    fails: Life,
}

impl OfStep {
    fn or(self, other: OfStep) -> OfStep {
        OfStep {
            comes: self.comes.or(other.comes),
            taken: self.taken.or(other.taken),
            holds: self.holds.or(other.holds),
            fails: self.fails.or(other.fails),
        }
    }
}

/// Of the name of each state and each label, and of each step's text.
struct Facts<'a> {
    named: HashMap<Span, Life>,
    steps: HashMap<Span, OfStep>,
    has_dead: bool,
    analysis: &'a Analysis,
}

impl<'a> Facts<'a> {
    fn new(analysis: &'a Analysis, sighted: &Sighted, on_the_way: &dyn Fn()) -> Facts<'a> {
        let mut facts = Facts {
            named: HashMap::new(),
            steps: HashMap::new(),
            has_dead: false,
            analysis,
        };
        let Some(model) = &analysis.model else {
            return facts;
        };
        let instances = model.system.instances.iter();
        let instances = instances.zip(&model.source_map.instances).enumerate();
        for (number, (instance, source)) in instances {
            on_the_way();
            let seen = sighted.instances.get(number).and_then(Option::as_ref);
            let whole = seen.filter(|seen| seen.is_whole);
            let comes = |location: u32| match whole {
                Some(seen) if seen.locations.get(location as usize) == Some(&Some(0)) => {
                    Life::Never(seen.states)
                }
                _ => Life::May,
            };
            for (name, holds) in &source.named {
                // One that the text leads nowhere to has its own message.
                let empty = if holds.is_empty() {
                    &[Life::May][..]
                } else {
                    &[]
                };
                let lives = holds
                    .iter()
                    .map(|at| comes(*at))
                    .chain(empty.iter().copied());
                for life in lives {
                    facts
                        .named
                        .entry(*name)
                        .and_modify(|known| *known = known.or(life))
                        .or_insert(life);
                }
            }
            for (location, at) in instance.locations.iter().zip(0..) {
                for step in &location.steps {
                    let Some(text) = source.steps.get(*step as usize) else {
                        continue;
                    };
                    let comes = comes(at);
                    let taken = whole.and_then(|seen| {
                        let taken = seen.steps.get(*step as usize).copied().flatten()?;
                        Some((taken, seen.states))
                    });
                    let life = |is: bool| match taken {
                        Some((_, states)) if !is => Life::Never(states),
                        _ => Life::May,
                    };
                    let at_all = taken.is_some_and(|(taken, _)| taken.at_all());
                    // What the text alone decides is meant to be so.
                    let is_test = match &instance.steps[*step as usize].target {
                        Target::Test {
                            condition,
                            then,
                            otherwise,
                        } => then != otherwise && reads_something(condition),
                        Target::To(_) => false,
                    };
                    let known = OfStep {
                        comes,
                        taken: match comes {
                            Life::May => life(at_all),
                            never => never,
                        },
                        holds: life(!is_test || taken.is_some_and(|(taken, _)| taken.then)),
                        fails: life(!is_test || taken.is_some_and(|(taken, _)| taken.otherwise)),
                    };
                    facts
                        .steps
                        .entry(*text)
                        .and_modify(|before| *before = before.or(known))
                        .or_insert(known);
                }
            }
        }
        let steps = facts.steps.values();
        let mut all = steps
            .flat_map(|of| [of.taken, of.holds, of.fails])
            .chain(facts.named.values().copied());
        facts.has_dead = all.any(|life| life != Life::May);
        facts
    }

    /// What never happens in a file, the longest pieces that have nothing else in them.
    fn of_file(&self, file: FileId, program: &Program, into: &mut Vec<Never>) {
        let steps = self.steps.iter().filter(|(span, _)| span.file == file);
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
                let place = name.as_ref().map(|name| place(file, name.range()));
                let life = place.and_then(|place| self.named.get(&place));
                if let (Some(Life::Never(states)), Some(name)) = (life, name) {
                    pieces.push(Piece {
                        bytes: bytes(state.range()),
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
        let is_told = |piece: &Piece| {
            told.iter()
                .any(|told| told.start < piece.bytes.end && piece.bytes.start < told.end)
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
        use stubborn_model::problem::Code;
        let told = self.analysis.problems.iter();
        let told = told.filter(|problem| problem.code == Code::Unreachable);
        let spans = told.filter_map(|problem| problem.span);
        spans
            .filter(|span| span.file == file)
            .map(|span| span.start as usize..span.end as usize)
            .collect()
    }
}

fn reads_something(expr: &Expr) -> bool {
    let mut reads = false;
    things_read(expr, &mut |_| reads = true);
    reads
}

struct Piece {
    bytes: Range<usize>,
    kind: Kind,
    states: u64,
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
            let range = |block: &ast::Block| bytes(block.range());
            if let Some(test) = ast::IfStmt::cast(node.clone()) {
                let otherwise = match test.else_branch() {
                    Some(ast::ElseBranch::Block(block)) => Some(range(&block)),
                    Some(ast::ElseBranch::If(nested)) => Some(bytes(nested.range())),
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
        let piece = bytes(child.text_range());
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

/// The processes of which no search tells what never happens, by their names, and the shared variables.
pub fn untold(analysis: &Analysis, sighted: &Sighted) -> Vec<String> {
    let Some(model) = &analysis.model else {
        return Vec::new();
    };
    let of_instances = model.source_map.instances.iter().enumerate();
    let untold = of_instances.filter(|(number, _)| {
        let seen = sighted.instances.get(*number).and_then(Option::as_ref);
        !seen.is_some_and(|seen| seen.is_whole && seen.steps.iter().any(Option::is_some))
    });
    let names = untold.map(|(_, source)| source.name.split('(').next().unwrap_or_default());
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(str::to_owned).collect()
}

fn bytes(range: stubborn_syntax::TextRange) -> Range<usize> {
    usize::from(range.start())..usize::from(range.end())
}

fn place(file: FileId, range: stubborn_syntax::TextRange) -> Span {
    Span {
        file,
        start: range.start().into(),
        end: range.end().into(),
    }
}
