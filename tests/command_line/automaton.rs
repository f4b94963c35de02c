//! Automata and testers shown and converted.

use expect_test::expect;

use super::folder::{Folder, LOCK};

const TESTERS: &str = "\
use \"lock.stb\"

buchi never_in {
    observe inside = customer(0)@critical
    initial state before { -> before  -> after }
    initial infinite state after when not inside { -> after }
}

buchi twice {
    observe inside = customer(0)@critical
    initial state first when inside { -> second }
    reject state second when inside
}

testing held {
    observe taken = not free
    initial state loose when not taken { change taken -> in_use }
    livelock state in_use { change taken -> loose }
}

ltl answered(i in 0..1): always (not free implies eventually customer(i)@critical)
";

const ACTIONS: &str = "\
action go(0..1)
process p(i in 0..1) { initial final state s { on go(i) -> s } }
termination not required
";

const TESTER: &str = "\
use \"go.stb\"
tester turns(i in 0..1) {
    initial state mine { on go(i) -> other  on go(1 - i) -> wrong }
    deadlock state other { on go(1 - i) -> mine  on go(i) -> wrong }
    reject state wrong
}
";

fn folder() -> Folder {
    Folder::with("lock.stb", LOCK)
        .and("lock.tester", TESTERS)
        .and("go.stb", ACTIONS)
        .and("go.tester", TESTER)
}

fn run(arguments: &[&str]) -> String {
    let all = [&["automaton"], arguments].concat();
    folder().run_with(&all).shown()
}

#[test]
fn a_formula_by_itself_becomes_the_automaton_of_what_satisfies_it() {
    expect![[r#"
        // accepts the runs that satisfy always eventually p
        // 2 states, 4 transitions, deterministic, insensitive to stuttering
        buchi formula {
            observe p = p

            initial deadlock infinite state s0 when p {
                -> s0
                -> s1
            }
            initial state s1 when not p {
                -> s0
                -> s1
            }
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&["--ltl", "always eventually p"]));
    expect![[r#"
        // accepts the runs that satisfy <> (p and q)
        // 4 states, 9 transitions, deterministic
        testing formula {
            observe p = p
            observe q = q

            initial state s0 when not p and not q {
                change p -> s1
                change q -> s2
                change p, q -> s3
            }
            initial state s1 when p and not q {
                change p -> s0
                change q -> s3
                change p, q -> s2
            }
            initial state s2 when not p and q {
                change p -> s3
                change q -> s0
                change p, q -> s1
            }
            initial reject state s3 when p and q
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&["--ltl", "<> (p and q)", "--to", "testing"]));
}

#[test]
fn a_formula_of_a_file_becomes_the_automaton_of_what_must_not_happen() {
    expect![[r#"
        // accepts the runs that do not satisfy `answered(1)`
        // 4 states, 10 transitions, not deterministic, insensitive to stuttering
        buchi answered_1 {
            observe p0 = not free
            observe p1 = customer(1)@critical

            initial state s0 when not p0 or p1 {
                -> s0
                -> s1
                -> s2
            }
            initial deadlock state s1 when p0 and not p1 {
                -> s0
                -> s1
                -> s2
            }
            initial deadlock infinite state s2 when p0 and not p1 {
                -> s2
                -> s3
            }
            deadlock infinite state s3 when not p0 and not p1 {
                -> s2
                -> s3
            }
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&["lock.tester", "--property", "answered(1)"]));
}

#[test]
fn automata_of_a_file_become_one_another() {
    expect![[r#"
        // accepts what `never_in` says must not happen
        // 2 states, 3 transitions, not deterministic, insensitive to stuttering
        buchi never_in {
            observe inside = customer(0)@critical

            initial state before {
                -> before
                -> after
            }
            initial infinite state after when not inside {
                -> after
            }
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&["lock.tester", "--property", "never_in"]));
    expect![[r#"
        // accepts what `never_in` says must not happen
        // 2 states, 2 transitions, deterministic
        testing never_in_testing {
            observe inside = customer(0)@critical

            initial livelock state s0 when not inside {
                change inside -> s1
            }
            initial state s1 when inside {
                change inside -> s0
            }
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&[
        "lock.tester",
        "--property",
        "never_in",
        "--to",
        "testing",
    ]));
    expect![[r#"
        // accepts what `held` says must not happen
        // 3 states, 6 transitions, not deterministic, insensitive to stuttering
        buchi held_buchi {
            observe taken = not free

            initial state s0 when not taken {
                -> s0
                -> s1
            }
            state s1 when taken {
                -> s0
                -> s1
                -> s2
            }
            infinite state s2 when taken {
                -> s2
            }
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&[
        "lock.tester",
        "--property",
        "held",
        "--to",
        "buchi",
    ]));
}

#[test]
fn what_repetitions_make_a_difference_to_becomes_no_testing_automaton() {
    expect![[r#"
        --- on standard error
        error: `twice` cannot become a testing automaton, which sees only what changes: it is not shown to be insensitive to stuttering: there is a run that it accepts and would not accept if a repetition in it were left out

        --- exit status 3
    "#]].assert_eq(&run(&[
        "lock.tester",
        "--property",
        "twice",
        "--to",
        "testing",
    ]));
}

#[test]
fn automata_are_written_for_other_tools() {
    expect![[r#"
        HOA: v1
        name: "p until q"
        tool: "stubborn"
        States: 3
        Start: 0
        Start: 1
        AP: 2 "p" "q"
        acc-name: Buchi
        Acceptance: 1 Inf(0)
        properties: state-labels state-acc no-univ-branch
        stubborn-reject: 1
        --BODY--
        State: [0] 0
          0 1
        State: [1] 1
          2
        State: [t] 2 {0}
          2
        --END--
        --- exit status 0
    "#]]
    .assert_eq(&run(&["--ltl", "p until q", "--to", "hoa"]));
    expect![[r#"
        digraph "held" {
          rankdir=LR;
          node [shape=box, style=rounded];
          0 [label="loose"];
          begin0 [shape=point];
          begin0 -> 0 [label="not taken"];
          1 [label="in_use\nlivelock"];
          0 -> 1 [label="{taken}"];
          1 -> 0 [label="{taken}"];
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&["lock.tester", "--property", "held", "--to", "dot"]));
}

#[test]
fn what_is_written_for_other_tools_is_read_again() {
    let folder = folder();
    let written = folder.run_with(&["automaton", "--ltl", "[] (p -> <> q)", "--to", "hoa"]);
    let folder = folder.and("formula.hoa", &written.out);
    let read = folder.run_with(&["automaton", "formula.hoa", "--to", "hoa"]);
    assert_eq!((read.status, &*read.err), (0, ""));
    assert_eq!(read.out, written.out);
    let testing = folder.run_with(&["automaton", "formula.hoa", "--to", "testing"]);
    assert_eq!(testing.status, 0, "{}", testing.err);
    let folder = folder.and("broken.hoa", "HOA: v1\nStates: x\n");
    let broken = folder.run_with(&["automaton", "broken.hoa"]);
    assert_eq!((broken.status, &*broken.out), (3, ""));
    assert!(
        broken.err.starts_with("error: broken.hoa:2:"),
        "{}",
        broken.err
    );
}

#[test]
fn names_that_the_language_does_not_take_are_kept_for_other_tools() {
    let text = "HOA: v1\nStates: 1\nStart: 0\nAP: 2 \"a b\" \"p0\"\nacc-name: Buchi\n\
                Acceptance: 1 Inf(0)\n--BODY--\nState: [0&!1] 0 {0}\n  0\n--END--\n";
    let folder = Folder::with("named.hoa", text);
    let again = folder.run_with(&["automaton", "named.hoa", "--to", "hoa"]);
    assert!(
        again.out.contains("AP: 2 \"a b\" \"p0\"\n"),
        "{}",
        again.out
    );
    let shown = folder.run_with(&["automaton", "named.hoa"]);
    assert!(
        shown.out.contains("    observe p1 = p1  // a b\n"),
        "{}",
        shown.out
    );
    assert!(shown.out.contains("when p1 and not p0"), "{}", shown.out);
}

#[test]
fn what_accepts_nothing_begins_in_a_state_all_the_same() {
    let shown = run(&["--ltl", "p and not p"]);
    assert!(
        shown.contains("initial state nowhere when false"),
        "{shown}"
    );
}

#[test]
fn a_tester_is_shown_and_drawn_and_not_converted() {
    expect![[r#"
        // accepts what `turns(1)` says must not happen
        tester turns_1 {
            initial state mine {
                on go(1) -> other
                on go(0) -> wrong
            }
            deadlock state other {
                on go(0) -> mine
                on go(1) -> wrong
            }
            reject state wrong
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&["go.tester", "--property", "turns(1)"]));
    expect![[r#"
        digraph "turns(0)" {
          rankdir=LR;
          node [shape=box, style=rounded];
          begin [shape=point];
          begin -> 0;
          0 [label="mine"];
          1 [label="other\ndeadlock"];
          2 [label="wrong\nreject"];
          0 -> 1 [label="go(0)"];
          0 -> 2 [label="go(1)"];
          1 -> 0 [label="go(1)"];
          1 -> 2 [label="go(0)"];
        }
        --- exit status 0
    "#]]
    .assert_eq(&run(&[
        "go.tester",
        "--property",
        "turns(0)",
        "--to",
        "dot",
    ]));
    expect![[r#"
        --- on standard error
        error: `turns(0)` cannot become a Büchi automaton: a tester sees actions, and an automaton sees what holds in states; `--to dot` draws it, and without `--to` it is shown as text

        --- exit status 3
    "#]].assert_eq(&run(&[
        "go.tester",
        "--property",
        "turns(0)",
        "--to",
        "buchi",
    ]));
}

#[test]
fn what_cannot_be_shown_is_refused_with_the_reason() {
    for (arguments, why) in [
        (&["lock.stb"][..], "has no testers, automata or formulas"),
        (
            &["lock.stb", "--property", "mutex"],
            "`mutex` is no automaton and no tester",
        ),
        (
            &["lock.tester", "--property", "nothing"],
            "there is no property `nothing`",
        ),
        (&["missing.tester"], "there is no file `missing.tester`"),
        (
            &["--ltl", "always x > 0"],
            "without a model a formula is made of names",
        ),
        (&["--ltl", "always next p"], "next"),
    ] {
        let all = [&["automaton"], arguments].concat();
        let ran = folder().run_with(&all);
        assert_eq!((ran.status, &*ran.out), (3, ""), "{arguments:?}");
        assert!(ran.err.contains(why), "{arguments:?}: {}", ran.err);
    }
    let both = folder().run("automaton lock.tester --ltl p");
    assert_eq!(both.status, 3);
}

/// Slots with a mode each, one mode by itself, and all that else is asked of states.
const SLOTS: &str = "\
enum Mode { idle, waiting, reading }
type Id = 0..1
type Slot = record { mode: Mode, n: 0..2 }
var slot: array[Id] of Slot
var slot_of: array[Mode] of Id
var mode: Mode
channel link[Id]: queue[1] of Id
process p(i in Id) {
    var mine: 0..2
    loop {
        rest: slot[i].mode = waiting, mode = waiting
        either { slot[i] = {mode: reading, n: 1}, mine = 1 } or { slot[i].mode = idle }
        both: done: send link[i](i)
        receive link[i](*)
        mode = idle, mine = 0
    }
}
process p0 { var k: Id  loop { k = 1 - k } }
def served_0: mode == idle
ltl served(i in Id): always (slot[i].mode == waiting implies eventually slot[i].mode != waiting)
ltl plain: eventually mode == waiting and slot[0] == {mode: idle, n: 0}
ltl places: always (p(0)@done implies eventually p(0)@{rest, both})
ltl values: eventually always (slot[p0.k].n + 1 > 2 * p(p0.k).mine and not p(p0.k)@both)
ltl counted: always eventually count(i in Id: slot[i].mode in {idle, reading}) - (slot[0].n - slot[1].n) == 2
ltl channels: always (full(link[0]) implies eventually len(link[p0.k]) == 0)
ltl tabled: always eventually slot_of[slot[0].mode] == max(slot[0].n, 0)
deadlock ignored
termination not required
";

#[test]
fn what_a_formula_becomes_can_stand_in_a_tester_file_of_its_model() {
    let folder = Folder::with("slots.stb", SLOTS);
    let shown = folder.run("automaton slots.stb").out;
    expect![[r#"
        buchi served_0_2 {
            observe p1 = slot[0].mode == waiting
        buchi served_1 {
            observe p1 = slot[1].mode == waiting
        buchi plain_buchi {
            observe p1 = mode == waiting
            observe p2 = slot[0] == {mode: idle, n: 0}
        buchi places_buchi {
            observe p1 = p(0)@both
            observe p2 = p(0)@{rest, both}
        buchi values_buchi {
            observe p1 = slot[p0.k].n + 1 > 2 * p(p0.k).mine and not p(p0.k)@both
        buchi counted_buchi {
            observe p1 = (if slot[0].mode in {idle, reading} then 1 else 0) + (if slot[1].mode in {idle, reading} then 1 else 0) - (slot[0].n - slot[1].n) == 2
        buchi channels_buchi {
            observe p1 = full(link[0])
            observe p2 = len(link[p0.k]) == 0
        buchi tabled_buchi {
            observe p1 = slot_of[slot[0].mode] == max(slot[0].n, 0)
    "#]].assert_eq(&shown_lines(&shown, &["buchi", "observe"]));
    let folder = folder.and("pasted.tester", &format!("use \"slots.stb\"\n{shown}"));
    let (_, checked) = folder.json("check pasted.tester");
    let problems = checked["problems"].as_array().expect("a list");
    let errors = problems.iter().filter(|one| one["severity"] == "error");
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<&serde_json::Value>::new());
    // Each says what its formula says.
    let properties = checked["properties"].as_array().expect("a list");
    let verdicts = |kind: &str| -> Vec<&str> {
        let those = properties.iter().filter(|one| one["kind"] == kind);
        those.filter_map(|one| one["verdict"].as_str()).collect()
    };
    assert_eq!(verdicts("ltl").len(), 8);
    assert_eq!(verdicts("ltl"), verdicts("buchi"));
}

/// Those lines of a text that begin with one of these words.
fn shown_lines(text: &str, words: &[&str]) -> String {
    let mut found = String::new();
    for line in text.lines() {
        if words.iter().any(|word| line.trim_start().starts_with(word)) {
            found.push_str(line);
            found.push('\n');
        }
    }
    found
}
