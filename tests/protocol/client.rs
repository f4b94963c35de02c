//! A small editor: it speaks the protocol with the real program and remembers all that it is told.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Nothing takes as long on a machine that works.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// What the server has said of its own accord, in order.
    pub heard: Vec<Value>,
    /// Where in `heard` the last wait began to look.
    mark: usize,
    answers: HashMap<u64, Value>,
    next: u64,
    versions: HashMap<String, i64>,
    pub capabilities: Value,
    /// What its user has set, for when the server asks.
    pub settings: Value,
    pub folder: Folder,
    /// What the server keeps for the next one; each client has its own.
    pub cache: Folder,
}

/// A folder that goes when the last who has it does.
#[derive(Clone)]
pub struct Folder(Arc<Place>);

struct Place(PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stubborn-protocol-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).expect("a folder");
        let path = path.canonicalize().expect("a folder");
        Folder(Arc::new(Place(path)))
    }

    pub fn path(&self) -> &Path {
        &self.0.0
    }

    /// At once: whoever reads it meanwhile has the text before or this one, never a part.
    pub fn write(&self, name: &str, text: &str) {
        let whole = self.path().join(name);
        let part = whole.with_extension("part");
        std::fs::write(&part, text).expect("a file");
        std::fs::rename(&part, &whole).expect("a file");
    }

    /// The URI of a file in it.
    pub fn uri(&self, name: &str) -> String {
        format!("file://{}", self.path().join(name).display())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

impl Client {
    /// A client that wants all that the server has to tell.
    pub fn start() -> Client {
        Client::start_in(Folder::new(), json!({}), json!({}))
    }

    pub fn start_with(options: Value) -> Client {
        Client::start_in(Folder::new(), options, json!({}))
    }

    /// `capabilities` come before those that every client here has.
    pub fn start_in(folder: Folder, options: Value, capabilities: Value) -> Client {
        Client::start_as(folder, &[], options, capabilities)
    }

    /// The same, the server being started with these arguments.
    pub fn start_as(
        folder: Folder,
        arguments: &[&str],
        options: Value,
        capabilities: Value,
    ) -> Client {
        Client::start_knowing(Folder::new(), folder, arguments, options, capabilities)
    }

    /// The same, the server knowing what another one has kept in this cache.
    pub fn start_knowing(
        cache: Folder,
        folder: Folder,
        arguments: &[&str],
        options: Value,
        capabilities: Value,
    ) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stubborn"))
            .arg("lsp")
            .args(arguments)
            // Wherever a system keeps what can be made again, it is here.
            .env("XDG_CACHE_HOME", cache.path())
            .env("HOME", cache.path())
            .env("LOCALAPPDATA", cache.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("an output");
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut client = Client {
            child,
            input,
            messages,
            heard: Vec::new(),
            mark: 0,
            answers: HashMap::new(),
            next: 0,
            versions: HashMap::new(),
            capabilities: Value::Null,
            settings: Value::Null,
            folder,
            cache,
        };
        client.initialize(options, capabilities);
        client
    }

    fn initialize(&mut self, options: Value, capabilities: Value) {
        let mut all = json!({
            "window": {"workDoneProgress": true},
            "textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}},
        });
        merge(&mut all, capabilities);
        // A machine that is held up for the two seconds of the setting is nothing to test.
        let mut given = json!({"tellVerdicts": true, "check": {"budget": 60}});
        merge(&mut given, options);
        let root = format!("file://{}", self.folder.path().display());
        let answer = self.request(
            "initialize",
            json!({
                "processId": std::process::id(),
                "rootUri": root,
                "workspaceFolders": [{"uri": root, "name": "models"}],
                "capabilities": all,
                "initializationOptions": given,
            }),
        );
        self.capabilities = answer.expect("capabilities")["capabilities"].clone();
        self.notify("initialized", json!({}));
    }

    /// The server's process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    pub fn uri(&self, name: &str) -> String {
        self.folder.uri(name)
    }

    fn send(&mut self, message: &Value) {
        self.send_text(&message.to_string());
    }

    /// Sends what may be no message.
    pub fn send_text(&mut self, body: &str) {
        self.send_bytes(&format!("Content-Length: {}\r\n\r\n{body}", body.len()));
    }

    /// Sends what may have no true head.
    pub fn send_bytes(&mut self, bytes: &str) {
        let input = self.input.as_mut().expect("an open input");
        input
            .write_all(bytes.as_bytes())
            .and_then(|()| input.flush())
            .expect("the server reads");
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and does not wait.
    pub fn ask(&mut self, method: &str, params: Value) -> u64 {
        self.next += 1;
        let id = self.next;
        let mut message = json!({"jsonrpc": "2.0", "id": id, "method": method});
        if !params.is_null() {
            message["params"] = params;
        }
        self.send(&message);
        id
    }

    /// Waits for the answer to a request.
    pub fn answer(&mut self, id: u64) -> Result<Value, Value> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return match answer.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(answer["result"].clone()),
                };
            }
            assert!(self.listen(deadline), "no answer to request {id}");
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.ask(method, params);
        self.answer(id)
    }

    /// Takes in one message. False once the time is over or the server has gone.
    fn listen(&mut self, deadline: Instant) -> bool {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(message) = self.messages.recv_timeout(left) else {
            return false;
        };
        match (message.get("method"), message.get("id")) {
            (Some(_), Some(id)) => {
                let result = match message["method"].as_str() {
                    Some("workspace/configuration") => json!([self.settings]),
                    _ => Value::Null,
                };
                let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
                self.send(&answer);
                self.heard.push(message);
            }
            (Some(_), None) => self.heard.push(message),
            (None, _) => {
                if let Some(id) = message["id"].as_u64() {
                    self.answers.insert(id, message);
                }
            }
        }
        true
    }

    /// Forgets what was heard until now: what is waited for next must come after.
    pub fn look_ahead(&mut self) {
        while self.listen(Instant::now()) {}
        self.mark = self.heard.len();
    }

    /// Waits for a message with this method that `is_it`, among those since [`Client::look_ahead`].
    pub fn wait_for(&mut self, method: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let deadline = Instant::now() + PATIENCE;
        let mut at = self.mark;
        loop {
            while let Some(message) = self.heard.get(at) {
                if message["method"] == method && is_it(&message["params"]) {
                    return message["params"].clone();
                }
                at += 1;
            }
            if !self.listen(deadline) {
                let heard = &self.heard[self.mark..];
                panic!("waited for {method} in vain; heard {heard:#?}");
            }
        }
    }

    /// Waits until all that was heard is so.
    pub fn wait_until(&mut self, is_so: impl Fn(&[Value]) -> bool) {
        let deadline = Instant::now() + PATIENCE;
        while !is_so(&self.heard) {
            if !self.listen(deadline) {
                let lately = &self.heard[self.mark..];
                panic!("waited in vain; heard {lately:#?}");
            }
        }
    }

    /// Opens a file, which is on the disk with this text if it was not there with another.
    pub fn open(&mut self, name: &str, text: &str) -> String {
        if !self.folder.path().join(name).exists() {
            self.folder.write(name, text);
        }
        let uri = self.uri(name);
        self.open_uri(&uri, text);
        uri
    }

    pub fn open_uri(&mut self, uri: &str, text: &str) {
        self.open_as(uri, 1, text);
    }

    /// Opens a file as its next version, so that no version ever has two texts.
    pub fn open_again(&mut self, uri: &str, text: &str) {
        let version = self.versions.get(uri).map_or(1, |last| last + 1);
        self.open_as(uri, version, text);
    }

    fn open_as(&mut self, uri: &str, version: i64, text: &str) {
        self.versions.insert(uri.to_owned(), version);
        self.notify(
            "textDocument/didOpen",
            json!({"textDocument": {"uri": uri, "languageId": "stubborn", "version": version, "text": text}}),
        );
    }

    /// Sends changes as the protocol writes them.
    pub fn change(&mut self, uri: &str, changes: Value) {
        let version = self.versions.get_mut(uri).expect("an open file");
        *version += 1;
        let version = *version;
        self.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": version}, "contentChanges": changes}),
        );
    }

    pub fn replace_all(&mut self, uri: &str, text: &str) {
        self.change(uri, json!([{"text": text}]));
    }

    pub fn save(&mut self, uri: &str) {
        self.notify(
            "textDocument/didSave",
            json!({"textDocument": {"uri": uri}}),
        );
    }

    pub fn close(&mut self, uri: &str) {
        self.notify(
            "textDocument/didClose",
            json!({"textDocument": {"uri": uri}}),
        );
    }

    pub fn version(&self, uri: &str) -> i64 {
        self.versions[uri]
    }

    /// Waits until the properties of an open file have their verdicts, for the text as it is now, and
    /// gives these by name.
    pub fn verdicts(&mut self, uri: &str) -> HashMap<String, String> {
        let version = self.version(uri);
        let told = self.wait_for("stubborn/verdicts", |params| {
            let properties = params["properties"].as_array().expect("properties");
            params["uri"] == uri
                && params["version"] == version
                && params["checking"] == false
                && !properties.is_empty()
                && properties
                    .iter()
                    .all(|property| !property["verdict"].is_null())
        });
        let properties = told["properties"].as_array().expect("properties");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        properties
            .iter()
            .map(|one| (text(&one["name"]), text(&one["verdict"])))
            .collect()
    }

    /// Waits until something is published of a file that `is_it`.
    pub fn published(&mut self, uri: &str, is_it: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let told = self.wait_for("textDocument/publishDiagnostics", |params| {
            params["uri"] == uri && is_it(params["diagnostics"].as_array().expect("diagnostics"))
        });
        told["diagnostics"].as_array().expect("diagnostics").clone()
    }

    /// Waits until something is published of an open file as it is now that `is_it`.
    pub fn published_now(&mut self, uri: &str, is_it: impl Fn(&[Value]) -> bool) -> Vec<Value> {
        let version = self.version(uri);
        let told = self.wait_for("textDocument/publishDiagnostics", |params| {
            params["uri"] == uri
                && params["version"] == version
                && is_it(params["diagnostics"].as_array().expect("diagnostics"))
        });
        told["diagnostics"].as_array().expect("diagnostics").clone()
    }

    /// The text of a file as the server has it.
    pub fn text(&mut self, uri: &str) -> String {
        let answer = self
            .request("stubborn/text", json!({"uri": uri}))
            .expect("a text");
        answer["text"].as_str().expect("a text").to_owned()
    }

    pub fn statistics(&mut self) -> Statistics {
        let answer = self
            .request("stubborn/statistics", Value::Null)
            .expect("figures");
        let figure = |name: &str| answer[name].as_u64().expect("a figure");
        Statistics {
            states: figure("states"),
            searches: figure("searches"),
            reused: figure("reused"),
            found_before: figure("found_before"),
            cancelled: figure("cancelled"),
            asides: figure("asides"),
        }
    }

    /// The hover at the first place of `text` where `what` stands, `within` characters into it.
    pub fn hover(&mut self, uri: &str, text: &str, what: &str) -> Option<String> {
        let answer = self.request(
            "textDocument/hover",
            json!({"textDocument": {"uri": uri}, "position": position(text, what)}),
        );
        let answer = answer.expect("an answer");
        answer["contents"]["value"].as_str().map(str::to_owned)
    }

    /// Says good-bye as the protocol wants it.
    pub fn leave(mut self) -> ExitStatus {
        self.request("shutdown", Value::Null).expect("an answer");
        self.notify("exit", Value::Null);
        self.child.wait().expect("a status")
    }

    /// How the server ends of its own accord.
    pub fn ended(mut self) -> ExitStatus {
        self.child.wait().expect("a status")
    }

    /// Ends the input without a word.
    pub fn vanish(mut self) -> ExitStatus {
        drop(self.input.take());
        self.child.wait().expect("a status")
    }

    /// Says `exit` and keeps the input open.
    pub fn exit_at_once(mut self) -> ExitStatus {
        self.notify("exit", Value::Null);
        self.child.wait().expect("a status")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistics {
    pub states: u64,
    pub searches: u64,
    pub reused: u64,
    pub found_before: u64,
    pub cancelled: u64,
    pub asides: u64,
}

/// The position, in UTF-16, of the first place where `what` stands.
pub fn position(text: &str, what: &str) -> Value {
    let at = text
        .find(what)
        .unwrap_or_else(|| panic!("`{what}` is not in the text"));
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}

/// What stands at a range of the protocol, in UTF-16.
pub fn text_at<'t>(text: &'t str, range: &Value) -> &'t str {
    let offset = |position: &Value| {
        let line = position["line"].as_u64().expect("a line") as usize;
        let unit = position["character"].as_u64().expect("a character") as usize;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let mut units = 0;
        let within = text[start..].char_indices().find(|(_, c)| {
            units += c.len_utf16();
            units > unit
        });
        start + within.map_or(text.len() - start, |(at, _)| at)
    };
    &text[offset(&range["start"])..offset(&range["end"])]
}

fn merge(into: &mut Value, from: Value) {
    match (into, from) {
        (Value::Object(into), Value::Object(from)) => {
            for (key, value) in from {
                merge(into.entry(key).or_insert(Value::Null), value);
            }
        }
        (into, from) => *into = from,
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some(given) = line.strip_prefix("Content-Length: ") {
            length = given.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
