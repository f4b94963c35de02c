//! Lists of numbers as bytes, for what is to be read again by the very program that wrote it: in the order of
//! bytes that the machine has, each list behind its length.

use std::io::{self, Read, Write};

use bytemuck::{Pod, Zeroable};

/// A list is read in pieces of so many bytes, so that what says that it is long takes no memory before it
/// is.
const AT_ONCE: usize = 1 << 20;

pub fn put<T: Pod>(to: &mut dyn Write, list: &[T]) -> io::Result<()> {
    to.write_all(&(list.len() as u64).to_ne_bytes())?;
    to.write_all(bytemuck::cast_slice(list))
}

/// A list of at most so many.
///
/// # Errors
/// Where there is none, or a longer one.
pub fn take<T: Pod>(from: &mut dyn Read, most: u64) -> io::Result<Vec<T>> {
    let mut len = [0; 8];
    from.read_exact(&mut len)?;
    let len = u64::from_ne_bytes(len);
    if len > most {
        return Err(wrong("a list is too long"));
    }
    let mut list: Vec<T> = Vec::new();
    while (list.len() as u64) < len {
        let begin = list.len();
        let more = (len - begin as u64).min((AT_ONCE / size_of::<T>()) as u64);
        list.resize(begin + more as usize, T::zeroed());
        from.read_exact(bytemuck::cast_slice_mut(&mut list[begin..]))?;
    }
    Ok(list)
}

/// A list of exactly so many.
///
/// # Errors
/// Where there is none, or one of another length.
pub fn take_array<T: Pod + Zeroable, const N: usize>(from: &mut dyn Read) -> io::Result<[T; N]> {
    let list = take(from, N as u64)?;
    list.try_into().map_err(|_| wrong("a list is too short"))
}

/// What is read is not what was written.
pub fn wrong(what: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_taken_again() {
        let long: Vec<u32> = (0..1_000_000).collect();
        let mut bytes = Vec::new();
        put(&mut bytes, &long).expect("memory");
        put(&mut bytes, &[7_u64, 8]).expect("memory");
        let mut from = &bytes[..];
        assert_eq!(
            take::<u32>(&mut from, 1_000_000).expect("it is there"),
            long
        );
        let two: [u64; 2] = take_array(&mut from).expect("it is there");
        assert_eq!(two, [7, 8]);
        assert!(take::<u8>(&mut from, 1).is_err());
    }

    #[test]
    fn a_list_that_is_cut_or_too_long_is_none() {
        let mut bytes = Vec::new();
        put(&mut bytes, &[1_u64, 2, 3]).expect("memory");
        assert!(take::<u64>(&mut &bytes[..], 2).is_err());
        assert!(take::<u64>(&mut &bytes[..31], 3).is_err());
        assert!(take_array::<u64, 4>(&mut &bytes[..]).is_err());
        let endless = u64::MAX.to_ne_bytes();
        assert!(take::<u64>(&mut &endless[..], u64::MAX).is_err());
    }
}
