//! Files as inputs.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

/// A file by its path: for one on a disk its absolute path, with `/` between its parts and no `.`
/// or `..` in it; for another what the client calls it.
#[salsa::input]
pub struct SourceFile {
    pub path: Arc<str>,
    pub contents: Contents,
}

/// What is known of a file's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Contents {
    /// Nobody has looked yet.
    Unread,
    /// There is no such file.
    Missing,
    /// There may be one, but it is not read: why, as a sentence without a full stop.
    Refused(Arc<str>),
    Text(Arc<str>),
}

/// The inputs by their paths, shared by all clones of a database.
#[derive(Clone, Default)]
pub(super) struct Files {
    by_path: Arc<Mutex<HashMap<Arc<str>, SourceFile>>>,
}

impl Files {
    /// The file with this path, made by `make` if there is none yet.
    pub fn get(&self, path: &str, make: impl FnOnce(Arc<str>) -> SourceFile) -> SourceFile {
        let path = normalize(path);
        // Nothing can be half done under this lock, so one that a panic has poisoned is as good.
        let mut files = self.by_path.lock();
        if let Some(file) = files.get(&*path) {
            return *file;
        }
        let path: Arc<str> = path.into();
        let file = make(Arc::clone(&path));
        files.insert(path, file);
        file
    }
}

/// The same path without `.`, `..` and doubled `/`. A path that is not absolute, such as the name of
/// a text that is on no disk, stays as it is.
pub fn normalize(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_to_one_file_are_one_path() {
        assert_eq!(normalize("/a/./b//../c.stb"), "/a/c.stb");
        assert_eq!(normalize("/../c.stb"), "/c.stb");
        assert_eq!(normalize("untitled:Untitled-1"), "untitled:Untitled-1");
    }
}
