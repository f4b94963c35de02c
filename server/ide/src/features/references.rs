//! Where a name is used, in the file and in every other that sees its declaration: what uses a model
//! is known by its own roots alone, so that these are gone through.

use std::ops::Range;
use std::sync::Arc;

use stubborn_model::Analysis;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_system::source::{FileId, Span};

use super::Location;
use super::fields::Fields;
use crate::database::{Db, SourceFile, Whole, analyzed, whole};

/// Where the name at `offset` is used, file by file, the one asked about first; before that, if
/// wanted, where it is declared. `roots` are the files that may use it.
pub fn references(
    db: &dyn Db,
    roots: &[SourceFile],
    file: SourceFile,
    offset: usize,
    with_declaration: bool,
) -> Option<Vec<Location>> {
    let named = Named::at(db, file, offset)?;
    let seeing = named.seen_by(db, roots, file);
    let mut used = named.uses(&seeing);
    let own = file.path(db);
    used.sort_by_key(|one| one.path != *own);
    let declared = with_declaration.then_some(named.declared);
    Some(declared.into_iter().chain(used).collect())
}

/// A name in a text, and what it stands for.
pub(super) struct Named {
    /// Where the name asked about stands.
    pub at: Range<usize>,
    pub symbol: Symbol,
    pub declared: Location,
}

impl Named {
    pub fn at(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Named> {
        let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
        let fields = Fields::new(&whole.program, &analysis);
        let (at, symbol) = fields.symbol_at(offset)?;
        Some(Named {
            at,
            symbol: symbol.clone(),
            declared: Location::of(&whole.program, symbol.span)?,
        })
    }

    /// Where it is used in what these roots are made of, in the order of the files' names.
    pub fn uses(&self, seeing: &[Seen]) -> Vec<Location> {
        let of_root = |root: &Seen| match self.symbol.kind {
            SymbolKind::Field => root.uses_of_field(&self.symbol.name, &self.declared),
            _ => root.uses(&self.declared),
        };
        let mut all: Vec<Location> = seeing.iter().flat_map(of_root).collect();
        let place = |one: &Location| (Arc::clone(&one.path), one.bytes.start);
        all.sort_by_cached_key(place);
        all.dedup();
        all
    }

    /// The roots that see the declaration, the file asked about first.
    pub fn seen_by(&self, db: &dyn Db, roots: &[SourceFile], file: SourceFile) -> Vec<Seen> {
        seeing(db, roots, file, &self.declared.path)
    }
}

/// The programs that the file with a path is part of: that of `first`, then those of `roots`.
pub(super) fn seeing(
    db: &dyn Db,
    roots: &[SourceFile],
    first: SourceFile,
    path: &str,
) -> Vec<Seen> {
    let others = roots.iter().copied().filter(|root| *root != first);
    let all = [first].into_iter().chain(others);
    let seeing = all.filter_map(|root| {
        let whole = whole(db, root).filter(|whole| whole.paths.contains(path))?;
        let analysis = analyzed(db, root)?;
        Some(Seen {
            root,
            whole,
            analysis,
        })
    });
    seeing.collect()
}

/// A root with its program and what that means.
pub(super) struct Seen {
    pub root: SourceFile,
    pub whole: Arc<Whole>,
    pub analysis: Arc<Analysis>,
}

impl Seen {
    /// Where a declaration stands in this root's program.
    pub fn span(&self, place: &Location) -> Option<Span> {
        let mut files = self.whole.program.files.iter();
        let file = files.position(|file| *file.path == *place.path)?;
        Some(Span {
            file: FileId(u32::try_from(file).ok()?),
            start: u32::try_from(place.bytes.start).ok()?,
            end: u32::try_from(place.bytes.end).ok()?,
        })
    }

    /// Where it is used in the files of this root.
    pub fn uses(&self, declared: &Location) -> Vec<Location> {
        let Some(span) = self.span(declared) else {
            return Vec::new();
        };
        let uses = self.analysis.symbols.references(span);
        uses.filter_map(|span| Location::of(&self.whole.program, span))
            .collect()
    }

    /// The same of a field.
    fn uses_of_field(&self, name: &str, declared: &Location) -> Vec<Location> {
        let Some(span) = self.span(declared) else {
            return Vec::new();
        };
        let uses = self.fields().uses(name, span).into_iter();
        uses.filter_map(|span| Location::of(&self.whole.program, span))
            .collect()
    }

    pub fn fields(&self) -> Fields<'_> {
        Fields::new(&self.whole.program, &self.analysis)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, files};
    use super::*;

    const MODEL: &str = "\
type R = record { f: bool, g: bool }
var x: bool
var r: R
process p { x = not x r = {f: x, g: r.g} }
invariant i: x or not x or r.f
";

    /// Where the name at the `$0` of the last file is used: the path and the offset.
    fn found(texts: &[(&str, &str)], with_declaration: bool) -> Vec<(String, usize)> {
        let mut texts = texts.to_vec();
        let (path, marked) = texts.pop().expect("a file");
        let (text, at) = cursor(marked);
        texts.push((path, &text));
        let (db, file) = files(&texts);
        let roots: Vec<SourceFile> = texts.iter().map(|(path, _)| db.file(path)).collect();
        let found = references(&db, &roots, file, at, with_declaration).expect("places");
        let place = |one: Location| (one.path.to_string(), one.bytes.start);
        found.into_iter().map(place).collect()
    }

    #[test]
    fn the_uses_are_in_the_order_of_the_text_behind_the_declaration() {
        let model = MODEL.replacen("x = not", "$0x = not", 1);
        let with = found(&[("/m.stb", &model)], true);
        let without = found(&[("/m.stb", &model)], false);
        assert_eq!(with[0].1, MODEL.find("x: bool").expect("it"));
        assert_eq!(with[1..], without);
        assert!(without.is_sorted());
        assert_eq!(without.len(), 5);
    }

    #[test]
    fn a_name_of_a_model_is_used_in_its_testers_too() {
        let tester = "use \"m.stb\"\ninvariant one: x\n";
        let other = "var x: bool\nprocess q { x = true }\n";
        let model = MODEL.replacen("x: bool", "$0x: bool", 1);
        let texts = [("/t.tester", tester), ("/o.stb", other), ("/m.stb", &model)];
        let uses = found(&texts, false);
        assert_eq!(uses.len(), 6);
        assert_eq!(
            uses[5],
            ("/t.tester".to_owned(), tester.find("x\n").expect("it"))
        );
    }

    #[test]
    fn a_name_in_a_tester_leads_to_its_uses_in_the_model() {
        let tester = "use \"m.stb\"\ninvariant one: $0x\n";
        let uses = found(&[("/m.stb", MODEL), ("/t.tester", tester)], true);
        assert_eq!(uses.len(), 7);
        assert_eq!(uses[1].0, "/t.tester");
    }

    #[test]
    fn a_field_is_used_where_its_own_record_is() {
        let model = MODEL.replacen("r.f", "r.$0f", 1);
        let alone = found(&[("/m.stb", &model)], true);
        assert_eq!(alone.len(), 3);
        let other = "\ntype S = record { f: bool }\nvar s: S\ninvariant j: s.f or not s.f\n";
        let model = format!("{model}{other}");
        assert_eq!(found(&[("/m.stb", &model)], true), alone);
        let model = model.replace("$0", "").replacen("s.f", "s.$0f", 1);
        assert_eq!(found(&[("/m.stb", &model)], true).len(), 3);
    }

    #[test]
    fn a_field_of_a_model_is_used_in_a_tester_that_has_one_of_the_same_name() {
        let model = MODEL.replacen("r.f", "r.$0f", 1);
        let tester = "use \"m.stb\"\ntype T = record { f: bool }\ninvariant k: r.f or not r.f\n";
        let found = found(&[("/t.tester", tester), ("/m.stb", &model)], false);
        let in_tester = found.iter().filter(|(path, _)| path == "/t.tester");
        assert_eq!(in_tester.count(), 2);
    }
}
