//! The names of all files that are known, looked for by some of their letters.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::symbols::{Declared, symbols};
use crate::database::{Db, SourceFile, whole};

/// No more are found: whoever looks for more writes another letter.
const MOST: usize = 256;

/// A name, and in which file and what it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub path: Arc<str>,
    /// The process, say, of a state.
    pub container: Option<String>,
    /// Without what is declared in it.
    pub declared: Declared,
}

/// How well a name fits, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Same,
    Begins,
    Contains,
    /// It has the letters, others between them.
    Letters,
}

/// The names in the files of `roots`, and in those that they use, that have the letters of `query` in
/// this order; the best first.
pub fn workspace_symbols(db: &dyn Db, roots: &[SourceFile], query: &str) -> Vec<Found> {
    let files = roots.iter().filter_map(|root| whole(db, *root));
    let paths: BTreeSet<Arc<str>> = files.flat_map(|whole| whole.paths.clone()).collect();
    let outlines: Vec<_> = paths
        .iter()
        .map(|path| (path, symbols(db, db.file(path))))
        .collect();
    let query: String = query.to_lowercase().split_whitespace().collect();
    let mut fitting = Vec::new();
    for (path, outline) in &outlines {
        let mut open: Vec<(Option<&Declared>, &Declared)> =
            outline.iter().map(|one| (None, one)).collect();
        while let Some((container, one)) = open.pop() {
            open.extend(one.children.iter().map(|child| (Some(one), child)));
            if let Some(fit) = fit(&one.name.to_lowercase(), &query) {
                fitting.push((fit, one, container, *path));
            }
        }
    }
    fitting.sort_by_key(|(fit, one, container, path)| {
        let place = (one.name.as_str(), &***path, one.bytes.start);
        (*fit, container.is_some(), one.name.len(), place)
    });
    fitting.truncate(MOST);
    let found = fitting.into_iter().map(|(_, one, container, path)| Found {
        path: Arc::clone(path),
        container: container.map(|container| container.name.clone()),
        declared: Declared {
            children: Vec::new(),
            name: one.name.clone(),
            detail: one.detail.clone(),
            whole: one.whole.clone(),
            bytes: one.bytes.clone(),
            kind: one.kind,
        },
    });
    found.collect()
}

/// Both in small letters.
fn fit(name: &str, query: &str) -> Option<Fit> {
    if name == query {
        return Some(Fit::Same);
    }
    match name.find(query) {
        Some(0) => return Some(Fit::Begins),
        Some(_) => return Some(Fit::Contains),
        None => {}
    }
    let mut letters = name.chars();
    let has_all = query.chars().all(|wanted| letters.any(|c| c == wanted));
    has_all.then_some(Fit::Letters)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::files;
    use super::*;

    const MODEL: &str = "\
var waiting: bool
action enter
process customer { initial state Waiting { on enter -> Waiting } }
";
    const TESTER: &str =
        "use \"m.stb\"\ntester waits { initial state idle { on enter -> idle } }\n";

    fn found(query: &str) -> Vec<String> {
        let (db, tester) = files(&[("/m.stb", MODEL), ("/t.tester", TESTER)]);
        let found = workspace_symbols(&db, &[tester], query).into_iter();
        let shown = found.map(|one| match one.container {
            Some(container) => format!("{} {container}.{}", one.path, one.declared.name),
            None => format!("{} {}", one.path, one.declared.name),
        });
        shown.collect()
    }

    #[test]
    fn a_name_is_found_by_some_of_its_letters_in_the_files_that_are_used_too() {
        assert_eq!(
            found("WAIT"),
            [
                "/t.tester waits",
                "/m.stb waiting",
                "/m.stb customer.Waiting"
            ]
        );
        assert_eq!(found("c tr"), ["/m.stb customer"]);
        assert_eq!(found("rtc"), Vec::<String>::new());
    }

    #[test]
    fn what_fits_better_comes_first_and_no_letters_find_all() {
        assert_eq!(
            found("e"),
            ["/m.stb enter", "/m.stb customer", "/t.tester waits.idle"]
        );
        assert_eq!(found("").len(), 6);
    }

    #[test]
    fn so_many_are_found_and_no_more() {
        let many: String = (0..1000).map(|at| format!("var v{at}: bool\n")).collect();
        let (db, file) = files(&[("/m.stb", &many)]);
        assert_eq!(workspace_symbols(&db, &[file], "v").len(), MOST);
    }
}
