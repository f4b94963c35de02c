//! The engine's files stand on floors: none imports from a floor above its own, and no more than
//! three import from each other in a circle.
//!
//! A file that is new has its place in the list below.

mod imports;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use imports::Sources;

/// From the ground up: what the paths of a floor's files begin with. Of two that fit, the longer
/// counts.
const FLOORS: &[&[&str]] = &[
    &[
        "coverage.rs",
        "disk.rs",
        "error.rs",
        "members.rs",
        "numbering.rs",
        "options.rs",
        "pays.rs",
        "state.rs",
    ],
    &["profit.rs", "successors.rs", "successors/", "recurring.rs"],
    &["relations.rs"],
    &["trace/"],
    &["verdict.rs", "seen.rs", "several.rs", "watch.rs"],
    &["interpreter/"],
    &["packed/"],
    &["symmetry/"],
    &["graph/", "store/"],
    &["search/"],
    &["reduction/"],
    &["related/"],
    &["properties/"],
    &["runs/"],
    &["monitored/"],
    &["check/"],
    &["explore.rs", "explore/"],
    &["sharing.rs"],
    &["lib.rs"],
];

/// The most files that may import from each other in a circle.
const LARGEST_CIRCLE: usize = 3;

/// The floor that a file stands on.
fn floor(floors: &[&[&str]], file: &str) -> Option<usize> {
    let prefixes = |floor: &[&str]| {
        let fitting = floor.iter().filter(|prefix| file.starts_with(**prefix));
        fitting.map(|prefix| prefix.len()).max()
    };
    let levels = floors.iter().enumerate();
    let fitting = levels.filter_map(|(level, floor)| Some((prefixes(floor)?, level)));
    fitting.max().map(|(_, level)| level)
}

type Imports<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The files that import from above, and from which files there.
fn from_above<'a>(floors: &[&[&str]], imports: &Imports<'a>) -> Vec<(&'a str, Vec<&'a str>)> {
    let files = imports.iter().map(|(file, from)| {
        let above = from
            .iter()
            .filter(|other| floor(floors, other) > floor(floors, file));
        (*file, above.copied().collect::<Vec<_>>())
    });
    files.filter(|(_, above)| !above.is_empty()).collect()
}

/// All that a file imports from, directly or by way of others.
fn reached<'a>(imports: &Imports<'a>, file: &str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = imports[file].iter().copied().collect();
    while let Some(next) = open.pop() {
        if let Some((next, from)) = imports.get_key_value(next)
            && reached.insert(*next)
        {
            open.extend(from);
        }
    }
    reached
}

/// The sets of files that import from each other, all by way of all; of two and more.
fn circles<'a>(imports: &Imports<'a>) -> BTreeSet<Vec<&'a str>> {
    let all: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|file| (*file, reached(imports, file)))
        .collect();
    let circle = |file: &&'a str| {
        let back = all[file].iter().filter(|other| all[*other].contains(file));
        back.copied().collect::<Vec<&'a str>>()
    };
    let circles = imports.keys().map(circle);
    circles.filter(|circle| circle.len() > 1).collect()
}

#[test]
fn no_file_imports_from_above_and_no_large_circle_is_left() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let sources = Sources::read(&folder);
    let lost: Vec<_> = sources
        .files()
        .filter(|f| floor(FLOORS, f).is_none())
        .collect();
    assert!(lost.is_empty(), "these stand on no floor: {lost:?}");
    let imports = sources.imports();
    let mut offend = BTreeMap::new();
    for (file, above) in from_above(FLOORS, &imports) {
        offend.insert(file, format!("imports from above: {}", above.join(", ")));
    }
    for circle in circles(&imports)
        .iter()
        .filter(|c| c.len() > LARGEST_CIRCLE)
    {
        println!("a circle of {}: {}", circle.len(), circle.join(", "));
        for file in circle {
            let told = offend.entry(*file).or_default();
            *told = format!("{told} in a circle of {}", circle.len());
        }
    }
    assert!(offend.is_empty(), "these files offend: {offend:#?}");
}

/// A crate of four files: `lib` hands on what `low` has, and `low` and `high` know each other.
fn example() -> Sources {
    let mut sources = Sources::default();
    sources.add(
        "lib.rs",
        "mod high;\nmod low;\npub use low::{Item, part::Part as Piece};\n",
    );
    sources.add(
        "low/mod.rs",
        "pub mod part;\npub struct Item;\nfn f() { crate::high::go() }\n",
    );
    sources.add(
        "low/part.rs",
        "// use crate::high::Go;\nconst S: &str = \"crate::high\";\npub struct Part;\n",
    );
    sources.add(
        "high.rs",
        "use crate::{Item, Piece};\nuse std::fmt;\n#[cfg(test)]\nmod tests { use crate::Other; }\n",
    );
    sources
}

#[test]
fn imports_are_followed_to_the_file_that_has_what_is_named() {
    let sources = example();
    let imports = sources.imports();
    assert_eq!(
        imports["high.rs"],
        BTreeSet::from(["low/mod.rs", "low/part.rs"])
    );
    assert_eq!(imports["low/mod.rs"], BTreeSet::from(["high.rs"]));
    assert_eq!(imports["low/part.rs"], BTreeSet::new());
}

#[test]
fn a_file_that_imports_from_above_is_told() {
    let sources = example();
    let floors: &[&[&str]] = &[&["low/"], &["high.rs"], &["lib.rs"]];
    let above = from_above(floors, &sources.imports());
    assert_eq!(above, [("low/mod.rs", vec!["high.rs"])]);
}

#[test]
fn files_that_import_from_each_other_are_a_circle() {
    let sources = example();
    let circles = circles(&sources.imports());
    assert_eq!(circles, BTreeSet::from([vec!["high.rs", "low/mod.rs"]]));
}
