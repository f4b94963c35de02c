//! Why a search gave no answer.

use stubborn_engine::{CheckError, Liveness, Outcome, Reason, RunsMade};
use stubborn_system::property::Form;

use super::defect::DEFECT;
use super::omissions::omissions;
use super::phrases::counted;

/// Why a search gave no answer, in one sentence without a full stop.
pub fn reason(reason: &Reason) -> String {
    match reason {
        Reason::States(states) => {
            let states = counted(*states as usize, "state");
            format!("the limit of {states} was reached")
        }
        Reason::Depth(depth) => {
            let depth = counted(*depth as usize, "step");
            format!("the depth limit of {depth} was reached")
        }
        Reason::Memory(bytes) => format!("the memory limit of {} was reached", size(*bytes)),
        Reason::NotOnDisk(bytes) => format!(
            "the memory limit of {} was reached; `--storage disk` goes on for errors, deadlocks and invariants only",
            size(*bytes)
        ),
        Reason::Others(fault) => fault.clone(),
        Reason::OneProcessOnly => "several processes do not decide a property of this form; \
                                   `stubborn check` without `cluster` decides it"
            .to_owned(),
        Reason::Disk(error) => format!("the files of `--storage disk` cannot be used: {error}"),
        Reason::Rounds(1) => {
            "the first round has not found a violation, and proves nothing".to_owned()
        }
        Reason::Rounds(rounds) => {
            format!("{rounds} rounds have not found a violation, and prove nothing")
        }
        Reason::Runs(_) => "random runs prove nothing".to_owned(),
        Reason::NotToDepth => {
            "a property of fair runs is not decided up to a depth; leave `--depth` out".to_owned()
        }
        Reason::NoFiniteRun => {
            "no finite run violates a property of this form, so random runs do not \
                                decide it; `--search bfs` does"
                .to_owned()
        }
        Reason::NotByRandomRuns => {
            "random runs do not decide a property of fair runs; `--search bfs` does".to_owned()
        }
        Reason::CutOff => "it is true in no state within the bounds".to_owned(),
        Reason::Time => "the time limit was reached".to_owned(),
        Reason::Cancelled => "the check was cancelled".to_owned(),
        Reason::Liveness(chosen) => liveness(*chosen),
        Reason::Missed(covered) => omissions(covered),
        Reason::NeedsExactStorage => {
            "a property of this form cannot be decided where states may be \
                                      missed; `--storage exact` decides it"
                .to_owned()
        }
        Reason::StateTooLarge(bits) => CheckError::StateTooLarge { bits: *bits }.to_string(),
        Reason::MonitorTooLarge(states) => format!(
            "what would watch the runs has more than {states} states, which is too large to be made"
        ),
        Reason::AutomatonTooLarge(too_large) => {
            format!("the automaton that would watch the runs is too large to be made: {too_large}")
        }
        Reason::FormulaTooLarge(too_large) => {
            format!("the automaton that would watch the runs is too large to be made: {too_large}")
        }
        Reason::AlphabetTooLarge(events) => {
            format!("the specification's alphabet has more than {events} actions with their values")
        }
        Reason::Internal(defect) => {
            format!("{DEFECT}: {defect}")
        }
    }
}

/// Why a property is undecided, and what is known of it all the same: to which depth, or in how many
/// random runs, there is no violation.
pub(super) fn undecided(why: &Reason, form: Form, outcome: &Outcome) -> String {
    let told = reason(why);
    let not_found = match form {
        Form::Reachable => "it was not reached",
        _ => "no violation was found",
    };
    if let Some(depth) = clear_depth(form, outcome) {
        let depth = counted(depth as usize, "step");
        let clear = match form {
            Form::Reachable => format!("it is reached by no run of up to {depth}"),
            _ => format!("no violation in any run of up to {depth}"),
        };
        return match why {
            Reason::Depth(_) => clear,
            _ => format!("{told}; {clear}"),
        };
    }
    let Some(RunsMade { runs, steps }) = outcome.runs.filter(|made| made.runs > 0) else {
        return told;
    };
    let runs = counted(runs as usize, "random run");
    let steps = counted(steps as usize, "step");
    let made = format!("{not_found} in {runs} ({steps})");
    match why {
        Reason::Runs(_) => format!("{made}; random runs prove nothing"),
        _ => format!("{told}; {made}"),
    }
}

/// The number of steps up to which no run violates an undecided property of this form. A search to
/// a depth is about states and single steps, so it says nothing of the other forms.
pub(super) fn clear_depth(form: Form, outcome: &Outcome) -> Option<u64> {
    match form {
        Form::Termination | Form::Progress | Form::Recurrence => None,
        _ => outcome.depth.filter(|depth| *depth > 0),
    }
}

/// What the search that was asked for cannot find, and which search would.
fn liveness(chosen: Liveness) -> String {
    let (name, blind) = match chosen {
        Liveness::Auto => ("auto", "what is watched for here"),
        Liveness::OnePass => (
            "one-pass",
            "a cycle on which what is watched for is seen again and again",
        ),
        Liveness::Nested | Liveness::NestedErrorLast => {
            ("nested", "a cycle on which nothing is seen any more")
        }
        Liveness::FourPass => ("four-pass", "what is watched for here"),
    };
    format!(
        "`--liveness {name}` cannot find {blind}; `--liveness four-pass` can, and `--liveness auto` \
         takes the cheapest search that decides"
    )
}

/// `512 bytes`, `2.0 GB`: a size as people say it, in powers of 1024.
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut unit = "bytes";
    for larger in ["KB", "MB", "GB", "TB"] {
        if value < 1024.0 {
            break;
        }
        value /= 1024.0;
        unit = larger;
    }
    if unit == "bytes" {
        format!("{bytes} bytes")
    } else {
        format!("{value:.1} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use stubborn_engine::Verdict;

    use super::*;

    #[test]
    fn what_is_known_of_an_undecided_property_stands_beside_the_limit() {
        let told = |why: &Reason, form, depth, runs| {
            let outcome = Outcome {
                depth,
                runs,
                ..Outcome::without_search(Verdict::Undecided(why.clone()))
            };
            undecided(why, form, &outcome)
        };
        let runs = 1_200;
        let made = Some(RunsMade { runs, steps: 1 });
        assert_eq!(
            told(&Reason::Runs(runs), Form::Invariant, None, made),
            "no violation was found in 1,200 random runs (1 step); random runs prove nothing"
        );
        assert_eq!(
            told(&Reason::Time, Form::Reachable, None, made),
            "the time limit was reached; it was not reached in 1,200 random runs (1 step)"
        );
        assert_eq!(
            told(&Reason::Time, Form::Deadlock, Some(18), None),
            "the time limit was reached; no violation in any run of up to 18 steps"
        );
        assert_eq!(
            told(&Reason::Depth(18), Form::Ltl, Some(18), None),
            "no violation in any run of up to 18 steps"
        );
        let limit = reason(&Reason::Time);
        assert_eq!(told(&Reason::Time, Form::Progress, Some(18), None), limit);
        let none = Some(RunsMade::default());
        assert_eq!(told(&Reason::Time, Form::Invariant, None, none), limit);
    }

    #[test]
    fn sizes_are_told_in_the_largest_unit_that_fits() {
        assert_eq!(size(512), "512 bytes");
        assert_eq!(size(2 << 30), "2.0 GB");
        assert_eq!(size(1536), "1.5 KB");
    }
}
