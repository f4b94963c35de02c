//! Fairness (`language.md` §9): `fair process p`, `fair NAME: A`, `strongly fair NAME: A`, and which properties are asked of
//! fair runs alone.
//!
//! An assumption of a model counts for all of the model's properties and its testers', one of a tester file for that file's
//! alone. A mistake in one takes away the properties that would have it: without it they would be asked of other runs.

use std::sync::Arc;

use rustc_hash::FxHashMap;
use stubborn_syntax::ast;

use crate::elaborate::Elaborator;
use crate::names::declarations::Losses;
use crate::names::{Item, ItemId};
use crate::processes::Instances;
use crate::program::Program;
use stubborn_system::property::{Assumption, Fair, Property, StepSet};
use stubborn_system::source::FileId;
use stubborn_system::system::InstanceId;

use super::named::NamedProperty;
use super::step_sets::{of_instance, step_set_of_instances};
use super::values::{for_each_value, name_of};

/// What a program assumes, in the order of its text.
#[derive(Default)]
pub(crate) struct Fairness {
    stated: Vec<Stated>,
    /// Lists of the analysis before it: what is equal to one shares it, so that who compares the properties of the two need
    /// not go through all assumptions of each.
    pub before: Vec<Arc<Vec<Assumption>>>,
}

/// What one item assumes: of each value of its parameters, or each instance, something by itself.
struct Stated {
    item: ItemId,
    file: FileId,
    /// With the names as they are shown: `fair customer(0)`, `strongly fair lucky`.
    assumptions: Vec<(String, Assumption)>,
}

/// What the properties of one file have; `None` where that is not known.
type Of = Option<(Arc<Vec<Assumption>>, Arc<[String]>)>;

/// Reads what is assumed. Takes time and memory in proportion to what all sets of steps have together, for which the limits
/// on what is written out count.
pub(crate) fn fairness(elaborator: &mut Elaborator, instances: &Instances) -> Fairness {
    let mut fairness = Fairness::default();
    for item in elaborator.items().iter() {
        let assumptions = match &item.ast {
            ast::Item::Process(process) if process.fair_token().is_some() => {
                of_process(elaborator, item, instances)
            }
            ast::Item::Fair(ast) => elaborator.owned_by(item.id, |this| read(this, ast, instances)),
            _ => continue,
        };
        fairness.stated.push(Stated {
            item: item.id,
            file: item.file,
            assumptions,
        });
    }
    fairness
}

/// `fair process p`: one for each instance.
fn of_process(
    elaborator: &Elaborator,
    item: &Item,
    instances: &Instances,
) -> Vec<(String, Assumption)> {
    let processes = &elaborator.processes;
    let Some(process) = processes.iter().find(|process| process.item == item.id) else {
        return Vec::new();
    };
    let ids = (process.first..).take(process.instances.len());
    let one = |id: InstanceId| {
        let source = instances.sources.get(id as usize)?;
        let patterns = vec![of_instance(id, &instances.instances)?];
        let assumption = Assumption {
            is_strong: false,
            steps: StepSet { patterns },
        };
        Some((format!("fair {}", source.name), assumption))
    };
    ids.filter_map(one).collect()
}

fn read(
    elaborator: &mut Elaborator,
    ast: &ast::FairDecl,
    instances: &Instances,
) -> Vec<(String, Assumption)> {
    let mut found = Vec::new();
    let Some((base, span)) = name_of(elaborator, ast) else {
        return found;
    };
    let is_strong = ast.strongly_token().is_some();
    let word = if is_strong { "strongly fair" } else { "fair" };
    let steps = ast.steps();
    for_each_value(elaborator, ast, span, &mut |this, shown| {
        let steps = step_set_of_instances(this, steps.as_ref(), &instances.instances);
        let name = format!("{word} {}", shown(&base));
        found.push((name, Assumption { is_strong, steps }));
    });
    found
}

impl Fairness {
    /// Has the properties of runs asked of fair ones alone, and takes away those of which it is not known which these are.
    /// All properties of a file share what they assume: takes time in proportion to the assumptions and the properties, not
    /// to both together.
    pub fn put_to(
        &self,
        program: &Program,
        losses: &Losses,
        properties: Vec<NamedProperty>,
    ) -> Vec<NamedProperty> {
        if self.stated.is_empty() {
            return properties;
        }
        let of_model = self.of(losses, &|file| !program.file(file).is_tester());
        let mut of_files: FxHashMap<FileId, Of> = FxHashMap::default();
        let stated_in = |file: FileId| self.stated.iter().any(|stated| stated.file == file);
        let put = |mut named: NamedProperty| {
            if !named.property.is_of_runs() {
                return Some(named);
            }
            let own = named.span.file;
            let of = of_files.entry(own).or_insert_with(|| {
                if program.file(own).is_tester() && stated_in(own) {
                    self.of(losses, &|file| {
                        file == own || !program.file(file).is_tester()
                    })
                } else {
                    of_model.clone()
                }
            });
            let (assumptions, names) = of.as_ref()?;
            if !assumptions.is_empty() {
                named.property = Property::Fair(Fair {
                    property: Box::new(named.property),
                    assumptions: Arc::clone(assumptions),
                });
                named.fairness = Arc::clone(names);
            }
            Some(named)
        };
        properties.into_iter().filter_map(put).collect()
    }

    /// What is assumed in some of the files.
    fn of(&self, losses: &Losses, is_meant: &dyn Fn(FileId) -> bool) -> Of {
        let meant = || self.stated.iter().filter(|stated| is_meant(stated.file));
        if meant().any(|stated| losses.items.contains(&stated.item)) {
            return None;
        }
        let all = || meant().flat_map(|stated| &stated.assumptions);
        let assumptions: Vec<Assumption> =
            all().map(|(_, assumption)| assumption.clone()).collect();
        let names = all().map(|(name, _)| name.clone());
        let mut before = self.before.iter();
        let assumptions = match before.find(|before| ***before == assumptions) {
            Some(before) => Arc::clone(before),
            None => Arc::new(assumptions),
        };
        Some((assumptions, names.collect()))
    }
}
