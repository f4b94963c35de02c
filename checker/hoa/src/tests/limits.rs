//! Limits of a file: as much as is allowed is read, and no more.

use stubborn_automata::Work;
use stubborn_automata::label::MOST_PROPOSITIONS;

use crate::read;

#[test]
fn a_file_has_as_many_propositions_as_are_allowed() {
    let mentions = |count: usize| {
        let names: Vec<String> = (0..count).map(|number| format!("\"p{number}\"")).collect();
        let last = count - 1;
        let text = format!(
            "HOA: v1\nStates: 1\nStart: 0\nAP: {count} {}\nAcceptance: 1 Inf(0)\n--BODY--\n\
             State: [{last}] 0 {{0}}\n0\n--END--\n",
            names.join(" ")
        );
        read(&text, &Work::unlimited()).map(|read| read.buchi.mentions())
    };
    for count in [MOST_PROPOSITIONS - 1, MOST_PROPOSITIONS] {
        assert_eq!(mentions(count), Ok(1 << (count - 1)));
    }
    assert!(mentions(MOST_PROPOSITIONS + 1).is_err());
}

#[test]
fn the_parts_of_a_file_nest_as_deep_as_is_allowed() {
    let around =
        |inner: &str, depth: usize| format!("{}{inner}{}", "(".repeat(depth), ")".repeat(depth));
    let is_read = |label: &str, acceptance: &str| {
        let text = format!(
            "HOA: v1\nStates: 1\nStart: 0\nAP: 1 \"p\"\nAcceptance: 1 {acceptance}\n--BODY--\n\
             State: [{label}] 0 {{0}}\n0\n--END--\n"
        );
        read(&text, &Work::unlimited()).is_ok()
    };
    let label = |depth: usize| is_read(&around("0", depth), "Inf(0)");
    assert_eq!([199, 200, 201].map(label), [true, true, false]);
    let acceptance = |depth: usize| is_read("0", &around("Inf(0)", depth));
    assert_eq!([199, 200, 201].map(acceptance), [true, true, false]);
    let negated = |depth: usize| is_read(&format!("{}0", "!".repeat(depth)), "Inf(0)");
    assert_eq!([199, 200, 201].map(negated), [true, true, false]);
}
