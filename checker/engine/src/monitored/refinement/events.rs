//! The events of a specification's alphabet: actions with their values.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use stubborn_automata::{NotMade, Work};
use stubborn_system::system::{ActionId, ActionPattern, Range, System};

use crate::packed::body::{first_choices, next_choices};
use crate::packed::participants::Participants;
use crate::verdict::Reason;

/// Index of an event, in the order of the alphabet.
pub type EventId = u32;

/// How many events an alphabet may have.
pub const MOST_EVENTS: u64 = 10_000;

/// How many events may be gone through where patterns overlap.
const MOST_TRIED: u64 = 1_000_000;

/// The visible actions, one by one.
#[derive(Clone, Debug)]
pub struct Events {
    pub list: IndexSet<(ActionId, Box<[i64]>), FxBuildHasher>,
    /// Whether some instance of the model has the event in its alphabet. Where none has, it never
    /// occurs: the model refuses it always.
    pub occurs: Vec<bool>,
    /// The patterns of the alphabet with the events of each, if no event has two patterns and each
    /// of a pattern's events occurs in the model.
    pub patterns: Vec<(ActionPattern, Vec<EventId>)>,
}

impl Events {
    /// The events of an alphabet, beside a model.
    ///
    /// # Errors
    /// Where there are more than [`MOST_EVENTS`], or the work has been stopped.
    pub fn new(
        system: &System,
        alphabet: &[ActionPattern],
        work: &Work<'_>,
    ) -> Result<Events, NotMade<Reason>> {
        Events::within(MOST_TRIED, system, alphabet, work)
    }

    fn within(
        most_tried: u64,
        system: &System,
        alphabet: &[ActionPattern],
        work: &Work<'_>,
    ) -> Result<Events, NotMade<Reason>> {
        let too_large = || NotMade::TooLarge(Reason::AlphabetTooLarge(MOST_EVENTS));
        let mut events = Events {
            list: IndexSet::default(),
            occurs: Vec::new(),
            patterns: Vec::new(),
        };
        let participants = Participants::of_system(system);
        let mut tried = 0_u64;
        for pattern in alphabet {
            let ranges = ranges(system, pattern);
            let count = ranges
                .iter()
                .fold(1_u64, |count, range| count.saturating_mul(range.size()));
            tried = tried.saturating_add(count);
            if count > MOST_EVENTS || tried > most_tried {
                return Err(too_large());
            }
            work.spend(10 * count as usize)?;
            let mut of_pattern = Vec::with_capacity(count as usize);
            let mut is_simple = true;
            let mut values = Vec::new();
            first_choices(ranges.iter(), &mut values);
            loop {
                let (event, is_new) = events.add(pattern.action, &values, &participants);
                is_simple &= is_new && events.occurs[event as usize];
                of_pattern.push(event);
                if !next_choices(ranges.iter(), &mut values) {
                    break;
                }
            }
            if is_simple {
                events.patterns.push((pattern.clone(), of_pattern));
            }
            if events.list.len() as u64 > MOST_EVENTS {
                return Err(too_large());
            }
        }
        Ok(events)
    }

    fn add(
        &mut self,
        action: ActionId,
        values: &[i64],
        participants: &[Participants],
    ) -> (EventId, bool) {
        let (event, is_new) = self.list.insert_full((action, values.into()));
        if is_new {
            let fixed: Vec<Option<i64>> = values.iter().copied().map(Some).collect();
            let mut found = Vec::new();
            participants[action as usize].of_values(&fixed, &mut found);
            self.occurs.push(!found.is_empty());
        }
        (event as EventId, is_new)
    }

    pub fn find(&self, action: ActionId, values: &[i64]) -> Option<EventId> {
        let event = self.list.get_index_of(&(action, Box::from(values)))?;
        Some(event as EventId)
    }

    /// Those that the model may do, ascending.
    pub fn occurring(&self) -> impl Iterator<Item = EventId> {
        (0..).zip(&self.occurs).filter(|(_, o)| **o).map(|(e, _)| e)
    }

    /// The pattern of one event alone.
    pub fn pattern(&self, event: EventId) -> ActionPattern {
        let (action, values) = &self.list[event as usize];
        ActionPattern {
            action: *action,
            arguments: values.iter().copied().map(Some).collect(),
        }
    }
}

fn ranges(system: &System, pattern: &ActionPattern) -> Vec<Range> {
    let all = &system.actions[pattern.action as usize].arguments;
    pattern
        .arguments
        .iter()
        .zip(all)
        .map(|(value, range)| {
            value.map_or(*range, |value| Range {
                lo: value,
                hi: value,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use stubborn_system::system::Action;

    use super::*;

    #[test]
    fn as_many_events_of_patterns_that_overlap_are_gone_through_as_are_allowed() {
        let arguments = vec![Range { lo: 0, hi: 1 }];
        let system = System {
            actions: vec![Action { arguments }],
            ..System::default()
        };
        let any = ActionPattern {
            action: 0,
            arguments: vec![None],
        };
        let alphabet = vec![any; 3];
        let found = |most| {
            let found = Events::within(most, &system, &alphabet, &Work::unlimited());
            found.map(|events| events.list.len())
        };
        let too_large = Err(NotMade::TooLarge(Reason::AlphabetTooLarge(MOST_EVENTS)));
        assert_eq!([5, 6, 7].map(found), [too_large, Ok(2), Ok(2)]);
    }
}
