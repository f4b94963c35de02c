//! A model that runs are taken in, with its texts, its names and its properties.

use std::sync::Arc;

use stubborn_engine::{State, TraceStep};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::Program;
use stubborn_model::{Model, NamedProperty};
use stubborn_syntax::ast::{self, AstNode, HasName, HasParams};
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::{InstanceId, System};

use crate::{About, StepReport, Texts, told_step};

/// A model as its text has it, for whoever goes along its runs.
#[derive(Clone, Debug)]
pub struct Stepped {
    pub program: Program,
    pub settings: Settings,
    pub texts: Texts,
    pub system: Arc<System>,
    pub map: Arc<SourceMap>,
    pub properties: Vec<NamedProperty>,
}

impl Stepped {
    pub fn new(program: Program, settings: Settings, texts: Texts, model: Model) -> Stepped {
        Stepped {
            program,
            settings,
            texts,
            system: model.system,
            map: model.source_map,
            properties: model.properties,
        }
    }

    /// The model with its texts, as reports have it.
    pub fn about(&self) -> About<'_> {
        About {
            system: &self.system,
            map: &self.map,
            texts: &self.texts,
        }
    }

    /// The names of the parameters of an instance's process, as they stand in the text.
    pub fn parameters(&self, instance: InstanceId) -> Vec<String> {
        let Some(source) = self.map.instances.get(instance as usize) else {
            return Vec::new();
        };
        let file = self.program.file(source.span.file);
        let process = file.parse.tree().items().find_map(|item| match item {
            ast::Item::Process(process) => {
                let name = process.name()?.range();
                (u32::from(name.start()) == source.span.start).then_some(process)
            }
            _ => None,
        });
        let names = process.iter().flat_map(|process| process.params());
        let names = names.filter_map(|binding| Some(binding.name()?.text()));
        names.collect()
    }

    /// A step that is taken in `before`, in words.
    pub fn told(&self, before: &State, step: &TraceStep) -> StepReport {
        told_step(self.about(), before, step)
    }

    /// A step that is taken in `before`, on one line: who takes it, where it stands, what it does and what comes of it.
    pub fn in_short(&self, before: &State, step: &TraceStep) -> String {
        let told = self.told(before, step);
        let action = told.action.iter().map(|action| format!("{action}: "));
        let each = told.by.iter().zip(told.does());
        let each: Vec<String> = each.map(|(who, does)| format!("{who} {does}")).collect();
        let results = told.results();
        let results = match results.is_empty() {
            true => String::new(),
            false => format!("   {}", results.join(", ")),
        };
        let line = told.place.range.start.line;
        format!(
            "{}{}, line {line}{results}",
            action.collect::<String>(),
            each.join("; ")
        )
    }
}
