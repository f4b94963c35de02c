//! What is found with a reduction, held against what the plain state space shows.

use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Caller, Finding, Label, Options, Order, Outcome, Reduction, Search, Sink, State, Trace, Use,
    Verdict, check, explore,
};
use stubborn_system::property::Property;
use stubborn_system::system::{Failure, System};

use super::graph::Graph;
use stubborn_random::random::Random;

type Agreement = Result<(), String>;

fn ensure(condition: bool, complaint: impl FnOnce() -> String) -> Agreement {
    if condition { Ok(()) } else { Err(complaint()) }
}

/// How the reduced side of a comparison is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub search: Search,
    pub order: Order,
    /// Each property in a search of its own, not all in one.
    pub alone: bool,
    /// Nothing is sliced before the reduction.
    pub whole: bool,
    pub foresight: Use,
    /// In how many rounds.
    pub reduction: Reduction,
}

impl Asked {
    /// By lot.
    pub fn of_seed(seed: u64) -> Asked {
        let mut random = Random::new(seed ^ 0xa5_5ced);
        Asked {
            search: *random.pick(&[Search::Breadth, Search::Depth]),
            order: *random.pick(&[Order::Forward, Order::Reverse]),
            // So many searches take their time.
            alone: random.one_in(4),
            whole: random.one_in(2),
            foresight: *random.pick(&[Use::Always, Use::WhereItPays]),
            reduction: *random.pick(&[
                Reduction::Stubborn,
                Reduction::Sensitive,
                Reduction::SensitiveCycles,
            ]),
        }
    }

    pub fn options(self) -> Options {
        Options {
            search: self.search,
            order: self.order,
            reduction: self.reduction,
            keep_dead_variables: self.whole,
            foresight: self.foresight,
            ..Options::default()
        }
    }
}

/// The outcomes for some properties.
pub fn outcomes(
    system: &System,
    properties: &[Property],
    asked: Asked,
) -> Result<Vec<Outcome>, String> {
    outcomes_within(system, properties, asked, None)
}

/// The same of searches of so many states at the most.
pub fn outcomes_within(
    system: &System,
    properties: &[Property],
    asked: Asked,
    max_states: Option<u64>,
) -> Result<Vec<Outcome>, String> {
    let mut options = asked.options();
    options.limits.max_states = max_states;
    let found = |properties: &[Property]| {
        check(system, properties, &options, Caller::default()).map_err(|error| error.to_string())
    };
    if !asked.alone {
        return found(properties);
    }
    let each = properties.iter().map(|property| {
        let mut outcomes = found(std::slice::from_ref(property))?;
        outcomes.pop().ok_or("no outcome".to_string())
    });
    each.collect()
}

/// The verdicts that the plain search gives.
pub fn plain(system: &System, properties: &[Property]) -> Result<Vec<Outcome>, String> {
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        ..Options::default()
    };
    check(system, properties, &options, Caller::default()).map_err(|error| error.to_string())
}

/// Whether two outcomes say the same of a property, and what is shown for it is so.
pub fn agree(
    graph: &mut Graph<'_>,
    property: &Property,
    plain: &Outcome,
    reduced: &Outcome,
) -> Agreement {
    let (states, edges) = (u64::from(graph.states()), graph.edges() as u64);
    ensure(reduced.states <= states && reduced.edges <= edges, || {
        let (more, longer) = (reduced.states, reduced.edges);
        format!("{more} states and {longer} edges, of {states} and {edges}")
    })?;
    match (&plain.verdict, &reduced.verdict) {
        (Verdict::Holds, Verdict::Holds) => Ok(()),
        (Verdict::Violated { .. }, Verdict::Violated { finding, trace }) => {
            shows(graph, property, finding, trace)
        }
        (plain, reduced) => Err(format!(
            "the verdict is {}, and with the reduction {}",
            word(plain),
            word(reduced)
        )),
    }
}

fn word(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds => "holds".into(),
        Verdict::Violated { finding, .. } => format!("violated ({finding:?})"),
        Verdict::Undecided(reason) => format!("undecided ({reason:?})"),
    }
}

fn shows(
    graph: &mut Graph<'_>,
    property: &Property,
    finding: &Finding,
    trace: &Trace,
) -> Agreement {
    let system = graph.packed.system();
    replay(system, trace).map_err(|e| format!("the trace of {finding:?}: {e}"))?;
    let last = graph
        .find(trace.last())
        .ok_or("the trace ends in a state that is not reachable")?;
    if trace.cycle().is_empty() {
        let violations = graph.violations(property);
        return ensure(violations[last as usize], || {
            format!("the trace does not end in a state with {finding:?}")
        });
    }
    if let Property::MustProgress(goal) = property {
        let values = graph.values(goal);
        let states = trace.states();
        let on_cycle = &states[trace.steps().len() + 1..];
        let on_cycle = on_cycle.iter().map(|state| graph.find(state));
        let on_cycle: Option<Vec<u32>> = on_cycle.collect();
        let on_cycle = on_cycle.ok_or("the cycle has a state that is not reachable")?;
        let avoided = on_cycle.iter().all(|s| values[*s as usize] == Some(false));
        return ensure(avoided, || "the cycle meets the goal".into());
    }
    // Of other properties the interpreter has seen it.
    Ok(())
}

/// What an exploration under the reduction came to.
pub struct Explored {
    pub states: u64,
    pub edges: u64,
}

/// Whether the reduced state space has the terminal states of the plain one, and nothing that this
/// has not.
pub fn terminal_states_agree(graph: &Graph<'_>, asked: Asked) -> Result<Explored, String> {
    let options = asked.options();
    let mut found = Found {
        graph,
        numbers: vec![],
        has_step: vec![],
    };
    let explored = explore(
        graph.packed.system(),
        &options,
        Caller::default(),
        &mut found,
    )
    .map_err(|error| error.to_string())?;
    ensure(explored.complete, || {
        "the exploration has not come to its end".into()
    })?;
    let mut terminal = vec![false; graph.states() as usize];
    let mut reached = vec![false; graph.states() as usize];
    for (number, has_step) in found.numbers.iter().zip(&found.has_step) {
        let number = number.ok_or("the reduced space has a state that is not reachable")? as usize;
        ensure(!reached[number], || "a state was found twice".into())?;
        reached[number] = true;
        terminal[number] = !has_step;
    }
    for state in 0..graph.states() {
        let (is, looks) = (graph.is_terminal(state), terminal[state as usize]);
        ensure(!is || reached[state as usize], || {
            format!("terminal state {state} is lost")
        })?;
        ensure(is || !looks, || format!("state {state} is not terminal"))?;
    }
    let count = (0..graph.states())
        .filter(|s| graph.is_terminal(*s))
        .count();
    ensure(explored.terminal == count as u64, || {
        format!("{} terminal states of {count}", explored.terminal)
    })?;
    Ok(Explored {
        states: explored.states,
        edges: explored.edges,
    })
}

struct Found<'a> {
    graph: &'a Graph<'a>,
    /// Of each state that is found, its number in the plain space.
    numbers: Vec<Option<u32>>,
    has_step: Vec<bool>,
}

impl Sink for Found<'_> {
    fn wants_states(&self) -> bool {
        true
    }

    fn state(&mut self, _: u32, state: &State) {
        self.numbers.push(self.graph.find(state));
        self.has_step.push(false);
    }

    fn edge(&mut self, from: u32, _: Label<'_>, _: u32) {
        self.has_step[from as usize] = true;
    }

    fn failing(&mut self, at: u32, _: Label<'_>, _: &Failure) {
        self.has_step[at as usize] = true;
    }
}
