//! Shorter runs to the same violation, by leaving steps out.
//!
//! A random run has many steps that its violation does not need. Left out are first all steps of a
//! process, then ever shorter parts of the run (Zeller and Hildebrandt, "Simplifying and Isolating
//! Failure-Inducing Input", TSE 2002), as long as the other steps can still be taken in their order
//! and the last state still shows the violation.

use std::collections::BTreeSet;

use stubborn_space::monitor::Monitored;
use stubborn_space::successors::{Label, find_step};
use stubborn_system::system::{Failure, InstanceId};

use super::meter::Meter;
use super::random::{Found, Seek};
use super::steps::OwnedLabel;

/// Shortens a run from an initial state to what an observer notes at its end. Tries at most
/// `budget` steps, which it counts down, and none after a limit of the meter. `observer` returns a
/// new observer of the violation that is to stay.
pub fn shrunk<M: Monitored, L: Seek>(
    model: &M,
    path: &[Box<[u64]>],
    (budget, meter): (&mut u64, &Meter<'_>),
    observer: impl Fn() -> L,
) -> Option<Found<L::Noted>> {
    if path.len() as u64 > *budget {
        return None;
    }
    let mut shrinking = Shrinking {
        model,
        scratch: model.scratch(),
        initial: path.first()?,
        budget,
        meter,
        observer,
        shortest: None,
    };
    let labels = path
        .windows(2)
        .map(|states| shrinking.label_between(&states[0], &states[1]));
    let labels: Vec<OwnedLabel> = labels.collect::<Option<_>>()?;
    shrinking.take(&labels)?;
    let labels = shrinking.without_processes(labels);
    shrinking.without_parts(labels);
    shrinking.shortest
}

struct Shrinking<'m, 'b, M: Monitored, L: Seek, O> {
    model: &'m M,
    scratch: M::Scratch,
    initial: &'m [u64],
    /// Steps that may still be tried.
    budget: &'m mut u64,
    meter: &'m Meter<'b>,
    observer: O,
    shortest: Option<Found<L::Noted>>,
}

impl<M: Monitored, L: Seek, O: Fn() -> L> Shrinking<'_, '_, M, L, O> {
    /// Returns what `find` makes of the first step of which it makes something; `None`, too, at the
    /// end of the budget.
    fn find<T>(
        &mut self,
        from: &[u64],
        mut find: impl FnMut(Label<'_>, Result<&[u64], &Failure>) -> Option<T>,
    ) -> Option<T> {
        let mut tried = 0;
        let found = find_step(self.model, from, &mut self.scratch, |label, outcome| {
            tried += 1;
            find(label, outcome)
        });
        *self.budget = self.budget.saturating_sub(tried);
        found.filter(|_| !self.is_over())
    }

    fn is_over(&self) -> bool {
        *self.budget == 0 || self.meter.goes_on().is_break()
    }

    fn label_between(&mut self, from: &[u64], to: &[u64]) -> Option<OwnedLabel> {
        self.find(from, |label, outcome| {
            (outcome == Ok(to)).then(|| OwnedLabel::of(label))
        })
    }

    fn without_processes(&mut self, mut labels: Vec<OwnedLabel>) -> Vec<OwnedLabel> {
        let participants = labels.iter().flat_map(|label| label.label().participants);
        let processes: BTreeSet<InstanceId> = participants.map(|(who, _)| *who).collect();
        for process in processes {
            let takes_part = |label: &OwnedLabel| {
                let mut participants = label.label().participants.iter();
                participants.any(|(who, _)| *who == process)
            };
            let others = labels.iter().filter(|label| !takes_part(label));
            let others: Vec<OwnedLabel> = others.cloned().collect();
            if self.take(&others).is_some() {
                labels = others;
            }
        }
        labels
    }

    fn without_parts(&mut self, mut labels: Vec<OwnedLabel>) {
        let mut part = labels.len().div_ceil(2);
        while part > 0 {
            let mut at = 0;
            while at < labels.len() {
                let end = (at + part).min(labels.len());
                let others = [&labels[..at], &labels[end..]].concat();
                match self.take(&others) {
                    Some(()) => labels = others,
                    None => at = end,
                }
                if self.is_over() {
                    return;
                }
            }
            part /= 2;
        }
    }

    /// Takes steps with these labels. Keeps the run if its last state shows the violation.
    fn take(&mut self, labels: &[OwnedLabel]) -> Option<()> {
        let mut path: Vec<Box<[u64]>> = vec![self.initial.into()];
        for wanted in labels {
            let next = self.find(path.last()?, |label, outcome| {
                (label == wanted.label())
                    .then(|| outcome.ok().map(Box::from))
                    .flatten()
            });
            path.push(next?);
        }
        let noted = self.noted(path.last()?);
        if noted.is_empty() {
            return None;
        }
        self.shortest = Some(Found { noted, path });
        Some(())
    }

    /// Returns what the observer notes in a state.
    fn noted(&mut self, state: &[u64]) -> Vec<L::Noted> {
        let mut observer = (self.observer)();
        observer.begins(0, state);
        let mut flow = observer.found_by_all(state);
        let mut has_steps = false;
        if flow.is_continue() {
            let mut visitor = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
                has_steps = true;
                if let Err(failure) = outcome {
                    flow = observer.failing(label, failure);
                }
                flow.clone().map_break(drop)
            };
            let _ = self.model.visit(state, &mut self.scratch, &mut visitor);
        }
        let mut ends = || self.model.is_alone() || self.model.ends(state, &mut self.scratch);
        if !has_steps && flow.is_continue() && ends() {
            // The violation that it looks for is noted, whatever else there may be to find.
            let _ = observer.terminal(state);
        }
        observer.take()
    }
}
