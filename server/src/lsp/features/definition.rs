//! Where a name is declared, and where it is used.

use super::Location;
use crate::database::{Db, SourceFile, analyzed, whole};
use stubborn_model::program::Program;
use stubborn_system::source::{FileId, Span};

/// Where the name at `offset` is declared.
pub fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Location> {
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let (_, symbol) = analysis
        .symbols
        .at_offset(FileId(0), u32::try_from(offset).ok()?)?;
    location(&whole.program, symbol.span)
}

/// Where the name at `offset` is used in the file and in what it uses; first, if wanted, where it is
/// declared.
pub fn references(
    db: &dyn Db,
    file: SourceFile,
    offset: usize,
    with_declaration: bool,
) -> Option<Vec<Location>> {
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let (_, symbol) = analysis
        .symbols
        .at_offset(FileId(0), u32::try_from(offset).ok()?)?;
    let declared = with_declaration.then_some(symbol.span);
    let spans = declared
        .into_iter()
        .chain(analysis.symbols.references(symbol.span));
    Some(
        spans
            .filter_map(|span| location(&whole.program, span))
            .collect(),
    )
}

fn location(program: &Program, span: Span) -> Option<Location> {
    let file = program.files.get(span.file.0 as usize)?;
    Some(Location {
        path: file.path.as_str().into(),
        bytes: span.start as usize..span.end as usize,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file};
    use super::*;

    const MODEL: &str = "var x: bool\nprocess p { $0x = not x }\ninvariant i: x or not x\n";

    #[test]
    fn a_use_leads_to_the_declaration() {
        let (text, at) = cursor(MODEL);
        let (db, file) = file(&text);
        assert_eq!(definition(&db, file, at).expect("a place").bytes, 4..5);
        assert_eq!(definition(&db, file, 0), None);
    }

    #[test]
    fn the_uses_are_in_the_order_of_the_text() {
        let (text, at) = cursor(MODEL);
        let (db, file) = file(&text);
        let found = |with_declaration| {
            let found = references(&db, file, at, with_declaration).expect("places");
            found.iter().map(|one| one.bytes.start).collect::<Vec<_>>()
        };
        assert_eq!(found(true).len(), 5);
        assert_eq!(found(true)[0], 4);
        assert!(found(false).is_sorted());
        assert_eq!(found(false).len(), 4);
    }
}
