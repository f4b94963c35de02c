//! Searches that a limit ends, kept and gone on with.
//!
//! What is kept of a breadth-first search with numbers are its states, and what was noted of them for the
//! properties that were open when it began: where those were found violated that fell meanwhile, too. The very same
//! ones must be open where it goes on: of no other was it asked what those states show. All that makes a
//! difference to what the search does and says is put back as it was, so that verdicts, counts and traces are those
//! of a search that nothing has ended. What has fallen falls again, and is confirmed again.

use std::io::{Read, Write};
use std::ops::ControlFlow;

use super::search;
use super::verdicts::{Next, Verdicts};
use crate::lists::{put, take};
use crate::options::Search;
use crate::search::unfinished::{read, write};
use crate::search::{Monitored, Run, Space, Stop, breadth_first};
use crate::store::exact::Exact;
use crate::watch::{Asked, Unfinished};

/// Searches as `next` says, from where such a search was ended if one is kept.
pub(super) fn search_on<M: Monitored>(
    run: &mut Run<'_, '_, M, Exact, &mut Verdicts<'_>>,
    next: Next,
    kept: Option<&dyn Unfinished>,
    asked: &Asked<'_>,
) -> ControlFlow<Stop> {
    let Some(kept) = kept else {
        return search(run, next.search);
    };
    if next.search != Search::Breadth {
        let flow = search(run, next.search);
        if let ControlFlow::Break(Stop::Limit(_)) = flow {
            kept.cannot_keep(asked);
        }
        return flow;
    }
    let open: Vec<usize> = run.listener.undecided().collect();
    let is_taken_up = match kept.left(asked) {
        Some(mut from) => take_up(run, next, &mut *from)?,
        None => None,
    };
    let flow = match is_taken_up {
        Some(true) => breadth_first::take_up(run),
        Some(false) => {
            kept.is_useless(asked);
            search(run, next.search)
        }
        None => search(run, next.search),
    };
    match flow {
        ControlFlow::Break(Stop::Limit(_)) => {
            let mut keep = |to: &mut dyn Write| {
                put(to, &numbers(&open))?;
                write(run, to)?;
                run.listener.write(to)
            };
            kept.keep(asked, &mut keep);
        }
        ControlFlow::Break(Stop::Decided) | ControlFlow::Continue(()) => kept.is_over(asked),
    }
    flow
}

fn numbers(properties: &[usize]) -> Vec<u64> {
    properties.iter().map(|property| *property as u64).collect()
}

/// Whether the run is now where one was that was kept; if not it is as it was.
fn take_up<M: Monitored>(
    run: &mut Run<'_, '_, M, Exact, &mut Verdicts<'_>>,
    next: Next,
    from: &mut dyn Read,
) -> ControlFlow<Stop, Option<bool>> {
    let depth = run.meter.depth;
    let open: Vec<usize> = run.listener.undecided().collect();
    let open = numbers(&open);
    let are_the_same = take(from, open.len() as u64).is_ok_and(|kept: Vec<u64>| kept == open);
    let is_there = are_the_same
        && match read(run, from)? {
            Ok(()) => run.listener.read(from, &run.space).is_ok(),
            Err(_) => false,
        };
    if !is_there {
        run.space = Space::new(run.model.words(), run.model.initials());
        run.meter.depth = depth;
        run.begin_anew();
        run.listener.begin(next);
    }
    ControlFlow::Continue(Some(is_there))
}
