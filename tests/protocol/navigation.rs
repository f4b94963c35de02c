//! How a person finds their way through the texts.

use serde_json::{Value, json};

use super::client::{Client, Folder, position, text_at};

const MODEL: &str = "\
enum Color { red, green }
/// Who has asked.
var asked: Color
channel c: queue[1] of Color
action enter

process p {
    initial state away {
        on enter do asked = green -> inside
    }
    state inside { send c(asked) -> away }
}
process q { loop { receive c(*) } }
";

const TESTER: &str = "\
use \"model.stb\"

tester often {
    initial state idle { on enter -> idle }
}
";

fn start(capabilities: Value) -> (Client, String, String) {
    let all = json!({"textDocument": capabilities});
    let mut client = Client::start_in(Folder::new(), json!({}), all);
    let model = client.open("model.stb", MODEL);
    let tester = client.open("often.tester", TESTER);
    (client, model, tester)
}

/// What is asked at the first place of `text` where `what` stands.
fn at(uri: &str, text: &str, what: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "position": position(text, what)})
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn names(value: &Value) -> Vec<&str> {
    let names = list(value).iter().filter_map(|one| one["name"].as_str());
    names.collect()
}

#[test]
fn symbols_are_nested_for_clients_that_say_so() {
    let kinds: Vec<u32> = (1..=26).collect();
    let nested = json!({"documentSymbol": {
        "hierarchicalDocumentSymbolSupport": true,
        "symbolKind": {"valueSet": kinds},
    }});
    let (mut client, model, _) = start(nested);
    let asked = json!({"textDocument": {"uri": model}});
    let found = client.request("textDocument/documentSymbol", asked);
    let found = found.expect("symbols");
    assert_eq!(names(&found), ["Color", "asked", "c", "enter", "p", "q"]);
    assert_eq!(names(&found[4]["children"]), ["away", "inside"]);
    let asked = text_at(MODEL, &found[1]["range"]);
    assert_eq!(asked, "/// Who has asked.\nvar asked: Color");
    assert_eq!(text_at(MODEL, &found[1]["selectionRange"]), "asked");
    assert_eq!(found[1]["detail"], "Color");
    let (event, key) = (24, 20);
    assert_eq!(found[3]["kind"], event);
    assert_eq!(found[4]["children"][0]["kind"], key);
}

#[test]
fn symbols_are_one_list_for_other_clients() {
    let (mut client, model, _) = start(json!({}));
    let asked = json!({"textDocument": {"uri": model}});
    let found = client.request("textDocument/documentSymbol", asked);
    let found = found.expect("symbols");
    assert_eq!(
        names(&found),
        [
            "Color", "red", "green", "asked", "c", "enter", "p", "away", "inside", "q"
        ]
    );
    assert_eq!(found[7]["containerName"], "p");
    // Nor do these name the kinds that they know.
    assert!(
        list(&found)
            .iter()
            .all(|one| one["kind"].as_u64() <= Some(18))
    );
    assert_eq!(found[7]["location"]["uri"], model);
}

#[test]
fn a_name_is_found_in_files_that_are_not_open() {
    let folder = Folder::new();
    folder.write("model.stb", MODEL);
    let mut client = Client::start_in(folder, json!({}), json!({}));
    client.open("often.tester", TESTER);
    let found = client.request("workspace/symbol", json!({"query": "AskD"}));
    let found = found.expect("symbols");
    assert_eq!(names(&found), ["asked"]);
    assert_eq!(found[0]["location"]["uri"], client.uri("model.stb"));
    assert_eq!(text_at(MODEL, &found[0]["location"]["range"]), "asked");
}

#[test]
fn what_is_in_a_folder_that_is_removed_is_found_no_more() {
    let (first, second) = (Folder::new(), Folder::new());
    second.write("other.stb", "var elsewhere: bool\n");
    let folder = json!({"uri": format!("file://{}", second.path().display()), "name": "other"});
    let mut client = Client::start_in(first, json!({}), json!({}));
    client.open("model.stb", MODEL);
    let change =
        |added: Value, removed: Value| json!({"event": {"added": added, "removed": removed}});
    let mut found_after = |params: Value, count: usize| {
        client.notify("workspace/didChangeWorkspaceFolders", params);
        // A folder is gone through beside everything else.
        let mut ask = || client.request("workspace/symbol", json!({"query": "elsewhere"}));
        let is_so = |found: Value| list(&found).len() == count;
        assert!(
            (0..100_000).any(|_| is_so(ask().expect("symbols"))),
            "{count}"
        );
    };
    found_after(change(json!([folder]), json!([])), 1);
    found_after(change(json!([]), json!([folder])), 0);
}

#[test]
fn what_is_found_in_a_folder_that_was_removed_meanwhile_is_left_out() {
    let (gone, other) = (Folder::new(), Folder::new());
    for number in 0..300 {
        gone.write(&format!("m{number}.stb"), "var elsewhere: bool\n");
    }
    other.write("other.stb", "var beyond: bool\n");
    let [gone, other] = [&gone, &other]
        .map(|folder| json!({"uri": format!("file://{}", folder.path().display()), "name": "one"}));
    let mut client = Client::start();
    let changes = [
        // They are gone through in their order.
        json!({"event": {"added": [gone, other], "removed": []}}),
        json!({"event": {"added": [], "removed": [gone]}}),
    ];
    for change in changes {
        client.notify("workspace/didChangeWorkspaceFolders", change);
    }
    let mut count = |query: &str| {
        let found = client.request("workspace/symbol", json!({"query": query}));
        list(&found.expect("symbols")).len()
    };
    assert!((0..100_000).any(|_| count("beyond") == 1));
    assert_eq!(count("elsewhere"), 0);
}

#[test]
fn who_asks_at_once_is_told_of_the_files_that_are_used() {
    let folder = Folder::new();
    folder.write("model.stb", MODEL);
    folder.write("types.stb", "type Bit = 0..1\n");
    let text = format!("use \"types.stb\"\n{TESTER}");
    let mut client = Client::start_in(folder, json!({}), json!({}));
    // A client asks for some things when a file is opened, and not again before it is edited.
    let tester = client.open("often.tester", &text);
    let document = json!({"textDocument": {"uri": tester}});
    let links = client.ask("textDocument/documentLink", document);
    let asked = at(&tester, &text, "enter ->");
    let place = client.ask("textDocument/definition", asked);
    let links = client.answer(links).expect("links");
    let targets = list(&links).iter().map(|one| one["target"].clone());
    let used = ["types.stb", "model.stb"].map(|name| json!(client.uri(name)));
    assert_eq!(targets.collect::<Vec<_>>(), used);
    let place = client.answer(place).expect("a place");
    assert_eq!(place["uri"], client.uri("model.stb"));
}

#[test]
fn the_places_of_a_name_tell_reads_from_writes() {
    let (mut client, model, _) = start(json!({}));
    let asked = at(&model, MODEL, "asked = green");
    let found = client.request("textDocument/documentHighlight", asked);
    let found = found.expect("places");
    let kinds = list(&found).iter().map(|one| {
        assert_eq!(text_at(MODEL, &one["range"]), "asked");
        one["kind"].as_u64().expect("a kind")
    });
    assert_eq!(kinds.collect::<Vec<_>>(), [3, 3, 2]);
}

#[test]
fn the_name_of_a_file_leads_to_it() {
    let (mut client, model, tester) = start(json!({"definition": {"linkSupport": true}}));
    let asked = at(&tester, TESTER, "del.stb");
    let found = client.request("textDocument/definition", asked);
    let found = found.expect("a place");
    assert_eq!(found[0]["targetUri"], model);
    let from = &found[0]["originSelectionRange"];
    assert_eq!(text_at(TESTER, from), "model.stb");

    let asked = json!({"textDocument": {"uri": tester}});
    let found = client.request("textDocument/documentLink", asked);
    let found = found.expect("links");
    assert_eq!(found[0]["target"], model);
    assert_eq!(text_at(TESTER, &found[0]["range"]), "model.stb");
}

#[test]
fn a_file_that_is_not_read_is_no_link() {
    let mut client = Client::start();
    let text = "use \"/etc/passwd\"\nuse \"none.stb\"\n";
    let tester = client.open("t.tester", text);
    let asked = json!({"textDocument": {"uri": tester}});
    let found = client.request("textDocument/documentLink", asked);
    assert_eq!(found, Ok(json!([])));
    let asked = at(&tester, text, "etc");
    let found = client.request("textDocument/definition", asked);
    assert_eq!(found, Ok(Value::Null));
}

#[test]
fn a_variable_leads_to_its_type() {
    let (mut client, model, _) = start(json!({}));
    let asked = at(&model, MODEL, "asked = green");
    let found = client.request("textDocument/typeDefinition", asked);
    let found = found.expect("a place");
    assert_eq!(found["uri"], model);
    assert_eq!(text_at(MODEL, &found["range"]), "Color");
}

#[test]
fn an_action_leads_to_who_takes_part_in_the_testers_too() {
    let (mut client, model, tester) = start(json!({"implementation": {"linkSupport": true}}));
    let asked = at(&model, MODEL, "enter\n");
    let found = client.request("textDocument/implementation", asked);
    let found = found.expect("places");
    let [here, there] = list(&found) else {
        panic!("{found}");
    };
    assert_eq!(
        (&here["targetUri"], &there["targetUri"]),
        (&json!(model), &json!(tester))
    );
    let step = text_at(MODEL, &here["targetRange"]);
    assert_eq!(step, "on enter do asked = green -> inside");
    assert_eq!(text_at(TESTER, &there["targetSelectionRange"]), "enter");
}

#[test]
fn who_follows_the_calls_goes_the_way_of_the_messages() {
    let (mut client, model, _) = start(json!({}));
    let asked = at(&model, MODEL, "p {");
    let found = client.request("textDocument/prepareCallHierarchy", asked);
    let p = found.expect("an item")[0].clone();
    assert_eq!(p["name"], "p");
    let mut follow = |method: &str, item: &Value, end: &str| {
        let calls = client
            .request(method, json!({"item": item}))
            .expect("calls");
        let items = list(&calls).iter().map(|call| call[end].clone());
        let places = list(&calls).iter().map(|call| call["fromRanges"].clone());
        (items.collect::<Vec<_>>(), places.collect::<Vec<_>>())
    };
    let (called, places) = follow("callHierarchy/outgoingCalls", &p, "to");
    assert_eq!(names(&json!(called)), ["enter", "c"]);
    assert_eq!(places[1][0]["start"], position(MODEL, "c(asked)"));
    let (receivers, _) = follow("callHierarchy/outgoingCalls", &called[1], "to");
    assert_eq!(names(&json!(receivers)), ["q"]);
    let (callers, _) = follow("callHierarchy/incomingCalls", &called[0], "from");
    assert_eq!(names(&json!(callers)), ["p", "often"]);
}

#[test]
fn folds_are_of_whole_lines_for_clients_that_fold_nothing_else() {
    let folds = json!({"foldingRange": {"lineFoldingOnly": true, "rangeLimit": 3}});
    let (mut client, model, _) = start(folds);
    let asked = json!({"textDocument": {"uri": model}});
    let found = client.request("textDocument/foldingRange", asked.clone());
    let lines = |found: &Value| -> Vec<(u64, u64)> {
        let line = |fold: &Value, end: &str| fold[end].as_u64().expect("a line");
        let folds = list(found).iter();
        folds
            .map(|one| (line(one, "startLine"), line(one, "endLine")))
            .collect()
    };
    // The lines of the braces that close them stay in sight.
    let found = found.expect("folds");
    assert_eq!(lines(&found), [(6, 10), (7, 8)]);
    assert_eq!(found[0].get("startCharacter"), None);

    let (mut client, model, _) = start(json!({}));
    let asked = json!({"textDocument": {"uri": model}});
    let found = client.request("textDocument/foldingRange", asked);
    let found = found.expect("folds");
    assert_eq!(lines(&found), [(6, 11), (7, 9)]);
    assert_eq!(found[0]["startCharacter"], 11);
    assert_eq!(found[0]["endCharacter"], 0);
}

#[test]
fn a_selection_grows_from_each_of_the_places_asked_about() {
    let (mut client, model, _) = start(json!({}));
    let places = [position(MODEL, "asked = green"), position(MODEL, "red")];
    let asked = json!({"textDocument": {"uri": model}, "positions": places});
    let found = client.request("textDocument/selectionRange", asked);
    let found = found.expect("selections");
    let texts = |mut one: &Value| {
        let mut texts = Vec::new();
        while !one.is_null() {
            texts.push(text_at(MODEL, &one["range"]));
            one = &one["parent"];
        }
        texts
    };
    let first = texts(&found[0]);
    assert_eq!(first[..3], ["asked", "asked = green", "do asked = green"]);
    assert_eq!(first.last(), Some(&MODEL));
    assert_eq!(
        texts(&found[1])[..3],
        ["red", "red, green", "enum Color { red, green }"]
    );
}
