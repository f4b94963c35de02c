//! Messages that are records, arrays, sets and lists: they mean what messages of so many scalars mean.

use std::sync::Arc;

use expect_test::expect;
use stubborn_system::property::Property;
use stubborn_system::system::System;

use super::{check_whole, program, rendered};
use crate::elaborate::Settings;
use crate::problem::Severity;

/// The System and its properties.
fn meaning(text: &str) -> (Arc<System>, Vec<Property>) {
    let program = program(text);
    let analysis = crate::analyze(&program, &Settings::default());
    let mut problems = analysis.problems;
    problems.retain(|problem| problem.severity == Severity::Error);
    assert!(problems.is_empty(), "{}", rendered(&program, &problems));
    let model = analysis.model.expect("the text has a meaning");
    let properties = model.properties.into_iter().map(|named| named.property);
    (model.system, properties.collect())
}

/// Holds two texts to be one System: what is declared for both, and two bodies.
fn is_the_same(declarations: &str, one: &str, other: &str) {
    let of = |rest: &str| meaning(&format!("{declarations}\n{rest}\n"));
    assert_eq!(of(one), of(other), "{one}\n{other}");
}

const VOTES: &str = "
enum Kind { vote, append }
type Node = 0..2
type Message = record { kind: Kind, term: 1..4, from: Node }
var m: Message
var t: 1..4
var node: Node
";

#[test]
fn a_record_is_sent_and_received_field_by_field() {
    is_the_same(
        VOTES,
        "channel c: queue[2] of Message
         process p(i in Node) { send c({kind: append, term: t, from: i}) }
         process q { receive c(?m) do node = m.from }",
        "channel c: queue[2] of Kind, 1..4, Node
         process p(i in Node) { send c(append, t, i) }
         process q { receive c(?m.kind, ?m.term, ?m.from) do node = m.from }",
    );
}

#[test]
fn fields_are_sent_in_the_order_of_the_type_however_they_are_written() {
    is_the_same(
        VOTES,
        "channel c: queue[2] of Message
         process p { send c({from: node, kind: append, term: t}); receive c(m) }",
        "channel c: queue[2] of Kind, 1..4, Node
         process p { send c(append, t, node); receive c(m.kind, m.term, m.from) }",
    );
}

#[test]
fn a_pattern_matches_field_by_field_and_what_it_does_not_name_may_be_anything() {
    is_the_same(
        VOTES,
        "channel c: bag[2] of Message
         process p { receive c({kind: vote, term: ?t}) when t > 1 }
         process q { receive c({from: *, term: t + 1}) }
         process r { receive c(*) }",
        "channel c: bag[2] of Kind, 1..4, Node
         process p { receive c(vote, ?t, *) when t > 1 }
         process q { receive c(*, t + 1, *) }
         process r { receive c(*, *, *) }",
    );
}

#[test]
fn a_pattern_may_stand_in_a_pattern() {
    is_the_same(
        "type Inner = record { a: 0..3, b: bool }
         type Outer = record { x: Inner, y: 0..7, z: Inner }
         var n: 0..7
         var inner: Inner
         var b: bool",
        "channel c: queue[1] of Outer
         process p { receive c({z: {b: ?b}, x: {a: n + 1}}) }
         process q { receive c({y: ?n, x: ?inner, z: inner}) }",
        "channel c: queue[1] of 0..3, bool, 0..7, 0..3, bool
         process p { receive c(n + 1, *, *, *, ?b) }
         process q { receive c(?inner.a, ?inner.b, ?n, inner.a, inner.b) }",
    );
}

#[test]
fn a_message_may_have_several_parts_of_any_types() {
    is_the_same(
        VOTES,
        "channel c: queue[2] of Kind, Message, 0..1
         process p { send c(vote, m, 1) }
         process q { receive c(vote, {term: ?t}, *); send c(append, m with {term: t}, 0) }",
        "channel c: queue[2] of Kind, Kind, 1..4, Node, 0..1
         process p { send c(vote, m.kind, m.term, m.from, 1) }
         process q { receive c(vote, *, ?t, *, *); send c(append, m.kind, t, m.from, 0) }",
    );
}

#[test]
fn arrays_sets_and_lists_are_sent_cell_by_cell() {
    is_the_same(
        "type Node = 0..2
         var a: array[Node] of 0..3
         var s: set of Node
         var l: list[2] of 1..3",
        "channel c: queue[1] of array[Node] of 0..3
         channel d: queue[1] of record { s: set of Node }
         process p { send c(a); receive c(?a); send d({s: s}); receive d(?record_of) }
         var record_of: record { s: set of Node }",
        "channel c: queue[1] of 0..3, 0..3, 0..3
         channel d: queue[1] of bool, bool, bool
         process p {
             send c(a[0], a[1], a[2])
             receive c(?a[0], ?a[1], ?a[2]);
             send d(0 in s, 1 in s, 2 in s)
             receive d(?record_of.s[0], ?record_of.s[1], ?record_of.s[2])
         }
         var record_of: record { s: array[Node] of bool }",
    );
    // What is behind the last element of a list is the same in all that have the same elements.
    let (lists, _) = meaning(
        "channel c: queue[2] of list[3] of 2..4 = [[], [3], ]
         process p { send c([4]) }",
    );
    assert_eq!(lists.channels[0].initial, [[0, 2, 2, 2], [1, 3, 2, 2]]);
}

#[test]
fn a_choice_between_two_messages_is_made_for_each_field() {
    is_the_same(
        VOTES,
        "channel c: queue[2] of Message
         process p { send c(if t > 2 then m else {kind: vote, term: t, from: node}) }",
        "channel c: queue[2] of Kind, 1..4, Node
         process p {
             send c(if t > 2 then m.kind else vote, if t > 2 then m.term else t,
                    if t > 2 then m.from else node)
         }",
    );
}

#[test]
fn a_channel_holds_records_at_first() {
    is_the_same(
        VOTES,
        "channel c: bag[2] of Message = [{term: 2, kind: vote, from: 1}, {kind: append, term: 4, from: 0}]
         channel d[Node]: queue[1] of Kind, Message = [[append, {kind: vote, term: 1, from: 2}]]",
        "channel c: bag[2] of Kind, 1..4, Node = [[vote, 2, 1], [append, 4, 0]]
         channel d[Node]: queue[1] of Kind, Kind, 1..4, Node = [[append, vote, 1, 2]]",
    );
}

#[test]
fn two_indices_of_an_array_are_those_of_an_array_of_arrays() {
    is_the_same(
        "type Node = 0..2
         enum Side { left, right }
         var n: Node",
        "var a: array[Node, Side] of 0..3 = [[0, 1], [2, 3], [0, 1]]
         var b: array[Node, Side, bool] of list[2] of Node
         process p(i in Node) {
             a[i, left] = a[n, right]
             b[n, right, true] = b[i, left, false] + [i]
             n = b[n, left, true, 1]
             a[i] = [0, 1]
         }
         invariant one: a[0, left] == 0 and a[n][right] == 1 and b[1, left][true] == []",
        "var a: array[Node] of array[Side] of 0..3 = [[0, 1], [2, 3], [0, 1]]
         var b: array[Node] of array[Side] of array[bool] of list[2] of Node
         process p(i in Node) {
             a[i][left] = a[n][right]
             b[n][right][true] = b[i][left][false] + [i]
             n = b[n][left][true][1]
             a[i] = [0, 1]
         }
         invariant one: a[0][left] == 0 and a[n][right] == 1 and b[1][left][true] == []",
    );
}

#[test]
fn a_channel_with_two_known_indices_is_the_one_of_the_row_that_they_count() {
    is_the_same(
        "param N: 2..4 = 3
         type Node = 0..N-1
         var x: bool",
        "channel link[Node, Node]: queue[1] of bool
         process p(i in Node) {
             loop {
                 either for j in Node { send link[i, j](true) }
                 or for j in Node { receive link[j, i](?x) }
             }
         }
         invariant few: len(link[0, 2]) + len(link[2, 0]) <= 2 or full(link[1, 1])",
        "channel link[0..N*N-1]: queue[1] of bool
         process p(i in Node) {
             loop {
                 either for j in Node { send link[i * N + j](true) }
                 or for j in Node { receive link[j * N + i](?x) }
             }
         }
         invariant few: len(link[2]) + len(link[6]) <= 2 or full(link[4])",
    );
}

#[test]
fn what_is_wrong_with_a_message_is_told_at_the_field() {
    check_whole(
        "enum Kind { vote, append }
type Message = record { kind: Kind, term: 1..4 }
channel c: queue[2] of Message
var t: 1..4
var b: bool
process p {
    send c({kind: vote, term: 5})
    send c({kind: vote, term: ?t})
    receive c({kind: 3})
    receive c({time: ?t})
    receive c({term: ?b})
    receive c({kind: vote, kind: *})
    receive c({term: ?t, kind: ?t})
    receive c(vote, ?t)
    receive c({term: 0})
}
",
        expect![[r#"
            7 |     send c({kind: vote, term: 5})
              |                               ^ error[outside-type]: 5 is outside 1..4, the type of `term`; a value up to 4, or a type that goes up to 5, would mend it
            8 |     send c({kind: vote, term: ?t})
              |                               ^^ error[misplaced]: `?` takes a value, among the arguments of `receive` and `on` alone; write the value without `?`
            9 |     receive c({kind: 3})
              |                      ^ error[wrong-type]: `kind` is a value of `Kind`, but `3` is an integer; its values are `vote`, `append`
            10 |     receive c({time: ?t})
               |                ^^^^ error[unknown-name]: the record that is asked for here has no field `time`; it has `kind`, `term`
            11 |     receive c({term: ?b})
               |                       ^ error[wrong-type]: `b` is a truth value, but what it is given here, `term`, is an integer
            12 |     receive c({kind: vote, kind: *})
               |                            ^^^^ error[duplicate-name]: the field `kind` is given twice; once is enough
            12 |     receive c({kind: vote, kind: *})
               |                ^^^^ note: it is given here first
            13 |     receive c({term: ?t, kind: ?t})
               |                       ^ error[not-assignable]: `t` takes two values in one step; bind one of them to another variable, or write `*`
            13 |     receive c({term: ?t, kind: ?t})
               |                                 ^ note: it takes one here
            13 |     receive c({term: ?t, kind: ?t})
               |                                 ^ error[wrong-type]: `t` is an integer, but what it is given here, `kind`, is a value of `Kind`
            14 |     receive c(vote, ?t)
               |                     ^^ error[wrong-arguments]: a message of `c` has 1 argument, and 2 are given here; a record is written `{f: e, g: e}`
            15 |     receive c({term: 0})
               |                      ^ error[outside-type]: 0 is outside 1..4, the type of `term`; a value from 1 on, or a type that begins at 0, would mend it
        "#]],
    );
}

#[test]
fn the_indices_of_a_channel_are_counted() {
    check_whole(
        "type Node = 0..1
channel link[Node, Node]: queue[2] of bool
channel one[Node]: queue[2] of bool
channel three[Node, Node, Node]: queue[1] of bool
channel many[0..999, 0..999]: queue[1] of bool
process p(i in Node) {
    send link[i](true)
    send link(true)
    send link[i, 0, 1](true)
    send one[i, 1](true)
    receive link[i, 2](*)
    receive link[true, i](*)
    receive three[i, 0, 1](*)
    receive many[0, 0](*)
}
",
        expect![[r#"
            4 | channel three[Node, Node, Node]: queue[1] of bool
              |                           ^^^^ error[wrong-arguments]: a channel has at most 2 indices; make one type of two of them, `three[0..N*N-1, K]`, and write `three[i * N + j, k]`
            5 | channel many[0..999, 0..999]: queue[1] of bool
              |                      ^^^^^^ error[too-large]: these are 1000000 channels, too many to check; at most 10000 can be
            7 |     send link[i](true)
              |                ^ error[wrong-arguments]: `link` has 2 indices, and one is given here; write `link[i, j]`
            8 |     send link(true)
              |              ^ error[wrong-arguments]: `link` has 2 indices, and none is given here; write `link[i, j]`
            9 |     send link[i, 0, 1](true)
              |                     ^ error[wrong-arguments]: `link` has 2 indices, and 3 are given here; write `link[i, j]`
            10 |     send one[i, 1](true)
               |                 ^ error[wrong-arguments]: `one` has 1 index, and 2 are given here; write `one[i]`
            11 |     receive link[i, 2](*)
               |                     ^ error[constant-fails]: 2 is outside 0..1, the indices of `link`
            12 |     receive link[true, i](*)
               |                  ^^^^ error[wrong-type]: the index of `link` is an integer, but `true` is a truth value; did you mean `1`?
        "#]],
    );
}
