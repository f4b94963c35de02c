//! Pictures as data: of a process, of all states, and of how states that are too many grow.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::client::Client;
use super::traces::fields;

const LOCK: &str = "\
param N: 1..9 = 2
type Id = 0..N-1
var taken: bool
process worker(i in Id) {
    initial state idle { when not taken -> take }
    state take { do taken = true -> critical }
    state critical { do taken = false -> idle }
}
invariant mutex: count(i in Id: worker(i)@critical) <= 1
";

fn opened(text: &str) -> (Client, String) {
    let mut client = Client::start();
    let uri = client.open("m.stb", text);
    client.verdicts(&uri);
    (client, uri)
}

fn asked(uri: &str, more: &Value) -> Value {
    let mut asked = json!({"textDocument": {"uri": uri}});
    for (name, value) in more.as_object().expect("an object") {
        asked[name] = value.clone();
    }
    asked
}

fn picture(client: &mut Client, uri: &str, more: Value) -> Value {
    let answer = client
        .request("stubborn/picture", asked(uri, &more))
        .expect("an answer");
    assert!(answer["message"].is_null(), "{answer}");
    answer["picture"].clone()
}

fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list").iter();
    list.map(|one| one["label"].as_str().expect("a text").to_owned())
        .collect()
}

#[test]
fn another_value_of_a_parameter_is_drawn_for_a_run_alone() {
    let text = "param N: 1..3 = 2\nvar x: 0..3\nprocess p { while x < N { x = x + 1 } }\ninvariant low: x < 3\n";
    let (mut client, uri) = opened(text);
    let asked = json!({
        "textDocument": {"uri": uri},
        "parameter": {"name": "N", "value": 3}
    });
    let answer = client
        .request("stubborn/picture", asked)
        .expect("an answer");
    let message = answer["message"].as_str().expect("a sentence");
    assert!(
        message.contains("a picture is drawn for the run of a property"),
        "{message}"
    );
}

#[test]
fn of_very_many_instances_the_first_are_offered_and_the_one_that_is_drawn() {
    let (mut client, uri) = opened("process p(i in 0..249) { var x: 0..1 do x = 1 }\n");
    let drawn = picture(&mut client, &uri, json!({"process": "p(240)"}));
    assert_eq!(drawn["title"], "p(240)");
    let offered = drawn["processes"].as_array().expect("a list");
    assert_eq!((offered.len(), &offered[199]), (201, &json!("p(199)")));
    assert_eq!(offered[200], "p(240)");
    assert_eq!(drawn["processesLeftOut"], 49);
    let drawn = picture(&mut client, &uri, json!({"process": "p"}));
    assert_eq!(drawn["processes"].as_array().map(Vec::len), Some(200));
    assert_eq!(drawn["processesLeftOut"], 50);
}

#[test]
fn a_process_is_drawn_without_a_search_with_places_in_the_text() {
    let (mut client, uri) = opened(LOCK);
    let drawn = picture(&mut client, &uri, json!({"process": "worker"}));
    assert_eq!(drawn["kind"], "process");
    assert_eq!(drawn["title"], "worker(0)");
    assert_eq!(drawn["processes"], json!(["worker(0)", "worker(1)"]));
    assert_eq!(drawn["processesLeftOut"], 0);
    assert_eq!(names(&drawn["nodes"]), ["idle", "take", "critical"]);
    assert_eq!(drawn["nodes"][0]["marks"], json!(["initial"]));
    let edge = &drawn["edges"][0];
    assert_eq!(edge["labels"], json!(["when not taken -> take"]));
    assert_eq!(
        edge["place"]["range"]["start"],
        json!({"line": 4, "character": 25})
    );
    assert_eq!(drawn["files"], json!([uri]));
    let other = picture(
        &mut client,
        &uri,
        json!({"process": "worker(1)", "property": "mutex"}),
    );
    assert_eq!(other["title"], "worker(1)");
    assert_eq!(other["property"], "mutex");
    assert!(
        other["nodes"][2]["marks"]
            .as_array()
            .expect("marks")
            .contains(&json!("violation"))
    );
}

#[test]
fn the_process_around_a_place_is_drawn() {
    let (mut client, uri) = opened(LOCK);
    for line in 3..8 {
        let here = json!({"position": {"line": line, "character": 0}});
        assert_eq!(picture(&mut client, &uri, here)["title"], "worker(0)");
    }
}

#[test]
fn a_picture_of_a_text_that_has_changed_meanwhile_is_none() {
    let text = "var x, y, z: 0..999\nprocess p { loop { x = any 0..999 } }\n\
                process q { loop { y = any 0..999 } }\nprocess r { loop { z = any 0..999 } }\n";
    let (mut client, uri) = opened(text);
    let picture = client.ask("stubborn/picture", asked(&uri, &json!({})));
    client.change(
        &uri,
        json!([{"text": "var x: 0..3\nprocess p { x = 1 }\n"}]),
    );
    let error = client.answer(picture).expect_err("the text is another one");
    assert_eq!(error["code"], -32801, "{error}");
}

#[test]
fn all_states_are_drawn_where_they_are_few_with_the_run_of_a_property() {
    let (mut client, uri) = opened(LOCK);
    let drawn = picture(&mut client, &uri, json!({"property": "mutex"}));
    assert_eq!(drawn["kind"], "states");
    assert_eq!(
        drawn["variables"],
        json!(["taken", "worker(0)", "worker(1)"])
    );
    let nodes = drawn["nodes"].as_array().expect("nodes");
    assert_eq!(
        drawn["sentence"],
        format!(
            "{} states can be reached: these, with nothing left out",
            nodes.len()
        )
    );
    let last = nodes.iter().find(|node| {
        node["marks"]
            .as_array()
            .expect("marks")
            .contains(&json!("violation"))
    });
    assert_eq!(
        last.expect("it is there")["values"],
        json!(["true", "critical", "critical"])
    );
    let edges = drawn["edges"].as_array().expect("edges").iter();
    let on_the_run = edges.filter(|edge| !edge["run"].is_null()).count();
    assert_eq!(on_the_run, 4);
    // A property without a run is drawn without one, and it is said why.
    let without = picture(&mut client, &uri, json!({"property": "errors"}));
    assert!(without["property"].is_null());
    assert_eq!(without["whyNoRun"], "`errors` holds: no run violates it.");
}

#[test]
fn of_states_that_are_too_many_it_is_told_how_they_grow() {
    let text = "var x, y: 0..40\nprocess p { loop { x = any 0..40 } }\nprocess q { loop { y = any 0..40 } }\ninvariant low: x + y < 79\n";
    let (mut client, uri) = opened(text);
    let drawn = picture(&mut client, &uri, json!({}));
    assert_eq!(drawn["kind"], "levels");
    assert_eq!(drawn["complete"], true);
    let counted = "counted by a search for this picture alone, breadth first and with nothing left \
                   out, where that for a property may leave states out";
    assert_eq!(
        drawn["sentence"],
        format!("1,681 states can be reached, by at most 2 steps: too much to draw; {counted}")
    );
    let states = drawn["levels"].as_array().expect("levels").iter();
    let states: Vec<u64> = states
        .map(|level| level["states"].as_u64().expect("a number"))
        .collect();
    assert_eq!(states, [1, 80, 1600]);
    let levels = drawn["levels"].as_array().expect("levels").iter();
    assert!(levels.clone().all(|level| level["marks"].is_null()));
    // Beside them stands what the search for the properties has found: what it has left out makes ways longer.
    assert_eq!(
        drawn["searches"],
        json!([{
            "properties": ["errors", "deadlock", "low"],
            "sentence": "199 states; others were not needed",
            "levels": [1, 40, 80, 78],
        }])
    );
    assert_eq!(drawn["searchesLeftOut"], 0);
    let with_run = picture(&mut client, &uri, json!({"property": "low"}));
    assert_eq!(
        with_run["searches"][0]["properties"],
        json!(["low", "errors", "deadlock"])
    );
    assert_eq!(
        with_run["sentence"],
        format!(
            "1,681 states can be reached, by at most 2 steps: too much to draw; the run of `low` has \
             2 steps and ends 2 steps from the start; {counted}"
        )
    );
    let levels = with_run["levels"].as_array().expect("levels").iter();
    let marks: Vec<&Value> = levels.map(|level| &level["marks"]).collect();
    assert_eq!(marks, [&Value::Null, &Value::Null, &json!(["violation"])]);
    let growth = drawn["growth"].as_array().expect("a list");
    assert_eq!(growth.len(), 2);
    assert_eq!(growth[0]["place"]["range"]["start"]["line"], 2);
    let asked = json!({"textDocument": {"uri": uri}});
    let text = client
        .request("stubborn/pictureText", asked)
        .expect("an answer");
    assert_eq!(
        text["message"],
        "The model has 1,681 states, more than a picture shows. `stubborn explore --output FILE.dot` writes them all."
    );
}

#[test]
fn beside_how_the_states_grow_stands_each_search_for_properties_that_of_the_one_asked_about_first()
{
    let text = "\
var x, y: 0..40
process p { loop { x = any 0..40 } }
process q { loop { y = any 0..40 } }
termination not required
invariant low: x + y < 79
";
    let (mut client, uri) = opened(text);
    // What comes with an edit is searched by itself, in what it depends on.
    let more = "invariant narrow(i in 0..1): y + i <= 41\n";
    client.look_ahead();
    client.replace_all(&uri, &format!("{text}{more}"));
    client.save(&uri);
    client.verdicts(&uri);
    let searches = |drawn: &Value| -> Vec<(Value, Value, Value)> {
        let searches = drawn["searches"].as_array().expect("searches").iter();
        let told = |one: &Value| {
            let [properties, sentence, levels] =
                ["properties", "sentence", "levels"].map(|name| one[name].clone());
            (properties, sentence, levels)
        };
        searches.map(told).collect()
    };
    let of_all = (
        json!(["errors", "deadlock", "low"]),
        json!("199 states; others were not needed"),
        json!([1, 40, 80, 78]),
    );
    let of_narrow = (
        json!(["narrow(0)", "narrow(1)"]),
        json!("41 states, all of what they depend on"),
        json!([1, 40]),
    );
    let about_narrow = picture(&mut client, &uri, json!({"property": "narrow"}));
    assert_eq!(searches(&about_narrow), [of_narrow.clone(), of_all.clone()]);
    let about_none = picture(&mut client, &uri, json!({}));
    assert_eq!(searches(&about_none), [of_all, of_narrow]);
    // Where all states are drawn, or a process, there is nothing to count.
    let process = picture(&mut client, &uri, json!({"process": "p"}));
    assert_eq!(searches(&process), []);
}

#[test]
fn a_picture_can_be_had_in_the_language_of_graphviz() {
    let (mut client, uri) = opened(LOCK);
    let asked = json!({"textDocument": {"uri": uri}, "process": "worker"});
    let text = client
        .request("stubborn/pictureText", asked)
        .expect("an answer");
    let text = text["text"].as_str().expect("a text");
    assert!(text.starts_with("digraph \"worker(0)\" {\n"), "{text}");
    assert!(
        text.contains("0 -> 1 [label=\"when not taken -> take\"]"),
        "{text}"
    );
}

#[test]
fn where_there_is_nothing_to_draw_it_is_said_why() {
    let (mut client, uri) = opened(LOCK);
    let mut why = |text: Option<&str>, more: Value| {
        let uri = match text {
            None => uri.clone(),
            Some(text) => client.open("other.stb", text),
        };
        let answer = client
            .request("stubborn/picture", asked(&uri, &more))
            .expect("an answer");
        if text.is_some() {
            client.close(&uri);
        }
        answer["message"].as_str().expect("a message").to_owned()
    };
    assert_eq!(
        why(None, json!({"process": "nobody"})),
        "There is no process `nobody` in the text as it is."
    );
    assert_eq!(
        why(None, json!({"position": {"line": 2, "character": 3}})),
        "There is no process here. Put the cursor into one, or show the states of the whole model."
    );
    assert_eq!(
        why(Some("var x: 0..y\n"), json!({})),
        "The text has errors, so that there is nothing to draw."
    );
    assert_eq!(
        why(Some("var x: bool\n"), json!({})),
        "There is no process in this file. A tester file is drawn with its model."
    );
}

#[test]
fn every_field_of_a_picture_is_documented() {
    let page = include_str!("../../docs/requests.md");
    let page = page
        .split("## Pictures")
        .nth(1)
        .expect("a chapter on pictures");
    let mut told = BTreeSet::new();
    let (mut client, uri) = opened(LOCK);
    fields(
        &picture(&mut client, &uri, json!({"property": "mutex"})),
        &mut told,
    );
    let uri = client.open(
        "large.stb",
        "var x: 0..400\nprocess p { loop { x = any 0..400 } }\n",
    );
    fields(&picture(&mut client, &uri, json!({})), &mut told);
    assert!(told.contains("growth") && told.contains("run"), "{told:?}");
    // Those of the protocol's own kinds of places.
    for known in ["start", "end", "line", "character"] {
        told.remove(known);
    }
    for name in told {
        let is_there = page.contains(&format!("`{name}`")) || page.contains(&format!("\"{name}\""));
        assert!(is_there, "`{name}` is not in docs/requests.md");
    }
}
