//! The plan of a check: its searches, in their order.

use stubborn_engine::plan::attempt::{
    Attempt, Ended, Finished, Numbers, Proof, StatesIn, Strategy,
};
use stubborn_engine::plan::planner::shows_no_profit;
use stubborn_engine::plan::stages::Stage;

use crate::phrases::grouped;
use crate::reason::reason;

/// One search of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptReport {
    /// `stubborn sets, up to 1,000 states`.
    pub search: String,
    /// Why it was made, in one sentence without a full stop.
    pub why: &'static str,
    /// How it ended: `complete`.
    pub end: String,
    /// States and edges that it generated.
    pub states: u64,
    pub edges: u64,
    pub seconds: f64,
}

impl AttemptReport {
    pub fn new(finished: &Finished) -> AttemptReport {
        AttemptReport {
            search: search(&finished.attempt),
            why: why(&finished.attempt),
            end: end(finished),
            states: finished.states,
            edges: finished.edges,
            seconds: finished.seconds,
        }
    }
}

fn search(attempt: &Attempt) -> String {
    let strategy = match attempt.strategy {
        Strategy::StubbornSets => "stubborn sets",
        Strategy::SensitiveRounds => "rounds of sensitive steps",
        Strategy::CycleProviso => "stubborn sets with a cycle proviso",
        Strategy::CycleRounds => "rounds of sensitive steps on cycles",
        Strategy::Plain | Strategy::SmallPlain => "plain search",
        Strategy::RandomRuns => "random runs",
        Strategy::Cells => "search in cells for deep violations",
        Strategy::BesideMonitor { sliced: true, .. } => "sliced system beside a monitor",
        Strategy::BesideMonitor { sliced: false, .. } => "whole system beside a monitor",
        Strategy::FairRuns { sliced: true } => "fair runs of the sliced system",
        Strategy::FairRuns { sliced: false } => "fair runs of the whole system",
    };
    let mut told = strategy.to_owned();
    match attempt.proof {
        Proof::None => {}
        Proof::Beside => told.push_str(" and a proof on other threads"),
        Proof::Alone => told.push_str(", by a proof alone"),
    }
    if attempt.stage.turns() {
        told.push_str(", with symmetry");
    }
    let is_in_memory = attempt.states_in == StatesIn::Memory;
    if is_in_memory && attempt.numbers == Numbers::None {
        told.push_str(", without state numbers");
    }
    match attempt.states_in {
        StatesIn::Disk => told.push_str(", on the disk"),
        StatesIn::OtherProcesses => told.push_str(", by all processes"),
        StatesIn::Hashes => told.push_str(", with hashed states"),
        StatesIn::Memory => {}
    }
    if let Some(most) = attempt.max_states {
        told.push_str(&format!(", up to {} states", grouped(most)));
    } else if let Some(most) = attempt.max_edges {
        told.push_str(&format!(", up to {} edges", grouped(most)));
    }
    told
}

/// The reason of a stage, where that and not the row has led to the attempt.
fn why(attempt: &Attempt) -> &'static str {
    match attempt.stage {
        Stage::Trial(_) => "identical processes may leave fewer states up to permutation",
        Stage::Without(_) => {
            "symmetry was no better in its trial; without it twice as many are tried"
        }
        Stage::First | Stage::Turned | Stage::Plain => attempt.why,
    }
}

fn end(finished: &Finished) -> String {
    let too_little = "stubborn sets leave too little out";
    let told = match &finished.ended {
        Ended::Compared(states) => {
            let compared = format!("{} states for 100 of the reduced search", grouped(*states));
            return match shows_no_profit(finished) {
                true => format!("{too_little}: {compared}"),
                false => compared,
            };
        }
        Ended::Complete => "complete",
        Ended::NotSmall => "the model is not small",
        Ended::SeemsToNeedNoNumbers => "paused at a wide layer",
        Ended::Unprofitable => too_little,
        Ended::NeedsNumbers => "states with numbers are needed",
        Ended::LastRoundIsNext => "one round is left",
        Ended::CycleTooLong => "the cycle is too long in the whole system",
        Ended::NotProved => "there is no proof",
        Ended::NotConfirmed => "the run does not violate the property",
        Ended::Limit(limit) => return reason(limit),
    };
    told.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stubborn_engine::{Reason, Search};

    #[test]
    fn an_attempt_tells_its_search_its_reason_and_its_end() {
        let attempt = Attempt {
            strategy: Strategy::StubbornSets,
            stage: Stage::Turned,
            numbers: Numbers::None,
            order: Search::Breadth,
            states_in: StatesIn::Memory,
            proof: Proof::None,
            max_states: Some(30_000),
            max_edges: None,
            why: "stubborn sets leave states out",
        };
        let finished = Finished {
            attempt,
            ended: Ended::Limit(Reason::Cancelled),
            states: 12,
            edges: 34,
            seconds: 0.5,
            open: Vec::new(),
        };
        let told = AttemptReport::new(&finished);
        let search = "stubborn sets, with symmetry, without state numbers, up to 30,000 states";
        assert_eq!(told.search, search);
        assert_eq!(told.why, "stubborn sets leave states out");
        assert_eq!(told.end, reason(&Reason::Cancelled));
        assert_eq!((told.states, told.edges), (12, 34));
        let strategy = Strategy::BesideMonitor {
            monitor: 0,
            sliced: true,
        };
        let beside = Attempt {
            strategy,
            proof: Proof::Beside,
            stage: Stage::Plain,
            numbers: Numbers::All,
            max_states: None,
            ..finished.attempt
        };
        let told = "sliced system beside a monitor and a proof on other threads";
        assert_eq!(super::search(&beside), told);
    }
}
