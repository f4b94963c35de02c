//! Declarations (§3) and properties (§6): accessors that the grammar does not give.

use rowan::GreenNodeData;

use super::generated::{
    Body, ChannelDecl, Item, Name, Refinement, RefinesDecl, SourceFile, TypeExpr, UseDecl,
};
use super::node::{AstNode, child, children, kind_of, nodes_in, tokens_in};
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
    /// The types of the indices of an array of channels.
    pub fn indices(&self) -> Vec<TypeExpr> {
        self.channel_index()
            .map(|index| index.types().collect())
            .unwrap_or_default()
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

impl SourceFile {
    /// Everything declared in the file, in the order of the text. What stands in a body by
    /// mistake is here too, after the item that it stands in: its name is known all the same.
    pub fn items(&self) -> impl Iterator<Item = Item> + use<> {
        children::<Item>(&self.syntax).flat_map(|item| {
            let body = child::<Body>(item.syntax());
            let inside = body
                .into_iter()
                .flat_map(|body| children::<Item>(body.syntax()));
            let misplaced = inside.filter(|it| !matches!(it, Item::Var(_) | Item::Macro(_)));
            std::iter::once(item).chain(misplaced)
        })
    }

    /// Those of the items that name a file which is used. The green tree of most texts shows that
    /// there are none.
    pub fn uses(&self) -> impl Iterator<Item = UseDecl> + use<> {
        let is_use = |node: &GreenNodeData| UseDecl::can_cast(kind_of(node));
        let is_there = nodes_in(self.syntax.green()).any(|item| {
            // One that stands in a body by mistake, too.
            is_use(item) || nodes_in(item).any(|body| nodes_in(body).any(is_use))
        });
        let items = is_there.then(|| self.items()).into_iter().flatten();
        items.filter_map(|item| match item {
            Item::Use(item) => Some(item),
            _ => None,
        })
    }
}
