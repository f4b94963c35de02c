//! What a file declares.

use std::ops::Range;

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_system::source::FileId;

use crate::database::{Db, SourceFile, analyzed};

/// A name of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    pub name: String,
    pub kind: SymbolKind,
    /// Its type, where it has one.
    pub detail: String,
    pub bytes: Range<usize>,
}

/// The names that a file declares, in the order of the text; what is bound within an expression or a
/// step is left out.
pub fn symbols(db: &dyn Db, file: SourceFile) -> Vec<Declared> {
    let Some(analysis) = analyzed(db, file) else {
        return Vec::new();
    };
    let is_shown = |symbol: &&Symbol| {
        symbol.span.file == FileId(0)
            && !matches!(symbol.kind, SymbolKind::Bound | SymbolKind::Parameter)
    };
    let mut declared: Vec<Declared> = analysis
        .symbols
        .iter()
        .filter(is_shown)
        .map(|symbol| Declared {
            name: symbol.name.clone(),
            kind: symbol.kind,
            detail: symbol.ty.clone(),
            bytes: symbol.span.start as usize..symbol.span.end as usize,
        })
        .collect();
    declared.sort_by_key(|one| one.bytes.start);
    declared
}

#[cfg(test)]
mod tests {
    use super::super::fixture::file;
    use super::*;

    #[test]
    fn what_a_file_declares_is_listed_in_its_order() {
        let (db, file) = file(
            "process p(i in 0..1) { var j: 0..3\n final state s }\nvar x: bool\n\
             invariant one: forall k in 0..1: x or not x\n",
        );
        let names: Vec<String> = symbols(&db, file).into_iter().map(|one| one.name).collect();
        assert_eq!(names, ["p", "j", "s", "x", "one"]);
    }
}
