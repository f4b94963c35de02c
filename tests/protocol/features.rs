//! What a person asks of a text.

use serde_json::{Value, json};

use super::client::{Client, position, text_at};

const MODEL: &str = "\
/// How many there are.
param N: 2..6 = 3
type Id = 0..N-1

/// Who waits.
var waiting: array[Id] of bool

process p(i in Id) {
    waiting[i] = true
}

invariant one: waiting[0] or not waiting[0]
";

#[test]
fn the_hover_on_a_name_tells_its_type_its_value_and_its_documentation() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let hover = client.hover(&uri, MODEL, "N-1").unwrap();
    assert!(hover.contains("param N"), "{hover}");
    assert!(hover.contains("= 3"), "{hover}");
    assert!(hover.contains("How many there are."), "{hover}");
    let hover = client.hover(&uri, MODEL, "waiting[i]").unwrap();
    assert!(
        hover.contains("var waiting: array[0..2] of bool"),
        "{hover}"
    );
    assert!(hover.contains("Who waits."), "{hover}");
    assert_eq!(client.hover(&uri, MODEL, "= true"), None);
}

#[test]
fn a_name_leads_to_its_declaration_and_to_its_uses() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let at = json!({"textDocument": {"uri": uri}, "position": position(MODEL, "waiting[i]")});
    let found = client
        .request("textDocument/definition", at.clone())
        .unwrap();
    assert_eq!(found["uri"], uri);
    assert_eq!(found["range"]["start"], position(MODEL, "waiting: array"));

    let mut with_declaration = at;
    with_declaration["context"] = json!({"includeDeclaration": true});
    let found = client
        .request("textDocument/references", with_declaration)
        .unwrap();
    let found = found.as_array().unwrap();
    assert_eq!(found.len(), 4);
    assert!(
        found
            .iter()
            .all(|one| text_at(MODEL, &one["range"]) == "waiting")
    );
}

#[test]
fn the_symbols_of_a_file_are_its_declarations() {
    let mut client = Client::start();
    let uri = client.open("model.stb", MODEL);
    let params = json!({"textDocument": {"uri": uri}});
    let found = client
        .request("textDocument/documentSymbol", params)
        .unwrap();
    let names: Vec<&str> = found
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|one| one["name"].as_str())
        .collect();
    assert_eq!(names, ["N", "Id", "waiting", "p", "one"]);
}

#[test]
fn a_formatted_text_is_formatted_once() {
    let mut client = Client::start();
    let messy = "var   x:0..3\nprocess p{x=1}   // done\n";
    let uri = client.open("messy.stb", messy);
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let params = json!({"textDocument": {"uri": uri}, "options": options});
    let edits = client
        .request("textDocument/formatting", params.clone())
        .unwrap();
    // A client applies them one after the other, so the last comes first.
    let changes: Vec<Value> = edits
        .as_array()
        .unwrap()
        .iter()
        .rev()
        .map(|edit| json!({"range": edit["range"], "text": edit["newText"]}))
        .collect();
    assert!(
        changes
            .iter()
            .all(|one| one["text"].as_str().unwrap().trim().is_empty())
    );
    client.change(&uri, json!(changes));
    let formatted = client.text(&uri);
    assert!(formatted.contains("var x: 0..3"), "{formatted}");
    assert!(formatted.contains("// done"), "{formatted}");
    let again = client.request("textDocument/formatting", params).unwrap();
    assert_eq!(again, json!([]));
}

#[test]
fn what_holds_because_nothing_happens_is_told_once_it_was_asked_and_is_not_asked_twice() {
    let text = "\
var n: 0..3

process p { while n < 2 { n = n + 1 } }

invariant late: n > 2 implies n < 1
invariant early: n > 1 implies n < 3
";
    let is_vacuous = |one: &Value| one["code"] == "vacuous";
    let mut client = Client::start();
    let uri = client.open("model.stb", text);
    let found = client.published(&uri, |found| found.iter().any(is_vacuous));
    let said: Vec<&Value> = found.iter().filter(|one| is_vacuous(one)).collect();
    let [said] = said[..] else {
        panic!("{said:?}");
    };
    assert_eq!(text_at(text, &said["range"]), "n > 2");
    assert_eq!(said["severity"], json!(2));
    assert_eq!(
        said["message"],
        "late: `n > 2` is never true, so that nothing is asked of what it implies"
    );

    // What is a comment changes nothing, and another text has its own answers.
    let asked = client.statistics().asides;
    assert!(asked > 0);
    let commented = format!("// A counter.\n{text}");
    client.replace_all(&uri, &commented);
    client.save(&uri);
    let found = client.published_now(&uri, |found| found.iter().any(is_vacuous));
    let said = found.iter().find(|one| is_vacuous(one)).unwrap();
    assert_eq!(text_at(&commented, &said["range"]), "n > 2");
    assert_eq!(client.statistics().asides, asked);
    let mended = text.replacen("n > 2", "n > 0", 1);
    client.replace_all(&uri, &mended);
    client.published_now(&uri, |found| !found.iter().any(is_vacuous));
}

#[test]
fn what_no_run_reaches_is_faded_and_only_while_that_is_known_of_the_text() {
    let text = "\
var n: 0..3

process p {
    initial state one {
        when n < 3 do n = n + 1 -> one
        when n > 5 -> two
    }
    final state two
}

deadlock ignored
";
    let is_faded = |one: &Value| one["code"] == "never-reached" && one["tags"] == json!([1]);
    let mut client = Client::start();
    let uri = client.open("model.stb", text);
    let found = client.published(&uri, |found| found.iter().any(is_faded));
    let faded = found.iter().find(|one| is_faded(one)).unwrap();
    assert_eq!(text_at(text, &faded["range"]), "final state two");
    assert_eq!(faded["severity"], json!(2));
    assert_eq!(
        faded["message"],
        "no run reaches this state; 4 states were searched"
    );
    // Who waits for ever is to be seen.
    let waits = |one: &&Value| one["code"] == "never-reached" && !is_faded(one);
    let never = found.iter().find(waits).unwrap();
    assert_eq!(text_at(text, &never["range"]), "when n > 5 -> two");
    let hover = client.hover(&uri, text, "one {").unwrap();
    assert!(hover.contains("Reached in 4 of the 4 states"), "{hover}");
    let hover = client.hover(&uri, text, "n: 0..3").unwrap();
    assert!(hover.contains("0..3, every one of the type"), "{hover}");

    // Nothing is known yet of another text; what is a comment in it changes nothing.
    let commented = format!("// A counter.\n{text}");
    client.replace_all(&uri, &commented);
    let found = client.published_now(&uri, |found| found.iter().any(is_faded));
    let faded = found.iter().find(|one| is_faded(one)).unwrap();
    assert_eq!(text_at(&commented, &faded["range"]), "final state two");
    let mended = text.replacen("n > 5", "n > 2", 1);
    client.replace_all(&uri, &mended);
    client.published_now(&uri, |found| !found.iter().any(is_faded));
    let hover = client.hover(&uri, &mended, "two\n").unwrap();
    assert!(!hover.contains("eached"), "{hover}");
    client.save(&uri);
    client.verdicts(&uri);
    let hover = client.hover(&uri, &mended, "two\n").unwrap();
    assert!(hover.contains("Reached in 1 of the 5 states"), "{hover}");
}
