//! Messages with parts that have parts, as traces show them.

use serde_json::{Value, json};

use super::folder::Folder;

const RELAY: &str = "\
type Node = 0..2
enum Kind { ask, grant }
type Message = record { kind: Kind, term: 1..4, seen: set of Node, log: list[2] of Node, to: array[bool] of Node }
channel link[Node, Node]: queue[1] of Message
channel copy: queue[1] of Kind, record { from: Node }
var m: Message
var wide: 0..9 = 3
process p {
    send link[0, 2]({kind: grant, term: wide, seen: {0, 2}, log: [2], to: [1, 0]})
    receive link[0, 2](?m);
    send copy(ask, {from: 1}) do wide = 7
    send link[1, 0](m with {term: wide})
}
invariant none: len(copy) == 0
";

#[test]
fn a_message_in_a_trace_is_its_value() {
    let folder = Folder::with("relay.stb", RELAY);
    let ran = folder.run("check relay.stb --property none --format json");
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let steps = &found["properties"][0]["trace"]["steps"];
    let message = json!({"kind": "grant", "term": 3, "seen": [0, 2], "log": [2], "to": [1, 0]});
    assert_eq!(steps[0]["changes"]["link[0, 2]"], json!([[message]]));
    assert_eq!(steps[1]["changes"]["link[0, 2]"], json!([]));
    assert_eq!(steps[1]["changes"]["m.seen"], json!([0, 2]));
    assert_eq!(steps[2]["changes"]["copy"], json!([["ask", {"from": 1}]]));
    let ran = folder.run("check relay.stb --property none");
    let expected = "link[0, 2] = [{kind: grant, term: 3, seen: {0, 2}, log: [2], to: [1, 0]}]";
    assert!(ran.out.contains(expected), "{}", ran.out);
    assert!(ran.out.contains("copy = [[ask, {from: 1}]]"), "{}", ran.out);
}

#[test]
fn the_field_that_a_message_cannot_have_is_named() {
    let folder = Folder::with("relay.stb", RELAY);
    let ran = folder.run("check relay.stb --property errors");
    assert_eq!(ran.status, 1, "{}{}", ran.out, ran.err);
    let expected = "the value 7 is outside 1..4, the type of `term` in a message of `link`";
    assert!(ran.out.contains(expected), "{}", ran.out);
}
