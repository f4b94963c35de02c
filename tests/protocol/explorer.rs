//! What a client is told that shows the properties beside their text, and what it can ask for.

use serde_json::{Value, json};

use super::checks::ENDLESS;
use super::client::{Client, Folder, text_at};

const MODEL: &str = "\
param N: 1..4 = 2
var x: 0..5

process p {
    loop { x = (x + 1) % 6 }
}

invariant small: x < 3
invariant each(k in 1..2): x < 6 * k
invariant wide: x < N + 9
";

fn client() -> Client {
    Client::start_with(json!({"tellStanding": true}))
}

/// Waits until it is told how the properties stand of the text as it is, and all of them are so.
fn standing(client: &mut Client, uri: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let version = client.version(uri);
    client.wait_for("stubborn/standing", |params| {
        let all = params["properties"].as_array().expect("properties");
        params["uri"] == uri
            && params["version"] == version
            && !all.is_empty()
            && all.iter().all(&is_so)
    })
}

fn has_verdict(one: &Value) -> bool {
    ["holds", "violated", "undecided"].contains(&one["state"].as_str().expect("a state"))
}

fn named<'a>(told: &'a Value, name: &str) -> &'a Value {
    let mut all = told["properties"].as_array().expect("properties").iter();
    all.find(|one| one["name"] == name).expect(name)
}

#[test]
fn every_property_is_told_with_its_place_its_verdict_and_the_words_for_it() {
    let mut client = client();
    let protocol = &client.capabilities["experimental"]["stubborn"]["protocol"];
    assert_eq!(*protocol, json!(1));
    let uri = client.open("m.stb", MODEL);
    let told = standing(&mut client, &uri, has_verdict);
    let small = named(&told, "small");
    assert_eq!(small["state"], "violated");
    assert_eq!(small["right"], false);
    assert_eq!(small["told"], "✗ violated after 3 steps");
    assert_eq!(small["hasRun"], true);
    assert_eq!(small["uri"], uri);
    assert_eq!(text_at(MODEL, &small["range"]), "small");
    let each = named(&told, "each(2)");
    assert_eq!(
        (&each["base"], &each["right"]),
        (&json!("each"), &json!(true))
    );
    assert_eq!(text_at(MODEL, &each["range"]), "each");
    // Of the time of a search that several share no second is told of two of them.
    let all = told["properties"].as_array().unwrap().iter();
    let seconds = |one: &Value, which: &str| one[which].as_f64().unwrap();
    let (of_all, each): (Vec<f64>, Vec<f64>) = all
        .map(|one| (seconds(one, "seconds"), seconds(one, "took")))
        .unzip();
    let own = of_all.iter().zip(&each);
    assert!(
        own.clone()
            .all(|(seconds, took)| (0.0..=*seconds).contains(took))
    );
    assert!(
        each.iter().sum::<f64>() < of_all.iter().sum::<f64>(),
        "{told}"
    );
    let parameter = json!({"name": "N", "from": 1, "to": 4, "value": 2});
    assert_eq!(told["parameters"], json!([parameter]));
    assert_eq!(told["problem"], Value::Null);

    let asked = json!({"textDocument": {"uri": uri}, "property": "small"});
    let told = client.request("stubborn/explanation", asked).unwrap();
    let told = told["markdown"].as_str().unwrap();
    assert!(told.starts_with("✗ **small** is violated"), "{told}");
    assert!(told.contains("| step | who "), "{told}");
}

#[test]
fn an_edit_leaves_outdated_what_it_touches_and_a_mistake_everything_until_the_text_is_checked() {
    let mut client = client();
    let uri = client.open("m.stb", MODEL);
    standing(&mut client, &uri, has_verdict);
    client.look_ahead();
    let mended = MODEL.replace("x < 3", "x < 9");
    client.replace_all(&uri, &mended);
    let told = standing(&mut client, &uri, |_| true);
    let small = named(&told, "small");
    assert_eq!(
        (&small["state"], &small["before"]),
        (&json!("stale"), &json!("violated"))
    );
    assert_eq!(small["right"], Value::Null);
    assert_eq!(named(&told, "wide")["state"], "holds");

    client.replace_all(&uri, &format!("{mended}process q {{ x = }}\n"));
    let told = standing(&mut client, &uri, |one| one["state"] == "stale");
    assert!(
        told["problem"].as_str().unwrap().contains("a mistake"),
        "{told}"
    );
    assert_eq!(text_at(&mended, &named(&told, "wide")["range"]), "wide");

    client.replace_all(&uri, &mended);
    client.save(&uri);
    let told = standing(&mut client, &uri, has_verdict);
    assert_eq!(named(&told, "small")["state"], "holds");
}

#[test]
fn the_testers_of_an_open_model_are_told_of_though_nobody_has_opened_them() {
    let folder = Folder::new();
    let tester = "use \"m.stb\"\n\ninvariant even: x % 2 == 0\ninvariant least: x >= 0\n";
    folder.write("watch.tester", tester);
    let options = json!({"tellStanding": true});
    let mut client = Client::start_in(folder, options, json!({}));
    let model = client.open("m.stb", MODEL);
    let watch = client.uri("watch.tester");
    let told = told_unopened(&mut client, &watch, has_verdict);
    let even = named(&told, "even");
    assert_eq!(
        (&even["state"], &even["uri"]),
        (&json!("violated"), &json!(watch))
    );
    assert_eq!(text_at(tester, &even["range"]), "even");
    assert_eq!(named(&told, "least")["state"], "holds");
    let asked = json!({"textDocument": {"uri": watch}, "property": "even"});
    let explained = client.request("stubborn/explanation", asked).unwrap();
    let explained = explained["markdown"].as_str().unwrap();
    assert!(
        explained.starts_with("✗ **even** is violated"),
        "{explained}"
    );

    // An edit of the model leaves outdated what was found, and a check is for who asks.
    client.look_ahead();
    client.replace_all(&model, &MODEL.replace("x + 1", "x + 2"));
    told_unopened(&mut client, &watch, |one| {
        one["name"] != "even" || one["state"] == "stale"
    });
    let asked = json!({"textDocument": {"uri": watch}, "properties": ["even"]});
    let answer = client.request("stubborn/check", asked).unwrap();
    assert_eq!(answer["properties"][0]["state"], "holds");
    // So is one of all of the model, whose testers are checked with it as after a save.
    client.look_ahead();
    client.replace_all(&model, &MODEL.replace("x + 1", "x + 3"));
    told_unopened(&mut client, &watch, |one| {
        one["name"] != "even" || one["state"] == "stale"
    });
    client.look_ahead();
    let asked = json!({"textDocument": {"uri": model}, "properties": []});
    client.request("stubborn/check", asked).unwrap();
    let told = told_unopened(&mut client, &watch, has_verdict);
    assert_eq!(named(&told, "even")["state"], "violated");

    // Open it is one as all others, and closed again it is told of as before.
    client.open("watch.tester", tester);
    standing(&mut client, &watch, has_verdict);
    client.look_ahead();
    client.close(&watch);
    told_unopened(&mut client, &watch, has_verdict);
    // Without its model it is nobody's, and with it it is news again.
    client.close(&model);
    client.look_ahead();
    client.open_again(&model, MODEL);
    told_unopened(&mut client, &watch, has_verdict);
}

/// Waits until it is told how the properties of a tester stand that is not open, and all of them are so.
fn told_unopened(client: &mut Client, uri: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    client.wait_for("stubborn/standing", |params| {
        let all = params["properties"].as_array().expect("properties");
        params["uri"] == uri && params["version"].is_null() && all.iter().all(&is_so)
    })
}

#[test]
fn one_property_is_checked_for_who_asks_and_the_answer_comes_when_it_is_decided() {
    let mut client = client();
    let uri = client.open("m.stb", MODEL);
    standing(&mut client, &uri, has_verdict);
    client.replace_all(&uri, &MODEL.replace("% 6", "% 5"));
    let check = |client: &mut Client, properties: Value| {
        let asked = json!({"textDocument": {"uri": uri}, "properties": properties});
        client.request("stubborn/check", asked)
    };
    let answer = check(&mut client, json!(["each"])).unwrap();
    let names: Vec<&Value> = answer["properties"].as_array().unwrap().iter().collect();
    let names: Vec<_> = names
        .iter()
        .map(|one| (&one["name"], &one["state"]))
        .collect();
    let holds = json!("holds");
    assert_eq!(
        names,
        [(&json!("each(1)"), &holds), (&json!("each(2)"), &holds)]
    );
    // The others stand as they stood.
    let told = standing(&mut client, &uri, |one| {
        one["base"] != "each" || has_verdict(one)
    });
    assert_eq!(named(&told, "small")["state"], "stale");
    let all = check(&mut client, json!([])).unwrap();
    assert!(
        all["properties"]
            .as_array()
            .unwrap()
            .iter()
            .all(has_verdict)
    );
    // What is known is not searched again, and answered.
    let before = client.statistics().searches;
    check(&mut client, json!([])).unwrap();
    assert_eq!(client.statistics().searches, before);

    let nowhere = json!({"textDocument": {"uri": client.uri("nowhere.stb")}});
    let refused = client.request("stubborn/check", nowhere).unwrap_err();
    assert_eq!(refused["message"], "no open file has this name");
}

#[test]
fn a_check_without_limits_says_how_far_it_is_until_who_asked_takes_it_back() {
    let mut client = Client::start_in(
        Folder::new(),
        json!({"tellStanding": true, "check": {"budget": 0.01}}),
        json!({}),
    );
    let uri = client.open("endless.stb", ENDLESS);
    standing(&mut client, &uri, has_verdict);
    client.look_ahead();
    let asked = json!({"textDocument": {"uri": uri}, "properties": ["sum"], "unlimited": true});
    let id = client.ask("stubborn/check", asked);
    let far = |params: &Value| {
        let first = &params["searches"][0];
        first["unlimited"] == true && first["statesPerSecond"].as_u64() > Some(0)
    };
    let told = client.wait_for("stubborn/checking", far);
    let first = &told["searches"][0];
    assert_eq!(
        (&first["uri"], &first["name"]),
        (&json!(uri), &json!("endless.stb"))
    );
    assert_eq!(first["open"], 1);
    client.look_ahead();
    client.notify("$/cancelRequest", json!({"id": id}));
    client.wait_for("stubborn/checking", |params| {
        params["searches"] == json!([])
    });
    let told = standing(&mut client, &uri, has_verdict);
    assert_eq!(named(&told, "sum")["state"], "undecided");

    // And so does who wants all searches to stop.
    let asked = json!({"textDocument": {"uri": uri}, "unlimited": true});
    client.look_ahead();
    let id = client.ask("stubborn/check", asked);
    client.wait_for("stubborn/checking", far);
    let stop = json!({"command": "stubborn.stopChecking", "arguments": []});
    client.request("workspace/executeCommand", stop).unwrap();
    let answer = client.answer(id).unwrap();
    let all = answer["properties"].as_array().unwrap();
    assert!(all.iter().all(has_verdict), "{answer}");
}

#[test]
fn who_does_not_ask_for_it_is_told_nothing_of_it() {
    let mut client = Client::start();
    let uri = client.open("m.stb", MODEL);
    client.verdicts(&uri);
    let ours = ["stubborn/standing", "stubborn/checking"];
    let is_ours = |heard: &Value| ours.iter().any(|ours| heard["method"] == *ours);
    assert!(!client.heard.iter().any(is_ours));
}
