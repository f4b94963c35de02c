//! Where a name is declared.

use stubborn_system::source::FileId;

use super::Location;
use super::references::location;
use crate::database::{Db, SourceFile, analyzed, whole};

/// Where the name at `offset` is declared.
pub fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Location> {
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let (_, symbol) = analysis
        .symbols
        .at_offset(FileId(0), u32::try_from(offset).ok()?)?;
    location(&whole.program, symbol.span)
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
}
