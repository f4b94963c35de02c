//! What has been found wrong, on whose behalf, and what that takes away (`language.md` §8).

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::memory::readings::Reading;
use crate::names::declarations::ItemId;
use crate::names::journal::Told;
use crate::names::users::Users;
use crate::problem::{Code, Problem, Severity};
use stubborn_system::source::Span;

#[derive(Default)]
pub(crate) struct Reports {
    problems: Vec<Problem>,
    seen: FxHashSet<(Code, Span)>,
    /// Items with an error of their own.
    faulty: FxHashSet<ItemId>,
    /// Items that are too large.
    too_large: FxHashSet<ItemId>,
    /// An error that belongs to no item.
    faulty_outside: bool,
    /// Who uses what, as far as it was found out and not recalled.
    uses: FxHashSet<(ItemId, ItemId)>,
    /// What was recalled, with who uses what in it.
    recalled: Vec<Arc<Reading>>,
    /// While a journal is kept.
    pub(super) journal: Option<Told>,
    /// On trial nothing new is told: whether there would have been something.
    on_trial: Option<bool>,
}

/// What a trial may have changed.
pub(crate) struct BeforeTrial {
    faulty: FxHashSet<ItemId>,
    too_large: FxHashSet<ItemId>,
    faulty_outside: bool,
}

impl Reports {
    /// From now on what is new is not told.
    pub fn begin_trial(&mut self) -> BeforeTrial {
        debug_assert!(self.on_trial.is_none(), "a trial within a trial");
        self.on_trial = Some(false);
        BeforeTrial {
            faulty: self.faulty.clone(),
            too_large: self.too_large.clone(),
            faulty_outside: self.faulty_outside,
        }
    }

    /// Whether there was nothing new to tell. Otherwise it is as it was before.
    pub fn end_trial(&mut self, before: BeforeTrial) -> bool {
        let tells_nothing = self.on_trial.take() == Some(false);
        if !tells_nothing {
            self.faulty = before.faulty;
            self.too_large = before.too_large;
            self.faulty_outside = before.faulty_outside;
        }
        tells_nothing
    }

    /// How many problems there are.
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    pub fn has(&self, code: Code, span: Span) -> bool {
        self.seen.contains(&(code, span))
    }

    /// Whether an error has been told of a part of this place. Takes time in proportion to all that has been told.
    pub fn has_error_within(&self, place: Span) -> bool {
        let is_within = |span: Span| {
            span.file == place.file && place.start <= span.start && span.end <= place.end
        };
        let mut errors = (self.problems.iter()).filter(|one| one.severity == Severity::Error);
        errors.any(|one| one.span.is_some_and(is_within))
    }

    /// Keeps the problem, unless there is one of this code at this place.
    pub fn add(&mut self, problem: Problem, owner: Option<ItemId>) {
        let (code, severity, span) = (problem.code, problem.severity, problem.span);
        let is_new = span.is_none_or(|span| !self.seen.contains(&(code, span)));
        if let Some(has_told) = &mut self.on_trial
            && is_new
        {
            *has_told = true;
            return;
        }
        if let Some(journal) = &mut self.journal {
            journal.has_errors |= severity == Severity::Error;
            if !journal.has_errors && journal.noted.insert((code, span)) {
                journal.problems.push((problem.clone(), owner));
            }
        }
        match owner {
            _ if severity != Severity::Error => {}
            owner if code == Code::TooLarge => self.is_also_too_large(owner),
            Some(item) => self.blame(item),
            None => self.faulty_outside = true,
        }
        if span.is_none_or(|span| self.seen.insert((code, span))) {
            self.problems.push(problem);
        }
    }

    /// Whether it has an error of its own.
    pub fn is_faulty(&self, item: ItemId) -> bool {
        self.faulty.contains(&item)
    }

    pub fn is_without_errors(&self) -> bool {
        self.faulty.is_empty() && !self.faulty_outside
    }

    pub fn is_too_large(&self, item: ItemId) -> bool {
        self.too_large.contains(&item)
    }

    /// What uses something that is too large is so too, without a message of its own.
    pub fn is_of_too_large(&mut self, used: ItemId, user: Option<ItemId>) {
        if self.too_large.contains(&used) {
            self.is_wrong();
            self.too_large.extend(user);
        }
    }

    /// Notes that something is too large, which is told elsewhere.
    pub fn is_also_too_large(&mut self, owner: Option<ItemId>) {
        self.is_wrong();
        match owner {
            Some(item) => {
                self.faulty.insert(item);
                self.too_large.insert(item);
            }
            None => self.faulty_outside = true,
        }
    }

    pub fn anything_too_large(&self) -> bool {
        !self.too_large.is_empty()
    }

    /// Notes that the item has a part in an error that is told elsewhere.
    pub fn blame(&mut self, item: ItemId) {
        self.is_wrong();
        self.faulty.insert(item);
    }

    fn is_wrong(&mut self) {
        if let Some(journal) = &mut self.journal {
            journal.has_errors = true;
        }
    }

    /// Whether what is new is not told.
    pub fn is_on_trial(&self) -> bool {
        self.on_trial.is_some()
    }

    /// Who uses what, as far as that was found out and not recalled.
    pub fn uses(&self) -> impl Iterator<Item = (ItemId, ItemId)> + Clone {
        self.uses.iter().copied()
    }

    /// Notes that the one item mentions the other.
    pub fn record_use(&mut self, user: ItemId, used: ItemId) {
        if user != used {
            if let Some(journal) = &mut self.journal {
                journal.uses.insert((user, used));
            }
            self.uses.insert((user, used));
        }
    }

    /// Notes what something uses that was recalled.
    pub fn record_recalled(&mut self, reading: Arc<Reading>) {
        debug_assert!(self.on_trial.is_none(), "a trial recalls nothing");
        self.recalled.push(reading);
    }

    /// The problems, by file and position, those without a place first. That an expression
    /// has the wrong type is left out where a syntax error follows it directly: it was not meant to
    /// end there. `is_blank` tells whether there are only blanks between two places.
    pub fn sorted(self, is_blank: impl Fn(Span, Span) -> bool) -> Vec<Problem> {
        let mut problems = self.problems;
        let mut syntax_errors: Vec<Span> = problems
            .iter()
            .filter(|problem| problem.code == Code::Syntax)
            .filter_map(|problem| problem.span)
            .collect();
        syntax_errors.sort_unstable_by_key(|error| (error.file, error.start));
        let cut_short = |span: Span| {
            // Where more than blanks stand before the next one, more do before all others too.
            let next = syntax_errors
                .partition_point(|error| (error.file, error.start) < (span.file, span.end));
            syntax_errors
                .get(next)
                .is_some_and(|error| error.file == span.file && is_blank(span, *error))
        };
        problems.retain(|problem| {
            problem.code != Code::WrongType || !problem.span.is_some_and(cut_short)
        });
        problems.sort_by_key(|problem| (problem.span, problem.code));
        problems
    }

    pub fn faulty_outside(&self) -> bool {
        self.faulty_outside
    }

    /// The items with an error, their own or of an item that they use, however far.
    pub fn touched(&self) -> FxHashSet<ItemId> {
        if self.faulty.is_empty() {
            return FxHashSet::default();
        }
        let recalled = self.recalled.iter().flat_map(|reading| reading.uses());
        let users = Users::new(recalled.chain(self.uses()));
        users.reached_from(self.faulty.iter().copied())
    }
}
