//! A report in the formats that can be asked for.

mod human;
pub mod json;
mod junit;
mod never;
mod problems;
mod progress;
mod run;
mod sarif;
mod style;
pub(super) mod told;

use stubborn_report::{Report, Texts};

pub use human::{Human, explored};
pub use problems::problems as human_problems;
pub use progress::progress as progress_line;
pub use run::run as human_run;
pub use style::Style;

use std::io::{self, Write};

use super::search_arguments::Format;

pub use json::{
    problems as json_problems, seconds as json_seconds, shared as json_sharing,
    values as json_values, write_object as write_json,
};

/// Writes a report in a format. The texts are those of all files that it has places in.
pub fn write(
    report: &Report,
    texts: &Texts,
    format: Format,
    human: &Human,
    to: &mut dyn Write,
) -> io::Result<()> {
    match format {
        Format::Human => human.write(report, texts, to),
        Format::Json => json::write(report, to),
        Format::Sarif => sarif::write(report, to),
        Format::Junit => junit::write(report, to),
    }
}
