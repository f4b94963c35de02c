//! Models for the tests of the features.

use std::sync::{Arc, Mutex};

use stubborn_engine::{Caller, Event, Options, Outcome, check};

use stubborn_system::property::Property;
use stubborn_system::system::System;

use crate::database::{
    Contents, Database, Db, SourceFile, every_step, premises, properties, system,
};
use crate::jobs::{Answer, Known, Sliced, Verdicts};

/// A file with this text.
pub fn file(text: &str) -> (Database, SourceFile) {
    let mut db = Database::default();
    db.set_contents("/model.stb", Contents::Text(text.into()));
    let file = db.file("/model.stb");
    (db, file)
}

/// Files with these texts; the last is the one asked about.
pub fn files(texts: &[(&str, &str)]) -> (Database, SourceFile) {
    let mut db = Database::default();
    for (path, text) in texts {
        db.set_contents(path, Contents::Text((*text).into()));
    }
    let (path, _) = texts.last().expect("a file");
    let file = db.file(path);
    (db, file)
}

/// A file with this text whose properties have been checked. How long that took is left out.
pub fn checked(text: &str) -> (Database, SourceFile) {
    let (db, file, is_checked) = checked_if_right(file(text));
    assert!(is_checked, "a text without errors");
    (db, file)
}

/// Files with these texts; the properties of the last have been checked, if it has no errors.
pub fn checked_files(texts: &[(&str, &str)]) -> (Database, SourceFile) {
    let (db, file, _) = checked_if_right(files(texts));
    (db, file)
}

fn checked_if_right((mut db, file): (Database, SourceFile)) -> (Database, SourceFile, bool) {
    let Some(system) = system(&db, file) else {
        return (db, file, false);
    };
    let properties = properties(&db, file);
    let options = Options {
        tells_seen: true,
        ..Options::default()
    };
    let mut verdicts = Verdicts::default();
    let outcomes = searched(&system, &properties, &options, &mut verdicts);
    let known = |property: &Sliced, mut outcome: Outcome| {
        outcome.seconds = 0.0;
        Known {
            answer: Answer::Outcome(Box::new(property.kept(&system, &outcome))),
            budget: None,
            found_before: false,
        }
    };
    for (property, outcome) in properties.iter().zip(outcomes) {
        verdicts.insert(property.key, known(property, outcome));
    }
    db.set_verdicts(Arc::new(verdicts.clone()));
    // What these have left open is asked of all steps,
    if let Some((every_step, asked)) = every_step(&db, file) {
        let options = every_step.options(&options);
        searched(&system, &asked, &options, &mut verdicts);
        db.set_verdicts(Arc::new(verdicts.clone()));
    }
    // and those that hold are asked for their premises.
    let questions = premises(&db, file);
    if !questions.is_empty() {
        let all: Vec<_> = questions
            .iter()
            .map(|one| one.asked.property.clone())
            .collect();
        let outcomes =
            check(&system, &all, &Options::default(), Caller::default()).expect("a small system");
        for (question, outcome) in questions.iter().zip(outcomes) {
            verdicts.insert(question.asked.key, known(&question.asked, outcome));
        }
        db.set_verdicts(Arc::new(verdicts));
    }
    (db, file, true)
}

/// Searches for the properties, and keeps what is seen.
fn searched(
    system: &System,
    properties: &[Sliced],
    options: &Options,
    verdicts: &mut Verdicts,
) -> Vec<Outcome> {
    let all: Vec<Property> = properties.iter().map(|one| one.property.clone()).collect();
    let told = Mutex::new(Vec::new());
    let observer = |event: Event<'_>| {
        if let Event::Saw(properties, seen) = event {
            let mut told = told.lock().expect("nobody panics");
            told.push((properties.to_vec(), seen.clone()));
        }
    };
    let caller = Caller::observing(&observer);
    let outcomes = check(system, &all, options, caller).expect("a small system");
    for (within, seen) in told.into_inner().expect("nobody panics") {
        for property in within {
            let property = &properties[property];
            verdicts.saw(
                property.key.slice,
                Arc::new(property.kept_coverage(system, &seen)),
            );
        }
    }
    outcomes
}

/// A text without the `$0` in it, and where that stood.
pub fn cursor(text: &str) -> (String, usize) {
    let at = text.find("$0").expect("a cursor");
    (text.replacen("$0", "", 1), at)
}
