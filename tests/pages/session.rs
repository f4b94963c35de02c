//! The pieces of a page, put to the program one after the other, in a folder of their own.

use std::ops::Range;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value as Json;

use crate::page::{Expected, Piece};

/// What has come of a page.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What its models are not, or its parts.
    pub wrong: Vec<String>,
    /// What its commands print, and how its models are laid out.
    pub prints: Vec<Print>,
}

/// What a command prints, or a model becomes that is formatted, beside what a page has.
#[derive(Debug)]
pub struct Print {
    words: Vec<String>,
    said: String,
    found: String,
    place: Range<usize>,
}

/// Puts a page's pieces to the program. Fails where a file cannot be written, or no program started.
pub fn outcome(pieces: &[Piece]) -> std::io::Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    std::fs::create_dir(folder.path().join("examples"))?;
    for example in std::fs::read_dir(examples)? {
        let example = example?;
        let copy = folder.path().join("examples").join(example.file_name());
        std::fs::copy(example.path(), copy)?;
    }
    let mut outcome = Outcome::default();
    for piece in pieces {
        match piece {
            Piece::Model {
                name,
                text,
                expected,
                place,
            } => {
                let file = folder.path().join(name);
                std::fs::write(&file, text)?;
                checked(folder.path(), name, expected, &mut outcome.wrong)?;
                run(folder.path(), &["fmt", name])?;
                outcome.prints.push(Print {
                    words: vec!["fmt".to_owned(), name.clone()],
                    said: text.clone(),
                    found: std::fs::read_to_string(&file)?,
                    place: place.clone(),
                });
                std::fs::write(&file, text)?;
            }
            Piece::Part { of, text } => {
                let whole = std::fs::read_to_string(folder.path().join(of)).unwrap_or_default();
                if !has_lines(&whole, text) {
                    outcome
                        .wrong
                        .push(format!("{of} has no such lines:\n{text}"));
                }
            }
            Piece::Command {
                words,
                into,
                printed,
                place,
            } => {
                let mut output = run(folder.path(), words)?;
                if let Some(file) = into {
                    std::fs::write(folder.path().join(file), &output.stdout)?;
                    output.stdout.clear();
                }
                outcome.prints.push(Print {
                    words: words.clone(),
                    said: printed.clone(),
                    found: printed_by(&output),
                    place: place.clone(),
                });
            }
        }
    }
    Ok(outcome)
}

fn run(folder: &Path, words: &[impl AsRef<std::ffi::OsStr>]) -> std::io::Result<Output> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_stubborn"));
    // What is shown does not depend on how fast the machine is.
    program.env("STUBBORN_PATIENCE", "600");
    program.args(words).current_dir(folder).output()
}

fn checked(
    folder: &Path,
    name: &str,
    expected: &[Expected],
    wrong: &mut Vec<String>,
) -> std::io::Result<()> {
    let output = run(folder, &["check", "--format", "json", name])?;
    let found: Json = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let list = |what: &str| found[what].as_array().cloned().unwrap_or_default();
    let mut open: Vec<_> = expected.iter().collect();
    for property in list("properties") {
        let called = property["name"].as_str().unwrap_or_default();
        let stem = called.split('(').next().unwrap_or_default();
        let verdict = |wanted: &str| {
            expected
                .iter()
                .find(|e| matches!(e, Expected::Verdict { property, .. } if property == wanted))
        };
        let said = verdict(called).or_else(|| verdict(stem));
        open.retain(|e| Some(*e) != said);
        let wanted = match said {
            Some(Expected::Verdict { verdict, .. }) => verdict,
            _ => "holds",
        };
        if property["verdict"] != wanted {
            wrong.push(format!("{name}: should be {wanted}: {property:#}"));
        }
    }
    for problem in list("problems") {
        let same = |e: &&Expected| {
            matches!(e, Expected::Problem { code, line }
                if problem["code"] == **code && problem["range"]["start"]["line"] == *line)
        };
        match open.iter().position(same) {
            Some(at) => drop(open.remove(at)),
            None => wrong.push(format!("{name}: a problem: {problem:#}")),
        }
    }
    wrong.extend(open.iter().map(|e| format!("{name}: not found: {e:?}")));
    Ok(())
}

/// Whether lines follow each other in a text, however deep they stand in it.
fn has_lines(whole: &str, part: &str) -> bool {
    let trimmed =
        |text: &str| -> Vec<String> { text.trim().lines().map(|l| l.trim().to_owned()).collect() };
    let (whole, part) = (trimmed(whole), trimmed(part));
    !part.is_empty() && whole.windows(part.len()).any(|lines| lines == part)
}

/// What a command says, errors and hints first, as a terminal shows it, with no time in it that
/// differs from one run to the next.
fn printed_by(output: &Output) -> String {
    let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
    said.push_str(&String::from_utf8_lossy(&output.stdout));
    let lines = said.lines().map(|line| timeless(line.trim_end()) + "\n");
    let text: String = lines.collect();
    match text.trim_end() {
        "" => String::new(),
        text => format!("{text}\n"),
    }
}

/// `0.04 s` and `"seconds": 0.0123` with 0.00 in the number's place.
fn timeless(line: &str) -> String {
    if let Some((before, after)) = line.split_once("\"seconds\": ") {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_digit() || ".e-".contains(c));
        return format!("{before}\"seconds\": 0.0{rest}");
    }
    let is_time = |word: &str| word.contains('.') && word.parse::<f64>().is_ok();
    let mut words: Vec<_> = line.split(' ').map(str::to_owned).collect();
    for i in 1..words.len() {
        if words[i].trim_end_matches([',', ';']) == "s" && is_time(&words[i - 1]) {
            words[i - 1] = "0.00".to_owned();
        }
    }
    words.join(" ")
}

impl Print {
    /// How what the page says differs from what is printed, if it does.
    pub fn difference(&self) -> Option<String> {
        let (said, found): (Vec<_>, Vec<_>) =
            (self.said.lines().collect(), self.found.lines().collect());
        (!fits(&said, &found)).then(|| {
            let (words, said, found) = (self.words.join(" "), &self.said, &self.found);
            format!("$ stubborn {words}\nthe page has:\n{said}\nnow it is:\n{found}")
        })
    }
}

/// Whether lines are the ones that a page has, where `…` stands for any number of them. The first
/// place where the lines behind `…` are found is as good as any other, as in a pattern of words.
fn fits(said: &[&str], found: &[&str]) -> bool {
    let mut parts = said.split(|line| line.trim() == "…");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = found.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        if part.is_empty() {
            continue;
        }
        let Some(at) = rest.windows(part.len()).position(|lines| lines == part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The page with what is printed, and laid out, now. What a page shows only in part stays, for somebody to mend.
pub fn updated(page: &str, prints: &[Print]) -> String {
    let mut page = page.to_owned();
    for print in prints.iter().rev() {
        if !print.said.lines().any(|line| line.trim() == "…") {
            page.replace_range(print.place.clone(), &print.found);
        }
    }
    page
}
