//! Who is let in.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use stubborn_cluster::{Fault, Identity, Mesh, Place};

use crate::together::identity;

const PATIENCE: Duration = Duration::from_secs(20);
/// For those who do not come at all.
const IMPATIENCE: Duration = Duration::from_millis(500);

/// What the first of two processes, and the second, come to.
fn met(second: Identity, patience: Duration) -> (Result<(), Fault>, Result<(), Fault>) {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let follows = thread::spawn(move || {
        let place = Place::here()?;
        Mesh::follow(second, &place, &first, patience, &mut || Ok(()))
    });
    let led = Mesh::lead(identity(0, 2, 1), &place, patience, &mut || Ok(()));
    let followed = follows.join().expect("nobody panics");
    (led.map(drop), followed.map(drop))
}

#[test]
fn two_that_were_started_together_meet() {
    assert_eq!(met(identity(1, 2, 1), PATIENCE), (Ok(()), Ok(())));
}

#[test]
fn two_that_differ_are_told_how() {
    let of = |change: fn(&mut Identity)| {
        let mut second = identity(1, 2, 1);
        change(&mut second);
        second
    };
    for (second, differs) in [
        (of(|one| one.program = [9; 32]), "another version"),
        (of(|one| one.asked = [9; 32]), "other texts or options"),
        (of(|one| one.processes = 3), "another number of processes"),
        (of(|one| one.workers = 3), "another number of workers"),
        (of(|one| one.process = 0), "a number that is not its own"),
    ] {
        let (first, second) = met(second, PATIENCE);
        let told = first.expect_err("it is refused");
        assert!(told.contains(differs), "{told}");
        assert!(second.is_err(), "it hears that, too");
    }
}

#[test]
fn who_does_not_know_the_secret_has_not_come() {
    let mut stranger = identity(1, 2, 1);
    stranger.secret = [9; 16];
    let (first, second) = met(stranger, IMPATIENCE);
    assert_eq!(first, Err("process 2 of 2 has not come in time".to_owned()));
    assert!(second.is_err());
}

#[test]
fn whoever_talks_nonsense_is_cut_off_and_others_are_not() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let others = thread::spawn(move || {
        for nonsense in [&[][..], &[0; 11], &[0xff; 4096], b"GET / HTTP/1.1\r\n\r\n"] {
            let mut stream = TcpStream::connect(&first).expect("somebody listens");
            // Who is cut off may see that before all is written.
            let _ = stream.write_all(nonsense);
            let _ = stream.shutdown(std::net::Shutdown::Write);
            let mut answer = Vec::new();
            let _ = stream.read_to_end(&mut answer);
            assert_eq!(answer, b"", "nothing is said to a stranger");
        }
        let place = Place::here().expect("there is a port");
        Mesh::follow(identity(1, 2, 1), &place, &first, PATIENCE, &mut || Ok(()))
    });
    let led = Mesh::lead(identity(0, 2, 1), &place, PATIENCE, &mut || Ok(()));
    assert!(led.is_ok());
    assert!(others.join().expect("nobody panics").is_ok());
}

#[test]
fn waiting_ends_where_nobody_wants_it_any_more() {
    let place = Place::here().expect("there is a port");
    let enough = || Err("enough".to_owned());
    let led = Mesh::lead(identity(0, 2, 1), &place, PATIENCE, &mut { enough });
    assert_eq!(led.map(drop), Err("enough".to_owned()));
}

#[test]
fn hosts_that_nobody_finds_are_refused() {
    let refused = |hosts: &[&str]| {
        let hosts: Vec<String> = hosts.iter().map(|host| (*host).to_owned()).collect();
        Place::of_host(&hosts, 0).expect_err("nobody finds it")
    };
    for (hosts, why) in [
        (
            ["0.0.0.0:7401", "127.0.0.1:7402"],
            "`0.0.0.0:7401` is 0.0.0.0:7401, which no process can reach",
        ),
        (
            ["127.0.0.1:7401", "127.0.0.1:0"],
            "`127.0.0.1:0` is 127.0.0.1:0, which no process can reach",
        ),
        (
            ["127.0.0.1:7401", "192.0.2.1:7401"],
            "`127.0.0.1:7401` is 127.0.0.1, which only its own machine can reach, and `192.0.2.1:7401` is on another one",
        ),
        (
            ["[::1]:7401", "[0:0:0:0:0:0:0:1]:7401"],
            "`[::1]:7401` and `[0:0:0:0:0:0:0:1]:7401` are both [::1]:7401, where two processes cannot both listen; give \
             each an address or a port of its own",
        ),
        (
            ["127.0.0.1:7401", "nowhere"],
            "`nowhere` is no address of a machine with a port that is known here",
        ),
    ] {
        let told = refused(&hosts);
        assert!(told.starts_with(why), "{told}");
    }
}

/// What three processes come to, of which one has another place of the third one in its file of hosts; and where that is.
fn met_where_one_has_another_file(that_one: usize) -> ([Result<(), Fault>; 3], String) {
    let listeners = [(); 3].map(|()| TcpListener::bind("127.0.0.1:0").expect("there is a port"));
    let hosts = listeners.each_ref().map(|one| {
        let address = one.local_addr().expect("it has one");
        address.to_string()
    });
    let [first_place, second, third] = listeners;
    let file = |process: usize| {
        let mut hosts = hosts.to_vec();
        if process == that_one {
            "127.0.0.1:1".clone_into(&mut hosts[2]);
        }
        hosts
    };
    let follows = |listener: TcpListener, process: usize| {
        let (file, first) = (file(process), hosts[0].clone());
        thread::spawn(move || {
            let place = Place::that_listens(listener, &file, process)?;
            let identity = identity(process as u32, 3, 1);
            Mesh::follow(identity, &place, &first, PATIENCE, &mut || Ok(())).map(drop)
        })
    };
    let others = [follows(second, 1), follows(third, 2)];
    let place = Place::that_listens(first_place, &file(0), 0).expect("all are known");
    let led = Mesh::lead(identity(0, 3, 1), &place, PATIENCE, &mut || Ok(()));
    let [second, third] = others.map(|one| one.join().expect("nobody panics"));
    let told = format!(
        "process 3 of 3 is at `{}` where its file of hosts was read, and at `127.0.0.1:1` here; use the same file \
         everywhere",
        hosts[2]
    );
    ([led.map(drop), second, third], told)
}

#[test]
fn who_has_another_file_of_hosts_is_told() {
    // It is the first one that has it, which says so to all others;
    let (all, told) = met_where_one_has_another_file(0);
    for one in all {
        assert_eq!(one, Err(told.clone()));
    }
    // or one of those, which says so to the first.
    let ([first, second, third], told) = met_where_one_has_another_file(1);
    assert_eq!(second, Err(told.clone()));
    let failed = Err(format!("process 2 of 3 has failed: {told}"));
    assert_eq!(first, failed);
    assert_eq!(third, failed);
}
