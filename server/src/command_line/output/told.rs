//! Verdicts and problems that were printed before the end of a check.

use std::collections::HashSet;

use stubborn_report::{ProblemReport, PropertyReport};

/// Lines that were printed before the end.
#[derive(Clone, Debug, Default)]
pub struct Told {
    pub problems: HashSet<ProblemReport>,
    /// Properties, by their files and names, and how many steps their runs had.
    pub properties: HashSet<(String, String, Option<usize>)>,
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
            **file == *property.place.file && *name == property.label()
        };
        !self.has_run(property) && all.any(|one| is_its(&one))
    }
}

pub fn key(property: &PropertyReport) -> (String, String, Option<usize>) {
    let steps = property.trace.as_ref().map(|trace| trace.len());
    let file = property.place.file.to_string();
    (file, property.label().into_owned(), steps)
}
