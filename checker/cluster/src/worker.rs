//! A worker: it waits for a search, takes part in it, and waits for the next one.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use timely::worker::Worker;

use crate::exchange::Exchange;
use crate::messages::{Order, Said, Word};
use crate::search::take_part;
use crate::site::{Board, Means};

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
        // Where nobody listens any more all is over, and is told otherwise.
        let _ = self.words.send(Word::Worker(self.number, search, said));
    }
}

/// Carries out searches until there are no more orders.
pub fn work(mut worker: Worker, desk: Desk) {
    while let Ok(order) = desk.orders.recv() {
        match order {
            Order::Search(number, question) => {
                let mut exchange = Exchange::new(&mut worker, desk.in_process);
                take_part(&desk, number, &question, &mut exchange);
                let board = &desk.board;
                exchange.close(&|| !board.is_broken.load(std::sync::atomic::Ordering::Relaxed));
                desk.say(number, Said::Idle);
            }
            Order::Quit => break,
            // Of a search that is over here.
            _ => {}
        }
    }
}
