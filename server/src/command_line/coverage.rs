//! `--coverage`: states, statements, steps and values that never occur in the models.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stubborn_engine::coverage::Coverage;
use stubborn_engine::{Options, Reduction, Verdict, Watch};
use stubborn_model::Analysis;
use stubborn_report::once_more::{Asking, left_open};
use stubborn_report::{CoverageReport, NeverReport, never, never_by_text, untold};
use stubborn_system::system::System;

use super::models::Loaded;

/// Coverage of a System by its searches, which `watch` follows.
pub struct Covering<'w> {
    watch: &'w dyn Watch,
    all: Mutex<Coverage>,
}

impl<'w> Covering<'w> {
    pub fn new(watch: &'w dyn Watch) -> Covering<'w> {
        Covering {
            watch,
            all: Mutex::default(),
        }
    }

    pub fn all(&self) -> MutexGuard<'_, Coverage> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Covering<'_> {
    fn passes_to(&self) -> Option<&dyn Watch> {
        Some(self.watch)
    }

    fn saw(&self, _: &[usize], coverage: &Coverage) {
        self.all().merge(coverage);
    }
}

/// Takes every step once more, if that may tell what the check has left open. Whether that was given
/// up.
pub fn take_every_step(system: &System, options: &Options, covering: &Covering<'_>) -> bool {
    if options.reduction == Reduction::None || covering.is_cancelled() {
        return false;
    }
    let open = left_open(system, &covering.all());
    let Some((every_step, asked)) = open else {
        return false;
    };
    let options = every_step.options(options);
    let found = stubborn_engine::check(system, &asked, &options, &Asking(covering));
    // A System that is too large was refused before.
    let outcomes = found.unwrap_or_default();
    let mut verdicts = outcomes.iter().map(|outcome| &outcome.verdict);
    verdicts.any(|verdict| matches!(verdict, Verdict::Undecided(_)))
}

/// Adds what never happens in a program, except in the `known` files, which were looked at before.
pub fn add<'a>(
    loaded: &'a Loaded,
    analysis: &Analysis,
    coverage: &Coverage,
    known: &mut Vec<&'a Path>,
    into: &mut CoverageReport,
) {
    let files = loaded.program.files.iter().zip(0..);
    let files = files.map(|(_, number)| loaded.identity(stubborn_system::source::FileId(number)));
    let files: Vec<&Path> = files.collect();
    let mut all = never(analysis, coverage, &loaded.program, &|| {});
    all.extend(never_by_text(analysis, &loaded.program));
    all.sort_by_key(|one| (one.span.file.0, one.span.start, one.span.end));
    for one in all {
        if known.contains(&files[one.span.file.0 as usize]) {
            continue;
        }
        let text = &loaded.program.file(one.span.file).text;
        let text = &text[one.span.start as usize..one.span.end as usize];
        into.never.push(NeverReport {
            place: loaded.texts.place(one.span),
            text: text
                .lines()
                .next()
                .unwrap_or_default()
                .trim_end()
                .to_owned(),
            never: one,
        });
    }
    for name in untold(analysis, coverage) {
        if !into.untold.contains(&name) {
            into.untold.push(name);
        }
    }
    known.extend(files);
}
