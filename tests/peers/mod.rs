//! Other model checkers count the same states and edges in the same models.
//!
//! What is compared with SPIN is in `models.txt` beside this file; how, and how the table of `docs/peers.md`
//! is made, in `table.sh`. What is compared with Rumur is in `symmetry.sh`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the tool can be started at all.
fn is_there(tool: &str, version: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg(version).stdout(Stdio::null());
    command.stderr(Stdio::null()).status().is_ok()
}

/// Runs the script that compares the program with another, unless one of the tools is missing that it needs.
fn compare(script: &str, tools: &[(&str, &str)]) {
    let tools = tools
        .iter()
        .chain(&[("bash", "--version"), ("gcc", "--version")]);
    let missing = tools.filter(|(tool, version)| !is_there(tool, version));
    let missing: Vec<&str> = missing.map(|(tool, _)| *tool).collect();
    if !missing.is_empty() {
        eprintln!(
            "{script} is not run: {} missing; tests/peers/install.sh installs what is needed",
            missing.join(", ")
        );
        return;
    }
    let output = Command::new("bash")
        .args([script, "--check"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .env("STUBBORN", env!("CARGO_BIN_EXE_stubborn"))
        .output()
        .expect("the script starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complained}");
}

#[test]
fn spin_counts_the_same_states_and_edges_in_the_twin_of_each_model() {
    compare("tests/peers/table.sh", &[("spin", "-V")]);
}

#[test]
fn rumur_is_left_as_many_states_by_the_scalarsets_of_twins_or_more() {
    compare("tests/peers/symmetry.sh", &[("rumur", "--version")]);
}
