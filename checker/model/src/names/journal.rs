//! What reading a process, a declaration or a property tells and notes, so that it can be told and noted
//! again without reading it.

use rustc_hash::FxHashSet;

use crate::elaborate::Elaborator;
use crate::memory::Moved;
use crate::names::declarations::ItemId;
use crate::names::symbols::{Symbol, SymbolId, Symbols};
use crate::problem::{Code, Problem, Severity, Words};
use stubborn_system::source::{FileId, Span};

/// All that a reading has told and noted, each once, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    told: Told,
    notes: Vec<Note>,
    /// What it reads, by where it is declared.
    read: Vec<Span>,
    /// How many parts it has written out, without what has a journal of its own.
    work: u64,
}

/// What it has told.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    /// On whose behalf.
    pub problems: Vec<(Problem, Option<ItemId>)>,
    /// Of what, and where.
    pub noted: FxHashSet<(Code, Option<Span>)>,
    /// Who uses what.
    pub uses: FxHashSet<(ItemId, ItemId)>,
    /// Something is wrong.
    pub has_errors: bool,
}

/// What it has noted of names.
#[derive(Clone, Debug)]
enum Note {
    Declared(Symbol),
    Referred { used: Span, declared: Span },
    Type(Span, String),
    Value(Span, String),
}

/// The symbols on their way, and what is noted of them.
#[derive(Debug, Default)]
pub struct SymbolBook {
    symbols: Symbols,
    notes: Option<Notes>,
    /// Uses that were noted before what they use was declared: that is worked out later this time.
    early: Vec<(Span, Span)>,
}

#[derive(Debug, Default)]
struct Notes {
    list: Vec<Note>,
    declared: FxHashSet<Span>,
    referred: FxHashSet<(Span, Span)>,
}

impl SymbolBook {
    /// As [`Symbols::declare`].
    pub fn declare(&mut self, symbol: Symbol) -> SymbolId {
        if let Some(notes) = &mut self.notes
            && notes.declared.insert(symbol.span)
        {
            notes.list.push(Note::Declared(symbol.clone()));
        }
        self.symbols.declare(symbol)
    }

    /// As [`Symbols::refer`].
    pub fn refer(&mut self, used: Span, declared: Span) {
        if let Some(notes) = &mut self.notes
            && self.symbols.is_declared(declared)
            && notes.referred.insert((used, declared))
        {
            notes.list.push(Note::Referred { used, declared });
        }
        self.symbols.refer(used, declared);
    }

    /// As [`Symbols::refer`], of what is declared at the end if it is not yet.
    fn refer_again(&mut self, used: Span, declared: Span) {
        if !self.symbols.refer_if_declared(used, declared) {
            self.early.push((used, declared));
        }
    }

    pub(crate) fn set_value(&mut self, declared: Span, value: String) {
        if let Some(notes) = &mut self.notes {
            notes.list.push(Note::Value(declared, value.clone()));
        }
        self.symbols.set_value(declared, value);
    }

    pub(crate) fn set_type(&mut self, declared: Span, ty: String) {
        if let Some(notes) = &mut self.notes {
            notes.list.push(Note::Type(declared, ty.clone()));
        }
        self.symbols.set_type(declared, ty);
    }

    /// The symbols, when everything has been noted.
    pub(crate) fn finish(mut self, rank: impl Fn(FileId) -> usize) -> Symbols {
        for (used, declared) in self.early {
            self.symbols.refer(used, declared);
        }
        self.symbols.finish(rank);
        self.symbols
    }
}

impl Elaborator<'_> {
    /// Reads something, and keeps a journal of it where that is asked for.
    pub(crate) fn journaled<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> (R, Journal) {
        if !self.remembers {
            return (read(self), Journal::default());
        }
        let (work, work_apart) = (self.work, self.work_apart);
        self.reports.journal = Some(Told::default());
        self.symbols.notes = Some(Notes::default());
        self.read_now = Some(FxHashSet::default());
        let result = read(self);
        let journal = Journal {
            told: self.reports.journal.take().unwrap_or_default(),
            notes: self.symbols.notes.take().unwrap_or_default().list,
            read: self
                .read_now
                .take()
                .unwrap_or_default()
                .into_iter()
                .collect(),
            work: (self.work - work).saturating_sub(self.work_apart - work_apart),
        };
        (result, journal)
    }

    /// The same for what has a journal of its own, whoever has it read first: it is read or recalled in
    /// every analysis, so that a journal around it need not have the same again.
    pub(crate) fn journaled_apart<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> (R, Journal) {
        self.apart_from_journal(
            |this| this.journaled(read),
            |(_, journal)| journal.told.has_errors,
        )
    }

    /// Tells and notes what was told and noted when something with a journal of its own was read; a
    /// journal around it does not have it. `now` is where things stand.
    pub(crate) fn replay_apart(&mut self, journal: &Journal, now: &dyn Fn(Span) -> Span) {
        self.apart_from_journal(|this| this.replay_at(journal, now), |()| false);
    }

    fn apart_from_journal<R>(
        &mut self,
        read: impl FnOnce(&mut Self) -> R,
        has_errors: impl FnOnce(&R) -> bool,
    ) -> R {
        let told = self.reports.journal.take();
        let notes = self.symbols.notes.take();
        let read_now = self.read_now.take();
        let (work, work_apart) = (self.work, self.work_apart);
        let result = read(self);
        self.work_apart = work_apart + (self.work - work);
        self.reports.journal = told;
        self.symbols.notes = notes;
        self.read_now = read_now;
        if let Some(told) = &mut self.reports.journal {
            told.has_errors |= has_errors(&result);
        }
        result
    }

    /// Tells and notes what was told and noted when it was read.
    pub(crate) fn replay(&mut self, journal: &Journal) {
        self.replay_at(journal, &|span| span);
    }

    fn replay_at(&mut self, journal: &Journal, now: &dyn Fn(Span) -> Span) {
        for (problem, owner) in &journal.told.problems {
            let related = problem.related.iter();
            self.reports.add(
                problem.code,
                problem.severity,
                problem.span.map(now),
                Words::new(problem.message.clone(), problem.mend.clone()),
                related
                    .map(|(span, text)| (now(*span), text.clone()))
                    .collect(),
                *owner,
            );
        }
        for (user, used) in &journal.told.uses {
            self.reports.record_use(*user, *used);
        }
        for note in &journal.notes {
            match note {
                Note::Declared(symbol) => {
                    self.symbols.declare(Symbol {
                        span: now(symbol.span),
                        ..symbol.clone()
                    });
                }
                Note::Referred { used, declared } => {
                    self.symbols.refer_again(now(*used), now(*declared));
                }
                Note::Type(declared, ty) => self.symbols.set_type(now(*declared), ty.clone()),
                Note::Value(declared, value) => {
                    self.symbols.set_value(now(*declared), value.clone());
                }
            }
        }
        for declared in &journal.read {
            self.mark_read(now(*declared));
        }
        self.work = self.work.saturating_add(journal.work);
    }
}

impl Journal {
    /// Something was wrong: what mends it may stand anywhere.
    pub fn has_errors(&self) -> bool {
        self.told.has_errors
    }

    pub fn forget_use(&mut self, user: ItemId, used: ItemId) {
        self.told.uses.remove(&(user, used));
    }

    /// The same of the text as it is now. `None` where it speaks of what has changed, and where
    /// something was wrong.
    pub fn moved(&self, moved: &Moved) -> Option<Journal> {
        let uses = &self.told.uses;
        if uses.iter().any(|(_, used)| moved.is_changed(*used)) {
            return None;
        }
        self.with_places(&mut |span| moved.span(span))
    }

    /// The same with other places. `None` where one has none, and where something was wrong.
    pub fn with_places(&self, place: &mut dyn FnMut(Span) -> Option<Span>) -> Option<Journal> {
        if self.told.has_errors {
            return None;
        }
        let mut problems = Vec::with_capacity(self.told.problems.len());
        for (problem, owner) in &self.told.problems {
            debug_assert_ne!(problem.severity, Severity::Error);
            let mut related = Vec::with_capacity(problem.related.len());
            for (span, text) in &problem.related {
                related.push((place(*span)?, text.clone()));
            }
            let problem = Problem {
                span: match problem.span {
                    Some(span) => Some(place(span)?),
                    None => None,
                },
                related,
                ..problem.clone()
            };
            problems.push((problem, *owner));
        }
        let mut notes = Vec::with_capacity(self.notes.len());
        for note in &self.notes {
            notes.push(match note {
                Note::Declared(symbol) => Note::Declared(Symbol {
                    span: place(symbol.span)?,
                    ..symbol.clone()
                }),
                Note::Referred { used, declared } => Note::Referred {
                    used: place(*used)?,
                    declared: place(*declared)?,
                },
                Note::Type(declared, ty) => Note::Type(place(*declared)?, ty.clone()),
                Note::Value(declared, value) => Note::Value(place(*declared)?, value.clone()),
            });
        }
        Some(Journal {
            told: Told {
                problems,
                noted: FxHashSet::default(),
                uses: self.told.uses.clone(),
                has_errors: false,
            },
            notes,
            read: self
                .read
                .iter()
                .map(|span| place(*span))
                .collect::<Option<_>>()?,
            work: self.work,
        })
    }
}
