//! Texts on the disk: which files are read, and how.
//!
//! A text that somebody else has written names files, in its `use` lines, and no such name may make
//! this program show what is no model, wait for ever, or take all of the memory. So a file that is
//! used is a regular one with a name that models have, behind all links too; it is opened without
//! waiting for anybody at its other end, and read up to a limit whatever length it claims. Why one
//! is not read is told without a word of what it holds.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// No text of a model is longer, in bytes; it keeps what is no text at all from being read.
pub const LONGEST: u64 = 64 << 20;

/// Why a file is not read. As text it goes on after the file's name: "is a folder".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    Missing,
    /// Neither `.stb` nor `.tester`.
    NotNamedAsModel,
    /// Its own name would do, that of the file behind the link does not.
    LeadsToOther,
    Folder,
    /// A device, a pipe, a socket.
    NotRegular,
    TooLong,
    /// Outside the folders that the server reads from.
    Outside,
    Failed(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Missing => f.write_str("does not exist"),
            Unreadable::NotNamedAsModel => f.write_str(
                "cannot be used: the names of models end in `.stb`, those of testers in `.tester`",
            ),
            Unreadable::LeadsToOther => f.write_str(
                "cannot be used: it is a link to a file whose name ends neither in `.stb` nor in \
                 `.tester`",
            ),
            Unreadable::Folder => {
                f.write_str("is not a file; a model is given by its file, `model.stb`")
            }
            Unreadable::NotRegular => f.write_str(
                "is not a regular file but a device, a pipe or the like; a model is given by its \
                 file, `model.stb`",
            ),
            Unreadable::TooLong => write!(
                f,
                "is too long to be a model: it has more than {} MB",
                LONGEST >> 20
            ),
            Unreadable::Outside => f.write_str(
                "is not read: it is neither in a folder of the workspace nor in the folder of an \
                 open file; open its folder too, or allow it in your own settings with \
                 `stubborn.files.outsideWorkspace`",
            ),
            Unreadable::Failed(why) => write!(f, "cannot be read: {why}"),
        }
    }
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Unreadable {
        match error.kind() {
            io::ErrorKind::NotFound => Unreadable::Missing,
            _ => Unreadable::Failed(error.to_string()),
        }
    }
}

/// Reads a regular file that somebody has named by hand.
///
/// # Errors
/// Where it is another kind of file, too long, or cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, Unreadable> {
    // Opening alone can do something to a device.
    must_be_regular(&fs::metadata(path)?, LONGEST)?;
    read_up_to(path, LONGEST)
}

/// Reads a regular file of no more bytes than this. Whoever asks has looked at what stands there, for
/// opening alone can do something to a device.
///
/// # Errors
/// Where another kind of file has come to stand there meanwhile, it is too long, or cannot be read.
pub fn read_up_to(path: &Path, most: u64) -> Result<Vec<u8>, Unreadable> {
    let mut file = open(path, OpenOptions::new().read(true))?;
    must_be_regular(&file.metadata()?, most)?;
    let mut bytes = Vec::new();
    Read::by_ref(&mut file)
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(Unreadable::TooLong);
    }
    Ok(bytes)
}

/// Where a file that a text names really is, behind all links, if it may be used by its name.
///
/// # Errors
/// Where its name, or that behind the links, is none of a model or a tester, or leads nowhere.
pub fn behind_links(path: &Path) -> Result<PathBuf, Unreadable> {
    if !is_named_as_model(path) {
        return Err(Unreadable::NotNamedAsModel);
    }
    let real = fs::canonicalize(path)?;
    if real.is_dir() {
        return Err(Unreadable::Folder);
    }
    if !is_named_as_model(&real) {
        return Err(Unreadable::LeadsToOther);
    }
    Ok(real)
}

fn is_named_as_model(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| name.ends_with(".stb") || name.ends_with(".tester"))
}

fn must_be_regular(found: &fs::Metadata, most: u64) -> Result<(), Unreadable> {
    if found.is_dir() {
        Err(Unreadable::Folder)
    } else if !found.is_file() {
        Err(Unreadable::NotRegular)
    } else if found.len() > most {
        Err(Unreadable::TooLong)
    } else {
        Ok(())
    }
}

/// Opens a file without waiting: of a pipe the other end may never come.
///
/// # Errors
/// Where it cannot be opened.
pub fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    options.open(path)
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::process::Command;

    use tempfile::TempDir;

    use super::*;

    /// Reads what a text would use under this name.
    fn used(path: &Path) -> Result<Vec<u8>, Unreadable> {
        read(&behind_links(path)?)
    }

    /// Whatever can be made of a name that would do: a link to `target`.
    fn link_to(folder: &TempDir, target: &str) -> PathBuf {
        let link = folder.path().join("link.stb");
        symlink(target, &link).expect("a link");
        link
    }

    fn fifo(folder: &TempDir, name: &str) -> PathBuf {
        let path = folder.path().join(name);
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo runs").success());
        path
    }

    #[test]
    fn a_model_is_read_behind_links_with_names_of_models() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("real.tester"), "so").expect("a file");
        let link = link_to(&folder, "real.tester");
        assert_eq!(used(&link), Ok(b"so".to_vec()));
        assert_eq!(
            used(&folder.path().join("no.stb")),
            Err(Unreadable::Missing)
        );
    }

    #[test]
    fn what_has_another_name_is_not_used() {
        for path in [
            "/proc/self/environ",
            "/dev/zero",
            "/dev/null",
            "/etc/passwd",
        ] {
            assert_eq!(used(Path::new(path)), Err(Unreadable::NotNamedAsModel));
            let folder = tempfile::tempdir().expect("a folder");
            assert_eq!(used(&link_to(&folder, path)), Err(Unreadable::LeadsToOther));
        }
    }

    #[test]
    fn a_folder_is_no_file_however_it_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let named = folder.path().join("folder.stb");
        fs::create_dir(&named).expect("a folder");
        assert_eq!(used(&named), Err(Unreadable::Folder));
        assert_eq!(
            used(&link_to(&folder, "folder.stb")),
            Err(Unreadable::Folder)
        );
        assert_eq!(read(folder.path()), Err(Unreadable::Folder));
    }

    #[test]
    fn nobody_waits_at_a_pipe() {
        let folder = tempfile::tempdir().expect("a folder");
        let pipe = fifo(&folder, "pipe.stb");
        assert_eq!(used(&pipe), Err(Unreadable::NotRegular));
        assert_eq!(
            used(&link_to(&folder, "pipe.stb")),
            Err(Unreadable::NotRegular)
        );
        // Nor where the pipe came after somebody had looked.
        assert_eq!(read_up_to(&pipe, LONGEST), Err(Unreadable::NotRegular));
        assert!(open(&pipe, File::options().write(true)).is_err());
    }

    #[test]
    fn a_device_has_no_end_and_is_not_read() {
        assert_eq!(read(Path::new("/dev/zero")), Err(Unreadable::NotRegular));
    }

    #[test]
    fn a_file_is_read_up_to_the_limit_whatever_length_it_claims() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("sparse.stb");
        let file = File::create(&path).expect("a file");
        file.set_len(1 << 40).expect("a length");
        assert_eq!(used(&path), Err(Unreadable::TooLong));
        file.set_len(LONGEST + 1).expect("a length");
        assert_eq!(used(&path), Err(Unreadable::TooLong));
        file.set_len(LONGEST).expect("a length");
        assert_eq!(used(&path).map(|bytes| bytes.len() as u64), Ok(LONGEST));
        fs::write(&path, "hold").expect("a file");
        assert_eq!(read_up_to(&path, 3), Err(Unreadable::TooLong));
        assert_eq!(read_up_to(&path, 4), Ok(b"hold".to_vec()));
        // It claims to be empty.
        let environment = read(Path::new("/proc/self/environ"));
        assert_eq!(environment.map(|bytes| bytes.is_empty()), Ok(false));
    }
}
