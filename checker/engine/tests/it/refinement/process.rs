//! Small explicit processes, and how they are written as instances of a System.

use stubborn_automata::Work;
use stubborn_engine::monitored::refinement::{Canonical, tester_of};
use stubborn_system::property::{Refinement, Semantics};
use stubborn_system::system::*;

pub const ALL: [Semantics; 5] = [
    Semantics::Traces,
    Semantics::Failures,
    Semantics::Divergences,
    Semantics::InfiniteTraces,
    Semantics::Cffd,
];

/// The events: `a(0)`, `a(1)`, `b`, `c`.
pub const EVENTS: u32 = 4;

const ACTION_OF: [(ActionId, Option<i64>); EVENTS as usize] =
    [(0, Some(0)), (0, Some(1)), (1, None), (2, None)];

/// A set of events, by their bits.
pub type Set = u32;

pub fn has(set: Set, event: u32) -> bool {
    set >> event & 1 == 1
}

/// What a step leads to; nowhere where it fails.
pub type Arc = (usize, Option<u32>, Option<usize>);

/// It begins in state 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    pub states: usize,
    /// From where, on which event or by itself, to where.
    pub arcs: Vec<Arc>,
    pub alphabet: Set,
}

impl Process {
    /// With the events of the arcs as its alphabet.
    pub fn new(arcs: &[(usize, &str, usize)]) -> Process {
        let event = |name: &str| match name {
            "tau" => None,
            "a" => Some(0),
            "a1" => Some(1),
            "b" => Some(2),
            "c" => Some(3),
            other => panic!("{other} is no event"),
        };
        let arcs: Vec<Arc> = arcs
            .iter()
            .map(|(s, e, t)| (*s, event(e), Some(*t)))
            .collect();
        let ends = arcs.iter().flat_map(|(s, _, t)| [Some(*s), *t]).flatten();
        let mut process = Process {
            states: ends.max().unwrap_or(0) + 1,
            arcs,
            alphabet: 0,
        };
        process.alphabet = process.mentioned();
        process
    }

    pub fn with_alphabet(mut self, alphabet: Set) -> Process {
        self.alphabet = alphabet;
        self
    }

    pub fn mentioned(&self) -> Set {
        let events = self.arcs.iter().filter_map(|(_, event, _)| *event);
        events.fold(0, |set, event| set | 1 << event)
    }

    pub fn from(&self, state: usize) -> impl Iterator<Item = (Option<u32>, Option<usize>)> + '_ {
        let arcs = self.arcs.iter().filter(move |arc| arc.0 == state);
        arcs.map(|(_, event, to)| (*event, *to))
    }

    /// An instance with a location for each state.
    pub fn instance(&self) -> Instance {
        let mut instance = Instance {
            process: 0,
            locals: vec![],
            steps: vec![],
            locations: vec![],
            initial: 0,
            alphabet: patterns(self.alphabet),
        };
        for state in 0..self.states {
            let first = instance.steps.len() as StepId;
            instance
                .steps
                .extend(self.from(state).map(|(event, to)| step(event, to)));
            instance.locations.push(Location {
                steps: (first..instance.steps.len() as StepId).collect(),
                is_final: true,
            });
        }
        instance
    }

    /// A system of this process alone.
    pub fn system(&self) -> System {
        let arguments = |ranges: &[Range]| Action {
            arguments: ranges.to_vec(),
        };
        System {
            actions: vec![
                arguments(&[Range { lo: 0, hi: 1 }]),
                arguments(&[]),
                arguments(&[]),
            ],
            instances: vec![self.instance()],
            ..System::default()
        }
    }
}

/// The tester of a specification beside a system.
pub fn tester(system: &Process, specification: &Process, semantics: Semantics) -> Canonical {
    let refinement = Refinement {
        semantics,
        specification: specification.instance(),
    };
    tester_of(&system.system(), &refinement, &Work::unlimited()).expect("it is small")
}

/// Where a pattern of a tester stands for an event.
pub fn matches(pattern: &ActionPattern, event: u32) -> bool {
    let (action, value) = ACTION_OF[event as usize];
    pattern.action == action
        && pattern
            .arguments
            .iter()
            .all(|argument| argument.is_none() || *argument == value)
}

/// `a(*)` where both values are there.
fn patterns(set: Set) -> Vec<ActionPattern> {
    let pattern =
        |action: ActionId, arguments: Vec<Option<i64>>| ActionPattern { action, arguments };
    let mut patterns = Vec::new();
    match set & 3 {
        3 => patterns.push(pattern(0, vec![None])),
        1 => patterns.push(pattern(0, vec![Some(0)])),
        2 => patterns.push(pattern(0, vec![Some(1)])),
        _ => {}
    }
    for event in 2..EVENTS {
        if has(set, event) {
            patterns.push(pattern(event - 1, vec![]));
        }
    }
    patterns
}

fn step(event: Option<u32>, to: Option<usize>) -> Step {
    let communication = event.map(|event| {
        let (action, value) = ACTION_OF[event as usize];
        let value = value.map(|value| Argument::Match(Expr::Const(Value::Int(value))));
        Communication::On {
            action,
            arguments: value.into_iter().collect(),
        }
    });
    let fails = Effect::Assert(Expr::Const(Value::Int(0)));
    Step {
        communication,
        guard: None,
        choices: vec![],
        effects: if to.is_some() { vec![] } else { vec![fails] },
        target: Target::To(to.unwrap_or(0) as LocationId),
    }
}

/// A small generator of numbers, the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn arc(&mut self, states: usize, fails: bool) -> Arc {
        let event = match self.below(6) {
            0 | 1 => None,
            n => Some(n as u32 - 2),
        };
        let to = if fails && self.one_in(8) {
            None
        } else {
            Some(self.below(states))
        };
        (self.below(states), event, to)
    }

    /// A process of up to four states; with `fails` some steps fail.
    pub fn process(&mut self, fails: bool) -> Process {
        let states = 1 + self.below(4);
        let arcs = (0..self.below(8))
            .map(|_| self.arc(states, fails))
            .collect();
        let mut process = Process {
            states,
            arcs,
            alphabet: 0,
        };
        process.alphabet = process.mentioned() | self.below(16) as Set & self.below(16) as Set;
        process
    }

    /// A process that does nearly the same.
    pub fn variant(&mut self, of: &Process, fails: bool) -> Process {
        let mut process = of.clone();
        for _ in 0..1 + self.below(2) {
            if self.one_in(2) || process.arcs.is_empty() {
                let arc = self.arc(process.states, fails);
                process.arcs.push(arc);
            } else {
                let at = self.below(process.arcs.len());
                process.arcs.remove(at);
            }
        }
        process.alphabet |= process.mentioned();
        process
    }
}
