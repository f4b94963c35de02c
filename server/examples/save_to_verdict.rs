//! How long a person waits, from saving a model to its first verdict.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p stubborn --example save_to_verdict
//! ```
//!
//! Starts the real server, opens Peterson's algorithm for three customers, once in statements and
//! once with a transition for each case, and 50 times makes an edit that gives another System,
//! saves, and waits for the first verdict. Only a proof counts, not word that a limit was reached.
//! The clock runs outside the server's process, from the save until its message with the verdict
//! has been read. Fails if a median is above the given number of milliseconds (300, or the first
//! argument).
//!
//! The server is `stubborn` beside the folder of this program (`target/release/stubborn`), or what
//! the variable `STUBBORN` names.

use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const MODELS: [(&str, &str); 2] = [
    ("peterson.stb", include_str!("../../examples/peterson.stb")),
    (
        "peterson_correct.stb",
        include_str!("../../examples/peterson_correct.stb"),
    ),
];
const SAVES: usize = 50;
const URI: &str = "untitled:peterson.stb";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let limit = std::env::args()
        .nth(1)
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(300);
    let mut is_fast = true;
    for (name, model) in MODELS {
        let (mut times, states) = match measure(model) {
            Ok(measured) => measured,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        times.sort_unstable();
        let at = |part: usize| times[(times.len() - 1) * part / 100];
        println!(
            "{name}, {states} states, {SAVES} saves, save to first verdict: \
             median {:.1} ms, 10% {:.1} ms, 90% {:.1} ms, worst {:.1} ms",
            milliseconds(at(50)),
            milliseconds(at(10)),
            milliseconds(at(90)),
            milliseconds(at(100)),
        );
        if at(50) > Duration::from_millis(limit) {
            eprintln!("{name}: the median is above {limit} ms");
            is_fast = false;
        }
    }
    if is_fast {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// The times, and how many states the last search went through.
fn measure(model: &str) -> Result<(Vec<Duration>, u64)> {
    let mut server = Server::start()?;
    server.send(&json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"capabilities": {}, "initializationOptions": {"tellVerdicts": true}},
    }))?;
    while server.receive()?["id"] != 1 {}
    server.notify("initialized", json!({}))?;
    let document = json!({"uri": URI, "languageId": "stubborn", "version": 0, "text": model});
    server.notify("textDocument/didOpen", json!({"textDocument": document}))?;
    server.wait_until(|told| told["checking"] == false && has_verdict(told))?;

    let mut times = Vec::new();
    for save in 1..=SAVES {
        // Another value at first is another System, of much the same size.
        let text = format!("{model}\nvar turn{save}: 0..{save} = {save}\n");
        server.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": URI, "version": save}, "contentChanges": [{"text": text}]}),
        )?;
        server.wait_until(|told| told["version"] == save && !has_verdict(told))?;
        let start = Instant::now();
        server.notify(
            "textDocument/didSave",
            json!({"textDocument": {"uri": URI}}),
        )?;
        server.wait_until(|told| told["version"] == save && has_verdict(told))?;
        times.push(start.elapsed());
        server.wait_until(|told| told["version"] == save && told["checking"] == false)?;
    }
    let properties = server.told["properties"].as_array();
    let states = properties
        .into_iter()
        .flatten()
        .filter_map(|one| one["states"].as_u64());
    Ok((times, states.max().unwrap_or(0)))
}

/// Whether something is proved or refuted.
fn has_verdict(told: &Value) -> bool {
    told["properties"].as_array().is_some_and(|properties| {
        properties
            .iter()
            .any(|one| one["verdict"] == "holds" || one["verdict"] == "violated")
    })
}

struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// What was told last of the verdicts, which the next wait begins with.
    told: Value,
}

impl Server {
    fn start() -> Result<Server> {
        let program = match std::env::var_os("STUBBORN") {
            Some(program) => PathBuf::from(program),
            None => {
                let mut program = std::env::current_exe()?;
                program.pop();
                program.pop();
                program.join(format!("stubborn{}", std::env::consts::EXE_SUFFIX))
            }
        };
        let mut child = Command::new(&program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                format!(
                    "{} cannot be started ({error}); build it first",
                    program.display()
                )
            })?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = BufReader::new(child.stdout.take().ok_or("no output")?);
        Ok(Server {
            child,
            input,
            output,
            told: Value::Null,
        })
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.input.flush()?)
    }

    fn notify(&mut self, method: &str, params: Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn receive(&mut self) -> Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err("the server has ended".into());
            }
            match line.trim().strip_prefix("Content-Length: ") {
                Some(given) => length = given.parse()?,
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut body = vec![0; length];
        std::io::Read::read_exact(&mut self.output, &mut body)?;
        Ok(serde_json::from_slice(&body)?)
    }

    /// Waits until what is told of the verdicts `is_it`.
    fn wait_until(&mut self, is_it: impl Fn(&Value) -> bool) -> Result<()> {
        while !is_it(&self.told) {
            let message = self.receive()?;
            if message["method"] == "stubborn/verdicts" {
                self.told = message["params"].clone();
            }
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself with its input; this is for one that hangs.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
