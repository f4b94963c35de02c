//! Search on the disk, once memory has run out, for properties of single states and steps.

use std::ops::ControlFlow;

use super::way::Way;
use super::{Checking, ended};
use crate::budget::Budget;
use crate::caller::Resources;
use crate::check::verdicts::{Noted, Verdicts, nothing_decided};
use crate::options::Storage;
use crate::plan::attempt::Ended;
use crate::runs::evidence::Evidence;
use crate::runs::limits::{Limited, for_a_run};
use crate::runs::no_trace::NoTrace;
use crate::search::Stop;
use crate::search::disk::{DiskSearch, Sizes};
use crate::successors::{Footprints, Model};
use crate::verdict::{Reason, Verdict};

impl Checking<'_> {
    /// Returns why a limit leaves a property undecided; `None` if the disk search continues for it.
    pub(super) fn left_for(&self, property: usize, reason: &Reason) -> Option<Reason> {
        match reason {
            Reason::Memory(_) if self.may_go_to_disk() => {
                let is_served = self.found.is_decided_in_passing(property);
                (!is_served).then(|| memory_alone(self.caller.resources, reason))
            }
            reason => Some(reason.clone()),
        }
    }

    /// Whether the plan continues on the disk where memory runs out: lossy storage has no such row.
    fn may_go_to_disk(&self) -> bool {
        self.caller.resources.disk.is_some() && self.options.storage == Storage::Exact
    }

    /// Decides the open properties by a breadth-first search with states on the disk.
    pub(super) fn spilled(&mut self, model: Model<'_>, sizes: Option<Sizes>) -> Ended {
        let Some(disk) = self.caller.resources.disk else {
            return Ended::Complete;
        };
        // No other stage follows, so that it may use all that the caller allows.
        self.meter = self.meter.within(self.caller.budget);
        debug_assert!(
            (self.found.undecided()).all(|property| self.found.is_decided_in_passing(property)),
            "no other property is left open for it"
        );
        let begun = self.meter.begun();
        let noting = self.found.noting();
        let mut search = DiskSearch::new(&model, &self.meter, disk, sizes, noting);
        let flow = search.search(|search| {
            for noted in search.look().take() {
                let budget = for_a_run(self.caller.budget, begun);
                tell(search, &mut self.found, noted, budget);
            }
        });
        let mut all = Way::of(&search.count(), search.held());
        all.is_over = flow.is_continue();
        let depth = search.depth();
        drop(search);
        self.meter.is_at(depth);
        let verdict = match flow.clone() {
            ControlFlow::Continue(()) => Verdict::Holds,
            ControlFlow::Break(Stop::Limit(reason)) => Verdict::Undecided(reason),
            ControlFlow::Break(Stop::Decided) => Verdict::Undecided(nothing_decided()),
        };
        for property in self.found.undecided() {
            self.decide(property, verdict.clone(), &all);
        }
        self.note(&all);
        ended(flow)
    }
}

/// Returns the reason for a property that needs memory and cannot be decided on the disk.
pub fn memory_alone(resources: Resources<'_>, reason: &Reason) -> Reason {
    match reason {
        Reason::Memory(most) if resources.disk.is_some() => Reason::NotOnDisk(*most),
        reason => reason.clone(),
    }
}

type Searching<'s, 'm, 'a, M> = DiskSearch<'s, 'm, M, crate::check::verdicts::Noting<'a>>;

/// Decides a property that is violated; it stays undecided if no run is made within the limits.
fn tell<'a, M: Footprints>(
    search: &mut Searching<'_, '_, 'a, M>,
    found: &mut Verdicts<'a>,
    noted: Noted,
    budget: Budget<'_>,
) {
    let limited = Limited::new(budget, search.held());
    let poll = &mut |bytes| limited.poll(bytes);
    let states = search.path(noted.layer, &noted.state, poll);
    let mut way = Way::of(&search.count(), search.held());
    let verdict = match states {
        ControlFlow::Continue(states) => {
            way.states = states;
            let evidence = Evidence {
                failing: noted.failing,
                ..way.evidence()
            };
            found.violation(noted.property, noted.finding, &evidence, &way, 0)
        }
        ControlFlow::Break(stop) => Verdict::Undecided(NoTrace::from(stop).reason()),
    };
    found.decide(noted.property, verdict, (&way, None));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Mutex;

    use proptest::prelude::*;
    use stubborn_model::elaborate::Settings;
    use stubborn_random::read;
    use stubborn_random::symmetric::{self, Share};
    use stubborn_system::property::Property;
    use stubborn_system::system::System;

    use super::*;
    use crate::caller::Caller;
    use crate::check;
    use crate::check::check_in_one_search as in_one_search;
    use crate::check::ordinary::Checking;
    use crate::check::told::drawn;
    use crate::failing_disk::{Fault, InMemory, tiny};
    use crate::interpreter::replay;
    use crate::options::Limits;
    use crate::options::{Options, Reduction, Symmetry};
    use crate::packed::Packed;
    use crate::pipeline::with_symmetry;
    use crate::plan::stages::Stage;
    use crate::search::Meter;
    use crate::successors::Successors;
    use crate::symmetry::permutations::permutations;
    use crate::verdict::Outcome;

    fn with_disk(disk: &InMemory) -> Caller<'_> {
        let resources = Resources {
            disk: Some(disk),
            ..Resources::default()
        };
        resources.into()
    }

    /// Searches on the disk from the beginning.
    fn spilled(checking: &mut Checking<'_>) {
        let (packed, orbits) = (checking.packed, checking.orbits);
        let sizes = Some(tiny(packed.words()));
        with_symmetry(packed, orbits, |model| checking.spilled(model, sizes));
    }

    /// What is found on the disk from the beginning, confirmed as ever.
    fn told_on_disk(
        system: &System,
        properties: &[Property],
        most: Option<u64>,
        disk: &InMemory,
    ) -> Vec<Outcome> {
        let options = Options {
            reduction: Reduction::None,
            limits: Limits {
                max_states: most,
                ..Limits::default()
            },
            ..Options::default()
        };
        let packed = Packed::new(system).expect("its states are small");
        let caller = with_disk(disk).with(options.limits);
        let meter = Meter::quiet(caller.budget);
        let given = (&packed, None);
        let mut checking = Checking::new(given, properties, &options, (meter, caller));
        spilled(&mut checking);
        let outcomes: Vec<Outcome> = checking.found.outcomes.into_iter().flatten().collect();
        assert_eq!(outcomes.len(), properties.len());
        assert!(disk.is_empty(), "nothing stays");
        outcomes
    }

    /// The same with numbers, in memory; nothing is sliced.
    fn told_with_numbers(system: &System, properties: &[Property]) -> Vec<Outcome> {
        let options = Options {
            reduction: Reduction::None,
            keep_dead_variables: true,
            tells_seen: true,
            limits: Limits {
                max_states: Some(3_000),
                ..Limits::default()
            },
            ..Options::default()
        };
        check(system, properties, &options, Caller::default()).expect("its states are small")
    }

    fn is_undecided(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::Undecided(_))
    }

    fn length(verdict: &Verdict) -> Option<usize> {
        match verdict {
            Verdict::Violated { trace, .. } => Some(trace.len()),
            Verdict::Holds | Verdict::Undecided(_) => None,
        }
    }

    #[test]
    fn verdicts_counts_and_lengths_of_runs_are_those_of_a_search_with_numbers() {
        let met: Mutex<BTreeMap<(&str, &str), u32>> = Mutex::default();
        drawn(250, |system, mut properties| {
            properties.retain(|property| matches!(property, Property::Invariant(_)));
            properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
            // Each by itself, and all together.
            let each = properties.iter().map(|property| vec![property.clone()]);
            for asked in each.chain([properties.clone()]) {
                let numbered = told_with_numbers(system, &asked);
                if numbered.iter().any(|whole| is_undecided(&whole.verdict)) {
                    continue;
                }
                let found = told_on_disk(system, &asked, None, &InMemory::default());
                let are_all_violated = numbered.iter().all(|whole| whole.verdict.is_violated());
                for ((property, found), whole) in asked.iter().zip(&found).zip(&numbered) {
                    prop_assert_eq!(length(&found.verdict), length(&whole.verdict));
                    if !are_all_violated {
                        let counts = |of: &Outcome| (of.states, of.edges, of.full, of.reduction);
                        prop_assert_eq!(counts(found), counts(whole));
                    }
                    let kind = match property {
                        Property::Errors => "errors",
                        Property::Deadlock { .. } => "deadlock",
                        _ => "invariant",
                    };
                    let told = match &whole.verdict {
                        Verdict::Violated { .. } => "violated",
                        verdict => {
                            prop_assert_eq!(&found.verdict, verdict);
                            "holds"
                        }
                    };
                    let mut met = met.lock().expect("nobody panics");
                    *met.entry((kind, told)).or_default() += 1;
                }
                let most = found
                    .iter()
                    .map(|outcome| outcome.states)
                    .max()
                    .unwrap_or(1);
                let cut = told_on_disk(system, &asked, Some(most / 2 + 1), &InMemory::default());
                for (cut, whole) in cut.iter().zip(&numbered) {
                    match &cut.verdict {
                        Verdict::Undecided(Reason::States(limit)) => {
                            prop_assert_eq!(*limit, most / 2 + 1);
                        }
                        verdict => prop_assert_eq!(length(verdict), length(&whole.verdict)),
                    }
                }
            }
            Ok(())
        });
        let met = met.into_inner().expect("nobody panics");
        for kind in ["errors", "deadlock", "invariant"] {
            for verdict in ["holds", "violated"] {
                let met = met.get(&(kind, verdict)).copied();
                assert!(met.unwrap_or_default() > 30, "{kind} {verdict} {met:?}");
            }
        }
    }

    #[test]
    fn a_disk_that_fails_leaves_undecided_what_it_did_not_show() {
        drawn(25, |system, _| {
            let asked = [Property::Errors, Property::Deadlock { allowed: None }];
            let disk = InMemory::default();
            let whole = told_on_disk(system, &asked, Some(400), &disk);
            for after in (0..disk.asked()).step_by(1 + disk.asked() as usize / 40) {
                for fault in [Fault::Error, Fault::Bit] {
                    let disk = InMemory::failing(after, fault);
                    let found = told_on_disk(system, &asked, Some(400), &disk);
                    for (found, whole) in found.iter().zip(&whole) {
                        match &found.verdict {
                            Verdict::Undecided(Reason::Disk(_)) => {}
                            verdict => prop_assert_eq!(verdict, &whole.verdict),
                        }
                    }
                }
            }
            Ok(())
        });
    }

    #[test]
    fn permutations_leave_on_the_disk_what_they_leave_in_memory() {
        let (mut turned, mut violated) = (0, 0);
        for seed in 0..120 {
            let text = symmetric::text(seed, Share::Symmetric);
            let Some(drawn) = read::text(text.clone(), &Settings::default()) else {
                continue;
            };
            let system = &*drawn.system;
            let properties = drawn.properties.into_iter().map(|named| named.property);
            let mut properties: Vec<Property> = properties
                .filter(|one| matches!(one, Property::Invariant(_) | Property::Reachable(_)))
                .collect();
            properties.extend([Property::Errors, Property::Deadlock { allowed: None }]);
            let options = Options {
                reduction: Reduction::None,
                symmetry: Symmetry::Always,
                limits: Limits {
                    max_states: Some(2_000),
                    ..Limits::default()
                },
                ..Options::default()
            };
            let packed = Packed::new(system).expect("its states are small");
            for property in &properties {
                let asked = std::slice::from_ref(property);
                let Some(orbits) = permutations(&packed, asked, &options, &mut || true) else {
                    continue;
                };
                let in_memory =
                    in_one_search(system, asked, &options, Stage::Turned, Caller::default())
                        .expect("its states are small");
                let Some(in_memory) = &in_memory.outcomes[0] else {
                    panic!("the last stage leaves nothing");
                };
                let disk = InMemory::default();
                let caller = with_disk(&disk).with(options.limits);
                let mut checking = Checking::new(
                    (&packed, Some(&orbits)),
                    asked,
                    &options,
                    (Meter::quiet(caller.budget), caller),
                );
                spilled(&mut checking);
                let found = checking.found.outcomes[0]
                    .as_ref()
                    .expect("it has an outcome");
                assert_eq!(
                    length(&found.verdict),
                    length(&in_memory.verdict),
                    "{property:?}\n{text}"
                );
                assert_eq!(found.symmetry, in_memory.symmetry, "{text}");
                match &found.verdict {
                    Verdict::Violated { trace, .. } => {
                        replay(system, trace).unwrap_or_else(|why| panic!("{why:?}\n{text}"));
                        violated += 1;
                    }
                    verdict => {
                        assert_eq!(verdict, &in_memory.verdict, "{text}");
                        let counts = |of: &Outcome| (of.states, of.edges);
                        if *verdict == Verdict::Holds {
                            assert_eq!(counts(found), counts(in_memory), "{text}");
                        }
                    }
                }
                turned += 1;
            }
        }
        assert!(turned > 100 && violated > 30, "{turned} {violated}");
    }
}
