//! Names: what the files declare, what is in scope where, and what each name stands for.

mod collector;
pub(crate) mod declarations;
pub(crate) mod elsewhere;
pub(crate) mod env;
pub(crate) mod journal;
pub(crate) mod nearest;
pub(crate) mod reports;
pub(crate) mod resolution;
mod scopes;
pub mod symbols;
pub(crate) mod undeclared;
pub(crate) mod users;

pub use declarations::BUILT_IN_FUNCTIONS;
pub(crate) use declarations::{DeclarationId, DeclarationKind, Item, ItemId};
pub(crate) use env::{Binding, Env};
pub use nearest::nearest;
pub use scopes::Scopes;
pub use symbols::{Symbol, SymbolId, SymbolKind, Symbols};
