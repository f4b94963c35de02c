//! Exact set of words of few bits, in a hash table that stores quotients.
//!
//! A word is mixed by a bijection of its bits. The upper bits of the result are the number of a
//! *bucket*, a line of a processor's cache; only the lower ones, the *remainder*, are stored in it
//! (J. G. Cleary, "Compact Hash Tables Using Bidirectional Linear Probing", IEEE Transactions on
//! Computers C-33, 1984). If a bucket is full the word goes into another one, whose number follows
//! from the first and the remainder. The number of the choice is stored with the remainder, so that
//! bucket and slot determine the word: the set is exact. A word that fits in none of its buckets,
//! one in hundreds when the table is fullest, is stored whole beside the table.
//!
//! A word of 50 bits takes 4 bytes in a table of 2^25 slots.

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
