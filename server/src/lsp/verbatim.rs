//! Files by the names that the client gave them, letter by letter.
//!
//! The protocol's library writes a URI in one form of many: `file:///tmp/ä b.stb` as
//! `file:///tmp/%C3%A4%20b.stb`. Many a client finds its buffer by the text of the URI, and would find
//! nothing. So the names of open files that have another form are noted as they come, and put in again
//! where the library's form goes out.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tower_lsp::jsonrpc::Request;
use tower_lsp::lsp_types::Url;

use super::input::framing::{Frame, Frames, framed};

/// So many names are kept.
const MOST_NAMES: usize = 10_000;

/// The names of files that were opened, by the form that the library gives them; only those that differ.
#[derive(Clone, Default)]
pub struct Names {
    names: Arc<Mutex<HashMap<String, String>>>,
}

impl Names {
    /// Takes note of what a message opens. What is said after a file was closed is still about it.
    pub fn note(&self, message: &Request) {
        if message.method() != "textDocument/didOpen" {
            return;
        }
        let uri = message
            .params()
            .and_then(|params| params.pointer("/textDocument/uri"));
        let Some(uri) = uri.and_then(Value::as_str) else {
            return;
        };
        let Ok(form) = Url::parse(uri) else { return };
        let mut names = self.names.lock();
        if form.as_str() != uri {
            if names.len() >= MOST_NAMES {
                names.clear();
            }
            names.insert(form.into(), uri.to_owned());
        } else {
            // A client that names a file in two ways gets the last one.
            names.remove(form.as_str());
        }
    }

    /// The message with the client's names in it.
    fn put_in(&self, body: Vec<u8>) -> Vec<u8> {
        let names = self.names.lock();
        if names.is_empty() {
            return body;
        }
        match serde_json::from_slice::<Value>(&body) {
            Ok(mut message) => {
                replace(&mut message, &names);
                message.to_string().into_bytes()
            }
            Err(_) => body,
        }
    }
}

/// Replaces each text that is one of the names, as a value or as a key.
fn replace(value: &mut Value, names: &HashMap<String, String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = names.get(text) {
                text.clone_from(name);
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, names)),
        Value::Object(fields) => {
            if fields.keys().any(|key| names.contains_key(key)) {
                let renamed = std::mem::take(fields).into_iter();
                *fields = renamed
                    .map(|(key, value)| (names.get(&key).cloned().unwrap_or(key), value))
                    .collect();
            }
            fields.values_mut().for_each(|value| replace(value, names));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Passes messages from the server on to the client until either has gone.
pub async fn pass_on(from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, names: Names) {
    let mut frames = Frames::new(from);
    while let Some(Frame::Message(body, ())) = frames.next(|_| Some(())).await {
        let message = framed(&names.put_in(body));
        let sent = async {
            to.write_all(&message).await?;
            to.flush().await
        };
        if sent.await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn notification(method: &str, uri: &str) -> Request {
        let params = json!({"textDocument": {"uri": uri}});
        Request::build(method.to_owned()).params(params).finish()
    }

    #[test]
    fn a_name_goes_out_as_it_came_last() {
        let names = Names::default();
        let told = |names: &Names| {
            let body = json!({"uri": "file:///a/%C3%A4%20b.stb", "changes": {"file:///a/%C3%A4%20b.stb": [1]}});
            let body = names.put_in(body.to_string().into_bytes());
            String::from_utf8(body).expect("a text")
        };
        assert!(!told(&names).contains("ä b"));
        names.note(&notification("textDocument/didOpen", "file:///a/ä b.stb"));
        assert_eq!(
            told(&names),
            r#"{"uri":"file:///a/ä b.stb","changes":{"file:///a/ä b.stb":[1]}}"#
        );
        names.note(&notification("textDocument/didClose", "file:///a/ä b.stb"));
        assert!(told(&names).contains("ä b"));
        names.note(&notification(
            "textDocument/didOpen",
            "file:///a/%C3%A4%20b.stb",
        ));
        assert!(!told(&names).contains("ä b"));
    }

    #[test]
    fn a_name_in_the_form_of_the_library_needs_no_note() {
        let names = Names::default();
        names.note(&notification("textDocument/didOpen", "file:///a/b.stb"));
        assert!(names.names.lock().is_empty());
    }

    #[test]
    fn ten_thousand_names_are_remembered() {
        let names = Names::default();
        let count = || names.names.lock().len();
        let kept = |opened: usize| {
            for at in count()..opened {
                let uri = format!("file:///ä{at}.stb");
                names.note(&notification("textDocument/didOpen", &uri));
            }
            count()
        };
        assert_eq!(kept(MOST_NAMES - 1), MOST_NAMES - 1);
        assert_eq!(kept(MOST_NAMES), MOST_NAMES);
        // Then those are remembered that are opened from here on.
        assert_eq!(kept(MOST_NAMES + 1), 1);
    }
}
