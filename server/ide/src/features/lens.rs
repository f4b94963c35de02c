//! A line over each property that says how it stands.

use std::ops::Range;
use std::sync::Arc;

use stubborn_report::{PropertyReport, TraceReport, Verdict, after, counted, grouped};

use super::state::{Pending, PropertyState, State, states};
use crate::before::{BeforeOfRoot, Found};
use crate::database::{Db, SourceFile};
use crate::jobs::Standing;
use crate::tried::Setting;

/// A line over the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    pub bytes: Range<usize>,
    pub title: String,
    pub offers: Option<Offer>,
}

/// What can be done about how a property stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// To check the file without limits.
    Check,
    /// To show the run that violates the property of this name.
    Run(String),
    /// To step through that run, in a debugger that the client has.
    Debug(String),
    /// To show it with another value of a parameter.
    RunWith(String, Setting),
    /// To check the file without limits, with another value of a parameter.
    CheckWith(Setting),
    /// To check the file with these values of a parameter.
    Values(Arc<str>, Vec<i64>),
    /// To look for the smallest value of a parameter that violates a property.
    Smallest(Arc<str>),
    /// To look no further for it.
    Stop(Arc<str>),
}

/// The lines over the properties of a file, those of one place together.
pub fn lenses(
    db: &dyn Db,
    file: SourceFile,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> Vec<Lens> {
    let own = file.path(db);
    let all = states(db, file, pending, before);
    let here: Vec<&PropertyState> = all.iter().filter(|one| one.place.path == *own).collect();
    let groups =
        here.chunk_by(|one, other| one.place.bytes == other.place.bytes && one.base == other.base);
    groups.map(lens).collect()
}

/// A line beside each that shows a run, for a client with a debugger.
pub fn debugging(lenses: &[Lens]) -> Vec<Lens> {
    let with_run = lenses.iter().filter_map(|lens| match &lens.offers {
        Some(Offer::Run(name)) => Some(Lens {
            bytes: lens.bytes.clone(),
            title: "step through it".to_owned(),
            offers: Some(Offer::Debug(name.clone())),
        }),
        _ => None,
    });
    with_run.collect()
}

fn lens(group: &[&PropertyState]) -> Lens {
    let title = match group {
        [one] => format!("{}: {}", one.name, told(&one.state)),
        _ => of_values(group),
    };
    let is_undecided = |one: &&PropertyState| matches!(&one.state, State::Known(report) if report.verdict == Verdict::Undecided);
    let run = group.iter().find_map(|one| match &one.state {
        State::Known(report) => report.trace.as_ref().map(|_| one.name.clone()),
        _ => None,
    });
    let offers = match run {
        Some(name) => Some(Offer::Run(name)),
        None => group.iter().any(is_undecided).then_some(Offer::Check),
    };
    Lens {
        bytes: group[0].place.bytes.clone(),
        title: match &offers {
            Some(Offer::Check) => format!("{title} · check without limits"),
            Some(Offer::Run(_)) => format!("{title} · show the run"),
            _ => title,
        },
        offers,
    }
}

/// How a property stands, in a few words: "✗ violated after 4 steps".
pub fn told(state: &State) -> String {
    let of_before = |before: Option<&Found>| match before.map(|report| report.verdict) {
        None => "",
        Some(Verdict::Holds) => " (it held in the text before)",
        Some(Verdict::Violated) => " (it was violated in the text before)",
        Some(Verdict::Undecided) => " (it was undecided in the text before)",
    };
    match state {
        State::Known(report) => of_report(report),
        State::Pending(Standing::Waiting(first), before) => {
            format!("… waits for {first}{}", of_before(before.as_ref()))
        }
        State::Pending(Standing::Held(states, first), before) => {
            let (found, before) = (grouped(*states), of_before(before.as_ref()));
            format!("… {found} states, waits for {first}{before}")
        }
        State::Pending(Standing::Running(states), before) => {
            let found = match states {
                0 => String::new(),
                states => format!(", {} states", grouped(*states)),
            };
            format!("… is being checked{found}{}", of_before(before.as_ref()))
        }
        State::Stale(None) => "○ not checked yet: save the file to check it".to_owned(),
        State::Stale(before) => {
            format!("○ not checked as it is now{}", of_before(before.as_ref()))
        }
    }
}

fn of_report(report: &PropertyReport) -> String {
    let states = counted(report.states as usize, "state");
    match report.verdict {
        Verdict::Holds => {
            let before = if report.found_before {
                " · found before"
            } else {
                ""
            };
            let mark = if report.is_wrong() { "✗" } else { "✓" };
            format!(
                "{mark} {} · {states} · {:.2} s{before}",
                report.standing(),
                report.seconds
            )
        }
        Verdict::Violated if report.expected_violated => {
            format!("✓ {} · {states}", report.standing())
        }
        Verdict::Violated => match report.trace.as_ref().map(TraceReport::until_violated) {
            Some(steps) if steps > 0 => format!("✗ violated {}", after(steps)),
            Some(_) if report.trace.as_ref().is_some_and(|trace| trace.cycle > 0) => {
                "✗ violated by a cycle from the start".to_owned()
            }
            Some(_) => "✗ violated in the initial state".to_owned(),
            None => "✗ violated".to_owned(),
        },
        Verdict::Undecided => format!("? undecided after {states}"),
    }
}

/// "✗ 1 of 3 violated: access(2)".
fn of_values(group: &[&PropertyState]) -> String {
    let count = group.len();
    let name = &group[0].base;
    let of = |is_it: &dyn Fn(&State) -> bool| -> Vec<&str> {
        let those = group.iter().filter(|one| is_it(&one.state));
        those.map(|one| one.name.as_str()).collect()
    };
    let known = |wanted: Option<bool>| {
        of(&|state| matches!(state, State::Known(report) if report.is_as_expected() == wanted))
    };
    let is_to_fail = |one: &&&PropertyState| matches!(&one.state, State::Known(report) if report.expected_violated);
    let (wrong, right) = match group.iter().filter(is_to_fail).count() {
        0 => ("violated", "hold"),
        _ => ("not as expected", "as expected"),
    };
    let kinds: [(&str, &str, Vec<&str>); 5] = [
        ("✗", wrong, known(Some(false))),
        ("?", "undecided", known(None)),
        (
            "…",
            "being checked",
            of(&|s| matches!(s, State::Pending(..))),
        ),
        (
            "○",
            "not checked as it is now",
            of(&|s| matches!(s, State::Stale(_))),
        ),
        ("✓", right, known(Some(true))),
    ];
    let parts = kinds.iter().filter(|(.., names)| !names.is_empty());
    let parts = parts.map(|(mark, what, names)| match names.len() {
        all if all == count => format!("{mark} all {count} {what}"),
        some if some <= MOST_NAMED && *mark == "✗" => {
            format!("{mark} {some} of {count} {what}: {}", names.join(", "))
        }
        some => format!("{mark} {some} of {count} {what}"),
    });
    format!("{name}: {}", parts.collect::<Vec<_>>().join(" · "))
}

/// So many values are named.
const MOST_NAMED: usize = 3;

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::{checked, file};
    use super::*;
    use crate::database::{Database, properties};

    const TEXT: &str = "\
var x: 0..5
process p { loop { x = (x + 1) % 6 } }
invariant small: x < 2
invariant least(k in 0..2): x >= 0 - k
invariant each(k in 1..4): x < 2 * k
";

    fn shown(db: &Database, file: SourceFile, pending: &Pending, expected: Expect) {
        let lenses = lenses(db, file, pending, None);
        let lines = lenses.iter().map(|lens| {
            let line = 1 + TEXT[..lens.bytes.start].matches('\n').count();
            format!("{line}: {}\n", lens.title)
        });
        expected.assert_eq(&lines.collect::<String>());
    }

    #[test]
    fn every_property_says_how_it_stands_the_values_of_one_together() {
        let (db, file) = checked(TEXT);
        shown(
            &db,
            file,
            &Pending::new(),
            expect![[r#"
                2: errors: ✓ holds · 6 states · 0.00 s
                2: deadlock: ✓ holds · 6 states · 0.00 s
                3: small: ✗ violated after 2 steps · show the run
                4: least: ✓ all 3 hold
                5: each: ✗ 2 of 4 violated: each(1), each(2) · ✓ 2 of 4 hold · show the run
            "#]],
        );
    }

    #[test]
    fn a_run_can_be_stepped_through_beside_where_it_is_shown() {
        let (db, file) = checked(TEXT);
        let all = lenses(&db, file, &Pending::new(), None);
        let shown = debugging(&all);
        let shown: Vec<_> = shown
            .iter()
            .map(|one| (one.bytes.start, &one.offers))
            .collect();
        let run = |name: &str| Some(Offer::Debug(name.to_owned()));
        let at = |name: &str| TEXT.find(name).expect("its name");
        let (small, each) = (run("small"), run("each(1)"));
        assert_eq!(shown, [(at("small"), &small), (at("each"), &each)]);
    }

    #[test]
    fn what_is_expected_to_fail_says_whether_it_does_and_a_witness_is_shown() {
        let (db, file) = checked(
            "var x: 0..2\nprocess p { x = 1 }\ninvariant small: x < 1\ninvariant low: x < 2\n\
             invariant each(k in 1..3): x < k\nreachable one: x == 1\nreachable two: x == 2\n\
             expect violated: small, low, each(1)\n",
        );
        shown(
            &db,
            file,
            &Pending::new(),
            expect![[r#"
            2: errors: ✓ holds · 2 states · 0.00 s
            2: deadlock: ✓ holds · 2 states · 0.00 s
            2: termination: ✓ holds · 2 states · 0.00 s
            2: small: ✓ violated, as expected · 2 states · show the run
            3: low: ✗ holds, though it is expected to be violated · 2 states · 0.00 s
            4: each: ✓ all 3 as expected · show the run
            5: one: ✓ holds · 2 states · 0.00 s · show the run
            5: two: ✗ violated
        "#]],
        );
    }

    #[test]
    fn what_is_not_known_is_said_to_be_checked_to_wait_or_to_want_a_save() {
        let (db, file) = file(TEXT);
        let keys: Vec<_> = properties(&db, file).iter().map(|one| one.key).collect();
        let standing = |at: usize| match at {
            0 => Some(Standing::Waiting("b.stb".into())),
            2 | 3 => Some(Standing::Running(12_345)),
            4 => Some(Standing::Running(0)),
            _ => None,
        };
        let all = keys.iter().enumerate();
        let pending: Pending = all
            .filter_map(|(at, key)| Some((*key, standing(at)?)))
            .collect();
        shown(
            &db,
            file,
            &pending,
            expect![[r#"
            2: errors: … waits for b.stb
            2: deadlock: ○ not checked yet: save the file to check it
            3: small: … is being checked, 12,345 states
            4: least: … 2 of 3 being checked · ○ 1 of 3 not checked as it is now
            5: each: … 1 of 4 being checked · ○ 3 of 4 not checked as it is now
        "#]],
        );
    }

    #[test]
    fn three_values_that_are_violated_are_named() {
        let told = |last: i64| {
            let (db, file) = checked(&format!(
                "var x: 0..5\nprocess p {{ loop {{ x = (x + 1) % 6 }} }}\n\
                 invariant each(k in 0..{last}): k == 0 or x < k\n"
            ));
            let lenses = lenses(&db, file, &Pending::new(), None);
            lenses
                .into_iter()
                .any(|lens| lens.title.contains("each(1), each(2)"))
        };
        assert_eq!([2, 3, 4].map(told), [true, true, false]);
    }
}
