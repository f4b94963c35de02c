//! A run as a sequence chart that every browser draws: a picture in SVG, which loads nothing and runs nothing.

use super::exchange::{Event, Exchange};
use super::lines::length;
use super::phrases::counted;
use super::place::cut;
use super::trace::Part;

/// Between the lines of two participants, at least and at most.
const LEAST_LANE: usize = 90;
const MOST_LANE: usize = 220;
/// Around everything.
const MARGIN: usize = 16;
/// The boxes with the names.
const HEAD: usize = 26;
/// What an arrow takes with its label over it, and a line of a note.
const ARROW: usize = 34;
const LINE: usize = 16;
/// Between two events.
const GAP: usize = 8;
/// A letter of the labels, about.
const LETTER: usize = 7;
/// A label is cut after so many letters.
const MOST_LETTERS: usize = 60;

/// The picture, with a line feed at its end. Costs time in proportion to the events and the participants.
pub fn svg(exchange: &Exchange) -> String {
    let longest = exchange.names.iter().map(|name| length(name)).max();
    let lane = (longest.unwrap_or(0) * LETTER + 24).clamp(LEAST_LANE, MOST_LANE);
    let mut drawing = Drawing {
        body: String::new(),
        lane,
        lanes: exchange.names.len(),
        y: MARGIN + HEAD + GAP,
        right: 0,
        cycle: None,
    };
    for event in &exchange.events {
        drawing.event(event);
    }
    let bottom = drawing.y + GAP;
    let width = (MARGIN * 2 + lane * exchange.names.len()).max(drawing.right + MARGIN);
    let height = bottom + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#1f5fa8\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (at, name) in exchange.names.iter().enumerate() {
        let is_channel = at + exchange.channels >= exchange.names.len();
        let (x, fill) = (
            drawing.middle(at),
            if is_channel { "#f4f0e4" } else { "#e8eff8" },
        );
        let left = x - (lane - 12) / 2;
        text.push_str(&format!(
            "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{bottom}\" stroke=\"#b8b8b8\"/>\n\
             <rect x=\"{left}\" y=\"{MARGIN}\" width=\"{}\" height=\"{HEAD}\" rx=\"3\" fill=\"{fill}\" stroke=\"#8a8a8a\"/>\n\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
            MARGIN + HEAD,
            lane - 12,
            MARGIN + HEAD - 9,
            escaped(&cut(name, (lane - 16) / LETTER)),
        ));
    }
    text.push_str(&drawing.body);
    text.push_str("</svg>\n");
    text
}

struct Drawing {
    body: String,
    lane: usize,
    lanes: usize,
    /// Where the next event begins.
    y: usize,
    /// How far the widest event reaches.
    right: usize,
    /// Where the cycle began.
    cycle: Option<usize>,
}

impl Drawing {
    fn middle(&self, lane: usize) -> usize {
        MARGIN + self.lane / 2 + lane * self.lane
    }

    fn event(&mut self, event: &Part<Event>) {
        match event {
            Part::Step(Event::Arrow {
                from,
                to,
                is_received,
                label,
            }) => self.arrow(*from, *to, *is_received, label),
            Part::Step(Event::Note { from, to, lines }) => self.note(*from, *to, lines),
            Part::LeftOut(steps) => {
                let told = format!("{} left out", counted(*steps, "step"));
                self.words(&told);
            }
            Part::CycleBegins => {
                self.words("again and again:");
                self.cycle = Some(self.y);
            }
            Part::CycleCloses(_) => {
                let begun = self.cycle.take().unwrap_or(self.y);
                let (x, width) = (MARGIN / 2, self.lane * self.lanes + MARGIN);
                self.body.push_str(&format!(
                    "<rect x=\"{x}\" y=\"{begun}\" width=\"{width}\" height=\"{}\" fill=\"none\" \
                     stroke=\"#a85a1f\" stroke-dasharray=\"5 3\"/>\n",
                    self.y.saturating_sub(begun)
                ));
                self.right = self.right.max(x + width);
                self.y += GAP;
                let told = event.remark().map(|(_, told)| told);
                self.words(&told.unwrap_or_default());
            }
        }
    }

    fn arrow(&mut self, from: usize, to: usize, is_received: bool, label: &str) {
        let (x1, x2) = (self.middle(from), self.middle(to));
        let y = self.y + ARROW - GAP;
        let dashes = if is_received {
            " stroke-dasharray=\"4 3\""
        } else {
            ""
        };
        let middle = (x1 + x2) / 2;
        let label = cut(label, MOST_LETTERS);
        self.body.push_str(&format!(
            "<line x1=\"{x1}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y}\" stroke=\"#1f5fa8\"{dashes} marker-end=\"url(#head)\"/>\n\
             <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            y - 5,
            escaped(&label),
        ));
        self.right = self.right.max(middle + length(&label) * LETTER / 2);
        self.y += ARROW;
    }

    fn note(&mut self, from: usize, to: usize, lines: &[String]) {
        let lines: Vec<String> = lines.iter().map(|line| cut(line, MOST_LETTERS)).collect();
        let longest = lines.iter().map(|line| length(line)).max().unwrap_or(0);
        let (x1, x2) = (self.middle(from.min(to)), self.middle(from.max(to)));
        let width = (longest * LETTER + 12).max(x2 - x1 + 24);
        let left = ((x1 + x2) / 2).saturating_sub(width / 2).max(MARGIN / 2);
        let height = lines.len() * LINE + 6;
        self.body.push_str(&format!(
            "<rect x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"{height}\" rx=\"2\" fill=\"#fffbe6\" stroke=\"#c9c3a5\"/>\n",
            self.y
        ));
        for (at, line) in lines.iter().enumerate() {
            self.body.push_str(&format!(
                "<text x=\"{}\" y=\"{}\">{}</text>\n",
                left + 6,
                self.y + (at + 1) * LINE - 1,
                escaped(line)
            ));
        }
        self.right = self.right.max(left + width);
        self.y += height + GAP;
    }

    fn words(&mut self, told: &str) {
        self.body.push_str(&format!(
            "<text x=\"{MARGIN}\" y=\"{}\" font-style=\"italic\" fill=\"#555555\">{}</text>\n",
            self.y + LINE - 4,
            escaped(told)
        ));
        self.right = self.right.max(MARGIN + length(told) * LETTER);
        self.y += LINE + GAP / 2;
    }
}

/// Text that means nothing to a reader of XML.
fn escaped(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => told.push_str("&amp;"),
            '<' => told.push_str("&lt;"),
            '>' => told.push_str("&gt;"),
            '"' => told.push_str("&quot;"),
            // No other control character may stand in XML.
            c if c.is_control() => told.push(' '),
            c => told.push(c),
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_all_names_and_labels_and_no_tag_of_theirs() {
        let exchange = Exchange {
            names: vec!["p".to_owned(), "q<1>".to_owned(), "c".to_owned()],
            channels: 1,
            events: vec![
                Part::Step(Event::Arrow {
                    from: 0,
                    to: 2,
                    is_received: false,
                    label: "1. a & b".to_owned(),
                }),
                Part::CycleBegins,
                Part::Step(Event::Note {
                    from: 1,
                    to: 1,
                    lines: vec!["x < 3".to_owned(), "y = 1".to_owned()],
                }),
                Part::CycleCloses(1),
                Part::LeftOut(7),
            ],
        };
        let drawn = svg(&exchange);
        for told in [
            ">p</text>",
            ">q&lt;1&gt;</text>",
            ">1. a &amp; b</text>",
            ">x &lt; 3</text>",
            "back to the state after step 1",
            "7 steps left out",
        ] {
            assert!(drawn.contains(told), "{told}: {drawn}");
        }
        let opened = drawn.matches('<').count();
        assert_eq!(opened, drawn.matches('>').count());
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
    }

    #[test]
    fn a_label_is_cut_where_it_is_long() {
        assert_eq!(cut("abcdef", 4), "abc…");
        assert_eq!(cut("abcd", 4), "abcd");
    }
}
