//! What a text that was drawn means: here alone the checker is asked.

use std::sync::Arc;

use stubborn_model::NamedProperty;
use stubborn_model::elaborate::Settings;
use stubborn_model::problem::Severity;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;
use stubborn_system::system::{ActionId, Expr, System};

use crate::model::{Action, Model};
use crate::render;
use crate::watch::{Case, MODEL};

/// What a model means.
pub struct Drawn {
    pub system: Arc<System>,
    pub properties: Vec<NamedProperty>,
}

/// The parameters that are set from outside.
fn given(model: &Model) -> Settings {
    let outside = model.constants.iter().filter(|c| c.from_outside);
    Settings {
        parameters: outside
            .map(|c| (c.name.clone(), c.value.int().to_string()))
            .collect(),
    }
}

/// What a model means, unless its text has errors.
pub fn model(model: &Model) -> Option<Drawn> {
    let (text, _) = render::text(model);
    self::text(text, &given(model))
}

/// What a text means with these settings, unless it has errors.
pub fn text(text: String, settings: &Settings) -> Option<Drawn> {
    let file = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, settings);
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

/// What a case's text means.
pub struct Read {
    pub system: Arc<System>,
    /// The monitor's.
    pub property: Property,
    /// The conditions `look0`, `look1`, … as the model's own text has them.
    pub looks: Vec<Expr>,
    /// The number of each of the model's actions.
    pub actions: Vec<ActionId>,
}

/// What the texts of a case mean, unless it has errors.
///
/// # Errors
/// With the first of them, if it is in the tester file: what is drawn there is right.
pub fn case(case: &Case) -> Result<Option<Read>, String> {
    let (model, watch) = case.texts();
    let model = Arc::new(ParsedFile::new(MODEL, model));
    let root = Arc::new(ParsedFile::new("watch.tester", watch));
    let program = Program::assemble(root, &mut |_| Some(model.clone()));
    let analysis = stubborn_model::analyze(&program, &given(&case.model));
    let mut errors = analysis.problems.iter();
    if let Some(error) = errors.find(|problem| problem.severity == Severity::Error) {
        let file = error.span.map(|span| program.file(span.file));
        if file.is_some_and(|file| file.path == MODEL) {
            return Ok(None);
        }
        return Err(format!("an error in the text: {}", error.message));
    }
    let Some(meant) = analysis.model else {
        return Ok(None);
    };
    let mut property = None;
    let mut looks = Vec::new();
    for listed in &meant.properties {
        match &listed.property {
            _ if listed.name == "watch" => property = Some(listed.property.clone()),
            Property::Invariant(look) => looks.push(look.clone()),
            _ => {}
        }
    }
    let number = |action: &Action| {
        let mut sources = meant.source_map.actions.iter();
        sources.position(|source| source.name == action.name)
    };
    let actions = case.model.actions.iter().map(number);
    let actions: Option<Vec<usize>> = actions.collect();
    let actions = actions.ok_or("an action is not in the system")?;
    Ok(Some(Read {
        system: meant.system,
        property: property.ok_or("the monitor is not listed")?,
        looks,
        actions: actions.into_iter().map(|a| a as ActionId).collect(),
    }))
}
