//! Fairness: what is assumed, which properties have it, and what is wrong with it.

use crate::support::*;
use expect_test::{Expect, expect};
use stubborn_model::analyze;
use stubborn_model::elaborate::Settings;
use stubborn_model::program::Program;
use stubborn_system::dump;
use stubborn_system::property::Property;

/// The properties that are asked of fair runs, with what they assume, and the names of the others.
fn shown(program: &Program) -> String {
    let analysis = analyze(program, &Settings::default());
    let mut lines = rendered(program, &analysis.problems);
    let Some(model) = analysis.model else {
        return lines + "no model\n";
    };
    for named in &model.properties {
        assert_eq!(named.form, named.property.form());
        assert_eq!(named.fairness.len(), named.property.assumptions().len());
        lines += &named.name;
        if let Property::Fair(_) = &named.property {
            let property = dump::property(&model.system, &model.source_map, &named.property);
            lines += &format!(" with {}: {property}", named.fairness.join(", "));
        }
        lines += "\n";
    }
    lines
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(&program_of("model.stb", text, &[])));
}

fn check_tester(model: &str, tester: &str, expected: Expect) {
    let program = program_of("t.tester", tester, &[("model.stb", model)]);
    expected.assert_eq(&shown(&program));
}

const MODEL: &str = "action go(0..1)
action rest
var x: 0..1
process p(i in 0..1, b in bool) {
    initial final state s { on go(i) -> t }
    state t { on rest when x == 0 -> s }
}
process q { here: x = 0 loop { either { on go(*) } or { on rest } } }
deadlock ignored
termination not required
";

fn of_model(text: &str) -> String {
    format!("{MODEL}{text}")
}

#[test]
fn properties_of_runs_have_what_is_assumed_in_its_order_and_no_others() {
    check(
        &of_model(
            "ltl l: always x == 0
fair rests: rest
invariant i: x < 2
progress may_be: may x == 1
progress must_be: must x == 1
reachable r: x == 1
strongly fair lucky(i in 0..1): go(i)
recurrence c: infinitely rest implies infinitely go(*)
tester t { initial state s { on rest -> s } }
specification sp { initial final state s { on rest -> s } }
refines sp in traces
buchi b { observe e = x == 0 initial infinite deadlock state s when e { -> s } }
testing g { observe e = x == 0 initial state s when e { change e -> t } livelock state t }
",
        ),
        expect![[r#"
            errors
            l with fair rests, strongly fair lucky(0), strongly fair lucky(1): ltl Always(Proposition(0)), fair {rest()}, strongly fair {go(0)}, strongly fair {go(1)}
            i
            may_be
            must_be with fair rests, strongly fair lucky(0), strongly fair lucky(1): must (x == 1), fair {rest()}, strongly fair {go(0)}, strongly fair {go(1)}
            r
            c with fair rests, strongly fair lucky(0), strongly fair lucky(1): infinitely {rest()} implies infinitely {go(*)}, fair {rest()}, strongly fair {go(0)}, strongly fair {go(1)}
            t
            refines sp in traces
            b with fair rests, strongly fair lucky(0), strongly fair lucky(1): a Büchi automaton of 1 states, fair {rest()}, strongly fair {go(0)}, strongly fair {go(1)}
            g with fair rests, strongly fair lucky(0), strongly fair lucky(1): a testing automaton of 2 states, fair {rest()}, strongly fair {go(0)}, strongly fair {go(1)}
        "#]],
    );
}

#[test]
fn a_set_has_actions_places_and_instances() {
    check(
        &of_model(
            "ltl l: true
fair places: {p(0, *)@s, q@{here}}
fair one: p(1, true)
fair several: p(*, false)
fair all: p
fair whatever: {q, p(0, true), q, rest, go(*)}
fair nothing: {}
",
        ),
        expect![[r#"
            errors
            l with fair places, fair one, fair several, fair all, fair whatever, fair nothing: ltl Constant(true), fair {p(0,false)@{s}, p(0,true)@{s}, q@{here}}, fair {p(1,true)@{s, t}}, fair {p(0,false)@{s, t}, p(1,false)@{s, t}}, fair {p(0,false)@{s, t}, p(0,true)@{s, t}, p(1,false)@{s, t}, p(1,true)@{s, t}}, fair {q@{here, line 8}, p(0,true)@{s, t}, rest(), go(*)}, fair {}
        "#]],
    );
}

#[test]
fn of_a_fair_process_each_instance_is_fair_by_itself() {
    let text = MODEL.replace("process", "/// Goes on.\nfair process");
    check(
        &format!("{text}ltl l: true\n"),
        expect![[r#"
        errors
        l with fair p(0,false), fair p(0,true), fair p(1,false), fair p(1,true), fair q: ltl Constant(true), fair {p(0,false)@{s, t}}, fair {p(0,true)@{s, t}}, fair {p(1,false)@{s, t}}, fair {p(1,true)@{s, t}}, fair {q@{here, line 10}}
    "#]],
    );
}

#[test]
fn what_a_tester_file_assumes_is_not_assumed_of_the_models_properties() {
    check_tester(
        &of_model("fair rests: rest\nltl of_model: true\n"),
        "use \"model.stb\"
ltl of_tester: true
invariant i: x < 2
strongly fair lucky(i in 0..1): p(i, true)
",
        expect![[r#"
            errors
            of_model with fair rests: ltl Constant(true), fair {rest()}
            of_tester with fair rests, strongly fair lucky(0), strongly fair lucky(1): ltl Constant(true), fair {rest()}, strongly fair {p(0,true)@{s, t}}, strongly fair {p(1,true)@{s, t}}
            i
        "#]],
    );
    check_tester(
        &of_model("ltl of_model: true\n"),
        "use \"model.stb\"\nfair lucky: rest\nltl of_tester: true\n",
        expect![[r#"
            errors
            of_model
            of_tester with fair lucky: ltl Constant(true), fair {rest()}
        "#]],
    );
}

#[test]
fn what_a_used_model_assumes_is_assumed_of_all_that_use_it_and_the_other_way_round() {
    let used = "process r { loop { skip } }\nfair used: r\nltl below: true\n";
    let text = "use \"r.stb\"\nprocess s { loop { skip } }\nfair user: s\nltl above: true\n";
    let program = program_of("model.stb", text, &[("r.stb", used)]);
    expect![[r#"
          1 | process r { loop { skip } }
            |         ^
        hint[no-place-to-stop]: no process has a place where it may stop, so that the model is taken to go on for ever and `termination` is not checked; mark a state `final`, or give a process a `stop`, or write `termination not required`
        errors
        deadlock
        below with fair used, fair user: ltl Constant(true), fair {r@{line 1}}, fair {s@{line 2}}
        above with fair used, fair user: ltl Constant(true), fair {r@{line 1}}, fair {s@{line 2}}
    "#]].assert_eq(&shown(&program));
}

#[test]
fn a_mistake_takes_away_the_properties_that_would_have_the_assumption() {
    let properties = "invariant i: x < 2\nltl l: true\nprogress m: may x == 1\n";
    check(
        &of_model(&format!("{properties}fair f: rst\nfair g: q\n")),
        expect![[r#"
             14 | fair f: rst
                |         ^^^
            error[unknown-name]: `rst` is not known here as an action or a process; did you mean `rest`?
            errors
            i
            m
        "#]],
    );
    check(
        &of_model(&format!("{properties}const K = 1 + true\nfair f: go(K)\n")),
        expect![[r#"
             14 | const K = 1 + true
                |               ^^^^
            error[wrong-type]: `+` takes integers, but `true` is a truth value; did you mean `1`?
            errors
            i
            m
        "#]],
    );
    check(
        &of_model(&format!("{properties}fair f rest\n")),
        expect![[r#"
             14 | fair f rest
                |       ^
            error[syntax]: expected `:` and the steps; it is written `fair NAME: A`, where `A` is an action, an instance or a set of them
            errors
            i
            m
        "#]],
    );
    check_tester(
        &of_model(properties),
        "use \"model.stb\"\nltl mine: true\nreachable too: x == 1\nfair f: go(2)\n",
        expect![[r#"
              4 | fair f: go(2)
                |            ^
            error[outside-type]: 2 is outside 0..1, the type of the argument of `go`; a value up to 1, or a type that goes up to 2, would mend it
            errors
            i
            l
            m
            too
        "#]],
    );
}

#[test]
fn what_is_wrong_with_a_set_is_told_as_of_a_recurrence() {
    check(
        &of_model(
            "fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
fair x(x in 0..1): go(x)
fair g(rest in 0..1): rest
",
        ),
        expect![[r#"
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |          ^^^
            error[unknown-name]: `rst` is not known here as an action or a process; did you mean `rest`?
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                 ^
            error[wrong-arguments]: `go` takes one argument, but none is given here; `*` stands for any value
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                      ^
            error[outside-type]: 5 is outside 0..1, the type of the argument of `go`; a value up to 1, or a type that goes up to 5, would mend it
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                     ^
            error[unknown-state]: `p` has no state, label or step `u`; write a state, a label or a named step of it
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                        ^
            error[unknown-name]: `r` is not known here as an action or a process; `action r` or `process r` declares one
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                                ^
            error[outside-type]: 7 is outside 0..1, the type of `i` of `p`; a value up to 1, or a type that goes up to 7, would mend it
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                                             ^
            error[wrong-arguments]: `p` takes 2 arguments, but one is given here
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                                                  ^
            error[not-constant]: `x` depends on the state; a constant can stand here, or `*` for every value
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                                                               ^
            error[not-constant]: `x` depends on the state; a constant can stand here, or `*` for every value
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                                                                   ^
            error[wrong-type]: an action or a process is asked for here, but `x` is a variable; `action x` or `process x` declares one
                3:5: it is declared here
             11 | fair f: {rst, go, go(5), p(0, true)@u, r(0), p(7, true), p(0), p(x, true), go(x), x, qq}
                |                                                                                      ^^
            error[unknown-name]: `qq` is not known here as an action or a process; did you mean `q`?
             13 | fair g(rest in 0..1): rest
                |                       ^^^^
            error[wrong-type]: an action or a process is asked for here, but `rest` is a name of this place's own; another name for it would mend it
                13:8: it is declared here
            errors
        "#]],
    );
}

#[test]
fn the_names_of_assumptions_are_among_those_of_properties() {
    check(
        &of_model(
            "ltl f: true
fair f: rest
fair f: q
strongly fair g: q
invariant g: true
fair deadlock: q
fair q: q
fair go: go(1)
expect violated: q
",
        ),
        expect![[r#"
             12 | fair f: rest
                |      ^
            error[duplicate-name]: there is already a property `f`; another name would mend it
                11:5: it is declared here first
             13 | fair f: q
                |      ^
            error[duplicate-name]: there is already a property `f`; another name would mend it
                11:5: it is declared here first
             15 | invariant g: true
                |           ^
            error[duplicate-name]: there is already an assumption `g`; another name would mend it
                14:15: it is declared here first
             16 | fair deadlock: q
                |      ^^^^^^^^
            error[reserved-name]: `deadlock` is a built-in property and cannot be declared; another name would mend it
             19 | expect violated: q
                |                  ^
            error[unknown-name]: there is no property `q`; a property of this file, or of one that it uses, can stand here
            errors
        "#]],
    );
}

#[test]
fn too_many_assumptions_are_told_and_those_of_many_instances_are_shared() {
    check(
        &of_model("type T = 0..100_000\nltl l: true\nfair f(i in T): rest\n"),
        expect![[r#"
             13 | fair f(i in T): rest
                |      ^
            error[too-large]: these are 100001 assumptions, and no more than 10000 can be checked; smaller types of the parameters would mend it
            errors
        "#]],
    );
    let text = "type Id = 0..999
var x: 0..1
fair process p(i in Id) { loop { a: x = 1; b: x = 0 } }
ltl l(i in Id): always eventually p(i)@a
";
    let program = program_of("model.stb", text, &[]);
    let model = analyze(&program, &Settings::default())
        .model
        .expect("it is right");
    let fair = |property: &Property| match property {
        Property::Fair(fair) => Some(fair.assumptions.clone()),
        _ => None,
    };
    let all: Vec<_> = model
        .properties
        .iter()
        .filter_map(|one| fair(&one.property))
        .collect();
    assert_eq!(all.len(), 1_000);
    assert!(
        all.iter()
            .all(|one| one.len() == 1_000 && std::ptr::eq(&**one, &*all[0]))
    );
    // Each value asks for all instances: too much to be written out.
    let text = "type Id = 0..9_999\nprocess p(i in Id) { loop { skip } }\nfair f(i in Id): p\nltl l: true\n";
    let found = shown(&program_of("model.stb", text, &[]));
    assert!(
        found.contains("too-large") && !found.contains("\nl with"),
        "{found}"
    );
}
