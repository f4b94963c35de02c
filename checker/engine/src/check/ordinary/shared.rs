//! Distributed searches of ordinary properties.
//!
//! The first one uses stubborn sets; the plain state space decides the rest. Conclusions from a
//! search without a violation are in [`together`](super::together). `must` and recurrences are
//! refused.
//!
//! Workers are not trusted: the violation that a state shows is computed again, and the path to it
//! is replayed by the reference interpreter.

use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_system::system::Failure;

use super::Checking;
use super::way::Way;
use crate::check::verdicts::{Noted, Noting, nothing_decided};
use crate::plan::attempt::Ended;
use crate::properties::Conclusion;
use crate::runs::evidence::Evidence;
use crate::runs::limits::{Limited, for_a_run};
use crate::runs::no_trace::NoTrace;
use crate::search::layers::Look;
use crate::search::{Figures, Stop};
use crate::several::{Chosen, Event, Question, Shared, Sharing, Shown};
use crate::successors::{Label, Successors};
use crate::verdict::{Reason, Verdict};

impl Checking<'_> {
    /// Leaves properties undecided that only a search by one process decides.
    pub(super) fn refuse_over_several(&mut self) {
        if self.caller.resources.several.is_none() {
            return;
        }
        for property in self.found.undecided().collect::<Vec<usize>>() {
            let conclusion = self.found.conclusion(property);
            if let Conclusion::Avoiding(_) | Conclusion::Recurring(_) = conclusion {
                let verdict = Verdict::Undecided(Reason::OneProcessOnly);
                self.decide(property, verdict, &Way::default());
            }
        }
        self.note(&Way::default());
    }

    /// Decides the open properties as far as a search by all processes can.
    pub(super) fn shared(&mut self, reduced: bool) -> Ended {
        let Some(several) = self.caller.resources.several else {
            return Ended::Complete;
        };
        let open = self.found.undecided();
        let open: Vec<usize> = open
            .filter(|property| !reduced || self.found.is_reducible(*property))
            .collect();
        if open.is_empty() {
            return Ended::Complete;
        }
        let properties = open.iter().map(|at| self.properties[*at].clone());
        let question = Question {
            system: self.packed.system().clone(),
            properties: properties.collect(),
            reduced,
            chosen: Chosen::of(self.options),
            watched: None,
            max_states: self.options.limits.max_states,
        };
        let (end, mut way, sharing) = match several.search(&question) {
            Ok(mut search) => {
                let end = match self.follow(&mut *search, &question, &open) {
                    Event::Over => self.conclude_together(&mut *search, &open),
                    end => end,
                };
                (end, way_of(&*search), search.sharing())
            }
            Err(reason) => (Event::Stopped(reason), Way::default(), Sharing::default()),
        };
        way.is_over = matches!(end, Event::Over);
        let mut ended = Ended::Complete;
        for (_, property) in self.still_open(&open) {
            let reason = match &end {
                Event::Stopped(reason) => {
                    ended = Ended::Limit(reason.clone());
                    reason.clone()
                }
                Event::Over | Event::Shown(_) if reduced => break,
                // The plain state space decides everything.
                Event::Over | Event::Shown(_) => nothing_decided(),
            };
            self.decide(property, Verdict::Undecided(reason), &way);
        }
        let mut decided = self.note(&way);
        let sharing = Arc::new(sharing);
        for property in &decided {
            if let Some(outcome) = &mut self.found.outcomes[*property] {
                outcome.sharing = Some(Arc::clone(&sharing));
            }
        }
        // A violation of a single state or step, found breadth first, has a shortest path.
        decided.retain(|one| way.leaves_out || !self.found.is_decided_in_passing(*one));
        self.shorten(&decided, self.options, (way.figures.states, 0));
        ended
    }

    /// Decides violations as workers find them. Returns how the search ends.
    fn follow(&mut self, search: &mut dyn Shared, question: &Question, open: &[usize]) -> Event {
        loop {
            let meter = &mut self.meter;
            let event = search.next(&mut |count| {
                meter.depth = count.layer;
                let flow = meter.poll(Figures::from(count));
                or_reason(flow)
            });
            let shown = match event {
                Event::Shown(shown) => shown,
                end => return end,
            };
            for shown in shown {
                let property = open.get(shown.property).copied();
                let property = property.filter(|at| self.found.is_undecided(*at));
                if let Some(property) = property {
                    self.tell(search, question, property, &shown);
                }
            }
            let still = self.still_open(open);
            let still: Vec<usize> = still.into_iter().map(|(within, _)| within).collect();
            if still.is_empty() {
                return Event::Stopped(nothing_decided());
            }
            search.go_on(&still);
        }
    }

    /// Decides a property that a state shows violated.
    fn tell(
        &mut self,
        search: &mut dyn Shared,
        question: &Question,
        property: usize,
        shown: &Shown,
    ) {
        let budget = for_a_run(self.caller.budget, self.meter.begun());
        let limited = Limited::from_the_beginning(budget, 0);
        // Each process checks its own memory.
        let states = search.way(shown, &mut |_| or_reason(limited.poll(0)));
        let mut way = way_of(search);
        let seen = states.and_then(|states| {
            way.states = states;
            let defect = || {
                Reason::Internal("a state does not show what a worker has seen in it".to_owned())
            };
            self.seen_in(question, shown).ok_or_else(defect)
        });
        match seen {
            Ok(noted) => {
                let evidence = Evidence {
                    failing: noted.failing,
                    ..way.evidence()
                };
                self.violate(property, noted.finding, &evidence, &way);
            }
            Err(reason) => {
                let reason = NoTrace::Limit(reason).reason();
                self.decide(property, Verdict::Undecided(reason), &way);
            }
        }
    }

    /// Returns the violation of the property that a state shows.
    fn seen_in(&self, question: &Question, shown: &Shown) -> Option<Noted> {
        if shown.state.len() != self.packed.words() {
            return None;
        }
        let mut noting = Noting::new(self.packed, question.properties.iter().enumerate());
        noting.begins(shown.layer, &shown.state);
        // A break means that nothing is open any more; the violations are there all the same.
        for look in 0..noting.looks() {
            let _ = noting.found(look, &shown.state);
        }
        let mut steps = 0;
        let mut look_at = |label: Label<'_>, outcome: Result<&[u64], &Failure>| {
            steps += 1;
            if let Err(failure) = outcome {
                let _ = noting.failing(label, failure);
            }
            ControlFlow::Continue(())
        };
        let mut scratch = self.packed.scratch();
        let _ = self.packed.visit(&shown.state, &mut scratch, &mut look_at);
        if steps == 0 {
            let _ = noting.terminal(&shown.state);
        }
        let mut noted = noting.take().into_iter();
        noted.find(|noted| noted.property == shown.property)
    }
}

/// Returns the figures of a search. Each process checks its own memory.
pub(super) fn way_of(search: &dyn Shared) -> Way {
    let count = search.count();
    Way::of(&count, count.most)
}

pub(super) fn or_reason(flow: ControlFlow<Stop>) -> ControlFlow<Reason> {
    flow.map_break(|stop| match stop {
        Stop::Limit(reason) => reason,
        Stop::Decided => nothing_decided(),
    })
}
