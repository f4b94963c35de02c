//! Several threads that work on one thing.
//!
//! Each asks now and then whether it is to end: for a limit, since it is cancelled, or because another one has
//! found something or has panicked. Of progress one tells alone.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, Scope, ScopedJoinHandle, panicking, scope};
use std::time::Duration;

use super::bounds::Bounds;
use crate::search::meter::{Figures, Meter, Stop};

/// How often one tells of progress that has come to the end of its work before the others have.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// Room for the deepest expressions; a system gives it only as it is used.
const STACK: usize = 256 << 20;

/// Whether to go on, to be asked every some ten microseconds with what the search has come to.
pub type Ask<'a> = &'a mut dyn FnMut(Figures) -> ControlFlow<Stop>;

/// Has each hand do `work`, the first on this thread and each of the others on one of its own, where there is
/// one to be had: else the others have to do what was left for it. Who says why it stops ends the others.
pub fn all_together<H: Send>(
    bounds: &Bounds,
    meter: &mut Meter<'_>,
    hands: &mut [H],
    work: impl Fn(usize, &mut H, Ask<'_>) -> Option<Stop> + Sync,
) -> ControlFlow<Stop> {
    let work = |at, hand: &mut H, ask: Ask<'_>| {
        let _ending = EndsOthers(bounds);
        let stop = work(at, hand, ask);
        if stop.is_some() {
            bounds.end();
        }
        stop
    };
    let stops = scope(|scope| {
        let _ending = EndsOthers(bounds);
        let (over, all_over) = channel::<()>();
        let mut hands = hands.iter_mut().enumerate();
        let own = hands.next();
        let others: Vec<_> = hands
            .filter_map(|(at, hand)| {
                let (over, asked, work) = (over.clone(), meter.clone(), &work);
                begin(scope, move || {
                    let _over = over;
                    work(at, hand, &mut |_| asked.goes_on().map_continue(drop))
                })
            })
            .collect();
        drop(over);
        let mut stops =
            vec![own.and_then(|(at, hand)| work(at, hand, &mut |figures| meter.poll(figures)))];
        while let Err(RecvTimeoutError::Timeout) = all_over.recv_timeout(BETWEEN_LOOKS) {
            if let ControlFlow::Break(stop) = meter.poll(bounds.figures()) {
                bounds.end();
                stops.push(Some(stop));
            }
        }
        stops.extend(others.into_iter().map(ended));
        stops
    });
    first_of(stops)
}

/// A thread that panics ends the others, who would else go on to the end of the work.
struct EndsOthers<'b>(&'b Bounds);

impl Drop for EndsOthers<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.end();
        }
    }
}

/// Has another thread do it, if there is one to be had.
fn begin<'s, 'e, T: Send + 's>(
    scope: &'s Scope<'s, 'e>,
    work: impl FnOnce() -> T + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    let thread = Builder::new().name("search".to_owned()).stack_size(STACK);
    thread.spawn_scoped(scope, work).ok()
}

/// It panics here as it has there.
fn ended<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}

/// What was found comes before a limit that was reached at the same time.
fn first_of(stops: Vec<Option<Stop>>) -> ControlFlow<Stop> {
    let mut stops: Vec<Stop> = stops.into_iter().flatten().collect();
    let found = stops.iter().position(|stop| *stop == Stop::Decided);
    match stops.is_empty() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(stops.swap_remove(found.unwrap_or(0))),
    }
}
