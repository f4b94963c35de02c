//! Sessions without a process around them: whatever a client sends is answered, and once.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};

use super::protocol::{Client, Request};
use super::session::Session;
use super::wishes::Wishes;

const MODEL: &str = "\
enum Colour { red, green }
type Id = 0..1
var lamp: record { colour: Colour, lit: bool }
var seen: array[Id] of array[1..2] of 0..3
channel c[Id]: queue[2] of Id, Colour
action meet(Id)
process p(i in Id) {
    var j: 0..3
    loop {
        either { j = (j + 1) % 4 }
        or { send c[i](i, green) }
        or { on meet(*) do seen[i][1] = j }
        or { receive c[1 - i](*, *) do lamp.lit = not lamp.lit }
        or { stop }
    }
}
invariant low: seen[0][1] + seen[1][1] < 5
ltl dark: always not lamp.lit
";

#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<u8>>>);

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nobody panics").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is said when these requests come in, each with its arguments.
fn said(requests: &[(&str, Value)]) -> Vec<Value> {
    let heard = Heard::default();
    let client = Arc::new(Client::new(Box::new(heard.clone())));
    let requests = requests.iter().zip(1..).map(|((command, arguments), seq)| {
        let message =
            json!({"type": "request", "seq": seq, "command": command, "arguments": arguments});
        Request::read(message.to_string().as_bytes()).expect("a request")
    });
    Session::new(client, Arc::new(Wishes::default())).serve(requests);
    let bytes = heard.0.lock().expect("nobody panics").clone();
    let text = String::from_utf8(bytes).expect("text");
    let bodies = text.split("Content-Length: ").skip(1);
    bodies
        .map(|one| {
            let (length, body) = one.split_once("\r\n\r\n").expect("a head");
            assert_eq!(length.parse(), Ok(body.len()));
            serde_json::from_str(body).expect("JSON")
        })
        .collect()
}

const COMMANDS: [&str; 28] = [
    "initialize",
    "launch",
    "attach",
    "setBreakpoints",
    "breakpointLocations",
    "setExceptionBreakpoints",
    "configurationDone",
    "threads",
    "stackTrace",
    "scopes",
    "variables",
    "variables",
    "evaluate",
    "evaluate",
    "stepInTargets",
    "continue",
    "continue",
    "reverseContinue",
    "next",
    "stepIn",
    "stepIn",
    "stepOut",
    "takeStep",
    "exceptionInfo",
    "stepBack",
    "restart",
    "pause",
    "flyAway",
];

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => (0..60_i64).prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => Just(json!("one")),
        1 => Just(Value::Null),
    ]
}

fn expression() -> impl Strategy<Value = Value> {
    prop_oneof![
        proptest::sample::select(vec![
            "lamp",
            "seen[i]",
            "j / (j - 1)",
            "c[0]",
            "p(1)",
            "p(i)@end",
            "i",
            "",
            "seen[0][9]",
            "meet",
            "lamp with {",
        ])
        .prop_map(Value::from),
        "[a-z(\\[{i. ]{0,12}".prop_map(Value::from),
        number(),
    ]
}

/// A request, of which many have the arguments that they should have.
fn request(path: String) -> impl Strategy<Value = (&'static str, Value)> {
    let command = proptest::sample::select(COMMANDS.to_vec());
    let numbers = (number(), number(), number(), number(), number());
    (command, numbers, expression(), 0..10).prop_map(move |(command, numbers, text, odd)| {
        let (a, b, c, d, e) = numbers;
        if odd == 0 {
            return (command, a);
        }
        let source = json!({"path": path});
        let arguments = json!({
            "program": path, "threadId": a, "frameId": b, "variablesReference": c, "start": d, "count": e,
            "targetId": if odd < 4 { d } else { Value::Null }, "line": e, "endLine": a, "source": source,
            "breakpoints": [{"line": b, "condition": text}], "expression": text,
        });
        // What is wrong of one field alone is to be wrong of that one.
        (command, arguments)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn every_request_is_answered_once_and_in_its_turn(
        simulates: bool,
        requests in proptest::collection::vec(request("PATH".to_owned()), 1..60),
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("m.stb");
        std::fs::write(&path, MODEL).expect("a model");
        let path = path.to_string_lossy().into_owned();
        let mode = if simulates { "simulate" } else { "counterexample" };
        let mut all = vec![
            ("initialize", json!({"adapterID": "x"})),
            ("launch", json!({"program": path, "mode": mode})),
            ("configurationDone", Value::Null),
            ("scopes", json!({"frameId": 1})),
        ];
        let placed = requests.into_iter().map(|(command, arguments)| {
            let text = arguments.to_string().replace("\"PATH\"", &json!(path).to_string());
            (command, serde_json::from_str(&text).expect("JSON"))
        });
        all.extend(placed);
        all.push(("disconnect", Value::Null));
        all.push(("threads", Value::Null));
        let said = said(&all);
        let answers: Vec<&Value> = said.iter().filter(|one| one["type"] == "response").collect();
        // What comes behind `disconnect` nobody hears.
        let expected: Vec<i64> = (1..all.len() as i64).collect();
        let answered: Vec<i64> = answers.iter().filter_map(|one| one["request_seq"].as_i64()).collect();
        prop_assert_eq!(answered, expected);
        for answer in &answers {
            let why = answer["message"].as_str().unwrap_or_default();
            prop_assert!(!why.contains("has a bug"), "{}", answer);
            prop_assert_eq!(answer["success"] == false, !why.is_empty());
        }
        prop_assert!(said.iter().all(|one| !one.to_string().contains("has a bug")));
        // Each button leads to one stop.
        let launched = answers[1]["success"] == true;
        prop_assert!(launched, "{}", answers[1]);
        let buttons = ["configurationDone", "continue", "reverseContinue", "next", "stepIn", "stepOut", "takeStep", "stepBack", "restart", "pause"];
        let pressed = answers.iter().filter(|one| {
            one["success"] == true && buttons.iter().any(|button| one["command"] == *button)
        });
        let stops = said.iter().filter(|one| one["event"] == "stopped");
        prop_assert_eq!(pressed.count(), stops.count());
    }
}

#[test]
fn what_goes_on_stops_for_a_request_that_waits_and_for_none_that_had_its_turn() {
    let wishes = Wishes::default();
    let request = |command: &str| {
        let message = json!({"type": "request", "seq": 1, "command": command});
        Request::read(message.to_string().as_bytes()).expect("a request")
    };
    for command in ["pause", "restart"] {
        wishes.hear(&request(command));
        assert!(wishes.to_stop() && !wishes.to_end());
        wishes.is_answered(&request(command));
        assert!(!wishes.to_stop());
    }
    wishes.is_answered(&request("pause"));
    wishes.hear(&request("next"));
    assert!(!wishes.to_stop());
    wishes.hear(&request("disconnect"));
    assert!(wishes.to_stop() && wishes.to_end());
}

#[test]
fn lines_and_columns_are_counted_as_the_client_counts_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.stb");
    std::fs::write(&path, MODEL).expect("a model");
    let path = path.to_string_lossy().into_owned();
    let at = |starts_at_1: bool| {
        let said = said(&[
            (
                "initialize",
                json!({"linesStartAt1": starts_at_1, "columnsStartAt1": starts_at_1}),
            ),
            ("launch", json!({"program": path, "mode": "simulate"})),
            (
                "setBreakpoints",
                json!({"source": {"path": path}, "breakpoints": [{"line": 9}]}),
            ),
            ("stackTrace", json!({"threadId": 1})),
        ]);
        let answer = |at: usize| {
            let mut answers = said.iter().filter(|one| one["type"] == "response");
            answers.nth(at).expect("an answer")["body"].clone()
        };
        let frame = &answer(3)["stackFrames"][0];
        let numbers = [
            &answer(2)["breakpoints"][0]["line"],
            &frame["line"],
            &frame["column"],
        ];
        numbers.map(|one| one.as_i64().expect("a number"))
    };
    assert_eq!(at(true), [10, 10, 9]);
    assert_eq!(at(false), [9, 9, 8]);
}

/// A file with this text, for as long as its folder is there.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.stb");
    std::fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("a path").to_owned();
    (folder, path)
}

/// Why a session along a run cannot begin.
fn refused(text: &str, property: Option<&str>) -> String {
    let (_folder, path) = file(text);
    let said = said(&[("launch", json!({"program": path, "property": property}))]);
    let answer = said.iter().find(|one| one["type"] == "response");
    let why = answer.expect("an answer")["message"].as_str();
    let why = why.expect("it is refused");
    why.replace(&path, "m.stb")
}

#[test]
fn of_what_has_a_mistake_nobody_says_that_it_holds() {
    let text =
        "var x: 0..1\nprocess p { x = 1 }\ninvariant low: y == 0\ninvariant in_range: x < 2\n";
    assert_eq!(
        refused(text, None),
        "what has a meaning holds, and not everything has one, as there is a mistake: m.stb:3: `y` is not known here; a `var`, `const` or `def` of this name would declare it"
    );
    assert_eq!(
        refused(text, Some("low")),
        "there is no property `low` that has a meaning, as there is a mistake: m.stb:3: `y` is not known here; a `var`, `const` or `def` of this name would declare it"
    );
    assert!(refused(text, Some("in_range")).starts_with("in_range holds: "));
}

#[test]
fn who_begins_again_hears_that_the_text_is_another_one_by_now() {
    let (_folder, path) = file("process p { loop { skip } }\n");
    let heard = Heard::default();
    let client = Arc::new(Client::new(Box::new(heard.clone())));
    let request = |seq: u64, command: &str, arguments: Value| {
        let message =
            json!({"type": "request", "seq": seq, "command": command, "arguments": arguments});
        Request::read(message.to_string().as_bytes()).expect("a request")
    };
    let launch = request(1, "launch", json!({"program": path, "mode": "simulate"}));
    let (first, second) = (
        request(2, "restart", Value::Null),
        request(3, "restart", Value::Null),
    );
    let requests = [launch, first].into_iter();
    let edited = std::iter::once_with(|| {
        let text = String::from_utf8(heard.0.lock().expect("nobody panics").clone());
        assert!(!text.expect("text").contains("has changed"));
        std::fs::write(&path, "\nprocess p { loop { skip } }\n").expect("a file");
        second
    });
    Session::new(client, Arc::new(Wishes::default())).serve(requests.chain(edited));
    let bytes = heard.0.lock().expect("nobody panics").clone();
    let text = String::from_utf8(bytes).expect("text");
    assert!(
        text.contains("has changed since this session began"),
        "{text}"
    );
}

#[test]
fn of_many_that_wait_some_are_told_and_how_many_there_are_besides() {
    let (_folder, path) =
        file("param N: 1..999 = 500\nvar go: bool\nprocess p(i in 1..N) { await go }\n");
    let said = said(&[
        ("launch", json!({"program": path, "mode": "simulate"})),
        ("continue", json!({"threadId": 1})),
    ]);
    let stopped = said.iter().rev().find(|one| one["event"] == "stopped");
    let text = stopped.expect("it has stopped")["body"]["text"].as_str();
    let text = text.expect("a sentence");
    assert!(text.ends_with("; and 488 more"), "{text}");
}

#[test]
fn a_seed_decides_the_run_at_random_and_another_one_changes_it() {
    let (_folder, path) = file(
        "var word: 0..1023\nvar taken: 0..10\nprocess p {\n    while taken < 10 {\n        \
         either { word = 2 * word % 1024 } or { word = (2 * word + 1) % 1024 }\n        \
         taken = taken + 1\n    }\n}\n",
    );
    // What ten choices have come to, and what they come to when the session begins again.
    let words = |seed: u64| {
        let run = ("continue", json!({"threadId": 1}));
        let word = ("evaluate", json!({"expression": "word"}));
        let launch = json!({"program": path, "mode": "simulate", "seed": seed});
        let begins = ("launch", launch);
        let again = ("restart", Value::Null);
        let said = said(&[begins, run.clone(), word.clone(), again, run, word]);
        let answers = said.iter().filter(|one| one["command"] == "evaluate");
        let words = answers.map(|one| one["body"]["result"].as_str().expect("a value").to_owned());
        words.collect::<Vec<_>>()
    };
    let of_seeds = [1, 2, 3, 4].map(words);
    assert!(
        of_seeds.iter().all(|words| words[0] == words[1]),
        "{of_seeds:?}"
    );
    let different: std::collections::BTreeSet<_> = of_seeds.iter().collect();
    assert_eq!(different.len(), 4, "{of_seeds:?}");
    assert_eq!(words(3), of_seeds[2]);
}

/// Why a session along a run has stopped, after one `continue` with a breakpoint that has to be where it is wanted.
fn stopped(path: &str, property: &str, breakpoint: &Value) -> Value {
    let said = said(&[
        ("launch", json!({"program": path, "property": property})),
        (
            "setBreakpoints",
            json!({"source": {"path": path}, "breakpoints": [breakpoint]}),
        ),
        ("configurationDone", Value::Null),
        ("continue", json!({"threadId": 1})),
    ]);
    let set = said.iter().find(|one| one["command"] == "setBreakpoints");
    let set = &set.expect("an answer")["body"]["breakpoints"][0];
    assert_eq!(set["line"], breakpoint["line"], "{set}");
    let stopped = said.iter().rev().find(|one| one["event"] == "stopped");
    stopped.expect("it has stopped")["body"].clone()
}

#[test]
fn where_a_condition_has_no_value_it_stops_and_says_so() {
    let text = "var x: 0..3\nvar a: array[0..1] of 0..1\nprocess p {\n    x = 1\n    x = 2\n    x = 3\n}\n\
                invariant low: x < 3\n";
    let (_folder, path) = file(text);
    let at = |condition: &str| {
        let breakpoint = json!({"line": 6, "condition": condition});
        stopped(&path, "low", &breakpoint)
    };
    let failing = at("a[x] == 0");
    assert_eq!(failing["reason"], "breakpoint");
    let text = failing["text"].as_str().expect("a sentence");
    assert!(
        text.contains("line 6: `a[x] == 0`: it has no value here"),
        "{text}"
    );
    assert_eq!(at("x == 2")["reason"], "breakpoint");
    assert_ne!(at("x == 3")["reason"], "breakpoint");
}

#[test]
fn a_step_of_what_watches_the_run_may_be_stopped_at() {
    let text = "action hit\nvar x: 0..3\nprocess p {\n    x = 1\n    on hit\n    x = 2\n    on hit\n}\n\
                tester twice {\n    initial state none {\n        on hit -> once\n    }\n    state once {\n        on hit -> more\n    }\n    \
                reject state more { }\n}\n";
    let (_folder, path) = file(text);
    let at = |line: u32, condition: &str| {
        let breakpoint = json!({"line": line, "condition": condition});
        stopped(&path, "twice", &breakpoint)["reason"].clone()
    };
    assert_eq!(at(14, "x == 2"), "breakpoint");
    assert_ne!(at(14, "x == 1"), "breakpoint");
}

/// The last stop of a session with these requests behind the launch.
fn last_stop(launch: Value, requests: &[(&str, Value)]) -> Value {
    let begins = [("launch", launch)];
    let said = said(&[&begins, requests].concat());
    let stopped = said.iter().rev().find(|one| one["event"] == "stopped");
    stopped.expect("it has stopped")["body"].clone()
}

#[test]
fn who_does_not_stop_at_the_start_stops_at_a_breakpoint_on_the_first_step() {
    let text =
        "var i: 0..3\nprocess p {\n    i = 1\n    i = 2\n    i = 3\n}\ninvariant low: i < 3\n";
    let (_folder, path) = file(text);
    let lines = json!([{"line": 3}]);
    let requests = [
        (
            "setBreakpoints",
            json!({"source": {"path": path}, "breakpoints": lines}),
        ),
        ("configurationDone", Value::Null),
    ];
    for mode in ["counterexample", "simulate"] {
        let launch = json!({"program": path, "mode": mode, "stopOnEntry": false});
        let stop = last_stop(launch, &requests);
        assert_eq!(stop["reason"], "breakpoint", "{mode}: {stop}");
        assert_eq!(stop["description"], "at the start", "{mode}: {stop}");
    }
}

#[test]
fn what_ends_as_it_should_is_no_exception() {
    let text = "var i: 0..3\nprocess p {\n    i = 1\n    i = 2\n}\n\
                invariant low: i < 2\nreachable two: i == 2\n";
    let (_folder, path) = file(text);
    let goes_on = [
        ("configurationDone", Value::Null),
        ("continue", json!({"threadId": 1})),
    ];
    let to_the_end = [&goes_on[..], &goes_on[1..], &goes_on[1..]].concat();
    let of = |property: &str| {
        let launch = json!({"program": path, "property": property});
        last_stop(launch, &goes_on)
    };
    let wrong = of("low");
    assert_eq!(wrong["reason"], "exception", "{wrong}");
    assert_eq!(wrong["description"], "low is violated", "{wrong}");
    let simulated = last_stop(json!({"program": path, "mode": "simulate"}), &to_the_end);
    assert_eq!(simulated["reason"], "pause", "{simulated}");
    let text = "var i: 0..3\nprocess p {\n    i = 1\n    i = 2\n}\nreachable two: i == 2\n";
    let (_folder, path) = file(text);
    let witness = last_stop(json!({"program": path, "property": "two"}), &goes_on);
    assert_ne!(witness["reason"], "exception", "{witness}");
    assert_eq!(witness["description"], "two holds", "{witness}");
}

#[test]
fn a_simulation_says_what_is_wrong_at_its_start_already() {
    let text = "var i: 0..3\nprocess p {\n    i = 1\n}\ninvariant low: i > 0\n";
    let (_folder, path) = file(text);
    let launch = json!({"program": path, "mode": "simulate"});
    let stop = last_stop(launch, &[("configurationDone", Value::Null)]);
    assert_eq!(stop["text"], "at the start; low is false");
}

#[test]
fn a_run_that_is_made_up_is_no_longer_than_is_said() {
    let (_folder, path) = file("var i: 0..1\nprocess p { loop { i = 1 - i } }\n");
    let launch = json!({"program": path, "mode": "simulate"});
    let on = ("continue", json!({"threadId": 1}));
    let begins = ("configurationDone", Value::Null);
    for button in [
        ("continue", json!({"threadId": 1})),
        ("next", json!({"threadId": 1})),
        ("stepIn", json!({"threadId": 1})),
    ] {
        let stop = last_stop(launch.clone(), &[begins.clone(), on.clone(), button]);
        assert_eq!(stop["text"], "a run has no more than 100,000 steps here");
    }
}
