//! The real server, and what it has told.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::Result;

/// Nothing takes as long on a machine that works.
const PATIENCE: Duration = Duration::from_secs(60);

/// A client of a server of its own.
pub struct Server {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    /// By file: what was published last.
    published: HashMap<String, Value>,
    /// By file: how its properties stand.
    told: HashMap<String, Value>,
    /// The searches of which it was told how far they came, and not that they have ended.
    running: BTreeSet<String>,
}

impl Server {
    /// With further settings for its checks.
    pub fn start(check: &Value) -> Result<Server> {
        let program = program()?;
        let mut child = Command::new(&program)
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let program = program.display();
                format!("{program} cannot be started ({error}); build it first")
            })?;
        let input = child.stdin.take().ok_or("no input")?;
        let output = child.stdout.take().ok_or("no output")?;
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut server = Server {
            child,
            input,
            messages,
            published: HashMap::new(),
            told: HashMap::new(),
            running: BTreeSet::new(),
        };
        // What is measured is how long a proof takes, not how long a limit is.
        let mut settings = json!({"budget": 0});
        for (name, value) in check.as_object().into_iter().flatten() {
            settings[name] = value.clone();
        }
        server.send(&json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {
                "capabilities": {"window": {"workDoneProgress": true}},
                "initializationOptions": {
                    "tellVerdicts": true,
                    "check": settings,
                    // What another run has found is not to be known.
                    "cache": {"enabled": false},
                },
            },
        }))?;
        while server.hear()?["id"] != 1 {}
        server.notify("initialized", &json!({}))?;
        Ok(server)
    }

    pub fn notify(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// Waits until it is so that the server has told this.
    pub fn wait(&mut self, this: &str, is_so: impl Fn(&Server) -> bool) -> Result<()> {
        while !is_so(self) {
            let heard = self.hear();
            heard.map_err(|error| format!("waiting for {this}: {error}"))?;
        }
        Ok(())
    }

    /// What is wrong with this version of a text, once that was published.
    pub fn published(&self, uri: &str, version: usize) -> Option<&Vec<Value>> {
        let published = self.published.get(uri)?;
        let is_of_it = published["version"] == version;
        published["diagnostics"].as_array().filter(|_| is_of_it)
    }

    /// The properties of a file.
    pub fn properties(&self, uri: &str) -> &[Value] {
        let properties = self.told.get(uri).map(|told| &told["properties"]);
        let properties = properties.and_then(Value::as_array);
        properties.map_or(&[], Vec::as_slice)
    }

    /// Whether all that was to be found out of a file was found out.
    pub fn is_done(&self, uri: &str) -> bool {
        let is_idle = |told: &Value| told["checking"] == false;
        let mut properties = self.properties(uri).iter();
        self.told.get(uri).is_some_and(is_idle) && !properties.any(|one| one["verdict"].is_null())
    }

    pub fn is_searching(&self) -> bool {
        !self.running.is_empty()
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let body = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        Ok(self.input.flush()?)
    }

    /// The next message, when what it says is remembered.
    fn hear(&mut self) -> Result<Value> {
        let message = self.messages.recv_timeout(PATIENCE);
        let mut message = message.map_err(|_| "the server has ended, or says nothing")?;
        if !message["id"].is_null() && !message["method"].is_null() {
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": null}))?;
            return Ok(message);
        }
        let params = message["params"].take();
        match message["method"].as_str() {
            Some("textDocument/publishDiagnostics") => {
                self.published.insert(word(&params["uri"]), params);
            }
            Some("stubborn/verdicts") => {
                self.told.insert(word(&params["uri"]), params);
            }
            Some("$/progress") => {
                let token = word(&params["token"]);
                match params["value"]["kind"] == "end" {
                    true => self.running.remove(&token),
                    false => self.running.insert(token),
                };
            }
            _ => {}
        }
        Ok(message)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It ends by itself with its input; this is for one that hangs.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn word(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What is to be measured.
fn program() -> Result<PathBuf> {
    let of_tests = option_env!("CARGO_BIN_EXE_stubborn");
    Ok(match (std::env::var_os("STUBBORN"), of_tests) {
        (Some(program), _) => PathBuf::from(program),
        // A test of this program has its server built for it.
        (None, Some(program)) => PathBuf::from(program),
        (None, None) => {
            let mut program = std::env::current_exe()?;
            program.pop();
            program.pop();
            program.join(format!("stubborn{}", std::env::consts::EXE_SUFFIX))
        }
    })
}

fn read(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(given) => length = given.parse().ok()?,
            None if line.trim().is_empty() => break,
            None => {}
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
