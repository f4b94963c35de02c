//! Constants, narrowed types, and steps that are never taken.

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

/// The ranges of the first parts of channels, of shared variables and of the variables of instances.
fn ranges(text: &str) -> Vec<(i64, i64)> {
    fn range(ty: &Type) -> (i64, i64) {
        match ty {
            Type::Scalar { lo, hi } => (*lo, *hi),
            Type::Array { cell, .. } => range(cell),
            Type::Record(fields) => range(&fields[0]),
        }
    }
    let (_, slice) = simplified(text, true, false);
    let system = &slice.system;
    let channels = system.channels.iter();
    let channels = channels.map(|channel| (channel.message[0].lo, channel.message[0].hi));
    let locals = system
        .instances
        .iter()
        .flat_map(|instance| &instance.locals);
    let variables = system.variables.iter().chain(locals);
    channels
        .chain(variables.map(|variable| range(&variable.ty)))
        .collect()
}

#[test]
fn a_wide_type_is_narrowed_to_the_values_that_occur() {
    let text = "channel c[0..1]: queue[2] of 0..255
        var cells: array[0..1] of 0..255
        process source { var next: 0..7  loop { send c[0](next)  next = (next + 1) % 8 } }
        process stage { var held: 0..255  loop { receive c[0](?held)  send c[1](held) } }
        process sink {
            var last: 0..255
            loop { receive c[1](?last) do cells[0] = last  await cells[1] < 9 }
        }";
    assert_eq!(
        ranges(text),
        [(0, 7), (0, 7), (0, 7), (0, 7), (0, 7), (0, 7)]
    );
    // The guard of its own process keeps a counter small.
    let text = "process p { var x: 0..999  loop { await x < 5 do x = x + 1 } }";
    assert_eq!(ranges(text), [(0, 7)]);
}

#[test]
fn a_type_stays_where_a_value_may_be_outside_it() {
    let text = |what: &str| {
        format!("channel c: queue[2] of 0..255  var x: 0..255  process p {{ {what}  await x < 9 }}")
    };
    assert_eq!(
        ranges(&text("send c(x)  x = 7  x = x + 1")),
        [(0, 255), (0, 255)]
    );
    // A value that is asked for is one of the message's, and 300 fails.
    assert_eq!(
        ranges(&text("send c(7)  receive c(200)")),
        [(0, 255), (0, 0)]
    );
    assert_eq!(
        ranges(&text("send c(7)  receive c(x + 300)")),
        [(0, 255), (0, 0)]
    );
    assert_eq!(ranges(&text("send c(7)  receive c(9)")), [(7, 9), (0, 0)]);
    assert_eq!(ranges(&text("send c(7)  x = x / x")), [(7, 7), (0, 255)]);
}

#[test]
fn instances_of_a_process_are_narrowed_alike() {
    let text = "process p(i in 0..1) { var x: 0..255  loop { x = 3 * i + 1  x = 0  await x < 9 } }";
    assert_eq!(ranges(text), [(0, 4), (0, 4)]);
}
