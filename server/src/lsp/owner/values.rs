//! Other values of parameters, checked because a person wants to see what they give.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Owner;
use crate::database::{Whole, WithValue};
use crate::jobs::{Fingerprint, JobId, Key, Wanted};
use crate::lsp::outbound::Message;
use crate::lsp::progress::file_name;
use crate::lsp::tried::{Setting, Tried};
use crate::report::list;

/// What somebody wants to know of other values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// What these give; within the budget or without limits.
    Check {
        settings: Vec<Setting>,
        is_limited: bool,
    },
    /// The smallest of these values that violates a property.
    Smallest {
        root: Arc<str>,
        parameter: Arc<str>,
        of: RangeInclusive<i64>,
    },
    /// To look no further for it.
    Stop { root: Arc<str>, parameter: Arc<str> },
}

/// A root with another value, as it now is.
pub struct Other {
    pub setting: Setting,
    pub with: Arc<WithValue>,
}

/// All about other values.
#[derive(Default)]
pub(super) struct OtherValues {
    pub tried: Arc<Tried>,
    /// Those that were tried and are about the texts as they are.
    pub others: Vec<Other>,
    /// To be checked as soon as it is known what they mean, each with its budget.
    due: BTreeMap<Setting, Option<Duration>>,
    looking: BTreeMap<(Arc<str>, Arc<str>), Looking>,
    /// The searches with other values, of which clients are told over the parameters alone.
    pub jobs: BTreeSet<JobId>,
    /// The revision of the last news of these.
    pub news: u64,
    /// When clients were last told to look again.
    refreshed: Option<Instant>,
}

/// Clients are told to look again no more often, while values are gone through.
const BETWEEN_LOOKS: Duration = Duration::from_millis(250);

/// The smallest value that violates a property is looked for, from below.
struct Looking {
    at: i64,
    to: i64,
    /// The revision from which it is known what the value means.
    since: u64,
    /// The texts in which all of this is.
    of: Option<Arc<Whole>>,
    /// The values of which not enough is known, and why.
    open: Vec<String>,
}

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

impl OtherValues {
    /// The properties and Systems of all that are about the texts as they are.
    pub fn current(&self) -> (BTreeSet<Key>, BTreeSet<Fingerprint>) {
        let properties = self.others.iter().flat_map(|other| &other.with.properties);
        let systems = self
            .others
            .iter()
            .filter_map(|other| other.with.system.as_ref());
        (
            properties.map(|property| property.key).collect(),
            systems.map(|(system, _)| *system).collect(),
        )
    }
}

impl Owner {
    pub(super) fn take_values(&mut self, values: Values) {
        match values {
            Values::Check {
                settings,
                is_limited,
            } => {
                let budget = self.settings.budget.filter(|_| is_limited);
                for setting in settings {
                    self.try_value(setting, budget);
                }
            }
            Values::Smallest {
                root,
                parameter,
                of,
            } => {
                let looking = Looking {
                    at: *of.start(),
                    to: *of.end(),
                    since: 0,
                    of: None,
                    open: Vec::new(),
                };
                self.look_at(root, parameter, looking);
            }
            Values::Stop { root, parameter } => {
                let key = (root, parameter);
                self.values.looking.remove(&key);
                Arc::make_mut(&mut self.values.tried).looking.remove(&key);
                self.revision += 1;
                self.refresh_values();
            }
        }
    }

    fn try_value(&mut self, setting: Setting, budget: Option<Duration>) {
        Arc::make_mut(&mut self.values.tried).ask(&setting);
        self.values.due.insert(setting, budget);
        self.revision += 1;
    }

    fn look_at(&mut self, root: Arc<str>, parameter: Arc<str>, mut looking: Looking) {
        let setting = Setting {
            root: Arc::clone(&root),
            parameter: Arc::clone(&parameter),
            value: looking.at,
        };
        self.try_value(setting, self.settings.budget);
        looking.since = self.revision;
        let key = (root, parameter);
        let shown = &mut Arc::make_mut(&mut self.values.tried).looking;
        shown.insert(key.clone(), looking.at);
        self.values.looking.insert(key, looking);
    }

    /// Takes in what other values mean now.
    pub(super) fn keep_values(&mut self, others: Vec<Other>) {
        if self.values.tried.is_empty() && others.is_empty() {
            return;
        }
        self.values.others = others;
        let roots = &self.roots;
        let system_of = |path: &str| {
            let root = roots.iter().find(|root| *root.path == *path)?;
            Some(root.system.as_ref().map(|(system, _)| *system))
        };
        Arc::make_mut(&mut self.values.tried).settle(system_of);
        let tried = &self.values.tried;
        self.values.due.retain(|setting, _| tried.has(setting));
    }

    /// Has what is due of other values checked. Whether anything was due.
    pub(super) fn start_due_values(&mut self) -> bool {
        // What was asked for after these were worked out is due with the next ones.
        let others = &self.values.others;
        let is_here = |setting: &Setting| others.iter().any(|other| other.setting == *setting);
        let all = std::mem::take(&mut self.values.due).into_iter();
        let (due, later): (BTreeMap<_, _>, _) = all.partition(|(setting, _)| is_here(setting));
        self.values.due = later;
        let mut wanted = Vec::new();
        for other in &self.values.others {
            let Setting {
                root,
                parameter,
                value,
            } = &other.setting;
            if let Some(budget) = due.get(&other.setting)
                && let Some((fingerprint, system)) = &other.with.system
            {
                let one = Wanted {
                    name: format!("{} with {parameter} = {value}", file_name(root)).into(),
                    fingerprint: *fingerprint,
                    system: Arc::clone(system),
                    properties: other.with.properties.clone(),
                    likely: Default::default(),
                };
                wanted.push((one, *budget, Arc::clone(root)));
            }
        }
        let begun = self.search(wanted);
        self.values.jobs.extend(begun);
        !due.is_empty()
    }

    /// Goes on to the next values where one is known to violate nothing.
    pub(super) fn look_further(&mut self, revision: u64) {
        // What a search has told since then is not in it yet: that the search is over says nothing here.
        if self.news.max(self.values.news) > revision {
            return;
        }
        let ready = self.values.looking.iter();
        let ready = ready.filter(|(_, looking)| looking.since <= revision);
        let ready: Vec<_> = ready.map(|(key, _)| key.clone()).collect();
        for key in ready {
            let Some(mut looking) = self.values.looking.remove(&key) else {
                continue;
            };
            let (root, parameter) = &key;
            let at = looking.at;
            let open = |open: &[String]| match open {
                [] => String::new(),
                open => {
                    let open: Vec<&str> = open.iter().map(String::as_str).collect();
                    format!("; not known: {}", list(&open))
                }
            };
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
                        open(&looking.open)
                    )
                }
                Found::Stopped => format!(
                    "the search for the smallest {parameter} that violates a property has ended at {at}: the text was changed, or the check was stopped"
                ),
                Found::Nothing { undecided } => {
                    if !undecided.is_empty() {
                        let names: Vec<&str> = undecided.iter().map(String::as_str).collect();
                        looking.open.push(format!("{at} ({})", list(&names)));
                    }
                    if at < looking.to {
                        looking.at += 1;
                        self.look_at(Arc::clone(root), Arc::clone(parameter), looking);
                        continue;
                    }
                    match looking.open.is_empty() {
                        true => format!("no value of {parameter} violates a property"),
                        false => format!(
                            "no value of {parameter} is known to violate a property{}",
                            open(&looking.open)
                        ),
                    }
                }
            };
            self.outbound.say(Message::Tell(told));
            Arc::make_mut(&mut self.values.tried).looking.remove(&key);
        }
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

    /// The lines over parameters say how far the searches with other values are.
    pub(super) fn refresh_values(&mut self) {
        let has_just_said = |at: Instant| at.elapsed() < BETWEEN_LOOKS;
        let is_soon =
            !self.values.looking.is_empty() && self.values.refreshed.is_some_and(has_just_said);
        if self.client.refreshes_lenses && !self.values.tried.is_empty() && !is_soon {
            self.values.refreshed = Some(Instant::now());
            self.outbound.say(Message::RefreshLenses);
        }
    }
}
