//! The benchmarks that are programs come to an end, on small input.

#[allow(dead_code, reason = "its `main` is for who measures")]
#[path = "../server/examples/save_to_verdict.rs"]
mod save_to_verdict;

#[test]
fn the_way_from_a_save_to_its_verdicts_can_be_measured() {
    let model = include_str!("../examples/peterson.stb").replace("= 3", "= 2");
    let measured = save_to_verdict::measure("small.stb", &model, 3).expect("figures");
    assert!(measured.states > 50, "{}", measured.states);
    for times in [measured.keys, measured.first, measured.last] {
        assert_eq!(times.len(), 3);
    }
}
