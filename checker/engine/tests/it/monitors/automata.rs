use stubborn_engine::Options;

use super::{LIGHTS, model, word};

fn of(automaton: &str) -> String {
    model(&format!("{LIGHTS}\n{automaton}")).verdict("t")
}

#[test]
fn a_buchi_automaton_reads_every_state() {
    assert_eq!(
        of("buchi t { observe g = p@green
            initial state before { -> before -> stays }
            infinite state stays when g { -> stays } }"),
        "infinite after 1, cycle 1"
    );
    assert_eq!(
        of("buchi t { observe d = p@dark
            initial state before { -> before -> there }
            reject state there when d }"),
        "reject after 2, cycle 0"
    );
    assert_eq!(
        of("buchi t { observe d = p@dark
            initial state before { -> before -> there }
            deadlock state there when d }"),
        "holds"
    );
}

#[test]
fn an_automaton_that_counts_steps_is_checked_on_the_full_space() {
    // The second state of a run is never one with both at the start: somebody moves.
    assert_eq!(
        of("buchi t { observe r = p@red
            initial state first when r { -> second }
            state second when r { -> third }
            reject state third when not r }"),
        "reject after 2, cycle 0"
    );
}

#[test]
fn a_testing_automaton_observes_changes() {
    assert_eq!(
        of("testing t { observe g = p@green
            initial state unlit when not g { change g -> lit }
            livelock state lit { change g -> unlit } }"),
        "livelock after 1, cycle 1"
    );
    assert_eq!(
        of("testing t { observe g = p@green
            initial state unlit when not g { change g -> lit }
            infinite state lit { change g -> unlit } }"),
        "infinite after 2, cycle 2"
    );
    assert_eq!(
        of("testing t { observe g = p@green  observe d = p@dark
            initial state unlit when not g { change g -> lit }
            state lit { change g -> unlit  change g, d -> over }
            reject state over }"),
        "reject after 2, cycle 0"
    );
}

#[test]
fn as_many_names_are_observed_as_a_valuation_has_bits() {
    // Up to 32 of them stand in one word with the automaton's state.
    for count in [31, 32, 33, 63, 64] {
        let observed: String = (0..count)
            .map(|at| format!("observe o{at} = x == {at}\n"))
            .collect();
        let last = count - 1;
        let of = |when: &str| {
            let text = format!(
                "var x: 0..99
                process p {{ initial state s {{ do x = (x + 1) % 100 -> s }} }}
                buchi t {{ {observed} initial state s {{ -> s -> there }}
                reject state there when {when} }}"
            );
            word(&model(&text).outcome("t", &Options::default()))
        };
        let there = format!("reject after {last}, cycle 0");
        assert_eq!(of(&format!("o{last}")), there);
        assert_eq!(of(&format!("o{last} and not o0")), there);
        assert_eq!(of(&format!("o{last} and o{}", last - 1)), "holds");
        assert_eq!(of(&format!("o{last} and o0")), "holds");
    }
}
