//! All ways in which the same may be searched: they decide what a search costs, and nothing that it says.

use std::collections::BTreeMap;
use std::fmt;
use std::num::{NonZeroU32, NonZeroUsize};

use stubborn_engine::packed::Packed;
use stubborn_engine::successors::Successors;
use stubborn_engine::{Caller, Options, Outcome, Reduction, SMALL, Use, Verdict, check};
use stubborn_random::model::Model;
use stubborn_random::random::Random;
use stubborn_random::systems::widened;
use stubborn_random::{read, sweep};
use stubborn_system::property::Property;
use stubborn_system::system::{Binary, Expr, System, VariableRef};

use super::compare::{agree, plain};
use super::graph::Graph;
use super::{LEAST_STATES, MOST_STATES};

/// What is left out of a system may be left out in two to the sixth ways; so many of them are gone through for each.
const OPTIMISATIONS: usize = 4;

/// How states are kept, how many threads there are, and whether steps are remembered.
const WAYS: [(Use, usize, Use); 6] = [
    (Use::Never, 1, Use::Never),
    (Use::Never, 2, Use::Never),
    (Use::Always, 1, Use::Never),
    (Use::Always, 1, Use::Always),
    (Use::Always, 2, Use::Never),
    (Use::Always, 2, Use::Always),
];

/// What a test that has become blind would not show.
#[derive(Default)]
pub struct Tally {
    systems: u64,
    wide: u64,
    /// By whether steps may be left out, and by whether the properties hold.
    verdicts: BTreeMap<(bool, &'static str), u64>,
    /// Searches of fewer states than the plain one.
    smaller: u64,
}

impl Tally {
    pub fn assert_diverse(&self) {
        assert_eq!(self.verdicts.len(), 4, "{self}");
        let least = self.systems;
        assert!(self.verdicts.values().all(|many| *many > least), "{self}");
        assert!(self.wide > self.systems / 50, "{self}");
        assert!(self.smaller > self.systems, "{self}");
    }
}

impl sweep::Tally for Tally {
    fn add(&mut self, other: &Tally) {
        self.systems += other.systems;
        self.wide += other.wide;
        self.smaller += other.smaller;
        for (key, many) in &other.verdicts {
            *self.verdicts.entry(*key).or_default() += many;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (systems, wide, smaller) = (self.systems, self.wide, self.smaller);
        write!(
            f,
            "{systems} systems, {wide} of several words, {smaller} smaller searches, by whether steps may be left out: {:?}",
            self.verdicts
        )
    }
}

fn optimisation(random: &mut Random) -> Options {
    Options {
        reduction: *random.pick(&[Reduction::None, Reduction::Stubborn]),
        keep_dead_variables: random.one_in(3),
        keep_constants: random.one_in(2),
        keep_unreachable: random.one_in(2),
        keep_steps: random.one_in(2),
        foresight: *random.pick(&[Use::Always, Use::Never, Use::WhereItPays]),
        plain_first: *random.pick(&[None, NonZeroU32::new(20), SMALL]),
        ..Options::default()
    }
}

/// What must not depend on the way.
#[derive(Debug, PartialEq)]
struct Told {
    verdict: &'static str,
    /// Of a trace that is no cycle.
    length: Option<usize>,
    /// States and edges of what holds, and whether nothing was left out.
    counts: Option<(u64, u64, bool)>,
}

impl Told {
    fn of(outcome: &Outcome) -> Told {
        let (verdict, length, counts) = match &outcome.verdict {
            Verdict::Holds => {
                let counts = (outcome.states, outcome.edges, outcome.full);
                ("holds", None, Some(counts))
            }
            Verdict::Violated { trace, .. } => {
                let length = trace.cycle().is_empty().then(|| trace.steps().len());
                ("violated", length, None)
            }
            Verdict::Undecided(_) => ("undecided", None, None),
        };
        Told {
            verdict,
            length,
            counts,
        }
    }
}

/// What holds, and needs the variable that nobody touches.
fn keeps_the_last_variable(system: &System) -> Property {
    let last = system.variables.len() - 1;
    let initial = Expr::Const(system.variables[last].initial.clone());
    let variable = Expr::Variable(VariableRef::Shared(last as u32));
    Property::Invariant(Expr::Binary(
        Binary::Equal,
        Box::new(variable),
        Box::new(initial),
    ))
}

/// Checks all properties of a model in each of the ways, with some of what may be left out left out.
pub fn all_ways_agree(model: &Model, seed: u64, tally: &mut Tally) -> Result<bool, String> {
    let Some(drawn) = read::model(model) else {
        return Ok(false);
    };
    let system = match seed.is_multiple_of(4) {
        true => widened(&drawn.system),
        false => System::clone(&drawn.system),
    };
    let packed = Packed::new(&system).map_err(|error| error.to_string())?;
    let Some(mut graph) = Graph::new(&packed, MOST_STATES, false) else {
        return Ok(false);
    };
    if graph.states() < LEAST_STATES {
        return Ok(false);
    }
    tally.systems += 1;
    tally.wide += u64::from(packed.words() > 1);
    let properties = drawn.properties.iter().map(|named| named.property.clone());
    let mut properties: Vec<Property> = properties.collect();
    if packed.words() > 1 {
        properties.push(keeps_the_last_variable(&system));
    }
    let expected = plain(&system, &properties)?;
    let mut random = Random::new(seed ^ 0x3a_11ed);
    for _ in 0..OPTIMISATIONS {
        let optimisation = optimisation(&mut random);
        let mut first: Option<Vec<Outcome>> = None;
        for (unnumbered, threads, remembered) in WAYS {
            let options = Options {
                threads: NonZeroUsize::new(threads),
                unnumbered,
                remembered,
                ..optimisation
            };
            let found = check(&system, &properties, &options, Caller::default())
                .map_err(|error| error.to_string())?;
            for (k, outcome) in found.iter().enumerate() {
                let in_words = |what: String| {
                    let name = drawn.properties.get(k).map(|named| &named.name);
                    format!("{name:?}: {what} ({options:?})")
                };
                let Some(first) = &first else {
                    agree(&mut graph, &properties[k], &expected[k], outcome).map_err(in_words)?;
                    let may_leave_out = optimisation.reduction == Reduction::Stubborn;
                    let key = (may_leave_out, Told::of(outcome).verdict);
                    *tally.verdicts.entry(key).or_default() += 1;
                    tally.smaller += u64::from(outcome.states < u64::from(graph.states()));
                    continue;
                };
                let (one, other) = (Told::of(&first[k]), Told::of(outcome));
                if one != other {
                    return Err(in_words(format!("{other:?} and not {one:?}")));
                }
            }
            first.get_or_insert(found);
        }
    }
    Ok(true)
}
