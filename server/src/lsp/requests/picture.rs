//! `stubborn/picture`: the graph of a process, or of the state space, as data to be laid out; and
//! `stubborn/pictureText`, the same as a text.
//!
//! `docs/requests.md` says what each part means; the two are held together by a test.

use std::sync::Arc;
use std::time::{Duration, Instant};

use salsa::Database as _;
use serde::{Deserialize, Serialize};
use stubborn_engine::Trace;
use stubborn_model::Analysis;
use tower_lsp::lsp_types::{Range, TextDocumentIdentifier, Url};

use super::trace::{Answer, Parameter, Which, piece};
use crate::database::{analyzed, texts};
use crate::lsp::convert::Places;
use crate::lsp::view::View;
use crate::picture::{Drawn, Levels, MOST_NODES, Picture, TooLarge, dot, levels, process, space};
use crate::report::{Place, counted};

pub const METHOD: &str = "stubborn/picture";
pub const TEXT: &str = "stubborn/pictureText";

/// So long states are searched for, while a person waits.
const A_WHILE: Duration = Duration::from_millis(1500);
/// So many instances are offered.
const MOST_OFFERED: usize = 200;

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Params {
    pub text_document: TextDocumentIdentifier,
    /// An instance, `"customer(1)"`, or a process, `"customer"`, of which it is the first. Without it the picture
    /// is of the state space.
    #[serde(default)]
    pub process: Option<String>,
    /// The property whose run is shown in it.
    #[serde(default)]
    pub property: Option<String>,
    /// Another value of one of the model's parameters, if the run is one with that.
    #[serde(default)]
    pub parameter: Option<Parameter>,
}

#[derive(Debug, Serialize)]
pub struct Told {
    picture: PictureData,
}

#[derive(Debug, Serialize)]
pub struct Text {
    text: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PictureData {
    kind: &'static str,
    title: String,
    sentence: String,
    /// The property whose run is shown, with its values.
    property: Option<String>,
    /// Why there is none, where one is asked for.
    why_no_run: Option<String>,
    processes: Vec<String>,
    files: Vec<Url>,
    variables: Vec<String>,
    nodes: Vec<NodeData>,
    edges: Vec<EdgeData>,
    levels: Vec<LevelData>,
    growth: Vec<GrowthData>,
    complete: bool,
}

#[derive(Debug, Serialize)]
struct NodeData {
    label: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceData>,
    /// "initial", "final", "terminal", "failure", "violation".
    marks: Vec<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct EdgeData {
    from: usize,
    to: usize,
    labels: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceData>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    run: Vec<usize>,
}

#[derive(Debug, Serialize)]
struct PlaceData {
    file: usize,
    range: Range,
}

#[derive(Debug, Serialize)]
struct LevelData {
    states: u64,
    edges: u64,
}

#[derive(Debug, Serialize)]
struct GrowthData {
    text: String,
    place: Option<PlaceData>,
    states: u64,
}

/// What was asked for, found.
struct Asked {
    analysis: Arc<Analysis>,
    /// Its name, and where it leads.
    run: Option<(String, Arc<Trace>)>,
    why_no_run: Option<String>,
}

enum Shown {
    Process(String, Picture),
    States(Picture),
    Levels(Levels),
}

impl Params {
    fn find(&self, view: &View) -> Result<Asked, String> {
        let db = &view.database;
        let mut why_no_run = None;
        if let Some(property) = &self.property {
            let which = Which {
                text_document: self.text_document.clone(),
                property: property.clone(),
                parameter: self.parameter.clone(),
                from: 0,
            };
            let found = which.find(view, |of, found, _| {
                let (analysis, run) = of.run(db, found.at())?;
                Some(Asked {
                    analysis,
                    run: Some((found.report().name.clone(), run)),
                    why_no_run: None,
                })
            });
            match found {
                Ok(asked) => return Ok(asked),
                Err(why) => why_no_run = Some(why),
            }
        }
        let root = view.places().file(&self.text_document.uri);
        let analysis = analyzed(db, root).filter(|analysis| analysis.model.is_some());
        let Some(analysis) = analysis else {
            return Err("The text has errors, so that there is nothing to draw.".to_owned());
        };
        Ok(Asked {
            analysis,
            run: None,
            why_no_run,
        })
    }

    /// What is drawn, and how many instances there are to draw.
    fn draw(&self, view: &View, asked: &Asked) -> Result<Shown, String> {
        let db = &view.database;
        let root = view.places().file(&self.text_document.uri);
        let nothing = || "There is no model in this file.".to_owned();
        let texts = texts(db, root).ok_or_else(nothing)?;
        let model = asked.analysis.model.as_ref().ok_or_else(nothing)?;
        if model.system.instances.is_empty() {
            return Err(
                "There is no process in this file. A tester file is drawn with its model."
                    .to_owned(),
            );
        }
        let drawn = Drawn {
            model,
            texts: &texts,
        };
        let run = asked.run.as_ref().map(|(_, run)| &**run);
        if let Some(name) = &self.process {
            let named = |exact: bool| {
                let mut instances = model.source_map.instances.iter();
                instances.position(|one| match exact {
                    true => one.name == *name,
                    false => one.name.split('(').next() == Some(name),
                })
            };
            let Some(instance) = named(true).or_else(|| named(false)) else {
                return Err(format!(
                    "There is no process `{name}` in the text as it is."
                ));
            };
            let name = model.source_map.instances[instance].name.clone();
            return match process(drawn, instance as u32, run) {
                Ok(picture) => Ok(Shown::Process(name, picture)),
                Err(TooLarge { nodes }) => Err(format!(
                    "`{name}` has {nodes} places, and a picture of more than {MOST_NODES} shows nothing."
                )),
            };
        }
        // Whoever waits to change an input need not wait for the end of it.
        let on_the_way = || db.unwind_if_revision_cancelled();
        if let Some(picture) = space(drawn, run, Instant::now() + A_WHILE, &on_the_way) {
            return Ok(Shown::States(picture));
        }
        levels(drawn, Instant::now() + A_WHILE, &on_the_way)
            .map(Shown::Levels)
            .ok_or_else(|| "A state of this model is too large to be searched.".to_owned())
    }
}

pub fn answer(view: &View, params: &Params) -> Answer<Told> {
    let told = params.find(view).and_then(|asked| {
        let shown = params.draw(view, &asked)?;
        Ok(Told {
            picture: data(&mut view.places(), &asked, shown),
        })
    });
    told.into()
}

/// The picture in the language of Graphviz.
pub fn text(view: &View, params: &Params) -> Answer<Text> {
    let told = params.find(view).and_then(|asked| match params.draw(view, &asked)? {
        Shown::Process(name, picture) => Ok(Text {
            text: dot(&picture, &name),
        }),
        Shown::States(picture) => Ok(Text {
            text: dot(&picture, "states"),
        }),
        Shown::Levels(levels) => Err(format!(
            "The model has {}{}, more than a picture shows. `stubborn explore --output FILE.dot` writes them all.",
            if levels.is_complete { "" } else { "more than " },
            counted(levels.states as usize, "state")
        )),
    });
    told.into()
}

fn data(places: &mut Places<'_>, asked: &Asked, shown: Shown) -> PictureData {
    let (property, length) = match &asked.run {
        Some((name, run)) => (Some(name.clone()), Some(run.len())),
        None => (None, None),
    };
    let instances = asked.analysis.model.iter();
    let instances = instances.flat_map(|model| &model.source_map.instances);
    let processes = instances.map(|one| one.name.clone()).take(MOST_OFFERED);
    let mut files: Vec<(Arc<str>, Url)> = Vec::new();
    let mut at = |place: &Place| {
        let known = files.iter().position(|(path, _)| *path == place.file);
        let file = known.or_else(|| {
            let url = places.url(&place.file)?;
            files.push((Arc::clone(&place.file), url));
            Some(files.len() - 1)
        })?;
        let range = places.range(&place.file, &piece(place).bytes);
        Some(PlaceData { file, range })
    };
    let mut data = PictureData {
        kind: "process",
        title: String::new(),
        sentence: String::new(),
        property,
        why_no_run: asked.why_no_run.clone(),
        processes: processes.collect(),
        files: Vec::new(),
        variables: Vec::new(),
        nodes: Vec::new(),
        edges: Vec::new(),
        levels: Vec::new(),
        growth: Vec::new(),
        complete: true,
    };
    let picture = match shown {
        Shown::Process(name, picture) => {
            data.sentence = format!(
                "{}, and the steps from one to another, whatever the other processes let it do",
                counted(picture.nodes.len(), "place")
            );
            data.title = name;
            picture
        }
        Shown::States(picture) => {
            data.kind = "states";
            let states = picture.nodes.iter().filter(|node| !node.marks.is_failure);
            let states = counted(states.count(), "state");
            data.title = "All states".to_owned();
            data.sentence = format!("{states} can be reached: these, with nothing left out");
            picture
        }
        Shown::Levels(found) => {
            data.kind = "levels";
            data.title = "How the state space grows".to_owned();
            let states = counted(found.states as usize, "state");
            data.complete = found.is_complete;
            data.sentence = match found.is_complete {
                true => format!(
                    "{states} can be reached, by at most {}: too many to draw",
                    counted(found.levels.len() - 1, "step")
                ),
                false => format!("the first {states}, with nothing left out; there are more"),
            };
            if let Some(length) = length {
                data.sentence = format!(
                    "{}; the run of `{}` has {}",
                    data.sentence,
                    data.property.as_deref().unwrap_or_default(),
                    counted(length, "step")
                );
            }
            data.levels = (found.levels.iter())
                .map(|level| LevelData {
                    states: level.states,
                    edges: level.edges,
                })
                .collect();
            data.growth = (found.growth.into_iter())
                .map(|one| GrowthData {
                    place: at(&one.place),
                    text: one.text,
                    states: one.states,
                })
                .collect();
            Picture::default()
        }
    };
    data.nodes = (picture.nodes.into_iter())
        .map(|node| {
            let marks = [
                (node.marks.is_initial, "initial"),
                (node.marks.is_final, "final"),
                (node.marks.is_terminal, "terminal"),
                (node.marks.is_failure, "failure"),
                (node.marks.is_violation, "violation"),
            ];
            NodeData {
                label: node.label,
                values: node.values,
                place: node.place.as_ref().and_then(&mut at),
                marks: marks
                    .iter()
                    .filter(|(is, _)| *is)
                    .map(|(_, name)| *name)
                    .collect(),
                run: node.run,
            }
        })
        .collect();
    data.edges = (picture.edges.into_iter())
        .map(|edge| EdgeData {
            from: edge.from,
            to: edge.to,
            labels: edge.labels,
            place: edge.place.as_ref().and_then(&mut at),
            run: edge.run,
        })
        .collect();
    data.variables = picture.variables;
    data.files = files.into_iter().map(|(_, url)| url).collect();
    data
}
