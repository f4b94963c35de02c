//! The run of a property that is shown: which one it is, and why there is none.

use std::ops::Range;
use std::sync::Arc;

use stubborn_report::{Place, Verdict};

use super::references::{Seen, seeing};
use super::run;
use super::state::{Pending, State, states};
use crate::before::{BeforeOfRoot, Found};
use crate::database::{
    Contents, Db, SourceFile, analyzed, reports, reports_with, run as found_run, run_with,
};
use crate::jobs::Standing;
use stubborn_engine::Trace;
use stubborn_model::Analysis;

/// Which properties are asked about: those of a root, as it is or with another value of a parameter.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub root: SourceFile,
    pub with: Option<&'a (Arc<str>, i64)>,
}

impl Asked<'_> {
    /// The property of this name with a run, of the text as it is. A name without values of parameters is the
    /// first that has one.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub fn find(
        &self,
        db: &dyn Db,
        name: &str,
        pending: &Pending,
        before: Option<&BeforeOfRoot>,
    ) -> Result<Found, String> {
        let among = match self.with {
            None => reports(db, self.root),
            Some((parameter, value)) => reports_with(db, self.root, Arc::clone(parameter), *value),
        };
        let found = run::with_run(&among, name).and_then(|at| Found::new(&among, at));
        if let Some(found) = found {
            return Ok(found);
        }
        if let Some((parameter, value)) = self.with {
            return Err(format!(
                "No run of `{name}` is known with {parameter} = {value} in the text as it is. Check that value again."
            ));
        }
        let all = states(db, self.root, pending, before);
        let exact = all.iter().find(|one| one.name == name);
        let Some(property) = exact.or_else(|| all.iter().find(|one| one.base == name)) else {
            if !matches!(self.root.contents(db), Contents::Text(_)) {
                return Err("There is no such file, or it cannot be read.".to_owned());
            }
            return Err(format!(
                "There is no property `{name}` in the text as it is."
            ));
        };
        Err(match &property.state {
            State::Known(report) => match report.verdict {
                Verdict::Holds => format!("`{name}` holds: no run violates it."),
                Verdict::Violated => {
                    let why = report.why.as_deref().unwrap_or("it is violated");
                    format!("No run shows why `{name}` is violated: {why}.")
                }
                Verdict::Undecided => format!(
                    "`{name}` is undecided: no run that violates it was found before a limit was reached. \
                     Check it without limits."
                ),
            },
            State::Pending(Standing::Running(_), _) => {
                format!("`{name}` is being checked. Its run can be shown once one is found.")
            }
            State::Pending(..) => format!("`{name}` waits to be checked."),
            State::Stale(_) if analyzed(db, self.root).is_none_or(|all| all.model.is_none()) => {
                format!(
                    "The text has errors. `{name}` is checked once they are mended and it is saved."
                )
            }
            State::Stale(Some(_)) => {
                format!(
                    "The text has changed since `{name}` was checked. Save it to check it again."
                )
            }
            State::Stale(None) => {
                format!("`{name}` was not checked yet. Save the file to check it.")
            }
        })
    }

    /// The run itself, of the System of the text as it is, and what that means.
    pub fn run(&self, db: &dyn Db, at: usize) -> Option<(Arc<Analysis>, Arc<Trace>)> {
        match self.with {
            None => found_run(db, self.root, at),
            Some((parameter, value)) => run_with(db, self.root, parameter, *value, at),
        }
    }
}

/// A property whose run can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The path of the root that it is a property of.
    pub root: Arc<str>,
    pub property: String,
    /// The same property with other values of its parameters, which has other runs: the first of them.
    pub others: Vec<String>,
    /// So many more values have one.
    pub left_out: usize,
}

/// So many properties are offered at one place.
const MOST_OFFERED: usize = 5;
/// And of each the runs with so many more values of its parameters.
const MOST_OTHERS: usize = 4;

/// The properties with a run of which something is told within a piece of a file: at their names, where the run ends
/// and somebody waits, and, `with_steps`, on the lines of the steps that are told. The values of a property's
/// parameters stand together. `roots` are the files that may use this one.
pub fn traces_at(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    within: &Range<usize>,
    with_steps: bool,
) -> Vec<Shown> {
    let path = file.path(db);
    let Contents::Text(text) = file.contents(db) else {
        return Vec::new();
    };
    // Whoever asks about a step asks about its line.
    let at = |offset: usize| text.get(..offset.min(text.len())).unwrap_or("");
    let line = at(within.start).rfind('\n').map_or(0, |at| at + 1);
    let behind = text.get(within.end.min(text.len())..).unwrap_or("");
    let line = line..within.end + behind.find('\n').unwrap_or(behind.len());
    let is_here = |place: &Place, within: &Range<usize>| {
        let (start, end) = (place.bytes.start as usize, place.bytes.end as usize);
        *place.file == **path && start <= within.end && within.start <= end
    };
    let mut found: Vec<Shown> = Vec::new();
    for Seen { root, .. } in seeing(db, roots, file, path) {
        // Of this root; its values stand one after the other.
        let mut last: Option<(&str, &Place)> = None;
        let reports = reports(db, root);
        for report in reports.iter().flatten() {
            // What a used file declares is shown as that file's own.
            let is_own = root == file || *report.place.file == **root.path(db);
            let Some(trace) = report.trace.as_ref().filter(|_| is_own) else {
                continue;
            };
            let passes = || {
                let mut steps = trace.told().flat_map(|(_, step)| &step.places);
                with_steps && steps.any(|place| is_here(place, &line))
            };
            if !(report.places().any(|place| is_here(place, within)) || passes()) {
                continue;
            }
            let this = Some((report.base.as_str(), &report.place));
            if let (true, Some(shown)) = (last == this, found.last_mut()) {
                match shown.others.len() < MOST_OTHERS {
                    true => shown.others.push(report.name.clone()),
                    false => shown.left_out += 1,
                }
                continue;
            }
            if found.len() == MOST_OFFERED {
                return found;
            }
            last = this;
            found.push(Shown {
                root: Arc::clone(root.path(db)),
                property: report.name.clone(),
                others: Vec::new(),
                left_out: 0,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{checked, file};
    use super::*;

    fn why_not(text: &str, is_checked: bool, name: &str) -> Option<String> {
        let (db, root) = if is_checked {
            checked(text)
        } else {
            file(text)
        };
        let asked = Asked { root, with: None };
        asked.find(&db, name, &Pending::new(), None).err()
    }

    #[test]
    fn where_there_is_no_run_it_is_said_why() {
        let text = "var x: 0..3\nprocess p { x = 1 }\ninvariant low(k in 0..1): x <= k\ninvariant no: x < 1\n";
        let told = |name| why_not(text, true, name);
        assert_eq!(told("no"), None);
        // The first value that has one.
        assert_eq!(told("low"), None);
        assert_eq!(
            told("low(1)").as_deref(),
            Some("`low(1)` holds: no run violates it.")
        );
        assert_eq!(
            told("high").as_deref(),
            Some("There is no property `high` in the text as it is.")
        );
        assert_eq!(
            why_not(text, false, "no").as_deref(),
            Some("`no` was not checked yet. Save the file to check it.")
        );
    }

    #[test]
    fn the_values_of_a_property_are_offered_together_up_to_a_handful() {
        let text = "var x: 0..9\nprocess p { x = 9 }\ninvariant low(k in 0..8): x <= k\ninvariant no: x < 1\n";
        let (db, root) = checked(text);
        let at = |what: &str| {
            let at = text.find(what).expect("it is there");
            traces_at(&db, &[root], root, &(at..at), false)
        };
        let [low] = &at("low")[..] else {
            panic!("one property");
        };
        assert_eq!(low.property, "low(0)");
        assert_eq!(low.others, ["low(1)", "low(2)", "low(3)", "low(4)"]);
        assert_eq!(low.left_out, 4);
        let [no] = &at("no:")[..] else {
            panic!("one property");
        };
        assert_eq!((&*no.property, no.others.len()), ("no", 0));
        // Where the runs pass all of them are offered, too.
        let at = text.find("x = 9").expect("it is there");
        let passing = traces_at(&db, &[root], root, &(at..at), true);
        let named: Vec<_> = passing.iter().map(|one| &*one.property).collect();
        assert_eq!(named, ["low(0)", "no"]);
        assert_eq!(passing[0].others.len(), 4);
    }

    #[test]
    fn the_run_is_of_the_system_that_the_text_means() {
        let text = "var x: 0..3\nprocess p { x = 1 x = 2 }\ninvariant no: x < 2\n";
        let (db, root) = checked(text);
        let asked = Asked { root, with: None };
        let found = asked.find(&db, "no", &Pending::new(), None);
        let found = found.unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(found.name, "no");
        let (analysis, run) = asked.run(&db, found.at()).expect("a run");
        assert_eq!(run.len(), 2);
        let model = analysis.model.as_ref().expect("a model");
        assert_eq!(model.system.instances.len(), 1);
    }
}
