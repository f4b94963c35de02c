//! Nested depth-first search that takes steps to accepting states last: a search that Hansen, Penczek and Valmari
//! (2002) compare, and that the program does not offer.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use stubborn_engine::{Caller, Liveness, Options, Order, Outcome, Reduction, Search, check};
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};

/// The outcome of one property of a tester file for N = n, in the plain state space.
pub fn searched(tester: &Path, n: u32, property: &str, order: Order) -> Outcome {
    let read = |path: &str| {
        let text = fs::read_to_string(path).ok()?;
        Some(Arc::new(ParsedFile::new(path, text)))
    };
    let root = read(&tester.to_string_lossy()).expect("the file is there");
    let program = Program::assemble(root, &mut |path| read(path));
    let settings = Settings {
        parameters: vec![("N".to_owned(), n.to_string())],
    };
    let model = analyze(&program, &settings).model.expect("a model");
    let named = model.properties.iter().find(|one| one.name == property);
    let asked = [named.expect("the property").property.clone()];
    let options = Options {
        liveness: Liveness::NestedErrorLast,
        search: Search::Depth,
        order,
        reduction: Reduction::None,
        keep_dead_variables: true,
        ..Options::default()
    };
    let outcomes = check(&model.system, &asked, &options, Caller::default());
    outcomes.expect("its states are small").remove(0)
}
