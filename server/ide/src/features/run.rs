//! The whole run that violates a property, as a text of its own.

use std::sync::Arc;

use stubborn_report::{PropertyReport, whole_table};

/// So many steps are told; a file with more is of no use to a person.
const MOST_STEPS: usize = 20_000;
/// In characters.
const WIDTH: usize = 120;

/// The run that violates the property of this name, which may have the values of parameters in it;
/// without them it is the first of its values that is violated.
pub fn run(reports: &[Option<PropertyReport>], name: &str) -> Option<String> {
    let report = reports.get(with_run(reports, name)?)?.as_ref();
    report.map(|report| told(report, None))
}

/// The number of the property of this name that has a run; of a name without values of parameters the first value's
/// that has one.
pub fn with_run(reports: &[Option<PropertyReport>], name: &str) -> Option<usize> {
    let find = |is_it: &dyn Fn(&PropertyReport) -> bool| {
        let with_run = |one: &&PropertyReport| one.trace.is_some() && is_it(one);
        let mut all = reports.iter().map(Option::as_ref);
        all.position(|one| one.as_ref().is_some_and(with_run))
    };
    find(&|one| one.name == name).or_else(|| find(&|one| one.base == name))
}

/// The whole run of a report as a text; of one that was found with another value of a parameter, with which.
pub fn told(report: &PropertyReport, with: Option<&(Arc<str>, i64)>) -> String {
    // Who waits for what stands at the end, where the run comes to it.
    let why = report
        .why_without_waits()
        .unwrap_or("there is a run that shows it");
    let mut text = format!(
        "{} is violated{}: {why}\n{}:{}\n\n",
        report.name,
        with.map_or_else(String::new, |(name, value)| format!(
            " with {name} = {value}"
        )),
        report.place.file,
        report.place.range.start.line
    );
    let Some(trace) = &report.trace else {
        return text;
    };
    text.push_str("at the start\n");
    for (name, value) in &trace.start {
        text.push_str(&format!("    {name} = {value}\n"));
    }
    text.push('\n');
    if trace.is_empty() {
        text.push_str("It shows in the initial state already.\n");
    } else {
        text.push_str(&whole_table(trace, MOST_STEPS).plain(WIDTH));
    }
    if !report.waits.is_empty() {
        text.push('\n');
    }
    for wait in &report.waits {
        text.push_str(&format!("{}\n", wait.sentence()));
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::super::fixture::checked;
    use super::*;
    use crate::database::reports;

    #[test]
    fn a_run_is_told_from_its_start_to_its_end() {
        let (db, file) = checked(
            "var free: bool\nvar n: 0..1\nprocess p { n = 1 await free do free = true }\n\
             invariant at(k in 0..1): n == k\n",
        );
        expect![[r#"
            deadlock is violated: after 1 step nothing can happen any more
            /model.stb:3

            at the start
                free = false
                n = 0
                p = line 3

            step  who  from → to            statement  what changed
               1  p    line 3 → line 3 (2)  n = 1      n = 1

            p at line 3 (2) waits for `free`
        "#]]
        .assert_eq(&run(&reports(&db, file), "deadlock").expect("a run"));
        let first = run(&reports(&db, file), "at").expect("a run");
        assert!(first.starts_with("at(0) is violated"), "{first}");
        let other = run(&reports(&db, file), "at(1)").expect("a run");
        assert!(
            other.contains("It shows in the initial state already."),
            "{other}"
        );
        assert_eq!(
            run(&reports(&db, file), "termination of something else"),
            None
        );
    }

    #[test]
    fn a_cycle_is_told_as_one() {
        let (db, file) = checked(
            "var x: 0..3\nprocess p { loop { x = 1 x = 2 } }\nprogress some: must x == 0\n",
        );
        let run = run(&reports(&db, file), "some").expect("a run");
        assert!(run.contains("again and again:"), "{run}");
        assert!(run.contains("back to the state after step"), "{run}");
    }
}
