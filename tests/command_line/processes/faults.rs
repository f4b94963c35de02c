//! Processes that are lost while all search.

#[cfg(target_os = "linux")]
use std::fs;
#[cfg(target_os = "linux")]
use std::process::{Child, Command, Stdio};
use std::time::Instant;

#[cfg(target_os = "linux")]
use serde_json::Value;

use super::super::folder::{Folder, property};
use super::rig::{Hosts, why};
#[cfg(target_os = "linux")]
use super::rig::{eventually, signal};
use super::{ENDLESS, GRID, LONGEST, PLAIN};

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
    second.until("searches for the path");
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
    second.until("answers a question about all states");
    second.signal("-KILL");
    let (_, object) = first.object();
    assert_ne!(property(&object, "back")["verdict"], "violated", "{object}");
}

#[test]
fn a_process_that_stands_still_holds_nobody_beyond_the_limit_on_time() {
    let hosts = Hosts::new(Folder::with("endless.stb", ENDLESS), 2);
    let command = format!("check endless.stb {PLAIN} --property small --timeout 15");
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
            .args(["cluster", "--processes", "2", "check", "endless.stb"])
            .args(["--format", "json", "--property", "small"])
            .args(["--threads", "1"])
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
