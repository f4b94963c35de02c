//! Workers of one search, each on a thread.
//!
//! Each worker asks regularly whether to go on: a limit, a cancellation, a result or a panic of
//! another worker may end the search. One worker reports progress.

use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::panicking;
use std::time::Duration;

use stubborn_space::threads::Work;

use super::bounds::Bounds;
use crate::search::meter::{Figures, Meter, Stop};

/// Interval of reports by a worker that waits for others at the end.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// Steps and states between two checks of whether to go on; some ten microseconds of work.
const BETWEEN_QUESTIONS: u32 = 512;

/// Worker on its thread, which checks the limits and keeps the reason why it stops.
pub struct Member<'a> {
    pub bounds: &'a Bounds,
    asks: Box<dyn Asks + 'a>,
    countdown: u32,
    stop: Option<Stop>,
}

impl<'a> Member<'a> {
    fn new(bounds: &'a Bounds, asks: impl Asks + 'a) -> Member<'a> {
        Member {
            bounds,
            asks: Box::new(asks),
            countdown: BETWEEN_QUESTIONS,
            stop: None,
        }
    }

    /// Counts a step or a state, and checks the limits when that is due.
    #[inline]
    pub fn count_down(&mut self) -> ControlFlow<()> {
        match self.is_due_after(1) {
            true => self.ask_whether_to_go_on(),
            false => ControlFlow::Continue(()),
        }
    }

    /// Counts several of them; if a check is due, [`Member::ask_whether_to_go_on`] must follow.
    #[inline]
    pub fn is_due_after(&mut self, many: u32) -> bool {
        self.countdown = self.countdown.saturating_sub(many);
        self.countdown == 0
    }

    #[cold]
    pub fn ask_whether_to_go_on(&mut self) -> ControlFlow<()> {
        self.countdown = BETWEEN_QUESTIONS;
        let flow = self.may_go_on();
        self.or_stop(flow)
    }

    /// Breaks without a reason if another worker has one.
    #[inline]
    pub fn may_go_on(&mut self) -> ControlFlow<Option<Stop>> {
        match self.bounds.must_end() {
            true => ControlFlow::Break(None),
            false => self.asks.ask(self.bounds.figures()).map_break(Some),
        }
    }

    /// The layer is complete, and this is the only worker.
    pub fn go_deeper(&mut self) {
        self.asks.go_deeper();
    }

    /// Keeps the reason of a break.
    pub fn or_stop<R: Into<Option<Stop>>>(&mut self, flow: ControlFlow<R>) -> ControlFlow<()> {
        flow.map_break(|stop| self.stop = stop.into())
    }

    /// Breaks for this reason.
    pub fn stop_with<T>(&mut self, stop: Stop) -> ControlFlow<(), T> {
        self.stop = Some(stop);
        ControlFlow::Break(())
    }

    /// Ends the work. Returns the reason, unless another worker has it; a reason ends the others.
    pub fn ended(&mut self, flow: ControlFlow<()>) -> Option<Stop> {
        debug_assert!(
            flow.is_continue() || self.stop.is_some() || self.bounds.must_end(),
            "a break has a reason"
        );
        if self.stop.is_some() {
            self.bounds.end();
        }
        self.stop.take()
    }
}

/// Limits and progress as one worker sees them.
trait Asks {
    /// Whether to go on.
    fn ask(&mut self, figures: Figures) -> ControlFlow<Stop>;

    fn go_deeper(&mut self);
}

/// The worker that reports progress.
struct Reports<'a, 'm>(&'a mut Meter<'m>);

impl Asks for Reports<'_, '_> {
    fn ask(&mut self, figures: Figures) -> ControlFlow<Stop> {
        self.0.poll(figures)
    }

    fn go_deeper(&mut self) {
        self.0.go_deeper();
    }
}

/// Any other worker.
struct Quiet<'m>(Meter<'m>);

impl Asks for Quiet<'_> {
    fn ask(&mut self, _: Figures) -> ControlFlow<Stop> {
        self.0.goes_on().map_continue(drop)
    }

    fn go_deeper(&mut self) {}
}

/// Does `work` on this thread, without others.
pub fn alone(
    bounds: &Bounds,
    meter: &mut Meter<'_>,
    work: impl FnOnce(Member<'_>) -> Option<Stop>,
) -> ControlFlow<Stop> {
    match work(Member::new(bounds, Reports(meter))) {
        Some(stop) => ControlFlow::Break(stop),
        None => ControlFlow::Continue(()),
    }
}

/// Has each hand do `work`, the first on this thread and each other one on a thread of its own, if
/// there is one; otherwise the others have to do what it leaves. `work` returns what
/// [`Member::ended`] does: a worker that says why it stops ends the others.
pub fn all_together<H: Send>(
    bounds: &Bounds,
    meter: &mut Meter<'_>,
    hands: &mut [H],
    work: impl Fn(usize, &mut H, Member<'_>) -> Option<Stop> + Sync,
) -> ControlFlow<Stop> {
    let work = |at, hand: &mut H, member: Member<'_>| {
        let _ending = EndsOthers(bounds);
        work(at, hand, member)
    };
    let (over, all_over) = channel::<()>();
    let mut stops = vec![None; hands.len() + 1];
    let [of_meter, stops_of_hands @ ..] = &mut stops[..] else {
        return ControlFlow::Continue(());
    };
    let mut hands = hands.iter_mut().zip(stops_of_hands).enumerate();
    let own = hands.next();
    let others = hands.map(|(at, (hand, stop))| {
        let (over, asked, work) = (over.clone(), meter.clone(), &work);
        let work = move || {
            let _over = over;
            *stop = work(at, hand, Member::new(bounds, Quiet(asked)));
        };
        Box::new(work) as Work<'_>
    });
    let others: Vec<Work<'_>> = others.collect();
    drop(over);
    let (threads, mut own) = (meter.threads(), own);
    threads.run(others, &mut || {
        let _ending = EndsOthers(bounds);
        if let Some((at, (hand, stop))) = own.take() {
            *stop = work(at, hand, Member::new(bounds, Reports(&mut *meter)));
        }
        while let Err(RecvTimeoutError::Timeout) = all_over.recv_timeout(BETWEEN_LOOKS) {
            if let ControlFlow::Break(stop) = meter.poll(bounds.figures()) {
                bounds.end();
                *of_meter = Some(stop);
            }
        }
    });
    first_of(stops)
}

/// Ends the other workers when this one panics.
struct EndsOthers<'b>(&'b Bounds);

impl Drop for EndsOthers<'_> {
    fn drop(&mut self) {
        if panicking() {
            self.0.end();
        }
    }
}

/// Prefers a violation to a limit that was reached at the same time.
fn first_of(stops: Vec<Option<Stop>>) -> ControlFlow<Stop> {
    let mut stops: Vec<Stop> = stops.into_iter().flatten().collect();
    let found = stops.iter().position(|stop| *stop == Stop::Decided);
    match stops.is_empty() {
        true => ControlFlow::Continue(()),
        false => ControlFlow::Break(stops.swap_remove(found.unwrap_or(0))),
    }
}
