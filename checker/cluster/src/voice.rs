//! What the first process says to another one: what to do, and now and then that it is there.

use std::io;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::faults::{Failure, Fault};
use crate::frames;
use crate::messages::Order;

/// Whoever is missed and has not ended by then what it was told to end is not waited for.
pub const TO_END: Duration = Duration::from_millis(400);
/// Whoever takes nothing in for so long is not there any more.
const TO_HEAR: Duration = Duration::from_secs(3);
/// It is said so often that the first process is there, or oftener where it is missed sooner.
pub const BETWEEN_SIGNS: Duration = Duration::from_secs(2);

/// Whoever says nothing for so long has missed saying that it is there several times.
const MISSED: Duration = Duration::from_millis(1500);

/// A connection that one thing is said on at a time.
#[derive(Clone)]
pub struct Voice(Arc<Mutex<TcpStream>>);

impl Voice {
    pub fn on(stream: TcpStream) -> Voice {
        let _ = stream.set_write_timeout(Some(TO_HEAR));
        Voice(Arc::new(Mutex::new(stream)))
    }

    fn stream(&self) -> MutexGuard<'_, TcpStream> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where what others say is heard.
    ///
    /// # Errors
    /// Where there are no more connections.
    pub fn answers(&self) -> io::Result<TcpStream> {
        self.stream().try_clone()
    }

    /// # Errors
    /// Where nobody takes it in.
    pub fn say(&self, order: &Order) -> io::Result<()> {
        frames::write(&mut *self.stream(), order)
    }
}

/// Says to all of these that somebody is there, until it is dropped.
pub struct Signs {
    _ends: Sender<()>,
    beat: Arc<Beat>,
}

/// When a sign was given last, and until when none was for long: who was not at work has given none.
struct Beat(Mutex<(Instant, Option<Instant>)>);

impl Beat {
    fn new() -> Beat {
        Beat(Mutex::new((Instant::now(), None)))
    }

    /// Whether none was given for so long lately that others may have gone for it.
    fn now(&self, longest: Duration) -> bool {
        let mut beat = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (last, until) = &mut *beat;
        let now = Instant::now();
        if now.duration_since(std::mem::replace(last, now)) > longest / 3 * 2 {
            *until = Some(now);
        }
        // Who has gone for it is known at once.
        until.is_some_and(|until| now.duration_since(until) < longest / 4)
    }
}

impl Signs {
    /// `is_lost` is told of those who do not take it in, and why.
    ///
    /// # Errors
    /// Where there is no thread for it.
    pub fn to(
        mut voices: Vec<(u32, Voice)>,
        longest: Duration,
        is_lost: impl Fn(u32, Failure) + Send + 'static,
    ) -> Result<Signs, Fault> {
        let (ends, ended) = channel();
        let beat = Arc::new(Beat::new());
        let told = Arc::clone(&beat);
        thread::Builder::new()
            .name("signs".to_owned())
            .spawn(move || {
                let beat = || {
                    let _ = told.now(longest);
                };
                let between = BETWEEN_SIGNS.min(longest / 8);
                give(&mut voices, (&ended, between), &beat, &is_lost);
            })
            .map_err(|error| format!("the others cannot be told anything: {error}"))?;
        Ok(Signs { _ends: ends, beat })
    }

    /// Whether no sign was given for so long that others may have gone for it.
    pub fn were_missing(&self, longest: Duration) -> bool {
        self.beat.now(longest)
    }
}

fn give(
    voices: &mut Vec<(u32, Voice)>,
    (ended, between): (&Receiver<()>, Duration),
    beat: &dyn Fn(),
    is_lost: &dyn Fn(u32, Failure),
) {
    while ended.recv_timeout(between) == Err(RecvTimeoutError::Timeout) {
        beat();
        // Those that are left are told all the same: it may be long until somebody hears who is gone.
        voices.retain(|(process, voice)| {
            let said = voice.say(&Order::Alive);
            said.map_err(|error| is_lost(*process, error.into()))
                .is_ok()
        });
    }
}

/// When somebody was heard of last, by the time in which this process itself was at work: one that is stopped hears nobody,
/// and nobody is to blame for it.
pub struct Silence {
    longest: Duration,
    last: Vec<Instant>,
    looked: Instant,
}

impl Silence {
    pub fn of(many: usize, longest: Duration) -> Silence {
        let now = Instant::now();
        Silence {
            longest,
            last: vec![now; many],
            looked: now,
        }
    }

    /// Everybody is there.
    pub fn begin(&mut self) {
        self.looked = Instant::now();
        self.last.fill(self.looked);
    }

    pub fn heard(&mut self, from: usize) {
        self.last[from] = Instant::now();
    }

    /// Who has said nothing for longest, but for the first one, where that is for longer than they ever do; and for how
    /// long.
    pub fn missed(&self) -> Option<(usize, Duration)> {
        let now = Instant::now();
        let silent = (1..self.last.len()).map(|at| (at, now.duration_since(self.last[at])));
        let longest = silent.max_by_key(|(_, silent)| *silent);
        longest.filter(|(_, silent)| *silent > MISSED)
    }

    /// Who has said nothing for too long, but for the first one. To be asked often.
    pub fn silent(&mut self) -> Option<usize> {
        let now = Instant::now();
        if now.duration_since(std::mem::replace(&mut self.looked, now)) > self.longest / 4 {
            self.last.fill(now);
        }
        let is_silent = |at: &usize| now.duration_since(self.last[*at]) > self.longest;
        (1..self.last.len()).find(is_silent)
    }

    /// Whether there are several, none of whom has said anything lately.
    pub fn is_of_all(&self) -> bool {
        let now = Instant::now();
        let others = self.last.get(1..).unwrap_or_default();
        let is_silent = |last: &Instant| now.duration_since(*last) > self.longest / 2;
        others.len() > 1 && others.iter().all(is_silent)
    }

    pub fn longest(&self) -> Duration {
        self.longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn that_no_sign_was_given_for_long_is_known() {
        let longest = Duration::from_secs(20);
        let signs = Signs::to(Vec::new(), longest, |_, _| ()).expect("there is a thread");
        assert!(!signs.were_missing(longest));
        let ago = |seconds| {
            let ago = Instant::now().checked_sub(Duration::from_secs(seconds));
            ago.expect("the machine is up for longer")
        };
        let beat = || signs.beat.0.lock().expect("nobody panics");
        beat().0 = ago(15);
        assert!(signs.were_missing(longest));
        assert!(signs.were_missing(longest), "it stays so");
        // Whoever goes later has not gone for that.
        beat().1 = Some(ago(6));
        assert!(!signs.were_missing(longest));
    }

    #[test]
    fn who_is_left_is_told_that_the_first_process_is_there_when_another_is_gone() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("there is a port");
        let address = listener.local_addr().expect("it has one");
        let connected = || {
            let stream = TcpStream::connect(address).expect("somebody listens");
            (stream, listener.accept().expect("somebody has connected").0)
        };
        let [(gone, its_end), (left, mut hears)] = [connected(), connected()];
        its_end
            .shutdown(std::net::Shutdown::Both)
            .expect("it is open");
        gone.shutdown(std::net::Shutdown::Both).expect("it is open");
        let voices = vec![(1, Voice::on(gone)), (2, Voice::on(left))];
        let (tell, told) = channel();
        let signs = Signs::to(voices, Duration::from_millis(80), move |process, why| {
            let _ = tell.send((process, why));
        });
        for _ in 0..3 {
            let order: Order = frames::read(&mut hears, None).expect("it is told");
            assert!(matches!(order, Order::Alive), "{order:?}");
        }
        drop(signs);
        let told: Vec<(u32, Failure)> = told.iter().collect();
        assert_eq!(told, [(1, Failure::Closed)], "once");
    }

    #[test]
    fn who_was_stopped_itself_blames_nobody() {
        let longest = Duration::from_secs(20);
        let mut silence = Silence::of(3, longest);
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds));
        let long_ago = ago(30).expect("the machine is up for longer");
        silence.last.fill(long_ago);
        silence.looked = long_ago;
        assert_eq!(silence.silent(), None);
        // Now it is at work, and one of them still says nothing.
        silence.last[2] = long_ago;
        assert_eq!(silence.silent(), Some(2));
        assert!(!silence.is_of_all(), "one of them was heard");
        silence.last[1] = ago(15).expect("the machine is up for longer");
        assert!(silence.is_of_all());
        silence.heard(2);
        assert_eq!(silence.silent(), None);
    }
}
