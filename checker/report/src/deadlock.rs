//! The sentence for a state in which nothing can happen.

use super::phrases::{after, list};
use super::wait::Wait;

/// How many stuck instances a deadlock is explained by.
const WAITS_SHOWN: usize = 3;

/// Who waits for whom where nothing can happen.
pub(super) fn deadlock(waits: &[Wait], steps: usize) -> String {
    let mut told: Vec<String> = waits.iter().take(WAITS_SHOWN).map(Wait::sentence).collect();
    match waits.len().saturating_sub(told.len()) {
        0 => {}
        more => told.push(format!("and {more} more")),
    }
    let told = told.join("; ");
    let for_each_other = waits.len() > 1 && waits.iter().all(|wait| wait.for_others);
    if for_each_other {
        let (core, others) = for_each_other_and_for_them(waits);
        let others = match others[..] {
            [] => String::new(),
            _ => format!(", and {} for them", list(&others)),
        };
        format!(
            "{} wait for each other{others}, {}: {told}",
            list(&core),
            after(steps)
        )
    } else {
        match steps {
            0 => format!("from the start nothing can happen: {told}"),
            _ => format!("{} nothing can happen any more: {told}", after(steps)),
        }
    }
}

/// Those for whom some of them wait, and those for whom nobody does.
fn for_each_other_and_for_them(waits: &[Wait]) -> (Vec<&str>, Vec<&str>) {
    let mut core: Vec<&Wait> = waits.iter().collect();
    loop {
        let is_awaited = |one: &&Wait| {
            core.iter()
                .any(|other| other.helpers.contains(&one.instance))
        };
        let awaited: Vec<&Wait> = core.iter().copied().filter(is_awaited).collect();
        if awaited.len() == core.len() {
            break;
        }
        core = awaited;
    }
    // Nobody waits for oneself, and where nothing is known of two all are told alike.
    if core.len() < 2 {
        core = waits.iter().collect();
    }
    let is_in_core = |one: &Wait| core.iter().any(|other| other.instance == one.instance);
    let names = |is_wanted: bool| {
        let those = waits.iter().filter(|one| is_in_core(one) == is_wanted);
        those.map(|one| &*one.instance).collect()
    };
    (names(true), names(false))
}
