//! Typed nodes: a thin view of the tree, in the words of the language. The types and the
//! accessors of their parts are generated from `stubborn.ungram` by `cargo xtask codegen`; the
//! modules beside them have what the grammar does not say.
//!
//! A node's accessors give `Option`s and iterators, because any part may be missing in a text
//! with mistakes; the mistake itself is among the errors of the [`Parse`](crate::Parse), so a
//! reader of the tree has nothing to say about what is missing. Where a text has no syntax
//! errors, the parts that the grammar requires are there.

use rowan::{GreenNodeData, Language as _, NodeOrToken, TextRange};

use crate::{Stubborn, SyntaxElement, SyntaxKind, SyntaxNode, SyntaxToken};

/// A typed view of a node.
pub trait AstNode: Sized {
    /// Whether a node of this kind can be viewed as `Self`.
    fn can_cast(kind: SyntaxKind) -> bool;
    /// The view of `node`, if it is of the right kind.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// The node itself.
    fn syntax(&self) -> &SyntaxNode;
    /// The range from its first token to its last, without the white space and the comments
    /// around it.
    fn range(&self) -> TextRange {
        self.syntax().text_range()
    }
    /// The text of the `///` lines directly before the node, without the slashes and the one
    /// space after them; `None` where there are none.
    fn docs(&self) -> Option<String> {
        docs_before(self.syntax())
    }
}

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

/// Declares a typed node over one kind.
macro_rules! ast_node {
    ($(#[$doc:meta])* $name:ident = $kind:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name {
            pub(super) syntax: SyntaxNode,
        }

        impl AstNode for $name {
            fn can_cast(kind: SyntaxKind) -> bool {
                kind == SyntaxKind::$kind
            }
            fn cast(node: SyntaxNode) -> Option<Self> {
                Self::can_cast(node.kind()).then_some($name { syntax: node })
            }
            fn syntax(&self) -> &SyntaxNode {
                &self.syntax
            }
        }
    };
}

/// Declares a typed node that is one of several others.
macro_rules! ast_choice {
    ($(#[$doc:meta])* $name:ident { $($variant:ident($node:ty),)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $($variant($node),)+
        }

        impl AstNode for $name {
            fn can_cast(kind: SyntaxKind) -> bool {
                $(<$node>::can_cast(kind))||+
            }
            fn cast(node: SyntaxNode) -> Option<Self> {
                let kind = node.kind();
                $(if <$node>::can_cast(kind) {
                    return <$node>::cast(node).map($name::$variant);
                })+
                None
            }
            fn syntax(&self) -> &SyntaxNode {
                match self {
                    $($name::$variant(node) => node.syntax(),)+
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

/// Declares an enum of words.
macro_rules! ast_words {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = concat!("`", $text, "`")] $variant,)+
        }

        impl $name {
            /// Every one, in the order of the grammar.
            pub const ALL: &[$name] = &[$($name::$variant),+];

            /// The text as it is written.
            pub fn text(self) -> &'static str {
                match self {
                    $($name::$variant => $text,)+
                }
            }
            /// The one that is written so.
            pub fn from_text(text: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|word| word.text() == text)
            }
        }
    };
}

mod bodies;
mod expressions;
mod generated;
mod items;
mod steps;

pub use expressions::{BinaryOp, LiteralValue, PrefixOp};
pub use generated::*;
pub use steps::action_names;

// A node over the tree is made anew each time that it is asked for, which costs more than a look at
// the tree itself: whether there is one is asked there.

/// The first child that can be viewed as `N`.
fn child<N: AstNode>(parent: &SyntaxNode) -> Option<N> {
    let is_there = kinds_in(parent).any(N::can_cast);
    is_there.then(|| parent.children().find_map(N::cast))?
}

/// The children that can be viewed as `N`, in the order of the text.
fn children<N: AstNode>(parent: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    parent.children().filter_map(N::cast)
}

/// The kinds of the children that are nodes.
fn kinds_in(parent: &SyntaxNode) -> impl Iterator<Item = SyntaxKind> + '_ {
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
fn tokens_in(parent: &SyntaxNode) -> impl Iterator<Item = (SyntaxKind, &str)> {
    let tokens = parent
        .green()
        .children()
        .filter_map(NodeOrToken::into_token);
    tokens.map(|token| (Stubborn::kind_from_raw(token.kind()), token.text()))
}

/// The children that can be viewed as `N`, behind the first token `after` and before the first
/// token `before`.
fn children_between<N: AstNode>(
    parent: &SyntaxNode,
    after: Option<&'static str>,
    before: Option<&'static str>,
) -> impl Iterator<Item = N> + use<N> {
    let is = |element: &SyntaxElement, text| {
        let token = element.as_token();
        token.is_some_and(|token| token.text() == text)
    };
    let elements = parent.children_with_tokens();
    let elements = elements.skip_while(move |it| after.is_some_and(|text| !is(it, text)));
    let elements = elements.take_while(move |it| before.is_none_or(|text| !is(it, text)));
    elements.filter_map(|element| element.into_node().and_then(N::cast))
}

/// The first token with that text directly in the node.
fn token(parent: &SyntaxNode, text: &str) -> Option<SyntaxToken> {
    find_token(parent, |(_, token)| token == text)
}

/// The first token of the kind directly in the node.
fn token_of(parent: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    find_token(parent, |(token, _)| token == kind)
}

fn find_token(
    parent: &SyntaxNode,
    is_it: impl Fn((SyntaxKind, &str)) -> bool,
) -> Option<SyntaxToken> {
    let is_there = tokens_in(parent).any(&is_it);
    let mut tokens = is_there.then(|| parent.children_with_tokens())?;
    tokens.find_map(|element| {
        let token = element.into_token();
        token.filter(|token| is_it((token.kind(), token.text())))
    })
}

/// The first word of an enum directly in the node.
fn word<W>(parent: &SyntaxNode, from_text: impl Fn(&str) -> Option<W>) -> Option<W> {
    tokens_in(parent).find_map(|(_, text)| from_text(text))
}

/// The first token directly in the node that is neither white space nor a comment.
fn first_own_token(parent: &SyntaxNode) -> Option<SyntaxToken> {
    parent
        .children_with_tokens()
        .filter_map(|element| element.into_token())
        .find(|token| !token.kind().is_trivia())
}

/// The kind and the text of [`first_own_token`].
fn first_own(parent: &SyntaxNode) -> Option<(SyntaxKind, &str)> {
    tokens_in(parent).find(|(kind, _)| !kind.is_trivia())
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

/// The range of a node with the `///` lines directly before it.
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

/// Whether nothing but white space is between the node and a token before it that is no comment.
/// It is read from the green tree, which costs less than nodes over it.
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
