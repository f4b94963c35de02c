//! What is said where a limit, or a person, ends a check: how deep it was, where the time went, what
//! to try next.

use super::folder::{Folder, property};

/// Counters with far more states than any limit here, and a violation four steps deep.
const COUNTERS: &str = "
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
reachable far: forall i in Id: a[i] == 10 or i == 0
";

#[test]
fn a_limit_tells_the_depth_the_time_and_what_to_try_next() {
    let folder = Folder::with("counters.stb", COUNTERS);
    let command = "check counters.stb --max-states 3000 --property fits --property far";
    let (status, object) = folder.json(&format!("{command} --reduction none"));
    assert_eq!(status, 2, "{object:#}");
    let fits = property(&object, "fits");
    let depth = fits["depth"].as_u64().expect("a depth");
    assert!((2..10).contains(&depth), "{depth}");
    let why = format!(
        "the limit of 3,000 states was reached; no violation in any run of up to {depth} steps"
    );
    assert_eq!(fits["why"], why);
    let why = format!(
        "the limit of 3,000 states was reached; it is reached by no run of up to {depth} steps"
    );
    assert_eq!(property(&object, "far")["why"], why);

    let seconds = object["seconds"].as_object().expect("seconds of phases");
    let of = |phase: &str| seconds[phase].as_f64().expect("a number");
    let phases = seconds.keys().filter(|phase| *phase != "total");
    let sum: f64 = phases.map(|phase| of(phase)).sum();
    assert!((sum - of("total")).abs() < 1e-4, "{seconds:?}");
    assert!(of("search") > 0.0 && of("reading") > 0.0);

    let next: Vec<&str> = (object["next"].as_array().expect("suggestions").iter())
        .filter_map(|one| one.as_str())
        .collect();
    assert!(next[0].starts_with("`-D N=8`: a state has "), "{next:?}");
    let random =
        format!("`--search random`: random runs look for violations deeper than {depth} steps");
    assert!(next.contains(&&*random), "{next:?}");
    let told = folder.run(&format!("{command} --reduction none"));
    assert!(told.out.contains("\nTry next  `-D N=8`"), "{}", told.out);
    assert!(told.out.contains("\ntime "), "{}", told.out);
}

#[test]
fn a_check_that_decides_everything_suggests_nothing() {
    let folder = Folder::with(
        "small.stb",
        "var x: 0..1\nprocess p { x = 1 }\ninvariant up: x < 2\n",
    );
    let (_, object) = folder.json("check small.stb");
    assert_eq!(
        (&object["next"], &object["seconds"]),
        (&().into(), &().into())
    );
    let (_, object) = folder.json("check small.stb --explain");
    assert!(
        object["seconds"]["total"].as_f64() > Some(0.0),
        "{object:#}"
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_prints_the_table_so_far() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};

    let folder = Folder::with("counters.stb", COUNTERS);
    let mut program = folder.program(&["check", "counters.stb"]);
    program.env("STUBBORN_PATIENCE", "0").stdout(Stdio::piped());
    let mut child = program.spawn().expect("the program runs");
    let mut out = BufReader::new(child.stdout.take().expect("its output"));
    let mut line = String::new();
    while !line.contains("violated[invariant]: small:") {
        line.clear();
        assert!(
            out.read_line(&mut line).expect("text") > 0,
            "no violation is told"
        );
    }
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("there is `kill`").success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(130), "{rest}");
    assert!(rest.contains("  small   violated"), "{rest}");
    assert!(rest.contains("the check was cancelled"), "{rest}");
}
