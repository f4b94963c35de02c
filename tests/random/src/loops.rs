//! Draws models of a few processes that go round for ever beside each other, each state with
//! several steps to the next, and asks which of them may be left out of a run that never ends.
//! Nobody is in anybody's way: whom a reduction lets go first depends on the numbers of steps
//! alone, so that it may change at every state.

use crate::model::*;
use crate::random::Random;

/// A model from a seed.
pub fn model(seed: u64) -> Model {
    let mut r = Random::new(seed ^ 0x1005_1de5);
    let mut model = Model {
        layout: r.next(),
        deadlock: DeadlockSetting::Ignored,
        termination_not_required: true,
        ..Model::default()
    };
    let mut id = 0;
    let mut lengths = Vec::new();
    for p in 0..2 + r.below(2) {
        let length = 2 + r.below(2);
        lengths.push(length);
        let states = (0..length).map(|s| {
            let count = 1 + r.below(4);
            let steps = (0..count).map(|_| {
                id += 1;
                let step = Step {
                    id,
                    each: vec![],
                    sync: Sync::Free,
                    guard: None,
                    effects: vec![],
                };
                (step, (s + 1) % length)
            });
            State {
                name: format!("s{s}"),
                is_final: false,
                steps: steps.collect(),
            }
        });
        let states = states.collect();
        model.processes.push(Process {
            left_out: vec![],
            name: format!("p{p}"),
            parameters: vec![],
            locals: vec![],
            alphabet: vec![],
            body: Body::States(states),
            gone: false,
        });
    }
    for k in 0..2 {
        let mut event = || {
            let p = r.below(lengths.len());
            let state = r.below(lengths[p]);
            Event::At(p, vec![], vec![format!("s{state}")])
        };
        model.recurrences.push(Recurrence {
            name: format!("rec{k}"),
            parameters: vec![],
            infinitely: vec![event()],
            implies: vec![event()],
        });
    }
    model
}
