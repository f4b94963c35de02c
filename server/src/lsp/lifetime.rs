//! A server must not outlive its client.

use std::thread;
use std::time::Duration;

use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

/// How often the client is looked for.
const PERIOD: Duration = Duration::from_secs(2);

/// Calls `gone` once the process with this id has ended. If there is none now, its id means nothing
/// here (the client may live in another container), and nothing is done.
pub fn watch(parent: u32, gone: impl FnOnce() + Send + 'static) {
    let parent = Pid::from_u32(parent);
    let mut system = System::new();
    if !is_alive(&mut system, parent) {
        return;
    }
    let watcher = move || {
        while is_alive(&mut system, parent) {
            thread::sleep(PERIOD);
        }
        gone();
    };
    // Without the thread, the end of the input still tells that the client has gone.
    drop(
        thread::Builder::new()
            .name("parent".to_owned())
            .spawn(watcher),
    );
}

fn is_alive(system: &mut System, process: Pid) -> bool {
    let what = ProcessRefreshKind::nothing();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[process]), true, what);
    system.process(process).is_some_and(|found| {
        !matches!(
            found.status(),
            sysinfo::ProcessStatus::Zombie | sysinfo::ProcessStatus::Dead
        )
    })
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn the_end_of_the_parent_is_noticed() {
        // `cat` lives until its input ends.
        let Ok(mut child) = Command::new("cat").stdin(Stdio::piped()).spawn() else {
            return;
        };
        let (sender, receiver) = channel();
        watch(child.id(), move || sender.send(()).unwrap_or_default());
        drop(child.stdin.take());
        child.wait().unwrap();
        receiver
            .recv_timeout(Duration::from_secs(60))
            .expect("noticed");
    }
}
