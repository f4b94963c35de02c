//! `--coverage`: states, statements, steps and values that never occur in the models.

use std::path::Path;

use stubborn_checker::SystemCoverage;
use stubborn_report::{CoverageReport, NeverReport, never, never_by_text, untold};

use super::models::Read;

/// Adds what never happens in the programs about one model, once of each file.
pub fn add(group: &[Read], all: &[SystemCoverage], into: &mut CoverageReport) {
    let mut known: Vec<&Path> = Vec::new();
    for SystemCoverage {
        system,
        coverage,
        given_up,
    } in all
    {
        into.given_up |= given_up;
        for Read { model, identities } in group {
            if model.meaning().is_none_or(|model| model.system != *system) {
                continue;
            }
            let (analysis, program) = (model.analysis(), model.program());
            let mut all = never(analysis, coverage, program, &|| {});
            all.extend(never_by_text(analysis, program));
            all.sort_by_key(|one| (one.span.file.0, one.span.start, one.span.end));
            all.retain(|one| !known.contains(&identities.of(one.span.file)));
            into.never.extend(all.into_iter().map(|one| {
                let first = model.texts().text(one.span).lines().next();
                NeverReport {
                    place: model.texts().place(one.span),
                    text: first.unwrap_or_default().trim_end().to_owned(),
                    never: one,
                }
            }));
            for name in untold(analysis, coverage) {
                if !into.untold.contains(&name) {
                    into.untold.push(name);
                }
            }
            known.extend(identities.all());
        }
    }
}
