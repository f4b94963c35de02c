//! How the properties stand of the open files and of the testers that use these, and how far the searches are,
//! for clients that show it beside the text: a list of tests, marks at the edge of the text, a line at the window's foot.
//!
//! All that such a client shows is worked out here, so that it only has to draw it. `docs/requests.md`
//! tells whoever writes one what comes when.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stubborn_ide::before::BeforeOfRoot;
use stubborn_ide::features::lens::told;
use stubborn_ide::features::state::{Pending, State};
use stubborn_ide::jobs::UnderWay;
use stubborn_ide::spent::{Decided, spent};
use stubborn_report::kind;
use tower_lsp::lsp_types::notification::Notification;
use tower_lsp::lsp_types::{Range, Url};

use super::root::{ParameterStanding, Root, Stand};

/// The notification `stubborn/standing`: sent when something of it has changed, and after each check that
/// somebody has asked for.
#[derive(Debug)]
pub enum StandingNotification {}

impl Notification for StandingNotification {
    type Params = StandingParams;
    const METHOD: &'static str = "stubborn/standing";
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StandingParams {
    pub uri: Url,
    /// Of the text that this is about; none of a tester of the workspace that is not open.
    pub version: Option<i32>,
    /// Why nothing is known of the text as it is, where it has no meaning: what stands below was found of the
    /// text before.
    pub problem: Option<String>,
    /// In the order of the text.
    pub properties: Vec<PropertyStanding>,
    pub parameters: Vec<ParameterStanding>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PropertyStanding {
    /// With the values of its parameters: `access(2)`.
    pub name: String,
    /// Without them: `access`.
    pub base: String,
    pub kind: String,
    /// Where its name stands, which may be in a file that this one uses.
    pub uri: Url,
    pub range: Range,
    /// `holds`, `violated`, `undecided`; or, while it has no verdict, `running`, `waiting` or `stale`.
    pub state: String,
    /// The verdict of the text before, while there is none of the text as it is: `stale` with it is outdated.
    pub before: Option<String>,
    /// Whether the verdict is the one that the text expects; null where that cannot be said.
    pub right: Option<bool>,
    /// How it stands, in a few words, with a mark before them.
    pub told: String,
    /// What is wrong, in a sentence without its full stop.
    pub why: Option<String>,
    /// Whether there is a run that shows the verdict.
    pub has_run: bool,
    /// How many states the search had that decided it, and how long that had gone on by then, in seconds.
    pub states: u64,
    pub seconds: f64,
    /// Of these seconds those that are told of no other property; none where it has no verdict.
    pub took: f64,
}

/// The notification `stubborn/checking`: which searches are under way that take long enough to be told of.
#[derive(Debug)]
pub enum CheckingNotification {}

impl Notification for CheckingNotification {
    type Params = CheckingParams;
    const METHOD: &'static str = "stubborn/checking";
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CheckingParams {
    /// In the order in which they were asked for; none where nothing is searched any more.
    pub searches: Vec<Checking>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checking {
    pub uri: Url,
    /// What a person calls it: the file's name, and the value of a parameter if it is another one.
    pub name: String,
    /// How many properties it has still to decide.
    pub open: usize,
    pub states: u64,
    pub states_per_second: u64,
    pub seconds: f64,
    /// Whether it has no limit on time.
    pub unlimited: bool,
    /// Whether it stands, since others have their turn.
    pub waits: bool,
}

/// What was last told.
#[derive(Default)]
pub struct Told {
    standing: BTreeMap<Arc<str>, StandingParams>,
    checking: CheckingParams,
}

impl Told {
    /// Whether this is news of a root.
    pub fn is_news(&mut self, root: &Arc<str>, now: &StandingParams) -> bool {
        let is_news = self.standing.get(root) != Some(now);
        if is_news {
            self.standing.insert(Arc::clone(root), now.clone());
        }
        is_news
    }

    /// Forgets what is no root any more: once it is one again, it is news how it stands.
    pub fn keep(&mut self, roots: &[Root]) {
        self.standing
            .retain(|path, _| roots.iter().any(|root| root.path == *path));
    }

    /// Whether this is news.
    pub fn is_news_of_searches(&mut self, now: &CheckingParams) -> bool {
        let is_news = self.checking != *now;
        self.checking.clone_from(now);
        is_news
    }
}

/// How the properties stand of a root, which the client calls `uri`. Of one that is not open the text has no
/// `version`.
pub fn standing(
    root: &Root,
    uri: Url,
    version: Option<i32>,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> StandingParams {
    let numbers = root.names.iter().enumerate();
    let numbers = numbers.map(|(at, (name, _))| (name.as_str(), at));
    let numbers: HashMap<&str, usize> = numbers.collect();
    let properties = root.stands.iter().map(|stand| {
        let at = numbers.get(stand.name.as_str()).copied();
        of_property(root, stand, at, pending, before)
    });
    let mut properties: Vec<PropertyStanding> = properties.collect();
    share_time(root, &numbers, &mut properties);
    let problem = root.system.is_none().then(|| {
        "The text has a mistake, so that nothing can be checked. The Problems list has it."
            .to_owned()
    });
    StandingParams {
        uri,
        version,
        problem,
        properties,
        parameters: root.parameters.clone(),
    }
}

/// One of them; `at` is its number among those of the text as it is, if that has it.
fn of_property(
    root: &Root,
    stand: &Stand,
    at: Option<usize>,
    pending: &Pending,
    before: Option<&BeforeOfRoot>,
) -> PropertyStanding {
    let before = before.and_then(|before| before.get(&stand.name));
    let state = match at {
        Some(at) => root.state(at, pending, before),
        None => State::Stale(before.cloned()),
    };
    let report = match &state {
        State::Known(report) => Some(report),
        State::Pending(..) | State::Stale(_) => None,
    };
    let form = at.map(|at| root.names[at].1);
    let form = form.or(before.map(|before| before.form));
    PropertyStanding {
        name: stand.name.clone(),
        base: stand.base.clone(),
        kind: form.map_or("", kind).to_owned(),
        uri: stand.uri.clone(),
        range: stand.range,
        state: state.as_str().to_owned(),
        before: (state.before()).map(|report| report.verdict.as_str().to_owned()),
        right: report.and_then(|report| report.is_as_expected()),
        told: told(&state),
        why: report.and_then(|report| report.why.clone()),
        has_run: report.is_some_and(|report| report.trace.is_some()),
        states: report.map_or(0, |report| report.states),
        seconds: report.map_or(0.0, |report| report.seconds),
        took: 0.0,
    }
}

/// Tells each of those that have a verdict what it has taken of the time of its search.
fn share_time(root: &Root, numbers: &HashMap<&str, usize>, all: &mut [PropertyStanding]) {
    let is_alone = |one: &PropertyStanding| {
        let at = numbers.get(one.name.as_str());
        let sliced = at.and_then(|at| root.properties.get(*at));
        sliced.is_some_and(|sliced| sliced.property.is_monitored())
    };
    let has_verdict =
        |one: &&mut PropertyStanding| matches!(&*one.state, "holds" | "violated" | "undecided");
    let mut known: Vec<&mut PropertyStanding> = all.iter_mut().filter(has_verdict).collect();
    let decided = known.iter().map(|one| Decided {
        base: &one.base,
        states: one.states,
        seconds: one.seconds,
        is_alone: is_alone(one),
    });
    let each = spent(&decided.collect::<Vec<_>>());
    for (one, took) in known.iter_mut().zip(each) {
        one.took = took;
    }
}

/// How far a search for a file is.
pub fn checking(uri: Url, search: &UnderWay<'_>) -> Checking {
    let progress = search.progress;
    Checking {
        uri,
        name: search.name.to_owned(),
        open: search.open,
        states: progress.states,
        states_per_second: (progress.states as f64 / progress.seconds.max(0.001)) as u64,
        seconds: progress.seconds,
        unlimited: search.is_unlimited,
        waits: search.waits,
    }
}
