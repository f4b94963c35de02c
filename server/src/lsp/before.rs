//! What was last found of each property, of whatever text: it stands, said to be of the text before,
//! until something newer is known. An edit takes nothing away without a word.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::view::Root;
use crate::report::PropertyReport;

/// By root and name.
#[derive(Clone, Default)]
pub struct Before(BTreeMap<Arc<str>, BeforeOfRoot>);

/// By the properties' names.
#[derive(Clone, Default)]
pub struct BeforeOfRoot(BTreeMap<String, Found>);

/// A report among those of its moment, which are not copied.
#[derive(Clone)]
struct Found {
    among: Arc<Vec<Option<PropertyReport>>>,
    at: usize,
}

impl Before {
    pub fn of(&self, root: &str) -> Option<&BeforeOfRoot> {
        self.0.get(root)
    }

    /// Takes in what is known now. What is no root any more is forgotten, and so is a property that
    /// a text with a meaning no longer has.
    pub fn keep(&mut self, roots: &[Root]) {
        self.0
            .retain(|path, _| roots.iter().any(|root| root.path == *path));
        for root in roots {
            if root.system.is_none() {
                continue;
            }
            let known = self.0.entry(Arc::clone(&root.path)).or_default();
            let names = || root.names.iter().map(|(name, _)| name);
            let is_there: std::collections::BTreeSet<&String> = names().collect();
            known.0.retain(|name, _| is_there.contains(name));
            for (at, name) in names().enumerate() {
                if root.reports.get(at).is_some_and(Option::is_some) {
                    let found = Found {
                        among: Arc::clone(&root.reports),
                        at,
                    };
                    known.0.insert(name.clone(), found);
                }
            }
        }
    }
}

impl BeforeOfRoot {
    pub fn get(&self, name: &str) -> Option<&PropertyReport> {
        let found = self.0.get(name)?;
        found.among.get(found.at)?.as_ref()
    }

    /// All of them, in the order of the text that they are about.
    pub fn all(&self) -> Vec<&PropertyReport> {
        let mut all: Vec<(usize, &PropertyReport)> = (self.0.values())
            .filter_map(|found| Some((found.at, found.among.get(found.at)?.as_ref()?)))
            .collect();
        all.sort_by_key(|(at, _)| *at);
        all.into_iter().map(|(_, report)| report).collect()
    }
}
