//! Ascending states as bytes, each as its difference from the one before.
//!
//! A *row* is the words of a state; rows are ordered as lists of words. A block begins with its
//! checksum, which covers its position too, its length and the number of its rows. The first row
//! follows as it is. Each other row is the number of its first word that differs from the row
//! before, by how much that word is larger, and the exclusive or of the words behind it. Small
//! numbers take few bytes.

use std::io;

/// Bytes before the rows of a block: its checksum, and its numbers of bytes and rows.
pub const HEAD: usize = 16;
/// Most bytes of a number.
const MOST_BYTES: usize = 9;

/// Encoder of the rows of a block.
pub struct Packer {
    words: usize,
    /// The block, with room for the head.
    bytes: Vec<u8>,
    last: Vec<u64>,
    rows: usize,
}

impl Packer {
    pub fn new(words: usize) -> Packer {
        Packer {
            words,
            bytes: vec![0; HEAD],
            last: vec![0; words],
            rows: 0,
        }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Memory in use, in bytes.
    pub fn bytes(&self) -> u64 {
        (self.bytes.capacity() + self.last.capacity() * 8) as u64
    }

    /// Adds a row that is larger than the last one.
    pub fn push(&mut self, row: &[u64]) {
        debug_assert!(
            self.rows == 0 || self.last[..] < *row,
            "rows ascend, and each comes once"
        );
        if self.rows == 0 {
            for word in row {
                self.bytes.extend_from_slice(&word.to_le_bytes());
            }
        } else {
            let first = self.last.iter().zip(row).position(|(was, is)| was != is);
            let first = first.unwrap_or_default();
            if self.words > 1 {
                put(&mut self.bytes, first as u64);
            }
            put(&mut self.bytes, row[first].wrapping_sub(self.last[first]));
            let rest = first + 1..;
            for (was, is) in self.last[rest.clone()].iter().zip(&row[rest]) {
                put(&mut self.bytes, was ^ is);
            }
        }
        self.last.copy_from_slice(row);
        self.rows += 1;
    }

    /// Appends the block, for this place (file and position), to `into`. The next row begins
    /// another.
    pub fn finish(&mut self, place: (u64, u64), into: &mut Vec<u8>) {
        let len = (self.bytes.len() - HEAD) as u32;
        let rows = self.rows as u32;
        let sizes = u64::from(len) << 32 | u64::from(rows);
        let checksum = checksum(place, sizes, &self.bytes[HEAD..]);
        self.bytes[..8].copy_from_slice(&checksum.to_le_bytes());
        self.bytes[8..HEAD].copy_from_slice(&sizes.to_le_bytes());
        into.extend_from_slice(&self.bytes);
        self.bytes.truncate(HEAD);
        self.rows = 0;
    }
}

/// Most bytes of a block of this many rows.
pub fn most_bytes(words: usize, rows: usize) -> usize {
    HEAD + words * 8 + rows * (words + 1) * MOST_BYTES
}

/// Number of bytes of the block with this head, including the head, and its number of rows.
pub fn sizes(head: &[u8]) -> Option<(usize, usize)> {
    let sizes = u64::from_le_bytes(*head.get(8..)?.first_chunk()?);
    Some((
        HEAD + (sizes >> 32) as usize,
        (sizes & u64::from(u32::MAX)) as usize,
    ))
}

/// Appends the rows of a block, read at this place (file and position), to `into`.
///
/// # Errors
/// If it is not the block that was written there.
pub fn unpack(
    block: &[u8],
    place: (u64, u64),
    words: usize,
    into: &mut Vec<u64>,
) -> io::Result<()> {
    let damaged = || {
        io::Error::new(
            io::ErrorKind::InvalidData,
            "a block is not what was written",
        )
    };
    let (len, rows) = sizes(block).ok_or_else(damaged)?;
    let head = block.first_chunk().ok_or_else(damaged)?;
    let expected = ((len - HEAD) as u64) << 32 | rows as u64;
    let is_whole = block.len() == len && rows > 0;
    if !is_whole || checksum(place, expected, &block[HEAD..]) != u64::from_le_bytes(*head) {
        return Err(damaged());
    }
    let (first, packed) = (block[HEAD..])
        .split_at_checked(words * 8)
        .ok_or_else(damaged)?;
    let begin = into.len();
    for word in first.as_chunks().0 {
        into.push(u64::from_le_bytes(*word));
    }
    let mut from = Numbers {
        bytes: packed,
        at: 0,
    };
    match words {
        1 => {
            let mut word = into[begin];
            for _ in 1..rows {
                word = word.wrapping_add(from.next());
                into.push(word);
            }
        }
        _ => {
            for row in 1..rows {
                let before = begin + (row - 1) * words;
                into.extend_from_within(before..before + words);
                let now = before + words;
                let first = from.next() as usize;
                let word = into.get_mut(now + first).ok_or_else(damaged)?;
                *word = word.wrapping_add(from.next());
                for at in first + 1..words {
                    into[now + at] ^= from.next();
                }
            }
        }
    }
    match from.at == packed.len() {
        true => Ok(()),
        false => Err(damaged()),
    }
}

/// Appends a number. The trailing ones of its first byte are the number of further bytes.
fn put(bytes: &mut Vec<u8>, number: u64) {
    let bits = u64::BITS - number.leading_zeros();
    let len = bits.div_ceil(7).max(1);
    if len > 8 {
        bytes.push(u8::MAX);
        bytes.extend_from_slice(&number.to_le_bytes());
    } else {
        let ones = (1 << (len - 1)) - 1;
        let word = number << len | ones;
        bytes.extend_from_slice(&word.to_le_bytes()[..len as usize]);
    }
}

/// Decoder of numbers that were [`put`]. Behind the last one it gives others.
struct Numbers<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Numbers<'_> {
    #[inline(always)]
    fn next(&mut self) -> u64 {
        let word = match self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            Some(eight) => u64::from_le_bytes(*eight),
            None => self.last_bytes(),
        };
        let len = word.trailing_ones() + 1;
        if len <= 8 {
            self.at += len as usize;
            return (word >> len) & (u64::MAX >> (u64::BITS - 7 * len));
        }
        self.at += 1;
        let word = match self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) {
            Some(eight) => u64::from_le_bytes(*eight),
            None => self.last_bytes(),
        };
        self.at += 8;
        word
    }

    #[cold]
    fn last_bytes(&self) -> u64 {
        let mut eight = [0; 8];
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        eight[..rest.len()].copy_from_slice(rest);
        u64::from_le_bytes(eight)
    }
}

/// Checksum. Each step is a bijection of the sum before it and of the word, so that a change of one
/// word is always detected.
fn checksum((file, at): (u64, u64), sizes: u64, bytes: &[u8]) -> u64 {
    let mut sum = 0x243f_6a88_85a3_08d3_u64;
    let mut take = |word: u64| {
        sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        sum ^= sum >> 32;
    };
    take(file);
    take(at);
    take(sizes);
    let (words, rest) = bytes.as_chunks();
    for word in words {
        take(u64::from_le_bytes(*word));
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    take(u64::from_le_bytes(last));
    sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLACE: (u64, u64) = (3, 1 << 40);

    fn packed(rows: &[Vec<u64>], words: usize) -> Vec<u8> {
        let mut packer = Packer::new(words);
        rows.iter().for_each(|row| packer.push(row));
        let mut bytes = Vec::new();
        packer.finish(PLACE, &mut bytes);
        bytes
    }

    fn rows() -> impl Strategy<Value = (usize, Vec<Vec<u64>>)> {
        let word = prop_oneof![
            any::<u64>(),
            0..4_u64,
            (0..64_u32).prop_map(|shift| 1 << shift),
            Just(u64::MAX),
        ];
        (1..5_usize).prop_flat_map(move |words| {
            let row = prop::collection::vec(word.clone(), words);
            let rows = prop::collection::btree_set(row, 1..60);
            (
                Just(words),
                rows.prop_map(|rows| rows.into_iter().collect()),
            )
        })
    }

    proptest! {
        #[test]
        fn rows_are_read_again((words, rows) in rows()) {
            let bytes = packed(&rows, words);
            prop_assert!(bytes.len() <= most_bytes(words, rows.len()));
            prop_assert_eq!(sizes(&bytes), Some((bytes.len(), rows.len())));
            let mut read = vec![7];
            unpack(&bytes, PLACE, words, &mut read).expect("it is whole");
            prop_assert_eq!(&read[1..], &rows.concat()[..]);
        }

        #[test]
        fn a_block_that_was_changed_moved_or_cut_is_rejected(
            (words, rows) in rows(),
            at in any::<prop::sample::Index>(),
            bit in 0..8,
        ) {
            let bytes = packed(&rows, words);
            let is_accepted =
                |bytes: &[u8], place| unpack(bytes, place, words, &mut Vec::new()).is_ok();
            prop_assert!(is_accepted(&bytes, PLACE));
            prop_assert!(!is_accepted(&bytes, (4, PLACE.1)));
            prop_assert!(!is_accepted(&bytes, (3, 0)));
            prop_assert!(!is_accepted(&bytes[..at.index(bytes.len())], PLACE));
            let mut changed = bytes.clone();
            changed[at.index(bytes.len())] ^= 1_u8 << bit;
            prop_assert!(!is_accepted(&changed, PLACE));
        }
    }
}
