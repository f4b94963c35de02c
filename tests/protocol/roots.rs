//! Files that are checked for themselves and used by others: each is told what is true of it.

use serde_json::{Value, json};

use super::checks::ENDLESS;
use super::client::{Client, text_at};

const MODEL: &str = "\
var x: 0..5
process p { loop { either { do x = 1 } or { do x = 0 } } }
invariant low: x < 2
termination not required
";
/// With it the model's property is violated.
const BREAKER: &str = "use \"m.stb\"\nprocess breaker { loop { x = 5 } }\n";

fn says(all: &[Value], what: &str) -> bool {
    all.iter()
        .any(|one| one["message"].as_str().unwrap().contains(what))
}

#[test]
fn what_a_file_makes_of_what_it_uses_is_told_in_it_and_not_where_it_is_not_so() {
    let mut client = Client::start();
    let model = client.open("m.stb", MODEL);
    assert_eq!(client.verdicts(&model)["low"], "holds");
    let user = client.open("b.stb", BREAKER);
    let told = client.published(&user, |all| says(all, "low is violated"));
    let violation = told
        .iter()
        .find(|one| says(std::slice::from_ref(one), "low is violated"));
    let violation = violation.expect("a message");
    assert_eq!(text_at(BREAKER, &violation["range"]), "use \"m.stb\"");
    let message = violation["message"].as_str().unwrap();
    assert!(
        message.starts_with("with what this file adds, low is violated"),
        "{message}"
    );
    let stands = &violation["relatedInformation"][0]["location"];
    assert_eq!(stands["uri"], model);
    client.look_ahead();
    // Whatever is said of the model itself since then, that it is violated is not.
    client.change(&model, json!([{"text": MODEL.replace("x < 2", "x < 3")}]));
    client.save(&model);
    client.verdicts(&model);
    let heard = client
        .heard
        .iter()
        .filter(|one| one["params"]["uri"] == *model);
    for one in heard.filter(|one| one["method"] == "textDocument/publishDiagnostics") {
        let all = one["params"]["diagnostics"].as_array().unwrap();
        assert!(!says(all, "low is violated"), "{all:#?}");
    }
}

#[test]
fn what_is_undecided_is_told_in_the_file_in_which_it_stands() {
    let mut client = Client::start_with(json!({"check": {"budget": 0.1}}));
    let model = client.open("m.stb", ENDLESS);
    let tester = client.open(
        "t.tester",
        "use \"m.stb\"\ninvariant mine: a + b < 900000\n",
    );
    client.published(&tester, |all| says(all, "mine is undecided"));
    let told = client.published(&model, |all| {
        says(all, "sum, errors and deadlock are undecided")
    });
    assert!(!says(&told, "mine"), "{told:#?}");
}

#[test]
fn a_model_that_is_closed_unsaved_is_for_its_tester_what_is_on_the_disk() {
    let mut client = Client::start();
    client.folder.write("m.stb", MODEL);
    let model = client.open("m.stb", MODEL);
    let wide = MODEL.replace("x = 1", "x = 4");
    client.replace_all(&model, &wide);
    let tester = client.open("t.tester", "use \"m.stb\"\ninvariant mine: x == 0\n");
    assert_eq!(client.verdicts(&tester)["mine"], "violated");
    client.look_ahead();
    client.close(&model);
    client.wait_for("stubborn/verdicts", |params| {
        let properties = params["properties"].as_array().unwrap();
        let mut properties = properties.iter();
        params["uri"] == *tester
            && params["checking"] == false
            && properties.all(|one| one["verdict"].is_string())
    });
    client.published_now(&tester, |all| {
        says(all, "mine is violated") && !says(all, "in the text before")
    });
}

#[test]
fn a_search_of_a_file_that_stays_is_not_lost_with_one_that_is_closed() {
    let mut client = Client::start_with(json!({"check": {"budget": 0}}));
    client.folder.write("m.stb", ENDLESS);
    let user = client.open(
        "b.stb",
        "use \"m.stb\"\nvar y: bool\nprocess q { loop { y = not y } }\n",
    );
    let is_running = |uri: String| {
        move |params: &Value| {
            let properties = params["properties"].as_array().unwrap();
            let mut states = properties.iter().map(|one| &one["state"]);
            params["uri"] == *uri && states.any(|state| state == "running")
        }
    };
    client.wait_for("stubborn/verdicts", is_running(user.clone()));
    let model = client.open("m.stb", ENDLESS);
    client.wait_for("stubborn/verdicts", is_running(model.clone()));
    client.close(&user);
    client.look_ahead();
    // It is told with its figures for as long as it goes on.
    client.wait_for("stubborn/verdicts", is_running(model));
}
