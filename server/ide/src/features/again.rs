//! Reading a root again with other texts in memory: what an edit would come to, before it is made.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use stubborn_model::elaborate::Settings;
use stubborn_model::program::{NoText, ParsedFile, Program};
use stubborn_model::{Analysis, analyze_remembering};

use super::Edits;
use crate::database::{Contents, Db, SourceFile, is_to_end, parsed};

/// Texts that are not those of the database, by their paths.
pub(super) type Texts = HashMap<Arc<str>, Arc<ParsedFile>>;

/// The texts that these edits make.
pub(super) fn edited(db: &dyn Db, edits: &Edits) -> Texts {
    let texts = edits.iter().filter_map(|(path, edits)| {
        let before = parsed(db, db.file(path))?;
        let text = replaced(&before.text, edits);
        Some((
            Arc::clone(path),
            Arc::new(before.again(text, &|| is_to_end(db)).ok()?),
        ))
    });
    texts.collect()
}

/// The text with others in the place of these pieces, which are in its order.
pub(super) fn replaced(text: &str, edits: &[(Range<usize>, String)]) -> String {
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for (piece, instead) in edits {
        new.push_str(&text[done..piece.start]);
        new.push_str(instead);
        done = piece.end;
    }
    new.push_str(&text[done..]);
    new
}

/// What the root means with these texts; `None` where it has none.
pub(super) fn read_again(
    db: &dyn Db,
    root: SourceFile,
    texts: &Texts,
) -> Option<(Program, Analysis)> {
    let load = |file: SourceFile| {
        let other = texts.get(file.path(db)).cloned();
        let text = other.or_else(|| parsed(db, file));
        text.ok_or_else(|| match file.contents(db) {
            Contents::Refused(why) => NoText::Refused(why.to_string()),
            _ => NoText::Missing,
        })
    };
    let first = load(root).ok()?;
    let program = Program::assemble_from(first, &mut |path| load(db.file(path)));
    // What is remembered of the texts as they are makes it quick, and is kept as it is.
    let before = db.memories().of(&program);
    let settings = Settings::default();
    let found = analyze_remembering(&program, &settings, before.as_deref(), &|| is_to_end(db));
    let (analysis, _) = found.ok()?;
    Some((program, analysis))
}
