//! Messages on a connection: how long they are, a checksum, and what they say.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// No message is longer: a system with everything that it needs is far smaller.
const LONGEST: u32 = 1 << 30;
/// Memory for a message is taken in such pieces, as it comes.
const PIECE: usize = 1 << 16;
/// The length of a message, twice, and its checksum, in bytes.
const HEAD: usize = 16;

fn checksum(bytes: &[u8]) -> [u8; 8] {
    let hash = blake3::hash(bytes);
    let mut first = [0; 8];
    first.copy_from_slice(&hash.as_bytes()[..8]);
    first
}

fn wrong(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what.to_owned())
}

/// # Errors
/// Where it cannot be written.
pub fn write(to: &mut impl Write, message: &impl Serialize) -> io::Result<()> {
    let bytes = bincode::serialize(message).map_err(|_| wrong("what cannot be written"))?;
    write_bytes(to, &bytes)
}

/// # Errors
/// Where they cannot be written, or are too many.
pub fn write_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u32::try_from(bytes.len()).ok();
    let length = length.filter(|length| *length <= LONGEST);
    let length = length.ok_or_else(|| wrong("a message that is too long"))?;
    // All at once: what is written bit by bit is sent bit by bit.
    let mut all = Vec::with_capacity(bytes.len() + HEAD);
    all.extend_from_slice(&length.to_le_bytes());
    // A length that was damaged would be waited for in vain.
    all.extend_from_slice(&(!length).to_le_bytes());
    all.extend_from_slice(&checksum(bytes));
    all.extend_from_slice(bytes);
    to.write_all(&all)?;
    to.flush()
}

/// A message of no more than so many bytes.
///
/// # Errors
/// Where none can be read, or what comes is none.
pub fn read<M: DeserializeOwned>(from: &mut impl Read, longest: Option<u32>) -> io::Result<M> {
    let bytes = read_bytes(from, longest.unwrap_or(LONGEST))?;
    bincode::deserialize(&bytes).map_err(|_| wrong("a message that means nothing"))
}

/// # Errors
/// Where there are none, or more than so many, or they were damaged.
pub fn read_bytes(from: &mut impl Read, longest: u32) -> io::Result<Vec<u8>> {
    let mut head = [0; HEAD];
    from.read_exact(&mut head)?;
    let [a, b, c, d, e, f, g, h, told @ ..] = head;
    let length = u32::from_le_bytes([a, b, c, d]);
    if length != !u32::from_le_bytes([e, f, g, h]) {
        return Err(wrong("a message that was damaged"));
    }
    if length > longest {
        return Err(wrong("a message that is too long"));
    }
    let mut left = length as usize;
    let mut bytes = Vec::new();
    while left > 0 {
        let piece = left.min(PIECE);
        let begin = bytes.len();
        bytes.resize(begin + piece, 0);
        from.read_exact(&mut bytes[begin..])?;
        left -= piece;
    }
    match checksum(&bytes) == told {
        true => Ok(bytes),
        false => Err(wrong("a message that was damaged")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_not() {
        let message = (7_u32, "all".to_owned(), vec![1_u64, 2, 3]);
        let mut bytes = Vec::new();
        write(&mut bytes, &message).expect("there is room");
        let read_back: (u32, String, Vec<u64>) = read(&mut &bytes[..], None).expect("it is whole");
        assert_eq!(read_back, message);
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            let read: io::Result<(u32, String, Vec<u64>)> = read(&mut &damaged[..], None);
            assert!(read.is_err(), "byte {at}");
            let cut: io::Result<(u32, String, Vec<u64>)> = super::read(&mut &bytes[..at], None);
            assert!(cut.is_err(), "{at} bytes");
        }
    }

    #[test]
    fn memory_for_a_message_is_taken_as_it_comes() {
        let mut long = Vec::from(LONGEST.to_le_bytes());
        long.extend_from_slice(&(!LONGEST).to_le_bytes());
        long.extend_from_slice(&[0; 100]);
        let read_back: io::Result<String> = read(&mut &long[..], None);
        assert_eq!(
            read_back.map_err(|error| error.kind()),
            Err(io::ErrorKind::UnexpectedEof)
        );
        let read_back: io::Result<String> = read(&mut &long[..], Some(100));
        assert_eq!(
            read_back.map_err(|error| error.kind()),
            Err(io::ErrorKind::InvalidData)
        );
    }
}
