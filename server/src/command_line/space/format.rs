//! Formats of a state space, and the names of its edges.

use std::io;

use stubborn_engine::{Label, State};
use stubborn_report::{About, action_label, step_label};
use stubborn_system::source_map::SourceMap;

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
