//! Checks that take too long for every change: all mutants, large random sweeps and the
//! documentation's site. Each stage runs to its end, so that one night shows all that fails.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::mutants;

/// A command of cargo.
struct Stage {
    name: &'static str,
    arguments: &'static [&'static str],
    variables: &'static [(&'static str, &'static str)],
}

/// Random sweeps run optimised: they search many thousands of systems.
const STAGES: [Stage; 6] = [
    Stage {
        name: "site of the documentation and its links",
        arguments: &["test", "--package", "stubborn-site"],
        variables: &[],
    },
    Stage {
        name: "lints of the tools",
        arguments: &[
            "clippy",
            "--package",
            "stubborn-site",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
        variables: &[],
    },
    Stage {
        name: "reductions, monitors and fairness on random systems",
        arguments: &["test", "--release", "--package", "stubborn-random"],
        variables: &[("STUBBORN_RANDOM_SYSTEMS", "20000")],
    },
    Stage {
        name: "symmetry on random systems",
        arguments: &[
            "test",
            "--release",
            "--package",
            "stubborn-engine",
            "--test",
            "it",
            "symmetry",
        ],
        variables: &[("STUBBORN_RANDOM_SYSTEMS", "3000")],
    },
    Stage {
        name: "random texts against the definition of the language",
        arguments: &[
            "test",
            "--release",
            "--package",
            "stubborn",
            "--test",
            "whole_program",
            "random_systems",
        ],
        variables: &[("STUBBORN_RANDOM_SYSTEMS", "20000")],
    },
    Stage {
        name: "deleted words of the examples",
        arguments: &[
            "test",
            "--release",
            "--package",
            "stubborn-model",
            "--test",
            "it",
            "deletions",
        ],
        variables: &[("STUBBORN_DELETIONS", "1")],
    },
];

/// Runs all stages, each from the row of seeds `seed`, and prints a table in Markdown. Returns whether
/// all have passed.
///
/// # Errors
/// If cargo does not start.
pub fn run(root: &Path, seed: &str) -> anyhow::Result<bool> {
    let mut results = Vec::new();
    for stage in &STAGES {
        let begun = Instant::now();
        let status = Command::new(env!("CARGO"))
            .args(stage.arguments)
            .envs(stage.variables.iter().copied())
            .env("STUBBORN_SEED", seed)
            .current_dir(root)
            .status()?;
        results.push((stage.name, status.success(), begun.elapsed()));
    }
    let begun = Instant::now();
    let are_caught = mutants::run(root, &[])?;
    results.push(("mutants", are_caught, begun.elapsed()));
    println!("| stage, seeds {seed} | result | seconds |");
    println!("|---|---|--:|");
    for (name, is_passed, time) in &results {
        let result = if *is_passed { "passed" } else { "failed" };
        println!("| {name} | {result} | {} |", time.as_secs());
    }
    Ok(results.iter().all(|(_, is_passed, _)| *is_passed))
}
