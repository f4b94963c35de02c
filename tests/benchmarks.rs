//! The benchmarks that are programs come to an end, on small input.

use std::collections::BTreeSet;
use std::time::Duration;

use first_violation::waiting;
use waiting::measure::{Times, measure};
use waiting::texts::{Text, examples, instances, items};

#[allow(dead_code, reason = "its `main` is for who measures")]
#[path = "../server/examples/first_violation/main.rs"]
mod first_violation;

/// The design is small: what is tested is that it is violated, with a round beside the search and without.
#[test]
fn how_long_a_violation_is_waited_for_can_be_measured_and_each_design_has_its_mistake() {
    for design in first_violation::designs() {
        let mut text = design.model.to_owned();
        for (from, to) in design.right.iter().chain([&design.wrong]) {
            text = first_violation::replaced(&design, &text, from, to)
                .unwrap_or_else(|error| panic!("{error}"));
        }
        if design.name == "lock_free_stack" {
            for rounds in [true, false] {
                let seen = first_violation::saved(&design, rounds);
                let seen = seen.unwrap_or_else(|error| panic!("{error}"));
                assert!(seen.states > 0 && !seen.waited.is_zero());
            }
        }
    }
}

#[test]
fn each_example_is_measured_and_what_a_save_changes_is_in_it_once() {
    let folder = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
    let files = folder
        .expect("the examples")
        .map(|file| file.expect("one").file_name());
    let files = files.filter_map(|name| name.into_string().ok());
    // One takes longer than anybody waits.
    let files: BTreeSet<String> = files
        .filter(|name| name != "token_ring_broken.tester")
        .collect();
    let measured: BTreeSet<String> = examples().map(|text| text.name).collect();
    assert_eq!(measured, files);
    for text in examples().chain(items(20)).chain([instances(3)]) {
        let saved = text.used.as_ref().unwrap_or(&text.typed);
        let (place, instead) = text.saved;
        assert_eq!(
            saved.text.matches(place).count(),
            1,
            "{}: {place}",
            text.name
        );
        assert!(instead.contains('#'), "{}: {instead}", text.name);
    }
}

/// Has all columns measured, twice each.
fn measures(text: &Text) {
    let times = Times {
        keys: 2,
        saves: 2,
        cancels: 2,
    };
    let waits = measure(text, times).unwrap_or_else(|error| panic!("{}: {error}", text.name));
    let columns = [
        &waits.mistake,
        &waits.mended,
        &waits.first,
        &waits.last,
        &waits.cancelled,
    ];
    for column in columns {
        assert_eq!(column.len(), 2, "{}", text.name);
        assert!(!column.contains(&Duration::ZERO), "{}", text.name);
    }
    let is_later = |(last, first): (&Duration, &Duration)| last >= first;
    assert!(waits.last.iter().zip(&waits.first).all(is_later));
    // Every column and the name, whatever it took.
    let line = waiting::line(text, waits);
    assert!(line.starts_with(&format!("| {} | ", text.name)), "{line}");
    assert_eq!(line.matches('|').count(), 8, "{line}");
}

#[test]
fn all_that_a_person_waits_for_can_be_measured_of_a_model_and_of_a_tester() {
    for name in ["vending.stb", "philosophers.tester"] {
        let text = examples().find(|text| text.name == name);
        measures(&text.expect("an example"));
    }
}

#[test]
fn all_that_a_person_waits_for_can_be_measured_of_each_kind_of_item() {
    let texts = items(20);
    assert_eq!(texts.len(), 9);
    for text in texts {
        measures(&text);
    }
}

#[test]
fn all_that_a_person_waits_for_can_be_measured_of_many_instances() {
    measures(&instances(3));
}

#[test]
fn a_wait_beyond_its_bound_is_said_in_the_table() {
    let waits = |millis: u64| {
        let one = || vec![Duration::from_millis(millis)];
        waiting::measure::Waits {
            mistake: one(),
            mended: one(),
            first: one(),
            last: one(),
            cancelled: one(),
        }
    };
    let line = waiting::line(&instances(3), waits(9));
    assert!(line.ends_with("| 9.0 / 9.0 / 9.0 |  |"), "{line}");
    let line = waiting::line(&instances(3), waits(21));
    let missed = "key to a mistake, median: 21.0 > 10; key to none, median: 21.0 > 10; \
                  cancel, worst: 21.0 > 20 |";
    assert!(line.ends_with(missed), "{line}");
}
