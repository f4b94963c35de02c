//! A worker: it waits for a search, takes part in it, and waits for the next one.

use timely::worker::Worker;

use crate::desk::Desk;
use crate::exchange::Exchange;
use crate::messages::{Order, Said};
use crate::search::take_part;

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
