//! Compares two versions of the program on random systems.
//!
//!     cargo run --release -p stubborn-random --example compare -- OLD NEW [SYSTEMS [SEED]]
//!
//! `OLD` and `NEW` are programs. Both check the same texts: on one thread with and without
//! reductions and symmetry, on two threads, and in two processes; and both count the plain and the
//! reduced state space. Each program replays the traces that it prints. Verdicts and the counts of
//! `explore` must agree. Counts of `check` may differ where the plan differs; how many do is
//! printed, and how many properties the new program does not decide in two processes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, exit};

use serde_json::Value;
use stubborn_model::elaborate::Settings;
use stubborn_random::symmetric::{self, Share};
use stubborn_random::watch::{self, Kind, MODEL};
use stubborn_random::{meetings, messages, mixture, read, render, starving};

/// Files that one run of a program checks.
const BATCH: usize = 100;
const LIMIT: &[&str] = &["--max-states", "20000", "--format", "json"];

/// Ways in which a batch is checked.
const WAYS: &[&[&str]] = &[
    &["check", "--threads", "1"],
    &["check", "--threads", "1", "--reduction", "none"],
    &["check", "--threads", "1", "--symmetry", "always"],
    &["check", "--threads", "2"],
];
/// The same in two processes, by the old and the new options.
const TWO_PROCESSES: [&[&str]; 2] = [
    &["check", "--processes", "2"],
    &["cluster", "--processes", "2", "check"],
];

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, numbers @ ..] = &arguments[..] else {
        eprintln!("usage: compare OLD NEW [SYSTEMS [SEED]]");
        exit(2);
    };
    let number = |at: usize, default: u64| match numbers.get(at) {
        Some(number) => number.parse(),
        None => Ok(default),
    };
    let (systems, seed) = (number(0, 1_000)?, number(1, 1)?);
    let folder = tempfile::tempdir()?;
    let mut compared = Compared::default();
    let mut seeds = seed << 32..;
    while compared.systems < systems {
        let most = BATCH.min((systems - compared.systems) as usize);
        let drawn = seeds.by_ref().filter_map(|seed| write(folder.path(), seed));
        let files: Vec<PathBuf> = drawn.take(most).collect();
        compared.batch([Path::new(old), Path::new(new)], &files)?;
        std::fs::remove_dir_all(folder.path())?;
        std::fs::create_dir(folder.path())?;
        eprintln!("{compared:?}");
    }
    println!("seed {seed}: {compared:?}");
    exit(i32::from(compared.wrong > 0));
}

/// Writes what a seed draws to files of its own. Returns the file to be checked, if it is a model.
fn write(folder: &Path, seed: u64) -> Option<PathBuf> {
    let kind = match seed % 12 {
        0 => Some(Kind::Tester),
        1 => Some(Kind::Formula),
        2 => Some(Kind::Automaton),
        _ => None,
    };
    let folder = folder.join(seed.to_string());
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::create_dir_all(&folder).ok()?;
        std::fs::write(&file, text).ok()?;
        Some(file)
    };
    if let Some(kind) = kind {
        let case = watch::draw(kind, seed)?;
        read::case(&case).ok()??;
        let (model, watching) = case.texts();
        write(MODEL, &model)?;
        return write("watch.tester", &watching);
    }
    let model = match seed % 12 {
        3 | 4 => None,
        5 => Some(starving::model(seed)),
        6 => Some(messages::model(seed)),
        7 => Some(meetings::model(seed)),
        _ => Some(mixture::model(seed / 12)),
    };
    let text = match model {
        Some(model) => render::text(&model).0,
        None => symmetric::text(
            seed,
            if seed.is_multiple_of(2) {
                Share::Nearly
            } else {
                Share::Symmetric
            },
        ),
    };
    read::text(text.clone(), &Settings::default())?;
    write(MODEL, &text)
}

/// Result of the comparison so far.
#[derive(Debug, Default)]
struct Compared {
    systems: u64,
    verdicts: u64,
    violated: u64,
    state_spaces: u64,
    /// Verdicts with different counts.
    other_counts: u64,
    /// Properties that only the old program decides in two processes.
    only_in_one: u64,
    /// Verdicts or state spaces that differ.
    wrong: u64,
}

impl Compared {
    fn batch(&mut self, [old, new]: [&Path; 2], files: &[PathBuf]) -> anyhow::Result<()> {
        self.systems += files.len() as u64;
        let ways = WAYS.iter().map(|way| [*way, *way]).chain([TWO_PROCESSES]);
        for way in ways {
            let both = [run(old, way[0], files)?, run(new, way[1], files)?];
            let [old, new] = both.each_ref().map(verdicts);
            if old.len() != new.len() {
                self.differ(&format!(
                    "{way:?}: {} and {} properties",
                    old.len(),
                    new.len()
                ));
            }
            for (property, old) in &old {
                let Some(new) = new.get(property) else {
                    self.differ(&format!("{way:?} {property:?} is missing"));
                    continue;
                };
                self.verdicts += 1;
                self.violated += u64::from(old["verdict"] == "violated");
                if way == TWO_PROCESSES && new["verdict"] == "undecided" {
                    self.only_in_one += u64::from(old["verdict"] != "undecided");
                    continue;
                }
                if old["verdict"] != new["verdict"] {
                    let told = [old, new].map(|one| format!("{} ({})", one["verdict"], one["why"]));
                    self.differ(&format!("{way:?} {property:?}: {told:?}"));
                }
                let counts = |one: &Value| [one["states"].clone(), one["edges"].clone()];
                self.other_counts += u64::from(counts(old) != counts(new));
            }
        }
        // Each file by itself is a state space: one in twenty.
        for file in files.iter().step_by(20) {
            for reduction in ["none", "stubborn"] {
                let way = &["explore", "--reduction", reduction, "--symmetry", "off"];
                let one = std::slice::from_ref(file);
                let both = [run(old, way, one)?, run(new, way, one)?];
                // At a limit the number of steps depends on the batch in which it was reached.
                let counts = |all: &Value| {
                    let what = match all["complete"] == true {
                        true => &["states", "edges", "terminal", "failing", "full"][..],
                        false => &["states", "why"],
                    };
                    what.iter()
                        .map(|what| all[what].clone())
                        .collect::<Vec<_>>()
                };
                self.state_spaces += 1;
                if counts(&both[0]) != counts(&both[1]) {
                    self.differ(&format!("{way:?} {}: {both:?}", file.display()));
                }
            }
        }
        Ok(())
    }

    fn differ(&mut self, what: &str) {
        self.wrong += 1;
        println!("{what}");
    }
}

fn run(program: &Path, way: &[&str], files: &[PathBuf]) -> anyhow::Result<Value> {
    let output = Command::new(program)
        .args(way)
        .args(LIMIT)
        .args(files)
        .output()?;
    serde_json::from_slice(&output.stdout).map_err(|error| {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        anyhow::anyhow!("{} {way:?}: {error}: {said}", program.display())
    })
}

/// The properties of a report, by file and name.
fn verdicts(report: &Value) -> BTreeMap<(String, String), &Value> {
    let properties = report["properties"].as_array().into_iter().flatten();
    let named = properties.map(|property| {
        let text = |what: &str| property[what].to_string();
        ((text("file"), text("name")), property)
    });
    named.collect()
}
