//! What happens where this program itself is at fault.

use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::Mutex;

use stubborn_report::defect;

use super::status::Status;

/// Neither a verdict nor a fault of the input.
const STATUS: u8 = 101;

/// Room for deep expressions; a system gives it only as it is used.
pub const STACK: usize = 256 << 20;

static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Runs the whole program on a stack of its own, and turns a panic into a message that says whose
/// fault it is and what to do.
pub fn guarded(run: impl FnOnce() -> ExitCode + Send) -> ExitCode {
    panic::set_hook(Box::new(|panic| {
        defect::note(panic);
        if let Ok(mut last) = LAST.lock() {
            *last = Some(panic.to_string());
        }
    }));
    let ended = std::thread::scope(|scope| {
        let caught = || panic::catch_unwind(AssertUnwindSafe(run));
        match std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, caught)
        {
            Ok(thread) => thread.join().ok().and_then(Result::ok),
            Err(error) => {
                // As below.
                let _ = writeln!(
                    io::stderr(),
                    "stubborn cannot begin: {error}; it needs a thread with {} MB of addresses; raise the limit \
                     on memory (`ulimit -v`) or on processes (`ulimit -u`)",
                    STACK >> 20
                );
                Some(Status::Wrong.into())
            }
        }
    });
    ended.unwrap_or_else(|| {
        let what = LAST.lock().ok().and_then(|mut last| last.take());
        // Where standard error is closed nobody is left to tell.
        let _ = writeln!(
            io::stderr(),
            "stubborn has a bug, and your model is not to blame: please report it with the model \
             and the command line.\n  version {}\n  {}",
            env!("CARGO_PKG_VERSION"),
            what.unwrap_or_default().replace('\n', "\n  "),
        );
        ExitCode::from(STATUS)
    })
}
