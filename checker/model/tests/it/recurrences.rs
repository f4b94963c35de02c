//! What the sets of steps of a `recurrence` stand for.

use crate::support::*;
use expect_test::{Expect, expect};
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_system::dump;

/// The properties that a text makes, one a line.
fn check(text: &str, expected: Expect) {
    let program = program_of("model.stb", text, &[]);
    let analysis = analyze(&program, &Settings::default());
    let mut lines = rendered(&program, &analysis.problems);
    let model = analysis.model.expect("the text is right");
    for named in &model.properties {
        let property = dump::property(&model.system, &model.source_map, &named.property);
        lines += &format!("{}: {property}\n", named.name);
    }
    expected.assert_eq(&lines);
}

#[test]
fn actions_stand_for_their_values_and_places_for_their_instances() {
    check(
        "action go(0..1, bool)
action rest
enum Side { left, right }
process p(i in 0..1, s in Side) {
    initial final state a { for b in bool on go(i, b) -> b }
    state b { on rest -> a }
}
process q { loop { either { here: there: skip } or { either { there2: skip } or { elsewhere: skip } } last: skip } }
deadlock ignored
termination not required
recurrence of_actions(k in 0..1): infinitely go(k, *) implies infinitely {rest, go(*, false), rest}
recurrence of_places: infinitely {p(1, *)@a, p(*, right)@b} implies infinitely p(0, left)@{a, b}
recurrence of_labels: infinitely q@{here, there, last} implies infinitely {q@elsewhere, rest}
recurrence of_nothing: infinitely {} implies infinitely {}
",
        expect![[r#"
            errors: errors
            of_actions(0): infinitely {go(0,*)} implies infinitely {rest(), go(*,false)}
            of_actions(1): infinitely {go(1,*)} implies infinitely {rest(), go(*,false)}
            of_places: infinitely {p(1,left)@{a}, p(1,right)@{a}, p(0,right)@{b}, p(1,right)@{b}} implies infinitely {p(0,left)@{a, b}}
            of_labels: infinitely {q@{line 8, last}} implies infinitely {q@{line 8}, rest()}
            of_nothing: infinitely {} implies infinitely {}
        "#]],
    );
}
