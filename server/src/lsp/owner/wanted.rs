//! Searches that clients, or the server itself, want besides those after a save.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::{Duration, Instant};

use salsa::CancellationToken;
use stubborn_ide::database::{Whole, WithValue};
use stubborn_ide::jobs::{Fingerprint, JobId, Key};
use stubborn_ide::tried::{Looked, Setting, Tried};
use stubborn_report::{MOST_LISTED, is_meant, list, list_of};
use tokio::sync::oneshot;

use crate::lsp::root::Root;
use crate::lsp::standing::PropertyStanding;

/// What was asked last, of each root.
#[derive(Default)]
pub(super) struct Asides(pub(super) HashMap<Arc<str>, OfRoot>);

pub(super) struct OfRoot {
    pub(super) system: Fingerprint,
    pub(super) keys: HashSet<Key>,
}

impl Asides {
    /// What was asked of roots whose Systems are still what they were.
    pub fn current(&self, roots: &[Root]) -> HashSet<Key> {
        let of_roots = roots.iter().filter_map(|root| {
            let asked = self.0.get(&root.path)?;
            let (now, _) = root.system.as_ref()?;
            (*now == asked.system).then_some(&asked.keys)
        });
        of_roots.flatten().copied().collect()
    }

    /// What was asked of these Systems.
    pub fn of_systems(&self, systems: &HashSet<Fingerprint>) -> HashSet<Key> {
        let asked = self.0.values();
        let asked = asked.filter(|asked| systems.contains(&asked.system));
        asked.flat_map(|asked| &asked.keys).copied().collect()
    }
}

/// A check that somebody waits for.
pub struct Asked {
    /// Chosen by who asks, so that it can be taken back.
    pub id: u64,
    pub root: Arc<str>,
    /// The properties, with or without the values of their parameters; all where there are none.
    pub properties: Vec<String>,
    /// Whether it is to end with the budget of a check on save.
    pub is_limited: bool,
    /// The answer: how these properties stand once nobody searches for them any more, or `None` where no file
    /// has this name that is open or a tester of one that is.
    pub answer: oneshot::Sender<Option<Vec<PropertyStanding>>>,
}

/// All of them.
#[derive(Default)]
pub(super) struct AllAsked {
    /// Not begun, as it is not known yet what the text means.
    pub(super) due: Vec<Asked>,
    pub(super) begun: Vec<Asked>,
}

impl AllAsked {
    pub fn is_due(&self) -> bool {
        !self.due.is_empty()
    }
}

impl Asked {
    pub(super) fn has(&self, name: &str) -> bool {
        let mut wanted = self.properties.iter();
        self.properties.is_empty() || wanted.any(|wanted| is_meant(name, wanted))
    }
}

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
    /// Those that were tried and are about the texts as they are, or were when this was last worked out;
    /// none where nothing waits for them.
    pub(super) others: Vec<Other>,
    /// From what that was.
    pub(super) worked_out: Option<Of>,
    /// A reader works it out from this.
    pub(super) working_out: Option<(Of, CancellationToken)>,
    /// To be checked as soon as it is known what they mean, each with its budget.
    pub(super) due: BTreeMap<Setting, Option<Duration>>,
    pub(super) looking: BTreeMap<(Arc<str>, Arc<str>), Looking>,
    /// The searches with other values, of which clients are told over the parameters alone.
    pub jobs: BTreeSet<JobId>,
    /// When clients were last told to look again.
    pub(super) refreshed: Option<Instant>,
}

/// From what it follows what the values mean that were tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Of {
    pub(super) texts: u64,
    /// How often somebody had wanted a value.
    pub(super) asked: u64,
}

impl OtherValues {
    /// The texts have changed: what is being worked out is about what was.
    pub fn cancel(&self) {
        if let Some((_, token)) = &self.working_out {
            token.cancel();
        }
    }

    /// The properties and Systems of all that are about the texts as they are, as far as that is worked out.
    pub fn current(&self) -> (HashSet<Key>, HashSet<Fingerprint>) {
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

impl OtherValues {
    pub fn looked(&self) -> Looked {
        let all = self.looking.iter();
        all.map(|(of, looking)| (of.clone(), looking.at)).collect()
    }
}

/// The smallest value that violates a property is looked for, from below.
pub(super) struct Looking {
    pub(super) at: i64,
    pub(super) to: i64,
    /// The texts in which all of this is.
    pub(super) of: Option<Arc<Whole>>,
    pub(super) open: Open,
}

/// The values of which not enough is known, and why; behind the first ones how many there are is enough.
#[derive(Default)]
pub(super) struct Open {
    pub(super) named: Vec<String>,
    pub(super) count: usize,
}

impl Open {
    pub(super) fn add(&mut self, value: i64, undecided: &[String]) {
        self.count += 1;
        if self.named.len() < MOST_LISTED {
            let names: Vec<&str> = undecided.iter().map(String::as_str).collect();
            self.named.push(format!("{value} ({})", list(&names)));
        }
    }

    /// Behind a sentence; nothing where there are none.
    pub(super) fn said(&self) -> String {
        if self.count == 0 {
            return String::new();
        }
        let named: Vec<&str> = self.named.iter().map(String::as_str).collect();
        format!("; not known: {}", list_of(&named, self.count))
    }
}
