//! Other values of a parameter, checked without an edit.

use serde_json::{Value, json};

use super::client::{Client, Folder};

const MODEL: &str = "\
param N: 1..6 = 2
var x: 0..9
process p { x = N }
invariant low: x < 4
";

fn start() -> Client {
    let capabilities = json!({
        "workspace": {"codeLens": {"refreshSupport": true}},
        "window": {"showDocument": {"support": true}},
    });
    Client::start_in(Folder::new(), json!({}), capabilities)
}

/// What stands over the parameter, once it `is_it`.
fn lenses(client: &mut Client, uri: &str, is_it: impl Fn(&[String]) -> bool) -> Vec<Value> {
    loop {
        client.look_ahead();
        let asked = json!({"textDocument": {"uri": uri}});
        let all = client
            .request("textDocument/codeLens", asked)
            .expect("lenses");
        let all = all.as_array().expect("lenses").iter();
        let all = all.filter(|one| one["range"]["start"]["line"] == 0);
        let all: Vec<Value> = all.cloned().collect();
        let titles = all.iter().map(title).collect::<Vec<_>>();
        if is_it(&titles) {
            return all;
        }
        client.wait_for("workspace/codeLens/refresh", |_| true);
    }
}

fn title(lens: &Value) -> String {
    lens["command"]["title"]
        .as_str()
        .expect("a title")
        .to_owned()
}

fn click(client: &mut Client, lens: &Value) -> Value {
    let command = &lens["command"];
    let asked = json!({"command": command["command"], "arguments": command["arguments"]});
    client
        .request("workspace/executeCommand", asked)
        .expect("an answer")
}

#[test]
fn other_values_are_checked_by_a_click_and_what_they_gave_stays_in_sight() {
    let mut client = start();
    let uri = client.open("m.stb", MODEL);
    let offered = lenses(&mut client, &uri, |all| !all.is_empty());
    assert_eq!(title(&offered[0]), "check with N = 3, 4, 5");
    click(&mut client, &offered[0]);
    let given = lenses(&mut client, &uri, |all| {
        let is_done = |one: &&String| one.contains('✓') || one.contains('✗');
        all.iter().filter(is_done).count() == 3
    });
    let titles: Vec<String> = given.iter().map(title).collect();
    assert_eq!(
        titles,
        [
            "N = 3: ✓ all 4 hold",
            "N = 4: ✗ low violated · show the run",
            "N = 5: ✗ low violated · show the run",
            "check with N = 6",
            "find the smallest N that violates a property",
        ]
    );
    let run = click(&mut client, &given[1]);
    assert!(
        run["text"].as_str().expect("a text").contains("x = 4"),
        "{run}"
    );
    // What the text itself says is not touched by it.
    let hover = client.hover(&uri, MODEL, "low").expect("a hover");
    assert!(hover.contains("holds"), "{hover}");
    let states = client.statistics().states;
    client.change(&uri, json!([{"text": format!("{MODEL}// a comment\n")}]));
    client.save(&uri);
    lenses(&mut client, &uri, |all| all[0] == "N = 3: ✓ all 4 hold");
    assert_eq!(client.statistics().states, states);
    client.replace_all(&uri, &MODEL.replace("x = N", "x = N + 1"));
    let stale = lenses(&mut client, &uri, |all| all[0].contains('○'));
    assert_eq!(
        title(&stale[0]),
        "N = 3: ○ not checked as it is now · check"
    );
}

#[test]
fn the_smallest_value_that_violates_a_property_is_found() {
    let mut client = start();
    let uri = client.open("m.stb", MODEL);
    let offered = lenses(&mut client, &uri, |all| !all.is_empty());
    click(&mut client, &offered[1]);
    let told = client.wait_for("window/showMessage", |_| true);
    assert_eq!(
        told["message"],
        "N = 4 is the smallest value that is known to violate a property: low"
    );
    let none = client.open("n.stb", &MODEL.replace("x < 4", "x < 9"));
    let offered = lenses(&mut client, &none, |all| !all.is_empty());
    client.look_ahead();
    click(&mut client, &offered[1]);
    let told = client.wait_for("window/showMessage", |_| true);
    assert_eq!(told["message"], "no value of N violates a property");
}

#[test]
fn a_value_that_a_parameter_cannot_have_is_refused_with_the_reason() {
    let mut client = start();
    let uri = client.open("m.stb", MODEL);
    let mut ask = |command: &str, arguments: Value| {
        let asked = json!({"command": command, "arguments": arguments});
        let refused = client.request("workspace/executeCommand", asked);
        refused.expect_err("a refusal")["message"].clone()
    };
    assert_eq!(
        ask("stubborn.checkValues", json!([uri, "N", [3, 7]])),
        "7 is outside 1..6, the range of the parameter `N`"
    );
    assert_eq!(
        ask(
            "stubborn.checkValues",
            json!([uri, "N", [1, 2, 3, 4, 5, 6, 1, 2, 3]])
        ),
        "at most 8 values are checked at once"
    );
    assert_eq!(
        ask("stubborn.findSmallestViolation", json!([uri, "M"])),
        "there is no parameter `M` in the text as it is"
    );
    assert_eq!(
        ask("stubborn.checkValues", json!([uri, "N", 3])),
        "the third argument is a list of values"
    );
}

/// A search through a million values that violate nothing has begun: its file, its text, and what stands
/// over the parameter.
fn searching(client: &mut Client) -> (String, String, Vec<Value>) {
    let text = MODEL.replace("1..6", "1..1000000");
    let text = text.replace("x = N", "x = 1");
    let uri = client.open("m.stb", &text);
    assert_eq!(client.verdicts(&uri)["low"], "holds");
    let offered = lenses(client, &uri, |all| !all.is_empty());
    client.look_ahead();
    click(client, &offered[1]);
    let looking = lenses(client, &uri, |all| {
        all.iter().any(|one| one.contains("· stop"))
    });
    (uri, text, looking)
}

#[test]
fn an_edit_ends_the_search_for_the_smallest_value() {
    let mut client = start();
    let (uri, text, _) = searching(&mut client);
    // The System of the text itself stays as it is.
    client.replace_all(&uri, &text.replace("x < 4", "x < 4 and N < 1000000"));
    let told = client.wait_for("window/showMessage", |_| true);
    let message = told["message"].as_str().expect("a message");
    assert!(message.contains("has ended at"), "{message}");
}

#[test]
fn the_search_for_the_smallest_value_can_be_stopped_and_says_nothing_of_the_file_itself() {
    let mut client = start();
    let (uri, _, looking) = searching(&mut client);
    let since = client.heard.len();
    // Some values are gone through.
    let at = |lenses: &[Value]| {
        let titles: Vec<String> = lenses.iter().map(title).collect();
        let looking = titles.iter().find(|one| one.contains("· stop"));
        looking.expect("a lens").clone()
    };
    let before = at(&looking);
    let looking = lenses(&mut client, &uri, |all| {
        all.iter()
            .any(|one| one.contains("· stop") && *one != before)
    });
    let stop = looking.iter().find(|one| title(one).contains("· stop"));
    click(&mut client, stop.expect("a lens"));
    lenses(&mut client, &uri, |all| {
        all.iter().any(|one| one.starts_with("find the smallest"))
    });
    let told = client.heard[since..]
        .iter()
        .filter(|one| one["params"]["uri"] == *uri);
    assert_eq!(told.count(), 0);
}
