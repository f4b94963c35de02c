//! A connection for states, as timely's threads have it.
//!
//! Timely believes what arrives, and waits for what does not for ever. So what it writes goes in pieces with a checksum,
//! where there is nothing to write an empty piece says now and then that somebody is there, and a last one tells an end in
//! good order from one that is none. Where a connection breaks, is silent or has damaged something that is told, and
//! timely hears nothing of it: its threads would panic, and what they panic with blames nobody.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;

use crate::faults::{Failure, Fault};
use crate::frames;
use crate::patience::Patient;

/// No piece has more bytes of timely's; it gathers as many.
const LONGEST: usize = 1 << 16;
/// What a piece begins with.
const ALIVE: u8 = 0;
const STATES: u8 = 1;
const LAST: u8 = 2;

/// Told why a connection is of no use any more, once or several times.
pub type Breaks = Arc<dyn Fn(String) + Send + Sync>;

/// One end of a connection for states. Its clones are for one thread that reads and others that write.
pub struct Link {
    /// Who has it writes; whether the last piece was written.
    writing: Arc<Mutex<bool>>,
    stream: TcpStream,
    silence: Duration,
    breaks: Breaks,
    /// The piece that is being read, how much of it was, and whether it is the last.
    piece: Vec<u8>,
    read: usize,
    is_last: bool,
}

impl Link {
    /// On a connection on which nothing may be missing for so long; whoever is at its other end does the same. Signs are
    /// given as long as what comes with it is there.
    ///
    /// # Errors
    /// Where there are no threads for it, or no more connections.
    pub fn on(
        stream: TcpStream,
        silence: Duration,
        breaks: Breaks,
    ) -> Result<(Link, Sender<()>), Fault> {
        let unable = |error: io::Error| format!("states cannot be sent: {error}");
        // Twice, of which see `Patient`.
        stream.set_read_timeout(Some(silence / 2)).map_err(unable)?;
        let of_writing = stream.set_write_timeout(Some(silence / 2));
        of_writing.map_err(unable)?;
        let link = Link {
            writing: Arc::default(),
            stream,
            silence,
            breaks,
            piece: Vec::new(),
            read: 0,
            is_last: false,
        };
        let (ends, ended) = channel();
        let signs = link.try_clone().map_err(unable)?;
        thread::Builder::new()
            .name("signs".to_owned())
            .spawn(move || {
                while ended.recv_timeout(silence / 8) == Err(RecvTimeoutError::Timeout) {
                    if !signs.says_that_it_is_there() {
                        return;
                    }
                }
            })
            .map_err(unable)?;
        Ok((link, ends))
    }

    /// Whether there is anybody to say it to.
    fn says_that_it_is_there(&self) -> bool {
        let has_said_last = match self.writing.try_lock() {
            Ok(said) => said,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // What is being written says as much.
            Err(TryLockError::WouldBlock) => return true,
        };
        match *has_said_last {
            true => false,
            false => self
                .write_piece(&[ALIVE])
                .map_err(|error| self.is_broken(error))
                .is_ok(),
        }
    }

    fn says(&self, piece: &[u8]) {
        let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = self.write_piece(piece) {
            drop(writing);
            self.waits_for_the_end(error);
        }
    }

    fn is_broken(&self, error: io::Error) {
        let why = match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                format!("has been silent for {} seconds", self.silence.as_secs())
            }
            _ => Failure::from(error).of_connection(),
        };
        // It is not closed: who is at its other end would have another reason to tell, which is none.
        (self.breaks)(why);
    }

    /// Nothing is read or written any more, and whoever is told of it ends the process, or forgets this thread.
    fn waits_for_the_end(&self, error: io::Error) -> ! {
        self.is_broken(error);
        loop {
            thread::park();
        }
    }

    /// For who has `writing`.
    fn write_piece(&self, piece: &[u8]) -> io::Result<()> {
        frames::write_bytes(&mut Patient(&self.stream), piece)
    }

    fn next_piece(&mut self) -> io::Result<()> {
        let piece = frames::read_bytes(&mut Patient(&self.stream), LONGEST as u32 + 1)?;
        match piece.first() {
            Some(&ALIVE) if piece.len() == 1 => {}
            Some(&LAST) if piece.len() == 1 => self.is_last = true,
            Some(&STATES) => {
                self.piece = piece;
                self.read = 1;
            }
            _ => return Err(io::ErrorKind::InvalidData.into()),
        }
        Ok(())
    }
}

impl Read for Link {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.read == self.piece.len() && !self.is_last {
            if let Err(error) = self.next_piece() {
                self.waits_for_the_end(error);
            }
        }
        let mut left = &self.piece[self.read..];
        let read = left.read(into)?;
        self.read += read;
        Ok(read)
    }
}

impl Write for Link {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = &bytes[..bytes.len().min(LONGEST)];
        let mut piece = Vec::with_capacity(bytes.len() + 1);
        piece.push(STATES);
        piece.extend_from_slice(bytes);
        self.says(&piece);
        Ok(bytes.len())
    }

    /// Each piece is sent at once.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Link {
    /// For another thread; what this one has read and not passed on stays here.
    fn try_clone(&self) -> io::Result<Link> {
        Ok(Link {
            writing: Arc::clone(&self.writing),
            stream: self.stream.try_clone()?,
            silence: self.silence,
            breaks: Arc::clone(&self.breaks),
            piece: Vec::new(),
            read: 0,
            is_last: false,
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    /// Of what is written the end is told.
    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        if how != Shutdown::Read {
            let mut has_said_last = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
            *has_said_last = true;
            // Who has ended before needs not be told.
            let _ = self.write_piece(&[LAST]);
        }
        // The same.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
