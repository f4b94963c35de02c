//! What the searches have seen of a root's System; and what a search that takes every step is asked beside them, for what
//! they have left open ([`stubborn_report::once_more`]).
//!
//! What is asked are properties about slices like any other, so that what was seen stays where an edit leaves the slice
//! as it was.

use std::collections::HashSet;
use std::sync::Arc;

use stubborn_engine::seen::Seen;
use stubborn_report::Sighted;
use stubborn_report::once_more::{EveryStep, left_open};
use stubborn_system::property::Property;

use super::Db;
use super::files::SourceFile;
use super::queries::{properties, system};
use crate::jobs::{Sliced, sliced};

/// What the searches have seen of the slice of the root's property with this number.
#[salsa::tracked(returns(clone))]
pub fn seen_of_slice(db: &dyn Db, root: SourceFile, at: usize) -> Option<Arc<Seen>> {
    let properties = properties(db, root);
    let table = db.verdict_input().table(db);
    table.seen(properties.get(at)?.key.slice).cloned()
}

/// What the searches for the root's properties have seen of its System, by its numbers as it now is.
#[salsa::tracked(returns(clone))]
fn sighted_by_check(db: &dyn Db, root: SourceFile) -> Option<Arc<Sighted>> {
    let system = system(db, root)?;
    let mut all = Sighted::nothing(&system);
    let mut slices = HashSet::new();
    for (at, property) in properties(db, root).iter().enumerate() {
        if !slices.insert(property.key.slice) {
            continue;
        }
        if let Some(kept) = seen_of_slice(db, root, at) {
            db.unwind_if_revision_cancelled();
            property.show_seen(&system, &kept, &mut all);
        }
    }
    Some(Arc::new(all))
}

/// The same with what was seen where every step was taken.
#[salsa::tracked(returns(clone))]
pub fn sighted(db: &dyn Db, root: SourceFile) -> Option<Arc<Sighted>> {
    let by_check = sighted_by_check(db, root)?;
    let (Some((_, asked)), Some(system)) = (every_step(db, root), system(db, root)) else {
        return Some(by_check);
    };
    let table = db.verdict_input().table(db);
    let mut all = Sighted::clone(&by_check);
    for one in asked.iter() {
        if let Some(kept) = table.seen(one.key.slice) {
            db.unwind_if_revision_cancelled();
            one.show_seen(&system, kept, &mut all);
        }
    }
    Some(Arc::new(all))
}

/// What the searches for the root's properties have left open.
#[salsa::tracked(returns(clone))]
fn open(db: &dyn Db, root: SourceFile) -> Option<Arc<(EveryStep, Vec<Property>)>> {
    let (system, sighted) = (system(db, root)?, sighted_by_check(db, root)?);
    left_open(&system, &sighted).map(Arc::new)
}

/// What is asked about that. It is the same while more is seen, for the most part, and how many states were searched does
/// not matter for it.
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

/// The search that is to take every step, and what it is asked, where something is open.
pub fn every_step(db: &dyn Db, root: SourceFile) -> Option<(EveryStep, Arc<Vec<Sliced>>)> {
    let (every_step, _) = *open(db, root)?;
    Some((every_step, slices(db, root)))
}
