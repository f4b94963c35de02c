//! What a person who waits is told while a check goes on.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use super::folder::Folder;

/// Its first properties need a state space that nobody goes through, of processes that differ; behind them stands one about runs that is
/// violated at once.
const LARGE: &str = "\
param N: 2..9 = 9
type Id = 0..N-1
var a: array[Id] of 0..10
var turn: Id
process p(i in Id) {
    loop {
        await turn >= 0
        a[i] = (a[i] + i) % 11
        turn = i
    }
}
deadlock ignored
termination not required
invariant fits: forall i in Id: a[i] < 11
invariant small: a[0] + a[1] < 4
ltl still: always a[1] == 0
";

/// Whoever goes round leaves another one where it is, in two steps.
const ROUND: &str = "\
type Id = 0..8
var a: array[Id] of 0..1
var b: array[Id] of 0..6
process p(i in Id) { loop { a[i] = (a[i] + 1) % 2 } }
process q(i in Id) { loop { b[i] = (b[i] + 1 + i % 6) % 7 } }
deadlock ignored
termination not required
invariant fits: forall i in Id: a[i] + b[i] < 8
progress two: must b[3] == 2
";

/// A family of many stands before a tester.
const FAMILY: &str = "\
type Id = 0..8
var a: array[Id] of 0..10
action tick(Id)
process p(i in Id) { loop { on tick(i) do a[i] = (a[i] + i) % 11 } }
deadlock ignored
termination not required
progress can(i in Id, j in 0..7): may a[i] == j or i == 0 or i == 7
tester soon {
    initial state none { on tick(1) -> once }
    state once { on tick(2) -> both }
    reject state both { }
}
";

/// The search for what stands first takes far longer, and far more memory than there is.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

#[test]
fn violations_of_few_steps_are_told_while_the_check_goes_on() {
    let wanted = ["violated[invariant]: small:", "violated[ltl]: still:"];
    are_told_while_the_check_goes_on(LARGE, &wanted);
}

#[test]
fn a_run_that_soon_goes_round_is_told_while_the_check_goes_on() {
    are_told_while_the_check_goes_on(ROUND, &["violated[progress]: two:"]);
}

#[test]
fn a_family_of_many_keeps_no_other_violation_waiting() {
    are_told_while_the_check_goes_on(FAMILY, &["violated[tester: trace]: soon:"]);
}

fn are_told_while_the_check_goes_on(text: &str, wanted: &[&str]) {
    let folder = Folder::with("large.stb", text);
    // Without a limit on time, which would give each property its turn.
    let mut check = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(["check", "large.stb"])
        .current_dir(folder.path("."))
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let told = BufReader::new(check.stdout.take().expect("its output"));
    let (tell, lines) = channel();
    let reader = thread::spawn(move || {
        for line in told.lines().map_while(Result::ok) {
            // Nobody listens once all has been heard.
            let _ = tell.send(line);
        }
    });
    let mut open = wanted.to_vec();
    let end = Instant::now() + LONGEST_WAIT;
    while !open.is_empty()
        && let Ok(line) = lines.recv_timeout(end.saturating_duration_since(Instant::now()))
    {
        open.retain(|wanted| !line.starts_with(wanted));
    }
    let is_over = check.try_wait().expect("its status");
    check.kill().expect("it can be ended");
    check.wait().expect("it ends");
    reader.join().expect("it only reads");
    assert_eq!(open, [""; 0], "told before the end");
    assert_eq!(is_over, None, "the others go on");
}

#[test]
fn what_was_told_is_not_told_again_and_counts_where_a_limit_ends_the_rest() {
    let folder = Folder::with("large.stb", LARGE);
    let ran = folder.run_as_verdicts_fall("check large.stb --timeout 10");
    assert_eq!(ran.status, 1);
    let titles = ran.out.matches("violated[ltl]: still:").count();
    assert_eq!(titles, 1, "{}", ran.out);
    let table = ran.out.rfind("\nlarge.stb\n").expect("the table");
    let run = ran.out.find("violated[invariant]: small:").expect("a run");
    assert!(run < table, "the table is at the end");
    // Nobody looks on: what holds stands in the table.
    let before = &ran.out[..table];
    assert!(!before.contains("  holds"), "{before}");
    let rows: Vec<&str> = ran.out[table..].lines().collect();
    let has = |name: &str, verdict: &str| {
        let row = |line: &&&str| line.trim_start().starts_with(name) && line.contains(verdict);
        rows.iter().any(|line| row(&line))
    };
    assert!(has("fits", "undecided"), "{rows:#?}");
    assert!(
        has("small", "violated") && has("still", "violated"),
        "{rows:#?}"
    );
}
