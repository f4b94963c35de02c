//! Distributed exploration: counts and failing steps.

use std::sync::Arc;

use super::{Counter, Exploration, Exploring, Sink};
use crate::runs::no_trace::NoTrace;
use crate::search::{Figures, Meter};
use crate::several::{Chosen, Count, Event, FailingStep, Question, Several, Sharing, Shown};
use crate::verdict::Reason;
use crate::worker_model::Gathers;

impl Exploring<'_> {
    /// Explores with other processes.
    pub(super) fn together(
        &self,
        several: &dyn Several,
        meter: &mut Meter<'_>,
        sink: &mut dyn Sink,
    ) -> Exploration {
        let (packed, options) = (self.packed, self.options);
        let question = Question {
            system: packed.system().clone(),
            properties: Vec::new(),
            reduced: options.reduction.leaves_out(),
            chosen: Chosen::of(options),
            watched: None,
            max_states: options.limits.max_states,
        };
        let (end, count, sharing) = match several.search(&question) {
            Ok(mut search) => {
                let end = search.next(&mut |count| {
                    meter.depth = count.layer;
                    let flow = meter.poll(Figures::from(count));
                    flow.map_break(|stop| NoTrace::from(stop).reason())
                });
                for failing in search.failing() {
                    sink.failing(0, failing.label(), &failing.why);
                }
                (end, search.count(), search.sharing())
            }
            Err(reason) => (Event::Stopped(reason), Count::default(), Sharing::default()),
        };
        let stopped = match end {
            Event::Over => None,
            Event::Stopped(reason) => Some(reason),
            Event::Shown(_) => Some(Reason::Internal("nothing was asked".to_owned())),
        };
        Exploration {
            states: count.states,
            edges: count.edges,
            terminal: count.terminal,
            failing: count.failing,
            full: stopped.is_none() && !count.leaves_out,
            complete: stopped.is_none(),
            stopped,
            symmetry: None,
            sharing: Some(Arc::new(sharing)),
            within: 0,
            bytes_per_state: count.most as f64 / count.states.max(1) as f64,
            seconds: meter.seconds(),
        }
    }
}

impl Gathers for Counter<'_> {
    fn shown(&mut self) -> Vec<Shown> {
        Vec::new()
    }

    fn go_on(&mut self, _: &[usize]) {}

    fn told(&self) -> Vec<FailingStep> {
        let told = self.told.0.iter().map(|(label, why)| {
            let label = label.label();
            FailingStep {
                participants: label.participants.to_vec(),
                action: label
                    .action
                    .map(|(action, values)| (action, values.to_vec())),
                why: why.clone(),
            }
        });
        told.collect()
    }
}
