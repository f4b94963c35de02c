//! A violation, told once: under the property, and where it happens.
//!
//! The values of one property are told together, with the run of the first. What leads to it in the
//! text is the last step of each process, which has brought it where it is, and who waits; the whole
//! run is a command away.

use std::collections::HashSet;
use std::sync::Arc;

use stubborn_report::{PropertyReport, StepReport, TraceReport, Verdict, Wait, after, kind, list};

use super::Location;
use super::message::{Message, Severity};

/// So many who wait are told where they do.
const MOST_PLACES: usize = 8;
/// So many places lead to a violation.
const MOST_RELATED: usize = 24;

/// The messages of the properties that are violated, each with the path of its file.
pub fn of_violations(reports: &[&PropertyReport]) -> Vec<(Arc<str>, Message)> {
    let groups = reports.chunk_by(|one, other| {
        one.place == other.place && one.base == other.base && one.verdict == other.verdict
    });
    let mut messages = Vec::new();
    for group in groups {
        messages.push((Arc::clone(&group[0].place.file), under(group)));
        messages.extend(where_it_happens(group[0]));
    }
    messages
}

/// The message under a property, or under several that stand at one place.
pub fn under(group: &[&PropertyReport]) -> Message {
    let first = group[0];
    debug_assert!(group.iter().all(|one| one.is_wrong()));
    let why = first
        .why
        .as_deref()
        .unwrap_or("there is a run that shows it");
    let text = match group {
        [one] if one.verdict == Verdict::Holds => format!("{} {}", one.name, one.standing()),
        all if first.verdict == Verdict::Holds => {
            format!(
                "{} hold, though they are expected to be violated",
                together(all)
            )
        }
        [one] => format!("{} is violated: {why}", one.name),
        all => format!("{} are violated; {}: {why}", together(all), first.name),
    };
    let others = group.iter().skip(1);
    let others = others.filter_map(|one| {
        let step = one.trace.as_ref()?.last_step()?;
        Some((
            Location::from(&step.place),
            format!("where {} is violated", one.name),
        ))
    });
    let related = related(first).into_iter().chain(others);
    Message {
        bytes: Location::from(&first.place).bytes,
        severity: Severity::Error,
        code: kind(first.form),
        text,
        unnecessary: false,
        related: related.take(MOST_RELATED).collect(),
    }
}

/// `access(0..2)`, or the names, as far as one likes to read them.
fn together(group: &[&PropertyReport]) -> String {
    let base = &group[0].base;
    let value = |one: &&PropertyReport| -> Option<i64> {
        let value = one.name.strip_prefix(&**base)?;
        value.strip_prefix('(')?.strip_suffix(')')?.parse().ok()
    };
    let values: Option<Vec<i64>> = group.iter().map(value).collect();
    if let Some(values) = values
        && values
            .windows(2)
            .all(|pair| pair[0].checked_add(1) == Some(pair[1]))
    {
        return format!("{base}({}..{})", values[0], values[values.len() - 1]);
    }
    let names: Vec<&str> = group.iter().map(|one| one.name.as_str()).collect();
    list(&names)
}

/// A failing step, and those who wait, at their own places.
fn where_it_happens(report: &PropertyReport) -> Vec<(Arc<str>, Message)> {
    let under = (
        Location::from(&report.place),
        format!("`{}` is violated", report.name),
    );
    let message = |place: &stubborn_report::Place, severity, text| {
        let message = Message {
            bytes: Location::from(place).bytes,
            severity,
            code: kind(report.form),
            text,
            unnecessary: false,
            related: vec![under.clone()],
        };
        (Arc::clone(&place.file), message)
    };
    let mut messages = Vec::new();
    let steps = report.trace.as_ref().map_or(0, TraceReport::len);
    if let Some(step) = report.trace.as_ref().and_then(TraceReport::last_step)
        && let Some(why) = &step.fails
    {
        // The step that fails leads nowhere, and is none of those before it.
        let when = after(steps.saturating_sub(1));
        let text = format!("{} fails here {when}: {why}", step.by.join(" and "));
        messages.push(message(&step.place, Severity::Error, text));
    }
    let mut told: Vec<(&Wait, usize)> = Vec::new();
    for wait in &report.waits {
        match told.iter_mut().find(|(other, _)| other.place == wait.place) {
            Some((_, others)) => *others += 1,
            None => told.push((wait, 0)),
        }
    }
    for (wait, others) in told.into_iter().take(MOST_PLACES) {
        let more = match others {
            0 => String::new(),
            others => format!(", and so do {others} more"),
        };
        let text = format!("{}{more}, {}", wait.here(), after(steps));
        messages.push(message(&wait.place, Severity::Information, text));
    }
    messages
}

/// Of too many steps those that lead farthest: the last one that each process has taken, the one with which the cycle
/// begins, and for the rest the last of all.
fn keep_last(steps: &mut Vec<(usize, &StepReport)>, room: usize, trace: &TraceReport) {
    let mut moved: HashSet<&str> = HashSet::new();
    let mut needed = Vec::new();
    for (nth, (at, step)) in steps.iter().enumerate().rev() {
        let is_last_of_somebody = step.by.iter().filter(|who| moved.insert(who)).count() > 0;
        if is_last_of_somebody || (trace.cycle > 0 && *at == trace.steps) {
            needed.push(nth);
        }
    }
    needed.truncate(room);
    let others = (0..steps.len()).rev().filter(|nth| !needed.contains(nth));
    let kept: HashSet<usize> = needed.iter().copied().chain(others).take(room).collect();
    let mut nth = 0..;
    steps.retain(|_| nth.next().is_some_and(|nth| kept.contains(&nth)));
}

/// The way to a violation: the steps, and where the cycle begins, in the order of the run; and who waits.
fn related(report: &PropertyReport) -> Vec<(Location, String)> {
    let Some(trace) = &report.trace else {
        return Vec::new();
    };
    let waits = report.waits.iter().take(MOST_PLACES);
    let waits: Vec<(Location, String)> = waits
        .map(|wait| (Location::from(&wait.place), wait.sentence()))
        .collect();
    // The cycle is gone round by all of its steps; its first one stands for them.
    let before_cycle = if trace.cycle > 0 {
        trace.steps + 1
    } else {
        trace.steps
    };
    let before = trace.told().filter(|(at, _)| *at < before_cycle);
    let mut steps: Vec<(usize, &StepReport)> = before.collect();
    let room = MOST_RELATED - waits.len();
    if steps.len() > room {
        keep_last(&mut steps, room, trace);
    }
    let steps = steps.into_iter().map(|(at, step)| {
        let number = at + 1;
        let text = match trace.cycle > 0 && at == trace.steps {
            true => format!(
                "from here again and again: step {number}, {}",
                step.sentence()
            ),
            false => format!("step {number}: {}", step.sentence()),
        };
        (Location::from(&step.place), text)
    });
    steps.chain(waits).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::fixture::checked;
    use crate::features::diagnostics::of_verdicts;
    use crate::features::message::Severity;

    /// The messages of a text, but for warnings and hints, each with what stands at its places.
    fn shown(text: &str, expected: Expect) {
        let (db, file) = checked(text);
        let mut shown = String::new();
        for message in of_verdicts(&db, file).values().flatten() {
            if matches!(message.severity, Severity::Warning | Severity::Hint) {
                continue;
            }
            let at = &text[message.bytes.clone()];
            let (severity, code, said) = (message.severity, message.code, &message.text);
            shown.push_str(&format!("`{at}` {severity:?} {code}: {said}\n"));
            for (location, what) in &message.related {
                let at = &text[location.bytes.clone()];
                shown.push_str(&format!("    `{at}`: {what}\n"));
            }
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn a_step_that_fails_is_told_where_it_stands_too() {
        shown(
            "var x: 0..3\nprocess p { x = 3 x = 6 / (x - 3) }\n",
            expect![[r#"
                `p` Error errors: errors is violated: `x = 6 / (x - 3)` of p fails after 1 step: a division by zero
                    `x = 3`: step 1: p: `x = 3`, x = 3
                    `x = 6 / (x - 3)`: step 2: p: `x = 6 / (x - 3)`, fails: a division by zero
                `p` Error termination: termination is violated: from the start no terminal state can be reached; if the model is meant to go on for ever, write `termination not required`; perhaps since a step fails: see `errors`
                `x = 6 / (x - 3)` Error errors: p fails here after 1 step: a division by zero
                    `p`: `errors` is violated
            "#]],
        );
    }

    #[test]
    fn who_is_stuck_is_told_where_it_waits() {
        shown(
            "var free: bool\nprocess p(i in 0..2) { await free do free = true }\n",
            expect![[r#"
                `p` Error deadlock: deadlock is violated: p(0), p(1) and p(2) wait for each other, at the start: p(0) at line 2 waits for `free`; p(1) at line 2 waits for `free`; p(2) at line 2 waits for `free`
                    `await free do free = true`: p(0) at line 2 waits for `free`
                    `await free do free = true`: p(1) at line 2 waits for `free`
                    `await free do free = true`: p(2) at line 2 waits for `free`
                `await free do free = true` Information deadlock: p(0) waits here for `free`, and so do 2 more, at the start
                    `p`: `deadlock` is violated
            "#]],
        );
    }

    #[test]
    fn the_values_of_one_property_are_told_together() {
        shown(
            "var x: 0..5\nprocess p { loop { x = (x + 1) % 6 } }\n\
             invariant below(j in 0..7): x < j\ntermination not required\n",
            expect![[r#"
                `below` Error invariant: below(0..5) are violated; below(0): `below(0)` is false at the start: x = 0
                    `x = (x + 1) % 6`: where below(1) is violated
                    `x = (x + 1) % 6`: where below(2) is violated
                    `x = (x + 1) % 6`: where below(3) is violated
                    `x = (x + 1) % 6`: where below(4) is violated
                    `x = (x + 1) % 6`: where below(5) is violated
            "#]],
        );
    }

    #[test]
    fn a_cycle_begins_once() {
        shown(
            "var x: 0..3\nprocess p {\n    loop { x = 1 x = 2 x = 3 }\n}\n\
             progress some: must x == 0\nltl never: eventually always x == 2\ntermination not required\n",
            expect![[r#"
                `some` Error progress: some is violated: after 1 step a cycle of 3 steps can be gone round for ever, and a state with `x == 0` is never met in it
                    `x = 1`: step 1: p: `x = 1`, x = 1
                    `x = 2`: from here again and again: step 2, p: `x = 2`, x = 2
                `never` Error ltl: never is violated: after 1 step a cycle of 3 steps can be gone round for ever, and this run does not satisfy the formula
                    `x = 1`: step 1: p: `x = 1`, x = 1
                    `x = 2`: from here again and again: step 2, p: `x = 2`, x = 2
            "#]],
        );
    }

    #[test]
    fn a_formula_says_which_part_of_it_fails() {
        shown(
            "var x: 0..3\nprocess p {\n    loop { x = 1 x = 2 x = 3 }\n}\n\
             ltl both: always x <= 3 and eventually always x == 2\ntermination not required\n",
            expect![[r#"
                `both` Error ltl: both is violated: after 1 step a cycle of 3 steps can be gone round for ever, and this run does not satisfy the formula's part `eventually always x == 2`
                    `x = 1`: step 1: p: `x = 1`, x = 1
                    `x = 2`: from here again and again: step 2, p: `x = 2`, x = 2
            "#]],
        );
    }

    #[test]
    fn of_too_many_steps_the_last_of_each_process_and_the_last_of_all_lead_to_a_violation() {
        shown(
            "var turn: 0..9\nvar seen: array[0..9] of bool\n\
             process p(i in 0..9) { await turn == i do seen[i] = true if turn < 9 { turn = turn + 1 } }\n\
             invariant few: not seen[9]\n",
            expect![[r#"
                `few` Error invariant: few is violated: `few` is false after 28 steps: seen[9] = true
                    `turn = turn + 1`: step 3: p(0): `turn = turn + 1` → end, turn = 1
                    `turn = turn + 1`: step 6: p(1): `turn = turn + 1` → end, turn = 2
                    `await turn == i do seen[i] = true`: step 7: p(2): `await turn == i do seen[i] = true`, seen[2] = true
                    `if turn < 9`: step 8: p(2): `if turn < 9`: yes
                    `turn = turn + 1`: step 9: p(2): `turn = turn + 1` → end, turn = 3
                    `await turn == i do seen[i] = true`: step 10: p(3): `await turn == i do seen[i] = true`, seen[3] = true
                    `if turn < 9`: step 11: p(3): `if turn < 9`: yes
                    `turn = turn + 1`: step 12: p(3): `turn = turn + 1` → end, turn = 4
                    `await turn == i do seen[i] = true`: step 13: p(4): `await turn == i do seen[i] = true`, seen[4] = true
                    `if turn < 9`: step 14: p(4): `if turn < 9`: yes
                    `turn = turn + 1`: step 15: p(4): `turn = turn + 1` → end, turn = 5
                    `await turn == i do seen[i] = true`: step 16: p(5): `await turn == i do seen[i] = true`, seen[5] = true
                    `if turn < 9`: step 17: p(5): `if turn < 9`: yes
                    `turn = turn + 1`: step 18: p(5): `turn = turn + 1` → end, turn = 6
                    `await turn == i do seen[i] = true`: step 19: p(6): `await turn == i do seen[i] = true`, seen[6] = true
                    `if turn < 9`: step 20: p(6): `if turn < 9`: yes
                    `turn = turn + 1`: step 21: p(6): `turn = turn + 1` → end, turn = 7
                    `await turn == i do seen[i] = true`: step 22: p(7): `await turn == i do seen[i] = true`, seen[7] = true
                    `if turn < 9`: step 23: p(7): `if turn < 9`: yes
                    `turn = turn + 1`: step 24: p(7): `turn = turn + 1` → end, turn = 8
                    `await turn == i do seen[i] = true`: step 25: p(8): `await turn == i do seen[i] = true`, seen[8] = true
                    `if turn < 9`: step 26: p(8): `if turn < 9`: yes
                    `turn = turn + 1`: step 27: p(8): `turn = turn + 1` → end, turn = 9
                    `await turn == i do seen[i] = true`: step 28: p(9): `await turn == i do seen[i] = true`, seen[9] = true
            "#]],
        );
    }

    /// How many places belong to the first message of each kind.
    fn places(text: &str) -> Vec<usize> {
        let (db, file) = checked(text);
        let messages = of_verdicts(&db, file);
        let errors = messages.values().flatten();
        let errors = errors.filter(|message| matches!(message.severity, Severity::Error));
        errors.map(|message| message.related.len()).collect()
    }

    #[test]
    fn twenty_four_places_lead_to_a_violation() {
        let steps_of = |last: i64| {
            places(&format!(
                "var turn: 0..{0}\n\
                 process p(i in 1..{last}) {{ await turn == i - 1 do turn = i; stop }}\n\
                 invariant few: turn < {last}\n",
                last + 1
            ))
        };
        assert_eq!([23, 24, 25].map(steps_of), [[23], [24], [24]]);
    }

    #[test]
    fn of_a_deadlock_eight_who_wait_are_among_the_places() {
        let waiting = |last: i64| {
            places(&format!(
                "var free: bool\nprocess p(i in 1..{last}) {{ await free do free = true }}\n"
            ))[0]
        };
        assert_eq!([7, 8, 9].map(waiting), [7, 8, 8]);
    }
}
