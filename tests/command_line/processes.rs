//! Checks by several processes, as a user starts them.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Command, Stdio};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::folder::{BROKEN_LOCK, Folder, property};

/// As many states as a machine would need hours for.
const ENDLESS: &str = "\
var x: array[0..9] of 0..1000
process p(i in 0..9) { loop { x[i] = any 0..1000 } }
termination not required
invariant small: x[0] <= 1000
";

/// Twenty thousand states, of which the farthest violates something.
const GRID: &str = "\
var x: array[0..3] of 0..11
process p(i in 0..3) { loop { when x[i] < 11 do x[i] = x[i] + 1 } }
termination not required
deadlock allowed when x[0] == 11
invariant not_all: x[0] + x[1] + x[2] + x[3] < 44
invariant small: x[0] <= 11
progress back: may x[0] == 11
progress full: must x[0] == 11
";

const PLAIN: &str = "--reduction none --keep-dead-variables";
/// Nothing is waited for any longer.
const LONGEST: Duration = Duration::from_secs(60);

fn steps(property: &Value) -> usize {
    property["trace"]["steps"].as_array().expect("a run").len()
}

#[test]
fn two_processes_tell_what_one_does_and_who_has_searched() {
    let folder = Folder::with("grid.stb", GRID);
    let (_, alone) = folder.json(&format!("check grid.stb {PLAIN} --threads 1"));
    for threads in [1, 2] {
        let command = format!("check grid.stb {PLAIN} --processes 2 --threads {threads}");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 1, "{object}");
        for name in ["errors", "deadlock", "small", "not_all"] {
            let (here, there) = (property(&object, name), property(&alone, name));
            assert_eq!(here["verdict"], there["verdict"], "{object}");
            let sharing = &here["sharing"];
            assert_eq!(sharing["processes"], 2, "{object}");
            let workers = sharing["workers"].as_array().expect("workers");
            assert_eq!(workers.len(), 2 * threads);
            let states = workers
                .iter()
                .map(|one| one["states"].as_u64().expect("a number"));
            assert_eq!(
                states.sum::<u64>(),
                here["states"].as_u64().expect("a number")
            );
            if here["verdict"] == "holds" {
                for figure in ["states", "edges", "full", "reduction"] {
                    assert_eq!(here[figure], there[figure], "{name} {figure}");
                }
            }
        }
        let far = property(&object, "not_all");
        assert_eq!(steps(far), steps(property(&alone, "not_all")));
        let back = property(&object, "back");
        assert_eq!(back["verdict"], property(&alone, "back")["verdict"]);
    }
}

#[test]
fn what_is_about_all_states_is_decided_together() {
    let folder = Folder::with("grid.stb", GRID);
    let ltl = format!("{GRID}\nltl end: eventually x[0] == 11\nltl low: always x[0] <= 11\n");
    let folder_of_formulas = Folder::with("grid.stb", &ltl);
    for (folder, names) in [
        (&folder, &["back", "full"][..]),
        (&folder_of_formulas, &["end", "low"][..]),
    ] {
        for how in [PLAIN, ""] {
            let (_, alone) = folder.json(&format!("check grid.stb {how} --threads 1"));
            let command = format!("check grid.stb {how} --processes 2 --threads 1");
            let (_, object) = folder.json(&command);
            for name in names {
                let (here, there) = (property(&object, name), property(&alone, name));
                assert_eq!(here["verdict"], there["verdict"], "{name}: {object}");
                assert_eq!(here["sharing"]["processes"], 2, "{name}: {object}");
            }
        }
    }
}

#[test]
fn what_is_decided_by_the_first_process_alone_says_so() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    let (_, object) = folder.json(&format!(
        "check lock.stb {PLAIN} --coverage --processes 2 --threads 1"
    ));
    // What was seen is known of states with numbers alone.
    let access = property(&object, "access(0)");
    assert_eq!(access["sharing"]["processes"], 1, "{object}");
    let why = access["why"].as_str().expect("a sentence");
    assert!(why.contains("the first process alone"), "{why}");
}

#[test]
fn a_state_space_is_counted_by_several_as_by_one() {
    let folder = Folder::with("grid.stb", GRID);
    for how in [PLAIN, ""] {
        let (_, alone) = folder.json(&format!("explore grid.stb {how} --threads 1"));
        let command = format!("explore grid.stb {how} --processes 3 --threads 1");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 0, "{object}");
        for figure in ["states", "edges", "terminal", "failing", "full", "complete"] {
            assert_eq!(object[figure], alone[figure], "{how} {figure}");
        }
        assert_eq!(object["sharing"]["processes"], 3, "{object}");
    }
}

#[test]
fn what_cannot_be_shared_is_refused_in_a_sentence() {
    let folder = Folder::with("grid.stb", GRID);
    for (options, wrong) in [
        (
            "--storage bitstate",
            "`--processes` belongs to `--storage exact`",
        ),
        ("--search dfs", "`--processes` belongs to `--search bfs`"),
        (
            "--save it",
            "`--processes` and `--save` are not in one command",
        ),
        (
            "--spill .",
            "`--processes` and `--spill` are not in one command",
        ),
    ] {
        let (status, object) = folder.json(&format!("check grid.stb --processes 2 {options}"));
        assert_eq!(status, 3);
        assert!(object.to_string().contains(wrong), "{object}");
    }
}

/// Processes of a file of hosts, each at an address and a port of this machine.
struct Hosts {
    folder: Folder,
    places: Vec<String>,
}

/// One of them.
struct Host {
    child: Child,
    lines: Receiver<String>,
}

/// An address of this machine that nobody else uses, with a port: one that was free, and is given back, may still be there in
/// a process that somebody has just started.
#[cfg(target_os = "linux")]
fn place() -> String {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let given = GIVEN.fetch_add(1, Relaxed);
    let [_, _, high, low] = std::process::id().to_be_bytes();
    format!("127.{}.{low}.{}:7401", 1 + high % 200, 1 + given % 200)
}

/// Elsewhere machines have one address of their own.
#[cfg(not(target_os = "linux"))]
fn place() -> String {
    place_at("127.0.0.1")
}

/// A port there that is free, and is none of those that are given to whoever asks for any: those begin at 32,768 or above.
fn place_at(address: &str) -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let free = std::iter::repeat_with(|| {
        let next = std::process::id() + NEXT.fetch_add(1, Relaxed);
        (address, 20_000 + (next % 10_000) as u16)
    })
    .take(10_000)
    .find(|at| TcpListener::bind(at).is_ok());
    let (address, port) = free.expect("a port");
    format!("{address}:{port}")
}

impl Hosts {
    fn new(folder: Folder, many: usize) -> Hosts {
        Hosts::at(folder, (0..many).map(|_| place()).collect())
    }

    fn at(folder: Folder, places: Vec<String>) -> Hosts {
        fs::write(folder.path("hosts"), places.join("\n")).expect("a file");
        Hosts { folder, places }
    }

    fn start(&self, process: usize, command: &str) -> Host {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stubborn"))
            .args(command.split_whitespace())
            .args(["--hosts", "hosts", "--threads", "1", "--format", "json"])
            .args(["--process", &process.to_string()])
            .current_dir(self.folder.path("."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let lines = lines_of(child.stderr.take().expect("its standard error"));
        Host { child, lines }
    }
}

fn lines_of(from: ChildStderr) -> Receiver<String> {
    let (tell, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if tell.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(sent.expect("there is `kill`").success());
}

#[cfg(target_os = "linux")]
fn eventually(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + LONGEST;
    while !is_so() {
        assert!(Instant::now() < until, "it never is");
        thread::park_timeout(Duration::from_millis(10));
    }
}

impl Host {
    /// Waits until it says something.
    fn until(&self, said: &str) -> String {
        let until = Instant::now() + LONGEST;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left);
            let line = line.unwrap_or_else(|_| panic!("it never says `{said}`"));
            if line.contains(said) {
                return line;
            }
        }
    }

    fn signal(&self, what: &str) {
        signal(self.child.id(), what);
    }

    /// Its exit status, and what it has printed.
    fn end(mut self) -> (Option<i32>, String) {
        let mut out = self.child.stdout.take().expect("its standard output");
        let (tell, told) = channel();
        thread::spawn(move || {
            let mut text = String::new();
            let _ = out.read_to_string(&mut text);
            let _ = tell.send(text);
        });
        let text = told.recv_timeout(LONGEST).expect("it ends");
        let status = self.child.wait().expect("it has ended");
        (status.code(), text)
    }

    fn object(self) -> (Option<i32>, Value) {
        let (status, text) = self.end();
        (
            status,
            serde_json::from_str(&text).expect("one JSON object"),
        )
    }
}

fn why(object: &Value, name: &str) -> String {
    let property = property(object, name);
    assert_eq!(property["verdict"], "undecided", "{object}");
    property["why"].as_str().expect("a sentence").to_owned()
}

#[test]
fn processes_that_somebody_has_started_find_each_other() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 3);
    let command = format!("check grid.stb {PLAIN} --property small --property not_all");
    let others = [hosts.start(3, &command), hosts.start(2, &command)];
    let (status, object) = hosts.start(1, &command).object();
    assert_eq!(status, Some(1), "{object}");
    assert_eq!(property(&object, "small")["verdict"], "holds");
    assert_eq!(property(&object, "small")["sharing"]["processes"], 3);
    assert_eq!(property(&object, "not_all")["verdict"], "violated");
    for other in others {
        let (status, text) = other.end();
        assert_eq!((status, &text[..]), (Some(0), ""), "one of them prints");
    }
}

#[test]
fn a_process_that_is_killed_while_all_search_ends_the_others() {
    let hosts = Hosts::new(Folder::with("endless.stb", ENDLESS), 3);
    let command = format!("check endless.stb {PLAIN} --property small");
    let (second, third) = (hosts.start(2, &command), hosts.start(3, &command));
    let first = hosts.start(1, &command);
    third.until("searches");
    second.signal("-KILL");
    let (status, object) = first.object();
    assert_eq!(status, Some(1), "{object}");
    let why = why(&object, "small");
    assert!(why.contains("process 2 of 3 has ended"), "{why}");
    // So do those that are left.
    third.until("process 2 of 3 has ended, or its connection was cut, before the others were done");
    assert_eq!(third.end().0, Some(1));
}

#[test]
fn the_others_end_where_the_first_process_is_killed() {
    let hosts = Hosts::new(Folder::with("endless.stb", ENDLESS), 2);
    let command = format!("check endless.stb {PLAIN} --property small");
    let second = hosts.start(2, &command);
    let first = hosts.start(1, &command);
    second.until("searches");
    first.signal("-KILL");
    second
        .until("process 1 of 2 has ended, or its connection was cut, before the others were done");
    let (status, _) = second.end();
    assert_eq!(status, Some(1));
}

#[test]
fn a_process_that_is_killed_while_a_way_is_looked_for_leaves_no_wrong_verdict() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    let command = format!("check grid.stb {PLAIN} --property small --property not_all");
    let second = hosts.start(2, &command);
    let first = hosts.start(1, &command);
    second.until("looks for the way");
    second.signal("-KILL");
    let (_, object) = first.object();
    assert_ne!(property(&object, "not_all")["verdict"], "holds", "{object}");
    assert_ne!(
        property(&object, "small")["verdict"],
        "violated",
        "{object}"
    );
}

#[test]
fn a_process_that_is_killed_while_it_is_asked_about_all_states_leaves_no_wrong_verdict() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    let command = format!("check grid.stb {PLAIN} --property back");
    let second = hosts.start(2, &command);
    let first = hosts.start(1, &command);
    second.until("is asked about all states");
    second.signal("-KILL");
    let (_, object) = first.object();
    assert_ne!(property(&object, "back")["verdict"], "violated", "{object}");
}

#[test]
fn a_process_that_is_killed_before_all_have_come_is_named() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 3);
    let command = format!("check grid.stb {PLAIN} --property small --timeout 4");
    let second = hosts.start(2, &command);
    second.until("listens at");
    second.signal("-KILL");
    assert_eq!(second.end().0, None, "it was killed");
    let third = hosts.start(3, &command);
    let (status, object) = hosts.start(1, &command).object();
    assert_eq!(status, Some(1), "{object}");
    let why = why(&object, "small");
    assert_eq!(why, "process 2 of 3 has not come in time");
    third.until("process 2 of 3 has not come in time");
    assert_eq!(third.end().0, Some(1));
}

#[test]
fn a_process_that_is_started_again_before_all_have_come_is_waited_for() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 3);
    let command = format!("check grid.stb {PLAIN} --property small");
    let first = hosts.start(1, &command);
    let second = hosts.start(2, &command);
    // It knows the first one by then, or does not: that makes no difference.
    second.until("listens at");
    second.signal("-KILL");
    assert_eq!(second.end().0, None, "it was killed");
    let others = [hosts.start(2, &command), hosts.start(3, &command)];
    let (status, object) = first.object();
    assert_eq!(status, Some(0), "{object}");
    assert_eq!(property(&object, "small")["sharing"]["processes"], 3);
    for other in others {
        assert_eq!(other.end().0, Some(0));
    }
}

#[test]
fn a_process_that_stands_still_holds_nobody_beyond_the_limit_on_time() {
    let hosts = Hosts::new(Folder::with("endless.stb", ENDLESS), 2);
    let command = format!("check endless.stb {PLAIN} --property small --timeout 5");
    let second = hosts.start(2, &command);
    let began = Instant::now();
    let first = hosts.start(1, &command);
    second.until("searches");
    second.signal("-STOP");
    let (status, object) = first.object();
    let took = began.elapsed();
    second.signal("-KILL");
    assert_eq!(status, Some(1), "{object}");
    let why = why(&object, "small");
    let named = "the time limit was reached when process 2 of 2 had said nothing for ";
    assert!(why.starts_with(named), "{why}");
    assert!(took < LONGEST, "{took:?}");
}

/// The endless search of two processes, of which the first has started the second, once both have met.
#[cfg(target_os = "linux")]
struct Two {
    _folder: Folder,
    first: Child,
    second: u32,
}

#[cfg(target_os = "linux")]
impl Two {
    fn start() -> Two {
        let folder = Folder::with("endless.stb", ENDLESS);
        let first = Command::new(env!("CARGO_BIN_EXE_stubborn"))
            .args([
                "check",
                "endless.stb",
                "--format",
                "json",
                "--property",
                "small",
            ])
            .args(["--processes", "2", "--threads", "1"])
            .args(PLAIN.split_whitespace())
            .current_dir(folder.path("."))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let of_first = |what: &str| {
            let tasks = fs::read_dir(format!("/proc/{}/task", first.id())).expect("it runs");
            let files = tasks.flatten().map(|task| task.path().join(what));
            files
                .map(|file| fs::read_to_string(file).unwrap_or_default())
                .collect::<String>()
        };
        // A process has workers once it has met the others.
        eventually(|| of_first("comm").contains("worker 0"));
        let second = of_first("children").trim().parse().expect("one child");
        Two {
            _folder: folder,
            first,
            second,
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn how_a_process_has_ended_is_told_where_the_first_one_has_started_it() {
    let two = Two::start();
    signal(two.second, "-KILL");
    let out = two.first.wait_with_output().expect("it ends");
    let object: Value = serde_json::from_slice(&out.stdout).expect("one JSON object");
    assert_eq!(out.status.code(), Some(1), "{object}");
    let killed = "process 2 of 2 has ended before the others were done: signal: 9 (SIGKILL)";
    assert_eq!(why(&object, "small"), killed);
}

/// A signal ends the first process at once, as Ctrl-C does where that is not ignored by whoever runs the tests; and whoever
/// stands still would see that when somebody lets it go on.
#[cfg(target_os = "linux")]
#[test]
fn nobody_is_left_behind_by_a_signal_even_where_it_stands_still() {
    let mut two = Two::start();
    signal(two.second, "-STOP");
    signal(two.first.id(), "-TERM");
    let status = two.first.wait().expect("it ends");
    assert_eq!(status.code(), None, "by the signal");
    eventually(|| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", two.second));
        // Somebody has still to ask how it has ended, who is not in a hurry.
        stat.map_or(true, |stat| stat.contains(") Z "))
    });
}

#[cfg(unix)]
#[test]
fn a_process_whose_first_one_has_ended_already_does_not_look_for_it() {
    let folder = Folder::with("grid.stb", GRID);
    // Of no process that there is this one is started.
    let told = format!("1 {} 127.0.0.1:1 0", "00".repeat(16));
    let ended = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(["check", "grid.stb", "--processes", "2"])
        .env("STUBBORN_PROCESS", told)
        .current_dir(folder.path("."))
        .stdin(Stdio::null())
        .output()
        .expect("the program runs");
    assert_eq!(ended.status.code(), Some(1));
    assert_eq!((&ended.stdout[..], &ended.stderr[..]), (&b""[..], &b""[..]));
}

#[test]
fn who_never_comes_is_named() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    let command = format!("check grid.stb {PLAIN} --property small --timeout 6");
    let (status, object) = hosts.start(1, &command).object();
    assert_eq!(status, Some(1), "{object}");
    let why = why(&object, "small");
    assert!(why.contains("process 2 of 2 has not come in time"), "{why}");
}

#[test]
fn a_process_with_another_text_is_refused() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    fs::write(
        hosts.folder.path("other.stb"),
        format!("{GRID}\nvar more: bool"),
    )
    .expect("a file");
    let second = hosts.start(2, &format!("check other.stb {PLAIN} --property small"));
    let command = format!("check grid.stb {PLAIN} --property small");
    let (status, object) = hosts.start(1, &command).object();
    assert_eq!(status, Some(1), "{object}");
    let why = why(&object, "small");
    assert!(
        why.contains("process 2 of 2 was given other texts or options"),
        "{why}"
    );
    let (status, _) = second.end();
    assert_eq!(status, Some(1));
}

#[test]
fn what_is_not_said_by_a_process_of_the_same_command_is_not_believed() {
    // What this test sends comes from the second host's address.
    let places = vec![place(), place_at("127.0.0.1")];
    let hosts = Hosts::at(Folder::with("grid.stb", GRID), places);
    let command = format!("check grid.stb {PLAIN} --property small");
    let first = hosts.start(1, &command);
    let until = Instant::now() + LONGEST;
    let mut stream = loop {
        match TcpStream::connect(&hosts.places[0]) {
            Ok(stream) => break stream,
            Err(_) => assert!(Instant::now() < until, "nobody listens"),
        }
    };
    // Who is refused may see that before all is written.
    let _ = stream.write_all(&[0x5a; 4096]);
    let _ = stream.read(&mut [0]);
    let second = hosts.start(2, &command);
    let (status, object) = first.object();
    assert_eq!(status, Some(0), "{object}");
    assert_eq!(property(&object, "small")["verdict"], "holds");
    assert_eq!(second.end().0, Some(0));
}

#[test]
fn a_host_that_is_named_twice_is_refused() {
    let folder = Folder::with("grid.stb", GRID);
    let lines = "127.0.0.1:7401\n127.0.0.1:7402\n127.0.0.1:7401  # again\n";
    fs::write(folder.path("hosts"), lines).expect("a file");
    let (status, object) = folder.json("check grid.stb --hosts hosts --process 1");
    assert_eq!(status, 3);
    let told = "`hosts` names 127.0.0.1:7401 twice, where two processes cannot both listen; another port would mend it";
    assert!(object.to_string().contains(told), "{object}");
}

#[test]
fn a_port_that_is_taken_is_told() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    let _taken = TcpListener::bind(&hosts.places[0]).expect("it is free");
    let (status, object) = hosts.start(1, "check grid.stb").object();
    assert_eq!(status, Some(3), "{object}");
    assert!(object.to_string().contains("the port is taken"), "{object}");
    let _taken = TcpListener::bind(&hosts.places[1]).expect("it is free");
    // The others log that.
    let second = hosts.start(2, "check grid.stb");
    second.until("the port is taken");
    assert_eq!(second.end(), (Some(3), String::new()));
}

#[test]
fn a_state_space_that_one_process_has_no_memory_for_is_decided_by_two() {
    let text = GRID.replace("11", "24").replace("< 44", "< 96");
    let folder = Folder::with("grid.stb", &text);
    // Half of it the program has for itself.
    let command = format!("explore grid.stb {PLAIN} --threads 1 --max-memory 10M");
    let (status, object) = folder.json(&command);
    assert_eq!(status, 2, "{object}");
    let (status, object) = folder.json(&format!("{command} --processes 2"));
    assert_eq!(status, 0, "{object}");
    assert_eq!(object["states"], 25_u64.pow(4));
    // So is what only the last state violates, with a run that all put together.
    let command = format!("check grid.stb {PLAIN} --property not_all --threads 1 --max-memory 12M");
    let (status, object) = folder.json(&command);
    assert_eq!(status, 2, "{object}");
    let (status, object) = folder.json(&format!("{command} --processes 2"));
    assert_eq!(status, 1, "{object}");
    assert_eq!(steps(property(&object, "not_all")), 96, "{object}");
}
