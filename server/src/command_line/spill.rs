//! `--storage disk`: files for the states that have no room in memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use parking_lot::Mutex;
use stubborn_checker::Disk;
use stubborn_report::size;
use tempfile::tempfile_in;

/// Files in a folder without names there, so that no other program opens them and none stays behind,
/// however the program ends.
pub struct Spill {
    folder: PathBuf,
    files: Mutex<Files>,
}

#[derive(Default)]
struct Files {
    /// Each with its length.
    all: BTreeMap<u64, (File, u64)>,
    /// What all of them have, and have had, in bytes.
    bytes: u64,
    most: u64,
}

impl Spill {
    /// Returns files in a folder, in which no file exists yet.
    ///
    /// # Errors
    /// If no file can be created there.
    pub fn into(folder: PathBuf) -> Result<Spill, String> {
        match tempfile_in(&folder) {
            Ok(_) => Ok(Spill {
                folder,
                files: Mutex::default(),
            }),
            Err(error) => Err(format!(
                "`--storage disk` cannot create files in the temporary folder `{}`: {error}; set `TMPDIR` to a \
                 folder that can be written",
                folder.display()
            )),
        }
    }

    /// Note about the files for the end of the command, if any were written.
    pub fn note(self) -> Option<String> {
        let most = self.files.lock().most;
        (most > 0).then(|| {
            format!(
                "memory ran out: up to {} of states were in files in `{}`, which are deleted now",
                size(most),
                self.folder.display()
            )
        })
    }
}

impl Disk for Spill {
    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        let mut files = self.files.lock();
        let Files {
            all,
            bytes: in_all,
            most,
        } = &mut *files;
        let (file, len) = match all.entry(file) {
            std::collections::btree_map::Entry::Occupied(there) => there.into_mut(),
            std::collections::btree_map::Entry::Vacant(vacant) => {
                vacant.insert((tempfile_in(&self.folder)?, 0))
            }
        };
        // What was read before has moved the place.
        file.seek(SeekFrom::Start(*len))?;
        file.write_all(bytes)?;
        *len += bytes.len() as u64;
        *in_all += bytes.len() as u64;
        *most = (*most).max(*in_all);
        Ok(())
    }

    fn read(&self, file: u64, from: u64, into: &mut [u8]) -> io::Result<()> {
        let mut files = self.files.lock();
        let (file, _) = files.all.get_mut(&file).ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(into)
    }

    fn remove(&self, file: u64) -> io::Result<()> {
        let mut files = self.files.lock();
        if let Some((_, len)) = files.all.remove(&file) {
            files.bytes -= len;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_appended_is_read_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let spill = Spill::into(folder.path().to_owned()).expect("it can be written");
        spill.append(7, b"one").expect("there is room");
        spill.append(8, b"else").expect("there is room");
        let read = |file, from, len| {
            let mut into = vec![0; len];
            spill.read(file, from, &mut into).map(|()| into)
        };
        assert_eq!(read(7, 1, 2).expect("it is there"), b"ne");
        spill.append(7, b"two").expect("there is room");
        assert_eq!(read(7, 0, 6).expect("it is there"), b"onetwo");
        assert!(read(7, 4, 3).is_err());
        assert!(read(9, 0, 1).is_err());
        spill.remove(7).expect("it is there");
        assert!(read(7, 0, 1).is_err());
        spill.append(7, b"anew").expect("there is room");
        assert_eq!(read(7, 0, 4).expect("it is there"), b"anew");
        let mut names = std::fs::read_dir(folder.path()).expect("a folder");
        assert!(names.next().is_none(), "they have no names");
        let note = spill.note().expect("something was written");
        assert!(note.contains("up to 10 bytes of states"), "{note}");
        let unused = Spill::into(folder.path().to_owned()).expect("it can be written");
        assert_eq!(unused.note(), None);
    }
}
