//! How long a person waits: from a key to what is known of the text, and from saving a model to its
//! first and its last verdict.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p stubborn --example save_to_verdict
//! ```
//!
//! Starts the real server, opens Peterson's algorithm for three customers, once in statements and
//! once with a transition for each case, and 50 times (or as often as the second argument says) makes
//! an edit that gives another System, in what every property depends on; saves, and waits for the
//! verdicts. Only a proof counts, not word that a limit was reached. The clock runs outside the
//! server's process, until its message has been read. Fails if a median until the first verdict is
//! above the given number of milliseconds (300, or the first argument).
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
/// What is edited: a wider type is another System with as many states.
const EDITED: &str = "var gate: array[Id] of 0..N-1";

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let argument = |at| {
        std::env::args()
            .nth(at)
            .and_then(|given| given.parse().ok())
    };
    let limit = Duration::from_millis(argument(1).unwrap_or(300));
    let saves = argument(2).map_or(SAVES, |saves| saves as usize).max(1);
    let mut is_fast = true;
    for (name, model) in MODELS {
        let Measured {
            mut keys,
            mut first,
            mut last,
            states,
        } = match measure(name, model, saves) {
            Ok(measured) => measured,
            Err(error) => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        println!("{name}, {states} states, {saves} saves");
        println!(
            "    key to what is known of the text: {}",
            figures(&mut keys)
        );
        println!(
            "    save to first verdict:            {}",
            figures(&mut first)
        );
        println!(
            "    save to last verdict:             {}",
            figures(&mut last)
        );
        if first[(saves - 1) / 2] > limit {
            eprintln!("{name}: the median until the first verdict is above {limit:?}");
            is_fast = false;
        }
    }
    if is_fast {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// "median 4.1 ms, 10% 3.9 ms, 90% 5.0 ms, worst 7.2 ms", and sorts the times.
fn figures(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let at = |part: usize| times[(times.len() - 1) * part / 100].as_secs_f64() * 1000.0;
    format!(
        "median {:.1} ms, 10% {:.1} ms, 90% {:.1} ms, worst {:.1} ms",
        at(50),
        at(10),
        at(90),
        at(100)
    )
}

pub struct Measured {
    pub keys: Vec<Duration>,
    pub first: Vec<Duration>,
    pub last: Vec<Duration>,
    /// How many the last search went through.
    pub states: u64,
}

/// A folder that goes when the program ends.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

pub fn measure(name: &str, model: &str, saves: usize) -> Result<Measured> {
    let folder = std::env::temp_dir().join(format!("stubborn-saves-{}", std::process::id()));
    let folder = Folder(folder);
    std::fs::create_dir_all(&folder.0)?;
    let file = folder.0.join(name);
    std::fs::write(&file, model)?;
    let uri = format!("file://{}", file.display());

    let mut server = Server::start()?;
    server.send(&json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"capabilities": {}, "initializationOptions": {
            "tellVerdicts": true,
            // What another run has found is not to be known.
            "cache": {"enabled": false},
        }},
    }))?;
    while server.receive()?["id"] != 1 {}
    server.notify("initialized", json!({}))?;
    let document = json!({"uri": uri, "languageId": "stubborn", "version": 0, "text": model});
    server.notify("textDocument/didOpen", json!({"textDocument": document}))?;
    server.wait_until(|told| told["checking"] == false && has_verdict(told))?;

    let mut measured = Measured {
        keys: Vec::new(),
        first: Vec::new(),
        last: Vec::new(),
        states: 0,
    };
    for save in 1..=saves {
        let text = model.replace(EDITED, &format!("{EDITED} + {save}"));
        if text == model {
            return Err(format!("`{EDITED}` is not in {name}").into());
        }
        let start = Instant::now();
        server.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": save}, "contentChanges": [{"text": text}]}),
        )?;
        server.wait_until(|told| told["version"] == save && !has_verdict(told))?;
        measured.keys.push(start.elapsed());
        std::fs::write(&file, &text)?;
        let start = Instant::now();
        server.notify(
            "textDocument/didSave",
            json!({"textDocument": {"uri": uri}}),
        )?;
        server.wait_until(|told| told["version"] == save && has_verdict(told))?;
        measured.first.push(start.elapsed());
        server.wait_until(|told| told["version"] == save && told["checking"] == false)?;
        measured.last.push(start.elapsed());
    }
    let properties = server.told["properties"].as_array();
    let states = properties
        .into_iter()
        .flatten()
        .filter_map(|one| one["states"].as_u64());
    measured.states = states.max().unwrap_or(0);
    Ok(measured)
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
        let program = match (
            std::env::var_os("STUBBORN"),
            option_env!("CARGO_BIN_EXE_stubborn"),
        ) {
            (Some(program), _) => PathBuf::from(program),
            // A test of this program has its server built for it.
            (None, Some(program)) => PathBuf::from(program),
            (None, None) => {
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
