//! What analyses remember for the ones after them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use stubborn_model::Memory;
use stubborn_model::program::Program;

/// Of so many models, those analysed last.
const MOST_MODELS: usize = 16;

/// The memories of models, by the paths of their files; a model and its testers have one. They
/// decide how long an analysis takes and never what it finds, so that a query may look at them and
/// is a function of its inputs all the same.
#[derive(Clone, Default)]
pub struct Memories(Arc<Mutex<VecDeque<OfModel>>>);

type Paths = Vec<String>;
type OfModel = (Paths, Arc<Memory>);

impl Memories {
    pub fn of(&self, program: &Program) -> Option<Arc<Memory>> {
        let paths = model_of(program);
        let models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = models.iter().find(|(known, _)| *known == paths);
        known.map(|(_, memory)| Arc::clone(memory))
    }

    pub fn keep(&self, program: &Program, memory: Memory) {
        let paths = model_of(program);
        let mut models = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        models.retain(|(known, _)| *known != paths);
        models.push_front((paths, Arc::new(memory)));
        models.truncate(MOST_MODELS);
    }
}

fn model_of(program: &Program) -> Paths {
    let files = program.order.iter().map(|file| program.file(*file));
    let of_model = files.filter(|file| !file.is_tester());
    of_model.map(|file| file.path.clone()).collect()
}
