//! Models grow, and what is left of their states grows as slowly as before: no number of processes,
//! properties or values makes a reduction disappear.

use stubborn_engine::{Caller, Options, Reduction, check};
use stubborn_system::property::Property;

use crate::extents::model;

/// The text of a model of the benchmark with other values of its parameters.
macro_rules! text {
    ($name:literal, $($parameter:literal = $value:expr),*) => {{
        let text = include_str!(concat!(
            "../../../../tests/benchmarks/models/cliffs/",
            $name,
            ".stb"
        ));
        let mut text = text.to_owned();
        $(text = with(&text, $parameter, $value);)*
        text
    }};
}

fn with(text: &str, parameter: &str, value: u64) -> String {
    let begin = format!("param {parameter}: ");
    let lines = text.lines().map(|line| match line.strip_prefix(&begin) {
        Some(rest) => {
            let range = rest.split_once(" = ").expect("it has a value").0;
            format!("{begin}{range} = {value}\n")
        }
        None => format!("{line}\n"),
    });
    lines.collect()
}

/// The states left where everything is decided with stubborn sets.
fn reduced(text: &str) -> u64 {
    let model = model(text);
    let properties = model.properties.iter().map(|one| one.property.clone());
    let properties: Vec<Property> = properties.collect();
    let options = Options {
        reduction: Reduction::Stubborn,
        ..Options::default()
    };
    let outcomes = check(&model.system, &properties, &options, Caller::default());
    let outcomes = outcomes.expect("its states are small enough");
    let states = outcomes.iter().map(|outcome| outcome.states);
    states.max().expect("there is a property")
}

#[test]
fn a_ring_of_many_nodes_is_left_a_single_run() {
    for nodes in [12, 14, 20] {
        let states = reduced(&text!("ring", "N" = nodes));
        assert!(states <= 17 * nodes, "{states} of {nodes} nodes");
    }
}

#[test]
fn a_label_that_nothing_names_leaves_no_more_states() {
    let text = text!("ring", "N" = 14);
    let labelled = text.replacen("receive link[i](one", "unused: receive link[i](one", 1);
    assert_ne!(text, labelled);
    assert_eq!(reduced(&text), reduced(&labelled));
}

#[test]
fn values_that_never_occur_leave_no_more_states() {
    let few = reduced(&text!("bytes", "MOST" = 7));
    for most in [64, 255, 100_000] {
        assert_eq!(reduced(&text!("bytes", "MOST" = most)), few);
    }
}

#[test]
fn more_than_thirty_two_philosophers_leave_quadratically_many_states() {
    for seats in [31, 34] {
        let states = reduced(&text!("philosophers", "N" = seats));
        assert_eq!(states, 2 * seats * seats - 2 * seats + 2);
    }
}

#[test]
fn independent_processes_are_left_a_single_run() {
    for count in [10, 300] {
        assert_eq!(reduced(&text!("independent", "N" = count)), count + 1);
    }
}

#[test]
fn many_invariants_leave_as_many_states_as_few() {
    let few = reduced(&text!("invariants", "MANY" = 10));
    assert_eq!(reduced(&text!("invariants", "MANY" = 400)), few);
}

#[test]
fn a_conjunction_of_formulas_leaves_at_most_twice_the_states_of_one() {
    let one = reduced(&text!("formulas", "N" = 1));
    for many in [4, 16] {
        let states = reduced(&text!("formulas", "N" = many));
        assert!(
            states <= 2 * one,
            "{states} of {many} formulas, {one} of one"
        );
    }
}
