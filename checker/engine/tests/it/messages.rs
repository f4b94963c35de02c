//! Messages with parts that have parts, and channels with two indices: each model beside the same one in which
//! messages are scalars and the channels are counted by one index.

use std::num::NonZeroU32;

use stubborn_engine::interpreter::replay;
use stubborn_engine::{
    Caller, Exploration, Options, Reduction, Sink, Symmetry, Verdict, check, explore,
};
use stubborn_model::elaborate::Settings;
use stubborn_random::read::{self, Drawn};
use stubborn_system::property::Property;

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

fn read(text: &str) -> Drawn {
    let drawn = read::text(text.to_owned(), &Settings::default());
    drawn.unwrap_or_else(|| panic!("this text has a mistake:\n{text}"))
}

fn explored(drawn: &Drawn, reduction: Reduction) -> Exploration {
    let options = Options {
        reduction,
        keep_dead_variables: reduction == Reduction::None,
        ..Options::default()
    };
    let found = explore(&drawn.system, &options, Caller::default(), &mut Counts);
    found.expect("its states are small enough")
}

/// Whether each property is violated, with the length of the trace; each trace is a run.
fn verdicts(drawn: &Drawn, options: &Options) -> Vec<Option<usize>> {
    let properties = drawn.properties.iter();
    let properties: Vec<Property> = properties.map(|named| named.property.clone()).collect();
    let found = check(&drawn.system, &properties, options, Caller::default());
    let found = found.expect("its states are small enough");
    let lengths = found.iter().map(|outcome| match &outcome.verdict {
        Verdict::Holds => None,
        Verdict::Violated { trace, .. } => {
            replay(&drawn.system, trace).expect("the trace is a run");
            Some(trace.steps().len())
        }
        Verdict::Undecided(why) => panic!("{why:?}"),
    });
    lengths.collect()
}

/// Holds two texts to have equal state spaces and verdicts, under every reduction.
fn are_alike(new: &str, old: &str) {
    let (new, old) = (read(new), read(old));
    for reduction in [Reduction::None, Reduction::Stubborn] {
        let counts = |drawn| {
            let found = explored(drawn, reduction);
            (found.states, found.edges, found.terminal)
        };
        assert_eq!(counts(&new), counts(&old), "{reduction:?}");
    }
    let violated = |drawn, reduction, symmetry| {
        let options = Options {
            reduction,
            symmetry,
            first_states: NonZeroU32::new(1),
            ..Options::default()
        };
        verdicts(drawn, &options)
    };
    let plain = violated(&old, Reduction::None, Symmetry::Off);
    assert!(
        plain.contains(&None) && plain.iter().any(Option::is_some),
        "{plain:?}"
    );
    assert_eq!(violated(&new, Reduction::None, Symmetry::Off), plain);
    for reduction in [Reduction::None, Reduction::Stubborn] {
        for symmetry in [Symmetry::Off, Symmetry::Always] {
            let found = violated(&new, reduction, symmetry);
            let is_violated =
                |all: &[Option<usize>]| -> Vec<bool> { all.iter().map(Option::is_some).collect() };
            assert_eq!(
                is_violated(&found),
                is_violated(&plain),
                "{reduction:?} {symmetry:?}"
            );
        }
    }
}

#[test]
fn a_channel_for_each_pair_is_one_of_a_row_that_is_counted_by_both() {
    let text = |channel: &str, there: &str, back: &str| {
        format!(
            "type Node = 0..2
             channel {channel}: queue[1] of bool
             process node(i in Node) {{
                 var to: Node
                 initial state idle {{
                     do to = any Node -> sending
                     for j in Node receive {back}(*) -> idle
                 }}
                 state sending {{ send {there}(true) -> idle }}
             }}
             invariant not_all: node(0)@idle or node(1)@idle or node(2)@idle
             invariant some: count(i in Node: node(i)@idle) >= 0
             progress back(i in Node): may node(i)@idle
             termination not required"
        )
    };
    are_alike(
        &text("link[Node, Node]", "link[i, to]", "link[j, i]"),
        &text("link[0..8]", "link[i * 3 + to]", "link[j * 3 + i]"),
    );
}

#[test]
fn an_index_outside_fails_as_a_step_whichever_it_is() {
    let text = |channel: &str, there: &str| {
        format!(
            "channel {channel}: queue[1] of bool
             process p {{
                 var x: 0..3
                 var y: 0..3
                 x = any 0..3, y = any 0..3
                 send {there}(true)
             }}
             invariant low: not p@end or p.x < 2
             invariant small: not p@end or p.y < 3"
        )
    };
    are_alike(
        &text("c[0..1, 0..2]", "c[x, y]"),
        &text("c[0..5]", "c[if x > 1 or y > 2 then 6 else x * 3 + y]"),
    );
}

#[test]
fn records_sets_and_lists_are_passed_as_their_scalars_are() {
    let text = |[message, vote, told, taken, by]: [&str; 5], votes: &str| {
        format!(
            "type Node = 0..2
             enum Kind {{ vote, told }}
             channel net: bag[2] of {message}
             process node(i in Node) {{
                 var votes: {votes}
                 var first: list[2] of Node
                 loop {{
                     either {{ send net({vote}) when SIZE < 3 }}
                     or {{ receive net({taken}) when not HAS do ADD }}
                     or {{ send net({told}) when full(first) }}
                     or {{ receive net({by}) when i == 0 do first = if full(first) then [i] else first + [i] }}
                 }}
             }}
             invariant few: forall i in Node: not full(node(i).first) or i == 1
             invariant own: forall i in Node: not (i in node(0).first) or i == 0
             termination not required"
        )
    };
    let new = text(
        [
            "record { kind: Kind, votes: set of Node, first: list[2] of Node }",
            "{kind: vote, first: first, votes: votes}",
            "{kind: told, first: first, votes: {}}",
            "{kind: vote, votes: ?votes}",
            "{first: first}",
        ],
        "set of Node = {i}",
    );
    let old = text(
        [
            "Kind, bool, bool, bool, 0..2, Node, Node",
            "vote, votes[0], votes[1], votes[2], len(first), \
             if len(first) > 0 then first[0] else 0, if len(first) > 1 then first[1] else 0",
            "told, false, false, false, 2, first[0], first[1]",
            "vote, ?votes[0], ?votes[1], ?votes[2], *, *, *",
            "*, *, *, *, len(first), if len(first) > 0 then first[0] else 0, \
             if len(first) > 1 then first[1] else 0",
        ],
        "array[Node] of bool = [k in Node: k == i]",
    );
    let put = |text: String, size: &str, has: &str, add: &str| {
        let text = text.replace("SIZE", size).replace("HAS", has);
        text.replace("ADD", add)
    };
    are_alike(
        &put(new, "len(votes)", "(i in votes)", "votes = votes + {i}"),
        &put(
            old,
            "count(k in Node: votes[k])",
            "votes[i]",
            "votes[i] = true",
        ),
    );
}
