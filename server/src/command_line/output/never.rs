//! What never happens, for a person in a terminal.

use std::io::{self, Write};

use stubborn_report::{CoverageReport, NeverReport, cut, grouped};

use super::style::Style;

/// More of a line than this is not shown.
const WIDEST_TEXT: usize = 44;

/// A line for each thing that never happens: where it stands, what it says, and what never happens of it.
pub fn coverage(found: &CoverageReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let states = found.never.iter().map(|one| one.never.states).max();
    match states {
        None if found.untold.is_empty() => {
            writeln!(
                to,
                "{}",
                style.good("Every state, label and statement is reached, and every step taken.")
            )?;
        }
        None => {}
        Some(states) => {
            let searched = match states {
                // The text alone shows all of it.
                0 => String::new(),
                1 => " (1 state was searched)".to_owned(),
                states => format!(" ({} states were searched)", grouped(states)),
            };
            let title = format!("Never reached or taken{searched}:");
            writeln!(to, "{}", style.bold(&title))?;
        }
    }
    let rows: Vec<[String; 3]> = found.never.iter().map(row).collect();
    let widest = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    let (places, texts) = (widest(0).unwrap_or(0), widest(1).unwrap_or(0));
    for [place, text, sentence] in &rows {
        let (place_pad, text_pad) = (
            " ".repeat(places - place.chars().count()),
            " ".repeat(texts - text.chars().count()),
        );
        let place = style.dim(place);
        writeln!(to, "  {place}{place_pad}  {text}{text_pad}  {sentence}")?;
    }
    if !found.untold.is_empty() {
        let names = found.untold.iter().map(|name| format!("`{name}`"));
        let names: Vec<String> = names.collect();
        let told = format!(
            "Not known of {}: no search that tells it has come to its end.",
            names.join(", ")
        );
        writeln!(to, "{}", style.open(&told))?;
    }
    if found.given_up {
        let told = "Not known of some branches and values that depend on what several processes do: taking every step \
                    once more was given up.";
        writeln!(to, "{}", style.open(told))?;
    }
    writeln!(to)
}

fn row(one: &NeverReport) -> [String; 3] {
    let start = one.place.range.start;
    let place = format!("{}:{}:{}", one.place.file, start.line, start.column);
    [
        place,
        cut(&one.text, WIDEST_TEXT),
        one.never.kind.sentence(),
    ]
}
