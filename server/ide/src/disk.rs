//! The files that are not open.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::looks::is_ours;
use crate::database::Contents;
use crate::files::{self, Unreadable};

/// A search for models and testers looks into so many folders.
const MAX_FOLDERS: usize = 10_000;
/// It finds so many.
const MAX_FOUND: usize = 2_000;
/// So many entries of a folder are looked at for the names of models.
const MAX_ENTRIES: usize = 10_000;

/// The files that may be read without having been opened: those in the folders of the workspace and
/// beside the open files, and in the folders in these. Whoever only looks at somebody else's model
/// shows it nothing of the rest of the disk.
#[derive(Clone, Debug, Default)]
pub struct Disk {
    workspace: BTreeSet<Folder>,
    /// The folders of the open files, by their paths.
    beside: BTreeMap<Arc<str>, Folder>,
    /// All files may be read.
    pub is_open: bool,
}

/// An open text against the disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beside {
    /// The file has the same text.
    Same,
    /// It has another.
    Other,
    /// There is no such file: the text was never saved.
    Nothing,
}

/// A folder as it is named, and as it is behind all links.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Folder {
    named: PathBuf,
    real: PathBuf,
}

impl Folder {
    fn new(named: &Path) -> Folder {
        Folder {
            named: named.to_owned(),
            real: fs::canonicalize(named).unwrap_or_else(|_| named.to_owned()),
        }
    }
}

impl Disk {
    pub fn add_folder(&mut self, path: &str) {
        let path = Path::new(path);
        if path.is_absolute() {
            self.workspace.insert(Folder::new(path));
        }
    }

    pub fn remove_folder(&mut self, path: &str) {
        self.workspace
            .retain(|folder| folder.named != Path::new(path));
    }

    /// The client has opened this file.
    pub fn open(&mut self, path: &Arc<str>) {
        if let Some(folder) = Path::new(&**path).parent().filter(|one| one.is_absolute()) {
            self.beside.insert(Arc::clone(path), Folder::new(folder));
        }
    }

    pub fn close(&mut self, path: &str) {
        self.beside.remove(path);
    }

    /// The text of the file with this path.
    pub fn read(&self, path: &str) -> Contents {
        if !Path::new(path).is_absolute() {
            return Contents::Missing;
        }
        match self.bytes(Path::new(path)) {
            // A byte that is no text is told by the parser, at its place.
            Ok(bytes) => Contents::Text(String::from_utf8_lossy(&bytes).into()),
            Err(Unreadable::Missing) => Contents::Missing,
            Err(why) => Contents::Refused(format!("`{path}` {why}").into()),
        }
    }

    /// What the file with this path has, beside an open text of it that is so many bytes long.
    /// `text` is asked for only where the lengths agree.
    pub fn beside(&self, path: &str, length: usize, text: impl FnOnce() -> String) -> Beside {
        match fs::metadata(path) {
            Err(_) => Beside::Nothing,
            Ok(found) if !Path::new(path).is_absolute() || !found.is_file() => Beside::Other,
            Ok(found) if found.len() != length as u64 => Beside::Other,
            Ok(_) if self.read(path) == Contents::Text(text().into()) => Beside::Same,
            Ok(_) => Beside::Other,
        }
    }

    /// The names of the models in a folder, in their order; none where nobody may read there.
    pub fn models(&self, folder: &Path) -> Vec<String> {
        self.models_within(folder, MAX_ENTRIES)
    }

    /// Those among so many entries.
    fn models_within(&self, folder: &Path, most: usize) -> Vec<String> {
        let real = || fs::canonicalize(folder).ok();
        let may_read = folder.is_absolute()
            && self.is_named_within(folder)
            && (self.is_open || real().is_some_and(|real| self.is_within(&real)));
        let Some(entries) = may_read.then(|| fs::read_dir(folder).ok()).flatten() else {
            return Vec::new();
        };
        let names = entries.take(most).flatten().filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            (name.ends_with(".stb") && !is_folder).then_some(name)
        });
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    fn is_named_within(&self, path: &Path) -> bool {
        self.is_open || self.is_in_a_folder(path)
    }

    /// Whether the path lies in a folder of the workspace or of an open file.
    pub fn is_in_a_folder(&self, path: &Path) -> bool {
        let is_within =
            |folder: &Folder| path.starts_with(&folder.named) || path.starts_with(&folder.real);
        self.folders().any(is_within)
    }

    fn is_within(&self, real: &Path) -> bool {
        self.folders().any(|folder| real.starts_with(&folder.real))
    }

    fn bytes(&self, path: &Path) -> Result<Vec<u8>, Unreadable> {
        // Before the disk is looked at: it is not even told whether there is such a file.
        if !self.is_named_within(path) {
            return Err(Unreadable::Outside);
        }
        let real = files::behind_links(path)?;
        if !self.is_open && !self.is_within(&real) {
            return Err(Unreadable::Outside);
        }
        files::read(&real)
    }

    fn folders(&self) -> impl Iterator<Item = &Folder> {
        self.workspace.iter().chain(self.beside.values())
    }

    /// Whether the file is one that others may be told to change: in a folder of the workspace or
    /// beside an open file, also behind all links, and not to be read only.
    pub fn may_change(&self, path: &str) -> bool {
        let path = Path::new(path);
        let is_writable =
            |real: &Path| fs::metadata(real).is_ok_and(|found| !found.permissions().readonly());
        path.is_absolute()
            && files::behind_links(path)
                .is_ok_and(|real| self.is_within(&real) && is_writable(&real))
    }

    /// The models in a folder and the folders in it, and the testers that look like ours, with their texts. Hidden
    /// folders, and those in which programs keep what they have made, are left out.
    pub fn found_in(&self, folder: &Path) -> Vec<(String, Contents)> {
        let (found, is_all) = self.found_within(folder, MAX_FOLDERS, MAX_FOUND);
        if !is_all {
            tracing::warn!(
                "of the models and testers in {} some are not read before they are opened: there are \
                 more than {MAX_FOUND} of one sort, or of other programs' files with such names, or more than \
                 {MAX_FOLDERS} folders",
                folder.display()
            );
        }
        found
    }

    /// As many as are allowed, in as many folders; and whether these are all.
    fn found_within(
        &self,
        folder: &Path,
        max_folders: usize,
        max_found: usize,
    ) -> (Vec<(String, Contents)>, bool) {
        let mut is_all = true;
        let mut found = Vec::new();
        // Testers alone are checked: models must not take their places.
        let (mut testers, mut models) = (0, 0);
        // Nor may those of other programs, of which there may be very many.
        let mut others = 0;
        let mut open: Vec<PathBuf> = vec![folder.to_path_buf()];
        let mut looked = 0;
        while let Some(folder) = open.pop() {
            looked += 1;
            if looked > max_folders {
                is_all = false;
                break;
            }
            let Ok(entries) = fs::read_dir(&folder) else {
                continue;
            };
            let mut entries: Vec<_> = entries.flatten().collect();
            entries.sort_by_key(fs::DirEntry::file_name);
            for entry in entries {
                let path = entry.path();
                let name = entry.file_name();
                let name = name.to_string_lossy();
                // A link to a folder may lead round in a circle, so it is not followed.
                let Ok(kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_dir()
                    && !name.starts_with('.')
                    && name != "target"
                    && name != "node_modules"
                {
                    open.push(path);
                    continue;
                }
                let count = match &*name {
                    name if name.ends_with(".tester") => &mut testers,
                    name if name.ends_with(".stb") => &mut models,
                    _ => continue,
                };
                let Some(path) = path.to_str() else {
                    continue;
                };
                if *count == max_found || others == max_found {
                    is_all = false;
                    continue;
                }
                let contents = self.read(path);
                if is_ours(path, &contents) {
                    *count += 1;
                    found.push((path.to_owned(), contents));
                } else {
                    others += 1;
                }
            }
        }
        (found, is_all)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn is_outside(contents: &Contents) -> bool {
        matches!(contents, Contents::Refused(why) if why.contains("`stubborn.files.outsideWorkspace`"))
    }

    #[test]
    fn as_many_files_in_as_many_folders_are_found_as_are_allowed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.stb", "b.stb", "d.txt", "foreign.tester"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        fs::write(folder.path().join("c.tester"), "use \"a.stb\"").unwrap();
        fs::create_dir(folder.path().join("inner")).unwrap();
        fs::write(folder.path().join("inner/e.stb"), "").unwrap();
        let mut disk = Disk::default();
        disk.add_folder(folder.path().to_str().unwrap());
        let found = |max_folders: usize, max_found: usize| {
            let (found, is_all) = disk.found_within(folder.path(), max_folders, max_found);
            (found.len(), is_all)
        };
        // Two folders, three models, a tester of ours and one of another program.
        let of_folders = [1, 2, 3].map(|folders| found(folders, 10));
        assert_eq!(of_folders, [(3, false), (4, true), (4, true)]);
        let of_models = [2, 3, 4].map(|models| found(10, models));
        assert_eq!(of_models, [(3, false), (4, true), (4, true)]);
    }

    #[test]
    fn what_is_outside_is_not_read_behind_links_either() {
        let (inside, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(inside.path().join("in.stb"), "in").unwrap();
        fs::write(outside.path().join("out.stb"), "out").unwrap();
        symlink(outside.path(), inside.path().join("folder")).unwrap();
        symlink(inside.path(), outside.path().join("back")).unwrap();
        let name = |folder: &Path, name: &str| folder.join(name).to_str().unwrap().to_owned();

        let mut disk = Disk::default();
        let within = name(inside.path(), "in.stb");
        assert!(is_outside(&disk.read(&within)));
        disk.add_folder(inside.path().to_str().unwrap());
        let text = |text: &str| Contents::Text(text.into());
        assert_eq!(disk.read(&within), text("in"));
        let without = name(outside.path(), "out.stb");
        assert!(is_outside(&disk.read(&without)));
        assert!(is_outside(&disk.read(&name(outside.path(), "none.stb"))));
        assert!(is_outside(
            &disk.read(&name(inside.path(), "folder/out.stb"))
        ));
        assert!(is_outside(&disk.read(&name(outside.path(), "back/in.stb"))));

        assert_eq!(disk.models(inside.path()), ["in.stb"]);
        assert_eq!(disk.models(outside.path()), Vec::<String>::new());
        let through = inside.path().join("folder");
        assert_eq!(disk.models(&through), Vec::<String>::new());

        // An open file may use what is beside it.
        let open: Arc<str> = name(outside.path(), "opened.stb").into();
        disk.open(&open);
        assert_eq!(disk.read(&without), text("out"));
        disk.close(&open);
        assert!(is_outside(&disk.read(&without)));
        disk.is_open = true;
        assert_eq!(disk.read(&without), text("out"));
    }

    #[test]
    fn the_names_of_models_are_looked_for_among_as_many_entries_as_allowed() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.stb", "b.stb", "c.stb"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let disk = Disk {
            is_open: true,
            ..Disk::default()
        };
        let named = [2, 3, 4].map(|most| disk.models_within(folder.path(), most).len());
        assert_eq!(named, [2, 3, 3]);
    }
}
