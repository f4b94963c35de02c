//! Table I of A. Valmari, "Stop it, and be stubborn!" (ACSD 2015): four models of Peterson's
//! algorithm for n customers, and what stubborn sets leave of their state spaces. There a modeller
//! wrote the rules that the sets follow; here the program finds its own.
//!
//! The plain state spaces are at the top of each example; four customers are in
//! `tests/benchmarks/reduced_state_spaces.sh`.

use super::{Figures, checked, example, figures, found};

const CORRECT: &str = "peterson_correct.stb";
const NOT_REVEALING: &str = "peterson_not_revealing.stb";
const REVEALING: &str = "peterson_revealing.stb";
const MUTEX_VIOLATING: &str = "peterson_mutex_violating.stb";

/// A model, the number of its customers, the paper's states and edges, and those that rules which
/// look into the current state are known to reach; 2% above these is near enough.
const TABLE: [(&str, u32, Figures, Figures); 8] = [
    (NOT_REVEALING, 2, (88, 124), (51, 60)),
    (NOT_REVEALING, 3, (18_817, 34_083), (13_456, 21_598)),
    (REVEALING, 2, (116, 162), (78, 93)),
    (REVEALING, 3, (23_134, 41_562), (17_001, 27_002)),
    (CORRECT, 2, (378, 522), (342, 463)),
    (CORRECT, 3, (44_868, 78_750), (36_674, 61_948)),
    (MUTEX_VIOLATING, 2, (219, 258), (191, 218)),
    (MUTEX_VIOLATING, 3, (15_164, 22_100), (11_937, 16_583)),
];

/// The plain state spaces, for two and for three customers: as at the top of each example.
const PLAIN: [(&str, [Figures; 2]); 4] = [
    (NOT_REVEALING, [(133, 266), (38_038, 114_114)]),
    (REVEALING, [(163, 326), (43_675, 131_025)]),
    (CORRECT, [(574, 1_148), (96_854, 290_562)]),
    (MUTEX_VIOLATING, [(788, 1_576), (410_511, 1_231_533)]),
];

fn bound(paper: u64, known: u64) -> u64 {
    paper.min(known * 102 / 100)
}

#[test]
fn no_more_states_and_edges_are_left_than_with_rules_written_by_hand() {
    let mut above = Vec::new();
    for (model, n, paper, known) in TABLE {
        // A search that ends at an error depends on the order in which steps are taken.
        let (verdict, orders) = match model {
            MUTEX_VIOLATING => ("violated", &["forward", "reverse"][..]),
            _ => ("holds", &["forward"][..]),
        };
        let found: Vec<_> = orders
            .iter()
            .map(|order| checked(&example(model), n, "mutex", &["--order", order]))
            .collect();
        for one in &found {
            assert_eq!(one.verdict, verdict, "{model}, n = {n}");
            assert_eq!(one.reduction, "stubborn", "{model}, n = {n}");
        }
        let is_within = |(states, edges): Figures| {
            states <= bound(paper.0, known.0) && edges <= bound(paper.1, known.1)
        };
        if !found.iter().any(|one| is_within(one.figures)) {
            let figures: Vec<_> = found.iter().map(|one| one.figures).collect();
            above.push(format!(
                "{model}, n = {n}: {figures:?}; the paper has {paper:?}, and {known:?} are known to be enough"
            ));
        }
    }
    assert!(above.is_empty(), "{}", above.join("\n"));
}

#[test]
fn what_can_always_terminate_is_told_from_what_cannot() {
    for (model, verdict) in [
        (CORRECT, "holds"),
        (REVEALING, "violated"),
        (MUTEX_VIOLATING, "holds"),
    ] {
        for n in 2..=3 {
            let found = checked(&example(model), n, "termination", &[]);
            assert_eq!(found.verdict, verdict, "{model}, n = {n}");
        }
    }
}

#[test]
fn two_processes_count_the_plain_state_spaces_as_one_does() {
    for (model, both) in PLAIN {
        for (n, expected) in (2..).zip(both) {
            let command = "cluster --processes 2 explore";
            let (space, _) = found(command, &example(model), n, &["--reduction", "none"]);
            assert_eq!(figures(&space), expected, "{model}, n = {n}");
        }
    }
}
