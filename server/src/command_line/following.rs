//! The caller of a command's searches: progress, interruption, disk and other processes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Instant;

use stubborn_checker::{Caller, Clock, Disk, Event, Observer, Resources};
use stubborn_cluster::Several;
use stubborn_report::ProblemReport;

use super::problems::command_line_note;
use super::progress::ProgressLine;
use super::spill::Spill;
use super::time_spent::TimeSpent;

/// Caller of a command's searches.
pub struct Following {
    line: ProgressLine,
    spill: Option<Spill>,
    /// The other processes of a distributed search.
    others: Option<Box<dyn Several>>,
    /// Set by Ctrl-C.
    interrupted: Arc<AtomicBool>,
    time_spent: TimeSpent,
}

impl Following {
    /// For a command that began at `began`. `shown`: whether progress may be shown.
    pub fn new(began: Instant, shown: bool, spill: Option<Spill>) -> Following {
        let interrupted = Arc::new(AtomicBool::new(false));
        end_in_good_order(&interrupted);
        Following {
            line: ProgressLine::new(shown),
            spill,
            others: None,
            interrupted,
            time_spent: TimeSpent::since(began),
        }
    }

    /// Adds the other processes of a distributed search.
    pub fn beside(&mut self, others: Box<dyn Several>) {
        self.others = Some(others);
    }

    /// Returns what the searches get from this command.
    pub fn caller(&self) -> Caller<'_> {
        Caller {
            resources: Resources {
                disk: self.spill.as_ref().map(|spill| spill as &dyn Disk),
                several: self.others.as_deref(),
                ..Resources::default()
            },
            ..Caller::timed_by(self).observed_by(self)
        }
    }

    /// Returns why the other processes were of no use, if so.
    pub fn fault(&self) -> Option<String> {
        self.others.as_ref()?.fault()
    }

    /// Whether Ctrl-C has asked for the end.
    pub fn interrupted(&self) -> &AtomicBool {
        &self.interrupted
    }

    /// Whether it has.
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Relaxed)
    }

    /// Returns the clock of the phases.
    pub fn time_spent(&self) -> &TimeSpent {
        &self.time_spent
    }

    /// Returns the progress line on the terminal.
    pub fn line(&self) -> &ProgressLine {
        &self.line
    }

    /// Ends the searches, and returns a note about the states that were on the disk, if there were any.
    pub fn finish(self) -> Option<ProblemReport> {
        self.spill.and_then(Spill::note).map(command_line_note)
    }
}

/// Lets the first Ctrl-C end the search, and the second one the program.
fn end_in_good_order(interrupted: &Arc<AtomicBool>) {
    use signal_hook::consts::SIGINT;
    use signal_hook::flag::{register, register_conditional_shutdown};

    // Without a handler the program ends at once.
    let _ = register_conditional_shutdown(SIGINT, 130, Arc::clone(interrupted));
    let _ = register(SIGINT, Arc::clone(interrupted));
}

impl Observer for Following {
    fn event(&self, event: Event<'_>) {
        self.time_spent.event(event);
        if let Event::Progress(progress) = event {
            let others = self.others.as_ref();
            self.line.tell(progress, || {
                others.map_or_else(Vec::new, |others| others.efforts())
            });
        }
    }
}

impl Clock for Following {
    fn is_cancelled(&self) -> bool {
        self.interrupted.load(Relaxed)
    }
}
