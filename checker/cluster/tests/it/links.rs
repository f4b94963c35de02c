//! Connections that stand still, damage what is sent or break, while the processes at their ends are well.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use stubborn_cluster::{Fault, Leader, Means, Mesh, Place, serve};
use stubborn_engine::several::Several as _;
use stubborn_engine::{
    Caller, Event, Limits, Observer, Options, Reason, Reduction, Resources, Verdict, check,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read;
use stubborn_system::property::Property;

use crate::together::identity;

const PATIENCE: Duration = Duration::from_secs(20);
/// Who says nothing for so long is not there.
const SILENCE: Duration = Duration::from_secs(4);

/// What becomes of what is sent.
const PASSES: u8 = 0;
const STANDS_STILL: u8 = 1;
const IS_DAMAGED: u8 = 2;
const IS_NOTHING: u8 = 3;
const BREAKS: u8 = 4;
const IS_LATE: u8 = 5;
/// By the first process; what others send is not.
const IS_DAMAGED_BY_FIRST: u8 = 6;

/// So late in each direction: whoever waits no longer than is needed to end a search waits in vain.
const LATE: Duration = Duration::from_millis(300);

/// More states than are found before the connection fails.
const ENDLESS: &str = "
var x: array[0..9] of 0..1000
process p(i in 0..9) { loop { x[i] = any 0..1000 } }
termination not required
invariant small: x[0] <= 1000
";

/// A connection in the midst of which something goes wrong when `fate` says so, instead of this one.
fn through(stream: TcpStream, fate: &Arc<AtomicU8>) -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").expect("there is a port");
    let address = listener.local_addr().expect("it has one");
    let near = TcpStream::connect(address).expect("somebody listens");
    let (far, _) = listener.accept().expect("somebody has connected");
    for (from, to, is_by_first) in [(&far, &stream, false), (&stream, &far, true)] {
        let from = from.try_clone().expect("it is open");
        let to = to.try_clone().expect("it is open");
        let fate = Arc::clone(fate);
        thread::spawn(move || pass_on(from, to, is_by_first, &fate));
    }
    near
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, is_by_first: bool, fate: &AtomicU8) {
    let mut bytes = vec![0; 1 << 12];
    while let Ok(read @ 1..) = from.read(&mut bytes) {
        match fate.load(Relaxed) {
            STANDS_STILL => loop {
                thread::park();
            },
            IS_DAMAGED => bytes[read / 2] ^= 0x10,
            IS_DAMAGED_BY_FIRST if is_by_first => bytes[read / 2] ^= 0x10,
            IS_NOTHING => bytes[..read].fill(0),
            IS_LATE => thread::park_timeout(LATE),
            BREAKS => break,
            _ => {}
        }
        if to.write_all(&bytes[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

fn means(silence: Duration) -> Means {
    Means {
        limits: Limits::default(),
        stack: 16 << 20,
        silence,
        deadline: None,
    }
}

/// What happens to a connection, and when: as soon as states are found, or something was decided.
struct Lead {
    leader: Leader,
    fate: Arc<AtomicU8>,
    when_found: u8,
    when_decided: u8,
}

impl Lead {
    fn caller(&self) -> Caller<'_> {
        let resources = Resources {
            several: Some(&self.leader),
            ..Resources::default()
        };
        Caller::from(resources).observed_by(self)
    }
}

impl Observer for Lead {
    fn event(&self, event: Event<'_>) {
        match event {
            Event::Progress(progress) if progress.states > 0 => {
                self.fate.store(self.when_found, Relaxed);
            }
            Event::Decided(..) => self.fate.store(self.when_decided, Relaxed),
            _ => {}
        }
    }
}

/// Which of a process's connections.
#[derive(Clone, Copy, PartialEq)]
enum For {
    Messages,
    States,
}

/// What the second process comes to.
type Second = JoinHandle<Result<(), Fault>>;

/// Two processes, and what happens to such a connection of the second one: nothing so far, and it stands still as soon as that
/// one logs this.
fn two(which: For, when_logged: &'static str, [first, second]: [Means; 2]) -> (Lead, Second) {
    let place = Place::here().expect("there is a port");
    let found_at = place.named().to_owned();
    let fate = Arc::new(AtomicU8::new(PASSES));
    let other = thread::spawn({
        let fate = Arc::clone(&fate);
        move || {
            let place = Place::here()?;
            let own = identity(1, 2, 1);
            let mut mesh = Mesh::follow(own, &place, &found_at, PATIENCE, &mut || Ok(()))?;
            let stream = match which {
                For::Messages => &mut mesh.messages[0],
                For::States => &mut mesh.states[0],
            };
            *stream = stream.take().map(|stream| through(stream, &fate));
            serve(mesh, second, &mut |what| {
                if what == when_logged {
                    fate.store(STANDS_STILL, Relaxed);
                }
            })
        }
    });
    let mesh = Mesh::lead(identity(0, 2, 1), &place, PATIENCE, &mut || Ok(()));
    let leader = Leader::new(mesh.expect("both come"), first, Box::new(|_| None));
    let lead = Lead {
        leader: leader.expect("there are threads"),
        fate,
        when_found: PASSES,
        when_decided: PASSES,
    };
    (lead, other)
}

/// Of the invariant of this text, with nothing left out.
fn verdict(lead: &Lead, text: String, deadline: Option<Instant>) -> Verdict {
    let drawn = read::text(text, &Settings::default()).expect("it is right");
    let mut asked = drawn.properties.iter().map(|named| named.property.clone());
    let small = asked.find(|property| matches!(property, Property::Invariant(_)));
    let options = Options {
        reduction: Reduction::None,
        limits: Limits {
            deadline,
            ..Limits::default()
        },
        ..Options::default()
    };
    let small = [small.expect("there is one")];
    let found =
        check(&drawn.system, &small, &options, lead.caller()).expect("its states are small");
    let found = found.into_iter().next();
    found.expect("one was asked").verdict
}

/// What is told of a search by two processes, and by the second one, where that happens between the two as soon as states
/// are found: why it is undecided, and why the second one has ended.
fn told_where(which: For, what: u8) -> (String, Fault) {
    let (lead, second) = two(which, "nothing", [means(SILENCE); 2]);
    let lead = Lead {
        when_found: what,
        when_decided: what,
        ..lead
    };
    let verdict = verdict(&lead, ENDLESS.to_owned(), None);
    drop(lead);
    let Verdict::Undecided(Reason::Others(told)) = verdict else {
        panic!("{verdict:?}")
    };
    let second = second.join().expect("nobody panics");
    (told, second.expect_err("nothing was decided"))
}

/// Both say that it is undecided because of the connection between them, and why that is of no use.
fn is_told(which: For, what: u8, why: &[&str]) {
    let (told, second) = told_where(which, what);
    let told = told
        .strip_prefix("the connection between process 1 of 2 and process 2 of 2 ")
        .unwrap_or_else(|| panic!("{told}"));
    assert!(why.iter().any(|why| told.starts_with(why)), "{told}");
    assert!(second.ends_with(told), "{second}");
}

#[test]
fn what_is_said_late_breaks_nothing() {
    let means = means(stubborn_cluster::SILENCE);
    let (lead, second) = two(For::Messages, "nothing", [means; 2]);
    let lead = Lead {
        when_found: IS_LATE,
        when_decided: IS_LATE,
        ..lead
    };
    lead.fate.store(IS_LATE, Relaxed);
    let text = ENDLESS.replace("1000", "2").replace("0..9", "0..2");
    let drawn = read::text(text, &Settings::default()).expect("it is right");
    let asked: Vec<Property> = drawn
        .properties
        .iter()
        .map(|named| named.property.clone())
        .collect();
    // One search after the other, of which each is ended.
    for reduction in [Reduction::None, Reduction::Stubborn] {
        let options = Options {
            reduction,
            ..Options::default()
        };
        let found =
            check(&drawn.system, &asked, &options, lead.caller()).expect("its states are small");
        for outcome in found {
            assert_eq!(outcome.verdict, Verdict::Holds);
        }
    }
    assert_eq!(lead.leader.fault(), None);
    drop(lead);
    assert_eq!(second.join().expect("nobody panics"), Ok(()));
}

#[test]
fn that_nothing_comes_for_too_long_is_told_though_all_say_that_they_are_there() {
    is_told(
        For::States,
        STANDS_STILL,
        &["has been silent for 5 seconds"],
    );
}

#[test]
fn what_is_damaged_on_the_way_is_not_believed() {
    is_told(For::States, IS_DAMAGED, &["has damaged what was sent"]);
    // Zeros are a message of no length, whose checksum is none.
    is_told(For::States, IS_NOTHING, &["has damaged what was sent"]);
}

#[test]
fn that_a_connection_breaks_while_messages_go_on_is_told() {
    is_told(For::States, BREAKS, &["has ended", "has broken"]);
}

#[test]
fn messages_that_are_damaged_are_not_taken_for_the_end_of_a_process() {
    for what in [IS_DAMAGED, IS_NOTHING, IS_DAMAGED_BY_FIRST] {
        is_told(For::Messages, what, &["has damaged what was sent"]);
    }
}

#[test]
fn who_cannot_be_heard_any_more_is_told_for_what_that_may_be() {
    let (first, second) = told_where(For::Messages, BREAKS);
    let ended = "has ended, or its connection was cut, before the others were done";
    assert_eq!(first, format!("process 2 of 2 {ended}"));
    assert_eq!(second, format!("process 1 of 2 {ended}"));
    let (first, second) = told_where(For::Messages, STANDS_STILL);
    let silent = "has said nothing for 4 seconds";
    assert_eq!(first, format!("process 2 of 2 {silent}"));
    assert_eq!(second, format!("process 1 of 2 {silent}"));
}

/// As many states, one of which soon violates it.
fn violated() -> String {
    ENDLESS.replace("x[0] <= 1000", "x[0] < 1000")
}

#[test]
fn who_stands_still_when_a_search_ends_is_not_waited_for_beyond_the_limit_on_time() {
    // The time of the check is over when it knows what it wants to know.
    let first = Means {
        deadline: Some(Instant::now()),
        ..means(stubborn_cluster::SILENCE)
    };
    let (lead, second) = two(For::Messages, "nothing", [first, means(SILENCE)]);
    let lead = Lead {
        when_decided: STANDS_STILL,
        ..lead
    };
    let verdict = verdict(&lead, violated(), None);
    assert!(matches!(verdict, Verdict::Violated { .. }), "{verdict:?}");
    // Else it would have said nothing for longer.
    let fault = lead.leader.fault().expect("it has not ended");
    let slow = "process 2 of 2 has not ended a search when it was told to";
    assert_eq!(fault, slow);
    drop(lead);
    assert!(second.join().expect("nobody panics").is_err());
}

#[test]
fn who_stands_still_while_a_run_is_put_together_is_not_waited_for_beyond_the_limit_on_time() {
    let means = [means(stubborn_cluster::SILENCE), means(SILENCE)];
    let (lead, second) = two(For::Messages, "searches for the path to a state", means);
    let deadline = Instant::now().checked_add(Duration::from_secs(10));
    let verdict = verdict(&lead, violated(), deadline);
    let Verdict::Undecided(Reason::Others(why)) = verdict else {
        panic!("{verdict:?}")
    };
    let named = "the time limit was reached when process 2 of 2 had said nothing for ";
    assert!(why.starts_with(named), "{why}");
    drop(lead);
    assert!(second.join().expect("nobody panics").is_err());
}
