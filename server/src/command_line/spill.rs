//! `--spill FOLDER`: where searches put their states that have no memory for them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use stubborn_engine::Disk;
use stubborn_report::size;
use tempfile::tempfile_in;

/// Files in a folder that have no name there, so that nobody else opens them and none stays behind, however the
/// program ends.
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
    /// Into this folder.
    ///
    /// # Errors
    /// Where it is none, or nothing can be written there.
    pub fn into(folder: &Path) -> Result<Spill, String> {
        let named = folder.display();
        if !folder.is_dir() {
            return Err(format!(
                "`--spill {named}`: there is no such folder; one that is there would mend it"
            ));
        }
        match tempfile_in(folder) {
            Ok(_) => Ok(Spill {
                folder: folder.to_owned(),
                files: Mutex::default(),
            }),
            Err(error) => Err(format!(
                "`--spill {named}`: no file can be made there: {error}"
            )),
        }
    }

    fn files(&self) -> std::sync::MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is said of it in the end.
    pub fn note(self) -> Option<String> {
        let most = self.files().most;
        (most > 0).then(|| {
            format!(
                "memory did not suffice: up to {} of states were in files in `{}`, which are gone again",
                size(most),
                self.folder.display()
            )
        })
    }
}

impl Disk for Spill {
    fn append(&self, file: u64, bytes: &[u8]) -> io::Result<()> {
        let mut files = self.files();
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
        let mut files = self.files();
        let (file, _) = files.all.get_mut(&file).ok_or(io::ErrorKind::NotFound)?;
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(into)
    }

    fn remove(&self, file: u64) -> io::Result<()> {
        let mut files = self.files();
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
        let spill = Spill::into(folder.path()).expect("it can be written");
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
        let unused = Spill::into(folder.path()).expect("it can be written");
        assert_eq!(unused.note(), None);
    }
}
