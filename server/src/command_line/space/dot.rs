//! Graphviz: a node for each state, with its values as a tooltip, and its edges.

use std::fs::File;
use std::io::{self, BufWriter, Write};

use stubborn_checker::Label;
use stubborn_checker::stepping::State;
use stubborn_report::named_values;
use stubborn_report::picture::quoted;

use super::format::{Format, Named};

pub struct Dot<'a> {
    named: Named<'a>,
    to: BufWriter<File>,
}

impl Dot<'_> {
    pub fn new<'a>(named: Named<'a>, mut to: BufWriter<File>) -> io::Result<Dot<'a>> {
        writeln!(to, "digraph states {{")?;
        writeln!(to, "  node [shape=circle]")?;
        writeln!(to, "  0 [style=bold]")?;
        Ok(Dot { named, to })
    }
}

impl Format for Dot<'_> {
    fn wants_states(&self) -> bool {
        true
    }

    fn state(&mut self, number: u32, state: &State) -> io::Result<()> {
        let values: Vec<String> =
            named_values(self.named.about.system, self.named.about.map, state)
                .iter()
                .map(|(name, value)| format!("{name} = {value}"))
                .collect();
        writeln!(
            self.to,
            "  {number} [tooltip={}]",
            quoted(&values.join(", "))
        )
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) -> io::Result<()> {
        let label = quoted(&self.named.label(label));
        writeln!(self.to, "  {from} -> {to} [label={label}]")
    }

    fn finish(mut self: Box<Self>, _: u64) -> io::Result<()> {
        writeln!(self.to, "}}")?;
        self.to.flush()
    }
}
