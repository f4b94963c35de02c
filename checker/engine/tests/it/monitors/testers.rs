use super::model;

const MACHINE: &str = "
action coin action coffee action tea
process machine {
    initial state idle { on coin -> paid }
    state paid { on coffee -> idle  on tea -> idle  -> stuck }
    state stuck { -> stuck  -> silent }
    final state silent
}
process user {
    initial state here { on coin -> wants }
    state wants { on coffee -> here  on tea -> here }
}
";

fn of(tester: &str) -> String {
    model(&format!("{MACHINE}\n{tester}")).verdict("t")
}

#[test]
fn a_trace_is_illegal_where_the_tester_rejects() {
    assert_eq!(
        of("tester t {
            initial state zero { on coin -> one  on coffee -> zero  on tea -> zero }
            state one { on coin -> one  on coffee -> zero  on tea -> two }
            reject state two
        }"),
        "reject after 2, cycle 0"
    );
}

#[test]
fn a_tester_blocks_what_it_has_no_step_for() {
    assert_eq!(
        of("tester t {
            initial state zero { on coin -> one }
            state one { on coffee -> zero }
            reject state two
            visible tea
        }"),
        "holds"
    );
}

#[test]
fn a_stable_failure_is_found_where_the_system_can_do_nothing_that_is_offered() {
    assert_eq!(
        of("tester t {
            visible coin, coffee, tea
            initial state zero { on coin -> one }
            deadlock state one { on coffee -> zero  on tea -> zero }
        }"),
        "deadlock after 3, cycle 0"
    );
}

#[test]
fn a_divergence_is_a_cycle_that_the_tester_does_not_see() {
    assert_eq!(
        of("tester t {
            initial state zero { on coin -> one }
            livelock state one { on coffee -> zero  on tea -> zero }
        }"),
        "livelock after 2, cycle 1"
    );
    assert_eq!(
        of("tester t {
            livelock initial state zero { on coin -> one }
            state one { on coffee -> zero  on tea -> zero }
        }"),
        "holds"
    );
}

#[test]
fn an_infinite_trace_goes_through_its_monitor_state_again_and_again() {
    assert_eq!(
        of("tester t {
            initial state zero { on coin -> one }
            state one { on coffee -> zero  on tea -> two }
            infinite state two { on coin -> one }
        }"),
        "infinite after 1, cycle 2"
    );
    assert_eq!(
        of("tester t {
            initial state zero { on coin -> one }
            infinite state one { on coffee -> two  on tea -> two }
            state two
        }"),
        "holds"
    );
}

#[test]
fn a_tester_guesses_by_moves_of_its_own() {
    assert_eq!(
        of("tester t {
            initial state zero { on coin -> zero  on coffee -> zero  on tea -> zero  on tau -> only }
            infinite state only { on coin -> paid }
            state paid { on tea -> only }
        }"),
        "infinite after 1, cycle 2"
    );
}

#[test]
fn what_is_in_no_alphabet_never_occurs() {
    assert_eq!(
        model(
            "action a(0..3)
             process p { initial state s { on a(1) -> s } }
             tester t {
                 initial state zero { on a(*) -> one }
                 state one { on a(2) -> two  on a(1) -> zero }
                 reject state two
             }"
        )
        .verdict("t"),
        "holds"
    );
}

#[test]
fn a_step_that_fails_keeps_the_run_from_ending() {
    let text = |guard: &str| {
        format!(
            "action a
             var x: 0..3
             process p {{
                 initial state s {{ on a -> t }}
                 state t {{ {guard} -> s }}
             }}
             tester t {{
                 initial state zero {{ on a -> one }}
                 deadlock state one
             }}"
        )
    };
    assert_eq!(model(&text("when 1 / x == 1")).verdict("t"), "holds");
    assert_eq!(
        model(&text("when x == 1")).verdict("t"),
        "deadlock after 1, cycle 0"
    );
}

/// One process can be gone from what another's loop needs, and a third has a choice to make.
const ONCE: &str = "
action b(0..2)
process once { initial state here { -> gone }  final state gone }
process loops { initial final state s { when once@here -> s } }
process chooses { initial state u { on b(0) -> v  on b(1) -> v  on b(2) -> v }  final state v }
";

#[test]
fn what_goes_round_later_is_not_ended_by_what_is_not_seen() {
    let of = |monitor: &str, name: &str| model(&format!("{ONCE}\n{monitor}")).verdict(name);
    assert_eq!(
        of(
            "tester t { initial state zero { on b(*) -> one }  livelock state one }",
            "t"
        ),
        "livelock after 1, cycle 1"
    );
    assert_eq!(
        of(
            "testing t { observe o = chooses@v
                initial state off when not o { change o -> there }
                livelock state there }",
            "t"
        ),
        "livelock after 1, cycle 1"
    );
    let waits = "process waits {
            initial state u { -> v -> v -> v }
            state v { when once@gone -> w }
            final state w
        }
        ltl t: always (waits@v implies eventually waits@w)";
    assert_eq!(of(waits, "t"), "livelock after 1, cycle 1");
    assert_eq!(
        of(
            "specification s { initial state q { -> q  on b(*) -> r }  state r }
             refines s in divergences",
            "refines s in divergences"
        ),
        "livelock after 1, cycle 1"
    );
}

#[test]
fn a_run_that_a_bound_cuts_off_does_not_end() {
    let of = |bound: &str, monitor: &str| {
        let text = format!(
            "action tick
            var x: 0..1
            process p {{ on tick do x = 1 }}
            {bound}
            {monitor}"
        );
        model(&text).verdict("t")
    };
    let bound = "bound none: x == 0";
    let stuck = "tester t { initial state s { on tick -> d } deadlock state d }";
    assert_eq!(of("", stuck), "deadlock after 1, cycle 0");
    assert_eq!(of(bound, stuck), "holds");
    let trace = "tester t { initial state s { on tick -> r } reject state r }";
    assert_eq!(of("", trace), "reject after 1, cycle 0");
    assert_eq!(of(bound, trace), "reject after 1, cycle 0");
    let buchi = |mark: &str| {
        format!(
            "buchi t {{ observe o = x == 1 initial state s {{ -> s -> e }} {mark} state e when o }}"
        )
    };
    assert_eq!(of("", &buchi("deadlock")), "deadlock after 1, cycle 0");
    assert_eq!(of(bound, &buchi("deadlock")), "holds");
    assert_eq!(of("", &buchi("reject")), "reject after 1, cycle 0");
    assert_eq!(of(bound, &buchi("reject")), "holds");
    let testing = "testing t { observe o = x == 1
        initial state s when not o { change o -> e } deadlock state e }";
    assert_eq!(of("", testing), "deadlock after 1, cycle 0");
    assert_eq!(of(bound, testing), "holds");
}
