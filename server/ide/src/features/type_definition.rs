//! Where the type of what stands at a place is declared: of a variable the names in its type, of a
//! value its enumeration, of a state or a label its process, of what is declared without a type the
//! enumeration that its value is of.
//!
//! `bool` and `0..3` are declared nowhere, so that they lead nowhere.

use std::collections::HashSet;

use stubborn_model::Analysis;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;

use super::fields::Fields;
use super::tree::{bytes, declaring, span};
use super::{Lead, Location, Target};
use crate::database::{Db, SourceFile, analyzed, whole};

/// Where the type of what stands at `offset` is declared, the type of an array's cells before that of
/// its index.
pub fn type_definition(db: &dyn Db, file: SourceFile, offset: usize) -> Option<Lead> {
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let fields = Fields::new(&whole.program, &analysis);
    let (from, symbol) = fields.symbol_at(offset)?;
    let mut to = types(&whole.program, &analysis, symbol);
    let mut known = HashSet::new();
    to.retain(|one| known.insert(one.name.clone()));
    (!to.is_empty()).then_some(Lead { from, to })
}

fn types(program: &Program, analysis: &Analysis, symbol: &Symbol) -> Vec<Target> {
    let declared = || {
        let place = Location::of(program, symbol.span)?;
        let root = program.file(symbol.span.file).parse.syntax();
        declaring(&root, place.bytes)
    };
    let Some(node) = declared() else {
        return Vec::new();
    };
    let file = symbol.span.file;
    match symbol.kind {
        SymbolKind::EnumerationValue | SymbolKind::State | SymbolKind::Label => {
            around(program, file, &node).into_iter().collect()
        }
        SymbolKind::Process => Target::declared(program, symbol.span).into_iter().collect(),
        _ => {
            let mut written = Vec::new();
            for child in node.children() {
                match child.kind() {
                    SyntaxKind::MESSAGE => {
                        written.extend(child.children().filter_map(ast::TypeExpr::cast));
                    }
                    _ => written.extend(ast::TypeExpr::cast(child)),
                }
            }
            if written.is_empty() {
                return of_value(program, analysis, symbol).into_iter().collect();
            }
            let to = |ty| written_in(program, analysis, file, ty);
            written.into_iter().flat_map(to).collect()
        }
    }
}

/// What a value, a state or a label belongs to.
fn around(program: &Program, file: FileId, node: &SyntaxNode) -> Option<Target> {
    let around = node.ancestors().skip(1).find_map(ast::Item::cast)?;
    Target::declared(program, span(file, around.name()?.range()))
}

/// The types whose names stand in a written type. A record that is written out is its own.
fn written_in(
    program: &Program,
    analysis: &Analysis,
    file: FileId,
    ty: ast::TypeExpr,
) -> Vec<Target> {
    let mut found = Vec::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty {
            ast::TypeExpr::Bool(_) | ast::TypeExpr::Range(_) => {}
            ast::TypeExpr::Named(named) => {
                let Some(name) = named.name_ref() else {
                    continue;
                };
                let symbol = analysis.symbols.at(span(file, name.range()));
                found.extend(symbol.and_then(|one| Target::declared(program, one.span)));
            }
            ast::TypeExpr::Array(array) => {
                open.extend(array.indices());
                open.extend(array.element());
            }
            ast::TypeExpr::Set(set) => open.extend(set.element()),
            ast::TypeExpr::List(list) => open.extend(list.element()),
            ast::TypeExpr::Record(record) => {
                let whole = bytes(record.range());
                let name = Location {
                    path: program.file(file).path.as_str().into(),
                    bytes: whole.clone(),
                };
                found.push(Target { name, whole });
            }
        }
    }
    found
}

/// The enumeration of a value whose type is not written.
fn of_value(program: &Program, analysis: &Analysis, symbol: &Symbol) -> Option<Target> {
    let cells = symbol.ty.rsplit(" of ").next()?;
    let mut symbols = analysis.symbols.iter();
    let found = symbols.find(|one| one.kind == SymbolKind::Enumeration && *one.name == *cells)?;
    Target::declared(program, found.span)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, file, files};
    use super::*;

    const MODEL: &str = "\
enum Color { red, green }
type Id = 0..3
var gate: array[Id] of Color
var both: record { c: Color, n: 0..3 }
var plain: 0..3
const first = red
channel c: queue[1] of Id, Color
action go(Color)
process p(i in Id) {
    initial state s { on go(red) do gate[i] = red -> s }
}
";

    /// What the first `what` leads to.
    fn leads(text: &str, what: &str) -> Vec<String> {
        let at = text.find(what).expect("the text") + what.len();
        let (db, file) = file(text);
        let lead = type_definition(&db, file, at);
        let to = lead.into_iter().flat_map(|lead| lead.to);
        to.map(|one| text[one.name.bytes].to_owned()).collect()
    }

    #[test]
    fn a_variable_leads_to_the_names_in_its_type() {
        assert_eq!(leads(MODEL, "do gate"), ["Color", "Id"]);
        assert_eq!(leads(MODEL, "var both"), ["record { c: Color, n: 0..3 }"]);
        assert_eq!(leads(MODEL, "var plain"), Vec::<String>::new());
        assert_eq!(leads(MODEL, "p(i"), ["Id"]);
        let text = format!("{MODEL}invariant i: both.c == red\n");
        assert_eq!(leads(&text, "both.c"), ["Color"]);
    }

    #[test]
    fn what_has_values_of_a_type_leads_to_it() {
        assert_eq!(leads(MODEL, "const first"), ["Color"]);
        assert_eq!(leads(MODEL, "channel c"), ["Id", "Color"]);
        assert_eq!(leads(MODEL, "on go"), ["Color"]);
        let text = format!("{MODEL}action again(Color, Id, Color)\n");
        assert_eq!(leads(&text, "action again"), ["Color", "Id"]);
        assert_eq!(leads(MODEL, "gate[i] = red"), ["Color"]);
    }

    #[test]
    fn a_state_leads_to_its_process() {
        assert_eq!(leads(MODEL, "-> s"), ["p"]);
        assert_eq!(leads(MODEL, "process p"), ["p"]);
    }

    #[test]
    fn a_type_of_a_model_is_found_from_its_tester() {
        let (text, at) = cursor("use \"m.stb\"\ninvariant i: gate$0[0] == red and (\n");
        let (db, file) = files(&[("/m.stb", MODEL), ("/t.tester", &text)]);
        let lead = type_definition(&db, file, at).expect("a type");
        let to = &lead.to[0].name;
        assert_eq!((&*to.path, &MODEL[to.bytes.clone()]), ("/m.stb", "Color"));
    }
}
