//! Three replicas with a channel for each pair: what choosing sets may cost for what it leaves out.

use std::sync::Arc;

use stubborn_engine::{Caller, Exploration, Options, Reduction, Sink, explore};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};

const BY_KIND: &str = include_str!("../../../../tests/benchmarks/models/replicas_by_kind.stb");
const WITH_BAGS: &str = include_str!("../../../../tests/benchmarks/models/replicas_with_bags.stb");

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

/// With one round.
fn explored(text: &str, reduction: Reduction) -> Exploration {
    let file = Arc::new(ParsedFile::new("replicas.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let given = Settings {
        parameters: vec![("ROUNDS".into(), "1".into())],
    };
    let analysis = stubborn_model::analyze(&program, &given);
    let model = analysis.model.expect("the text has a meaning");
    let options = Options {
        reduction,
        ..Options::default()
    };
    let found = explore(&model.system, &options, Caller::default(), &mut Counts);
    found.expect("its states are small enough")
}

#[test]
fn sets_that_cost_little_are_chosen_to_the_end_and_dear_ones_are_given_up() {
    let reduced = |text| explored(text, Reduction::Stubborn).edges;
    let plain = |text| explored(text, Reduction::None).edges;
    // Nearly half of the steps are left out, for the price of some each.
    let (few, all) = (reduced(BY_KIND), plain(BY_KIND));
    assert!(few * 3 < all * 2, "{few} of {all}");
    // As many could be, for the price of more than sixty each.
    let (few, all) = (reduced(WITH_BAGS), plain(WITH_BAGS));
    assert!(few * 3 > all * 2, "{few} of {all}");
}
