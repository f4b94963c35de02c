//! What the server notes of its work: in the client's log, and where a user wants it in a file.
//!
//! A person who looks for a fault sets the variable `RUST_LOG` as for other programs in this language
//! (`stubborn=debug`), or starts `stubborn lsp --log FILE`. Without either only the client is told, of
//! what a person may want to know.

use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::Mutex;

use tower_lsp::lsp_types::MessageType;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

use super::outbound::{Message, Outbound};

/// Notes of this program begin with it.
const OURS: &str = "stubborn";

/// Begins to take notes.
///
/// # Errors
/// Where the file cannot be written.
pub fn start(file: Option<&Path>, outbound: Outbound) -> io::Result<()> {
    let wanted = std::env::var("RUST_LOG").ok();
    let filter = || match &wanted {
        // What makes no sense in it is passed over.
        Some(wanted) => EnvFilter::builder().parse_lossy(wanted),
        None => EnvFilter::new("info"),
    };
    let to_file = match file {
        Some(path) => {
            let file = OpenOptions::new().create(true).append(true).open(path)?;
            let layer = fmt::layer().with_ansi(false).with_writer(Mutex::new(file));
            Some(layer.with_filter(filter()))
        }
        None => None,
    };
    // Standard output is the protocol's.
    let to_error = (file.is_none() && wanted.is_some()).then(|| {
        let layer = fmt::layer().with_ansi(false).with_writer(io::stderr);
        layer.with_filter(filter())
    });
    let all = tracing_subscriber::registry()
        .with(to_file)
        .with(to_error)
        .with(ToClient(outbound));
    // Somebody else takes notes in this process already: then they have them all.
    drop(all.try_init());
    Ok(())
}

/// Tells the client what a person may want to know.
struct ToClient(Outbound);

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let of = event.metadata();
        let level = match *of.level() {
            Level::ERROR => MessageType::ERROR,
            Level::WARN => MessageType::WARNING,
            Level::INFO => MessageType::INFO,
            _ => return,
        };
        if of.target().split("::").next() == Some(OURS) {
            let mut text = String::new();
            event.record(&mut Told(&mut text));
            self.0.say(Message::Log { level, text });
        }
    }
}

/// Puts the fields of a note into one line: "the message, name: value".
struct Told<'t>(&'t mut String);

impl Visit for Told<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        // A `String` takes whatever is written to it.
        let _ = match field.name() {
            "message" => write!(self.0, "{value:?}"),
            name => write!(self.0, ", {name}: {value:?}"),
        };
    }
}
