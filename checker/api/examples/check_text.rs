//! Checks the properties of a model in a file, and of the files that it uses.
//!
//! ```text
//! cargo run -p stubborn-checker --example check_text examples/peterson.stb N=4
//! ```

use std::error::Error;
use std::process::ExitCode;

use stubborn_checker::{Model, Options};

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a file")?;
    let mut model = Model::open(&path, |path| std::fs::read_to_string(path).ok())?;
    for argument in arguments {
        let (name, value) = argument.split_once('=').ok_or("write NAME=VALUE")?;
        model = model.with_param(name, value.parse()?)?;
    }
    let report = model.check(&Options::default())?;
    print!("{report}");
    Ok(match report.is_as_expected() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}
