//! Symbols collected so far, with notes of their declarations and uses while a journal is kept.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Note;
use crate::memory::readings::{Reading, from_item};
use crate::names::symbols::{Symbol, Symbols, Table};
use stubborn_system::source::Span;

/// Symbols collected so far, and notes about them.
#[derive(Debug, Default)]
pub struct SymbolBook {
    pub(super) table: Table,
    pub(super) notes: Option<Notes>,
    /// Uses that were noted before what they use was declared: that is worked out later this time.
    pub(super) early: Vec<(Span, Span)>,
    /// Recalled readings, whose symbols are added when a symbol is requested.
    recalled: Vec<Arc<Reading>>,
    /// Spans of the names that recalled readings declare.
    declared_there: FxHashSet<Span>,
}

#[derive(Debug, Default)]
pub(super) struct Notes {
    pub(super) list: Vec<Note>,
    /// Which note declares the name that stands there.
    declared: FxHashMap<Span, usize>,
    referred: FxHashSet<(Span, Span)>,
}

impl Notes {
    /// Notes a declaration; of several with one name, the one that the [`Table`] keeps.
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
    pub(super) fn note_recalled(&mut self, reading: Arc<Reading>, now: &dyn Fn(Span) -> Span) {
        let declared = reading.journal().notes.iter().filter_map(Note::declared);
        self.declared_there.extend(declared.map(now));
        self.recalled.push(reading);
    }

    /// The symbols, when everything has been noted. `items` is where the items stand, and `ranks`
    /// which of the files comes when in the program's text.
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
