//! Products of systems and random testers (Valmari 1993, Def. 3.1), and what their sets obey.

use std::ops::ControlFlow;

use stubborn_engine::Label;
use stubborn_engine::packed::Packed;
use stubborn_engine::reduction::Awaits;
use stubborn_engine::successors::{Successors, Visit, Wanted};
use stubborn_random::beside::testers::Tested;
use stubborn_system::system::{Failure, InstanceId, Target};

use super::definition::Set;
use super::watched::{self, Found, Product};

/// What the tester waits for in each of its states.
pub fn awaits(tested: &Tested) -> Vec<Awaits> {
    let tester = &tested.system.instances[tested.monitor as usize];
    let next =
        tester.locations.iter().map(|location| {
            let targets = location.steps.iter().filter_map(|step| {
                match tester.steps[*step as usize].target {
                    Target::To(target) => Some(target),
                    Target::Test(..) => None,
                }
            });
            targets.collect()
        });
    watched::awaits(tested.marks.iter().copied(), &next.collect::<Vec<_>>())
}

/// The product, as far as these successors give it.
pub fn product<S: Successors>(
    tested: &Tested,
    packed: &Packed<'_>,
    steps: &S,
    most: usize,
) -> Option<Product> {
    let mut scratch = steps.scratch();
    let initials = vec![steps.initial().to_vec()];
    Product::new(initials, most, &mut |state: &Vec<u64>| {
        let mut collector = Collector {
            monitor: tested.monitor,
            has_step: false,
            next: vec![],
        };
        let _ = steps.visit(state, &mut scratch, &mut collector);
        let location = packed.location(state, tested.monitor);
        Found {
            marks: tested.marks[location as usize],
            has_step: collector.has_step,
            next: collector.next,
        }
    })
}

/// Theorem 4.1, of a set that leaves something out: what the tester sees is in it, unless it
/// waits for a livelock; or else a step that it does not see and that does not fail.
pub fn fulfils(tested: &Tested, set: &Set<'_, '_>, others: &[u32]) -> Result<(), String> {
    let is_visible = |name: u32| {
        let mut participants = set.graph.names[name as usize].participants.iter();
        participants.any(|(who, _)| *who == tested.monitor)
    };
    let is_key = |name: &u32| {
        let mut edges = set.graph.of(set.state).iter();
        !is_visible(*name) && edges.any(|e| e.name == *name && e.target.is_some())
    };
    let words = set.graph.words(set.state);
    let location = set.graph.packed.location(words, tested.monitor);
    let awaits = awaits(tested)[location as usize];
    if awaits != Awaits::Lasting && set.members.iter().any(is_key) {
        return Ok(());
    }
    if awaits == Awaits::Livelock {
        let first = set.members.first().copied().unwrap_or(0);
        return Err(set.complaint("Theorem 4.1 (2)", first, set.state, "is no key"));
    }
    for &at in others {
        if let Some(edge) = set.others(at).find(|edge| is_visible(edge.name)) {
            return Err(set.complaint("Theorem 4.1 (1)", edge.name, at, "is missing"));
        }
    }
    Ok(())
}

struct Collector {
    monitor: InstanceId,
    has_step: bool,
    next: Vec<(Vec<u64>, bool)>,
}

impl Visit for Collector {
    fn step(&mut self, label: Label<'_>, outcome: Result<&[u64], &Failure>) -> ControlFlow<()> {
        self.has_step = true;
        if let Ok(state) = outcome {
            let mut participants = label.participants.iter();
            let seen = participants.any(|(who, _)| *who == self.monitor);
            self.next.push((state.to_vec(), seen));
        }
        ControlFlow::Continue(())
    }

    fn wanted(&self) -> Wanted {
        Wanted::AsItPays
    }
}
