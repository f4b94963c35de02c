//! A state space, written to a file while it is built.

mod aut;
mod dot;
mod format;
mod json;

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use stubborn_checker::stepping::State;
use stubborn_checker::{Label, Sink};
use stubborn_report::{About, Place, failure};
use stubborn_system::system::Failure;

pub use format::Named;
use format::{Format, by};

/// The formats, by how a file's name ends.
pub const FORMATS: [&str; 3] = ["aut", "dot", "json"];

/// Takes a space as it is found: writes it, if it is to be written, and keeps the steps that fail.
pub struct Recorder<'a> {
    named: Named<'a>,
    format: Option<Box<dyn Format + 'a>>,
    error: Option<io::Error>,
    /// Set when the file cannot be written, so that the search does not go on in vain.
    gave_up: &'a AtomicBool,
    failures: Vec<FailingStep>,
}

/// A step of the text that fails in some state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailingStep {
    /// Who takes it.
    pub by: Vec<String>,
    pub action: Option<String>,
    pub place: Place,
    /// Why it fails.
    pub why: String,
}

/// No more failing steps are told of; the rest is counted.
const FAILURES_TOLD: usize = 20;

impl<'a> Recorder<'a> {
    /// Writes to `output` in the format that its name ends with, one of [`FORMATS`].
    ///
    /// # Errors
    /// Where the file cannot be made.
    pub fn new(
        named: Named<'a>,
        output: Option<&Path>,
        gave_up: &'a AtomicBool,
    ) -> io::Result<Recorder<'a>> {
        let format: Option<Box<dyn Format + 'a>> = match output {
            None => None,
            Some(path) => Some(match extension(path) {
                Some("dot") => Box::new(dot::Dot::new(named, BufWriter::new(File::create(path)?))?),
                Some("json") => Box::new(json::Json::new(named, path)?),
                _ => Box::new(aut::Aut::new(named, path)?),
            }),
        };
        Ok(Recorder {
            named,
            format,
            error: None,
            gave_up,
            failures: Vec::new(),
        })
    }

    /// Ends the file, and tells which steps of the text fail somewhere.
    ///
    /// # Errors
    /// Where something could not be written, now or before.
    pub fn finish(self, states: u64) -> io::Result<Vec<FailingStep>> {
        if let Some(error) = self.error {
            return Err(error);
        }
        if let Some(format) = self.format {
            format.finish(states)?;
        }
        Ok(self.failures)
    }

    fn write(&mut self, write: impl FnOnce(&mut dyn Format) -> io::Result<()>) {
        if self.error.is_some() {
            return;
        }
        if let Some(format) = &mut self.format
            && let Err(error) = write(&mut **format)
        {
            self.error = Some(error);
            self.gave_up.store(true, Ordering::Relaxed);
        }
    }
}

impl Sink for Recorder<'_> {
    fn wants_edges(&self) -> bool {
        self.format.is_some()
    }

    fn wants_states(&self) -> bool {
        self.format
            .as_ref()
            .is_some_and(|format| format.wants_states())
    }

    fn state(&mut self, number: u32, state: &State) {
        self.write(|format| format.state(number, state));
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) {
        self.write(|format| format.edge(from, label, to));
    }

    fn failing(&mut self, _: u32, label: Label<'_>, why: &Failure) {
        if self.failures.len() >= FAILURES_TOLD {
            return;
        }
        let About { map, texts, .. } = self.named.about;
        let Some((instance, step)) = label.participants.first() else {
            return;
        };
        let failing = FailingStep {
            by: by(map, label),
            action: label
                .action
                .map(|(action, values)| map.action(action, values)),
            place: texts.place(map.step(*instance, *step)),
            why: failure(why),
        };
        let is_known = |known: &FailingStep| {
            known.place == failing.place && known.by == failing.by && known.why == failing.why
        };
        if !self.failures.iter().any(is_known) {
            self.failures.push(failing);
        }
    }
}

/// How a path ends, without the dot.
pub fn extension(path: &Path) -> Option<&str> {
    path.extension().and_then(|extension| extension.to_str())
}
