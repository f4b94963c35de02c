//! Assumptions and expectations in the texts of models: what was drawn is what the text means, so that what the other
//! tests say of properties with assumptions is said of texts too.

use std::collections::BTreeSet;

use stubborn_model::elaborate::Settings;
use stubborn_random::model::{Body, Model, Process};
use stubborn_random::random::Random;
use stubborn_random::{read, render, starving};
use stubborn_system::property::{Assumption, Property, StepPattern};

use super::assumed;

/// How often each was drawn.
#[derive(Debug, Default)]
struct Met {
    weak: usize,
    strong: usize,
    processes: usize,
    expected: usize,
}

#[test]
fn assumptions_and_expectations_of_a_text_are_those_that_were_drawn() {
    let mut met = Met::default();
    for seed in 0..400 {
        let model = starving::model(seed);
        let Some(plain) = read::model(&model) else {
            continue;
        };
        let r = &mut Random::new(seed ^ 0xfa1_7e57);
        let mut assumptions = assumed::draw(&plain.system, r);
        for one in &mut assumptions {
            // No text names no state, and the steps of these models have no names.
            let is_named = |pattern: &StepPattern| match pattern {
                StepPattern::Action(_) => true,
                StepPattern::At(_, locations) => !locations.is_empty(),
                StepPattern::Taken(..) => false,
            };
            one.steps.patterns.retain(is_named);
        }
        assumptions.retain(|one| !one.steps.patterns.is_empty());
        let (mut text, _) = render::text(&model);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        // They are numbered as they stand in the text.
        let mut actions: Vec<&str> = model.actions.iter().map(|one| one.name.as_str()).collect();
        actions.sort_by_key(|name| text.find(&format!("action {name}")));
        for (number, one) in assumptions.iter().enumerate() {
            let of_process =
                whole_process(&model, &actions, one).filter(|_| !one.is_strong && r.one_in(2));
            let fair = of_process.and_then(|name| once_fair(&text, name));
            if let Some(fair) = fair {
                met.processes += 1;
                text = fair;
                continue;
            }
            let strength = if one.is_strong {
                "strongly fair"
            } else {
                "fair"
            };
            let steps: Vec<String> = one
                .steps
                .patterns
                .iter()
                .map(|pattern| spelt(&model, &actions, pattern))
                .collect();
            let steps = match &steps[..] {
                [step] if r.one_in(2) => step.clone(),
                _ => format!("{{{}}}", steps.join(", ")),
            };
            text += &format!("{strength} f{number}: {steps}\n");
        }
        let names: Vec<&str> = plain
            .properties
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        let expected: Vec<&str> = names.into_iter().filter(|_| r.one_in(4)).collect();
        if !expected.is_empty() {
            text += &format!("expect violated: {}\n", expected.join(", "));
        }
        let Some(read) = read::text(text.clone(), &Settings::default()) else {
            panic!("seed {seed}: the text has mistakes\n{text}");
        };
        assert_eq!(read.properties.len(), plain.properties.len(), "{text}");
        for (fair, plain) in read.properties.iter().zip(&plain.properties) {
            let is_expected = expected.contains(&plain.name.as_str());
            assert_eq!(
                fair.expected_violated, is_expected,
                "{}\n{text}",
                plain.name
            );
            met.expected += usize::from(is_expected);
            match (&fair.property, &plain.property) {
                (Property::Fair(found), Property::MustProgress(_) | Property::Recurrence(..)) => {
                    assert_eq!(*found.property, plain.property, "seed {seed}\n{text}");
                    assert_eq!(
                        in_order(&model, &found.assumptions),
                        in_order(&model, &assumptions),
                        "seed {seed}\n{text}"
                    );
                    let strong = assumptions.iter().filter(|one| one.is_strong).count();
                    met.strong += strong;
                    met.weak += assumptions.len() - strong;
                }
                (of_text, drawn) if assumptions.is_empty() => assert_eq!(of_text, drawn),
                (of_text, drawn) => assert_eq!(of_text, drawn, "seed {seed}\n{text}"),
            }
        }
    }
    let Met {
        weak,
        strong,
        processes,
        expected,
    } = met;
    assert!(
        weak > 500 && strong > 500 && processes > 50 && expected > 200,
        "{met:?}"
    );
}

/// What is equal in any order, and of states to which no step leads nothing.
fn in_order(model: &Model, assumptions: &[Assumption]) -> Vec<(bool, Vec<String>)> {
    let mut all: Vec<(bool, Vec<String>)> = assumptions
        .iter()
        .map(|one| {
            let mut patterns: Vec<String> = one
                .steps
                .patterns
                .iter()
                .filter_map(|pattern| match pattern {
                    StepPattern::Action(_) | StepPattern::Taken(..) => Some(format!("{pattern:?}")),
                    StepPattern::At(instance, locations) => {
                        let led_to = led_to(&model.processes[*instance as usize]);
                        let kept = locations
                            .iter()
                            .filter(|at| led_to.contains(&(**at as usize)));
                        let kept: Vec<_> = kept.collect();
                        (!kept.is_empty()).then(|| format!("{instance}@{kept:?}"))
                    }
                })
                .collect();
            patterns.sort();
            patterns.dedup();
            (one.is_strong, patterns)
        })
        .collect();
    all.sort();
    all
}

/// The states of a process to which steps lead.
fn led_to(process: &Process) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([0]);
    let Body::States(states) = &process.body else {
        unreachable!("it has states");
    };
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let next = states[at].steps.iter().map(|(_, to)| *to);
        open.extend(next.filter(|to| found.insert(*to)));
    }
    found
}

/// `p1`, `p1@{s0, s2}` or `a0`. Processes have no parameters here, and actions no values.
fn spelt(model: &Model, actions: &[&str], pattern: &StepPattern) -> String {
    match pattern {
        StepPattern::Action(pattern) => actions[pattern.action as usize].to_owned(),
        StepPattern::Taken(..) => unreachable!("no assumption of a random model names a step"),
        StepPattern::At(instance, locations) => {
            let process = &model.processes[*instance as usize];
            let Body::States(states) = &process.body else {
                unreachable!("it has states");
            };
            if locations.len() == states.len() {
                return process.name.clone();
            }
            let names: Vec<&str> = locations
                .iter()
                .map(|at| states[*at as usize].name.as_str())
                .collect();
            format!("{}@{{{}}}", process.name, names.join(", "))
        }
    }
}

/// The process of which it is all steps.
fn whole_process<'m>(model: &'m Model, actions: &[&str], one: &Assumption) -> Option<&'m str> {
    let [pattern @ StepPattern::At(instance, _)] = &one.steps.patterns[..] else {
        return None;
    };
    let name = model.processes[*instance as usize].name.as_str();
    (spelt(model, actions, pattern) == name).then_some(name)
}

/// The text with `fair` before that process, unless it is there.
fn once_fair(text: &str, name: &str) -> Option<String> {
    let at = text.find(&format!("process {name}"))?;
    let is_fair = text[..at].trim_end().ends_with("fair");
    (!is_fair).then(|| format!("{}fair {}", &text[..at], &text[at..]))
}
