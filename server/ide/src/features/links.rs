//! The files that a text uses, by the names that it gives them.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::program::relative_to;
use stubborn_syntax::ast;

use super::tree::bytes;
use crate::database::{Db, SourceFile, normalize, parsed, whole};

/// A file's name in a `use`, and the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The name, without its quotation marks.
    pub bytes: Range<usize>,
    pub target: Arc<str>,
}

/// The names that lead to files that the server has read. What it does not read it does not lead to
/// either: a text could else have an editor open anything.
pub fn links(db: &dyn Db, file: SourceFile) -> Vec<Link> {
    let (Some(parsed), Some(whole)) = (parsed(db, file), whole(db, file)) else {
        return Vec::new();
    };
    let read: HashSet<&str> = whole.program.files.iter().map(|one| &*one.path).collect();
    let uses = parsed.parse.tree().items().filter_map(|item| match item {
        ast::Item::Use(item) => Some(item),
        _ => None,
    });
    let links = uses.filter_map(|item| {
        let written = item.path()?;
        let target = normalize(&relative_to(&parsed.path, &written));
        let target = *read.get(&*target)?;
        let quoted = bytes(item.path_token()?.text_range());
        let start = quoted.start + 1;
        Some(Link {
            bytes: start..start + written.len(),
            target: target.into(),
        })
    });
    links.collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::files;
    use super::*;
    use crate::database::Contents;

    #[test]
    fn a_name_leads_to_the_file_that_is_used() {
        let text = "use \"../a/m.stb\"\nuse \"t.tester\"\nuse \"none.stb\"\nvar x\n";
        let (db, file) = files(&[("/a/m.stb", "var y: bool\n"), ("/a/t.tester", text)]);
        let found = links(&db, file);
        let shown = found
            .iter()
            .map(|link| (&text[link.bytes.clone()], &*link.target));
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [("../a/m.stb", "/a/m.stb"), ("t.tester", "/a/t.tester")]
        );
    }

    #[test]
    fn a_file_that_is_not_read_is_not_led_to() {
        let (mut db, file) = files(&[("/t.tester", "use \"secret.stb\"\nuse \"\"\nuse \"m\n")]);
        db.set_contents("/secret.stb", Contents::Refused("it is outside".into()));
        assert_eq!(links(&db, file), []);
    }
}
