//! What the client has been told.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use stubborn_ide::before::BeforeOfRoot;
use stubborn_ide::features::state::{Pending, State};
use stubborn_ide::jobs::Standing;
use stubborn_report::kind;
use tower_lsp::lsp_types::{Diagnostic, Url};

use super::convert;
use super::documents::Document;
use super::outbound::{Message, Outbound, PropertyVerdict, VerdictsParams};
use super::root::Root;

fn say(
    path: &str,
    version: Option<i32>,
    diagnostics: Vec<Diagnostic>,
    open: &HashMap<Arc<str>, Url>,
    outbound: &Outbound,
) {
    if let Some(url) = convert::url(path, open) {
        outbound.say(Message::Diagnostics {
            url,
            diagnostics,
            version,
        });
    }
}

/// How much of what is to be told of a text is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What is wrong with its grammar, and what was found of the text before.
    Grammar,
    /// All that is wrong with it, and what was found of the text before.
    Text,
}

/// What was last published of each file.
#[derive(Default)]
pub struct Published {
    files: BTreeMap<Arc<str>, (Option<i32>, Vec<Diagnostic>)>,
    /// How much that was, where it was not all.
    parts: BTreeMap<Arc<str>, Part>,
    verdicts: BTreeMap<Arc<str>, VerdictsParams>,
}

impl Published {
    /// A file was opened again, and its versions are counted anew.
    pub fn forget_version(&mut self, path: &str) {
        if let Some((version, _)) = self.files.get_mut(path) {
            *version = None;
        }
    }

    /// Publishes what is new: of open files also what was published of another version of the text,
    /// and where a client may wait for it (`must_tell`) everything of open files. Files that are
    /// in no program any more are cleared.
    pub fn publish(
        &mut self,
        diagnostics: BTreeMap<Arc<str>, Vec<Diagnostic>>,
        must_tell: bool,
        version: impl Fn(&str) -> Option<i32>,
        open: &HashMap<Arc<str>, Url>,
        outbound: &Outbound,
    ) {
        self.parts.clear();
        let gone: Vec<Arc<str>> = self
            .files
            .keys()
            .filter(|path| !diagnostics.contains_key(*path))
            .cloned()
            .collect();
        for path in gone {
            if self
                .files
                .remove(&path)
                .is_some_and(|(_, had)| !had.is_empty())
            {
                say(&path, None, Vec::new(), open, outbound);
            }
        }
        for (path, diagnostics) in diagnostics {
            let version = version(&path);
            let now = (version, diagnostics);
            let has_news = match self.files.get(&path) {
                Some(before) => *before != now,
                None => version.is_some() || !now.1.is_empty(),
            };
            if has_news || (must_tell && version.is_some()) {
                say(&path, version, now.1.clone(), open, outbound);
                self.files.insert(path, now);
            }
        }
    }

    /// Publishes what is new of some open files, before more is known of them.
    pub fn publish_first(
        &mut self,
        part: Part,
        diagnostics: BTreeMap<Arc<str>, Vec<Diagnostic>>,
        version: impl Fn(&str) -> Option<i32>,
        open: &HashMap<Arc<str>, Url>,
        outbound: &Outbound,
    ) {
        for (path, diagnostics) in diagnostics {
            let version = version(&path);
            let is_of_it = (self.files.get(&path)).is_some_and(|(of, _)| *of == version);
            // Where more is told already of this very text, that holds, or will hold again.
            if !is_of_it || (self.parts.get(&path)).is_some_and(|told| *told < part) {
                say(&path, version, diagnostics.clone(), open, outbound);
                self.parts.insert(Arc::clone(&path), part);
                self.files.insert(path, (version, diagnostics));
            }
        }
    }

    /// How the properties of an open file stand, and whether that is new.
    pub fn stand(
        &mut self,
        root: &Root,
        document: &Document,
        checking: bool,
        pending: &Pending,
        before: Option<&BeforeOfRoot>,
    ) -> (VerdictsParams, bool) {
        let properties = root.names.iter().enumerate().map(|(at, (name, form))| {
            let report = root.reports.get(at).and_then(Option::as_ref);
            let before = before.and_then(|before| before.get(name));
            let state = root.state(at, pending, before);
            PropertyVerdict {
                name: name.clone(),
                kind: kind(*form).to_owned(),
                verdict: report.map(|report| report.verdict.as_str().to_owned()),
                why: report.and_then(|report| report.why.clone()),
                states: match &state {
                    State::Pending(Standing::Running(states) | Standing::Held(states, _), _) => {
                        *states
                    }
                    _ => report.map_or(0, |report| report.states),
                },
                state: state.as_str().to_owned(),
                before: (state.before()).map(|report| report.verdict.as_str().to_owned()),
            }
        });
        // Where the text has no meaning, those that it had when it had one.
        let all = before.filter(|_| root.system.is_none());
        let all = all.map(BeforeOfRoot::all).unwrap_or_default();
        let of_before = all.into_iter().map(|found| PropertyVerdict {
            name: found.name.clone(),
            kind: kind(found.form).to_owned(),
            verdict: None,
            why: None,
            states: 0,
            state: State::Stale(None).as_str().to_owned(),
            before: Some(found.verdict.as_str().to_owned()),
        });
        let now = VerdictsParams {
            uri: document.url.clone(),
            version: Some(document.version),
            checking,
            properties: properties.chain(of_before).collect(),
        };
        let is_new = self.verdicts.get(&root.path) != Some(&now);
        if is_new {
            self.verdicts.insert(Arc::clone(&root.path), now.clone());
        }
        (now, is_new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "/m.stb";

    fn wrong(messages: &[&str]) -> BTreeMap<Arc<str>, Vec<Diagnostic>> {
        let message = |text: &&str| Diagnostic::new_simple(Default::default(), (*text).to_owned());
        BTreeMap::from([(FILE.into(), messages.iter().map(message).collect())])
    }

    #[test]
    fn of_one_text_more_is_told_after_what_is_told_first_and_never_less() {
        let (outbound, mut messages) = Outbound::new();
        let mut said = || {
            let mut said = Vec::new();
            while let Ok(Message::Diagnostics { diagnostics, .. }) = messages.try_recv() {
                let texts = diagnostics.into_iter().map(|one| one.message);
                said.push(texts.collect::<Vec<_>>().join(" "));
            }
            said
        };
        let open = HashMap::new();
        let mut published = Published::default();
        let first = |published: &mut Published, of, part, all: &[&str]| {
            published.publish_first(part, wrong(all), |_| Some(of), &open, &outbound);
        };
        first(&mut published, 1, Part::Grammar, &["bracket"]);
        first(&mut published, 1, Part::Text, &["bracket", "name"]);
        first(&mut published, 1, Part::Grammar, &["bracket"]);
        first(&mut published, 1, Part::Text, &["bracket", "name"]);
        assert_eq!(said(), ["bracket", "bracket name"]);
        published.publish(
            wrong(&["bracket", "name", "violated"]),
            false,
            |_| Some(1),
            &open,
            &outbound,
        );
        first(&mut published, 1, Part::Text, &["bracket", "name"]);
        assert_eq!(said(), ["bracket name violated"]);
        first(&mut published, 2, Part::Text, &["name"]);
        assert_eq!(said(), ["name"]);
    }
}
