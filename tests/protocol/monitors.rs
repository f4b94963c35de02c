//! Testers, automata and formulas in the editor: checked on save as every other property is.

use serde_json::Value;

use super::client::{Client, text_at};

const MODEL: &str = "\
enum Drink { tea, coffee }
action coin
action serve(Drink)

process machine {
    initial final state idle { on coin -> paid }
    state paid {
        -> ready
        -> no_tea
    }
    state ready { on serve(*) -> idle }
    state no_tea { on serve(coffee) -> idle }
}

termination not required
";

const TESTER: &str = "\
use \"machine.stb\"

/// Who has paid and wants tea is not refused it.
tester tea_lover {
    initial state idle { on coin -> paid  on serve(*) -> idle }
    deadlock state paid { on serve(tea) -> idle }
}

buchi out_for_ever {
    observe ready = machine@ready
    initial state before { -> before  -> after }
    initial infinite state after when not ready { -> after }
}

ltl served: always (machine@paid implies eventually machine@idle)

invariant calm: not machine@no_tea or machine@no_tea
";

fn is_about(diagnostic: &Value, code: &str) -> bool {
    diagnostic["severity"] == 1 && diagnostic["code"] == code
}

#[test]
fn a_violated_tester_is_underlined_and_its_hover_shows_what_it_did() {
    let mut client = Client::start();
    client.folder.write("machine.stb", MODEL);
    let uri = client.open("machine.tester", TESTER);
    let verdicts = client.verdicts(&uri);
    for (name, verdict) in [
        ("deadlock", "holds"),
        ("calm", "holds"),
        ("tea_lover", "violated"),
        ("out_for_ever", "violated"),
        ("served", "holds"),
    ] {
        assert_eq!(verdicts[name], verdict, "{name}");
    }
    let published = client.published(&uri, |found| {
        found.iter().any(|one| is_about(one, "tester"))
    });
    let violation = published.iter().find(|one| is_about(one, "tester"));
    let violation = violation.expect("the tester is violated");
    assert_eq!(text_at(TESTER, &violation["range"]), "tea_lover");
    let message = violation["message"].as_str().expect("a message");
    assert!(
        message.starts_with("tea_lover is violated: after 2 steps"),
        "{message}"
    );
    assert!(message.contains("refused: `serve(tea)`"), "{message}");
    let first = violation["relatedInformation"][0]["message"].as_str();
    assert_eq!(
        first,
        Some("step 1: machine, tea_lover on coin: idle → paid, idle → paid")
    );

    // The hint about what a state of the tester leaves out.
    let hints = published
        .iter()
        .filter(|one| one["code"] == "missing-visible-action");
    let hinted: Vec<&str> = hints.map(|one| text_at(TESTER, &one["range"])).collect();
    assert_eq!(hinted, ["paid"]);

    let hover = client.hover(&uri, TESTER, "tea_lover").expect("a hover");
    assert!(
        hover.contains("**tea\\_lover** is violated")
            || hover.contains("**tea_lover** is violated"),
        "{hover}"
    );
    assert!(
        hover.lines().any(|line| {
            line.contains("| machine: coin, tea_lover ")
                && line.contains("| idle → paid, idle → paid ")
        }),
        "{hover}"
    );
    let hover = client.hover(&uri, TESTER, "out_for_ever").expect("a hover");
    assert!(hover.contains("again and again"), "{hover}");
}

#[test]
fn an_edit_in_one_property_searches_for_no_other() {
    let mut client = Client::start();
    client.folder.write("machine.stb", MODEL);
    let uri = client.open("machine.tester", TESTER);
    let before = client.verdicts(&uri);
    let cost = client.statistics();

    // A comment, and the name of a tester's state, mean nothing to a verdict.
    client.look_ahead();
    let renamed = TESTER
        .replace("after", "silenced")
        .replace("/// Who has paid", "/// Who paid");
    client.replace_all(&uri, &renamed);
    client.save(&uri);
    assert_eq!(client.verdicts(&uri), before);
    let after = client.statistics();
    assert_eq!((after.states, after.searches), (cost.states, cost.searches));
    let hover = client
        .hover(&uri, &renamed, "out_for_ever")
        .expect("a hover");
    assert!(hover.contains("silenced"), "{hover}");

    // The tester drinks coffee too; nobody else is asked again.
    client.look_ahead();
    let content = renamed.replace("{ on serve(tea) -> idle }", "{ on serve(*) -> idle }");
    client.replace_all(&uri, &content);
    client.save(&uri);
    let verdicts = client.verdicts(&uri);
    assert_eq!(verdicts["tea_lover"], "holds");
    assert_eq!(verdicts["out_for_ever"], "violated");
    let after = client.statistics();
    assert_eq!(after.searches, cost.searches + 1);
    assert!(after.reused >= before.len() as u64 - 1, "{after:?}");
    assert!(after.states < cost.states + 20, "{cost:?}, {after:?}");
}

#[test]
fn a_tester_that_is_no_longer_there_takes_its_verdict_with_it() {
    let mut client = Client::start();
    client.folder.write("machine.stb", MODEL);
    let uri = client.open("machine.tester", TESTER);
    client.published(&uri, |found| {
        found.iter().any(|one| is_about(one, "tester"))
    });
    client.look_ahead();
    let without = TESTER.replace("deadlock state paid", "state paid");
    client.replace_all(&uri, &without);
    client.published_now(&uri, |found| {
        !found.iter().any(|one| is_about(one, "tester"))
    });
    client.save(&uri);
    assert_eq!(client.verdicts(&uri)["tea_lover"], "holds");
}
