//! Where a name is declared.

use std::ops::Range;

use stubborn_model::names::Symbols;
use stubborn_model::program::Program;
use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_system::source::FileId;

use super::fields::Fields;
use super::links::links;
use super::tree::{bytes, declaring, token_at};
use super::{Lead, Location, Target};
use crate::database::{Db, SourceFile, analyzed, whole};

/// Where the name at `offset` is declared; of the name of a file in a `use`, that file; of `end`, the
/// end of its process.
pub fn definition(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Lead> {
    let is_there = |bytes: &Range<usize>| bytes.start <= offset && offset <= bytes.end;
    if let Some(link) = links(db, file).into_iter().find(|one| is_there(&one.bytes)) {
        let name = Location {
            path: link.target,
            bytes: 0..0,
        };
        let to = vec![Target { name, whole: 0..0 }];
        return Some(Lead {
            from: link.bytes,
            to,
        });
    }
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let at = u32::try_from(offset).ok()?;
    match analysis.symbols.at_offset(FileId(0), at) {
        Some((from, symbol)) => Some(Lead {
            from: from.start as usize..from.end as usize,
            to: vec![Target::declared(&whole.program, symbol.span)?],
        }),
        None => field(&whole.program, &analysis.symbols, offset)
            .or_else(|| end_of_process(&whole.program, &analysis.symbols, offset)),
    }
}

/// Where the field of a record is declared.
fn field(program: &Program, symbols: &Symbols, offset: usize) -> Option<Lead> {
    let (from, declared) = Fields { program, symbols }.at(offset)?;
    let to = vec![Target::declared(program, declared)?];
    Some(Lead { from, to })
}

/// Where `p@end` is: at the brace that closes the body of `p`.
fn end_of_process(program: &Program, symbols: &Symbols, offset: usize) -> Option<Lead> {
    let token = token_at(&program.file(FileId(0)).parse.syntax(), offset)?;
    let location = token.parent().and_then(ast::NameRef::cast)?;
    if location.text() != "end" {
        return None;
    }
    let around = location.syntax().parent()?;
    let process = match around.kind() {
        SyntaxKind::EVENT => ast::Event::cast(around)?.name_ref()?,
        SyntaxKind::AT_EXPR => match ast::AtExpr::cast(around)?.instance()? {
            ast::Expr::Call(call) => call.name_ref()?,
            ast::Expr::Name(name) => name.name_ref()?,
            _ => return None,
        },
        _ => return None,
    };
    let used = bytes(process.range());
    let (_, process) = symbols.at_offset(FileId(0), u32::try_from(used.start).ok()?)?;
    let place = Location::of(program, process.span)?;
    let root = program.file(process.span.file).parse.syntax();
    let process = ast::ProcessDecl::cast(declaring(&root, place.bytes)?)?;
    let brace = bytes(process.body()?.r_brace_token()?.text_range());
    let name = Location {
        path: place.path,
        bytes: brace.clone(),
    };
    Some(Lead {
        from: bytes(location.range()),
        to: vec![Target { name, whole: brace }],
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file, files};
    use super::*;

    const MODEL: &str = "var x: bool\nprocess p { $0x = not x }\ninvariant i: x or not x\n";

    #[test]
    fn a_use_leads_to_the_declaration() {
        let (text, at) = cursor(MODEL);
        let (db, file) = file(&text);
        let lead = definition(&db, file, at).expect("a place");
        assert_eq!((lead.from.start, lead.to[0].name.bytes.clone()), (at, 4..5));
        assert_eq!(lead.to[0].whole, 0..11);
        assert_eq!(definition(&db, file, 0), None);
    }

    #[test]
    fn the_name_of_a_file_leads_to_it() {
        let (text, at) = cursor("use \"m.$0stb\"\ninvariant i: x or not x\n");
        let (db, file) = files(&[("/m.stb", MODEL), ("/t.tester", &text)]);
        let lead = definition(&db, file, at).expect("a file");
        assert_eq!(&text[lead.from], "m.stb");
        assert_eq!(
            (&*lead.to[0].name.path, lead.to[0].name.bytes.clone()),
            ("/m.stb", 0..0)
        );
    }

    #[test]
    fn a_field_leads_to_its_declaration() {
        let text = "type R = record { f: bool }\nvar r: R\nprocess p { r.$0f = not r.f }\n";
        let (text, at) = cursor(text);
        let (db, file) = file(&text);
        let lead = definition(&db, file, at).expect("a place");
        assert_eq!(&text[lead.to[0].whole.clone()], "f: bool");
    }

    #[test]
    fn end_is_where_the_body_of_its_process_ends() {
        let (text, at) = cursor(
            "process p(i in 0..1) { skip }\ninvariant i: p(0)@{e$0nd} or not p(0)@end\n\
             fair f: p(0)@end\n",
        );
        let (db, file) = file(&text);
        for offset in [
            at,
            text.find("end\nfair").unwrap(),
            text.rfind("end").unwrap(),
        ] {
            let lead = definition(&db, file, offset).expect("a place");
            assert_eq!(&text[lead.from], "end");
            assert_eq!(
                lead.to[0].name.bytes,
                text.find("}").map(|at| at..at + 1).unwrap()
            );
        }
    }
}
