//! The finer points of the language, one small model for each, with states, edges and verdicts
//! worked out by hand from its definition.

mod expectations;

#[test]
fn every_model_has_the_states_edges_and_verdicts_that_were_worked_out_by_hand() {
    let models = expectations::models("tests/semantics");
    assert!(models.len() >= 40, "where are the models?");
    let differences: Vec<_> = models
        .iter()
        .flat_map(|f| expectations::differences(f))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
