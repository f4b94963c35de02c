//! Measures the search on Peterson's algorithm, built by hand: states a second, bytes a state.
//!
//!     cargo run --release -p stubborn-engine --example peterson_states -- 4 breadth
//!
//! A third argument is how many threads a search may use. Besides `breadth` there are `plain` (nothing is left
//! out), `depth`, `errors` (what every state and step shows by itself) and `properties` (termination and
//! progress as well); and of the plain state space `safe`, `termination`, `may`, `must` and `recurrence`, which
//! ask one question each. A fourth argument, `numbers`, has states numbered for these.

#[allow(dead_code)]
#[path = "../tests/it/models/mod.rs"]
mod models;

use std::num::NonZeroUsize;

use models::peterson::{CRITICAL, STOPPED, Version, access, mutex, peterson};
use stubborn_engine::{Caller, Options, Reduction, Search, Sink, Verdict, check, explore};
use stubborn_system::property::{Property, StepPattern, StepSet};
use stubborn_system::system::{Expr, System};

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let customers: u32 = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(4);
    let what = arguments.next().unwrap_or_else(|| "breadth".to_owned());
    let threads = arguments.next().and_then(|n| n.parse().ok());
    let system = peterson(customers, Version::Correct);
    let safety = [
        Property::Errors,
        Property::Deadlock { allowed: None },
        Property::Invariant(mutex(customers)),
    ];
    let plain = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        threads,
        tells_seen: arguments.next().is_some_and(|how| how == "numbers"),
        ..Options::default()
    };
    match what.as_str() {
        "depth" => count(&system, Search::Depth, Reduction::Stubborn, threads),
        "plain" => count(&system, Search::Breadth, Reduction::None, threads),
        "safe" => decide(&system, &safety[..2], &plain),
        "termination" => decide(&system, &[Property::Termination], &plain),
        "may" => {
            let goal = access(0, Version::Correct);
            decide(&system, &[Property::MayProgress(goal)], &plain);
        }
        "must" => decide(&system, &[Property::MustProgress(moves(customers))], &plain),
        "recurrence" => decide(&system, &[idle_again()], &plain),
        "errors" => decide(&system, &safety, &Options::default()),
        "properties" => {
            let progress = (0..customers).map(|i| access(i, Version::Correct));
            let mut properties = safety.to_vec();
            properties.push(Property::Termination);
            properties.extend(progress.map(Property::MayProgress));
            decide(&system, &properties, &Options::default());
        }
        _ => count(&system, Search::Breadth, Reduction::Stubborn, threads),
    }
}

fn count(system: &System, search: Search, reduction: Reduction, threads: Option<NonZeroUsize>) {
    let options = Options {
        reduction,
        keep_dead_variables: true,
        search,
        threads,
        ..Options::default()
    };
    match explore(system, &options, Caller::default(), &mut Counts) {
        Ok(found) => println!(
            "{} states, {} edges, {:.2} s, {:.2} million states/s, {:.1} bytes/state",
            found.states,
            found.edges,
            found.seconds,
            found.states as f64 / found.seconds / 1e6,
            found.bytes_per_state,
        ),
        Err(error) => println!("{error}"),
    }
}

/// Whoever is critical again and again is idle again and again.
fn idle_again() -> Property {
    let at = |location| StepSet {
        patterns: vec![StepPattern::At(0, vec![location])],
    };
    Property::Recurrence(at(CRITICAL), at(0))
}

/// Somebody begins, or begins to wait, or has stopped: all cycles have such a state, and all ends.
fn moves(customers: u32) -> Expr {
    let moves = (0..customers).map(|i| Expr::At(i, vec![0, 4, STOPPED]));
    Expr::Any(moves.collect())
}

fn decide(system: &System, properties: &[Property], options: &Options) {
    match check(system, properties, options, Caller::default()) {
        Ok(outcomes) => {
            let mut verdicts = outcomes.iter().map(|outcome| &outcome.verdict);
            let all_hold = verdicts.all(|verdict| *verdict == Verdict::Holds);
            println!(
                "{} properties, {}, {} states, {:.2} s",
                properties.len(),
                if all_hold { "all hold" } else { "not all hold" },
                outcomes[0].states,
                outcomes[0].seconds,
            );
        }
        Err(error) => println!("{error}"),
    }
}
