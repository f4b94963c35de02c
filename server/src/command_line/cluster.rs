//! `stubborn cluster`: a `check` or an `explore` that several processes carry out.
//!
//! With `--processes` the first process starts the others: the same program with the same arguments, and a variable of the
//! environment with their number, the address of the first process and a secret. With `--hosts` the user starts each
//! process. The first process does all that the command does. The others read the texts to show that they have the same
//! ones, and then do what the first one asks for.

use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use stubborn_checker::{Options, Search, Symmetry};
use stubborn_cluster::{
    Effort, Fault, GoesOn, Identity, Leader, Limits, Means, Mesh, Place, Question, Reason, SILENCE,
    Secret, Several, Shared, serve,
};

use super::arguments::{Cluster, Shared as SharedCommand};
use super::crash::STACK;
use super::models::load;
use super::search_arguments::{SearchArguments, Storage, ValueName};
use super::status::Status;

/// Says to a process that another one has started it: the number that it has, the secret, and where the first one is.
const STARTED: &str = "STUBBORN_PROCESS";
/// What this build of the program is made from.
const BUILD: &str = env!("STUBBORN_BUILD");
/// Whoever is to come has so long; on other machines somebody has to start it.
const PATIENCE: Duration = Duration::from_secs(30);
const PATIENCE_WITH_OTHERS: Duration = Duration::from_secs(120);
/// Where `--timeout` leaves less than this for it, that is why somebody has not come.
const TO_COME: Duration = Duration::from_millis(500);
/// Between two looks at processes that are to end, and so long they have for it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
const TO_END: Duration = Duration::from_millis(500);
/// What a process had open is closed so long before it has ended.
const TO_CLOSE: Duration = Duration::from_secs(1);

/// What this process is to a command.
pub enum Part {
    Alone,
    /// It carries the command out, with others.
    First(Box<dyn Several>),
    /// It has done as it was told, and the command is not carried out here.
    Done(Status),
}

/// The first process, with those that it has started.
struct First {
    /// `None` once it is over.
    leader: Option<Leader>,
    /// Why the others do not come together.
    unmet: Option<Unmet>,
    /// Nobody else listens there as long as it works.
    _place: Place,
    children: Arc<Mutex<Children>>,
}

/// Why others do not come together.
enum Unmet {
    /// One of them is to blame, or cannot be reached.
    Fault(Fault),
    /// They had no time.
    Late,
}

impl SharedCommand {
    fn search(&self) -> &SearchArguments {
        match self {
            SharedCommand::Check(check) => &check.search,
            SharedCommand::Explore(explore) => &explore.search,
        }
    }

    /// Refuses what only one process does.
    fn refused(&self) -> Option<String> {
        let search = self.search();
        let wrong = match self {
            _ if search.storage != Storage::Exact => {
                format!("--storage {}", search.storage.value_name())
            }
            _ if search.search != Search::Breadth => {
                format!("--search {}", search.search.name())
            }
            _ if let Some(depth) = search.depth => format!("--depth {depth}"),
            _ if search.symmetry == Symmetry::Always => "--symmetry always".to_owned(),
            _ if let Some(reduction) = search.reduction.filter(|one| one.is_in_rounds()) => {
                format!("--reduction {}", reduction.name())
            }
            SharedCommand::Explore(explore) if explore.output.is_some() => "--output".to_owned(),
            SharedCommand::Check(check) if check.coverage => "--coverage".to_owned(),
            _ => return None,
        };
        Some(format!(
            "`stubborn cluster` does not work with `{wrong}`; leave it out"
        ))
    }
}

/// Takes the part that the arguments give this process.
///
/// # Errors
/// If it cannot, because the arguments are wrong.
pub fn part(of: &Cluster, options: &Options, is_to_end: &AtomicBool) -> Result<Part, String> {
    let search = of.command.search();
    if let Some(refused) = of.command.refused() {
        return Err(refused);
    }
    if !search.refused().is_empty() {
        return Ok(Part::Alone);
    }
    let Some(asked) = fingerprint(&of.command) else {
        // The first process alone tells what is wrong.
        return Ok(Part::Alone);
    };
    let here = of.processes.unwrap_or(1);
    // They share the machine.
    let share = match search.max_memory {
        Some(_) => 1,
        None => u64::from(here),
    };
    let workers = match search.threads {
        Some(_) => options.threads() as u32,
        None => (options.threads() as u32 / here).max(1),
    };
    let means = Means {
        limits: Limits {
            max_memory: options.max_memory.map(|most| most / share),
            own_memory: options.own_memory,
            ..Limits::default()
        },
        stack: STACK,
        silence: SILENCE,
        deadline: options.deadline,
    };
    let identity = |process, processes, secret| Identity {
        program: *blake3::hash(BUILD.as_bytes()).as_bytes(),
        asked,
        secret,
        processes,
        process,
        workers,
    };
    let patience = |most: Duration| match options.deadline {
        None => most,
        // To say that nobody has come takes time, too.
        Some(deadline) => most.min(deadline.saturating_duration_since(Instant::now()) / 2),
    };
    if let Some(hosts) = &of.hosts {
        let hosts = hosts_of(hosts)?;
        let process = of.process.unwrap_or(1);
        if process as usize > hosts.len() {
            return Err(format!(
                "`--process {process}` is none of the {} lines of the file of hosts",
                hosts.len()
            ));
        }
        let place = match Place::of_host(&hosts, process as usize - 1) {
            Err(fault) if process > 1 => {
                // Only the first one prints.
                log(&fault);
                return Ok(Part::Done(Status::Wrong));
            }
            place => place?,
        };
        let identity = identity(process - 1, hosts.len() as u32, Secret::default());
        let patience = patience(PATIENCE_WITH_OTHERS);
        if process > 1 {
            let all = hosts.len();
            log(&format!(
                "process {process} of {all} listens at {}",
                place.named()
            ));
            let goes_on = &mut || Ok(());
            return Ok(follow(
                identity, &place, &hosts[0], patience, goes_on, means,
            ));
        }
        let children = Children::default();
        return Ok(lead(identity, place, patience, means, children, is_to_end));
    }
    if let Some(Started {
        process,
        secret,
        first,
        by,
    }) = started()
    {
        let Ok(place) = Place::here() else {
            return Ok(Part::Done(Status::Wrong));
        };
        let identity = identity(process, here, secret);
        let goes_on = &mut || match is_orphan(by) {
            true => Err("the first process has ended".to_owned()),
            false => Ok(()),
        };
        return Ok(follow(
            identity,
            &place,
            &first,
            patience(PATIENCE),
            goes_on,
            means,
        ));
    }
    let place = Place::here()?;
    let secret = secret();
    let children = Children::start(here, secret, place.named())?;
    let identity = identity(0, here, secret);
    let patience = patience(PATIENCE);
    Ok(lead(identity, place, patience, means, children, is_to_end))
}

fn lead(
    identity: Identity,
    place: Place,
    patience: Duration,
    means: Means,
    children: Children,
    is_to_end: &AtomicBool,
) -> Part {
    let processes = identity.processes;
    let children = Arc::new(Mutex::new(children));
    let mut goes_on = || match is_to_end.load(Relaxed) {
        true => Err("the check was cancelled".to_owned()),
        false => children.lock().are_there(processes),
    };
    let began = Instant::now();
    let mesh = Mesh::lead(identity, &place, patience, &mut goes_on);
    let is_late = patience < TO_COME && began.elapsed() >= patience;
    let asked = Arc::clone(&children);
    let how_ended = Box::new(move |process| asked.lock().how_ended(process));
    let (leader, unmet) = match mesh.and_then(|mesh| Leader::new(mesh, means, how_ended)) {
        Ok(leader) => (Some(leader), None),
        Err(_) if is_late => (None, Some(Unmet::Late)),
        Err(fault) => (None, Some(Unmet::Fault(fault))),
    };
    Part::First(Box::new(First {
        leader,
        unmet,
        _place: place,
        children,
    }))
}

/// Does as the first process says. Where that is gone this one ends as well, whatever it is at.
fn follow(
    identity: Identity,
    place: &Place,
    first: &str,
    patience: Duration,
    goes_on: GoesOn<'_>,
    means: Means,
) -> Part {
    let name = format!("process {} of {}", identity.process + 1, identity.processes);
    let mut says = |what: &str| log(&format!("{name} {what}"));
    let served = Mesh::follow(identity, place, first, patience, goes_on).and_then(|mesh| {
        says("has met the others");
        serve(mesh, means, &mut says)
    });
    match served {
        Ok(()) => Part::Done(Status::Holds),
        Err(fault) => {
            log(&fault);
            Part::Done(Status::Violated)
        }
    }
}

/// Where nobody reads it any more nobody is told.
fn log(what: &str) {
    let _ = writeln!(io::stderr(), "stubborn: {what}");
}

impl Several for First {
    fn search<'s>(&'s self, question: &Question) -> Result<Box<dyn Shared + 's>, Reason> {
        match (&self.leader, &self.unmet) {
            (Some(leader), None) => leader.search(question),
            (_, Some(Unmet::Fault(fault))) => Err(Reason::Others(fault.clone())),
            (_, Some(Unmet::Late)) => Err(Reason::Time),
            (None, None) => Err(Reason::Others("all is over".to_owned())),
        }
    }

    fn efforts(&self) -> Vec<Effort> {
        let leader = self.leader.as_ref();
        leader.map_or_else(Vec::new, |leader| leader.efforts())
    }

    fn fault(&self) -> Option<Fault> {
        match &self.unmet {
            Some(Unmet::Fault(fault)) => Some(fault.clone()),
            Some(Unmet::Late) => None,
            None => self.leader.as_ref()?.fault(),
        }
    }
}

impl Drop for First {
    fn drop(&mut self) {
        self.leader = None;
        self.children.lock().end();
    }
}

/// Processes that this one has started; none is left when it is done.
#[derive(Default)]
struct Children(Vec<Child>);

impl Children {
    fn start(processes: u32, secret: Secret, first: &str) -> Result<Children, String> {
        let unable = |error: io::Error| format!("no other process can be started: {error}");
        let program = env::current_exe().map_err(unable)?;
        let mut children = Children::default();
        for process in 1..processes {
            let started = Started {
                process,
                secret,
                first: first.to_owned(),
                by: std::process::id(),
            };
            let child = Command::new(&program)
                .args(env::args_os().skip(1))
                .env(STARTED, started.told())
                // A text may be read from a file that is this process's standard input.
                .stdin(Stdio::inherit())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .map_err(unable)?;
            children.0.push(child);
        }
        Ok(children)
    }

    fn are_there(&mut self, of: u32) -> Result<(), Fault> {
        for (at, child) in self.0.iter_mut().enumerate() {
            if let Ok(Some(status)) = child.try_wait() {
                let process = at + 2;
                return Err(format!(
                    "process {process} of {of} has ended before the others were done: {status}"
                ));
            }
        }
        Ok(())
    }

    /// Of one of them that closes its connections.
    fn how_ended(&mut self, process: u32) -> Option<String> {
        let at = process.checked_sub(1)?;
        let child = self.0.get_mut(at as usize)?;
        Some(ended_within(child, TO_CLOSE)?.to_string())
    }

    /// They were told to end, or see that this process does.
    fn end(&mut self) {
        let until = Instant::now() + TO_END;
        for child in &mut self.0 {
            let left = until.saturating_duration_since(Instant::now());
            if ended_within(child, left).is_none() {
                let _ = child.kill();
                let _ = child.wait();
            }
        }
        self.0.clear();
    }
}

/// How it has ended, if it does within that time.
fn ended_within(child: &mut Child, time: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + time;
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) if Instant::now() < until => std::thread::park_timeout(BETWEEN_LOOKS),
            _ => return None,
        }
    }
}

impl Drop for Children {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a process is told that another one has started.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Started {
    process: u32,
    secret: Secret,
    /// Address of the first process, and its number in the operating system.
    first: String,
    by: u32,
}

impl Started {
    fn told(&self) -> String {
        serde_json::to_string(self).expect("its fields are numbers and a text")
    }
}

fn started() -> Option<Started> {
    serde_json::from_str(&env::var(STARTED).ok()?).ok()
}

/// Nothing is left of a process that the first one has started where that ends, even if it stands still by then: by Ctrl-C
/// the first one ends at once, and whoever stands still does not see that. To be called before anything else is done;
/// whether the first one has ended already.
pub fn is_left_behind() -> bool {
    let Some(Started { by, .. }) = started() else {
        return false;
    };
    #[cfg(target_os = "linux")]
    // Where that is not to be had it ends when it goes on.
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL));
    is_orphan(by)
}

/// Whether the process of the system that has started this one has ended.
#[cfg(unix)]
fn is_orphan(by: u32) -> bool {
    std::os::unix::process::parent_id() != by
}

#[cfg(not(unix))]
fn is_orphan(_: u32) -> bool {
    false
}

/// What only the processes of this command know. The keys of the standard library's hashes are drawn by the system.
fn secret() -> Secret {
    use std::hash::{BuildHasher, RandomState};
    let mut hasher = blake3::Hasher::new();
    for part in 0..4_u64 {
        hasher.update(&RandomState::new().hash_one(part).to_le_bytes());
    }
    hasher.update(&std::process::id().to_le_bytes());
    let mut secret = Secret::default();
    secret.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    secret
}

/// The lines of a file of hosts; what comes after `#` is for people.
fn hosts_of(file: &Path) -> Result<Vec<String>, String> {
    let named = file.display();
    let text =
        fs::read_to_string(file).map_err(|error| format!("`{named}` cannot be read: {error}"))?;
    // Some editors begin a file with a mark.
    let lines = text
        .trim_start_matches('\u{feff}')
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let hosts: Vec<String> = lines
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(str::to_owned)
        .collect();
    let twice = |at: &usize| hosts[..*at].contains(&hosts[*at]);
    if let Some(at) = (0..hosts.len()).find(twice) {
        return Err(format!(
            "`{named}` names {} twice, where two processes cannot both listen; write another port",
            hosts[at]
        ));
    }
    match hosts.len() {
        2..=256 => Ok(hosts),
        many => Err(format!(
            "`{named}` names {many} hosts; write a line ADDRESS:PORT for each of 2 to 256"
        )),
    }
}

/// A hash of all texts, and of what decides what is searched; `None` where they cannot be read.
fn fingerprint(command: &SharedCommand) -> Option<[u8; 32]> {
    let (files, besides) = match command {
        SharedCommand::Check(check) => (
            check.files.as_slice(),
            format!("check {}", check.stop_at_first),
        ),
        SharedCommand::Explore(explore) => {
            (std::slice::from_ref(&explore.file), "explore".to_owned())
        }
    };
    let groups = load(files, &|| false).ok()?;
    let mut hasher = blake3::Hasher::new();
    let mut add = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes());
        hasher.update(bytes);
    };
    for loaded in groups.iter().flat_map(|group| &group.programs) {
        for file in &loaded.program.files {
            add(file.text.as_bytes());
        }
    }
    let SearchArguments {
        definitions,
        property,
        reduction,
        symmetry,
        search,
        order,
        liveness,
        max_states,
        timeout,
        keep_dead_variables,
        ..
    } = command.search();
    let chosen = (definitions, property, reduction, symmetry, search);
    let limits = (max_states, timeout);
    add(format!("{chosen:?} {order:?} {liveness:?} {limits:?} {keep_dead_variables:?}").as_bytes());
    add(besides.as_bytes());
    Some(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_is_told_is_read_by_it() {
        let started = Started {
            process: 3,
            secret: secret(),
            first: "127.0.0.1:4711".to_owned(),
            by: 28157,
        };
        let told = started.told();
        let read = |told: &str| serde_json::from_str::<Started>(told).ok();
        assert_eq!(read(&told), Some(started));
        for wrong in [
            "",
            "3",
            "{}",
            &told.replace("28157", "x"),
            &told.replace("[", "[0,"),
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn no_two_secrets_are_equal() {
        assert_ne!(secret(), secret());
    }
}
