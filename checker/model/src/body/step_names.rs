//! Names of steps: `ask: for j in Node send link[j](m) -> up` (`language.md` §10).

use rustc_hash::FxHashMap;
use stubborn_syntax::ast::{self, HasName};

use crate::names::SymbolKind;
use crate::problem::Code;
use crate::spans::span_of;
use stubborn_system::source::Span;

use super::graph::Locations;
use super::{Act, Builder, Planned};

impl Planned {
    /// The name of a step of a state.
    pub fn name(&self) -> Option<ast::Name> {
        match &self.act {
            Act::Step(step) => step.name(),
            Act::Simple { .. } | Act::Test(_) => None,
        }
    }
}

impl Builder<'_, '_> {
    /// Declares the names of steps. One name may stand in several states; a message where one state
    /// has it twice, and where a state or a label has it.
    pub(super) fn declare_steps(&mut self, locations: &Locations) {
        let arcs = self.graph.arcs.iter();
        let names: Vec<Option<(String, Span)>> = arcs
            .map(|arc| {
                let name = arc.step.name()?;
                Some((name.text(), span_of(self.file, &name)))
            })
            .collect();
        let mut declared: FxHashMap<&str, Span> = FxHashMap::default();
        for (name, span) in names.iter().flatten() {
            let labels = self.graph.labels.iter();
            let mut labels = labels.filter(|label| label.visible && label.name == *name);
            if let Some(label) = labels.next() {
                let first = label.span;
                self.mistaken = true;
                let message = format!("`{name}` names a state or a label; rename the step");
                match first {
                    Some(first) => self.elaborator.duplicate(*span, first, message),
                    None => self.problem(Code::DuplicateName, *span, message),
                }
                continue;
            }
            match declared.get(name.as_str()) {
                None => {
                    self.declare(name, *span, SymbolKind::Label);
                    declared.insert(name, *span);
                }
                Some(first) => self.elaborator.symbols.refer(*span, *first),
            }
        }
        if declared.is_empty() {
            return;
        }
        for arcs in &locations.arcs {
            let mut here: FxHashMap<&str, Span> = FxHashMap::default();
            for (name, span) in arcs.iter().filter_map(|arc| names[*arc].as_ref()) {
                let first = *here.entry(name).or_insert(*span);
                if first != *span {
                    self.mistaken = true;
                    let message =
                        format!("a step of this state is already named `{name}`; rename one");
                    self.elaborator.duplicate(*span, first, message);
                }
            }
        }
    }
}
