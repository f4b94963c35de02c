//! Smaller sets, by what the others can still do while *all* of a set stands still.
//!
//! D1 and D2 speak of sequences of steps outside the set (Valmari 2015, section IV): none of its
//! members moves in them. The graph of who needs whom ([`smallest`](super::smallest)) knows
//! only that one member stands still at a time, so that what is closed in it is larger than it need
//! be: who could get to disturb one member, but only if another one moved first, need not be there.
//! Here whole sets are tried, those with the fewest enabled steps first: one whose members need
//! no others while it stands still is stubborn.
//!
//! A set that is not closed is tried again with each of those that it needs, and with whom these
//! need whoever stands still; and with each other process, since that may keep others from what
//! they are needed for. That is how sets are found, and not why they are right.

use stubborn_space::members::Members;
use stubborn_space::relations::{Others, ProcessRelations};

use super::{Choice, Chooser, noting};

use crate::reduction::visibility::Visibility;

/// Number of sets that are tried in one state.
const MOST_TRIED: usize = 16;
/// What it counts for to find out whom a member needs whoever stands still, in look-ups: what it
/// costs depends on what is remembered.
const PRICE: u64 = 8;

impl<M: ProcessRelations, V: Visibility<M>> Chooser<'_, M, V> {
    /// A set with fewer enabled steps than the one that was found, or that one.
    pub fn while_it_stands_still(&mut self, found: Choice) -> Choice {
        let count = self.working.enabled.len();
        debug_assert!(
            self.working.visible_ahead.is_empty(),
            "nobody watches: what is visible to a monitor is not looked at"
        );
        self.working.anyway.clear();
        self.working.anyway.resize(self.working.rows.len(), None);
        self.recall_anyway();
        // Those that are to be tried, and those that were or are to be.
        let mut open: Vec<(u32, Members)> = Vec::new();
        let mut met: Vec<Members> = Vec::new();
        for process in 0..count {
            if self.working.enabled[process] > 0 {
                let mut seed = Members::default();
                seed.insert(process);
                self.meet(seed, found.fired, &mut open, &mut met);
            }
        }
        let mut smallest = found.clone();
        for _ in 0..MOST_TRIED {
            let fewest = (0..open.len()).min_by_key(|at| open[*at].0);
            let Some((fired, set)) = fewest.map(|at| open.swap_remove(at)) else {
                break;
            };
            let needed = self.needed_while_still(&set);
            if self.is_stopped {
                break;
            }
            if needed.is_empty() {
                smallest = Choice::new(set, fired, found.enabled);
                break;
            }
            // Another one may keep those from what they are needed for.
            let mut others = Members::below(count);
            others.subtract(&set);
            others.subtract(&needed);
            for member in needed.iter().chain(others.iter()) {
                let mut larger = set.clone();
                larger.insert(member);
                self.meet(larger, found.fired, &mut open, &mut met);
            }
        }
        Choice {
            more_work: found.more_work + PRICE * self.working.rows.len() as u64,
            ..smallest
        }
    }

    /// Recalls the needs of all members from the state's row, or caches them.
    fn recall_anyway(&mut self) {
        if !self.working.has_row {
            return;
        }
        let Some(row) = self.working.known_anyway.begin() else {
            return;
        };
        row.extend_from_slice(self.working.known.row());
        {
            let mut pulse = noting(&mut self.is_stopped, &mut *self.pulse);
            (self.at.model).outlook_alone(self.at.state, self.at.scratch, row, &mut pulse);
        }
        if self.is_stopped {
            return;
        }
        let is_eighth = self.working.known_anyway.is_eighth();
        let known = self.working.known_anyway.find();
        if let Some(all) = known
            && !is_eighth
        {
            let all = all.iter().map(|needed| Some(needed.clone()));
            self.working.anyway.clear();
            self.working.anyway.extend(all);
            return;
        }
        let known = known.cloned();
        let members = 0..self.working.rows.len();
        let all: Box<[Members]> = members.map(|member| self.anyway(member)).collect();
        match known {
            Some(known) => debug_assert!(
                self.is_stopped || known == all,
                "what is needed anyway is a function of the row"
            ),
            None if !self.is_stopped => {
                let more: u64 = all.iter().map(Members::bytes).sum();
                let besides = size_of_val(&*all) + more as usize;
                self.working.known_anyway.learn(all, besides);
            }
            None => {}
        }
    }

    /// Notes that a set is to be tried, with all that its members need anyway, if it has not too
    /// many enabled steps.
    fn meet(
        &mut self,
        mut set: Members,
        most: u32,
        open: &mut Vec<(u32, Members)>,
        met: &mut Vec<Members>,
    ) {
        let mut begun = Members::default();
        loop {
            let mut left = set.clone();
            left.subtract(&begun);
            let Some(member) = left.first() else {
                break;
            };
            begun.insert(member);
            set.add(&self.anyway(member));
            if self.enabled_in(&set) >= most {
                return;
            }
        }
        if !met.contains(&set) {
            met.push(set.clone());
            open.push((self.enabled_in(&set), set));
        }
    }

    fn anyway(&mut self, member: usize) -> Members {
        if let Some(known) = &self.working.anyway[member] {
            return known.clone();
        }
        let needed = self.needs(member, &Others::MoveAlone);
        self.working.anyway[member] = Some(needed.clone());
        needed
    }

    /// Whom the members need besides each other while none of them moves.
    fn needed_while_still(&mut self, set: &Members) -> Members {
        let count = self.working.enabled.len();
        let mut still = set.clone();
        (count..self.working.rows.len()).for_each(|check| still.remove(check));
        let still = Others::StandStill(still);
        let mut needed = Members::default();
        for member in set.iter() {
            needed.add(&self.needs(member, &still));
        }
        needed.subtract(set);
        needed
    }
}
