//! Messages at places of files, and the roots that they are about.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

use stubborn_syntax::{SyntaxKind, SyntaxNode};
use stubborn_system::source::FileId;

use super::Location;
use crate::database::{Db, SourceFile, analyzed, parsed, properties};
use crate::jobs::Key;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    Error,
    Warning,
    Information,
    Hint,
}

/// A message at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Message {
    pub bytes: Range<usize>,
    pub severity: Severity,
    /// A problem's code, or a property's kind.
    pub code: &'static str,
    pub text: String,
    /// Nothing needs what stands there: it is shown faded.
    pub unnecessary: bool,
    pub related: Vec<(Location, String)>,
}

/// The messages of files, by their paths. Every file of the programs is there, with no messages
/// where nothing is wrong.
pub type Messages = BTreeMap<Arc<str>, Vec<Message>>;

/// Files that are roots, with the properties that are reported there.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// The properties that stand in a root's own file.
    keys: HashSet<Key>,
    paths: BTreeSet<Arc<str>>,
}

impl Roots {
    pub fn add(&mut self, db: &dyn Db, root: SourceFile) {
        self.paths.insert(Arc::clone(root.path(db)));
        let analysis = analyzed(db, root);
        let model = analysis
            .as_ref()
            .and_then(|analysis| analysis.model.as_ref());
        let named = model.map_or(&[][..], |model| &model.properties);
        let properties = properties(db, root);
        let own = named.iter().zip(properties.iter());
        let own = own.filter(|(named, _)| named.span.file == FileId(0));
        self.keys.extend(own.map(|(_, property)| property.key));
    }

    /// Whether the file with this path is a root, which reports its own problems.
    pub fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// Whether the result of the property is reported at its own place.
    pub fn tells(&self, key: Key) -> bool {
        self.keys.contains(&key)
    }
}

/// Place of the first `use` of a file.
pub fn uses(db: &dyn Db, root: SourceFile) -> Range<usize> {
    let tree = parsed(db, root).map(|file| file.parse.syntax());
    let mut items = tree.iter().flat_map(SyntaxNode::children);
    let first = items.find(|item| item.kind() == SyntaxKind::USE_DECL);
    first.map_or(0..0, |item| item.text_range().into())
}
