//! The server has the client's text, whatever comes and however fast.

use serde_json::{Value, json};

use super::client::{Client, text_at};

/// Numbers that look random and are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// How an encoding counts.
type Units = fn(char) -> usize;

const ENCODINGS: [(&str, Units); 3] = [
    ("utf-8", char::len_utf8),
    ("utf-16", char::len_utf16),
    ("utf-32", |_| 1),
];

fn position(text: &[char], at: usize, units: Units) -> Value {
    let line = text[..at].iter().filter(|c| **c == '\n').count();
    let start = text[..at]
        .iter()
        .rposition(|c| *c == '\n')
        .map_or(0, |end| end + 1);
    let character: usize = text[start..at].iter().map(|c| units(*c)).sum();
    json!({"line": line, "character": character})
}

/// Makes one random edit and gives it as the protocol writes it.
fn edit(text: &mut Vec<char>, random: &mut Random, units: Units) -> Value {
    const INSERTIONS: [&str; 8] = ["a", "𝔸", "é", "\n", " ", "// x\n", "𝕊𝕋", ""];
    let start = random.below(text.len() + 1);
    let end = (start + random.below(4)).min(text.len());
    let with = INSERTIONS[random.below(INSERTIONS.len())];
    let range = json!({"start": position(text, start, units), "end": position(text, end, units)});
    text.splice(start..end, with.chars());
    // Long texts would only make the test slow.
    json!({"range": range, "text": with})
}

#[test]
fn twenty_thousand_edits_sent_without_waiting_leave_the_server_with_the_clients_text() {
    let mut client = Client::start();
    let mut text: Vec<char> = "var x: 0..3\n".chars().collect();
    let uri = client.open("many.stb", &text.iter().collect::<String>());
    let mut random = Random(1);
    for _ in 0..20_000 {
        let change = edit(&mut text, &mut random, char::len_utf16);
        client.change(&uri, json!([change]));
        if text.len() > 400 {
            text = "var y: 0..3\n".chars().collect();
            client.replace_all(&uri, "var y: 0..3\n");
        }
    }
    assert_eq!(client.text(&uri), text.iter().collect::<String>());
}

#[test]
fn requests_between_the_edits_do_not_put_these_out_of_order() {
    let mut client = Client::start();
    let mut text: Vec<char> = "var x: 0..3\n".chars().collect();
    let uri = client.open("mixed.stb", &text.iter().collect::<String>());
    let mut random = Random(2);
    let mut asked = Vec::new();
    for at in 0..2_000 {
        let change = edit(&mut text, &mut random, char::len_utf16);
        client.change(&uri, json!([change]));
        if at % 5 == 0 {
            let position = json!({"line": 0, "character": 4});
            let params = json!({"textDocument": {"uri": uri}, "position": position});
            asked.push(client.ask("textDocument/hover", params));
        }
    }
    assert_eq!(client.text(&uri), text.iter().collect::<String>());
    for id in asked {
        // An answer, or word that the text has changed meanwhile.
        if let Err(error) = client.answer(id) {
            assert_eq!(error["code"], -32801, "{error}");
        }
    }
}

#[test]
fn positions_are_counted_as_client_and_server_have_agreed() {
    for (encoding, units) in ENCODINGS {
        let offered = json!({"general": {"positionEncodings": [encoding]}});
        let mut client = Client::start_in(super::client::Folder::new(), json!({}), offered);
        assert_eq!(client.capabilities["positionEncoding"], encoding);

        let mut text: Vec<char> = "// 𝔸𝔹 é\nvar x: 0..3 // 𝕊\n".chars().collect();
        let uri = client.open("astral.stb", &text.iter().collect::<String>());
        let mut random = Random(3);
        for _ in 0..300 {
            let change = edit(&mut text, &mut random, units);
            client.change(&uri, json!([change]));
        }
        assert_eq!(
            client.text(&uri),
            text.iter().collect::<String>(),
            "{encoding}"
        );

        // What the server says counts the same way.
        let broken = "/* 𝔸é */ var = 1\n";
        client.replace_all(&uri, broken);
        let published = client.published_now(&uri, |found| !found.is_empty());
        let before: usize = broken.chars().take_while(|c| *c != '=').map(units).sum();
        let at = &published[0]["range"]["start"];
        let least = before - 1;
        let character = at["character"].as_u64().unwrap() as usize;
        assert!(
            (least - 1..=before).contains(&character),
            "{encoding}: {at}, `=` at {before}"
        );
    }
}

#[test]
fn a_client_that_offers_no_encoding_counts_in_utf_16() {
    let client = Client::start();
    assert_eq!(client.capabilities["positionEncoding"], "utf-16");
}

#[test]
fn several_changes_in_one_notification_build_on_each_other() {
    let mut client = Client::start();
    let uri = client.open("one.stb", "var x: bool\n");
    let at = |start: u32, end: u32| json!({"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}});
    client.change(
        &uri,
        json!([
            {"range": at(4, 5), "text": "ab"},
            {"range": at(5, 6), "text": "cd"},
        ]),
    );
    assert_eq!(client.text(&uri), "var acd: bool\n");
}

#[test]
fn a_text_that_is_on_no_disk_is_served_too() {
    let mut client = Client::start();
    client.open_uri("untitled:Untitled-1", "var = 3\n");
    client.published("untitled:Untitled-1", |found| !found.is_empty());
    client.replace_all("untitled:Untitled-1", "");
    assert_eq!(client.text("untitled:Untitled-1"), "");
}

#[test]
fn where_it_takes_long_to_know_what_a_text_means_the_mistakes_in_its_grammar_are_told_first() {
    let mut client = Client::start();
    let many: String = (0..20_000)
        .map(|n| format!("def d{n}(x in 0..3): x + {n} > 7\n"))
        .collect();
    let text = |wrong: &str| {
        format!("var x: 0..3\n{many}process p {{ x = 2{wrong} }}\ninvariant low: x < 2\n")
    };
    let uri = client.open("model.stb", &text(""));
    let codes = |told: &[Value]| -> Vec<String> {
        let told = told.iter().filter(|one| one["severity"] != 4);
        told.map(|one| one["code"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    client.published(&uri, |told| codes(told).contains(&"invariant".to_owned()));
    let wrong = text("; x = true }\nprocess q { x =");
    client.replace_all(&uri, &wrong);
    // With what was found, where it stands now.
    let first = client.published_now(&uri, |told| codes(told) == ["syntax", "invariant"]);
    let before = &first[1];
    let message = before["message"].as_str().unwrap();
    assert!(
        message.starts_with("in the text before: low is violated"),
        "{message}"
    );
    assert_eq!(text_at(&wrong, &before["range"]), "low");
    client.published_now(&uri, |told| {
        codes(told) == ["wrong-type", "syntax", "invariant"]
    });
}

#[test]
fn where_it_takes_long_to_know_what_a_text_means_its_mistakes_are_told_before_its_verdicts() {
    let mut client = Client::start();
    let many: String = (0..10_000)
        .map(|n| format!("def d{n}(x in 0..3): x + {n} > 7\n"))
        .collect();
    let text = |name: &str| {
        format!(
            "var x: 0..3\n{many}process p {{ x = 2 }}\ninvariant low: x < 2\ninvariant all: {name} < 4\n"
        )
    };
    let uri = client.open("model.stb", &text("x"));
    let wrong = |told: &[Value]| -> Vec<String> {
        let told = told.iter().filter(|one| one["severity"] != 4);
        told.map(|one| one["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let are = |told: &[Value], so: &[&str]| {
        let wrong = wrong(told);
        let begins = |(one, so): (&String, &&str)| one.starts_with(so);
        wrong.len() == so.len() && wrong.iter().zip(so).all(begins)
    };
    let violated = "low is violated";
    client.published(&uri, |told| are(told, &[violated]));
    // The other property keeps its meaning, and whether it is still violated is not known at once.
    client.replace_all(&uri, &text("y"));
    let (before, unknown) = (
        "in the text before: low is violated",
        "`y` is not known here",
    );
    client.published_now(&uri, |told| are(told, &[before, unknown]));
    client.published_now(&uri, |told| are(told, &[violated, unknown]));
    client.replace_all(&uri, &text("x"));
    client.published_now(&uri, |told| are(told, &[before]));
    client.published_now(&uri, |told| are(told, &[violated]));
    // Where no mistake comes or goes nothing is taken back.
    client.look_ahead();
    client.replace_all(&uri, &text("1 + x"));
    client.published_now(&uri, |told| {
        assert!(!are(told, &[before]), "{told:#?}");
        are(told, &[violated])
    });
}

#[test]
fn while_a_text_is_read_no_verdict_on_the_one_before_is_said_to_be_of_it() {
    let mut client = Client::start();
    let many: String = (0..6_000)
        .map(|n| format!("def d{n}(x in 0..3): x + {n} > 7\n"))
        .collect();
    // One search goes on and on and tells how far it has come; the other is over at once.
    let text = |most: u32| {
        format!(
            "var g: 0..3\nvar c: 0..1000000\nvar e: 0..1000\n{many}process b(i in 0..3) {{\n\
             initial final state a {{ do c = (c * 7 + i) % 1000001 -> a do e = (e + i) % 1001 -> a }}\n}}\n\
             process h {{ g = 2 }}\ninvariant fast: g <= {most}\ninvariant slow: c * e != 999999999\n"
        )
    };
    let verdict_on_fast = |params: &Value| {
        let properties = params["properties"].as_array().expect("properties");
        let mut properties = properties.iter();
        let fast = properties.find(|one| one["name"] == "fast");
        fast.map_or(Value::Null, |fast| fast["verdict"].clone())
    };
    let uri = client.open("model.stb", &text(1));
    client.wait_for("stubborn/verdicts", |params| {
        verdict_on_fast(params) == "violated"
    });
    // What is typed is not checked before it is saved.
    for most in [3, 2, 3] {
        client.look_ahead();
        client.replace_all(&uri, &text(most));
        let version = client.version(&uri);
        client.wait_for("stubborn/verdicts", |params| {
            let is_of_now = params["version"] == version;
            assert!(
                !is_of_now || verdict_on_fast(params).is_null(),
                "{params:#}"
            );
            is_of_now
        });
    }
}

#[test]
fn a_mistake_behind_an_edit_moves_with_its_text() {
    let mut client = Client::start();
    let text = "var x: 0..3\nprocess p { x = 1 }\nconst N = \nprocess q {\n    x = 1\n";
    let uri = client.open("model.stb", text);
    let told = |found: &[Value]| -> Vec<(Value, String)> {
        let errors = found.iter().filter(|one| one["severity"] == 1);
        let told = errors.map(|one| (&one["range"]["start"]["line"], one["message"].as_str()));
        told.map(|(line, message)| (line.clone(), message.unwrap_or_default().to_owned()))
            .collect()
    };
    let found = client.published(&uri, |found| told(found).len() == 2);
    let before = told(&found);
    let place = json!({"line": 1, "character": 12});
    let new_line = json!({"range": {"start": place, "end": place}, "text": "\n"});
    client.change(&uri, json!([new_line]));
    let found = client.published(&uri, |found| told(found) != before);
    let after = told(&found);
    let lines = |told: &[(Value, String)]| -> Vec<Value> {
        told.iter().map(|(line, _)| line.clone()).collect()
    };
    assert_eq!(
        (lines(&before), lines(&after)),
        (vec![json!(2), json!(4)], vec![json!(3), json!(5)])
    );
    assert!(
        before[1].1.contains("line 4") && after[1].1.contains("line 5"),
        "{after:?}"
    );
}
