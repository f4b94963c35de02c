//! Verdicts as they fall: a person who waits is told each when it is known, with its run, while the others go on.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use stubborn_checker::Live;
use stubborn_report::{ProblemReport, PropertyReport, Texts};

use super::output::told::{Told, key};
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

    /// What is needed to tell anything, and what is to be told first.
    pub fn begin(&self, texts: &Texts, problems: &[ProblemReport]) {
        let mut telling = self.telling.lock();
        telling.texts = texts.clone();
        let told = telling.told.problems.clone();
        let placed = problems.iter();
        let placed = placed.filter(|one| one.place.is_some() && !told.contains(one));
        telling.problems = placed.cloned().collect();
    }

    /// What was told.
    pub fn finish(self) -> Told {
        self.telling.into_inner().told
    }
}

impl Live for Falling<'_> {
    fn is_due(&self) -> bool {
        self.began.elapsed() >= self.patience
    }

    fn tell(&self, property: &PropertyReport) {
        let mut telling = self.telling.lock();
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
}
