//! A run that `check --format json` has written, taken again in a model that may be another by now.
//!
//! A step of it is looked for among those that the reference interpreter finds in the state, by what the output
//! says of it: who takes it, the action, what it changes, where its participants are then. These decide the state that
//! it leads to. Where it stands in the text decides nothing, but which of several such steps it is.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use serde_json::{Map, Value};
use stubborn_checker::stepping::{
    MonitorMove, MonitorRun, MonitorState, State, Stepped, Trace, TraceStep, visit_steps,
};
use stubborn_model::{Around, NamedProperty, read_expression};
use stubborn_report::{StepReport, is_meant, named_values};
use stubborn_system::property::{Form, Property};
use stubborn_system::source_map::MonitorSource;
use stubborn_system::system::{Expr, Value as Constant};

use super::output::json_values;

/// A run that was written.
#[derive(Clone, Debug)]
pub struct Saved {
    /// Of the property that it was written for, where that is known.
    pub property: Option<String>,
    /// What the model's `param`s were, where that is known.
    parameters: Map<String, Value>,
    start: Map<String, Value>,
    steps: Vec<Value>,
    cycle: Vec<Value>,
}

impl Saved {
    /// The property of the model that it was written for.
    pub fn property_of<'m>(&self, model: &'m Stepped) -> Option<&'m NamedProperty> {
        let name = self.property.as_deref()?;
        model.properties.iter().find(|one| one.name == name)
    }
}

/// Where a run is none of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Departure {
    /// It begins elsewhere.
    Start(String),
    /// Its step with this number, from 1 and counted on through the cycle, is none of the model: why.
    Step(usize, String),
    /// What is called a cycle does not lead back.
    Cycle,
}

impl Departure {
    pub fn sentence(&self) -> String {
        match self {
            Departure::Start(why) => {
                format!("the trace does not begin where the model does: {why}")
            }
            Departure::Step(number, why) => {
                format!("the trace departs from the model at its step {number}: {why}")
            }
            Departure::Cycle => {
                "the cycle of the trace does not lead back to where it begins".to_owned()
            }
        }
    }
}

/// Reads a run out of a document of `check --format json`, or out of a `trace` of one; of several the one of
/// `property`, which may be named without its values, else the first.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn read(text: &str, property: Option<&str>) -> Result<Saved, String> {
    let document: Value =
        serde_json::from_str(text).map_err(|error| format!("it is not JSON: {error}"))?;
    let saved = |property, trace: &Value| saved(property, &document["parameters"], trace);
    let Some(properties) = document.get("properties") else {
        return saved(None, &document);
    };
    let properties = properties.as_array().map_or(&[][..], Vec::as_slice);
    let name = |one: &Value| one["name"].as_str().unwrap_or_default().to_owned();
    let with_trace = || properties.iter().filter(|one| one["trace"].is_object());
    let Some(wanted) = property else {
        let first = with_trace().next();
        let first = first.ok_or("no property in it has a trace")?;
        return saved(Some(name(first)), &first["trace"]);
    };
    let exact = with_trace().find(|one| name(one) == wanted);
    let found = exact.or_else(|| with_trace().find(|one| is_meant(&name(one), wanted)));
    match found {
        Some(found) => saved(Some(name(found)), &found["trace"]),
        None if properties.iter().any(|one| name(one) == wanted) => {
            Err(format!("its property `{wanted}` has no trace"))
        }
        None => Err(format!("it has no property `{wanted}`")),
    }
}

fn saved(property: Option<String>, parameters: &Value, trace: &Value) -> Result<Saved, String> {
    let steps = |name: &str| match trace.get(name) {
        Some(Value::Array(steps)) => Ok(steps.clone()),
        None if name == "cycle" => Ok(Vec::new()),
        _ => Err(format!("it has no trace: `{name}` is not a list of steps")),
    };
    let Some(Value::Object(start)) = trace.get("start") else {
        return Err("it has no trace: there is no `start` with the values at first".to_owned());
    };
    Ok(Saved {
        property,
        parameters: parameters.as_object().cloned().unwrap_or_default(),
        start: start.clone(),
        steps: steps("steps")?,
        cycle: steps("cycle")?,
    })
}

/// "it was made with N = 3, here it is 2", where a saved run was made with other settings than the model has here.
pub fn made_with_others(model: &Stepped, saved: &Saved) -> Option<String> {
    let (mut then, mut now) = (Vec::new(), Vec::new());
    for (name, value) in &saved.parameters {
        let (program, settings) = (&model.program, &model.settings);
        let read = read_expression(program, settings, Around::File, name, &|| false);
        let here = match read {
            Ok(Ok(read)) => read.expr,
            _ => continue,
        };
        match here {
            Expr::Const(Constant::Int(here)) if Some(here) != value.as_i64() => {
                then.push(format!("{name}={value}"));
                now.push(here.to_string());
            }
            _ => {}
        }
    }
    let here = if now.len() == 1 {
        "here it is"
    } else {
        "here they are"
    };
    let (then, now) = (then.join(", "), now.join(", "));
    (!then.is_empty()).then(|| format!("it was made with {then}, {here} {now}"))
}

/// Takes a saved run in the model.
///
/// # Errors
/// Where it is none of the model.
pub fn follow(model: &Stepped, saved: &Saved) -> Result<Trace, Departure> {
    // What watches is no part of the system, and what it does leads nobody elsewhere.
    let watching = model.properties.iter().filter(|one| one.monitor.is_some());
    let watching: BTreeSet<&str> = watching.map(|one| &*one.name).collect();
    let start = State::initial(&model.system);
    starts_alike(model, &start, saved, &watching)?;
    let mut now = start.clone();
    let mut taken = Vec::new();
    let mut where_cycle_begins = None;
    let count = saved.steps.len() + saved.cycle.len();
    for (at, step) in saved.steps.iter().chain(&saved.cycle).enumerate() {
        if at == saved.steps.len() {
            where_cycle_begins = Some(now.clone());
        }
        let departs = |why| Departure::Step(at + 1, why);
        let wanted = Wanted::of(step, &watching).map_err(departs)?;
        let found = match wanted.by.is_empty() {
            true => wanted.alone().map_err(departs)?,
            false => wanted.find(model, &now).map_err(departs)?,
        };
        if found.failure.is_some() && at + 1 < count {
            return Err(departs(
                "it fails there, and others come after it".to_owned(),
            ));
        }
        now.apply(&found.changes);
        taken.push(found);
    }
    if where_cycle_begins.is_some_and(|begins| begins != now) {
        return Err(Departure::Cycle);
    }
    let monitor = monitor_run(model, saved, &taken);
    let cycle = taken.split_off(saved.steps.len());
    Ok(Trace::new(start, taken, cycle).beside(monitor))
}

/// Returns what the monitor of the saved run's property does beside it. `None` if there is no monitor, or
/// if the trace names a state that it does not have.
fn monitor_run(model: &Stepped, saved: &Saved, taken: &[TraceStep]) -> Option<MonitorRun> {
    let named = saved.property_of(model)?;
    let source = named.monitor.as_ref()?;
    let state = |said: Option<&Value>| monitor_state(named.form, source, said?.as_str()?);
    let start = state(saved.start.get(&named.name))?;
    let mut now = start.clone();
    let mut moves = Vec::with_capacity(taken.len());
    for (said, step) in saved.steps.iter().chain(&saved.cycle).zip(taken) {
        let takes_part = said["by"]
            .as_array()
            .is_some_and(|by| by.iter().any(|who| *who == *named.name));
        let after = match takes_part {
            true => state(said["at"].get(&named.name))?,
            false => now.clone(),
        };
        let number = takes_part.then(|| tester_step(named, &now, step, &after));
        moves.push(MonitorMove {
            takes_part,
            step: number.flatten(),
            after: after.clone(),
        });
        now = after;
    }
    Some(MonitorRun { start, moves })
}

/// Returns the state of a monitor that is shown as `waiting`, or as `{a, b}` of a refinement.
fn monitor_state(form: Form, source: &MonitorSource, shown: &str) -> Option<MonitorState> {
    let number = |name: &str| {
        let at = source.states.iter().position(|state| state.name == name)?;
        u32::try_from(at).ok()
    };
    if form != Form::Refinement {
        return Some(vec![number(shown)?]);
    }
    let names = shown.strip_prefix('{')?.strip_suffix('}')?;
    let names = names.split(", ").filter(|name| !name.is_empty());
    names.map(number).collect()
}

/// Returns the step that a tester takes with a step of the model. The other monitors have no steps in the text.
fn tester_step(
    named: &NamedProperty,
    before: &[u32],
    taken: &TraceStep,
    after: &[u32],
) -> Option<u32> {
    let Property::Tester(tester) = named.property.asked() else {
        return None;
    };
    let state = tester.states.get(*before.first()? as usize)?;
    let mut steps = (0..).zip(&state.steps);
    let (number, _) = steps.find(|(_, step)| {
        let is_on = match (&step.on, &taken.action) {
            (Some(on), Some((action, values))) => {
                let mut pairs = on.arguments.iter().zip(values);
                on.action == *action
                    && pairs.all(|(wanted, value)| wanted.is_none_or(|one| one == *value))
            }
            (None, _) => taken.participants.is_empty(),
            _ => false,
        };
        is_on && [step.target] == *after
    })?;
    Some(number)
}

fn starts_alike(
    model: &Stepped,
    start: &State,
    saved: &Saved,
    watching: &BTreeSet<&str>,
) -> Result<(), Departure> {
    let own = json_values(&named_values(&model.system, &model.map, start));
    let own = own.as_object().cloned().unwrap_or_default();
    for (name, value) in &own {
        match saved.start.get(name) {
            Some(said) if said == value => {}
            Some(said) => {
                let why = format!("`{name}` is {value} in the model, and {said} in the trace");
                return Err(Departure::Start(why));
            }
            None => {
                return Err(Departure::Start(format!(
                    "it does not say what `{name}` is"
                )));
            }
        }
    }
    let mut foreign = saved.start.keys();
    let foreign = foreign.find(|name| !own.contains_key(*name) && !watching.contains(&***name));
    match foreign {
        Some(name) => Err(Departure::Start(format!("the model has no `{name}`"))),
        None => Ok(()),
    }
}

/// What is said of a step, but for what a tester or an automaton does.
#[derive(Debug)]
struct Wanted {
    by: Vec<String>,
    action: Option<String>,
    changes: Value,
    at: Map<String, Value>,
    line: Option<u64>,
}

impl Wanted {
    fn of(step: &Value, watching: &BTreeSet<&str>) -> Result<Wanted, String> {
        let by = step["by"]
            .as_array()
            .ok_or("it does not say who takes it")?;
        let by = by.iter().filter_map(Value::as_str);
        let by = by.filter(|who| !watching.contains(who)).map(str::to_owned);
        let mut at = step["at"].as_object().cloned().unwrap_or_default();
        at.retain(|who, _| !watching.contains(&**who));
        Ok(Wanted {
            by: by.collect(),
            action: step["action"].as_str().map(str::to_owned),
            changes: match &step["changes"] {
                changes @ Value::Object(_) => changes.clone(),
                _ => Value::Object(Map::new()),
            },
            at,
            line: step["range"]["start"]["line"].as_u64(),
        })
    }

    /// A step that only what watches takes.
    fn alone(&self) -> Result<TraceStep, String> {
        let changes_something = self.changes.as_object().is_some_and(|all| !all.is_empty());
        if changes_something || self.action.is_some() {
            return Err("nobody of the model takes it, and yet it does something".to_owned());
        }
        Ok(TraceStep {
            participants: Vec::new(),
            action: None,
            failure: None,
            changes: Vec::new(),
        })
    }

    /// The step that this is said of.
    fn find(&self, model: &Stepped, now: &State) -> Result<TraceStep, String> {
        let mut best: Option<TraceStep> = None;
        let mut nearly: Option<String> = None;
        let who = |instance: u32| model.map.instance(instance);
        let _ = visit_steps(&model.system, now, &mut |one| {
            let participants = one.participants.iter().map(|(instance, _)| who(*instance));
            if !participants.eq(self.by.iter().map(String::as_str)) {
                return ControlFlow::Continue(());
            }
            let step = one.taken(now);
            let told = model.told(now, &step);
            if let Some(difference) = self.differs(&told) {
                nearly.get_or_insert(difference);
                return ControlFlow::Continue(());
            }
            let leads_on = step.failure.is_none();
            let is_there = Some(u64::from(told.place.range.start.line)) == self.line;
            // One that leads on rather than one that fails.
            let is_better = |known: &TraceStep| {
                (leads_on && known.failure.is_some())
                    || (leads_on == known.failure.is_none() && is_there)
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(step);
            }
            match leads_on && is_there {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        let by = self.by.join(" and ");
        best.ok_or_else(|| match (nearly, &self.action) {
            (Some(difference), _) => format!("{by} can take a step there, but {difference}"),
            (None, Some(action)) => format!("{by} cannot take {action} there"),
            (None, None) => format!("{by} can take no step there"),
        })
    }

    /// What is other in a step of the model, by the same participants.
    fn differs(&self, told: &StepReport) -> Option<String> {
        if told.action != self.action {
            let action = |action: &Option<String>| match action {
                Some(action) => format!("with the action {action}"),
                None => "without an action".to_owned(),
            };
            return Some(format!(
                "{}, and in the trace {}",
                action(&told.action),
                action(&self.action)
            ));
        }
        let changes = json_values(&told.changes);
        if changes != self.changes {
            return Some(format!(
                "it changes {changes}, and in the trace {}",
                self.changes
            ));
        }
        let mut at = told.by.iter().zip(&told.to);
        at.find_map(|(who, to)| match self.at.get(who) {
            Some(Value::String(said)) if said == to => None,
            Some(said) => {
                let said = said
                    .as_str()
                    .map_or_else(|| said.to_string(), str::to_owned);
                Some(format!("{who} is at {to} then, and in the trace at {said}"))
            }
            None => None,
        })
    }
}
