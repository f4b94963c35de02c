//! The files that are given, and the models that they make.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use stubborn_checker::{Model, unknown_parameters};
use stubborn_ide::files::{self, Unreadable};
use stubborn_model::Interrupted;
use stubborn_model::program::{NoText, ParsedFile, Program};
use stubborn_report::ProblemReport;
use stubborn_system::source::FileId;

use super::problems::{command_line_problem, not_read_in_time};

/// A given file with all that it uses.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    identities: Identities,
}

/// The same with its meaning.
#[derive(Debug)]
pub struct Read {
    pub model: Model,
    pub identities: Identities,
}

/// What tells the files of a program from others whatever path leads to them, by [`FileId`].
#[derive(Debug)]
pub struct Identities(Vec<PathBuf>);

/// The given files that are about the same model: its own file, and its testers'.
#[derive(Debug)]
pub struct Group {
    /// The model's before its testers'.
    pub programs: Vec<Loaded>,
}

/// Reads the given files and puts together those that are about one model. A model file that
/// another given model file uses is part of that one alone.
///
/// # Errors
/// A sentence for each file that cannot be read; or reading was to end.
pub fn load(paths: &[PathBuf], is_to_end: &dyn Fn() -> bool) -> Result<Vec<Group>, Unloaded> {
    let mut files = Files {
        read: HashMap::new(),
        is_to_end,
        has_ended: false,
    };
    let mut wrong = Vec::new();
    let mut loaded: Vec<Loaded> = Vec::new();
    for path in paths {
        let Some(name) = path.to_str() else {
            // Every output names its files, and they are all UTF-8.
            let shown = path.display();
            wrong.push(format!(
                "the name of `{shown}` is no UTF-8; give the file another one"
            ));
            continue;
        };
        match files.given(name) {
            Ok(root) => {
                let root = files.assemble(root);
                if !loaded.iter().any(|known| known.root() == root.root()) {
                    loaded.push(root);
                }
            }
            Err(why) => wrong.push(why),
        }
    }
    if !wrong.is_empty() {
        Err(Unloaded::Wrong(wrong))
    } else if files.has_ended {
        Err(Unloaded::Interrupted)
    } else {
        Ok(group(loaded))
    }
}

impl Group {
    /// Reads what the programs mean. The testers of a model read its processes once.
    ///
    /// # Errors
    /// Reading was to end.
    pub fn read(
        self,
        definitions: &[(String, String)],
        is_to_end: &dyn Fn() -> bool,
    ) -> Result<Vec<Read>, Interrupted> {
        let programs = self.programs.into_iter();
        let programs = programs.map(|loaded| (loaded.program, loaded.identities));
        let (programs, identities): (Vec<_>, Vec<_>) = programs.unzip();
        let models = Model::analyze(programs, definitions, is_to_end)?;
        let read = models.into_iter().zip(identities);
        Ok(read
            .map(|(model, identities)| Read { model, identities })
            .collect())
    }
}

/// Reads the model of one file, which may be a tester's. It may have errors, and no meaning.
///
/// # Errors
/// The file cannot be read, a definition is of no parameter, or reading was to end.
pub fn read_model(
    file: &Path,
    definitions: &[(String, String)],
    is_to_end: &dyn Fn() -> bool,
) -> Result<Model, Vec<ProblemReport>> {
    let groups = load(&[file.to_owned()], is_to_end).map_err(Unloaded::problems)?;
    let programs = groups.iter().flat_map(|group| &group.programs);
    let programs: Vec<&Program> = programs.map(|loaded| &loaded.program).collect();
    let unknown = unknown_parameters(definitions, &programs);
    if !unknown.is_empty() {
        return Err(unknown.into_iter().map(command_line_problem).collect());
    }
    let read = groups
        .into_iter()
        .map(|one| one.read(definitions, is_to_end));
    let read: Result<Vec<Vec<Read>>, Interrupted> = read.collect();
    let read = read.map_err(|Interrupted| vec![not_read_in_time()])?;
    let model = read.into_iter().flatten().map(|read| read.model).next();
    model.ok_or_else(Vec::new)
}

/// Why there are no models.
#[derive(Debug)]
pub enum Unloaded {
    /// A sentence for each file that cannot be read.
    Wrong(Vec<String>),
    /// Reading was ended on its way.
    Interrupted,
}

impl Unloaded {
    /// The same as messages.
    pub fn problems(self) -> Vec<ProblemReport> {
        match self {
            Unloaded::Wrong(wrong) => wrong.into_iter().map(command_line_problem).collect(),
            Unloaded::Interrupted => vec![not_read_in_time()],
        }
    }
}

fn group(loaded: Vec<Loaded>) -> Vec<Group> {
    let is_part = |one: usize| {
        let uses = |user: &Loaded, used: &Loaded| user.identities.0[1..].contains(used.root());
        let part = &loaded[one];
        loaded.iter().enumerate().any(|(at, user)| {
            // Of two that use each other, which is an error, the first one given stays.
            let is_user = at != one && !user.is_tester() && uses(user, part);
            is_user && (at < one || !uses(part, user))
        })
    };
    let parts: Vec<bool> = (0..loaded.len()).map(is_part).collect();
    let mut groups: Vec<(HashSet<PathBuf>, Group)> = Vec::new();
    for (program, is_part) in loaded.into_iter().zip(parts) {
        if is_part && !program.is_tester() {
            continue;
        }
        let model = program.model_files();
        match groups
            .iter_mut()
            .find(|(of, _)| *of == model && !model.is_empty())
        {
            Some((_, group)) => group.programs.push(program),
            None => groups.push((
                model,
                Group {
                    programs: vec![program],
                },
            )),
        }
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|(_, group)| group).collect();
    for group in &mut groups {
        group.programs.sort_by_key(Loaded::is_tester);
    }
    groups
}

impl Identities {
    /// What tells this file from others.
    pub fn of(&self, file: FileId) -> &Path {
        let of = self.0.get(file.0 as usize);
        of.map_or(Path::new(""), PathBuf::as_path)
    }

    pub fn has(&self, identity: &Path) -> bool {
        self.all().any(|file| file == identity)
    }

    pub fn all(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }
}

impl Loaded {
    fn root(&self) -> &PathBuf {
        &self.identities.0[0]
    }

    fn is_tester(&self) -> bool {
        self.program.file(FileId(0)).is_tester()
    }

    fn model_files(&self) -> HashSet<PathBuf> {
        let files = self.program.files.iter().zip(&self.identities.0);
        files
            .filter(|(file, _)| !file.is_tester())
            .map(|(_, identity)| identity.clone())
            .collect()
    }
}

/// Every file that was read, each once.
struct Files<'a> {
    read: HashMap<String, Arc<ParsedFile>>,
    is_to_end: &'a dyn Fn() -> bool,
    /// Some file was not read to its end.
    has_ended: bool,
}

impl Files<'_> {
    /// A file that is named on the command line.
    fn given(&mut self, path: &str) -> Result<Arc<ParsedFile>, String> {
        self.file(path, || read_text(Path::new(path)))
    }

    /// A file that another one uses.
    fn used(&mut self, path: &str) -> Result<Arc<ParsedFile>, NoText> {
        self.file(path, || {
            let real = files::behind_links(Path::new(path));
            match real.and_then(|real| files::read(&real)) {
                Ok(bytes) => text(path, bytes).map_err(NoText::Refused),
                Err(Unreadable::Missing) => Err(NoText::Missing),
                Err(why) => Err(NoText::Refused(format!("`{path}` {why}"))),
            }
        })
    }

    fn file<E>(
        &mut self,
        path: &str,
        read: impl FnOnce() -> Result<String, E>,
    ) -> Result<Arc<ParsedFile>, E> {
        if let Some(known) = self.read.get(path) {
            return Ok(known.clone());
        }
        let file = match ParsedFile::within(path, read()?, self.is_to_end) {
            Ok(file) => file,
            Err(Interrupted) => {
                self.has_ended = true;
                ParsedFile::new(path, "")
            }
        };
        let file = Arc::new(file);
        self.read.insert(path.to_owned(), file.clone());
        Ok(file)
    }

    fn assemble(&mut self, root: Arc<ParsedFile>) -> Loaded {
        let program = Program::assemble_from(root, &mut |path| self.used(path));
        let identities = program.files.iter().map(|file| {
            let path = Path::new(&file.path);
            fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
        });
        Loaded {
            identities: Identities(identities.collect()),
            program,
        }
    }
}

/// The text of a file.
///
/// # Errors
/// A sentence that names the file and says why it cannot be read.
pub fn read_text(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let bytes = files::read(path).map_err(|why| match why {
        Unreadable::Missing => format!("there is no file `{shown}`"),
        why => format!("`{shown}` {why}"),
    })?;
    text(&shown.to_string(), bytes)
}

fn text(path: &str, bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..valid]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        format!("`{path}` is not text in UTF-8: line {line} has other bytes")
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn reading_a_long_text_ends_where_it_is_to_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("long.stb");
        fs::write(&file, "var x: bool\n".repeat(10_000)).expect("a file");
        let asked = Cell::new(0);
        let read = |after: u32| {
            asked.set(0);
            load(std::slice::from_ref(&file), &|| {
                asked.set(asked.get() + 1);
                asked.get() > after
            })
        };
        // So many tokens are more than a few questions.
        assert!(matches!(read(10), Err(Unloaded::Interrupted)));
        assert_eq!(asked.get(), 11);
        assert!(read(u32::MAX).is_ok() && asked.get() > 100);
    }
}
