//! What reading a text, analysing a model and slicing it leave for the next time.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use stubborn_model::Memory;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::system::System;

use crate::jobs::Sliced;

/// Of so many models, those analysed last; and of so many roots, those sliced last.
const MOST_MODELS: usize = 16;

/// What was read last. It decides how long reading takes and never what it finds, so that a query may
/// look at it and is a function of its inputs all the same.
#[derive(Clone, Default)]
pub struct Memories {
    /// The memories of models, by the paths of their files; a model and its testers have one.
    models: Arc<Mutex<VecDeque<OfModel>>>,
    /// Those that others have taken the place of: to let go of one takes time, and somebody waits.
    past: Arc<Mutex<Vec<Arc<Memory>>>>,
    /// The files by their paths, as long as somebody else has them: the database has each until its
    /// next text has been read.
    files: Arc<Mutex<HashMap<Arc<str>, Weak<ParsedFile>>>>,
    /// What the properties of roots were, by their paths: also of a root that has no meaning just now.
    slices: Arc<Mutex<VecDeque<OfRoot>>>,
}

/// A System, and its properties with what stays of it for them.
pub type Slices = (Arc<System>, Arc<Vec<Sliced>>);

type Paths = Vec<String>;
type OfModel = (Paths, Arc<Memory>);
type OfRoot = (Arc<str>, Slices);

impl Memories {
    pub fn of(&self, program: &Program) -> Option<Arc<Memory>> {
        let paths = model_of(program);
        let models = self.models.lock();
        let known = models.iter().find(|(known, _)| *known == paths);
        known.map(|(_, memory)| Arc::clone(memory))
    }

    pub fn keep(&self, program: &Program, memory: Memory) {
        let paths = model_of(program);
        let mut models = self.models.lock();
        let known = models.iter().position(|(known, _)| *known == paths);
        let before = known.and_then(|at| models.remove(at));
        models.push_front((paths, Arc::new(memory)));
        let least = (models.len() > MOST_MODELS).then(|| models.pop_back());
        drop(models);
        let gone = before.into_iter().chain(least.flatten());
        let mut past = self.past.lock();
        // Where nobody has the time.
        if past.len() > MOST_MODELS {
            past.clear();
        }
        past.extend(gone.map(|(_, memory)| memory));
    }

    /// Lets go of what nobody needs any more. For those who have said what somebody waited for.
    pub fn let_go(&self) {
        let mut past = self.past.lock();
        let gone = std::mem::take(&mut *past);
        drop(past);
        drop(gone);
    }

    /// The file with this path as it was last read.
    pub fn file(&self, path: &str) -> Option<Arc<ParsedFile>> {
        let files = self.files.lock();
        files.get(path)?.upgrade()
    }

    pub fn keep_file(&self, path: &Arc<str>, file: &Arc<ParsedFile>) {
        let mut files = self.files.lock();
        files.insert(Arc::clone(path), Arc::downgrade(file));
    }

    pub fn slices(&self, path: &str) -> Option<Slices> {
        let slices = self.slices.lock();
        let known = slices.iter().find(|(known, _)| **known == *path);
        known.map(|(_, slices)| slices.clone())
    }

    pub fn keep_slices(&self, path: &Arc<str>, new: Slices) {
        let mut slices = self.slices.lock();
        slices.retain(|(known, _)| known != path);
        slices.push_front((Arc::clone(path), new));
        slices.truncate(MOST_MODELS);
    }
}

fn model_of(program: &Program) -> Paths {
    let files = program.order.iter().map(|file| program.file(*file));
    let of_model = files.filter(|file| !file.is_tester());
    of_model.map(|file| file.path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use stubborn_model::analyze_remembering;
    use stubborn_model::elaborate::Settings;

    use super::*;

    #[test]
    fn the_memories_of_the_sixteen_models_analysed_last_are_kept() {
        let memories = Memories::default();
        let program = |at: usize| {
            let file = Arc::new(ParsedFile::new(&*format!("/{at}.stb"), "var x: bool\n"));
            Program::assemble(file, &mut |_| None)
        };
        let analyse = |at: usize| {
            let found = analyze_remembering(&program(at), &Settings::default(), None, &|| false);
            let (_, memory) = found.expect("nobody ends it");
            memories.keep(&program(at), memory);
        };
        let known = |at: usize| memories.of(&program(at)).is_some();
        (0..MOST_MODELS).for_each(analyse);
        assert!((0..MOST_MODELS).all(known));
        analyse(0);
        analyse(MOST_MODELS);
        assert!(known(0) && !known(1) && (2..=MOST_MODELS).all(known));
        // The one that was read again, and the one that had no place any more.
        let past = || memories.past.lock().len();
        assert_eq!(past(), 2);
        memories.let_go();
        assert_eq!(past(), 0);
        (0..100).for_each(|_| analyse(0));
        assert!(past() <= MOST_MODELS + 2);
    }
}
