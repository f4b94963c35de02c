//! Going along a run of a model, step by step, forwards and backwards: one that a search has found, one that was
//! saved, or one that a person or chance makes up on the way.
//!
//! What can be taken says the reference interpreter, and a run that was found has been taken by it: nothing here
//! decides what a step does. What is told of a step are the words of [`report`](crate). Who asks, in a
//! terminal or through a debugger's buttons, is known above.

mod asking;
mod chance;
mod conditions;
mod model;
mod run;
mod standing;

pub use asking::{Answer, Asking};
pub use chance::Chance;
pub use conditions::{Condition, Truth, Turned};
pub use model::Stepped;
pub use run::{Enabled, End, Given, LONGEST, Run, Who, has_part};
pub use standing::{Standing, standing, standing_of_monitor};

#[cfg(test)]
mod fixture {
    use std::sync::Arc;

    use stubborn_model::analyze;
    use stubborn_model::elaborate::Settings;
    use stubborn_model::program::{ParsedFile, Program};

    use super::model::Stepped;
    use crate::Texts;

    /// The model of a text that has no mistakes.
    pub fn stepped(text: &str) -> Stepped {
        let root = Arc::new(ParsedFile::new("m.stb", text));
        let program = Program::assemble(root, &mut |_| None);
        let settings = Settings::default();
        let analysis = analyze(&program, &settings);
        let model = analysis
            .model
            .unwrap_or_else(|| panic!("{:?}", analysis.problems));
        let texts = Texts::new([("m.stb".into(), text.into())]);
        Stepped::new(program, settings, texts, model)
    }
}
