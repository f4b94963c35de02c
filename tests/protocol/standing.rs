//! Texts change in five ways: they are typed, saved, closed or opened, they change on the disk, and so
//! does what they use. Whatever happens in whatever order, what is shown is true of the text that it is
//! said to be of, and once all is quiet it is what the texts as they are say.
//!
//! A thousand changes belong to the tests. For more, or others:
//!
//! ```text
//! STUBBORN_CHANGES=10000 STUBBORN_SEED=7 \
//!     cargo test -p stubborn --test whole_program -- --nocapture shown_is_always_true
//! ```

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::process::Command;

use serde_json::{Value, json};

use super::client::{Client, Folder};
use super::set;
use super::synchronisation::Random;

/// So many changes at most come before all is quiet again.
const BURST: usize = 6;
const MODELS: [&str; 2] = ["m.stb", "n.stb"];
const TESTERS: [&str; 2] = ["s.tester", "t.tester"];

/// A text, by what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    /// The model's variable becomes this.
    step: usize,
    /// The property says that it is less.
    limit: usize,
    /// The model that a tester uses.
    uses: usize,
    is_broken: bool,
    /// Of no account.
    comment: usize,
}

impl Text {
    fn random(random: &mut Random) -> Text {
        Text {
            step: random.below(4),
            limit: 1 + random.below(4),
            uses: random.below(2),
            is_broken: random.below(6) == 0,
            comment: random.below(3),
        }
    }

    fn of(&self, name: &str) -> String {
        let Text {
            step,
            limit,
            uses,
            is_broken,
            comment,
        } = self;
        let comment = "// nothing\n".repeat(*comment);
        let mistake = if *is_broken {
            "process q { x = }\n"
        } else {
            ""
        };
        if name.ends_with(".tester") {
            let used = MODELS[*uses];
            return format!("{comment}use \"{used}\"\ninvariant mine: x < {limit}\n{mistake}");
        }
        format!(
            "{comment}var x: 0..4\nprocess p {{ loop {{ either {{ do x = {step} }} or {{ do x = 0 }} }} }}\n\
             invariant low: x < {limit}\ntermination not required\n{mistake}"
        )
    }
}

/// A file, as the client has it.
struct File {
    name: &'static str,
    uri: String,
    on_disk: Text,
    open: Option<Text>,
    /// What each version said.
    versions: BTreeMap<i64, Text>,
    /// What it has said since all was quiet.
    since: BTreeSet<Text>,
    /// The same, and what it said the time before.
    lately: BTreeSet<Text>,
}

impl File {
    fn now(&self) -> Text {
        self.open.unwrap_or(self.on_disk)
    }
}

struct World {
    client: Client,
    files: Vec<File>,
    random: Random,
    /// What was heard and looked at.
    looked_at: usize,
}

type Verdicts = BTreeMap<&'static str, bool>;

/// What holds of a root, of this text of it and of the model that it uses; nothing where one of these
/// has no meaning.
fn verdicts(name: &str, text: Text, used: Option<Text>) -> Option<Verdicts> {
    let model = used.unwrap_or(text);
    if text.is_broken || model.is_broken {
        return None;
    }
    let mut verdicts = Verdicts::from([("errors", true), ("deadlock", true)]);
    verdicts.insert("low", model.step < model.limit);
    if name.ends_with(".tester") {
        verdicts.insert("mine", model.step < text.limit);
    }
    Some(verdicts)
}

impl World {
    fn new(seed: u64) -> World {
        let client = Client::start_in(Folder::new(), json!({}), json!({}));
        let mut random = Random(seed);
        let files = MODELS.into_iter().chain(TESTERS).map(|name| {
            let on_disk = Text::random(&mut random);
            client.folder.write(name, &on_disk.of(name));
            File {
                name,
                uri: client.uri(name),
                on_disk,
                open: None,
                versions: BTreeMap::new(),
                since: BTreeSet::from([on_disk]),
                lately: BTreeSet::from([on_disk]),
            }
        });
        let files = files.collect();
        World {
            client,
            files,
            random,
            looked_at: 0,
        }
    }

    fn change(&mut self) -> String {
        let at = self.random.below(self.files.len());
        let how = self.random.below(6);
        let text = Text::random(&mut self.random);
        let (client, file) = (&mut self.client, &mut self.files[at]);
        let what = match (how, file.open) {
            (0, None) | (1..=3, None) => {
                client.open_again(&file.uri, &file.on_disk.of(file.name));
                file.open = Some(file.on_disk);
                "opened"
            }
            (0, Some(_)) => {
                client.close(&file.uri);
                file.open = None;
                "closed"
            }
            (1..=2, Some(_)) => {
                client.replace_all(&file.uri, &text.of(file.name));
                file.open = Some(text);
                "typed"
            }
            (3, Some(open)) => {
                client.folder.write(file.name, &open.of(file.name));
                client.save(&file.uri);
                file.on_disk = open;
                "saved"
            }
            _ => {
                client.folder.write(file.name, &text.of(file.name));
                file.on_disk = text;
                let change = json!({"uri": file.uri, "type": 2});
                let changes = json!({"changes": [change]});
                client.notify("workspace/didChangeWatchedFiles", changes);
                "on the disk"
            }
        };
        let now = file.now();
        file.since.insert(now);
        file.lately.insert(now);
        if file.open.is_some() {
            let version = client.version(&file.uri);
            file.versions.insert(version, now);
        }
        format!("{} {what}: {now:?}", file.name)
    }

    /// All open files are saved, and everything is told.
    fn settle(&mut self) -> Result<(), String> {
        for file in &mut self.files {
            if let Some(open) = file.open {
                self.client.folder.write(file.name, &open.of(file.name));
                file.on_disk = open;
                self.client.save(&file.uri);
            }
        }
        // All that was sent is taken in before this is answered.
        let answer = self
            .client
            .request("workspace/symbol", json!({"query": ""}));
        answer.map_err(|error| error.to_string())?;
        let files = &self.files;
        self.client.wait_until(|heard| {
            let mut open = (0..files.len()).filter(|at| files[*at].open.is_some());
            open.all(|at| is_told(heard, files, at))
        });
        self.look()
    }

    /// The model that a text of a tester uses, as it may have been.
    fn used(&self, name: &str, text: Text) -> Vec<Option<Text>> {
        match name.ends_with(".tester") {
            true => self.files[text.uses]
                .lately
                .iter()
                .copied()
                .map(Some)
                .collect(),
            false => vec![None],
        }
    }

    /// Looks at all that was heard: was it ever true?
    fn look(&mut self) -> Result<(), String> {
        self.client.look_ahead();
        for heard in &self.client.heard[self.looked_at..] {
            let params = &heard["params"];
            let of = |file: &&File| params["uri"] == *file.uri;
            let Some(file) = self.files.iter().find(of) else {
                continue;
            };
            let texts: Vec<Text> = match params["version"].as_i64() {
                Some(version) => file.versions.get(&version).copied().into_iter().collect(),
                None => file.lately.iter().copied().collect(),
            };
            let could_be = texts.iter().flat_map(|text| {
                let used = self.used(file.name, *text);
                used.into_iter()
                    .filter_map(|used| verdicts(file.name, *text, used))
            });
            let could_be: Vec<Verdicts> = could_be.collect();
            let is_true = match heard["method"].as_str() {
                Some("stubborn/verdicts") => {
                    let said = said(params);
                    let all =
                        |one: &Verdicts| said.iter().all(|(name, is)| one.get(name) == Some(is));
                    said.is_empty() || could_be.iter().any(all)
                }
                Some("textDocument/publishDiagnostics") => ["low", "mine"].iter().all(|name| {
                    let is = |one: &Verdicts| one.get(name) == Some(&false);
                    !violated(params, name) || could_be.iter().any(is)
                }),
                _ => true,
            };
            if !is_true {
                return Err(format!("{heard} was true of none of {could_be:?}"));
            }
        }
        self.looked_at = self.client.heard.len();
        // Nobody waits for what is told of files that are not open: it may come a little later.
        for file in &mut self.files {
            let now = BTreeSet::from([file.now()]);
            let of_this_time = std::mem::replace(&mut file.since, now);
            file.lately = &of_this_time | &file.since;
        }
        Ok(())
    }
}

/// What a notification says of the text as it is, by name.
fn said(told: &Value) -> Vec<(&str, bool)> {
    let properties = told["properties"].as_array().expect("properties");
    let decided = properties.iter().filter_map(|one| {
        let holds = match one["verdict"].as_str()? {
            "holds" => true,
            "violated" => false,
            other => panic!("{other}: {one}"),
        };
        Some((one["name"].as_str().expect("a name"), holds))
    });
    let mut decided: Vec<(&str, bool)> = decided.collect();
    decided.sort_unstable();
    decided
}

/// Whether it is told that a property is violated, of the text as it is.
fn violated(published: &Value, name: &str) -> bool {
    let all = published["diagnostics"].as_array().expect("diagnostics");
    all.iter().any(|one| {
        let message = one["message"].as_str().expect("a message");
        message.starts_with(&format!("{name} is violated"))
    })
}

/// Whether the last that was heard of an open file is what it says. What was told first may be of a text
/// before that said the same.
fn is_told(heard: &[Value], files: &[File], at: usize) -> bool {
    let (file, now) = (&files[at], files[at].now());
    let last = |method: &str| {
        let of = |one: &&Value| one["method"] == method && one["params"]["uri"] == *file.uri;
        heard.iter().rev().find(of).map(|one| &one["params"])
    };
    let told = last("stubborn/verdicts");
    let (Some(told), Some(published)) = (told, last("textDocument/publishDiagnostics")) else {
        return false;
    };
    let is_tester = file.name.ends_with(".tester");
    let used = is_tester.then(|| files[now.uses].now());
    let expected = verdicts(file.name, now, used).unwrap_or_default();
    let own = if is_tester { "mine" } else { "low" };
    let is_violated = expected.get(own) == Some(&false);
    told["version"].as_i64() == file.versions.keys().last().copied()
        && told["checking"] == false
        && (said(told).into_iter()).eq(expected.iter().map(|(name, holds)| (*name, *holds)))
        && violated(published, own) == is_violated
}

#[test]
fn what_is_shown_is_always_true_of_the_text_that_it_is_said_to_be_of() {
    let (changes, seed) = (set("STUBBORN_CHANGES", 1000), set("STUBBORN_SEED", 1));
    let mut world = World::new(seed);
    let (mut done, mut count) = (0, HashMap::<String, u64>::new());
    while done < changes {
        let burst = 1 + world.random.below(BURST);
        let all: Vec<String> = (0..burst).map(|_| world.change()).collect();
        done += burst;
        for one in &all {
            let what = one.split(':').next().expect("what was done");
            *count.entry(what.to_owned()).or_default() += 1;
        }
        if let Err(why) = world.settle() {
            panic!("after {done} changes, the last of which were {all:#?}: {why}");
        }
    }
    println!("{done} changes, seed {seed}: {count:?}");
    // And the program says the same of what is on the disk.
    for file in &world.files {
        let path = world.client.folder.path().join(file.name);
        let checked = Command::new(env!("CARGO_BIN_EXE_stubborn"))
            .args(["check", "--format", "json"])
            .arg(path)
            .output()
            .expect("the program starts");
        let used = file
            .name
            .ends_with(".tester")
            .then(|| world.files[file.on_disk.uses].on_disk);
        let Some(expected) = verdicts(file.name, file.on_disk, used) else {
            assert_eq!(checked.status.code(), Some(3), "{checked:?}");
            continue;
        };
        let said: Value = serde_json::from_slice(&checked.stdout).expect("JSON");
        for property in said["properties"].as_array().expect("properties") {
            let name = property["name"].as_str().expect("a name");
            let holds = property["verdict"] == "holds";
            assert_eq!(expected.get(name), Some(&holds), "{}: {said}", file.name);
        }
    }
}
