//! `stubborn/picture`: the graph of a process, or of the state space, as data to be laid out; and
//! `stubborn/pictureText`, the same as a text.
//!
//! `docs/requests.md` says what each part means; the two are held together by a test.

use serde::{Deserialize, Serialize};
use stubborn_ide::features::picture::{Run, Searched, Shown, Wanted, process_at, searches};
use stubborn_report::picture::{Edge, Levels, Node, Picture, dot};
use stubborn_report::{Place, counted};
use tower_lsp::lsp_types::{
    Position, Range, TextDocumentIdentifier, TextDocumentPositionParams, Url,
};

use super::trace::{Answer, Parameter, Which};
use crate::lsp::convert::{Files, Places};
use crate::lsp::view::View;

pub const METHOD: &str = "stubborn/picture";
pub const TEXT: &str = "stubborn/pictureText";

/// So many instances are offered.
const MOST_OFFERED: usize = 200;
/// So many searches are told of, and of each so many properties.
const MOST_SEARCHES: usize = 4;
const MOST_NAMED: usize = 100;

const NO_RUN_WITH_IT: &str = "With another value of a parameter a picture is drawn for the run of a property: it has to \
                              be named.";

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Params {
    pub text_document: TextDocumentIdentifier,
    /// An instance, `"customer(1)"`, or a process, `"customer"`, of which it is the first. Without it the picture
    /// is of the state space.
    #[serde(default)]
    pub process: Option<String>,
    /// Or a place in the text: the process around it.
    #[serde(default)]
    pub position: Option<Position>,
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
    processes_left_out: usize,
    files: Vec<Url>,
    variables: Vec<String>,
    nodes: Vec<Placed<Node>>,
    edges: Vec<Placed<Edge>>,
    levels: Vec<LevelData>,
    searches: Vec<SearchData>,
    searches_left_out: usize,
    growth: Vec<GrowthData>,
    complete: bool,
}

/// A part of a picture, with its place.
#[derive(Debug, Serialize)]
struct Placed<T> {
    #[serde(flatten)]
    part: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<PlaceData>,
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
    /// "violation".
    #[serde(skip_serializing_if = "Vec::is_empty")]
    marks: Vec<&'static str>,
}

/// A search for properties.
#[derive(Debug, Serialize)]
struct SearchData {
    properties: Vec<String>,
    sentence: String,
    /// How many states are 0, 1, 2, … steps from the start.
    levels: Vec<u64>,
}

#[derive(Debug, Serialize)]
struct GrowthData {
    text: String,
    place: Option<PlaceData>,
    states: u64,
}

/// What is asked for, so that it can be drawn without the database; and why there is no run in it, where one is
/// asked for.
pub struct Asked {
    pub wanted: Wanted,
    searches: Vec<Searched>,
    why_no_run: Option<String>,
    /// The value of a parameter of the model with which all that is, where that is not the text's.
    with: Option<Parameter>,
}

/// # Errors
/// Why there is nothing to draw, as a sentence.
pub fn ask(view: &View, params: &Params) -> Result<Asked, String> {
    let db = &view.database;
    if params.parameter.is_some() && params.property.is_none() {
        return Err(NO_RUN_WITH_IT.to_owned());
    }
    let found = params.property.as_ref().map(|property| {
        let which = Which {
            text_document: params.text_document.clone(),
            property: property.clone(),
            parameter: params.parameter.clone(),
            from: 0,
        };
        which.find(view, |of, found, _| {
            let (analysis, trace) = of.run(db, found.at())?;
            let property = found.name.clone();
            Some(Run {
                property,
                analysis,
                trace,
            })
        })
    });
    let (run, why_no_run) = match found {
        Some(Ok(run)) => (Some(run), None),
        // A picture of the text as it is would be taken for one with that value.
        Some(Err(why)) if params.parameter.is_some() => return Err(why),
        Some(Err(why)) => (None, Some(why)),
        None => (None, None),
    };
    let url = &params.text_document.uri;
    let around = params.position.map(|position| {
        let text_document = params.text_document.clone();
        let at = TextDocumentPositionParams::new(text_document, position);
        let (file, offset) = view.places().asked(&at);
        process_at(db, file, offset)
    });
    let process = around.transpose()?.or_else(|| params.process.clone());
    let root = view.places().file(url);
    let with = params.parameter.clone();
    // A process needs no search, and those that are known were made with the text's value.
    let searches = match (&process, &with) {
        (None, None) => searches(db, root, params.property.as_deref()),
        _ => Vec::new(),
    };
    let wanted = Wanted::find(db, root, process.as_deref(), run)?;
    Ok(Asked {
        wanted,
        searches,
        why_no_run,
        with,
    })
}

/// The answer, if it is one about the text as it is.
pub fn answer(view: &View, drawn: &Result<(Asked, Shown), String>) -> Option<Answer<Told>> {
    if let Ok((asked, _)) = drawn
        && !asked.wanted.is_of(&view.database)
    {
        return None;
    }
    let told = drawn
        .as_ref()
        .map_err(Clone::clone)
        .map(|(asked, shown)| Told {
            picture: data(&mut view.places(), asked, shown),
        });
    Some(told.into())
}

/// The picture in the language of Graphviz.
pub fn text(drawn: Result<(Asked, Shown), String>) -> Answer<Text> {
    let told = drawn.and_then(|(_, shown)| match shown {
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

impl Files<'_, '_> {
    fn placed<T: Clone>(&mut self, part: &T, place: Option<&Place>) -> Placed<T> {
        Placed {
            part: part.clone(),
            place: place.and_then(|place| self.at(place)),
        }
    }

    fn at(&mut self, place: &Place) -> Option<PlaceData> {
        let file = self.number(&place.file)?;
        let range = self.range(place);
        Some(PlaceData { file, range })
    }
}

fn data(places: &mut Places<'_>, asked: &Asked, shown: &Shown) -> PictureData {
    let run = asked.wanted.run.as_ref();
    let mut files = Files::new(places);
    let (kind, title, sentence) = told(shown);
    let sentence = match &asked.with {
        None => sentence,
        Some(Parameter { name, value }) => format!("with {name} = {value}: {sentence}"),
    };
    let sentence = match (shown, run) {
        (Shown::Levels(levels), Some(run)) => format!("{sentence}; {}", ends(levels, run)),
        _ => sentence,
    };
    let sentence = match shown {
        // A person has other numbers before them, of the check.
        Shown::Levels(_) => format!("{sentence}; {OF_THIS_SEARCH}"),
        _ => sentence,
    };
    let (nothing, no_levels) = (Picture::default(), None);
    let (picture, levels) = match shown {
        Shown::Process(_, picture) | Shown::States(picture) => (picture, no_levels),
        Shown::Levels(levels) => (&nothing, Some(levels)),
    };
    // What is shown is among those that are offered.
    let mut processes: Vec<&str> = asked.wanted.instances().take(MOST_OFFERED).collect();
    if let Shown::Process(name, _) = shown
        && !processes.contains(&&**name)
        && asked.wanted.instances().any(|one| one == &**name)
    {
        processes.push(name);
    }
    let processes_left_out = asked.wanted.instances().count() - processes.len();
    let growth = levels.iter().flat_map(|levels| &levels.growth);
    let growth = growth.map(|one| GrowthData {
        place: files.at(&one.place),
        text: one.text.clone(),
        states: one.states,
    });
    let growth = growth.collect();
    let violation = levels.and_then(|levels| levels.violation);
    let levels_data = levels.iter().flat_map(|levels| &levels.levels);
    let levels_data = levels_data.enumerate().map(|(at, level)| LevelData {
        states: level.states,
        edges: level.edges,
        marks: match violation {
            Some(violation) if violation == at => vec!["violation"],
            _ => Vec::new(),
        },
    });
    // Where all states are drawn there is nothing to count.
    let searches = match shown {
        Shown::Levels(_) => &asked.searches[..],
        _ => &[],
    };
    let told = searches.iter().take(MOST_SEARCHES).map(|one| SearchData {
        properties: one.properties.iter().take(MOST_NAMED).cloned().collect(),
        sentence: one.sentence(),
        levels: one.seen.levels.clone(),
    });
    PictureData {
        searches: told.collect(),
        searches_left_out: searches.len().saturating_sub(MOST_SEARCHES),
        kind,
        title,
        sentence,
        property: run.map(|run| run.property.clone()),
        why_no_run: asked.why_no_run.clone(),
        processes: processes.into_iter().map(str::to_owned).collect(),
        processes_left_out,
        variables: picture.variables.clone(),
        nodes: (picture.nodes.iter())
            .map(|node| files.placed(node, node.place.as_ref()))
            .collect(),
        edges: (picture.edges.iter())
            .map(|edge| files.placed(edge, edge.place.as_ref()))
            .collect(),
        levels: levels_data.collect(),
        growth,
        complete: levels.is_none_or(|levels| levels.is_complete),
        files: files.urls,
    }
}

/// What search the numbers of a picture are of.
const OF_THIS_SEARCH: &str = "counted by a search for this picture alone, breadth first and with \
                              nothing left out, where that for a property may leave states out";

/// Where a run ends, among the states that were counted.
fn ends(levels: &Levels, run: &Run) -> String {
    let (property, steps) = (&run.property, counted(run.trace.len(), "step"));
    match levels.violation {
        Some(level) => format!(
            "the run of `{property}` has {steps} and ends {} from the start",
            counted(level, "step")
        ),
        None => format!("the run of `{property}` has {steps} and ends beyond these states"),
    }
}

/// What it is, its title, and a sentence about it.
fn told(shown: &Shown) -> (&'static str, String, String) {
    match shown {
        Shown::Process(name, picture) => (
            "process",
            name.clone(),
            format!(
                "{}, and the steps from one to another, whatever the other processes let it do",
                counted(picture.nodes.len(), "place")
            ),
        ),
        Shown::States(picture) => {
            let states = picture.nodes.iter().filter(|node| !node.marks.is_failure);
            let states = counted(states.count(), "state");
            (
                "states",
                "All states".to_owned(),
                format!("{states} can be reached: these, with nothing left out"),
            )
        }
        Shown::Levels(found) => {
            let states = counted(found.states as usize, "state");
            let told = match found.is_complete {
                true => format!(
                    "{states} can be reached, by at most {}: too much to draw",
                    counted(found.levels.len() - 1, "step")
                ),
                false => format!("the first {states}; there are more"),
            };
            ("levels", "How the state space grows".to_owned(), told)
        }
    }
}
