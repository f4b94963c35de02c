//! Requests of the client that do not wait for their turn.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::protocol::Request;

/// Requests of the client that interrupt the present one.
#[derive(Debug, Default)]
pub struct Wishes {
    /// It wants no more, or has gone.
    pub(super) has_left: AtomicBool,
    /// Number of waiting requests that stop the present one.
    pauses: AtomicUsize,
}

impl Wishes {
    pub(super) fn hear(&self, request: &Request) {
        match &*request.command {
            "disconnect" | "terminate" => self.has_left.store(true, Relaxed),
            "pause" | "restart" => {
                self.pauses.fetch_add(1, Relaxed);
            }
            _ => {}
        }
    }

    /// A request has had its turn.
    pub(super) fn is_answered(&self, request: &Request) {
        if let "pause" | "restart" = &*request.command {
            let one_less = |waiting: usize| waiting.checked_sub(1);
            // The pause may already have been taken back.
            let _ = self.pauses.fetch_update(Relaxed, Relaxed, one_less);
        }
    }

    /// Whether a search is to end.
    pub(super) fn to_end(&self) -> bool {
        self.has_left.load(Relaxed)
    }

    /// Whether what goes on is to stop.
    pub(super) fn to_stop(&self) -> bool {
        self.has_left.load(Relaxed) || self.pauses.load(Relaxed) > 0
    }
}
