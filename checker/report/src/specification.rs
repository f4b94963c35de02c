//! Where a specification may be beside a run, with its variables, and what it can do there.
//!
//! The canonical tester has forgotten the variables: the specification is taken along the run once more, by the
//! reference interpreter, through all states that it may be in.

use std::collections::{BTreeSet, HashSet, VecDeque};

use stubborn_engine::interpreter::first_steps;
use stubborn_engine::{State, TraceStep};
use stubborn_system::property::Refinement;
use stubborn_system::source_map::MonitorSource;
use stubborn_system::system::{ActionId, ActionPattern, System};

use super::about::About;
use super::state::cells;

/// So many states of it are gone through, in all steps of the run together; of one with more nothing is told.
const MOST_STATES: usize = 20_000;
/// And of one state so many steps.
const MOST_STEPS: usize = 1_000;
/// So many places with their variables are named.
const PLACES_SHOWN: usize = 3;
/// And of one place so many variables.
const VALUES_SHOWN: usize = 6;

/// What a specification may have come to.
pub struct Standing<'a> {
    alone: System,
    source: &'a MonitorSource,
    states: Vec<State>,
    /// What it can do in each of these.
    can_do: Vec<BTreeSet<String>>,
}

/// Where it may be, and what it can do there.
type Place = (String, BTreeSet<String>);

impl<'a> Standing<'a> {
    /// After the steps of a run of the system, which it can all do. `None` where that is too much to be told, or not
    /// so; `on_the_way` is called for each state and may unwind.
    pub fn after(
        refinement: &Refinement,
        about: About<'_>,
        source: &'a MonitorSource,
        steps: &[TraceStep],
        on_the_way: &dyn Fn(),
    ) -> Option<Standing<'a>> {
        let alone = System {
            actions: about.system.actions.clone(),
            instances: vec![refinement.specification.clone()],
            ..System::default()
        };
        let visible = |action: &(ActionId, Vec<i64>)| {
            let mut alphabet = refinement.specification.alphabet.iter();
            alphabet.any(|pattern| is_of(pattern, action.0, &action.1))
        };
        let seen = steps.iter().filter_map(|step| step.action.as_ref());
        let mut room = MOST_STATES;
        let mut here = Closed::of(&alone, [State::initial(&alone)], &mut room, on_the_way)?;
        for action in seen.filter(|action| visible(action)) {
            let next = here.next.into_iter();
            let next = next.filter_map(|(_, done, state)| (done == *action).then_some(state));
            here = Closed::of(&alone, next, &mut room, on_the_way)?;
        }
        let mut can_do = vec![BTreeSet::new(); here.states.len()];
        for (from, (action, values), _) in &here.next {
            can_do[*from].insert(format!("`{}`", about.map.action(*action, values)));
        }
        let can_be = !here.states.is_empty();
        can_be.then_some(Standing {
            can_do,
            states: here.states,
            alone,
            source,
        })
    }

    /// "at `s` with owed = 1, or `t`, it can do `put(0)`"; where that is not the same at all places "at `s` with owed = 1
    /// it can do nothing that is seen; at `t` `put(0)`".
    pub fn sentence(&self) -> String {
        let mut places: Vec<Place> = Vec::new();
        for (state, can_do) in self.states.iter().zip(&self.can_do) {
            let place = self.place(state);
            match places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, known)) => known.extend(can_do.iter().cloned()),
                None => places.push((place, can_do.clone())),
            }
        }
        let are_alike = places.windows(2).all(|two| two[0].1 == two[1].1);
        let more = places.len().saturating_sub(PLACES_SHOWN);
        match &places[..] {
            [(place, can_do)] => format!("at {place} it can do {}", actions(can_do)),
            [(_, can_do), ..] if are_alike => {
                let shown = places.iter().take(PLACES_SHOWN);
                let mut shown: Vec<String> = shown.map(|(place, _)| place.clone()).collect();
                if more > 0 {
                    shown.push(format!("{more} more"));
                }
                format!("at {} it can do {}", shown.join(", or "), actions(can_do))
            }
            _ => {
                // Where it can do something says more.
                places.sort_by_key(|(_, can_do)| can_do.is_empty());
                let all: BTreeSet<String> = places
                    .iter()
                    .skip(PLACES_SHOWN)
                    .flat_map(|(_, can_do)| can_do.iter().cloned())
                    .collect();
                let shown = places.iter().take(PLACES_SHOWN).enumerate();
                let mut shown: Vec<String> = shown
                    .map(|(at, (place, can_do))| {
                        let it_can = if at == 0 { "it can do " } else { "" };
                        format!("at {place} {it_can}{}", actions(can_do))
                    })
                    .collect();
                if more > 0 {
                    shown.push(format!("at {more} more {}", actions(&all)));
                }
                shown.join("; ")
            }
        }
    }

    fn place(&self, state: &State) -> String {
        let now = &state.instances[0];
        let name = self.source.states.get(now.location as usize);
        let name = name.map_or("", |source| source.name.as_str());
        let mut values = Vec::new();
        let declared = self.alone.instances[0].locals.iter();
        let all = self.source.locals.iter().zip(declared).zip(&now.locals);
        for ((source, declared), value) in all {
            cells(
                source.name.clone(),
                &source.shape,
                &declared.ty,
                value,
                &mut values,
            );
        }
        let shown = values.iter().take(VALUES_SHOWN);
        let mut shown: Vec<String> = shown
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        if values.len() > shown.len() {
            shown.push("…".to_owned());
        }
        match shown.is_empty() {
            true => format!("`{name}`"),
            false => format!("`{name}` with {}", shown.join(", ")),
        }
    }
}

/// "`a`, `b`", or that there is nothing.
fn actions(all: &BTreeSet<String>) -> String {
    match all.is_empty() {
        true => "nothing that is seen".to_owned(),
        false => shortened(all.iter().cloned().collect()),
    }
}

/// States with all that their own moves lead to.
struct Closed {
    states: Vec<State>,
    /// What can be done in them, by their numbers, and where it leads.
    next: Vec<(usize, (ActionId, Vec<i64>), State)>,
}

impl Closed {
    fn of(
        alone: &System,
        states: impl IntoIterator<Item = State>,
        room: &mut usize,
        on_the_way: &dyn Fn(),
    ) -> Option<Closed> {
        let mut known: HashSet<State> = HashSet::new();
        let mut open: VecDeque<State> = VecDeque::new();
        let mut closed = Closed {
            states: Vec::new(),
            next: Vec::new(),
        };
        let mut found = |state: State, open: &mut VecDeque<State>| {
            if known.insert(state.clone()) {
                open.push_back(state);
            }
        };
        for state in states {
            found(state, &mut open);
        }
        while let Some(state) = open.pop_front() {
            on_the_way();
            *room = room.checked_sub(1)?;
            let (steps, is_cut) = first_steps(alone, &state, MOST_STEPS);
            if is_cut {
                return None;
            }
            for occurrence in steps {
                match (occurrence.action, occurrence.outcome) {
                    (None, Ok(next)) => found(next, &mut open),
                    (Some(action), Ok(next)) => {
                        closed.next.push((closed.states.len(), action, next));
                    }
                    // It leads nowhere.
                    (_, Err(_)) => {}
                }
            }
            closed.states.push(state);
        }
        Some(closed)
    }
}

pub(super) fn is_of(pattern: &ActionPattern, action: ActionId, values: &[i64]) -> bool {
    let agrees = |(wanted, value): (&Option<i64>, &i64)| wanted.is_none_or(|one| one == *value);
    pattern.action == action && pattern.arguments.iter().zip(values).all(agrees)
}

/// "`a`, `b`", and how many more there are.
pub(super) fn shortened(mut names: Vec<String>) -> String {
    let more = names.len().saturating_sub(ACTIONS_SHOWN);
    names.truncate(ACTIONS_SHOWN);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}

/// How many actions are named.
pub(super) const ACTIONS_SHOWN: usize = 6;
