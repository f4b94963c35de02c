//! Verdicts with symmetry, held to those without.

use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Limits, Options, Outcome, Reason, Reduction, Search, Silent, Symmetry, Verdict, check,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read::{self, Drawn};
use stubborn_random::symmetric::{self, Share};
use stubborn_system::property::Property;
use stubborn_system::system::System;

pub const MOST_STATES: usize = 3000;

/// What was looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub compared: usize,
    /// With symmetry,
    pub turned: usize,
    /// of these beside a monitor,
    pub beside: usize,
    /// and how often it was found that it pays.
    pub paid: usize,
    pub violated: usize,
    /// Of violations with symmetry.
    pub cycles: usize,
}

/// The text of a seed, and what it means, unless it has errors.
pub fn drawn(seed: u64) -> Option<(String, Drawn)> {
    let share = if seed.is_multiple_of(3) {
        Share::Nearly
    } else {
        Share::Symmetric
    };
    let text = symmetric::text(seed, share);
    let drawn = read::text(text.clone(), &Settings::default())?;
    Some((text, drawn))
}

fn plain() -> Options {
    Options {
        symmetry: Symmetry::Off,
        reduction: Reduction::None,
        keep_dead_variables: true,
        limits: Limits {
            max_states: Some(MOST_STATES as u64),
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn with_symmetry() -> Vec<Options> {
    // Of few states nobody asks for permutations unless told to.
    let mut all: Vec<Options> = [Reduction::None, Reduction::Stubborn]
        .map(|reduction| Options {
            reduction,
            symmetry: Symmetry::Auto,
            ..Options::default()
        })
        .into();
    for search in [Search::Breadth, Search::Depth] {
        for reduction in [Reduction::None, Reduction::Stubborn] {
            for keep in [false, true] {
                if reduction == Reduction::None && keep {
                    continue;
                }
                all.push(Options {
                    search,
                    reduction,
                    keep_dead_variables: keep,
                    symmetry: Symmetry::Always,
                    ..Options::default()
                });
            }
        }
    }
    all
}

/// Every verdict of a seed's properties, all at once, and each by itself: more permutations leave one of them as
/// it is.
///
/// # Errors
/// What differs.
pub fn compared(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let Some((text, drawn)) = drawn(seed) else {
        return Ok(());
    };
    let system = &*drawn.system;
    let properties = drawn.properties.iter();
    let properties: Vec<Property> = properties.map(|named| named.property.clone()).collect();
    let expected = check(system, &properties, &plain(), &Silent).expect("it is small");
    let is_large =
        |outcome: &Outcome| matches!(outcome.verdict, Verdict::Undecided(Reason::States(_)));
    if expected.iter().any(is_large) {
        return Ok(());
    }
    let mut look = |asked: &[Property], expected: &[Outcome]| {
        for options in with_symmetry() {
            let found = check(system, asked, &options, &Silent).expect("it is small");
            for ((property, expected), found) in asked.iter().zip(expected).zip(&found) {
                let told = |what: &str| {
                    format!(
                        "seed {seed}: {what}\n{property:?} with {options:?}: {found:?}, expected is {:?}\n{text}",
                        expected.verdict
                    )
                };
                let is_beside = property.is_monitored() && found.symmetry.permutations().is_some();
                tally.beside += usize::from(is_beside);
                same((system, expected), (&options, found), tally).map_err(|what| told(&what))?;
            }
        }
        Ok::<(), String>(())
    };
    look(&properties, &expected)?;
    for (property, expected) in properties.iter().zip(&expected) {
        look(
            std::slice::from_ref(property),
            std::slice::from_ref(expected),
        )?;
    }
    Ok(())
}

fn same(
    (system, expected): (&System, &Outcome),
    (options, found): (&Options, &Outcome),
    tally: &mut Tally,
) -> Result<(), String> {
    tally.compared += 1;
    let is_turned = found.symmetry.permutations().is_some();
    tally.turned += usize::from(is_turned);
    tally.paid += usize::from(is_turned && options.symmetry == Symmetry::Auto);
    match (&expected.verdict, &found.verdict) {
        (Verdict::Holds, Verdict::Holds) => Ok(()),
        (Verdict::Violated { .. }, Verdict::Violated { trace, .. }) => {
            tally.violated += 1;
            tally.cycles += usize::from(is_turned && !trace.cycle().is_empty());
            replay(system, trace).map_err(|why| format!("the trace is no run: {why:?}"))
        }
        _ => Err("the verdict is another one".to_owned()),
    }
}
