//! Assumptions of the tests: every file of a test program belongs to it, the oracles share no code
//! with the checker, and the page of the architecture names what is there.

use std::path::{Path, PathBuf};
use std::process::Command;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use serde_json::Value as Json;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The packages of the workspace, as cargo knows them.
fn packages() -> Vec<Json> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(repository())
        .output()
        .expect("cargo starts");
    let metadata: Json = serde_json::from_slice(&output.stdout).expect("an object");
    metadata["packages"].as_array().expect("a list").clone()
}

/// Verdicts are kept under a hash of the sources in `checker` and `server` (`server/build.rs`).
#[test]
fn every_crate_of_the_program_is_in_the_hash_of_its_build() {
    let root = repository().canonicalize().expect("the folder is there");
    let packages = packages();
    let folder = |package: &Json| {
        let manifest = package["manifest_path"].as_str().expect("a path");
        let folder = Path::new(manifest).parent().expect("a folder");
        folder.strip_prefix(&root).expect("a member").to_owned()
    };
    let mut needed = vec!["stubborn"];
    let mut at = 0;
    while let Some(name) = needed.get(at) {
        let package = packages.iter().find(|package| package["name"] == *name);
        let package = package.expect("a member");
        let own = folder(package);
        let folders = [own.as_path(), own.parent().expect("a folder")];
        let is_hashed = ["server", "checker"].map(Path::new);
        let is_hashed = folders.iter().any(|folder| is_hashed.contains(folder));
        assert!(is_hashed, "{name} is not in the hash");
        for dependency in package["dependencies"].as_array().expect("a list") {
            let name = dependency["name"].as_str().expect("a name");
            let is_own = dependency["path"].is_string() && dependency["kind"].is_null();
            if is_own && !needed.contains(&name) {
                needed.push(name);
            }
        }
        at += 1;
    }
    assert!(needed.contains(&"stubborn-ide") && needed.contains(&"stubborn-engine"));
}

/// The files in a folder, and the folders that are modules.
fn modules(folder: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let modules = paths.filter_map(|path| {
        let name = path.file_stem()?.to_str()?.to_owned();
        let is_root = ["mod", "main", "lib"].contains(&name.as_str());
        let is_file = path.extension().is_some_and(|e| e == "rs") && !is_root;
        (is_file || path.join("mod.rs").is_file()).then_some((name, path))
    });
    modules.collect()
}

/// The modules in a folder that its root does not name, and those in the folders within.
fn left_out(root: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(root).expect("the file is read");
    let folder = root.parent().expect("a folder");
    let mut all = Vec::new();
    for (name, path) in modules(folder) {
        if !text
            .lines()
            .any(|line| line.ends_with(&format!("mod {name};")))
        {
            all.push(path.clone());
        }
        if path.is_dir() {
            all.extend(left_out(&path.join("mod.rs")));
        }
    }
    all
}

#[test]
fn every_file_of_a_test_program_belongs_to_it() {
    let mut programs = 0;
    let mut all = Vec::new();
    for package in packages() {
        for target in package["targets"].as_array().expect("a list") {
            if target["kind"] == serde_json::json!(["test"]) {
                let root = target["src_path"].as_str().expect("a path");
                all.extend(left_out(Path::new(root)));
                programs += 1;
            }
        }
    }
    assert!(programs >= 8, "where are the test programs?");
    assert!(all.is_empty(), "these are in no program: {all:#?}");
}

/// The files of Rust in a folder and in those within.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let sources = paths.flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    sources
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// What draws, spells and judges a text knows nothing of how the checker reads it. The random
/// crate's `read` asks the checker, and `systems` and `beside` draw without a text.
#[test]
fn the_oracle_of_random_systems_shares_no_code_with_the_checker() {
    let tests = repository().join("tests");
    let random = tests.join("random/src");
    let may_know = |path: &PathBuf| {
        let asks = ["read.rs", "systems.rs", "beside"].map(|name| random.join(name));
        asks.iter().any(|known| path.starts_with(known))
    };
    // What is shown of a verdict is made by the program itself: it is held to what the oracle says.
    let shown = tests.join("random_systems/shown.rs");
    let judged = sources(&tests.join("random_systems"));
    let judged = judged.into_iter().filter(|path| *path != shown);
    let drawn = sources(&random).into_iter().filter(|path| !may_know(path));
    let files: Vec<_> = judged.chain(drawn).collect();
    assert!(files.len() >= 30, "where is the oracle?");
    for file in files {
        let text = std::fs::read_to_string(&file).expect("the file is read");
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        let others =
            code.filter(|line| line.replace("stubborn_random::", "").contains("stubborn_"));
        let others: Vec<_> = others.collect();
        assert!(others.is_empty(), "{}: {others:?}", file.display());
    }
}

/// A link of a page of Markdown.
struct PageLink {
    to: String,
    /// The text, if it is one name in backticks.
    name: Option<String>,
}

/// The links of a page, and the names in backticks that are outside of links.
fn links_of(page: &str) -> (Vec<PageLink>, Vec<String>) {
    let (mut links, mut names) = (Vec::new(), Vec::new());
    let mut open: Option<(String, Vec<Event>)> = None;
    for event in Parser::new_ext(page, pulldown_cmark::Options::ENABLE_TABLES) {
        match (event, &mut open) {
            (Event::Start(Tag::Link { dest_url, .. }), _) => {
                open = Some((dest_url.to_string(), Vec::new()));
            }
            (Event::End(TagEnd::Link), _) => {
                let (to, text) = open.take().expect("a link has begun");
                let name = match text.as_slice() {
                    [Event::Code(name)] => Some(name.to_string()),
                    _ => None,
                };
                links.push(PageLink { to, name });
            }
            (event, Some((_, text))) => text.push(event),
            (Event::Code(name), None) => names.push(name.to_string()),
            _ => {}
        }
    }
    (links, names)
}

/// Whether a name is that of a file, or of the folder of a root module or a manifest, or occurs in
/// the file.
fn names_file(name: &str, file: &Path) -> bool {
    let is_root = ["mod", "lib", "main", "Cargo", "package"].map(Some);
    let stem = file.file_stem().and_then(|stem| stem.to_str());
    let folder = file.parent().expect("a folder");
    let is_named = file.ends_with(name)
        || stem == Some(name)
        || is_root.contains(&stem) && folder.ends_with(name);
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    is_named || words.any(|word| word == name)
}

/// Whether a name is one of the code, not a word of the language or of the command line.
fn is_of_code(name: &str) -> bool {
    let is_type = name.starts_with(char::is_uppercase);
    is_type
        || ["/", "::", "_", ".rs"]
            .iter()
            .any(|sign| name.contains(sign))
}

#[test]
fn each_name_in_the_architecture_is_a_link_to_its_file() {
    let root = repository().canonicalize().expect("the folder is there");
    let architecture = root.join("ARCHITECTURE.md");
    let entries = std::fs::read_dir(root.join("docs/dev")).expect("the folder is there");
    let mut pages: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    pages.push(architecture.clone());
    assert!(pages.len() >= 10, "where are the pages?");
    let mut wrong = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("a page");
        let (links, names) = links_of(&text);
        for PageLink { to, name } in links.iter().filter(|link| !link.to.contains("://")) {
            let file = page.with_file_name(to.split('#').next().expect("a part"));
            match (file.canonicalize(), name) {
                (Err(_), _) => wrong.push(format!("{}: no file {to}", page.display())),
                (Ok(file), Some(name)) if !names_file(name, &file) => {
                    wrong.push(format!("{}: {name} is not in {to}", page.display()));
                }
                _ => {}
            }
        }
        if page == architecture {
            let names = names.iter().filter(|name| is_of_code(name));
            wrong.extend(names.map(|name| format!("{name} is no link")));
            let lines = text.lines();
            let long = lines.clone().filter(|line| line.chars().count() > 100);
            wrong.extend(long.map(|line| format!("over 100 columns: {line}")));
            assert!(lines.count() <= 200, "the page has more than 200 lines");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
