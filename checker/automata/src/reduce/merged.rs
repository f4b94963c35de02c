//! States that differ in nothing but what they read.

use rustc_hash::FxHashMap;

use crate::buchi::{Buchi, BuchiState};
use crate::label::Label;
use crate::work::{NotMade, Stopped, Work};

impl Buchi {
    /// One state for all that have the same marks, the same states before them and the same states
    /// after them: it reads what one of them reads. That they have the same states before and after
    /// them means also that each of them leads to each of them, or none to any, so that no run is
    /// added or lost. This is what undoes [`split`](Buchi::split).
    ///
    /// # Errors
    /// Where the work has been stopped.
    pub(super) fn merge_labels(&mut self, work: &Work<'_>) -> Result<(), Stopped> {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.states.len()];
        for (number, state) in self.states.iter().enumerate() {
            for &next in &state.next {
                before[next as usize].push(number as u32);
            }
        }
        let mut alike: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (number, state) in self.states.iter().enumerate() {
            let BuchiState {
                initial,
                reject,
                deadlock,
                infinite,
                ..
            } = *state;
            let marks = [initial, reject, deadlock, infinite];
            let context = (marks, before[number].as_slice(), state.next.as_slice());
            alike.entry(context).or_default().push(number);
        }
        let mut kept = vec![true; self.states.len()];
        let mut merged: Vec<(usize, Label)> = Vec::new();
        for group in alike.into_values().filter(|group| group.len() > 1) {
            let mut labels: Vec<Label> = group
                .iter()
                .map(|&number| self.states[number].label.clone())
                .collect();
            labels.sort_unstable();
            // Where the label gets too large the states stay apart.
            match Label::union_of(labels, work) {
                Ok(label) => {
                    merged.push((group[0], label));
                    group[1..].iter().for_each(|&number| kept[number] = false);
                }
                Err(NotMade::TooLarge(_)) => {}
                Err(NotMade::Stopped) => return Err(Stopped),
            }
        }
        for (number, label) in merged {
            self.states[number].label = label;
        }
        self.keep(&kept);
        Ok(())
    }
}
