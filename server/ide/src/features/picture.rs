//! What of a model is drawn: asked of the database, and then drawn without it, since that may be a search.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use stubborn_engine::Trace;
use stubborn_engine::coverage::{Coverage, Extent};
use stubborn_model::Analysis;
use stubborn_report::picture::{
    Levels, MOST_EDGES, MOST_NODES, Picture, TooLarge, levels, process, space,
};
use stubborn_report::{About, Texts, counted};
use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode};

use crate::database::{Db, SourceFile, analyzed, coverage_of_slice, parsed, properties, texts};

/// So long states are searched for, while a person waits.
const A_WHILE: Duration = Duration::from_millis(1500);

/// The run of a property.
pub struct Run {
    /// The property's name, with its values.
    pub property: String,
    /// Of what the run is one.
    pub analysis: Arc<Analysis>,
    pub trace: Arc<Trace>,
}

/// A search for some of the properties, breadth first.
pub struct Searched {
    /// Their names, with values.
    pub properties: Vec<String>,
    pub seen: Arc<Coverage>,
}

impl Searched {
    /// How far it has come.
    pub fn sentence(&self) -> String {
        let states = counted(self.seen.states as usize, "state");
        let told = match self.seen.extent {
            Extent::Whole => format!("{states}, all of what they depend on"),
            Extent::Local => format!("{states}; others were not needed"),
            Extent::Part => format!("{states}, and then it ended"),
        };
        match self.seen.is_turned {
            true => format!("{told}; of those that permutations make of each other it has one"),
            false => told,
        }
    }
}

/// How the states grew in the searches of a root whose levels are known: that of a property first, then those with the most
/// states.
pub fn searches(db: &dyn Db, root: SourceFile, first: Option<&str>) -> Vec<Searched> {
    let (properties, analysis) = (properties(db, root), analyzed(db, root));
    let model = analysis.as_ref().and_then(|all| all.model.as_ref());
    let mut found: Vec<Searched> = Vec::new();
    let mut slices = HashMap::new();
    let stated = model.iter().flat_map(|model| &model.properties);
    for (at, (property, stated)) in properties.iter().zip(stated).enumerate() {
        let search = *slices.entry(property.key.slice).or_insert_with(|| {
            let seen = coverage_of_slice(db, root, at).filter(|seen| !seen.levels.is_empty())?;
            // What several slices have in the same levels was searched for together.
            let known = found
                .iter()
                .position(|one| one.seen.states == seen.states && one.seen.levels == seen.levels);
            Some(known.unwrap_or_else(|| {
                let properties = Vec::new();
                found.push(Searched { properties, seen });
                found.len() - 1
            }))
        });
        if let Some(search) = search {
            found[search].properties.push(stated.name.clone());
        }
    }
    let is_asked = |name: &String| first == Some(name) || first == name.split('(').next();
    for one in &mut found {
        one.properties.sort_by_key(|name| !is_asked(name));
    }
    let is_first = |one: &Searched| one.properties.first().is_some_and(is_asked);
    found.sort_by_key(|one| (!is_first(one), Reverse(one.seen.states)));
    found
}

/// All that is needed to draw.
pub struct Wanted {
    root: SourceFile,
    /// What the root meant when it was asked about.
    meant: Arc<Analysis>,
    texts: Arc<Texts>,
    pub run: Option<Run>,
    /// The number of the instance; nothing where all states are wanted.
    instance: Option<usize>,
}

pub enum Shown {
    /// An instance, by its name.
    Process(String, Picture),
    States(Picture),
    Levels(Levels),
}

impl Wanted {
    /// What is drawn of a root, or of the process with this name, which may be that of an instance.
    ///
    /// # Errors
    /// Why there is nothing to draw, as a sentence.
    pub fn find(
        db: &dyn Db,
        root: SourceFile,
        process: Option<&str>,
        run: Option<Run>,
    ) -> Result<Wanted, String> {
        let analysis = analyzed(db, root).filter(|analysis| analysis.model.is_some());
        let (Some(meant), Some(texts)) = (analysis, texts(db, root)) else {
            return Err("The text has errors, so that there is nothing to draw.".to_owned());
        };
        let mut wanted = Wanted {
            root,
            meant,
            texts,
            run,
            instance: None,
        };
        let all: Vec<&str> = wanted.instances().collect();
        if all.is_empty() {
            return Err(
                "There is no process in this file. A tester file is drawn with its model."
                    .to_owned(),
            );
        }
        if let Some(name) = process {
            let exact = all.iter().position(|one| *one == name);
            let first = || {
                all.iter()
                    .position(|one| one.split('(').next() == Some(name))
            };
            let instance = exact
                .or_else(first)
                .ok_or_else(|| format!("There is no process `{name}` in the text as it is."))?;
            wanted.instance = Some(instance);
        }
        Ok(wanted)
    }

    /// Whether it is still what the text means.
    pub fn is_of(&self, db: &dyn Db) -> bool {
        analyzed(db, self.root).is_some_and(|now| Arc::ptr_eq(&now, &self.meant))
    }

    fn analysis(&self) -> &Analysis {
        self.run.as_ref().map_or(&self.meant, |run| &run.analysis)
    }

    /// The names of all instances.
    pub fn instances(&self) -> impl Iterator<Item = &str> {
        let models = self.analysis().model.iter();
        let instances = models.flat_map(|model| &model.source_map.instances);
        instances.map(|one| one.name.as_str())
    }

    /// Draws it, which may take some seconds, and ends soon once it is cancelled.
    ///
    /// # Errors
    /// Why there is no picture, as a sentence.
    pub fn draw(&self, is_cancelled: &AtomicBool) -> Result<Shown, String> {
        let model = self.analysis().model.as_ref();
        let model = model.ok_or("There is no model in this file.")?;
        let drawn = About::new(model, &self.texts);
        let run = self.run.as_ref().map(|run| &*run.trace);
        if let Some(instance) = self.instance {
            let name = model.source_map.instances[instance].name.clone();
            return match process(drawn, instance as u32, run) {
                Ok(picture) => Ok(Shown::Process(name, picture)),
                Err(TooLarge { nodes }) => Err(format!(
                    "`{name}` is too large for a picture, with {nodes} places: it may have \
                     {MOST_NODES}, and {MOST_EDGES} steps between them."
                )),
            };
        }
        if let Some(picture) = space(drawn, run, Instant::now() + A_WHILE, is_cancelled) {
            return Ok(Shown::States(picture));
        }
        levels(drawn, run, Instant::now() + A_WHILE, is_cancelled)
            .map(Shown::Levels)
            .ok_or_else(|| "A state of this model is too large to be searched.".to_owned())
    }
}

/// The name of the process that a place is in.
///
/// # Errors
/// That it is in none, as a sentence.
pub fn process_at(db: &dyn Db, file: SourceFile, offset: usize) -> Result<String, String> {
    let named = || {
        let root = parsed(db, file)?.parse.syntax();
        let offset = u32::try_from(offset).ok()?;
        let offset = offset.min(root.text_range().end().into());
        let token = root.token_at_offset(offset.into()).right_biased()?;
        let mut around = token.parent_ancestors();
        let process = around.find(|node| node.kind() == SyntaxKind::PROCESS_DECL)?;
        Some(
            process
                .children()
                .find_map(ast::Name::cast)?
                .text()
                .to_string(),
        )
    };
    named().ok_or_else(|| {
        "There is no process here. Put the cursor into one, or show the states of the whole model."
            .to_owned()
    })
}
