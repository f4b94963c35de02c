//! The state space of a model as a graph: all of it, as long as it is small. Nothing is left out or merged in it, so
//! that a run of the model is a way through it.

use std::collections::HashMap;
use std::time::Instant;

use stubborn_engine::{Label, Limits, Options, Reduction, Silent, Sink, State, Trace, explore};
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId};

use super::{Drawn, EdgeNumbers, MOST_NODES, Marks, Node, Picture};
use crate::report::{failure, named_values};

/// A step's text is cut after so many characters.
const WIDTH: usize = 40;

/// Who draws may hold so many bytes, beside the checks.
const MOST_BYTES: u64 = 512 << 20;

/// The options of a search for what is drawn.
pub(super) fn plain(most: u64, deadline: Instant) -> Options {
    Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(most),
            max_memory: Some(MOST_BYTES),
            deadline: Some(deadline),
            ..Limits::default()
        },
        ..Options::default()
    }
}

/// All states of a model and its steps; with a run, where it goes. `None` where there are too many, or not all were
/// found by then. `on_the_way` is called often, and may unwind.
pub fn space(
    drawn: Drawn<'_>,
    run: Option<&Trace>,
    deadline: Instant,
    on_the_way: &dyn Fn(),
) -> Option<Picture> {
    let system = &drawn.model.system;
    let mut found = Found {
        states: Vec::new(),
        steps: Vec::new(),
        failing: Vec::new(),
        on_the_way,
    };
    let options = plain(MOST_NODES as u64, deadline);
    let explored = explore(system, &options, &Silent, &mut found).ok()?;
    if !explored.complete || found.states.len() + found.failing.len() > MOST_NODES {
        return None;
    }
    let Found {
        states,
        steps,
        failing,
        ..
    } = found;
    let mut picture = nodes(drawn, &states);
    let mut numbers = EdgeNumbers::new();
    let text = |step: &Taken| {
        let (instance, id) = step.by[0];
        let map = &drawn.model.source_map;
        let text = match &step.action {
            Some((action, values)) => map.action(*action, values),
            None => drawn.texts.excerpt(map.step(instance, id), WIDTH),
        };
        match step.by.len() {
            1 => format!("{}: {text}", map.instance(instance)),
            _ => text,
        }
    };
    let place = |step: &Taken| {
        let (instance, id) = step.by[0];
        drawn.texts.place(drawn.model.source_map.step(instance, id))
    };
    for (from, step, to) in &steps {
        let label = text(step);
        let edge = picture.edge(&mut numbers, *from as usize, *to as usize)?;
        edge.add(label, || place(step));
        picture.nodes[*from as usize].marks.is_terminal = false;
    }
    let mut failures: HashMap<(u32, Vec<(InstanceId, StepId)>), usize> = HashMap::new();
    for (at, step, why) in &failing {
        picture.nodes[*at as usize].marks.is_terminal = false;
        let number = *failures.entry((*at, step.by.clone())).or_insert_with(|| {
            picture.nodes.push(Node {
                label: format!("fails: {why}"),
                place: Some(place(step)),
                marks: Marks {
                    is_failure: true,
                    ..Marks::default()
                },
                ..Node::default()
            });
            picture.nodes.len() - 1
        });
        let edge = picture.edge(&mut numbers, *at as usize, number)?;
        edge.add(text(step), || place(step));
    }
    if let Some(run) = run {
        let known: HashMap<&State, usize> = states.iter().zip(0..).collect();
        let mut walk = run.walk();
        let mut at = known.get(walk.state()).copied();
        if let Some(at) = at {
            picture.nodes[at].run.push(0);
        }
        while let Some(step) = walk.advance() {
            on_the_way();
            let to = match &step.failure {
                None => known.get(walk.state()).copied(),
                Some(_) => at.and_then(|at| {
                    let by = (at as u32, step.participants.clone());
                    failures.get(&by).copied()
                }),
            };
            if let (Some(from), Some(to)) = (at, to) {
                if let Some(edge) = numbers.get(&(from, to)) {
                    picture.edges[*edge].run.push(walk.taken());
                }
                picture.nodes[to].run.push(walk.taken());
            }
            at = to;
        }
        if let Some(at) = at {
            picture.nodes[at].marks.is_violation = true;
        }
    }
    Some(picture)
}

/// The states, each with the values that are not the same in all of them.
fn nodes(drawn: Drawn<'_>, states: &[State]) -> Picture {
    let (system, map) = (&drawn.model.system, &drawn.model.source_map);
    let named = states.iter().map(|state| named_values(system, map, state));
    let values: Vec<Vec<(String, String)>> = named
        .map(|values| {
            let written = values.into_iter();
            written
                .map(|(name, value)| (name, value.to_string()))
                .collect()
        })
        .collect();
    let count = values.first().map_or(0, Vec::len);
    let differs = |at: &usize| values.iter().any(|of| of[*at].1 != values[0][*at].1);
    let differing: Vec<usize> = (0..count).filter(differs).collect();
    let nodes = states
        .iter()
        .zip(&values)
        .enumerate()
        .map(|(number, (state, values))| {
            let is_final = |(at, now): (usize, &stubborn_engine::InstanceState)| {
                system.instances[at].locations[now.location as usize].is_final
            };
            Node {
                label: number.to_string(),
                values: differing.iter().map(|at| values[*at].1.clone()).collect(),
                place: None,
                marks: Marks {
                    is_initial: number == 0,
                    is_final: state.instances.iter().enumerate().all(is_final),
                    // Until a step is found.
                    is_terminal: true,
                    ..Marks::default()
                },
                run: Vec::new(),
            }
        });
    Picture {
        nodes: nodes.collect(),
        variables: differing
            .iter()
            .map(|at| values[0][*at].0.clone())
            .collect(),
        edges: Vec::new(),
    }
}

struct Taken {
    by: Vec<(InstanceId, StepId)>,
    action: Option<(ActionId, Vec<i64>)>,
}

impl Taken {
    fn of(label: Label<'_>) -> Taken {
        Taken {
            by: label.participants.to_vec(),
            action: label
                .action
                .map(|(action, values)| (action, values.to_vec())),
        }
    }
}

struct Found<'a> {
    states: Vec<State>,
    steps: Vec<(u32, Taken, u32)>,
    failing: Vec<(u32, Taken, String)>,
    on_the_way: &'a dyn Fn(),
}

impl Sink for Found<'_> {
    fn wants_states(&self) -> bool {
        true
    }

    fn state(&mut self, _: u32, state: &State) {
        (self.on_the_way)();
        self.states.push(state.clone());
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) {
        (self.on_the_way)();
        self.steps.push((from, Taken::of(label), to));
    }

    fn failing(&mut self, at: u32, label: Label<'_>, why: &Failure) {
        self.failing.push((at, Taken::of(label), failure(why)));
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use stubborn_engine::{Verdict, check};

    use super::super::fixture::model;
    use super::*;

    fn later() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn a_small_state_space_is_drawn_with_the_run_through_it() {
        let text = "\
const N = 3
var x: 0..9
process p { x = 1; either { x = 2 } or { x = x / (x - 1) } }
process q { initial state s { when x == 2 -> t } final state t }
invariant small: x < 2
";
        let (model, texts) = model(text);
        let drawn = Drawn {
            model: &model,
            texts: &texts,
        };
        let property = model.properties.iter().find(|one| one.name == "small");
        let property = &property.expect("it is there").property;
        let outcomes = check(
            &model.system,
            std::slice::from_ref(property),
            &Options::default(),
            &Silent,
        );
        let Verdict::Violated { trace, .. } = &outcomes.expect("a small model")[0].verdict else {
            panic!("x becomes 2");
        };
        let picture = space(drawn, Some(trace), later(), &|| ()).expect("a small model");
        assert_eq!(picture.variables, ["x", "p", "q"]);
        let told = picture.nodes.iter().map(|node| {
            let marks = [
                (node.marks.is_initial, "initial"),
                (node.marks.is_terminal, "terminal"),
                (node.marks.is_failure, "failure"),
                (node.marks.is_violation, "violation"),
            ];
            let marks: Vec<&str> = marks
                .iter()
                .filter(|(is, _)| *is)
                .map(|(_, name)| *name)
                .collect();
            format!("{} {:?} {marks:?} {:?}", node.label, node.values, node.run)
        });
        let told: Vec<String> = told.collect();
        assert_eq!(
            told,
            [
                r#"0 ["0", "line 3", "s"] ["initial"] [0]"#,
                r#"1 ["1", "line 3 (2)", "s"] [] [1]"#,
                r#"2 ["2", "end", "s"] ["violation"] [2]"#,
                r#"3 ["2", "end", "t"] ["terminal"] []"#,
                r#"fails: a division by zero [] ["failure"] []"#,
            ]
        );
        let edges = picture.edges.iter();
        let edges: Vec<String> = edges
            .map(|edge| {
                format!(
                    "{} {} {} {:?}",
                    edge.from,
                    edge.to,
                    edge.labels.join(" | "),
                    edge.run
                )
            })
            .collect();
        assert_eq!(
            edges,
            [
                "0 1 p: x = 1 [1]",
                "1 2 p: x = 2 [2]",
                "2 3 q: when x == 2 -> t []",
                "1 4 p: x = x / (x - 1) []",
            ]
        );
    }

    #[test]
    fn a_state_space_that_is_not_small_is_not_drawn() {
        let (model, texts) = model(
            "var x, y: 0..20\nprocess p { loop { x = any 0..20 } }\nprocess q { loop { y = any 0..20 } }\n",
        );
        let drawn = Drawn {
            model: &model,
            texts: &texts,
        };
        assert_eq!(space(drawn, None, later(), &|| ()), None);
    }
}
