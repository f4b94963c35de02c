//! What an editor shows of a name, and where it leads: hover, go to definition, references.

use std::fmt;
use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use stubborn_system::source::{FileId, Span};

/// Index of a [`Symbol`] in [`Symbols`].
pub type SymbolId = u32;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SymbolKind {
    Constant,
    Param,
    Type,
    Enumeration,
    EnumerationValue,
    Field,
    Variable,
    LocalVariable,
    Channel,
    Action,
    Definition,
    Macro,
    Process,
    /// A parameter of a process, definition, macro or property.
    Parameter,
    /// What `for` or a quantifier binds.
    Bound,
    State,
    Label,
    Property,
    /// `fair NAME: A`
    Assumption,
    Tester,
    Observed,
}

/// A name that the text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: Arc<str>,
    pub kind: SymbolKind,
    /// Where the name is declared.
    pub span: Span,
    /// As it is written in the language: `array[Id] of 0..3`. Empty where it has none.
    pub ty: Arc<str>,
    /// The value of a constant or a `param`.
    pub value: Option<Arc<str>>,
    /// The text of the `///` lines before it.
    pub documentation: Option<Arc<str>>,
}

impl Symbol {
    /// A name without a type, a value or documentation.
    pub(crate) fn new(name: impl Into<Arc<str>>, kind: SymbolKind, span: Span) -> Symbol {
        Symbol {
            name: name.into(),
            kind,
            span,
            ty: Arc::default(),
            value: None,
            documentation: None,
        }
    }

    pub(crate) fn with_type(self, ty: impl Into<Arc<str>>) -> Symbol {
        let ty = ty.into();
        Symbol { ty, ..self }
    }

    pub(crate) fn documented(self, documentation: Option<impl Into<Arc<str>>>) -> Symbol {
        Symbol {
            documentation: documentation.map(Into::into),
            ..self
        }
    }

    /// Becomes the symbol of what declares the same name in another reading. What a definition or a macro
    /// binds may have another type wherever that is written out. Which one is shown must not depend on which
    /// was read first, since what is recalled is not read: one that is known, and the least of these.
    pub(crate) fn join(&mut self, other: &Symbol) {
        debug_assert_eq!((&self.name, self.span), (&other.name, other.span));
        let (known, new) = (
            (self.ty.is_empty(), &self.ty),
            (other.ty.is_empty(), &other.ty),
        );
        if new < known {
            self.ty = Arc::clone(&other.ty);
        }
    }
}

/// The names of a program and their uses. They are put together when somebody first asks for one: what is
/// wrong with a text is known without them.
pub struct Symbols {
    table: LazyLock<Table, Box<dyn FnOnce() -> Table + Send>>,
}

/// The names and their uses, as they are looked up.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Table {
    symbols: Vec<Symbol>,
    by_declaration: FxHashMap<Span, SymbolId>,
    /// Each use of a name: where, and which. Sorted once by [`Table::finish`].
    references: Vec<(Span, SymbolId)>,
    by_use: FxHashMap<Span, SymbolId>,
}

impl Table {
    /// Room for so many names.
    pub fn reserve(&mut self, names: usize) {
        self.symbols.reserve(names);
        self.by_declaration.reserve(names);
    }

    /// Declares a name, once however often this is called for its place, and in whatever order.
    pub fn declare(&mut self, symbol: Symbol) {
        if let Some(id) = self.by_declaration.get(&symbol.span) {
            self.symbols[*id as usize].join(&symbol);
            return;
        }
        let id = self.symbols.len() as SymbolId;
        self.by_declaration.insert(symbol.span, id);
        self.symbols.push(symbol);
    }

    /// Records that the name at `used` is the one declared at `declared`, if that is known; whether it is.
    pub fn refer(&mut self, used: Span, declared: Span) -> bool {
        let Some(id) = self.by_declaration.get(&declared) else {
            return false;
        };
        if self.by_use.insert(used, *id).is_none() {
            self.references.push((used, *id));
        }
        true
    }

    /// In which order they were met is not to be seen: it depends on what was read before. `rank` is which
    /// of the files comes when in the program's text.
    pub fn finish(&mut self, rank: impl Fn(FileId) -> usize) {
        let place = |symbol: &Symbol| (rank(symbol.span.file), symbol.span);
        if !self.symbols.is_sorted_by_key(place) {
            self.symbols.sort_by_key(place);
            let now = self.symbols.iter().zip(0..);
            let now: FxHashMap<Span, SymbolId> = now.map(|(one, id)| (one.span, id)).collect();
            let before = std::mem::replace(&mut self.by_declaration, now);
            let mut numbers = vec![0; self.symbols.len()];
            for (span, id) in before {
                numbers[id as usize] = self.by_declaration[&span];
            }
            let of_references = self.references.iter_mut().map(|(_, id)| id);
            for id in of_references.chain(self.by_use.values_mut()) {
                *id = numbers[*id as usize];
            }
        }
        self.references.sort();
    }

    pub fn set_value(&mut self, declared: Span, value: Arc<str>) {
        if let Some(id) = self.by_declaration.get(&declared) {
            self.symbols[*id as usize].value = Some(value);
        }
    }

    pub fn set_type(&mut self, declared: Span, ty: Arc<str>) {
        if let Some(id) = self.by_declaration.get(&declared) {
            self.symbols[*id as usize].ty = ty;
        }
    }
}

impl Symbols {
    /// Those that `make` gives when they are asked for.
    pub(crate) fn of(make: impl FnOnce() -> Table + Send + 'static) -> Symbols {
        Symbols {
            table: LazyLock::new(Box::new(make)),
        }
    }

    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.table.symbols[id as usize]
    }

    /// All symbols, in the order of the program's text.
    pub fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.table.symbols.iter()
    }

    /// The symbol that is declared or used exactly at the span of a name.
    pub fn at(&self, name: Span) -> Option<&Symbol> {
        let table = &*self.table;
        let declared = table.by_declaration.get(&name);
        Some(self.get(*declared.or_else(|| table.by_use.get(&name))?))
    }

    /// The symbol whose name `offset` is in, or directly behind, and where that name stands.
    pub fn at_offset(&self, file: FileId, offset: u32) -> Option<(Span, &Symbol)> {
        let inside = |span: &Span| span.file == file && span.start <= offset && offset <= span.end;
        let declared = self.table.by_declaration.iter();
        declared
            .chain(self.table.by_use.iter())
            .filter(|(span, _)| inside(span))
            .max_by_key(|(span, _)| span.start)
            .map(|(span, id)| (*span, self.get(*id)))
    }

    /// Every use of a name, with what it stands for, in the order of the text.
    pub fn uses(&self) -> impl Iterator<Item = (Span, &Symbol)> {
        let uses = self.table.references.iter();
        uses.map(|(span, id)| (*span, self.get(*id)))
    }

    /// Where the symbol declared at `declared` is used, in the order of the text.
    pub fn references(&self, declared: Span) -> impl Iterator<Item = Span> {
        let id = self.table.by_declaration.get(&declared).copied();
        (self.table.references.iter())
            .filter(move |(_, used)| Some(*used) == id)
            .map(|(span, _)| *span)
    }
}

impl Default for Symbols {
    fn default() -> Symbols {
        Symbols::of(Table::default)
    }
}

impl Clone for Symbols {
    fn clone(&self) -> Symbols {
        let table = (*self.table).clone();
        Symbols::of(move || table)
    }
}

impl PartialEq for Symbols {
    fn eq(&self, other: &Symbols) -> bool {
        *self.table == *other.table
    }
}

impl Eq for Symbols {}

impl fmt::Debug for Symbols {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.table.fmt(formatter)
    }
}
