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
//! or its cycle shows what it is said to show; of a formula, its value along the trace is false.
//!
//! Some hundreds of each from a fixed seed belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_RANDOM_SYSTEMS=200000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn-random --release --test it -- --nocapture what_a_tester_forbids
//! ```
//!
//! A difference is printed with the model and what watches it, made as small as they can be.
//! `STUBBORN_SYSTEM=SEED` looks at one alone.

mod apart;
mod ask;
pub mod leads;
mod look;
mod oracle;
mod process;
mod product;
mod replay;
pub mod space;
pub mod tableau;
mod tally;

use stubborn_random::sweep::{self, Subject};
use stubborn_random::watch::{self, Case, Kind};

use tally::Tally;

/// The cases of a kind.
struct Cases(Kind);

impl Subject for Cases {
    type Case = Case;
    type Tally = Tally;

    fn draw(&self, seed: u64) -> Option<Case> {
        watch::draw(self.0, seed)
    }

    fn look(&self, case: &Case, seed: u64, tally: &mut Tally) -> Result<bool, String> {
        let is_used = look::look(case, seed, tally)?;
        tally.cases += u64::from(is_used);
        Ok(is_used)
    }

    fn text(&self, case: &Case) -> String {
        let (model, watch) = case.texts();
        format!("{model}\n--- watch.tester\n{watch}")
    }

    fn smallest(&self, case: Case, differs: &dyn Fn(&Case) -> bool) -> Case {
        case.smallest(differs)
    }
}

#[test]
fn every_search_finds_what_a_tester_forbids_and_nothing_else() {
    if let Some(tally) = sweep::test(&Cases(Kind::Tester), 300) {
        tally.assert_diverse();
        tally.assert_each_violation("tester");
    }
}

#[test]
fn formulas_hold_where_all_runs_satisfy_them() {
    if let Some(tally) = sweep::test(&Cases(Kind::Formula), 150) {
        tally.assert_diverse();
    }
}

#[test]
fn automata_accept_the_runs_that_their_definitions_accept() {
    if let Some(tally) = sweep::test(&Cases(Kind::Automaton), 150) {
        tally.assert_diverse();
        tally.assert_each_violation("testing");
    }
}

/// The two oracles of formulas against each other: a system with one run alone.
#[test]
fn on_a_system_with_one_run_the_oracle_evaluates_along_it() {
    oracle::agrees(2000);
}
