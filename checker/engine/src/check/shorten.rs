//! Shorter traces of violations that some other search has found: a reduction may have left out the
//! nearest violation, and a depth-first search finds the states in any order.
//!
//! A plain breadth-first search decides the same properties once more. Where a state or a step
//! shows the violation it finds the nearest one no farther from the initial state than the trace is
//! long. Where the whole graph shows it (a goal that is out of reach, a cycle) it has to come to an
//! end first; if the budget does not allow that, a shortest path leads to the same last state, or
//! into the same cycle.
//!
//! The budget is counted in states and edges, never by the clock, so that traces repeat: as many
//! states as [`for_shortening`] says, and some edges for each. Where it suffices a trace that
//! ends in a state, in an end or in a failing step is a shortest one; one with a cycle has the
//! fewest steps of path and cycle together ([`lasso`](crate::graph::lasso)). Where it does not
//! suffice, or a limit is reached, the trace stays as it was.

use std::ops::ControlFlow;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::conclude::conclude;
use super::verdicts::{Next, Verdicts};
use crate::error::CheckError;
use crate::options::{Limits, Options, Search, Storage};
use crate::packed::Packed;
use crate::properties::kind_of;
use crate::runs::evidence::{Evidence, recorded};
use crate::runs::limits::{Limited, for_shortening};
use crate::search::{Alone, Meter, Monitored, Run, Space, Ways, breadth_first};
use crate::successors::{AnyModel, Erased, Successors as _};
use crate::trace::Trace;
use crate::verdict::{Finding, Outcome, Reason, Verdict};
use crate::watch::{Unheard, Watch};

/// A state with an `any` of a large type has more steps than are worth taking.
const EDGES_FOR_EACH_STATE: u64 = 50;

/// A verdict whose trace is to be made shorter.
pub struct Violation<'a> {
    pub property: &'a Property,
    /// Stays as it is unless it is [`Verdict::Violated`]. The finding may change with the trace: a
    /// nearer step may fail for another reason.
    pub verdict: &'a mut Verdict,
}

/// What may be spent.
pub struct Budget<'a> {
    /// How many states the search that found the violations generated.
    pub generated: u64,
    /// Memory that it still holds, in bytes.
    pub held: u64,
    /// Those of the search.
    pub options: &'a Options,
    /// Asked whether to stop; it is not told of progress.
    pub watch: &'a dyn Watch,
}

/// Gives each violation the shortest trace that a plain breadth-first search finds for it within
/// the budget, if that is no longer than the one it has. Every trace has been replayed by the
/// reference interpreter.
///
/// Where the plain search comes to an end and has nothing against a property, the violation was none:
/// that is a defect of the search that found it, and the verdict says so.
pub fn shorten(packed: &Packed<'_>, violations: &mut [Violation<'_>], budget: &Budget<'_>) {
    violations.sort_by_key(|violation| !violation.is_open());
    let open = violations.partition_point(Violation::is_open);
    let violations = &mut violations[..open];
    if violations.is_empty() {
        return;
    }
    let properties: Vec<Property> = violations.iter().map(|v| v.property.clone()).collect();
    let quiet = Unheard(budget.watch);
    let Again {
        verdicts,
        space,
        limits,
        is_whole,
    } = look_again(packed, &properties, budget, &quiet);
    for (violation, verdict) in violations.iter_mut().zip(verdicts) {
        match verdict {
            Some(Verdict::Holds) => *violation.verdict = contradiction(),
            Some(verdict @ Verdict::Violated { .. }) => violation.replace_if_no_longer(verdict),
            _ => {}
        }
        if !is_whole {
            let limited = Limited::new(limits, &quiet, space.bytes());
            violation.lead_to_its_end(packed, &space, &limited);
        }
    }
}

/// Makes the witnesses shorter that were found where states may be taken for others: a `reachable` holds with a shortest
/// run, however it was searched. The plain search for it, which keeps states whole, has as many as it has at the least: who
/// asks for such a storage has no room for twice as many as that has found.
pub fn shorten_witnesses(
    packed: &Packed<'_>,
    properties: &[Property],
    options: &Options,
    watch: &dyn Watch,
    outcomes: &mut [Option<Outcome>],
) {
    let of_each = properties.iter().zip(outcomes);
    let witnesses = of_each.filter(|(property, _)| matches!(property, Property::Reachable(_)));
    let witnesses = witnesses.filter_map(|(property, outcome)| Some((property, outcome.as_mut()?)));
    let budget = Budget {
        generated: 0,
        held: 0,
        options: &Options {
            storage: Storage::Exact,
            ..*options
        },
        watch,
    };
    let mut violations: Vec<Violation<'_>> = witnesses
        .map(|(property, outcome)| Violation {
            property,
            verdict: &mut outcome.verdict,
        })
        .collect();
    shorten(packed, &mut violations, &budget);
}

/// The verdicts that a plain breadth-first search finds within the budget, for traces that are the
/// shortest of this system: of a violation that was found where steps are merged, whose steps are of
/// different lengths here. `None` where that does not suffice. `Undecided` where it comes to an end and
/// has nothing against a property that is violated.
///
/// # Errors
/// Where a state of the system is too large to be searched.
pub fn nearest(
    system: &System,
    violated: &[Property],
    budget: &Budget<'_>,
) -> Result<Vec<Option<Verdict>>, CheckError> {
    let packed = Packed::new(system)?;
    let again = look_again(&packed, violated, budget, &Unheard(budget.watch));
    let verdicts = again.verdicts.into_iter().map(|verdict| match verdict {
        Some(Verdict::Holds) => Some(contradiction()),
        Some(verdict @ Verdict::Violated { .. }) => Some(verdict),
        Some(Verdict::Undecided(_)) | None => None,
    });
    Ok(verdicts.collect())
}

fn contradiction() -> Verdict {
    let contradiction = "a search has found a violation that the plain one has not";
    Verdict::Undecided(Reason::Internal(contradiction.to_owned()))
}

/// What a plain breadth-first search has found.
struct Again {
    verdicts: Vec<Option<Verdict>>,
    space: Space,
    limits: Limits,
    /// It has come to an end.
    is_whole: bool,
}

fn look_again(
    packed: &Packed<'_>,
    properties: &[Property],
    budget: &Budget<'_>,
    quiet: &Unheard<'_>,
) -> Again {
    let limits = budget.limits();
    let mut meter = Meter::new(limits, quiet);
    meter.most_edges = meter.most_states().saturating_mul(EDGES_FOR_EACH_STATE);
    let next = Next {
        search: Search::Breadth,
        reduced: false,
        numbered: true,
    };
    let options = Options {
        limits,
        ..*budget.options
    };
    let mut found = Verdicts::new(packed, properties, &options, quiet, next);
    let erased = Erased(packed);
    let model = Alone::<AnyModel<'_>>::new(&erased);
    let space = Space::new(model.words(), model.initials());
    let order = budget.options.order;
    let mut run = Run::new(&model, order, &mut meter, space, &mut found);
    let flow = match breadth_first::search(&mut run) {
        ControlFlow::Continue(()) => conclude(&mut run),
        stopped => stopped,
    };
    let space = run.space;
    if flow.is_break() {
        found.settle_for_dead_ends(&space);
    }
    Again {
        verdicts: found.verdicts,
        space,
        limits,
        is_whole: flow.is_continue(),
    }
}

impl Budget<'_> {
    fn limits(&self) -> Limits {
        let limits = for_shortening(self.options, self.generated);
        Limits {
            max_memory: limits.max_memory.map(|most| most.saturating_sub(self.held)),
            ..limits
        }
    }
}

impl Violation<'_> {
    /// Whether there is anything to make shorter.
    fn is_open(&self) -> bool {
        matches!(&*self.verdict, Verdict::Violated { trace, .. } if !trace.is_empty())
    }

    fn replace_if_no_longer(&mut self, by: Verdict) {
        if let (Verdict::Violated { trace: old, .. }, Verdict::Violated { trace: new, .. }) =
            (&*self.verdict, &by)
            && new.len() <= old.len()
        {
            *self.verdict = by;
        }
    }

    /// Leads by a shortest path of a search to the last state of the trace, or to the nearest of
    /// its cycle, where it is not that state itself that shows the violation.
    fn lead_to_its_end(&mut self, packed: &Packed<'_>, space: &Space, limited: &Limited<'_>) {
        let Verdict::Violated { finding, trace } = &*self.verdict else {
            return;
        };
        let is_lost = matches!(
            finding,
            Finding::NoTerminalReachable | Finding::GoalOutOfReach
        );
        if !is_lost && trace.cycle().is_empty() {
            return;
        }
        // The states at which the path may end, each with the steps of the cycle that lead there.
        let mut ends: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
        let mut walk = trace.walk();
        while walk.advance().is_some() {
            if let Some(on_cycle) = walk.taken().checked_sub(trace.steps().len()) {
                ends.insert(packed.pack(walk.state()), on_cycle);
            }
        }
        let mut state = vec![0; packed.words()];
        let nearest = (0..space.len()).find_map(|number| {
            space.copy(number, &mut state);
            Some((number, *ends.get(&state)?))
        });
        let Some((nearest, on_cycle)) = nearest else {
            return;
        };
        let mut cycle = trace.cycle().to_vec();
        cycle.rotate_left(on_cycle % trace.cycle().len().max(1));
        let evidence = Evidence::path(space.path(nearest));
        let kind = kind_of(self.property);
        let poll = &mut |bytes| limited.poll(bytes);
        if let Ok(path) = recorded((packed, None), &*kind, &evidence, space, poll) {
            let trace = Trace::new(path.start().clone(), path.steps().to_vec(), cycle);
            let verdict = Verdict::Violated {
                finding: finding.clone(),
                trace: Arc::new(trace),
            };
            self.replace_if_no_longer(verdict);
        }
    }
}
