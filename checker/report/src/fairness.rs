//! What a run that goes on for ever says of fairness: who never moves on its cycle where none is assumed, and how each
//! assumption is met where some are.

use std::collections::BTreeSet;

use stubborn_engine::Trace;
use stubborn_engine::fairness::{Met, how_met};
use stubborn_model::NamedProperty;
use stubborn_system::property::{Assumption, Property, StepPattern, StepSet};
use stubborn_system::system::{InstanceId, System};

use super::about::About;
use super::phrases::{counted, list};

/// How many instances that stand still are named.
const STILL_SHOWN: usize = 8;
/// How many assumptions are named.
const ASSUMED_SHOWN: usize = 4;
/// So often at most it is asked of a step whether an assumption has it: nothing else ends that.
const MOST_ASKED: usize = 1 << 18;
/// Of a cycle with more steps nobody asks who could have moved on it.
const LONGEST_ASKED: usize = 100;
/// What stronger fairness would do.
const WOULD_EXCLUDE: &str = "`strongly fair` would exclude this run";
/// How many assumptions are told one by one.
const MET_SHOWN: usize = 3;

/// "`fair customer(0)`, `strongly fair lucky` and 3 more".
pub(super) fn assumed(names: &[String]) -> Option<String> {
    let (first, others) = names.split_at(names.len().min(ASSUMED_SHOWN));
    let first: Vec<String> = first.iter().map(|one| format!("`{one}`")).collect();
    match (first.len(), others.len()) {
        (0, _) => None,
        (_, 0) => Some(first.join(", ")),
        (_, more) => Some(format!("{} and {more} more", first.join(", "))),
    }
}

/// Of a run, in words that may follow others: of its cycle, and where it has none what was assumed.
pub(super) fn of_run(
    named: &NamedProperty,
    trace: &Trace,
    about: About<'_>,
    on_the_way: &dyn Fn(),
) -> Option<String> {
    if trace.cycle().is_empty() {
        return assumed(&named.fairness).map(|all| format!("assuming {all}"));
    }
    let still = standing_still(trace, about, on_the_way);
    match &named.property {
        Property::Fair(fair) => {
            let count = fair.assumptions.len();
            if trace.cycle().len().saturating_mul(count) > MOST_ASKED {
                return Some(format!(
                    "it is fair: it meets {}",
                    counted(count, "assumption")
                ));
            }
            let all = how_met(about.system, &fair.assumptions, trace, on_the_way);
            let told = met(&named.fairness, &all, trace.steps().len());
            Some(match still {
                Some(still) => format!("{told}; {still}, which no assumption excludes"),
                None => told,
            })
        }
        // They are asked of every run, whatever a file assumes.
        Property::Tester(_) | Property::Refinement(_) => {
            still.map(|still| format!("{still}, and testers and refinement assume no fairness"))
        }
        _ => still.map(|still| format!("{still}, and no fairness is assumed")),
    }
}

/// "customer(1) never moves on it", of those who could.
fn standing_still(trace: &Trace, about: About<'_>, on_the_way: &dyn Fn()) -> Option<String> {
    let participants = trace.cycle().iter().flat_map(|step| &step.participants);
    let moving: BTreeSet<InstanceId> = participants.map(|(instance, _)| *instance).collect();
    let all = 0..about.system.instances.len() as InstanceId;
    let still: Vec<InstanceId> = all.filter(|one| !moving.contains(one)).collect();
    let still = who_could(&still, trace, about.system, on_the_way);
    let still: Vec<&str> = still
        .into_iter()
        .map(|one| about.map.instance(one))
        .collect();
    let never = match &still[..] {
        [] => return None,
        [one] => format!("{one} never moves"),
        [most @ .., last] if still.len() <= STILL_SHOWN => {
            format!("{} and {last} never move", most.join(", "))
        }
        many => format!("{} never move", list(many)),
    };
    Some(format!("{never} on it"))
}

/// Those of the instances that have a step somewhere on the cycle; all where that is too much to ask.
fn who_could(
    still: &[InstanceId],
    trace: &Trace,
    system: &System,
    on_the_way: &dyn Fn(),
) -> Vec<InstanceId> {
    if trace.cycle().len() > LONGEST_ASKED || still.len() > MOST_ASKED / LONGEST_ASKED {
        return still.to_vec();
    }
    let steps = still.iter().map(|instance| Assumption {
        is_strong: false,
        steps: StepSet {
            patterns: vec![StepPattern::At(
                *instance,
                (0..system.instances[*instance as usize].locations.len() as u32).collect(),
            )],
        },
    });
    let steps: Vec<Assumption> = steps.collect();
    let how = how_met(system, &steps, trace, on_the_way);
    let could = still.iter().zip(how);
    let could = could.filter(|(_, how)| !matches!(how, Met::NeverPossible { .. }));
    could.map(|(instance, _)| *instance).collect()
}

/// "it is fair: no step of `fair p(0)` is possible just after step 3, and step 4 is one of `fair p(1)`". Those that are met
/// without a step come first.
///
/// What is met since its steps are not always possible, though again and again, would not be if it were strong.
fn met(names: &[String], all: &[Met], before: usize) -> String {
    let weak = names.iter().zip(all);
    let weak = weak.filter(|(_, how)| matches!(how, Met::NotPossible { .. }));
    let weak: Vec<&String> = weak.map(|(name, _)| name).collect();
    let strongly = match weak[..] {
        [] => String::new(),
        [_] if names.len() == 1 => {
            format!("; a step of it is possible again and again: {WOULD_EXCLUDE}")
        }
        [first, ..] => {
            format!("; a step of `{first}` is possible again and again: {WOULD_EXCLUDE}")
        }
    };
    let mut told: Vec<(bool, String)> = names
        .iter()
        .zip(all)
        .map(|(name, how)| match how {
            Met::NotPossible { after, fails } => {
                let place = match before + after {
                    0 => String::from("at the start"),
                    after => format!("after step {after}"),
                };
                let fails = if *fails { ", where one fails" } else { "" };
                let told = format!("no step of `{name}` is possible just {place}{fails}");
                (false, told)
            }
            Met::NeverPossible { fails } => {
                let fails = if *fails { ", where one fails" } else { "" };
                (
                    false,
                    format!("no step of `{name}` is possible on it{fails}"),
                )
            }
            Met::Taken(nth) => (
                true,
                format!("step {} is one of `{name}`", before + nth + 1),
            ),
            Met::Not => (false, format!("`{name}` is not met")),
        })
        .collect();
    told.sort_by_key(|(is_taken, _)| *is_taken);
    let more = told.len().saturating_sub(MET_SHOWN);
    told.truncate(MET_SHOWN);
    let mut told: Vec<String> = told.into_iter().map(|(_, one)| one).collect();
    if more > 0 {
        let are = if more == 1 { "is" } else { "are" };
        told.push(format!("{} more {are} met", counted(more, "assumption")));
    }
    let told = match &told[..] {
        [] => return String::from("it is fair"),
        [one] => one.clone(),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    };
    format!("it is fair: {told}{strongly}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("fair p({at})")).collect()
    }

    #[test]
    fn it_is_told_how_each_assumption_is_met_and_of_many_that_they_are() {
        let first = Met::NotPossible {
            after: 0,
            fails: false,
        };
        let all = [
            Met::Taken(1),
            first,
            Met::NeverPossible { fails: false },
            Met::Taken(0),
            Met::Taken(2),
        ];
        assert_eq!(
            met(&names(2), &all[..2], 3),
            "it is fair: no step of `fair p(1)` is possible just after step 3, and step 5 is one of `fair p(0)`; a step of \
             `fair p(1)` is possible again and again: `strongly fair` would exclude this run"
        );
        assert_eq!(
            met(&names(1), &[first], 0),
            "it is fair: no step of `fair p(0)` is possible just at the start; a step of it is possible again and again: \
             `strongly fair` would exclude this run"
        );
        assert_eq!(
            met(&names(5), &all, 3),
            "it is fair: no step of `fair p(1)` is possible just after step 3, no step of `fair p(2)` is possible on it, step 5 is \
             one of `fair p(0)`, and 2 assumptions more are met; a step of `fair p(1)` is possible again and again: `strongly fair` \
             would exclude this run"
        );
    }
    #[test]
    fn a_step_that_fails_is_not_possible_which_is_told() {
        let fails = Met::NotPossible {
            after: 1,
            fails: true,
        };
        assert_eq!(
            met(&names(1), &[fails], 0),
            "it is fair: no step of `fair p(0)` is possible just after step 1, where one fails; a step of it is possible again \
             and again: `strongly fair` would exclude this run"
        );
    }
}
