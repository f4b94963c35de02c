//! What merging runs of steps makes of a model, written as a model with the merged steps; and what is not
//! merged.

use stubborn_system::property::Property;
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::{Location, LocationId, System, Target};

use super::slices::{model, named};

/// The slice of the model for the property, with merged steps.
fn merged(text: &str, property: &str) -> Slice {
    merged_for(text, &[property])
}

fn merged_for(text: &str, asked: &[&str]) -> Slice {
    let (system, properties) = model(text);
    let asked = asked.iter().map(|name| named(&properties, name));
    let asked: Vec<&Property> = asked.collect();
    let slice = Slice::new(&system, &Dependencies::new(&system).cone(asked.clone()));
    let asked: Vec<Property> = asked.into_iter().map(|one| slice.property(one)).collect();
    slice.merged(&asked, &mut || true)
}

fn all(process: &str) -> String {
    format!("var x: 0..3\naction go(0..3)\n{process}\ninvariant small: x <= 3\n")
}

/// Holds what becomes of a process to a process that is written so. A state that is passed stays, without
/// steps.
fn becomes(process: &str, merging: &str) {
    let (expected, properties) = model(&all(merging));
    let small = named(&properties, "small");
    let expected = Slice::new(&expected, &Dependencies::new(&expected).cone([small]));
    let found = merged(&all(process), "small");
    assert!(!found.merged.is_empty());
    assert_eq!(without_passed(found.system), expected.system);
}

/// The System without the locations that are passed, which have no steps any more.
fn without_passed(mut system: System) -> System {
    for instance in &mut system.instances {
        let is_passed = |at: &Location| at.steps.is_empty() && !at.is_final;
        let mut stay = 0;
        let numbers = instance.locations.iter().map(|at| {
            stay += u32::from(!is_passed(at));
            stay.saturating_sub(1)
        });
        let numbers: Vec<LocationId> = numbers.collect();
        instance.locations.retain(|at| !is_passed(at));
        for step in &mut instance.steps {
            let Target::To(target) = &mut step.target else {
                panic!("the texts have no tests");
            };
            *target = numbers[*target as usize];
        }
    }
    system
}

/// Nothing of the process can be merged.
fn stays(process: &str) {
    let found = merged(&all(process), "small");
    assert!(found.merged.is_empty(), "{:?}", found.system);
}

#[test]
fn a_step_that_changes_its_own_variables_alone_is_taken_with_the_one_before() {
    let process = "process p { var k: 0..3
        initial state a { do x = 1 -> b }
        state b { do k = 2 -> c }
        state c { do x = k -> a } }";
    becomes(
        process,
        "process p { var k: 0..3
            initial state a { do { x = 1  k = 2 } -> c }
            state b
            state c { do x = k -> a } }",
    );
    let slice = merged(&all(process), "small");
    assert_eq!(slice.merged.parts(0, 0).first(), 0);
    assert_eq!(slice.merged.parts(0, 0).rest(), [1]);
    assert_eq!(slice.merged.parts(0, 1).first(), 2);
    assert!(slice.merged.parts(0, 1).rest().is_empty());
    assert!(slice.merged.loses(0, 0));
    assert_eq!(slice.merged.passed_by(0, 1).collect::<Vec<_>>(), [(0, 2)]);
    assert_eq!(slice.merged.passed_by(0, 2).count(), 0);
}

#[test]
fn a_choice_by_own_variables_is_made_by_the_guard_of_the_step_before() {
    becomes(
        "process p { var k: 0..3
            initial state a { on go(?k) -> b }
            state b { when k > 1 do x = 1 -> a  when k <= 1 -> c }
            state c { when k == 1 -> a  when k != 1 -> d }
            state d { do x = 3 -> a } }
         process q { initial state s { on go(0) -> s  on go(1) -> s } }",
        // Steps to b are as they were, since one of b's changes x.
        "process p { var k: 0..3
            initial state a { on go(?k) -> b }
            state b { when k > 1 do x = 1 -> a  when k <= 1 and k == 1 -> a  when k <= 1 and k != 1 -> d }
            state c
            state d { do x = 3 -> a } }
         process q { initial state s { on go(0) -> s  on go(1) -> s } }",
    );
}

#[test]
fn what_a_step_assigns_stands_in_the_choice_behind_it() {
    becomes(
        "process p { var k: 0..3
            initial state a { when x == 0 do k = x -> b }
            state b { when k > 1 -> c  when k <= 1 -> d }
            state c { do x = 1 -> a }
            state d { do x = k -> a } }",
        "process p { var k: 0..3
            initial state a { when x == 0 and x > 1 do k = x -> c  when x == 0 and x <= 1 do k = x -> d }
            state b
            state c { do x = 1 -> a }
            state d { do x = k -> a } }",
    );
}

#[test]
fn a_choice_that_is_known_is_made_already() {
    becomes(
        "process p { var k: 0..3
            initial state a { do { x = 1  k = 0 } -> b }
            state b { when k > 1 -> a  when k <= 1 do k = k + 2 -> c }
            state c { do x = k -> b } }",
        // Where c is, k is 2 or 3, and more it never is.
        "process p { var k: 0..3
            initial state a { do { x = 1  k = 0  k = k + 2 } -> c }
            state b
            state c { do x = k -> a } }",
    );
}

#[test]
fn of_a_cycle_that_nobody_sees_a_step_stays() {
    let slice = merged(
        &all("process p { var k: 0..3
            initial state a { do x = 1 -> b }
            state b { do k = 1 -> c }
            state c { do k = 2 -> b } }"),
        "small",
    );
    let steps: usize = slice.system.instances[0]
        .locations
        .iter()
        .map(|location| location.steps.len())
        .sum();
    assert_eq!(steps, 2, "that to the cycle, and one round it");
}

#[test]
fn what_may_fail_is_not_merged() {
    // With k at 3 it would be outside its type.
    stays(
        "process p { var k: 0..3
            initial state a { do k = x -> b }
            state b { do k = k + 1 -> c }
            state c { do x = k -> a } }",
    );
    stays(
        "process p { var k: 0..3
            initial state a { do k = x -> b }
            state b { do assert k < 3 -> c }
            state c { do x = k -> a } }",
    );
}

#[test]
fn where_no_step_or_several_can_be_taken_nothing_is_merged() {
    stays(
        "process p { var k: 0..3
            initial state a { do k = x -> b }
            state b { when k > 1 -> c  when k < 1 -> c }
            state c { do x = 1 -> a } }",
    );
    stays(
        "process p { var k: 0..3
            initial state a { do k = x -> b }
            state b { when k > 1 -> c  when k < 3 -> c }
            state c { do x = 1 -> a } }",
    );
}

#[test]
fn what_others_read_or_ask_for_is_not_merged() {
    let p = "process p { var k: 0..3
        initial state a { do x = 1 -> b }
        state b { do k = 1 -> c }
        state c { do x = 2 -> a } }";
    stays(&format!(
        "{p}\nprocess q {{ loop {{ await p.k == 1  x = 3 }} }}"
    ));
    stays(&format!("{p}\nprocess q {{ loop {{ await p@b  x = 3 }} }}"));
    // Where it is all the same it does not matter that somebody asks.
    let both = format!("{p}\nprocess q {{ loop {{ await p@{{b, c}}  x = 3 }} }}");
    assert!(!merged(&all(&both), "small").merged.is_empty());
    let properties = |named: &str| {
        let text = format!(
            "{}\ninvariant values: p.k <= 2\ninvariant places: p@a or p@b or p@c\n\
             recurrence steps: infinitely p@b implies infinitely p@b\n",
            all(p)
        );
        merged_for(&text, &["small", named]).merged.is_empty()
    };
    assert!(!properties("small"));
    for named in ["values", "places", "steps"] {
        assert!(properties(named), "{named}");
    }
}

#[test]
fn what_depends_on_a_choice_or_a_message_is_left_to_the_steps_behind() {
    stays(
        "process p { var k: 0..3
            initial state a { do k = any 0..3 -> b }
            state b { when k > 1 -> c  when k <= 1 -> d }
            state c { do x = 1 -> a }
            state d { do x = 2 -> a } }",
    );
}
