//! Lines of the text before whose steps a run stops, and under which conditions.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use stubborn_checker::stepping::{Asking, Run, State, TraceStep};
use stubborn_model::Around;
use stubborn_system::source::FileId;
use stubborn_system::system::InstanceId;

/// The lines at which steps begin, and those of them at which somebody wants to stop.
#[derive(Debug)]
pub struct Breakpoints {
    files: Vec<PathBuf>,
    /// For each line of a file at which steps begin, whose names a condition there knows: those of the first instance
    /// that has a step there; at the steps of what watches the run the model's.
    lines: Vec<BTreeMap<u32, Around>>,
    set: HashMap<(FileId, u32), Vec<Option<String>>>,
}

/// Where somebody wants to stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// From 1.
    pub line: u32,
    /// That it is true there.
    pub condition: Option<String>,
}

/// What comes of the conditions at the place of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stops {
    No,
    Yes,
    /// A condition has no value there: where, which, and why.
    Fails(String),
}

/// What tells a file from others.
pub fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

impl Breakpoints {
    /// Of the steps of a run: those of the model, and of what watches it.
    pub fn new(run: &Run) -> Breakpoints {
        let model = run.model();
        let files = model.program.files.iter();
        let files: Vec<PathBuf> = files.map(|file| identity(Path::new(&file.path))).collect();
        let mut lines = vec![BTreeMap::new(); files.len()];
        for (instance, source) in model.map.instances.iter().enumerate() {
            for step in &source.steps {
                if let Some(lines) = lines.get_mut(step.file.0 as usize) {
                    let line = model.texts.line(*step);
                    let around = Around::Instance(instance as InstanceId);
                    lines.entry(line).or_insert(around);
                }
            }
        }
        let property = run.given().and_then(|given| given.property.as_ref());
        let monitor = property.and_then(|property| property.monitor.as_ref());
        for step in monitor
            .iter()
            .flat_map(|monitor| monitor.steps.iter().flatten())
        {
            if let Some(lines) = lines.get_mut(step.file.0 as usize) {
                let line = model.texts.line(*step);
                lines.entry(line).or_insert(Around::File);
            }
        }
        Breakpoints {
            files,
            lines,
            set: HashMap::new(),
        }
    }

    /// Sets those of a file, in the place of all that it had; tells of each where it is.
    pub fn set(
        &mut self,
        path: &Path,
        wanted: &[Wanted],
        asking: &mut Asking,
        now: &State,
    ) -> Vec<Value> {
        let refused = |why: &str| json!({"verified": false, "message": why});
        let path = identity(path);
        let Some(file) = self.files.iter().position(|file| *file == path) else {
            let why = "the model that is stepped through has nothing of this file";
            return wanted.iter().map(|_| refused(why)).collect();
        };
        let id = FileId(file as u32);
        self.set.retain(|(of, _), _| *of != id);
        let lines = &self.lines[file];
        let set = wanted.iter().map(|one| {
            let after = lines.range(one.line..).next();
            let nearest = after.or_else(|| lines.range(..one.line).next_back());
            let Some((line, around)) = nearest else {
                return refused("no step of this run's processes begins in this file");
            };
            let condition = one.condition.as_deref().map(str::trim);
            let condition = condition.filter(|text| !text.is_empty());
            if let Some(text) = condition {
                match asking.read(*around, text) {
                    Err(why) => return refused(&why),
                    Ok(read) if !read.is_condition => {
                        // Asking says it as it does elsewhere.
                        let why = asking.holds(*around, now, text).err();
                        return refused(&why.unwrap_or_default());
                    }
                    Ok(_) => {}
                }
            }
            let here = self.set.entry((id, *line)).or_default();
            here.push(condition.map(str::to_owned));
            json!({"verified": true, "line": line})
        });
        set.collect()
    }

    /// Whether the step that is about to be taken begins where somebody wants to stop.
    pub fn stops(&self, run: &Run, asking: &mut Asking, step: &TraceStep) -> Stops {
        if self.set.is_empty() {
            return Stops::No;
        }
        let model = run.model();
        let participants = step.participants.iter();
        let of_instances = participants.map(|(instance, step)| {
            let span = model.map.step(*instance, *step);
            (span, Around::Instance(*instance))
        });
        let of_monitor = run
            .step_of_monitor(run.len())
            .map(|span| (span, Around::File));
        let mut failed = None;
        for (span, around) in of_instances.chain(of_monitor) {
            let line = model.texts.line(span);
            let set = self.set.get(&(span.file, line));
            for condition in set.into_iter().flatten() {
                let Some(text) = condition else {
                    return Stops::Yes;
                };
                match asking.holds(around, run.state(), text) {
                    Ok(true) => return Stops::Yes,
                    Ok(false) => {}
                    Err(why) => failed = Some(format!("line {line}: `{text}`: {why}")),
                }
            }
        }
        failed.map_or(Stops::No, Stops::Fails)
    }

    /// The lines between two at which something can be set.
    pub fn lines(&self, path: &Path, from: u32, to: u32) -> Vec<u32> {
        let path = identity(path);
        let file = self.files.iter().position(|file| *file == path);
        let lines = file.map(|file| self.lines[file].range(from..=to.max(from)));
        lines.into_iter().flatten().map(|(line, _)| *line).collect()
    }
}

/// A file, by the path under which the model knows it.
pub fn source(path: &str) -> Value {
    let shown = Path::new(path);
    let whole = std::path::absolute(shown).unwrap_or_else(|_| shown.to_owned());
    let name = shown
        .file_name()
        .map_or_else(|| path.into(), |name| name.to_string_lossy());
    json!({"name": name, "path": whole.to_string_lossy()})
}
