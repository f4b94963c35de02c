//! How long a person waits: from a key to what is known of the text, from saving a model to its first
//! and its last verdict, and from an edit to the end of a search that it makes worthless.
//!
//! ```text
//! cargo build --release
//! cargo run --release -p stubborn --example waiting [REPETITIONS [WORDS]]
//! ```
//!
//! Starts the real server for each text, and works on it as a person does, one edit after the other:
//!
//! - a key in the middle of the text makes a name unknown until that is published, and another one
//!   mends it, 100 times or as often as the first argument says;
//! - an edit gives another System, in what the properties depend on (in a text that is made, another
//!   property), and is saved, a quarter as often. The clock runs from the save. Only a proof counts;
//! - a search that takes very long runs, and an edit changes its System, a tenth as often, until the
//!   server says that the search has ended.
//!
//! The texts are the examples, 2,000 lines of each kind of item, and up to 1,000 instances of a small
//! process; with a second argument those alone whose name has it. The clock runs outside the server's
//! process, until its message has been read. Prints a table in Markdown, in which each time is the
//! median / the 99th percentile / the worst in milliseconds, and last the bounds that are missed: 10 ms
//! at the median and 50 ms at the 99th percentile from a key in a text that is made, 100 ms at most from
//! any key, 20 ms at most to the end of a search.
//!
//! The server is `stubborn` beside the folder of this program (`target/release/stubborn`), or what
//! the variable `STUBBORN` names.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

pub mod measure;
pub mod server;
pub mod texts;

use measure::{Times, Waits};
use texts::Text;

pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

const LINES: usize = 2000;
const INSTANCES: [usize; 6] = [20, 50, 100, 200, 500, 1000];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let keys = arguments.next().and_then(|given| given.parse().ok());
    let keys = keys.unwrap_or(100).max(1);
    let named = arguments.next().unwrap_or_default();
    let times = Times {
        keys,
        saves: keys.div_ceil(4),
        cancels: keys.div_ceil(10),
    };
    let texts = texts::examples().chain(texts::items(LINES));
    let texts = texts.chain(INSTANCES.map(texts::instances));
    println!("{HEAD}");
    let mut ends = ExitCode::SUCCESS;
    for text in texts.filter(|text| text.name.contains(&named)) {
        match measure::measure(&text, times) {
            Ok(waits) => println!("{}", line(&text, waits)),
            Err(error) => {
                eprintln!("error: {}: {error}", text.name);
                ends = ExitCode::FAILURE;
            }
        }
    }
    ends
}

const HEAD: &str = "\
| text | key to a mistake | key to none | save to first verdict | to last | edit to cancel | missed |
|---|---|---|---|---|---|---|";

/// A line of the table.
pub fn line(text: &Text, waits: Waits) -> String {
    let Waits {
        mistake,
        mended,
        first,
        last,
        cancelled,
    } = waits;
    let keys = if text.is_large {
        [10.0, 50.0, 100.0]
    } else {
        [f64::MAX, f64::MAX, 100.0]
    };
    let none = [f64::MAX; 3];
    let columns = [
        ("key to a mistake", mistake, keys),
        ("key to none", mended, keys),
        ("save to first", first, none),
        ("save to last", last, none),
        ("cancel", cancelled, [f64::MAX, f64::MAX, 20.0]),
    ];
    let (mut line, mut missed) = (format!("| {} |", text.name), Vec::new());
    for (name, times, bounds) in columns {
        let figures = figures(times);
        line += &format!(
            " {:.1} / {:.1} / {:.1} |",
            figures[0], figures[1], figures[2]
        );
        let rows = ["median", "99%", "worst"]
            .into_iter()
            .zip(figures)
            .zip(bounds);
        missed.extend(
            rows.filter(|((_, took), bound)| took > bound)
                .map(|((which, took), bound)| format!("{name}, {which}: {took:.1} > {bound}")),
        );
    }
    line + &format!(" {} |", missed.join("; "))
}

/// The median, the 99th percentile and the worst, in milliseconds: what half of the times, 99 of a
/// hundred and all are not above.
fn figures(mut times: Vec<Duration>) -> [f64; 3] {
    times.sort_unstable();
    [50, 99, 100].map(|part| {
        let rank = (times.len() * part).div_ceil(100);
        let time = times.get(rank.saturating_sub(1));
        time.map_or(0.0, |time| time.as_secs_f64() * 1000.0)
    })
}
