//! Inclusion by the profiles of finite words (after Büchi 1962; Fogarty and Vardi 2010).
//!
//! The profile of a finite word says between which states of an automaton it leads, and between
//! which by way of an `infinite` state. Whether u·v·v·v… is accepted depends on the profiles of u and
//! v alone; there are finitely many, and each is met by going through the words letter by letter.
//! Where one word's profile leads wherever another's does, the other and all that continues it need
//! not be looked at: if they miss something, the first misses it too.

use rustc_hash::FxHashMap;

use super::outcome::Inclusion;
use crate::buchi::Buchi;
use crate::label::Valuation;
use crate::work::{Stopped, Work};
use stubborn_system::components::Components;

/// Sets of states are words of memory.
const MOST_STATES: usize = 64;
/// How many rows of profiles are written or compared.
const MOST_WORK: usize = 30_000_000;

/// Bit j in row i: from state i the word leads to state j.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Profile {
    leads: Box<[u64]>,
    /// Of these, those by way of an `infinite` state; j counts and i does not.
    accepts: Box<[u64]>,
}

impl Profile {
    /// Of a word of one letter.
    fn of_letter(buchi: &Buchi, letter: Valuation) -> Profile {
        let row = |number: usize| set(buchi.follows(number as u32, letter));
        let leads: Box<[u64]> = (0..buchi.states.len()).map(row).collect();
        let numbers = 0..buchi.states.len() as u32;
        let infinite = set(numbers.filter(|&number| buchi.states[number as usize].infinite));
        Profile {
            accepts: leads.iter().map(|row| row & infinite).collect(),
            leads,
        }
    }

    /// Of this word and then the other.
    fn then(&self, other: &Profile) -> Profile {
        let rows = self.leads.iter().zip(&self.accepts);
        let accepts = rows.map(|(&leads, &accepts)| {
            through(accepts, &other.leads) | through(leads, &other.accepts)
        });
        Profile {
            leads: self
                .leads
                .iter()
                .map(|&row| through(row, &other.leads))
                .collect(),
            accepts: accepts.collect(),
        }
    }

    /// Whether the other leads wherever this does, in the same way.
    fn is_within(&self, other: &Profile) -> bool {
        let within =
            |one: &[u64], two: &[u64]| one.iter().zip(two).all(|(one, two)| one & !two == 0);
        within(&self.leads, &other.leads) && within(&self.accepts, &other.accepts)
    }

    /// From which states the word is accepted when it is repeated for ever.
    fn accepts_repeated(&self) -> u64 {
        let mut leads = self.leads.clone();
        for via in 0..leads.len() {
            for from in 0..leads.len() {
                if leads[from] >> via & 1 == 1 {
                    leads[from] |= leads[via];
                }
            }
        }
        let returns = |from: usize| {
            let leads_back = |to: usize| to == from || leads[to] >> from & 1 == 1;
            members(self.accepts[from]).any(leads_back)
        };
        let good = set((0..leads.len())
            .filter(|&from| returns(from))
            .map(|from| from as u32));
        set((0..leads.len())
            .filter(|&from| good >> from & 1 == 1 || leads[from] & good != 0)
            .map(|from| from as u32))
    }
}

/// The rows that have been written or compared.
struct Rows<'w, 'a> {
    written: usize,
    work: &'w Work<'a>,
}

impl Rows<'_, '_> {
    fn write(&mut self, rows: usize) -> Result<(), Stopped> {
        self.written += rows;
        self.work.spend(rows)
    }

    fn are_too_many(&self) -> bool {
        self.written > MOST_WORK
    }
}

fn set(members: impl Iterator<Item = u32>) -> u64 {
    members.fold(0, |set, member| set | 1 << member)
}

fn members(set: u64) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let member = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (member < 64).then_some(member)
    })
}

/// The union of the rows of some states.
fn through(states: u64, rows: &[u64]) -> u64 {
    members(states).fold(0, |all, state| all | rows[state])
}

/// Looks for a word that a run of `some` accepts and no run of `all`. Neither has `reject` states.
pub fn inclusion(
    some: &Buchi,
    all: &Buchi,
    letters: &[Valuation],
    work: &Work<'_>,
) -> Result<Inclusion, Stopped> {
    if all.states.len() > MOST_STATES {
        return Ok(Inclusion::Unknown);
    }
    let letters: Vec<(Valuation, Profile)> = letters
        .iter()
        .map(|&letter| (letter, Profile::of_letter(all, letter)))
        .collect();
    let mut rows = Rows { written: 0, work };
    let Some(stems) = stems(some, all, &letters, &mut rows)? else {
        return Ok(Inclusion::Unknown);
    };
    let is_end = |state: usize| some.states[state].deadlock && !some.ends_repeat;
    let numbers = 0..all.states.len() as u32;
    let ends = set(numbers.filter(|&number| all.states[number as usize].deadlock));
    for (state, reached) in stems.iter().enumerate() {
        if is_end(state) && reached.iter().any(|&reached| reached & ends == 0) {
            return Ok(Inclusion::Refuted);
        }
    }
    let edges: Vec<Vec<u32>> = some.states.iter().map(|state| state.next.clone()).collect();
    let components = Components::of(&edges);
    for (state, reached) in stems.iter().enumerate() {
        let number = state as u32;
        if reached.is_empty() || !some.states[state].infinite || !components.is_on_cycle(number) {
            continue;
        }
        let within = |other: u32| components.component(other) == components.component(number);
        match is_missed(number, reached, some, &letters, within, &mut rows)? {
            Some(false) => {}
            Some(true) => return Ok(Inclusion::Refuted),
            None => return Ok(Inclusion::Unknown),
        }
    }
    Ok(Inclusion::Shown)
}

/// For each state of `some`, for the words that lead there, where they lead in `all`; only the
/// least of these sets. `None` where it takes too long.
fn stems(
    some: &Buchi,
    all: &Buchi,
    letters: &[(Valuation, Profile)],
    rows: &mut Rows<'_, '_>,
) -> Result<Option<Vec<Vec<u64>>>, Stopped> {
    let mut stems: Vec<Vec<u64>> = vec![Vec::new(); some.states.len()];
    let mut waiting: Vec<(u32, u64)> = Vec::new();
    let mut enter = |state: u32, reached: u64, waiting: &mut Vec<(u32, u64)>| {
        let known = &mut stems[state as usize];
        if known.iter().all(|&old| old & !reached != 0) {
            known.retain(|&old| reached & !old != 0);
            known.push(reached);
            waiting.push((state, reached));
        }
        known.len()
    };
    for &(letter, _) in letters {
        let reached = set(all.begins(letter));
        for state in some.begins(letter) {
            enter(state, reached, &mut waiting);
        }
    }
    while let Some((state, reached)) = waiting.pop() {
        for (letter, profile) in letters {
            let reached = through(reached, &profile.leads);
            for next in some.follows(state, *letter) {
                rows.write(1 + enter(next, reached, &mut waiting))?;
            }
            rows.work
                .spend(1 + some.states[state as usize].next.len())?;
            if rows.are_too_many() {
                return Ok(None);
            }
        }
    }
    Ok(Some(stems))
}

/// Whether a word leads from a state of `some` back to it, repeated for ever, and is not accepted
/// when it is repeated from one of the sets of states of `all`. Only what stays `within` is followed:
/// no other states lead back. `None` where it takes too long.
fn is_missed(
    state: u32,
    reached: &[u64],
    some: &Buchi,
    letters: &[(Valuation, Profile)],
    within: impl Fn(u32) -> bool,
    rows: &mut Rows<'_, '_>,
) -> Result<Option<bool>, Stopped> {
    let mut found: FxHashMap<u32, Vec<Profile>> = FxHashMap::default();
    // `None` for the word without letters.
    let mut waiting: Vec<(u32, Option<Profile>)> = vec![(state, None)];
    while let Some((from, before)) = waiting.pop() {
        for (letter, profile) in letters {
            let mut after: Option<Profile> = None;
            for next in some.follows(from, *letter).filter(|&next| within(next)) {
                let after = after.get_or_insert_with(|| match &before {
                    Some(before) => before.then(profile),
                    None => profile.clone(),
                });
                let known = found.entry(next).or_default();
                rows.write(after.leads.len() * (2 + known.len()))?;
                if known.iter().any(|old| old.is_within(after)) {
                    continue;
                }
                known.retain(|old| !after.is_within(old));
                known.push(after.clone());
                if next == state {
                    let accepts = after.accepts_repeated();
                    if reached.iter().any(|reached| reached & accepts == 0) {
                        return Ok(Some(true));
                    }
                }
                waiting.push((next, Some(after.clone())));
            }
            if rows.are_too_many() {
                return Ok(None);
            }
        }
    }
    Ok(Some(false))
}
