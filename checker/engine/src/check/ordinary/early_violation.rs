//! Violations that a search without numbers has noted, each reported while the search goes on.

use std::sync::Arc;

use stubborn_system::property::Property;

use super::way::Way;
use crate::check::verdicts::{Noted, Noting};
use crate::observer::{Event, Observer};
use crate::packed::Packed;
use crate::properties::kind_of;
use crate::runs::evidence::{Evidence, recorded};
use crate::runs::limits::{Limited, for_a_run};
use crate::runs::no_trace::NoTrace;
use crate::search::random::Found;
use crate::search::shrink::shrunk;
use crate::search::{Alone, Figures, Meter};
use crate::verdict::{Outcome, Reason, Verdict};

/// Properties of a search, and the observer of their violations.
pub(super) struct EarlyViolations<'a> {
    pub(super) packed: &'a Packed<'a>,
    pub(super) model: &'a Alone<'a, Packed<'a>>,
    pub(super) properties: &'a [Property],
    pub(super) observer: &'a dyn Observer,
}

impl EarlyViolations<'_> {
    /// Reports a violation at the end of a path, with as short a run as leaving steps out gives
    /// ([`shrunk`]).
    ///
    /// # Errors
    /// The limit that is reached before there is a run.
    pub(super) fn report(
        &self,
        one: &Noted,
        path: &[Box<[u64]>],
        budget: &mut u64,
        (meter, figures): (&Meter<'_>, Figures),
    ) -> Result<Verdict, Reason> {
        let property = one.property;
        let asked = (property, &self.properties[property]);
        let observer = || Noting::new(self.packed, [asked]);
        let shrunk = shrunk(self.model, path, (budget, meter), observer);
        let shorter = shrunk.and_then(|Found { mut noted, path }| Some((noted.pop()?, path)));
        let (one, path) = match &shorter {
            Some((one, path)) => (one, &**path),
            None => (one, path),
        };
        let way = Way {
            states: path.to_vec(),
            figures,
            ..Way::default()
        };
        let evidence = Evidence {
            failing: one.failing.clone(),
            ..way.evidence()
        };
        let kind = kind_of(&self.properties[property]);
        let limited = Limited::new(for_a_run(meter.budget(), meter.begun()), figures.bytes);
        let poll = &mut |bytes| limited.poll(bytes);
        let trace = recorded((self.packed, None), &*kind, &evidence, &way, poll);
        let trace = trace.map_err(NoTrace::reason)?;
        let verdict = Verdict::Violated {
            finding: one.finding.clone(),
            trace: Arc::new(trace),
        };
        let outcome = Outcome {
            states: figures.states,
            edges: figures.edges,
            seconds: meter.seconds(),
            ..Outcome::without_search(verdict.clone())
        };
        self.observer.event(Event::Decided(property, &outcome));
        Ok(verdict)
    }
}
