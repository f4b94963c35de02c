//! Messages out of the bytes of a client: each has a head that says how long it is.
//!
//! A head may lie. What is no message is gone through for the head of the next one, so that a wrong
//! length costs a message and not the session; where it was too large, the message before the next
//! head may still be whole.

use tokio::io::{AsyncRead, AsyncReadExt};

/// What a message says its length with.
const LENGTH: &[u8] = b"content-length:";
/// No head is longer, in bytes.
const MOST_HEAD: usize = 1 << 12;
/// No message is longer, in bytes; a head that says so is none.
const MOST_BODY: usize = 1 << 28;
/// What is read at once, in bytes.
const PIECE: usize = 1 << 16;

/// What comes from a client.
pub struct Frames<R> {
    input: R,
    /// What has been read and not yet been passed on.
    read: Vec<u8>,
}

/// What stands between two heads, or is as long as its head says.
#[derive(Debug, PartialEq, Eq)]
pub enum Frame<T> {
    /// A message, and what has been read from it.
    Message(Vec<u8>, T),
    Unreadable(Vec<u8>),
}

/// Where a head says that its message is.
struct Head {
    body: usize,
    length: usize,
}

impl<R: AsyncRead + Unpin> Frames<R> {
    pub fn new(input: R) -> Frames<R> {
        Frames {
            input,
            read: Vec::new(),
        }
    }

    /// The next message, or what stands in the place of one, of which `read` makes nothing; `None` at
    /// the end of the input.
    pub async fn next<T>(&mut self, read: impl Fn(&[u8]) -> Option<T>) -> Option<Frame<T>> {
        let head = self.head().await?;
        let end = head.body + head.length;
        while self.read.len() < end {
            self.more().await?;
        }
        let body = &self.read[head.body..end];
        if let Some(message) = read(body) {
            let body = body.to_vec();
            self.read.drain(..end);
            return Some(Frame::Message(body, message));
        }
        // A head within what is no message is that of the next one; it may have begun before `end`.
        let reach = self.read.len().min(end + LENGTH.len());
        let next = find_head(&self.read[..reach], head.body).unwrap_or(end);
        let body = self.read[head.body..next.min(end)].to_vec();
        self.read.drain(..next);
        let whole = (next < end).then(|| read(body.trim_ascii())).flatten();
        Some(match whole {
            Some(message) => Frame::Message(body.trim_ascii().to_vec(), message),
            None => Frame::Unreadable(body),
        })
    }

    /// The next head; what stands before it is passed over.
    async fn head(&mut self) -> Option<Head> {
        loop {
            match find_head(&self.read, 0) {
                // The last bytes may be the beginning of a head.
                None => {
                    let kept = self.read.len().min(LENGTH.len() - 1);
                    self.read.drain(..self.read.len() - kept);
                    self.more().await?;
                }
                Some(start) => {
                    self.read.drain(..start);
                    let blank = blank_line(&self.read[..self.read.len().min(MOST_HEAD)]);
                    match blank {
                        Some(body) => match length(&self.read) {
                            Some(length) if length <= MOST_BODY => {
                                return Some(Head { body, length });
                            }
                            _ => drop(self.read.drain(..LENGTH.len())),
                        },
                        None if self.read.len() >= MOST_HEAD => {
                            self.read.drain(..LENGTH.len());
                        }
                        None => self.more().await?,
                    }
                }
            }
        }
    }

    async fn more(&mut self) -> Option<()> {
        let mut piece = (&mut self.input).take(PIECE as u64);
        let count = piece.read_buf(&mut self.read).await.ok()?;
        (count > 0).then_some(())
    }
}

/// A message with its head, in one piece: no client reads half of one from a server that has ended.
pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut message = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    message.extend_from_slice(body);
    message
}

/// Where from `start` on a head begins.
fn find_head(bytes: &[u8], start: usize) -> Option<usize> {
    let found = bytes[start..]
        .windows(LENGTH.len())
        .position(|window| window.eq_ignore_ascii_case(LENGTH))?;
    Some(start + found)
}

/// Behind the first line with nothing in it.
fn blank_line(bytes: &[u8]) -> Option<usize> {
    let mut start = 0;
    while let Some(length) = bytes[start..].iter().position(|byte| *byte == b'\n') {
        let line = &bytes[start..start + length];
        start += length + 1;
        if line.trim_ascii().is_empty() {
            return Some(start);
        }
    }
    None
}

/// The length that stands in the first line.
fn length(head: &[u8]) -> Option<usize> {
    let line = head.split(|byte| *byte == b'\n').next()?;
    let value = std::str::from_utf8(line.get(LENGTH.len()..)?).ok()?;
    value.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read from these bytes where a message is what stands in braces.
    async fn frames(bytes: &str) -> Vec<String> {
        let mut frames = Frames::new(bytes.as_bytes());
        let mut read = Vec::new();
        while let Some(frame) = frames.next(braces).await {
            let (mark, bytes) = match frame {
                Frame::Message(bytes, ()) => ("", bytes),
                Frame::Unreadable(bytes) => ("unreadable ", bytes),
            };
            read.push(format!("{mark}{}", String::from_utf8_lossy(&bytes)));
        }
        read
    }

    fn braces(bytes: &[u8]) -> Option<()> {
        let is_brace = |byte: &&u8| matches!(**byte, b'{' | b'}');
        let two = bytes.iter().filter(is_brace).count() == 2;
        (two && bytes.starts_with(b"{") && bytes.ends_with(b"}")).then_some(())
    }

    #[tokio::test]
    async fn a_message_is_as_long_as_its_head_says() {
        let bytes = "Content-Length: 3\r\n\r\n{a}Content-Type: x\r\ncontent-length:4\r\n\r\n{bc}";
        assert_eq!(frames(bytes).await, ["{a}", "{bc}"]);
    }

    #[tokio::test]
    async fn a_length_that_is_too_small_costs_its_message_alone() {
        let bytes = "Content-Length: 2\r\n\r\n{a}Content-Length: 3\r\n\r\n{b}";
        assert_eq!(frames(bytes).await, ["unreadable {a", "{b}"]);
    }

    #[tokio::test]
    async fn a_length_that_is_too_large_costs_nothing() {
        for more in 1..20 {
            let bytes = format!(
                "Content-Length: {}\r\n\r\n{{a}}Content-Length: 3\r\n\r\n{{b}}",
                3 + more
            );
            assert_eq!(frames(&bytes).await, ["{a}", "{b}"], "{more} more");
        }
    }

    #[tokio::test]
    async fn what_is_before_a_head_is_passed_over() {
        let bytes = format!("{}\nContent-Length: 3\r\n\r\n{{a}}", "x".repeat(100_000));
        assert_eq!(frames(&bytes).await, ["{a}"]);
    }

    #[tokio::test]
    async fn a_head_that_makes_no_sense_is_none() {
        let too_long = format!("Content-Length: {}\r\n\r\n", MOST_BODY + 1);
        for bad in [
            "Content-Length: x\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            &too_long,
        ] {
            let bytes = format!("{bad}Content-Length: 3\r\n\r\n{{a}}");
            assert_eq!(frames(&bytes).await, ["{a}"], "{bad}");
        }
        let endless = format!("Content-Length: 3\r\n{}", "X: y\r\n".repeat(2_000));
        let bytes = format!("{endless}Content-Length: 3\r\n\r\n{{a}}");
        assert_eq!(frames(&bytes).await, ["{a}"]);
    }

    #[tokio::test]
    async fn a_head_is_as_long_as_is_allowed() {
        let with_head = |length: usize| {
            let (before, after) = ("Content-Length: 3\r\nX: ", "\r\n\r\n");
            let rest = length - before.len() - after.len();
            format!("{before}{}{after}{{a}}", "x".repeat(rest))
        };
        for (length, found) in [(MOST_HEAD - 1, 1), (MOST_HEAD, 1), (MOST_HEAD + 1, 0)] {
            assert_eq!(frames(&with_head(length)).await.len(), found, "{length}");
        }
    }

    #[tokio::test]
    async fn half_a_message_is_the_end_where_the_input_ends() {
        assert!(frames("Content-Length: 9\r\n\r\n{a").await.is_empty());
        assert!(frames("Content-Le").await.is_empty());
    }

    #[tokio::test]
    async fn a_body_is_as_long_as_is_allowed() {
        // Of one that is allowed all that comes is waited for.
        for (length, found) in [(MOST_BODY - 1, 0), (MOST_BODY, 0), (MOST_BODY + 1, 1)] {
            let bytes = format!("Content-Length: {length}\r\n\r\nContent-Length: 3\r\n\r\n{{a}}");
            assert_eq!(frames(&bytes).await.len(), found, "{length}");
        }
    }
}
