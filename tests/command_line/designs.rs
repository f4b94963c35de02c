//! Designs that somebody wrote who had read nothing but the site: every verdict is what its author meant, as `expect violated`
//! says, with each bug that a parameter turns on and without.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// With which settings each is checked.
const DESIGNS: [(&str, &[&str]); 4] = [
    (
        "bucket.stb",
        &["", "N=3", "FIFO=0", "FIFO=0 N=3", "RACY=1", "FIFO=0 RACY=1"],
    ),
    ("leader.tester", &["", "ALARMS=0", "FORGETS=1"]),
    ("raft.stb", &["", "TERMS=2 RESTARTS=0"]),
    (
        "retry.stb",
        &[
            "",
            "BUG=1",
            "BUG=2",
            "BUG=3",
            "BUG=3 CAP=2",
            "JOBS=3",
            "JOBS=3 CAP=2",
            "MAX=3 BUG=2",
        ],
    ),
];

/// Examples, with values for which a bug that is there at others has no room, or shows more.
const EXAMPLES: [(&str, &[&str]); 9] = [
    ("cache_coherence.tester", &["WAITS=1"]),
    ("lease.stb", &["LEASES=1", "FENCED=2", "FENCED=0 CLIENTS=3"]),
    ("lock_free_stack.stb", &["SWAPS=2", "SWAPS=4", "TAGS=2"]),
    ("lock_free_stack.tester", &["SWAPS=2", "TAGS=3", "TAGS=4"]),
    (
        "lost_wakeup.stb",
        &[
            "SIZE=2",
            "SIZE=2 CONSUMERS=3",
            "CONSUMERS=4 SIZE=2",
            "WAKES_ALL=1",
        ],
    ),
    ("replicated_log.stb", &["TERMS=3", "OWN_TERM=1 TERMS=3"]),
    ("sliding_window.stb", &["NUMBERS=2", "WINDOW=2"]),
    (
        "two_phase_commit.stb",
        &["CRASHES=0", "CRASHES=1", "FORCED=1"],
    ),
    ("work_stealing.stb", &["TASKS=2", "TASKS=4", "FENCE=1"]),
];

#[test]
fn designs_that_were_written_from_the_site_alone_are_as_their_author_meant() {
    are_as_expected("tests/designs", &DESIGNS);
}

#[test]
fn examples_are_as_they_expect_for_other_values_of_their_parameters_too() {
    are_as_expected("examples", &EXAMPLES);
}

/// Raft twice, with messages that are records and with tuples of scalars.
#[test]
fn a_design_has_the_same_states_with_records_as_with_scalars() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
    let counts = |model: &str, given: &str| {
        let mut explore = Command::new(env!("CARGO_BIN_EXE_stubborn"));
        explore.arg("explore").arg(root.join(model));
        explore.args([
            "--reduction",
            "none",
            "--keep-dead-variables",
            "--format",
            "json",
        ]);
        for one in given.split_whitespace() {
            explore.args(["-D", one]);
        }
        let output = explore.output().expect("the program starts");
        let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        ["states", "edges", "terminal"].map(|count| found[count].as_u64())
    };
    for (given, states) in [
        ("SERVERS=2 TERMS=1 SLOTS=1 RESTARTS=1", 1276),
        ("SERVERS=2 TERMS=2 SLOTS=1 RESTARTS=0", 7221),
    ] {
        let records = counts("tests/designs/raft.stb", given);
        let scalars = counts("tests/benchmarks/models/realistic/raft_messages.stb", given);
        assert_eq!(records, scalars, "{given}");
        assert_eq!(records[0], Some(states), "{given}");
    }
}

fn are_as_expected(folder: &str, designs: &[(&str, &[&str])]) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    let mut wrong = Vec::new();
    for (design, settings) in designs {
        for setting in *settings {
            let mut check = Command::new(env!("CARGO_BIN_EXE_stubborn"));
            check.arg("check").arg(folder.join(design));
            for one in setting.split_whitespace() {
                check.args(["-D", one]);
            }
            let output = check.output().expect("the program starts");
            if output.status.code() != Some(0) {
                let said = String::from_utf8_lossy(&output.stdout);
                wrong.push(format!("{design} {setting}: {said}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
