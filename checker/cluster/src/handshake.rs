//! Who is at the other end of a connection.

use std::io;
use std::net::TcpStream;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::frames;
use crate::identity::Identity;
use crate::patience::Until;

const MAGIC: [u8; 8] = *b"stubborn";
/// What is said first is short.
const LONGEST: u32 = 1 << 12;
/// Whoever connects says at once who it is.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a connection is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum For {
    /// What the first process and another say to each other.
    Messages,
    /// States, and what timely has to say of them.
    States,
}

/// What both say first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    magic: [u8; 8],
    pub identity: Identity,
    pub what: For,
    /// Where others find the process that says it.
    pub place: String,
}

impl Hello {
    pub fn new(identity: &Identity, what: For, place: &str) -> Hello {
        Hello {
            magic: MAGIC,
            identity: identity.clone(),
            what,
            place: place.to_owned(),
        }
    }
}

/// Why there is no connection.
#[derive(Debug)]
pub enum Refused {
    /// Nobody who was started together with this process.
    Stranger,
    /// Somebody who was, and cannot search with it: in a sentence.
    Differs(String),
}

/// Says who this is, and hears who is there. Whoever has connected speaks first, and what it says is checked before it
/// is answered.
///
/// # Errors
/// Where that is nobody to search with.
pub fn meet(stream: &mut TcpStream, own: &Hello, has_connected: bool) -> Result<Hello, Refused> {
    let met = exchange(stream, own, has_connected).map_err(|_| Refused::Stranger)?;
    if met.magic != MAGIC {
        return Err(Refused::Stranger);
    }
    match own.identity.against(&met.identity) {
        None => Err(Refused::Stranger),
        Some(Err(differs)) => Err(Refused::Differs(differs)),
        Some(Ok(())) if met.what != own.what && has_connected => Err(Refused::Stranger),
        Some(Ok(())) => Ok(met),
    }
}

fn exchange(stream: &mut TcpStream, own: &Hello, has_connected: bool) -> io::Result<Hello> {
    stream.set_nodelay(true)?;
    let mut stream = Until::within(stream, PATIENCE);
    if has_connected {
        frames::write(&mut stream, own)?;
    }
    let met: Hello = frames::read(&mut stream, Some(LONGEST))?;
    if !has_connected {
        // Who has another secret hears nothing of this one.
        if met.magic != MAGIC || own.identity.secret != met.identity.secret {
            return Ok(met);
        }
        let answer = Hello {
            what: met.what,
            ..own.clone()
        };
        frames::write(&mut stream, &answer)?;
    }
    Ok(met)
}
