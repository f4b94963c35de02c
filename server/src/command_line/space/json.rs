//! Everything about a space, for scripts: the values of each state, and each edge with who takes
//! it, the action and the text.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::json;
use stubborn_checker::Label;
use stubborn_checker::stepping::State;
use stubborn_report::{About, named_values};

use super::format::{Format, Named, append, by, unnamed_beside};
use crate::command_line::output::json_values;

pub struct Json<'a> {
    named: Named<'a>,
    to: BufWriter<File>,
    /// They stand behind the states, among which they are found.
    edges: BufWriter<File>,
    edge_count: u64,
    state_count: u64,
}

impl Json<'_> {
    pub fn new<'a>(named: Named<'a>, path: &Path) -> io::Result<Json<'a>> {
        let mut to = BufWriter::new(File::create(path)?);
        write!(to, "{{\"initial\": 0,\n\"states\": [")?;
        let edges = unnamed_beside(path)?;
        Ok(Json {
            named,
            to,
            edges,
            edge_count: 0,
            state_count: 0,
        })
    }
}

/// What stands before the member of a list that has so many before it.
fn before(count: u64) -> &'static str {
    if count == 0 { "\n" } else { ",\n" }
}

impl Format for Json<'_> {
    fn wants_states(&self) -> bool {
        true
    }

    fn state(&mut self, _: u32, state: &State) -> io::Result<()> {
        let values = json_values(&named_values(
            self.named.about.system,
            self.named.about.map,
            state,
        ));
        write!(self.to, "{}{values}", before(self.state_count))?;
        self.state_count += 1;
        Ok(())
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) -> io::Result<()> {
        let About { map, texts, .. } = self.named.about;
        let place = label.participants.first().map(|(instance, step)| {
            let place = texts.place(map.step(*instance, *step));
            (place.file.to_string(), place.range.start.line)
        });
        let edge = json!({
            "from": from,
            "to": to,
            "label": self.named.label(label),
            "by": by(map, label),
            "action": label.action.map(|(action, values)| map.action(action, values)),
            "file": place.as_ref().map(|(file, _)| file),
            "line": place.as_ref().map(|(_, line)| line),
        });
        write!(self.edges, "{}{edge}", before(self.edge_count))?;
        self.edge_count += 1;
        Ok(())
    }

    fn finish(self: Box<Self>, _: u64) -> io::Result<()> {
        let Json { mut to, edges, .. } = *self;
        write!(to, "\n],\n\"edges\": [")?;
        append(edges, &mut to)?;
        writeln!(to, "\n]}}")?;
        to.flush()
    }
}
