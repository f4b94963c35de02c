//! The debug adapter: `stubborn dap`, on standard input and output.
//!
//! A debugger's buttons go along a run of a model: one that violates a property, which is searched for when the
//! session is launched, or one that is made up on the way. A thread is an instance of a process, and where it is its
//! stack frame.
//!
//! The way of a message: a thread of its own reads requests, so that `disconnect` and `pause` are heard while something
//! takes long; [`session`] answers them one after the other; what a button does with the run is in [`going`]. The
//! protocol's types that are used are few and written where they are used (`protocol.rs`).
//!
//! Invariants: an answer goes out before the events that follow from it; nothing that a client sends makes the adapter
//! panic, and a defect is told as an answer; a reference to variables is good for one place on the run alone.

mod breakpoints;
mod going;
mod launch;
mod protocol;
mod session;
#[cfg(test)]
mod tests;
mod variables;
mod wishes;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{self, Sender};
use std::thread;

use tokio::io::AsyncRead;

use crate::lsp::input::framing::{Frame, Frames};
use protocol::{Client, Request};
use session::Session;
use wishes::Wishes;

/// Serves one client on standard input and output until it has gone. The status is 0, or 3 where nothing can be read.
pub fn run() -> ExitCode {
    let wishes = Arc::new(Wishes::default());
    let (to, requests) = mpsc::channel();
    let heard = Arc::clone(&wishes);
    // It may wait for an input that never ends, and nobody waits for it.
    let reading = thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            if let Ok(runtime) = runtime {
                runtime.block_on(read(tokio::io::stdin(), &heard, &to));
            }
            heard.has_left.store(true, Relaxed);
        });
    if let Err(error) = reading {
        eprintln!("stubborn: the debug adapter cannot start: {error}");
        return ExitCode::from(3);
    }
    let client = Arc::new(Client::new(Box::new(std::io::stdout())));
    Session::new(client, wishes).serve(requests.iter());
    ExitCode::SUCCESS
}

/// Hands on what comes in. What is no request is passed over.
async fn read(input: impl AsyncRead + Unpin, wishes: &Wishes, to: &Sender<Request>) {
    let mut frames = Frames::new(input);
    while let Some(frame) = frames.next(Request::read).await {
        if let Frame::Message(_, request) = frame {
            wishes.hear(&request);
            if to.send(request).is_err() {
                return;
            }
        }
    }
}
