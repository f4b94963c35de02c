//! Small systems drawn by lot, each with something that watches it, as witnesses for testers,
//! automata and formulas.
//!
//! - *Testers*: an oracle that is written straight from Theorem 3.3 (A. Valmari, "On-the-fly
//!   verification with stubborn sets", CAV 1993) builds the product and says which of C1 to C4
//!   hold. Without a reduction each search must find a violation exactly where one that it decides
//!   is there; with stubborn sets, where any is (Thm 4.1).
//! - *Formulas*: the atoms of the formula's closure over the states of the system say whether a run
//!   satisfies it.
//! - *Automata*: the products as Hansen, Penczek and Valmari define them (2002, sections 2.2, 3.2).
//!
//! Each violation's trace is gone through: its steps are real, the monitor's moves too, and its end
//! or its cycle shows what is declared; of a formula, its value along the trace is false.
//!
//! Some hundreds of each from a fixed seed belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_RANDOM_SYSTEMS=200000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn-engine --release --test random_monitors -- --nocapture a_tester
//! ```
//!
//! A difference is printed with the model and what watches it, made as small as they can be.
//! `STUBBORN_SYSTEM=SEED` looks at one alone.

mod ask;
mod automata;
mod case;
#[allow(dead_code)]
#[path = "../random_reductions/contention.rs"]
mod contention;
mod formula;
#[allow(dead_code)]
#[path = "../random_systems/generate/mod.rs"]
mod generate;
mod look;
mod meetings;
#[allow(dead_code)]
#[path = "../random_systems/model.rs"]
mod model;
mod oracle;
mod product;
#[allow(dead_code)]
#[path = "../random_systems/random.rs"]
mod random;
#[allow(dead_code)]
#[path = "../random_systems/render.rs"]
mod render;
mod replay;
#[path = "../random_systems/shrink.rs"]
mod shrink;
mod space;
#[path = "../random_systems/spell.rs"]
mod spell;
mod sweep;
mod tableau;
mod tally;
mod tester;
#[allow(dead_code)]
#[path = "../random_systems/value.rs"]
mod value;

use case::Kind;

#[test]
fn every_search_finds_what_a_tester_forbids_and_nothing_else() {
    if let Some(tally) = sweep::test(Kind::Tester, 300) {
        tally.assert_diverse();
        tally.assert_each_violation("tester");
    }
}

#[test]
fn formulas_hold_where_all_runs_satisfy_them() {
    if let Some(tally) = sweep::test(Kind::Formula, 150) {
        tally.assert_diverse();
    }
}

#[test]
fn automata_accept_the_runs_that_their_definitions_accept() {
    if let Some(tally) = sweep::test(Kind::Automaton, 150) {
        tally.assert_diverse();
        tally.assert_each_violation("testing");
    }
}

/// The two oracles of formulas against each other: a system with one run alone.
#[test]
fn on_a_system_with_one_run_the_oracle_evaluates_along_it() {
    oracle::agrees(2000);
}
