//! What comes from the client, before the protocol's library sees it: that one stops for good at the
//! first message that it cannot read. Here such a message is left out, and one put in its place
//! whose answer tells the client of it.
//!
//! Editors that keep their texts in UTF-16 can have half of a character in them, and send it as the
//! escape of a lone surrogate, which is no text elsewhere. It becomes U+FFFD, which is as long in
//! UTF-16, so that all positions stay right.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, BufReader,
    DuplexStream,
};
use tower_lsp::jsonrpc::{Request, Response};

/// The method of what stands for a message that cannot be read.
pub const UNREADABLE: &str = "stubborn/unreadable";
/// What is read ahead, in bytes.
const AHEAD: usize = 1 << 16;
/// No line before a message is longer, in bytes.
const LINE: u64 = 1 << 12;

/// Why a message cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Unreadable {
    /// It is JSON, but neither a request nor a response.
    pub is_json: bool,
}

/// `input` with nothing but readable messages. It ends where `input` does.
pub fn readable(input: impl AsyncRead + Send + Unpin + 'static) -> DuplexStream {
    let (to, readable) = tokio::io::duplex(AHEAD);
    tokio::spawn(pass_on(BufReader::new(input), to));
    readable
}

async fn pass_on(mut input: impl AsyncBufRead + Unpin, mut to: impl AsyncWrite + Unpin) {
    while let Some(body) = next(&mut input).await {
        let body = checked(body);
        let head = format!("Content-Length: {}\r\n\r\n", body.len());
        if to.write_all(head.as_bytes()).await.is_err() || to.write_all(&body).await.is_err() {
            return;
        }
    }
}

/// The body of the next message. What no message begins with is passed over.
async fn next(input: &mut (impl AsyncBufRead + Unpin)) -> Option<Vec<u8>> {
    let mut length: Option<u64> = None;
    loop {
        let mut line = Vec::new();
        if (&mut *input)
            .take(LINE)
            .read_until(b'\n', &mut line)
            .await
            .ok()?
            == 0
        {
            return None;
        }
        match (length, line.trim_ascii()) {
            (Some(length), b"") => {
                let mut body = Vec::new();
                (&mut *input)
                    .take(length)
                    .read_to_end(&mut body)
                    .await
                    .ok()?;
                return (body.len() as u64 == length).then_some(body);
            }
            (_, line) => length = content_length(line).or(length),
        }
    }
}

fn content_length(line: &[u8]) -> Option<u64> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_length = name.trim().eq_ignore_ascii_case("Content-Length");
    is_length.then(|| value.trim().parse().ok())?
}

/// The message if it can be read, or what stands for it.
fn checked(body: Vec<u8>) -> Vec<u8> {
    if is_message(&body) {
        return body;
    }
    let mended = without_lone_surrogates(&body);
    if is_message(&mended) {
        return mended;
    }
    let is_json = serde_json::from_slice::<IgnoredAny>(&mended).is_ok();
    let instead = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "method": UNREADABLE,
        "params": Unreadable { is_json },
    });
    instead.to_string().into_bytes()
}

fn is_message(body: &[u8]) -> bool {
    serde_json::from_slice::<Request>(body).is_ok()
        || serde_json::from_slice::<Response>(body).is_ok()
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
        let of = |text: &str| String::from_utf8(checked(text.as_bytes().to_vec())).unwrap();
        assert!(of("{bad}").contains(r#""isJson":false"#));
        assert!(of("[]").contains(r#""isJson":true"#));
        for good in [
            r#"{"jsonrpc":"2.0","method":"exit"}"#,
            r#"{"jsonrpc":"2.0","id":1,"result":null}"#,
        ] {
            assert_eq!(of(good), good);
        }
    }
}
