//! Processes that are threads.

use std::thread::{self, JoinHandle};
use std::time::Duration;

use stubborn_cluster::{Fault, Identity, Leader, Means, Mesh, Place, SILENCE, serve};
use stubborn_engine::{Caller, Limits, Resources, Sink};

/// Everybody comes soon.
const PATIENCE: Duration = Duration::from_secs(20);

/// Who wants nothing but the counts of a state space.
pub struct Nothing;

impl Sink for Nothing {
    fn wants_states(&self) -> bool {
        false
    }

    fn wants_edges(&self) -> bool {
        false
    }
}

/// So many processes with so many workers each.
pub struct Together {
    leader: Option<Leader>,
    others: Vec<JoinHandle<Result<(), Fault>>>,
}

pub fn identity(process: u32, processes: u32, workers: u32) -> Identity {
    Identity {
        program: [1; 32],
        asked: [2; 32],
        secret: [3; 16],
        processes,
        process,
        workers,
    }
}

fn means(max_memory: Option<u64>) -> Means {
    Means {
        limits: Limits {
            max_memory,
            ..Limits::default()
        },
        stack: 16 << 20,
        silence: SILENCE,
        deadline: None,
    }
}

impl Together {
    pub fn new(processes: u32, workers: u32, max_memory: Option<u64>) -> Together {
        let place = Place::here().expect("there is a port");
        let first = place.named().to_owned();
        let others = (1..processes).map(|process| {
            let first = first.clone();
            thread::spawn(move || {
                let place = Place::here()?;
                let identity = identity(process, processes, workers);
                let mesh = Mesh::follow(identity, &place, &first, PATIENCE, &mut || Ok(()))?;
                serve(mesh, means(max_memory), &mut |_| ())
            })
        });
        let others = others.collect();
        let identity = identity(0, processes, workers);
        let mesh = Mesh::lead(identity, &place, PATIENCE, &mut || Ok(()));
        let mesh = mesh.expect("everybody comes");
        let leader =
            Leader::new(mesh, means(max_memory), Box::new(|_| None)).expect("there are threads");
        Together {
            leader: Some(leader),
            others,
        }
    }

    /// Caller with these processes.
    pub fn caller(&self) -> Caller<'_> {
        let several = self.leader.as_ref().map(|leader| leader as _);
        let resources = Resources {
            several,
            ..Resources::default()
        };
        resources.into()
    }
}

impl Drop for Together {
    fn drop(&mut self) {
        self.leader = None;
        for other in self.others.drain(..) {
            let ended = other.join().expect("nobody panics");
            if !thread::panicking() {
                assert_eq!(ended, Ok(()));
            }
        }
    }
}
