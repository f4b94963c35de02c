//! The other places of a file where the name at a place stands, with what is done there.

use std::ops::Range;

use stubborn_model::names::symbols::SymbolKind;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;

use super::fields::Fields;
use super::tree::name_at;
use crate::database::{Db, SourceFile, analyzed, whole};

/// What is done with a name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// It has no value, or the text alone does not say.
    Named,
    Read,
    Written,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    pub bytes: Range<usize>,
    pub access: Access,
}

/// Where the name at `offset` stands in the file, in the order of the text.
pub fn highlights(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Vec<Highlight>> {
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let fields = Fields::new(&whole.program, &analysis);
    let (_, symbol) = fields.symbol_at(offset)?;
    let root = whole.program.file(FileId(0)).parse.syntax();
    let here = [symbol.span].into_iter();
    let here = here.chain(fields.symbols.references(symbol.span));
    let here = here.filter(|span| span.file == FileId(0));
    let here = here.map(|span| span.start as usize..span.end as usize);
    let mut places: Vec<Range<usize>> = here.collect();
    if symbol.kind == SymbolKind::Field {
        let here = fields.uses_in(FileId(0), &symbol.name, symbol.span);
        places.extend(
            here.iter()
                .map(|used| used.start as usize..used.end as usize),
        );
    }
    let found = places.into_iter().map(|bytes| {
        let name = name_at(&root, bytes.clone()).filter(|_| has_value(symbol.kind));
        let access = name.map_or(Access::Named, |name| access(&name));
        Highlight { bytes, access }
    });
    let mut found: Vec<Highlight> = found.collect();
    found.sort_by_key(|one| one.bytes.start);
    Some(found)
}

fn has_value(kind: SymbolKind) -> bool {
    matches!(
        kind,
        SymbolKind::Constant
            | SymbolKind::Param
            | SymbolKind::Variable
            | SymbolKind::LocalVariable
            | SymbolKind::Channel
            | SymbolKind::Parameter
            | SymbolKind::Bound
            | SymbolKind::Observed
            | SymbolKind::Field
    )
}

/// What is done with the value of a name. To assign to a cell or a field writes the variable.
fn access(name: &SyntaxNode) -> Access {
    if ast::Name::can_cast(name.kind()) {
        return Access::Written;
    }
    let Some(mut place) = name.parent() else {
        return Access::Named;
    };
    match place.kind() {
        SyntaxKind::SEND_CLAUSE => return Access::Written,
        SyntaxKind::CHANGE_CLAUSE => return Access::Named,
        // The value that a field of a whole record is given.
        SyntaxKind::RECORD_FIELD => return Access::Written,
        _ => {}
    }
    while let Some(around) = place.parent() {
        match around.kind() {
            SyntaxKind::INDEX_EXPR | SyntaxKind::FIELD_EXPR
                if around.first_child().as_ref() == Some(&place) =>
            {
                place = around;
            }
            SyntaxKind::BIND_ARG => return Access::Written,
            SyntaxKind::ASSIGNMENT => {
                let assigned = ast::Assignment::cast(around).and_then(|one| one.place());
                let is_assigned = assigned.is_some_and(|assigned| *assigned.syntax() == place);
                return match is_assigned {
                    true => Access::Written,
                    false => Access::Read,
                };
            }
            // A macro may assign to what it is given.
            SyntaxKind::ARG_LIST
                if around.parent().map(|call| call.kind()) == Some(SyntaxKind::CALL_STMT) =>
            {
                return Access::Named;
            }
            _ => break,
        }
    }
    Access::Read
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file};
    use super::*;

    /// "line: what is done" of each place.
    fn shown(marked: &str) -> Vec<String> {
        let (text, at) = cursor(marked);
        let (db, file) = file(&text);
        let found = highlights(&db, file, at).unwrap_or_default();
        let shown = found.into_iter().map(|one| {
            let line = 1 + text[..one.bytes.start].matches('\n').count();
            format!("{line}: {:?}", one.access)
        });
        shown.collect()
    }

    #[test]
    fn what_is_assigned_is_told_from_what_is_read() {
        let text = "\
var $0x: array[0..1] of 0..1
channel c: queue[1] of 0..1
process p {
    x[x[0]] = 1
    receive c(?x[1]);
    send c(x[0]) do x[0] = 1 - x[0]
    set(x[0])
    await x[1] == 0
}
macro set(y in 0..1) { y = 1 }
invariant i: forall x in 0..1: x >= 0
";
        assert_eq!(
            shown(text),
            [
                "1: Written",
                "4: Written",
                "4: Read",
                "5: Written",
                "6: Read",
                "6: Written",
                "6: Read",
                "7: Named",
                "8: Read"
            ]
        );
        let other = text.replace("$0x", "x").replace("channel c", "channel $0c");
        assert_eq!(shown(&other), ["2: Written", "5: Read", "6: Written"]);
        let parameter = text.replace("$0x", "x").replace("{ y", "{ $0y");
        assert_eq!(shown(&parameter), ["10: Written", "10: Written"]);
    }

    #[test]
    fn a_state_is_only_named() {
        let text = "process p { initial state $0s { -> s } }\ninvariant i: p@s\n";
        assert_eq!(shown(text), ["1: Named", "1: Named", "2: Named"]);
    }

    #[test]
    fn a_variable_of_a_process_is_read_from_outside() {
        let text = "process p { var $0j: bool\n j = true }\ninvariant i: p.j or not p.j\n";
        assert_eq!(
            shown(text),
            ["1: Written", "2: Written", "3: Read", "3: Read"]
        );
    }

    #[test]
    fn the_places_of_a_field_are_those_of_its_record() {
        let text = "\
type R = record { $0f: 0..1, g: 0..1 }
var r: R
var s: array[0..0] of R
var other: record { f: bool }
process p {
    r.f = s[0].f
    r = {f: r.g, g: 0}
    other.f = s[0].g == 0
}
";
        let all = ["1: Written", "6: Written", "6: Read", "7: Written"];
        assert_eq!(shown(text), all);
        let used = text.replace("$0f", "f").replace("s[0].f", "s[0].$0f");
        assert_eq!(shown(&used), all);
    }

    #[test]
    fn a_text_with_errors_shows_the_places_that_are_known() {
        let text = "var $0x: bool\nprocess p { x = }\nprocess q { await x and }\n";
        assert_eq!(shown(text), ["1: Written", "2: Written", "3: Read"]);
    }

    #[test]
    fn where_no_name_stands_nothing_is_shown() {
        assert_eq!(shown("var x: bool $0 \n"), Vec::<String>::new());
    }
}
