//! Where a search may put what memory has no room for.

use std::io;

/// Files of one search, by numbers, that nobody needs once it is over. The engine opens no files:
/// whoever hands this in does, and sees to it that they go.
///
/// A search appends to one or two files at a time, in pieces of some ten thousand bytes, and reads
/// pieces like that, mostly one behind the other. It trusts nothing that it reads: each piece has a
/// checksum, and where that does not fit the search ends as it does where an error is given here.
pub trait Disk: Sync {
    /// Puts bytes behind those that a file has. A file that is not there begins with them.
    ///
    /// # Errors
    /// Where they cannot be written, all of them.
    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills a buffer with what a file has from a place on.
    ///
    /// # Errors
    /// Where it has not as much.
    fn read(&self, file: u64, from: u64, into: &mut [u8]) -> io::Result<()>;

    /// A file is not needed any more.
    ///
    /// # Errors
    /// Where it cannot be let go.
    fn remove(&self, file: u64) -> io::Result<()>;
}
