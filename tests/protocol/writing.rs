//! What a person is offered who writes.

use serde_json::{Value, json};

use super::client::{Client, Folder};

const SNIPPETS: &str = r#"{"textDocument": {"completion": {"completionItem": {"snippetSupport": true, "documentationFormat": ["markdown"]}}}}"#;

/// A client that takes snippets.
fn with_snippets() -> Client {
    let capabilities = serde_json::from_str(SNIPPETS).expect("JSON");
    Client::start_in(Folder::new(), json!({}), capabilities)
}

/// The place of the `$0` of a text, and the text without it.
fn cursor(marked: &str) -> (String, Value) {
    let before = marked.split("$0").next().expect("a cursor");
    let line = before.matches('\n').count();
    let character = before.len() - before.rfind('\n').map_or(0, |at| at + 1);
    let position = json!({"line": line, "character": character});
    (marked.replacen("$0", "", 1), position)
}

fn asked(uri: &str, position: &Value) -> Value {
    json!({"textDocument": {"uri": uri}, "position": position})
}

fn offers(client: &mut Client, name: &str, marked: &str) -> Vec<Value> {
    let (text, position) = cursor(marked);
    let uri = client.open(name, &text);
    let found = client
        .request("textDocument/completion", asked(&uri, &position))
        .unwrap();
    found["items"].as_array().expect("items").clone()
}

fn labels(offers: &[Value]) -> Vec<&str> {
    let labels = offers.iter().filter_map(|one| one["label"].as_str());
    labels.collect()
}

#[test]
fn what_fits_the_place_is_offered_and_replaces_the_word() {
    let mut client = with_snippets();
    let model = "/// Somebody asks.\naction ask(0..1)\nprocess p { loop { on as$0 } }\n";
    let found = offers(&mut client, "model.stb", model);
    assert_eq!(labels(&found), ["ask"]);
    assert_eq!(found[0]["detail"], "(0..1)");
    assert_eq!(found[0]["documentation"]["value"], "Somebody asks.");
    assert_eq!(found[0]["insertTextFormat"], 2);
    let edit = &found[0]["textEdit"];
    assert_eq!(edit["newText"], "ask($0)");
    assert_eq!(
        edit["range"],
        json!({"start": {"line": 2, "character": 22}, "end": {"line": 2, "character": 24}})
    );
}

#[test]
fn a_client_without_snippets_gets_none() {
    let mut client = Client::start();
    let found = offers(&mut client, "model.stb", "$0");
    assert!(labels(&found).contains(&"process"));
    assert!(!labels(&found).contains(&"process of states"));
    assert!(found.iter().all(|one| one["insertTextFormat"].is_null()));
    let documented = "/// Said.\nvar x: bool\ninvariant i: $0";
    let found = offers(&mut client, "other.stb", documented);
    assert_eq!(found[0]["documentation"], "Said.");
}

#[test]
fn the_models_beside_a_tester_are_offered_where_it_uses_one() {
    let folder = Folder::new();
    folder.write("b.stb", "var x: bool\n");
    folder.write("a.stb", "var x: bool\n");
    folder.write("notes.txt", "");
    let mut client = Client::start_in(folder, json!({}), json!({}));
    let found = offers(&mut client, "t.tester", "use \"$0\"\n");
    assert_eq!(labels(&found), ["a.stb", "b.stb"]);
    let found = offers(&mut client, "a.stb", "use \"./b$0\n");
    assert_eq!(labels(&found), ["a.stb", "b.stb"]);
    assert_eq!(found[1]["textEdit"]["newText"], "./b.stb");
}

/// The text after the edits, which a client makes all at once.
fn edited(client: &mut Client, uri: &str, edits: &Value) -> String {
    let edits = edits.as_array().expect("edits").iter().rev();
    let changes: Vec<Value> = edits
        .map(|edit| json!({"range": edit["range"], "text": edit["newText"]}))
        .collect();
    client.change(uri, json!(changes));
    client.text(uri)
}

const OPTIONS: &str = r#"{"tabSize": 4, "insertSpaces": true}"#;

fn options() -> Value {
    serde_json::from_str(OPTIONS).expect("JSON")
}

#[test]
fn a_range_is_formatted_and_nothing_else() {
    let mut client = Client::start();
    let uri = client.open("model.stb", "var  x:bool\nvar  y:bool\nvar  z:bool\n");
    let range = json!({"start": {"line": 1, "character": 3}, "end": {"line": 1, "character": 4}});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "options": options()});
    let edits = client
        .request("textDocument/rangeFormatting", params.clone())
        .unwrap();
    let text = edited(&mut client, &uri, &edits);
    assert_eq!(text, "var  x:bool\nvar y: bool\nvar  z:bool\n");
    let again = client.request("textDocument/rangeFormatting", params);
    assert_eq!(again, Ok(json!([])));
}

#[test]
fn a_new_line_is_indented_while_the_text_is_not_finished() {
    let mut client = Client::start();
    let (text, position) = cursor("process p {\n    loop {\n$0");
    let uri = client.open("model.stb", &text);
    let mut params = asked(&uri, &position);
    params["ch"] = json!("\n");
    params["options"] = options();
    let edits = client
        .request("textDocument/onTypeFormatting", params)
        .unwrap();
    let text = edited(&mut client, &uri, &edits);
    assert_eq!(text, "process p {\n    loop {\n        ");
}

#[test]
fn the_arguments_that_are_asked_for_are_shown_while_they_are_written() {
    let capabilities = json!({"textDocument": {"signatureHelp": {"signatureInformation":
        {"parameterInformation": {"labelOffsetSupport": true}}}}});
    let mut client = Client::start_in(Folder::new(), json!({}), capabilities);
    let (text, position) = cursor("action ask(0..1, bool)\nprocess p { on ask(1, $0\n}\n");
    let uri = client.open("model.stb", &text);
    let found = client
        .request("textDocument/signatureHelp", asked(&uri, &position))
        .unwrap();
    assert_eq!(found["activeParameter"], 1);
    let signature = &found["signatures"][0];
    assert_eq!(signature["label"], "action ask(0..1, bool)");
    assert_eq!(signature["parameters"][1]["label"], json!([17, 21]));
}

#[test]
fn hints_are_shown_that_are_wanted_and_asked_for_again_when_that_changes() {
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}}});
    let options = json!({"hints": {"instances": false}});
    let mut client = Client::start_in(Folder::new(), options, capabilities);
    let text = "const N = 1+1\nprocess p(i in 0..1) { skip }\n";
    let uri = client.open("model.stb", text);
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 2, "character": 0}});
    let params = json!({"textDocument": {"uri": uri}, "range": range});
    let hints = client
        .request("textDocument/inlayHint", params.clone())
        .unwrap();
    assert_eq!(hints.as_array().map(Vec::len), Some(1));
    assert_eq!(hints[0]["label"], "= 2");
    assert_eq!(hints[0]["position"], json!({"line": 0, "character": 13}));

    let hints = json!({"stubborn": {"hints": {"instances": true, "values": false}}});
    client.notify(
        "workspace/didChangeConfiguration",
        json!({"settings": hints}),
    );
    client.wait_for("workspace/inlayHint/refresh", |_| true);
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints.as_array().map(Vec::len), Some(1));
    assert_eq!(hints[0]["label"], "2 instances");
}

#[test]
fn hints_follow_the_files_that_are_used() {
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}}});
    let mut client = Client::start_in(Folder::new(), json!({}), capabilities);
    let model = client.open("m.stb", "const N = 2\nprocess p { skip }\n");
    let tester = client.open("t.tester", "use \"m.stb\"\nconst M = N+1\n");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}});
    let params = json!({"textDocument": {"uri": tester}, "range": range});
    client.published_now(&tester, |_| true);
    client.look_ahead();
    client.replace_all(&model, "const N = 5\nprocess p { skip }\n");
    client.wait_for("workspace/inlayHint/refresh", |_| true);
    let hints = client.request("textDocument/inlayHint", params).unwrap();
    assert_eq!(hints[0]["label"], "= 6");
}
