//! How long what is read and written on a connection is waited for.

use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

fn is_late(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

/// Waits twice for as long as the connection says: a process that was stopped may have waited for nothing once.
pub struct Patient<'s>(pub &'s TcpStream);

fn twice<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    match attempt() {
        Err(error) if is_late(&error) => attempt(),
        other => other,
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let mut stream = self.0;
        twice(|| stream.read(into))
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut stream = self.0;
        twice(|| stream.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Waits no longer than until a moment for all that is read and written together, however little comes at a time. The
/// connection waits for ever again afterwards.
pub struct Until<'s> {
    stream: &'s TcpStream,
    end: Instant,
}

impl<'s> Until<'s> {
    pub fn within(stream: &'s TcpStream, time: Duration) -> Until<'s> {
        let end = Instant::now() + time;
        Until { stream, end }
    }

    /// # Errors
    /// Where there is none.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.end.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(ErrorKind::TimedOut.into()),
            false => Ok(Some(left)),
        }
    }
}

impl Read for Until<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        let mut stream = self.stream;
        stream.read(into)
    }
}

impl Write for Until<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        let mut stream = self.stream;
        stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Until<'_> {
    fn drop(&mut self) {
        // Where that fails the connection is of no use, and whoever uses it sees that.
        let _ = self.stream.set_read_timeout(None);
        let _ = self.stream.set_write_timeout(None);
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::thread;

    use super::*;
    use crate::frames;

    #[test]
    fn a_message_of_which_a_little_comes_at_a_time_is_not_waited_for_any_longer() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has one");
        let (ends, ended) = channel::<()>();
        let trickles = thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("somebody listens");
            let mut message = Vec::new();
            frames::write_bytes(&mut message, &[7; 1 << 12]).expect("there is room");
            for byte in message {
                let written = stream.write_all(&[byte]);
                let waited = ended.recv_timeout(Duration::from_millis(20));
                if written.is_err() || waited != Err(RecvTimeoutError::Timeout) {
                    return;
                }
            }
        });
        let (stream, _) = listener.accept().expect("somebody has connected");
        let mut hurried = Until::within(&stream, Duration::from_millis(200));
        let read = frames::read_bytes(&mut hurried, 1 << 13);
        let error = read.expect_err("it would take more than a minute");
        assert!(is_late(&error), "{error}");
        drop(hurried);
        let waits = stream.read_timeout().expect("it is open");
        assert_eq!(waits, None, "whoever reads next waits as ever");
        drop(ends);
        trickles.join().expect("nobody panics");
    }
}
