//! The threads that read: requests and the analysis of what was edited run here, each with a clone
//! of the database.
//!
//! Whatever a piece of work does, its thread goes on: a panic is caught and answered as an internal
//! error, and work that salsa unwinds because its inputs change is handed back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use parking_lot::Mutex;

/// Room for the deepest texts; a system gives it only as it is used.
pub(super) const STACK: usize = 256 << 20;

/// A piece of work.
pub type Work = Box<dyn FnOnce() + Send>;

/// Threads that take work in the order in which it is given.
#[derive(Clone)]
pub struct Workers {
    work: Sender<Work>,
}

/// How a piece of work ended.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended<T> {
    Done(T),
    /// Its inputs are about to change, or its caller has gone.
    Cancelled,
    /// It panicked.
    Failed,
}

impl Workers {
    pub fn start(threads: usize) -> std::io::Result<Workers> {
        let (work, receiver) = channel::<Work>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..threads.max(1) {
            let receiver = Arc::clone(&receiver);
            thread::Builder::new()
                .name("reader".to_owned())
                .stack_size(STACK)
                .spawn(move || serve(&receiver))?;
        }
        Ok(Workers { work })
    }

    pub fn give(&self, work: Work) {
        // The threads end only when the last sender has gone, and this is one.
        drop(self.work.send(work));
    }
}

fn serve(work: &Mutex<Receiver<Work>>) {
    loop {
        let next = work.lock().recv();
        let Ok(next) = next else { return };
        // What the work has to tell it tells itself; here only the thread is kept.
        drop(catch_unwind(AssertUnwindSafe(next)));
    }
}

/// Runs `read`, and catches what may go wrong in it.
pub fn caught<T>(read: impl FnOnce() -> T) -> Ended<T> {
    let ended = catch_unwind(AssertUnwindSafe(|| {
        salsa::Cancelled::catch(AssertUnwindSafe(read))
    }));
    match ended {
        Ok(Ok(value)) => Ended::Done(value),
        // Another reader left the same query, for a write or by a panic: who tries it again panics
        // itself in the second case.
        Ok(Err(_)) => Ended::Cancelled,
        Err(_) => Ended::Failed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_the_work_and_not_the_thread() {
        let workers = Workers::start(1).unwrap();
        let (sender, receiver) = channel();
        workers.give(Box::new(|| std::panic::resume_unwind(Box::new("broken"))));
        workers.give(Box::new(move || sender.send(7).unwrap_or_default()));
        assert_eq!(receiver.recv(), Ok(7));
    }

    #[test]
    fn what_happens_in_a_reader_is_told_apart() {
        assert_eq!(caught(|| 7), Ended::Done(7));
        let broken = || -> u8 { std::panic::resume_unwind(Box::new("broken")) };
        assert_eq!(caught(broken), Ended::Failed);
        let cancelled =
            || -> u8 { std::panic::resume_unwind(Box::new(salsa::Cancelled::PendingWrite)) };
        assert_eq!(caught(cancelled), Ended::Cancelled);
    }
}
