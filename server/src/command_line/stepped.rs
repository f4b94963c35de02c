//! Reading one model for going along its runs.

use std::path::Path;

use stubborn_model::analyze_within;
use stubborn_model::problem::Severity;
use stubborn_report::stepping::Stepped;
use stubborn_report::{ProblemReport, Texts};

use super::check::{command_line_problem, not_read_in_time};
use super::models::{Unloaded, load};
use super::search_arguments::Definition;
use super::selection::{settings, unknown_parameters};

/// Why there is no model: its problems, with the texts that they are about.
#[derive(Debug, Default)]
pub struct Unmeant {
    pub problems: Vec<ProblemReport>,
    pub texts: Texts,
}

/// A mistake and its place, on one line.
fn placed(problem: &ProblemReport) -> String {
    match &problem.place {
        Some(place) => {
            let line = place.range.start.line;
            format!("{}:{line}: {}", place.file, problem.message)
        }
        None => problem.message.clone(),
    }
}

/// The first of some mistakes, and how many there are besides.
pub fn first_of(mistakes: &[String]) -> Option<String> {
    let first = mistakes.first()?;
    Some(match mistakes.len() - 1 {
        0 => first.clone(),
        others => format!("{first} (and {others} more)"),
    })
}

impl Unmeant {
    /// What is wrong, without what is only told beside it.
    pub fn errors(&self) -> impl Iterator<Item = &ProblemReport> {
        let problems = self.problems.iter();
        problems.filter(|one| one.severity == Severity::Error)
    }

    /// The errors, each with its place on one line.
    pub fn told(&self) -> Vec<String> {
        self.errors().map(placed).collect()
    }
}

/// Reads the model of a file, which may be a tester's.
///
/// # Errors
/// Where it cannot be read, or has no meaning.
pub fn stepped(
    file: &Path,
    definitions: &[Definition],
    is_to_end: &dyn Fn() -> bool,
) -> Result<Stepped, Unmeant> {
    let without_texts = |problems: Vec<ProblemReport>| Unmeant {
        problems,
        texts: Texts::default(),
    };
    let loaded = match load(&[file.to_owned()], is_to_end) {
        Ok(groups) => groups.into_iter().flat_map(|group| group.programs).next(),
        Err(Unloaded::Interrupted) => None,
        Err(Unloaded::Wrong(wrong)) => {
            let wrong = wrong.into_iter().map(command_line_problem).collect();
            return Err(without_texts(wrong));
        }
    };
    let Some(loaded) = loaded else {
        return Err(without_texts(vec![not_read_in_time()]));
    };
    let unknown = unknown_parameters(definitions, &[&loaded.program]);
    if !unknown.is_empty() {
        let unknown = unknown.into_iter().map(command_line_problem).collect();
        return Err(without_texts(unknown));
    }
    let settings = settings(definitions, &loaded.program);
    let Ok(analysis) = analyze_within(&loaded.program, &settings, is_to_end) else {
        return Err(without_texts(vec![not_read_in_time()]));
    };
    let problems = analysis.problems.iter();
    let unmeant = Unmeant {
        problems: problems
            .map(|one| ProblemReport::new(one, &loaded.texts))
            .collect(),
        texts: loaded.texts,
    };
    match analysis.model {
        Some(model) => Ok(Stepped {
            mistakes: unmeant.told(),
            ..Stepped::new(loaded.program, settings, unmeant.texts, model)
        }),
        None => Err(unmeant),
    }
}
