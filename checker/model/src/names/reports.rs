//! What has been found wrong, on whose behalf, and what that takes away (`language.md` §8).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::names::declarations::ItemId;
use crate::problem::{Code, Problem, Severity};
use crate::source::Span;

#[derive(Default)]
pub(crate) struct Reports {
    problems: Vec<Problem>,
    seen: FxHashSet<(Code, Span)>,
    /// Items with an error of their own.
    faulty: FxHashSet<ItemId>,
    /// An error that belongs to no item.
    faulty_outside: bool,
    uses: FxHashMap<ItemId, FxHashSet<ItemId>>,
}

impl Reports {
    pub fn has(&self, code: Code, span: Span) -> bool {
        self.seen.contains(&(code, span))
    }

    /// Keeps the problem, unless there is one of this code at this place.
    pub fn add(
        &mut self,
        code: Code,
        severity: Severity,
        span: Option<Span>,
        message: String,
        related: Vec<(Span, String)>,
        owner: Option<ItemId>,
    ) {
        if severity == Severity::Error {
            match owner {
                Some(item) => {
                    self.faulty.insert(item);
                }
                None => self.faulty_outside = true,
            }
        }
        if let Some(span) = span
            && !self.seen.insert((code, span))
        {
            return;
        }
        self.problems.push(Problem {
            code,
            severity,
            message,
            span,
            related,
        });
    }

    /// Notes that the one item mentions the other.
    pub fn record_use(&mut self, user: ItemId, used: ItemId) {
        if user != used {
            self.uses.entry(user).or_default().insert(used);
        }
    }

    /// The problems, by file and position, those without a place first.
    pub fn sorted(self) -> Vec<Problem> {
        let mut problems = self.problems;
        problems.sort_by_key(|problem| (problem.span, problem.code));
        problems
    }

    pub fn faulty_outside(&self) -> bool {
        self.faulty_outside
    }

    /// The items with an error, their own or of an item that they use, however far.
    pub fn touched(&self) -> FxHashSet<ItemId> {
        let mut users: FxHashMap<ItemId, Vec<ItemId>> = FxHashMap::default();
        for (user, used) in &self.uses {
            for item in used {
                users.entry(*item).or_default().push(*user);
            }
        }
        let mut touched = self.faulty.clone();
        let mut open: Vec<ItemId> = touched.iter().copied().collect();
        while let Some(item) = open.pop() {
            for user in users.get(&item).into_iter().flatten() {
                if touched.insert(*user) {
                    open.push(*user);
                }
            }
        }
        touched
    }
}
