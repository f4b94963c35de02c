//! The Aldebaran format of CADP and mCRL2: a header, and a line for each edge.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use stubborn_checker::Label;
use stubborn_checker::stepping::State;
use stubborn_report::picture::quoted;

use super::format::{Format, Named, append, unnamed_beside};

pub struct Aut<'a> {
    named: Named<'a>,
    to: BufWriter<File>,
    /// The header comes first and counts them.
    edges: BufWriter<File>,
    count: u64,
}

impl Aut<'_> {
    pub fn new<'a>(named: Named<'a>, path: &Path) -> io::Result<Aut<'a>> {
        let to = BufWriter::new(File::create(path)?);
        Ok(Aut {
            named,
            to,
            edges: unnamed_beside(path)?,
            count: 0,
        })
    }
}

impl Format for Aut<'_> {
    fn wants_states(&self) -> bool {
        false
    }

    fn state(&mut self, _: u32, _: &State) -> io::Result<()> {
        Ok(())
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) -> io::Result<()> {
        self.count += 1;
        writeln!(
            self.edges,
            "({from}, {}, {to})",
            quoted(&self.named.label(label))
        )
    }

    fn finish(self: Box<Self>, states: u64) -> io::Result<()> {
        let Aut {
            mut to,
            edges,
            count,
            ..
        } = *self;
        writeln!(to, "des (0, {count}, {states})")?;
        append(edges, &mut to)?;
        to.flush()
    }
}
