//! Twenty files that are edited, saved, asked about and asked about in vain, at random: in the end the
//! server has the client's texts, says of them what a fresh server says, and holds no more memory than
//! before.
//!
//! A thousand events belong to the tests. For more, or others, with what memory they took and how long
//! hovers took while a search went on (measure that with `--release`):
//!
//! ```text
//! STUBBORN_EVENTS=10000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn --test whole_program -- --nocapture twenty_files
//! ```

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use stubborn_ide::database::{Contents, Database, Db, SourceFile, system, whole};

use super::checks::ENDLESS;
use super::client::{Client, Folder};
use super::set;
use super::synchronisation::Random;

const FILES: usize = 20;
/// Short, so that what an edit makes large does not keep others waiting; in seconds.
const BUDGET: f64 = 0.2;

/// A file as the client has it.
struct File {
    name: String,
    uri: String,
    /// As it is in the beginning.
    first: String,
    text: String,
}

struct World {
    client: Client,
    files: Vec<File>,
    random: Random,
    asked: Vec<u64>,
}

/// The examples, as often as it takes: each copy under a name of its own, testers with the name of
/// their model's copy in them.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut names: Vec<String> = fs::read_dir(folder.clone())
        .expect("the examples")
        .map(|entry| {
            entry
                .expect("a file")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .filter(|name| name.ends_with(".stb") || name.ends_with(".tester"))
        .collect();
    names.sort_unstable();
    let all = (0..FILES).map(|at| {
        let (name, copy) = (&names[at % names.len()], at / names.len());
        let text = fs::read_to_string(folder.join(name)).expect("a text");
        let text = text.replace(".stb\"", &format!("{copy}.stb\""));
        let (base, ending) = name.rsplit_once('.').expect("an ending");
        (format!("{base}{copy}.{ending}"), text)
    });
    all.collect()
}

impl World {
    fn new(seed: u64) -> World {
        let folder = Folder::new();
        for (name, text) in texts() {
            folder.write(&name, &text);
        }
        let options = json!({"check": {"budget": BUDGET}});
        let client = Client::start_in(folder, options, json!({}));
        let files = texts().into_iter().map(|(name, text)| File {
            uri: client.uri(&name),
            name,
            first: text.clone(),
            text,
        });
        let mut world = World {
            files: files.collect(),
            client,
            random: Random(seed),
            asked: Vec::new(),
        };
        for at in 0..FILES {
            let file = &world.files[at];
            world.client.open_uri(&file.uri, &file.text);
        }
        world
    }

    fn event(&mut self) {
        let at = self.random.below(FILES);
        match self.random.below(10) {
            0..=3 => self.edit(at),
            4 => {
                let file = &mut self.files[at];
                file.text = file.first.clone();
                self.client.replace_all(&file.uri, &file.text);
            }
            5 => self.save(at),
            6..=7 => self.ask("textDocument/hover", at),
            8 => self.ask("textDocument/completion", at),
            _ => {
                if let Some(id) = self.asked.pop() {
                    self.client.notify("$/cancelRequest", json!({"id": id}));
                }
            }
        }
    }

    /// One character goes, or one comes: most texts keep no meaning for long.
    fn edit(&mut self, at: usize) {
        let file = &mut self.files[at];
        let start = self.random.below(file.text.len());
        let start = boundary(&file.text, start);
        let end = boundary(&file.text, start + self.random.below(2));
        let new = ["", "1", "x", " ", "\n", "{", "// "][self.random.below(7)];
        let range = json!({"start": place(&file.text, start), "end": place(&file.text, end)});
        file.text.replace_range(start..end, new);
        let change = json!([{"range": range, "text": new}]);
        self.client.change(&file.uri, change);
    }

    fn save(&mut self, at: usize) {
        let file = &self.files[at];
        self.client.folder.write(&file.name, &file.text);
        self.client.save(&file.uri);
    }

    /// Asks about a place, and waits for nothing.
    fn ask(&mut self, method: &str, at: usize) {
        let asked = self.place(at);
        let id = self.client.ask(method, asked);
        self.asked.push(id);
    }

    fn place(&mut self, at: usize) -> Value {
        let file = &self.files[at];
        let offset = self.random.below(file.text.len());
        let position = place(&file.text, boundary(&file.text, offset));
        json!({"textDocument": {"uri": file.uri}, "position": position})
    }

    /// All texts as they were in the beginning.
    fn restore(&mut self) {
        for file in &mut self.files {
            file.text = file.first.clone();
            self.client.replace_all(&file.uri, &file.text);
        }
    }

    /// Saves everything, and waits until it has been checked.
    fn settle(&mut self) {
        for at in 0..FILES {
            self.save(at);
        }
        let meanings = self.meanings();
        for (file, has_meaning) in self.files.iter().zip(meanings) {
            let version = self.client.version(&file.uri);
            self.client.wait_for("stubborn/verdicts", |told| {
                let properties = told["properties"].as_array().expect("properties");
                let mut states = properties.iter().map(|one| &one["state"]);
                told["uri"] == file.uri
                    && told["version"] == version
                    && told["checking"] == false
                    && states.all(|state| (*state == "stale") != has_meaning)
            });
        }
        self.client.look_ahead();
    }

    /// Which texts have a meaning.
    fn meanings(&self) -> Vec<bool> {
        let mut db = Database::default();
        for file in &self.files {
            let text = Contents::Text(file.text.as_str().into());
            db.set_contents(&format!("/{}", file.name), text);
        }
        // All that nobody looks for is not there.
        let roots: Vec<SourceFile> = (self.files.iter())
            .map(|file| db.file(&format!("/{}", file.name)))
            .collect();
        let unread = roots.iter().filter_map(|root| whole(&db, *root));
        let unread: Vec<_> = unread.flat_map(|whole| whole.unread.clone()).collect();
        for path in unread {
            db.set_contents(&path, Contents::Missing);
        }
        roots
            .iter()
            .map(|root| system(&db, *root).is_some())
            .collect()
    }

    /// What is known of each property that is decided, and what is wrong with each text.
    fn known(&self) -> BTreeMap<String, (HashMap<String, String>, Vec<String>)> {
        let known = self.files.iter().map(|file| {
            let last = |method: &str| {
                let mut heard = self.client.heard.iter().rev();
                let is_it =
                    |one: &&Value| one["method"] == method && one["params"]["uri"] == file.uri;
                heard.find(is_it).map(|one| one["params"].clone())
            };
            let verdicts = last("stubborn/verdicts").expect("verdicts");
            let verdicts = verdicts["properties"].as_array().expect("properties");
            let decided = verdicts.iter().filter_map(|one| {
                let verdict = one["verdict"].as_str()?;
                let name = one["name"].as_str().expect("a name");
                (verdict != "undecided").then(|| (name.to_owned(), verdict.to_owned()))
            });
            let diagnostics = last("textDocument/publishDiagnostics").unwrap_or_default();
            let diagnostics = diagnostics["diagnostics"]
                .as_array()
                .cloned()
                .unwrap_or_default();
            // Verdicts are compared by themselves: one may be undecided here and not there.
            let of_text = diagnostics.iter().filter(|one| !is_of_verdict(one));
            let folder = self.client.folder.path().display().to_string();
            let told = |one: &Value| format!("{} {}", one["range"], one["message"]);
            let of_text = of_text.map(|one| told(one).replace(&folder, ""));
            let mut of_text: Vec<String> = of_text.collect();
            of_text.sort_unstable();
            (file.name.clone(), (decided.collect(), of_text))
        });
        known.collect()
    }
}

fn is_of_verdict(diagnostic: &Value) -> bool {
    let message = diagnostic["message"].as_str().expect("a message");
    message.contains("violated")
        || message.contains("undecided")
        || message.contains("waits here")
        || message.contains("fails here")
}

/// Where a character begins, there or before.
fn boundary(text: &str, at: usize) -> usize {
    let mut places = (0..=at.min(text.len())).rev();
    places.find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn place(text: &str, at: usize) -> Value {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({"line": line, "character": text[start..at].encode_utf16().count()})
}

/// What the server holds, in kilobytes, where that can be read.
fn memory(client: &Client) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", client.process())).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn twenty_files_at_random_leave_the_server_as_a_fresh_one() {
    let (events, seed) = (set("STUBBORN_EVENTS", 1000), set("STUBBORN_SEED", 1));
    let mut world = World::new(seed);
    world.settle();
    let before = memory(&world.client);
    for _ in 0..events {
        world.event();
    }
    for file in &world.files {
        assert_eq!(world.client.text(&file.uri), file.text, "{}", file.name);
    }
    world.settle();
    let known = world.known();
    let mut fresh = World::new(seed);
    for (file, other) in fresh.files.iter_mut().zip(&world.files) {
        file.text = other.text.clone();
        fresh.client.replace_all(&file.uri, &file.text);
    }
    fresh.settle();
    for ((name, (verdicts, of_text)), (_, (others, of_text_fresh))) in
        known.iter().zip(&fresh.known())
    {
        assert_eq!(of_text, of_text_fresh, "{name}");
        for (property, verdict) in verdicts {
            // What is undecided in one of them says nothing against the other.
            let other = others.get(property).unwrap_or(verdict);
            assert_eq!(verdict, other, "{property} of {name}");
        }
    }
    world.restore();
    world.settle();
    let after = memory(&world.client);
    println!("{events} events, seed {seed}: {before:?} KB before, {after:?} KB after");
    if let (Some(before), Some(after)) = (before, after) {
        // What an allocator keeps differs from run to run; what is never let go of grows with the events.
        assert!(
            after < before * 3 / 2,
            "{before} KB before, {after} KB after"
        );
    }
    let hovers = hovers_beside_a_search(&mut world);
    println!(
        "{} hovers while a search went on: median {:?}, 99th percentile {:?}",
        hovers.len(),
        hovers[hovers.len() / 2],
        hovers[hovers.len() * 99 / 100]
    );
}

/// How long hovers took while a search without limits went on, in order.
fn hovers_beside_a_search(world: &mut World) -> Vec<Duration> {
    let heavy = world.client.open("heavy.stb", ENDLESS);
    let command = json!({"command": "stubborn.checkWithoutLimit", "arguments": [heavy]});
    let begun = world.client.request("workspace/executeCommand", command);
    begun.expect("a search");
    let mut took: Vec<Duration> = (0..200)
        .map(|at| {
            let asked = world.place(at % FILES);
            let begin = Instant::now();
            let answer = world.client.request("textDocument/hover", asked);
            answer.expect("an answer");
            begin.elapsed()
        })
        .collect();
    took.sort_unstable();
    took
}
