//! Other values of parameters that somebody has had checked: what each gave stays in sight.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::jobs::Fingerprint;

/// So many values of one parameter are kept in sight.
pub const MOST_VALUES: usize = 8;

/// A root with another value of a parameter than its text gives it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Setting {
    pub root: Arc<str>,
    pub parameter: Arc<str>,
    pub value: i64,
}

/// The parameters of roots whose smallest value that violates a property is looked for, and how far that is.
pub type Looked = BTreeMap<(Arc<str>, Arc<str>), i64>;

/// The values that were tried, each with the System that the root's text had then: what is found of it
/// is not about another one.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    values: BTreeMap<Setting, Value>,
    count: u64,
}

#[derive(Clone, Debug)]
struct Value {
    /// Not known yet where it was only just asked for.
    of: Option<Fingerprint>,
    /// In the order of all.
    asked: u64,
}

impl Tried {
    /// Somebody wants this value checked of the text as it is now.
    pub fn ask(&mut self, setting: &Setting) {
        self.count += 1;
        let value = Value {
            of: None,
            asked: self.count,
        };
        self.values.insert(setting.clone(), value);
        let alike = self.values.iter().filter(|(other, _)| {
            (&other.root, &other.parameter) == (&setting.root, &setting.parameter)
        });
        if alike.clone().count() > MOST_VALUES
            && let Some((oldest, _)) = alike.min_by_key(|(_, value)| value.asked)
        {
            let oldest = oldest.clone();
            self.values.remove(&oldest);
        }
    }

    /// What was only just asked for is about the text that has this System; roots without one are
    /// forgotten.
    pub fn settle(&mut self, system_of: impl Fn(&str) -> Option<Option<Fingerprint>>) {
        self.values.retain(|setting, value| {
            let now = system_of(&setting.root);
            if let (Some(now), None) = (now, value.of) {
                value.of = now;
            }
            now.is_some()
        });
    }

    /// All values that are about the System which their root has now.
    pub fn current<'t>(
        &'t self,
        root: &'t str,
        now: Option<Fingerprint>,
    ) -> impl Iterator<Item = &'t Setting> {
        let of_root = self.of_root(root);
        of_root.filter_map(move |(setting, of)| (of.is_none() || of == now).then_some(setting))
    }

    /// All values of a root's parameters, and of which System each was checked.
    pub fn of_root<'t>(
        &'t self,
        root: &'t str,
    ) -> impl Iterator<Item = (&'t Setting, Option<Fingerprint>)> {
        let values = self.values.iter();
        let values = values.filter(move |(setting, _)| *setting.root == *root);
        values.map(|(setting, value)| (setting, value.of))
    }

    /// How often somebody has wanted a value.
    pub fn count(&self) -> u64 {
        self.count
    }

    pub fn has(&self, setting: &Setting) -> bool {
        self.values.contains_key(setting)
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_values_those_stay_in_sight_that_were_asked_for_last() {
        let setting = |value| Setting {
            root: "/m.stb".into(),
            parameter: "N".into(),
            value,
        };
        let mut tried = Tried::default();
        for value in 0..20 {
            tried.ask(&setting(value));
        }
        let values = tried.of_root("/m.stb").map(|(one, _)| one.value);
        assert!(values.eq(12..20));
        assert_eq!(tried.of_root("/other.stb").count(), 0);
        tried.settle(|_| None);
        assert!(tried.is_empty());
    }
}
