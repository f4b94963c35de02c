//! Small systems drawn by lot, as witnesses for the reduction.
//!
//! - With the reduction and without it verdicts are equal, every trace shows its violation, and the
//!   terminal states are the same.
//! - The sets of steps that are chosen obey D0, D1 and D2 as they are defined, in every state.
//! - Beside a tester or an automaton, the reduced product has a violation exactly if the full one has
//!   one, and the sets obey what is asked of them besides.
//! - What a search says it has seen is reached in the plain space, and what it says is never reached is not.
//!
//! Some thousands of systems from a fixed seed belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_RANDOM_SYSTEMS=1000000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn-random --release --test it -- --nocapture verdicts
//! ```
//!
//! A difference is printed with the model, made as small as it can be. `STUBBORN_SYSTEM=SEED`
//! looks at one system alone.

use stubborn_random::sweep::{self, Look, Models};
use stubborn_random::{local_runs, messages, mixture, refusals};

use crate::reductions::monitors::{
    automata_agree, observing_sets_obey, observing_sets_obey_with_little, tester_sets_obey,
    tester_sets_obey_with_little, testers_agree,
};
use crate::reductions::seen::{self, seen_is_reached_and_never_is_never};
use crate::reductions::tally::Tally;
use crate::reductions::ways::{self, all_ways_agree};
use crate::reductions::{compared, defined, defined_with_little};

/// Looks at a slice of the models, or at as many as are asked for.
fn test(slice: u64, look: &Look<'_, Tally>) -> Option<Tally> {
    let draw = mixture::model;
    sweep::test(&Models { draw, look }, slice)
}

#[test]
fn verdicts_and_terminal_states_are_those_of_the_plain_space() {
    if let Some(tally) = test(1500, &compared) {
        tally.assert_diverse();
    }
}

#[test]
fn own_steps_come_to_the_same_however_many_are_taken_as_one() {
    let models = Models {
        draw: local_runs::model,
        look: &compared,
    };
    sweep::test(&models, 1500);
}

#[test]
fn whoever_takes_a_message_and_whatever_it_asks_for_verdicts_stay_the_same() {
    let models = Models {
        draw: messages::model,
        look: &compared,
    };
    sweep::test(&models, 1500);
}

#[test]
fn sets_obey_the_definition_where_messages_are_taken() {
    let models = Models {
        draw: messages::model,
        look: &defined,
    };
    sweep::test(&models, 1000);
}

#[test]
fn whoever_fails_and_whoever_waits_in_a_joint_step_verdicts_stay_the_same() {
    let models = Models {
        draw: refusals::model,
        look: &compared,
    };
    sweep::test(&models, 1500);
}

#[test]
fn sets_obey_the_definition_where_parts_of_joint_steps_fail_and_wait() {
    let models = Models {
        draw: refusals::named,
        look: &defined,
    };
    sweep::test(&models, 1000);
}

#[test]
fn what_a_search_has_seen_is_reached_and_what_it_rules_out_is_not() {
    let models = Models::<'_, seen::Tally> {
        draw: mixture::model,
        look: &seen_is_reached_and_never_is_never,
    };
    if let Some(tally) = sweep::test(&models, 300) {
        tally.assert_diverse();
    }
}

#[test]
fn however_states_are_kept_and_whatever_is_left_out_the_same_is_told() {
    let models = Models::<'_, ways::Tally> {
        draw: mixture::model,
        look: &all_ways_agree,
    };
    if let Some(tally) = sweep::test(&models, 150) {
        tally.assert_diverse();
    }
}

#[test]
fn chosen_sets_obey_the_definition_in_every_state() {
    if let Some(tally) = test(1000, &defined) {
        tally.assert_tested();
    }
}

#[test]
fn chosen_sets_obey_the_definition_however_little_is_found_out_of_the_steps() {
    if let Some(tally) = test(1000, &defined_with_little) {
        tally.assert_tested();
    }
}

#[test]
fn a_tester_finds_a_violation_in_the_reduced_product_if_there_is_one() {
    if let Some(tally) = test(500, &testers_agree) {
        tally.assert_watched();
    }
}

#[test]
fn an_automaton_finds_a_violation_in_the_reduced_product_if_there_is_one() {
    if let Some(tally) = test(500, &automata_agree) {
        tally.assert_watched();
    }
}

#[test]
fn sets_beside_a_tester_obey_the_theorem_in_every_state() {
    if let Some(tally) = test(200, &tester_sets_obey) {
        tally.assert_tested();
    }
}

#[test]
fn sets_beside_an_automaton_obey_the_theorem_in_every_state() {
    if let Some(tally) = test(200, &observing_sets_obey) {
        tally.assert_tested();
    }
}

#[test]
fn sets_beside_a_monitor_obey_the_theorem_however_little_is_found_out_of_the_steps() {
    if let Some(tally) = test(200, &tester_sets_obey_with_little) {
        tally.assert_tested_in(2);
    }
    if let Some(tally) = test(200, &observing_sets_obey_with_little) {
        tally.assert_tested_in(2);
    }
}
