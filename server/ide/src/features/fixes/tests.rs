//! Each fix is made, and the model is checked again: what it mends is gone, and nothing is new.

use stubborn_engine::{Caller, Options, check};

use super::super::again::replaced;
use super::super::fixture::{checked_files, cursor};
use super::*;
use crate::database::{Contents, Database, Db, properties, system};

/// What is wrong with files: the codes of all problems and the names of the violated properties.
fn wrong(texts: &[(String, String)]) -> Vec<String> {
    let mut db = Database::default();
    for (path, text) in texts {
        db.set_contents(path, Contents::Text(text.as_str().into()));
    }
    let (path, _) = texts.last().expect("a file");
    let file = db.file(path);
    let analysis = analyzed(&db, file).expect("a text");
    let problems = analysis
        .problems
        .iter()
        .map(|one| one.code.as_str().to_owned());
    let mut wrong: Vec<String> = problems.collect();
    if let Some(system) = system(&db, file) {
        let properties = properties(&db, file);
        let all: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
        let outcomes =
            check(&system, &all, &Options::default(), Caller::default()).expect("a small system");
        let named = &analysis.model.as_ref().expect("a model").properties;
        for (outcome, named) in outcomes.iter().zip(named) {
            if matches!(outcome.verdict, stubborn_engine::Verdict::Violated { .. }) {
                wrong.push(format!("{} violated", named.name));
            }
        }
    }
    wrong
}

/// Makes the first fix at the `$0` of the last file, which is to have this title and to mend this,
/// and nothing else is to be wrong then than was before. The text of the files then.
fn fixed(marked: &[(&str, &str)], title: &str, mended: &str) -> Vec<String> {
    let (path, text) = marked.last().expect("a file");
    let (text, at) = cursor(text);
    let mut texts: Vec<(String, String)> = marked
        .iter()
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect();
    *texts.last_mut().expect("a file") = ((*path).to_owned(), text);
    let before = wrong(&texts);
    assert!(before.iter().any(|one| one == mended), "{before:?}");
    let plain: Vec<(&str, &str)> = texts
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let (db, file) = checked_files(&plain);
    let found = fixes(&db, &[file], file, &(at..at), &|_| true);
    let titles: Vec<&str> = found.iter().map(|one| &*one.title).collect();
    let fix = found.iter().find(|one| one.title == title);
    let fix = fix.unwrap_or_else(|| panic!("no {title:?} among {titles:?}"));
    for (path, text) in &mut texts {
        if let Some(edits) = fix.edits.get(path.as_str()) {
            *text = replaced(text, edits);
        }
    }
    let after = wrong(&texts);
    assert!(
        !after.iter().any(|one| one == mended),
        "{after:?}\n{texts:#?}"
    );
    let is_new = after.iter().find(|one| !before.contains(one));
    assert_eq!(is_new, None, "{texts:#?}");
    texts.into_iter().map(|(_, text)| text).collect()
}

/// As `fixed`, of one file: its text then.
fn becomes(text: &str, title: &str, mended: &str, then: &str) {
    assert_eq!(fixed(&[("/m.stb", text)], title, mended), [then]);
}

fn none(text: &str) {
    let (text, at) = cursor(text);
    let (db, file) = checked_files(&[("/m.stb", &text)]);
    assert_eq!(fixes(&db, &[file], file, &(at..at), &|_| true), []);
}

#[test]
fn an_unknown_name_becomes_the_nearest_known_one() {
    becomes(
        "var gate: bool\nprocess p { gaet$0 = not gate }\n",
        "Change to `gate`",
        "unknown-name",
        "var gate: bool\nprocess p { gate = not gate }\n",
    );
}

#[test]
fn an_unknown_state_and_an_unknown_action_become_the_nearest_known_ones() {
    becomes(
        "process p { initial state one { -> tow$0 } final state two }\n",
        "Change to `two`",
        "unknown-state",
        "process p { initial state one { -> two } final state two }\n",
    );
    becomes(
        "action enter\nprocess p { on ente$0 }\n",
        "Change to `enter`",
        "unknown-name",
        "action enter\nprocess p { on enter }\n",
    );
}

#[test]
fn an_integer_in_the_place_of_a_truth_value_is_compared() {
    becomes(
        "var j: 0..3\nprocess p { j = 1 await $0j }\n",
        "Change to `j != 0`",
        "wrong-type",
        "var j: 0..3\nprocess p { j = 1 await j != 0 }\n",
    );
    becomes(
        "var j: 0..3\nvar b: bool\nprocess p { b = j == 0 j = 1 + $0b }\n",
        "Change to `(if b then 1 else 0)`",
        "wrong-type",
        "var j: 0..3\nvar b: bool\nprocess p { b = j == 0 j = 1 + (if b then 1 else 0) }\n",
    );
}

#[test]
fn a_token_that_was_mistaken_becomes_the_one_that_was_meant() {
    becomes(
        "action a\nproces$0 p { on a }\n",
        "Change to `process`",
        "syntax",
        "action a\nprocess p { on a }\n",
    );
    becomes(
        "const N :=$0 3\nvar x: 0..N\nprocess p { await x == 0 }\n",
        "Change to `=`",
        "syntax",
        "const N = 3\nvar x: 0..N\nprocess p { await x == 0 }\n",
    );
}

#[test]
fn what_nothing_needs_is_taken_out_with_its_lines_and_its_documentation() {
    becomes(
        "var a: bool\n/// Of no use.\nvar $0x: bool\nprocess p { a = not a }\n",
        "Take out `x`, which nothing needs",
        "never-read",
        "var a: bool\nprocess p { a = not a }\n",
    );
    becomes(
        "var a, $0x: bool\nprocess p { a = not a }\n",
        "Take out `x`, which nothing needs",
        "never-read",
        "var a: bool\nprocess p { a = not a }\n",
    );
    becomes(
        "var $0x, a: bool\nprocess p { a = not a }\n",
        "Take out `x`, which nothing needs",
        "never-read",
        "var a: bool\nprocess p { a = not a }\n",
    );
    becomes(
        "param $0N: 1..3 = 2\naction a\nprocess p { on a }\n",
        "Take out `N`, which nothing needs",
        "unused-parameter",
        "action a\nprocess p { on a }\n",
    );
    becomes(
        "action $0b\naction a\nprocess p { on a }\n",
        "Take out `b`, which nothing needs",
        "action-never-taken",
        "action a\nprocess p { on a }\n",
    );
    becomes(
        "process p {\n    final initial state s\n    state $0t { -> t }\n}\n",
        "Take out `t`, which nothing needs",
        "unreachable",
        "process p {\n    final initial state s\n}\n",
    );
    // It is written to.
    none("var $0x: bool\nprocess p { x = true }\n");
}

#[test]
fn what_a_tester_reads_is_not_taken_out_of_the_model() {
    let (model, at) = cursor("var $0x: bool\nprocess p { skip }\n");
    let tester = "use \"m.stb\"\ninvariant low: not x\n";
    let (db, model) = checked_files(&[("/t.tester", tester), ("/m.stb", &model)]);
    let tester = db.file("/t.tester");
    assert_eq!(
        fixes(&db, &[model, tester], model, &(at..at), &|_| true),
        []
    );
    assert_eq!(fixes(&db, &[model], model, &(at..at), &|_| true).len(), 1);
}

#[test]
fn what_a_tester_names_is_not_taken_out_of_the_model() {
    let text = "process p { initial state $0a { -> b } final state b state $0c { -> a } }\n";
    let at = text.rfind("$0").expect("a cursor") - "$0".len();
    let model = text.replace("$0", "");
    let tester = "use \"m.stb\"\ninvariant never: not p@c\n";
    let (db, model) = checked_files(&[("/t.tester", tester), ("/m.stb", &model)]);
    let tester = db.file("/t.tester");
    let all = |roots: &[SourceFile]| fixes(&db, roots, model, &(at..at), &|_| true);
    assert_eq!(all(&[model]).len(), 1);
    assert_eq!(all(&[model, tester]), []);
}

#[test]
fn what_must_not_be_changed_is_not_mended() {
    let (model, at) = cursor("var $0x: bool\nprocess p { skip }\n");
    let (db, model) = checked_files(&[("/m.stb", &model)]);
    assert_eq!(fixes(&db, &[model], model, &(at..at), &|_| true).len(), 1);
    assert_eq!(fixes(&db, &[model], model, &(at..at), &|_| false), []);
}

#[test]
fn a_statement_is_kept_apart_by_a_semicolon() {
    becomes(
        "var b: bool\naction a\nprocess p { b = true await b $0on a }\n",
        "Write `;` before `on`: a statement of its own",
        "statements-on-one-line",
        "var b: bool\naction a\nprocess p { b = true await b; on a }\n",
    );
    becomes(
        "var b: bool\naction a\nprocess p {\n    b = true\n    on a // why\n    $0when b\n}\n",
        "Write `;` before `when`: a statement of its own",
        "clause-continues-step",
        "var b: bool\naction a\nprocess p {\n    b = true\n    on a; // why\n    when b\n}\n",
    );
}

#[test]
fn a_process_begins_in_one_state() {
    becomes(
        "process $0p { state s { -> t } final state t }\n",
        "Let it begin in `s`: mark it `initial`",
        "no-initial-state",
        "process p { initial state s { -> t } final state t }\n",
    );
    becomes(
        "process p { initial state s { -> t } $0initial final state t }\n",
        "Let `t` not be initial",
        "several-initial-states",
        "process p { initial state s { -> t } final state t }\n",
    );
}

const SERVER: &str =
    "action ask(0..1)\naction leave\nprocess p { on ask(0); on leave; on ask(1) }\n";

#[test]
fn a_visible_action_that_a_tester_state_leaves_out_is_handled() {
    let tester = "use \"m.stb\"\ntester t {\n    initial state s {\n        on ask(0) -> $0u\n    }\n    \
                  state u { on leave -> v on ask(*) -> w }\n    state v { on leave -> v on ask(*) -> w }\n    reject state w\n}\n";
    let after = fixed(
        &[
            ("/m.stb", SERVER),
            (
                "/t.tester",
                &tester
                    .replacen("$0", "", 1)
                    .replacen("state s", "state $0s", 1),
            ),
        ],
        "Let `leave` and 1 more happen in `s`",
        "missing-visible-action",
    );
    assert!(
        after[1].contains("        on ask(0) -> u\n        on leave -> s\n"),
        "{}",
        after[1]
    );
}

#[test]
fn where_everybody_is_stuck_is_final() {
    becomes(
        "var free: bool\nprocess $0p { await free }\n",
        "It is right to stay at line 2 for ever: mark it `final`",
        "deadlock violated",
        "var free: bool\nprocess p { final resting: await free }\n",
    );
    becomes(
        "var free: bool\nprocess $0p { here: await free }\n",
        "It is right to stay at `here` for ever: mark it `final`",
        "deadlock violated",
        "var free: bool\nprocess p { final here: await free }\n",
    );
    becomes(
        "action a\nprocess p { initial state $0s { on a -> s } }\nprocess q { initial state t alphabet a }\n"
            .replace("initial state t alphabet a", "alphabet a initial state t")
            .as_str(),
        "It is right to stay at `s` and one more place for ever: mark it `final`",
        "deadlock violated",
        "action a\nprocess p { final initial state s { on a -> s } }\nprocess q { alphabet a final initial state t }\n",
    );
}

#[test]
fn a_range_is_widened_to_the_value_that_it_was_given() {
    becomes(
        "var x: 0..3\nprocess p { x = 3 $0x = x + 1 }\ninvariant i: x >= 0\n",
        "Widen `0..3` to `0..4`",
        "errors violated",
        "var x: 0..4\nprocess p { x = 3 x = x + 1 }\ninvariant i: x >= 0\n",
    );
    becomes(
        "param N: 1..3 = 2\ntype T = record { f: 0..N-1 }\nvar a: array[0..1] of T\n\
         process p { a[1].f = 1 $0a[1].f = a[1].f - 2 }\n",
        "Widen `0..N-1` to `-1..N-1`",
        "errors violated",
        "param N: 1..3 = 2\ntype T = record { f: -1..N-1 }\nvar a: array[0..1] of T\n\
         process p { a[1].f = 1 a[1].f = a[1].f - 2 }\n",
    );
    becomes(
        "param N: 1..3 = 2\nvar x: 0..N-1\nprocess p { x = 1 $0x = x + 1 }\n",
        "Widen `0..N-1` to `0..max(N-1, 2)`",
        "errors violated",
        "param N: 1..3 = 2\nvar x: 0..max(N-1, 2)\nprocess p { x = 1 x = x + 1 }\n",
    );
    becomes(
        "var x: 0..3 = $07\nprocess p { await x > 1 }\n",
        "Widen `0..3` to `0..7`",
        "outside-type",
        "var x: 0..7 = 7\nprocess p { await x > 1 }\n",
    );
    becomes(
        "var x: 0..9 = 3\nchannel c: queue[1] of bool, 0..3\n\
         process p { $0send c(true, x + 1) receive c(*, *) }\n",
        "Widen `0..3` to `0..4`",
        "errors violated",
        "var x: 0..9 = 3\nchannel c: queue[1] of bool, 0..4\n\
         process p { send c(true, x + 1) receive c(*, *) }\n",
    );
    becomes(
        "action a(0..3)\nprocess p { on a($07) }\n",
        "Widen `0..3` to `0..7`",
        "outside-type",
        "action a(0..7)\nprocess p { on a(7) }\n",
    );
    // Which of the two it was is not known.
    none("var x, y: 0..3\nvar z: 0..3\nprocess p { x = 3 $0y = x, z = y + x }\n");
}

#[test]
fn a_channel_gets_room_for_what_it_holds_at_first() {
    becomes(
        "channel c: queue[1] of 0..3 = $0[1, 2]\nprocess p { receive c(*) receive c(*) }\n",
        "Make room for 2 messages",
        "outside-type",
        "channel c: queue[2] of 0..3 = [1, 2]\nprocess p { receive c(*) receive c(*) }\n",
    );
}

#[test]
fn a_loop_without_a_step_gets_one() {
    becomes(
        "var x: bool\nprocess p { x = not x loop$0 { } }\ntermination not required\n",
        "Let every round begin with a step: `skip`",
        "loop-without-step",
        "var x: bool\nprocess p { x = not x loop { skip; } }\ntermination not required\n",
    );
}

const STOPS: &str = "stop for good instead of asking again: if all must ask again, nobody sees who \
                     waits for it";

#[test]
fn who_always_asks_again_may_stop_for_good() {
    let loops =
        "action ask\nprocess p$0 { loop { on ask; skip } }\nprocess q { loop { on ask } }\n";
    becomes(
        loops,
        &format!("Let `p` and `q` {STOPS}"),
        "no-place-to-stop",
        "action ask\n\
         process p { loop { either { stop /* for good: nobody has to ask again */ } or { on ask }; skip } }\n\
         process q { loop { either { stop /* for good: nobody has to ask again */ } or { on ask } } }\n",
    );
    let either = "var x: bool\nprocess p$0 {\n    loop {\n        either { x = true }\n        or { x = false }\n    }\n}\n\
                  process q { skip }\ninvariant i: x or not x\n";
    becomes(
        either,
        &format!("Let `p` {STOPS}"),
        "termination violated",
        &either.replacen("$0", "", 1).replacen(
            "or { x = false }",
            "or { x = false }\n        or { stop /* for good: nobody has to ask again */ }",
            1,
        ),
    );
    let states = "var x: bool\nprocess p$0 {\n    initial state s {\n        do x = not x -> t\n    }\n    state t { -> s }\n}\n\
                  invariant i: x or not x\n";
    becomes(
        states,
        &format!("Let `p` {STOPS}"),
        "no-place-to-stop",
        "var x: bool\nprocess p {\n    initial state s {\n        do x = not x -> t\n        -> stopped\n    }\n    \
         state t { -> s }\n    final state stopped /* for good: nobody has to ask again */\n}\n\
         invariant i: x or not x\n",
    );
}

#[test]
fn a_model_that_goes_on_for_ever_may_say_so() {
    becomes(
        "var x: bool\nprocess p$0 { loop { x = not x } }",
        "The model goes on for ever: write `termination not required`",
        "no-place-to-stop",
        "var x: bool\nprocess p { loop { x = not x } }\ntermination not required\n",
    );
}

#[test]
fn where_nothing_is_told_there_is_nothing_to_mend() {
    none("var x: bool\nprocess p { x = $0not x }\n");
}

#[test]
fn a_fix_that_would_make_another_error_is_not_offered() {
    // `gate` is known, and no truth value.
    none("var gate: 0..3\nprocess p { gate = 1 await gaet$0 }\n");
}

#[test]
fn who_never_moves_on_a_cycle_may_be_assumed_to_be_fair() {
    let text = |fair: &str, cursor: &str| {
        format!(
            "// Somebody sweeps for ever.\n\
             process sweeper {{ initial final state tick {{ -> tock }} state tock {{ -> tick }} }}\n\
             {fair}process late(i in 0..1) {{ initial state before {{ -> behind }} final state behind }}\n\
             ltl {cursor}comes: eventually late(0)@behind\n\
             termination not required\n"
        )
    };
    becomes(
        &text("", "$0"),
        "Assume that `late` is fair: whoever can always go on does so some time",
        "comes violated",
        &text("fair ", ""),
    );
}
