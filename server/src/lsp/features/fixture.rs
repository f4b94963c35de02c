//! Models for the tests of the features.

use std::sync::Arc;

use stubborn_engine::{Options, Silent, check};

use crate::database::{Contents, Database, Db, SourceFile, properties, system};
use crate::jobs::{Answer, Known, Verdicts};

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
    let (mut db, file) = file(text);
    let system = system(&db, file).expect("a text without errors");
    let properties = properties(&db, file);
    let all: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
    let outcomes = check(&system, &all, &Options::default(), &Silent).expect("a small system");
    let mut verdicts = Verdicts::default();
    for (property, mut outcome) in properties.iter().zip(outcomes) {
        outcome.seconds = 0.0;
        let known = Known {
            answer: Answer::Outcome(Box::new(property.kept(&system, &outcome))),
            budget: None,
        };
        verdicts.insert(property.key, known);
    }
    db.set_verdicts(Arc::new(verdicts));
    (db, file)
}

/// A text without the `$0` in it, and where that stood.
pub fn cursor(text: &str) -> (String, usize) {
    let at = text.find("$0").expect("a cursor");
    (text.replacen("$0", "", 1), at)
}
