//! Numbers from which on something is done in another way: what is said stays the same.

use std::sync::{Arc, Mutex};

use stubborn_engine::coverage::{Coverage, Extent, Values};
use stubborn_engine::{Caller, Event, Observer, Options, Reduction, Verdict, check};
use stubborn_model::Model;
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;
use stubborn_system::system::VariableRef;

pub fn model(text: &str) -> Model {
    let file = Arc::new(ParsedFile::new("model.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let analysis = stubborn_model::analyze(&program, &Settings::default());
    analysis
        .model
        .unwrap_or_else(|| panic!("{text}: {:?}", analysis.problems))
}

/// What is said of each property of a text that has a name of its own, with how many steps its trace has.
fn named(text: &str, reduction: Reduction) -> Vec<(String, Option<usize>)> {
    let model = model(text);
    let properties: Vec<Property> = model
        .properties
        .iter()
        .map(|p| p.property.clone())
        .collect();
    let options = Options {
        reduction,
        ..Options::default()
    };
    let outcomes = check(&model.system, &properties, &options, Caller::default());
    let outcomes = outcomes.expect("its states are small");
    let all = model.properties.iter().zip(outcomes);
    all.filter(|(property, _)| !["errors", "deadlock", "termination"].contains(&&*property.name))
        .map(|(property, outcome)| match outcome.verdict {
            Verdict::Holds => (property.name.clone(), None),
            Verdict::Violated { trace, .. } => (property.name.clone(), Some(trace.len())),
            Verdict::Undecided(reason) => panic!("{}: {reason:?}", property.name),
        })
        .collect()
}

#[test]
fn a_part_of_an_invariant_that_is_not_taken_apart_may_be_true_already() {
    // Whether the two are equal is gone through for as many values as make 64 ways. They are, as long as
    // the first process stands still; then the second one can still get to where the invariant is false.
    for values in [2, 31, 32, 33, 44, 45, 46, 100] {
        let last = values - 1;
        let text = format!(
            "var x: 0..{last} = 1
            var y: 0..{last} = 1
            process q {{ initial state before {{ -> behind }} final state behind }}
            process r {{ initial state before {{ -> behind }} final state behind }}
            process w {{ await q@behind; x = 0; y = 0 }}
            invariant i: not (x == y and q@before and r@behind)
            invariant j: count(k in 0..1: x == y and q@before and r@behind) < 2"
        );
        for reduction in [Reduction::Stubborn, Reduction::None] {
            let violated = [("i".to_owned(), Some(1)), ("j".to_owned(), Some(1))];
            assert_eq!(named(&text, reduction), violated, "{values} values");
        }
    }
}

#[test]
fn places_are_found_on_both_sides_of_the_sixty_fourth() {
    // A set of places is one word of bits, if they fit.
    for last in [62, 63, 64, 65, 127, 128, 129] {
        let states = (0..=last).map(|at| format!("state s{at} {{ -> s{} }}\n", at + 1));
        let states: String = states.collect();
        let text = format!(
            "process p {{ initial state begin {{ -> s0 }}
            {states} final state s{} }}
            process q {{ initial state before {{ when p@{{s{}, s{last}}} and not p@{{s0, s1}} -> behind }} final state behind }}
            invariant far: not p@{{s{}, s{last}}}
            invariant near: p@{{begin, s0, s{last}}}
            invariant waits: not q@behind",
            last + 1,
            last - 1,
            last - 1
        );
        let steps = [("far", last), ("near", 2), ("waits", last + 1)];
        let steps = steps.map(|(name, steps)| (name.to_owned(), Some(steps)));
        for reduction in [Reduction::Stubborn, Reduction::None] {
            assert_eq!(named(&text, reduction), steps, "{last} with {reduction:?}");
        }
    }
}

#[test]
fn as_many_recurrences_as_there_are_have_their_verdicts() {
    // Eight are asked about in one visit of the states.
    for count in [7, 8, 9, 16, 17] {
        let states = (0..count).map(|at| format!("state s{at} {{ -> s{} }}\n", (at + 1) % count));
        let states: String = states.collect();
        let recurrences = (0..count).map(|at| {
            // Every other one says of a place that is left for ever that it comes back.
            let implied = if at % 2 == 0 {
                "begin".to_owned()
            } else {
                format!("s{at}")
            };
            format!("recurrence r{at}: infinitely p@s0 implies infinitely p@{implied}\n")
        });
        let recurrences: String = recurrences.collect();
        let text =
            format!("process p {{ initial state begin {{ -> s0 }}\n{states} }}\n{recurrences}");
        let found = named(&text, Reduction::None);
        let holds: Vec<bool> = found.iter().map(|(_, steps)| steps.is_none()).collect();
        let expected: Vec<bool> = (0..count).map(|at| at % 2 == 1).collect();
        assert_eq!(holds, expected, "{count}: {found:?}");
    }
}

#[derive(Default)]
struct Told(Mutex<Vec<Coverage>>);

impl Observer for Told {
    fn event(&self, event: Event<'_>) {
        if let Event::Saw(_, seen) = event {
            self.0.lock().expect("nobody panics").push(seen.clone());
        }
    }
}

/// What a search of all states has seen of the first variable.
fn seen(text: &str) -> (u64, Option<Vec<Values>>) {
    let model = model(text);
    let options = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        tells_seen: true,
        ..Options::default()
    };
    let told = Told::default();
    check(
        &model.system,
        &[Property::Errors],
        &options,
        Caller::observing(&told),
    )
    .expect("its states are small");
    let seen = told.0.lock().expect("nobody panics").remove(0);
    assert_eq!(seen.extent, Extent::Whole);
    let values = seen.values(VariableRef::Shared(0));
    (seen.states, values.map(|(_, values)| values.to_vec()))
}

#[test]
fn of_sixty_four_values_each_is_told_and_of_more_the_least_and_the_greatest() {
    let of = |most: i64| {
        // All but the one before the last.
        let text = format!(
            "var x: 0..{most}
            process p {{ initial state s {{
                when x + 2 < {most} do x = x + 1 -> s
                when x + 2 == {most} do x = {most} -> s }} }}"
        );
        let (states, values) = seen(&text);
        assert_eq!(states as i64, most);
        let values = values.expect("the variable was looked at");
        (
            values[0].each().map(Iterator::collect::<Vec<i64>>),
            values[0].ends(),
        )
    };
    for most in [62, 63, 64] {
        let each: Vec<i64> = (0..=most).filter(|value| *value != most - 1).collect();
        let each = (most < 64).then_some(each);
        assert_eq!(of(most), (each, (0, most)));
    }
    // States are looked at a thousand at a time, and a few more.
    for most in [1_023, 1_024, 1_025] {
        assert_eq!(of(most), (None, (0, most)));
    }
}

#[test]
fn of_four_thousand_and_ninety_six_scalars_the_values_are_told() {
    let of = |cells: usize| {
        let text = format!("var x: array[1..{cells}] of bool\nprocess p {{ x[1] = true }}");
        seen(&text).1.map(|values| values.len())
    };
    assert_eq!(
        [4_095, 4_096, 4_097].map(of),
        [Some(4_095), Some(4_096), None]
    );
}
