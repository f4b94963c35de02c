//! JUnit's XML, which every build server shows: a suite for each file, a test for each property.

use std::io::{self, Write};
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};
use stubborn_model::problem::Severity;
use stubborn_report::{PropertyReport, Report, Verdict, table};

/// How wide a trace is laid out.
const WIDTH: usize = 100;

/// Writes a report as a JUnit document. Violated properties are failures; those that are undecided
/// and errors in the text are errors, and so is it that the text was not read in time.
pub fn write(report: &Report, to: &mut dyn Write) -> io::Result<()> {
    let mut document = Document::new("stubborn");
    let mut suites: Vec<TestSuite> = Vec::new();
    let mut add = |file: &str, case: TestCase| match suites
        .iter_mut()
        .find(|suite| suite.name.as_str() == file)
    {
        Some(suite) => {
            suite.add_test_case(case);
        }
        None => {
            let mut suite = TestSuite::new(file.to_owned());
            suite.add_test_case(case);
            suites.push(suite);
        }
    };
    for problem in report
        .problems
        .iter()
        .filter(|one| one.severity == Severity::Error || one.is_cut())
    {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status
            .set_message(problem.message.clone())
            .set_type(problem.code);
        let (file, name) = match &problem.place {
            Some(place) => {
                let at = place.range.start;
                (
                    &*place.file,
                    format!("{} at {}:{}", problem.code, at.line, at.column),
                )
            }
            None => ("command line", problem.code.to_owned()),
        };
        let mut case = TestCase::new(name, status);
        case.set_classname(file.to_owned());
        add(file, case);
    }
    for property in &report.properties {
        add(&property.place.file, test_case(property));
    }
    document.add_test_suites(suites);
    document.serialize(&mut *to).map_err(io::Error::other)?;
    writeln!(to)
}

fn test_case(property: &PropertyReport) -> TestCase {
    let why = property.why.clone().unwrap_or_default();
    let why = match property.verdict {
        Verdict::Holds if property.expected_violated => property.standing(),
        _ => why,
    };
    let status = match property.is_as_expected() {
        Some(true) => TestCaseStatus::success(),
        Some(false) => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let place = format!(
                "{}:{}",
                property.place.file, property.place.range.start.line
            );
            let trace = property
                .trace
                .as_ref()
                .map(|trace| table(trace).plain(WIDTH));
            status
                .set_message(why.clone())
                .set_type(property.kind_and_violation())
                .set_description(format!("{place}: {why}\n\n{}", trace.unwrap_or_default()));
            status
        }
        None => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_message(why).set_type("undecided");
            status
        }
    };
    let mut case = TestCase::new(property.label().into_owned(), status);
    case.set_classname(property.place.file.to_string());
    // What shows that something can be reached, or is violated as it is expected to be, is no failure, and shown all the same.
    if property.is_as_expected() == Some(true)
        && let Some(trace) = &property.trace
    {
        case.set_system_out(table(trace).plain(WIDTH));
    }
    case.set_time(Duration::try_from_secs_f64(property.seconds).unwrap_or_default());
    case
}
