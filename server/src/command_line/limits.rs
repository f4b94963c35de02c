//! How to search, and when to give up.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Instant;

use stubborn_checker::{Options, Storage};
use stubborn_report::size;
use sysinfo::{
    MemoryRefreshKind, Process, ProcessRefreshKind, ProcessesToUpdate, RefreshKind, System,
    get_current_pid,
};

use super::search_arguments::SearchArguments;

/// Options of a command that began at `began`.
pub fn options(arguments: &SearchArguments, began: Instant) -> Options {
    let whole = whole_machine(arguments.max_memory);
    Options {
        reduction: arguments.reduction(),
        weighs_plain: arguments.reduction.is_none(),
        symmetry: arguments.symmetry,
        search: arguments.order_of_search(),
        order: arguments.order,
        liveness: arguments.liveness,
        storage: arguments.in_memory(),
        keep_dead_variables: arguments.keep_dead_variables,
        threads: arguments
            .threads
            .map_or(whole.threads, |threads| threads as usize),
        max_states: arguments.max_states,
        max_depth: arguments.depth_of_search(),
        seed: arguments.seed.unwrap_or(1),
        // A time that no clock reaches is no limit.
        deadline: arguments
            .timeout
            .and_then(|timeout| began.checked_add(timeout)),
        ..whole
    }
}

/// Options of a search with all threads of the machine, and with as much memory as it may take, at
/// most `max_memory`.
pub fn whole_machine(max_memory: Option<u64>) -> Options {
    let max_memory = max_memory.or_else(most_memory);
    Options {
        threads: available_parallelism().map_or(1, NonZeroUsize::get),
        max_memory,
        own_memory: max_memory.map_or(0, own_memory),
        ..Options::default()
    }
}

/// Whether the time that the options give is over.
pub fn is_past(options: &Options) -> bool {
    let deadline = options.deadline;
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Why a bitstate table of this size cannot be made within the limits.
pub fn table_too_large(options: &Options) -> Option<String> {
    let Storage::Bitstate { bits } = options.storage else {
        return None;
    };
    let bytes = 1_u64 << (bits - 3);
    let most = options.max_memory?;
    (bytes > most).then(|| {
        format!(
            "`--bits {bits}` is a table of {}, and no more than {} may be used; use fewer bits or a larger \
             `--max-memory`",
            size(bytes),
            size(most)
        )
    })
}

/// Memory of the machine, or of the container that the program runs in if that has less, and what
/// others have left of it, in bytes. Zero if the system does not tell.
pub fn memory() -> (u64, u64) {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    match system.cgroup_limits() {
        Some(limits) => (
            system.total_memory().min(limits.total_memory),
            system.available_memory().min(limits.free_memory),
        ),
        None => (system.total_memory(), system.available_memory()),
    }
}

/// Three quarters of the memory, and no more than nine tenths of what is left of it.
fn most_memory() -> Option<u64> {
    let (total, left) = memory();
    let most = total / 4 * 3;
    match left {
        0 => (most > 0).then_some(most),
        left => Some(most.min(left / 10 * 9)),
    }
}

/// What the program holds besides its searches, in bytes, as far as that is not more than three quarters of
/// `most`: of what is allowed some is always left for a search, as a small model needs next to nothing.
fn own_memory(most: u64) -> u64 {
    let held = resident_memory().unwrap_or(0) + STILL_TO_COME;
    held.min(most / 4 * 3)
}

/// What reading the texts takes, telling what was found, and the program's own code that is not there
/// yet, in bytes.
const STILL_TO_COME: u64 = 4 << 20;

/// The memory of this process, in bytes.
fn resident_memory() -> Option<u64> {
    let own = get_current_pid().ok()?;
    let mut system = System::new();
    let asked = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, asked);
    system.process(own).map(Process::memory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_at_least_of_what_is_allowed_is_for_searches() {
        for most in [0, 1 << 10, 1 << 20, 1 << 30] {
            assert!(own_memory(most) <= most / 4 * 3);
        }
        let held = own_memory(u64::MAX);
        assert!(held >= STILL_TO_COME, "{held}");
        #[cfg(target_os = "linux")]
        assert!(
            (1 << 20..1 << 30).contains(&(held - STILL_TO_COME)),
            "{held}"
        );
    }

    #[test]
    fn what_is_allowed_where_nothing_is_said_is_there() {
        if let Some(most) = most_memory() {
            assert!(most > 1 << 20, "{most}");
        }
    }
}
