//! What a person changes with the server's help, and how the text is coloured meanwhile.

use serde_json::{Value, json};

use super::client::{Client, Folder, position, text_at};

const MODEL: &str = "var turn: 0..3\nprocess p { turn = 1 }\n";
const TESTER: &str = "use \"model.stb\"\ninvariant low: turn <= 0\n";

/// A client that takes edits of versions.
fn versioned(folder: Folder) -> Client {
    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {"rename": {"prepareSupport": true}},
    });
    Client::start_in(folder, json!({}), capabilities)
}

fn at(uri: &str, text: &str, what: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": position(text, what)})
}

#[test]
fn a_name_of_an_open_model_is_renamed_in_a_tester_that_was_never_opened() {
    let folder = Folder::new();
    folder.write("one.tester", TESTER);
    let mut client = versioned(folder);
    let uri = client.open("model.stb", MODEL);
    // What is violated in the tester shows that the server has found it.
    client.published(&client.uri("one.tester"), |told| !told.is_empty());
    assert_eq!(
        client.capabilities["renameProvider"],
        json!({"prepareProvider": true})
    );

    let asked = at(&uri, MODEL, "turn:");
    let range = client
        .request("textDocument/prepareRename", asked.clone())
        .unwrap();
    assert_eq!(text_at(MODEL, &range), "turn");

    let mut references = asked.clone();
    references["context"] = json!({"includeDeclaration": false});
    let found = client
        .request("textDocument/references", references)
        .unwrap();
    let found: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["uri"].as_str())
        .collect();
    assert_eq!(found, [uri.clone(), client.uri("one.tester")]);

    let mut rename = asked;
    rename["newName"] = json!("whose");
    let edit = client
        .request("textDocument/rename", rename.clone())
        .unwrap();
    let changes = edit["documentChanges"].as_array().unwrap();
    let of = |uri: &str| {
        let change = changes.iter().find(|one| one["textDocument"]["uri"] == uri);
        change.unwrap_or_else(|| panic!("nothing of {uri}: {edit}"))
    };
    let (model, tester) = (of(&uri), of(&client.uri("one.tester")));
    assert_eq!(model["textDocument"]["version"], client.version(&uri));
    assert_eq!(tester["textDocument"]["version"], Value::Null);
    let replaced = |text: &'static str, change: &Value| {
        let edits = change["edits"].as_array().unwrap().clone();
        edits
            .into_iter()
            .map(|edit| text_at(text, &edit["range"]))
            .collect::<Vec<_>>()
    };
    assert_eq!(replaced(MODEL, model), ["turn", "turn"]);
    assert_eq!(replaced(TESTER, tester), ["turn"]);

    rename["newName"] = json!("p");
    let refused = client.request("textDocument/rename", rename).unwrap_err();
    assert_eq!(refused["code"], -32803);
    assert!(
        refused["message"].as_str().unwrap().contains("`p`"),
        "{refused}"
    );
}

#[test]
fn a_client_without_versions_is_given_plain_edits() {
    let mut client = Client::start();
    assert_eq!(client.capabilities["renameProvider"], true);
    let uri = client.open("model.stb", MODEL);
    let mut asked = at(&uri, MODEL, "turn = 1");
    asked["newName"] = json!("whose");
    let edit = client.request("textDocument/rename", asked).unwrap();
    assert_eq!(edit["changes"][&uri].as_array().unwrap().len(), 2);
}

#[test]
fn tokens_are_told_whole_then_by_what_has_changed_and_of_a_range() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let file = json!({"textDocument": {"uri": uri}});
    let first = client
        .request("textDocument/semanticTokens/full", file.clone())
        .unwrap();
    let numbers = |tokens: &Value| {
        let data = tokens["data"].as_array().unwrap().iter();
        data.map(|number| number.as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    let mut tokens = numbers(&first);
    let legend = &client.capabilities["semanticTokensProvider"]["legend"];
    assert_eq!(legend["tokenTypes"][tokens[3] as usize], "keyword");
    assert_eq!(legend["tokenTypes"][tokens[8] as usize], "variable");
    assert_eq!(tokens[9], 1, "it is declared here");

    client.replace_all(
        &uri,
        &MODEL.replacen("process", "var more: bool\nprocess", 1),
    );
    let mut asked = file.clone();
    asked["previousResultId"] = first["resultId"].clone();
    let delta = client
        .request("textDocument/semanticTokens/full/delta", asked.clone())
        .unwrap();
    for edit in delta["edits"].as_array().unwrap() {
        let start = edit["start"].as_u64().unwrap() as usize;
        let end = start + edit["deleteCount"].as_u64().unwrap() as usize;
        tokens.splice(start..end, numbers(edit));
    }
    let now = client
        .request("textDocument/semanticTokens/full", file)
        .unwrap();
    assert_eq!(tokens, numbers(&now));
    // Only the last answer is kept; whoever has another is told all.
    let again = client
        .request("textDocument/semanticTokens/full/delta", asked)
        .unwrap();
    assert_eq!(numbers(&again), tokens);

    let line = json!({
        "textDocument": {"uri": uri},
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}},
    });
    let range = client
        .request("textDocument/semanticTokens/range", line)
        .unwrap();
    assert_eq!(numbers(&range), [1, 0, 3, 0, 0]);
}

#[test]
fn an_action_mends_a_problem_of_the_very_version_that_it_is_told_of() {
    let capabilities = json!({
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {"codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}}},
    });
    let mut client = Client::start_in(Folder::new(), json!({}), capabilities);
    let text = "var turn: 0..3\nprocess p { tunr = 1 await turn > 0 }\n";
    let uri = client.open("model.stb", text);
    let told = client.published(&uri, |told| !told.is_empty());
    let range = told[0]["range"].clone();
    assert_eq!(text_at(text, &range), "tunr");
    let asked = json!({
        "textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": told},
    });
    let actions = client
        .request("textDocument/codeAction", asked.clone())
        .unwrap();
    let [fix] = actions.as_array().unwrap().as_slice() else {
        panic!("{actions}");
    };
    assert_eq!(fix["title"], "Change to `turn`");
    assert_eq!(fix["kind"], "quickfix");
    assert_eq!(fix["isPreferred"], true);
    assert_eq!(fix["diagnostics"][0]["code"], "unknown-name");
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"]["version"], 1);
    let edit = &change["edits"][0];
    client.change(
        &uri,
        json!([{"range": edit["range"], "text": edit["newText"]}]),
    );
    client.published_now(&uri, |told| told.is_empty());

    let mut source = asked;
    source["context"] = json!({"diagnostics": [], "only": ["source"]});
    let actions = client.request("textDocument/codeAction", source).unwrap();
    assert_eq!(
        actions[0]["command"]["command"],
        "stubborn.checkWithoutLimit"
    );
    assert_eq!(actions[0]["command"]["arguments"], json!([uri]));
}

#[test]
fn a_client_that_takes_commands_alone_is_offered_no_actions() {
    let mut client = Client::start();
    assert_eq!(client.capabilities["codeActionProvider"], Value::Null);
    let uri = client.open("model.stb", "process p { x = 1 }\n");
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 1, "character": 0}});
    let asked = json!({
        "textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []},
    });
    assert_eq!(
        client.request("textDocument/codeAction", asked).unwrap(),
        json!([])
    );
}

#[test]
fn a_word_of_the_language_is_explained_as_the_client_can_show_it() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let hover = client.hover(&uri, MODEL, "process").unwrap();
    assert!(hover.contains("```stubborn\nprocess"), "{hover}");

    let plain = json!({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}});
    let mut client = Client::start_in(Folder::new(), json!({}), plain);
    let uri = client.open("model.stb", MODEL);
    let asked = at(&uri, MODEL, "process");
    let hover = client.request("textDocument/hover", asked).unwrap();
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let text = hover["contents"]["value"].as_str().unwrap();
    assert!(text.contains("\nprocess") && !text.contains('`'), "{text}");
}
