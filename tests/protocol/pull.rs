//! A client that asks what is wrong with a text.

use serde_json::{Value, json};

use super::client::{Client, Folder};

fn start() -> Client {
    let capabilities = json!({
        "textDocument": {"diagnostic": {"relatedDocumentSupport": false}},
        "workspace": {"diagnostics": {"refreshSupport": true}},
    });
    Client::start_in(Folder::new(), json!({}), capabilities)
}

fn ask(client: &mut Client, uri: &str, previous: Option<&Value>) -> Value {
    let mut asked = json!({"textDocument": {"uri": uri}});
    if let Some(previous) = previous {
        asked["previousResultId"] = previous.clone();
    }
    let answer = client.request("textDocument/diagnostic", asked);
    answer.expect("an answer")
}

fn messages(report: &Value) -> Vec<&str> {
    let items = report["items"].as_array().expect("a full report");
    let messages = items.iter().map(|item| item["message"].as_str());
    messages
        .map(|message| message.expect("a message"))
        .collect()
}

const MODEL: &str = "var x: 0..3\nprocess p { x = 2 }\ninvariant low: x < 2\n";

#[test]
fn what_is_wrong_with_a_text_is_answered_and_what_is_violated_is_told() {
    let mut client = start();
    let uri = client.open("m.stb", &format!("{MODEL}invariant odd: y\n"));
    let report = ask(&mut client, &uri, None);
    assert_eq!(report["kind"], "full");
    assert!(messages(&report)[0].starts_with("`y` is not known here"));
    client.replace_all(&uri, MODEL);
    client.save(&uri);
    let published = client.published(&uri, |all| !all.is_empty());
    assert!(
        published.iter().all(|one| one["code"] == "invariant"),
        "{published:#?}"
    );
    let again = ask(&mut client, &uri, Some(&report["resultId"]));
    assert_eq!(messages(&again), Vec::<&str>::new());
    // Not one of all that were told was of the text.
    let told = client.heard.iter();
    let told = told.filter(|one| one["method"] == "textDocument/publishDiagnostics");
    for one in told {
        for one in one["params"]["diagnostics"].as_array().expect("a list") {
            assert_ne!(one["code"], "unknown-name");
        }
    }
}

#[test]
fn who_knows_the_answer_is_told_that_it_is_so_still() {
    let mut client = start();
    let uri = client.open("m.stb", "var x: = 3\n");
    let report = ask(&mut client, &uri, None);
    assert!(!messages(&report).is_empty());
    let again = ask(&mut client, &uri, Some(&report["resultId"]));
    assert_eq!(
        again,
        json!({"kind": "unchanged", "resultId": report["resultId"]})
    );
}

#[test]
fn an_edit_of_what_a_text_uses_has_its_client_ask_again() {
    let mut client = start();
    let model = client.open("m.stb", MODEL);
    let tester = client.open("t.tester", "use \"m.stb\"\ninvariant mine: x < 3\n");
    assert_eq!(
        messages(&ask(&mut client, &tester, None)),
        Vec::<&str>::new()
    );
    client.look_ahead();
    client.replace_all(&model, &MODEL.replace('x', "z"));
    client.wait_for("workspace/diagnostic/refresh", |_| true);
    let report = ask(&mut client, &tester, None);
    assert!(
        messages(&report)[0].starts_with("`x` is not known here"),
        "{report}"
    );
}

#[test]
fn a_client_is_told_once_to_ask_again_for_each_answer() {
    let mut client = start();
    let model = client.open("m.stb", MODEL);
    let tester = client.open("t.tester", "use \"m.stb\"\ninvariant mine: x < 3\n");
    ask(&mut client, &tester, None);
    let is_told = |one: &&Value| one["method"] == "workspace/diagnostic/refresh";
    // What the first answer was about may just have been read: then it has been told to ask again by the
    // time that all is checked.
    client.verdicts(&model);
    client.verdicts(&tester);
    client.statistics();
    let before = client.heard.iter().filter(is_told).count();
    let mut text = MODEL.replace('x', "z");
    client.replace_all(&model, &text);
    for _ in 0..9 {
        client.published_now(&model, |_| true);
        text.push_str("// typed\n");
        client.replace_all(&model, &text);
    }
    client.published_now(&model, |_| true);
    // Who is to be told again is told a moment later than what is published.
    client.wait_until(|heard| heard.iter().filter(is_told).count() > before);
    client.statistics();
    assert_eq!(client.heard.iter().filter(is_told).count(), before + 1);
    // Another answer is another reason, whether it has asked or not.
    client.replace_all(&model, MODEL);
    client.published_now(&model, |_| true);
    client.wait_until(|heard| heard.iter().filter(is_told).count() > before + 1);
    client.statistics();
    assert_eq!(client.heard.iter().filter(is_told).count(), before + 2);
}

#[test]
fn a_client_that_does_not_ask_again_is_told_of_its_texts() {
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    let mut client = Client::start_in(Folder::new(), json!({}), capabilities);
    let uri = client.open("m.stb", "invariant odd: y\n");
    client.published(&uri, |all| {
        all.iter().any(|one| one["code"] == "unknown-name")
    });
}

/// A text that is read for long.
fn long(value: &str) -> String {
    let many: String = (0..20_000)
        .map(|n| format!("def d{n}(x in 0..3): x + {n} > 7\n"))
        .collect();
    format!("var x: 0..3\n{many}process p {{ x = {value} }}\n")
}

#[test]
fn who_asks_is_answered_of_the_text_that_is_there_whatever_is_typed_meanwhile() {
    let mut client = start();
    let uri = client.open("m.stb", &long("2"));
    // It is read for long, and changes while it is.
    for value in ["7", "8", "true"] {
        let asked = json!({"textDocument": {"uri": uri}});
        let id = client.ask("textDocument/diagnostic", asked);
        client.replace_all(&uri, &long(value));
        client.answer(id).expect("what is wrong with the text");
    }
    let report = ask(&mut client, &uri, None);
    let is_of_now = messages(&report).iter().any(|one| one.contains("true"));
    assert!(is_of_now, "{report}");
}

#[test]
fn who_asks_for_all_mistakes_is_not_told_of_those_in_the_grammar_first() {
    let mut client = start();
    // What it means is found out long after what its grammar is.
    let uri = client.open("m.stb", &format!("{}process q {{ x = ", long("2")));
    let report = ask(&mut client, &uri, None);
    let codes = report["items"].as_array().expect("the messages").iter();
    assert!(codes.filter(|one| one["code"] == "syntax").count() > 0);
    client.look_ahead();
    let mut told = client.heard.iter();
    let is_told = told.any(|one| {
        let all = one["params"]["diagnostics"].as_array();
        all.is_some_and(|all| all.iter().any(|one| one["code"] == "syntax"))
    });
    assert!(!is_told, "{:?}", client.heard);
}
