//! State of a worker besides its connections.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};
use std::time::{Duration, Instant};

use stubborn_engine::Limits;

use crate::board::Board;
use crate::messages::{Order, Said, Word};

/// Means of a process for its part of searches.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    pub limits: Limits,
    /// Stack of each worker, in bytes.
    pub stack: usize,
    /// Longest silence of another process.
    pub silence: Duration,
    /// Time after which no other process is waited for.
    pub deadline: Option<Instant>,
}

/// State of a worker besides its connections.
pub struct Desk {
    /// Its number among all workers of all processes.
    pub number: u32,
    pub process: u32,
    pub in_process: usize,
    pub orders: Receiver<Order>,
    pub words: Sender<Word>,
    pub board: Arc<Board>,
    pub means: Means,
}

impl Desk {
    pub fn say(&self, search: u64, said: Said) {
        // If the receiver is gone, the process ends for a reason that is reported elsewhere.
        let _ = self.words.send(Word::Worker(self.number, search, said));
    }
}
