//! The size of the product, and figures that show how many ways there are to do one thing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::imports::Sources;
use crate::sources::{self, Source};

/// Prints a table in Markdown.
///
/// # Errors
/// If the sources cannot be read.
pub fn run(root: &Path) -> anyhow::Result<()> {
    let (generated, all): (Vec<Source>, Vec<Source>) = sources::product(root)?
        .into_iter()
        .partition(|source| source.path.to_string_lossy().contains("generated"));
    println!("| figure | value |");
    println!("|---|--:|");
    println!("| lines of the product | {} |", lines(&all));
    println!(
        "| lines of generated files, not in the other rows | {} |",
        lines(&generated)
    );
    let mut folders: BTreeMap<String, usize> = BTreeMap::new();
    for source in &all {
        let path = source.path.to_string_lossy();
        let parts: Vec<&str> = path.split('/').collect();
        let depth = if parts[0] == "checker" { 2 } else { 1 };
        *folders.entry(parts[..depth].join("/")).or_default() += source.lines.len();
    }
    for (folder, lines) in folders {
        println!("| lines of `{folder}` | {lines} |");
    }
    println!("| files of over 500 lines | {} |", long_files(&all));
    let of_engine: Vec<&Source> = all
        .iter()
        .filter(|s| !s.path.starts_with("server"))
        .collect();
    println!(
        "| methods of `Successors` | {} |",
        methods(&of_engine, "pub trait Successors")
    );
    println!(
        "| `impl Visit` | {} |",
        implementations(&of_engine, "Visit")
    );
    let (cycles, files) = file_cycles(root, &all);
    println!("| cycles of files | {cycles} |");
    println!("| files in them | {files} |");
    Ok(())
}

fn lines(all: &[Source]) -> usize {
    all.iter().map(|source| source.lines.len()).sum()
}

fn long_files(all: &[Source]) -> usize {
    all.iter().filter(|source| source.lines.len() > 500).count()
}

/// How many methods the trait whose declaration begins so has.
fn methods(all: &[&Source], trait_begins: &str) -> usize {
    let mut counts = all.iter().filter_map(|source| {
        let begin = source
            .lines
            .iter()
            .position(|line| line.starts_with(trait_begins))?;
        let body = source.lines[begin + 1..].iter();
        let body = body.take_while(|line| line.as_str() != "}");
        Some(body.filter(|line| line.starts_with("    fn ")).count())
    });
    counts.next().unwrap_or(0)
}

/// How many types implement the trait.
fn implementations(all: &[&Source], name: &str) -> usize {
    let lines = all.iter().flat_map(|source| &source.lines);
    let needle = format!(" {name} for ");
    let is_one = |line: &&String| {
        let line = line.trim_start();
        line.starts_with("impl") && line.contains(&needle)
    };
    lines.filter(is_one).count()
}

/// Number of sets of files that import from each other in a circle, within each crate; and the
/// number of files in them.
fn file_cycles(root: &Path, all: &[Source]) -> (usize, usize) {
    let (mut cycles, mut files) = (0, 0);
    for folder in crates(all) {
        for cycle in Sources::read(&root.join(folder)).cycles() {
            cycles += 1;
            files += cycle.len();
        }
    }
    (cycles, files)
}

/// Prints these sets, each file with those of the set that it imports from.
///
/// # Errors
/// If the sources cannot be read.
pub fn list_cycles(root: &Path) -> anyhow::Result<()> {
    for folder in crates(&sources::product(root)?) {
        let sources = Sources::read(&root.join(folder));
        let imports = sources.imports();
        for cycle in sources.cycles() {
            println!("{}: {} files", folder.display(), cycle.len());
            for file in &cycle {
                let others = imports[file].iter().filter(|other| cycle.contains(other));
                let others: Vec<&str> = others.copied().collect();
                println!("  {file} <- {}", others.join(" "));
            }
        }
    }
    Ok(())
}

/// The folders of sources.
fn crates(all: &[Source]) -> BTreeSet<&Path> {
    let folders = all.iter().filter_map(|source| {
        let mut above = source.path.ancestors();
        above.find(|folder| folder.ends_with("src"))
    });
    folders.collect()
}
