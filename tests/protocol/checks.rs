//! Verdicts: when they are published, what they say, and what they cost.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, Folder, text_at};

const FAULTY: &str = "\
/// How far it has come.
var x: 0..5

process p {
    loop { x = (x + 1) % 6 }
}

invariant small: x < 3
";

/// More states than any machine can go through.
pub const ENDLESS: &str = "\
var a, b, c, d: 0..9999

process p {
    loop {
        either { a = (a + 1) % 10000 }
        or { b = (b + 1) % 10000 }
        or { c = (c + 1) % 10000 }
        or { d = (d + 1) % 10000 }
    }
}

invariant sum: a + b + c + d < 1000000
";

const PETERSON: &str = include_str!("peterson.stb");

fn is_violation(diagnostic: &Value) -> bool {
    diagnostic["severity"] == 1 && diagnostic["code"] == "invariant"
}

#[test]
fn a_violated_property_is_underlined_and_its_hover_shows_the_trace_until_the_model_is_mended() {
    let mut client = Client::start();
    let uri = client.open("faulty.stb", FAULTY);
    let published = client.published(&uri, |found| found.iter().any(is_violation));
    let violation = published.iter().find(|one| is_violation(one)).unwrap();
    assert_eq!(text_at(FAULTY, &violation["range"]), "small");
    assert_eq!(violation["source"], "stubborn");
    let message = violation["message"].as_str().unwrap();
    assert!(message.starts_with("small is violated: "), "{message}");

    // Related information leads through the steps.
    let related = violation["relatedInformation"].as_array().unwrap();
    assert_eq!(related.len(), 3, "{related:#?}");
    let said = related[2]["message"].as_str().unwrap();
    assert!(said.starts_with("step 3: p"), "{said}");
    assert!(said.contains("x = 3"), "{said}");
    assert_eq!(related[2]["location"]["uri"], uri);
    let line = &related[2]["location"]["range"]["start"]["line"];
    assert_eq!(line.as_u64(), Some(4));

    let hover = client.hover(&uri, FAULTY, "small").unwrap();
    assert!(hover.contains("**small** is violated"), "{hover}");
    assert!(hover.contains("| step | who "), "{hover}");
    assert!(hover.contains("`x = 3`"), "{hover}");
    assert!(hover.contains("states"), "{hover}");

    let mended = FAULTY.replace("x < 3", "x < 6");
    client.look_ahead();
    client.replace_all(&uri, &mended);
    client.save(&uri);
    let verdicts = client.verdicts(&uri);
    assert_eq!(verdicts["small"], "holds");
    client.published_now(&uri, |found| !found.iter().any(is_violation));
    let hover = client.hover(&uri, &mended, "small").unwrap();
    assert!(hover.contains("**small** holds"), "{hover}");
    assert_eq!(client.leave().code(), Some(0));
}

#[test]
fn edits_of_comments_and_white_space_and_a_rename_cost_no_state() {
    let mut client = Client::start();
    let uri = client.open("peterson.stb", PETERSON);
    let before = client.verdicts(&uri);
    assert!(
        before.values().all(|verdict| verdict == "holds"),
        "{before:?}"
    );
    let cost = client.statistics();
    assert!(cost.states > 0);

    let lines = PETERSON.lines().count();
    for at in 0..200 {
        // In turn a comment, an empty line and blanks, at the beginnings of lines all over the text.
        let with = ["// what for? 𝔸\n", "\n", "    ", "/* so */ "][at % 4];
        let place = json!({"line": (at * 7) % lines, "character": 0});
        client.change(
            &uri,
            json!([{"range": {"start": place, "end": place}, "text": with}]),
        );
    }
    let renamed = client
        .text(&uri)
        .replace("gate", "door")
        .replace("customer", "buyer");
    client.replace_all(&uri, &renamed);
    client.look_ahead();
    client.save(&uri);
    assert_eq!(client.verdicts(&uri), before);
    let after = client.statistics();
    assert_eq!((after.states, after.searches), (cost.states, cost.searches));
    assert!(after.reused >= cost.reused + before.len() as u64);
}

#[test]
fn an_edit_outside_what_an_invariant_depends_on_searches_it_no_second_time() {
    let counter = "\
var x: 0..999

process counter {
    loop { x = (x + 1) % 1000 }
}

invariant low: x < 1000
invariant early: x < 3
";
    let mut client = Client::start();
    let uri = client.open("counter.stb", counter);
    let verdicts = client.verdicts(&uri);
    assert_eq!(verdicts["low"], "holds");
    assert_eq!(verdicts["early"], "violated");
    let before = client.statistics();
    assert!(before.states >= 1000, "{before:?}");

    // Somebody comes first who has nothing to do with it, and everything gets another number.
    let stranger = "\
var seen: 0..4
action tick

process stranger {
    loop { on tick do seen = (seen + 1) % 5; await seen != 3 }
}

";
    client.look_ahead();
    let text = format!("{stranger}{counter}");
    client.replace_all(&uri, &text);
    client.save(&uri);
    let verdicts = client.verdicts(&uri);
    assert_eq!(verdicts["low"], "holds");
    assert_eq!(verdicts["early"], "violated");
    assert_eq!(verdicts["deadlock"], "holds");
    let after = client.statistics();
    assert!(
        after.states < before.states + 100,
        "{before:?} and {after:?}"
    );
    assert!(after.reused >= before.reused + 2, "{before:?}, {after:?}");

    // The trace that was found before is one of the model as it now is.
    let published = client.published_now(&uri, |found| found.iter().any(is_violation));
    let violation = published.iter().find(|one| is_violation(one)).unwrap();
    assert_eq!(text_at(&text, &violation["range"]), "early");
    let related = violation["relatedInformation"].as_array().unwrap();
    assert!(!related.is_empty());
    for step in related {
        let said = step["message"].as_str().unwrap();
        assert!(said.contains("counter"), "{said}");
        assert_eq!(
            text_at(&text, &step["location"]["range"]),
            "x = (x + 1) % 1000"
        );
    }
    assert_eq!(client.leave().code(), Some(0));
}

#[test]
fn a_verdict_stays_with_its_property_when_the_text_around_it_changes() {
    let mut client = Client::start();
    let uri = client.open("faulty.stb", FAULTY);
    client.published(&uri, |found| found.iter().any(is_violation));
    client.look_ahead();
    let moved = format!("// one\n// two\n{FAULTY}");
    client.replace_all(&uri, &moved);
    let published = client.published_now(&uri, |found| found.iter().any(is_violation));
    let violation = published.iter().find(|one| is_violation(one)).unwrap();
    assert_eq!(text_at(&moved, &violation["range"]), "small");
    assert_eq!(client.statistics().searches, 1);
}

#[test]
fn the_old_verdict_is_not_published_for_a_new_text_and_comes_back_with_the_old_one() {
    let mut client = Client::start();
    let uri = client.open("faulty.stb", FAULTY);
    client.published(&uri, |found| found.iter().any(is_violation));

    client.look_ahead();
    let other = FAULTY.replace("% 6", "% 5");
    client.replace_all(&uri, &other);
    client.published_now(&uri, |found| !found.iter().any(is_violation));
    let hover = client.hover(&uri, &other, "small").unwrap();
    assert!(hover.contains("when you save"), "{hover}");

    client.look_ahead();
    client.replace_all(&uri, FAULTY);
    client.published_now(&uri, |found| found.iter().any(is_violation));
    assert_eq!(client.statistics().searches, 1);
}

#[test]
fn a_new_property_is_checked_alone() {
    let mut client = Client::start();
    let uri = client.open("faulty.stb", FAULTY);
    let before = client.verdicts(&uri);
    client.look_ahead();
    client.replace_all(&uri, &format!("{FAULTY}\ninvariant there: x >= 0\n"));
    client.save(&uri);
    let after = client.verdicts(&uri);
    assert_eq!(after.len(), before.len() + 1);
    assert_eq!(after["there"], "holds");
    let cost = client.statistics();
    assert_eq!((cost.searches, cost.reused), (2, before.len() as u64));
}

#[test]
fn mistakes_are_told_while_typing_and_the_rest_comes_back_when_they_are_mended() {
    let mut client = Client::start();
    let uri = client.open("faulty.stb", FAULTY);
    client.published(&uri, |found| found.iter().any(is_violation));

    client.look_ahead();
    let mistaken = FAULTY.replace("x + 1", "y + 1");
    client.replace_all(&uri, &mistaken);
    let published = client.published_now(&uri, |found| !found.is_empty());
    let unknown = published
        .iter()
        .find(|one| one["code"] == "unknown-name")
        .unwrap();
    assert_eq!(text_at(&mistaken, &unknown["range"]), "y");
    assert_eq!(unknown["severity"], 1);
    assert!(!published.iter().any(is_violation));

    client.look_ahead();
    client.replace_all(&uri, FAULTY);
    client.published_now(&uri, |found| found.iter().any(is_violation));
    assert_eq!(client.statistics().searches, 1);
}

#[test]
fn what_the_budget_leaves_open_is_said_to_be_undecided() {
    let mut client = Client::start_with(json!({"check": {"budget": 1}}));
    let uri = client.open("endless.stb", ENDLESS);
    let is_open = |one: &Value| {
        let text = one["message"].as_str().unwrap();
        one["severity"] == 3
            && text.starts_with("sum, errors and deadlock are undecided, sum after ")
    };
    let published = client.published(&uri, |found| found.iter().any(is_open));
    let open = published.iter().find(|one| is_open(one)).unwrap();
    assert_eq!(text_at(ENDLESS, &open["range"]), "sum");
    let message = open["message"].as_str().unwrap();
    assert!(message.contains("time limit"), "{message}");

    // Nothing was learnt by then that a second try would not learn again.
    let verdicts = client.verdicts(&uri);
    let cost = client.statistics();
    client.look_ahead();
    client.save(&uri);
    assert_eq!(client.verdicts(&uri), verdicts);
    assert_eq!(client.statistics().searches, cost.searches);
}

#[test]
fn a_new_edit_ends_a_search_that_it_makes_stale() {
    let mut client = Client::start_with(json!({"check": {"budget": 0}}));
    let uri = client.open("endless.stb", ENDLESS);
    client.wait_for("$/progress", |params| params["value"]["kind"] == "report");
    client.look_ahead();

    // A comment does no harm to it.
    let commented = format!("// endless\n{ENDLESS}");
    client.replace_all(&uri, &commented);
    client.published_now(&uri, |_| true);
    client.wait_for("$/progress", |params| params["value"]["kind"] == "report");
    assert_eq!(client.statistics().cancelled, 0);

    client.look_ahead();
    let small = commented.replace("9999", "1").replace("10000", "2");
    let start = Instant::now();
    client.replace_all(&uri, &small);
    // Nothing else ends a search without a limit; a machine that stands still for a while does not count.
    client.wait_for("$/progress", |params| params["value"]["kind"] == "end");
    let took = start.elapsed();
    assert!(took < Duration::from_secs(10), "{took:?}");
    assert_eq!(client.statistics().cancelled, 1);

    client.save(&uri);
    let verdicts = client.verdicts(&uri);
    assert_eq!(verdicts["sum"], "holds");
    let about_the_old = client.heard.iter().filter(|message| {
        message["method"] == "textDocument/publishDiagnostics"
            && message["params"]["diagnostics"]
                .to_string()
                .contains("undecided")
    });
    assert_eq!(about_the_old.count(), 0);
}

#[test]
fn a_person_can_stop_a_check_and_have_it_made_without_a_limit() {
    let mut client = Client::start_with(json!({"check": {"budget": 0.1}}));
    let uri = client.open("endless.stb", ENDLESS);
    assert_eq!(client.verdicts(&uri)["sum"], "undecided");

    client.look_ahead();
    let command = json!({"command": "stubborn.checkWithoutLimit", "arguments": [uri]});
    client.request("workspace/executeCommand", command).unwrap();
    let report = client.wait_for("$/progress", |params| params["value"]["kind"] == "report");
    let begin = client.wait_for("$/progress", |params| params["value"]["kind"] == "begin");
    assert_eq!(begin["token"], report["token"]);
    assert_eq!(begin["value"]["title"], "Checking endless.stb");
    assert_eq!(begin["value"]["cancellable"], true);
    client.wait_for("window/workDoneProgress/create", |params| {
        params["token"] == begin["token"]
    });

    client.look_ahead();
    client.notify(
        "window/workDoneProgress/cancel",
        json!({"token": begin["token"]}),
    );
    client.wait_for("$/progress", |params| params["value"]["kind"] == "end");
    let is_stopped = |one: &Value| {
        one["severity"] == 3
            && one["message"]
                .as_str()
                .is_some_and(|m| m.contains("cancelled"))
    };
    client.published(&uri, |found| found.iter().any(is_stopped));
}

#[test]
fn a_check_without_a_limit_holds_nothing_else_back() {
    let mut client = Client::start_with(json!({"check": {"budget": 0.1}}));
    let endless = client.open("endless.stb", ENDLESS);
    assert_eq!(client.verdicts(&endless)["sum"], "undecided");
    client.look_ahead();
    let command = json!({"command": "stubborn.checkWithoutLimit", "arguments": [endless]});
    client.request("workspace/executeCommand", command).unwrap();
    client.wait_for("$/progress", |params| params["value"]["kind"] == "report");

    let other = client.open("faulty.stb", FAULTY);
    assert_eq!(client.verdicts(&other)["small"], "violated");
}

#[test]
fn what_is_undecided_is_told_once_and_says_when_it_is_searched_on() {
    let endless = "\
var x: 0..2000000000
process p { while x < 2000000000 { x = x + 1 } }
invariant low(j in 0..5): x >= 0 - j
";
    let mut client = Client::start_with(json!({"check": {"budget": 1}}));
    let uri = client.open("endless.stb", endless);
    let about = |what: &'static str| {
        move |all: &[Value]| {
            let undecided: Vec<&Value> = all
                .iter()
                .filter(|one| one["code"] == "undecided")
                .collect();
            undecided.len() == 1 && undecided[0]["message"].as_str().unwrap().contains(what)
        }
    };
    client.published(&uri, about("more are undecided, low(0) after"));
    let command = json!({"command": "stubborn.checkWithoutLimit", "arguments": [uri]});
    client.request("workspace/executeCommand", command).unwrap();
    client.published(&uri, about("are being checked without limits"));
}

#[test]
fn the_whole_run_is_a_command_away() {
    let text = "var x: 0..300\nprocess p { while x < 300 { x = x + 1 } }\ninvariant low: x < 300\n";
    let can = json!({"window": {"showDocument": {"support": true}}});
    let mut client = Client::start_in(Folder::new(), json!({}), can);
    let uri = client.open("low.stb", text);
    assert_eq!(client.verdicts(&uri)["low"], "violated");
    let lenses = client
        .request(
            "textDocument/codeLens",
            json!({"textDocument": {"uri": uri}}),
        )
        .unwrap();
    let lenses = lenses.as_array().expect("lenses");
    let lens = lenses
        .iter()
        .find(|lens| lens["command"]["command"] == "stubborn.showRun");
    let command = &lens.expect("a lens that shows it")["command"];
    let asked = json!({"command": command["command"], "arguments": command["arguments"]});
    let run = client.request("workspace/executeCommand", asked).unwrap();
    let told = run["text"].as_str().expect("a text");
    assert!(
        told.lines()
            .any(|line| line.trim_start().starts_with("600 ")),
        "{told}"
    );
    let shown = client.wait_for("window/showDocument", |_| true);
    assert_eq!(shown["uri"], run["uri"]);
    let path = run["uri"]
        .as_str()
        .unwrap()
        .strip_prefix("file://")
        .expect("a file");
    assert_eq!(std::fs::read_to_string(path).expect("a document"), told);

    let other = json!({"command": "stubborn.showRun", "arguments": [uri, "high"]});
    let error = client
        .request("workspace/executeCommand", other)
        .unwrap_err();
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("no run is known")
    );
}

#[test]
fn a_command_that_does_not_exist_is_refused() {
    let mut client = Client::start();
    let error = client
        .request("workspace/executeCommand", json!({"command": "x"}))
        .unwrap_err();
    assert_eq!(error["code"], -32602);
}
