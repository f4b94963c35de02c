//! How long a person waits for the violation that an edit has made, with and without the small round that the
//! server searches beside the whole where the last check took long.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p stubborn --example first_violation [REPETITIONS [WORDS]]
//! ```
//!
//! Opens a design that is right, of a size whose check takes from a tenth of a second to some seconds, in a server of its
//! own, and waits until all is proved. Then makes the mistake that the design is an example of, and saves. The clock
//! runs from the save, outside the server's process, until its message says that a property is violated. The two
//! ways take turns. Prints a table in Markdown with medians in milliseconds, and the states of the search that found the
//! violation beside those of the search that proved the design; a second argument picks the designs whose name
//! has it. Ends with an error where a round has taken more than a tenth of the states of the last full search.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

#[allow(dead_code, reason = "its server alone is of use here")]
#[path = "../waiting/main.rs"]
pub mod waiting;

use waiting::Result;
use waiting::server::Server;

/// A design, and the mistake in it.
pub struct Design {
    pub name: &'static str,
    pub model: &'static str,
    /// What is replaced in the model to have its size, by what.
    pub right: &'static [(&'static str, &'static str)],
    /// And what for the mistake.
    pub wrong: (&'static str, &'static str),
}

macro_rules! design {
    ($name:literal, $right:expr, $wrong:expr) => {
        Design {
            name: $name,
            model: include_str!(concat!("../../../examples/", $name, ".stb")),
            right: $right,
            wrong: $wrong,
        }
    };
}

/// Peterson's algorithm where gates are counted from 0, mended: who comes to the first one is seen.
const COUNTED_FROM_ONE: [(&str, &str); 5] = [
    ("N: 2..6 = 3", "N: 2..6 = 4"),
    (
        "do gate[i] = j             -> yield",
        "do gate[i] = j + 1 -> yield",
    ),
    (
        "when k == i or gate[k] < j do",
        "when k == i or gate[k] <= j do",
    ),
    (
        "when not (k == i or gate[k] < j) ",
        "when not (k == i or gate[k] <= j) ",
    ),
    (
        "progress access(i in Id)",
        "invariant seen: forall i in Id: customer(i)@yield implies gate[i] > 0\n\
         progress access(i in Id)",
    ),
];

pub fn designs() -> Vec<Design> {
    vec![
        design!(
            "cache_coherence",
            &[
                ("WAITS: 0..1 = 0", "WAITS: 0..1 = 1"),
                ("CACHES: 2..3 = 2", "CACHES: 2..3 = 3")
            ],
            ("WAITS: 0..1 = 1", "WAITS: 0..1 = 0")
        ),
        design!(
            "lease",
            &[
                ("FENCED: 0..2 = 1", "FENCED: 0..2 = 2"),
                ("CLIENTS: 2..4 = 2", "CLIENTS: 2..4 = 4"),
                ("LEASES: 1..5 = 3", "LEASES: 1..5 = 4"),
            ],
            ("FENCED: 0..2 = 2", "FENCED: 0..2 = 0")
        ),
        design!(
            "lock_free_stack",
            &[
                ("TAGS: 1..8 = 1", "TAGS: 1..8 = 8"),
                ("SWAPS: 1..4 = 3", "SWAPS: 1..4 = 4")
            ],
            ("TAGS: 1..8 = 8", "TAGS: 1..8 = 1")
        ),
        design!(
            "lost_wakeup",
            &[
                ("CONDITIONS: 1..2 = 1", "CONDITIONS: 1..2 = 2"),
                ("SIZE: 1..3 = 1", "SIZE: 1..3 = 3"),
                ("PRODUCERS: 1..4 = 2", "PRODUCERS: 1..4 = 4"),
                ("CONSUMERS: 1..4 = 1", "CONSUMERS: 1..4 = 4"),
            ],
            ("CONDITIONS: 1..2 = 2", "CONDITIONS: 1..2 = 1")
        ),
        design!(
            "replicated_log",
            &[
                ("OWN_TERM: 0..1 = 0", "OWN_TERM: 0..1 = 1"),
                ("TERMS: 1..6 = 4", "TERMS: 1..6 = 5")
            ],
            ("OWN_TERM: 0..1 = 1", "OWN_TERM: 0..1 = 0")
        ),
        design!(
            "sliding_window",
            &[
                ("WINDOW: 1..4 = 3", "WINDOW: 1..4 = 2"),
                ("MESSAGES: 2..7 = 5", "MESSAGES: 2..7 = 6"),
                ("CAPACITY: 1..4 = 1", "CAPACITY: 1..4 = 2"),
            ],
            ("NUMBERS: 2..8 = 4", "NUMBERS: 2..8 = 3")
        ),
        design!(
            "two_phase_commit",
            &[
                ("FORCED: 0..1 = 0", "FORCED: 0..1 = 1"),
                ("PARTICIPANTS: 2..3 = 2", "PARTICIPANTS: 2..3 = 3"),
            ],
            ("FORCED: 0..1 = 1", "FORCED: 0..1 = 0")
        ),
        design!(
            "work_stealing",
            &[
                ("FENCE: 0..1 = 0", "FENCE: 0..1 = 1"),
                ("TASKS: 2..5 = 3", "TASKS: 2..5 = 4"),
                ("THIEVES: 1..3 = 1", "THIEVES: 1..3 = 2"),
            ],
            ("FENCE: 0..1 = 1", "FENCE: 0..1 = 0")
        ),
        // A producer does not ask whether the buffer is locked.
        design!(
            "bounded_buffer",
            &[("PRODUCERS: 1..5 = 2", "PRODUCERS: 1..5 = 5")],
            (
                "await not lock do lock = true\n        put:",
                "lock = true\n        put:"
            )
        ),
        // Two members have the same number.
        design!(
            "leader_election",
            &[("N: 2..6 = 4", "N: 2..6 = 6")],
            ("(N - i) % N\n", "(N - i) % (N - 1)\n")
        ),
        // Whoever comes first to the table takes the left fork first.
        design!(
            "philosophers_polite",
            &[("N: 2..10 = 4", "N: 2..10 = 10")],
            (
                "first: await fork[min(i, (i + 1) % N)] do fork[min(i, (i + 1) % N)] = false",
                "first: await fork[i] do fork[i] = false"
            )
        ),
        // Whoever is one gate further is not waited for.
        design!(
            "peterson_correct",
            &[("N: 2..6 = 3", "N: 2..6 = 4")],
            (
                "when k == i or gate[k] <= j do k",
                "when k == i or gate[k] <= j + 1 do k"
            )
        ),
        // Whoever comes first does not wait.
        design!(
            "peterson",
            &[("N: 2..6 = 3", "N: 2..6 = 6")],
            ("gate[k] <= j)", "gate[k] <= j + 1)")
        ),
        // The examples that are there to be wrong, as they would be right, and the mistake that they are about.
        design!(
            "peterson_mutex_violating",
            &[
                ("N: 2..6 = 3", "N: 2..6 = 4"),
                ("-> yield\n", "-> announce\n"),
                (
                    "state yield    { do last[j] = i              -> announce }",
                    "state announce { do gate[i] = j + 1          -> yield }"
                ),
                (
                    "state announce { do gate[i] = j + 1          -> look }",
                    "state yield    { do last[j] = i              -> look }"
                ),
            ],
            (
                "do gate[i] = j + 1          -> yield }\n    state yield    { do last[j] = i              -> look }",
                "do last[j] = i              -> yield }\n    state yield    { do gate[i] = j + 1          -> look }"
            )
        ),
        design!(
            "peterson_revealing",
            &COUNTED_FROM_ONE,
            // The tests alone: who waits at a gate waits for those behind it too.
            (
                "when k == i or gate[k] <= j do k = k + 1 -> scan\n        when not (k == i or gate[k] <= j)",
                "when k == i or gate[k] < j do k = k + 1 -> scan\n        when not (k == i or gate[k] < j)"
            )
        ),
        // Of what is asked of it only `seen` shows the mistake.
        design!(
            "peterson_not_revealing",
            &COUNTED_FROM_ONE,
            ("do gate[i] = j + 1 -> yield", "do gate[i] = j -> yield")
        ),
        // What the testers beside them ask for, as far as the model can say it.
        design!(
            "token_ring_broken",
            &[
                ("FLAW: 0..1 = 1", "FLAW: 0..1 = 0"),
                ("N: 2..8 = 6", "N: 2..8 = 8"),
                (
                    "termination not required",
                    "ltl never_starves(i in Id): not eventually always server(i)@wanting\n\
                     termination not required"
                ),
            ],
            ("FLAW: 0..1 = 0", "FLAW: 0..1 = 1")
        ),
        design!(
            "fischer",
            &[("N: 2..16 = 4", "N: 2..16 = 16")],
            // Another one was later, and it waits for ever.
            (
                "when x == i -> away  // let in, and out again\n        when x != i -> away",
                "when x == i -> away  // let in, and out again\n        when x == 0 -> away"
            )
        ),
        design!(
            "vending",
            &[(
                "termination not required",
                "progress serves: may machine@ready\n\
                 termination not required"
            )],
            ("                 -> ready", "                 -> no_tea")
        ),
        design!(
            "philosophers",
            &[
                ("N: 2..12 = 5", "N: 2..12 = 10"),
                // Who sits at seat 0 is left-handed.
                (
                    "when fork[i] do fork[i] = false  ",
                    "when fork[max(i, (i + 1) % N)] do fork[max(i, (i + 1) % N)] = false  "
                ),
                (
                    "when fork[(i + 1) % N] do fork[(i + 1) % N] = false -> eating",
                    "when fork[min(i, (i + 1) % N)] do fork[min(i, (i + 1) % N)] = false -> eating"
                ),
            ],
            (
                "when fork[max(i, (i + 1) % N)] do fork[max(i, (i + 1) % N)] = false  ",
                "when fork[i] do fork[i] = false  "
            )
        ),
    ]
}

/// Where the last check of a property took longer, in seconds, a round is searched beside the whole.
const SLOW: f64 = 0.1;
/// A round may have this part of the states of the last full search.
const PART_OF_FULL: u64 = 10;

/// What was seen of one save.
pub struct Save {
    pub waited: Duration,
    /// Of the violated property.
    pub states: u64,
    pub before: u64,
    /// Found by a round, and not by the whole search.
    pub is_of_round: bool,
    /// How long it took to prove the design, in seconds by the clock. There are rounds for properties for which that was
    /// more than a tenth.
    pub took: f64,
}

pub fn saved(design: &Design, rounds: bool) -> Result<Save> {
    let folder = tempfile::tempdir()?;
    let mut server = Server::start(&json!({"rounds": rounds}))?;
    let mut text = design.model.to_owned();
    for (from, to) in design.right {
        text = replaced(design, &text, from, to)?;
    }
    let model = folder.path().join(format!("{}.stb", design.name));
    let uri = format!("file://{}", model.display());
    std::fs::write(&model, &text)?;
    let opened = Instant::now();
    let document = json!({"uri": uri, "languageId": "stubborn", "version": 0, "text": text});
    server.notify("textDocument/didOpen", &json!({"textDocument": document}))?;
    server.wait("the verdicts of what is right", |server| {
        server.is_done(&uri)
    })?;
    let took = opened.elapsed().as_secs_f64();
    let all = server.properties(&uri).to_vec();
    let is_violated = |one: &Value| one["verdict"] == "violated";
    let known: Vec<String> = all
        .iter()
        .filter(|one| is_violated(one))
        .map(name)
        .collect();
    let wrong = replaced(design, &text, design.wrong.0, design.wrong.1)?;
    server.notify(
        "textDocument/didChange",
        &json!({"textDocument": {"uri": uri, "version": 1}, "contentChanges": [{"text": wrong}]}),
    )?;
    server.wait("what an edit means", |server| {
        server.published(&uri, 1).is_some()
    })?;
    std::fs::write(&model, &wrong)?;
    let start = Instant::now();
    server.notify(
        "textDocument/didSave",
        &json!({"textDocument": {"uri": uri}}),
    )?;
    let new = |one: &&Value| is_violated(one) && !known.contains(&name(one));
    server.wait("a violation", |server| {
        server.properties(&uri).iter().any(|one| new(&one))
    })?;
    let waited = start.elapsed();
    let found = server
        .properties(&uri)
        .iter()
        .find(new)
        .cloned()
        .unwrap_or_default();
    let before = all.iter().find(|one| name(one) == name(&found));
    let save = Save {
        waited,
        states: found["states"].as_u64().unwrap_or_default(),
        before: before
            .and_then(|one| one["states"].as_u64())
            .unwrap_or_default(),
        is_of_round: is_of_round(&found),
        took,
    };
    if save.is_of_round && save.states > save.before / PART_OF_FULL {
        let Save { states, before, .. } = save;
        return Err(format!("a round has taken {states} states of {before}").into());
    }
    Ok(save)
}

/// Whether a round has found it: it says so.
fn is_of_round(property: &Value) -> bool {
    let why = property["why"].as_str().unwrap_or_default();
    why.contains("; round ")
}

fn name(property: &Value) -> String {
    property["name"].as_str().unwrap_or_default().to_owned()
}

pub fn replaced(design: &Design, text: &str, from: &str, to: &str) -> Result<String> {
    match text.contains(from) {
        true => Ok(text.replacen(from, to, 1)),
        false => Err(format!("`{from}` is not in {}", design.name).into()),
    }
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort();
    times
        .get(times.len() / 2)
        .map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

fn main() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let repetitions = arguments.next().and_then(|given| given.parse().ok());
    let repetitions = repetitions.unwrap_or(5).max(1);
    let named = arguments.next().unwrap_or_default();
    println!(
        "| design | states to prove it | s | with rounds, ms | states | found by a round | without, ms | states |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|");
    let (mut all_with, mut all_without) = (Vec::new(), Vec::new());
    let (mut slow_with, mut slow_without) = (Vec::new(), Vec::new());
    for design in designs()
        .iter()
        .filter(|design| design.name.contains(&named))
    {
        let (mut with, mut without) = (Vec::new(), Vec::new());
        let mut seen = (0, 0, 0);
        let mut took = Vec::new();
        let mut by_rounds = 0;
        for _ in 0..repetitions {
            let one = saved(design, true).map_err(|error| format!("{}: {error}", design.name))?;
            let other =
                saved(design, false).map_err(|error| format!("{}: {error}", design.name))?;
            seen = (one.before, one.states, other.states);
            by_rounds += usize::from(one.is_of_round);
            took.push(Duration::from_secs_f64(one.took));
            with.push(one.waited);
            without.push(other.waited);
        }
        let (with, without, took) = (median(with), median(without), median(took) / 1e3);
        println!(
            "| {} | {} | {took:.2} | {with:.1} | {} | {by_rounds} of {repetitions} | {without:.1} | {} |",
            design.name, seen.0, seen.1, seen.2
        );
        let times = (
            Duration::from_secs_f64(with / 1e3),
            Duration::from_secs_f64(without / 1e3),
        );
        all_with.push(times.0);
        all_without.push(times.1);
        if took > SLOW {
            slow_with.push(times.0);
            slow_without.push(times.1);
        }
    }
    for (which, with, without) in [
        ("all", all_with, all_without),
        (
            "those that took more than a tenth of a second to prove",
            slow_with,
            slow_without,
        ),
    ] {
        let (count, with, without) = (with.len(), median(with), median(without));
        println!(
            "\nmedian of {which} ({count}): {with:.1} ms with rounds, {without:.1} ms without"
        );
    }
    Ok(())
}
