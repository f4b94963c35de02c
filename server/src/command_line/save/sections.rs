//! The file in which searches are kept that a limit has ended.
//!
//! ```text
//! stubborn search 1
//! 6f1c…                     what the program was built from
//! ```
//!
//! and then, for each search, the hash of what it was asked for, the length of what it left, in eight bytes,
//! the hash of that, and that itself. All of it is believed only of this very program, and each part only where
//! it is whole.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use stubborn_ide::jobs::Fingerprint;
use tempfile::NamedTempFile;

/// What every version of the format begins with.
const ANY: &[u8] = b"stubborn search ";
const FIRST: &str = concat!("stubborn search 1\n", env!("STUBBORN_BUILD"), "\n");
const HASH: usize = blake3::OUT_LEN;
const AT_ONCE: usize = 1 << 16;

/// Where in a file a search is.
#[derive(Clone, Copy, Debug)]
struct Section {
    begin: u64,
    len: u64,
    checksum: blake3::Hash,
}

/// A file with searches, by what they were asked for.
pub struct Sections {
    file: File,
    all: BTreeMap<Fingerprint, Section>,
}

/// Why there are none in a file.
#[derive(Debug)]
pub enum NoSections {
    /// It is none that this program writes.
    Foreign,
    /// It is one of another version of the program.
    OfAnother,
    Damaged,
    Unreadable(io::Error),
}

impl From<io::Error> for NoSections {
    fn from(error: io::Error) -> NoSections {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => NoSections::Damaged,
            _ => NoSections::Unreadable(error),
        }
    }
}

impl Sections {
    /// Those of the file at a path, if there is one.
    pub fn open(path: &Path) -> Result<Option<Sections>, NoSections> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(NoSections::Foreign);
        }
        let mut first = Vec::new();
        (&mut file)
            .take(FIRST.len() as u64)
            .read_to_end(&mut first)?;
        if !first.starts_with(ANY) {
            return Err(NoSections::Foreign);
        }
        if first != FIRST.as_bytes() {
            return Err(NoSections::OfAnother);
        }
        let mut all = BTreeMap::new();
        let mut at = FIRST.len() as u64;
        while at < about.len() {
            let head = Head::read(&mut file)?;
            let begin = at + Head::LEN;
            let end = begin.checked_add(head.len);
            at = end
                .filter(|end| *end <= about.len())
                .ok_or(NoSections::Damaged)?;
            file.seek(SeekFrom::Start(at))?;
            let section = Section {
                begin,
                len: head.len,
                checksum: head.checksum,
            };
            all.insert(head.of, section);
        }
        Ok(Some(Sections { file, all }))
    }

    /// What a search has left.
    ///
    /// # Errors
    /// Where it is not what was written.
    pub fn of(&self, asked: Fingerprint) -> Option<io::Result<impl Read + use<>>> {
        let section = self.all.get(&asked)?;
        Some(self.checked(*section))
    }

    fn checked(&self, section: Section) -> io::Result<impl Read + use<>> {
        let mut hasher = blake3::Hasher::new();
        io::copy(&mut self.reader(section)?, &mut hasher)?;
        match hasher.finalize() == section.checksum {
            true => self.reader(section),
            false => Err(io::ErrorKind::InvalidData.into()),
        }
    }

    fn reader(&self, section: Section) -> io::Result<impl Read + use<>> {
        // Each has a place in the file of its own: nobody else reads while this is used.
        let mut file = self.file.try_clone()?;
        file.seek(SeekFrom::Start(section.begin))?;
        Ok(BufReader::with_capacity(AT_ONCE, file.take(section.len)))
    }

    /// A file in a folder with what one search leaves.
    pub fn written(
        folder: &Path,
        asked: Fingerprint,
        write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> io::Result<(Sections, NamedTempFile)> {
        let mut temporary = NamedTempFile::new_in(folder)?;
        let file = temporary.as_file_mut();
        file.write_all(FIRST.as_bytes())?;
        let at = FIRST.len() as u64;
        let begin = at + Head::LEN;
        file.seek(SeekFrom::Start(begin))?;
        let mut hashing = Hashing {
            to: BufWriter::with_capacity(AT_ONCE, &mut *file),
            hasher: blake3::Hasher::new(),
            len: 0,
        };
        write(&mut hashing)?;
        hashing.flush()?;
        let (len, checksum) = (hashing.len, hashing.hasher.finalize());
        drop(hashing);
        file.seek(SeekFrom::Start(at))?;
        let head = Head {
            of: asked,
            len,
            checksum,
        };
        head.write(file)?;
        let section = Section {
            begin,
            len,
            checksum,
        };
        let sections = Sections {
            file: temporary.reopen()?,
            all: BTreeMap::from([(asked, section)]),
        };
        Ok((sections, temporary))
    }

    /// Writes some of the searches behind what a file has.
    pub fn copy(&self, which: &dyn Fn(&Fingerprint) -> bool, to: &mut File) -> io::Result<()> {
        for (of, section) in self.all.iter().filter(|(of, _)| which(of)) {
            let head = Head {
                of: *of,
                len: section.len,
                checksum: section.checksum,
            };
            head.write(to)?;
            io::copy(&mut self.reader(*section)?, to)?;
        }
        Ok(())
    }

    pub fn has(&self, asked: &Fingerprint) -> bool {
        self.all.contains_key(asked)
    }

    pub fn asked(&self) -> impl Iterator<Item = &Fingerprint> {
        self.all.keys()
    }
}

/// An empty file in a folder, for searches to be [copied](Sections::copy) to.
pub fn empty(folder: &Path) -> io::Result<NamedTempFile> {
    let mut temporary = NamedTempFile::new_in(folder)?;
    temporary.as_file_mut().write_all(FIRST.as_bytes())?;
    Ok(temporary)
}

/// What stands before what a search has left.
struct Head {
    of: Fingerprint,
    len: u64,
    checksum: blake3::Hash,
}

impl Head {
    const LEN: u64 = 2 * HASH as u64 + 8;

    fn read(from: &mut impl Read) -> io::Result<Head> {
        let (mut of, mut len, mut checksum) = ([0; HASH], [0; 8], [0; HASH]);
        from.read_exact(&mut of)?;
        from.read_exact(&mut len)?;
        from.read_exact(&mut checksum)?;
        Ok(Head {
            of: Fingerprint::of_bytes(of),
            len: u64::from_le_bytes(len),
            checksum: checksum.into(),
        })
    }

    fn write(&self, to: &mut impl Write) -> io::Result<()> {
        to.write_all(self.of.bytes())?;
        to.write_all(&self.len.to_le_bytes())?;
        to.write_all(self.checksum.as_bytes())
    }
}

/// Hashes what it passes on.
struct Hashing<W> {
    to: W,
    hasher: blake3::Hasher,
    len: u64,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.len += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fingerprint(of: u64) -> Fingerprint {
        Fingerprint::of(&of)
    }

    fn text(sections: &Sections, of: u64) -> Option<io::Result<String>> {
        let from = sections.of(fingerprint(of))?;
        Some(from.and_then(|mut from| {
            let mut text = String::new();
            from.read_to_string(&mut text)?;
            Ok(text)
        }))
    }

    /// A file with two searches.
    fn two(folder: &Path) -> NamedTempFile {
        let mut file = empty(folder).expect("a folder");
        for (of, text) in [(1, "first"), (2, "second")] {
            let mut write = |to: &mut dyn Write| to.write_all(text.as_bytes());
            let written = Sections::written(folder, fingerprint(of), &mut write);
            let (sections, _temporary) = written.expect("a folder");
            sections
                .copy(&|_| true, file.as_file_mut())
                .expect("a file");
        }
        file
    }

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = two(folder.path());
        let sections = Sections::open(file.path())
            .expect("they are whole")
            .expect("a file");
        assert_eq!(
            text(&sections, 1).expect("it is there").expect("whole"),
            "first"
        );
        assert_eq!(
            text(&sections, 2).expect("it is there").expect("whole"),
            "second"
        );
        assert!(text(&sections, 3).is_none());
        assert!(
            Sections::open(&folder.path().join("none"))
                .expect("no file")
                .is_none()
        );
    }

    #[test]
    fn nothing_that_was_changed_or_cut_is_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let whole = std::fs::read(two(folder.path()).path()).expect("a file");
        let path = folder.path().join("changed");
        let is_believed = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("a folder");
            match Sections::open(&path) {
                Ok(Some(sections)) => [(1, "first"), (2, "second")]
                    .into_iter()
                    .all(|(of, was)| matches!(text(&sections, of), Some(Ok(text)) if text == was)),
                _ => false,
            }
        };
        assert!(is_believed(&whole));
        for at in 0..whole.len() {
            assert!(!is_believed(&whole[..at]), "cut at {at}");
            let mut changed = whole.clone();
            changed[at] ^= 1;
            assert!(!is_believed(&changed), "changed at {at}");
        }
    }

    #[test]
    fn what_others_have_written_is_told_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("other");
        std::fs::write(&path, "precious").expect("a folder");
        assert!(matches!(Sections::open(&path), Err(NoSections::Foreign)));
        std::fs::write(&path, FIRST.replace("search 1", "search 2")).expect("a folder");
        assert!(matches!(Sections::open(&path), Err(NoSections::OfAnother)));
        assert!(matches!(
            Sections::open(folder.path()),
            Err(NoSections::Foreign)
        ));
    }
}
