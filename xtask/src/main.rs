//! Chores of the repository, run as `cargo xtask NAME`.

mod codegen;
mod imports;
mod measure;
mod mutants;
mod nightly;
mod sources;

use std::env;
use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask codegen    the kinds of the syntax tree and its typed nodes, from the grammar; with
                       `--check`, an error if the files differ
cargo xtask measure    lines of product code, and the figures that show how many ways there are
                       to do one thing, as a table in Markdown
cargo xtask measure --cycles
                       lists the cycles of files, with the imports that make them
cargo xtask mutants [NAME...]
                       applies the patches of tests/mutants, one at a time, and checks that the
                       test that each names fails
cargo xtask mutants --check
                       checks only that they apply and that the tests exist
cargo xtask nightly [SEED]
                       all mutants, large random sweeps from this row of seeds (1), and the site
                       of the documentation; takes hours";

fn main() -> anyhow::Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_right = match &arguments[..] {
        ["codegen"] => {
            codegen::run(root(), false)?;
            true
        }
        ["codegen", "--check"] => {
            codegen::run(root(), true)?;
            true
        }
        ["measure"] => {
            measure::run(root())?;
            true
        }
        ["measure", "--cycles"] => {
            measure::list_cycles(root())?;
            true
        }
        ["mutants", "--check"] => mutants::check(root())?,
        ["mutants", names @ ..] => mutants::run(root(), names)?,
        ["nightly"] => nightly::run(root(), "1")?,
        ["nightly", seed] => nightly::run(root(), seed)?,
        _ => {
            println!("{HELP}");
            let asked_for_help = matches!(&arguments[..], [] | ["help" | "--help" | "-h"]);
            return Ok(ExitCode::from(if asked_for_help { 0 } else { 2 }));
        }
    };
    Ok(ExitCode::from(u8::from(!is_right)))
}

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is in a folder of the repository")
}
