//! The language server: `stubborn lsp`, on standard input and output.
//!
//! The way of a message: `service` takes it from the client and puts an event before the `owner`,
//! which changes the texts, or gives a `View` to one of the `workers`, where one of the `requests` is
//! answered by one of the `features`; `convert` makes protocol of what it found. What the server says of its own accord goes
//! out through `outbound`.
//!
//! Invariants: no handler waits before its event is sent; nobody but the owner changes an input;
//! nothing that takes long runs on the owner's thread; no search holds a handle of the database.

mod client;
mod commands;
mod convert;
mod documents;
pub(crate) mod input;
mod leaving;
mod lifetime;
mod logging;
mod outbound;
mod owner;
mod positions;
mod progress;
mod publishing;
mod requests;
mod root;
mod runs;
mod sender;
mod service;
mod settings;
mod standing;
mod unknown;
mod verbatim;
mod view;
mod workers;

use std::io::Write;
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use stubborn_ide::jobs::{JobTable, Kept, kept};
use stubborn_report::defect;
use tokio::sync::Notify;
use tower_lsp::{LspService, Server};

use leaving::Leaving;
use outbound::Outbound;
use owner::{Event, Events, Owner};
use service::Service;
use unknown::Unknown;
use verbatim::Names;
use workers::Workers;

/// Messages of the client that are under way at once. A waiting answer must never keep an edit or a
/// cancel from being read.
const CONCURRENCY: usize = 1 << 16;
/// Readers at work at once.
const READERS: usize = 3;
/// So long a client may take for what was said last.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// So long verdicts may take to be written that are to be known in the next session.
const LAST_WRITES: Duration = Duration::from_secs(1);
/// Hash of all sources of the program (`build.rs`).
const BUILD: &str = env!("STUBBORN_BUILD");
/// What is said before the client takes it, in bytes.
const AHEAD: usize = 1 << 16;

/// Serves one client on standard input and output until it has gone.
///
/// The status is 0 where the client has said good-bye as the protocol wants it, else 1.
pub fn run(log: Option<&Path>) -> ExitCode {
    // A defect that is caught must still be seen, in the client's log of this output.
    panic::set_hook(Box::new(|panic| {
        defect::note(panic);
        // Nobody is left to tell where this fails.
        let _ = writeln!(std::io::stderr(), "stubborn lsp: {panic}");
        tracing::error!(target: "defect", "{panic}");
    }));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("stubborn: the server cannot start: {error}");
            return ExitCode::from(3);
        }
    };
    let code = runtime.block_on(serve(log));
    // A thread may still wait for the input, which may never end.
    runtime.shutdown_background();
    code
}

async fn serve(log: Option<&Path>) -> ExitCode {
    let (events, receiver) = Events::new();
    let (outbound, messages) = Outbound::new();
    if let Err(error) = logging::start(log, outbound.clone()) {
        let log = log.unwrap_or(Path::new("its log")).display();
        eprintln!("stubborn: the server cannot write {log}: {error}");
        return ExitCode::from(3);
    }
    let pulled: Arc<requests::pull::Answered> = Arc::default();
    let known = Arc::clone(&pulled);
    let kept = kept::folder_of_user().and_then(|folder| Kept::start(folder, BUILD).ok());
    let kept = kept.map(Arc::new);
    let keeps = kept.clone();
    let started = Workers::start(READERS).and_then(|workers| {
        let news = events.clone();
        let tell = move |job, what| news.send(Event::News(job, what));
        let jobs = JobTable::new(tell);
        let owner = Owner::new(events.clone(), outbound, workers, jobs, known, keeps);
        let run = move || owner.run(&receiver);
        thread::Builder::new().name("owner".to_owned()).spawn(run)
    });
    if let Err(error) = started {
        eprintln!("stubborn: the server cannot start: {error}");
        return ExitCode::from(3);
    }

    let gone = Arc::new(Notify::new());
    let parent_gone = Arc::clone(&gone);
    let (service, socket) = LspService::build(|client| {
        tokio::spawn(sender::send(client, events.clone(), messages));
        Service::new(events, pulled, move || parent_gone.notify_one())
    })
    .custom_method(requests::text::METHOD, Service::text)
    .custom_method(requests::statistics::METHOD, Service::statistics)
    .custom_method(requests::trace::METHOD, Service::trace)
    .custom_method(requests::trace_text::METHOD, Service::trace_text)
    .custom_method(requests::picture::METHOD, Service::picture)
    .custom_method(requests::picture::TEXT, Service::picture_text)
    .custom_method(requests::evaluate::METHOD, Service::evaluate)
    .custom_method(requests::check::METHOD, Service::check)
    .custom_method(requests::explanation::METHOD, Service::explanation)
    .custom_method(input::UNREADABLE, Service::unreadable)
    .custom_method("window/workDoneProgress/cancel", Service::cancel_progress)
    .finish();

    let (service, left) = Leaving::watch(Unknown(service));
    let names = Names::default();
    let input = input::readable(tokio::io::stdin(), names.clone());
    let (output, told) = tokio::io::duplex(AHEAD);
    let told = tokio::spawn(verbatim::pass_on(told, tokio::io::stdout(), names));
    let server = Server::new(input, output, socket)
        .concurrency_level(CONCURRENCY)
        .serve(service);
    tokio::select! {
        () = server => {}
        () = left.exited() => {}
        () = gone.notified() => {}
    }
    // The server is dropped by now, and with it its end of what it has said; what is on the way still
    // reaches a client that reads.
    drop(tokio::time::timeout(LAST_WORDS, told).await);
    if let Some(kept) = kept {
        kept.finish(LAST_WRITES);
    }
    left.code()
}
