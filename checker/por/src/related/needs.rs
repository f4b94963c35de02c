//! If this instance, or this property's condition, then those.

use stubborn_space::members::Members;
use stubborn_space::relations::{Others, Pulse};

use super::enabling::{EnablerId, Wanted};
use super::forest::{DISABLED, OutcomeId};
use super::futures::FutureId;
use super::interference::{Effort, Enabler, is_enabled};
use super::present::{Case, Present, Standing};
use super::vocabulary::{EventId, ViewId};

/// Questions about a state, and when to look up from long work.
pub struct Needs<'n, 'a, 'p> {
    pub present: Present<'a, 'p>,
    pub effort: Effort<'n>,
    others: &'n Others,
}

impl<'n, 'a, 'p> Needs<'n, 'a, 'p> {
    pub fn new(
        present: Present<'a, 'p>,
        others: &'n Others,
        pulse: &'n mut Pulse<'n>,
    ) -> Needs<'n, 'a, 'p> {
        Needs {
            present,
            effort: Effort::new(pulse),
            others,
        }
    }

    /// Returns the members that one needs.
    pub fn of(&mut self, member: usize) -> Members {
        let (count, before) = (self.present.facts.locals.len(), self.present.working.work);
        let needed = match member.checked_sub(count) {
            None => self.needs_of_instance(member),
            Some(condition) => self.needs_of_condition(condition),
        };
        if *self.others == Others::MoveAlone {
            // The caller caches the answers, which depend on what was asked before.
            let working = &mut *self.present.working;
            working.learning += working.work - before;
            working.work = before;
        }
        needed
    }

    fn needs_of_instance(&mut self, who: usize) -> Members {
        let facts = self.present.facts;
        let local = self.present.local(who);
        if local.is_opaque {
            return Members::below(facts.locals.len());
        }
        let mut needs = Members::default();
        for number in 0..local.parts.len() {
            let part = &local.parts[number];
            if part.joint.is_some() {
                continue;
            }
            let outcome = self.present.working.instances[who].outcomes[number];
            let profile = &facts.profiles[part.view as usize];
            if profile.cubes.is_none() || is_enabled(outcome) {
                self.stays(who, part.view, outcome, &mut needs);
            }
            if !profile.is_certain() || !is_enabled(outcome) {
                self.stays_disabled(who, part.view, false, &mut needs);
            }
        }
        for (event, numbers) in &local.offers {
            self.needs_of_event(who, *event, numbers, &mut needs);
        }
        needs
    }

    /// Adds those who could get to a step that is not independent of an enabled one, and the
    /// conditions to which it is visible.
    fn stays(&mut self, who: usize, view: ViewId, outcome: OutcomeId, needs: &mut Members) {
        let case = self.case(view, outcome);
        let (mut strict, mut loose) = (Members::default(), Members::default());
        let known = &self.present.working.known.disturbing[case as usize];
        let (ever, has_others) = (known.ever.clone(), known.has_others);
        self.present.working.work += u64::from(ever.len());
        for other in ever.iter().filter(|other| *other != who) {
            if self.disturbs(case, view, Some(outcome), who, other) {
                strict.insert(other);
            }
            if has_others && self.disturbs(case, view, None, who, other) {
                loose.insert(other);
            }
        }
        let known = &self.present.working.known.disturbing[case as usize];
        let (chosen, ends) = match self.others {
            Others::MoveAlone if has_others => {
                (strict.and(&loose), known.ends.and(&known.ends_any))
            }
            _ if has_others && loose.len() < strict.len() => (loose, known.ends_any.clone()),
            _ => (strict, known.ends.clone()),
        };
        needs.add(&chosen);
        let count = self.present.facts.locals.len();
        ends.iter()
            .for_each(|condition| needs.insert(count + condition));
    }

    fn case(&mut self, view: ViewId, outcome: OutcomeId) -> u32 {
        let met = &self.present.working.known.disturbed[view as usize];
        if let Some((_, case)) = met.iter().find(|(o, _)| *o == outcome) {
            return *case;
        }
        let facts = self.present.facts;
        let profile = &facts.profiles[view as usize];
        let has_others = profile.cubes.as_ref().is_some_and(|cubes| {
            let mut enabled = cubes.iter().filter(|cube| is_enabled(cube.outcome));
            enabled.any(|cube| cube.outcome != outcome)
        });
        let exact = profile.cubes.is_some().then_some(outcome);
        let neighbours = facts.neighbours(view);
        let of_view = (view, &neighbours);
        let effort = &mut self.effort;
        let ever = facts.who_ever(|all| {
            facts.disturbs(all, of_view, Some(outcome), effort)
                || has_others && facts.disturbs(all, of_view, None, effort)
        });
        let known = &mut self.present.working.known;
        known.disturbing.push(Case {
            ever,
            neighbours,
            answers: Default::default(),
            has_others,
            ends: facts.ended_by(view, exact),
            ends_any: facts.ended_by(view, None),
        });
        let case = known.disturbing.len() as u32 - 1;
        known.disturbed[view as usize].push((outcome, case));
        case
    }

    fn disturbs(
        &mut self,
        case: u32,
        view: ViewId,
        outcome: Option<OutcomeId>,
        who: usize,
        other: usize,
    ) -> bool {
        let future = self.future(other, Some(who));
        if !self.is_disturbed_by(case, view, outcome, future) {
            return false;
        }
        let Some(ahead) = self.ahead(other) else {
            return true;
        };
        debug_assert!(
            self.effort.is_stopped()
                || (self.present.future(ahead)).is_subset(self.present.future(future)),
            "what may happen from here may happen from the local state"
        );
        ahead == future || self.is_disturbed_by(case, view, outcome, ahead)
    }

    /// The future of another instance from here on, given what the others do; `None` if it is the
    /// one of its local state.
    fn ahead(&mut self, other: usize) -> Option<FutureId> {
        match self.others {
            Others::StandStill(still) if !still.contains(other) => {
                let run = self.present.ahead(still, &mut self.effort);
                Some(self.present.working.runs[run].futures[other])
            }
            Others::MoveAlone => Some(self.present.alone(other, &mut self.effort)),
            Others::MayMove | Others::StandStill(_) => None,
        }
    }

    /// Keeps the smaller of two sets one of which is needed; or the members of both.
    fn choose(&self, best: &mut Option<Members>, those: Members) {
        match (best.as_mut(), self.others) {
            (None, _) => *best = Some(those),
            (Some(best), Others::MoveAlone) => *best = best.and(&those),
            (Some(best), _) if those.len() < best.len() => *best = those,
            _ => {}
        }
    }

    fn is_disturbed_by(
        &mut self,
        case: u32,
        view: ViewId,
        outcome: Option<OutcomeId>,
        future: FutureId,
    ) -> bool {
        let facts = self.present.facts;
        let known = &self.present.working.known.disturbing[case as usize];
        let which = usize::from(outcome.is_none());
        if let Some(answer) = known.answers[which].get(future) {
            return answer;
        }
        let of_view = (view, &known.neighbours);
        let views = self.present.future(future);
        let answer = facts.disturbs(views, of_view, outcome, &mut self.effort);
        let known = &mut self.present.working.known.disturbing[case as usize];
        known.answers[which].learn(future, answer);
        answer
    }

    /// Adds a necessary enabling set of a step that is disabled; with `matching`, those who could
    /// make it match at all.
    fn stays_disabled(&mut self, who: usize, view: ViewId, matching: bool, needs: &mut Members) {
        let facts = self.present.facts;
        let enabling = &facts.enabling[view as usize];
        for enabler in &enabling.anyway {
            self.enablers(Some(who), *enabler, needs);
        }
        let cubes = if matching {
            &enabling.matching
        } else {
            &enabling.ready
        };
        // Conjunctions that begin with this many literals of the one before add nothing.
        let mut settled = usize::MAX;
        for cube in cubes {
            if cube.shared >= settled {
                continue;
            }
            settled = usize::MAX;
            let mut best: Option<Members> = None;
            for (number, lacking) in cube.literals.iter().enumerate() {
                self.present.working.work += 1;
                let Some(enabler) = self.present.enabler(lacking) else {
                    continue;
                };
                let mut those = Members::default();
                self.enablers(Some(who), enabler, &mut those);
                let is_settled = those.is_subset(needs);
                self.choose(&mut best, those);
                if is_settled {
                    settled = number + 1;
                    break;
                }
            }
            // A bag's step may have all its literals true, and no message that matches.
            let best = best.unwrap_or_default();
            if !best.is_subset(needs) {
                settled = usize::MAX;
                needs.add(&best);
            }
        }
    }

    /// Adds those who, while `who` stands still, could get to take such a step.
    fn enablers(&mut self, who: Option<usize>, enabler: EnablerId, into: &mut Members) {
        let facts = self.present.facts;
        let bringing = &mut self.present.working.known.enabling[enabler as usize];
        let effort = &mut self.effort;
        let ever = bringing
            .ever
            .get_or_insert_with(|| facts.who_ever(|all| facts.enables(all, enabler, effort)))
            .clone();
        self.present.working.work += u64::from(ever.len());
        for other in ever.iter() {
            if Some(other) == who || into.contains(other) {
                continue;
            }
            let future = self.future(other, who);
            if !self.is_enabled_by(enabler, future) {
                continue;
            }
            let ahead = match self.others {
                Others::MayMove => future,
                Others::StandStill(still) if still.contains(other) => future,
                Others::StandStill(still) => {
                    let run = self.present.ahead(still, &mut self.effort);
                    let run = &self.present.working.runs[run];
                    if let Enabler::Literal(literal, ..) = &facts.enablers[enabler as usize]
                        && !run.may_have(&facts.followed, literal.cell, &literal.values)
                    {
                        return;
                    }
                    run.futures[other]
                }
                Others::MoveAlone => self.present.alone(other, &mut self.effort),
            };
            if ahead != future && !self.is_enabled_by(enabler, ahead) {
                continue;
            }
            into.insert(other);
        }
    }

    fn is_enabled_by(&mut self, enabler: EnablerId, future: FutureId) -> bool {
        let facts = self.present.facts;
        let known = &self.present.working.known.enabling[enabler as usize];
        if let Some(answer) = known.answers.get(future) {
            return answer;
        }
        let views = self.present.future(future);
        let answer = facts.enables(views, enabler, &mut self.effort);
        let known = &mut self.present.working.known.enabling[enabler as usize];
        known.answers.learn(future, answer);
        answer
    }

    /// The future of an instance from its local state on while `who` stands still.
    #[inline]
    fn future(&self, other: usize, who: Option<usize>) -> FutureId {
        let now = &self.present.working.instances[other];
        let futures = &self.present.facts.futures[other];
        match who.map_or(0, |who| futures.kind(who)) {
            0 => now.future,
            kind => futures.of[kind][now.at as usize],
        }
    }

    fn needs_of_event(&mut self, who: usize, event: EventId, numbers: &[u32], needs: &mut Members) {
        let facts = self.present.facts;
        let local = self.present.local(who);
        let Standing {
            enabled, matches, ..
        } = self.present.standing(event);
        let known = &facts.vocabulary.events[event as usize];
        let may_fail = known.can_fail || facts.vocabulary.opaque.contains(&known.action);
        if enabled || matches && may_fail {
            // Then only members of the set move; the guards are left.
            for other in &known.participants {
                needs.insert(*other as usize);
            }
            for number in numbers {
                let view = local.parts[*number as usize].view;
                let outcome = self.present.working.instances[who].outcomes[*number as usize];
                // That it waits must stay so too, where it is there for a step that fails.
                if facts.profiles[view as usize].is_there(outcome) {
                    self.stays(who, view, outcome, needs);
                }
                if !is_enabled(outcome) {
                    self.stays_disabled(who, view, false, needs);
                }
                if may_fail && outcome == DISABLED {
                    self.stays_disabled(who, view, true, needs);
                }
            }
            return;
        }
        // It waits for at least one participant: one of them is enough.
        let mut best: Option<Members> = None;
        for &other in &known.participants {
            let parts = self.present.parts(other as usize, event);
            let parts: Vec<_> = parts.map(|(part, outcome)| (part.view, outcome)).collect();
            let mut outcomes = parts.iter().map(|(_, outcome)| *outcome);
            let waits = match may_fail {
                // A part that fails elsewhere is enough where all match.
                true => outcomes.all(|outcome| outcome == DISABLED),
                false => outcomes.all(|outcome| !is_enabled(outcome)),
            };
            if !waits {
                continue;
            }
            let mut those = Members::default();
            if other as usize != who {
                those.insert(other as usize);
            }
            for (view, _) in parts {
                self.stays_disabled(who, view, may_fail, &mut those);
            }
            // Only the guards of this one matter, and it may be itself who changes them.
            those.remove(who);
            self.choose(&mut best, those);
        }
        match best {
            Some(best) => needs.add(&best),
            None => {
                debug_assert!(false, "a joint step that is not enabled waits for somebody");
                needs.add(&Members::below(facts.locals.len()));
            }
        }
    }

    fn needs_of_condition(&mut self, condition: usize) -> Members {
        let facts = self.present.facts;
        // A condition that is there has been seen: nothing need be kept of it.
        let mut needs = Members::default();
        match self.brought_about(&facts.wanted[condition], &mut needs) {
            Truth::True => Members::default(),
            Truth::False | Truth::Unknown => needs,
        }
    }

    /// Whether the formula is true; if it is not, or may not be, adds those who could make it so if
    /// it is false.
    fn brought_about(&mut self, wanted: &Wanted, needs: &mut Members) -> Truth {
        match wanted {
            Wanted::Constant(value) => match value {
                true => Truth::True,
                false => Truth::False,
            },
            Wanted::Literal(lacking) => match self.present.enabler(lacking) {
                None => Truth::True,
                Some(enabler) => {
                    self.enablers(None, enabler, needs);
                    Truth::False
                }
            },
            Wanted::Opaque(enabler) => {
                self.enablers(None, *enabler, needs);
                Truth::Unknown
            }
            Wanted::All(parts) => {
                // One false part suffices. If none is known to be false, any unknown part may be.
                let mut best: Option<Members> = None;
                let mut open: Option<Members> = None;
                for part in parts {
                    let mut those = needs.clone();
                    match self.brought_about(part, &mut those) {
                        Truth::True => {}
                        Truth::Unknown => open.get_or_insert_with(|| needs.clone()).add(&those),
                        Truth::False if those == *needs => return Truth::False,
                        Truth::False => self.choose(&mut best, those),
                    }
                }
                match (best, open) {
                    (Some(best), _) => {
                        *needs = best;
                        Truth::False
                    }
                    (None, Some(open)) => {
                        *needs = open;
                        Truth::Unknown
                    }
                    (None, None) => Truth::True,
                }
            }
            Wanted::Any(parts) => {
                let mut truth = Truth::False;
                for part in parts {
                    match self.brought_about(part, needs) {
                        Truth::True => return Truth::True,
                        Truth::Unknown => truth = Truth::Unknown,
                        Truth::False => {}
                    }
                }
                truth
            }
            Wanted::AtLeast(least, parts) => {
                let (mut there, mut may_be_there) = (0, 0);
                for part in parts {
                    match self.brought_about(part, needs) {
                        Truth::True => there += 1,
                        Truth::Unknown => may_be_there += 1,
                        Truth::False => {}
                    }
                }
                match () {
                    () if there >= *least => Truth::True,
                    () if there + may_be_there >= *least => Truth::Unknown,
                    () => Truth::False,
                }
            }
        }
    }
}

/// Truth of a formula in a state, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    True,
    False,
    Unknown,
}
