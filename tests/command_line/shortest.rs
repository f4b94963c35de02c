//! Runs that show a violation in as few steps as there are, whatever else is checked.

use serde_json::Value;

use super::folder::{Folder, property};

/// How many steps a property's run has before its cycle, and on it.
fn lengths(object: &Value, name: &str) -> (usize, usize) {
    let of = property(object, name);
    assert_eq!(of["verdict"], "violated", "{of}");
    let many = |what: &str| of["trace"][what].as_array().expect("a list").len();
    (many("steps"), many("cycle"))
}

/// Steps of `s` are put off while `q` stands still, and are taken last.
const LATE: &str = "\
var x: 0..1
var y: 0..1
channel c: bag[2] of 0..1
process p { initial state s0 { send c(y) -> s1 } state s1 { } }
process q { initial state s0 { -> s0  send c(x) -> s1 } state s1 { } }
process s { initial state s0 { send c(x) -> s1 } state s1 { do y = (x + 1) -> s0 } }
progress zero: may y == 0
";

#[test]
fn a_goal_is_out_of_reach_as_soon_beside_other_properties_as_alone() {
    let folder = Folder::with("late.stb", LATE);
    for arguments in ["", " --property zero", " --reduction none"] {
        let (_, object) = folder.json(&format!("check late.stb{arguments}"));
        assert_eq!(lengths(&object, "zero"), (2, 0), "{arguments}");
    }
    let never = "\
action b(0..1)
process p {
    var l: 0..1
    initial state s0 { -> s3  on b(l) -> s1 }
    state s1 { }
    state s2 { }
    state s3 { -> s3 }
}
process q { initial state s0 { on b(*) -> s0  -> s2 } state s2 { } state s3 { } }
progress never: may q@s3 or (p@s2 and p@s1)
";
    let (_, object) = Folder::with("never.stb", never).json("check never.stb");
    assert_eq!(lengths(&object, "never"), (0, 0));
}

#[test]
fn a_recurrence_is_violated_as_soon_as_with_nothing_left_out() {
    let model = "\
var x: 0..2
var z: 0..1
channel c: queue[1] of 0..1
action a
process p(i in 0..1) {
    var l: 0..1
    initial final state s0 { on a -> s2  send c(x % 2) -> s1 }
    final state s1 { when x != 1 -> s0  receive c(l) -> s2 }
    state s2 { when z == l do l = 0 -> s2 }
}
process q {
    var l: 0..1
    initial state s0 { on a do l = l % 2 -> s2 }
    state s2 { }
}
recurrence back: infinitely {p(1)@s2, p(*)@s0} implies infinitely a
";
    let folder = Folder::with("m.stb", model);
    for arguments in ["", " --property back", " --reduction none"] {
        let (_, object) = folder.json(&format!("check m.stb{arguments}"));
        assert_eq!(lengths(&object, "back"), (1, 1), "{arguments}");
    }
}

#[test]
fn a_tester_with_several_ways_goes_the_shortest_way_round() {
    let model = "\
action a
process s { initial final state s0 { on a -> s3 } state s3 { on a -> s3 } }
";
    let tester = "\
use \"m.stb\"
tester te {
    initial state t0 { on a -> t0  on a -> t1 }
    state t1 { on a -> t2 }
    infinite state t2 { on a -> t2  on a -> t0 }
}
";
    let folder = Folder::with("m.stb", model).and("m.tester", tester);
    let (_, object) = folder.json("check m.tester --property te");
    assert_eq!(lengths(&object, "te"), (2, 1));
}

#[test]
fn what_is_rejected_on_fair_runs_is_rejected_as_soon_as_can_be() {
    let model = "\
var x: bool
process p { initial state s0 { -> s2 } state s2 { } }
fair process q { initial state s0 { do x = not x -> s1 } state s1 { } }
";
    let tester = "\
use \"m.stb\"
testing ta {
    observe oa = x
    initial state t0 { change oa -> t1  change oa -> t0 }
    reject state t1 { }
}
buchi bu {
    observe oa = x
    initial state t0 when not oa { -> t0  -> t1 }
    reject state t1 when oa
}
";
    let folder = Folder::with("m.stb", model).and("m.tester", tester);
    let (_, object) = folder.json("check m.tester");
    assert_eq!(lengths(&object, "ta"), (1, 0));
    assert_eq!(lengths(&object, "bu"), (1, 0));
}

#[test]
fn what_goes_on_to_a_failing_step_alone_is_no_run_that_is_rejected() {
    // After `x` has become true at once the only step fails.
    let model = "\
var x: bool
var n: 0..1 = 1
process p {
    initial state s0 { do x = true -> bad  -> s1 }
    state bad { do n = n + 1 -> bad }
    state s1 { -> s2 }
    state s2 { do x = true -> good }
    final state good { }
}
fair process q { initial final state s0 { when false -> s0 } }
";
    let tester = "\
use \"m.stb\"
testing ta {
    observe oa = x
    initial state t0 { change oa -> t1 }
    reject state t1 { }
}
";
    let folder = Folder::with("m.stb", model).and("m.tester", tester);
    let (_, object) = folder.json("check m.tester --property ta");
    assert_eq!(lengths(&object, "ta"), (3, 0));
}

/// A breadth-first search meets the end of a run before it knows of any cycle.
#[test]
fn a_run_that_goes_round_sooner_than_another_ends_is_the_one_that_is_told() {
    let text = "\
var x: bool
process p { initial state s { -> s  -> a } state a { -> b } state b { -> c } final state c }
process q { await false do x = true }
deadlock ignored
progress m: must x
";
    let folder = Folder::with("m.stb", text);
    for arguments in ["", " --reduction none", " --property m"] {
        let (_, object) = folder.json(&format!("check m.stb{arguments}"));
        assert_eq!(lengths(&object, "m"), (0, 1), "{arguments}");
    }
    let ends_first = text.replace("-> s  -> a }", "-> a }");
    let folder = Folder::with("m.stb", &ends_first.replace("state b {", "state b { -> a "));
    let (_, object) = folder.json("check m.stb");
    assert_eq!(lengths(&object, "m"), (3, 0));
}

/// Where the run's own cycle begins the automaton is in another state than when it comes there again.
#[test]
fn a_cycle_begins_as_soon_as_automaton_and_system_have_been_there() {
    let model = "\
var n: 0..1
process w { loop { n = 1; n = 0 } }
termination not required
";
    let tester = "\
use \"m.stb\"
buchi cc {
    observe o = n == 1
    initial state s when not o { -> t }
    infinite state t when o { -> u }
    state u when not o { -> t }
}
";
    let folder = Folder::with("m.stb", model).and("m.tester", tester);
    let (_, object) = folder.json("check m.tester");
    assert_eq!(lengths(&object, "cc"), (1, 2));
}

#[test]
fn a_witness_is_a_shortest_run_however_states_are_kept_and_gone_through() {
    let folder = Folder::with(
        "model.stb",
        "\
var x: bool
var y: 0..3
process p { loop { while y < 3 { y = y + 1; } y = 0 } }
process q { loop { x = y > 1 ; } }
process r { final z: x = true }
reachable found: x
",
    );
    for how in [
        "",
        "--search dfs",
        "--search dfs --reduction none",
        "--search dfs --reduction sensitive",
        "--search dfs --symmetry always",
        "--storage compact",
        "--storage bitstate",
        "--storage bitstate --search dfs",
        "--storage compact --reduction none",
    ] {
        let command = format!("check model.stb --property found --format json {how}");
        let object: Value = serde_json::from_str(&folder.run(&command).out).expect("JSON");
        let found = &object["properties"][0];
        assert_eq!(found["verdict"], "holds", "{how}");
        assert_eq!(
            found["trace"]["steps"].as_array().map(Vec::len),
            Some(1),
            "{how}"
        );
    }
}
