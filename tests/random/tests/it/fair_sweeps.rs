//! Properties of fair runs, of small systems drawn by lot, held to an oracle ([`fair`](crate::fair)).
//!
//! Some hundreds from a fixed seed belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_RANDOM_SYSTEMS=50000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn-random --release --test it -- --nocapture fair_sweeps
//! ```

use stubborn_random::sweep::{self, Models};
use stubborn_random::watch::Kind;

use crate::fair::tally::Tally;
use crate::fair::{Cases, asked_of, of_states_and_steps};

#[test]
fn formulas_hold_of_fair_runs_where_all_of_these_satisfy_them() {
    if let Some(tally) = sweep::test(&Cases(Kind::Formula), 150) {
        tally.assert_diverse(&["ltl"]);
    }
}

#[test]
fn automata_accept_fair_runs_where_there_are_such() {
    if let Some(tally) = sweep::test(&Cases(Kind::Automaton), 150) {
        tally.assert_diverse(&["buchi", "testing"]);
    }
}

#[test]
fn must_and_recurrence_hold_of_fair_runs_by_their_definition() {
    let models = Models::<'_, Tally> {
        draw: asked_of,
        look: &of_states_and_steps,
    };
    if let Some(tally) = sweep::test(&models, 150) {
        tally.assert_diverse(&["must", "recurrence"]);
    }
}
