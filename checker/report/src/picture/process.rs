//! The state graph of one process: its states, or the places between its statements, and its steps. It is there
//! without a search, and says nothing of what the others let it do.

use std::collections::{HashMap, HashSet};

use stubborn_engine::Trace;
use stubborn_system::system::{InstanceId, LocationId, StepId, Target};

use super::graph::{EdgeNumbers, MOST_NODES, Marks, Node, Picture, TooLarge};
use crate::About;

/// A step's text is cut after so many characters.
const WIDTH: usize = 60;

/// The places to which the steps of an instance may lead, and these steps; with what a run does there. Costs time in
/// proportion to the instance and the run.
///
/// # Errors
/// Where there are too many places.
pub fn process(
    drawn: About<'_>,
    instance: InstanceId,
    run: Option<&Trace>,
) -> Result<Picture, TooLarge> {
    let About { system, map, .. } = drawn;
    let own = &system.instances[instance as usize];
    let source = &map.instances[instance as usize];
    let found = reached(own.initial, &|at| {
        let steps = own.locations[at as usize].steps.iter();
        steps
            .flat_map(|step| own.steps[*step as usize].target.locations())
            .collect()
    });
    let too_large = TooLarge { nodes: found.len() };
    if found.len() > MOST_NODES {
        return Err(too_large);
    }
    let nodes = found.iter().map(|at| {
        let location = &source.locations[*at as usize];
        let own_location = &own.locations[*at as usize];
        Node {
            label: location.name.clone(),
            place: Some(drawn.texts.place(location.span)),
            marks: Marks {
                is_initial: *at == own.initial,
                is_final: own_location.is_final,
                is_terminal: own_location.steps.is_empty(),
                ..Marks::default()
            },
            ..Node::default()
        }
    });
    let mut picture = Picture {
        nodes: nodes.collect(),
        ..Picture::default()
    };
    let numbers: HashMap<LocationId, usize> = found.iter().copied().zip(0..).collect();
    let mut edges = EdgeNumbers::new();
    for (from, at) in found.iter().enumerate() {
        for step in &own.locations[*at as usize].steps {
            for (to, label) in ways(drawn, instance, *step) {
                let edge = picture.edge(&mut edges, from, numbers[&to]);
                let edge = edge.ok_or(too_large)?;
                edge.add(label, || drawn.texts.place(source.steps[*step as usize]));
            }
        }
    }
    if let Some(run) = run {
        let begins = numbers[&own.initial];
        picture.follow(&edges, run, begins, &|_, step, state| {
            let takes_part = step.participants.iter().any(|(who, _)| *who == instance);
            let at = state.instances[instance as usize].location;
            // One that fails leads nowhere.
            (takes_part && step.failure.is_none()).then(|| numbers[&at])
        });
    }
    Ok(picture)
}

/// What can be reached from a location, which comes first, in the order in which it is found.
fn reached(initial: LocationId, next: &dyn Fn(LocationId) -> Vec<LocationId>) -> Vec<LocationId> {
    let mut found = vec![initial];
    let mut known = HashSet::from([initial]);
    let mut at = 0;
    while at < found.len() {
        let new = next(found[at]).into_iter();
        let new: Vec<LocationId> = new.filter(|to| known.insert(*to)).collect();
        found.extend(new);
        at += 1;
    }
    found
}

/// Where a step leads, with what it says; of a test with how it comes out.
fn ways(drawn: About<'_>, instance: InstanceId, step: StepId) -> Vec<(LocationId, String)> {
    let own = &drawn.system.instances[instance as usize].steps[step as usize];
    let span = drawn.map.step(instance, step);
    let text = drawn.texts.excerpt(span, WIDTH);
    match &own.target {
        Target::To(to) => vec![(*to, text)],
        Target::Test(_, then, otherwise) => vec![
            (*then, format!("{text}: yes")),
            (*otherwise, format!("{text}: no")),
        ],
    }
}

#[cfg(test)]
mod tests {
    use stubborn_engine::{Caller, Options, Verdict, check};

    use super::super::fixture::model;
    use super::*;

    const TEXT: &str = "\
var x: 0..3
process p(i in 0..1) {
    loop { either { x = 1 } or { if x > 1 { stop } else { x = 2 } } }
}
process door {
    initial state shut { when x == 2 do x = 3 -> open  for v in 0..1 when x == v -> shut }
    final state open
    state never { -> shut }
}
invariant closed: not door@open
";

    fn told(picture: &Picture) -> Vec<String> {
        let name = |at: usize| &picture.nodes[at].label;
        let edges = picture.edges.iter();
        edges
            .map(|edge| {
                let run = match edge.run.is_empty() {
                    true => String::new(),
                    false => format!(" {:?}", edge.run),
                };
                format!(
                    "{} -> {}: {}{run}",
                    name(edge.from),
                    name(edge.to),
                    edge.labels.join(" | ")
                )
            })
            .collect()
    }

    #[test]
    fn places_are_those_that_its_steps_may_lead_to() {
        let (model, texts) = model(TEXT);
        let drawn = About::new(&model, &texts);
        let door = process(drawn, 2, None).expect("a small one");
        let names: Vec<&str> = door.nodes.iter().map(|node| node.label.as_str()).collect();
        assert_eq!(names, ["shut", "open"]);
        assert!(door.nodes[0].marks.is_initial && door.nodes[1].marks.is_terminal);
        assert_eq!(
            told(&door),
            [
                "shut -> open: when x == 2 do x = 3 -> open",
                "shut -> shut: for v in 0..1 when x == v -> shut"
            ]
        );
        let place = door.edges[0].place.as_ref().expect("a place");
        assert_eq!(place.range.start.line, 6);
    }

    #[test]
    fn a_run_is_shown_where_the_process_takes_part_in_it() {
        let (model, texts) = model(TEXT);
        let drawn = About::new(&model, &texts);
        let property = model.properties.iter().find(|one| one.name == "closed");
        let property = &property.expect("it is there").property;
        let outcomes = check(
            &model.system,
            std::slice::from_ref(property),
            &Options::default(),
            Caller::default(),
        );
        let outcomes = outcomes.expect("a small model");
        let Verdict::Violated { trace, .. } = &outcomes[0].verdict else {
            panic!("the door is opened");
        };
        let door = process(drawn, 2, Some(trace)).expect("a small one");
        assert!(door.nodes[1].marks.is_violation);
        let last = trace.len();
        assert_eq!(door.edges[0].run, [last]);
        let worker = process(drawn, 0, Some(trace)).expect("a small one");
        let both = process(drawn, 1, Some(trace)).expect("a small one");
        let taken =
            |picture: &Picture| -> usize { picture.edges.iter().map(|edge| edge.run.len()).sum() };
        assert_eq!(
            taken(&worker) + taken(&both) + 1,
            last,
            "{:?}",
            told(&worker)
        );
    }

    #[test]
    fn a_step_that_fails_goes_along_no_edge() {
        let text = "var x: 0..2\nprocess p { loop { x = x + 1 } }\n";
        let (model, texts) = model(text);
        let drawn = About::new(&model, &texts);
        let errors = stubborn_system::property::Property::Errors;
        let outcomes = check(
            &model.system,
            &[errors],
            &Options::default(),
            Caller::default(),
        );
        let Verdict::Violated { trace, .. } = &outcomes.expect("a small model")[0].verdict else {
            panic!("3 is too much");
        };
        assert_eq!(trace.len(), 3);
        let drawn = process(drawn, 0, Some(trace)).expect("a small one");
        assert_eq!(drawn.edges[0].run, [1, 2]);
        assert_eq!(drawn.nodes[0].run, [0, 1, 2]);
    }

    #[test]
    fn what_nobody_could_make_out_is_not_drawn() {
        let body: String = (0..400).map(|n| format!("x = {}; ", n % 4)).collect();
        let (model, texts) = model(&format!("var x: 0..3\nprocess p {{ {body} }}\n"));
        let drawn = About::new(&model, &texts);
        assert_eq!(process(drawn, 0, None), Err(TooLarge { nodes: 401 }));
    }
}
