//! Journals of the messages, uses and notes that reading a process, a declaration or a property
//! gives, so that they can be given again without reading it.

mod replay;
pub(crate) mod symbol_book;

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::memory::Moved;
use crate::names::declarations::ItemId;
use crate::names::symbols::{Symbol, Table};
use crate::problem::{Code, Problem};
use crate::spans::Spans;
use stubborn_system::source::Span;

/// Messages, uses and notes of one reading, each once, in their order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Journal {
    /// On whose behalf.
    problems: Vec<(Problem, Option<ItemId>)>,
    /// Who uses what, in no order.
    uses: Vec<(ItemId, ItemId)>,
    has_errors: bool,
    notes: Vec<Note>,
    /// What it reads, by where it is declared.
    read: Vec<Span>,
    /// How many parts it has written out, without what has a journal of its own.
    work: u64,
}

/// Messages and uses of what is being read.
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

/// Note about a name.
#[derive(Clone, Debug)]
enum Note {
    Declared(Symbol),
    Referred { used: Span, declared: Span },
    Type(Span, Arc<str>),
    Value(Span, Arc<str>),
}

impl Note {
    /// Where a name stands that it declares.
    fn declared(&self) -> Option<Span> {
        match self {
            Note::Declared(symbol) => Some(symbol.span),
            _ => None,
        }
    }

    /// Notes the same again, where things stand `now`. A use of what is not declared yet is put to the
    /// `early` ones.
    fn put_to(&self, table: &mut Table, early: &mut Vec<(Span, Span)>, now: &dyn Fn(Span) -> Span) {
        let mut note = self.clone();
        note.each_span(&mut |span| *span = now(*span));
        match note {
            Note::Declared(symbol) => table.declare(symbol),
            Note::Referred { used, declared } => {
                if !table.refer(used, declared) {
                    early.push((used, declared));
                }
            }
            Note::Type(declared, ty) => table.set_type(declared, ty),
            Note::Value(declared, value) => table.set_value(declared, value),
        }
    }
}

impl Journal {
    /// Something was wrong: what mends it may stand anywhere.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Who uses what.
    pub fn uses(&self) -> impl Iterator<Item = (ItemId, ItemId)> + Clone {
        self.uses.iter().copied()
    }

    pub fn forget_use(&mut self, user: ItemId, used: ItemId) {
        self.uses.retain(|one| *one != (user, used));
    }

    /// The same of the text as it is now. `None` where it speaks of what has changed, and where
    /// something was wrong.
    pub fn moved(&self, moved: &Moved) -> Option<Journal> {
        if self.uses.iter().any(|(_, used)| moved.is_changed(*used)) {
            return None;
        }
        self.with_places(&mut |span| moved.span(span))
    }

    /// The same with other places. `None` where one has none, and where something was wrong.
    pub fn with_places(&self, place: &mut dyn FnMut(Span) -> Option<Span>) -> Option<Journal> {
        match self.has_errors {
            true => None,
            false => self.with_spans(place),
        }
    }
}

impl Spans for Journal {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        let problems = self.problems.iter_mut();
        problems.for_each(|(problem, _)| problem.each_span(each));
        self.notes.each_span(each);
        self.read.each_span(each);
    }
}

impl Spans for Note {
    fn each_span(&mut self, each: &mut dyn FnMut(&mut Span)) {
        match self {
            Note::Declared(symbol) => each(&mut symbol.span),
            Note::Referred { used, declared } => {
                each(used);
                each(declared);
            }
            Note::Type(declared, _) | Note::Value(declared, _) => each(declared),
        }
    }
}
