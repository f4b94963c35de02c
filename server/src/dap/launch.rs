//! What a session is to be about: the model, and the run that is gone along, which is searched for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use stubborn_checker::stepping::{Given, Stepped};
use stubborn_checker::{
    Asked, Caller, Check, Clock, Errors, Event, Model, Observer, Selection, Verdict,
};
use stubborn_model::NamedProperty;
use stubborn_model::names::nearest;
use stubborn_report::{PropertyReport, grouped};
use stubborn_system::property::Form;

use super::protocol::Client;
use super::wishes::Wishes;
use crate::command_line::{definition, read_model, whole_machine};

/// What a client says of the session that it wants.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Attributes {
    /// The file with the model, or with testers of one.
    pub program: PathBuf,
    /// The property whose run is gone along; else the first one that is found to be violated.
    #[serde(default)]
    pub property: Option<String>,
    /// Values of `param`s.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    #[serde(default)]
    pub mode: Mode,
    /// What decides the steps that are taken at random.
    #[serde(default)]
    pub seed: Option<u64>,
    #[serde(default = "yes")]
    pub stop_on_entry: bool,
    /// So many seconds the search may take.
    #[serde(default)]
    pub timeout: Option<f64>,
}

pub(super) fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Mode {
    /// A run that violates a property, or is the witness of one.
    #[default]
    Counterexample,
    /// A run that is made up on the way.
    Simulate,
}

/// A run that was found.
pub struct Found {
    pub given: Given,
    /// The property's name.
    pub property: String,
    /// What the run shows, as a sentence.
    pub why: String,
    /// It is the witness of what is to be reached.
    pub is_witness: bool,
}

/// Reads the model, for the search and for going along a run.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn model(attributes: &Attributes, wishes: &Wishes) -> Result<(Model, Stepped), String> {
    let definitions = attributes.parameters.iter().map(|(name, value)| {
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let read = definition(&format!("{name}={value}"));
        read.map_err(|why| format!("the parameter `{name}`: {why}"))
    });
    let definitions: Vec<_> = definitions.collect::<Result<_, String>>()?;
    let read = read_model(&attributes.program, &definitions, &|| wishes.to_end());
    let read = read.map_err(Errors::from);
    let read = read.and_then(|model| Ok((model.stepped()?, model)));
    read.map(|(stepped, model)| (model, stepped))
        .map_err(|errors| {
            first_of(&errors).unwrap_or_else(|| "the model has no meaning".to_owned())
        })
}

/// Searches for the run.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn search(
    model: &Model,
    attributes: &Attributes,
    client: Option<&Client>,
    wishes: &Wishes,
) -> Result<Found, String> {
    let wanted = wanted(model, attributes.property.as_deref())?;
    let is_named = attributes.property.is_some();
    let timeout = attributes.timeout.filter(|seconds| *seconds > 0.0);
    let timeout = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let options = whole_machine(None);
    let options = timeout.map_or(options, |timeout| options.within(timeout));
    let following = Following {
        client,
        wishes,
        is_enough: wanted
            .iter()
            .map(|one| is_named || !one.expected_violated)
            .collect(),
        is_found: AtomicBool::new(false),
    };
    let mut check = Check::new(
        &options,
        Caller::timed_by(&following).observed_by(&following),
    );
    check.vacuity = false;
    let asked = wanted.iter().map(|named| Asked::new(model, named));
    let checked = check.check(&asked.collect::<Vec<_>>());
    let checked = checked.map_err(|error| error.to_string())?;
    let runs = wanted.iter().zip(&checked.properties).zip(&checked.traces);
    let runs = runs.zip(&following.is_enough);
    let runs = runs.filter_map(|(((named, report), trace), is_enough)| {
        Some((*named, report, trace.as_ref()?, *is_enough))
    });
    let first = runs.clone().find(|(.., is_enough)| *is_enough);
    match first.or_else(|| runs.clone().next()) {
        Some((named, report, trace, _)) => Ok(Found {
            given: Given {
                trace: Arc::clone(trace),
                property: Some(named.clone()),
            },
            property: named.name.clone(),
            why: report.why.clone().unwrap_or_default(),
            is_witness: named.form == Form::Reachable,
        }),
        None if wishes.to_end() => Err("the search was ended".to_owned()),
        None => Err(nothing(model, &checked.properties)),
    }
}

/// The properties that are searched for a run: of this name, or those of which a run shows that something is wrong.
fn wanted<'m>(model: &'m Model, name: Option<&str>) -> Result<Vec<&'m NamedProperty>, String> {
    let all = model.named_properties().iter();
    let Some(name) = name else {
        return Ok(all.filter(|one| one.form != Form::Reachable).collect());
    };
    let selection = Selection::new(&[name.to_owned()]);
    let wanted: Vec<_> = all.filter(|one| selection.has(one)).collect();
    if !wanted.is_empty() {
        return Ok(wanted);
    }
    let near = nearest(name, model.properties());
    Err(match (near, first_of(&model.errors())) {
        (Some(near), _) => format!("there is no property `{name}`; did you mean `{near}`?"),
        (None, Some(mistake)) => {
            format!(
                "there is no property `{name}` that has a meaning, as there is a mistake: {mistake}"
            )
        }
        (None, None) => format!("there is no property `{name}`"),
    })
}

/// The first of some errors, and how many there are besides.
fn first_of(errors: &Errors) -> Option<String> {
    let first = errors.errors().next()?.in_line();
    Some(match errors.errors().count() - 1 {
        0 => first,
        others => format!("{first} (and {others} more)"),
    })
}

/// Why there is no run to go along.
fn nothing(model: &Model, properties: &[PropertyReport]) -> String {
    let instead = "a session that simulates goes along a run of your own";
    let mut all = properties.iter();
    let open = all.find(|one| one.verdict == Verdict::Undecided);
    let open = open.map(|one| one.why.as_deref().unwrap_or_default());
    match (open, properties) {
        (Some(why), [one]) => format!("{} is undecided: {why}", one.name),
        (Some(why), _) => format!("nothing was found violated, and not all is decided: {why}"),
        (None, [one]) if one.form == Form::Reachable => {
            format!(
                "{}: no state has it, so there is no run to it; {instead}",
                one.name
            )
        }
        (None, [one]) => format!(
            "{} holds: there is no run that violates it; {instead}",
            one.name
        ),
        (None, _) => match first_of(&model.errors()) {
            Some(mistake) => format!(
                "what has a meaning holds, and not everything has one, as there is a mistake: {mistake}"
            ),
            None => format!("every property holds: there is no run that violates one; {instead}"),
        },
    }
}

/// Who follows the search.
struct Following<'a> {
    /// Who is told how far it is, if anybody.
    client: Option<&'a Client>,
    wishes: &'a Wishes,
    /// Of which properties a run is what is looked for.
    is_enough: Vec<bool>,
    is_found: AtomicBool,
}

/// What the search is called among things that go on.
const SEARCH: &str = "search";

impl Observer for Following<'_> {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Progress(progress) => {
                if let Some(client) = self.client {
                    let states = grouped(progress.states);
                    let body = json!({"progressId": SEARCH, "message": format!("{states} states")});
                    client.event("progressUpdate", body);
                }
            }
            Event::Decided(property, outcome)
                if outcome.verdict.is_violated() && self.is_enough[property] =>
            {
                self.is_found.store(true, Relaxed);
            }
            _ => {}
        }
    }
}

impl Clock for Following<'_> {
    fn is_cancelled(&self) -> bool {
        self.wishes.to_end() || self.is_found.load(Relaxed)
    }
}

/// Tells a client that shows what goes on that the search begins, or is over.
pub fn tell_search(client: &Client, begins: bool) {
    match begins {
        true => client.event(
            "progressStart",
            json!({"progressId": SEARCH, "title": "Searching for a run", "cancellable": false}),
        ),
        false => client.event("progressEnd", json!({"progressId": SEARCH})),
    }
}

/// How long a search has taken, for people.
pub fn seconds(began: Instant) -> String {
    format!("{:.2} s", began.elapsed().as_secs_f64())
}
