//! Declarations (§3) and properties (§6): accessors that the grammar does not give.

use super::{AstNode, ChannelDecl, Item, Name, Refinement, RefinesDecl, TypeExpr, UseDecl};
use super::{child, tokens_in};
use crate::SyntaxKind;

impl Item {
    /// The name that the item declares, where it declares one (a `var` declares several).
    pub fn name(&self) -> Option<Name> {
        match self {
            Item::Var(_) => None,
            _ => child(self.syntax()),
        }
    }
}

impl UseDecl {
    /// The file's name.
    pub fn path(&self) -> Option<String> {
        let token = self.path_token()?;
        let text = token.text();
        let text = text.strip_prefix('"').unwrap_or(text);
        Some(text.strip_suffix('"').unwrap_or(text).to_string())
    }
}

impl ChannelDecl {
    /// The type of the index of an array of channels.
    pub fn index(&self) -> Option<TypeExpr> {
        self.channel_index()?.ty()
    }
    /// The types of a message's parts.
    pub fn message_types(&self) -> Vec<TypeExpr> {
        self.message()
            .map(|message| message.types().collect())
            .unwrap_or_default()
    }
}

impl RefinesDecl {
    /// The semantics after `in`.
    pub fn refinement(&self) -> Option<Refinement> {
        let words = tokens_in(&self.syntax).filter(|(kind, _)| *kind == SyntaxKind::IDENT);
        let words: Vec<&str> = words.map(|(_, text)| text).collect();
        Refinement::from_text(&words.join(" "))
    }
}
