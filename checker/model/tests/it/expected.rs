//! Which properties are there to fail, where that depends on a parameter.

use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;

use crate::support::program_of;

const DESIGN: &str = "param FORGETFUL: 0..1 = 0
var votes: 0..2
process server { votes = 1 + FORGETFUL }
invariant once: votes < 2
invariant each(k in 1..2): votes <= k
invariant never: votes == 0
expect violated: never
expect violated: once, each(1), never when FORGETFUL == 1
";

/// The properties that are there to fail with this value of the parameter.
fn expected_with(text: &str, forgetful: &str) -> Vec<String> {
    let settings = Settings {
        parameters: vec![("FORGETFUL".into(), forgetful.into())],
    };
    let analysis = analyze(&program_of("model.stb", text, &[]), &settings);
    assert_eq!(analysis.problems, []);
    let properties = analysis.model.expect("a sound model").properties;
    let expected = properties.into_iter().filter(|one| one.expected_violated);
    expected.map(|one| one.name).collect()
}

#[test]
fn a_design_with_the_bug_is_expected_to_fail_and_the_mended_one_is_not() {
    assert_eq!(expected_with(DESIGN, "1"), ["once", "each(1)", "never"]);
    // As if it were not there: another one still counts.
    assert_eq!(expected_with(DESIGN, "0"), ["never"]);
}

#[test]
fn the_condition_is_made_of_definitions_too() {
    let text =
        DESIGN.replace("when FORGETFUL == 1", "when forgets") + "def forgets: FORGETFUL > 0\n";
    assert_eq!(expected_with(&text, "1").len(), 3);
    assert_eq!(expected_with(&text, "0").len(), 1);
}

#[test]
fn a_name_that_no_property_has_is_told_whatever_the_condition_says() {
    let text = DESIGN.replace("never when", "nobody when");
    let analysis = analyze(&program_of("model.stb", &text, &[]), &Settings::default());
    let told: Vec<&str> = analysis
        .problems
        .iter()
        .map(|one| one.code.as_str())
        .collect();
    assert_eq!(told, ["unknown-name"]);
}

#[test]
fn of_the_refinements_of_a_specification_some_may_be_expected() {
    let text = "param FORGETFUL: 0..1 = 0
type Id = 0..FORGETFUL
action go(Id)
process p(i in Id) { loop { on go(i) } }
specification only(k in Id) { initial state s { on go(k) -> s } }
refines only in traces
refines only in failures
termination not required
";
    let one = format!("{text}expect violated: only(1)\n");
    assert_eq!(
        expected_with(&one, "1"),
        ["refines only(1) in traces", "refines only(1) in failures"]
    );
    let all = format!("{text}expect violated: only\n");
    assert_eq!(expected_with(&all, "1").len(), 4);
}
