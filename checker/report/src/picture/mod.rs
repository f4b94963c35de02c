//! What can be drawn of a model: the state graph of one process, the state space as long as it is small, and how
//! it grows where it is not. Plain data, with a place in the text for whatever has one; who lays it out, and who
//! shows it, is known above.

mod budget;
mod dot;
mod graph;
mod levels;
mod process;
mod space;

pub use dot::{dot, quoted};
pub use graph::{Edge, MOST_EDGES, MOST_NODES, Marks, Node, Picture, TooLarge};
pub use levels::{Growth, Level, Levels, levels};
pub use process::process;
pub use space::space;

#[cfg(test)]
mod fixture {
    use std::sync::Arc;

    use stubborn_model::elaborate::Settings;
    use stubborn_model::program::{ParsedFile, Program};
    use stubborn_model::{Model, analyze};

    use crate::Texts;

    /// What a text means.
    pub fn model(text: &str) -> (Model, Texts) {
        let file = Arc::new(ParsedFile::new("m.stb", text));
        let program = Program::assemble(file, &mut |_| None);
        let analysis = analyze(&program, &Settings::default());
        let model = analysis
            .model
            .unwrap_or_else(|| panic!("{:?}", analysis.problems));
        (model, Texts::new([("m.stb".into(), text.into())]))
    }
}
