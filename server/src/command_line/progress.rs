//! A line that tells how far a search is, on a terminal, once it takes longer than a moment.

use std::io::IsTerminal;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use stubborn_checker::{Effort, Progress};

use super::output::progress_line;

/// Nobody needs to be told about less.
const PATIENCE: Duration = Duration::from_millis(500);
const REFRESHES_A_SECOND: u8 = 10;

/// Shows how far a search is, below what was written to standard error so far.
pub struct ProgressLine {
    began: Instant,
    shown: bool,
    bar: OnceLock<ProgressBar>,
}

impl ProgressLine {
    /// `wanted`: whether it may be shown, should standard error be a terminal.
    pub fn new(wanted: bool) -> ProgressLine {
        ProgressLine {
            began: Instant::now(),
            shown: wanted && std::io::stderr().is_terminal(),
            bar: OnceLock::new(),
        }
    }
}

impl ProgressLine {
    /// Writes something to the same terminal, above the line.
    pub fn beside<R>(&self, write: impl FnOnce() -> R) -> R {
        match self.bar.get() {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }
}

impl ProgressLine {
    /// How far a search is, and how far each worker, where several search together.
    pub fn tell(&self, progress: &Progress, efforts: impl FnOnce() -> Vec<Effort>) {
        if !self.shown || self.began.elapsed() < PATIENCE {
            return;
        }
        let bar = self.bar.get_or_init(|| {
            let target = ProgressDrawTarget::stderr_with_hz(REFRESHES_A_SECOND);
            let bar = ProgressBar::with_draw_target(None, target);
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        // It draws itself with every new message.
        bar.set_message(progress_line(progress, &efforts()));
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
