//! Where a search may put what memory has no room for.

use std::io;

/// Temporary files of one search, by numbers. The engine opens no files: the caller provides them
/// and deletes them afterwards.
///
/// A search appends to one or two files at a time, in blocks of some ten thousand bytes, and reads
/// such blocks, mostly in sequence. Each block has a checksum; if it does not fit, the search ends as
/// it does after an error of the disk.
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
