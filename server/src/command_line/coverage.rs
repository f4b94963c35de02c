//! `--coverage`: what never happens in the models that are checked.

use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use stubborn_engine::{Caller, Event, Observer, Options, Reduction, Verdict};
use stubborn_model::Analysis;
use stubborn_report::once_more::left_open;
use stubborn_report::{CoverageReport, NeverReport, Sighted, never, never_by_text, untold};
use stubborn_system::system::System;

use super::models::Loaded;

/// Who follows the search of a System, and what it has seen.
pub struct Sights<'w> {
    observer: &'w dyn Observer,
    system: &'w System,
    all: Mutex<Sighted>,
}

impl<'w> Sights<'w> {
    pub fn of(system: &'w System, observer: &'w dyn Observer) -> Sights<'w> {
        Sights {
            observer,
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
pub fn take_every_step(
    system: &System,
    options: &Options,
    sights: &Sights<'_>,
    caller: Caller<'_>,
) -> bool {
    if options.reduction == Reduction::None || caller.budget.is_cancelled() {
        return false;
    }
    let open = left_open(system, &sights.so_far());
    let Some((every_step, asked)) = open else {
        return false;
    };
    // Its verdicts are of no interest.
    let observer = |event: Event<'_>| match event {
        Event::Progress(_) => caller.observer.event(event),
        Event::Saw(_, seen) => sights.so_far().add_whole(system, seen),
        _ => {}
    };
    let caller = caller.quiet().observed_by(&observer);
    let found = stubborn_engine::check(system, &asked, &every_step.options(options), caller);
    // A System that is too large was refused before.
    let outcomes = found.unwrap_or_default();
    let mut verdicts = outcomes.iter().map(|outcome| &outcome.verdict);
    verdicts.any(|verdict| matches!(verdict, Verdict::Undecided(_)))
}

impl Observer for Sights<'_> {
    fn event(&self, event: Event<'_>) {
        if let Event::Saw(_, seen) = event {
            self.so_far().add_whole(self.system, seen);
        }
        self.observer.event(event);
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
