//! Every property always has a state that a person can see, and nothing is taken away without a word.

use serde_json::{Value, json};

use super::checks::ENDLESS;
use super::client::Client;

const MODEL: &str = "\
var x: 0..5

process p {
    loop { x = (x + 1) % 6 }
}

invariant small: x < 4
invariant least: x >= 0
";

const TESTER: &str = "\
use \"model.stb\"

invariant less: x < 3
";

fn is_violation(diagnostic: &Value) -> bool {
    diagnostic["severity"] == 1 && diagnostic["code"] == "invariant"
}

/// What was found of a text before.
fn is_of_before(diagnostic: &Value) -> bool {
    let text = diagnostic["message"].as_str().expect("a message");
    diagnostic["severity"] == 2
        && text.starts_with("in the text before: ")
        && text.contains("is violated")
}

/// The state of a property in the last notification that is about the text as it is now, once it is
/// as wanted.
fn wait_for_state(client: &mut Client, uri: &str, name: &str, state: &str) -> Value {
    let version = client.version(uri);
    let told = client.wait_for("stubborn/verdicts", |params| {
        let properties = params["properties"].as_array().expect("properties");
        params["uri"] == uri
            && params["version"] == version
            && properties
                .iter()
                .any(|one| one["name"] == name && one["state"] == state)
    });
    let properties = told["properties"].as_array().expect("properties");
    let found = properties.iter().find(|one| one["name"] == name);
    found.expect("the property").clone()
}

fn lenses(client: &mut Client, uri: &str) -> Vec<String> {
    let asked = json!({"textDocument": {"uri": uri}});
    let lenses = client.request("textDocument/codeLens", asked);
    let lenses = lenses.expect("an answer");
    let title = |lens: &Value| {
        lens["command"]["title"]
            .as_str()
            .expect("a title")
            .to_owned()
    };
    let lenses = lenses.as_array().expect("lenses").iter();
    lenses.map(title).collect()
}

#[test]
fn an_edit_leaves_what_was_found_and_says_that_it_is_of_the_text_before() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    client.published(&uri, |found| found.iter().any(is_violation));
    client.verdicts(&uri);

    client.look_ahead();
    client.replace_all(&uri, &MODEL.replace("% 6", "% 5"));
    client.published_now(&uri, |found| {
        found.iter().any(is_of_before) && !found.iter().any(is_violation)
    });
    let small = wait_for_state(&mut client, &uri, "small", "stale");
    assert_eq!(small["before"], "violated");
    let least = wait_for_state(&mut client, &uri, "least", "stale");
    assert_eq!(least["before"], "holds");
    assert!(least["verdict"].is_null());
    let shown = lenses(&mut client, &uri);
    let small = shown.iter().find(|title| title.starts_with("small:"));
    assert_eq!(
        small.map(String::as_str),
        Some("small: ○ not checked as it is now (it was violated in the text before)")
    );

    // Something newer is known.
    client.look_ahead();
    client.save(&uri);
    client.published_now(&uri, |found| {
        found.iter().any(is_violation) && !found.iter().any(is_of_before)
    });
}

#[test]
fn what_was_found_of_the_text_before_hides_nothing_that_is_told_of_it_as_it_is() {
    let mut client = Client::start();
    let text = format!("var unread: bool\n{MODEL}");
    let uri = client.open("model.stb", &text);
    let is_unread = |one: &Value| one["code"] == "never-read";
    client.published(&uri, |found| {
        found.iter().any(is_violation) && found.iter().any(is_unread)
    });
    client.look_ahead();
    client.replace_all(&uri, &text.replace("% 6", "% 5"));
    let found = client.published_now(&uri, |found| found.iter().any(is_of_before));
    assert!(found.iter().any(is_unread), "{found:#?}");
}

#[test]
fn an_error_in_the_text_takes_nothing_away() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    client.published(&uri, |found| found.iter().any(is_violation));
    client.look_ahead();
    let broken = MODEL
        .replace("x + 1", "y + 1")
        .replace("var x", "// more\nvar x");
    client.replace_all(&uri, &broken);
    let found = client.published_now(&uri, |found| found.iter().any(is_of_before));
    assert!(found.iter().any(|one| one["code"] == "unknown-name"));
    // It stands at the property, where that is now.
    let of_before = found.iter().find(|one| is_of_before(one)).unwrap();
    assert_eq!(
        of_before["range"]["start"],
        super::client::position(&broken, "small")
    );
    let small = wait_for_state(&mut client, &uri, "small", "stale");
    assert_eq!(small["before"], "violated");
    let hover = client.hover(&uri, &broken, "small").expect("a hover");
    assert!(
        hover.contains("In the text before: ✗ **small** is violated"),
        "{hover}"
    );
}

#[test]
fn an_unsaved_edit_or_an_error_of_a_model_leaves_what_was_found_for_its_tester() {
    for text in [MODEL.replace("% 6", "% 5"), MODEL.replace("x + 1", "y + 1")] {
        let mut client = Client::start();
        let model = client.open("model.stb", MODEL);
        let tester = client.open("less.tester", TESTER);
        client.published(&tester, |found| found.iter().any(is_violation));
        client.look_ahead();
        client.replace_all(&model, &text);
        client.published(&tester, |found| found.iter().any(is_of_before));
        client.look_ahead();
        client.replace_all(&model, &MODEL.replace("% 6", "% 2"));
        client.save(&model);
        client.published(&tester, <[Value]>::is_empty);
    }
}

#[test]
fn a_client_that_can_is_asked_to_show_the_states_anew() {
    let refreshing = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
    let folder = super::client::Folder::new();
    let mut client = Client::start_in(folder, json!({}), refreshing);
    let uri = client.open("model.stb", MODEL);
    client.verdicts(&uri);
    client.wait_for("workspace/codeLens/refresh", |_| true);
    let shown = lenses(&mut client, &uri);
    assert!(
        shown
            .iter()
            .any(|title| title == "small: ✗ violated after 4 steps · show the run"),
        "{shown:#?}"
    );
}

#[test]
fn a_search_that_goes_on_tells_its_figures_and_is_about_the_text_as_it_is() {
    let refreshing = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
    let options = json!({"check": {"budget": 0.2}});
    let folder = super::client::Folder::new();
    let mut client = Client::start_in(folder, options, refreshing);
    let uri = client.open("endless.stb", ENDLESS);
    let is_undecided = |one: &Value| {
        let text = one["message"].as_str().expect("a message");
        text.starts_with("sum, errors and deadlock are undecided")
    };
    client.published(&uri, |found| found.iter().any(is_undecided));
    client.verdicts(&uri);

    client.look_ahead();
    let command = json!({"command": "stubborn.checkWithoutLimit", "arguments": [uri]});
    let answer = client.request("workspace/executeCommand", command);
    answer.expect("it is a command");
    // Twice, with more states the second time.
    let mut states = 0;
    for _ in 0..2 {
        let told = client.wait_for("stubborn/verdicts", |params| {
            let properties = params["properties"].as_array().expect("properties");
            let mut running = properties.iter().filter(|one| one["state"] == "running");
            running.any(|one| one["states"].as_u64() > Some(states))
        });
        let properties = told["properties"].as_array().expect("properties");
        let sum = properties.iter().find(|one| one["name"] == "sum");
        states = sum.expect("the property")["states"]
            .as_u64()
            .expect("a figure");
    }
    client.wait_for("workspace/codeLens/refresh", |_| true);
    let shown = lenses(&mut client, &uri);
    let is_running = |title: &String| title.starts_with("sum: … is being checked, ");
    assert!(shown.iter().any(is_running), "{shown:#?}");
    // What is known stays, and nothing is said of another text.
    client.replace_all(&uri, &format!("// the same\n{ENDLESS}"));
    let published = client.published_now(&uri, |found| found.iter().any(is_undecided));
    assert!(!published.iter().any(|one| {
        let text = one["message"].as_str().expect("a message");
        text.starts_with("in the text before")
    }));
}
