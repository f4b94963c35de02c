//! The smallest value of a parameter that violates a property, looked for from below: each value is checked
//! like any other, and where it is known to violate nothing the next one is.

use std::ops::RangeInclusive;
use std::sync::Arc;

use stubborn_ide::database::{Db, whole};
use stubborn_ide::tried::Setting;
use stubborn_report::list;

use crate::lsp::outbound::Message;
use crate::lsp::owner::state::Owner;
use crate::lsp::owner::wanted::{Looking, Open, Other};

/// How far it is known whether a value violates a property.
enum Found {
    Violated(Vec<String>),
    /// None of them is, as far as anybody could decide.
    Nothing {
        undecided: Vec<String>,
    },
    Pending,
    Stopped,
}

impl Owner {
    pub(super) fn look_for_smallest(
        &mut self,
        root: Arc<str>,
        parameter: Arc<str>,
        of: &RangeInclusive<i64>,
    ) {
        let looking = Looking {
            at: *of.start(),
            to: *of.end(),
            // An edit may come before the first value is worked out.
            of: whole(&self.database, self.database.file(&root)),
            open: Open::default(),
        };
        self.look_at(root, parameter, looking);
    }

    fn look_at(&mut self, root: Arc<str>, parameter: Arc<str>, looking: Looking) {
        let setting = Setting {
            root: Arc::clone(&root),
            parameter: Arc::clone(&parameter),
            value: looking.at,
        };
        self.try_value(setting, self.settings.budget);
        self.values.looking.insert((root, parameter), looking);
    }

    /// Goes on to the next values where one is known to violate nothing. Whether a search is over by that.
    pub(in crate::lsp::owner) fn look_further(&mut self) -> bool {
        // What the values mean that were asked for last may not be known yet; and what a search has told
        // since the last refresh is not in it yet: that the search is over says nothing here.
        let is_known = self.values.worked_out == Some(self.of_values());
        if !is_known || self.has_news_to_come() {
            return false;
        }
        let mut is_over = false;
        let all: Vec<_> = self.values.looking.keys().cloned().collect();
        for key in all {
            let Some(mut looking) = self.values.looking.remove(&key) else {
                continue;
            };
            let (root, parameter) = &key;
            let at = looking.at;
            let told = match self.found_of(root, parameter, &mut looking) {
                Found::Pending => {
                    self.values.looking.insert(key, looking);
                    continue;
                }
                Found::Violated(names) => {
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    format!(
                        "{parameter} = {at} is the smallest value that is known to violate a property: {}{}",
                        list(&names),
                        looking.open.said()
                    )
                }
                Found::Stopped => format!(
                    "the search for the smallest {parameter} that violates a property has ended at {at}: the text was changed, or the check was stopped"
                ),
                Found::Nothing { undecided } => {
                    if !undecided.is_empty() {
                        looking.open.add(at, &undecided);
                    }
                    if at < looking.to {
                        looking.at += 1;
                        self.look_at(Arc::clone(root), Arc::clone(parameter), looking);
                        continue;
                    }
                    match looking.open.count == 0 {
                        true => format!("no value of {parameter} violates a property"),
                        false => format!(
                            "no value of {parameter} is known to violate a property{}",
                            looking.open.said()
                        ),
                    }
                }
            };
            self.outbound.say(Message::Tell(told));
            is_over = true;
        }
        is_over
    }

    fn found_of(&self, root: &Arc<str>, parameter: &Arc<str>, looking: &mut Looking) -> Found {
        let value = looking.at;
        let mut others = self.values.others.iter();
        let other = others.find(|other| {
            let setting = &other.setting;
            (&setting.root, &setting.parameter, setting.value) == (root, parameter, value)
        });
        let Some(Other { with, .. }) = other else {
            return Found::Stopped;
        };
        // What was found of values of another text says nothing here.
        if *looking.of.get_or_insert_with(|| Arc::clone(&with.whole)) != with.whole {
            return Found::Stopped;
        }
        let mut keys = with.properties.iter().map(|property| property.key);
        if keys.any(|key| self.jobs.is_pending(key)) {
            return Found::Pending;
        }
        let owned = |names: Vec<&str>| names.into_iter().map(str::to_owned).collect();
        let stand = with.stand(self.jobs.verdicts());
        if !stand.violated.is_empty() {
            return Found::Violated(owned(stand.violated));
        }
        if stand.is_stopped || stand.unknown > 0 {
            return Found::Stopped;
        }
        let mut undecided: Vec<String> = owned(stand.undecided);
        if with.error.is_some() {
            let what = match with.system {
                Some(_) => "not all of the text has a meaning",
                None => "the text has no meaning",
            };
            undecided.insert(0, what.to_owned());
        }
        Found::Nothing { undecided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_values_of_which_not_enough_is_known_the_first_are_named() {
        let undecided = ["low".to_owned(), "high".to_owned()];
        let mut open = Open::default();
        assert_eq!(open.said(), "");
        open.add(3, &undecided);
        assert_eq!(open.said(), "; not known: 3 (low and high)");
        (4..7).for_each(|value| open.add(value, &undecided[..1]));
        assert_eq!(
            open.said(),
            "; not known: 3 (low and high), 4 (low), 5 (low) and 6 (low)"
        );
        (7..100).for_each(|value| open.add(value, &undecided[..1]));
        assert_eq!(
            open.said(),
            "; not known: 3 (low and high), 4 (low) and 95 more"
        );
    }
}
