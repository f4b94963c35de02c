//! What an editor shows of a name, and where it leads: hover, go to definition, references.

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
    Tester,
    Observed,
}

/// A name that the text declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// Where the name is declared.
    pub span: Span,
    /// As it is written in the language: `array[Id] of 0..3`. Empty where it has none.
    pub ty: String,
    /// The value of a constant or a `param`.
    pub value: Option<String>,
    /// The text of the `///` lines before it.
    pub documentation: Option<String>,
}

/// The names of a program and their uses.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Symbols {
    symbols: Vec<Symbol>,
    by_declaration: FxHashMap<Span, SymbolId>,
    /// Each use of a name: where, and which. Sorted once by [`Symbols::finish`].
    references: Vec<(Span, SymbolId)>,
    by_use: FxHashMap<Span, SymbolId>,
}

impl Symbols {
    /// Declares a name, once however often this is called for its place.
    pub fn declare(&mut self, symbol: Symbol) -> SymbolId {
        if let Some(id) = self.by_declaration.get(&symbol.span) {
            return *id;
        }
        let id = self.symbols.len() as SymbolId;
        self.by_declaration.insert(symbol.span, id);
        self.symbols.push(symbol);
        id
    }

    /// As [`refer`](Symbols::refer); whether that is known.
    pub(crate) fn refer_if_declared(&mut self, used: Span, declared: Span) -> bool {
        let Some(id) = self.by_declaration.get(&declared) else {
            return false;
        };
        if self.by_use.insert(used, *id).is_none() {
            self.references.push((used, *id));
        }
        true
    }

    pub(crate) fn is_declared(&self, declared: Span) -> bool {
        self.by_declaration.contains_key(&declared)
    }

    /// Records that the name at `used` is the one declared at `declared`, if that is known.
    pub fn refer(&mut self, used: Span, declared: Span) {
        self.refer_if_declared(used, declared);
    }

    /// In which order they were met is not to be seen: it depends on what was read before. `rank` is which
    /// of the files comes when in the program's text.
    pub(crate) fn finish(&mut self, rank: impl Fn(FileId) -> usize) {
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

    pub fn get(&self, id: SymbolId) -> &Symbol {
        &self.symbols[id as usize]
    }

    /// All symbols, in the order of the program's text.
    pub fn iter(&self) -> impl Iterator<Item = &Symbol> {
        self.symbols.iter()
    }

    /// The symbol that is declared or used exactly at the span of a name.
    pub fn at(&self, name: Span) -> Option<&Symbol> {
        let id = self
            .by_declaration
            .get(&name)
            .or_else(|| self.by_use.get(&name))?;
        Some(self.get(*id))
    }

    /// The symbol whose name `offset` is in, or directly behind, and where that name stands.
    pub fn at_offset(&self, file: FileId, offset: u32) -> Option<(Span, &Symbol)> {
        let inside = |span: &Span| span.file == file && span.start <= offset && offset <= span.end;
        let declared = self.by_declaration.iter();
        declared
            .chain(self.by_use.iter())
            .filter(|(span, _)| inside(span))
            .max_by_key(|(span, _)| span.start)
            .map(|(span, id)| (*span, self.get(*id)))
    }

    /// Every use of a name, with what it stands for, in the order of the text.
    pub fn uses(&self) -> impl Iterator<Item = (Span, &Symbol)> {
        let uses = self.references.iter();
        uses.map(|(span, id)| (*span, self.get(*id)))
    }

    /// Where the symbol declared at `declared` is used, in the order of the text.
    pub fn references(&self, declared: Span) -> impl Iterator<Item = Span> {
        let id = self.by_declaration.get(&declared).copied();
        self.references
            .iter()
            .filter(move |(_, used)| Some(*used) == id)
            .map(|(span, _)| *span)
    }

    pub(crate) fn set_value(&mut self, declared: Span, value: String) {
        if let Some(id) = self.by_declaration.get(&declared) {
            self.symbols[*id as usize].value = Some(value);
        }
    }

    pub(crate) fn set_type(&mut self, declared: Span, ty: String) {
        if let Some(id) = self.by_declaration.get(&declared) {
            self.symbols[*id as usize].ty = ty;
        }
    }
}
