//! Typed nodes: a thin view of the tree, in the words of the language. The types and the
//! accessors of their parts are generated from `stubborn.ungram` by `cargo xtask codegen`; the
//! modules beside them have what the grammar does not say.
//!
//! A node's accessors give `Option`s and iterators, because any part may be missing in a text
//! with mistakes; the mistake itself is among the errors of the [`Parse`](crate::Parse), so a
//! reader of the tree has nothing to say about what is missing. Where a text has no syntax
//! errors, the parts that the grammar requires are there.

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
mod docs;
mod expressions;
mod generated;
mod generated_names;
mod items;
mod names;
mod node;
mod steps;

pub use docs::documented_range;
pub use expressions::{BinaryOp, LiteralValue, PrefixOp};
pub use generated::*;
pub use names::{HasName, HasParams};
pub use node::AstNode;
pub use steps::action_names;
