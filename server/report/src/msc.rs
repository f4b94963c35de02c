//! A run as a message sequence chart, in the language that the program [mscgen](https://www.mcternan.me.uk/mscgen/)
//! draws (and so do msc-generator and mscgen_js).

use super::exchange::{Event, Exchange};
use super::why::counted;

/// The chart, with a line feed at its end. It has no characters but those of ASCII, which every build of `mscgen`
/// has, and those of the model's own names.
pub fn msc(exchange: &Exchange) -> String {
    let names = exchange.names.iter().enumerate();
    let lanes: Vec<String> = names
        .map(|(lane, name)| format!("    p{lane} [label={}]", quoted(name)))
        .collect();
    let mut text = format!(
        "msc {{\n    wordwraparcs = \"1\";\n{};\n\n",
        lanes.join(",\n")
    );
    for event in &exchange.events {
        let line = match event {
            Event::Arrow {
                from,
                to,
                is_received,
                label,
            } => {
                let arrow = if *is_received { ">>" } else { "=>" };
                format!("p{from} {arrow} p{to} [label={}]", quoted(label))
            }
            Event::Note { from, to, lines } => {
                format!("p{from} box p{to} [label={}]", quoted(&lines.join("\n")))
            }
            Event::LeftOut(steps) => {
                let told = format!("{} left out", counted(*steps, "step"));
                format!("... [label={}]", quoted(&told))
            }
            Event::CycleBegins => "--- [label=\"again and again\"]".to_owned(),
            Event::CycleCloses(0) => "--- [label=\"back to the start\"]".to_owned(),
            Event::CycleCloses(step) => {
                format!("--- [label=\"back to the state after step {step}\"]")
            }
        };
        text.push_str(&format!("    {line};\n"));
    }
    text.push_str("}\n");
    text
}

/// A string of the language, in which `\n` begins a new line and `\"` is a quote.
fn quoted(text: &str) -> String {
    let text = text.replace('→', "->").replace('…', "...");
    let text = text
        .replace('\\', "/")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{text}\"")
}
