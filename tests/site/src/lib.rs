//! Builds the site of the documentation from the pages of `docs`, with mdBook, and finds links in
//! it that lead nowhere. Nothing is fetched for it, and what is built fetches nothing.

pub mod links;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};
use mdbook_driver::MDBook;
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;

/// The folder with the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Builds the site into a folder, of which nothing stays that was there, and gives what mdBook has
/// warned of, a line for each.
///
/// A page may link to files of the repository, `../examples/peterson.stb`: these are copied into the
/// folder `repository` of the site. Fails where there is no such file, and where mdBook fails.
pub fn build(to: &Path) -> Result<Vec<String>> {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(Level::WARN)
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    tracing::subscriber::with_default(subscriber, || -> Result<()> {
        let mut book = MDBook::load(repository().join("docs"))?;
        book.config.build.build_dir = std::path::absolute(to)?;
        book.build()
    })?;
    fs::remove_file(to.join("book.toml")).context("mdBook copies all that is no page")?;
    for page in links::pages(to)? {
        copy_what_it_links_to(&page, to)?;
    }
    let said = log.0.lock().unwrap_or_else(PoisonError::into_inner);
    let said = String::from_utf8_lossy(&said);
    Ok(said.lines().map(str::to_owned).collect())
}

/// Copies the files of the repository that a page links to, and has its links lead to the copies.
fn copy_what_it_links_to(page: &Path, site: &Path) -> Result<()> {
    let text = fs::read_to_string(page)?;
    let folders = page.strip_prefix(site)?.components().count() - 1;
    let to_site = "../".repeat(folders);
    // A page is as deep in the site as it is in `docs`.
    let to_repository = format!("{to_site}../");
    for link in links::of(&text).links {
        let Some(file) = link.strip_prefix(&to_repository) else {
            continue;
        };
        let file = file.split('#').next().unwrap_or(file);
        let from = repository().join(file);
        ensure!(
            !file.contains("..") && from.exists(),
            "{}: no file of the repository: {link} (its Markdown that is no page of the site cannot be linked to)",
            page.display()
        );
        copy(&from, &site.join(links::COPIED).join(file))?;
    }
    let copied = format!("href=\"{to_site}{}/", links::COPIED);
    fs::write(
        page,
        text.replace(&format!("href=\"{to_repository}"), &copied),
    )?;
    Ok(())
}

/// Copies a file, or a folder with all that is in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if from.is_dir() {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map(drop)
}

/// What is logged, in memory.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        log.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Log;

    fn make_writer(&self) -> Log {
        self.clone()
    }
}
