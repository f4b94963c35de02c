//! Processes of the model, as expressions may speak of them.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::declarations::Kept;
use crate::names::ItemId;
use crate::types::{Declared, Domain};
use stubborn_system::source::Span;
use stubborn_system::system::{InstanceId, LocationId, VariableIndex};

/// A process of the model, as expressions may speak of it: `p(i)@s`, `p(i).x`. The table is filled
/// once all instances are laid out.
#[derive(Clone, Debug)]
pub struct ProcessInfo {
    pub name: String,
    /// Span of the name in its declaration.
    pub span: Span,
    pub item: ItemId,
    /// Name and values of each parameter.
    pub parameters: Vec<(String, Domain)>,
    /// Values of the parameters that have an instance.
    pub(crate) kept: Kept,
    /// The first of its instances; the others follow it, the values of the first parameter varying
    /// slowest.
    pub first: InstanceId,
    pub instances: Vec<InstanceInfo>,
}

/// Instances that have something in common share it.
#[derive(Clone, Debug)]
pub struct InstanceInfo {
    pub locals: Arc<[LocalInfo]>,
    pub places: Arc<InstancePlaces>,
}

#[derive(Clone, Debug, Default)]
pub struct InstancePlaces {
    /// For each state and label the locations at which it holds, ascending.
    pub locations: FxHashMap<String, Vec<LocationId>>,
    /// Where each state and label is declared.
    pub spans: FxHashMap<String, Span>,
    /// Where each name of a step is declared first.
    pub steps: FxHashMap<String, Span>,
}

#[derive(Clone, Debug)]
pub struct LocalInfo {
    pub name: String,
    pub span: Span,
    pub index: VariableIndex,
    pub declared: Declared,
}

/// Cache of what expressions ask about processes: an expression of every instance may refer to
/// every instance.
#[derive(Default)]
pub(crate) struct Asked {
    /// The processes by where their names are declared.
    pub(crate) declared: FxHashMap<Span, usize>,
    /// By process and name.
    pub(crate) locals: FxHashMap<usize, FxHashMap<String, Rc<SharedLocal>>>,
}

/// A variable of that name in each instance of a process.
pub(crate) struct SharedLocal {
    /// By instance; not every one needs to have it.
    pub of_instances: Vec<Option<LocalInfo>>,
    /// Whether all that have it agree on its type.
    pub is_of_one_type: bool,
}

impl SharedLocal {
    pub fn of(process: &ProcessInfo, name: &str) -> SharedLocal {
        let of_instances: Vec<Option<LocalInfo>> = process
            .instances
            .iter()
            .map(|instance| {
                let mut locals = instance.locals.iter();
                locals.find(|local| local.name == name).cloned()
            })
            .collect();
        let mut types = of_instances
            .iter()
            .flatten()
            .map(|local| &local.declared.ty);
        let first = types.next();
        let is_of_one_type = types.all(|ty| first.is_some_and(|first| ty.fits(first)));
        SharedLocal {
            of_instances,
            is_of_one_type,
        }
    }
}
