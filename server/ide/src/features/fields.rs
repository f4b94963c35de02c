//! Where the fields of records are declared that a text uses. Types are equal by their form, so that a
//! field is no name of its own among the symbols: it is found by the types as they are written.

use std::ops::Range;

use stubborn_model::Analysis;
use stubborn_model::names::Symbols;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_model::program::Program;
use stubborn_syntax::SyntaxKind;
use stubborn_syntax::ast::{self, AstNode, Expr, HasName, TypeExpr};
use stubborn_system::source::{FileId, Span};

use super::tree::{bytes, declaring_in, span, token_at};

/// A type can have so many names on the way to what it is; one that has more has no end.
const MOST_NAMES: usize = 100;

/// The fields of a program.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    pub program: &'a Program,
    pub symbols: &'a Symbols,
}

/// A type as it is written in a file.
pub(super) type Written = (FileId, TypeExpr);

impl<'a> Fields<'a> {
    pub fn new(program: &'a Program, analysis: &'a Analysis) -> Fields<'a> {
        Fields {
            program,
            symbols: &analysis.symbols,
        }
    }

    /// The name at `offset` of the program's first file and its symbol, which may be a field.
    pub fn symbol_at(&self, offset: usize) -> Option<(Range<usize>, &'a Symbol)> {
        let at = u32::try_from(offset).ok()?;
        if let Some((name, symbol)) = self.symbols.at_offset(FileId(0), at) {
            return Some((name.start as usize..name.end as usize, symbol));
        }
        let (name, declared) = self.at(offset)?;
        Some((name, self.symbols.at(declared)?))
    }

    /// The name of a field that is used or declared at `offset` of the program's first file, and where
    /// it is declared.
    pub fn at(&self, offset: usize) -> Option<(Range<usize>, Span)> {
        let file = FileId(0);
        let token = token_at(&self.program.file(file).parse.syntax(), offset)?;
        let name = token.parent()?;
        let here = bytes(token.text_range());
        if let Some(name) = ast::Name::cast(name.clone()) {
            let is_field = name.syntax().parent()?.kind() == SyntaxKind::FIELD_DECL;
            return is_field.then(|| (here, span(file, name.range())));
        }
        Some((here, self.declared(file, &ast::NameRef::cast(name)?)?))
    }

    /// Where the field that is declared there is used, in the order of the files and of their texts.
    pub fn uses(&self, name: &str, declared: Span) -> Vec<Span> {
        let only = self.only(name);
        let files = (0..).map(FileId).zip(&self.program.files);
        let uses = files.flat_map(|(file, _)| self.uses_of(file, name, declared, only));
        uses.collect()
    }

    /// The same, in one file.
    pub fn uses_in(&self, file: FileId, name: &str, declared: Span) -> Vec<Span> {
        self.uses_of(file, name, declared, self.only(name))
    }

    fn uses_of(&self, file: FileId, name: &str, declared: Span, only: Option<Span>) -> Vec<Span> {
        let parsed = self.program.file(file);
        // A text that has no such name in it at all need not be gone through.
        if !parsed.text.contains(name) {
            return Vec::new();
        }
        let names = parsed.parse.syntax().descendants();
        let names = names.filter_map(ast::NameRef::cast);
        let same = names.filter(|one| one.text() == name);
        let its = same.filter(|one| self.declared_or(file, one, only) == Some(declared));
        its.map(|one| span(file, one.range())).collect()
    }

    /// Where the field is declared that is used here, if it is one: what the types as they are written
    /// tell, and where they tell nothing the only field of this name.
    pub fn declared(&self, file: FileId, used: &ast::NameRef) -> Option<Span> {
        self.declared_or(file, used, self.only(&used.text()))
    }

    fn declared_or(&self, file: FileId, used: &ast::NameRef, only: Option<Span>) -> Option<Span> {
        let around = used.syntax().parent()?;
        let is_field = match around.kind() {
            SyntaxKind::FIELD_EXPR => {
                // What is behind a `.` may be the variable of a process.
                ast::FieldExpr::cast(around)?.field().as_ref() == Some(used)
                    && self.symbols.at(span(file, used.range())).is_none()
            }
            kind => kind == SyntaxKind::RECORD_FIELD,
        };
        if !is_field {
            return None;
        }
        self.by_types(file, used).or(only)
    }

    /// The only field of this name.
    fn only(&self, name: &str) -> Option<Span> {
        let is_it = |symbol: &&Symbol| symbol.kind == SymbolKind::Field && *symbol.name == *name;
        let mut fields = self.symbols.iter().filter(is_it);
        let first = fields.next()?;
        fields.next().is_none().then_some(first.span)
    }

    fn by_types(&self, file: FileId, used: &ast::NameRef) -> Option<Span> {
        let around = used.syntax().parent()?;
        let record = match around.kind() {
            SyntaxKind::FIELD_EXPR => {
                let field = ast::FieldExpr::cast(around)?;
                let is_field = field.field().as_ref() == Some(used);
                self.of_expression(file, &field.base().filter(|_| is_field)?)?
            }
            SyntaxKind::RECORD_FIELD => {
                let record = around.parent().and_then(Expr::cast)?;
                self.wanted(file, &record)?
            }
            _ => return None,
        };
        let (file, field) = self.field(record, &used.text())?;
        Some(span(file, field.name()?.range()))
    }

    /// The field of a record type.
    fn field(&self, record: Written, name: &str) -> Option<(FileId, ast::FieldDecl)> {
        let (file, TypeExpr::Record(record)) = self.without_names(record)? else {
            return None;
        };
        let mut fields = record.fields();
        let is_it = |field: &ast::FieldDecl| field.name().is_some_and(|one| one.text() == name);
        Some((file, fields.find(is_it)?))
    }

    /// What the names of a type stand for.
    pub(super) fn without_names(&self, written: Written) -> Option<Written> {
        let (mut file, mut ty) = written;
        for _ in 0..MOST_NAMES {
            let TypeExpr::Named(named) = &ty else {
                return Some((file, ty));
            };
            let symbol = self.symbols.at(span(file, named.name_ref()?.range()))?;
            (file, ty) = self.of_symbol(symbol)?;
        }
        None
    }

    fn of_symbol(&self, symbol: &Symbol) -> Option<Written> {
        let file = symbol.span.file;
        let declared = declaring_in(self.program, symbol.span)?;
        Some((file, declared.children().find_map(TypeExpr::cast)?))
    }

    fn element(&self, array: Written) -> Option<Written> {
        self.cell(array, 1)
    }

    /// The cell that so many indices lead to.
    fn cell(&self, mut array: Written, mut indices: usize) -> Option<Written> {
        while indices > 0 {
            let (file, TypeExpr::Array(of)) = self.without_names(array)? else {
                return None;
            };
            indices = indices.checked_sub(of.indices().count())?;
            array = (file, of.element()?);
        }
        Some(array)
    }

    /// The type of an expression.
    pub(super) fn of_expression(&self, file: FileId, expression: &Expr) -> Option<Written> {
        match expression {
            Expr::Name(name) => {
                let symbol = self.symbols.at(span(file, name.name_ref()?.range()))?;
                self.of_symbol(symbol)
            }
            Expr::Paren(paren) => self.of_expression(file, &paren.inner()?),
            Expr::If(chosen) => self.of_expression(file, &chosen.then_value()?),
            Expr::With(with) => self.of_expression(file, &with.base()?),
            Expr::Index(cell) => {
                let (mut base, mut indices) = (cell.base()?, cell.indices().count());
                while let Expr::Index(inner) = &base {
                    indices += inner.indices().count();
                    base = inner.base()?;
                }
                self.cell(self.of_expression(file, &base)?, indices)
            }
            Expr::Field(field) => {
                let name = field.field()?;
                // The variable of an instance is a symbol.
                if let Some(symbol) = self.symbols.at(span(file, name.range())) {
                    return self.of_symbol(symbol);
                }
                let record = self.of_expression(file, &field.base()?)?;
                let (file, field) = self.field(record, &name.text())?;
                Some((file, field.ty()?))
            }
            _ => None,
        }
    }

    /// The type that is asked for where an expression stands.
    fn wanted(&self, file: FileId, expression: &Expr) -> Option<Written> {
        let around = expression.syntax().parent()?;
        match around.kind() {
            SyntaxKind::PAREN_EXPR | SyntaxKind::IF_EXPR => self.wanted(file, &Expr::cast(around)?),
            SyntaxKind::WITH_EXPR => match ast::WithExpr::cast(around.clone())?.base()? {
                base if base == *expression => self.wanted(file, &Expr::cast(around)?),
                base => self.of_expression(file, &base),
            },
            SyntaxKind::ARRAY_EXPR | SyntaxKind::COMPREHENSION_EXPR => {
                self.element(self.wanted(file, &Expr::cast(around)?)?)
            }
            SyntaxKind::RECORD_FIELD => {
                let name = ast::RecordField::cast(around.clone())?.name_ref()?;
                let record = self.wanted(file, &Expr::cast(around.parent()?)?)?;
                let (file, field) = self.field(record, &name.text())?;
                Some((file, field.ty()?))
            }
            SyntaxKind::ASSIGNMENT => {
                self.of_expression(file, &ast::Assignment::cast(around)?.place()?)
            }
            SyntaxKind::BINARY_EXPR => {
                let sides = around.children().filter_map(Expr::cast);
                let mut others = sides.filter(|side| side != expression);
                self.of_expression(file, &others.next()?)
            }
            SyntaxKind::VAR_DECL | SyntaxKind::CONST_DECL => {
                Some((file, around.children().find_map(TypeExpr::cast)?))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{cursor, files};
    use super::*;
    use crate::database::{analyzed, whole};

    const MODEL: &str = "\
type Point = record { x: 0..3, y: 0..3 }
type Line = array[0..1] of Point
type Both = record { line: Line, x: bool }
const start: Point = {x: 1, y: 2}
var both: Both
process p { var own: Point  own.x = 2 }
";

    /// "file:line" of the declaration of the field that stands at the cursor.
    fn declared(marked: &str) -> Option<String> {
        let (text, at) = cursor(marked);
        let text = format!("use \"m.stb\"\n{text}");
        let at = at + "use \"m.stb\"\n".len();
        let (db, file) = files(&[("/m.stb", MODEL), ("/t.tester", &text)]);
        let (whole, analysis) = (whole(&db, file)?, analyzed(&db, file)?);
        let fields = Fields::new(&whole.program, &analysis);
        let (_, declared) = fields.at(at)?;
        let file = whole.program.file(declared.file);
        let line = file.position(declared.start).line;
        Some(format!("{}:{line}", file.path))
    }

    #[test]
    fn a_field_is_found_by_the_type_of_what_it_is_of() {
        let found = |text: &str| declared(text).unwrap_or_default();
        assert_eq!(found("invariant i: both.line[0].x$0 > 0"), "/m.stb:1");
        assert_eq!(found("invariant i: both.$0x"), "/m.stb:3");
        assert_eq!(found("invariant i: (p.own).y$0 > 0"), "/m.stb:1");
        assert_eq!(found("invariant i: p.own.$0y > 0"), "/m.stb:1");
        assert_eq!(found("invariant i: start == {x: 0, $0y: 1}"), "/m.stb:1");
        let wanted = "const all: array[0..0] of Both = [{x: true, line: [{$0x: 1, y: 2}]}]";
        assert_eq!(found(wanted), "/m.stb:1");
        assert_eq!(
            found("const c: record { $0f: bool } = {f: true}"),
            "/t.tester:2"
        );
    }

    #[test]
    fn what_is_no_field_or_of_no_known_type_is_not_found() {
        assert_eq!(declared("invariant i: $0both.x"), None);
        assert_eq!(declared("invariant i: both.no$0ne"), None);
        assert_eq!(declared("invariant i: p.own$0 == start"), None);
        assert_eq!(
            declared("type A = B type B = A const c: A = {$0x: 1}"),
            None
        );
        assert_eq!(declared("invariant i: {$0x: 1"), None);
    }
}
