//! The links of a site that was built, and where they lead.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use html5ever::tokenizer::{
    BufferQueue, Tag, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

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

/// The pages of a site, which are all in one folder.
pub fn pages(site: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(site)?.collect::<io::Result<Vec<_>>>()?;
    let mut pages: Vec<_> = entries.iter().map(fs::DirEntry::path).collect();
    pages.retain(|page| page.extension().is_some_and(|e| e == "html"));
    pages.sort();
    Ok(pages)
}

/// The links of a site that lead nowhere in it, each with its page. What is elsewhere in the world
/// is not asked.
pub fn broken(site: &Path) -> io::Result<Vec<String>> {
    let mut read = BTreeMap::new();
    for file in pages(site)? {
        let name = file.file_name().unwrap_or_default().to_owned();
        read.insert(name, of(&fs::read_to_string(&file)?));
    }
    let mut broken = Vec::new();
    for (name, page) in &read {
        for link in &page.links {
            if link.starts_with("https://") || link.starts_with("data:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() {
                Path::new(name)
            } else {
                Path::new(file)
            };
            let is_anchor = || {
                let there = read.get(file.as_os_str());
                there.is_some_and(|page| page.anchors.contains(anchor))
            };
            if !site.join(file).exists() || !anchor.is_empty() && !is_anchor() {
                broken.push(format!("{}: {link}", name.to_string_lossy()));
            }
        }
    }
    Ok(broken)
}
