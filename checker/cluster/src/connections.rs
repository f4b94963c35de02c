//! How the processes come to have connections to each other.
//!
//! Each listens at a place of its own. All others connect to the first one, which then says to everybody where everybody
//! is; and each connects to those before it, for states. Whoever else connects is refused, and waited for no longer than
//! it takes to say who one is.

use std::io;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::frames;
use crate::handshake::{For, Hello, Refused, meet};
use crate::identity::{Identity, named};
use crate::messages::{Order, Word, printable};
use crate::voice::BETWEEN_SIGNS;

/// Between two looks at whether to go on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// To look at whether somebody listens, before it is looked whether to go on.
const TO_CONNECT: Duration = Duration::from_secs(3);
/// A process that has come and ended again may be started anew; such a part of what others are waited for it has for that.
const TO_RETURN: u32 = 12;
/// Whoever is told how long others are waited for may hear of the end so much later.
const LATER: Duration = Duration::from_secs(5);

/// Why the processes do not come together, in a sentence.
pub type Fault = String;

/// Where a process listens.
#[derive(Debug)]
pub struct Place {
    listener: TcpListener,
    /// Where others find it.
    named: String,
    /// From where others may come.
    from: Vec<IpAddr>,
    /// Where all are, where that was said beforehand.
    hosts: Option<Vec<String>>,
}

impl Place {
    /// Any port of this machine, for this machine alone.
    ///
    /// # Errors
    /// Where there is none.
    pub fn here() -> Result<Place, Fault> {
        let bound = TcpListener::bind("127.0.0.1:0");
        let place = bound.and_then(|listener| Ok((listener.local_addr()?, listener)));
        let (address, listener) = place
            .map_err(|error| format!("no port can be listened at on this machine: {error}"))?;
        Ok(Place {
            listener,
            named: address.to_string(),
            from: vec![address.ip()],
            hosts: None,
        })
    }

    /// One of the hosts, each named with its port.
    ///
    /// # Errors
    /// Where it has no such address, or the port is taken; or where one of the others is not known, or cannot be found by
    /// all.
    pub fn of_host(hosts: &[String], process: usize) -> Result<Place, Fault> {
        let mut from = Vec::new();
        let mut is_here = Vec::new();
        for host in hosts {
            let addresses = resolved(host)?;
            if let Some(nowhere) = addresses
                .iter()
                .find(|one| one.ip().is_unspecified() || one.port() == 0)
            {
                return Err(format!(
                    "`{host}` is {nowhere}, where nobody can be found; an address and a port of its machine would mend it"
                ));
            }
            is_here.push(addresses.iter().all(|one| one.ip().is_loopback()));
            from.extend(addresses.iter().map(SocketAddr::ip));
        }
        // What a machine calls itself may be known to itself alone.
        if let Some(here) = is_here.iter().position(|is_here| *is_here)
            && let Some(there) = is_here.iter().position(|is_here| !is_here)
        {
            return Err(format!(
                "`{}` is an address of this machine for itself, at which that of `{}` does not find it; its address in \
                 the network would mend it",
                hosts[here], hosts[there]
            ));
        }
        let named = hosts.get(process).cloned().unwrap_or_default();
        let listener = TcpListener::bind(&named[..]).map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::AddrInUse => {
                    "the port is taken; another one in the file of hosts would mend it".to_owned()
                }
                io::ErrorKind::AddrNotAvailable => {
                    "that is no address of this machine; another `--process` would mend it"
                        .to_owned()
                }
                _ => error.to_string(),
            };
            format!("`{named}` cannot be listened at: {why}")
        })?;
        Ok(Place {
            listener,
            named,
            from,
            hosts: Some(hosts.to_vec()),
        })
    }

    /// Where others find it.
    pub fn named(&self) -> &str {
        &self.named
    }
}

fn resolved(host: &str) -> Result<Vec<SocketAddr>, Fault> {
    let addresses = host.to_socket_addrs();
    addresses.map(Iterator::collect).map_err(|error| {
        format!("`{host}` is no address of a machine with a port that is known here: {error}")
    })
}

/// The connections of one process.
#[derive(Debug)]
pub struct Mesh {
    pub identity: Identity,
    /// For messages: those of the first process to all others, or that of another one to the first.
    pub messages: Vec<Option<TcpStream>>,
    /// For states, of all but itself.
    pub states: Vec<Option<TcpStream>>,
    /// What the first process has said already.
    pub(crate) said: Vec<Order>,
}

/// Asked now and then while others are waited for: whether to go on.
pub type GoesOn<'g> = &'g mut dyn FnMut() -> Result<(), Fault>;

impl Mesh {
    /// That of the first process.
    ///
    /// # Errors
    /// Where somebody does not come in time, or cannot be searched with, or whoever is asked says no.
    pub fn lead(
        identity: Identity,
        place: &Place,
        patience: Duration,
        goes_on: GoesOn<'_>,
    ) -> Result<Mesh, Fault> {
        let others = identity.processes as usize;
        let mut places = vec![String::new(); others];
        places[0] = place.named.clone();
        let mut mesh = Mesh::empty(identity);
        let arriving = Arriving::at(place, &mesh.identity)?;
        match mesh.gather(&arriving, patience, goes_on, places) {
            Ok(()) => Ok(mesh),
            Err(fault) => {
                for stream in mesh.messages.iter_mut().flatten() {
                    // Who is gone needs not be told.
                    let _ = frames::write(stream, &Order::Broken(fault.clone()));
                }
                Err(fault)
            }
        }
    }

    /// Waits for all others, and tells them where everybody is.
    fn gather(
        &mut self,
        arriving: &Arriving,
        patience: Duration,
        goes_on: GoesOn<'_>,
        mut places: Vec<String>,
    ) -> Result<(), Fault> {
        let until = Instant::now() + patience;
        let to_return = patience / TO_RETURN;
        let all = self.identity.processes as usize;
        let mut ended: Vec<Option<Instant>> = vec![None; all];
        let look = &mut |come: &mut [Option<TcpStream>]| {
            goes_on()?;
            // One that ends may be started again; that is another one with the same number.
            for (at, one) in come.iter_mut().enumerate() {
                match one {
                    Some(stream) if is_closed(stream) => {
                        *one = None;
                        ended[at] = Some(Instant::now());
                    }
                    Some(_) => ended[at] = None,
                    None if ended[at].is_some_and(|ended| ended.elapsed() > to_return) => {
                        return Err(gone(at, all));
                    }
                    None => {}
                }
            }
            Ok(())
        };
        let messages = &mut self.messages;
        arriving.take(messages, For::Messages, 1, until, look, &mut places)?;
        for (at, stream) in self.messages.iter_mut().enumerate() {
            let Some(stream) = stream else { continue };
            let told = frames::write(stream, &Order::Places(places.clone()));
            told.map_err(|error| lost(at, all, &error))?;
        }
        let messages = &mut self.messages;
        let mut told = Instant::now();
        let look = &mut |_: &mut [Option<TcpStream>]| {
            goes_on()?;
            // Whoever has met all that it has to meet waits for the first order, and counts on signs.
            let is_to_tell = told.elapsed() >= BETWEEN_SIGNS;
            if is_to_tell {
                told = Instant::now();
            }
            for (at, stream) in messages.iter_mut().enumerate() {
                let Some(stream) = stream else { continue };
                if is_to_tell {
                    frames::write(stream, &Order::Alive).map_err(|error| lost(at, all, &error))?;
                }
                hear_signs(stream, at, all)?;
            }
            Ok(())
        };
        arriving.take(&mut self.states, For::States, 1, until, look, &mut places)
    }

    /// That of another one, which finds the first at this address.
    ///
    /// # Errors
    /// As [`lead`](Mesh::lead).
    pub fn follow(
        identity: Identity,
        place: &Place,
        first: &str,
        patience: Duration,
    ) -> Result<Mesh, Fault> {
        let mut mesh = Mesh::empty(identity);
        let own = mesh.identity.process as usize;
        let all = mesh.identity.processes as usize;
        let arriving = Arriving::at(place, &mesh.identity)?;
        let hello = Hello::new(&mesh.identity, For::Messages, &place.named);
        let until = Instant::now() + patience;
        let mut first = connected(first, 0, &hello, until, &mut || Ok(()))?;
        // The first one waits for the others as long as this one for it, and then says so.
        let _ = first.set_read_timeout(Some(patience + LATER));
        let order = frames::read(&mut first, None).map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => gone(0, all),
            _ => lost(0, all, &error),
        })?;
        // What it says from now on comes at once.
        let _ = first.set_read_timeout(Some(LATER));
        let until = Instant::now() + patience;
        let mut places = match order {
            Order::Places(places) if places.len() == all => places,
            Order::Broken(why) => return Err(printable(&why)),
            _ => {
                return Err(format!(
                    "{} says something else first",
                    named(0, all as u32)
                ));
            }
        };
        if place.hosts.as_ref().is_some_and(|hosts| *hosts != places) {
            return Err(format!(
                "{} has met others than those of the file of hosts; the same file everywhere would mend it",
                named(0, all as u32)
            ));
        }
        let mut said = Vec::new();
        let look = &mut || hear_early(&mut first, all, &mut said);
        for (at, place_of) in places.iter().enumerate().take(own) {
            let hello = Hello::new(&mesh.identity, For::States, &place.named);
            mesh.states[at] = Some(connected(place_of, at, &hello, until, look)?);
        }
        let states = &mut mesh.states;
        let look = &mut |_: &mut [Option<TcpStream>]| look();
        arriving.take(states, For::States, own + 1, until, look, &mut places)?;
        mesh.messages[0] = Some(first);
        mesh.said = said;
        Ok(mesh)
    }

    fn empty(identity: Identity) -> Mesh {
        let none = || (0..identity.processes).map(|_| None).collect();
        Mesh {
            messages: none(),
            states: none(),
            said: Vec::new(),
            identity,
        }
    }
}

/// What another process has said that has met all already: that it is there, or that it cannot go on.
fn hear_signs(stream: &mut TcpStream, at: usize, all: usize) -> Result<(), Fault> {
    while has_come(stream) {
        let _ = stream.set_read_timeout(Some(LATER));
        let heard = frames::read(stream, None);
        let _ = stream.set_read_timeout(None);
        match heard {
            Ok(Word::Failed(why)) => {
                let who = named(at as u32, all as u32);
                return Err(format!("{who} has failed: {}", printable(&why)));
            }
            Ok(Word::Lost(other, why)) => return Err(broken((at as u32, other), all as u32, &why)),
            Ok(Word::Alive | Word::Worker(..)) => {}
            Err(_) => return Err(gone(at, all)),
        }
    }
    Ok(())
}

/// What the first process has said while others are waited for, if anything: that all is over, or, where it has met
/// everybody, what to do next.
fn hear_early(first: &mut TcpStream, all: usize, said: &mut Vec<Order>) -> Result<(), Fault> {
    while has_come(first) {
        match frames::read(first, None) {
            Ok(Order::Broken(why)) => return Err(printable(&why)),
            Ok(order) => said.push(order),
            Err(_) => return Err(gone(0, all)),
        }
    }
    Ok(())
}

fn lost(process: usize, of: usize, error: &io::Error) -> Fault {
    let who = named(process as u32, of as u32);
    format!("the connection to {who} was lost: {error}")
}

/// Of two processes, whose connection for states has broken.
pub(crate) fn broken(ends: (u32, u32), of: u32, why: &str) -> Fault {
    let one = named(ends.0.min(ends.1), of);
    let other = named(ends.0.max(ends.1), of);
    let why = printable(why);
    format!("the connection between {one} and {other} {why}")
}

pub(crate) fn gone(process: usize, of: usize) -> Fault {
    let who = named(process as u32, of as u32);
    format!("{who} has ended before the others were done")
}

/// Whether both of its ends are the same: TCP connects such a port to itself.
fn is_of_itself(stream: &TcpStream) -> bool {
    match (stream.local_addr(), stream.peer_addr()) {
        (Ok(own), Ok(other)) => own == other,
        _ => false,
    }
}

fn peeked(stream: &TcpStream) -> io::Result<usize> {
    stream.set_nonblocking(true)?;
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    peeked
}

/// Whether the other end of a connection on which nothing is to come was closed.
fn is_closed(stream: &TcpStream) -> bool {
    match peeked(stream) {
        Ok(read) => read == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

/// Whether there is something to read, or will be nothing any more.
fn has_come(stream: &TcpStream) -> bool {
    !peeked(stream).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

/// A connection to another process, which may come later than this one.
fn connected(
    to: &str,
    process: usize,
    hello: &Hello,
    until: Instant,
    goes_on: GoesOn<'_>,
) -> Result<TcpStream, Fault> {
    let who = named(process as u32, hello.identity.processes);
    let mut last = String::from("nobody listens there");
    while Instant::now() < until {
        for address in resolved(to)? {
            goes_on()?;
            let left = until.saturating_duration_since(Instant::now());
            let left = left.clamp(BETWEEN_LOOKS, TO_CONNECT);
            match TcpStream::connect_timeout(&address, left) {
                // On one machine a port of this process's own may be the one that nobody listens at yet.
                Ok(stream) if is_of_itself(&stream) => {}
                Ok(mut stream) => match meet(&mut stream, hello, true) {
                    Ok(met) if met.identity.process as usize == process => return Ok(stream),
                    Err(Refused::Differs(differs)) => return Err(differs),
                    Ok(_) | Err(Refused::Stranger) => {
                        "somebody else answers there, or is another version".clone_into(&mut last);
                    }
                },
                Err(error) => last = error.to_string(),
            }
        }
        thread::park_timeout(BETWEEN_LOOKS);
    }
    Err(format!("{who} was not found at `{to}`: {last}"))
}

/// Asked now and then whether to go on; takes out of those that have come who is gone.
type Look<'l> = &'l mut dyn FnMut(&mut [Option<TcpStream>]) -> Result<(), Fault>;

/// Those who connect, once they have said who they are.
struct Arriving {
    come: Receiver<Result<(Hello, TcpStream), Fault>>,
    /// Closes the listener's thread.
    address: SocketAddr,
    of: u32,
    /// Those who came early.
    early: std::cell::RefCell<Vec<(Hello, TcpStream)>>,
    is_over: std::sync::Arc<std::sync::atomic::AtomicBool>,
}

impl Arriving {
    fn at(place: &Place, identity: &Identity) -> Result<Arriving, Fault> {
        let unusable =
            |error: io::Error| format!("`{}` cannot be listened at: {error}", place.named);
        let listener = place.listener.try_clone().map_err(unusable)?;
        let address = listener.local_addr().map_err(unusable)?;
        let hello = Hello::new(identity, For::Messages, &place.named);
        let (tell, come) = channel();
        let from = place.from.clone();
        let is_over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        let ends = std::sync::Arc::clone(&is_over);
        thread::Builder::new()
            .name("arriving".to_owned())
            .spawn(move || {
                for stream in listener.incoming() {
                    if ends.load(std::sync::atomic::Ordering::Relaxed) {
                        break;
                    }
                    let Ok(stream) = stream else { continue };
                    let is_named = stream
                        .peer_addr()
                        .is_ok_and(|peer| from.contains(&peer.ip()));
                    match is_named {
                        true => greet(stream, hello.clone(), tell.clone()),
                        false => drop(stream.shutdown(Shutdown::Both)),
                    }
                }
            })
            .map_err(unusable)?;
        Ok(Arriving {
            come,
            address,
            of: identity.processes,
            early: std::cell::RefCell::default(),
            is_over,
        })
    }

    /// Waits for all from a number on.
    fn take(
        &self,
        into: &mut [Option<TcpStream>],
        what: For,
        from: usize,
        until: Instant,
        look: Look<'_>,
        places: &mut [String],
    ) -> Result<(), Fault> {
        loop {
            look(into)?;
            let mut early = self.early.borrow_mut();
            for (hello, mut stream) in std::mem::take(&mut *early) {
                let at = hello.identity.process as usize;
                let is_free = |one: &Option<TcpStream>| one.as_ref().is_none_or(is_closed);
                if hello.what != what {
                    early.push((hello, stream));
                } else if what == For::States && is_closed(&stream) {
                    // Of one that was started again since.
                } else if at >= from && into.get(at).is_some_and(is_free) {
                    places[at] = hello.place;
                    into[at] = Some(stream);
                } else {
                    let who = named(at as u32, self.of);
                    let twice = format!("{who} is there twice; another `--process` would mend it");
                    if what == For::Messages {
                        // Who is gone needs not be told.
                        let _ = frames::write(&mut stream, &Order::Broken(twice.clone()));
                    }
                    return Err(twice);
                }
            }
            drop(early);
            let missing = (from..into.len()).find(|at| into[*at].is_none());
            let Some(missing) = missing else {
                return Ok(());
            };
            if Instant::now() >= until {
                let who = named(missing as u32, self.of);
                return Err(format!("{who} has not come in time"));
            }
            match self.come.recv_timeout(BETWEEN_LOOKS) {
                Ok(come) => self.early.borrow_mut().push(come?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err("nobody listens any more".to_owned());
                }
            }
        }
    }
}

impl Drop for Arriving {
    /// Nobody else may come: one more connection lets the thread see that.
    fn drop(&mut self) {
        self.is_over
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

/// Hears who has connected, beside others who do.
fn greet(mut stream: TcpStream, hello: Hello, tell: Sender<Result<(Hello, TcpStream), Fault>>) {
    // Where there is no thread to be had it is as if nobody had come.
    let _ = thread::Builder::new()
        .name("greeting".to_owned())
        .spawn(move || match meet(&mut stream, &hello, false) {
            Ok(met) => drop(tell.send(Ok((met, stream)))),
            Err(Refused::Differs(differs)) => drop(tell.send(Err(differs))),
            Err(Refused::Stranger) => drop(stream.shutdown(Shutdown::Both)),
        });
}

#[cfg(test)]
mod tests;
