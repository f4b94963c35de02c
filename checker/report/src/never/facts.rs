//! Facts about the places of a text: whether some run reaches them, and what it does there.

use std::collections::HashMap;

use stubborn_engine::coverage::{Coverage, Item, Taken};
use stubborn_model::Analysis;
use stubborn_system::footprint::things_read;
use stubborn_system::source::Span;
use stubborn_system::system::{Expr, LocationId, Target};
use stubborn_system::walk::for_tests;

/// Whether some run may do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    May,
    /// None does; the number of states that were searched.
    Never(u64),
}

impl Life {
    /// The life of something that several instances, or several steps, have.
    pub fn or(self, other: Life) -> Life {
        match (self, other) {
            (Life::Never(one), Life::Never(other)) => Life::Never(one.max(other)),
            _ => Life::May,
        }
    }
}

/// Facts about the text of a step, or of an `if` among effects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OfStep {
    /// Reaching the point where it begins.
    pub comes: Life,
    pub taken: Life,
    /// Finding it true, and finding it false, if it is a test.
    pub holds: Life,
    pub fails: Life,
}

impl OfStep {
    /// Facts about an `if` among effects.
    fn test(holds: Life, fails: Life) -> OfStep {
        OfStep {
            comes: Life::May,
            taken: Life::May,
            holds,
            fails,
        }
    }

    pub fn or(self, other: OfStep) -> OfStep {
        OfStep {
            comes: self.comes.or(other.comes),
            taken: self.taken.or(other.taken),
            holds: self.holds.or(other.holds),
            fails: self.fails.or(other.fails),
        }
    }
}

/// Facts about the name of each state and each label, and the text of each step.
pub struct Facts<'a> {
    pub named: HashMap<Span, Life>,
    pub steps: HashMap<Span, OfStep>,
    /// Facts about each `if` among effects that depends on more than constants and parameters in
    /// some instance, as far as its condition.
    pub tests: HashMap<Span, OfStep>,
    pub has_dead: bool,
    pub analysis: &'a Analysis,
}

impl<'a> Facts<'a> {
    /// `on_the_way` is called for each instance, and may unwind.
    pub fn new(analysis: &'a Analysis, coverage: &Coverage, on_the_way: &dyn Fn()) -> Facts<'a> {
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
        let add = |all: &mut HashMap<Span, OfStep>, text: Span, of: OfStep| {
            let known = all.entry(text);
            known
                .and_modify(|known| *known = known.or(of))
                .or_insert(of);
        };
        let mut decided = Vec::new();
        let instances = model.system.instances.iter();
        let instances = instances.zip(&model.source_map.instances);
        for (who, (instance, source)) in (0..).zip(instances) {
            on_the_way();
            let whole = coverage.of_instance(who).filter(|search| search.is_whole);
            let comes = |at: LocationId| match whole {
                Some(search) if coverage.visits(who, at) == Some(0) => Life::Never(search.states),
                _ => Life::May,
            };
            let taken = |item| Some((coverage.taken(item)?, whole?.states));
            for (name, holds) in &source.named {
                // A name that the text shows to be unreachable has its own message.
                let lives = holds.iter().map(|at| comes(*at)).reduce(Life::or);
                let life = lives.unwrap_or(Life::May);
                let known = facts.named.entry(*name);
                known
                    .and_modify(|known| *known = known.or(life))
                    .or_insert(life);
            }
            for (step, branches) in &source.branches {
                decided.extend(branches.decided.iter().copied());
                let mut spans = branches.tests.iter().zip(0..);
                for_tests(&instance.steps[*step as usize].effects, &mut |condition| {
                    let Some((span, number)) = spans.next() else {
                        return;
                    };
                    let taken = taken(Item::Branch(who, *step, number));
                    let taken = taken.filter(|_| reads_something(condition));
                    let holds = life(taken, |taken| taken.then);
                    let fails = life(taken, |taken| taken.otherwise);
                    add(&mut facts.tests, *span, OfStep::test(holds, fails));
                });
            }
            for (location, at) in instance.locations.iter().zip(0..) {
                for step in &location.steps {
                    let Some(text) = source.steps.get(*step as usize) else {
                        continue;
                    };
                    let (comes, taken) = (comes(at), taken(Item::Step(who, *step)));
                    // A test that the text alone decides is intended.
                    let is_test = match &instance.steps[*step as usize].target {
                        Target::Test(condition, then, otherwise) => {
                            then != otherwise && reads_something(condition)
                        }
                        Target::To(_) => false,
                    };
                    let known = OfStep {
                        comes,
                        taken: match comes {
                            Life::May => life(taken, Taken::at_all),
                            never => never,
                        },
                        holds: life(taken, |taken| !is_test || taken.then),
                        fails: life(taken, |taken| !is_test || taken.otherwise),
                    };
                    add(&mut facts.steps, *text, known);
                }
            }
        }
        // A test goes the other way in no instance in which constants and parameters decide it.
        for (span, is_true) in decided {
            if let Some(known) = facts.tests.get_mut(&span) {
                *known = known.or(match is_true {
                    true => OfStep::test(Life::May, Life::Never(0)),
                    false => OfStep::test(Life::Never(0), Life::May),
                });
            }
        }
        let all = facts.steps.values().chain(facts.tests.values());
        let mut all = all
            .flat_map(|of| [of.taken, of.holds, of.fails])
            .chain(facts.named.values().copied());
        facts.has_dead = all.any(|life| life != Life::May);
        facts
    }
}

fn life(taken: Option<(Taken, u64)>, is: impl Fn(Taken) -> bool) -> Life {
    match taken {
        Some((taken, states)) if !is(taken) => Life::Never(states),
        _ => Life::May,
    }
}

fn reads_something(expr: &Expr) -> bool {
    let mut reads = false;
    things_read(expr, &mut |_| reads = true);
    reads
}
