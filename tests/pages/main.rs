//! What the pages of `docs` show is what the program does: each model on them is checked and laid
//! out as `fmt` does it, and each line that they say is printed is what the program prints now.
//! Other tests of the pages, of links and of the site that is built from them, are in `tests/site`.
//!
//! A page is a test of its own. With `UPDATE_PAGES=1` what the program does is put into the pages
//! instead, for somebody to read.

mod fields;
mod page;
mod session;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let pages = pages();
    let mut trials: Vec<_> = pages.iter().map(|file| trial(file)).collect();
    let count = pages.len();
    trials.push(Trial::test("there_are_pages", move || match count {
        10.. => Ok(()),
        _ => Err(format!("there are {count}").into()),
    }));
    trials.push(Trial::test(
        "json.md::names_every_field",
        || match fields::unnamed()?.as_slice() {
            [] => Ok(()),
            unnamed => Err(unnamed.join(", ").into()),
        },
    ));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn trial(file: &Path) -> Trial {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let file = file.to_owned();
    Trial::test(format!("{name}::shows_what_the_program_does"), move || {
        held(&file)
    })
}

fn held(file: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(file)?;
    let pieces = page::pieces(&text)?;
    let session::Outcome { wrong, prints } = session::outcome(&pieces)?;
    if std::env::var_os("UPDATE_PAGES").is_some() {
        std::fs::write(file, session::updated(&text, &prints))?;
    } else {
        let differs = prints.iter().filter_map(session::Print::difference);
        let wrong: Vec<_> = wrong.into_iter().chain(differs).collect();
        if !wrong.is_empty() {
            return Err(wrong.join("\n").into());
        }
    }
    Ok(())
}

/// All pages of `docs`.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let entries = std::fs::read_dir(root.join("docs")).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "md"));
    files.sort();
    files
}
