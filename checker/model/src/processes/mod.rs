//! Processes: first every instance with its variables and its control flow, then what their steps
//! do. The two are apart since any expression may ask where any instance is.

mod conflicts;
pub(crate) mod infos;
mod instance_steps;
mod instances;
mod laid_out;
mod outline;
mod process;
mod templates;

use std::sync::Arc;

use stubborn_syntax::ast::{self, HasName, HasParams};

use crate::elaborate::Elaborator;
use crate::memory::{Recalled, Remembered, header};
use crate::spans::span_of;
use stubborn_system::system::InstanceId;

use outline::Outline;
use process::Reading;

pub(crate) use instances::{Instances, MOST_STEPS, draw, draw_alone};
pub(crate) use laid_out::{LaidOut, instance_name, read_locals};
pub(crate) use process::Process;

/// Lays out all instances, and tells the elaborator of them. What is `recalled` is not read.
pub(crate) fn lay_out(elaborator: &mut Elaborator, recalled: &Recalled) -> Vec<Process> {
    let mut processes = Vec::new();
    let mut infos = Vec::new();
    let mut first: InstanceId = 0;
    let mut flow = 0;
    for item in elaborator.items().iter() {
        let ast::Item::Process(ast) = &item.ast else {
            continue;
        };
        let Some(name) = ast.name() else { continue };
        let name_span = span_of(item.file, &name);
        let (process, info) = match recalled.processes.get(&item.id) {
            Some(remembered) => {
                debug_assert_eq!(
                    remembered.info.first, first,
                    "another has as many instances"
                );
                elaborator.replay(&remembered.laid_out);
                let process = Process {
                    item: item.id,
                    file: item.file,
                    name: name_span,
                    body: ast.body(),
                    locals: remembered.locals.clone(),
                    reach: remembered.reach.clone(),
                    flow: remembered.flow,
                    reading: Reading::Memory(remembered.clone()),
                };
                (process, Arc::clone(&remembered.info))
            }
            None => {
                let read = |this: &mut Elaborator| {
                    let parameters = this.parameters(&ast.params());
                    let kept = this.kept(&parameters, ast.where_clause().as_ref());
                    let outline = Outline {
                        item: item.id,
                        file: item.file,
                        name: name.text(),
                        name_span,
                        body: ast.body(),
                        parameters,
                        kept,
                        first,
                        flow,
                    };
                    outline.process(this)
                };
                let ((outlined, info), journal) =
                    elaborator.journaled(|this| this.owned_by(item.id, read));
                let process = Process::of(item, name_span, outlined, journal, flow);
                (process, Arc::new(info))
            }
        };
        first += info.instances.len() as InstanceId;
        flow += process.flow;
        processes.push(process);
        infos.push(info);
    }
    elaborator.processes = infos;
    elaborator.finish_layout();
    processes
}

/// What is remembered of each process.
pub(crate) fn remember(
    elaborator: &Elaborator,
    processes: Vec<Process>,
    all: &Instances,
) -> Vec<Arc<Remembered>> {
    let drawn = processes.into_iter().zip(&all.drawn).enumerate();
    let remembered = drawn.map(|(number, (process, drawn))| {
        let outlined = match process.reading {
            Reading::Memory(remembered) => return remembered,
            Reading::Text(outlined) => outlined,
        };
        let file = elaborator.program.file(process.file);
        let header = header(elaborator.item(process.item), file);
        Arc::new(Remembered {
            item: process.item,
            before: None,
            header: header.unwrap_or_default().to_string(),
            is_faulty: elaborator.reports.is_faulty(process.item),
            info: Arc::clone(&elaborator.processes[number]),
            locals: process.locals,
            reach: process.reach,
            flow: process.flow,
            flow_of_macros: drawn.flow_of_macros,
            laid_out: outlined.laid_out,
            macros: drawn.macros.clone(),
            drawn: drawn.drawn.clone(),
            sources: all.sources[drawn.instances.clone()].to_vec(),
            participants: all.participants[drawn.participants.clone()].to_vec(),
        })
    });
    remembered.collect()
}
