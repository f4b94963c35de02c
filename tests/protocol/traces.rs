//! Runs as data and as texts, expressions along them, and what leads a client with a panel there.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::{Client, Folder};

const MODEL: &str = "\
type Id = 0..1
var taken: bool
channel c: queue[2] of Id
process worker(i in Id) {
    var turns: 0..3
    loop {
        either { stop }
        or     { await not taken do turns = (turns + 1) % 4 }
        taken = true
        critical: taken = false
        send c(i)
        receive c(i)
    }
}
invariant mutex: count(i in Id: worker(i)@critical) <= 1
invariant few: worker(0).turns < 9
";

fn panel() -> Value {
    json!({"panel": true})
}

fn of(uri: &str, property: &str) -> Value {
    json!({"textDocument": {"uri": uri}, "property": property})
}

fn checked(options: Value) -> (Client, String) {
    let can = json!({"textDocument": {"codeAction": {"codeActionLiteralSupport": {
        "codeActionKind": {"valueSet": []},
    }}}});
    let mut client = Client::start_in(Folder::new(), options, can);
    let uri = client.open("m.stb", MODEL);
    assert_eq!(client.verdicts(&uri)["mutex"], "violated");
    (client, uri)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a Vec<Value> {
    value[name]
        .as_array()
        .unwrap_or_else(|| panic!("a list `{name}` in {value:#}"))
}

/// Goes along what is changed, and holds each value before to what it was.
fn replayed(trace: &Value) -> Vec<Vec<String>> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let start = list(trace, "variables").iter();
    let mut states = vec![start.map(|one| text(&one["value"])).collect::<Vec<_>>()];
    for step in list(trace, "steps") {
        let mut state = states.last().expect("a start").clone();
        for change in step["changes"].as_array().into_iter().flatten() {
            let at = change["variable"].as_u64().expect("a number") as usize;
            assert_eq!(state[at], text(&change["before"]), "{step}");
            assert_ne!(change["before"], change["after"], "{step}");
            state[at] = text(&change["after"]);
        }
        states.push(state);
    }
    states
}

#[test]
fn the_run_of_a_property_is_told_as_data() {
    let (mut client, uri) = checked(json!({}));
    let answer = client
        .request("stubborn/trace", of(&uri, "mutex"))
        .expect("an answer");
    assert_eq!(answer["message"], Value::Null);
    let trace = &answer["trace"];
    assert_eq!(trace["property"], "mutex");
    assert_eq!(trace["kind"], "invariant");
    assert_eq!(trace["verdict"], "violated");
    assert_eq!(trace["cycleStart"], Value::Null);
    let sentence = trace["sentence"].as_str().expect("a sentence");
    assert!(
        sentence.contains("2 workers are in critical at once"),
        "{sentence}"
    );
    assert_eq!(trace["length"], list(trace, "steps").len());
    assert_eq!(list(trace, "files"), &[json!(uri)]);
    let participants = list(trace, "participants").iter();
    let participants: Vec<String> = participants
        .map(|one| format!("{} {} {}", one["name"], one["kind"], one["moves"]).replace('"', ""))
        .collect();
    assert_eq!(
        participants,
        [
            "worker(0) process true",
            "worker(1) process true",
            "c channel false"
        ]
    );
    let variables = list(trace, "variables").iter();
    let variables: Vec<String> = variables
        .map(|one| format!("{} {} {}", one["name"], one["kind"], one["owner"]).replace('"', ""))
        .collect();
    assert_eq!(
        variables,
        [
            "taken shared null",
            "c channel 2",
            "worker(0).turns local 0",
            "worker(1).turns local 1",
            "worker(0) location 0",
            "worker(1) location 1",
        ]
    );
    let states = replayed(trace);
    let last = states.last().expect("a start");
    assert_eq!(last[4..], ["critical", "critical"], "{last:?}");
    // Each step stands where its statement does.
    let lines: Vec<&str> = MODEL.lines().collect();
    for step in list(trace, "steps") {
        for part in list(step, "by") {
            let statement = &trace["statements"][part["statement"].as_u64().unwrap() as usize];
            let start = &statement["range"]["start"];
            let line = lines[start["line"].as_u64().unwrap() as usize];
            let text = statement["text"].as_str().unwrap();
            let column = start["character"].as_u64().unwrap() as usize;
            let begins: String = text.chars().take(5).collect();
            assert!(line[column..].starts_with(&begins), "{line}: {text}");
        }
    }
}

#[test]
fn a_cycle_and_messages_are_told() {
    let text = "channel c: queue[1] of 0..3\nprocess p { loop { send c(2) } }\nprocess q { var got: 0..3 loop { receive c(?got) } }\n\
                progress some: must q.got == 1\ntermination not required\n";
    let mut client = Client::start();
    let uri = client.open("c.stb", text);
    assert_eq!(client.verdicts(&uri)["some"], "violated");
    let answer = client
        .request("stubborn/trace", of(&uri, "some"))
        .expect("an answer");
    let trace = &answer["trace"];
    let states = replayed(trace);
    let begins = trace["cycleStart"].as_u64().expect("a cycle") as usize;
    assert_eq!(states[begins], states[states.len() - 1]);
    let messages: Vec<&Value> = list(trace, "steps")
        .iter()
        .flat_map(|step| step["messages"].as_array().into_iter().flatten())
        .collect();
    assert!(
        messages
            .iter()
            .any(|one| one["sent"] == true && one["text"] == "2")
    );
    assert!(
        messages
            .iter()
            .any(|one| one["sent"] == false && one["text"] == "2")
    );
}

#[test]
fn where_no_run_is_known_it_is_said_why_and_an_edit_makes_it_unknown() {
    let (mut client, uri) = checked(json!({}));
    let why = |client: &mut Client, property: &str| {
        let answer = client
            .request("stubborn/trace", of(&uri, property))
            .expect("an answer");
        assert_eq!(answer["trace"], Value::Null);
        answer["message"].as_str().expect("a message").to_owned()
    };
    assert_eq!(why(&mut client, "few"), "`few` holds: no run violates it.");
    assert!(why(&mut client, "many").contains("There is no property `many`"));
    let worse = MODEL.replace("taken = true\n", "taken = false\n");
    client.change(&uri, json!([{"text": worse}]));
    let told = why(&mut client, "mutex");
    assert!(
        told.contains("The text has changed since `mutex` was checked"),
        "{told}"
    );
    // What the run is about has not changed.
    let same = format!("// a comment\n{MODEL}");
    client.change(&uri, json!([{"text": same}]));
    let answer = client
        .request("stubborn/trace", of(&uri, "mutex"))
        .expect("an answer");
    assert_eq!(answer["trace"]["location"]["range"]["start"]["line"], 15);
}

#[test]
fn a_long_run_is_told_in_pieces_that_fit_together() {
    let text =
        "var x: 0..30000\nprocess p { while x < 30000 { x = x + 1 } }\ninvariant low: x < 25000\n";
    let mut client = Client::start();
    let uri = client.open("long.stb", text);
    assert_eq!(client.verdicts(&uri)["low"], "violated");
    let piece = |client: &mut Client, from: u64| {
        let mut asked = of(&uri, "low");
        asked["from"] = from.into();
        client.request("stubborn/trace", asked).expect("an answer")["trace"].clone()
    };
    let first = piece(&mut client, 0);
    let length = first["length"].as_u64().expect("a number");
    assert!(length > 25_000);
    assert_eq!(list(&first, "steps").len(), 20_000);
    // Each statement is told once, not with each step.
    assert!(list(&first, "statements").len() <= 3);
    let second = piece(&mut client, 20_000);
    // Of the end as many as there is room for.
    let last = piece(&mut client, 45_000);
    let from = last["from"].as_u64().expect("a number");
    assert_eq!(from, length - 20_000);
    let (first, second, last) = (replayed(&first), replayed(&second), replayed(&last));
    assert_eq!(first[20_000], second[0]);
    assert_eq!(second[from as usize - 20_000], last[0]);
    assert_eq!(last[20_000][0], "25000");

    let mut asked = of(&uri, "low");
    asked["expression"] = "x".into();
    asked["from"] = from.into();
    let answer = client
        .request("stubborn/evaluate", asked)
        .expect("an answer");
    let values = list(&answer, "values");
    assert_eq!(values[0]["state"], from);
    assert_eq!(values[values.len() - 1]["value"], "25000");
}

#[test]
fn a_second_piece_of_a_long_cycle_closes_it() {
    // Once it has left 0 it never comes there again.
    let text =
        "var x: 0..25000\nprocess p { loop { x = x % 25000 + 1 } }\nprogress back: must x == 0\n";
    let mut client = Client::start();
    let uri = client.open("long.stb", text);
    assert_eq!(client.verdicts(&uri)["back"], "violated");
    let mut piece = |from: usize| {
        let mut asked = of(&uri, "back");
        asked["from"] = from.into();
        client.request("stubborn/trace", asked).expect("an answer")["trace"].clone()
    };
    let first = piece(0);
    assert_eq!(
        (&first["from"], list(&first, "steps").len()),
        (&json!(0), 20_000)
    );
    let number = |name: &str| first[name].as_u64().expect("a number") as usize;
    let (begins, length) = (number("cycleStart"), number("length"));
    assert_eq!(length - begins, 25_000);
    // The rest of it is less than a piece, so that the second one begins sooner than where the first has ended.
    let second = piece(20_000);
    assert_eq!(second["cycleStart"], first["cycleStart"]);
    let from = second["from"].as_u64().expect("a number") as usize;
    assert_eq!(
        (from, list(&second, "steps").len()),
        (length - 20_000, 20_000)
    );
    let (first, second) = (replayed(&first), replayed(&second));
    assert_eq!(first[from..], second[..=20_000 - from]);
    assert_eq!(second.last(), Some(&first[begins]));
}

#[test]
fn an_expression_is_evaluated_along_a_run() {
    let (mut client, uri) = checked(json!({}));
    let mut ask = |expression: &str, process: Option<&str>| {
        let mut asked = of(&uri, "mutex");
        asked["expression"] = expression.into();
        asked["process"] = process.into();
        client
            .request("stubborn/evaluate", asked)
            .expect("an answer")
    };
    let both = ask("count(i in Id: worker(i)@critical)", None);
    let values = list(&both, "values").iter();
    let values: Vec<&str> = values
        .map(|one| one["value"].as_str().expect("a value"))
        .collect();
    assert_eq!(values, ["0", "1", "2"]);
    assert_eq!(
        list(&ask("turns + i", Some("worker(1)")), "values")[0]["value"],
        "1"
    );
    assert_eq!(
        list(&ask("1 / worker(0).turns", None), "values")[0]["fails"],
        "it has no value here: a division by zero"
    );
    assert!(ask("turns", None)["message"].is_string());
    assert!(
        ask("takn", None)["message"]
            .as_str()
            .unwrap()
            .contains("`taken`")
    );
    assert!(ask("taken", Some("worker(7)"))["message"].is_string());
}

#[test]
fn a_run_is_written_in_every_form() {
    let (mut client, uri) = checked(json!({}));
    for (form, begins) in [
        ("text", "mutex is violated: "),
        ("mermaid", "sequenceDiagram\n"),
        ("lanes", "step"),
        ("svg", "<svg xmlns="),
        ("json", "{"),
    ] {
        let mut asked = of(&uri, "mutex");
        asked["form"] = form.into();
        let answer = client
            .request("stubborn/traceText", asked)
            .expect("an answer");
        let text = answer["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{form}: {answer}"));
        assert!(text.trim_start().starts_with(begins), "{form}: {text}");
    }
    let mut asked = of(&uri, "mutex");
    asked["form"] = "json".into();
    let answer = client
        .request("stubborn/traceText", asked.clone())
        .expect("an answer");
    let told: Value = serde_json::from_str(answer["text"].as_str().unwrap()).expect("JSON");
    assert_eq!(told["properties"][0]["name"], "mutex");
    asked["form"] = "poem".into();
    assert!(client.request("stubborn/traceText", asked).is_err());
}

#[test]
fn the_run_with_another_value_of_a_parameter_is_told() {
    let text = "param N: 1..6 = 2\nvar x: 0..9\nprocess p { x = N }\ninvariant low: x < 4\n";
    let can = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
    let mut client = Client::start_in(Folder::new(), panel(), can);
    let uri = client.open("m.stb", text);
    assert_eq!(client.verdicts(&uri)["low"], "holds");
    let command = json!({"command": "stubborn.checkValues", "arguments": [uri, "N", [5]]});
    client
        .request("workspace/executeCommand", command)
        .expect("an answer");
    let lens = loop {
        client.look_ahead();
        let asked = json!({"textDocument": {"uri": uri}});
        let all = client
            .request("textDocument/codeLens", asked)
            .expect("lenses");
        let mut all = all.as_array().expect("lenses").clone().into_iter();
        if let Some(lens) = all.find(|one| one["command"]["command"] == "stubborn.showTrace") {
            break lens;
        }
        client.wait_for("workspace/codeLens/refresh", |_| true);
    };
    assert_eq!(lens["command"]["arguments"], json!([uri, "low", "N", 5]));
    let mut asked = of(&uri, "low");
    asked["parameter"] = json!({"name": "N", "value": 5});
    let answer = client
        .request("stubborn/trace", asked.clone())
        .expect("an answer");
    assert_eq!(list(&answer["trace"], "steps").len(), 1, "{answer:#}");
    // With which value it is a run goes along with it, wherever it is put.
    assert_eq!(answer["trace"]["parameter"], asked["parameter"]);
    let mut written = |form: &str| {
        let mut asked = asked.clone();
        asked["form"] = form.into();
        let answer = client.request("stubborn/traceText", asked);
        let text = answer.expect("an answer")["text"].clone();
        text.as_str().expect("a text").to_owned()
    };
    let text = written("text");
    assert!(text.starts_with("low is violated with N = 5: "), "{text}");
    let saved: Value = serde_json::from_str(&written("json")).expect("JSON");
    assert_eq!(saved["parameters"], json!({"N": 5}));
    let drawn = client
        .request("stubborn/picture", asked.clone())
        .expect("an answer");
    let sentence = drawn["picture"]["sentence"].as_str().expect("a sentence");
    assert!(sentence.starts_with("with N = 5: "), "{sentence}");
    // Of a value of which no run is known there is no picture: the one of the text would be taken for it.
    let mut other = asked.clone();
    other["parameter"]["value"] = 3.into();
    let drawn = client
        .request("stubborn/picture", other)
        .expect("an answer");
    assert!(
        drawn["message"].is_string() && drawn["picture"].is_null(),
        "{drawn}"
    );
    asked["expression"] = "x + N".into();
    let answer = client
        .request("stubborn/evaluate", asked)
        .expect("an answer");
    assert_eq!(list(&answer, "values")[1]["value"], "10", "{answer:#}");
}

#[test]
fn a_client_with_a_panel_is_led_there_and_others_see_no_difference() {
    for has_panel in [true, false] {
        let (mut client, uri) = checked(if has_panel { panel() } else { json!({}) });
        let document = json!({"textDocument": {"uri": uri}});
        let lenses = client
            .request("textDocument/codeLens", document)
            .expect("lenses");
        let commands: Vec<&Value> = lenses
            .as_array()
            .expect("lenses")
            .iter()
            .map(|one| &one["command"])
            .filter(|one| one["title"].as_str().unwrap().starts_with("mutex:"))
            .collect();
        let expected = if has_panel {
            "stubborn.showTrace"
        } else {
            "stubborn.showRun"
        };
        assert_eq!(commands[0]["command"], expected);
        assert_eq!(commands[0]["arguments"], json!([uri, "mutex"]));

        let line = MODEL
            .lines()
            .position(|line| line.starts_with("invariant mutex"));
        let at = json!({"line": line, "character": 12});
        // On the property, and on a line that the run passes.
        for place in [at.clone(), json!({"line": 8, "character": 10})] {
            let asked = json!({"textDocument": {"uri": uri}, "position": place});
            let hover = client
                .request("textDocument/hover", asked)
                .expect("a hover");
            let told = hover["contents"]["value"].as_str().expect("a text");
            let link = "[Show the trace of mutex](command:stubborn.showTrace?%5B%22file%3A%2F%2F";
            assert_eq!(told.contains(link), has_panel, "{told}");
            assert_eq!(told.contains("command:"), has_panel, "{told}");
        }

        let asked = json!({
            "textDocument": {"uri": uri},
            "range": {"start": at, "end": at},
            "context": {"diagnostics": []},
        });
        let actions = client
            .request("textDocument/codeAction", asked)
            .expect("actions");
        let mut actions = actions.as_array().expect("actions").iter();
        let action = actions.find(|one| one["title"] == "Show the trace of mutex");
        assert_eq!(action.is_some(), has_panel);
        if let Some(action) = action {
            assert_eq!(action["kind"], "quickfix");
            assert_eq!(action["command"]["arguments"], json!([uri, "mutex"]));
        }
    }
}

#[test]
fn the_hover_of_a_property_with_parameters_leads_to_the_run_of_each_value_that_has_one() {
    let text = "var x: 0..9\nprocess p { x = 9 }\ninvariant low(k in 0..9): x <= k\n";
    let mut client = Client::start_with(panel());
    let uri = client.open("m.stb", text);
    client.verdicts(&uri);
    let told = client.hover(&uri, text, "low").expect("a hover");
    let (before, _) = told.split_once("\n\n| step |").expect("the table of a run");
    let (_, links) = before.rsplit_once("\n\n").expect("links before it");
    let names: Vec<&str> = links
        .split(" · ")
        .map(|link| link.split("](command:stubborn.showTrace?").next().unwrap())
        .collect();
    let expected = "[Show the trace of low(0)|[low(1)|[low(2)|[low(3)|[low(4)|and 4 more";
    assert_eq!(names.join("|"), expected, "{told}");
    assert!(links.contains("%22low%284%29%22"), "{links}");
}

/// All names of fields in an answer.
pub(super) fn fields(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(all) => {
            for (name, value) in all {
                into.insert(name.clone());
                fields(value, into);
            }
        }
        Value::Array(all) => all.iter().for_each(|value| fields(value, into)),
        _ => {}
    }
}

#[test]
fn every_field_of_an_answer_is_documented() {
    let text = "channel c: queue[1] of 0..3\nvar x: 0..3\n\
                process p { loop { send c(2) if x < 3 { x = x + 1 } } }\n\
                process q { var got: 0..3 loop { receive c(?got) got = 1 / (2 - x) } }\ninvariant low: x < 2\n";
    let mut client = Client::start();
    let uri = client.open("m.stb", text);
    assert_eq!(client.verdicts(&uri)["errors"], "violated");
    let page = include_str!("../../docs/requests.md");
    let mut told = BTreeSet::new();
    for property in ["errors", "low"] {
        let asked = of(&uri, property);
        fields(
            &client
                .request("stubborn/trace", asked.clone())
                .expect("an answer"),
            &mut told,
        );
        let mut asked = asked;
        asked["expression"] = "1 / x".into();
        fields(
            &client
                .request("stubborn/evaluate", asked)
                .expect("an answer"),
            &mut told,
        );
    }
    assert!(
        told.contains("fails") && told.contains("outcome") && told.contains("messages"),
        "{told:?}"
    );
    // Those of the protocol's own kinds of places.
    for known in ["uri", "range", "start", "end", "line", "character"] {
        told.remove(known);
    }
    for name in told {
        let is_there = page.contains(&format!("`{name}`")) || page.contains(&format!("\"{name}\""));
        assert!(is_there, "`{name}` is not in docs/requests.md");
    }
}
