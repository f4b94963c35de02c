//! What is known of the places of a text: whether some run comes there, and what it does there.

use std::collections::HashMap;

use stubborn_engine::seen::Taken;
use stubborn_model::Analysis;
use stubborn_system::footprint::things_read;
use stubborn_system::source::Span;
use stubborn_system::source_map::InstanceSource;
use stubborn_system::system::{Expr, Instance, Target};
use stubborn_system::walk::for_tests;

use crate::sighted::{Sighted, SightedInstance};

/// Whether some run may do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    May,
    /// None does: so many states were searched.
    Never(u64),
}

impl Life {
    /// Of what several instances, or several steps, do.
    pub fn or(self, other: Life) -> Life {
        match (self, other) {
            (Life::Never(one), Life::Never(other)) => Life::Never(one.max(other)),
            _ => Life::May,
        }
    }
}

/// What is known of a step's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfStep {
    /// Coming to where it begins.
    pub comes: Life,
    pub taken: Life,
    /// Finding it true, and finding it false, if it is a test.
    pub holds: Life,
    pub fails: Life,
}

impl OfStep {
    fn or(self, other: OfStep) -> OfStep {
        OfStep {
            comes: self.comes.or(other.comes),
            taken: self.taken.or(other.taken),
            holds: self.holds.or(other.holds),
            fails: self.fails.or(other.fails),
        }
    }
}

/// What is known of an `if` among effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfTest {
    /// Going into its first branch, and into its second.
    pub then: Life,
    pub otherwise: Life,
    /// In some instance it depends on more than constants and parameters.
    pub is_open: bool,
}

impl OfTest {
    fn or(self, other: OfTest) -> OfTest {
        OfTest {
            then: self.then.or(other.then),
            otherwise: self.otherwise.or(other.otherwise),
            is_open: self.is_open || other.is_open,
        }
    }

    /// That of a test which constants and parameters decide: it goes the other way in no instance that has it so.
    fn decided(is_true: bool) -> OfTest {
        let (then, otherwise) = match is_true {
            true => (Life::May, Life::Never(0)),
            false => (Life::Never(0), Life::May),
        };
        OfTest {
            then,
            otherwise,
            is_open: false,
        }
    }
}

/// Of the name of each state and each label, and of each step's text.
pub struct Facts<'a> {
    pub named: HashMap<Span, Life>,
    pub steps: HashMap<Span, OfStep>,
    /// Of each `if` among effects, as far as its condition.
    pub tests: HashMap<Span, OfTest>,
    pub has_dead: bool,
    pub analysis: &'a Analysis,
}

impl<'a> Facts<'a> {
    /// `on_the_way` is called for each instance, and may unwind.
    pub fn new(analysis: &'a Analysis, sighted: &Sighted, on_the_way: &dyn Fn()) -> Facts<'a> {
        let mut facts = Facts {
            named: HashMap::new(),
            steps: HashMap::new(),
            tests: HashMap::new(),
            has_dead: false,
            analysis,
        };
        let Some(model) = &analysis.model else {
            return facts;
        };
        let instances = model.system.instances.iter();
        let instances = instances.zip(&model.source_map.instances).enumerate();
        for (number, (instance, source)) in instances {
            on_the_way();
            let seen = sighted.instances.get(number).and_then(Option::as_ref);
            let whole = seen.filter(|seen| seen.is_whole);
            let comes = |location: u32| match whole {
                Some(seen) if seen.locations.get(location as usize) == Some(&Some(0)) => {
                    Life::Never(seen.states)
                }
                _ => Life::May,
            };
            for (name, holds) in &source.named {
                // One that the text leads nowhere to has its own message.
                let empty = if holds.is_empty() {
                    &[Life::May][..]
                } else {
                    &[]
                };
                let lives = holds
                    .iter()
                    .map(|at| comes(*at))
                    .chain(empty.iter().copied());
                for life in lives {
                    facts
                        .named
                        .entry(*name)
                        .and_modify(|known| *known = known.or(life))
                        .or_insert(life);
                }
            }
            facts.add_tests(instance, source, whole);
            for (location, at) in instance.locations.iter().zip(0..) {
                for step in &location.steps {
                    let Some(text) = source.steps.get(*step as usize) else {
                        continue;
                    };
                    let comes = comes(at);
                    let taken = whole.and_then(|seen| {
                        let taken = seen.steps.get(*step as usize).copied().flatten()?;
                        Some((taken, seen.states))
                    });
                    let life = |is: bool| match taken {
                        Some((_, states)) if !is => Life::Never(states),
                        _ => Life::May,
                    };
                    let at_all = taken.is_some_and(|(taken, _)| taken.at_all());
                    // What the text alone decides is meant to be so.
                    let is_test = match &instance.steps[*step as usize].target {
                        Target::Test {
                            condition,
                            then,
                            otherwise,
                        } => then != otherwise && reads_something(condition),
                        Target::To(_) => false,
                    };
                    let known = OfStep {
                        comes,
                        taken: match comes {
                            Life::May => life(at_all),
                            never => never,
                        },
                        holds: life(!is_test || taken.is_some_and(|(taken, _)| taken.then)),
                        fails: life(!is_test || taken.is_some_and(|(taken, _)| taken.otherwise)),
                    };
                    facts
                        .steps
                        .entry(*text)
                        .and_modify(|before| *before = before.or(known))
                        .or_insert(known);
                }
            }
        }
        let tests = facts.tests.values().filter(|of| of.is_open);
        let steps = facts.steps.values();
        let mut all = steps
            .flat_map(|of| [of.taken, of.holds, of.fails])
            .chain(tests.flat_map(|of| [of.then, of.otherwise]))
            .chain(facts.named.values().copied());
        facts.has_dead = all.any(|life| life != Life::May);
        facts
    }

    fn add_tests(
        &mut self,
        instance: &Instance,
        source: &InstanceSource,
        seen: Option<&SightedInstance>,
    ) {
        let mut add = |span: Span, of: OfTest| {
            let known = self.tests.entry(span);
            known
                .and_modify(|known| *known = known.or(of))
                .or_insert(of);
        };
        for (step, branches) in &source.branches {
            for (span, is_true) in &branches.decided {
                add(*span, OfTest::decided(*is_true));
            }
            let mut spans = branches.tests.iter().zip(0..);
            for_tests(&instance.steps[*step as usize].effects, &mut |condition| {
                let Some((span, number)) = spans.next() else {
                    return;
                };
                let known = seen.and_then(|seen| {
                    let taken = seen.branches.get(&(*step, number))?;
                    reads_something(condition).then_some((*taken, seen.states))
                });
                let life = |is: fn(Taken) -> bool| match known {
                    Some((taken, states)) if !is(taken) => Life::Never(states),
                    _ => Life::May,
                };
                let of = OfTest {
                    then: life(|taken| taken.then),
                    otherwise: life(|taken| taken.otherwise),
                    is_open: true,
                };
                add(*span, of);
            });
        }
    }
}

fn reads_something(expr: &Expr) -> bool {
    let mut reads = false;
    things_read(expr, &mut |_| reads = true);
    reads
}
