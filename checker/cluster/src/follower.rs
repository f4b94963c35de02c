//! A process that does as the first one says.

use std::io;
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::connections::Mesh;
use crate::desk::Means;
use crate::faults::{Failure, Fault, gone};
use crate::frames;
use crate::identity::named;
use crate::messages::{Order, Word, printable};
use crate::patience::Until;
use crate::site::Site;

/// A process says so often that it is there, or oftener where it is missed sooner.
const BETWEEN_SIGNS: Duration = Duration::from_millis(500);
/// For the last word to be heard.
const TO_TELL: Duration = Duration::from_secs(1);

/// Whether nothing comes for twice as long as is waited on this connection: who was stopped itself may have waited for
/// nothing once.
fn is_silent(orders: &TcpStream) -> bool {
    (0..2).all(|_| {
        let kinds = [io::ErrorKind::WouldBlock, io::ErrorKind::TimedOut];
        let peeked = loop {
            match orders.peek(&mut [0]) {
                // It was stopped, and goes on.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                peeked => break peeked,
            }
        };
        peeked.is_err_and(|error| kinds.contains(&error.kind()))
    })
}

/// Says why the first one is not heard any more, which that hears before it sees that this process ends.
fn tell_last(words: &Sender<Word>, orders: &TcpStream, what: String) {
    let _ = words.send(Word::Deaf(what));
    // Until it ends the connection, too.
    let _ = io::copy(&mut Until::within(orders, TO_TELL), &mut io::sink());
}

/// What begins with an order, where that takes its time.
fn begun(order: &Order) -> Option<&'static str> {
    match order {
        Order::Search(..) => Some("searches"),
        Order::LayerOf(_) => Some("searches for the path to a state"),
        Order::Ask(_) => Some("answers a question about all states"),
        Order::Stop(_) => Some("ends the search"),
        _ => None,
    }
}

/// Works until the first process says that all is over. What is begun is told to `log`.
///
/// # Errors
/// Where it says that somebody has failed, or is gone itself. Then nothing is to be waited for that is still at work.
pub fn serve(mut mesh: Mesh, means: Means, log: &mut dyn FnMut(&str)) -> Result<(), Fault> {
    let all = mesh.identity.processes;
    let own = mesh.identity.process;
    let mut orders = mesh.messages[0].take().ok_or_else(|| gone(0, all))?;
    let unable = |error: io::Error| format!("the first process cannot be told anything: {error}");
    let mut to = match orders.try_clone().map_err(unable) {
        Ok(to) => to,
        Err(why) => {
            let _ = frames::write(&mut orders, &Word::Failed(why.clone()));
            return Err(why);
        }
    };
    let (words, told) = channel();
    let mut site = Site::open(&mut mesh, means, &words).inspect_err(|why| {
        let _ = frames::write(&mut to, &Word::Failed(why.clone()));
    })?;
    let board = std::sync::Arc::clone(&site.board);
    let between = BETWEEN_SIGNS.min(means.silence / 8);
    let telling = thread::Builder::new()
        .name("telling".to_owned())
        .spawn(move || {
            loop {
                let word = match told.recv_timeout(between) {
                    Ok(word) => word,
                    Err(RecvTimeoutError::Timeout) => Word::Alive,
                    Err(RecvTimeoutError::Disconnected) => return,
                };
                if frames::write(&mut to, &word).is_err() {
                    board
                        .is_broken
                        .store(true, std::sync::atomic::Ordering::Relaxed);
                    // Whoever reads sees that as well.
                    let _ = to.shutdown(Shutdown::Both);
                    return;
                }
                if matches!(word, Word::Deaf(_)) {
                    let _ = to.shutdown(Shutdown::Write);
                    return;
                }
            }
        });
    if telling.is_err() {
        let why = "there is no thread to tell what was found".to_owned();
        let _ = frames::write(&mut orders, &Word::Failed(why.clone()));
        return Err(why);
    }
    let _ = orders.set_read_timeout(Some(means.silence / 2));
    let mut said = std::mem::take(&mut mesh.said).into_iter();
    let mut told_last = "";
    loop {
        let early = said.next();
        if early.is_none() && is_silent(&orders) {
            site.leave();
            let seconds = means.silence.as_secs();
            tell_last(
                &words,
                &orders,
                format!("has been silent for {seconds} seconds"),
            );
            let who = named(0, all);
            return Err(format!("{who} has said nothing for {seconds} seconds"));
        }
        let order = early.map_or_else(|| frames::read(&mut orders, None), Ok);
        match order {
            Ok(Order::Alive) => {}
            Ok(Order::Quit) => {
                site.close();
                return Ok(());
            }
            Ok(Order::Broken(why)) => {
                site.leave();
                return Err(printable(&why));
            }
            Ok(order) => {
                // Of several such orders in a row one is told.
                if let Some(begun) = begun(&order)
                    && begun != told_last
                {
                    log(begun);
                    told_last = begun;
                }
                site.order(&order);
            }
            Err(error) => {
                site.leave();
                let why = Failure::from(error);
                if let Failure::Useless(what) = &why {
                    tell_last(&words, &orders, what.clone());
                }
                return Err(why.between(own, 0, all));
            }
        }
    }
}
