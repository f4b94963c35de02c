//! What comes from the client, before the protocol's library sees it: that one stops for good at the
//! first message that it cannot read. Here such a message is left out, and one put in its place
//! whose answer tells the client of it.
//!
//! Editors that keep their texts in UTF-16 can have half of a character in them, and send it as the
//! escape of a lone surrogate, which is no text elsewhere. It becomes U+FFFD, which is as long in
//! UTF-16, so that all positions stay right.

pub mod framing;

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, DuplexStream};
use tower_lsp::jsonrpc::{Request, Response};

use self::framing::{Frame, Frames, framed};
use super::verbatim::Names;

/// The method of what stands for a message that cannot be read.
pub const UNREADABLE: &str = "stubborn/unreadable";
/// What is read ahead, in bytes.
const AHEAD: usize = 1 << 16;

/// Why a message cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// It is JSON, but neither a request nor a response.
    pub is_json: bool,
}

/// `input` with nothing but readable messages. It ends where `input` does. The names of files are noted
/// as they come.
pub fn readable(input: impl AsyncRead + Send + Unpin + 'static, names: Names) -> DuplexStream {
    let (to, readable) = tokio::io::duplex(AHEAD);
    tokio::spawn(pass_on(Frames::new(input), to, names));
    readable
}

async fn pass_on(
    mut frames: Frames<impl AsyncRead + Unpin>,
    mut to: impl AsyncWrite + Unpin,
    names: Names,
) {
    while let Some(frame) = frames.next(read).await {
        let body = match frame {
            Frame::Message(body, message) => as_the_library_reads(body, message, &names),
            Frame::Unreadable(body) => standing_for(&body),
        };
        if to.write_all(&framed(&body)).await.is_err() {
            return;
        }
    }
}

/// A message, and its bytes where these had to be mended.
struct Message {
    request: Option<Request>,
    mended: Option<Vec<u8>>,
}

fn read(body: &[u8]) -> Option<Message> {
    if let Some(request) = message(body) {
        return Some(Message {
            request,
            mended: None,
        });
    }
    let mended = without_lone_surrogates(body);
    let request = message(&mended)?;
    Some(Message {
        request,
        mended: Some(mended),
    })
}

/// A request or notification, or nothing of a response, if it is one of them.
fn message(body: &[u8]) -> Option<Option<Request>> {
    match serde_json::from_slice::<Request>(body) {
        Ok(request) => Some(Some(request)),
        Err(_) => serde_json::from_slice::<Response>(body)
            .is_ok()
            .then_some(None),
    }
}

/// The message as the protocol's library reads it: that one does not take null for no parameters,
/// which clients send (`shutdown` of eglot).
fn as_the_library_reads(body: Vec<u8>, message: Message, names: &Names) -> Vec<u8> {
    let body = message.mended.unwrap_or(body);
    let Some(request) = message.request else {
        return body;
    };
    names.note(&request);
    let is_initialize = request.method() == "initialize";
    if request.params() != Some(&Value::Null) && !is_initialize {
        return body;
    }
    let (method, id, params) = request.into_parts();
    let mut again = Request::build(method);
    if let Some(id) = id {
        again = again.id(id);
    }
    if let Some(mut params) = params.filter(|params| !params.is_null()) {
        name_what_it_can(&mut params);
        again = again.params(params);
    }
    again.finish().to_string().into_bytes()
}

/// The library looks under another name than the protocol's for whether a client asks again for what is
/// wrong with its texts.
fn name_what_it_can(initialize: &mut Value) {
    let workspace = initialize.pointer_mut("/capabilities/workspace");
    if let Some(workspace) = workspace.and_then(Value::as_object_mut)
        && let Some(can) = workspace.remove("diagnostics")
    {
        workspace.insert("diagnostic".to_owned(), can);
    }
}

/// What stands for what is no message.
fn standing_for(body: &[u8]) -> Vec<u8> {
    let is_json = serde_json::from_slice::<IgnoredAny>(&without_lone_surrogates(body)).is_ok();
    let instead = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "method": UNREADABLE,
        "params": Unreadable { is_json },
    });
    instead.to_string().into_bytes()
}

fn without_lone_surrogates(body: &[u8]) -> Vec<u8> {
    let mut mended = body.to_vec();
    let mut at = 0;
    while at < body.len() {
        if body[at] != b'\\' {
            at += 1;
            continue;
        }
        match (escape(body, at), escape(body, at + 6)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => at += 12,
            (Some(0xD800..=0xDFFF), _) => {
                mended[at + 2..at + 6].copy_from_slice(b"fffd");
                at += 6;
            }
            (Some(_), _) => at += 6,
            // Another escape, of which a second `\` begins none.
            (None, _) => at += 2,
        }
    }
    mended
}

/// The unit of UTF-16 whose escape begins at `at`.
fn escape(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mended(text: &str) -> String {
        String::from_utf8(without_lone_surrogates(text.as_bytes())).unwrap()
    }

    #[test]
    fn half_a_character_becomes_the_sign_for_what_is_no_text() {
        assert_eq!(mended(r#""a\ud800b""#), r#""a\ufffdb""#);
        assert_eq!(mended(r#""\uDC00\ud835""#), r#""\ufffd\ufffd""#);
        assert_eq!(mended(r#""\ud835\ud835\udd38""#), r#""\ufffd\ud835\udd38""#);
        let whole = r#""\ud835\udd38 \\ud800 \n \u00e9 \u""#;
        assert_eq!(mended(whole), whole);
    }

    #[test]
    fn what_cannot_be_read_is_answered_as_what_it_is() {
        let of = |text: &str| String::from_utf8(standing_for(text.as_bytes())).unwrap();
        assert!(read(b"{bad}").is_none() && read(b"[]").is_none());
        assert!(of("{bad}").contains(r#""isJson":false"#));
        assert!(of("[]").contains(r#""isJson":true"#));
    }

    #[test]
    fn what_can_be_read_stays_as_it_is_but_for_parameters_that_are_null() {
        let names = Names::default();
        let of = |text: &str| {
            let body = text.as_bytes().to_vec();
            let message = read(&body).expect("a message");
            let body = as_the_library_reads(body, message, &names);
            String::from_utf8(body).unwrap()
        };
        for good in [
            r#"{"jsonrpc":"2.0","method":"exit"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        ] {
            assert_eq!(of(good), good);
        }
        assert_eq!(
            of(r#"{"jsonrpc": "2.0", "id": 3, "method": "shutdown", "params": null}"#),
            r#"{"jsonrpc":"2.0","method":"shutdown","id":3}"#
        );
        let can = |name: &str| {
            let workspace = format!(r#"{{"capabilities":{{"workspace":{{"{name}":{{}}}}}}}}"#);
            format!(r#"{{"jsonrpc":"2.0","method":"initialize","params":{workspace},"id":1}}"#)
        };
        assert_eq!(of(&can("diagnostics")), can("diagnostic"));
    }
}
