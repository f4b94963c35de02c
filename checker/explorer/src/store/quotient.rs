//! A set of words of few bits, each kept as what its place does not tell of it.
//!
//! A word is mixed by a bijection of its bits. The upper bits of what comes out name a *bucket*, a line
//! of a processor's cache, and only the lower ones, the *remainder*, are kept in it (J. G. Cleary, "Compact
//! Hash Tables Using Bidirectional Linear Probing", IEEE Transactions on Computers C-33, 1984: a hash
//! table that stores quotients is exact). Where a bucket is full the word goes into another one, whose
//! number follows from the first and the remainder; which of the choices it was is kept beside the
//! remainder, so that bucket and slot together always tell the whole word. What fits in none of its
//! buckets, a word in hundreds where the table is fullest, is kept whole beside it.
//!
//! So the set is exact. Of 50 bits in a table of 2^25 slots 4 bytes are kept.

mod buckets;
mod mixing;
mod place;
mod set;
mod settled;
mod shared;

pub use buckets::ones;
pub use mixing::Mixing;
pub use place::Place;
pub use set::{AT_ONCE, Quotient};
pub use settled::Settled;
pub use shared::{Movers, PutIn, Shared};
