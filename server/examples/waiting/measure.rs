//! What a person waits for, measured from outside the server until its message has been read.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use super::Result;
use super::server::Server;
use super::texts::{FAR, File, Text};

/// How long it took, each time.
#[derive(Default)]
pub struct Waits {
    /// From a key that makes an unknown name to the message about it.
    pub mistake: Vec<Duration>,
    /// From the key that mends it until the message is gone.
    pub mended: Vec<Duration>,
    /// From a save of another System or property to the first that is proved or refuted anew.
    pub first: Vec<Duration>,
    /// To the last.
    pub last: Vec<Duration>,
    /// From an edit to the end of a search that it makes worthless.
    pub cancelled: Vec<Duration>,
}

/// How often each of these is measured.
#[derive(Clone, Copy)]
pub struct Times {
    pub keys: usize,
    pub saves: usize,
    pub cancels: usize,
}

pub fn measure(text: &Text, times: Times) -> Result<Waits> {
    let mut editor = Editor::open(text)?;
    let mut waits = Waits::default();
    let place = editor.name_in_the_middle()?;
    for number in 0..times.keys {
        let (mistake, mended) = editor.mistype(place, number)?;
        waits.mistake.push(mistake);
        waits.mended.push(mended);
    }
    for number in 1..=times.saves {
        let (first, last) = editor.change_and_save(number)?;
        waits.first.push(first);
        waits.last.push(last);
    }
    editor.search_for_long()?;
    for number in 1..=times.cancels {
        waits.cancelled.push(editor.cancel(number)?);
    }
    Ok(waits)
}

/// Somebody who works on a text.
struct Editor {
    server: Server,
    folder: TempDir,
    /// The text that is typed in, and after it the model that it uses, if it uses one.
    documents: Vec<Document>,
    /// What a save changes in the last of them.
    changed: Place,
}

/// What is written differently from save to save.
struct Place {
    from: usize,
    to: usize,
    /// With a number for each `#`.
    written: &'static str,
}

struct Document {
    name: String,
    uri: String,
    version: usize,
    text: String,
}

impl Editor {
    /// Opens it, and waits until all is known of it.
    fn open(text: &Text) -> Result<Editor> {
        let (place, written) = text.saved;
        let model = &text.used.as_ref().unwrap_or(&text.typed).text;
        let from = model.find(place);
        let from = from.ok_or_else(|| format!("`{place}` is not in {}", text.name))?;
        let to = from + place.len();
        let mut editor = Editor {
            server: Server::start(&Value::Null)?,
            folder: tempfile::tempdir()?,
            documents: Vec::new(),
            changed: Place { from, to, written },
        };
        let files = [text.used.as_ref(), Some(&text.typed)];
        for File { name, text } in files.into_iter().flatten() {
            let file = editor.folder.path().join(name);
            std::fs::write(&file, text)?;
            let uri = format!("file://{}", file.display());
            let document =
                json!({"uri": uri, "languageId": "stubborn", "version": 0, "text": text});
            editor
                .server
                .notify("textDocument/didOpen", &json!({"textDocument": document}))?;
            editor.documents.insert(
                0,
                Document {
                    name: name.clone(),
                    uri,
                    version: 0,
                    text: text.clone(),
                },
            );
        }
        editor.wait_until_done()?;
        Ok(editor)
    }

    fn wait_until_done(&mut self) -> Result<()> {
        let documents = &self.documents;
        self.server.wait("all that is to be found out", |server| {
            documents.iter().all(|one| server.is_done(&one.uri))
        })
    }

    fn typed(&mut self) -> &mut Document {
        &mut self.documents[0]
    }

    /// Where the names end that a key at their end makes unknown: the first from the middle on.
    fn name_in_the_middle(&mut self) -> Result<usize> {
        let text = &self.typed().text;
        let (mut before, mut after): (Vec<usize>, Vec<usize>) =
            ends_of_words(text).partition(|end| *end < text.len() / 2);
        before.reverse();
        after.append(&mut before);
        for place in after {
            let found = self.edit(0, place, place, "q")?;
            self.edit(0, place, place + 1, "")?;
            if has_mistake(&found, "q") {
                return Ok(place);
            }
        }
        Err("no name in it can be mistyped".into())
    }

    /// Types something at the end of a name and takes it back: how long it took until the server said
    /// that the name is unknown, and until it did not say so any more.
    fn mistype(&mut self, place: usize, number: usize) -> Result<(Duration, Duration)> {
        let typed = format!("q{number}");
        let start = Instant::now();
        self.edit(0, place, place, &typed)?;
        let Document { uri, version, .. } = &self.documents[0];
        // What is wrong with the grammar may have been told before it.
        self.server.wait("a mistake", |server| {
            let found = server.published(uri, *version);
            found.is_some_and(|found| has_mistake(found, &typed))
        })?;
        let mistake = start.elapsed();
        let start = Instant::now();
        let found = self.edit(0, place, place + typed.len(), "")?;
        if has_mistake(&found, &typed) {
            return Err("a mistake is told of a text that has none".into());
        }
        Ok((mistake, start.elapsed()))
    }

    /// Edits a text, and waits for what is wrong with it then.
    fn edit(&mut self, at: usize, from: usize, to: usize, new: &str) -> Result<Vec<Value>> {
        let document = &mut self.documents[at];
        document.version += 1;
        let range = json!({
            "start": position(&document.text, from),
            "end": position(&document.text, to),
        });
        document.text.replace_range(from..to, new);
        let (uri, version) = (document.uri.clone(), document.version);
        self.server.notify(
            "textDocument/didChange",
            &json!({
                "textDocument": {"uri": uri, "version": version},
                "contentChanges": [{"range": range, "text": new}],
            }),
        )?;
        self.server.wait("what is wrong with a text", |server| {
            server.published(&uri, version).is_some()
        })?;
        let found = self.server.published(&uri, version);
        Ok(found.cloned().unwrap_or_default())
    }

    /// Makes another System or property and saves it: how long it took until the first property that
    /// lost its verdict by that had one again, and until all had.
    fn change_and_save(&mut self, number: usize) -> Result<(Duration, Duration)> {
        self.change(number)?;
        let uri = self.documents[0].uri.clone();
        let is_open = |one: &Value| one["verdict"].is_null();
        self.server.wait("a verdict that is lost", |server| {
            server.properties(&uri).iter().any(is_open)
        })?;
        let properties = self.server.properties(&uri).iter();
        let lost: BTreeSet<usize> = properties
            .enumerate()
            .filter_map(|(at, one)| is_open(one).then_some(at))
            .collect();
        let start = self.save()?;
        self.server.wait("the first verdict", |server| {
            let properties = server.properties(&uri);
            lost.iter()
                .any(|at| properties.get(*at).is_some_and(is_decided))
        })?;
        let first = start.elapsed();
        self.server
            .wait("the last verdict", |server| server.is_done(&uri))?;
        let last = start.elapsed();
        if !self.server.properties(&uri).iter().all(is_decided) {
            return Err("a property is undecided".into());
        }
        self.wait_until_done()?;
        Ok((first, last))
    }

    /// Has something searched that takes very long.
    fn search_for_long(&mut self) -> Result<()> {
        let end = self.model().text.len();
        self.changed = Place {
            from: end,
            to: end,
            written: FAR,
        };
        self.change(0)?;
        self.save()?;
        Ok(())
    }

    /// Edits the System while it is searched: how long it took until the search had ended.
    fn cancel(&mut self, number: usize) -> Result<Duration> {
        self.server
            .wait("how far a search is", Server::is_searching)?;
        let start = Instant::now();
        self.change(number)?;
        self.server
            .wait("the end of a search", |server| !server.is_searching())?;
        let waited = start.elapsed();
        self.save()?;
        Ok(waited)
    }

    fn model(&self) -> &Document {
        &self.documents[self.documents.len() - 1]
    }

    /// Writes what is changed from save to save with this number.
    fn change(&mut self, number: usize) -> Result<()> {
        let Place { from, to, written } = self.changed;
        let new = written.replace('#', &(10 + number).to_string());
        self.changed.to = from + new.len();
        self.edit(self.documents.len() - 1, from, to, &new)?;
        Ok(())
    }

    /// Saves the model, and says when the server was told.
    fn save(&mut self) -> Result<Instant> {
        let Document {
            name, uri, text, ..
        } = self.model();
        std::fs::write(self.folder.path().join(name), text)?;
        let saved = json!({"textDocument": {"uri": uri}});
        let now = Instant::now();
        self.server.notify("textDocument/didSave", &saved)?;
        Ok(now)
    }
}

fn is_decided(property: &Value) -> bool {
    property["verdict"] == "holds" || property["verdict"] == "violated"
}

/// Whether a name is unknown that ends like this; not one that might have been meant.
fn has_mistake(found: &[Value], typed: &str) -> bool {
    let is_it = |one: &Value| {
        let message = one["message"].as_str().unwrap_or_default();
        let unknown = message.split(';').next().unwrap_or_default();
        one["code"] == "unknown-name" && unknown.contains(&format!("{typed}`"))
    };
    found.iter().any(is_it)
}

/// Where words end, outside comments.
fn ends_of_words(text: &str) -> impl Iterator<Item = usize> {
    let mut start = 0;
    text.split_inclusive('\n').flat_map(move |line| {
        let begin = start;
        start += line.len();
        let code = line.split("//").next().unwrap_or_default().as_bytes();
        let is_word = |at: usize| {
            code.get(at)
                .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        let ends = (1..=code.len()).filter(move |at| is_word(at - 1) && !is_word(*at));
        ends.map(move |at| begin + at).collect::<Vec<_>>()
    })
}

/// A place as the protocol says it.
fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.bytes().filter(|byte| *byte == b'\n').count();
    let begin = before.rfind('\n').map_or(0, |at| at + 1);
    json!({"line": line, "character": before[begin..].encode_utf16().count()})
}
