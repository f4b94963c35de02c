//! Names, and nodes that declare them.

use super::generated::{Binding, Name, NameRef, ParamList, WhereClause};
use super::node::{AstNode, child, first_own, first_own_token};
use crate::{SyntaxNode, SyntaxToken};

/// A node that declares a name.
pub trait HasName: AstNode {
    /// The name that is declared here.
    fn name(&self) -> Option<Name> {
        child(self.syntax())
    }
}

/// A node with parameters in parentheses, `(x in T, y in U)`.
pub trait HasParams: AstNode {
    /// The list with its parentheses.
    fn param_list(&self) -> Option<ParamList> {
        child(self.syntax())
    }
    /// The parameters, none where there is no list.
    fn params(&self) -> Vec<Binding> {
        self.param_list()
            .map(|list| list.bindings().collect())
            .unwrap_or_default()
    }
    /// Which of their values there are, where not all.
    fn where_clause(&self) -> Option<WhereClause> {
        self.param_list()?.where_clause()
    }
}

impl Name {
    /// The text of the name; empty only in a text with syntax errors.
    pub fn text(&self) -> String {
        name_text(&self.syntax)
    }
    /// The token of the name.
    pub fn token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

impl NameRef {
    /// The text of the name; empty only in a text with syntax errors.
    pub fn text(&self) -> String {
        name_text(&self.syntax)
    }
    /// The token of the name.
    pub fn token(&self) -> Option<SyntaxToken> {
        first_own_token(&self.syntax)
    }
}

fn name_text(node: &SyntaxNode) -> String {
    first_own(node)
        .map(|(_, text)| text.to_string())
        .unwrap_or_default()
}
