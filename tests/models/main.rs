//! Models that say at their top what must be found in them, each a test of its own: in
//! `tests/semantics` the finer points of the language, one small model for each, with states, edges
//! and verdicts worked out by hand from its definition; in `examples` the models that teach.
//!
//! The tests are found where they run, so that a new file needs nothing else.

mod expectations;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let (semantics, examples) = (models("tests/semantics"), models("examples"));
    let mut trials = vec![
        enough("semantics", semantics.len(), 40),
        enough("examples", examples.len(), 14),
    ];
    for file in semantics {
        trials.push(trial(
            "semantics",
            "has_what_was_worked_out",
            &file,
            expectations::differences,
        ));
    }
    for file in examples {
        trials.push(trial(
            "examples",
            "gives_what_its_top_says",
            &file,
            expectations::differences,
        ));
        trials.push(trial(
            "examples",
            "has_no_problems",
            &file,
            expectations::problems,
        ));
        trials.push(trial("examples", "is_laid_out_as_fmt_does", &file, layout));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// A test of a file, by what is wrong with it.
fn trial(folder: &str, what: &str, file: &Path, wrong: fn(&Path) -> Vec<String>) -> Trial {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = format!("{folder}::{name}::{what}");
    let file = file.to_owned();
    Trial::test(name, move || told(&wrong(&file)))
}

/// A folder that has lost its models would test nothing.
fn enough(folder: &str, count: usize, least: usize) -> Trial {
    let name = format!("{folder}::there_are_{least}_models_at_least");
    Trial::test(name, move || match count >= least {
        true => Ok(()),
        false => Err(format!("there are {count}").into()),
    })
}

fn told(wrong: &[String]) -> Result<(), Failed> {
    match wrong {
        [] => Ok(()),
        _ => Err(wrong.join("\n").into()),
    }
}

fn layout(file: &Path) -> Vec<String> {
    let mut fmt = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    let output = fmt.args(["fmt", "--check"]).arg(file).output();
    let output = output.expect("the program starts");
    match output.status.success() {
        true => vec![],
        false => vec![String::from_utf8_lossy(&output.stderr).into_owned()],
    }
}

/// The models in a folder of the repository, and the testers.
fn models(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let entries = std::fs::read_dir(&folder).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "stb" || e == "tester"));
    files.sort();
    files
}
