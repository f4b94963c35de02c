//! What is noted while a breadth-first search goes on, as bytes.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use stubborn_system::system::Failure;

use super::{AtEnd, Fallen, Found, InState, Shown, Terminal, Verdicts, in_state};
use crate::graph::{Edges, StateSet};
use crate::lists::{put, take, take_array, wrong};
use crate::search::{OwnedLabel, Space};
use crate::successors::{Label, Successors, Visit};

impl Verdicts<'_> {
    /// Writes what is noted for the properties: for those that the search has found violated, where.
    pub fn write(&self, to: &mut dyn Write) -> io::Result<()> {
        debug_assert!(self.termination.is_none(), "it is of another order");
        for (goals, dead_end) in self.goals.iter().zip(&self.dead_ends) {
            put(to, goals.as_words())?;
            let dead_end: Vec<u32> = dead_end.iter().map(|(state, _)| *state).collect();
            put(to, &dead_end)?;
        }
        let fallen = || self.fallen.iter().enumerate();
        let fallen =
            || fallen().filter_map(|(property, fallen)| Some((property, fallen.as_ref()?)));
        put(to, &[fallen().count() as u64])?;
        for (property, fallen) in fallen() {
            fallen.write(property, to)?;
        }
        put(to, self.terminal.as_words())?;
        put(to, &[u8::from(self.edges.is_some())])?;
        match &self.edges {
            Some(edges) => edges.write(to),
            None => Ok(()),
        }
    }

    /// Notes what was noted of a search with these states.
    ///
    /// # Errors
    /// Where these are not the bytes of it. What is noted has no meaning then.
    pub fn read(&mut self, from: &mut dyn Read, space: &Space) -> io::Result<()> {
        let states = space.len();
        let mut dead_ends = Vec::new();
        for property in 0..self.properties.len() {
            self.goals[property] = set(from, states)?;
            let dead_end: Vec<u32> = take(from, 1)?;
            dead_ends.push(dead_end.first().copied());
        }
        let [many]: [u64; 1] = take_array(from)?;
        let mut fallen: Vec<(usize, Fallen)> = Vec::new();
        for _ in 0..many {
            let (property, one) = Fallen::read(from)?;
            let is_open = self.verdicts.get(property) == Some(&None);
            let is_new = fallen.iter().all(|(other, ..)| *other != property);
            if !is_open || !is_new || one.state >= states {
                return Err(wrong(
                    "a property that is violated is none, or is there twice",
                ));
            }
            fallen.push((property, one));
        }
        self.terminal = set(from, states)?;
        let [has_edges]: [u8; 1] = take_array(from)?;
        self.edges = match has_edges {
            0 => None,
            _ => Some(Edges::read(from, states)?),
        };
        // There may be more memory now: what is needed is made again.
        self.edges_were_dropped = false;
        for (property, state) in dead_ends.into_iter().enumerate() {
            if let Some(state) = state {
                self.note_dead_end(property, state, space)?;
            }
        }
        let found = fallen.into_iter().map(|(property, fallen)| {
            let found = self.shown(property, &fallen, space)?;
            Ok((property, fallen, found))
        });
        let found: Vec<(usize, Fallen, Found)> = found.collect::<io::Result<_>>()?;
        for (property, fallen, found) in found {
            self.fall(property, fallen, found, space);
        }
        Ok(())
    }

    /// Asks again what shows a violation.
    fn shown(&mut self, property: usize, fallen: &Fallen, space: &Space) -> io::Result<Found> {
        let mut state = vec![0; self.packed.words()];
        space.copy(fallen.state, &mut state);
        let kind = &*self.kinds[property];
        let expression = self.expressions[property].as_ref();
        let found = match &fallen.shown {
            Shown::State => {
                match in_state(self.packed, kind, expression, &state, &mut self.scratch) {
                    Some(InState::Violation(finding)) => Some((finding, None)),
                    _ => None,
                }
            }
            Shown::End => {
                let mut end = Terminal {
                    packed: self.packed,
                    expression,
                    scratch: &mut self.scratch,
                    state: &state,
                    is_goal: self.goals[property].contains(fallen.state),
                };
                match kind.at_end(&mut end) {
                    AtEnd::Violation(finding) if self.terminal.contains(fallen.state) => {
                        Some((finding, None))
                    }
                    _ => None,
                }
            }
            Shown::Step(label) => {
                let mut failing = Failing {
                    label,
                    failure: None,
                };
                let _ = (self.packed).visit(&state, &mut self.scratch, &mut failing);
                failing.failure.and_then(|failure| {
                    let finding = kind.at_failing_step(&failure)?;
                    Some((finding, Some(failure)))
                })
            }
        };
        found.ok_or_else(|| wrong("a violation is none"))
    }

    /// Asks again what was a dead end.
    fn note_dead_end(&mut self, property: usize, number: u32, space: &Space) -> io::Result<()> {
        if !self.terminal.contains(number) {
            return Err(wrong("a dead end is where no run ends"));
        }
        let mut state = vec![0; self.packed.words()];
        space.copy(number, &mut state);
        let mut end = Terminal {
            packed: self.packed,
            expression: self.expressions[property].as_ref(),
            scratch: &mut self.scratch,
            state: &state,
            is_goal: self.goals[property].contains(number),
        };
        match self.kinds[property].at_end(&mut end) {
            AtEnd::DeadEnd(finding) => {
                self.dead_ends[property] = Some((number, finding));
                Ok(())
            }
            AtEnd::Nothing | AtEnd::Violation(_) => Err(wrong("a dead end is none")),
        }
    }
}

/// Why a step fails.
struct Failing<'a> {
    label: &'a OwnedLabel,
    failure: Option<Failure>,
}

impl Visit for Failing<'_> {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        match outcome {
            Err(failure) if label == self.label.label() => {
                self.failure = Some(failure.clone());
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        }
    }
}

/// More participants, or values of an action, no step has.
const MOST_OF_A_STEP: u64 = 1 << 20;

impl Fallen {
    fn write(&self, property: usize, to: &mut dyn Write) -> io::Result<()> {
        let shown = match self.shown {
            Shown::State => 0,
            Shown::End => 1,
            Shown::Step(_) => 2,
        };
        put(to, &[property as u64, self.state.into(), shown])?;
        if let Shown::Step(label) = &self.shown {
            let label = label.label();
            let participants = label.participants.iter();
            let participants: Vec<[u32; 2]> =
                participants.map(|(who, step)| [*who, *step]).collect();
            put(to, &participants)?;
            let (action, values) = match label.action {
                None => (Vec::new(), &[][..]),
                Some((action, values)) => (vec![action], values),
            };
            put(to, &action)?;
            put(to, values)?;
        }
        Ok(())
    }

    fn read(from: &mut dyn Read) -> io::Result<(usize, Fallen)> {
        let [property, state, shown]: [u64; 3] = take_array(from)?;
        let shown = match shown {
            0 => Shown::State,
            1 => Shown::End,
            2 => {
                let participants: Vec<[u32; 2]> = take(from, MOST_OF_A_STEP)?;
                let participants = participants.into_iter().map(|[who, step]| (who, step));
                let participants: Vec<_> = participants.collect();
                let action: Vec<u32> = take(from, 1)?;
                let values: Vec<i64> = take(from, MOST_OF_A_STEP)?;
                Shown::Step(OwnedLabel::of(Label {
                    participants: &participants,
                    action: action.first().map(|action| (*action, &values[..])),
                }))
            }
            _ => return Err(wrong("a violation is shown by nothing that is known")),
        };
        let state = u32::try_from(state).map_err(|_| wrong("there is no such state"))?;
        let property = usize::try_from(property).map_err(|_| wrong("there is no such property"))?;
        Ok((property, Fallen { state, shown }))
    }
}

/// Some of so many states.
fn set(from: &mut dyn Read, states: u32) -> io::Result<StateSet> {
    let words: Vec<u64> = take(from, u64::from(states).div_ceil(64))?;
    Ok(StateSet::of_words(words))
}
