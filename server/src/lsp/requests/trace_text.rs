//! `stubborn/traceText`: the run of a property as a text that can be put elsewhere.

use serde::{Deserialize, Serialize};
use stubborn_ide::features::run;
use stubborn_report::{PropertyReport, Report, exchange, lanes, mermaid, parameters, svg};

use super::trace::{Answer, Which};
use crate::command_line::output::json;
use crate::lsp::view::View;

pub const METHOD: &str = "stubborn/traceText";

/// In characters.
const WIDTH: usize = 120;

#[derive(Clone, Debug, Deserialize)]
pub struct Params {
    #[serde(flatten)]
    pub which: Which,
    pub form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A table, with the start before it.
    Text,
    /// What `stubborn check --format json` writes of this property.
    Json,
    /// A sequence diagram in the language of Mermaid.
    Mermaid,
    /// Processes and channels beside each other, as text.
    Lanes,
    /// A sequence chart as a picture.
    Svg,
}

#[derive(Debug, Serialize)]
pub struct Told {
    text: String,
}

pub fn answer(view: &View, asked: &Params) -> Answer<Told> {
    let told = asked.which.find(view, |of, found, trace| {
        let (parts, start) = (trace.parts(), &trace.start);
        let text = match asked.form {
            Form::Text => run::told(found, of.with),
            Form::Lanes => lanes(&parts, start).plain(WIDTH),
            Form::Mermaid => mermaid(&exchange(&parts, start)),
            Form::Svg => svg(&exchange(&parts, start)),
            Form::Json => {
                let (analysis, _) = of.run(&view.database, found.at())?;
                json(found, parameters(&analysis))?
            }
        };
        Some(Told { text })
    });
    told.into()
}

/// With the values that the model's parameters had, so that the run can be gone along with these again.
fn json(report: &PropertyReport, parameters: Vec<(String, String)>) -> Option<String> {
    let mut written = Vec::new();
    let whole = Report {
        files: vec![report.place.file.to_string()],
        parameters,
        properties: vec![report.clone()],
        ..Report::default()
    };
    json::write(&whole, &mut written).ok()?;
    String::from_utf8(written).ok()
}
