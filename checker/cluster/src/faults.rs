//! Why processes cannot go on with each other, in sentences.

use std::io::{self, ErrorKind};

use crate::identity::named;
use crate::messages::printable;

/// Why the processes do not come together, or do not stay so: in a sentence.
pub type Fault = String;

/// What is known where a connection is of no use any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Its other end was closed: by a process that has ended, or by whoever has cut the connection.
    Closed,
    /// What became of it, to be said of a connection: "has damaged what was sent".
    Useless(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        use ErrorKind::{
            BrokenPipe, ConnectionAborted, ConnectionReset, InvalidData, TimedOut, UnexpectedEof,
            WouldBlock,
        };
        match error.kind() {
            UnexpectedEof | ConnectionReset | ConnectionAborted | BrokenPipe => Failure::Closed,
            InvalidData => Failure::Useless("has damaged what was sent".to_owned()),
            WouldBlock | TimedOut => Failure::Useless("has stood still".to_owned()),
            _ => Failure::Useless(format!("has broken: {error}")),
        }
    }
}

impl Failure {
    /// To be said of a connection.
    pub fn of_connection(self) -> String {
        match self {
            Failure::Closed => "has ended".to_owned(),
            Failure::Useless(what) => what,
        }
    }

    /// For this process, of its connection for messages to another one.
    pub fn between(self, own: u32, other: u32, of: u32) -> Fault {
        match self {
            Failure::Closed => gone(other, of),
            Failure::Useless(what) => broken((own, other), of, &what),
        }
    }
}

/// A process that is there no more for this one.
pub fn gone(process: u32, of: u32) -> Fault {
    let who = named(process, of);
    format!("{who} has ended, or its connection was cut, before the others were done")
}

/// A process of which is known how it has ended.
pub fn ended(process: u32, of: u32, how: &str) -> Fault {
    let who = named(process, of);
    format!("{who} has ended before the others were done: {how}")
}

/// A process that has said why it cannot go on.
pub fn failed(process: u32, of: u32, why: &str) -> Fault {
    let who = named(process, of);
    format!("{who} has failed: {}", printable(why))
}

/// Of two processes, whose connection is of no use any more.
pub fn broken(ends: (u32, u32), of: u32, why: &str) -> Fault {
    let one = named(ends.0.min(ends.1), of);
    let other = named(ends.0.max(ends.1), of);
    let why = printable(why);
    format!("the connection between {one} and {other} {why}")
}
