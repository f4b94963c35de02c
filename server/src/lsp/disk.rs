//! The files that are not open.

use std::fs;
use std::path::{Path, PathBuf};

use crate::database::Contents;

/// A larger file is no model that anybody wrote.
const MAX_BYTES: u64 = 64 << 20;
/// A search for testers looks into so many folders.
const MAX_FOLDERS: usize = 10_000;
/// It finds so many.
const MAX_TESTERS: usize = 1_000;

/// The text of the file with this path.
pub fn read(path: &str) -> Contents {
    let path = Path::new(path);
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= MAX_BYTES);
    if !path.is_absolute() || !is_file {
        return Contents::Missing;
    }
    match fs::read(path) {
        // A byte that is no text is told by the parser, at its place.
        Ok(bytes) => Contents::Text(String::from_utf8_lossy(&bytes).into()),
        Err(_) => Contents::Missing,
    }
}

/// The tester files in a folder and the folders in it, with their texts. Hidden folders, and those
/// in which programs keep what they have made, are left out.
pub fn testers(folder: &Path) -> Vec<(String, Contents)> {
    let mut found = Vec::new();
    let mut open: Vec<PathBuf> = vec![folder.to_path_buf()];
    let mut looked = 0;
    while let Some(folder) = open.pop() {
        looked += 1;
        if looked > MAX_FOLDERS {
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
            if kind.is_dir() && !name.starts_with('.') && name != "target" && name != "node_modules"
            {
                open.push(path);
            } else if name.ends_with(".tester")
                && let Some(path) = path.to_str()
            {
                found.push((path.to_owned(), read(path)));
                if found.len() == MAX_TESTERS {
                    return found;
                }
            }
        }
    }
    found
}
