//! Those who connect.

use std::cell::RefCell;
use std::io;
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::faults::Fault;
use crate::frames;
use crate::handshake::{For, Hello, Refused, meet};
use crate::identity::{Identity, named};
use crate::messages::Order;
use crate::place::Place;

/// Between two looks at whether to go on.
pub const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Asked now and then whether to go on; takes out of those that have come who is gone.
pub type Look<'l> = &'l mut dyn FnMut(&mut [Option<TcpStream>]) -> Result<(), Fault>;

/// What this process lacks to take connections in may be given back: by strangers who are cut off, say. Else it ends.
pub const TO_MEND: Duration = Duration::from_secs(6);
/// It is not lacking any more where nobody has missed it for so long.
const TO_TRY_AGAIN: Duration = Duration::from_secs(1);

/// Who has connected, as what, and as which of all in turn.
struct Come {
    nth: u64,
    hello: Hello,
    stream: TcpStream,
}

/// Those who connect, once they have said who they are.
pub struct Arriving {
    come: Receiver<Result<Come, Fault>>,
    /// Closes the listener's thread.
    address: SocketAddr,
    of: u32,
    /// Those who came early.
    early: RefCell<Vec<Come>>,
    /// Which connection that for messages is, of each process that has come.
    nth: RefCell<Vec<u64>>,
    trouble: Arc<Mutex<Trouble>>,
    is_over: Arc<AtomicBool>,
}

impl Arriving {
    /// Listens there until it is dropped.
    ///
    /// # Errors
    /// Where that cannot be.
    pub fn at(place: &Place, identity: &Identity) -> Result<Arriving, Fault> {
        let unusable =
            |error: io::Error| format!("`{}` cannot be listened at: {error}", place.named);
        let address = place.listener.local_addr().map_err(unusable)?;
        let hello = Hello::new(identity, For::Messages, &place.named);
        let (tell, come) = channel();
        let here = place.try_clone().map_err(unusable)?;
        let is_over = Arc::new(AtomicBool::new(false));
        let ends = Arc::clone(&is_over);
        let trouble: Arc<Mutex<Trouble>> = Arc::default();
        let troubled = Arc::clone(&trouble);
        thread::Builder::new()
            .name("arriving".to_owned())
            .spawn(move || {
                for (nth, stream) in (0..).zip(here.listener.incoming()) {
                    if ends.load(Relaxed) {
                        break;
                    }
                    let greeted = stream.and_then(|stream| {
                        if here.may_come(&stream) {
                            return greet((nth, stream), hello.clone(), tell.clone());
                        }
                        locked(&troubled).refuse(&stream);
                        Ok(())
                    });
                    match greeted {
                        Ok(()) => locked(&troubled).has_taken(),
                        Err(error) => {
                            locked(&troubled).could_not_take(&error);
                            thread::park_timeout(BETWEEN_LOOKS);
                        }
                    }
                }
            })
            .map_err(unusable)?;
        Ok(Arriving {
            come,
            address,
            of: identity.processes,
            early: RefCell::default(),
            nth: RefCell::new(vec![0; identity.processes as usize]),
            trouble,
            is_over,
        })
    }

    /// Waits for all from a number on.
    ///
    /// # Errors
    /// Where somebody does not come until then, is there twice or cannot be searched with, or `look` says no.
    pub fn take(
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
            for come in std::mem::take(&mut *early) {
                let Come { nth, hello, stream } = come;
                let at = hello.identity.process as usize;
                let is_new = match into.get(at) {
                    Some(Some(before)) if at >= from => is_closed(before),
                    Some(None) if at >= from => true,
                    _ => false,
                };
                if hello.what != what {
                    early.push(Come { nth, hello, stream });
                } else if is_closed(&stream) && (what == For::States || !is_new) {
                    // Of one that was started again since, or has ended at once where another one is there.
                } else if is_new {
                    places[at] = hello.place;
                    into[at] = Some(stream);
                    self.nth.borrow_mut()[at] = nth;
                } else if what == For::Messages
                    && at >= from
                    && let Some(there) = &mut into[at]
                {
                    // Two cannot listen at one place: the end of the one before was not seen, as that of a machine is not.
                    // Who has connected first may be greeted last.
                    let mut before = stream;
                    let last = &mut self.nth.borrow_mut()[at];
                    if nth > *last {
                        *last = nth;
                        places[at] = hello.place;
                        std::mem::swap(there, &mut before);
                    }
                    // If it is there after all it hears why it is not waited for.
                    let _ = frames::write(&mut before, &Order::Broken(another(at, self.of)));
                } else {
                    let who = named(at as u32, self.of);
                    return Err(format!("{who} is there twice"));
                }
            }
            drop(early);
            let missing = |into: &[Option<TcpStream>]| {
                let mut all = from..into.len();
                all.find(|at| into[*at].is_none())
            };
            let Some(missing) = missing(into) else {
                // Somebody may have come, and gone since: while this process was stopped, say.
                look(into)?;
                match missing(into) {
                    None => return Ok(()),
                    Some(_) => continue,
                }
            };
            if Instant::now() >= until {
                return Err(self.is_late(missing as u32));
            }
            if let Some(lacking) = locked(&self.trouble).lacking() {
                return Err(lacking);
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

    fn is_late(&self, process: u32) -> Fault {
        let who = named(process, self.of);
        match &locked(&self.trouble).told {
            None => format!("{who} has not come in time"),
            Some(trouble) => format!("{who} has not come in time; {trouble}"),
        }
    }
}

impl Drop for Arriving {
    /// Nobody else may come: one more connection lets the thread see that.
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

fn another(process: usize, of: u32) -> Fault {
    let who = named(process as u32, of);
    format!(
        "another {who} has come, and this one is not waited for; unless this one was started again, give it \
         another `--process`"
    )
}

/// Whether the other end of a connection on which nothing is to come was closed.
pub fn is_closed(stream: &TcpStream) -> bool {
    match peeked(stream) {
        Ok(read) => read == 0,
        Err(error) => error.kind() != io::ErrorKind::WouldBlock,
    }
}

/// Whether there is something to read, or will be nothing any more.
pub fn has_come(stream: &TcpStream) -> bool {
    !peeked(stream).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
}

fn peeked(stream: &TcpStream) -> io::Result<usize> {
    stream.set_nonblocking(true)?;
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    peeked
}

/// Hears who has connected, beside others who do.
///
/// # Errors
/// Where there is no thread to be had.
fn greet(
    (nth, mut stream): (u64, TcpStream),
    hello: Hello,
    tell: Sender<Result<Come, Fault>>,
) -> io::Result<()> {
    let greeting = thread::Builder::new().name("greeting".to_owned());
    let greets = greeting.spawn(move || match meet(&mut stream, &hello, false) {
        Ok(hello) => drop(tell.send(Ok(Come { nth, hello, stream }))),
        Err(Refused::Differs(differs)) => drop(tell.send(Err(differs))),
        Err(Refused::Stranger) => drop(stream.shutdown(Shutdown::Both)),
    });
    greets.map(drop)
}

/// Who cannot take anybody in tries again at once, and so do those who want to be.
fn is_still_so((_, last): &(Instant, Instant)) -> bool {
    last.elapsed() < TO_TRY_AGAIN
}

/// Why somebody may be missed.
#[derive(Default)]
struct Trouble {
    /// Who was refused last, or could not be taken in: in a part of a sentence.
    told: Option<String>,
    /// When somebody could not be taken in, and when last, with nobody taken in meanwhile.
    lacks: Option<(Instant, Instant)>,
}

impl Trouble {
    fn refuse(&mut self, stream: &TcpStream) {
        if let Ok(peer) = stream.peer_addr() {
            self.told = Some(format!(
                "somebody from {} was refused, which is the address of no host",
                peer.ip()
            ));
        }
        let _ = stream.shutdown(Shutdown::Both);
    }

    fn has_taken(&mut self) {
        self.lacks = None;
    }

    fn could_not_take(&mut self, error: &io::Error) {
        self.told = Some(format!(
            "connections could not be taken: {}",
            why_lacking(error)
        ));
        let now = Instant::now();
        let since = self
            .lacks
            .filter(is_still_so)
            .map_or(now, |(since, _)| since);
        self.lacks = Some((since, now));
    }

    /// Whether that is so for too long.
    fn lacking(&self) -> Option<Fault> {
        let lacks = self.lacks.filter(is_still_so);
        let is_for_long = lacks.is_some_and(|(since, _)| since.elapsed() >= TO_MEND);
        self.told.clone().filter(|_| is_for_long)
    }
}

fn locked(trouble: &Mutex<Trouble>) -> MutexGuard<'_, Trouble> {
    trouble.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process has as many open files as it may have, by the number that all kinds of Unix give that.
const EMFILE: i32 = 24;
/// The machine has; and a process may not have another connection, by the number that Windows gives that.
const ENFILE: i32 = 23;
const WSAEMFILE: i32 = 10_024;

/// Whether this process, or its machine, has no more files for a connection.
pub fn has_no_files(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(EMFILE | ENFILE | WSAEMFILE))
}

/// The error, and what to do about it if that is known.
pub fn why_lacking(error: &io::Error) -> String {
    match error.raw_os_error() == Some(EMFILE) {
        true => format!("{error}; raise the limit on open files (`ulimit -n`)"),
        false => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Both ends of a connection for messages, that of the process 2 of 2 first, which is the `nth` in turn.
    fn come(nth: u64) -> (TcpStream, Come) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has an address");
        let there = TcpStream::connect(address).expect("somebody listens");
        let (stream, _) = listener.accept().expect("somebody has connected");
        let identity = Identity {
            program: [1; 32],
            asked: [2; 32],
            secret: [3; 16],
            processes: 2,
            process: 1,
            workers: 1,
        };
        let hello = Hello::new(&identity, For::Messages, &format!("127.0.0.1:{nth}"));
        (there, Come { nth, hello, stream })
    }

    /// Where the connection comes from that is taken of those that were greeted in this order, and where the process says
    /// that it is.
    fn taken(greeted: Vec<Come>) -> (Option<SocketAddr>, String) {
        let place = Place::here().expect("there is a port");
        let arriving = Arriving::at(&place, &greeted[0].hello.identity).expect("it listens");
        arriving.early.borrow_mut().extend(greeted);
        let mut into = [None, None];
        let mut places = [String::new(), String::new()];
        let until = Instant::now() + TO_MEND;
        let look = &mut |_: &mut [Option<TcpStream>]| Ok(());
        let taken = arriving.take(&mut into, For::Messages, 1, until, look, &mut places);
        assert_eq!(taken, Ok(()));
        let [_, taken] = into.map(|one| one?.peer_addr().ok());
        let [_, place] = places;
        (taken, place)
    }

    #[test]
    fn of_two_with_the_same_number_who_has_connected_last_is_taken_whoever_was_greeted_first() {
        for is_greeted_first in [true, false] {
            let ((mut before, first), (there, last)) = (come(3), come(5));
            let mut greeted = vec![first, last];
            if !is_greeted_first {
                greeted.reverse();
            }
            let own = there.local_addr().ok();
            assert_eq!(taken(greeted), (own, "127.0.0.1:5".to_owned()));
            let told: Order = frames::read(&mut before, None).expect("it is told");
            assert!(matches!(&told, Order::Broken(why) if why.starts_with("another process")));
        }
    }

    #[test]
    fn who_comes_and_is_gone_at_once_is_not_taken_for_one_that_is_there() {
        let ((there, first), (gone, last)) = (come(3), come(5));
        drop(gone);
        let own = there.local_addr().ok();
        assert_eq!(taken(vec![first, last]), (own, "127.0.0.1:3".to_owned()));
    }

    /// Of what was missed first and last so long ago.
    fn trouble(first: Duration, last: Duration) -> Trouble {
        let now = Instant::now();
        let ago = |time| now.checked_sub(time).expect("the machine runs for longer");
        Trouble {
            told: Some("too many".to_owned()),
            lacks: Some((ago(first), ago(last))),
        }
    }

    #[test]
    fn what_is_lacking_for_long_ends_a_process_and_what_was_mended_does_not() {
        let told = Some("too many".to_owned());
        let (long, short) = (TO_MEND * 2, TO_MEND / 2);
        assert_eq!(trouble(long, Duration::ZERO).lacking(), told);
        assert_eq!(trouble(short, Duration::ZERO).lacking(), None);
        let mended = trouble(long, TO_TRY_AGAIN * 2);
        assert_eq!(mended.lacking(), None, "nobody has missed it since");
        let mut again = mended;
        again.could_not_take(&io::Error::other("too many again"));
        assert_eq!(again.lacking(), None, "that is another time");
        let mut taken = trouble(long, Duration::ZERO);
        taken.has_taken();
        assert_eq!(taken.lacking(), None);
    }
}
