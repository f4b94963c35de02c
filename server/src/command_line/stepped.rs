//! Reading one model for going along its runs.

use std::path::Path;

use stubborn_model::analyze_within;
use stubborn_model::problem::Severity;

use super::check::{command_line_problem, not_read_in_time};
use super::models::{Unloaded, load};
use super::search_arguments::Definition;
use super::selection::{settings, unknown_parameters};
use crate::report::{ProblemReport, Texts};
use crate::stepping::Stepped;

/// Why there is no model: its problems, with the texts that they are about.
#[derive(Debug, Default)]
pub struct Unmeant {
    pub problems: Vec<ProblemReport>,
    pub texts: Texts,
}

impl Unmeant {
    /// What is wrong, without what is only told beside it.
    pub fn errors(&self) -> impl Iterator<Item = &ProblemReport> {
        let problems = self.problems.iter();
        problems.filter(|one| one.severity == Severity::Error)
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
    match analysis.model {
        Some(model) => Ok(Stepped::new(loaded.program, settings, loaded.texts, model)),
        None => Err(Unmeant {
            problems: analysis
                .problems
                .iter()
                .map(|one| ProblemReport::new(one, &loaded.texts))
                .collect(),
            texts: loaded.texts,
        }),
    }
}
