//! Who takes part in what: the places of the texts at which processes, testers and specifications take
//! part in actions, send to channels and receive from them, and use macros that do.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use stubborn_model::Analysis;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_model::program::Program;
use stubborn_syntax::ast::{self, AstNode};
use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::{FileId, Span};

use super::references::seeing;
use super::tree::{bytes, declaring, span};
use super::{Location, Target};
use crate::database::{Db, SourceFile};

/// How somebody takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// `on`, or a mention in an alphabet: the action does not occur without it.
    Synchronises,
    Sends,
    Receives,
    /// A macro stands for what is in it.
    Uses,
}

/// A place at which somebody takes part in something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participation {
    pub role: Role,
    /// The name of the action, channel or macro, and the step around it.
    pub place: Target,
    /// Which process, tester, specification or macro it is.
    pub who: Option<Declaration>,
    /// The action, channel or macro.
    pub what: Declaration,
}

/// A declaration, by the place of its name.
#[derive(Clone, Debug)]
pub struct Declaration {
    pub name: Location,
    pub node: SyntaxNode,
}

impl PartialEq for Declaration {
    fn eq(&self, other: &Declaration) -> bool {
        self.name == other.name
    }
}

impl Eq for Declaration {}

/// The declaration of a name of a program.
pub fn declaration(program: &Program, name: Span) -> Option<Declaration> {
    let place = Location::of(program, name)?;
    let root = program.file(name.file).parse.syntax();
    let node = declaring(&root, place.bytes.clone())?;
    Some(Declaration { name: place, node })
}

/// All participations in the programs of those `roots` that have a part in the file with this path: in
/// each file once, in the order of the text; the file's own program first.
pub fn participations(db: &dyn Db, roots: &[SourceFile], file: SourceFile) -> Vec<Participation> {
    let mut done: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut found = Vec::new();
    for root in seeing(db, roots, file, file.path(db)) {
        let names = Names::new(&root.whole.program, &root.analysis);
        for (at, parsed) in root.whole.program.files.iter().enumerate() {
            if done.insert(parsed.path.as_str().into()) {
                names.participations(FileId(at as u32), &mut found);
            }
        }
    }
    found
}

/// What the names of a program stand for, also at places that elaboration has not come to.
struct Names<'a> {
    program: &'a Program,
    analysis: &'a Analysis,
    /// Actions, channels and macros, which share a space of names.
    by_name: HashMap<&'a str, &'a Symbol>,
}

impl<'a> Names<'a> {
    fn new(program: &'a Program, analysis: &'a Analysis) -> Names<'a> {
        let is_own = |symbol: &Symbol| {
            let declared = declaration(program, symbol.span);
            let around = declared.and_then(|declared| declared.node.parent());
            around.is_some_and(|around| around.kind() == SyntaxKind::BODY)
        };
        let mut by_name = HashMap::new();
        for symbol in analysis.symbols.iter() {
            let is_wanted = match symbol.kind {
                SymbolKind::Action | SymbolKind::Channel => true,
                SymbolKind::Macro => !is_own(symbol),
                _ => false,
            };
            if is_wanted {
                by_name.entry(&*symbol.name).or_insert(symbol);
            }
        }
        Names {
            program,
            analysis,
            by_name,
        }
    }

    fn participations(&self, file: FileId, found: &mut Vec<Participation>) {
        let root = self.program.file(file).parse.syntax();
        let sees = self.program.visible_from(file);
        let mut declared: HashMap<Span, Option<Declaration>> = HashMap::new();
        for node in root.descendants() {
            let (role, wanted, name) = match node.kind() {
                SyntaxKind::ON_CLAUSE => {
                    let name = ast::OnClause::cast(node.clone()).and_then(|one| one.action());
                    (Role::Synchronises, SymbolKind::Action, name)
                }
                SyntaxKind::EVENT => {
                    let lists = [SyntaxKind::ALPHABET_DECL, SyntaxKind::VISIBLE_DECL];
                    if !node.parent().is_some_and(|one| lists.contains(&one.kind())) {
                        continue;
                    }
                    let name = ast::Event::cast(node.clone()).and_then(|one| one.name_ref());
                    (Role::Synchronises, SymbolKind::Action, name)
                }
                SyntaxKind::SEND_CLAUSE => {
                    let name = ast::SendClause::cast(node.clone()).and_then(|one| one.channel());
                    (Role::Sends, SymbolKind::Channel, name)
                }
                SyntaxKind::RECEIVE_CLAUSE => {
                    let clause = ast::ReceiveClause::cast(node.clone());
                    let name = clause.and_then(|one| one.channel());
                    (Role::Receives, SymbolKind::Channel, name)
                }
                SyntaxKind::CALL_STMT => {
                    let name = ast::CallStmt::cast(node.clone()).and_then(|one| one.name_ref());
                    (Role::Uses, SymbolKind::Macro, name)
                }
                _ => continue,
            };
            let Some(name) = name else { continue };
            let used = span(file, name.range());
            let symbol = self.analysis.symbols.at(used).or_else(|| {
                let symbol = self.by_name.get(name.text().as_str()).copied();
                symbol.filter(|symbol| sees.contains(&symbol.span.file))
            });
            let Some(symbol) = symbol.filter(|symbol| symbol.kind == wanted) else {
                continue;
            };
            let what = declared
                .entry(symbol.span)
                .or_insert_with(|| declaration(self.program, symbol.span));
            let Some(what) = what.clone() else { continue };
            let Some(name) = Location::of(self.program, used) else {
                continue;
            };
            found.push(Participation {
                role,
                place: Target {
                    name,
                    whole: bytes(step_around(&node).text_range()),
                },
                who: self.who(file, &node),
                what,
            });
        }
    }

    /// Whose text a node is.
    fn who(&self, file: FileId, node: &SyntaxNode) -> Option<Declaration> {
        let node = node.ancestors().find(takes_part)?;
        let name = node.children().find_map(ast::Name::cast)?;
        let name = Location::of(self.program, span(file, name.range()))?;
        Some(Declaration { name, node })
    }
}

/// Whether a node declares somebody who can take part in something.
pub fn takes_part(node: &SyntaxNode) -> bool {
    matches!(
        node.kind(),
        SyntaxKind::PROCESS_DECL
            | SyntaxKind::MACRO_DECL
            | SyntaxKind::TESTER_DECL
            | SyntaxKind::SPECIFICATION_DECL
    )
}

fn step_around(node: &SyntaxNode) -> SyntaxNode {
    let step = node.parent().filter(|one| one.kind() == SyntaxKind::STEP);
    step.unwrap_or_else(|| node.clone())
}
