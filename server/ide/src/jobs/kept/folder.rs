//! The files of verdicts: one each, in the user's cache folder.
//!
//! Many servers use the folder at a time, and none waits for another. A file appears whole or not at
//! all, under a name that says what is in it, so that it does not matter who has written it or who
//! was last; and one that goes is searched for again. What stands there is no bigger than the user
//! allows, however many verdicts up to eight servers write at a time, with what was not used for longest
//! going first. Nothing but files of these names is touched.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::entry::LONGEST;
use crate::files::{self, Unreadable};

/// What a file takes on a disk is a multiple of this.
const BLOCK: u64 = 4096;
/// A file that was used is marked so, but no more often than this.
const MARKED: Duration = Duration::from_secs(60 * 60);
/// Begins the names of files that are being written.
const UNFINISHED: &str = "unfinished-";
/// What is unfinished for so long was left by a server that has ended.
const GIVEN_UP: Duration = Duration::from_secs(60 * 60);

#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

impl Folder {
    pub fn new(path: PathBuf) -> Folder {
        Folder { path }
    }

    /// Names that begin alike have a folder of their own, so that none becomes very full.
    fn file(&self, name: &str) -> PathBuf {
        let (beginning, _) = name.split_at_checked(2).unwrap_or((name, ""));
        self.path.join(beginning).join(name)
    }

    /// The bytes under this name, if there are any, and not more than there should be.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.file(name);
        // Not through a link, and not from a pipe, which nobody may ever write to.
        let about = fs::symlink_metadata(&path).ok()?;
        if !about.is_file() {
            return None;
        }
        let bytes = match files::read_up_to(&path, LONGEST) {
            Ok(bytes) => bytes,
            Err(Unreadable::TooLong) => {
                self.remove(name);
                return None;
            }
            Err(_) => return None,
        };
        let now = SystemTime::now();
        let is_marked = |at: SystemTime| now.duration_since(at).is_ok_and(|age| age < MARKED);
        if !about.modified().is_ok_and(is_marked) {
            let file = files::open(&path, File::options().write(true));
            // Without the mark it only goes earlier.
            let _ = file.and_then(|file| file.set_modified(now));
        }
        Some(bytes)
    }

    /// Puts the bytes under this name, in the place of what was there.
    ///
    /// # Errors
    /// Where the disk does not take them.
    pub fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.file(name);
        let folder = path.parent().unwrap_or(&self.path);
        create(folder)?;
        let mut file = tempfile::Builder::new()
            .prefix(UNFINISHED)
            .tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.persist(&path)?;
        Ok(())
    }

    /// Takes away what makes no sense.
    pub fn remove(&self, name: &str) {
        // Somebody else may have done it.
        let _ = fs::remove_file(self.file(name));
    }

    /// Takes away the files that were used longest ago, until the others take no more than so many
    /// bytes; and what servers have left unfinished. How many bytes stay.
    pub fn sweep(&self, most: u64) -> u64 {
        let now = SystemTime::now();
        let mut files = Vec::new();
        let mut bytes = 0;
        let is_folder = |path: &PathBuf| {
            // Somebody's link leads to what is not ours.
            fs::symlink_metadata(path).is_ok_and(|about| about.is_dir())
        };
        for folder in entries(&self.path).filter(is_folder) {
            for file in entries(&folder) {
                let name = file.file_name().and_then(|name| name.to_str());
                let (Some(name), Ok(about)) = (name, fs::symlink_metadata(&file)) else {
                    continue;
                };
                let used = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                let age = now.duration_since(used).unwrap_or_default();
                if !about.is_file() {
                    continue;
                }
                if is_name(name) {
                    let taken = taken(about.len());
                    bytes += taken;
                    files.push((used, taken, file));
                } else if name.starts_with(UNFINISHED) && age > GIVEN_UP {
                    let _ = fs::remove_file(&file);
                }
            }
        }
        files.sort();
        for (_, taken, file) in files {
            if bytes <= most {
                break;
            }
            if fs::remove_file(&file).is_ok() || !file.exists() {
                bytes -= taken;
            }
        }
        bytes
    }
}

/// What a file of this length takes on the disk, about.
pub fn taken(length: u64) -> u64 {
    length.max(1).next_multiple_of(BLOCK)
}

fn is_name(name: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    name.len() == 64 && name.bytes().all(is_digit)
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path()))
}

/// Others have no business with what a user has checked.
fn create(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: u8) -> String {
        blake3::hash(&[number]).to_hex().to_string()
    }

    fn folder() -> (tempfile::TempDir, Folder) {
        let place = tempfile::tempdir().expect("a folder");
        let folder = Folder::new(place.path().join("stubborn").join("verdicts"));
        (place, folder)
    }

    /// As if it had been used so many hours ago.
    fn age(folder: &Folder, name: &str, hours: u64) {
        let file = File::options().write(true).open(folder.file(name));
        let then = SystemTime::now() - Duration::from_secs(hours * 60 * 60);
        file.and_then(|file| file.set_modified(then))
            .expect("a file");
    }

    #[test]
    fn what_is_written_is_there_in_the_place_of_what_was() {
        let (_place, folder) = folder();
        assert_eq!(folder.read(&name(1)), None);
        for text in ["one", "another"] {
            folder.write(&name(1), text.as_bytes()).expect("a file");
            assert_eq!(folder.read(&name(1)), Some(text.into()));
        }
        folder.remove(&name(1));
        assert_eq!(folder.read(&name(1)), None);
    }

    #[test]
    fn what_was_used_longest_ago_goes_first() {
        let (_place, folder) = folder();
        for number in 0..4 {
            folder.write(&name(number), b"holds").expect("a file");
            age(&folder, &name(number), 10 - u64::from(number));
        }
        assert!(folder.read(&name(0)).is_some());
        assert_eq!(folder.sweep(4 * BLOCK), 4 * BLOCK);
        assert_eq!(folder.sweep(3 * BLOCK - 1), 2 * BLOCK);
        let left: Vec<u8> = (0..4)
            .filter(|n| folder.read(&name(*n)).is_some())
            .collect();
        assert_eq!(left, [0, 3]);
    }

    #[test]
    fn nothing_else_is_taken_away() {
        let (_place, folder) = folder();
        folder.write(&name(1), b"holds").expect("a file");
        let other = folder.file(&name(1)).with_file_name("notes.txt");
        fs::write(&other, "mine").expect("a file");
        let begun = folder.file(&name(1)).with_file_name("unfinished-now");
        fs::write(&begun, "h").expect("a file");
        assert_eq!(folder.sweep(0), 0);
        assert!(other.exists() && begun.exists());
        assert_eq!(folder.read(&name(1)), None);
    }

    #[test]
    fn what_a_server_left_unfinished_is_taken_away_after_a_while() {
        let (_place, folder) = folder();
        folder.write(&name(1), b"holds").expect("a file");
        let left = folder.file(&name(1)).with_file_name("unfinished-then");
        fs::rename(folder.file(&name(1)), &left).expect("a file");
        let long_ago = SystemTime::now() - 2 * GIVEN_UP;
        let file = File::options().write(true).open(&left).expect("a file");
        file.set_modified(long_ago).expect("a time");
        folder.sweep(1 << 20);
        assert!(!left.exists());
    }

    #[test]
    fn what_is_too_long_is_not_read() {
        let (_place, folder) = folder();
        let read = |length: u64| {
            let bytes = vec![b'h'; length as usize];
            folder.write(&name(1), &bytes).expect("a file");
            folder.read(&name(1)).map(|bytes| bytes.len() as u64)
        };
        let found = [LONGEST - 1, LONGEST, LONGEST + 1].map(read);
        assert_eq!(found, [Some(LONGEST - 1), Some(LONGEST), None]);
        assert!(!folder.file(&name(1)).exists());
    }

    #[test]
    #[cfg(unix)]
    fn no_link_is_followed() {
        let (place, folder) = folder();
        folder.write(&name(1), b"holds").expect("a file");
        let elsewhere = place.path().join("elsewhere");
        fs::rename(folder.file(&name(1)), &elsewhere).expect("a file");
        std::os::unix::fs::symlink(&elsewhere, folder.file(&name(1))).expect("a link");
        assert_eq!(folder.read(&name(1)), None);
        folder.sweep(0);
        assert!(elsewhere.exists());
    }
}
