//! Formats of a state space, and the names of its edges.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;

use stubborn_checker::Label;
use stubborn_checker::stepping::State;
use stubborn_report::{About, action_label, step_label};
use stubborn_system::source_map::SourceMap;
use tempfile::tempfile_in;

use crate::command_line::arguments::Labels;

/// A system with its names and its text, and what its edges are called.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    pub about: About<'a>,
    pub labels: Labels,
}

/// A format in which a space is written.
pub(super) trait Format {
    /// Whether [`Format::state`] has a use for the values.
    fn wants_states(&self) -> bool;
    fn state(&mut self, number: u32, state: &State) -> io::Result<()>;
    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) -> io::Result<()>;
    /// Writes the parts that need the final counts.
    fn finish(self: Box<Self>, states: u64) -> io::Result<()>;
}

impl Named<'_> {
    pub(super) fn label(&self, label: Label<'_>) -> String {
        match self.labels {
            Labels::Actions => action_label(self.about.map, label.action),
            Labels::Steps => step_label(self.about.map, self.about.texts, label.participants),
        }
    }
}

pub(super) fn by(map: &SourceMap, label: Label<'_>) -> Vec<String> {
    let instances = label.participants.iter().map(|(instance, _)| *instance);
    instances
        .map(|instance| map.instance(instance).to_owned())
        .collect()
}

/// File without a name in the folder of another one, for a part of that which has to wait until the
/// part before it is known.
pub(super) fn unnamed_beside(target: &Path) -> io::Result<BufWriter<File>> {
    let folder = target.parent().filter(|one| !one.as_os_str().is_empty());
    tempfile_in(folder.unwrap_or(Path::new("."))).map(BufWriter::new)
}

/// Appends the part that has waited.
pub(super) fn append(waiting: BufWriter<File>, to: &mut impl Write) -> io::Result<()> {
    let mut waiting = waiting
        .into_inner()
        .map_err(io::IntoInnerError::into_error)?;
    waiting.rewind()?;
    io::copy(&mut waiting, to).map(drop)
}
