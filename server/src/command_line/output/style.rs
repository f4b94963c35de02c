//! Colours, where the terminal has them.

use std::io::IsTerminal;

use crate::command_line::search_arguments::Color;

/// How text is set off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub coloured: bool,
    /// Characters in a line.
    pub width: usize,
    /// Somebody looks on while it is written.
    pub is_terminal: bool,
}

/// A line where no terminal says how wide it is.
const WIDTH: usize = 100;
/// Lines are laid out for no less and no more than this.
const LEAST_WIDTH: usize = 40;
const MOST_WIDTH: usize = 200;

/// What `COLUMNS` says, which a person may set where the output goes into a file or another program.
fn asked_width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?;
    let columns: usize = columns.trim().parse().ok()?;
    Some(columns.clamp(LEAST_WIDTH, MOST_WIDTH))
}

impl Style {
    /// The style for what is written to standard output.
    pub fn of_output(color: Color) -> Style {
        Style::of(color, &std::io::stdout())
    }

    /// The style for what is written to standard error.
    pub fn of_errors(color: Color) -> Style {
        Style::of(color, &std::io::stderr())
    }

    fn of(color: Color, stream: &impl IsTerminal) -> Style {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let is_terminal = stream.is_terminal();
        let coloured = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb,
        };
        let width = match terminal_size::terminal_size() {
            Some((width, _)) if is_terminal => usize::from(width.0).clamp(LEAST_WIDTH, MOST_WIDTH),
            _ => asked_width().unwrap_or(WIDTH),
        };
        Style {
            coloured,
            width,
            is_terminal,
        }
    }

    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }

    pub fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    pub fn open(self, text: &str) -> String {
        self.paint("33", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.coloured {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}
