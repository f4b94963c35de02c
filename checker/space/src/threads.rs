//! Threads for a search, besides the one that calls it.

use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// Room for the deepest expressions, in bytes; a system gives it only as it is used.
const STACK: usize = 256 << 20;

/// Work for one more thread.
pub type Work<'w> = Box<dyn FnOnce() + Send + 'w>;

/// Runs work on several threads at the same time.
pub trait Threads: Sync {
    /// Runs each of `others` on a thread of its own and `own` on this one, and returns when all
    /// have ended. Work for which there is no thread is dropped. A panic of one of them is a panic
    /// of this call.
    fn run(&self, others: Vec<Work<'_>>, own: &mut dyn FnMut());
}

/// Threads of the operating system, if it has any.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemThreads;

impl Threads for SystemThreads {
    fn run(&self, others: Vec<Work<'_>>, own: &mut dyn FnMut()) {
        scope(|scope| {
            let begin = |work| {
                let thread = Builder::new().name("search".to_owned()).stack_size(STACK);
                thread.spawn_scoped(scope, work).ok()
            };
            let others: Vec<_> = others.into_iter().filter_map(begin).collect();
            own();
            for other in others {
                other.join().unwrap_or_else(|panic| resume_unwind(panic));
            }
        });
    }
}
