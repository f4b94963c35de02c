//! What a user sets, and what the server notes.

use serde_json::{Value, json};

use super::client::{Client, Folder};

/// A counter that takes a search longer than any test to go through.
const ENDLESS: &str = "\
var x: 0..2000000000
process p { while x < 2000000000 { x = x + 1 } }
invariant low: x >= 0
";
const SMALL: &str = "var x: 0..3\nprocess p { while x < 3 { x = x + 1 } }\ninvariant low: x < 3\n";

/// The next text that the server sends with this method, of which it is so.
fn told(client: &mut Client, method: &str, is_it: impl Fn(&str) -> bool) -> String {
    let message = client.wait_for(method, |params| {
        params["message"].as_str().is_some_and(&is_it)
    });
    message["message"].as_str().expect("a text").to_owned()
}

#[test]
fn a_setting_that_makes_no_sense_is_told_and_changes_nothing() {
    let mut client = Client::start();
    let set = |settings: Value| json!({"settings": {"stubborn": settings}});
    client.notify(
        "workspace/didChangeConfiguration",
        set(json!({"check": {"budget": "fast", "threads": 2}})),
    );
    let warning = told(&mut client, "window/showMessage", |_| true);
    assert_eq!(
        warning,
        "The setting stubborn.check.budget is \"fast\" and should be a number of seconds, 0 for no \
         limit; it stays as it was."
    );
    let uri = client.open("small.stb", SMALL);
    assert_eq!(client.verdicts(&uri)["low"], "violated");

    // Once while it is so, and again when it is so again.
    client.look_ahead();
    for budget in [json!("fast"), json!(1), json!("fast")] {
        client.notify(
            "workspace/didChangeConfiguration",
            set(json!({"check": {"budget": budget}})),
        );
    }
    told(&mut client, "window/showMessage", |_| true);
    client.look_ahead();
    let heard = client.heard.iter();
    let warnings = heard.filter(|one| one["method"] == "window/showMessage");
    assert_eq!(warnings.count(), 2);
}

#[test]
fn settings_that_change_hold_from_then_on() {
    let mut client = Client::start_with(json!({"check": {"budget": 3600}}));
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": {"stubborn": {"check": {"budget": 0.2}}}}),
    );
    let uri = client.open("endless.stb", ENDLESS);
    assert_eq!(client.verdicts(&uri)["low"], "undecided");
}

#[test]
fn a_client_that_can_be_asked_for_the_settings_is_asked() {
    let can = json!({"workspace": {
        "configuration": true,
        "didChangeConfiguration": {"dynamicRegistration": true},
    }});
    let mut client = Client::start_in(Folder::new(), json!({}), can);
    client.settings = json!({"lenses": {"enabled": false}});
    // It says that something has changed, and not what.
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": null}),
    );
    told(&mut client, "window/logMessage", |text| {
        text.contains("shows_lenses: false")
    });
    let uri = client.open("small.stb", SMALL);
    client.verdicts(&uri);
    let asked = json!({"textDocument": {"uri": uri}});
    let lenses = client.request("textDocument/codeLens", asked).unwrap();
    assert_eq!(lenses, json!([]));
}

#[test]
fn a_client_that_has_no_settings_is_asked_once() {
    let can = json!({"workspace": {"configuration": true}});
    let mut client = Client::start_in(Folder::new(), json!({}), can);
    client.wait_for("workspace/configuration", |_| true);
    let uri = client.open("small.stb", SMALL);
    client.verdicts(&uri);
    let asked = |client: &Client| {
        let heard = client.heard.iter();
        heard
            .filter(|one| one["method"] == "workspace/configuration")
            .count()
    };
    assert_eq!(asked(&client), 1);
}

#[test]
fn who_wants_it_has_each_edit_checked_without_a_save() {
    let mut client = Client::start_with(json!({"check": {"when": "onType"}}));
    client.folder.write("small.stb", SMALL);
    let uri = client.open("small.stb", SMALL);
    assert_eq!(client.verdicts(&uri)["low"], "violated");
    client.replace_all(&uri, &SMALL.replace("low: x < 3", "low: x <= 3"));
    assert_eq!(client.verdicts(&uri)["low"], "holds");
}

#[test]
fn the_server_notes_its_work_where_it_is_told_to() {
    let folder = Folder::new();
    let log = folder.path().join("server.log");
    let path = log.to_str().expect("a text").to_owned();
    let mut client = Client::start_as(folder, &["--log", &path], json!({}), json!({}));
    let said = told(&mut client, "window/logMessage", |_| true);
    assert!(
        said.starts_with("stubborn 0.1.0 serves a client without a name"),
        "{said}"
    );
    let written = std::fs::read_to_string(&log).expect("a log");
    assert!(written.contains("INFO"), "{written}");
    assert!(
        written.contains("serves a client without a name"),
        "{written}"
    );
}
