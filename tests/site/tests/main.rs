//! The site is built without a warning, each page is on it, and each link leads somewhere; so do the
//! links of the pages that stand outside it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use stubborn_site::{build, links, repository};

#[test]
fn the_site_is_built_and_its_links_lead_somewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let warnings = build(folder.path()).expect("the site is built");
    assert_eq!(warnings, Vec::<String>::new());
    let broken = links::broken(folder.path()).expect("the site is read");
    assert_eq!(broken, Vec::<String>::new());

    let docs = repository().join("docs");
    for page in markdown(&docs) {
        let page = page.strip_prefix(&docs).expect("a page of docs");
        let is_on_it = folder.path().join(page).with_extension("html").exists();
        let is_page = page != Path::new("SUMMARY.md");
        assert!(
            !is_page || is_on_it,
            "{} is not in docs/SUMMARY.md",
            page.display()
        );
    }
}

/// The pages in a folder and in those within.
fn markdown(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let pages = paths.flat_map(|path| match path.is_dir() {
        true => markdown(&path),
        false => vec![path],
    });
    pages
        .filter(|page| page.extension().is_some_and(|e| e == "md"))
        .collect()
}

#[test]
fn the_site_loads_nothing_from_elsewhere() {
    let folder = tempfile::tempdir().expect("a folder");
    build(folder.path()).expect("the site is built");
    for page in links::pages(folder.path()).expect("the site is read") {
        let html = fs::read_to_string(&page).expect("a page");
        let loads = ["src=\"http", "@import url(http"];
        let from = loads.iter().find(|load| html.contains(**load));
        assert_eq!(from, None, "{}", page.display());
        let style = html.lines().find(|line| {
            line.contains("<link") && line.contains("stylesheet") && line.contains("http")
        });
        assert_eq!(style, None, "{}", page.display());
    }
}

#[test]
fn links_that_lead_nowhere_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = "<h1 id=here>A page</h1><script>1 < 2</script>
        <a href=\"#here\"></a> <a href='#there'></a> <a href=b.html></a>
        <a href=\"a.html#here\"></a> <a href=\"a.html#there\"></a> <img src=\"c.png\">";
    fs::write(folder.path().join("a.html"), page).expect("it is written");
    let within =
        "<a href=\"../a.html#here\"></a> <a href=\"a.html\"></a> <a href=\"../../a.html\"></a>";
    fs::create_dir(folder.path().join("d")).expect("it is made");
    fs::write(folder.path().join("d/d.html"), within).expect("it is written");
    let broken = links::broken(folder.path()).expect("the site is read");
    assert_eq!(
        broken,
        [
            "a.html: #there",
            "a.html: b.html",
            "a.html: a.html#there",
            "a.html: c.png",
            "d/d.html: a.html",
            "d/d.html: ../../a.html"
        ]
    );
}

/// The script is read as text: it is the book's that runs it.
#[test]
fn every_reserved_word_has_its_colour() {
    let read = |name| fs::read_to_string(repository().join(name)).expect("a file");
    let (reference, colours) = (read("docs/language.md"), read("docs/theme/stubborn.js"));
    let listed = reference.split_once("\n> `").expect("a list of them").1;
    let listed = listed.split_once('`').expect("an end of it").0;
    let coloured: BTreeSet<_> = colours.split([' ', '\'', '\n']).collect();
    let words: Vec<_> = listed
        .split([' ', '>', '\n'])
        .filter(|w| !w.is_empty())
        .collect();
    assert!(words.len() > 40, "{words:?}");
    for word in words {
        assert!(coloured.contains(word), "{word}");
    }
}

/// The links of a page of Markdown, and the anchors that its headings are, in the manner of GitHub.
fn of_markdown(text: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut links, mut anchors) = (Vec::new(), BTreeSet::new());
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                links.push(dest_url.to_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => anchors.extend(heading.take()),
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    let kept = part.to_lowercase().replace(' ', "-");
                    let is_kept = |c: &char| c.is_alphanumeric() || ['-', '_'].contains(c);
                    heading.extend(kept.chars().filter(is_kept));
                }
            }
            _ => {}
        }
    }
    (links, anchors)
}

#[test]
fn the_links_of_pages_outside_lead_somewhere() {
    let read = |page: &Path| fs::read_to_string(page).expect("a page");
    for name in ["README.md", "ARCHITECTURE.md", "vscode-extension/README.md"] {
        let page: PathBuf = repository().join(name);
        for link in of_markdown(&read(&page)).0 {
            if link.starts_with("https://") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let there = match file {
                "" => page.clone(),
                _ => page.with_file_name(file),
            };
            assert!(there.exists(), "{name}: {link}");
            let has_anchor = || of_markdown(&read(&there)).1.contains(anchor);
            assert!(anchor.is_empty() || has_anchor(), "{name}: {link}");
        }
    }
}
