//! Nothing that a client does ends the server, but the client's own leaving.

use serde_json::json;

use super::client::Client;

#[test]
fn what_the_server_does_not_know_is_refused_and_does_no_harm() {
    let mut client = Client::start();
    let error = client
        .request("textDocument/teleport", json!({}))
        .unwrap_err();
    assert_eq!(error["code"], -32601);
    client.notify("textDocument/teleported", json!({}));
    client.notify("$/whatever", json!({}));
    let error = client
        .request("textDocument/hover", json!({"what": 7}))
        .unwrap_err();
    assert_eq!(error["code"], -32602);
    assert_eq!(client.statistics().searches, 0);
}

#[test]
fn a_request_of_the_protocols_own_is_answered_too_where_nobody_knows_it() {
    let mut client = Client::start();
    let error = client.request("$/whatever", json!({})).unwrap_err();
    assert_eq!(error["code"], -32601);
}

#[test]
fn parameters_that_are_null_are_none() {
    let mut client = Client::start();
    client.send_text(r#"{"jsonrpc": "2.0", "id": 4711, "method": "shutdown", "params": null}"#);
    assert!(client.answer(4711).expect("no error").is_null());
    client.notify("exit", json!(null));
    assert_eq!(client.ended().code(), Some(0));
}

#[test]
fn a_wrong_length_costs_one_message_at_most() {
    let message = r#"{"jsonrpc": "2.0", "method": "$/whatever"}"#;
    for length in [0, 1, message.len() - 1, message.len() + 1, 1 << 40] {
        let mut client = Client::start();
        client.send_bytes(&format!("Content-Length: {length}\r\n\r\n{message}"));
        assert_eq!(client.statistics().searches, 0, "{length}");
    }
}

#[test]
fn the_name_of_a_file_is_given_back_as_it_came() {
    let mut client = Client::start();
    let folder = client.folder.path().display().to_string();
    for name in ["ä b.stb", "a%7Eb.stb", "./c.stb"] {
        let uri = format!("file://{folder}/{name}");
        let text = "var x: bool\nprocess p { x = not x }\ninvariant i: y\n";
        client.open_uri(&uri, text);
        let told = client.published(&uri, |all| !all.is_empty());
        assert_eq!(told.len(), 1, "{told:?}");
        let asked = json!({
            "textDocument": {"uri": uri},
            "position": {"line": 1, "character": 12},
        });
        let place = client.request("textDocument/definition", asked).unwrap();
        assert_eq!(place["uri"], *uri, "{place}");
    }
}

#[test]
fn a_mark_of_the_byte_order_stays_and_is_one_character() {
    let mut client = Client::start();
    let text = "\u{feff}var x: bool\nprocess p{x = not x}\n";
    let uri = client.open("marked.stb", text);
    let asked = json!({
        "textDocument": {"uri": uri},
        "position": {"line": 1, "character": 10},
    });
    let place = client.request("textDocument/definition", asked).unwrap();
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    assert_eq!(place["range"], json!({"start": at(0, 5), "end": at(0, 6)}));
    let formatting =
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": true}});
    let edits = client
        .request("textDocument/formatting", formatting)
        .unwrap();
    for edit in edits.as_array().expect("edits") {
        let whole = edit["range"]["start"] == at(0, 0);
        let new = edit["newText"].as_str().expect("a text");
        assert!(!whole || new.starts_with('\u{feff}'), "{edit}");
    }
}

#[test]
fn a_message_that_cannot_be_read_does_no_harm() {
    let mut client = Client::start();
    for body in [
        "{bad}",
        "[]",
        "null",
        "{\"jsonrpc\": \"2.0\", \"method\": 5}",
        "",
    ] {
        client.send_text(body);
    }
    assert_eq!(client.statistics().searches, 0);
}

#[test]
fn half_a_character_in_a_text_is_one_unit_of_it() {
    let mut client = Client::start();
    let uri = client.open("half.stb", "");
    client.send_text(&format!(
        r#"{{"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {{
            "textDocument": {{"uri": "{uri}", "version": 2}},
            "contentChanges": [{{"text": "// a\ud835b"}}]}}}}"#
    ));
    assert_eq!(client.text(&uri), "// a\u{fffd}b");
}

#[test]
fn edits_of_a_file_that_is_not_open_are_passed_over() {
    let mut client = Client::start();
    let uri = client.uri("never.stb");
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "x"}]}),
    );
    client.save(&uri);
    client.close(&uri);
    let answer = client
        .request("stubborn/text", json!({"uri": uri}))
        .unwrap();
    assert!(answer.is_null());
    let formatting =
        json!({"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": true}});
    assert!(
        client
            .request("textDocument/formatting", formatting)
            .unwrap()
            .is_null()
    );
}

#[test]
fn the_server_ends_when_the_client_says_so() {
    assert_eq!(Client::start().leave().code(), Some(0));
    assert_eq!(Client::start().exit_at_once().code(), Some(1));
}

#[test]
fn the_server_ends_when_its_input_does() {
    assert_eq!(Client::start().vanish().code(), Some(1));
}
