//! A model drawn by lot, read as text.

use std::sync::Arc;

use stubborn_model::NamedProperty;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::system::System;

use crate::model::Model;
use crate::{contention, generate, loops, render};

/// What a text means.
pub struct Drawn {
    pub system: Arc<System>,
    pub properties: Vec<NamedProperty>,
}

/// The model of a seed: mostly one with contention, else one with anything that the language has,
/// or one of loops that have nothing to do with each other.
pub fn model(seed: u64) -> Model {
    match seed % 16 {
        0 | 8 => generate::model(seed),
        1 => loops::model(seed),
        _ => contention::model(seed),
    }
}

/// What a model means, unless its text has errors.
pub fn read(model: &Model) -> Option<Drawn> {
    let (text, _) = render::text(model);
    let file = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let outside = model.constants.iter().filter(|c| c.from_outside);
    let given = Settings {
        parameters: outside
            .map(|c| (c.name.clone(), c.value.int().to_string()))
            .collect(),
    };
    let analysis = stubborn_model::analyze(&program, &given);
    let is_error = analysis
        .problems
        .iter()
        .any(|problem| problem.severity == Severity::Error);
    let model = analysis.model.filter(|_| !is_error)?;
    Some(Drawn {
        system: model.system,
        properties: model.properties,
    })
}
