//! What papers report of their models, asked of the program that is released: the same figures
//! for the plain state space, no greater ones for what a reduction leaves of it.

mod graf_steffen;

use std::path::Path;
use std::process::Command;

use serde_json::Value as Json;

/// States and edges.
type Figures = (u64, u64);

/// What the program says of a model in `examples/` with a parameter set, and its exit status.
fn found(command: &str, model: &Path, definition: &str, options: &[&str]) -> (Json, Option<i32>) {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let output = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .arg(command)
        .arg(examples.join(model))
        .args(["-D", definition, "--format", "json", "--threads", "1"])
        .args(["--keep-dead-variables"])
        .args(options)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let object = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {said}", model.display()));
    (object, output.status.code())
}

/// The states and edges of the state space, under a reduction or `none`.
fn explored(model: &str, n: u32, reduction: &str) -> Figures {
    let options = ["--reduction", reduction];
    let (space, status) = found("explore", model.as_ref(), &format!("N={n}"), &options);
    assert_eq!(status, Some(0), "{model}, N = {n}: {space}");
    assert_eq!(space["complete"], true, "{model}, N = {n}: {space}");
    figures(&space)
}

fn figures(told: &Json) -> Figures {
    let figure = |name: &str| told[name].as_u64().expect("a figure");
    (figure("states"), figure("edges"))
}
