//! Messages of the Debug Adapter Protocol: requests that are read, answers and events that are written.
//!
//! Of the crates with the protocol's types none is kept up, and what is used of them here are a few objects that
//! are written once each.

use std::io::Write;

use parking_lot::Mutex;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::lsp::input::framing::framed;

/// What a client asks for.
#[derive(Clone, Debug, Deserialize)]
pub struct Request {
    pub seq: i64,
    pub command: String,
    #[serde(default)]
    arguments: Value,
}

impl Request {
    /// A request, unless the bytes are something else.
    pub fn read(bytes: &[u8]) -> Option<Request> {
        let message: Value = serde_json::from_slice(bytes).ok()?;
        (message["type"] == "request").then_some(())?;
        serde_json::from_value(message).ok()
    }

    /// Its arguments.
    ///
    /// # Errors
    /// What is wrong with them, as a sentence.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, String> {
        let given = match &self.arguments {
            Value::Null => json!({}),
            given => given.clone(),
        };
        serde_json::from_value(given)
            .map_err(|error| format!("the arguments of `{}` are wrong: {error}", self.command))
    }
}

/// Who is answered. Several threads may tell it something.
pub struct Client {
    to: Mutex<To>,
}

struct To {
    output: Box<dyn Write + Send>,
    last: i64,
}

impl Client {
    pub fn new(output: Box<dyn Write + Send>) -> Client {
        Client {
            to: Mutex::new(To { output, last: 0 }),
        }
    }

    /// Answers a request; an error is a sentence for people.
    pub fn answer(&self, request: &Request, answer: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(why) => {
                message["message"] = why.clone().into();
                // The sentence may have braces in it, which stand for variables in a format.
                let error = json!({"id": 1, "format": "{why}", "variables": {"why": why}});
                message["body"] = json!({ "error": error });
            }
        }
        self.send(message);
    }

    pub fn event(&self, name: &str, body: Value) {
        let mut message = json!({"type": "event", "event": name});
        if !body.is_null() {
            message["body"] = body;
        }
        self.send(message);
    }

    /// Writes a line in the client's console.
    pub fn say(&self, line: &str) {
        self.event(
            "output",
            json!({"category": "stdout", "output": format!("{line}\n")}),
        );
    }

    fn send(&self, mut message: Value) {
        let mut to = self.to.lock();
        to.last += 1;
        message["seq"] = to.last.into();
        let message = framed(message.to_string().as_bytes());
        let output = &mut to.output;
        // A client that reads no more has gone, which its input says.
        let _ = output.write_all(&message).and_then(|()| output.flush());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_request_is_none() {
        for bytes in [
            "",
            "{}",
            "[]",
            r#"{"type": "event", "seq": 1, "command": "x"}"#,
            r#"{"type": "request", "seq": "one", "command": "x"}"#,
            r#"{"type": "request", "seq": 1}"#,
        ] {
            assert!(Request::read(bytes.as_bytes()).is_none(), "{bytes}");
        }
        let read = Request::read(br#"{"type": "request", "seq": 7, "command": "next"}"#);
        let read = read.expect("a request");
        assert_eq!((read.seq, &*read.command), (7, "next"));
        #[derive(Debug, Deserialize)]
        struct OfThread {
            #[serde(rename = "threadId")]
            _thread: i64,
        }
        let wrong = read
            .arguments::<OfThread>()
            .expect_err("there is no thread");
        assert!(wrong.contains("`threadId`"), "{wrong}");
    }
}
