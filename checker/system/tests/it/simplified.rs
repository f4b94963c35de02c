//! Constants, and steps that are never taken.

use stubborn_system::slice::{Dependencies, Slice};
use stubborn_system::system::{LocationId, StepId, Type};

use super::slices::{model, named};

/// The slice of the model for its errors, before and after.
fn simplified(text: &str, constants: bool, unreached: bool) -> (Slice, Slice) {
    let (system, properties) = model(text);
    let errors = named(&properties, "errors");
    let slice = Slice::new(&system, &Dependencies::new(&system).cone([errors]));
    (
        slice.clone(),
        slice.simplified(constants, unreached, &mut || true),
    )
}

/// The shared variables, by whether they have one value.
fn constants(text: &str) -> Vec<Option<i64>> {
    let (_, slice) = simplified(text, true, false);
    let one = |ty: &Type| match ty {
        Type::Scalar { lo, hi } if lo == hi => Some(*lo),
        _ => None,
    };
    let variables = slice.system.variables.iter();
    variables.map(|variable| one(&variable.ty)).collect()
}

#[test]
fn a_variable_that_is_given_the_value_that_it_has_alone_is_constant() {
    let text = "var x: 0..3  var y: 0..3 = 2  var z: 0..3 = 2
        process p { loop { await y == 2  x = x + 1  y = z } }
        process q { loop { await x == 1  x = 0  z = y - z + 2 } }";
    assert_eq!(constants(text), [None, Some(2), Some(2)]);
    let (before, after) = simplified(text, true, false);
    let effects = |slice: &Slice| -> usize {
        let instances = slice.system.instances.iter();
        let steps = instances.flat_map(|instance| &instance.steps);
        steps.map(|step| step.effects.len()).sum()
    };
    assert_eq!((effects(&before), effects(&after)), (4, 2));
    let (before, kept) = simplified(text, false, false);
    assert_eq!((before.system, kept.is_simpler), (kept.system, false));
}

#[test]
fn what_somebody_may_change_or_receive_is_no_constant() {
    let text = |what: &str| {
        format!(
            "var x: 0..3  var y: 0..3  channel c: queue[1] of 0..3  process p {{ {what} }} process q {{ loop {{ await x == y  x = y }} }}"
        )
    };
    assert_eq!(constants(&text("loop { x = x }")), [Some(0), Some(0)]);
    assert_eq!(constants(&text("loop { x = y + 1 }")), [None, Some(0)]);
    assert_eq!(
        constants(&text("send c(1)  receive c(?x)")),
        [None, Some(0)]
    );
    // One takes the other with it.
    assert_eq!(constants(&text("loop { y = 1 }")), [None, None]);
    // Only where nothing can fail on the way.
    assert_eq!(constants(&text("loop { x = y / y }")), [None, Some(0)]);
}

#[test]
fn what_only_a_step_that_is_never_taken_changes_is_constant() {
    let text = "var x: 0..3  var y: 0..3
        process p { loop { await y == 1  x = 1 } }
        process q { loop { await x == 0  y = 0 } }";
    // That x stays, intervals do not see: what stands behind is at places of p.
    assert_eq!(constants(text), [None, Some(0)]);
    let (_, both) = simplified(text, true, true);
    let x = &both.system.variables[0];
    assert_eq!(x.ty, Type::Scalar { lo: 0, hi: 0 });
}

/// The steps that the locations of the first process list.
fn listed(slice: &Slice) -> Vec<(LocationId, Vec<StepId>)> {
    let locations = slice.system.instances[0].locations.iter();
    let all = (0..).zip(locations.map(|location| location.steps.clone()));
    all.collect()
}

#[test]
fn steps_at_places_where_nobody_comes_and_with_guards_that_are_false_there_go() {
    let text = "var x: 0..3  action go
        process p { var k: 0..3
            initial state a { do k = 1 -> b }
            state b { when k == 2 -> c  when k == 1 do k = k + 1 -> d  on go when k > 1 -> c }
            state c { do x = 1 -> a }
            state d { when k > 2 -> c  when x == k -> b } }";
    let (before, after) = simplified(text, false, true);
    assert!(after.is_simpler);
    let (before, after) = (listed(&before), listed(&after));
    // In d k is 2 and so it is again in b.
    assert_eq!(before[1], after[1]);
    assert_eq!((before[3].1.len(), after[3].1.len()), (2, 1));
    let text = text.replace("when x == k -> b", "when x == k -> a");
    let (before, after) = simplified(&text, false, true);
    let (before, after) = (listed(&before), listed(&after));
    // An `on` stays, whatever its guard is; and so it is thought to lead to c, though not by this guard.
    assert_eq!(after[1].1, before[1].1[1..]);
    assert_eq!(after[2].1, []);
}
