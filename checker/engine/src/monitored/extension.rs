//! From a finite run to a maximal one.
//!
//! An automaton that rejects has found a run that may only go on in ways which it accepts. But a
//! property is about maximal runs, and where all goes on to steps that fail there is none.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use stubborn_system::system::Failure;

use crate::packed::Packed;
use crate::search::{Figures, Meter, Stop};
use crate::successors::{Label, Successors, Visit};

/// A maximal run from a state: the states after it, up to where it ends, or to a last one that
/// equals the one at `back` of them (counted with the first state as 0).
pub struct Extension {
    pub states: Vec<Vec<u64>>,
    pub back: Option<usize>,
}

struct Entered {
    state: Vec<u64>,
    next: Vec<Vec<u64>>,
}

/// Looks for one in depth-first order; `None` where every run comes to steps that all fail. Ends
/// after as many states as the run that it finds is long, plus those from which there is none.
pub fn maximal_run(
    packed: &Packed<'_>,
    from: &[u64],
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop, Option<Extension>> {
    let mut scratch = packed.scratch();
    let mut known: FxHashMap<Vec<u64>, usize> = FxHashMap::default();
    let mut path: Vec<Entered> = Vec::new();
    let mut open = Some(from.to_vec());
    // How many states have been put down to be looked at, though not all wait any more.
    let mut waiting = 0;
    loop {
        if let Some(state) = open.take() {
            let mut collector = Collector::default();
            let _ = packed.visit(&state, &mut scratch, &mut collector);
            known.insert(state.clone(), path.len());
            path.push(Entered {
                state,
                next: collector.next,
            });
            if !collector.any {
                return ControlFlow::Continue(Some(extension(path, None)));
            }
            waiting += path.last().map_or(0, |entered| entered.next.len());
            let each = packed.words() as u64 * 8 + 64;
            meter.poll_memory(Figures {
                states: known.len() as u64,
                edges: 0,
                bytes: (2 * known.len() + waiting) as u64 * each,
            })?;
        }
        let Some(last) = path.last_mut() else {
            return ControlFlow::Continue(None);
        };
        match last.next.pop() {
            None => {
                // Nothing but failing steps, or what leads to nothing else.
                let dead = path.pop();
                if let Some(dead) = dead {
                    known.insert(dead.state, usize::MAX);
                }
            }
            Some(state) => match known.get(&state) {
                Some(&usize::MAX) => {}
                Some(&back) => {
                    let mut found = extension(path, Some(back));
                    found.states.push(state);
                    return ControlFlow::Continue(Some(found));
                }
                None => open = Some(state),
            },
        }
    }
}

fn extension(path: Vec<Entered>, back: Option<usize>) -> Extension {
    Extension {
        states: path
            .into_iter()
            .skip(1)
            .map(|entered| entered.state)
            .collect(),
        back,
    }
}

#[derive(Default)]
struct Collector {
    any: bool,
    next: Vec<Vec<u64>>,
}

impl Visit for Collector {
    fn step(&mut self, _: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.any = true;
        // More would not be looked at but where all of these lead to nothing.
        if let Ok(state) = outcome {
            self.next.push(state.to_vec());
        }
        ControlFlow::Continue(())
    }
}
