//! Bounds: what is said of random systems within one is worked out from the reference interpreter's steps
//! of the system without it.

use std::collections::HashMap;

use stubborn_engine::interpreter::{holds, steps};
use stubborn_engine::{
    Caller, Options, Order, Reason, Reduction, Search, Sink, State, Symmetry, Use, Verdict, check,
    explore,
};
use stubborn_random::{mixture, read};
use stubborn_system::property::{Form, Property};
use stubborn_system::system::{Expr, System};

use crate::extents::model;

const MOST_STATES: usize = 1_500;

/// The part of a state space within a bound.
struct Part<'a> {
    system: &'a System,
    states: Vec<State>,
    /// The bound is true: its steps are taken.
    is_inside: Vec<bool>,
    targets: Vec<Vec<usize>>,
    edges: Vec<usize>,
}

impl Part<'_> {
    /// `None` if it is too large.
    fn of<'a>(system: &'a System, bound: &Expr) -> Option<Part<'a>> {
        let initial = State::initial(system);
        let mut numbers = HashMap::from([(initial.clone(), 0)]);
        let mut part = Part {
            system,
            states: vec![initial],
            is_inside: Vec::new(),
            targets: Vec::new(),
            edges: Vec::new(),
        };
        while part.targets.len() < part.states.len() {
            let state = part.states[part.targets.len()].clone();
            let is_inside = holds(system, &state, bound) == Ok(true);
            let all = if is_inside {
                steps(system, &state)
            } else {
                Vec::new()
            };
            let mut targets = Vec::new();
            for next in all.iter().filter_map(|step| step.outcome.as_ref().ok()) {
                let number = *numbers.entry(next.clone()).or_insert(part.states.len());
                if number == part.states.len() {
                    part.states.push(next.clone());
                }
                targets.push(number);
            }
            if part.states.len() > MOST_STATES {
                return None;
            }
            part.is_inside.push(is_inside);
            part.targets.push(targets);
            part.edges.push(all.len());
        }
        Some(part)
    }

    fn all(&self) -> std::ops::Range<usize> {
        0..self.states.len()
    }

    fn is_terminal(&self, state: usize) -> bool {
        self.is_inside[state] && self.edges[state] == 0
    }

    fn cuts(&self) -> bool {
        self.is_inside.contains(&false)
    }

    /// The least set with the states that `step` adds, given those in it.
    fn least(&self, step: impl Fn(usize, &[bool]) -> bool) -> Vec<bool> {
        let mut set = vec![false; self.states.len()];
        loop {
            let next: Vec<bool> = self.all().map(|s| set[s] || step(s, &set)).collect();
            if next == set {
                return set;
            }
            set = next;
        }
    }

    fn all_can_reach(&self, goal: impl Fn(usize) -> bool) -> bool {
        let reaching = self.least(|s, set| goal(s) || self.targets[s].iter().any(|t| set[*t]));
        reaching.iter().all(|reaches| *reaches)
    }

    /// Whether the property holds; `None` where it is left open.
    fn expected(&self, property: &Property) -> Option<bool> {
        let value = |state: usize, e| holds(self.system, &self.states[state], e);
        let is_final = |state: usize| {
            let mut instances = (self.system.instances.iter()).zip(&self.states[state].instances);
            instances.all(|(of, now)| of.locations[now.location as usize].is_final)
        };
        Some(match property {
            Property::Errors => self
                .all()
                .all(|state| self.edges[state] == self.targets[state].len()),
            Property::Deadlock { allowed } => !self.all().any(|state| {
                let is_allowed = allowed
                    .as_ref()
                    .is_some_and(|e| value(state, e) == Ok(true));
                self.is_terminal(state) && !is_final(state) && !is_allowed
            }),
            Property::Termination => {
                self.all_can_reach(|state| self.is_terminal(state) || !self.is_inside[state])
            }
            Property::Invariant(e) => self.all().all(|state| value(state, e) == Ok(true)),
            Property::Reachable(e) => match self.all().any(|state| value(state, e) == Ok(true)) {
                false if self.cuts() => return None,
                found => found,
            },
            Property::MayProgress(e) => {
                let is_goal = |state| value(state, e) == Ok(true) || !self.is_inside[state];
                self.all().all(|state| value(state, e).is_ok()) && self.all_can_reach(is_goal)
            }
            Property::MustProgress(e) => {
                let avoids = |state: usize| value(state, e) == Ok(false) && self.is_inside[state];
                // All that follows comes to an end that does not avoid the goal, or fails.
                let is_over = self.least(|state, set| {
                    !avoids(state)
                        || !self.is_terminal(state) && self.targets[state].iter().all(|t| set[*t])
                });
                self.all().all(|state| value(state, e).is_ok()) && is_over.iter().all(|over| *over)
            }
            _ => return None,
        })
    }
}

fn ways() -> Vec<Options> {
    let usual = Options::default();
    vec![
        usual,
        Options {
            reduction: Reduction::None,
            keep_dead_variables: true,
            ..usual
        },
        Options {
            search: Search::Depth,
            order: Order::Reverse,
            ..usual
        },
        Options {
            symmetry: Symmetry::Always,
            unnumbered: Use::Always,
            ..usual
        },
        Options {
            symmetry: Symmetry::Off,
            threads: std::num::NonZeroUsize::new(2),
            ..usual
        },
    ]
}

#[derive(Default)]
struct Counts {
    failing: u64,
}

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }

    fn failing(
        &mut self,
        _: u32,
        _: stubborn_engine::Label<'_>,
        _: &stubborn_system::system::Failure,
    ) {
        self.failing += 1;
    }
}

#[test]
fn verdicts_within_a_bound_are_those_of_the_states_that_are_expanded() {
    let (mut cut, mut met) = (0, HashMap::new());
    for seed in 0..400 {
        let Some(drawn) = read::model(&mixture::thirds(seed)) else {
            continue;
        };
        let (mut bound, mut asked) = (None, Vec::new());
        for named in drawn.properties {
            match named.property {
                Property::Invariant(e) if bound.is_none() => {
                    asked.extend([
                        Property::MayProgress(e.clone()),
                        Property::MustProgress(e.clone()),
                        Property::Invariant(e.clone()),
                    ]);
                    bound = Some(e);
                }
                property if !property.is_monitored() => asked.push(property),
                _ => {}
            }
        }
        let Some(bound) = bound else { continue };
        let Some(part) = Part::of(&drawn.system, &bound) else {
            continue;
        };
        let bounded = System {
            bounds: vec![bound],
            ..(*drawn.system).clone()
        };
        cut += usize::from(part.cuts());
        for options in ways() {
            let outcomes = check(&bounded, &asked, &options, Caller::default());
            let outcomes = outcomes.expect("its states are small");
            for (property, outcome) in asked.iter().zip(&outcomes) {
                let found = match &outcome.verdict {
                    Verdict::Undecided(Reason::CutOff) => None,
                    Verdict::Undecided(reason) => panic!("{seed} {property:?}: {reason:?}"),
                    verdict => Some(verdict.is_violated() == (property.form() == Form::Reachable)),
                };
                let is_open = matches!(property, Property::Recurrence(..));
                if is_open {
                    continue;
                }
                assert_eq!(
                    found,
                    part.expected(property),
                    "{seed} {options:?} {property:?}"
                );
                // A slice of the property may have no states that are cut off.
                assert!(outcome.within == 0 || part.cuts(), "{seed} {property:?}");
                *met.entry((property.form(), found)).or_insert(0) += 1;
            }
        }
        let plain = &ways()[1];
        let counted = explore(&bounded, plain, Caller::default(), &mut Counts::default());
        let counted = counted.expect("its states are small");
        assert_eq!(counted.states as usize, part.states.len(), "{seed}");
        assert_eq!(
            counted.edges as usize,
            part.edges.iter().sum::<usize>(),
            "{seed}"
        );
        let terminal = part.all().filter(|state| part.is_terminal(*state));
        assert_eq!(counted.terminal as usize, terminal.count(), "{seed}");
        assert_eq!(counted.within != 0, part.cuts(), "{seed}");
    }
    assert!(cut > 40, "{cut} are cut off");
    for form in [
        Form::Invariant,
        Form::Progress,
        Form::Deadlock,
        Form::Errors,
    ] {
        for verdict in [true, false] {
            let many = met.get(&(form, Some(verdict))).copied().unwrap_or(0);
            assert!(many > 20, "{form:?} {verdict} {many}");
        }
    }
}

const WALK: &str = "
    var x: 0..20
    process up { loop { when x < 20 do x = x + 1 } }
    process down { loop { when x > 0 do x = x - 1 } }
    bound small: x <= 3
    ";

/// What is said of a property, and the bounds that it relies on.
fn said(text: &str, options: &Options) -> (String, u64) {
    let model = model(text);
    let named = model.properties.iter().find(|named| named.name == "t");
    let asked = [named.expect("it is declared").property.clone()];
    let outcomes = check(&model.system, &asked, options, Caller::default());
    let outcome = outcomes.expect("its states are small").remove(0);
    let word = match &outcome.verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Violated { trace, .. } => {
            format!(
                "{} steps, {} in the cycle",
                trace.steps().len(),
                trace.cycle().len()
            )
        }
        Verdict::Undecided(reason) => format!("{reason:?}"),
    };
    (word, outcome.within)
}

#[test]
fn states_outside_a_bound_are_checked_and_end_no_run() {
    let of = |property: &str| {
        let text = format!("{WALK} {property}");
        let all: Vec<(String, u64)> = ways().iter().map(|how| said(&text, how)).collect();
        assert!(
            all.iter().all(|one| one.0 == all[0].0),
            "{property}: {all:?}"
        );
        all[0].0.clone()
    };
    assert_eq!(of("invariant t: x <= 3"), "4 steps, 0 in the cycle");
    assert_eq!(of("invariant t: x <= 4"), "holds");
    assert_eq!(of("reachable t: x == 4"), "4 steps, 0 in the cycle");
    assert_eq!(of("reachable t: x == 5"), "CutOff");
    assert_eq!(of("progress t: may x == 10"), "holds");
    assert_eq!(of("progress t: must x == 1"), "2 steps, 2 in the cycle");
    // Whoever does not come down again is cut off.
    assert_eq!(of("ltl t: always x <= 3"), "holds");
    assert_eq!(of("ltl t: eventually x == 1"), "holds");
    assert_eq!(of("ltl t: always eventually x != 1"), "holds");
    assert_eq!(
        of("ltl t: eventually always x == 0"),
        "0 steps, 2 in the cycle"
    );
}

#[test]
fn a_bound_is_told_only_where_it_has_cut_something_off() {
    let usual = Options::default();
    let with = |rest: &str| said(&format!("{WALK} {rest}"), &usual).1;
    assert_eq!(with("invariant t: x <= 4"), 1);
    assert_eq!(with("bound wide: x <= 20 invariant t: x <= 4"), 1);
    assert_eq!(with("bound odd: x != 2 invariant t: x <= 4"), 2);
    let unbroken = WALK.replace("x <= 3", "x <= 20");
    assert_eq!(
        said(&format!("{unbroken} invariant t: x <= 20"), &usual),
        ("holds".to_owned(), 0)
    );
}

#[test]
fn a_bound_that_fails_cuts_the_state_off() {
    let text = "var x: 0..5
        process p { loop { x = (x + 1) % 6 } }
        bound divides: 6 / (3 - x) > 0
        invariant t: x <= 3";
    assert_eq!(said(text, &Options::default()), ("holds".to_owned(), 1));
    let errors = text.replace("invariant t: x <= 3", "reachable t: x == 4");
    assert_eq!(said(&errors, &Options::default()).0, "CutOff");
}

#[test]
fn steps_are_left_out_within_a_bound() {
    let text = "
        var x: 0..50
        process counter { loop { x = x + 1 } }
        process worker(i in 0..4) { skip; skip; skip }
        bound few: x <= 2
        invariant t: x <= 3";
    let model = model(text);
    let low = model.properties.iter().find(|named| named.name == "t");
    let low = low.expect("it is declared").property.clone();
    // Unlike the invariant, `deadlock` is about the workers too.
    let asked = [low, Property::Deadlock { allowed: None }];
    let states = |reduction| {
        let options = Options {
            reduction,
            symmetry: Symmetry::Off,
            ..Options::default()
        };
        let outcomes = check(&model.system, &asked, &options, Caller::default());
        let outcomes = outcomes.expect("its states are small");
        assert!(outcomes.iter().all(|one| one.verdict == Verdict::Holds));
        assert!(outcomes.iter().all(|one| one.within == 1));
        outcomes[1].states
    };
    let (few, all) = (states(Reduction::Stubborn), states(Reduction::None));
    assert_eq!(all, 4 * 4_u64.pow(5));
    // All steps are taken in each state in which the counter has one, which disables the others'.
    assert!(few * 3 < all * 2, "{few} of {all}");
}
