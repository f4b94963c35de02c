//! A file that is checked with all that it uses, and what is known of it.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stubborn_ide::before::Found;
use stubborn_ide::database::Question;
use stubborn_ide::features::state::{Pending, State};
use stubborn_ide::jobs::{Fingerprint, Sliced};
use stubborn_report::PropertyReport;
use stubborn_report::once_more::EveryStep;
use stubborn_system::system::System;
use tower_lsp::lsp_types::{Range, Url};

/// What is known of a root.
pub struct Root {
    pub path: Arc<str>,
    /// The paths of its files.
    pub files: BTreeSet<Arc<str>>,
    pub system: Option<(Fingerprint, Arc<System>)>,
    pub properties: Arc<Vec<Sliced>>,
    pub names: Vec<(String, stubborn_system::property::Form)>,
    pub reports: Arc<Vec<Option<PropertyReport>>>,
    /// What is asked beside those that hold; not known while any is being decided.
    pub questions: Option<Arc<Vec<Question>>>,
    /// What is asked beside all where every step is taken, where that may tell what they have left open.
    pub every_step: Option<(EveryStep, Arc<Vec<Sliced>>)>,
    /// Where its properties stand, or, where its text has no meaning, those that it had when it had one.
    /// Nothing where the client does not want to know.
    pub stands: Vec<Stand>,
    /// Its parameters, if the client wants to know.
    pub parameters: Vec<ParameterStanding>,
}

impl Root {
    /// State of the property with a number.
    pub fn state(&self, at: usize, pending: &Pending, before: Option<&Found>) -> State {
        let sliced = self.properties.get(at);
        let standing = sliced.and_then(|one| pending.get(&one.key));
        State::of(Found::new(&self.reports, at), standing.cloned(), before)
    }
}

/// A parameter of the model that can have other values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ParameterStanding {
    pub name: String,
    pub from: i64,
    pub to: i64,
    pub value: i64,
}

/// A property of a root, and where its name stands in the text as it is.
pub struct Stand {
    pub name: String,
    pub base: String,
    pub uri: Url,
    pub range: Range,
}
