//! The names at a place, and what those that take arguments ask for.

use stubborn_model::Analysis;
use stubborn_model::names::Scopes;
use stubborn_model::names::symbols::{Symbol, SymbolKind};
use stubborn_model::program::Program;
use stubborn_syntax::SyntaxNode;
use stubborn_syntax::ast::{self, AstNode, TypeExpr};
use stubborn_system::source::FileId;

use super::tree::declaring_in;

/// The names that mean something by themselves at a place of the first file of a program.
pub struct Names<'a> {
    program: &'a Program,
    analysis: &'a Analysis,
    /// The innermost first.
    pub here: Vec<&'a Symbol>,
}

impl<'a> Names<'a> {
    pub fn new(
        program: &'a Program,
        analysis: &'a Analysis,
        scopes: &'a Scopes,
        offset: usize,
    ) -> Names<'a> {
        let offset = u32::try_from(offset).unwrap_or(u32::MAX);
        Names {
            program,
            analysis,
            here: scopes.at(FileId(0), offset),
        }
    }

    /// What a name of an expression, a type or a step stands for.
    pub fn general(&self, name: &str) -> Option<&'a Symbol> {
        let mut here = self.here.iter();
        let is_meant = |symbol: &&&Symbol| {
            *symbol.name == *name
                && !matches!(
                    symbol.kind,
                    SymbolKind::State
                        | SymbolKind::Label
                        | SymbolKind::Property
                        | SymbolKind::Assumption
                        | SymbolKind::Tester
                )
        };
        here.find(is_meant).copied()
    }

    /// The specification, tester or property with this name.
    pub fn property(&self, name: &str) -> Option<&'a Symbol> {
        let mut here = self.here.iter();
        let is_meant = |symbol: &&&Symbol| {
            *symbol.name == *name
                && matches!(symbol.kind, SymbolKind::Property | SymbolKind::Tester)
        };
        here.find(is_meant).copied()
    }

    /// The node that declares a name.
    pub fn declaration(&self, symbol: &Symbol) -> Option<SyntaxNode> {
        declaring_in(self.program, symbol.span)
    }

    /// What is declared within a declaration.
    pub fn within(&self, symbol: &Symbol) -> impl Iterator<Item = &'a Symbol> + use<'a> {
        let file = symbol.span.file;
        let piece = self.declaration(symbol).map(|node| node.text_range());
        self.analysis.symbols.iter().filter(move |one| {
            let start = one.span.start;
            one.span.file == file && piece.is_some_and(|piece| piece.contains(start.into()))
        })
    }
}

/// What a declaration asks for in parentheses, each as it is written there; `None` where it takes no
/// arguments.
pub fn parameters(declared: &SyntaxNode) -> Option<Vec<String>> {
    let text = |node: &SyntaxNode| {
        let text = node.text().to_string();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let types = |types: Vec<TypeExpr>| types.iter().map(|ty| text(ty.syntax())).collect();
    if let Some(action) = ast::ActionDecl::cast(declared.clone()) {
        return Some(types(action.types().collect()));
    }
    if let Some(channel) = ast::ChannelDecl::cast(declared.clone()) {
        return Some(types(channel.message_types()));
    }
    let list = declared.children().find_map(ast::ParamList::cast)?;
    Some(list.bindings().map(|one| text(one.syntax())).collect())
}

/// The `where` behind them, as it is written there.
pub fn where_clause(declared: &SyntaxNode) -> Option<String> {
    let list = declared.children().find_map(ast::ParamList::cast)?;
    let text = list.where_clause()?.syntax().text().to_string();
    Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Whether a declared name is used with parentheses.
pub fn takes_arguments(declared: &SyntaxNode) -> bool {
    if let Some(action) = ast::ActionDecl::cast(declared.clone()) {
        return action.types().next().is_some();
    }
    if let Some(channel) = ast::ChannelDecl::cast(declared.clone()) {
        return !channel.message_types().is_empty();
    }
    let list = declared.children().find_map(ast::ParamList::cast);
    list.is_some_and(|list| list.bindings().next().is_some())
}
