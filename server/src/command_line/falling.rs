//! Verdicts as they fall: a person who waits is told each when it is known, with its run, while the others go on.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use stubborn_engine::{Event, Observer, Outcome, Verdict as Found};
use stubborn_report::{ProblemReport, PropertyReport, Texts};

use super::output::{Human, human_problems};
use super::progress::ProgressLine;

/// What is over by then is told at once at its end, as runs may still become shorter.
const PATIENCE: Duration = Duration::from_millis(300);
/// So many seconds in its place: who compares what two runs print is not to depend on how fast the machine was.
const PATIENCE_OF: &str = "STUBBORN_PATIENCE";

/// Who is told.
pub struct Falling<'f> {
    began: Instant,
    patience: Duration,
    /// What is drawn below, on the same terminal.
    line: &'f ProgressLine,
    telling: Mutex<Telling>,
}

struct Telling {
    human: Human,
    texts: Texts,
    /// What is to be said of the texts before anything else.
    problems: Vec<ProblemReport>,
    told: Told,
}

/// What was told before the end.
#[derive(Clone, Debug, Default)]
pub struct Told {
    problems: HashSet<ProblemReport>,
    /// Properties, by their files and names, and how many steps their runs had.
    properties: HashSet<(String, String, Option<usize>)>,
}

impl Told {
    pub fn has_problem(&self, problem: &ProblemReport) -> bool {
        self.problems.contains(problem)
    }

    /// Whether the run of a property was shown, which may have become shorter meanwhile.
    pub fn has_run(&self, property: &PropertyReport) -> bool {
        self.properties.contains(&key(property))
    }

    /// Whether another run of it was.
    pub fn has_other_run(&self, property: &PropertyReport) -> bool {
        let mut all = self.properties.iter();
        let is_its = |(file, name, _): &&(String, String, Option<usize>)| {
            **file == *property.place.file && *name == property.name
        };
        !self.has_run(property) && all.any(|one| is_its(&one))
    }
}

fn key(property: &PropertyReport) -> (String, String, Option<usize>) {
    let steps = property.trace.as_ref().map(|trace| trace.len());
    let file = property.place.file.to_string();
    (file, property.name.clone(), steps)
}

impl<'f> Falling<'f> {
    pub fn new(began: Instant, line: &'f ProgressLine, human: Human) -> Falling<'f> {
        let given = std::env::var(PATIENCE_OF).ok();
        let given = given.and_then(|seconds| seconds.parse().ok());
        Falling {
            began,
            patience: given
                .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
                .unwrap_or(PATIENCE),
            line,
            telling: Mutex::new(Telling {
                human,
                texts: Texts::default(),
                problems: Vec::new(),
                told: Told::default(),
            }),
        }
    }

    fn telling(&self) -> MutexGuard<'_, Telling> {
        self.telling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is needed to tell anything, and what is to be told first.
    pub fn begin(&self, texts: &Texts, problems: &[ProblemReport]) {
        let mut telling = self.telling();
        telling.texts = texts.clone();
        let placed = problems.iter().filter(|problem| problem.place.is_some());
        telling.problems = placed.cloned().collect();
    }

    fn is_due(&self) -> bool {
        self.began.elapsed() >= self.patience
    }

    fn tell(&self, property: &PropertyReport) {
        let mut telling = self.telling();
        // The table at the end has what holds, which is enough where nobody looks on: what stands in a file is not to depend on
        // how fast the machine was.
        let is_line = !Human::has_run(property);
        if is_line && !telling.human.style.is_terminal {
            return;
        }
        let Telling {
            human,
            texts,
            problems,
            told,
        } = &mut *telling;
        let written = self.line.beside(|| {
            let mut to = io::stdout().lock();
            human_problems(problems, texts, human.style, &mut to)?;
            human.fallen(property, texts, &mut to)?;
            to.flush()
        });
        // Where nobody listens any more the end finds out.
        if written.is_ok() {
            told.problems.extend(problems.drain(..));
            told.properties.insert(key(property));
        }
    }

    /// What was told.
    pub fn finish(self) -> Told {
        let telling = self.telling.into_inner();
        telling.unwrap_or_else(PoisonError::into_inner).told
    }
}

/// Follows the search of one System, and has its verdicts told.
pub struct OfSystem<'s> {
    observer: &'s dyn Observer,
    falling: Option<&'s Falling<'s>>,
    /// What is told of the outcome of a property.
    report: &'s (dyn Fn(usize, &Outcome) -> PropertyReport + Sync),
    fallen: Mutex<Fallen>,
}

#[derive(Default)]
struct Fallen {
    known: HashSet<usize>,
    waiting: Vec<(usize, Outcome)>,
}

impl<'s> OfSystem<'s> {
    pub fn new(
        observer: &'s dyn Observer,
        falling: Option<&'s Falling<'s>>,
        report: &'s (dyn Fn(usize, &Outcome) -> PropertyReport + Sync),
    ) -> OfSystem<'s> {
        OfSystem {
            observer,
            falling,
            report,
            fallen: Mutex::default(),
        }
    }

    /// Whether somebody is told verdicts as they fall.
    pub fn tells(&self) -> bool {
        self.falling.is_some()
    }

    /// Whether the verdict on a property has fallen.
    pub fn has(&self, property: usize) -> bool {
        self.fallen().known.contains(&property)
    }

    fn fallen(&self) -> MutexGuard<'_, Fallen> {
        self.fallen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell_what_is_due(&self) {
        let Some(falling) = self.falling.filter(|falling| falling.is_due()) else {
            return;
        };
        let waiting = std::mem::take(&mut self.fallen().waiting);
        for (property, outcome) in waiting {
            falling.tell(&(self.report)(property, &outcome));
        }
    }
}

impl Observer for OfSystem<'_> {
    fn event(&self, event: Event<'_>) {
        self.observer.event(event);
        match event {
            Event::Progress(_) => self.tell_what_is_due(),
            Event::Decided(property, outcome) => {
                if self.falling.is_none() || matches!(outcome.verdict, Found::Undecided(_)) {
                    return;
                }
                {
                    let mut fallen = self.fallen();
                    if fallen.known.insert(property) {
                        fallen.waiting.push((property, outcome.clone()));
                    }
                }
                self.tell_what_is_due();
            }
            _ => {}
        }
    }
}
