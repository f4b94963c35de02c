//! Documents that are not a user's: runs, written to a folder that goes with the server.

use parking_lot::Mutex;
use tempfile::TempDir;
use tower_lsp::lsp_types::Url;

/// The folder, once there is something in it.
#[derive(Default)]
pub struct Runs(Mutex<Option<TempDir>>);

impl Runs {
    /// Writes a run of a property, in the place of the last one. `None` where that cannot be.
    pub fn write(&self, property: &str, text: &str) -> Option<Url> {
        let mut folder = self.0.lock();
        if folder.is_none() {
            let made = tempfile::Builder::new().prefix("stubborn-runs-").tempdir();
            *folder = made.ok();
        }
        // No name of a model may lead out of the folder.
        let name = property.chars().map(|letter| match letter {
            letter if letter.is_alphanumeric() => letter,
            _ => '_',
        });
        let name: String = name.take(100).collect();
        let path = folder.as_ref()?.path().join(format!("{name}.txt"));
        std::fs::write(&path, text).ok()?;
        Url::from_file_path(path).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_written_within_the_folder_whatever_its_property_is_called() {
        let runs = Runs::default();
        let first = runs
            .write("../../etc/passwd(1)", "one")
            .expect("a document");
        let path = first.to_file_path().expect("a path");
        assert!(path.ends_with("______etc_passwd_1_.txt"), "{path:?}");
        assert_eq!(std::fs::read_to_string(&path).expect("a text"), "one");
        let folder = path.parent().expect("a folder").to_owned();
        drop(runs);
        assert!(!folder.exists());
    }
}
