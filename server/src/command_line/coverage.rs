//! `--coverage`: what never happens in the models that are checked.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stubborn_engine::seen::Seen;
use stubborn_engine::{Options, Reduction, Verdict, Watch};
use stubborn_model::Analysis;
use stubborn_report::once_more::{Asking, left_open};
use stubborn_report::{CoverageReport, NeverReport, Sighted, never, never_by_text, untold};
use stubborn_system::system::System;

use super::models::Loaded;

/// Who follows the search of a System, and what it has seen.
pub struct Sights<'w> {
    watch: &'w dyn Watch,
    system: &'w System,
    all: Mutex<Sighted>,
}

impl<'w> Sights<'w> {
    pub fn of(system: &'w System, watch: &'w dyn Watch) -> Sights<'w> {
        Sights {
            watch,
            system,
            all: Mutex::new(Sighted::nothing(system)),
        }
    }

    pub fn all(self) -> Sighted {
        self.all
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn so_far(&self) -> MutexGuard<'_, Sighted> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes every step once more, where that may tell what the check has left open. Whether that was given up.
pub fn take_every_step(system: &System, options: &Options, sights: &Sights<'_>) -> bool {
    if options.reduction == Reduction::None || sights.is_cancelled() {
        return false;
    }
    let open = left_open(system, &sights.so_far());
    let Some((every_step, asked)) = open else {
        return false;
    };
    let found = stubborn_engine::check(
        system,
        &asked,
        &every_step.options(options),
        &Looking::to(sights),
    );
    // A System that is too large was refused before.
    let outcomes = found.unwrap_or_default();
    let mut verdicts = outcomes.iter().map(|outcome| &outcome.verdict);
    verdicts.any(|verdict| matches!(verdict, Verdict::Undecided(_)))
}

/// Follows it, for what it sees.
struct Looking<'s> {
    sights: &'s Sights<'s>,
    asking: Asking<'s>,
}

impl<'s> Looking<'s> {
    fn to(sights: &'s Sights<'s>) -> Looking<'s> {
        let asking = Asking(sights);
        Looking { sights, asking }
    }
}

impl Watch for Looking<'_> {
    fn passes_to(&self) -> Option<&dyn Watch> {
        Some(&self.asking)
    }

    fn saw(&self, _: &[usize], seen: &Seen) {
        self.sights.so_far().add_whole(self.sights.system, seen);
    }
}

impl Watch for Sights<'_> {
    fn passes_to(&self) -> Option<&dyn Watch> {
        Some(self.watch)
    }

    fn saw(&self, properties: &[usize], seen: &Seen) {
        self.so_far().add_whole(self.system, seen);
        self.watch.saw(properties, seen);
    }
}

/// Adds what never happens in a program, unless it is known of a file that others have as well. `known` are the
/// files that were looked at before.
pub fn add<'a>(
    loaded: &'a Loaded,
    analysis: &Analysis,
    sighted: &Sighted,
    known: &mut Vec<&'a Path>,
    into: &mut CoverageReport,
) {
    let files = loaded.program.files.iter().zip(0..);
    let files = files.map(|(_, number)| loaded.identity(stubborn_system::source::FileId(number)));
    let files: Vec<&Path> = files.collect();
    let mut all = never(analysis, sighted, &loaded.program, &|| {});
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
    for name in untold(analysis, sighted) {
        if !into.untold.contains(&name) {
            into.untold.push(name);
        }
    }
    known.extend(files);
}
