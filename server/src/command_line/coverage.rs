//! `--coverage`: what never happens in the models that are checked.

use std::path::Path;

use stubborn_checker::Coverage;
use stubborn_report::{CoverageReport, NeverReport, never, never_by_text, untold};

use super::models::Read;

/// Adds what never happens in the programs about one model, unless it is known of a file that others have as well.
pub fn add(group: &[Read], all: &[Coverage], into: &mut CoverageReport) {
    let mut known: Vec<&Path> = Vec::new();
    for Coverage {
        system,
        sighted,
        given_up,
    } in all
    {
        into.given_up |= given_up;
        for Read { model, identities } in group {
            if model.meaning().is_none_or(|model| model.system != *system) {
                continue;
            }
            let (analysis, program) = (model.analysis(), model.program());
            let mut all = never(analysis, sighted, program, &|| {});
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
            for name in untold(analysis, sighted) {
                if !into.untold.contains(&name) {
                    into.untold.push(name);
                }
            }
            known.extend(identities.all());
        }
    }
}
