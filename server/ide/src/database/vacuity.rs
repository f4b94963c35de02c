//! Questions about the properties that hold: whether they hold vacuously.
//!
//! Each question is about a slice like any property, so that it has a verdict of its own, which
//! stays if an edit leaves the slice as it was.

use std::collections::BTreeMap;
use std::sync::Arc;

use stubborn_engine::Verdict;
use stubborn_model::{Model, Premise};
use stubborn_report::{Vacuous, never_happens, questions, vacuous};
use stubborn_system::source::FileId;

use super::files::SourceFile;
use super::found::found_of_all;
use super::inputs::Db;
use super::queries::{analyzed, system, texts, whole};
use crate::jobs::{Answer, Sliced, sliced};

/// Number of questions that are asked about one file, those of its first properties.
const MOST_QUESTIONS: usize = 256;

/// A question about a property that holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The number of the property.
    property: usize,
    /// Which of its premises.
    premise: usize,
    pub asked: Sliced,
}

impl Question {
    fn premise<'m>(&self, model: &'m Model) -> &'m Premise {
        &model.properties[self.property].premises[self.premise]
    }
}

/// A premise that never occurs, and the properties that hold because of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Idle {
    pub vacuous: Vacuous,
    /// The number of the first of the properties.
    pub first: usize,
    /// The names of the properties, if others that hold have the same premise, which occurs in
    /// them.
    pub only_in: Vec<String>,
}

/// The properties of the root's own file that are known to hold and have premises.
#[salsa::tracked(returns(clone))]
fn holding(db: &dyn Db, root: SourceFile) -> Arc<Vec<usize>> {
    let analysis = analyzed(db, root);
    let model = analysis.as_ref().and_then(|one| one.model.as_ref());
    let named = model.map_or(&[][..], |model| &model.properties);
    // Most files have none, and need not be told of each verdict.
    if named.iter().all(|one| one.premises.is_empty()) {
        return Arc::default();
    }
    let found = found_of_all(db, root);
    let all = named.iter().zip(found.iter()).enumerate();
    let holding = all.filter(|(_, (named, known))| {
        let holds = |answer: &Answer| {
            matches!(answer, Answer::Outcome(outcome) if outcome.verdict == Verdict::Holds)
        };
        let is_own = named.span.file == FileId(0) && !named.premises.is_empty();
        is_own && known.as_ref().is_some_and(|known| holds(&known.answer))
    });
    Arc::new(holding.map(|(at, _)| at).collect())
}

/// The questions about the properties of the root's own file that hold.
#[salsa::tracked(returns(clone))]
pub fn premises(db: &dyn Db, root: SourceFile) -> Arc<Vec<Question>> {
    let holding = holding(db, root);
    let (Some(analysis), Some(system)) = (analyzed(db, root), system(db, root)) else {
        return Arc::default();
    };
    let Some(model) = analysis.model.as_ref().filter(|_| !holding.is_empty()) else {
        return Arc::default();
    };
    let on_the_way = || db.unwind_if_revision_cancelled();
    let mut asked = Vec::new();
    for property in holding.iter().copied() {
        on_the_way();
        let all = questions(&model.properties[property], &system);
        let all = all.into_iter().enumerate();
        asked.extend(all.filter_map(|(premise, one)| Some((property, premise, one?))));
        if asked.len() >= MOST_QUESTIONS {
            asked.truncate(MOST_QUESTIONS);
            break;
        }
    }
    let slices = sliced(&system, asked.iter().map(|(.., one)| one), &on_the_way);
    let questions = asked.iter().zip(slices);
    let questions = questions.map(|((property, premise, _), asked)| Question {
        property: *property,
        premise: *premise,
        asked,
    });
    Arc::new(questions.collect())
}

/// Premises that never occur, as far as they are decided, in the order of the text.
#[salsa::tracked(returns(clone))]
pub fn idle(db: &dyn Db, root: SourceFile) -> Arc<Vec<Idle>> {
    let questions = premises(db, root);
    if questions.is_empty() {
        return Arc::default();
    }
    let (Some(whole), Some(analysis), Some(texts)) =
        (whole(db, root), analyzed(db, root), texts(db, root))
    else {
        return Arc::default();
    };
    let Some(model) = &analysis.model else {
        return Arc::default();
    };
    let table = db.verdict_input().table(db);
    let is_idle = |question: &Question| {
        let known = table.get(question.asked.key);
        known.is_some_and(|known| match &known.answer {
            Answer::Outcome(outcome) => never_happens(&outcome.verdict),
            Answer::Refused(_) => false,
        })
    };
    // By what stands there: all members of a family have that.
    let mut by_premise: BTreeMap<(u32, u32, u32), Vec<&Question>> = BTreeMap::new();
    for question in questions.iter() {
        let span = question.premise(model).span;
        let of_premise = by_premise.entry((span.file.0, span.start, span.end));
        of_premise.or_default().push(question);
    }
    let mut all = Vec::new();
    for asked in by_premise.into_values() {
        db.unwind_if_revision_cancelled();
        let idle: Vec<&&Question> = asked.iter().filter(|one| is_idle(one)).collect();
        let Some(first) = idle.first() else {
            continue;
        };
        let premise = first.premise(model);
        let text = &whole.program.file(premise.span.file).text;
        let name = |one: &&&Question| model.properties[one.property].name.clone();
        all.push(Idle {
            vacuous: vacuous(premise, text, &texts),
            first: first.property,
            only_in: match idle.len() == asked.len() {
                true => Vec::new(),
                false => idle.iter().map(name).collect(),
            },
        });
    }
    Arc::new(all)
}
