//! Processes that a test starts, as somebody does on each of several machines.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
#[cfg(target_os = "linux")]
use std::time::Duration;
use std::time::Instant;

use serde_json::Value;

use super::super::folder::{Folder, property};
use super::LONGEST;

const PROGRAM: &str = env!("CARGO_BIN_EXE_stubborn");

/// Processes of a file of hosts, each at an address and a port of this machine.
pub struct Hosts {
    pub folder: Folder,
    pub places: Vec<String>,
}

/// One of them.
pub struct Host {
    child: Child,
    lines: Receiver<String>,
}

/// An address of this machine that nobody else uses, with a port: one that was free, and is given back, may still be there in
/// a process that somebody has just started.
#[cfg(target_os = "linux")]
pub fn place() -> String {
    static GIVEN: AtomicU32 = AtomicU32::new(0);
    let given = GIVEN.fetch_add(1, Relaxed);
    let [_, _, high, low] = std::process::id().to_be_bytes();
    format!("127.{}.{low}.{}:7401", 1 + high % 200, 1 + given % 200)
}

/// Elsewhere machines have one address of their own.
#[cfg(not(target_os = "linux"))]
pub fn place() -> String {
    place_at("127.0.0.1")
}

/// A port there that is free, and is none of those that are given to whoever asks for any: those begin at 32,768 or above.
pub fn place_at(address: &str) -> String {
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
    pub fn new(folder: Folder, many: usize) -> Hosts {
        Hosts::at(folder, (0..many).map(|_| place()).collect())
    }

    pub fn at(folder: Folder, places: Vec<String>) -> Hosts {
        fs::write(folder.path("hosts"), places.join("\n")).expect("a file");
        Hosts { folder, places }
    }

    pub fn start(&self, process: usize, command: &str) -> Host {
        self.starts(Command::new(PROGRAM), process, command)
    }

    /// One that may open so many files.
    #[cfg(target_os = "linux")]
    pub fn start_with_files(&self, many: usize, process: usize, command: &str) -> Host {
        let mut shell = Command::new("sh");
        // Whoever runs the tests may have left some open.
        let closed: String = (3..10).map(|file| format!(" {file}<&-")).collect();
        let limited = format!("exec{closed}; ulimit -n {many}; exec \"$0\" \"$@\"");
        shell.args(["-c", &limited, PROGRAM]);
        self.starts(shell, process, command)
    }

    fn starts(&self, mut program: Command, process: usize, command: &str) -> Host {
        let mut child = program
            .args(["cluster", "--hosts", "hosts"])
            .args(["--process", &process.to_string()])
            .args(command.split_whitespace())
            .args(["--threads", "1", "--format", "json"])
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

pub fn signal(process: u32, signal: &str) {
    let sent = Command::new("kill")
        .args([signal, &process.to_string()])
        .status();
    assert!(sent.expect("there is `kill`").success());
}

#[cfg(target_os = "linux")]
pub fn eventually(mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + LONGEST;
    while !is_so() {
        assert!(Instant::now() < until, "it never is");
        thread::park_timeout(Duration::from_millis(10));
    }
}

impl Host {
    /// Waits until it says something.
    pub fn until(&self, said: &str) -> String {
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

    pub fn signal(&self, what: &str) {
        signal(self.child.id(), what);
    }

    /// Its exit status, and what it has printed.
    pub fn end(mut self) -> (Option<i32>, String) {
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

    pub fn object(self) -> (Option<i32>, Value) {
        let (status, text) = self.end();
        (
            status,
            serde_json::from_str(&text).expect("one JSON object"),
        )
    }
}

pub fn why(object: &Value, name: &str) -> String {
    let property = property(object, name);
    assert_eq!(property["verdict"], "undecided", "{object}");
    property["why"].as_str().expect("a sentence").to_owned()
}
