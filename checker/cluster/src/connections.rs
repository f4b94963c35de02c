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
use crate::messages::Order;

/// Between two looks at whether to go on.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

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
        })
    }

    /// One of the hosts, each named with its port.
    ///
    /// # Errors
    /// Where it has no such address, or the port is taken; or where one of the others is not known.
    pub fn of_host(hosts: &[String], process: usize) -> Result<Place, Fault> {
        let mut from = Vec::new();
        for host in hosts {
            let addresses = resolved(host)?;
            from.extend(addresses.iter().map(SocketAddr::ip));
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
        let until = Instant::now() + patience;
        let others = identity.processes as usize;
        let mut places = vec![String::new(); others];
        places[0] = place.named.clone();
        let mut mesh = Mesh::empty(identity);
        let arriving = Arriving::at(place, &mesh.identity)?;
        mesh.take(&arriving, For::Messages, 1.., until, goes_on, &mut places)?;
        for (at, stream) in mesh.messages.iter_mut().enumerate() {
            let Some(stream) = stream else { continue };
            let told = frames::write(stream, &Order::Places(places.clone()));
            told.map_err(|error| lost(at, others, &error))?;
        }
        mesh.take(&arriving, For::States, 1.., until, goes_on, &mut places)?;
        Ok(mesh)
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
        let until = Instant::now() + patience;
        let mut mesh = Mesh::empty(identity);
        let own = mesh.identity.process as usize;
        let all = mesh.identity.processes as usize;
        let arriving = Arriving::at(place, &mesh.identity)?;
        let hello = Hello::new(&mesh.identity, For::Messages, &place.named);
        let mut first = connected(first, 0, &hello, until)?;
        let until_told = until.saturating_duration_since(Instant::now());
        let _ = first.set_read_timeout(Some(until_told.max(BETWEEN_LOOKS)));
        let order: Order = frames::read(&mut first, None).map_err(|error| lost(0, all, &error))?;
        let _ = first.set_read_timeout(None);
        let places = match order {
            Order::Places(places) if places.len() == all => places,
            _ => {
                return Err(format!(
                    "{} says something else first",
                    named(0, all as u32)
                ));
            }
        };
        mesh.messages[0] = Some(first);
        for (at, place_of) in places.iter().enumerate().take(own) {
            let hello = Hello::new(&mesh.identity, For::States, &place.named);
            mesh.states[at] = Some(connected(place_of, at, &hello, until)?);
        }
        let mut of_later = places.clone();
        let is_gone = || match &mesh.messages[0] {
            Some(first) if is_closed(first) => Err(gone(0, all)),
            _ => Ok(()),
        };
        let mut states = std::mem::take(&mut mesh.states);
        arriving.take(
            &mut states,
            For::States,
            own + 1,
            until,
            &mut { is_gone },
            &mut of_later,
        )?;
        mesh.states = states;
        Ok(mesh)
    }

    fn empty(identity: Identity) -> Mesh {
        let none = || (0..identity.processes).map(|_| None).collect();
        Mesh {
            messages: none(),
            states: none(),
            identity,
        }
    }

    fn take(
        &mut self,
        arriving: &Arriving,
        what: For,
        from: std::ops::RangeFrom<usize>,
        until: Instant,
        goes_on: GoesOn<'_>,
        places: &mut [String],
    ) -> Result<(), Fault> {
        let into = match what {
            For::Messages => &mut self.messages,
            For::States => &mut self.states,
        };
        arriving.take(into, what, from.start, until, goes_on, places)
    }
}

fn lost(process: usize, of: usize, error: &io::Error) -> Fault {
    let who = named(process as u32, of as u32);
    format!("the connection to {who} was lost: {error}")
}

pub(crate) fn gone(process: usize, of: usize) -> Fault {
    let who = named(process as u32, of as u32);
    format!("{who} has ended before the others were done")
}

/// Whether the other end of a connection on which nothing is to come was closed.
fn is_closed(stream: &TcpStream) -> bool {
    let _ = stream.set_nonblocking(true);
    let peeked = stream.peek(&mut [0]);
    let _ = stream.set_nonblocking(false);
    match peeked {
        Ok(read) => read == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

/// A connection to another process, which may come later than this one.
fn connected(to: &str, process: usize, hello: &Hello, until: Instant) -> Result<TcpStream, Fault> {
    let who = named(process as u32, hello.identity.processes);
    let mut last = String::from("nobody listens there");
    while Instant::now() < until {
        let left = until.saturating_duration_since(Instant::now());
        for address in resolved(to)? {
            match TcpStream::connect_timeout(&address, left.max(BETWEEN_LOOKS)) {
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
        goes_on: GoesOn<'_>,
        places: &mut [String],
    ) -> Result<(), Fault> {
        loop {
            let mut early = self.early.borrow_mut();
            for (hello, stream) in std::mem::take(&mut *early) {
                let at = hello.identity.process as usize;
                if hello.what != what {
                    early.push((hello, stream));
                } else if at >= from && into.get(at).is_some_and(Option::is_none) {
                    places[at] = hello.place;
                    into[at] = Some(stream);
                } else {
                    let who = named(at as u32, self.of);
                    return Err(format!(
                        "{who} is there twice; another `--process` would mend it"
                    ));
                }
            }
            drop(early);
            let missing = (from..into.len()).find(|at| into[*at].is_none());
            let Some(missing) = missing else {
                return Ok(());
            };
            goes_on()?;
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
