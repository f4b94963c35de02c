//! What a session is to be about: the model, and the run that is gone along, which is searched for.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use stubborn_engine::{Caller, Clock, Event, Observer, Options, Outcome, Verdict, check};
use stubborn_model::NamedProperty;
use stubborn_model::names::nearest;
use stubborn_report::stepping::{Given, Stepped};
use stubborn_report::{ProblemReport, grouped, property, reason};
use stubborn_system::property::{Form, Property};

use super::protocol::Client;
use super::wishes::Wishes;
use crate::command_line::{Definition, Selection, definition, quiet_options, stepped};

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

fn yes() -> bool {
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

/// Reads the model.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn model(attributes: &Attributes, wishes: &Wishes) -> Result<Stepped, String> {
    let mut definitions: Vec<Definition> = Vec::new();
    for (name, value) in &attributes.parameters {
        let value = match value {
            Value::String(value) => value.clone(),
            value => value.to_string(),
        };
        let read = definition(&format!("{name}={value}"));
        definitions.push(read.map_err(|why| format!("the parameter `{name}`: {why}"))?);
    }
    stepped(&attributes.program, &definitions, &|| wishes.to_end()).map_err(|errors| {
        let all: Vec<String> = errors.errors().map(ProblemReport::in_line).collect();
        let first = first_of(&all);
        first.unwrap_or_else(|| "the model has no meaning".to_owned())
    })
}

/// Searches for the run.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn search(
    model: &Stepped,
    attributes: &Attributes,
    client: Option<&Client>,
    wishes: &Wishes,
) -> Result<Found, String> {
    let wanted = wanted(model, attributes.property.as_deref())?;
    let is_named = attributes.property.is_some();
    let properties: Vec<Property> = wanted.iter().map(|one| one.property.clone()).collect();
    let timeout = attributes.timeout.filter(|seconds| *seconds > 0.0);
    let timeout = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let options = quiet_options(timeout);
    let following = Following {
        client,
        wishes,
        is_enough: wanted
            .iter()
            .map(|one| is_named || !one.expected_violated)
            .collect(),
        is_found: AtomicBool::new(false),
    };
    let caller = Caller::timed_by(&following).observed_by(&following);
    let outcomes = check(&model.system, &properties, &options, caller);
    let outcomes = outcomes.map_err(|error| error.to_string())?;
    let run_of = |at: &usize| matches!(outcomes[*at].verdict, Verdict::Violated { .. });
    let first = (0..wanted.len()).find(|at| run_of(at) && following.is_enough[*at]);
    match first.or_else(|| (0..wanted.len()).find(run_of)) {
        Some(at) => Ok(found(model, wanted[at], &outcomes[at], &options)),
        None if wishes.to_end() => Err("the search was ended".to_owned()),
        None => Err(nothing(model, &wanted, &outcomes)),
    }
}

/// The properties that are searched for a run: of this name, or those of which a run shows that something is wrong.
fn wanted<'m>(model: &'m Stepped, name: Option<&str>) -> Result<Vec<&'m NamedProperty>, String> {
    let all = model.properties.iter();
    let Some(name) = name else {
        return Ok(all.filter(|one| one.form != Form::Reachable).collect());
    };
    let selection = Selection::new(&[name.to_owned()]);
    let wanted: Vec<_> = all.filter(|one| selection.has(one)).collect();
    if !wanted.is_empty() {
        return Ok(wanted);
    }
    let known = model.properties.iter().map(|one| &*one.name);
    let near = nearest(name, known);
    Err(match (near, first_of(&model.mistakes)) {
        (Some(near), _) => format!("there is no property `{name}`; did you mean `{near}`?"),
        (None, Some(mistake)) => {
            format!(
                "there is no property `{name}` that has a meaning, as there is a mistake: {mistake}"
            )
        }
        (None, None) => format!("there is no property `{name}`"),
    })
}

fn found(model: &Stepped, named: &NamedProperty, outcome: &Outcome, options: &Options) -> Found {
    let told = property(named, outcome, options.search, model.about(), &|| {});
    let Verdict::Violated { trace, .. } = &outcome.verdict else {
        unreachable!("a run was found");
    };
    Found {
        given: Given {
            trace: Arc::clone(trace),
            property: Some(named.clone()),
        },
        property: named.name.clone(),
        why: told.why.unwrap_or_default(),
        is_witness: named.form == Form::Reachable,
    }
}

/// The first of some mistakes, and how many there are besides.
fn first_of(mistakes: &[String]) -> Option<String> {
    let first = mistakes.first()?;
    Some(match mistakes.len() - 1 {
        0 => first.clone(),
        others => format!("{first} (and {others} more)"),
    })
}

/// Why there is no run to go along.
fn nothing(model: &Stepped, wanted: &[&NamedProperty], outcomes: &[Outcome]) -> String {
    let instead = "a session that simulates goes along a run of your own";
    let open = outcomes.iter().find_map(|one| match &one.verdict {
        Verdict::Undecided(why) => Some(reason(why)),
        _ => None,
    });
    match (open, wanted) {
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
        (None, _) => match first_of(&model.mistakes) {
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
