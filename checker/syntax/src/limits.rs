//! Limits of what is read.

/// How deep expressions, blocks and comments may be nested. A text that goes deeper is refused
/// with a message, so that nobody who walks the tree needs to fear for the stack.
pub const MAX_NESTING: usize = 256;

/// How deep a tree may be. A chain of operators makes a tree as deep as it is long, so this is
/// also the length of the longest one.
pub const MAX_TREE_DEPTH: usize = 600;
