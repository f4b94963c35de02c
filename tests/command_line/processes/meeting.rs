//! Who comes, and who is refused.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::process::{Command, Stdio};
use std::time::Instant;

use super::super::folder::{Folder, property};
use super::rig::{Hosts, place, place_at, why};
use super::{GRID, LONGEST, PLAIN};

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
fn a_process_that_is_killed_before_all_have_come_is_named() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 3);
    let command = format!("check grid.stb {PLAIN} --property small --timeout 12");
    let second = hosts.start(2, &command);
    second.until("listens at");
    second.signal("-KILL");
    assert_eq!(second.end().0, None, "it was killed");
    let first = hosts.start(1, &command);
    let third = hosts.start(3, &command);
    let (status, object) = first.object();
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

#[cfg(unix)]
#[test]
fn a_process_whose_first_one_has_ended_already_does_not_look_for_it() {
    let folder = Folder::with("grid.stb", GRID);
    // Of no process that there is this one is started.
    let told = format!(
        r#"{{"process": 1, "secret": {:?}, "first": "127.0.0.1:1", "by": 0}}"#,
        [0; 16]
    );
    let ended = Command::new(env!("CARGO_BIN_EXE_stubborn"))
        .args(["cluster", "--processes", "2", "check", "grid.stb"])
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
fn a_process_with_other_limits_is_refused() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    let command = format!("check grid.stb {PLAIN} --property small");
    for other in ["--max-states 100", "--timeout 60", "--stop-at-first"] {
        let second = hosts.start(2, &format!("{command} {other}"));
        let (status, object) = hosts.start(1, &command).object();
        assert_eq!(status, Some(1), "{object}");
        let why = why(&object, "small");
        let differs = "process 2 of 2 was given other texts or options";
        assert!(why.contains(differs), "{other}: {why}");
        assert_eq!(second.end().0, Some(1));
    }
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
    let (status, object) = folder.json("cluster --hosts hosts --process 1 check grid.stb");
    assert_eq!(status, 3);
    let told = "`hosts` names 127.0.0.1:7401 twice, where two processes cannot both listen; write another port";
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
fn a_file_of_hosts_may_begin_with_a_mark_of_its_encoding() {
    let folder = Folder::with("grid.stb", GRID);
    fs::write(
        folder.path("hosts"),
        "\u{feff}127.0.0.1:7401\n127.0.0.1:0\n",
    )
    .expect("a file");
    let (status, object) = folder.json("cluster --hosts hosts --process 1 check grid.stb");
    assert_eq!(status, 3);
    let told = "`127.0.0.1:0` is 127.0.0.1:0, which no process can reach";
    assert!(object.to_string().contains(told), "{object}");
}

/// Nobody is to blame who has not come in no time.
#[test]
fn time_that_is_over_before_others_can_come_is_a_limit() {
    let folder = Folder::with("grid.stb", GRID);
    for command in ["check", "explore"] {
        let command = format!("cluster --processes 2 {command} grid.stb --timeout 0");
        let (status, object) = folder.json(&command);
        assert_eq!(status, 2, "{object}");
        let object = object.to_string();
        assert!(!object.contains("has not come"), "{object}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_may_open_no_more_files_says_so() {
    let hosts = Hosts::new(Folder::with("grid.stb", GRID), 2);
    let command = format!("check grid.stb {PLAIN} --property small");
    let told = "Too many open files (os error 24); raise the limit on open files (`ulimit -n`)";
    // Standard input, output and error, what it listens with twice: whoever is the second cannot connect,
    let second = hosts.start_with_files(5, 2, &command);
    second.until(told);
    assert_eq!(second.end().0, Some(1));
    // and with one more whoever is the first can be asked for nothing but orders.
    let second = hosts.start(2, &command);
    let (status, object) = hosts.start_with_files(6, 1, &command).object();
    assert_eq!(status, Some(1), "{object}");
    let why = why(&object, "small");
    assert!(why.ends_with(told), "{why}");
    assert_eq!(second.end().0, Some(1));
}
