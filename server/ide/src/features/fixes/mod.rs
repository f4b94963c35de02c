//! What can be done about a problem or a violation, as edits that can be made at once.
//!
//! A fix is offered only if the texts, read again with its edits made, have that problem no more and
//! no error that they did not have. Whether a property holds then is for the next check to tell.

mod fair;
mod literal;
mod proposal;
mod states;
mod stop;
mod text;
mod unused;
mod widen;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::problem::{Code, Problem, Severity};
use stubborn_model::program::Program;
use stubborn_model::{Analysis, Model};
use stubborn_report::{PropertyReport, Verdict};
use stubborn_system::source::FileId;

use proposal::{Proposal, Root};

use super::again::{edited, read_again};
use super::{Edits, Location};
use crate::database::{Db, SourceFile, analyzed, reports, verdicts, whole};

/// So many are tried for one place. Each costs an analysis.
const MOST_TRIED: usize = 8;

/// Edits that would mend something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub edits: Edits,
    /// Where what it mends is told, in the file asked about.
    pub bytes: Range<usize>,
    /// The problem's code, or the property's kind.
    pub code: &'static str,
    /// The message says just this.
    pub is_the_one: bool,
}

/// The fixes for what is told of a file within a piece of it. `roots` are the files that may use it;
/// `may_change` says of a path whether its file may be edited.
pub fn fixes(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    within: &Range<usize>,
    may_change: &dyn Fn(&str) -> bool,
) -> Vec<Fix> {
    let (Some(whole), Some(analysis)) = (whole(db, file), analyzed(db, file)) else {
        return Vec::new();
    };
    let root = Root {
        program: &whole.program,
        analysis: &analysis,
    };
    let mut found: Vec<Fix> = Vec::new();
    let mut left = MOST_TRIED;
    let mut add = |bytes: &Range<usize>, code, problem: Option<&Problem>, proposal: Proposal| {
        let Some(edits) = ordered(root.program, proposal.edits) else {
            return;
        };
        let may_be_made = edits.keys().all(|path| may_change(path));
        if left == 0 || !may_be_made || found.iter().any(|one| one.edits == edits) {
            return;
        }
        left -= 1;
        if mends(db, roots, file, problem, &edits) {
            found.push(Fix {
                title: proposal.title,
                edits,
                bytes: bytes.clone(),
                code,
                is_the_one: proposal.is_the_one,
            });
        }
    };
    for problem in &analysis.problems {
        let Some(span) = problem.span.filter(|span| span.file == FileId(0)) else {
            continue;
        };
        let bytes = span.start as usize..span.end as usize;
        if !touches(&bytes, within) {
            continue;
        }
        let proposals = of_problem(root, problem);
        if proposals.is_empty() || !is_told_by_all(db, roots, file, problem) {
            continue;
        }
        for proposal in proposals {
            add(&bytes, problem.code.as_str(), Some(problem), proposal);
        }
    }
    let Some(model) = &analysis.model else {
        return found;
    };
    let (reports, verdicts) = (reports(db, file), verdicts(db, file));
    for (report, known) in reports.iter().zip(verdicts.iter()) {
        let (Some(report), Some(known)) = (report, known) else {
            continue;
        };
        if report.verdict != Verdict::Violated || report.expected_violated {
            continue;
        }
        let Some(bytes) = told_at(file.path(db), report, within) else {
            continue;
        };
        let code = stubborn_report::kind(report.form);
        for proposal in of_violation(root, model, report, &known.answer) {
            add(&bytes, code, None, proposal);
        }
    }
    found
}

fn of_problem(root: Root<'_>, problem: &Problem) -> Vec<Proposal> {
    let proposals = [
        literal::proposal(root, problem),
        states::proposal(root, problem),
        unused::proposal(root, problem),
        widen::proposal(root, problem),
        stop::proposal(root, problem),
        stop::not_required(root, problem),
    ];
    proposals.into_iter().flatten().collect()
}

fn of_violation(
    root: Root<'_>,
    model: &Model,
    report: &PropertyReport,
    answer: &crate::jobs::Answer,
) -> Vec<Proposal> {
    let proposals = [
        states::of_deadlock(root, report),
        widen::of_error(root, model, answer),
        stop::of_termination(root, report),
        fair::of_standing_still(root, model, report, answer),
    ];
    proposals.into_iter().flatten().collect()
}

/// Where a violation is told that touches what is asked about: at the property's name, where its last
/// step is, or where somebody is stuck.
fn told_at(path: &str, report: &PropertyReport, within: &Range<usize>) -> Option<Range<usize>> {
    let places = report.places().filter(|place| *place.file == *path);
    let mut bytes = places.map(|place| Location::from(place).bytes);
    bytes.find(|bytes| touches(bytes, within))
}

fn touches(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start <= other.end && other.start <= one.end
}

/// Warnings and hints are told only where all roots of the file give them: a variable that a tester
/// reads is read.
fn is_told_by_all(db: &dyn Db, roots: &[SourceFile], file: SourceFile, problem: &Problem) -> bool {
    let path = file.path(db);
    let gives_it = |root: SourceFile| {
        let (Some(whole), Some(analysis)) = (whole(db, root), analyzed(db, root)) else {
            return true;
        };
        let mut files = whole.program.files.iter();
        let Some(at) = files.position(|file| *file.path == **path) else {
            return true;
        };
        let span = problem.span.map(|span| stubborn_system::source::Span {
            file: FileId(at as u32),
            ..span
        });
        let mut problems = analysis.problems.iter();
        problems.any(|other| other.code == problem.code && other.span == span)
    };
    problem.severity == Severity::Error
        || roots
            .iter()
            .filter(|root| **root != file)
            .all(|root| gives_it(*root))
}

/// The edits by their files, in the order of the texts; `None` where they get into each other's way.
fn ordered(program: &Program, edits: Vec<(FileId, Range<usize>, String)>) -> Option<Edits> {
    let mut ordered = Edits::new();
    for (file, bytes, text) in edits {
        let path: Arc<str> = program.files.get(file.0 as usize)?.path.as_str().into();
        ordered.entry(path).or_default().push((bytes, text));
    }
    for edits in ordered.values_mut() {
        edits.sort_by_key(|(bytes, _)| (bytes.start, bytes.end));
        edits.dedup();
        let mut pairs = edits.windows(2);
        if pairs.any(|pair| pair[1].0.start < pair[0].0.end) {
            return None;
        }
    }
    (!ordered.is_empty()).then_some(ordered)
}

/// Whether the file has the problem no more with these edits, and neither it nor any root that reads
/// what they change has an error that is new.
fn mends(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    problem: Option<&Problem>,
    edits: &Edits,
) -> bool {
    let texts = edited(db, edits);
    let reads_them = |root: &SourceFile| {
        let whole = whole(db, *root);
        whole.is_some_and(|whole| edits.keys().any(|path| whole.paths.contains(path)))
    };
    let others = roots.iter().copied().filter(|root| *root != file);
    let mut all = std::iter::once(file).chain(others.filter(reads_them));
    all.all(|root| {
        let (Some(before), Some((_, after))) = (analyzed(db, root), read_again(db, root, &texts))
        else {
            return false;
        };
        let keeps_its_meaning = after.model.is_some() || before.model.is_none();
        let asked = problem.filter(|_| root == file);
        let is_mended =
            asked.is_none_or(|problem| times(&after, problem) < times(&before, problem));
        keeps_its_meaning && is_mended && !has_new_errors(&before, &after)
    })
}

/// How often a problem is told.
fn times(analysis: &Analysis, problem: &Problem) -> usize {
    let same = |other: &&Problem| other.code == problem.code && other.message == problem.message;
    analysis.problems.iter().filter(same).count()
}

/// Whether there are more errors of some code than before.
fn has_new_errors(before: &Analysis, after: &Analysis) -> bool {
    let counts = |analysis: &Analysis| {
        let mut counts: BTreeMap<Code, usize> = BTreeMap::new();
        let problems = analysis.problems.iter();
        for problem in problems.filter(|problem| problem.severity == Severity::Error) {
            *counts.entry(problem.code).or_default() += 1;
        }
        counts
    };
    let before = counts(before);
    let had = |code| before.get(code).copied().unwrap_or(0);
    counts(after).iter().any(|(code, count)| *count > had(code))
}

#[cfg(test)]
mod tests;
