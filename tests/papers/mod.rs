//! What papers report of their models, asked of the program that is released: the same figures
//! for the plain state space, no greater ones for what a reduction leaves of it.

mod error_last;
mod graf_steffen;
mod livelocks;
mod table_one;

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value as Json;

/// States and edges.
type Figures = (u64, u64);

/// What was said of one property.
#[derive(Debug)]
struct Checked {
    verdict: String,
    reduction: String,
    figures: Figures,
}

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name)
}

/// The states and edges of the state space of an example, under a reduction or `none`.
fn explored(name: &str, n: u32, reduction: &str, options: &[&str]) -> Figures {
    let options = [&["--reduction", reduction], options].concat();
    let (space, status) = found("explore", &example(name), n, &options);
    assert_eq!(status, Some(0), "{name}, N = {n}: {space}");
    assert_eq!(space["complete"], true, "{name}, N = {n}: {space}");
    figures(&space)
}

/// One property of a model, under stubborn sets.
fn checked(model: &Path, n: u32, property: &str, options: &[&str]) -> Checked {
    let options = [
        &["--property", property, "--reduction", "stubborn"],
        options,
    ]
    .concat();
    let (told, status) = found("check", model, n, &options);
    let property = &told["properties"][0];
    assert!(matches!(status, Some(0..=2)), "{}: {told}", model.display());
    let word = |name: &str| property[name].as_str().unwrap_or("").to_owned();
    Checked {
        verdict: word("verdict"),
        reduction: word("reduction"),
        figures: figures(property),
    }
}

/// What the program says of a model for N = n, and its exit status.
fn found(command: &str, model: &Path, n: u32, options: &[&str]) -> (Json, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(command.split_whitespace())
        .arg(model)
        .args(["-D", &format!("N={n}"), "--threads", "1"])
        .args(["--keep-dead-variables", "--format", "json"])
        .args(options)
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    let object = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}: {said}", model.display()));
    (object, output.status.code())
}

fn figures(told: &Json) -> Figures {
    let figure = |name: &str| told[name].as_u64().expect("a figure");
    (figure("states"), figure("edges"))
}
