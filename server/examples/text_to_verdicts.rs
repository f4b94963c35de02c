//! How long it takes from a model's text to the verdicts of all its properties, in a process that is up.
//!
//! ```text
//! cargo run --release -p stubborn --example text_to_verdicts [REPETITIONS [THREADS [NAME]]]
//! ```
//!
//! Each model is read and checked as often as the first argument says (101 if nothing is said), with as many threads
//! as the second says (1); with a third, those alone whose name begins like that. Prints a table in Markdown: the states of the largest search, and the median and the worst
//! time in milliseconds. The models are the examples, and Peterson's algorithm for three customers, correct, with
//! nothing left out: 96,854 states.
//!
//! Models are checked as in the editor: those that have few states with nothing left out ([`SMALL`]).
//!
//! Without that it uses what is public in older versions of this repository too: put into one of them, it measures that.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use stubborn_engine::{Caller, Options, Reduction, SMALL, check};
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;

fn main() {
    let mut given = std::env::args().skip(1);
    let repetitions: usize = given.next().and_then(|n| n.parse().ok()).unwrap_or(101);
    let threads = given.next().and_then(|n| n.parse().ok());
    let name = given.next().unwrap_or_default();
    let default = Options {
        plain_first: SMALL,
        threads: threads.and_then(NonZeroUsize::new),
        ..Options::default()
    };
    let plain = Options {
        reduction: Reduction::None,
        keep_dead_variables: true,
        plain_first: None,
        ..default
    };
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../examples"));
    let entries = std::fs::read_dir(folder).expect("the examples are there");
    let mut models: Vec<_> = entries.map(|e| e.expect("a file").path()).collect();
    models.retain(|path| path.extension().is_some_and(|extension| extension == "stb"));
    let is_asked_for = |path: &Path| {
        let file = path.file_name().unwrap_or_default();
        file.to_string_lossy().starts_with(&name)
    };
    models.retain(|path| is_asked_for(path));
    models.sort();
    println!("| model | states | median, ms | worst, ms |");
    println!("|---|---|---|---|");
    for model in &models {
        measure(model, "", &default, repetitions);
    }
    let correct = folder.join("peterson_correct.stb");
    if is_asked_for(&correct) {
        measure(&correct, ", nothing left out", &plain, repetitions);
    }
}

fn measure(model: &Path, how: &str, options: &Options, repetitions: usize) {
    let text = std::fs::read_to_string(model).expect("the model can be read");
    let mut states = 0;
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..repetitions {
        let began = Instant::now();
        let file = Arc::new(ParsedFile::new("model.stb", text.as_str()));
        let program = Program::assemble(file, &mut |_| None);
        let analysis = analyze(&program, &Settings::default());
        let model = analysis.model.expect("the examples have a meaning");
        let properties = model.properties.iter();
        let properties: Vec<Property> = properties.map(|named| named.property.clone()).collect();
        let outcomes = check(&model.system, &properties, options, Caller::default());
        let outcomes = outcomes.expect("the examples are not too large");
        times.push(began.elapsed());
        states = outcomes.iter().map(|found| found.states).max().unwrap_or(0);
    }
    times.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| {}{how} | {states} | {:.2} | {:.2} |",
        model.file_stem().unwrap_or_default().to_string_lossy(),
        milliseconds(times[times.len() / 2]),
        milliseconds(times[times.len() - 1])
    );
}
