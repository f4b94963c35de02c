//! How a state space grows that is too large to be drawn: how many states are so many steps from the start, and
//! which statements lead to new ones.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use stubborn_engine::{Caller, Label, Sink, State, Trace, explore};
use stubborn_system::source::Span;
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::Failure;

use super::budget::{Until, plain};
use crate::{About, Place};

/// The search gives up when it finds one more state than this.
const MOST_STATES: u64 = 1_000_000;
/// So many statements are told.
const MOST_TOLD: usize = 12;
/// A statement's text is cut after so many characters.
const WIDTH: usize = 60;

#[derive(Clone, Debug, PartialEq)]
pub struct Levels {
    /// The states by how many steps the shortest way to them has; of the last maybe not all.
    pub levels: Vec<Level>,
    /// The statements by which most states were found first, the most first.
    pub growth: Vec<Growth>,
    pub states: u64,
    pub edges: u64,
    /// Whether that is all.
    pub is_complete: bool,
    /// The level of the state in which the run ends that is shown; none where the search has not come there.
    pub violation: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    pub states: u64,
    /// The steps that lead on from them.
    pub edges: u64,
}

/// A statement, and how many states were found first by it, whichever instance took it.
#[derive(Clone, Debug, PartialEq)]
pub struct Growth {
    pub text: String,
    pub place: Place,
    pub states: u64,
}

/// Searches breadth first, with nothing left out, until there are no more states, a million were found, or the deadline
/// has passed, or it is cancelled; with a run, looks for where it ends. `None` where a state is too large to be searched.
pub fn levels(
    drawn: About<'_>,
    run: Option<&Trace>,
    deadline: Instant,
    is_cancelled: &AtomicBool,
) -> Option<Levels> {
    let mut found = Found {
        map: drawn.map,
        level: vec![0],
        levels: vec![Level {
            states: 1,
            edges: 0,
        }],
        by: HashMap::new(),
        edges: 0,
        sought: run.map(|run| (run.last(), run.steps().len())),
        found: None,
    };
    let options = plain(MOST_STATES, deadline);
    let until = Until::new(is_cancelled);
    let explored = explore(drawn.system, &options, Caller::timed_by(&until), &mut found).ok()?;
    let mut growth: Vec<(Span, u64)> = found.by.into_iter().collect();
    growth.sort_by_key(|(span, states)| (std::cmp::Reverse(*states), span.file.0, span.start));
    growth.truncate(MOST_TOLD);
    let growth = growth.into_iter().map(|(span, states)| Growth {
        text: drawn.texts.excerpt(span, WIDTH),
        place: drawn.texts.place(span),
        states,
    });
    let violation = found
        .found
        .and_then(|number| found.level.get(number as usize));
    Some(Levels {
        violation: violation.map(|level| *level as usize),
        growth: growth.collect(),
        levels: found.levels,
        states: explored.states,
        edges: found.edges,
        is_complete: explored.complete,
    })
}

struct Found<'a> {
    map: &'a SourceMap,
    /// Of each state.
    level: Vec<u32>,
    levels: Vec<Level>,
    /// By the statement of the first who takes the step.
    by: HashMap<Span, u64>,
    edges: u64,
    /// A state, and in how many steps it can be reached at most.
    sought: Option<(&'a State, usize)>,
    /// Its number.
    found: Option<u32>,
}

impl Found<'_> {
    fn count(&mut self, from: u32) -> u32 {
        self.edges += 1;
        let level = self.level[from as usize];
        self.levels[level as usize].edges += 1;
        level
    }
}

impl Sink for Found<'_> {
    /// To make up a state takes more time than to find it.
    fn wants_states(&self) -> bool {
        let may_come = |(_, steps): (_, usize)| self.levels.len() <= steps + 1;
        self.found.is_none() && self.sought.is_some_and(may_come)
    }

    fn state(&mut self, number: u32, state: &State) {
        if self.sought.is_some_and(|(sought, _)| sought == state) {
            self.found = Some(number);
        }
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) {
        let level = self.count(from);
        // States are numbered as they are found.
        if to as usize == self.level.len() {
            self.level.push(level + 1);
            if self.levels.len() == level as usize + 1 {
                self.levels.push(Level::default());
            }
            self.levels[level as usize + 1].states += 1;
            if let Some((instance, step)) = label.participants.first() {
                *self.by.entry(self.map.step(*instance, *step)).or_default() += 1;
            }
        }
    }

    fn failing(&mut self, at: u32, _: Label<'_>, _: &Failure) {
        self.count(at);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use stubborn_engine::{Options, Search, Verdict, check};

    use super::super::fixture::model;
    use super::*;

    #[test]
    fn states_are_counted_by_how_far_they_are_and_by_what_leads_there() {
        let text = "\
var x, y: 0..30
process p { loop { await x < 30 do x = x + 1 } }
process q { loop { await y < 30 do y = y + 1 } }
";
        let (model, texts) = model(text);
        let drawn = About::new(&model, &texts);
        let later = Instant::now() + Duration::from_secs(60);
        let found = levels(drawn, None, later, &AtomicBool::new(false)).expect("a small model");
        assert!(found.is_complete);
        assert_eq!((found.states, found.edges), (31 * 31, 2 * 30 * 31));
        assert_eq!(found.levels.len(), 61);
        let states: Vec<u64> = found.levels.iter().map(|level| level.states).collect();
        assert_eq!(states[..4], [1, 2, 3, 4]);
        assert_eq!((states[30], states[60]), (31, 1));
        assert_eq!(found.levels[0].edges, 2);
        let by: Vec<(&str, u32)> = found
            .growth
            .iter()
            .map(|one| (one.text.as_str(), one.place.range.start.line))
            .collect();
        assert!(by.contains(&("await x < 30 do x = x + 1", 2)), "{by:?}");
        let all: u64 = found.growth.iter().map(|one| one.states).sum();
        assert_eq!(all, found.states - 1);
    }
    #[test]
    fn the_level_is_known_in_which_a_run_ends_though_it_may_go_roundabout() {
        let text = "\
var x, y: 0..30
process p { loop { await x < 30 do x = x + 1 } }
process q { loop { either { await y < 30 do y = y + 1 } or { await y > 0 do y = y - 1 } } }
invariant low: x + y < 9
";
        let (model, texts) = model(text);
        let drawn = About::new(&model, &texts);
        let low = model.properties.iter().find(|one| one.name == "low");
        let low = [low.expect("it is there").property.clone()];
        let found_by = |search| {
            let options = Options {
                search,
                ..Options::default()
            };
            let outcomes = check(&model.system, &low, &options, Caller::default());
            match &outcomes.expect("a small model")[0].verdict {
                Verdict::Violated { trace, .. } => Arc::clone(trace),
                _ => panic!("x and y grow"),
            }
        };
        let ends = |run: &Trace, deadline: Instant| {
            let found = levels(drawn, Some(run), deadline, &AtomicBool::new(false));
            found.expect("a small model").violation
        };
        let later = Instant::now() + Duration::from_secs(60);
        let shortest = found_by(Search::Breadth);
        assert_eq!((shortest.len(), ends(&shortest, later)), (9, Some(9)));
        let deep = found_by(Search::Depth);
        assert!(deep.len() >= 9);
        assert_eq!(ends(&deep, later), Some(9));
        // Where the search does not come it is not said where it would be.
        let begun = Instant::now();
        assert_eq!(ends(&shortest, begun), None);
    }
}
