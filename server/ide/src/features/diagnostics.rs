//! What is wrong with the files: the problems of the texts, and the properties that are violated or
//! that nobody could decide.

use std::ops::Range;
use std::sync::Arc;

use stubborn_model::problem::{Code, Problem, Severity as ProblemSeverity};
use stubborn_model::program::Program;
use stubborn_report::PropertyReport;
use stubborn_system::source::Span;

use super::Location;
use super::message::{Message, Messages, Roots, Severity, uses};
use super::state::{Pending, PropertyState, states, violated_before};
use super::undecided::of_undecided;
use super::violation::{of_violations, under};
use crate::before::BeforeOfRoot;
use crate::database::{Contents, Db, SourceFile, analyzed, properties, reports, whole};

/// What is wrong with the texts of one root's files, in their order.
#[salsa::tracked(returns(clone))]
pub fn of_text(db: &dyn Db, root: SourceFile) -> Arc<Messages> {
    let Some(whole) = whole(db, root) else {
        return Arc::default();
    };
    let analysis = analyzed(db, root);
    let problems = analysis.iter().flat_map(|analysis| &analysis.problems);
    Arc::new(of_problems(&whole.program, problems))
}

fn of_problems<'p>(program: &Program, problems: impl Iterator<Item = &'p Problem>) -> Messages {
    let mut messages = none_of(program);
    for problem in problems {
        let span = problem.span.unwrap_or(ORIGIN);
        let message = of_problem(problem, program);
        add(&mut messages, path(program, span), message);
    }
    sorted(messages)
}

/// What is wrong with the grammar of one root's files: known before it is known what anything means.
pub fn of_grammar(db: &dyn Db, root: SourceFile) -> Messages {
    let Some(whole) = whole(db, root) else {
        return Messages::default();
    };
    let problems = stubborn_model::grammar(&whole.program);
    of_problems(&whole.program, problems.iter())
}

/// What was found of the text before, while nothing is known of the properties of the text as it is.
pub fn of_before(db: &dyn Db, root: SourceFile, before: Option<&BeforeOfRoot>) -> Messages {
    let whole = whole(db, root);
    let violated = whole.map(|whole| violated_before(&whole.program, before));
    let mut messages = Messages::new();
    // Other files know better by themselves.
    let own = root.path(db);
    for one in violated
        .into_iter()
        .flatten()
        .filter(|one| one.place.path == *own)
    {
        let path = Arc::clone(&one.place.path);
        messages.entry(path).or_default().extend(was_violated(one));
    }
    messages
}

/// What was violated before, said to be so.
fn was_violated(one: PropertyState) -> Option<Message> {
    let found = one.state.before();
    let found = found.filter(|found| found.is_violated())?;
    let found = under(&[&**found]);
    Some(Message {
        bytes: one.place.bytes,
        severity: Severity::Warning,
        text: format!("in the text before: {}", found.text),
        related: Vec::new(),
        ..found
    })
}

/// The properties of one root's files that are violated.
#[salsa::tracked(returns(clone))]
pub fn of_verdicts(db: &dyn Db, root: SourceFile) -> Arc<Messages> {
    let Some(whole) = whole(db, root) else {
        return Arc::default();
    };
    let mut messages = none_of(&whole.program);
    // Those that stand in other files are told with what is known there: see `beside`.
    let (reports, own) = (reports(db, root), root.path(db));
    let violated = |report: &&PropertyReport| report.is_wrong() && report.place.file == *own;
    let violated: Vec<&PropertyReport> = reports.iter().flatten().filter(violated).collect();
    for (path, message) in of_violations(&violated) {
        add(&mut messages, &path, message);
    }
    Arc::new(sorted(messages))
}

/// The files of a program, with nothing wrong in them.
fn none_of(program: &Program) -> Messages {
    let files = program.files.iter();
    files
        .map(|file| (file.path.as_str().into(), Vec::new()))
        .collect()
}

fn add(messages: &mut Messages, path: &str, message: Message) {
    if let Some(messages) = messages.get_mut(path) {
        messages.push(message);
    }
}

fn sorted(mut all: Messages) -> Messages {
    for messages in all.values_mut() {
        messages.sort_by_key(|message| (message.bytes.start, message.bytes.end));
    }
    all
}

/// The violations of properties that stand in other files than the root's. Where such a file is a root
/// itself, what is told in it is what holds of it alone; what this root makes of it is told here.
fn elsewhere(db: &dyn Db, root: SourceFile, roots: &Roots) -> Vec<(Arc<str>, Message)> {
    let (reports, properties, own) = (reports(db, root), properties(db, root), root.path(db));
    let all = reports.iter().zip(properties.iter());
    let foreign = all.filter_map(|(report, property)| {
        let report = report.as_ref()?;
        let is_foreign = report.is_wrong() && report.place.file != *own;
        is_foreign.then_some((report, property))
    });
    let (of_roots, others): (Vec<_>, Vec<_>) =
        foreign.partition(|(report, _)| roots.has(&report.place.file));
    let others: Vec<&PropertyReport> = others.into_iter().map(|(report, _)| report).collect();
    let mut messages = of_violations(&others);
    let of_roots = of_roots.into_iter();
    let untold: Vec<&PropertyReport> = of_roots
        .filter(|(_, property)| !roots.tells(property.key))
        .map(|(report, _)| report)
        .collect();
    for group in untold.chunk_by(|one, other| one.place == other.place && one.base == other.base) {
        let mut message = under(group);
        let place = (Location::from(&group[0].place), "it stands here".to_owned());
        message.related.insert(0, place);
        message.text = format!("with what this file adds, {}", message.text);
        message.bytes = uses(db, root);
        messages.push((Arc::clone(own), message));
    }
    messages
}

/// What is not in the text alone: what nobody could decide, and how that goes on; and what was found of
/// the text before, where nothing is known of the text as it is: it is not taken away without a word. Its
/// places were those of another text, so that no way leads through it.
pub fn beside(
    db: &dyn Db,
    root: SourceFile,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
    roots: &Roots,
) -> Messages {
    let mut messages = Messages::new();
    let undecided = of_undecided(db, root, pending, roots);
    for (path, message) in elsewhere(db, root, roots).into_iter().chain(undecided) {
        messages.entry(path).or_default().push(message);
    }
    for one in states(db, root, pending, before) {
        // A root of its own knows better how it stands, and a file that is gone has nothing in it.
        let is_elsewhere = one.place.path != *root.path(db);
        let is_gone = || !matches!(db.file(&one.place.path).contents(db), Contents::Text(_));
        if is_elsewhere && (roots.has(&one.place.path) || is_gone()) {
            continue;
        }
        let path = Arc::clone(&one.place.path);
        if let Some(message) = was_violated(one) {
            messages.entry(path).or_default().push(message);
        }
    }
    messages
}

/// The messages of several roots' files.
///
/// A file that several roots share has the errors of all of them, but only those warnings and hints
/// that all of them give: a variable that a tester reads is read.
pub fn merged(roots: &[Arc<Messages>]) -> Messages {
    let mut merged = Messages::new();
    for root in roots {
        for (path, messages) in root.iter() {
            let others = || roots.iter().filter_map(|other| other.get(path));
            let all = merged.entry(Arc::clone(path)).or_default();
            for message in messages {
                let counts = match message.severity {
                    Severity::Error | Severity::Information => true,
                    Severity::Warning | Severity::Hint => {
                        others().all(|other| other.contains(message))
                    }
                };
                if counts && !all.contains(message) {
                    all.push(message.clone());
                }
            }
        }
    }
    sorted(merged)
}

/// Whether the same is wrong with a text, wherever it now stands.
pub fn are_alike(one: Option<&Vec<Message>>, other: Option<&Vec<Message>>) -> bool {
    let [one, other] = [one, other].map(|all| all.map_or(&[][..], Vec::as_slice));
    let is_alike = |(one, other): (&Message, &Message)| {
        (one.severity, one.code, &one.text) == (other.severity, other.code, &other.text)
    };
    one.len() == other.len() && one.iter().zip(other).all(is_alike)
}

/// All of these messages, whatever the others say.
pub fn together<'m>(parts: impl Iterator<Item = &'m Messages>) -> Messages {
    let mut together = Messages::new();
    for (path, messages) in parts.flatten() {
        let all = together.entry(Arc::clone(path)).or_default();
        for message in messages {
            if !all.contains(message) {
                all.push(message.clone());
            }
        }
    }
    sorted(together)
}

/// Where a problem is shown that no text is at fault for.
const ORIGIN: Span = Span {
    file: stubborn_system::source::FileId(0),
    start: 0,
    end: 0,
};

fn path(program: &Program, span: Span) -> &str {
    program
        .files
        .get(span.file.0 as usize)
        .map_or("", |file| &file.path)
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn of_problem(problem: &Problem, program: &Program) -> Message {
    let related = problem.related.iter().map(|(span, what)| {
        let location = Location {
            path: path(program, *span).into(),
            bytes: bytes(*span),
        };
        (location, what.clone())
    });
    Message {
        bytes: bytes(problem.span.unwrap_or(ORIGIN)),
        severity: match problem.severity {
            ProblemSeverity::Error => Severity::Error,
            ProblemSeverity::Warning => Severity::Warning,
            ProblemSeverity::Hint => Severity::Hint,
        },
        code: problem.code.as_str(),
        text: problem.message.clone(),
        unnecessary: matches!(
            problem.code,
            Code::Unreachable | Code::NeverRead | Code::UnusedParameter
        ),
        related: related.collect(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{checked, file};
    use super::*;
    use crate::database::Database;

    fn shown(text: &str, (db, file): (Database, SourceFile), expected: Expect) {
        let mut shown = String::new();
        let parts = [of_text(&db, file), of_verdicts(&db, file)];
        let messages = together(parts.iter().map(|part| &**part));
        for message in messages.values().flatten() {
            let Message {
                severity,
                code,
                text: said,
                ..
            } = message;
            let faded = if message.unnecessary { ", faded" } else { "" };
            let at = &text[message.bytes.clone()];
            shown.push_str(&format!("`{at}` {severity:?} {code}{faded}: {said}\n"));
            for (location, what) in &message.related {
                shown.push_str(&format!(
                    "    `{}`: {what}\n",
                    &text[location.bytes.clone()]
                ));
            }
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_violated_property_leads_through_the_steps_of_its_trace() {
        let text = "var x: 0..5\nprocess p { loop { x = (x + 1) % 6 } }\ninvariant small: x < 2\n";
        shown(
            text,
            checked(text),
            expect![[r#"
                `p` Hint no-place-to-stop: no process has a place where it may stop, so that the model is taken to go on for ever and `termination` is not checked; mark a state `final`, or give a process a `stop`, or write `termination not required`
                `small` Error invariant: small is violated: `small` is false after 2 steps: x = 2
                    `x = (x + 1) % 6`: step 1: p: `x = (x + 1) % 6`, x = 1
                    `x = (x + 1) % 6`: step 2: p: `x = (x + 1) % 6`, x = 2
            "#]],
        );
    }

    #[test]
    fn what_is_violated_as_expected_is_no_problem_and_what_holds_against_expectation_is_one() {
        let text = "var x: 0..2\nprocess p { x = 1 }\ninvariant small: x < 1\ninvariant low: x < 2\n\
                    reachable two: x == 2\nreachable one: x == 1\nexpect violated: small, low, two\n";
        shown(
            text,
            checked(text),
            expect![[r#"
            `low` Error invariant: low holds, though it is expected to be violated
        "#]],
        );
    }

    #[test]
    fn a_deadlock_tells_who_waits_for_what() {
        let text = "var free: bool\nprocess p { await free do free = true }\n";
        shown(
            text,
            checked(text),
            expect![[r#"
                `p` Error deadlock: deadlock is violated: from the start nothing can happen: p at line 2 waits for `free`
                    `await free do free = true`: p at line 2 waits for `free`
                `await free do free = true` Information deadlock: p waits here for `free`, at the start
                    `p`: `deadlock` is violated
            "#]],
        );
    }

    #[test]
    fn a_mistake_is_told_at_its_place_and_what_is_not_needed_is_faded() {
        let text = "var x: bool\nprocess p { y = true }\n";
        shown(
            text,
            file(text),
            expect![[r#"
                `y` Error unknown-name: `y` is not known here; a `var`, `const` or `def` of this name would declare it
            "#]],
        );
    }

    #[test]
    fn a_file_that_roots_share_has_their_errors_and_the_warnings_that_they_agree_on() {
        let message = |severity, text: &str| Message {
            bytes: 0..1,
            severity,
            code: "code",
            text: text.to_owned(),
            unnecessary: false,
            related: Vec::new(),
        };
        let one = message(Severity::Error, "one");
        let both = message(Severity::Warning, "both");
        let alone = message(Severity::Warning, "alone");
        let root = |messages: &[&Message]| {
            let messages = messages.iter().map(|one| (*one).clone()).collect();
            Arc::new(Messages::from([("/a".into(), messages)]))
        };
        let merged = merged(&[root(&[&one, &both, &alone]), root(&[&both])]);
        assert_eq!(merged["/a"], [one, both]);
    }
}
