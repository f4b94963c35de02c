//! What reading a process, a declaration or a property tells and notes, so that it can be told and noted
//! again without reading it.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::elaborate::Elaborator;
use crate::memory::Moved;
use crate::memory::readings::Reading;
use crate::names::declarations::ItemId;
use crate::names::symbols::{Symbol, Symbols, Table};
use crate::problem::{Code, Problem};
use crate::spans::Spans;
use stubborn_system::source::Span;

/// All that a reading has told and noted, each once, in its order.
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
    Type(Span, Arc<str>),
    Value(Span, Arc<str>),
}

/// The symbols on their way, and what is noted of them.
#[derive(Debug, Default)]
pub struct SymbolBook {
    table: Table,
    notes: Option<Notes>,
    /// Uses that were noted before what they use was declared: that is worked out later this time.
    early: Vec<(Span, Span)>,
    /// What was recalled: what it notes is put to the rest once somebody asks for a symbol.
    recalled: Vec<Arc<Reading>>,
    /// Where names stand that it declares.
    declared_there: FxHashSet<Span>,
}

#[derive(Debug, Default)]
struct Notes {
    list: Vec<Note>,
    /// Which note declares the name that stands there.
    declared: FxHashMap<Span, usize>,
    referred: FxHashSet<(Span, Span)>,
}

impl Notes {
    /// Of what declares one name, the one is noted that the [`Table`] keeps.
    fn declare(&mut self, symbol: &Symbol) {
        match self.declared.entry(symbol.span) {
            Entry::Vacant(entry) => {
                entry.insert(self.list.len());
                self.list.push(Note::Declared(symbol.clone()));
            }
            Entry::Occupied(entry) => {
                if let Note::Declared(known) = &mut self.list[*entry.get()] {
                    known.join(symbol);
                }
            }
        }
    }
}

impl SymbolBook {
    /// Room for so many names.
    pub(crate) fn reserve(&mut self, names: usize) {
        self.table.reserve(names);
    }

    /// Declares a name, once however often this is called for its place.
    pub fn declare(&mut self, symbol: Symbol) {
        if let Some(notes) = &mut self.notes {
            notes.declare(&symbol);
        }
        self.table.declare(symbol);
    }

    /// Records that the name at `used` is the one declared at `declared`, if that is known.
    pub fn refer(&mut self, used: Span, declared: Span) {
        let is_known = self.table.refer(used, declared);
        if !is_known {
            if !self.declared_there.contains(&declared) {
                return;
            }
            self.early.push((used, declared));
        }
        if let Some(notes) = &mut self.notes
            && notes.referred.insert((used, declared))
        {
            notes.list.push(Note::Referred { used, declared });
        }
    }

    pub(crate) fn set_value(&mut self, declared: Span, value: impl Into<Arc<str>>) {
        let value: Arc<str> = value.into();
        if let Some(notes) = &mut self.notes {
            notes.list.push(Note::Value(declared, Arc::clone(&value)));
        }
        self.table.set_value(declared, value);
    }

    pub(crate) fn set_type(&mut self, declared: Span, ty: impl Into<Arc<str>>) {
        let ty: Arc<str> = ty.into();
        if let Some(notes) = &mut self.notes {
            notes.list.push(Note::Type(declared, Arc::clone(&ty)));
        }
        self.table.set_type(declared, ty);
    }

    /// Notes what something noted that was recalled and now stands there.
    fn note_recalled(&mut self, reading: Arc<Reading>, now: &dyn Fn(Span) -> Span) {
        let declared = reading.journal().notes.iter().filter_map(Note::declared);
        self.declared_there.extend(declared.map(now));
        self.recalled.push(reading);
    }

    /// The symbols, when everything has been noted. `items` is where the items stand, and `ranks` which of
    /// the files comes when in the program's text.
    pub(crate) fn finish(self, items: Vec<Span>, ranks: Vec<usize>) -> Symbols {
        Symbols::of(move || {
            let SymbolBook {
                mut table,
                mut early,
                recalled,
                ..
            } = self;
            for reading in &recalled {
                for note in &reading.journal().notes {
                    note.put_to(&mut table, &mut early, &|then| from_item(&items, then));
                }
            }
            for (used, declared) in early {
                table.refer(used, declared);
            }
            table.finish(|file| ranks[file.0 as usize]);
            table
        })
    }
}

/// Where something stands that was counted from the beginning of its item, the number of which stands for
/// the file's.
pub(crate) fn from_item(items: &[Span], then: Span) -> Span {
    let item = items[then.file.0 as usize];
    Span::new(item.file, item.start + then.start, item.start + then.end)
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
        let told = self.reports.journal.take().unwrap_or_default();
        let read_now = self.read_now.take().unwrap_or_default();
        let journal = Journal {
            problems: told.problems,
            uses: told.uses.into_iter().collect(),
            has_errors: told.has_errors,
            notes: self.symbols.notes.take().unwrap_or_default().list,
            read: read_now.into_iter().collect(),
            work: (self.work - work).saturating_sub(self.work_apart - work_apart),
        };
        (result, journal)
    }

    /// The same for what has a journal of its own, whoever has it read first: it is read or recalled in
    /// every analysis, so that a journal around it need not have the same again.
    pub(crate) fn journaled_apart<R>(&mut self, read: impl FnOnce(&mut Self) -> R) -> (R, Journal) {
        self.apart_from_journal(
            |this| this.journaled(read),
            |(_, journal)| journal.has_errors,
        )
    }

    /// Tells and notes what was told and noted when something was read that is recalled and stands in the
    /// items now; a journal around it does not have it.
    pub(crate) fn replay_apart(&mut self, reading: &Arc<Reading>, items: &[Span]) {
        let (journal, now) = (reading.journal(), |then| from_item(items, then));
        if !journal.problems.is_empty() {
            self.apart_from_journal(|this| this.tell_again(journal, &now), |()| false);
        }
        self.reports.record_recalled(Arc::clone(reading));
        self.symbols.note_recalled(Arc::clone(reading), &now);
        self.read.extend(journal.read.iter().map(|then| now(*then)));
        self.work = self.work.saturating_add(journal.work);
        self.work_apart = self.work_apart.saturating_add(journal.work);
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
        debug_assert!(self.symbols.notes.is_none(), "no journal is around it");
        let now = |span| span;
        self.tell_again(journal, &now);
        for (user, used) in &journal.uses {
            self.reports.record_use(*user, *used);
        }
        let SymbolBook { table, early, .. } = &mut self.symbols;
        for note in &journal.notes {
            note.put_to(table, early, &now);
        }
        for declared in &journal.read {
            self.mark_read(now(*declared));
        }
        self.work = self.work.saturating_add(journal.work);
    }

    fn tell_again(&mut self, journal: &Journal, now: &dyn Fn(Span) -> Span) {
        for (problem, owner) in &journal.problems {
            let mut problem = problem.clone();
            problem.each_span(&mut |span| *span = now(*span));
            self.reports.add(problem, *owner);
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
