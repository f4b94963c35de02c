//! The path of a `use`: which file it is, and what that declares.

use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_model::program::relative_to;
use stubborn_syntax::ast::{AstNode, UseDecl};
use stubborn_syntax::{SyntaxKind, SyntaxToken};
use stubborn_system::source::FileId;

use crate::database::{Contents, Db, SourceFile, analyzed, whole};

/// So many names of one kind are listed.
const MOST_NAMES: usize = 20;

pub fn told(db: &dyn Db, file: SourceFile, token: &SyntaxToken) -> Option<String> {
    if token.kind() != SyntaxKind::STRING {
        return None;
    }
    let written = UseDecl::cast(token.parent()?)?.path()?;
    let used = db.file(&relative_to(file.path(db), &written));
    let path = used.path(db);
    match used.contents(db) {
        Contents::Text(_) => {}
        Contents::Missing => return Some(format!("There is no file `{path}`.")),
        Contents::Refused(why) => return Some(format!("{why}.")),
        Contents::Unread => return Some(format!("`{path}` has not been read yet.")),
    }
    let (whole, analysis) = (whole(db, file)?, analyzed(db, file)?);
    let mut files = whole.program.files.iter();
    let id = FileId(files.position(|file| *file.path == **path)? as u32);
    let declared: Vec<&Symbol> = analysis
        .symbols
        .iter()
        .filter(|symbol| symbol.span.file == id)
        .collect();
    let mut text = format!("`{path}`");
    for (what, is_of) in KINDS {
        let names: Vec<&str> = declared
            .iter()
            .filter(|symbol| is_of(symbol.kind))
            .map(|symbol| &*symbol.name)
            .collect();
        if names.is_empty() {
            continue;
        }
        let shown: Vec<String> = names
            .iter()
            .take(MOST_NAMES)
            .map(|name| format!("`{name}`"))
            .collect();
        let more = match names.len().saturating_sub(MOST_NAMES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        text.push_str(&format!("\n\n{what}: {}{more}", shown.join(", ")));
    }
    Some(text)
}

type IsOf = fn(SymbolKind) -> bool;

/// What is listed of a file, in this order.
const KINDS: [(&str, IsOf); 8] = [
    ("parameters and constants", |kind| {
        matches!(kind, SymbolKind::Param | SymbolKind::Constant)
    }),
    ("types", |kind| {
        matches!(kind, SymbolKind::Type | SymbolKind::Enumeration)
    }),
    ("variables and channels", |kind| {
        matches!(kind, SymbolKind::Variable | SymbolKind::Channel)
    }),
    ("actions", |kind| kind == SymbolKind::Action),
    ("definitions and macros", |kind| {
        matches!(kind, SymbolKind::Definition | SymbolKind::Macro)
    }),
    ("processes", |kind| kind == SymbolKind::Process),
    ("assumptions", |kind| kind == SymbolKind::Assumption),
    ("properties and testers", |kind| {
        matches!(kind, SymbolKind::Property | SymbolKind::Tester)
    }),
];
