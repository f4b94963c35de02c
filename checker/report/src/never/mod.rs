//! Items of a text that never occur: states, labels and statements that no run reaches, steps that
//! none takes, tests that always come out the same, branches of effects that no step takes, values
//! of an enumeration that a variable never has.
//!
//! They are reported only if that follows from a search of everything that the process depends on,
//! which has taken every step, or every step that matters
//! ([`Extent`](stubborn_engine::coverage::Extent)).

mod by_text;
mod effects;
mod facts;
mod kind;
mod pieces;

use std::collections::BTreeSet;

use stubborn_engine::coverage::{Coverage, Item};
use stubborn_model::Analysis;
use stubborn_model::program::Program;
use stubborn_system::source::FileId;
use stubborn_system::system::StepId;

pub use self::by_text::never_by_text;
use self::effects::CalledAsEffects;
use self::facts::Facts;
use self::kind::Kind;
pub use self::kind::{CoverageReport, Never, NeverReport};
use super::sighting::Ranges;

/// Items that never occur in the processes of a program, in the order of the text. `on_the_way` is
/// called for each instance, and may unwind.
pub fn never(
    analysis: &Analysis,
    coverage: &Coverage,
    program: &Program,
    on_the_way: &dyn Fn(),
) -> Vec<Never> {
    let facts = Facts::new(analysis, coverage, on_the_way);
    let mut all = Vec::new();
    if facts.has_dead {
        let effects = CalledAsEffects::of(program, on_the_way);
        for number in 0..program.files.len() {
            on_the_way();
            facts.of_file(FileId(number as u32), program, &effects, &mut all);
        }
    }
    all.extend(values(analysis, coverage));
    all.sort_by_key(|one| (one.span.file.0, one.span.start, one.span.end));
    all
}

/// The values of enumerations that variables never have.
fn values(analysis: &Analysis, coverage: &Coverage) -> Vec<Never> {
    let mut all = Vec::new();
    let Some(ranges) = Ranges::new(analysis, coverage) else {
        return all;
    };
    for (span, name) in ranges.names() {
        let Some(range) = ranges.range(span).filter(|range| range.is_whole) else {
            continue;
        };
        for part in &range.parts {
            let missing = part.missing_names();
            if missing.is_empty() {
                continue;
            }
            all.push(Never {
                kind: Kind::Values(
                    format!("{name}{}", part.path),
                    missing.into_iter().map(str::to_owned).collect(),
                ),
                span,
                states: range.states,
            });
        }
    }
    all
}

/// Names of the processes that no search has covered.
pub fn untold(analysis: &Analysis, coverage: &Coverage) -> Vec<String> {
    let Some(model) = &analysis.model else {
        return Vec::new();
    };
    let instances = model.system.instances.iter().zip(0..);
    let instances = instances.zip(&model.source_map.instances);
    let untold = instances.filter(|((instance, who), _)| {
        let mut steps = (0..instance.steps.len() as StepId).map(|step| Item::Step(*who, step));
        let search = coverage.of_instance(*who).filter(|search| search.is_whole);
        search.is_none() || !steps.any(|step| coverage.taken(step).is_some())
    });
    let names = untold.map(|(_, source)| source.name.split('(').next().unwrap_or_default());
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().map(str::to_owned).collect()
}
