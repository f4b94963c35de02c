//! A first process that is there and says nothing: it was stopped, say.

use std::thread;
use std::time::Duration;

use stubborn_cluster::{Means, Mesh, Place, serve};
use stubborn_engine::Limits;

use crate::together::identity;

const PATIENCE: Duration = Duration::from_secs(20);

#[test]
fn the_others_do_not_wait_for_ever_for_a_first_process_that_says_nothing() {
    let place = Place::here().expect("there is a port");
    let first = place.named().to_owned();
    let follows = thread::spawn(move || {
        let place = Place::here()?;
        let mesh = Mesh::follow(identity(1, 2, 1), &place, &first, PATIENCE, &mut || Ok(()))?;
        let means = Means {
            limits: Limits::default(),
            stack: 16 << 20,
            silence: Duration::from_millis(100),
            deadline: None,
        };
        serve(mesh, means, &mut |_| ())
    });
    // It has come, and does nothing more until the other one has ended.
    let mesh = Mesh::lead(identity(0, 2, 1), &place, PATIENCE, &mut || Ok(()));
    let ended = follows.join().expect("nobody panics");
    let why = ended.expect_err("nobody has said that all is over");
    assert!(
        why.starts_with("process 1 of 2 has said nothing for"),
        "{why}"
    );
    drop(mesh);
}
