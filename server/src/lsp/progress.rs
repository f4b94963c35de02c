//! How far a search has come, as the client shows it.

use std::sync::Arc;

use stubborn_checker::Progress;
use stubborn_ide::jobs::{JobId, News};
use stubborn_report::grouped;

use super::outbound::{Message, Outbound};

/// A search that the client may show.
pub struct Shown {
    path: Arc<str>,
    title: String,
    has_begun: bool,
}

impl Shown {
    /// A search for the file with this path.
    pub fn new(path: &Arc<str>) -> Shown {
        Shown {
            path: Arc::clone(path),
            title: format!("Checking {}", file_name(path)),
            has_begun: false,
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn is_of(&self, path: &str) -> bool {
        *self.path == *path
    }

    /// Tells the client what is new. A search that is over before it has told how far it came is
    /// never shown.
    pub fn follow(&mut self, job: JobId, news: &News, outbound: &Outbound) {
        let token = token(job);
        match news {
            News::Progress(progress) => {
                if !self.has_begun {
                    self.has_begun = true;
                    outbound.say(Message::Begin {
                        token: token.clone(),
                        title: self.title.clone(),
                    });
                }
                outbound.say(Message::Report {
                    token,
                    message: told(progress),
                });
            }
            News::Finished { states, .. } if self.has_begun => {
                outbound.say(Message::End {
                    token,
                    message: format!("{} states", grouped(*states)),
                });
            }
            News::Finished { .. } | News::Decided { .. } | News::Saw(_) | News::Searching => {}
        }
    }
}

/// What a person calls the file with this path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// "1,234,567 states, 890,123 a second, depth 45".
fn told(progress: &Progress) -> String {
    let speed = progress.states as f64 / progress.seconds.max(0.001);
    format!(
        "{} states, {} a second, depth {}",
        grouped(progress.states),
        grouped(speed as u64),
        grouped(progress.depth)
    )
}

const PREFIX: &str = "stubborn/check/";

fn token(job: JobId) -> String {
    format!("{PREFIX}{}", job.0)
}

/// The search whose progress has this token.
pub fn job(token: &str) -> Option<JobId> {
    Some(JobId(token.strip_prefix(PREFIX)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_leads_back_to_its_search() {
        assert_eq!(job(&token(JobId(7))), Some(JobId(7)));
        assert_eq!(job("another"), None);
    }

    #[test]
    fn a_search_says_how_far_it_came() {
        let progress = Progress {
            states: 1_234_567,
            edges: 0,
            depth: 45,
            bytes: 0,
            seconds: 2.0,
        };
        assert_eq!(
            told(&progress),
            "1,234,567 states, 617,283 a second, depth 45"
        );
    }
}
