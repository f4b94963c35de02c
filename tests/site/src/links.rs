//! The links of a site that was built, and where they lead.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use html5ever::tokenizer::{
    BufferQueue, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

/// Folder of a site with the files of the repository that its pages link to.
pub const COPIED: &str = "repository";

/// What of a page has to do with links.
#[derive(Debug, Default)]
pub struct Page {
    /// The places in it that a link may lead to.
    pub anchors: BTreeSet<String>,
    /// What it links to, shows, or loads.
    pub links: Vec<String>,
}

#[derive(Default)]
struct Reader(RefCell<Page>);

impl TokenSink for Reader {
    type Handle = ();

    fn process_token(&self, token: Token, _line: u64) -> TokenSinkResult<()> {
        if let Token::TagToken(Tag { attrs, .. }) = token {
            let mut page = self.0.borrow_mut();
            for attribute in attrs {
                let value = attribute.value.to_string();
                match &*attribute.name.local {
                    "id" => drop(page.anchors.insert(value)),
                    "href" | "src" => page.links.push(value),
                    _ => {}
                }
            }
        }
        TokenSinkResult::Continue
    }
}

/// The links of a page, and its anchors.
pub fn of(html: &str) -> Page {
    let tokenizer = Tokenizer::new(Reader::default(), TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(html.into());
    // It stops at each script, since one could write into the page.
    while !input.is_empty() {
        let _script = tokenizer.feed(&input);
    }
    tokenizer.end();
    tokenizer.sink.0.into_inner()
}

/// The pages of a site, also those in folders, but not the files that are copied from the repository.
pub fn pages(site: &Path) -> io::Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    let mut folders = vec![site.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && path != site.join(COPIED) {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "html") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// The file that a link on a page names, both relative to the site. `None` if it is outside.
fn target(page: &Path, file: &str) -> Option<PathBuf> {
    let mut target = page.parent()?.to_owned();
    for part in Path::new(file).components() {
        match part {
            Component::ParentDir => target = target.parent()?.to_owned(),
            part => target.push(part),
        }
    }
    Some(target)
}

/// Returns the links of a site that lead nowhere in it, each with its page. Links to other sites are
/// not followed.
pub fn broken(site: &Path) -> io::Result<Vec<String>> {
    let mut read = BTreeMap::new();
    for file in pages(site)? {
        let name = file.strip_prefix(site).unwrap_or(&file).to_owned();
        read.insert(name, of(&fs::read_to_string(&file)?));
    }
    let mut broken = Vec::new();
    for (name, page) in &read {
        for link in &page.links {
            if link.starts_with("https://") || link.starts_with("data:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = match file {
                "" => Some(name.clone()),
                _ => target(name, file),
            };
            let is_there = file.is_some_and(|file| {
                let has_anchor = || {
                    read.get(&file)
                        .is_some_and(|page| page.anchors.contains(anchor))
                };
                site.join(&file).exists() && (anchor.is_empty() || has_anchor())
            });
            if !is_there {
                broken.push(format!("{}: {link}", name.display()));
            }
        }
    }
    Ok(broken)
}
