//! Coverage of a root's System by its searches, and what a search that takes every step is asked
//! about what these have left open ([`stubborn_report::once_more`]).
//!
//! These questions are about slices like any property, so that the coverage stays if an edit leaves
//! the slice as it was.

use std::collections::HashSet;
use std::sync::Arc;

use stubborn_engine::coverage::Coverage;
use stubborn_report::once_more::{EveryStep, left_open};
use stubborn_system::property::Property;

use super::files::SourceFile;
use super::inputs::Db;
use super::queries::{properties, system};
use crate::jobs::{Sliced, sliced};

/// Coverage of the slice of the root's property with this number.
#[salsa::tracked(returns(clone))]
pub fn coverage_of_slice(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<Coverage>> {
    let properties = properties(db, root);
    let table = db.verdict_input().table(db);
    table.seen(properties.get(at)?.key.slice).cloned()
}

/// Coverage of the root's System by the searches for its properties, by its present numbers.
#[salsa::tracked(returns(clone))]
fn coverage_by_check(db: &dyn Db, root: SourceFile) -> Option<Arc<Coverage>> {
    let system = system(db, root)?;
    let mut all = Coverage::default();
    let mut slices = HashSet::new();
    for (at, property) in properties(db, root).iter().enumerate() {
        if !slices.insert(property.key.slice) {
            continue;
        }
        if let Some(kept) = coverage_of_slice(db, root, at) {
            db.unwind_if_revision_cancelled();
            all.merge(&property.shown_coverage(&system, &kept));
        }
    }
    Some(Arc::new(all))
}

/// The same with that of a search that has taken every step.
#[salsa::tracked(returns(clone))]
pub fn coverage_of_root(db: &dyn Db, root: SourceFile) -> Option<Arc<Coverage>> {
    let by_check = coverage_by_check(db, root)?;
    let (Some((_, asked)), Some(system)) = (every_step(db, root), system(db, root)) else {
        return Some(by_check);
    };
    let table = db.verdict_input().table(db);
    let mut all = Coverage::clone(&by_check);
    for one in asked.iter() {
        if let Some(kept) = table.seen(one.key.slice) {
            db.unwind_if_revision_cancelled();
            all.merge(&one.shown_coverage(&system, kept));
        }
    }
    Some(Arc::new(all))
}

/// What the searches for the root's properties have left open.
#[salsa::tracked(returns(clone))]
fn open(db: &dyn Db, root: SourceFile) -> Option<Arc<(EveryStep, Vec<Property>)>> {
    let (system, coverage) = (system(db, root)?, coverage_by_check(db, root)?);
    left_open(&system, &coverage).map(Arc::new)
}

/// Properties about the items left open. They seldom change while coverage grows, and do not depend
/// on the number of states that were searched.
#[salsa::tracked(returns(clone))]
fn asked(db: &dyn Db, root: SourceFile) -> Arc<Vec<Property>> {
    let open = open(db, root);
    Arc::new(open.map_or_else(Vec::new, |open| open.1.clone()))
}

#[salsa::tracked(returns(clone))]
fn slices(db: &dyn Db, root: SourceFile) -> Arc<Vec<Sliced>> {
    let asked = asked(db, root);
    let Some(system) = system(db, root).filter(|_| !asked.is_empty()) else {
        return Arc::default();
    };
    let on_the_way = || db.unwind_if_revision_cancelled();
    Arc::new(sliced(&system, asked.iter(), &on_the_way))
}

/// The search that is to take every step, and what it is asked, if something is open.
pub fn every_step(db: &dyn Db, root: SourceFile) -> Option<(EveryStep, Arc<Vec<Sliced>>)> {
    let (every_step, _) = *open(db, root)?;
    Some((every_step, slices(db, root)))
}
