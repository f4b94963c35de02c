//! What to try next where a limit has left properties undecided, by counts of the model and the check.

use stubborn_checker::{Model, Search, Symmetry};
use stubborn_model::names::SymbolKind;
use stubborn_report::{PropertyReport, Report, size};
use stubborn_system::property::Form;

use super::search_arguments::SearchArguments;

/// Most suggestions, the most promising first.
const MOST: usize = 3;
/// Bytes of a state in compact storage.
const BYTES_OF_FINGERPRINT: u64 = 8;

/// Returns suggestions, each as a sentence that begins with an option.
pub fn what_next(report: &Report, search: &SearchArguments, models: &[&Model]) -> Vec<String> {
    let undecided = report.properties.iter().filter(|one| one.limit.is_some());
    let undecided: Vec<&PropertyReport> = undecided.collect();
    if undecided.is_empty() {
        return Vec::new();
    }
    let is_random = matches!(search.search, Search::Random(_));
    let smaller = models.iter().find_map(|model| smaller_parameter(model));
    let others = [
        like_processes(search, models).filter(|_| !is_random),
        less_memory(search, &undecided).filter(|_| !is_random),
        one_alone(report, search, &undecided),
        random_runs(search, &undecided).filter(|_| !is_random),
    ];
    let all = smaller.into_iter().chain(others.into_iter().flatten());
    all.take(MOST).collect()
}

/// The parameter that is lowered by one with the greatest effect on the size of a state.
fn smaller_parameter(model: &Model) -> Option<String> {
    let bits = model.state_bits()?;
    let symbols = model.analysis().symbols.iter();
    let parameters = symbols.filter(|symbol| symbol.kind == SymbolKind::Param);
    let smaller = parameters.filter_map(|symbol| {
        let (lowest, _) = symbol.ty.split_once("..")?;
        let (lowest, value): (i64, i64) =
            (lowest.parse().ok()?, symbol.value.as_ref()?.parse().ok()?);
        let less = value.checked_sub(1).filter(|less| *less >= lowest)?;
        let fewer = model.with_param(&symbol.name, less).ok()?.state_bits()?;
        Some((fewer, symbol.name.clone(), less))
    });
    let (fewer, name, value) = smaller.min_by_key(|(fewer, ..)| *fewer)?;
    (fewer < bits)
        .then(|| format!("`-D {name}={value}`: a state has {fewer} bits instead of {bits}"))
}

/// Symmetry reduction, if it is off and a process has several instances.
fn like_processes(search: &SearchArguments, models: &[&Model]) -> Option<String> {
    let systems = models
        .iter()
        .filter_map(|model| Some(&model.meaning()?.system));
    let counts = systems.filter_map(|system| {
        let of = |process: u32| {
            let instances = system.instances.iter();
            instances.filter(|one| one.process == process).count()
        };
        system.instances.iter().map(|one| of(one.process)).max()
    });
    let most = counts.max().filter(|most| *most > 1)?;
    (search.symmetry == Symmetry::Off).then(|| {
        format!("`--symmetry auto`: {most} instances of one process may be interchangeable")
    })
}

/// Compact storage, if memory was the limit and states take more than their fingerprints.
fn less_memory(search: &SearchArguments, undecided: &[&PropertyReport]) -> Option<String> {
    let limited = undecided
        .iter()
        .find(|one| one.limit == Some("--max-memory") && is_about_states(one))?;
    let bytes = search.max_memory?.checked_div(limited.states)?;
    (!search.storage.may_miss_states() && bytes > BYTES_OF_FINGERPRINT).then(|| {
        format!(
            "`--storage compact`: {} for a state instead of {}, to find violations of `{}`",
            size(BYTES_OF_FINGERPRINT),
            size(bytes),
            limited.name
        )
    })
}

/// One of several properties, which share the limits.
fn one_alone(
    report: &Report,
    search: &SearchArguments,
    undecided: &[&PropertyReport],
) -> Option<String> {
    let first = undecided.iter().min_by_key(|one| !is_about_states(one))?;
    let others = report.properties.len() - 1;
    (search.property.is_empty() && others > 0).then(|| {
        let shares = match others {
            1 => "1 other property shares".to_owned(),
            others => format!("{others} other properties share"),
        };
        format!("`--property '{}'`: {shares} the limit", first.name)
    })
}

/// Random runs, for what single states and steps violate.
fn random_runs(search: &SearchArguments, undecided: &[&PropertyReport]) -> Option<String> {
    let deep = undecided.iter().find(|one| is_about_states(one))?;
    let depth = match deep.depth {
        Some(depth) => format!("deeper than {depth} steps"),
        None => "that lie deep".to_owned(),
    };
    let is_whole = search.depth.is_none();
    is_whole.then(|| format!("`--search random`: random runs look for violations {depth}"))
}

/// Whether single states and steps violate it.
fn is_about_states(property: &PropertyReport) -> bool {
    matches!(
        property.form,
        Form::Errors | Form::Deadlock | Form::Invariant | Form::Reachable
    )
}
