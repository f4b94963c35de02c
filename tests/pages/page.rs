//! What of a page is held to the program.
//!
//! ````text
//! <!-- lock.stb: mutex violated, unread-variable at 3 -->
//! ```stubborn
//! the whole of a file, which is checked: what is not named before it holds, and nothing else is
//! told of the text
//! ```
//!
//! <!-- part of lock.stb -->
//! ```stubborn
//! lines that follow each other in that file, which the page has shown or `examples` has
//! ```
//!
//! ```console
//! $ stubborn check lock.stb
//! what it prints, where `…` alone on a line stands for any lines
//! ```
//! ````
//!
//! A comment is not seen by readers. A block in the language without one is a mistake. No shell runs a
//! command; `'…'` keeps words together, and `> FILE` at its end writes standard output to a file.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Something of a page that the program can be asked about.
#[derive(Debug)]
pub enum Piece {
    /// A whole file.
    Model {
        name: String,
        text: String,
        expected: Vec<Expected>,
        /// Where in the page it stands.
        place: Range<usize>,
    },
    /// Lines of a file.
    Part { of: String, text: String },
    /// A command and what it prints.
    Command {
        words: Vec<String>,
        /// File that standard output is written to.
        into: Option<String>,
        printed: String,
        /// Where in the page what is printed stands.
        place: Range<usize>,
    },
}

/// What is found in a model.
#[derive(Debug, PartialEq)]
pub enum Expected {
    Verdict { property: String, verdict: String },
    Problem { code: String, line: u64 },
}

/// The pieces of a page, in its order.
pub fn pieces(page: &str) -> Result<Vec<Piece>, String> {
    let mut pieces = Vec::new();
    let mut comment = None;
    let mut events = Parser::new_ext(page, Options::ENABLE_TABLES).into_offset_iter();
    while let Some((event, place)) = events.next() {
        match event {
            Event::Start(Tag::HtmlBlock) => {
                let html = page[place].trim();
                let inside = html
                    .strip_prefix("<!--")
                    .and_then(|h| h.strip_suffix("-->"));
                comment = inside.map(|inside| inside.trim().to_owned());
            }
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language))) => {
                let mut text = String::new();
                let mut inside: Option<Range<usize>> = None;
                for (event, place) in events.by_ref() {
                    match event {
                        Event::End(TagEnd::CodeBlock) => break,
                        Event::Text(part) => text.push_str(&part),
                        _ => {}
                    }
                    inside = Some(inside.map_or(place.clone(), |i| i.start..place.end));
                }
                if ["stubborn", "console"].contains(&&*language) {
                    let inside = inside.ok_or("an empty block")?;
                    // Blocks within lists are indented, so that their text is not the page's.
                    if page[inside.clone()] != text {
                        return Err(format!("a block that stands in a list:\n{text}"));
                    }
                    match &*language {
                        "stubborn" => pieces.push(model(comment.take(), text, inside)?),
                        _ => commands(&text, inside.start, &mut pieces)?,
                    }
                }
                comment = None;
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. }) => comment = None,
            _ => {}
        }
    }
    Ok(pieces)
}

fn model(comment: Option<String>, text: String, place: Range<usize>) -> Result<Piece, String> {
    let Some(comment) = comment else {
        return Err(format!("nothing says what this is:\n{text}"));
    };
    if let Some(of) = comment.strip_prefix("part of ") {
        return Ok(Piece::Part {
            of: of.to_owned(),
            text,
        });
    }
    let (name, expected) = comment.split_once(':').unwrap_or((&comment, ""));
    // `f(1,red)` has a comma of its own, without a blank behind it.
    let expected = expected
        .split(", ")
        .map(str::trim)
        .filter(|e| !e.is_empty());
    let expected = expected.map(|one| {
        let (what, how) = one
            .rsplit_once(' ')
            .ok_or_else(|| format!("{name}: cannot be read: {one}"))?;
        Ok(match (what.strip_suffix(" at"), how.parse()) {
            (Some(code), Ok(line)) => Expected::Problem {
                code: code.to_owned(),
                line,
            },
            _ if ["holds", "violated", "undecided"].contains(&how) => Expected::Verdict {
                property: what.to_owned(),
                verdict: how.to_owned(),
            },
            _ => return Err(format!("{name}: cannot be read: {one}")),
        })
    });
    let expected = expected.collect::<Result<_, _>>()?;
    Ok(Piece::Model {
        name: name.to_owned(),
        text,
        expected,
        place,
    })
}

/// The commands of a console, each with the lines that it prints.
fn commands(text: &str, start: usize, pieces: &mut Vec<Piece>) -> Result<(), String> {
    let mut here = start;
    for line in text.split_inclusive('\n') {
        let end = here + line.len();
        if let Some(command) = line.strip_prefix("$ ") {
            let mut words = words(command.trim())?;
            let into = match &mut words[..] {
                [.., to, file] if to == ">" => Some(std::mem::take(file)),
                _ => None,
            };
            if into.is_some() {
                words.truncate(words.len() - 2);
            }
            pieces.push(Piece::Command {
                words,
                into,
                printed: String::new(),
                place: end..end,
            });
        } else if let Some(Piece::Command { printed, place, .. }) = pieces.last_mut()
            && place.end == here
        {
            printed.push_str(line);
            place.end = end;
        } else {
            return Err(format!("nothing has printed this: {line}"));
        }
        here = end;
    }
    Ok(())
}

fn words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for (i, part) in command.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    match words.first().map(String::as_str) {
        Some("stubborn") => Ok(words.split_off(1)),
        _ => Err(format!("only `stubborn` is run, not {command}")),
    }
}
