//! Typed nodes: a thin view of the tree, in the words of the language.
//!
//! A node's accessors give `Option`s and iterators, because any part may be missing in a text
//! with mistakes; the mistake itself is among the errors of the [`Parse`](crate::Parse), so a
//! reader of the tree has nothing to say about what is missing. Where a text has no syntax
//! errors, the parts that the grammar requires are there.

mod bodies;
mod expressions;
mod items;
mod properties;
mod steps;
mod types;

pub use bodies::*;
pub use expressions::*;
pub use items::*;
pub use properties::*;
pub use steps::*;
pub use types::*;

use rowan::{GreenNodeData, Language as _, NodeOrToken, TextRange};

use crate::{Stubborn, SyntaxKind, SyntaxNode, SyntaxToken};

/// A typed view of a node.
pub trait AstNode: Sized {
    /// Whether a node of this kind can be viewed as `Self`.
    fn can_cast(kind: SyntaxKind) -> bool;
    /// The view of `node`, if it is of the right kind.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// The node itself.
    fn syntax(&self) -> &SyntaxNode;
    /// Where it stands: from its first token to its last, without the white space and the
    /// comments around it.
    fn range(&self) -> TextRange {
        self.syntax().text_range()
    }
}

/// A node that declares a name.
pub trait HasName: AstNode {
    /// The name that is declared here.
    fn name(&self) -> Option<Name> {
        child(self.syntax())
    }
}

/// A node that `///` lines may stand before.
pub trait HasDocs: AstNode {
    /// The text of the `///` lines directly before the node, without the slashes and the one
    /// space after them; `None` where there are none.
    fn docs(&self) -> Option<String> {
        docs_before(self.syntax())
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

/// Declares a typed node over one kind.
macro_rules! ast_node {
    ($(#[$doc:meta])* $name:ident = $kind:ident $(: $($traits:ident),+)?) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name {
            syntax: $crate::SyntaxNode,
        }

        impl $crate::ast::AstNode for $name {
            fn can_cast(kind: $crate::SyntaxKind) -> bool {
                kind == $crate::SyntaxKind::$kind
            }
            fn cast(node: $crate::SyntaxNode) -> Option<Self> {
                (node.kind() == $crate::SyntaxKind::$kind).then_some($name { syntax: node })
            }
            fn syntax(&self) -> &$crate::SyntaxNode {
                &self.syntax
            }
        }

        $($(impl $crate::ast::$traits for $name {})+)?
    };
}
pub(crate) use ast_node;

/// Declares a typed node that is one of several others.
macro_rules! ast_enum {
    ($(#[$doc:meta])* $name:ident { $($variant:ident($node:ty)),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name {
            $($variant($node),)+
        }

        impl $crate::ast::AstNode for $name {
            fn can_cast(kind: $crate::SyntaxKind) -> bool {
                $(<$node as $crate::ast::AstNode>::can_cast(kind))||+
            }
            fn cast(node: $crate::SyntaxNode) -> Option<Self> {
                let kind = node.kind();
                $(if <$node as $crate::ast::AstNode>::can_cast(kind) {
                    return <$node as $crate::ast::AstNode>::cast(node).map($name::$variant);
                })+
                None
            }
            fn syntax(&self) -> &$crate::SyntaxNode {
                match self {
                    $($name::$variant(node) => $crate::ast::AstNode::syntax(node),)+
                }
            }
        }

        $(impl From<$node> for $name {
            fn from(node: $node) -> $name {
                $name::$variant(node)
            }
        })+
    };
}
pub(crate) use ast_enum;

// A node over the tree is made anew each time that it is asked for, which costs more than a look at
// the tree itself: whether there is one is asked there.

/// The first child that can be viewed as `N`.
pub(crate) fn child<N: AstNode>(parent: &SyntaxNode) -> Option<N> {
    let is_there = kinds_in(parent).any(N::can_cast);
    is_there.then(|| parent.children().find_map(N::cast))?
}

/// The children that can be viewed as `N`, in the order of the text.
pub(crate) fn children<N: AstNode>(parent: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    parent.children().filter_map(N::cast)
}

/// The kinds of the children that are nodes.
pub(crate) fn kinds_in(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxKind> + '_ {
    let nodes = parent.green().children().filter_map(NodeOrToken::into_node);
    nodes.map(kind_of)
}

fn kind_of(node: &GreenNodeData) -> SyntaxKind {
    Stubborn::kind_from_raw(node.kind())
}

/// The children that are nodes.
fn nodes_in(parent: &GreenNodeData) -> impl Iterator<Item = &GreenNodeData> {
    parent.children().filter_map(NodeOrToken::into_node)
}

/// The tokens directly in the node, without their places.
pub(crate) fn tokens_in(parent: &SyntaxNode) -> impl Iterator<Item = (SyntaxKind, &str)> {
    let tokens = parent
        .green()
        .children()
        .filter_map(NodeOrToken::into_token);
    tokens.map(|token| (Stubborn::kind_from_raw(token.kind()), token.text()))
}

/// The first token of the kind directly in the node.
pub(crate) fn token(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    let is_there = tokens_in(parent).any(|(token, _)| token == kind);
    let mut tokens = is_there.then(|| parent.children_with_tokens())?;
    tokens.find_map(|element| element.into_token().filter(|token| token.kind() == kind))
}

/// The first token directly in the node that is neither white space nor a comment.
pub(crate) fn first_own_token(parent: &SyntaxNode) -> Option<SyntaxToken> {
    parent
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| !token.kind().is_trivia())
}

/// What [`first_own_token`] is, without its place.
pub(crate) fn first_own(parent: &SyntaxNode) -> Option<(SyntaxKind, &str)> {
    tokens_in(parent).find(|(kind, _)| !kind.is_trivia())
}

/// The first name directly in the node that is this contextual word.
pub(crate) fn word(parent: &SyntaxNode, text: &str) -> Option<SyntaxToken> {
    let is_it = |kind, token: &str| kind == SyntaxKind::IDENT && token == text;
    let is_there = tokens_in(parent).any(|(kind, token)| is_it(kind, token));
    let mut tokens = is_there.then(|| parent.children_with_tokens())?;
    tokens.find_map(|element| {
        let token = element.into_token();
        token.filter(|token| is_it(token.kind(), token.text()))
    })
}

fn docs_before(node: &SyntaxNode) -> Option<String> {
    let lines: Vec<String> = doc_lines_before(node)
        .iter()
        .map(|token| {
            let text = token.text().trim_start_matches("///");
            text.strip_prefix(' ')
                .unwrap_or(text)
                .trim_end()
                .to_string()
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Where a node stands, with the `///` lines directly before it.
pub fn documented_range(node: &SyntaxNode) -> TextRange {
    let range = node.text_range();
    match doc_lines_before(node).first() {
        Some(first) => range.cover(first.text_range()),
        None => range,
    }
}

/// The `///` lines directly before a node, in the order of the text.
fn doc_lines_before(node: &SyntaxNode) -> Vec<SyntaxToken> {
    let mut lines = Vec::new();
    if stands_behind_code(node) {
        return lines;
    }
    let mut token = node.first_token().and_then(|first| first.prev_token());
    while let Some(current) = token {
        let before = current.prev_token();
        match current.kind() {
            SyntaxKind::WHITESPACE if current.text().matches('\n').count() < 2 => {}
            // A comment behind something else on its line belongs to that.
            _ if before.as_ref().is_some_and(|token| !ends_line(token)) => break,
            SyntaxKind::DOC_COMMENT => lines.push(current),
            SyntaxKind::LINE_COMMENT | SyntaxKind::BLOCK_COMMENT => {}
            _ => break,
        }
        token = before;
    }
    lines.reverse();
    lines
}

/// Whether it is certain that there is nothing but white space between the node and something else that is
/// neither white space nor a comment: a look at the tree itself, which costs less than to go through it.
fn stands_behind_code(node: &SyntaxNode) -> bool {
    let Some(parent) = node.parent() else {
        return false;
    };
    let green = parent.green();
    let mut before = green.children().take(node.index()).rev();
    let kind = |raw| Stubborn::kind_from_raw(raw);
    let is_space = |raw| kind(raw) == SyntaxKind::WHITESPACE;
    let mut last = before.find(|one| !is_space(one.kind()));
    // The last token of it.
    while let Some(NodeOrToken::Node(inner)) = last {
        last = inner.children().next_back();
    }
    last.is_some_and(|last| !kind(last.kind()).is_trivia())
}

/// Whether a line begins behind the token.
fn ends_line(token: &SyntaxToken) -> bool {
    token.kind().is_trivia() && token.text().contains(['\n', '\r'])
        || token.text_range().start() == 0.into() && token.kind() == SyntaxKind::WHITESPACE
}

ast_node! {
    /// A whole file, of models or of testers.
    SourceFile = SOURCE_FILE
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

    /// Those of the items that name a file which is used: of most texts a look at the tree tells that there
    /// is none.
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

ast_node! {
    /// A name where it is declared.
    Name = NAME
}

ast_node! {
    /// A name where it is used.
    NameRef = NAME_REF
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

ast_node! {
    /// Parameters in parentheses: `(x in T, y in U)`, `(x in T, y in U where e)`.
    ParamList = PARAM_LIST
}

impl ParamList {
    /// The parameters, in order.
    pub fn bindings(&self) -> impl Iterator<Item = Binding> + use<> {
        children(&self.syntax)
    }
    /// What stands behind the last of them.
    pub fn where_clause(&self) -> Option<WhereClause> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `where e`: the values of the parameters for which it is true are those that there are.
    WhereClause = WHERE_CLAUSE
}

impl WhereClause {
    /// The condition, a constant expression over the parameters.
    pub fn condition(&self) -> Option<Expr> {
        child(&self.syntax)
    }
}

ast_node! {
    /// `v in T`: a parameter, or what `for`, a quantifier or an aggregate binds.
    Binding = BINDING: HasName
}

impl Binding {
    /// The type whose values it takes.
    pub fn ty(&self) -> Option<TypeExpr> {
        child(&self.syntax)
    }
}
