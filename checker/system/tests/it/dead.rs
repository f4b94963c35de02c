//! What forgetting the values that nobody reads again makes of a model, written as a model in which each
//! step says it.

use stubborn_system::property::Property;
use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::{Effect, Target};

use super::slices::{model, named};

/// The slice of the model for the property, and the property about it.
fn sliced(text: &str, property: &str) -> (Slice, Property) {
    let (system, properties) = model(text);
    let asked = named(&properties, property);
    let slice = Slice::new(&system, &Dependencies::new(&system).cone([asked]));
    let asked = slice.property(asked);
    (slice, asked)
}

/// The same, without what is dead.
fn without_dead(text: &str, property: &str) -> Slice {
    let (slice, asked) = sliced(text, property);
    slice.without_dead(&[asked])
}

/// Holds what becomes of a process to a process that says so itself.
fn becomes(process: &str, forgetting: &str) {
    let all = |process: &str| {
        format!("var x: 0..3\naction go(0..3)\n{process}\ninvariant small: x <= 3\n")
    };
    let (expected, _) = sliced(&all(forgetting), "small");
    assert_eq!(without_dead(&all(process), "small").system, expected.system);
}

#[test]
fn a_value_is_forgotten_by_the_step_behind_which_nobody_reads_it() {
    becomes(
        "process p { var k: 0..3
            initial state a { do k = 2 -> b }
            state b { do x = k -> c }
            state c { do x = 1 -> a } }",
        "process p { var k: 0..3
            initial state a { do k = 2 -> b }
            state b { do { x = k  k = 0 } -> c }
            state c { do x = 1 -> a } }",
    );
}

#[test]
fn a_value_that_nobody_reads_is_not_kept_for_a_moment() {
    let text = "var x: 0..3
        process p { var k: 0..3
            initial state a { do { k = x  x = k } -> b }
            state b { when x == 3 do { k = 3  x = 0 } -> a } }";
    let slice = without_dead(text, "errors");
    assert!(slice.dead.loses(0, 0));
    assert_eq!(slice.dead.at(0, 1), [0]);
}

#[test]
fn what_another_process_or_the_property_reads_stays() {
    let process = "var x: 0..3
        process p { var k: 0..3
            initial state a { do k = 2 -> b }
            state b { do x = k -> c }
            state c { do x = 1 -> a } }";
    let property = format!("{process}\ninvariant small: p.k <= 2\ninvariant other: x <= 2\n");
    assert!(without_dead(&property, "small").dead.is_empty());
    assert!(!without_dead(&property, "other").dead.is_empty());
    let other = format!("{process}\nprocess q {{ loop {{ await p.k == 2  x = 3 }} }}\n");
    assert!(without_dead(&other, "errors").dead.is_empty());
}

#[test]
fn a_test_forgets_what_is_not_read_on_the_way_that_it_takes() {
    let text = "var x: 0..3
        process p { var k: 0..3  while k < 3 { k = k + 1 }  x = 1  x = 2 }
        invariant small: x <= 2";
    let slice = without_dead(text, "small");
    let [Effect::If(condition, then, otherwise)] = &slice.system.instances[0].steps[0].effects[..]
    else {
        panic!("{:?}", slice.system.instances[0].steps[0]);
    };
    let Target::Test(tested, _, _) = &slice.system.instances[0].steps[0].target else {
        panic!("a loop begins with its test");
    };
    assert_eq!(condition, tested);
    assert!(then.is_empty() && otherwise.len() == 1);
    // So no step behind it has to.
    assert!(slice.system.instances[0].steps[2].effects.len() == 1);
}

#[test]
fn a_part_that_is_assigned_leaves_the_rest_as_it_was() {
    becomes(
        "process p { var k: array[0..1] of 0..3
            initial state a { do k = [1, 2] -> b }
            state b { do k[0] = 3 -> c }
            state c { do x = k[1] -> d }
            state d { do x = 0 -> a } }",
        "process p { var k: array[0..1] of 0..3
            initial state a { do k = [1, 2] -> b }
            state b { do k[0] = 3 -> c }
            state c { do { x = k[1]  k = [0, 0] } -> d }
            state d { do x = 0 -> a } }",
    );
}

#[test]
fn what_is_received_takes_the_place_of_what_was_before() {
    becomes(
        "process p { var k: 0..3
            initial state a { on go(?k) -> b }
            state b { do x = k -> a } }
         process q { var m: 0..3
            initial state c { do m = 1 -> d }
            state d { on go(m) -> c } }",
        "process p { var k: 0..3
            initial state a { on go(?k) -> b }
            state b { do { x = k  k = 0 } -> a } }
         process q { var m: 0..3
            initial state c { do m = 1 -> d }
            state d { on go(m) do m = 0 -> c } }",
    );
}

#[test]
fn what_only_one_branch_assigns_is_read_before_where_the_other_does_not() {
    let text = |branch: &str| {
        format!(
            "var x: 0..3
             process p {{ var k: 0..3
                initial state a {{ do k = 2 -> b }}
                state b {{ do {{ if x == 1 {{ k = 1 }} {branch} x = k }} -> a }} }}
             invariant small: x <= 2"
        )
    };
    let one = without_dead(&text(""), "small");
    assert_eq!((one.dead.at(0, 0), one.dead.at(0, 1)), (&[0][..], &[][..]));
    let both = without_dead(&text("else { k = 3 }"), "small");
    assert_eq!(
        (both.dead.at(0, 0), both.dead.at(0, 1)),
        (&[0][..], &[0][..])
    );
}

#[test]
fn many_steps_between_two_places_are_gone_over_once() {
    let text = "var x: 0..3
        process p { var k: 0..3
            initial state a { for v in 0..20000 do k = v % 3 -> b }
            state b { when k == 0 do x = 1 -> c  when k == 1 -> a }
            state c { do x = 0 -> a } }
        invariant small: x <= 2";
    let slice = without_dead(text, "small");
    assert_eq!(
        (slice.dead.at(0, 0), slice.dead.at(0, 1)),
        (&[0][..], &[][..])
    );
}
