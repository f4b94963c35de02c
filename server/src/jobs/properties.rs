//! What a verdict is known by: the slice of a property, and the property about it.
//!
//! A property's own slice has all that its verdict depends on. So an edit that changes the System, but
//! not the slice, takes no verdict away, and what was found of the slice before the edit is what
//! would be found now. Traces are kept as runs of the slice, and become runs of the whole System as
//! it now is when they are shown: an edit may have given everybody else other numbers.

use std::collections::HashMap;
use std::sync::Arc;

use stubborn_engine::runs::lifting::projected;
use stubborn_engine::sliced::on_whole;
use stubborn_engine::{Outcome, Reason, Verdict};
use stubborn_system::property::Property;
use stubborn_system::slice::{Cone, Dependencies, Slice};
use stubborn_system::system::System;

use super::fingerprint::Fingerprint;
use super::verdicts::Answer;
use crate::defect::caught;

/// The name of a property: equal where the verdict must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub slice: Fingerprint,
    /// Of the property as it is about the slice.
    pub property: Fingerprint,
}

/// A property about a System, with its slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sliced {
    pub key: Key,
    pub property: Property,
    pub slice: Arc<Slice>,
}

/// The properties with their slices, in the order of the properties.
pub fn sliced<'c>(
    system: &System,
    properties: impl IntoIterator<Item = &'c Property>,
) -> Vec<Sliced> {
    let dependencies = Dependencies::new(system);
    let mut slices: HashMap<Cone, (Fingerprint, Arc<Slice>)> = HashMap::new();
    let sliced = properties.into_iter().map(|property| {
        let cone = dependencies.cone([property]);
        let (name, slice) = slices.entry(cone).or_insert_with_key(|cone| {
            let slice = Slice::new(system, cone);
            (Fingerprint::of(&slice.system), Arc::new(slice))
        });
        Sliced {
            key: Key {
                slice: *name,
                property: Fingerprint::of(&slice.property(property)),
            },
            property: property.clone(),
            slice: Arc::clone(slice),
        }
    });
    sliced.collect()
}

impl Sliced {
    /// What was found of the whole System, in terms of the slice.
    pub fn kept(&self, outcome: &Outcome) -> Outcome {
        let verdict = match &outcome.verdict {
            Verdict::Violated { finding, trace } => Verdict::Violated {
                finding: finding.clone(),
                trace: Arc::new(projected(&self.slice, trace)),
            },
            verdict => verdict.clone(),
        };
        Outcome {
            verdict,
            ..outcome.clone()
        }
    }

    /// What is kept of the slice, in terms of the whole System as it now is. `on_the_way` is called for
    /// each step of a trace, and may unwind.
    pub fn shown(&self, system: &System, kept: &Answer, on_the_way: &dyn Fn()) -> Answer {
        let Answer::Outcome(outcome) = kept else {
            return kept.clone();
        };
        let (slice, property) = (&self.slice, &self.property);
        let whole = caught(|| on_whole(system, slice, property, &outcome.verdict, on_the_way));
        let verdict = match whole {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(why)) => Verdict::Undecided(Reason::Internal(why.to_string())),
            Err(defect) => Verdict::Undecided(Reason::Internal(defect)),
        };
        Answer::Outcome(Box::new(Outcome {
            verdict,
            ..(**outcome).clone()
        }))
    }
}
