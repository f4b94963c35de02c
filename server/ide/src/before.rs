//! What was last found of each property, of whatever text: it stands, said to be of the text before,
//! until something newer is known. An edit takes nothing away without a word.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;
use std::sync::Arc;

use stubborn_report::PropertyReport;
use stubborn_system::property::Form;

/// By root and name.
#[derive(Clone, Default)]
pub struct Before(BTreeMap<Arc<str>, BeforeOfRoot>);

/// By the properties' names.
#[derive(Clone, Default)]
pub struct BeforeOfRoot(BTreeMap<String, Found>);

/// A report among those of its moment, which are not copied: a trace may be long.
#[derive(Clone)]
pub struct Found {
    among: Arc<Vec<Option<PropertyReport>>>,
    at: usize,
}

impl Found {
    /// The report with this number, if there is one.
    pub fn new(among: &Arc<Vec<Option<PropertyReport>>>, at: usize) -> Option<Found> {
        among.get(at)?.as_ref()?;
        Some(Found {
            among: Arc::clone(among),
            at,
        })
    }

    /// Number of the property among those of its root.
    pub fn at(&self) -> usize {
        self.at
    }

    pub fn is_violated(&self) -> bool {
        self.is_wrong()
    }
}

impl Deref for Found {
    type Target = PropertyReport;

    fn deref(&self) -> &PropertyReport {
        let report = self.among[self.at].as_ref();
        report.expect("looked up when it was made")
    }
}

impl Before {
    pub fn of(&self, root: &str) -> Option<&BeforeOfRoot> {
        self.0.get(root)
    }

    /// Forgets the files that are no root any more.
    pub fn retain_roots(&mut self, is_root: impl Fn(&str) -> bool) {
        self.0.retain(|path, _| is_root(path));
    }

    /// Takes in the reports of a root whose text has a meaning, and forgets the properties that the
    /// text no longer has.
    pub fn keep(
        &mut self,
        root: &Arc<str>,
        names: &[(String, Form)],
        reports: &Arc<Vec<Option<PropertyReport>>>,
    ) {
        let known = self.0.entry(Arc::clone(root)).or_default();
        let is_there: BTreeSet<&String> = names.iter().map(|(name, _)| name).collect();
        known.0.retain(|name, _| is_there.contains(name));
        for (at, (name, _)) in names.iter().enumerate() {
            if let Some(found) = Found::new(reports, at) {
                known.0.insert(name.clone(), found);
            }
        }
    }
}

impl BeforeOfRoot {
    pub fn get(&self, name: &str) -> Option<&Found> {
        self.0.get(name)
    }

    /// Those that were violated, in the order of the text that they are about.
    pub fn violated(&self) -> Vec<&Found> {
        let mut violated: Vec<&Found> = self
            .0
            .values()
            .filter(|found| found.is_violated())
            .collect();
        violated.sort_by_key(|found| found.at);
        violated
    }

    /// All of them, in the order of the text that they are about.
    pub fn all(&self) -> Vec<&Found> {
        let mut all: Vec<&Found> = self.0.values().collect();
        all.sort_by_key(|found| found.at);
        all
    }
}
