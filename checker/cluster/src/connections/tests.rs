//! Processes that end while others come together.

use std::thread::{self, JoinHandle};

use super::*;

const PATIENCE: Duration = Duration::from_secs(20);
/// Who has gone has some time to come again, which is a part of it.
const LONG_PATIENCE: Duration = Duration::from_mins(1);
/// For those who do not find each other.
const IMPATIENCE: Duration = Duration::from_secs(3);

fn identity(process: u32, processes: u32) -> Identity {
    Identity {
        program: [1; 32],
        asked: [2; 32],
        secret: [3; 16],
        processes,
        process,
        workers: 1,
    }
}

/// The connection of a process that goes no further than to say who it is.
fn comes(process: u32, processes: u32, first: &str) -> TcpStream {
    let identity = identity(process, processes);
    let hello = Hello::new(&identity, For::Messages, "127.0.0.1:1");
    let until = Instant::now() + PATIENCE;
    let place = Place::here().expect("there is a port");
    connected((&place, first), 0, &hello, until, &mut || Ok(())).expect("the first one listens")
}

fn follows(process: u32, processes: u32, first: &str) -> JoinHandle<Result<Mesh, Fault>> {
    let first = first.to_owned();
    thread::spawn(move || {
        let place = Place::here()?;
        Mesh::follow(
            identity(process, processes),
            &place,
            &first,
            PATIENCE,
            &mut || Ok(()),
        )
    })
}

#[test]
fn one_that_ends_before_all_have_come_may_come_again() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        drop(comes(1, 3, &first));
        let second = follows(1, 3, &first);
        let third = follows(2, 3, &first);
        [second, third].map(|one| one.join().expect("nobody panics"))
    });
    let led = Mesh::lead(identity(0, 3), &place, LONG_PATIENCE, &mut || Ok(()));
    assert_eq!(led.as_ref().map(|mesh| mesh.states.len()), Ok(3));
    for followed in others.join().expect("nobody panics") {
        assert!(followed.is_ok(), "{followed:?}");
    }
}

#[test]
fn one_that_ends_before_all_have_come_and_comes_no_more_ends_the_others() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        let mut third = comes(2, 4, &first);
        // The last one does not come at all.
        drop(comes(1, 4, &first));
        frames::read::<Order>(&mut third, None).expect("it is told")
    });
    let led = Mesh::lead(identity(0, 4), &place, PATIENCE, &mut || Ok(()));
    let ended = "process 2 of 4 has ended, or its connection was cut, before the others were done"
        .to_owned();
    assert_eq!(led.map(drop), Err(ended.clone()));
    let told = others.join().expect("nobody panics");
    assert!(
        matches!(&told, Order::Broken(why) if *why == ended),
        "{told:?}"
    );
}

#[test]
fn one_that_ends_once_all_have_come_ends_the_others_at_once() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        let third = follows(2, 3, &first);
        let mut stream = comes(1, 3, &first);
        let order: Order = frames::read(&mut stream, None).expect("all have come");
        assert!(matches!(order, Order::Places(_)), "{order:?}");
        drop(stream);
        third.join().expect("nobody panics")
    });
    let began = Instant::now();
    let led = Mesh::lead(identity(0, 3), &place, PATIENCE, &mut || Ok(()));
    let ended = "process 2 of 3 has ended, or its connection was cut, before the others were done"
        .to_owned();
    assert_eq!(led.map(drop), Err(ended.clone()));
    let followed = others.join().expect("nobody panics");
    assert_eq!(followed.map(drop), Err(ended));
    assert!(began.elapsed() < PATIENCE, "it is not waited for");
}

#[test]
fn one_that_has_come_and_gone_when_all_have_come_may_come_again() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let all = identity(0, 2);
    let arriving = Arriving::at(&place, &all).expect("somebody listens");
    let until = Instant::now() + PATIENCE;
    // It has not waited for the first one, which is stopped.
    drop(comes(1, 2, &first));
    let mut there = None;
    let mut into = [None, None];
    let mut places = vec![String::new(); 2];
    let look = &mut |come: &mut [Option<TcpStream>]| {
        if come[1].as_ref().is_some_and(is_closed) {
            come[1] = None;
            there = Some(comes(1, 2, &first));
        }
        Ok(())
    };
    let taken = arriving.take(&mut into, For::Messages, 1, until, look, &mut places);
    assert_eq!(taken, Ok(()));
    let taken = into[1].as_ref().expect("it has come");
    assert!(!is_closed(taken));
    drop(there.expect("it has come again"));
}

#[test]
fn of_two_with_the_same_number_the_first_is_told_and_not_waited_for() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        // As where a machine has gone without a word, and has come back.
        let mut before = comes(1, 3, &first);
        let second = follows(1, 3, &first);
        let told: Order = frames::read(&mut before, None).expect("it is told");
        let third = follows(2, 3, &first);
        let followed = [second, third].map(|one| one.join().expect("nobody panics"));
        (told, followed)
    });
    let led = Mesh::lead(identity(0, 3), &place, PATIENCE, &mut || Ok(()));
    assert_eq!(led.as_ref().map(|mesh| mesh.states.len()), Ok(3));
    let (told, followed) = others.join().expect("nobody panics");
    assert!(
        matches!(&told, Order::Broken(why) if why.starts_with("another process 2 of 3 has come")),
        "{told:?}"
    );
    for followed in followed {
        assert!(followed.is_ok(), "{followed:?}");
    }
}

#[test]
fn a_connection_for_states_that_is_over_is_not_taken_for_that_of_a_process_that_is_there() {
    let place = Place::here().expect("there is a port");
    let arriving = Arriving::at(&place, &identity(0, 2)).expect("somebody listens");
    let hello = Hello::new(&identity(1, 2), For::States, "127.0.0.1:1");
    let until = Instant::now() + PATIENCE;
    let from = Place::here().expect("there is a port");
    let comes = || connected((&from, &place.named), 0, &hello, until, &mut || Ok(()));
    drop(comes().expect("the first one listens"));
    let there = comes().expect("the first one listens");
    let mut into = [None, None];
    let mut places = vec![String::new(); 2];
    let taken = arriving.take(
        &mut into,
        For::States,
        1,
        until,
        &mut |_| Ok(()),
        &mut places,
    );
    assert_eq!(taken, Ok(()));
    let taken = into[1].as_ref().expect("it has come");
    assert_eq!(taken.peer_addr().ok(), there.local_addr().ok());
}

#[test]
fn one_that_ends_behind_a_sign_of_life_ends_the_others() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        let mut both = [comes(1, 3, &first), comes(2, 3, &first)];
        for stream in &mut both {
            let order: Order = frames::read(stream, None).expect("all have come");
            assert!(matches!(order, Order::Places(_)), "{order:?}");
        }
        let [mut second, mut third] = both;
        frames::write(&mut third, &Word::Alive).expect("it is open");
        drop(third);
        // It goes on to wait, and is told.
        loop {
            match frames::read(&mut second, None).expect("it is told") {
                Order::Alive => {}
                Order::Broken(why) => return why,
                other => panic!("{other:?}"),
            }
        }
    });
    let led = Mesh::lead(identity(0, 3), &place, PATIENCE, &mut || Ok(()));
    let ended = "process 3 of 3 has ended, or its connection was cut, before the others were done"
        .to_owned();
    assert_eq!(led.map(drop), Err(ended.clone()));
    assert_eq!(others.join().expect("nobody panics"), ended);
}

#[test]
fn a_port_that_is_connected_to_itself_is_nobody_else() {
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None);
    let socket = socket.expect("there is one");
    let any = std::net::SocketAddr::from(([127, 0, 0, 1], 0));
    socket.bind(&any.into()).expect("there is a port");
    let own = socket.local_addr().expect("it has one");
    // Nobody listens there, and TCP lets the two ends of it meet.
    socket.connect(&own).expect("it does");
    let stream = TcpStream::from(socket);
    assert!(is_of_itself(&stream));
    let place = Place::here().expect("there is a port");
    let other = TcpStream::connect(place.named()).expect("it listens");
    assert!(!is_of_itself(&other));
}

/// Somebody who listens at each of these addresses, of which Linux has many for the machine itself, and where that is.
#[cfg(target_os = "linux")]
fn listening<const N: usize>(addresses: [&str; N]) -> ([std::net::TcpListener; N], [String; N]) {
    let listeners = addresses.map(|address| {
        let listener = std::net::TcpListener::bind((address, 0));
        listener.expect("there is a port")
    });
    let hosts = listeners.each_ref().map(|one| {
        let address = one.local_addr().expect("it has one");
        address.to_string()
    });
    (listeners, hosts)
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_connects_from_the_address_at_which_it_is_found() {
    let ([first, second], hosts) = listening(["127.0.0.1", "127.0.0.2"]);
    let second = Place::that_listens(second, &hosts, 1).expect("all are known");
    let first = Place::that_listens(first, &hosts, 0).expect("all are known");
    let to = first.named().parse().expect("an address");
    let stream = second.connect(&to, PATIENCE).expect("somebody listens");
    let own = stream.local_addr().expect("it has one");
    assert_eq!(own.ip().to_string(), "127.0.0.2");
    let (come, _) = first.listener.accept().expect("somebody has connected");
    assert!(first.may_come(&come));
}

#[test]
fn who_does_not_find_another_one_says_so_to_the_first() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        // Nobody listens where it says that it is.
        let second = comes(1, 3, &first);
        let own = Place::here().expect("there is a port");
        let third = identity(2, 3);
        let third = Mesh::follow(third, &own, &first, PATIENCE / 2, &mut || Ok(()));
        (second, third.map(drop))
    });
    let led = Mesh::lead(identity(0, 3), &place, PATIENCE, &mut || Ok(()));
    let (_second, followed) = others.join().expect("nobody panics");
    let why = followed.expect_err("it does not find it");
    let begin = "process 2 of 3 was not found at `127.0.0.1:1`: ";
    assert!(why.starts_with(begin), "{why}");
    let told = format!("process 3 of 3 has failed: {why}");
    assert_eq!(led.map(drop), Err(told));
}

#[test]
fn nobody_begins_before_all_have_met_each_other() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        let second = follows(1, 3, &first);
        let mut messages = comes(2, 3, &first);
        let order: Order = frames::read(&mut messages, None).expect("all have come");
        let Order::Places(places) = order else {
            panic!("{order:?}")
        };
        let hello = Hello::new(&identity(2, 3), For::States, "127.0.0.1:1");
        let from = Place::here().expect("there is a port");
        let until = Instant::now() + PATIENCE;
        let states = [0, 1].map(|at| {
            let there = &places[at as usize];
            connected((&from, there), at, &hello, until, &mut || Ok(()))
        });
        // It says that it is there, and no more, until it has heard the same.
        frames::write(&mut messages, &Word::Alive).expect("it is open");
        let told: Order = frames::read(&mut messages, None).expect("it hears a sign, or why not");
        assert!(matches!(told, Order::Alive), "{told:?}");
        let failed = Word::Failed("enough".to_owned());
        frames::write(&mut messages, &failed).expect("it is open");
        let second = second.join().expect("nobody panics");
        drop((states, messages));
        second
    });
    let led = Mesh::lead(identity(0, 3), &place, PATIENCE, &mut || Ok(()));
    let failed = "process 3 of 3 has failed: enough".to_owned();
    assert_eq!(led.map(drop), Err(failed.clone()));
    let second = others.join().expect("nobody panics");
    assert_eq!(
        second.map(drop),
        Err(failed),
        "it has met the two, and waits"
    );
}

#[cfg(target_os = "linux")]
#[test]
fn that_somebody_was_refused_is_told_on_both_sides() {
    let ([first, _, third], [one, other, wrong]) =
        listening(["127.0.0.1", "127.0.0.2", "127.0.0.3"]);
    let first = Place::that_listens(first, &[one.clone(), other], 0).expect("all are known");
    let follows = thread::spawn(move || {
        let place = Place::that_listens(third, &[one.clone(), wrong], 1)?;
        Mesh::follow(identity(1, 2), &place, &one, IMPATIENCE, &mut || Ok(())).map(drop)
    });
    let led = Mesh::lead(identity(0, 2), &first, IMPATIENCE, &mut || Ok(()));
    let late = "process 2 of 2 has not come in time; somebody from 127.0.0.3 was refused, which is the address of no host";
    assert_eq!(led.map(drop), Err(late.to_owned()));
    let followed = follows.join().expect("nobody panics");
    let why = followed.expect_err("nobody listens to it");
    assert!(why.ends_with("does not listen to this machine"), "{why}");
}
