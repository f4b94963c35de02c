//! What a client sees of the place where the run stands: threads, their frames, variables by scope, expressions, and what
//! can be taken.

use serde::Deserialize;
use serde_json::{Value, json};
use stubborn_checker::stepping::{Standing, TraceStep, Who, standing, standing_of_monitor};
use stubborn_model::Around;
use stubborn_system::source_map::Shape;
use stubborn_system::system::InstanceId;

use super::super::breakpoints::source;
use super::super::going::{Going, MOST_ENABLED};
use super::super::variables::{Node, Parts, Window, add_parts, children, size};
use super::{MOVED, NOT_LAUNCHED, OfThread, Session, thread};

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OfFrame {
    frame_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Below {
    variables_reference: i64,
    #[serde(default)]
    filter: Option<String>,
    #[serde(default)]
    start: Option<usize>,
    #[serde(default)]
    count: Option<usize>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evaluated {
    expression: String,
    #[serde(default)]
    frame_id: Option<i64>,
}

impl Session {
    /// A thread for each instance, and one for what watches the run.
    pub(super) fn threads(&self) -> Vec<Value> {
        let Some(going) = &self.going else {
            return Vec::new();
        };
        let instances = &going.run.model().map.instances;
        let mut threads: Vec<Value> = (0..)
            .zip(instances)
            .map(|(instance, source)| json!({"id": thread(instance), "name": source.name}))
            .collect();
        if let Some(monitor) = standing_of_monitor(&going.run) {
            threads.push(json!({"id": instances.len() + 1, "name": monitor.who}));
        }
        if threads.is_empty() {
            threads.push(json!({"id": 1, "name": "the model, which has no process"}));
        }
        threads
    }

    pub(super) fn who(&self, thread: i64) -> Option<Who> {
        let going = self.going.as_ref()?;
        let count = going.run.model().map.instances.len() as i64;
        match thread {
            1.. if thread <= count => Some(Who::Instance((thread - 1) as InstanceId)),
            _ if thread == count + 1 => Some(Who::Monitor),
            _ => None,
        }
    }

    /// Where somebody is. A frame has the number of its thread.
    pub(super) fn standing(&self, thread: i64) -> Option<Standing> {
        let run = &self.going.as_ref()?.run;
        match self.who(thread)? {
            Who::Instance(instance) => standing(run, instance),
            Who::Monitor => standing_of_monitor(run),
        }
    }

    pub(super) fn stack(&self, asked: OfThread) -> Result<Value, String> {
        self.going()?;
        let frames: Vec<Value> = match self.standing(asked.thread_id) {
            None => Vec::new(),
            Some(standing) => {
                let range = standing.place.range;
                vec![json!({
                    "id": asked.thread_id,
                    "name": standing.at,
                    "source": source(&standing.place.file),
                    "line": self.line(range.start.line),
                    "column": self.column(range.start.column),
                    "endLine": self.line(range.end.line),
                    "endColumn": self.column(range.end.column),
                })]
            }
        };
        Ok(json!({"totalFrames": frames.len(), "stackFrames": frames}))
    }

    pub(super) fn scopes(&mut self, asked: OfFrame) -> Result<Value, String> {
        let who = self.who(asked.frame_id);
        let going = self.going.as_ref().ok_or(NOT_LAUNCHED)?;
        let mut nodes = Vec::new();
        if let Some(Who::Instance(instance)) = who {
            nodes.push(("Locals", Node::Locals(instance)));
        }
        nodes.push(("Shared", Node::Shared));
        nodes.push(("Channels", Node::Channels));
        nodes.push(("Properties", Node::Properties));
        if going.run.given().is_none() {
            nodes.push(("Enabled steps", Node::Enabled(offered(going))));
        }
        let scopes = nodes.into_iter().filter_map(|(name, node)| {
            let count = size(&going.run, &node);
            // The locals are there even where there are none: it is them that are looked for.
            (count > 0 || name == "Locals").then(|| {
                let mut scope = json!({
                    "name": name,
                    "expensive": false,
                    "variablesReference": self.references.to(node),
                });
                if name == "Locals" {
                    scope["presentationHint"] = "locals".into();
                }
                scope
            })
        });
        Ok(json!({"scopes": scopes.collect::<Vec<_>>()}))
    }

    pub(super) fn variables(&mut self, asked: &Below) -> Result<Value, String> {
        let node = self.references.node(asked.variables_reference);
        let node = node.cloned().ok_or(MOVED)?;
        let going = self.going.as_mut().ok_or(NOT_LAUNCHED)?;
        let is_indexed = match &node {
            Node::Messages(_) => true,
            Node::Parts(parts) => {
                matches!(parts.shape, Shape::Array(..))
            }
            _ => false,
        };
        let is_wanted = match asked.filter.as_deref() {
            Some("indexed") => is_indexed,
            Some("named") => !is_indexed,
            _ => true,
        };
        let window = Window {
            start: asked.start.unwrap_or(0),
            // The protocol has 0 stand for all.
            count: match asked.count {
                None | Some(0) => usize::MAX,
                Some(count) => count,
            },
        };
        let found = match is_wanted {
            true => children(going, &mut self.references, &node, window),
            false => Vec::new(),
        };
        Ok(json!({"variables": found}))
    }

    pub(super) fn evaluate(&mut self, asked: &Evaluated) -> Result<Value, String> {
        let around = match asked.frame_id.and_then(|frame| self.who(frame)) {
            Some(Who::Instance(instance)) => Around::Instance(instance),
            Some(Who::Monitor) | None => Around::File,
        };
        let going = self.going.as_mut().ok_or(NOT_LAUNCHED)?;
        let state = going.run.state();
        let answer = going.asking.ask(around, state, &asked.expression)?;
        let mut shown = json!({"result": answer.text, "variablesReference": 0});
        if let Some((value, shape, ty)) = answer.parts {
            let parts = Parts {
                // What is around it may not be around what is below it.
                name: String::new(),
                before: None,
                value,
                shape,
                ty,
            };
            add_parts(&mut shown, parts, &mut self.references);
        }
        Ok(shown)
    }

    pub(super) fn targets(&self) -> Result<Value, String> {
        let going = self.going()?;
        let targets = (1..).zip(offered(going));
        let targets = targets.map(|(id, label): (i64, String)| json!({"id": id, "label": label}));
        Ok(json!({"targets": targets.collect::<Vec<_>>()}))
    }

    /// The step that was offered with this number.
    pub(super) fn target(&self, id: i64) -> Result<TraceStep, String> {
        let mut steps = self.going()?.run.enabled(MOST_ENABLED).steps;
        let at = usize::try_from(id).ok().and_then(|id| id.checked_sub(1));
        match at.filter(|at| *at < steps.len()) {
            Some(at) => Ok(steps.swap_remove(at)),
            None => Err("there is no such step here".to_owned()),
        }
    }
}

/// What can be taken here, in words; more than a person goes through are left out.
fn offered(going: &Going) -> Vec<String> {
    let run = &going.run;
    let enabled = run.enabled(MOST_ENABLED);
    let words = enabled.steps.iter();
    words
        .map(|step| run.model().in_short(run.state(), step))
        .collect()
}
