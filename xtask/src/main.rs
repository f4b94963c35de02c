//! Chores of the repository, run as `cargo xtask NAME`.

mod codegen;
mod imports;
mod measure;
mod sources;

use std::env;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask codegen    the kinds of the syntax tree and its typed nodes, from the grammar; with
                       `--check`, an error if the files differ
cargo xtask measure    lines of product code, and the figures that show how many ways there are
                       to do one thing, as a table in Markdown";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["codegen"] => codegen::run(root(), false)?,
        ["codegen", "--check"] => codegen::run(root(), true)?,
        ["measure"] => measure::run(root())?,
        _ => {
            println!("{HELP}");
            let asked_for_help = matches!(arguments[..], [] | ["help" | "--help" | "-h"]);
            return Ok(ExitCode::from(if asked_for_help { 0 } else { 2 }));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is in a folder of the repository")
}
