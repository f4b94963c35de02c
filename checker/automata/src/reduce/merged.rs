//! States that differ in nothing but what they read.

use rustc_hash::FxHashMap;

use crate::buchi::{Buchi, BuchiState};
use crate::label::Label;

impl Buchi {
    /// One state for all that have the same marks, the same states before them and the same states
    /// after them: it reads what one of them reads. That they have the same states before and after
    /// them means also that each of them leads to each of them, or none to any, so that no run is
    /// added or lost. This is what undoes [`split`](Buchi::split).
    pub(super) fn merge_labels(&mut self) {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (number, state) in self.states.iter().enumerate() {
            for &next in &state.next {
                before[next as usize].push(number as u32);
            }
        }
        let mut first: FxHashMap<_, usize> = FxHashMap::default();
        let mut kept = vec![true; self.states.len()];
        let mut labels: Vec<Option<Label>> = vec![None; self.states.len()];
        for (number, state) in self.states.iter().enumerate() {
            let BuchiState {
                initial,
                reject,
                deadlock,
                infinite,
                ..
            } = *state;
            let context = (
                [initial, reject, deadlock, infinite],
                &before[number],
                &state.next,
            );
            let into = *first.entry(context).or_insert(number);
            if into == number {
                continue;
            }
            let label = labels[into].as_ref().unwrap_or(&self.states[into].label);
            // A label that gets too large stays in two states.
            if let Ok(union) = label.union(&state.label) {
                labels[into] = Some(union);
                kept[number] = false;
            }
        }
        for (state, label) in self.states.iter_mut().zip(labels) {
            if let Some(label) = label {
                state.label = label.simplified();
            }
        }
        self.keep(&kept);
    }
}
