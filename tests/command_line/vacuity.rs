//! What holds only because something never happens says so.

use serde_json::{Value, json};

use super::folder::{Folder, property};

const MODEL: &str = "\
var n: 0..5
var asked: bool
process p { while n < 3 { n = n + 1 } }
process q(i in 0..1) { await n > 0 do asked = n > 1 }
def high(k in 0..5): n > k
invariant both: (n > 4 implies asked) and (n > 2 implies n < 4)
invariant each: forall k in 0..5: (n == k implies n <= 3)
invariant none: forall k in 4..5: (high(k) implies asked)
invariant plain: n <= 3 or asked
ltl answered: always (n == 5 implies eventually asked)
ltl comes: always (n == 3 implies eventually n == 3)
ltl first: eventually (n == 5 implies asked)
";

/// What is said of a property that holds: the lines, each with what stands there.
fn said(object: &Value, text: &str, name: &str) -> Vec<(String, String)> {
    let of = property(object, name);
    assert_eq!(of["verdict"], "holds", "{of}");
    let all = of["vacuous"].as_array().expect("a list");
    let told = all.iter().map(|one| {
        let at = |end: &str, what: &str| {
            let number = one["range"][end][what].as_u64().expect("a number");
            usize::try_from(number).expect("small") - 1
        };
        let line = text.lines().nth(at("start", "line")).expect("a line");
        let quoted = line[at("start", "column")..at("end", "column")].to_owned();
        (
            quoted,
            one["message"].as_str().expect("a sentence").to_owned(),
        )
    });
    let told: Vec<(String, String)> = told.collect();
    let why = told.iter().map(|(_, sentence)| sentence.as_str());
    let why = why.collect::<Vec<_>>().join("; ");
    match told.is_empty() {
        true => assert_eq!(of["why"], json!(null)),
        false => assert_eq!(of["why"], json!(why)),
    }
    told
}

#[test]
fn the_left_side_of_an_implies_that_is_never_true_is_named() {
    let folder = Folder::with("m.stb", MODEL);
    let (status, object) = folder.json("check m.stb");
    assert_eq!(status, 0);
    let quoted = |name: &str| -> Vec<String> {
        let said = said(&object, MODEL, name);
        said.into_iter().map(|(quoted, _)| quoted).collect()
    };
    assert_eq!(quoted("both"), ["n > 4"]);
    assert_eq!(quoted("none"), ["high(k)"]);
    assert_eq!(quoted("answered"), ["n == 5"]);
    // One value is enough; what is not always asked may be so for good reasons.
    for name in ["each", "plain", "comes", "first", "errors", "deadlock"] {
        assert_eq!(quoted(name), [""; 0], "{name}");
    }
    let [(_, sentence)] = &said(&object, MODEL, "both")[..] else {
        panic!("one sentence");
    };
    assert_eq!(
        sentence,
        "`n > 4` is never true, so that nothing is asked of what it implies"
    );
    let told = folder.run("check m.stb --property both").out;
    assert!(
        told.contains("both  holds      `n > 4` is never true"),
        "{told}"
    );
}

#[test]
fn a_left_side_that_a_formula_asks_of_the_initial_state_alone_is_named_where_it_is_false_there() {
    let text = "\
var n: 0..5
process p { while n < 3 { n = n + 1 } }
ltl once: n == 2 implies eventually n > 4
ltl first: n == 0 implies eventually n > 2
ltl always_asked: always (n == 2 implies eventually n > 2)
ltl both: (n == 1 implies n > 4) and always (n < 3 implies eventually n == 3)
";
    let folder = Folder::with("m.stb", text);
    let (_, object) = folder.json("check m.stb");
    let quoted = |name: &str| -> Vec<String> {
        let said = said(&object, text, name);
        said.into_iter().map(|(quoted, _)| quoted).collect()
    };
    assert_eq!(quoted("once"), ["n == 2"]);
    assert_eq!(quoted("both"), ["n == 1"]);
    for name in ["first", "always_asked"] {
        assert_eq!(quoted(name), [""; 0], "{name}");
    }
    assert_eq!(
        said(&object, text, "once")[0].1,
        "`n == 2` is false in the initial state, and without `always` it is asked there alone, so that nothing \
         is asked of what it implies"
    );
}

#[test]
fn a_name_that_an_automaton_observes_and_that_never_changes_is_named() {
    let tester = "\
use \"m.stb\"
buchi late {
    observe high = n > 4
    observe low = n < 2
    initial state early when low { -> over }
    infinite state over when high { -> over }
}
";
    let folder = Folder::with("m.stb", MODEL).and("m.tester", tester);
    let (_, object) = folder.json("check m.tester --property late");
    assert_eq!(
        said(&object, tester, "late"),
        [(
            "high".to_owned(),
            "`high`, which it observes, never changes".to_owned()
        )]
    );
}

#[test]
fn what_is_violated_says_nothing_of_it_and_neither_does_what_was_cut() {
    let text = "var n: 0..99\nprocess p { loop { n = (n + 1) % 100 } }\n\
                invariant a: (n > 98 implies n < 5) and (n > 99 implies n < 5)\n\
                invariant b: n > 99 implies n < 5\n";
    let folder = Folder::with("m.stb", text);
    let (_, object) = folder.json("check m.stb");
    assert_eq!(property(&object, "a")["vacuous"], json!([]));
    assert_eq!(said(&object, text, "b").len(), 1);
    let (_, object) = folder.json("check m.stb --max-states 50");
    assert_eq!(property(&object, "b")["vacuous"], json!([]));
}

#[test]
fn a_left_side_at_a_state_that_no_steps_lead_to_is_named_and_one_that_constants_leave_out_is_not() {
    let text = "const LARGE = false\nvar x: 0..1\n\
                process p { initial final state s0 { do x = 1 -> s0 } state s1 { -> s0 } }\n\
                process q(i in 0..1) { initial final state s0 { } state s1 { -> s0 } }\n\
                invariant a: p@s1 implies x == 0\n\
                invariant b: forall i in 0..1: (q(i)@s1 implies x == 0)\n\
                ltl c: always (p@s1 implies eventually x == 0)\n\
                invariant d: LARGE and x == 1 implies x == 0\n";
    let folder = Folder::with("m.stb", text);
    let (_, object) = folder.json("check m.stb");
    let quoted = |name: &str| -> Vec<String> {
        let said = said(&object, text, name);
        said.into_iter().map(|(quoted, _)| quoted).collect()
    };
    assert_eq!(quoted("a"), ["p@s1"]);
    assert_eq!(quoted("b"), ["q(i)@s1"]);
    assert_eq!(quoted("c"), ["p@s1"]);
    assert_eq!(quoted("d"), [""; 0]);
}

/// Of steps it is asked whether some run takes them again and again; of an `implies` to the right of another where both left
/// sides are true.
#[test]
fn a_recurrence_of_what_never_recurs_and_an_implication_within_another_say_so() {
    let text = "\
var x: 0..3
action go
action dead
process p { loop { on go } }
process q { await false; on dead }
process r { x = 1 }
termination not required
deadlock ignored
recurrence never: infinitely dead implies infinitely go
recurrence again: infinitely go implies infinitely go
recurrence no_more: infinitely dead implies infinitely {}
invariant within: x <= 1 implies (x == 3 implies x == 2)
invariant asked: x <= 1 implies (x == 1 implies x < 2)
ltl first: x == 1 implies (x == 0 implies x == 2)
";
    let folder = Folder::with("m.stb", text);
    let (_, object) = folder.json("check m.stb");
    let why = |name: &str| property(&object, name)["why"].clone();
    assert_eq!(
        why("never"),
        "no run has steps of `dead` infinitely often, so that nothing is asked of it"
    );
    assert_eq!(
        why("within"),
        "`x == 3` is never true where it is asked, so that nothing is asked of what it implies"
    );
    assert_eq!(why("again"), serde_json::Value::Null);
    assert_eq!(why("no_more"), serde_json::Value::Null);
    assert_eq!(why("asked"), serde_json::Value::Null);
    // That it stands behind what is false there does not make the inner one false in the initial state.
    assert_eq!(
        why("first"),
        "`x == 1` is false in the initial state, and without `always` it is asked there alone, so that nothing is asked of what \
         it implies"
    );
}
