//! A line about a search that is under way.

use stubborn_checker::{Effort, Progress};
use stubborn_report::{grouped, size};

/// With what each of several workers has done.
pub fn progress(progress: &Progress, efforts: &[Effort]) -> String {
    let rate = if progress.seconds > 0.0 {
        progress.states as f64 / progress.seconds
    } else {
        0.0
    };
    let line = format!(
        "{} states, {} states/s, depth {}, {}",
        grouped(progress.states),
        grouped(rate as u64),
        grouped(progress.depth),
        size(progress.bytes),
    );
    match shared_out(efforts, progress.seconds) {
        Some(shared) => format!("{line}; {shared}"),
        None => line,
    }
}

/// Whether they have as much to do, what they say to each other, and how long they wait for it.
fn shared_out(efforts: &[Effort], seconds: f64) -> Option<String> {
    let states = || efforts.iter().map(|effort| effort.states);
    let (least, most) = (states().min()?, states().max()?);
    let sent: u64 = efforts.iter().map(|effort| effort.sent).sum();
    let waited: f64 = efforts.iter().map(|effort| effort.waited).sum();
    let all = seconds * efforts.len() as f64;
    let waited = if all > 0.0 { waited / all } else { 0.0 };
    Some(format!(
        "{} workers with {} to {} each, {} sent, {:.0}% of the time waited",
        efforts.len(),
        grouped(least),
        grouped(most),
        size(sent),
        waited.min(1.0) * 100.0,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_by_several_tells_how_evenly_it_is_shared_out() {
        let far = Progress {
            states: 3_000_000,
            edges: 9_000_000,
            depth: 12,
            bytes: 64 << 20,
            seconds: 2.0,
        };
        let alone = "3,000,000 states, 1,500,000 states/s, depth 12, 64.0 MB";
        assert_eq!(progress(&far, &[]), alone);
        let effort = |states, waited| Effort {
            states,
            sent: 8 << 20,
            waited,
            ..Effort::default()
        };
        assert_eq!(
            progress(&far, &[effort(1_400_000, 0.1), effort(1_600_000, 0.9)]),
            format!(
                "{alone}; 2 workers with 1,400,000 to 1,600,000 each, 16.0 MB sent, 25% of the time waited"
            )
        );
    }
}
