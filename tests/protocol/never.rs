//! What never happens, where only a search that takes every step tells it.

use serde_json::{Value, json};

use super::client::{Client, text_at};
use crate::command_line::folder::Folder;

/// Two assign to the lamp, and into which branch each goes depends on the other; with all steps, some thousand states.
const LAMP: &str = "\
enum Colour { red, green, blue }

var lamp: Colour
var x: 0..9
var y: 0..9
var z: 0..9

process q { while x < 9 { x = x + 1 } }
process r { while y < 9 { y = y + 1 } }
process s { while z < 9 { z = z + 1 } }

process p(i in 1..2) {
    await x == 9 and y == 9 and z == 9
    await lamp != blue;
    do {
        if lamp == blue {
            lamp = red
        } else {
            lamp = green
        }
    }
}
";

fn is_never(one: &Value) -> bool {
    one["code"] == "never-reached"
}

/// What is underlined, and what is said of it but for how many states were searched.
fn said(text: &str, found: &[Value]) -> Vec<(String, String)> {
    let never = found.iter().filter(|one| is_never(one));
    let said = never.map(|one| {
        let message = one["message"].as_str().expect("a message");
        let (message, _) = message.split_once("; ").expect("how many were searched");
        (text_at(text, &one["range"]).to_owned(), message.to_owned())
    });
    said.collect()
}

/// The same as `check --coverage` has it.
fn said_on_the_command_line(text: &str) -> Vec<(String, String)> {
    let folder = Folder::with("model.stb", text);
    let (_, object) = folder.json("check model.stb --coverage");
    assert_eq!(object["coverage"]["untold"], json!([]));
    let never = object["coverage"]["never"].as_array().expect("a list");
    // Lines and columns count from one there.
    let place = |place: &Value| {
        let [line, column] = ["line", "column"].map(|of| place[of].as_u64().expect("a number") - 1);
        json!({"line": line, "character": column})
    };
    let said = never.iter().map(|one| {
        let range = &one["range"];
        let range = json!({"start": place(&range["start"]), "end": place(&range["end"])});
        let message = one["message"].as_str().expect("a message");
        (text_at(text, &range).to_owned(), message.to_owned())
    });
    said.collect()
}

#[test]
fn of_a_value_and_a_branch_that_depend_on_several_it_is_warned_as_on_the_command_line() {
    let mut client = Client::start();
    let uri = client.open("model.stb", LAMP);
    let both = |found: &[Value]| found.iter().filter(|one| is_never(one)).count() == 2;
    let found = client.published(&uri, both);
    let told = said(LAMP, &found);
    assert_eq!(
        told,
        [
            ("lamp", "`lamp` is never `blue`"),
            ("lamp = red", "no run goes into this branch")
        ]
        .map(|(what, message)| (what.to_owned(), message.to_owned()))
    );
    assert_eq!(told, said_on_the_command_line(LAMP));
    // Nobody has waited for it.
    let cost = client.statistics();
    assert_eq!((cost.searches, cost.asides), (1, 1));
    assert!(cost.states < 100, "{cost:?}");
}

#[test]
fn a_comment_or_another_property_has_no_step_taken_again_for_what_never_happens() {
    let mut client = Client::start();
    let uri = client.open("model.stb", LAMP);
    client.published(&uri, |found| found.iter().any(is_never));
    let asked = client.statistics().asides;
    assert_eq!(asked, 1);
    let properties = "\ninvariant dark: lamp != blue\ninvariant low: x <= 9\n";
    for text in [
        format!("// Two lamps.\n\n{LAMP}"),
        format!("{LAMP}{properties}"),
    ] {
        client.look_ahead();
        client.replace_all(&uri, &text);
        client.save(&uri);
        client.verdicts(&uri);
        let found = client.published_now(&uri, |found| found.iter().any(is_never));
        assert_eq!(said(&text, &found), said_on_the_command_line(&text));
        assert_eq!(client.statistics().asides, asked);
    }
    // Another model has its own.
    client.look_ahead();
    let other = LAMP.replace("lamp = green", "lamp = blue");
    client.replace_all(&uri, &other);
    client.published_now(&uri, |found| !found.iter().any(is_never));
    client.save(&uri);
    let found = client.published_now(&uri, |found| found.iter().any(is_never));
    assert_eq!(said(&other, &found), said_on_the_command_line(&other));
}

#[test]
fn of_what_has_too_many_states_nothing_is_said() {
    let large = LAMP.replace('9', "79");
    assert_eq!(said_on_the_command_line(&large), []);
    let mut client = Client::start();
    let uri = client.open("large.stb", &large);
    client.verdicts(&uri);
    // What is asked beside the check of another text is told while that is searched, or after it.
    let other = client.open("small.stb", LAMP);
    client.published(&other, |found| found.iter().any(is_never));
    let commented = format!("// Large.\n{large}");
    client.look_ahead();
    client.replace_all(&uri, &commented);
    client.save(&uri);
    client.verdicts(&uri);
    client.published_now(&uri, |_| true);
    assert_eq!(client.statistics().asides, 2);
    let heard = client.heard.iter();
    let of_large = heard.filter(|one| one["params"]["uri"] == *uri);
    let mut told = of_large.filter_map(|one| one["params"]["diagnostics"].as_array());
    assert!(told.all(|found| !found.iter().any(is_never)));
}
