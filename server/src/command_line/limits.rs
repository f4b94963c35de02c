//! How to search, and when to give up.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;
use std::time::Instant;

use stubborn_engine::{Foresight, Limits, Liveness, Options, Order, Reduction, Search, Storage};
use sysinfo::{MemoryRefreshKind, RefreshKind, System};

use super::search_arguments::{self, SearchArguments};
use crate::report::size;

/// What the arguments ask for, by a command that began at `began`.
pub fn options(arguments: &SearchArguments, began: Instant) -> Options {
    Options {
        order: match arguments.order {
            search_arguments::Order::Forward => Order::Forward,
            search_arguments::Order::Reverse => Order::Reverse,
        },
        search: match arguments.search {
            search_arguments::Search::Bfs => Search::Breadth,
            search_arguments::Search::Dfs => Search::Depth,
        },
        reduction: match arguments.reduction {
            Some(search_arguments::Reduction::None) => Reduction::None,
            _ => Reduction::Stubborn,
        },
        foresight: Foresight::default(),
        keep_dead_variables: arguments.keep_dead_variables,
        tells_seen: false,
        threads: match arguments.threads {
            Some(threads) => NonZeroUsize::new(threads as usize),
            None => available_parallelism().ok(),
        },
        limits: Limits {
            max_states: arguments.max_states,
            max_memory: arguments.max_memory.or_else(three_quarters_of_the_memory),
            // A time that no clock reaches is no limit.
            deadline: arguments
                .timeout
                .and_then(|timeout| began.checked_add(timeout)),
            ..Limits::default()
        },
        liveness: match arguments.liveness {
            search_arguments::Liveness::Auto => Liveness::Auto,
            search_arguments::Liveness::OnePass => Liveness::OnePass,
            search_arguments::Liveness::Nested => Liveness::Nested,
            search_arguments::Liveness::NestedErrorLast => Liveness::NestedErrorLast,
            search_arguments::Liveness::FourPass => Liveness::FourPass,
        },
        storage: match arguments.storage {
            search_arguments::Storage::Exact => Storage::Exact,
            search_arguments::Storage::Bitstate => Storage::Bitstate {
                bits: arguments.table_bits(),
            },
        },
    }
}

/// Whether the time that the options give is over.
pub fn is_past(options: &Options) -> bool {
    let deadline = options.limits.deadline;
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Why a bitstate table of this size cannot be made within the limits.
pub fn table_too_large(options: &Options) -> Option<String> {
    let Storage::Bitstate { bits } = options.storage else {
        return None;
    };
    let bytes = 1_u64 << (bits - 3);
    let most = options.limits.max_memory?;
    (bytes > most).then(|| {
        format!(
            "`--bits {bits}` is a table of {}, and no more than {} may be used; fewer bits or a larger \
             `--max-memory` would mend it",
            size(bytes),
            size(most)
        )
    })
}

/// Of the machine, or of the container that the program runs in where that has less. `None` where
/// the system does not tell.
fn three_quarters_of_the_memory() -> Option<u64> {
    let memory = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(memory);
    let total = match system.cgroup_limits() {
        Some(limits) => system.total_memory().min(limits.total_memory),
        None => system.total_memory(),
    };
    (total > 0).then_some(total / 4 * 3)
}
