//! The imports between the files of a crate, read from its sources by following `crate::`,
//! `super::`, `self::` and the names of modules through re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::sources::code;

/// The files of a crate by their modules' paths, `""` being the root.
#[derive(Default)]
pub struct Sources {
    modules: BTreeMap<Vec<String>, Module>,
}

struct Module {
    /// From the folder of the sources on, as `search/bfs.rs`.
    file: String,
    /// Without comments, literals and tests.
    text: String,
    /// Names that `use` brings in, each with its path.
    brought: Vec<(String, Vec<String>)>,
}

impl Sources {
    /// All files in a folder, without those of tests.
    pub fn read(folder: &Path) -> Sources {
        let mut sources = Sources::default();
        let mut folders = vec![folder.to_owned()];
        while let Some(at) = folders.pop() {
            for entry in std::fs::read_dir(&at).expect("the folder is there") {
                let path = entry.expect("an entry").path();
                let is_tests = path.file_stem().is_some_and(|stem| stem == "tests");
                if is_tests {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let text = std::fs::read_to_string(&path).expect("the file is read");
                    let file = path.strip_prefix(folder).expect("it is in the folder");
                    sources.add(&file.to_string_lossy().replace('\\', "/"), &text);
                }
            }
        }
        sources
    }

    pub fn add(&mut self, file: &str, text: &str) {
        let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
        let module = match path {
            "lib" => vec![],
            _ => path.split('/').map(str::to_owned).collect(),
        };
        let text = bare(text);
        let brought = uses(&text);
        let file = file.to_owned();
        self.modules.insert(
            module,
            Module {
                file,
                text,
                brought,
            },
        );
    }

    /// From which files each file imports.
    pub fn imports(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut imports = BTreeMap::new();
        for (path, module) in &self.modules {
            let brought = module.brought.iter().map(|(_, from)| from.clone());
            let named = paths(&module.text);
            let all = brought.chain(named);
            let found = all.filter_map(|to| self.file_of(path, &to, 0));
            let others: BTreeSet<&str> = found.filter(|file| *file != module.file).collect();
            imports.insert(module.file.as_str(), others);
        }
        imports
    }

    /// Sets of two and more files that import from each other in a circle: the strongly connected
    /// components of the imports.
    pub fn cycles(&self) -> BTreeSet<Vec<&str>> {
        let imports = self.imports();
        let reached = |file: &str| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&str> = imports[file].iter().copied().collect();
            while let Some(next) = open.pop() {
                if reached.insert(next) {
                    open.extend(&imports[next]);
                }
            }
            reached
        };
        let all: BTreeMap<&str, BTreeSet<&str>> =
            imports.keys().map(|file| (*file, reached(file))).collect();
        let cycle = |file: &&str| {
            let back = all[file].iter().filter(|other| all[*other].contains(file));
            back.copied().collect::<Vec<&str>>()
        };
        let cycles = imports.keys().map(cycle);
        cycles.filter(|cycle| cycle.len() > 1).collect()
    }

    /// The file of what a path in a module names, handed on so often already.
    fn file_of(&self, module: &[String], path: &[String], times: u32) -> Option<&str> {
        let mut at = module.to_vec();
        let mut rest = path;
        match rest.first()?.as_str() {
            "crate" => (at, rest) = (vec![], &rest[1..]),
            "self" => rest = &rest[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    at.pop()?;
                    rest = &rest[1..];
                }
            }
            // Another crate's, unless it is a module in this one.
            name => {
                let mut child = at.clone();
                child.push(name.to_owned());
                self.modules.get(&child)?;
            }
        }
        while let [name, others @ ..] = rest {
            at.push(name.clone());
            if !self.modules.contains_key(&at) {
                at.pop();
                break;
            }
            rest = others;
        }
        let holder = self.modules.get(&at)?;
        // The module's own, or handed on from somewhere else.
        let mut brought = holder.brought.iter();
        let handed = brought.find(|(known, _)| rest.first() == Some(known));
        let Some((_, from)) = handed.filter(|_| times < 8) else {
            return Some(&holder.file);
        };
        let path: Vec<String> = from.iter().chain(&rest[1..]).cloned().collect();
        match self.file_of(&at, &path, times + 1) {
            None if self.is_of_another_crate(&at, from) => None,
            file => Some(file.unwrap_or(&holder.file)),
        }
    }

    /// Whether a path in a module begins with the name of another crate.
    fn is_of_another_crate(&self, module: &[String], path: &[String]) -> bool {
        let first = path[0].as_str();
        let is_own = self.modules.contains_key(&[module, &path[..1]].concat());
        first.starts_with(char::is_lowercase)
            && !is_own
            && !["crate", "self", "super"].contains(&first)
    }
}

/// The lines of code of a text, with comments and literals taken out.
fn bare(text: &str) -> String {
    let text: Vec<&str> = code(text).collect();
    let text = text.join("\n");
    let mut bare = String::new();
    let mut rest = text.as_str();
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if next == '"' {
            literal(rest)
        } else if rest.starts_with("'\"'") {
            3
        } else {
            bare.push(next);
            next.len_utf8()
        };
        rest = &rest[skipped..];
    }
    bare
}

/// The length of a literal in double quotes.
fn literal(text: &str) -> usize {
    let mut is_escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Names that the `use` declarations bring in, each with its path.
fn uses(text: &str) -> Vec<(String, Vec<String>)> {
    let mut all = Vec::new();
    for (at, _) in text.match_indices("use ") {
        let begins = text[..at].chars().next_back();
        if begins.is_none_or(|c| c.is_whitespace() || c == ')') {
            let tree: String = text[at + 4..].chars().take_while(|c| *c != ';').collect();
            spread(&[], &tree, &mut all);
        }
    }
    all
}

/// Takes a tree of paths apart.
fn spread(before: &[String], tree: &str, all: &mut Vec<(String, Vec<String>)>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let head = head.trim().trim_end_matches("::");
        let mut before = before.to_vec();
        before.extend(parts(head));
        let group = group.strip_suffix('}').unwrap_or(group);
        let mut depth = 0;
        let mut begin = 0;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    spread(&before, &group[begin..at], all);
                    begin = at + 1;
                }
                _ => {}
            }
        }
        spread(&before, &group[begin..], all);
        return;
    }
    let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
    let mut path: Vec<String> = [before.to_vec(), parts(path)].concat();
    // All of a module is the module; and so is `self` in a group.
    if path.len() > 1
        && path
            .last()
            .is_some_and(|last| last == "*" || last == "self")
    {
        path.pop();
    }
    if tree.is_empty() {
        return;
    }
    let last = path.last().cloned().unwrap_or_default();
    let name = if name.is_empty() {
        last
    } else {
        name.trim().to_owned()
    };
    all.push((name, path));
}

fn parts(path: &str) -> Vec<String> {
    let parts = path.split("::").map(str::trim);
    parts.filter(|p| !p.is_empty()).map(str::to_owned).collect()
}

/// The paths of two parts and more, wherever they are written, but for those that a group follows.
fn paths(text: &str) -> Vec<Vec<String>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = text.split(|c| !is_part(c));
    let words = words.filter(|word| word.contains("::") && !word.ends_with(':'));
    words.map(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate of four files: `lib` re-exports what `low` has, and `low` and `high` know each other.
    fn example() -> Sources {
        let mut sources = Sources::default();
        let files = [
            (
                "lib.rs",
                "mod high;\nmod low;\npub use low::{Item, part::Part as Piece};\n",
            ),
            (
                "low/mod.rs",
                "pub mod part;\npub struct Item;\nfn f() { crate::high::go() }\n",
            ),
            (
                "low/part.rs",
                "// use crate::high::Go;\nconst S: &str = \"crate::high\";\npub struct Part;\n",
            ),
            (
                "high.rs",
                "use crate::{Item, Piece};\nuse std::fmt;\n#[cfg(test)]\nmod tests { use crate::Other; }\n",
            ),
        ];
        for (file, text) in files {
            sources.add(file, text);
        }
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
    fn what_the_root_brings_in_from_another_crate_is_no_import_from_the_root() {
        let mut sources = Sources::default();
        sources.add("lib.rs", "mod low;\nuse other::{packed, store};\n");
        sources.add("low.rs", "use crate::packed::Packed;\nuse crate::store;\n");
        assert_eq!(sources.imports()["low.rs"], BTreeSet::new());
    }

    #[test]
    fn imports_that_follow_the_declaration_of_a_test_module_count() {
        let mut sources = Sources::default();
        let text = "mod low;\n#[cfg(test)]\nmod rig;\nuse low::Item;\n";
        sources.add("lib.rs", text);
        sources.add("low.rs", "pub struct Item;\n");
        assert_eq!(sources.imports()["lib.rs"], BTreeSet::from(["low.rs"]));
    }

    #[test]
    fn files_that_import_from_each_other_are_a_cycle() {
        let sources = example();
        assert_eq!(
            sources.cycles(),
            BTreeSet::from([vec!["high.rs", "low/mod.rs"]])
        );
    }
}
