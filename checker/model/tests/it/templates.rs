//! A process is read once for all its instances, and each is what reading it by itself gives. In
//! builds for debugging, which tests are, the analysis compares the two for processes of up to eight
//! instances; here are the texts for it. `PROPTEST_CASES=10000 cargo test -p stubborn-model --test it
//! templates` goes through more of them than are gone through every time.

use expect_test::expect;
use proptest::prelude::*;
use stubborn_system::source::Span;
use stubborn_system::system::Type;

use crate::support::*;

/// Integers in which the parameters `i` and `j` stand, that fail in some instances and are constant
/// in others.
fn integer() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        4 => Just("i".to_string()),
        2 => Just("j".to_string()),
        2 => (1..3_i64).prop_map(|number| number.to_string()),
        // A constant of the instance, which may fail in silence.
        2 => (-1..5_i64).prop_map(|number| format!("({number} + 0 * i)")),
        2 => Just("x".to_string()),
        2 => Just("v".to_string()),
        1 => Just("w".to_string()),
        1 => Just("odd".to_string()),
        1 => Just("few[3]".to_string()),
        1 => Just("len(c[1])".to_string()),
    ];
    leaf.prop_recursive(3, 24, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair.clone(), "[-+*/%]").prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("a[{a}]")),
            inner.clone().prop_map(|a| format!("table[{a}]")),
            pair.clone().prop_map(|(a, b)| format!("m[{a}][{b}]")),
            inner.clone().prop_map(|a| format!("rs[{a}].f")),
            inner.clone().prop_map(|a| format!("twice({a})")),
            pair.clone().prop_map(|(a, b)| format!("both({a}, {b})")),
            inner.clone().prop_map(|a| format!("q({a}).own")),
            pair.clone().prop_map(|(a, b)| format!("r({a}, {b}).own")),
            inner.clone().prop_map(|a| format!("-{a}")),
            inner.clone().prop_map(|a| format!("log[{a}]")),
            inner.clone().prop_map(|a| format!("len(seen - {{{a}}})")),
            pair.clone()
                .prop_map(|(a, b)| format!("len(log[{a}..{b}])")),
            pair.clone()
                .prop_map(|(a, b)| format!("(log + [{a}, {b}])[0]")),
            inner.clone().prop_map(|a| format!("len(c[{a}])")),
            pair.clone().prop_map(|(a, b)| format!("min({a}, {b})")),
            pair.clone()
                .prop_map(|(a, b)| format!("shift_left({a}, {b})")),
            inner
                .clone()
                .prop_map(|a| format!("sum(k in 0..2: k + {a})")),
            inner
                .clone()
                .prop_map(|a| format!("max(k in 0..2: if k == i then {a} else k)")),
            (condition_of(inner.clone()), pair)
                .prop_map(|(c, (a, b))| format!("(if {c} then {a} else {b})")),
        ]
    })
    .boxed()
}

/// Conditions over such integers.
fn condition_of(integer: impl Strategy<Value = String> + Clone + 'static) -> BoxedStrategy<String> {
    let pair = (integer.clone(), integer.clone());
    let leaf = prop_oneof![
        4 => (pair.clone(), "==|!=|<|<=").prop_map(|((a, b), op)| format!("{a} {op} {b}")),
        1 => integer.clone().prop_map(|a| format!("q({a})@there")),
        1 => pair.clone().prop_map(|(a, b)| format!("r({a}, {b})@there")),
        1 => Just("p(i, j)@top".to_string()),
        1 => Just("p((i + 1) % 4, 0)@{low, end}".to_string()),
        1 => Just("b".to_string()),
        1 => Just("i == 2".to_string()),
        1 => pair.prop_map(|(a, b)| format!("i in {{{a}, {b}}}")),
        1 => integer.clone().prop_map(|a| format!("{a} in seen")),
        1 => integer.clone().prop_map(|a| format!("{a} in log + [i]")),
        1 => (integer.clone(), integer.clone(), "<=|<|==")
            .prop_map(|(a, b, op)| format!("seen + {{{a}}} {op} {{i, {b}}}")),
        1 => integer.prop_map(|a| format!("empty(c[{a}])")),
    ];
    leaf.prop_recursive(3, 12, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (pair, "and|or|implies").prop_map(|((a, b), op)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner
                .clone()
                .prop_map(|a| format!("(forall k in 0..2: k == i or {a})")),
            inner
                .clone()
                .prop_map(|a| format!("(exists k in 1..2: k == i and {a})")),
            inner
                .clone()
                .prop_map(|a| format!("(forall k in 0..3: a[k] == i implies {a})")),
            inner.prop_map(|a| format!("count(k in 0..1: {a}) == 1")),
        ]
    })
    .boxed()
}

fn condition() -> BoxedStrategy<String> {
    condition_of(integer())
}

fn place() -> BoxedStrategy<String> {
    prop_oneof![
        Just("x".to_string()),
        Just("v".to_string()),
        Just("odd".to_string()),
        integer().prop_map(|a| format!("few[{a}]")),
        integer().prop_map(|a| format!("a[{a}]")),
        (integer(), integer()).prop_map(|(a, b)| format!("m[{a}][{b}]")),
        integer().prop_map(|a| format!("rs[{a}].f")),
    ]
    .boxed()
}

fn effect() -> BoxedStrategy<String> {
    let leaf = prop_oneof![
        4 => (place(), integer()).prop_map(|(p, e)| format!("{p} = {e}")),
        1 => (integer(), "[-+*]").prop_map(|(a, op)| format!("seen = seen {op} {{{a}}}")),
        1 => (integer(), integer()).prop_map(|(a, b)| format!("mine = {{i, {a}}} - {{{b}}}")),
        1 => integer().prop_map(|a| format!("log = log + [{a}]")),
        1 => (integer(), integer()).prop_map(|(a, b)| format!("log = [{a}, i, {b}]")),
        1 => (integer(), integer()).prop_map(|(a, b)| format!("log[{a}] = {b}")),
        1 => (integer(), integer(), integer())
            .prop_map(|(a, b, c)| format!("rs[{a}] = rs[{b}] with {{f: {c}}}")),
        // All fields are given: the record is evaluated all the same, where it may fail.
        1 => (integer(), integer(), condition())
            .prop_map(|(a, b, c)| format!("rs[1] = rs[{a}] with {{f: {b}, g: {c}}}")),
        1 => condition().prop_map(|c| format!("assert {c}")),
        1 => (place(), integer()).prop_map(|(p, e)| format!("put({p}, {e})")),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (condition(), inner.clone(), inner.clone())
                .prop_map(|(c, a, b)| format!("if {c} {{ {a} }} else {{ {b} }}")),
            inner.prop_map(|a| format!("for k in 0..1 {{ {a}; a[k] = i }}")),
        ]
    })
    .boxed()
}

fn statement() -> BoxedStrategy<String> {
    let guard = prop_oneof![
        Just(String::new()),
        condition().prop_map(|c| format!(" when {c}"))
    ];
    let leaf = prop_oneof![
        3 => (guard.clone(), effect()).prop_map(|(g, e)| format!("{g} do {{ {e} }}")),
        1 => condition().prop_map(|c| format!("await {c}")),
        1 => integer().prop_map(|a| format!("on tell(({a} + 8) % 4) do v = i")),
        1 => Just("on tell(i)".to_string()),
        1 => Just("for k in 0..2 on pair(k, i) when k != i".to_string()),
        1 => Just("on pair(?v, ?w)".to_string()),
        1 => integer().prop_map(|a| format!("on pair(?own[i], ?own[{a}])")),
        1 => (integer(), integer()).prop_map(|(a, b)| format!("send c[{a}]({b})")),
        1 => (integer(), place()).prop_map(|(a, b)| format!("receive c[{a}](?{b})")),
        1 => Just("v = any 0..3".to_string()),
        1 => (place(), integer()).prop_map(|(p, e)| format!("put({p}, {e})")),
        1 => integer().prop_map(|e| format!("note({e})")),
    ];
    leaf.prop_recursive(2, 8, 2, |inner| {
        let pair = (inner.clone(), inner.clone());
        prop_oneof![
            (condition(), pair.clone())
                .prop_map(|(c, (a, b))| format!("if {c} {{ {a} }} else {{ {b} }}")),
            (condition(), inner.clone()).prop_map(|(c, a)| format!("while {c} {{ {a} }}")),
            pair.prop_map(|(a, b)| format!(
                "either {{ {a} }} or for k in 0..1 {{ a[k] = i; {b} }}"
            )),
        ]
    })
    .boxed()
}

fn text() -> impl Strategy<Value = String> {
    let first = prop_oneof![
        4 => Just("0"),
        2 => Just("i"),
        1 => Just("(i + 1) % 3"),
        1 => Just("if j then i else 1"),
    ];
    let alphabet = prop_oneof![
        3 => Just(""),
        1 => Just("    alphabet tell(i)\n"),
        1 => Just("    alphabet pair(*, i)\n"),
    ];
    let statements = prop::collection::vec(statement(), 1..4);
    // Now and then the parameters decide more than values.
    let odd = prop_oneof![
        12 => Just(""),
        1 => Just("    either for k in 0..i { skip }\n"),
    ];
    let types = (
        prop_oneof![6 => Just("0..3"), 1 => Just("0..i"), 1 => Just("j..3")],
        prop_oneof![6 => Just("0..3"), 1 => Just("i..3"), 1 => Just("0..3 + j")],
    );
    let kept = prop_oneof![
        2 => Just(""),
        1 => Just(" where i + j != 1"),
        1 => Just(" where table[i] >= j and (j == 1 or i != 3)"),
    ];
    let all = (first, alphabet, statements, odd, types, kept);
    all.prop_map(|(first, alphabet, statements, odd, (ty, index), kept)| {
        let statements = statements.join("\n    ");
        // Parameters are integers here, `j` too.
        let first = first.replace("if j then", "if j == 1 then");
        format!(
            "const table: array[0..3] of 0..3 = [3, 1, 0, 2]
def twice(u in 0..3): u + u
def both(u in 1..3, t in 0..2): if u == t then u + x else a[u]
action tell(0..3)
action pair(0..3, 0..3)
channel c[0..3]: queue[1] of 0..3
var x: 0..3
var b: bool
var a: array[0..3] of 0..3
var m: array[1..3] of array[0..2] of 0..3
var seen: set of 0..3
var log: list[3] of 0..3
var rs: array[0..2] of record {{ f: 0..3, g: bool }}
macro put(to in 0..3, value in 0..3) {{ to = value }}
macro note(value in 0..3) {{ x = value; await a[value] == i_or(value) }}
def i_or(u in 0..3): u
process q(k in 0..3) {{ var own: 0..3 = k there: own = 1; await x == 2 }}
process r(k in 0..3, l in 0..2 where k != l) {{ var own: 0..3 = k there: own = l; await x == 2 }}
process p(i in 0..3, j in 0..1{kept}) {{
    var v: 0..3 = {first}
    var w: 0..1
    var own: array[0..3] of 0..3
    var mine: set of 0..3 = {{i}}
    var odd: {ty}
    var few: array[{index}] of 0..3
{alphabet}    top: skip
    low: {statements}
{odd}}}
"
        )
    })
}

fn cases() -> u32 {
    match std::env::var_os("PROPTEST_CASES") {
        Some(_) => ProptestConfig::default().cases,
        None => 100,
    }
}

#[test]
fn whatever_a_parameter_decides_an_instance_has_its_own_steps() {
    // The constants of an instance are worked out; what fails in it, fails when it is evaluated.
    let text = "type Id = 0..3
const next: array[Id] of Id = [1, 2, 3, 0]
var a: array[Id] of 0..9
def double(n in 0..3): n + n
process p(i in Id) {
    var x: 0..9 = 3 - i
    do a[next[i]] = double(i) + x
    await i == 0 or a[i - 1] == 0
    await forall k in Id: k == i or a[k] == i
    if i < 2 { x = 0 } else { x = 9 / (3 - i) }
    do { if i == 1 { x = 1 } else { a[i] = 1 } }
}
";
    expect![[r#"
        var a: array[0..3] of 0..9 = [0, 0, 0, 0]
        p(0):
          var x: 0..9 = 3
          initial line 7:
            do a[1] = (0 + p(0).x) -> line 8
          line 8:
            -> line 9
          line 9:
            when all((a[1] == 0), (a[2] == 0), (a[3] == 0)) -> line 10
          line 10:
            if 1 -> line 10 (2) else -> line 10 (3)
          line 10 (2):
            do p(0).x = 0 -> line 11
          line 10 (3):
            do p(0).x = 3 -> line 11
          line 11:
            do a[0] = 1 -> end
          final end:
        p(1):
          var x: 0..9 = 2
          initial line 7:
            do a[2] = (2 + p(1).x) -> line 8
          line 8:
            when (a[0] == 0) -> line 9
          line 9:
            when all((a[0] == 1), (a[2] == 1), (a[3] == 1)) -> line 10
          line 10:
            if 1 -> line 10 (2) else -> line 10 (3)
          line 10 (2):
            do p(1).x = 0 -> line 11
          line 10 (3):
            do p(1).x = 4 -> line 11
          line 11:
            do p(1).x = 1 -> end
          final end:
        p(2):
          var x: 0..9 = 1
          initial line 7:
            do a[3] = (4 + p(2).x) -> line 8
          line 8:
            when (a[1] == 0) -> line 9
          line 9:
            when all((a[0] == 2), (a[1] == 2), (a[3] == 2)) -> line 10
          line 10:
            if 0 -> line 10 (2) else -> line 10 (3)
          line 10 (2):
            do p(2).x = 0 -> line 11
          line 10 (3):
            do p(2).x = 9 -> line 11
          line 11:
            do a[2] = 1 -> end
          final end:
        p(3):
          var x: 0..9 = 0
          initial line 7:
            do a[0] = (6 + p(3).x) -> line 8
          line 8:
            when (a[2] == 0) -> line 9
          line 9:
            when all((a[0] == 3), (a[1] == 3), (a[2] == 3)) -> line 10
          line 10:
            if 0 -> line 10 (2) else -> line 10 (3)
          line 10 (2):
            do p(3).x = 0 -> line 11
          line 10 (3):
            do p(3).x = fail(DivisionByZero) -> line 11
          line 11:
            do a[3] = 1 -> end
          final end:
    "#]]
    .assert_eq(&system(text));
}

#[test]
fn an_instance_that_asks_for_one_that_where_leaves_out_fails_by_itself() {
    let text = "var x: 0..3
process r(k in 0..3, l in 0..2 where k != l) { var own: 0..3 = k own = 0 }
process p(i in 0..3) {
    var v: 0..3
    await x + r(i, i * i % 3).own == v and x == 1
    v = if r(i, i * i % 3)@end then x else 2
    do { v = min(x, r(i, x).own); x = v }
}
";
    let system = system(text);
    for failing in [0, 1] {
        let of_instance = format!("p({failing}):");
        let start = system.find(&of_instance).expect("the instance");
        let own = &system[start..];
        let own = &own[..own[1..].find("\np(").map_or(own.len(), |end| end + 1)];
        assert!(own.contains("x + fail(LeftOut)"), "{own}");
        assert!(own.contains("= fail(LeftOut)"), "{own}");
    }
    assert_eq!(system.matches("x + fail(LeftOut)").count(), 2, "{system}");
}

#[test]
fn an_instance_with_variables_of_other_types_has_them_in_its_steps_too() {
    let text = "process p(i in 0..2) {
    var l: 0..1+i
    l = i
    l = l + 1
}
";
    let system = system(text);
    for values in ["var l: 0..1", "var l: 0..2", "var l: 0..3"] {
        assert!(system.contains(values), "{system}");
    }
    let text = "process p(i in 0..2) {
    var l: 0..3-i
    l = 3
}
";
    expect![[r#"
          3 |     l = 3
            |         ^
        error[outside-type]: 3 is outside 0..2, the type of `l`; a value up to 2, or a type that goes up to 3, would mend it
    "#]]
    .assert_eq(&problems(text));
}

/// Where the index is known in each instance, the record cannot fail in any; where it is one thing or another it may in some.
#[test]
fn a_record_of_which_all_fields_are_given_is_evaluated_in_the_instances_in_which_it_may_fail() {
    let of = |index: &str| {
        let text = format!(
            "var x: 0..3
var rs: array[0..2] of record {{ f: 0..3, g: bool }}
process p(i in 0..3) {{
    rs[0] = rs[{index}] with {{f: x, g: true}}
}}
"
        );
        system(&text)
    };
    let evaluated = |index: &str| of(index).matches("==").count();
    assert_eq!(evaluated("if i == 1 then 2 else 0"), 0);
    assert_eq!(evaluated("if i == 1 then x else 0"), 1);
    assert_eq!(evaluated("x"), 4);
}

/// What is known in one instance is an element as it stands there, and worked out once in another.
#[test]
fn an_element_that_is_known_in_some_instances_is_known_in_those_alone() {
    let text = "var x: 0..3
var a: array[0..3] of 0..3
var log: list[3] of 0..3
var seen: set of 0..3
process p(i in 0..3) {
    do log = [a[x], i, if i != 2 then 3 else a[x] + 1]
    do seen = {a[x], if i != 2 then 3 else a[x] + 1}
}
";
    let system = system(text);
    let worked_out = |of: &str| system.matches(of).count();
    // Once in each of the assignments, and once more in those of one instance.
    assert_eq!(worked_out("let"), 10, "{system}");
}

#[test]
fn instances_with_types_of_their_own_are_read_however_many_they_are() {
    // A template is read for three, and given up behind the third that differs from it.
    for count in 1..=8 {
        let text = format!(
            "process p(i in 1..{count}) {{ var l: 0..i\n loop {{ await l < i; l = l + 1 }} }}\n"
        );
        let analysis = analysis(&text);
        let model = analysis.model.expect("a model");
        for (number, instance) in (1..).zip(&model.system.instances) {
            assert_eq!(instance.locals[0].ty, Type::Scalar { lo: 0, hi: number });
        }
        assert_eq!(model.system.instances.len() as i64, count);
    }
}

#[test]
fn a_process_has_as_many_parameters_as_are_written() {
    for count in [999, 1_000, 1_001] {
        let parameters: String = (1..count).map(|at| format!("q{at} in 0..0, ")).collect();
        let text = format!(
            "var x: 0..9\nprocess p({parameters}i in 1..3) {{ x = i + q{} }}\n",
            count - 1
        );
        let analysis = analysis(&text);
        let model = analysis.model.expect("a model");
        let assigned: Vec<String> = (model.system.instances.iter())
            .map(|instance| format!("{:?}", instance.steps[0].effects))
            .collect();
        for (number, effects) in (1..).zip(&assigned) {
            assert!(
                effects.contains(&format!("Const(Int({number}))")),
                "{effects}"
            );
        }
        assert_eq!(assigned.len(), 3);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(18),
        max_shrink_iters: 2_000,
        ..ProptestConfig::default()
    })]

    #[test]
    fn an_instance_by_its_template_is_the_instance_read_by_itself(text in text()) {
        analysis(&text);
    }
}

#[test]
fn where_each_if_among_the_effects_of_an_instance_stands_is_known_whatever_its_parameters_decide() {
    let text = "var x: 0..3\nmacro m(k in 0..3) { if x > k { x = 0 } }\nprocess p(i in 0..2) {\n    do {\n        \
                if i == 0 { if x > 1 { x = 1 } else { m(1) } } else if i < 2 { m(2) }\n        \
                for k in 0..1 { if k > 0 or x < 3 { x = k } }\n    }\n}\n";
    let map = analysis(text).model.expect("a meaning").source_map;
    let mut told = String::new();
    for instance in &map.instances {
        let [(0, branches)] = &instance.branches[..] else {
            panic!("{:?}", instance.branches);
        };
        let at = |span: &Span| &text[span.start as usize..span.end as usize];
        let tests: Vec<&str> = branches.tests.iter().map(at).collect();
        let decided = branches.decided.iter();
        let decided: Vec<String> = decided
            .map(|(span, is_true)| format!("{} {is_true}", at(span)))
            .collect();
        let (tests, decided) = (tests.join(", "), decided.join(", "));
        told += &format!("{}: {tests}; {decided}\n", instance.name);
    }
    expect![[r#"
        p(0): if x > 1, if x > k, if k > 0 or x < 3; if i == 0 true, if k > 0 or x < 3 true
        p(1): if x > k, if k > 0 or x < 3; if k > 0 or x < 3 true, if i == 0 false, if i < 2 true
        p(2): if k > 0 or x < 3; if k > 0 or x < 3 true, if i == 0 false, if i < 2 false
    "#]]
    .assert_eq(&told);
}
