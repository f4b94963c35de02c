//! What is worked out again after an edit, and what stands.

use std::panic::AssertUnwindSafe;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use stubborn_engine::{Caller, Options, Outcome, Reason, Verdict, check};
use stubborn_report::PropertyReport;
use stubborn_syntax::GreenNode;
use stubborn_system::property::Form;
use stubborn_system::system::System;

use super::*;
use crate::jobs::{Answer, Fingerprint, Known, Sliced};

const MODEL: &str = "\
param N: 1..4 = 2
var x: 0..N
process p {
    loop { when x < N do x = x + 1 }
}
invariant small: x <= N
";

/// A database that takes note of the queries that it runs.
fn watched() -> (Database, Arc<Mutex<Vec<String>>>) {
    let log = Arc::<Mutex<Vec<String>>>::default();
    let writer = Arc::clone(&log);
    let note = move |event: salsa::Event| {
        if let salsa::EventKind::WillExecute { database_key } = event.kind {
            let query = format!("{database_key:?}");
            let name = query.split('(').next().unwrap_or_default().to_owned();
            writer.lock().unwrap().push(name);
        }
    };
    let database = Database {
        storage: salsa::Storage::new(Some(Box::new(note))),
        files: Files::default(),
        verdicts: Arc::default(),
        memories: Memories::default(),
    };
    (database, log)
}

fn text(text: &str) -> Contents {
    Contents::Text(text.into())
}

fn ran(log: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut *log.lock().unwrap())
}

#[test]
fn an_edit_of_comments_layout_and_names_ends_at_an_equal_system() {
    let (mut db, log) = watched();
    db.set_contents("/m.stb", text(MODEL));
    let root = db.file("/m.stb");
    let before = (
        fingerprint(&db, root),
        properties(&db, root),
        verdicts(&db, root),
    );
    assert!(before.0.is_some());
    ran(&log);

    let edited = format!(
        "// so\n{}",
        MODEL.replace('x', "level").replace("    ", "\t ")
    );
    db.set_contents("/m.stb", text(&edited));
    let after = (
        fingerprint(&db, root),
        properties(&db, root),
        verdicts(&db, root),
    );
    assert_eq!(before, after);
    // The System and the properties were equal, so what follows from them was not asked again.
    let ran = ran(&log);
    assert!(ran.iter().any(|query| query == "analyzed"), "{ran:?}");
    assert!(
        !ran.iter()
            .any(|query| query == "fingerprint" || query == "verdicts"),
        "{ran:?}"
    );
}

#[test]
fn another_system_has_another_fingerprint() {
    let mut db = Database::default();
    db.set_contents("/m.stb", text(MODEL));
    let root = db.file("/m.stb");
    let before = fingerprint(&db, root);
    db.set_contents("/m.stb", text(&MODEL.replace("= 2", "= 3")));
    assert_ne!(fingerprint(&db, root), before);
    db.set_contents("/m.stb", text("var x: nonsense\n"));
    assert_eq!(fingerprint(&db, root), None);
}

#[test]
fn an_assumption_that_is_edited_is_another_question_for_what_has_it_and_for_nothing_else() {
    let model = "var x: 0..1
process p { loop { x = 1 - x } }
fair f: p
ltl l: always eventually x == 0
invariant i: x < 2
progress m: must x == 1
progress n: may x == 1
";
    let tester = "use \"/m.stb\"\nfair mine: {}\nltl t: true\n";
    let keys = |model: &str, tester: &str| {
        let mut db = Database::default();
        db.set_contents("/m.stb", text(model));
        db.set_contents("/t.tester", text(tester));
        let root = db.file("/t.tester");
        let keys = properties(&db, root)
            .iter()
            .map(|one| one.key)
            .collect::<Vec<_>>();
        let names = analyzed(&db, root)
            .expect("it is known")
            .model
            .clone()
            .expect("it is right");
        let names = names.properties.into_iter().map(|one| one.name);
        names.zip(keys).collect::<Vec<_>>()
    };
    let before = keys(model, tester);
    let changed = |model: &str, tester: &str| -> Vec<String> {
        let after = keys(model, tester);
        assert_eq!(after.len(), before.len());
        let both = before.iter().zip(after);
        both.filter(|(one, other)| *one != other)
            .map(|(_, (name, _))| name)
            .collect()
    };
    let model_with = |now: &str| model.replace("fair f: p\n", now);
    assert_eq!(changed(&model_with("fair g: p\n"), tester), [""; 0]);
    assert_eq!(
        changed(&model_with("\nfair f(k in 0..0): {p}\n"), tester),
        [""; 0]
    );
    assert_eq!(
        changed(&model_with("strongly fair f: p\n"), tester),
        ["l", "m", "t"]
    );
    assert_eq!(
        changed(&model_with("fair f: {}\n"), tester),
        ["l", "m", "t"]
    );
    assert_eq!(changed(&model_with(""), tester), ["l", "m", "t"]);
    assert_eq!(
        changed(&model.replace("process p", "fair process p"), tester),
        ["l", "m", "t"]
    );
    assert_eq!(changed(model, &tester.replace("{}", "p")), ["t"]);
    assert_eq!(
        changed(model, &tester.replace("fair mine: {}\n", "")),
        ["t"]
    );
}

#[test]
fn a_text_that_is_set_again_costs_nothing() {
    let (mut db, log) = watched();
    db.set_contents("/m.stb", text(MODEL));
    let root = db.file("/m.stb");
    fingerprint(&db, root);
    ran(&log);
    db.set_contents("/m.stb", text(MODEL));
    fingerprint(&db, root);
    assert_eq!(ran(&log), Vec::<String>::new());
}

#[test]
fn a_file_that_nobody_has_looked_for_is_told_and_its_coming_is_noticed() {
    let mut db = Database::default();
    db.set_contents(
        "/a/t.tester",
        text("use \"../m.stb\"\ninvariant low: x < 1\n"),
    );
    let root = db.file("/a/t.tester");
    let unread = |db: &Database| whole(db, root).unwrap().unread.clone();
    assert_eq!(
        unread(&db).into_iter().collect::<Vec<_>>(),
        ["/m.stb".into()]
    );

    db.set_contents("/m.stb", Contents::Missing);
    assert!(unread(&db).is_empty());
    assert_eq!(fingerprint(&db, root), None);

    db.set_contents("/m.stb", text(MODEL));
    assert!(fingerprint(&db, root).is_some());
    // The testers of a model have its System.
    assert_eq!(fingerprint(&db, root), fingerprint(&db, db.file("/m.stb")));
}

#[test]
fn a_verdict_comes_back_to_the_property_wherever_it_stands() {
    let mut db = Database::default();
    db.set_contents("/m.stb", text(MODEL));
    let root = db.file("/m.stb");
    let small = properties(&db, root).iter().position(|one| {
        matches!(
            one.property,
            stubborn_system::property::Property::Invariant(_)
        )
    });
    let small = small.expect("the invariant");
    assert_eq!(reports(&db, root)[small], None);

    let mut table = Verdicts::default();
    let outcome = Outcome {
        verdict: Verdict::Holds,
        states: 3,
        edges: 2,
        full: true,
        reduction: stubborn_engine::Reduction::None,
        round: None,
        symmetry: stubborn_engine::Permuted::No,
        sharing: None,
        within: 0,
        runs: None,
        depth: None,
        seconds: 0.0,
    };
    let known = Known {
        answer: Answer::Outcome(Box::new(outcome)),
        budget: None,
        found_before: false,
    };
    table.insert(properties(&db, root)[small].key, known);
    db.set_verdicts(Arc::new(table));
    assert_eq!(
        reports(&db, root)[small]
            .as_ref()
            .unwrap()
            .place
            .range
            .start
            .line,
        6
    );

    db.set_contents("/m.stb", text(&format!("// so\n\n{MODEL}")));
    assert_eq!(
        reports(&db, root)[small]
            .as_ref()
            .unwrap()
            .place
            .range
            .start
            .line,
        8
    );
}

#[test]
fn what_holds_of_runs_says_so_once_it_is_known_that_others_fail() {
    let mut db = Database::default();
    let model = "var x: 0..1\nprocess p { x = 1; x = x + 1 }\nltl low: always x == 0\n";
    db.set_contents("/m.stb", text(model));
    let root = db.file("/m.stb");
    let properties = properties(&db, root);
    let all: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
    let (system, options) = (system(&db, root).unwrap(), Options::default());
    let outcomes = check(&system, &all, &options, Caller::default()).expect("a small system");
    let at = |form: Form| all.iter().position(|one| one.form() == form).unwrap();
    let (errors, low) = (at(Form::Errors), at(Form::Ltl));

    let mut table = Verdicts::default();
    let mut tell = |property: usize| {
        let kept = properties[property].kept(&system, &outcomes[property]);
        let known = Known {
            answer: Answer::Outcome(Box::new(kept)),
            budget: None,
            found_before: false,
        };
        table.insert(properties[property].key, known);
        db.set_verdicts(Arc::new(table.clone()));
        let report = reports(&db, root)[low].clone().expect("a report");
        assert_eq!(report.verdict, stubborn_report::Verdict::Holds);
        report.why
    };
    assert_eq!(tell(low), None);
    let why = tell(errors).expect("a sentence");
    assert!(why.ends_with("`errors` is violated"), "{why}");
}

#[test]
fn the_names_in_scope_are_those_of_the_text_as_it_is_now() {
    let mut db = Database::default();
    db.set_contents("/m.stb", text(MODEL));
    let root = db.file("/m.stb");
    let names = |db: &Database| {
        let scopes = scopes(db, root).expect("a text");
        let here = scopes.at(stubborn_system::source::FileId(0), 0);
        let names = here.iter().map(|symbol| symbol.name.to_string());
        names.collect::<Vec<String>>()
    };
    assert_eq!(names(&db), ["N", "x", "p", "small"]);
    db.set_contents("/m.stb", text(&MODEL.replace("var x", "var level")));
    assert_eq!(names(&db), ["N", "level", "p", "small"]);
}

#[test]
fn a_verdict_that_falls_leaves_the_runs_of_the_others_as_they_are() {
    let (mut db, log) = watched();
    let two = MODEL.replace("x <= N", "x < 1") + "invariant less: x < 2\n";
    db.set_contents("/m.stb", text(&two));
    let root = db.file("/m.stb");
    let (system, properties) = (system(&db, root).unwrap(), properties(&db, root));
    let asked: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
    let outcomes = check(&system, &asked, &Options::default(), Caller::default()).unwrap();
    let mut table = Verdicts::default();
    let mut shown: Vec<Arc<Known>> = Vec::new();
    verdicts(&db, root);
    for at in 0..properties.len() {
        let kept = properties[at].kept(&system, &outcomes[at]);
        let known = Known {
            answer: Answer::Outcome(Box::new(kept)),
            budget: None,
            found_before: false,
        };
        table.insert(properties[at].key, known);
        db.set_verdicts(Arc::new(table.clone()));
        ran(&log);
        let now: Vec<_> = verdicts(&db, root).iter().flatten().cloned().collect();
        // Each run is lifted from its slice once, when its verdict falls.
        let lifted = ran(&log).iter().filter(|query| *query == "verdict").count();
        assert_eq!((lifted, now.len()), (1, shown.len() + 1));
        assert!(
            shown
                .iter()
                .all(|old| now.iter().any(|new| Arc::ptr_eq(old, new)))
        );
        shown = now;
    }
    let is_violated = |known: &&Arc<Known>| match &known.answer {
        Answer::Outcome(outcome) => outcome.verdict.is_violated(),
        Answer::Refused(_) => false,
    };
    assert_eq!(shown.iter().filter(is_violated).count(), 3);
}

#[test]
fn a_run_is_made_once_though_its_search_tells_later_what_it_has_cost_and_alone_for_who_asks_about_it()
 {
    let (mut db, log) = watched();
    let values = MODEL.replace("x <= N", "x < 1") + "invariant less(k in 1..3): x < k\n";
    db.set_contents("/m.stb", text(&values));
    let root = db.file("/m.stb");
    let (system, properties) = (system(&db, root).unwrap(), properties(&db, root));
    let asked: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
    let outcomes = check(&system, &asked, &Options::default(), Caller::default()).unwrap();
    let tell = |db: &mut Database, seconds: f64| {
        let mut table = Verdicts::default();
        for (one, outcome) in properties.iter().zip(&outcomes) {
            let outcome = Outcome {
                seconds,
                ..one.kept(&system, outcome)
            };
            let known = Known {
                answer: Answer::Outcome(Box::new(outcome)),
                budget: None,
                found_before: false,
            };
            table.insert(one.key, known);
        }
        db.set_verdicts(Arc::new(table));
    };
    let count = |ran: &[String], query: &str| ran.iter().filter(|ran| *ran == query).count();
    let violated = outcomes.iter().filter(|one| one.verdict.is_violated());
    let violated = violated.count();
    assert!(violated > 3);
    let at = outcomes.iter().position(|one| one.verdict.is_violated());
    let at = at.expect("one is violated");

    tell(&mut db, 1.0);
    ran(&log);
    let alone = report(&db, root, at).expect("a report");
    assert_eq!(count(&ran(&log), "lifted_violation"), 1);
    assert_eq!(reports(&db, root)[at].as_ref(), Some(&alone));
    assert_eq!(count(&ran(&log), "lifted_violation"), violated - 1);

    tell(&mut db, 2.0);
    ran(&log);
    let after = reports(&db, root)[at].clone().expect("a report");
    assert_eq!((alone.seconds, after.seconds), (1.0, 2.0));
    assert_eq!(after.trace, alone.trace);
    assert_eq!(count(&ran(&log), "lifted_violation"), 0);
}

/// Lets the verdicts fall one after the other, and one of another System at the end; says how often each
/// made the queries run, and whether it has a run.
fn runs_of(
    queries: [&str; 2],
    (db, log): &mut (Database, Arc<Mutex<Vec<String>>>),
    (system, properties): (&System, &[Sliced]),
    ask: &dyn Fn(&Database) -> Arc<Vec<Option<PropertyReport>>>,
) -> Vec<(bool, [usize; 2])> {
    let all: Vec<_> = properties.iter().map(|one| one.property.clone()).collect();
    let outcomes =
        check(system, &all, &Options::default(), Caller::default()).expect("a small system");
    let violated = |outcome: &&Outcome| outcome.verdict.is_violated();
    assert!(outcomes.iter().filter(violated).count() >= 2);
    let of = |(one, outcome): (&Sliced, &Outcome)| (one.key, one.kept(system, outcome));
    let mut fallen: Vec<_> = properties.iter().zip(&outcomes).map(of).collect();
    let mut stranger = fallen[0].clone();
    stranger.0.slice = Fingerprint::of(&"another");
    fallen.push(stranger);

    let mut table = Verdicts::default();
    ask(db);
    let mut counts = Vec::new();
    for (key, outcome) in fallen {
        let has_run = outcome.verdict.is_violated();
        let known = Known {
            answer: Answer::Outcome(Box::new(outcome)),
            budget: None,
            found_before: false,
        };
        table.insert(key, known);
        db.set_verdicts(Arc::new(table.clone()));
        ran(log);
        let told = ask(db).iter().flatten().count();
        assert_eq!(told, (counts.len() + 1).min(properties.len()));
        let ran = ran(log);
        let count = queries.map(|query| ran.iter().filter(|ran| *ran == query).count());
        counts.push((has_run, count));
    }
    counts
}

#[test]
fn a_verdict_that_falls_has_its_own_run_explained_and_no_other() {
    let mut watched = watched();
    let db = &mut watched.0;
    let with_two = MODEL.replace("x <= N", "x < 1") + "invariant less: x < 2\n";
    db.set_contents("/m.stb", text(&with_two));
    let root = db.file("/m.stb");
    let (system, own) = (system(db, root).expect("a meaning"), properties(db, root));
    let with = with_value(db, root, "N".into(), 3).expect("a text");
    let (_, other) = with.system.clone().expect("a meaning");
    // What has no run is told with the others.
    for (without_run, queries, of, ask) in [
        (
            [0, 1],
            ["report_of", "reports"],
            (&*system, &own[..]),
            &(|db: &Database| reports(db, root)) as &dyn Fn(&Database) -> _,
        ),
        (
            [1, 1],
            ["report_with", "reports_with"],
            (&*other, &with.properties[..]),
            &|db: &Database| reports_with(db, root, "N".into(), 3),
        ),
    ] {
        let mut counts = runs_of(queries, &mut watched, of, ask);
        let (_, of_stranger) = counts.pop().expect("the last");
        assert_eq!(of_stranger, [0, 0]);
        assert!(counts.iter().any(|(has_run, _)| !has_run));
        for (has_run, count) in counts {
            assert_eq!(count, if has_run { [1, 1] } else { without_run });
        }
    }
}

#[test]
fn who_explains_a_run_makes_room_for_who_changes_an_input() {
    let mut db = Database::default();
    db.set_contents(
        "/m.stb",
        text(&format!("{MODEL}ltl f: always (x <= N and x != 1)\n")),
    );
    let reader = db.clone();
    let (sender, is_ready) = mpsc::channel();
    let reading = thread::spawn(move || {
        let db = reader;
        let root = db.file("/m.stb");
        let analysis = analyzed(&db, root).expect("a text");
        let model = analysis.model.as_ref().expect("a meaning");
        let at = model.properties.iter().position(|one| one.name == "f");
        let at = at.expect("the formula");
        let asked = std::slice::from_ref(&model.properties[at].property);
        let found = check(&model.system, asked, &Options::default(), Caller::default());
        let outcome = found.expect("a small system").remove(0);
        assert!(outcome.verdict.is_violated());
        let known = Known {
            answer: Answer::Outcome(Box::new(outcome)),
            budget: None,
            found_before: false,
        };
        let texts = queries::texts(&db, root).expect("a text");
        sender.send(()).expect("somebody waits for it");
        // No query is asked from here on.
        let begun = Instant::now();
        let explained = salsa::Cancelled::catch(AssertUnwindSafe(|| {
            while begun.elapsed() < Duration::from_secs(20) {
                explained::told(&db, model, at, &known, &texts);
            }
        }));
        explained.is_err()
    });
    is_ready.recv().expect("a run to be explained");
    db.set_contents("/m.stb", text(MODEL));
    assert!(reading.join().expect("no panic"), "it was given up");
}

#[test]
fn how_the_properties_stand_with_a_value_is_told_by_their_names() {
    let mut db = Database::default();
    let more = format!("{MODEL}invariant less: x < 2\ninvariant other: x != 7\n");
    db.set_contents("/m.stb", text(&more));
    let with = with_value(&db, db.file("/m.stb"), "N".into(), 3).expect("a text");
    let mut table = Verdicts::default();
    let mut answer = |at: usize, answer| {
        let known = Known {
            answer,
            budget: None,
            found_before: false,
        };
        table.insert(with.properties[at].key, known);
    };
    let outcome = |verdict| {
        Answer::Outcome(Box::new(Outcome {
            verdict,
            states: 3,
            edges: 2,
            full: true,
            reduction: stubborn_engine::Reduction::None,
            round: None,
            symmetry: stubborn_engine::Permuted::No,
            sharing: None,
            within: 0,
            runs: None,
            depth: None,
            seconds: 0.0,
        }))
    };
    let (_, system) = with.system.clone().expect("a meaning");
    let less = std::slice::from_ref(&with.properties[3].property);
    let found =
        check(&system, less, &Options::default(), Caller::default()).expect("a small system");
    let names = ["errors", "deadlock", "small", "less", "other"];
    assert_eq!(with.names, names);
    answer(0, outcome(Verdict::Undecided(Reason::Cancelled)));
    answer(1, outcome(Verdict::Holds));
    answer(2, Answer::Refused("too large".to_owned()));
    answer(3, outcome(found[0].verdict.clone()));
    let expected = Stand {
        violated: vec!["less"],
        undecided: vec!["errors", "small"],
        is_stopped: true,
        unknown: 1,
    };
    assert_eq!(with.stand(&table), expected);
}

#[test]
fn a_model_and_its_testers_have_one_memory_until_others_are_analysed() {
    let mut db = Database::default();
    db.set_contents("/m.stb", text(MODEL));
    db.set_contents("/t.tester", text("use \"m.stb\"\ninvariant less: x < 2\n"));
    let program = |db: &Database, path| whole(db, db.file(path)).unwrap().program.clone();
    let (model, tester) = (program(&db, "/m.stb"), program(&db, "/t.tester"));
    assert!(db.memories().of(&model).is_none());
    analyzed(&db, db.file("/m.stb"));
    let (of_model, of_tester) = (db.memories().of(&model), db.memories().of(&tester));
    assert!(
        of_model.is_some()
            && of_model.map(|m| Arc::as_ptr(&m)) == of_tester.map(|m| Arc::as_ptr(&m))
    );
    for other in 0..16 {
        let path = format!("/other{other}.stb");
        db.set_contents(&path, text(MODEL));
        analyzed(&db, db.file(&path));
    }
    assert!(db.memories().of(&model).is_none());
}

#[test]
fn a_text_that_is_edited_keeps_the_trees_of_the_other_items() {
    let mut db = Database::default();
    let mut items = |of: &str| {
        db.set_contents("/m.stb", text(of));
        let file = parsed(&db, db.file("/m.stb")).unwrap();
        let children = file.parse.green.children();
        let items = children.filter_map(|child| child.into_node().map(ToOwned::to_owned));
        items.collect::<Vec<_>>()
    };
    let before = items(MODEL);
    let after = items(&MODEL.replace("x = x + 1", "x = 1"));
    let is_kept = |(a, b): (&GreenNode, &GreenNode)| std::ptr::eq(&raw const **a, &raw const **b);
    let kept: Vec<bool> = before.iter().zip(&after).map(is_kept).collect();
    assert_eq!(kept, [true, true, false, true]);
}

#[test]
fn whatever_is_edited_the_analysis_is_that_of_a_database_that_has_seen_nothing_else() {
    let mut db = Database::default();
    db.set_contents("/t.tester", text("use \"m.stb\"\ninvariant less: x < 2\n"));
    for (old, new) in [
        ("x = x + 1", "x = 1"),
        (
            "invariant",
            "process q { loop { await x == 1 } }\ninvariant",
        ),
        ("await x == 1", "await x == 9"),
        ("x <= N", "x <= y"),
        ("x < N", "x < (N"),
        ("loop { when", "loop {\n\n when"),
    ] {
        let whole_text = MODEL.replace(old, new);
        for path in ["/m.stb", "/t.tester"] {
            db.set_contents("/m.stb", text(&whole_text));
            let mut other = Database::default();
            other.set_contents("/m.stb", text(&whole_text));
            other.set_contents("/t.tester", text("use \"m.stb\"\ninvariant less: x < 2\n"));
            let read = parsed(&db, db.file(path));
            assert_eq!(read, parsed(&other, other.file(path)), "{old} -> {new}");
            let one = analyzed(&db, db.file(path));
            assert_eq!(one, analyzed(&other, other.file(path)), "{old} -> {new}");
        }
    }
}
