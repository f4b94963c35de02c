//! Names: what the files declare, what is in scope where, and what each name stands for.

mod collector;
pub mod declarations;
pub(crate) mod elsewhere;
pub mod env;
pub(crate) mod journal;
pub(crate) mod nearest;
pub(crate) mod reports;
pub(crate) mod resolution;
pub mod scopes;
pub mod symbols;
pub(crate) mod undeclared;
pub(crate) mod users;

pub use declarations::{BUILT_IN_FUNCTIONS, DeclarationId, DeclarationKind, Item, ItemId};
pub use env::{Binding, Env};
pub use nearest::nearest;
pub use scopes::Scopes;
pub use symbols::{Symbol, SymbolId, SymbolKind, Symbols};
