//! One mistake that shows at many places is one message.
//!
//! A name that nothing declares is told at each use, as long as these are few: each of them may be a
//! mistake of its own. Where they are many, what is wrong is the declaration that is not there; and where
//! the grammar of a file that is seen from there is wrong, it may be there, unread. Then the first use has
//! the message, and the others are places that belong to it. The same goes for a state that a process
//! lacks, and for what many places have of one declaration: arguments, or a value that does not fit.

use rustc_hash::{FxHashMap, FxHashSet};
use stubborn_syntax::{SyntaxKind, SyntaxNode, TextRange};
use stubborn_system::source::{FileId, Span};

use crate::problem::{Code, Problem, Severity};
use crate::program::{ParsedFile, Program};

/// More mistakes of the grammar are not looked at.
pub(super) const MOST_PIECES: usize = 100;
/// In bytes; longer lines do not show what belongs together.
pub(super) const LONGEST_LINE: usize = 1000;

/// What is told at so many places is told at each,
const FEW: usize = 3;
/// and a state of a process that it does not have at so many.
const FEW_STATES: usize = 2;
/// So many of the other places are named.
const MOST_RELATED: usize = 8;

/// The mistakes, each once. They are in the order of their places. `losing` are the mistakes of the
/// grammar by which something is lost.
pub(super) fn told_once(
    program: &Program,
    problems: Vec<Problem>,
    losing: &[Span],
) -> Vec<Problem> {
    let wrong = problems
        .iter()
        .filter(|problem| problem.code == Code::Syntax)
        .filter_map(|problem| problem.span);
    let wrong: Vec<Span> = wrong.take(MOST_PIECES).collect();
    let bodies = Bodies::around(program, &wrong, losing);
    let mut broken: FxHashMap<FileId, bool> = FxHashMap::default();
    let mut sees_wrong_grammar = |file: FileId| {
        *broken.entry(file).or_insert_with(|| {
            let visible = program.visible_from(file);
            wrong.iter().any(|span| visible.contains(&span.file))
        })
    };
    let mut places: FxHashMap<What, Vec<Span>> = FxHashMap::default();
    for problem in &problems {
        if let Some((what, span)) = What::of(program, problem) {
            places.entry(what).or_default().push(span);
        }
    }
    places.retain(|what, places| {
        let few = match what.code {
            Code::UnknownName | Code::UnknownState if sees_wrong_grammar(what.file) => 1,
            Code::UnknownState => FEW_STATES,
            Code::Syntax => 1,
            _ => FEW,
        };
        places.len() > few
    });
    let mut met = FxHashSet::default();
    let mut reserved = Reserved::default();
    let told = problems.into_iter().filter_map(|mut problem| {
        if bodies.explain(&problem) || reserved.explain(program, &problem) {
            return None;
        }
        let Some((what, _)) = What::of(program, &problem) else {
            return Some(problem);
        };
        let Some(all) = places.get(&what) else {
            return Some(problem);
        };
        if !met.insert(what) {
            return None;
        }
        let more = match all.len() - 1 {
            1 => "; and so at one more place".to_owned(),
            more => format!("; and so at {more} more places"),
        };
        problem.message += &more;
        let others = all[1..].iter().take(MOST_RELATED);
        let others = others.map(|place| (*place, "here too".to_owned()));
        problem.related.extend(others);
        Some(problem)
    });
    told.collect()
}

/// The reserved words that somebody has meant for names: where they are used as such later on, the grammar may expect
/// something else, and that follows.
#[derive(Default)]
struct Reserved(FxHashSet<(FileId, String)>);

impl Reserved {
    fn explain(&mut self, program: &Program, problem: &Problem) -> bool {
        let Some(span) = problem.span.filter(|_| problem.code == Code::Syntax) else {
            return false;
        };
        let text = &program.file(span.file).text;
        let Some(at) = text.get(span.start as usize..span.end as usize) else {
            return false;
        };
        if problem
            .message
            .contains("is a reserved word and cannot name")
        {
            return !self.0.insert((span.file, at.to_owned()));
        }
        if self.0.is_empty() {
            return false;
        }
        // What is missing is told behind the word, and what does not belong at it.
        let line = text[..span.start as usize].rsplit('\n').next();
        let is_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
        let before = line.unwrap_or_default().trim_end();
        let before = before.rsplit(|letter: char| !is_of_name(letter)).next();
        let words = [before.unwrap_or_default(), at];
        words
            .iter()
            .any(|word| self.0.contains(&(span.file, (*word).to_owned())))
    }
}

/// What is told, wherever it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct What {
    file: FileId,
    code: Code,
    /// A name that is not known; else the words of the message.
    words: String,
    /// Where the body begins whose state it should be.
    body: Option<u32>,
}

impl What {
    fn of(program: &Program, problem: &Problem) -> Option<(What, Span)> {
        let span = problem
            .span
            .filter(|_| problem.severity == Severity::Error)?;
        let (file, code) = (span.file, problem.code);
        let text = &program.file(file).text;
        let text = text.get(span.start as usize..span.end as usize)?;
        let mut body = None;
        let words = match code {
            Code::UnknownName => text,
            // Each body has states of its own.
            Code::UnknownState => {
                let item = item(&program.file(file).parse.syntax(), span);
                let item = item.filter(|item| has_body(item.kind()));
                body = item.map(|item| u32::from(item.text_range().start()));
                &problem.message
            }
            Code::WrongArguments => &problem.message,
            // A name with letters that names do not have.
            Code::Syntax if text.starts_with(char::is_alphabetic) && !text.is_ascii() => text,
            // A number that is written is wrong where it is written.
            Code::OutsideType if text.contains(char::is_alphabetic) => &problem.message,
            _ => return None,
        };
        let words = words.to_owned();
        let what = What {
            file,
            code,
            words,
            body,
        };
        Some((what, span))
    }
}

/// The declaration in which a place is, or that ends there.
pub(super) fn item(root: &SyntaxNode, span: Span) -> Option<SyntaxNode> {
    // Not by the token there, for which each child on the way is looked at.
    let before = span.start.saturating_sub(1);
    let place = TextRange::new(before.into(), (before + 1).into());
    root.child_or_token_at_range(place)?.into_node()
}

/// The declarations in which there is a mistake of the grammar, each with whether something is lost by it.
struct Bodies {
    around: FxHashMap<(FileId, u32), bool>,
    roots: FxHashMap<FileId, SyntaxNode>,
}

impl Bodies {
    fn around(program: &Program, wrong: &[Span], losing: &[Span]) -> Bodies {
        let mut bodies = Bodies {
            around: FxHashMap::default(),
            roots: FxHashMap::default(),
        };
        let all = wrong.iter().map(|span| (span, false));
        for (span, loses) in all.chain(losing.iter().map(|span| (span, true))) {
            let roots = bodies.roots.entry(span.file);
            roots.or_insert_with(|| program.file(span.file).parse.syntax());
            if let Some(item) = bodies.item(*span) {
                bodies.around.insert((span.file, item), loses);
            }
        }
        bodies
    }

    /// Where the declaration begins in which a place is.
    fn item(&self, span: Span) -> Option<u32> {
        let item = item(self.roots.get(&span.file)?, span)?;
        Some(u32::from(item.text_range().start()))
    }

    /// Whether this is said of how a body is made whose grammar is wrong.
    fn explain(&self, problem: &Problem) -> bool {
        let is_around = |loses: bool| {
            let span = problem.span?;
            let around = self.around.get(&(span.file, self.item(span)?))?;
            (*around || !loses).then_some(())
        };
        let found = match problem.code {
            // What comes too late is of a body that was taken for one of another kind.
            Code::MixedBody => is_around(false),
            Code::NoInitialState | Code::SeveralInitialStates | Code::LoopWithoutStep => {
                is_around(true)
            }
            _ => None,
        };
        found.is_some()
    }
}

/// The line on which a place is.
pub(super) fn line(file: &ParsedFile, at: u32) -> TextRange {
    let number = file.position(at).line - 1;
    let line = file.lines.line_range(number);
    line.expect("a line that a place is on")
}

/// Whether a node has statements or states within it.
pub(super) fn has_body(kind: SyntaxKind) -> bool {
    use SyntaxKind::*;
    matches!(
        kind,
        MACRO_DECL
            | PROCESS_DECL
            | TESTER_DECL
            | SPECIFICATION_DECL
            | BUCHI_DECL
            | TESTING_DECL
            | STATE
            | SHARED_STEPS
            | IF_STMT
            | WHILE_STMT
            | LOOP_STMT
            | EITHER_STMT
            | BRANCH
            | BLOCK
    )
}
