//! Each example says at its top which verdicts it must give, and how many states it has where a
//! paper counts them. This holds them to it.

mod expectations;

#[test]
fn every_example_gives_the_verdicts_and_figures_that_its_top_says() {
    let models = expectations::models("examples");
    assert!(models.len() >= 14, "where are the examples?");
    let differences: Vec<_> = models
        .iter()
        .flat_map(|f| expectations::differences(f))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_checker_has_nothing_to_say_against_the_text_of_an_example() {
    let models = expectations::models("examples");
    let problems: Vec<_> = models
        .iter()
        .flat_map(|f| expectations::problems(f))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_example_is_laid_out_as_fmt_does() {
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(["fmt", "--check"])
        .args(expectations::models("examples"))
        .status();
    assert!(status.is_ok_and(|status| status.success()));
}
