//! The state space of a model as a graph: all of it, as long as it is small. Nothing is left out or merged in it, so
//! that a run of the model is a way through it.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use stubborn_engine::{Caller, InstanceState, Label, Sink, State, Trace, explore};
use stubborn_system::system::{ActionId, Failure, InstanceId, StepId, System, Variable};

use super::budget::{Until, plain};
use super::graph::{EdgeNumbers, MOST_EDGES, MOST_NODES, Marks, Node, Picture};
use crate::{About, Place, failure, named_values};

/// A step's text is cut after so many characters.
const WIDTH: usize = 40;
/// The states that are drawn have no more values than this together.
const MOST_VALUES: u64 = 1 << 20;

/// All states of a model and its steps; with a run, where it goes. `None` where there are too many, or not all were
/// found by then, or it is cancelled.
pub fn space(
    drawn: About<'_>,
    run: Option<&Trace>,
    deadline: Instant,
    is_cancelled: &AtomicBool,
) -> Option<Picture> {
    let system = drawn.system;
    let until = Until::new(is_cancelled);
    let mut found = Found {
        states: Vec::new(),
        steps: Together::default(),
        failing: Together::default(),
        until: &until,
    };
    let most = (MOST_NODES as u64).min(MOST_VALUES / values_of(system).max(1));
    let explored = explore(
        system,
        &plain(most, deadline),
        Caller::timed_by(&until),
        &mut found,
    )
    .ok()?;
    if !explored.complete {
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
    let mut failures: HashMap<(usize, &str), usize> = HashMap::new();
    for ((from, to), taken) in &steps.all {
        picture.nodes[*from].marks.is_terminal = false;
        let edge = picture.edge(&mut numbers, *from, *to)?;
        for step in taken {
            edge.add(step.text(drawn), || step.place(drawn));
        }
    }
    for ((at, why), taken) in &failing.all {
        let number = picture.nodes.len();
        picture.nodes[*at].marks.is_terminal = false;
        picture.nodes.push(Node {
            label: format!("fails: {why}"),
            place: taken.first().map(|step| step.place(drawn)),
            marks: Marks {
                is_failure: true,
                ..Marks::default()
            },
            ..Node::default()
        });
        failures.insert((*at, why), number);
        let edge = picture.edge(&mut numbers, *at, number)?;
        for step in taken {
            edge.add(step.text(drawn), || step.place(drawn));
        }
    }
    if picture.nodes.len() > MOST_NODES {
        return None;
    }
    if let Some(run) = run {
        let known: HashMap<&State, usize> = states.iter().zip(0..).collect();
        let begins = *known.get(run.start())?;
        picture.follow(
            &numbers,
            run,
            begins,
            &|at, step, state| match &step.failure {
                None => known.get(state).copied(),
                Some(why) => failures.get(&(at, failure(why).as_str())).copied(),
            },
        );
    }
    Some(picture)
}

/// How many values a state has, and a channel as many as it has room for.
fn values_of(system: &System) -> u64 {
    let scalars = |variables: &[Variable]| {
        let scalars = variables.iter().map(|variable| variable.ty.scalars());
        scalars.fold(0, u64::saturating_add)
    };
    let own = system.instances.iter().map(|one| scalars(&one.locals));
    let held = (system.channels.iter())
        .map(|channel| u64::from(channel.capacity).saturating_mul(channel.message.len() as u64));
    own.chain(held)
        .fold(scalars(&system.variables), u64::saturating_add)
}

/// The states, each with the values that are not the same in all of them.
fn nodes(drawn: About<'_>, states: &[State]) -> Picture {
    let About { system, map, .. } = drawn;
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
            let is_final = |(at, now): (usize, &InstanceState)| {
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

/// A step, by what it is called.
#[derive(PartialEq)]
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

    fn is(&self, label: Label<'_>) -> bool {
        Label::new(&self.by, &self.action) == label
    }

    fn text(&self, drawn: About<'_>) -> String {
        let map = drawn.map;
        let (instance, id) = self.by[0];
        let text = match &self.action {
            Some((action, values)) => map.action(*action, values),
            None => drawn.texts.excerpt(map.step(instance, id), WIDTH),
        };
        match self.by.len() {
            1 => format!("{}: {text}", map.instance(instance)),
            _ => text,
        }
    }

    fn place(&self, drawn: About<'_>) -> Place {
        let (instance, id) = self.by[0];
        drawn.texts.place(drawn.map.step(instance, id))
    }
}

/// The steps that are one edge, in the order in which the edges were found.
struct Together<K> {
    all: Vec<(K, Vec<Taken>)>,
    numbers: HashMap<K, usize>,
}

impl<K> Default for Together<K> {
    fn default() -> Together<K> {
        Together {
            all: Vec::new(),
            numbers: HashMap::new(),
        }
    }
}

impl<K: Clone + Eq + Hash> Together<K> {
    fn add(&mut self, edge: K, label: Label<'_>) {
        let next = self.all.len();
        let number = *self.numbers.entry(edge.clone()).or_insert(next);
        if number == next {
            self.all.push((edge, Vec::new()));
        }
        let taken = &mut self.all[number].1;
        if !taken.iter().any(|known| known.is(label)) {
            taken.push(Taken::of(label));
        }
    }
}

struct Found<'a> {
    states: Vec<State>,
    steps: Together<(usize, usize)>,
    /// By the state and why.
    failing: Together<(usize, String)>,
    until: &'a Until<'a>,
}

impl Found<'_> {
    /// Whether there is no more than is drawn.
    fn goes_on(&self) -> bool {
        let goes_on = self.steps.all.len() + self.failing.all.len() <= MOST_EDGES;
        if !goes_on {
            self.until.is_enough();
        }
        goes_on
    }
}

impl Sink for Found<'_> {
    fn wants_states(&self) -> bool {
        true
    }

    fn state(&mut self, _: u32, state: &State) {
        self.states.push(state.clone());
    }

    fn edge(&mut self, from: u32, label: Label<'_>, to: u32) {
        if self.goes_on() {
            self.steps.add((from as usize, to as usize), label);
        }
    }

    fn failing(&mut self, at: u32, label: Label<'_>, why: &Failure) {
        if self.goes_on() {
            self.failing.add((at as usize, failure(why)), label);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use stubborn_engine::{Options, Verdict, check};

    use super::super::fixture::model;
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

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
        let drawn = About::new(&model, &texts);
        let property = model.properties.iter().find(|one| one.name == "small");
        let property = &property.expect("it is there").property;
        let outcomes = check(
            &model.system,
            std::slice::from_ref(property),
            &Options::default(),
            Caller::default(),
        );
        let Verdict::Violated { trace, .. } = &outcomes.expect("a small model")[0].verdict else {
            panic!("x becomes 2");
        };
        let picture = space(drawn, Some(trace), later(), &NEVER).expect("a small model");
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
        let drawn = About::new(&model, &texts);
        assert_eq!(space(drawn, None, later(), &NEVER), None);
    }

    #[test]
    fn few_states_with_very_many_steps_are_not_drawn() {
        let text = "var x: 0..99\nprocess p { loop { x = any 0..99 } }\n";
        let (model, texts) = model(text);
        let drawn = About::new(&model, &texts);
        assert_eq!(space(drawn, None, later(), &NEVER), None);
    }

    #[test]
    fn a_step_that_fails_for_many_values_is_one_failure() {
        let text = "var x: 0..1\nvar y: 0..999\nprocess p { y = any 0..999 do assert x == 1 }\n";
        let text = text.replace(
            "y = any 0..999 do assert x == 1",
            "do y = any 0..999, assert x == 1",
        );
        let (model, texts) = model(&text);
        let drawn = About::new(&model, &texts);
        let picture = space(drawn, None, later(), &NEVER).expect("one state and its failure");
        assert_eq!((picture.nodes.len(), picture.edges.len()), (2, 1));
        assert_eq!(picture.nodes[1].label, "fails: an assertion is false");
    }

    #[test]
    fn what_is_cancelled_is_not_drawn() {
        let (model, texts) = model("var x: 0..9\nprocess p { loop { x = any 0..9 } }\n");
        let drawn = About::new(&model, &texts);
        assert_eq!(space(drawn, None, later(), &AtomicBool::new(true)), None);
    }
}
