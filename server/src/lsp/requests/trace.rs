//! `stubborn/trace`: the run of a property as data, for panels that draw it and step through it.
//!
//! `docs/requests.md` says what each part means; the two are held together by a test.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use stubborn_ide::before::Found;
use stubborn_ide::features::Location as Piece;
use stubborn_ide::features::trace::Asked;
use stubborn_report::{
    Chart, ChartStep, Participant, PropertyReport, TraceReport, Variable, chart, kind,
};
use tower_lsp::lsp_types::{Location, Range, TextDocumentIdentifier, Url};

use crate::lsp::convert::{Files, Places, path};
use crate::lsp::view::View;

pub const METHOD: &str = "stubborn/trace";

/// Which run is asked for; of all requests about runs.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Which {
    pub text_document: TextDocumentIdentifier,
    /// A property's name, with or without the values of its parameters.
    pub property: String,
    /// Another value of one of the model's parameters, if the run is one with that.
    #[serde(default)]
    pub parameter: Option<Parameter>,
    /// How many steps are passed over, of a run that is longer than what is told at once.
    #[serde(default)]
    pub from: usize,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Parameter {
    pub name: String,
    pub value: i64,
}

impl Parameter {
    fn of((name, value): &(Arc<str>, i64)) -> Parameter {
        Parameter {
            name: name.to_string(),
            value: *value,
        }
    }
}

/// What is told of a run, or why there is nothing; of all requests about runs.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer<T> {
    Told(T),
    Nothing { message: String },
}

impl<T> From<Result<T, String>> for Answer<T> {
    fn from(told: Result<T, String>) -> Answer<T> {
        match told {
            Ok(told) => Answer::Told(told),
            Err(message) => Answer::Nothing { message },
        }
    }
}

#[derive(Debug, Serialize)]
pub struct Told {
    trace: TraceData,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct TraceData {
    property: String,
    /// The value of a parameter of the model with which the run was found, where that is not the text's.
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<Parameter>,
    kind: &'static str,
    verdict: &'static str,
    expected_violated: bool,
    sentence: String,
    location: Option<Location>,
    length: usize,
    cycle_start: Option<usize>,
    from: usize,
    files: Vec<Url>,
    participants: Vec<Participant>,
    variables: Vec<Variable>,
    statements: Vec<StatementData>,
    steps: Vec<ChartStep>,
    waits: Vec<WaitData>,
}

#[derive(Debug, Serialize)]
struct StatementData {
    file: Option<usize>,
    range: Range,
    text: String,
}

#[derive(Debug, Serialize)]
struct WaitData {
    sentence: String,
    location: Option<Location>,
}

impl Which {
    /// The run, of the text as it is.
    ///
    /// # Errors
    /// Why there is none, as a sentence.
    pub fn find<T>(
        &self,
        view: &View,
        tell: impl FnOnce(Asked<'_>, &Found, &TraceReport) -> Option<T>,
    ) -> Result<T, String> {
        let url = &self.text_document.uri;
        let with = self.parameter.as_ref();
        let with = with.map(|one| (Arc::from(one.name.as_str()), one.value));
        let asked = Asked {
            root: view.places().file(url),
            with: with.as_ref(),
        };
        let db = &view.database;
        let before = view.before(&path(url));
        let found = asked.find(db, &self.property, &view.pending, before)?;
        let told = found
            .trace
            .as_ref()
            .and_then(|trace| tell(asked, &found, trace));
        told.ok_or_else(|| format!("The run of `{}` cannot be shown.", self.property))
    }
}

pub fn answer(view: &View, asked: &Which) -> Answer<Told> {
    let told = asked.find(view, |of, found, trace| {
        let (analysis, _) = of.run(&view.database, found.at())?;
        let model = analysis.model.as_ref()?;
        let chart = chart(trace, &model.source_map, asked.from);
        let parameter = of.with.map(Parameter::of);
        let trace = data(&mut view.places(), (found, parameter), trace, chart);
        Some(Told { trace })
    });
    told.into()
}

fn data(
    places: &mut Places<'_>,
    (report, parameter): (&PropertyReport, Option<Parameter>),
    trace: &TraceReport,
    chart: Chart,
) -> TraceData {
    let mut files = Files::new(places);
    let statements = chart.statements.into_iter().map(|statement| StatementData {
        file: files.number(&statement.place.file),
        range: files.range(&statement.place),
        text: statement.text,
    });
    let statements = statements.collect();
    let files = files.urls;
    let waits = report.waits.iter().map(|wait| WaitData {
        sentence: wait.sentence(),
        location: places.location(&Piece::from(&wait.place)),
    });
    let waits = waits.collect();
    TraceData {
        property: report.name.clone(),
        parameter,
        kind: kind(report.form),
        verdict: report.verdict.as_str(),
        expected_violated: report.expected_violated,
        sentence: report.why.clone().unwrap_or_default(),
        location: places.location(&Piece::from(&report.place)),
        length: trace.len(),
        cycle_start: (trace.cycle > 0).then_some(trace.steps),
        from: chart.first,
        files,
        participants: chart.participants,
        variables: chart.variables,
        statements,
        steps: chart.steps,
        waits,
    }
}
