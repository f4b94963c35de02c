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
