//! One session with a client: its requests, and what is said of the run. What is seen of a place is in `session/looking.rs`.

mod looking;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use serde::Deserialize;
use serde_json::{Value, json};
use stubborn_checker::Model;
use stubborn_checker::stepping::{Run, Stepped, TraceStep};
use stubborn_report::defect::caught;
use stubborn_system::system::InstanceId;

use super::breakpoints::{Breakpoints, Wanted};
use super::going::{Go, Going, Shows, Stop};
use super::launch::{self, Attributes, Mode, yes};
use super::protocol::{Client, Request};
use super::variables::References;
use super::wishes::Wishes;
use crate::command_line::read_text;

pub struct Session {
    client: Arc<Client>,
    wishes: Arc<Wishes>,
    counting: Counting,
    tells_progress: bool,
    /// Once it is launched.
    going: Option<Going>,
    stops_on_entry: bool,
    references: References,
    /// Where it stands.
    last: Option<Stop>,
}

/// How the client counts lines and columns.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Counting {
    #[serde(default = "yes", rename = "linesStartAt1")]
    lines: bool,
    #[serde(default = "yes", rename = "columnsStartAt1")]
    columns: bool,
}

/// What follows on an answer.
enum After {
    Nothing,
    /// The client may say now where to stop.
    Launched,
    /// It has said so.
    Configured,
    Go(Go),
    /// A step that the client has not announced to its user.
    Take(TraceStep),
    Paused,
    Terminated,
    End,
}

type Answer = Result<(Value, After), String>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfThread {
    thread_id: i64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Into {
    target_id: Option<i64>,
}

#[derive(Deserialize)]
struct OfFile {
    source: OfPath,
    #[serde(default)]
    breakpoints: Vec<OfLine>,
}

#[derive(Deserialize)]
struct OfPath {
    path: Option<PathBuf>,
}

#[derive(Deserialize)]
struct OfLine {
    line: i64,
    #[serde(default)]
    condition: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OfLines {
    source: OfPath,
    line: i64,
    #[serde(default)]
    end_line: Option<i64>,
}

const NOT_LAUNCHED: &str = "there is no run yet: `launch` begins one";
const MOVED: &str = "the run is somewhere else by now";

impl Session {
    pub fn new(client: Arc<Client>, wishes: Arc<Wishes>) -> Session {
        Session {
            client,
            wishes,
            counting: Counting {
                lines: true,
                columns: true,
            },
            tells_progress: false,
            going: None,
            stops_on_entry: true,
            references: References::default(),
            last: None,
        }
    }

    /// Answers requests until the client has left.
    pub fn serve(mut self, requests: impl Iterator<Item = Request>) {
        for request in requests {
            let answer = caught(|| self.answer(&request)).unwrap_or_else(|defect| {
                Err(format!(
                    "stubborn has a bug, and your model is not to blame: {defect}"
                ))
            });
            let (answer, after) = match answer {
                Ok((body, after)) => (Ok(body), after),
                Err(why) => (Err(why), After::Nothing),
            };
            self.wishes.is_answered(&request);
            self.client.answer(&request, answer);
            if let After::End = after {
                return;
            }
            if let Err(defect) = caught(|| self.follow(after)) {
                self.client.say(&format!("stubborn has a bug: {defect}"));
            }
        }
    }

    fn answer(&mut self, request: &Request) -> Answer {
        let empty = |after| Ok((Value::Null, after));
        let told = |body| Ok((body, After::Nothing));
        match &*request.command {
            "initialize" => {
                self.counting = request.arguments()?;
                let client: Value = request.arguments()?;
                self.tells_progress = client["supportsProgressReporting"] == true;
                told(capabilities())
            }
            "launch" => {
                self.launch(request.arguments()?)?;
                empty(After::Launched)
            }
            "attach" => Err("there is nothing to attach to: `launch` begins a run".to_owned()),
            "setBreakpoints" => told(self.set_breakpoints(request.arguments()?)?),
            "breakpointLocations" => told(self.breakpoint_locations(request.arguments()?)?),
            "setExceptionBreakpoints" | "setFunctionBreakpoints" => {
                told(json!({"breakpoints": []}))
            }
            "configurationDone" => {
                self.going()?;
                empty(After::Configured)
            }
            "threads" => told(json!({"threads": self.threads()})),
            "stackTrace" => told(self.stack(request.arguments()?)?),
            "scopes" => told(self.scopes(request.arguments()?)?),
            "variables" => told(self.variables(&request.arguments()?)?),
            "evaluate" => told(self.evaluate(&request.arguments()?)?),
            "stepInTargets" => told(self.targets()?),
            "continue" => {
                self.going()?;
                Ok((json!({"allThreadsContinued": true}), After::Go(Go::On)))
            }
            "reverseContinue" => self.press(Go::OnBack),
            "next" => {
                let OfThread { thread_id } = request.arguments()?;
                self.going()?;
                let who = self.who(thread_id).ok_or("there is no such thread")?;
                self.press(Go::Of(who))
            }
            "stepIn" => {
                let Into { target_id } = request.arguments()?;
                let chosen = match target_id {
                    None => None,
                    Some(id) => Some(self.target(id)?),
                };
                self.press(Go::Step(chosen))
            }
            // For buttons of a client's own, which does not know that the run goes on.
            "takeStep" => {
                let Into { target_id } = request.arguments()?;
                let step = self.target(target_id.unwrap_or(0))?;
                Ok((Value::Null, After::Take(step)))
            }
            "exceptionInfo" => {
                let stop = self.last.as_ref().ok_or(NOT_LAUNCHED)?;
                told(json!({
                    "exceptionId": stop.brief,
                    "description": stop.description,
                    "breakMode": "always",
                }))
            }
            "stepOut" => self.press(Go::Step(None)),
            "stepBack" => self.press(Go::Back),
            "restart" => {
                self.tell_if_edited();
                self.press(Go::Restart)
            }
            "pause" => {
                self.going()?;
                empty(After::Paused)
            }
            "terminate" => empty(After::Terminated),
            "disconnect" => empty(After::End),
            other => Err(format!("`{other}` is nothing that can be done here")),
        }
    }

    /// A session goes along a run of the text that it was begun with.
    fn tell_if_edited(&self) {
        let Some(going) = &self.going else { return };
        let is_edited = |(path, text): (&str, &str)| {
            let now = read_text(Path::new(path));
            now.is_ok_and(|now| now != text)
        };
        if let Some((path, _)) = going.run.model().texts.files().find(|one| is_edited(*one)) {
            self.client.say(&format!(
                "{path} has changed since this session began, which goes on with the text as it was; begin \
                 another one for the new text"
            ));
        }
    }

    fn press(&self, go: Go) -> Answer {
        self.going()?;
        Ok((Value::Null, After::Go(go)))
    }

    fn follow(&mut self, after: After) {
        match after {
            After::Nothing | After::End => {}
            After::Launched => self.client.event("initialized", Value::Null),
            After::Configured => {
                let Some(going) = &self.going else { return };
                if self.stops_on_entry {
                    let stop = going.at_start("entry");
                    self.tell(stop);
                } else {
                    self.go(Go::Begin);
                }
            }
            // A client that has asked for it takes what stood for standing still, and what stops then for another
            // thread: nvim-dap has that go on.
            After::Go(Go::Restart) => {
                self.tell_continued();
                self.go(Go::Restart);
            }
            After::Go(go) => self.go(go),
            After::Take(step) => {
                self.tell_continued();
                self.go(Go::Step(Some(step)));
            }
            After::Paused => self.tell(Stop {
                reason: "pause",
                brief: "paused".to_owned(),
                description: "nothing moves by itself".to_owned(),
                is_end: false,
            }),
            After::Terminated => self.client.event("terminated", Value::Null),
        }
    }

    fn go(&mut self, go: Go) {
        let Some(going) = &mut self.going else { return };
        self.references.forget();
        let stop = going.go(go, &self.wishes);
        for line in &going.told {
            self.client.say(line);
        }
        self.tell(stop);
    }

    fn tell_continued(&self) {
        let thread = self.going.as_ref().and_then(Going::mover).map_or(1, thread);
        let body = json!({"threadId": thread, "allThreadsContinued": true});
        self.client.event("continued", body);
    }

    fn tell(&mut self, stop: Stop) {
        if stop.is_end || stop.reason == "exception" {
            self.client.say(&stop.description);
        }
        let mover = self.going.as_ref().and_then(Going::mover);
        let body = json!({
            "reason": stop.reason,
            "description": stop.brief,
            "text": stop.description,
            "threadId": mover.map_or(1, thread),
            "allThreadsStopped": true,
        });
        self.last = Some(stop);
        self.client.event("stopped", body);
    }

    fn going(&self) -> Result<&Going, String> {
        self.going.as_ref().ok_or_else(|| NOT_LAUNCHED.to_owned())
    }

    fn launch(&mut self, attributes: Attributes) -> Result<(), String> {
        if self.going.is_some() {
            return Err("there is a run already; `restart` begins it again".to_owned());
        }
        let (model, stepped) = launch::model(&attributes, &self.wishes)?;
        let stepped = Arc::new(stepped);
        let (run, shows) = match attributes.mode {
            Mode::Simulate => (Run::new(stepped), None),
            Mode::Counterexample => {
                let (run, shows) = self.search(&model, stepped, &attributes)?;
                (run, Some(shows))
            }
        };
        let breakpoints = Breakpoints::new(&run);
        let seed = attributes.seed.unwrap_or(1);
        self.going = Some(Going::new(run, breakpoints, shows, seed));
        self.stops_on_entry = attributes.stop_on_entry;
        Ok(())
    }

    /// The run that is searched for, and what it shows.
    fn search(
        &self,
        model: &Model,
        stepped: Arc<Stepped>,
        attributes: &Attributes,
    ) -> Result<(Run, Shows), String> {
        let began = Instant::now();
        let client = self.tells_progress.then_some(&*self.client);
        if let Some(client) = client {
            launch::tell_search(client, true);
        }
        let found = caught(|| launch::search(model, attributes, client, &self.wishes));
        if let Some(client) = client {
            launch::tell_search(client, false);
        }
        let found = found.unwrap_or_else(|defect| {
            Err(format!(
                "stubborn has a bug, and your model is not to blame: {defect}"
            ))
        })?;
        let verdict = match found.is_witness {
            true => "holds",
            false => "is violated",
        };
        let (property, why, took) = (&found.property, &found.why, launch::seconds(began));
        self.client
            .say(&format!("{property} {verdict}: {why} (found in {took})"));
        let shows = Shows {
            sentence: format!("{property} {verdict}: {why}"),
            brief: format!("{property} {verdict}"),
            is_wrong: !found.is_witness,
        };
        Ok((Run::along(stepped, found.given), shows))
    }

    fn line(&self, line: u32) -> u32 {
        if self.counting.lines {
            line
        } else {
            line.saturating_sub(1)
        }
    }

    fn column(&self, column: u32) -> u32 {
        if self.counting.columns {
            column
        } else {
            column.saturating_sub(1)
        }
    }

    /// A line that the client tells, from 1.
    fn own_line(&self, line: i64) -> u32 {
        let line = line.saturating_add(i64::from(!self.counting.lines));
        u32::try_from(line.max(1)).unwrap_or(u32::MAX)
    }

    fn set_breakpoints(&mut self, asked: OfFile) -> Result<Value, String> {
        let path = asked
            .source
            .path
            .ok_or("a source without a path has no lines")?;
        let lines = asked.breakpoints.into_iter().map(|one| Wanted {
            line: self.own_line(one.line),
            condition: one.condition,
        });
        let lines: Vec<Wanted> = lines.collect();
        let going = self.going.as_mut().ok_or(NOT_LAUNCHED)?;
        let state = going.run.state().clone();
        let set = going
            .breakpoints
            .set(&path, &lines, &mut going.asking, &state);
        let set = set.into_iter().map(|mut one| {
            if let Some(line) = one["line"].as_u64() {
                one["line"] = self.line(line as u32).into();
            }
            one
        });
        Ok(json!({"breakpoints": set.collect::<Vec<_>>()}))
    }

    fn breakpoint_locations(&self, asked: OfLines) -> Result<Value, String> {
        let path = asked
            .source
            .path
            .ok_or("a source without a path has no lines")?;
        let from = self.own_line(asked.line);
        let to = asked.end_line.map_or(from, |line| self.own_line(line));
        let lines = self.going()?.breakpoints.lines(&path, from, to);
        let lines = lines
            .into_iter()
            .map(|line| json!({"line": self.line(line)}));
        Ok(json!({"breakpoints": lines.collect::<Vec<_>>()}))
    }
}

fn thread(instance: InstanceId) -> i64 {
    i64::from(instance) + 1
}

fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsBreakpointLocationsRequest": true,
        "supportsEvaluateForHovers": true,
        "supportsExceptionInfoRequest": true,
        "supportsStepBack": true,
        "supportsStepInTargetsRequest": true,
        "supportsRestartRequest": true,
        "supportsTerminateRequest": true,
    })
}
