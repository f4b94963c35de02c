//! What one message explains wherever it shows: a name whose meaning was told with all that would mend it, and a
//! channel that was declared with more indices than channels have.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::SyntaxNode;
use stubborn_system::source::{FileId, Span};

use super::repeated::{self, LONGEST_LINE, line};
use crate::names::undeclared::says_what_is_meant;
use crate::problem::{Code, Problem};
use crate::program::Program;

/// The mistakes without those that others of them explain.
pub(super) fn told_where_meant(program: &Program, mut problems: Vec<Problem>) -> Vec<Problem> {
    let is_channel = |problem: &Problem| {
        problem.code == Code::Syntax && problem.message.starts_with("a channel has one index")
    };
    if problems.iter().any(is_channel) {
        let channels = channels(program, problems.iter().filter(|one| is_channel(one)));
        problems.retain(|problem| {
            let is_index = problem.message.starts_with("expected `]` after the index");
            let is_of_index = is_channel(problem) || is_index && problem.code == Code::Syntax;
            !is_of_index || !channels.explain(program, problem)
        });
    }
    let is_meant = |problem: &Problem| {
        problem.code == Code::UnknownName && says_what_is_meant(&problem.message)
    };
    if problems.iter().any(is_meant) {
        let mut names = Names::default();
        for problem in problems.iter().filter(|problem| is_meant(problem)) {
            if let Some((place, span)) = names.place(program, problem) {
                names.told.entry(place).or_insert(span);
            }
        }
        problems.retain(|problem| {
            let told = (names.place(program, problem))
                .and_then(|(place, span)| Some((*names.told.get(&place)?, span)));
            problem.code != Code::UnknownName || told.is_none_or(|(told, span)| told == span)
        });
    }
    problems
}

/// A name, and where the declaration begins in which it is not known.
type Place = (FileId, u32, String);

#[derive(Default)]
struct Names {
    told: FxHashMap<Place, Span>,
    roots: FxHashMap<FileId, SyntaxNode>,
}

impl Names {
    fn place(&mut self, program: &Program, problem: &Problem) -> Option<(Place, Span)> {
        let span = problem.span?;
        let file = program.file(span.file);
        let name = file.text.get(span.start as usize..span.end as usize)?;
        let root = self.roots.entry(span.file);
        let root = root.or_insert_with(|| file.parse.syntax());
        let item = repeated::item(root, span)?;
        let begins = u32::from(item.text_range().start());
        Some(((span.file, begins, name.to_owned()), span))
    }
}

/// Channels that are declared with more than one index, and where that is told.
struct Channels {
    names: FxHashSet<String>,
    declared: FxHashSet<Span>,
}

fn channels<'p>(program: &Program, told: impl Iterator<Item = &'p Problem>) -> Channels {
    let mut channels = Channels {
        names: FxHashSet::default(),
        declared: FxHashSet::default(),
    };
    for span in told.filter_map(|problem| problem.span) {
        let file = program.file(span.file);
        let mut words = words(&file.text[line(file, span.start)]);
        if words.next() == Some("channel")
            && let Some(name) = words.next()
        {
            channels.names.insert(name.to_owned());
            channels.declared.insert(span);
        }
    }
    channels
}

impl Channels {
    /// Whether a mistake is one in the use of such a channel.
    fn explain(&self, program: &Program, problem: &Problem) -> bool {
        let Some(span) = problem.span.filter(|span| !self.declared.contains(span)) else {
            return false;
        };
        let file = program.file(span.file);
        let line = line(file, span.start);
        usize::from(line.len()) <= LONGEST_LINE
            && words(&file.text[line]).any(|word| self.names.contains(word))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let words = text.split(move |c| !is_part(c));
    words.filter(|word| !word.is_empty())
}
