//! What a reader is given: the texts and verdicts of one moment.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use stubborn_ide::before::{Before, BeforeOfRoot};
use stubborn_ide::database::{
    Database, Db, SourceFile, Whole, analyzed, every_step, fingerprint, premises, properties,
    reports, system, whole, with_value,
};
use stubborn_ide::disk::Disk;
use stubborn_ide::features::diagnostics;
use stubborn_ide::features::message::{Messages, Roots};
use stubborn_ide::features::state::{self, Pending};
use stubborn_ide::features::{unreached, vacuous, values};
use stubborn_ide::jobs::{Fingerprint, Key};
use stubborn_ide::tried::{Looked, Tried};
use stubborn_model::Analysis;
use stubborn_syntax::Encoding;
use tower_lsp::lsp_types::{Diagnostic, Url};

use std::hash::{DefaultHasher, Hash, Hasher};

use super::client::Client;
use super::convert::Places;
use super::owner::Other;
use super::root::{ParameterStanding, Root, Stand};
use super::settings::Settings;

/// A clone of the database, with what a reader needs to know beside it.
///
/// While one is alive no input can be changed, so it is not to be kept.
pub struct View {
    pub database: Database,
    pub client: Client,
    pub encoding: Encoding,
    /// The open files, as the client calls them.
    pub open: Arc<HashMap<Arc<str>, Url>>,
    /// The tester files of the workspace.
    pub testers: Arc<BTreeSet<Arc<str>>>,
    /// The models of the workspace.
    pub models: Arc<BTreeSet<Arc<str>>>,
    /// The versions of the open texts.
    pub versions: HashMap<Arc<str>, i32>,
    pub disk: Disk,
    pub settings: Settings,
    pub pending: Arc<Pending>,
    /// What was last found of each property.
    pub before: Arc<Before>,
    /// What was last told to be wrong with the texts, where all was told of them.
    pub wrong: Option<Arc<Messages>>,
    /// Other values of parameters that somebody wants to know about.
    pub tried: Arc<Tried>,
    pub looked: Looked,
}

/// A root, by its path, with all that it uses.
type Program = (Arc<str>, SourceFile, Arc<Whole>);

/// All that follows from the texts and the verdicts of one moment.
pub struct Refreshed {
    pub roots: Vec<Root>,
    /// What is wrong with the texts.
    pub wrong: Messages,
    /// What they mean.
    pub analyses: Vec<Arc<Analysis>>,
    /// What is to be published of each file.
    pub diagnostics: BTreeMap<Arc<str>, Vec<Diagnostic>>,
    /// What a client is answered that asks what is wrong with the text of an open file, by its identity.
    pub asked: BTreeMap<Arc<str>, String>,
    /// Files that are used, and that somebody has to look for before anything can be said.
    pub unread: BTreeSet<Arc<str>>,
    /// Files that others of the workspace use, and that are to be looked for after it.
    pub later: BTreeSet<Arc<str>>,
}

impl View {
    pub fn places(&self) -> Places<'_> {
        Places::new(&self.database, &self.open, self.encoding)
    }

    /// What was last found of the properties of a root.
    pub fn before(&self, root: &str) -> Option<&BeforeOfRoot> {
        self.before.of(root)
    }

    /// Files that open files use, and that somebody has to look for before anything can be said of
    /// these.
    pub fn unread(&self) -> BTreeSet<Arc<str>> {
        let files = self.open.keys().map(|path| self.database.file(path));
        let programs = files.filter_map(|file| whole(&self.database, file));
        programs.flat_map(|whole| whole.unread.clone()).collect()
    }

    /// The roots in which an open file has a part.
    fn programs(&self) -> Vec<Program> {
        let roots = self.roots().into_iter();
        let programs = roots.filter_map(|path| {
            let root = self.database.file(&path);
            let whole = whole(&self.database, root)?;
            let is_open = |path: &Arc<str>| self.open.contains_key(path);
            let has_open = whole.paths.iter().any(is_open);
            has_open.then_some((path, root, whole))
        });
        programs.collect()
    }

    /// Works out what follows from the texts and the verdicts. What is wrong with the texts is told `first`,
    /// where that is news and more than that is to be worked out; and then all properties and all Systems are
    /// told that there are, where some are being searched.
    pub fn refresh(
        &self,
        first: &dyn Fn(BTreeMap<Arc<str>, Vec<Diagnostic>>),
        sliced: &dyn Fn(HashSet<Key>, HashSet<Fingerprint>),
    ) -> Refreshed {
        let mut refreshed = Refreshed {
            roots: Vec::new(),
            wrong: Messages::new(),
            analyses: Vec::new(),
            diagnostics: BTreeMap::new(),
            asked: BTreeMap::new(),
            unread: BTreeSet::new(),
            later: BTreeSet::new(),
        };
        let files = self.programs();
        for (.., whole) in &files {
            refreshed.unread.extend(whole.unread.iter().cloned());
        }
        if !refreshed.unread.is_empty() {
            return refreshed;
        }
        let texts = files.iter();
        let texts = texts.map(|(_, root, _)| diagnostics::of_text(&self.database, *root));
        let mut texts = diagnostics::merged(&texts.collect::<Vec<_>>());
        if self.has_news_first(&files, &texts) {
            first(self.with_before(&files, &texts));
        }
        if !self.pending.is_empty() {
            let roots = files.iter();
            let roots = roots.map(|(_, root, _)| properties(&self.database, *root));
            let keys = roots.flat_map(|all| all.iter().map(|one| one.key).collect::<Vec<_>>());
            let systems = files.iter();
            let systems = systems.filter_map(|(_, root, _)| fingerprint(&self.database, *root));
            sliced(keys.collect(), systems.collect());
        }
        let (mut verdicts, mut before) = (Vec::new(), Vec::new());
        let mut roots = Roots::default();
        for (_, root, _) in &files {
            roots.add(&self.database, *root);
        }
        for (path, root, whole) in files {
            refreshed.analyses.extend(analyzed(&self.database, root));
            verdicts.push(diagnostics::of_verdicts(&self.database, root));
            let known = self.before(&path);
            let found = diagnostics::beside(&self.database, root, &self.pending, known, &roots);
            before.push(found);
            before.push(unreached::of_unreached(&self.database, root, &roots));
            before.push(vacuous::of_vacuous(&self.database, root));
            refreshed
                .roots
                .push(self.root(path, root, whole.paths.clone()));
        }
        let mut places = self.places();
        let verdicts = diagnostics::merged(&verdicts);
        refreshed.wrong.clone_from(&texts);
        if self.client.pulls_diagnostics {
            // It asks for these: they would be shown twice.
            for path in self.open.keys() {
                let asked = texts.get_mut(path).map(std::mem::take);
                let asked = places.diagnostics(path, &asked.unwrap_or_default());
                refreshed.asked.insert(Arc::clone(path), id(&asked));
            }
        }
        let all = [&texts, &verdicts].into_iter().chain(&before);
        for (path, messages) in diagnostics::together(all) {
            let diagnostics = places.diagnostics(&path, &messages);
            refreshed.diagnostics.insert(path, diagnostics);
        }
        // Who looks for the uses of a name has to know what all of these use.
        let users = self.users().into_iter();
        let users = users.filter_map(|root| whole(&self.database, root));
        refreshed.later = users.flat_map(|whole| whole.unread.clone()).collect();
        refreshed
    }

    /// What is wrong with the grammar of the open files in which something is, with what was found of them
    /// before; which takes no longer than reading them.
    pub fn grammar(&self) -> BTreeMap<Arc<str>, Vec<Diagnostic>> {
        let files = self.programs();
        let wrong = files.iter();
        let wrong = wrong.map(|(_, root, _)| diagnostics::of_grammar(&self.database, *root).into());
        let mut wrong = diagnostics::merged(&wrong.collect::<Vec<_>>());
        wrong.retain(|_, all| !all.is_empty());
        self.with_before(&files, &wrong)
    }

    /// Whether what is wrong with the open texts is another thing than was told, and to be told before it
    /// is known how the properties stand of which there are some.
    fn has_news_first(&self, files: &[Program], wrong: &Messages) -> bool {
        // A client that asks for it is answered without that.
        if self.client.pulls_diagnostics {
            return false;
        }
        let mut open = self.open.keys();
        let is_news = match &self.wrong {
            Some(told) => open.any(|path| !diagnostics::are_alike(wrong.get(path), told.get(path))),
            None => true,
        };
        let has_properties = |(_, root, _): &Program| system(&self.database, *root).is_some();
        is_news && files.iter().any(has_properties)
    }

    /// What is wrong with open files, with what was found of them before.
    fn with_before(
        &self,
        files: &[Program],
        wrong: &Messages,
    ) -> BTreeMap<Arc<str>, Vec<Diagnostic>> {
        let before = files.iter().map(|(path, root, _)| {
            diagnostics::of_before(&self.database, *root, self.before(path))
        });
        let before: Vec<Messages> = before.collect();
        let mut all = diagnostics::together([wrong].into_iter().chain(&before));
        all.retain(|path, _| self.open.contains_key(path) && wrong.contains_key(path));
        let mut places = self.places();
        let told = all.into_iter().map(|(path, messages)| {
            let diagnostics = places.diagnostics(&path, &messages);
            (path, diagnostics)
        });
        told.collect()
    }

    /// Works out the roots with other values of their parameters, as somebody wants them.
    pub fn others(&self) -> Vec<Other> {
        let mut others = Vec::new();
        for (path, root, _) in self.programs() {
            let now = fingerprint(&self.database, root);
            for setting in self.tried.current(&path, now) {
                let parameter = Arc::clone(&setting.parameter);
                let with = with_value(&self.database, root, parameter, setting.value);
                let setting = setting.clone();
                others.extend(with.map(|with| Other { setting, with }));
            }
        }
        others
    }

    /// What is wrong with the text of an open file, as all say who use it.
    pub fn of_text(&self, path: &Arc<str>) -> Vec<Diagnostic> {
        let programs = self.programs().into_iter();
        let programs = programs.filter(|(.., whole)| whole.paths.contains(path));
        let texts = programs.map(|(_, root, _)| diagnostics::of_text(&self.database, root));
        let all = diagnostics::merged(&texts.collect::<Vec<_>>());
        let messages = all.get(path).map_or(&[][..], Vec::as_slice);
        self.places().diagnostics(path, messages)
    }

    /// The files that may use what another one declares.
    pub fn users(&self) -> Vec<SourceFile> {
        let mut paths = self.roots();
        paths.extend(self.models.iter().cloned());
        paths.iter().map(|path| self.database.file(path)).collect()
    }

    /// Whether a client may be asked to change a file.
    pub fn may_change(&self, path: &str) -> bool {
        self.open.contains_key(path) || self.disk.may_change(path)
    }

    /// The open files, and the tester files of the workspace after them.
    fn roots(&self) -> BTreeSet<Arc<str>> {
        self.open
            .keys()
            .chain(self.testers.iter())
            .cloned()
            .collect()
    }

    fn root(&self, path: Arc<str>, root: SourceFile, files: BTreeSet<Arc<str>>) -> Root {
        let db = &self.database;
        let analysis = analyzed(db, root);
        let model = analysis
            .as_ref()
            .and_then(|analysis| analysis.model.as_ref());
        let (stands, parameters) = self.standing(&path, root);
        let listed = model.map_or(&[][..], |model| &model.properties);
        let properties = properties(db, root);
        let mut keys = properties.iter().map(|property| property.key);
        // Their slices are made once, and not again for each verdict that falls.
        let is_decided = !keys.any(|key| self.pending.contains_key(&key));
        let is_asked = is_decided && self.open.contains_key(&path);
        let questions = is_asked.then(|| premises(db, root));
        let every_step = is_asked.then(|| every_step(db, root)).flatten();
        Root {
            path,
            files,
            system: fingerprint(db, root).zip(system(db, root)),
            properties,
            names: listed
                .iter()
                .map(|one| (one.name.clone(), one.form))
                .collect(),
            reports: reports(db, root),
            questions,
            every_step,
            stands,
            parameters,
        }
    }

    /// Where the properties of a root stand, and its parameters, for a client that wants to know.
    fn standing(&self, path: &Arc<str>, root: SourceFile) -> (Vec<Stand>, Vec<ParameterStanding>) {
        if !self.settings.tell_standing {
            return Default::default();
        }
        let mut places = self.places();
        let all = state::states(&self.database, root, &self.pending, self.before(path));
        let stands = all.into_iter().filter_map(|one| {
            let place = places.location(&one.place)?;
            Some(Stand {
                name: one.name,
                base: one.base,
                uri: place.uri,
                range: place.range,
            })
        });
        let stands = stands.collect();
        let parameters = values::parameters(&self.database, root).into_iter();
        let parameters = parameters.map(|one| ParameterStanding {
            name: one.name.to_string(),
            from: one.from,
            to: one.to,
            value: one.value,
        });
        (stands, parameters.collect())
    }
}

/// By what an answer is known: equal ones have the same.
pub fn id(answer: &[Diagnostic]) -> String {
    let mut hasher = DefaultHasher::new();
    // The protocol's types have no hash; they are written without fail.
    serde_json::to_string(answer)
        .unwrap_or_default()
        .hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
