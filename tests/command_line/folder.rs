//! A folder with models, and the program run in it.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// Two that may not be in `critical` at once, by a lock that is never looked at.
pub const BROKEN_LOCK: &str = "\
var free: bool = true
var entered: 0..2

process customer(i in 0..1) {
    initial state idle {
        when free                              -> entering
        -> stopped
    }
    state entering { do free = false           -> critical }
    state critical { do free = true            -> idle }
    final state stopped
}

invariant mutex: count(i in 0..1: customer(i)@critical) <= 1
invariant never_two: entered < 2
progress access(i in 0..1): may customer(i)@{critical, stopped}
";

/// The same with a test and its setting in one step.
pub const LOCK: &str = "\
param N: 2..4 = 2
var free: bool = true

process customer(i in 0..N-1) {
    initial state idle {
        when free do free = false              -> critical
        -> stopped
    }
    state critical { do free = true            -> idle }
    final state stopped
}

invariant mutex: count(i in 0..N-1: customer(i)@critical) <= 1
progress access(i in 0..N-1): may customer(i)@{critical, stopped}
";

/// Two who take two forks, each in the other's order.
pub const FORKS: &str = "\
var fork: array[0..1] of bool = [true, true]

process eater(i in 0..1) {
    initial state hungry { when fork[i] do fork[i] = false                 -> one }
    state one { when fork[1 - i] do fork[1 - i] = false                    -> both }
    state both { do fork[0] = true, fork[1] = true                         -> sated }
    final state sated
}
";

pub struct Folder {
    folder: TempDir,
}

/// What the program printed, and its exit status.
#[derive(Debug)]
pub struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Folder {
        Folder {
            folder: tempfile::tempdir().expect("a folder for the test"),
        }
    }

    pub fn with(name: &str, text: &str) -> Folder {
        Folder::new().and(name, text)
    }

    pub fn and(self, name: &str, text: &str) -> Folder {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a path in the folder")).expect("a folder");
        fs::write(path, text).expect("a file in the test's folder");
        self
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file in the test's folder")
    }

    /// Runs the program in the folder with these arguments, which have no blanks in them.
    pub fn run(&self, arguments: &str) -> Ran {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        self.run_with(&arguments)
    }

    pub fn run_with(&self, arguments: &[&str]) -> Ran {
        // What is told is not to depend on whether the machine was held up for half a second.
        let mut program = self.program(arguments);
        program.env("STUBBORN_PATIENCE", "600");
        ran(program.output().expect("the program runs"))
    }

    /// Runs the program, which tells what takes it long as it falls.
    pub fn run_as_verdicts_fall(&self, arguments: &str) -> Ran {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let output = self.program(&arguments).output();
        ran(output.expect("the program runs"))
    }

    pub fn program(&self, arguments: &[&str]) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_stubborn"));
        program
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS");
        program
    }

    /// Runs the program in the folder, which reads what is typed.
    pub fn run_typed(&self, arguments: &str, typed: &str) -> Ran {
        let arguments: Vec<&str> = arguments.split_whitespace().collect();
        let mut program = self
            .program(&arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut input = program.stdin.take().expect("its input");
        // What has quit reads no more.
        let _ = input.write_all(typed.as_bytes());
        drop(input);
        ran(program.wait_with_output().expect("the program ends"))
    }

    /// Runs the program, which prints one JSON object and nothing else.
    pub fn json(&self, arguments: &str) -> (i32, Value) {
        let ran = self.run(&format!("{arguments} --format json"));
        assert_eq!(ran.err, "", "nothing is said beside the object");
        let object = serde_json::from_str(&ran.out).expect("one JSON object");
        (ran.status, object)
    }
}

fn ran(output: Output) -> Ran {
    Ran {
        status: output.status.code().expect("no signal ends the program"),
        out: String::from_utf8(output.stdout).expect("text on standard output"),
        err: String::from_utf8(output.stderr).expect("text on standard error"),
    }
}

impl Ran {
    /// Both streams without what differs from run to run, for snapshots.
    pub fn shown(&self) -> String {
        let mut shown = String::new();
        // Where the time went is different each time.
        for line in self.out.lines().filter(|line| !line.starts_with("time ")) {
            shown.push_str(&without_seconds(line));
            shown.push('\n');
        }
        if !self.err.is_empty() {
            shown.push_str("--- on standard error\n");
            shown.push_str(&self.err);
        }
        shown.push_str(&format!("--- exit status {}\n", self.status));
        shown
    }
}

/// The line with `_ s` for the seconds that a search took.
fn without_seconds(line: &str) -> String {
    let Some(before) = line.strip_suffix(" s") else {
        return line.to_owned();
    };
    format!(
        "{}_ s",
        before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
    )
}

/// The property with this name.
pub fn property<'a>(object: &'a Value, name: &str) -> &'a Value {
    let properties = object["properties"]
        .as_array()
        .expect("a list of properties");
    let named = properties.iter().find(|property| property["name"] == name);
    named.unwrap_or_else(|| panic!("{name} is not among {}", names(object).join(", ")))
}

/// The names of the properties, in their order.
pub fn names(object: &Value) -> Vec<&str> {
    let properties = object["properties"]
        .as_array()
        .expect("a list of properties");
    properties
        .iter()
        .filter_map(|property| property["name"].as_str())
        .collect()
}
