//! What a verdict is known by: the slice of a property, and the property about it.
//!
//! A property's own slice has all that its verdict depends on. So an edit that changes the System, but
//! not the slice, takes no verdict away, and what was found of the slice before the edit is what
//! would be found now. Traces are kept as runs of the slice, and become runs of the whole System as
//! it now is when they are shown: an edit may have given everybody else other numbers.

use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::Arc;

use stubborn_engine::coverage::Coverage;
use stubborn_engine::runs::lifting::projected;
use stubborn_engine::runs::path::{Path, path};
use stubborn_engine::sliced::on_whole;
use stubborn_engine::{Finding, Outcome, Reason, Trace, Verdict, violated_again};
use stubborn_report::defect::caught;
use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Dependencies, Slice};
use stubborn_system::system::System;

use super::fingerprint::Fingerprint;

/// The name of a property: equal where the verdict must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub slice: Fingerprint,
    /// Of the property as it is about the slice.
    pub property: Fingerprint,
}

/// A property about a System, with what stays of that for it. The slice is made where it is needed:
/// the slices of many properties may be large together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sliced {
    pub key: Key,
    pub property: Property,
    cone: Arc<Cone>,
}

/// The properties with what stays for them, in the order of the properties. `on_the_way` is called now
/// and then, and may unwind.
pub fn sliced<'c>(
    system: &System,
    properties: impl IntoIterator<Item = &'c Property>,
    on_the_way: &dyn Fn(),
) -> Vec<Sliced> {
    let goes_on = &mut || {
        on_the_way();
        ControlFlow::<Infallible>::Continue(())
    };
    let ControlFlow::Continue(dependencies) = Dependencies::within(system, goes_on);
    let properties: Vec<&Property> = properties.into_iter().collect();
    let mut by_cone: HashMap<Cone, Vec<usize>> = HashMap::new();
    for (number, property) in properties.iter().enumerate() {
        on_the_way();
        let ControlFlow::Continue(cone) = dependencies.cone_within([*property], goes_on);
        by_cone.entry(cone).or_default().push(number);
    }
    let mut sliced: Vec<Option<Sliced>> = vec![None; properties.len()];
    for (cone, numbers) in by_cone {
        on_the_way();
        let slice = Slice::within(system, &cone, on_the_way);
        let name = Fingerprint::within(&slice.system, on_the_way);
        let cone = Arc::new(cone);
        for number in numbers {
            on_the_way();
            let property = properties[number];
            sliced[number] = Some(Sliced {
                key: Key {
                    slice: name,
                    property: Fingerprint::of(&slice.property(property)),
                },
                property: property.clone(),
                cone: Arc::clone(&cone),
            });
        }
    }
    sliced.into_iter().flatten().collect()
}

/// As [`sliced`], where `before` is what became of some properties of a System, which may be any: of the same
/// System the properties at the beginning and at the end that are what they were are not looked at again.
pub fn sliced_again(
    before: Option<&(Arc<System>, Arc<Vec<Sliced>>)>,
    system: &System,
    properties: &[Property],
    on_the_way: &dyn Fn(),
) -> Arc<Vec<Sliced>> {
    let all = |properties| sliced(system, properties, on_the_way);
    let Some((_, before)) = before.filter(|(of, _)| **of == *system) else {
        return Arc::new(all(properties));
    };
    let is_same = |(then, now): &(&Sliced, &Property)| then.property == **now;
    let first = before.iter().zip(properties).take_while(is_same).count();
    if first == before.len() && first == properties.len() {
        return Arc::clone(before);
    }
    let rest = before[first..].iter().rev();
    let rest = rest.zip(properties[first..].iter().rev());
    let last = rest.take_while(is_same).count();
    let (same, then) = (&before[..first], &before[before.len() - last..]);
    let between = &properties[first..properties.len() - last];
    let new = match between {
        [] => Vec::new(),
        between => all(between),
    };
    Arc::new([same, &new, then].concat())
}

impl Sliced {
    /// What stays of the System, which must be the one that it was made for.
    fn slice(&self, system: &System) -> Slice {
        Slice::new(system, &self.cone)
    }

    /// What was found of the whole System, in terms of the slice.
    pub fn kept(&self, system: &System, outcome: &Outcome) -> Outcome {
        let verdict = match &outcome.verdict {
            Verdict::Violated { finding, trace } => Verdict::Violated {
                finding: finding.clone(),
                trace: Arc::new(projected(&self.slice(system), trace)),
            },
            verdict => verdict.clone(),
        };
        Outcome {
            verdict,
            ..outcome.clone()
        }
    }

    /// Coverage of the whole System, in terms of the slice: what holds of what stays of the reachable
    /// states holds of the reachable states of what stays, and the other way round.
    pub fn kept_coverage(&self, system: &System, coverage: &Coverage) -> Coverage {
        coverage.projected(system, &self.cone)
    }

    /// Coverage of the slice, in terms of the whole System as it now is.
    pub fn shown_coverage(&self, system: &System, kept: &Coverage) -> Coverage {
        kept.unprojected(system, &self.cone)
    }

    /// The path of a run of the slice, where the run can be taken again by it and violates the property as
    /// `finding` says; `None`, too, where `goes_on` does not.
    pub fn path(
        &self,
        system: &System,
        finding: &Finding,
        trace: &Trace,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Path> {
        let slice = self.slice(system);
        let path = path(&slice.system, trace, goes_on)?;
        let property = slice.property(&self.property);
        violated_again(&slice.system, &property, finding, &path, goes_on)?;
        Some(path)
    }

    /// The verdict on the slice that the run with this path violates the property as `finding` says, if
    /// it does; `None`, too, where `goes_on` does not.
    pub fn violated_again(
        &self,
        system: &System,
        finding: &Finding,
        path: &Path,
        goes_on: &dyn Fn() -> bool,
    ) -> Option<Verdict> {
        let slice = self.slice(system);
        let property = slice.property(&self.property);
        violated_again(&slice.system, &property, finding, path, goes_on)
    }

    /// A violation of the slice, in terms of the whole System as it now is. `on_the_way` is called for
    /// each step of a trace, and may unwind.
    pub fn shown(&self, system: &System, kept: &Verdict, on_the_way: &dyn Fn()) -> Verdict {
        let whole = caught(|| {
            let slice = self.slice(system);
            on_whole(system, &slice, &self.property, kept, on_the_way)
        });
        match whole {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(why)) => Verdict::Undecided(Reason::Internal(why.to_string())),
            Err(defect) => Verdict::Undecided(Reason::Internal(defect)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use stubborn_system::system::{Expr, Instance, Location};

    use super::*;

    /// Each is somewhere, and nothing is shared.
    fn strangers(count: u32) -> (System, Vec<Property>) {
        let location = Location {
            steps: vec![],
            is_final: true,
        };
        let stranger = Instance {
            process: 0,
            locals: vec![],
            steps: vec![],
            locations: vec![location],
            initial: 0,
            alphabet: vec![],
        };
        let system = System {
            instances: vec![stranger; count as usize],
            ..System::default()
        };
        let somewhere = |instance| Property::Invariant(Expr::At(instance, vec![0]));
        (system, (0..count).map(somewhere).collect())
    }

    #[test]
    fn slices_that_are_made_again_are_those_that_are_made_anew_whatever_has_changed() {
        let (system, properties) = strangers(10);
        let all = Arc::new(sliced(&system, &properties, &|| {}));
        let before = (Arc::new(system.clone()), Arc::clone(&all));
        let mut changed = properties.clone();
        changed[4] = Property::Errors;
        let mut longer = properties.clone();
        longer.insert(9, Property::Termination);
        let twice = [&properties[..], &properties[..]].concat();
        let shorter = properties[1..7].to_vec();
        for now in [properties, changed, longer, twice, shorter, Vec::new()] {
            for of in [&system, &strangers(11).0] {
                let again = sliced_again(Some(&before), of, &now, &|| {});
                assert_eq!(*again, sliced(of, &now, &|| {}));
            }
        }
    }

    #[test]
    fn of_a_system_that_stays_only_properties_that_are_new_are_looked_at() {
        let (system, mut properties) = strangers(100);
        let before = sliced_again(None, &system, &properties, &|| {});
        let before = (Arc::new(system.clone()), before);
        let again = |properties: &[Property]| {
            let asked = Cell::new(0);
            let on_the_way = || asked.set(asked.get() + 1);
            let again = sliced_again(Some(&before), &system, properties, &on_the_way);
            (Arc::ptr_eq(&again, &before.1), asked.get())
        };
        assert_eq!(again(&properties), (true, 0));
        properties[40] = Property::Invariant(Expr::At(7, vec![0]));
        let (is_same, asked) = again(&properties);
        assert!(!is_same && (1..10).contains(&asked), "{asked}");
    }

    #[test]
    fn whoever_waits_for_slices_is_asked_for_each_property_each_slice_and_each_instance_of_it() {
        let (system, properties) = strangers(100);
        let asked = Cell::new(0);
        let sliced = sliced(&system, &properties, &|| asked.set(asked.get() + 1));
        assert!(asked.get() >= 300);
        // In the order of the properties, and all alike.
        assert!(sliced.iter().map(|one| &one.property).eq(&properties));
        assert!(sliced.iter().all(|one| one.key == sliced[0].key));
    }
}
