//! Assuming that those are fair who never move on a cycle.
//!
//! Where a run violates a property because somebody could always go on and is never let, that one is often meant to be
//! let: whoever schedules is fair. With `fair process` the property is asked of such runs alone.

use std::collections::BTreeSet;

use stubborn_engine::Verdict;
use stubborn_engine::fairness::{Met, how_met};
use stubborn_model::Model;
use stubborn_report::PropertyReport;
use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{AstNode, HasName, Item};
use stubborn_system::property::{Assumption, StepPattern, StepSet};
use stubborn_system::source::FileId;
use stubborn_system::system::InstanceId;

use super::proposal::{Proposal, Root};
use crate::features::tree::bytes;
use crate::jobs::Answer;

/// Of so many who never move it is asked whether they could.
const MOST_ASKED: usize = 64;

/// For a property of runs that is violated by going round where somebody never moves who always could.
pub fn of_standing_still(
    root: Root<'_>,
    model: &Model,
    report: &PropertyReport,
    answer: &Answer,
) -> Option<Proposal> {
    let mut all = model.properties.iter();
    let asked = all.find(|one| one.name == report.name)?;
    let Answer::Outcome(outcome) = answer else {
        return None;
    };
    let Verdict::Violated { trace, .. } = &outcome.verdict else {
        return None;
    };
    if !asked.property.is_of_runs() || trace.cycle().is_empty() {
        return None;
    }
    let steps = trace.cycle().iter().flat_map(|step| &step.participants);
    let moving: BTreeSet<InstanceId> = steps.map(|(instance, _)| *instance).collect();
    let instances = &model.source_map.instances;
    let still = (0..instances.len() as InstanceId).filter(|at| !moving.contains(at));
    let still: Vec<InstanceId> = still.take(MOST_ASKED).collect();
    // Who cannot always go on is not owed it by that.
    let fair = |instance: &InstanceId| Assumption {
        is_strong: false,
        steps: StepSet {
            patterns: vec![StepPattern::At(
                *instance,
                (0..model.system.instances[*instance as usize].locations.len() as u32).collect(),
            )],
        },
    };
    let asked: Vec<Assumption> = still.iter().map(fair).collect();
    let met = how_met(&model.system, &asked, trace, &|| {});
    let put_off = still.iter().zip(met).filter(|(_, how)| *how == Met::Not);
    let still = put_off.map(|(instance, _)| *instance as usize);
    // By where its process's name stands.
    let process = |at: usize| (instances[at].span.file.0, instances[at].span.start);
    let still: BTreeSet<(u32, u32)> = still.map(process).collect();
    let mut edits = Vec::new();
    let mut names: Vec<String> = Vec::new();
    for (number, file) in (0..).zip(&root.program.files) {
        for item in file.parse.tree().items() {
            let Item::Process(process) = item else {
                continue;
            };
            let Some(name) = process.name() else { continue };
            let start = bytes(name.range()).start as u32;
            if process.fair_token().is_some() || !still.contains(&(number, start)) {
                continue;
            }
            let tokens = process.syntax().children_with_tokens();
            let mut tokens = tokens.filter_map(|one| one.into_token());
            let word = tokens.find(|token| token.kind() == SyntaxKind::PROCESS_KW)?;
            let at = bytes(word.text_range()).start;
            edits.push((FileId(number), at..at, "fair ".to_owned()));
            names.push(name.text());
        }
    }
    let who = match names.as_slice() {
        [] => return None,
        [one] => format!("`{one}` is"),
        [one, other] => format!("`{one}` and `{other}` are"),
        [one, rest @ ..] => format!("`{one}` and {} more are", rest.len()),
    };
    let title = format!("Assume that {who} fair: whoever can always go on does so some time");
    Some(Proposal::new(title, edits))
}
