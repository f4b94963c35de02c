//! A run as a sequence diagram in the language of [Mermaid](https://mermaid.js.org/syntax/sequenceDiagram.html), which
//! many wikis and forges draw.

use super::exchange::{Event, Exchange};
use super::phrases::counted;
use super::trace::Part;

/// The diagram, with a line feed at its end.
pub fn mermaid(exchange: &Exchange) -> String {
    let mut text = String::from("sequenceDiagram\n");
    for (lane, name) in exchange.names.iter().enumerate() {
        text.push_str(&format!("    participant p{lane} as {}\n", escaped(name)));
    }
    let last = exchange.names.len().saturating_sub(1);
    let mut indent = "    ";
    for event in &exchange.events {
        let line = match event {
            Part::Step(Event::Arrow {
                from,
                to,
                is_received,
                label,
            }) => {
                let arrow = if *is_received { "-->>" } else { "->>" };
                format!("p{from}{arrow}p{to}: {}", escaped(label))
            }
            Part::Step(Event::Note { from, to, lines }) => {
                let lines: Vec<String> = lines.iter().map(|line| escaped(line)).collect();
                note(*from, *to, &lines.join("<br/>"))
            }
            Part::LeftOut(steps) => {
                let told = format!("{} left out", counted(*steps, "step"));
                note(0, last, &escaped(&told))
            }
            Part::CycleBegins => {
                text.push_str(&format!("{indent}loop again and again\n"));
                indent = "        ";
                continue;
            }
            Part::CycleCloses(_) => {
                indent = "    ";
                "end".to_owned()
            }
        };
        text.push_str(&format!("{indent}{line}\n"));
    }
    text
}

fn note(from: usize, to: usize, told: &str) -> String {
    match from == to {
        true => format!("Note over p{from}: {told}"),
        false => format!("Note over p{from},p{to}: {told}"),
    }
}

/// Text that means nothing to Mermaid: what is neither a letter, a digit, nor harmless by itself is written by its
/// number, `#35;`; so is the first letter of the word `end`, which closes blocks.
fn escaped(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || " .,()[]=*/_?!'|→…↻".contains(c);
    let mut told = String::with_capacity(text.len());
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_') {
        let is_end = word.len() >= 3 && word.as_bytes()[..3].eq_ignore_ascii_case(b"end") && {
            let rest = &word[3..];
            rest.chars().all(|c| !c.is_alphanumeric() && c != '_')
        };
        for (at, c) in word.chars().enumerate() {
            if is_plain(c) && !(is_end && at == 0) {
                told.push(c);
            } else {
                told.push_str(&format!("#{};", u32::from(c)));
            }
        }
    }
    told
}
