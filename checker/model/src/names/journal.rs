//! What reading a process tells and notes, so that it can be told and noted again without reading it.

use rustc_hash::FxHashSet;

use crate::elaborate::Elaborator;
use crate::memory::Moved;
use crate::names::declarations::ItemId;
use crate::names::symbols::{Symbol, SymbolId, Symbols};
use crate::problem::{Code, Problem, Severity, Words};
use stubborn_system::source::Span;

/// All that a reading has told and noted, each once, in its order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    told: Told,
    notes: Vec<Note>,
    /// What it reads, by where it is declared.
    read: Vec<Span>,
    /// How many parts it has written out.
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
    pub(crate) fn finish(mut self) -> Symbols {
        self.symbols.finish();
        self.symbols
    }
}

impl Elaborator<'_> {
    /// Reads something, and keeps a journal of it where that is asked for.
    pub(crate) fn journaled<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> (R, Journal) {
        if !self.remembers {
            return (read(self), Journal::default());
        }
        let work = self.work;
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
            work: self.work - work,
        };
        (result, journal)
    }

    /// Tells and notes what was told and noted when it was read.
    pub(crate) fn replay(&mut self, journal: &Journal) {
        for (problem, owner) in &journal.told.problems {
            self.reports.add(
                problem.code,
                problem.severity,
                problem.span,
                Words::new(problem.message.clone(), problem.mend.clone()),
                problem.related.clone(),
                *owner,
            );
        }
        for (user, used) in &journal.told.uses {
            self.reports.record_use(*user, *used);
        }
        for note in &journal.notes {
            match note.clone() {
                Note::Declared(symbol) => {
                    self.symbols.declare(symbol);
                }
                Note::Referred { used, declared } => self.symbols.refer(used, declared),
                Note::Type(declared, ty) => self.symbols.set_type(declared, ty),
                Note::Value(declared, value) => self.symbols.set_value(declared, value),
            }
        }
        for declared in &journal.read {
            self.mark_read(*declared);
        }
        self.work = self.work.saturating_add(journal.work);
    }
}

impl Journal {
    /// The same of the text as it is now. `None` where it speaks of what has changed, and where
    /// something was wrong: what mends it may stand anywhere.
    pub fn moved(&self, moved: &Moved) -> Option<Journal> {
        if self.told.has_errors {
            return None;
        }
        let problem = |(problem, owner): &(Problem, Option<ItemId>)| {
            debug_assert_ne!(problem.severity, Severity::Error);
            let related = problem.related.iter();
            let problem = Problem {
                span: match problem.span {
                    Some(span) => Some(moved.span(span)?),
                    None => None,
                },
                related: related
                    .map(|(span, text)| Some((moved.span(*span)?, text.clone())))
                    .collect::<Option<_>>()?,
                ..problem.clone()
            };
            Some((problem, *owner))
        };
        let note = |note: &Note| {
            Some(match note {
                Note::Declared(symbol) => Note::Declared(Symbol {
                    span: moved.span(symbol.span)?,
                    ..symbol.clone()
                }),
                Note::Referred { used, declared } => Note::Referred {
                    used: moved.span(*used)?,
                    declared: moved.span(*declared)?,
                },
                Note::Type(declared, ty) => Note::Type(moved.span(*declared)?, ty.clone()),
                Note::Value(declared, value) => Note::Value(moved.span(*declared)?, value.clone()),
            })
        };
        let uses = &self.told.uses;
        if uses.iter().any(|(_, used)| moved.is_changed(*used)) {
            return None;
        }
        Some(Journal {
            told: Told {
                problems: self
                    .told
                    .problems
                    .iter()
                    .map(problem)
                    .collect::<Option<_>>()?,
                noted: FxHashSet::default(),
                uses: uses.clone(),
                has_errors: false,
            },
            notes: self.notes.iter().map(note).collect::<Option<_>>()?,
            read: moved.spans(&self.read)?,
            work: self.work,
        })
    }
}
