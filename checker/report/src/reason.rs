//! Why a search gave no answer.

use stubborn_engine::{CheckError, Liveness, Reason};

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
        Reason::Runs(0) => "random runs prove nothing".to_owned(),
        Reason::Runs(1) => {
            "no violation was found in 1 random run, which proves nothing".to_owned()
        }
        Reason::Runs(runs) => {
            let runs = counted(*runs as usize, "random run");
            format!("no violation was found in {runs}, which prove nothing")
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
    use super::*;

    #[test]
    fn sizes_are_told_in_the_largest_unit_that_fits() {
        assert_eq!(size(512), "512 bytes");
        assert_eq!(size(2 << 30), "2.0 GB");
        assert_eq!(size(1536), "1.5 KB");
    }
}
