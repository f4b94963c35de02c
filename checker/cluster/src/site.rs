//! The workers of one process.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use timely::WorkerConfig;
use timely::communication::Allocator;
use timely::communication::Hooks;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::worker::Worker;

use crate::board::Board;
use crate::connections::Mesh;
use crate::desk::{Desk, Means};
use crate::faults::Fault;
use crate::link::{Breaks, Link};
use crate::messages::{Order, Word};
use crate::worker::work;

/// For connections that are to end in good order.
const TO_END: Duration = Duration::from_millis(500);

/// Whoever says nothing for so long is not there any more.
pub const SILENCE: Duration = Duration::from_secs(20);

/// The workers.
pub struct Site {
    pub board: Arc<Board>,
    orders: Vec<Sender<Order>>,
    threads: Vec<JoinHandle<()>>,
    connections: Option<Box<dyn std::any::Any + Send>>,
    /// Of connections: as long as these are there it is said on them that this process is.
    signs: Vec<Sender<()>>,
}

impl Site {
    /// Begins with workers that wait for orders, and tell what they have to say.
    ///
    /// # Errors
    /// Where there are no threads for them.
    pub fn open(mesh: &mut Mesh, means: Means, words: &Sender<Word>) -> Result<Site, Fault> {
        let workers = mesh.identity.workers as usize;
        let own = mesh.identity.process as usize;
        let board = Arc::new(Board::default());
        let (links, signs) = links(mesh, means.silence, &board, words)?;
        let hooks = Hooks::default();
        let of_process = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), None);
        let unable = |error: std::io::Error| format!("the workers cannot begin: {error}");
        let opened = initialize_networking_from_sockets(of_process, links, own, workers, hooks);
        let (builders, connections) = opened.map_err(unable)?;
        let mut site = Site {
            board: Arc::clone(&board),
            orders: Vec::new(),
            threads: Vec::new(),
            connections: Some(Box::new(connections)),
            signs,
        };
        for (at, builder) in builders.into_iter().enumerate() {
            let (order, orders) = channel();
            let desk = Desk {
                number: (own * workers + at) as u32,
                process: own as u32,
                in_process: workers,
                orders,
                words: words.clone(),
                board: Arc::clone(&board),
                means,
            };
            let thread = thread::Builder::new()
                .name(format!("worker {at}"))
                .stack_size(means.stack)
                .spawn(move || {
                    let words = desk.words.clone();
                    let board = Arc::clone(&desk.board);
                    let worked = catch_unwind(AssertUnwindSafe(|| {
                        let allocator = Allocator::Tcp(builder.build());
                        let config = WorkerConfig::default();
                        work(Worker::new(config, allocator, Some(Instant::now())), desk);
                    }));
                    if let Err(panic) = worked {
                        board.is_broken.store(true, Relaxed);
                        // Where nobody listens any more all is over.
                        let _ = words.send(Word::Failed(said(&*panic)));
                    }
                })
                .map_err(unable)?;
            site.orders.push(order);
            site.threads.push(thread);
        }
        Ok(site)
    }

    /// Passes an order on to all workers.
    pub fn order(&self, order: &Order) {
        match order {
            Order::LeaveSteps => self.board.leave_steps.store(true, Relaxed),
            // In the order in which they come: nobody goes on before it is told to.
            Order::Search(..) | Order::GoOn(_) | Order::LayerOf(_) | Order::Ask(_) => {
                self.board.leave_steps.store(false, Relaxed);
            }
            Order::Stop(search) => drop(self.board.stopped.fetch_max(*search, Relaxed)),
            _ => {}
        }
        for worker in &self.orders {
            // One that is over needs no orders.
            let _ = worker.send(order.clone());
        }
        // Whoever waits for something else as well looks up.
        for thread in &self.threads {
            thread.thread().unpark();
        }
    }

    /// Ends, once all workers have, where nothing is broken.
    pub fn close(mut self) {
        self.order(&Order::Quit);
        if self.board.is_broken.load(Relaxed) {
            self.leave();
            return;
        }
        let threads = std::mem::take(&mut self.threads);
        let connections = self.connections.take();
        let signs = std::mem::take(&mut self.signs);
        let (tell, ended) = channel();
        let end = move || {
            for thread in threads {
                let _ = thread.join();
            }
            // Somebody may have ended less well.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(connections)));
            drop(signs);
            let _ = tell.send(());
        };
        // Whoever stands still is not waited for.
        if thread::Builder::new().spawn(end).is_ok() {
            let _ = ended.recv_timeout(TO_END);
        }
    }

    /// Nobody waits for what may never come to an end.
    pub fn leave(&mut self) {
        self.board.is_broken.store(true, Relaxed);
        std::mem::forget(self.connections.take());
        self.threads.clear();
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The connections for states, and what keeps up the signs of life on them. Of one that breaks a word is said.
#[expect(clippy::type_complexity, reason = "it is taken apart at once")]
fn links(
    mesh: &mut Mesh,
    silence: Duration,
    board: &Arc<Board>,
    words: &Sender<Word>,
) -> Result<(Vec<Option<Link>>, Vec<Sender<()>>), Fault> {
    // Who is silent altogether is known as such first.
    let silence = silence + silence / 4;
    let mut links = Vec::new();
    let mut signs = Vec::new();
    for (other, stream) in std::mem::take(&mut mesh.states).into_iter().enumerate() {
        let Some(stream) = stream else {
            links.push(None);
            continue;
        };
        let board = Arc::clone(board);
        let words = words.clone();
        let breaks: Breaks = Arc::new(move |why| {
            board.is_broken.store(true, Relaxed);
            // Where nobody listens any more all is over.
            let _ = words.send(Word::Lost(other as u32, why));
        });
        let (link, sign) = Link::on(stream, silence, breaks)?;
        links.push(Some(link));
        signs.push(sign);
    }
    Ok((links, signs))
}

fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a worker has failed").to_owned()
}
