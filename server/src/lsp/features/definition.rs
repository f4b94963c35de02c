//! Where a name is declared, and where it is used.

use super::Location;
use crate::database::{Db, SourceFile, analyzed, whole};
use stubborn_model::program::Program;
use stubborn_model::source::{FileId, Span};

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
