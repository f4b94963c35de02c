//! Another model checker counts the same states and edges in the same models.
//!
//! What is compared is in `models.txt` beside this file; how, and how the table of `docs/peers.md`
//! is made, in `table.sh`.

use std::path::Path;
use std::process::{Command, Stdio};

/// Whether the tool can be started at all.
fn is_there(tool: &str, version: &str) -> bool {
    let mut command = Command::new(tool);
    command.arg(version).stdout(Stdio::null());
    command.stderr(Stdio::null()).status().is_ok()
}

#[test]
fn spin_counts_the_same_states_and_edges_in_the_twin_of_each_model() {
    let tools = [("bash", "--version"), ("spin", "-V"), ("gcc", "--version")];
    let missing: Vec<_> = tools
        .iter()
        .filter(|(tool, version)| !is_there(tool, version))
        .map(|(tool, _)| *tool)
        .collect();
    if !missing.is_empty() {
        eprintln!(
            "not compared with SPIN: {} missing; tests/peers/install.sh installs what is needed",
            missing.join(", ")
        );
        return;
    }
    let output = Command::new("bash")
        .args(["tests/peers/table.sh", "--check"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .env("STUBBORN", env!("CARGO_BIN_EXE_stubborn"))
        .output()
        .expect("the script starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complained}");
}
