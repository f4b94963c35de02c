//! Coverage of a state, a label or a variable.

use stubborn_engine::coverage::Coverage;
use stubborn_model::Analysis;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_report::{Range, Ranges, Visit, counted, grouped, list, visits};

use super::markdown::escaped;

/// More instances are not named one by one.
const MOST_INSTANCES: usize = 4;

pub fn of_symbol(analysis: &Analysis, coverage: &Coverage, symbol: &Symbol) -> Option<String> {
    match symbol.kind {
        SymbolKind::State | SymbolKind::Label => {
            Some(of_place(&visits(analysis, coverage, symbol.span)?))
        }
        SymbolKind::Variable | SymbolKind::LocalVariable => {
            let range = Ranges::new(analysis, coverage)?.range(symbol.span)?;
            Some(of_variable(&range))
        }
        _ => None,
    }
}

fn of_place(visits: &[Visit<'_>]) -> String {
    let names = |these: &[&Visit<'_>]| -> String {
        let names: Vec<&str> = these.iter().map(|one| one.instance).collect();
        escaped(&list(&names))
    };
    let (reached, others): (Vec<_>, Vec<_>) = visits.iter().partition(|one| one.count > 0);
    let (never, open): (Vec<_>, Vec<_>) = others.iter().partition(|one| one.search.is_whole);
    let states = visits
        .iter()
        .map(|one| one.search.states)
        .max()
        .unwrap_or(0);
    let of_all = format!("of the {}", searched(states));
    let mut sentences = Vec::new();
    match reached.as_slice() {
        [] => {}
        [one] if visits.len() == 1 => {
            sentences.push(format!("Reached in {} {of_all}.", grouped(one.count)));
        }
        // Of those who are alike it is not known in how many states it was which of them.
        _ if reached.len() > MOST_INSTANCES
            || (reached.iter()).any(|one| one.search.states != states || one.search.is_turned) =>
        {
            sentences.push(match reached.len() == visits.len() {
                true => format!("Reached by all {} instances.", visits.len()),
                false => format!(
                    "Reached by {} of {} instances.",
                    reached.len(),
                    visits.len()
                ),
            });
        }
        reached => {
            let each: Vec<String> = (reached.iter())
                .map(|one| format!("by {} in {}", escaped(one.instance), grouped(one.count)))
                .collect();
            sentences.push(format!("Reached {} {of_all}.", each.join(", ")));
        }
    }
    if !never.is_empty() {
        sentences.push(match never.len() == visits.len() {
            true => format!(
                "Never reached: no run comes here ({} were searched).",
                number(states)
            ),
            false => format!("Never reached by {}.", names(&never)),
        });
    }
    if !open.is_empty() {
        sentences.push(match open.len() == visits.len() {
            true => format!(
                "Not reached in the {}, which are not all.",
                searched(states)
            ),
            false => format!(
                "Not reached by {} so far: not all states were searched.",
                names(&open)
            ),
        });
    }
    sentences.join(" ")
}

fn of_variable(range: &Range) -> String {
    let all = number(range.states);
    let how = match range.is_whole {
        true => format!("no run has others; {all} were searched"),
        false => format!("in {all}, which need not show all"),
    };
    let mut lines = Vec::new();
    for part in &range.parts {
        let text = part.text();
        let values = match (part.is_full(), part.is_between()) {
            (true, false) => format!("{text}, every one of the type"),
            (_, false) => text,
            (_, true) => format!("some in {text}"),
        };
        lines.push((part.path.as_str(), values));
    }
    match lines.as_slice() {
        [("", values)] => format!("Values seen: {} ({how}).", escaped(values)),
        [("[…]", values)] => format!("Values seen in its cells: {} ({how}).", escaped(values)),
        lines => {
            let parts: Vec<String> = (lines.iter())
                .map(|(path, values)| format!("- `{path}`: {}", escaped(values)))
                .collect();
            format!("Values seen ({how}):\n\n{}", parts.join("\n"))
        }
    }
}

/// "1,234 states that were searched".
fn searched(states: u64) -> String {
    match states {
        1 => "one state that was searched".to_owned(),
        states => format!("{} states that were searched", grouped(states)),
    }
}

fn number(states: u64) -> String {
    counted(states as usize, "state")
}
