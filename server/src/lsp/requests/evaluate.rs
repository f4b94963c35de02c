//! `stubborn/evaluate`: an expression of the language, along the run of a property.

use serde::{Deserialize, Serialize};
use stubborn_ide::database::{is_to_end, whole};
use stubborn_ide::features::evaluation::{ValueFrom, along};
use stubborn_model::elaborate::Settings;
use stubborn_report::charted;

use super::trace::{Answer, Which};
use crate::lsp::view::View;

pub const METHOD: &str = "stubborn/evaluate";

#[derive(Clone, Debug, Deserialize)]
pub struct Params {
    #[serde(flatten)]
    pub which: Which,
    pub expression: String,
    /// The instance whose own names may stand alone.
    #[serde(default)]
    pub process: Option<String>,
}

#[derive(Debug, Serialize)]
pub struct Told {
    values: Vec<ValueData>,
}

/// From this state on.
#[derive(Debug, Serialize)]
struct ValueData {
    state: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    /// Why it has no value there.
    #[serde(skip_serializing_if = "Option::is_none")]
    fails: Option<String>,
}

pub fn answer(view: &View, asked: &Params) -> Answer<Told> {
    let db = &view.database;
    let told = asked.which.find(view, |of, found, trace| {
        let (analysis, run) = of.run(db, found.at())?;
        let model = analysis.model.as_ref()?;
        let program = &whole(db, of.root)?.program;
        let settings = Settings {
            parameters: (of.with.iter())
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
        };
        let expression = (asked.expression.as_str(), asked.process.as_deref());
        // The states between and around the steps that are charted.
        let charted = charted(trace, asked.which.from);
        let range = (charted.start, charted.len());
        along(program, &settings, model, &run, expression, range, &|| {
            is_to_end(db)
        })
        .ok()
    });
    // Beside why there is no run: what is wrong with the expression.
    let values = told.and_then(|values| values);
    let told = values.map(|values| Told {
        values: values.into_iter().map(ValueData::from).collect(),
    });
    told.into()
}

impl From<ValueFrom> for ValueData {
    fn from(from: ValueFrom) -> ValueData {
        let (value, fails) = match from.value {
            Ok(value) => (Some(value), None),
            Err(why) => (None, Some(why)),
        };
        ValueData {
            state: from.state,
            value,
            fails,
        }
    }
}
