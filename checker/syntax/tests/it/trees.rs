//! What the trees look like, and what their typed views say.

use std::path::Path;

use expect_test::{Expect, expect};
use stubborn_syntax::ast::*;
use stubborn_syntax::{SyntaxElement, SyntaxNode, parse};

#[test]
fn a_good_text_has_no_errors_and_its_tree_is_the_text() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good");
    for entry in std::fs::read_dir(folder).expect("the folder of good texts can be read") {
        let path = entry.expect("so can its entries").path();
        let text = std::fs::read_to_string(&path).expect("a good text can be read");
        let parse = parse(&text);
        assert_eq!(parse.errors, [], "{}", path.display());
        assert_eq!(parse.warnings, [], "{}", path.display());
        assert_eq!(parse.syntax().to_string(), text, "{}", path.display());
    }
}

/// The tree as brackets: a node's kind and its parts, white space left out.
fn shape(node: &SyntaxNode) -> String {
    let parts = node
        .children_with_tokens()
        .filter_map(|element| match element {
            SyntaxElement::Node(node) => Some(shape(&node)),
            SyntaxElement::Token(token) if token.kind().is_trivia() => None,
            SyntaxElement::Token(token) => Some(token.text().to_string()),
        });
    let parts: Vec<String> = parts.collect();
    match parts.as_slice() {
        [name] if matches!(format!("{:?}", node.kind()).as_str(), "NAME" | "NAME_REF") => {
            name.clone()
        }
        _ => format!("{:?}({})", node.kind(), parts.join(" ")),
    }
}

/// The operands of an expression in brackets: what binds tighter than what.
fn grouped(expr: &Expr) -> String {
    let show = |expr: Option<Expr>| expr.map_or("?".into(), |expr| grouped(&expr));
    match expr {
        Expr::Binary(binary) => {
            let op = binary.op().map_or("?".into(), |op| format!("{op:?}"));
            format!("({} {op} {})", show(binary.lhs()), show(binary.rhs()))
        }
        Expr::Prefix(prefix) => {
            let op = prefix.op().map_or("?".into(), |op| format!("{op:?}"));
            format!("({op} {})", show(prefix.operand()))
        }
        Expr::Quantifier(quantifier) => format!("(for each: {})", show(quantifier.body())),
        Expr::If(choice) => format!(
            "(if {} then {} else {})",
            show(choice.condition()),
            show(choice.then_value()),
            show(choice.else_value())
        ),
        Expr::Paren(paren) => show(paren.inner()),
        other => other.syntax().text().to_string(),
    }
}

fn grouping(items: &str) -> String {
    let parse = parse(items);
    assert_eq!(parse.errors, []);
    let exprs = parse.tree().items().filter_map(|item| match item {
        Item::Invariant(invariant) => invariant.condition(),
        Item::Ltl(ltl) => ltl.formula(),
        _ => None,
    });
    exprs.map(|expr| grouped(&expr) + "\n").collect()
}

fn check(text: &str, expected: Expect) {
    let parse = parse(text);
    let items: Vec<String> = parse
        .syntax()
        .children()
        .map(|item| shape(&item) + "\n")
        .collect();
    expected.assert_eq(&items.concat());
}

fn process(body: &str) -> Body {
    let parse = parse(&format!("process p {{ {body} }}"));
    assert_eq!(parse.errors, []);
    match parse.tree().items().next() {
        Some(Item::Process(process)) => process.body().expect("the process has a body"),
        other => panic!("no process: {other:?}"),
    }
}

#[test]
fn operators_bind_as_the_table_says() {
    expect![[r#"
        (x Implies (y Implies (z Or (a And (Not (b Eq ((c Add (1 Mul (Neg 2))) Sub 3)))))))
        (((Not x) And y) Or z)
        ((a Sub b) Sub (((c Div d) Div e) Rem f))
        (Not (for each: ((x And y) Implies z)))
        (a Or (for each: (x Or y)))
        (1 Add (if a then b else (c Add 2)))
        ((a Eq (Not b)) And c)
        ((Neg a.b[1].c) Lt (Neg (Neg 3)))
    "#]]
    .assert_eq(&grouping(
        "invariant a: x implies y implies z or a and not b == c + 1 * -2 - 3
invariant b: !x && y || z
invariant c: a - b - c / d / e % f
invariant d: not forall x in T: x and y implies z
invariant e: a or exists x in T: x or y
invariant f: 1 + if a then b else c + 2
invariant g: a == !b and c
invariant h: -a.b[1].c < - -3
",
    ));
}

#[test]
fn the_operators_of_formulas_bind_as_the_table_says() {
    expect![[r#"
        ((Always (x Eq 1)) Implies ((Eventually y) Implies z))
        (((Always (Eventually p)) And q) Or r)
        ((p Until (q WeakUntil r)) And (s Release t))
        (((Not p) Until q) Or (Always (p WeakUntil (q Release r))))
        (for each: (Always (x Implies (Eventually y))))
        (U Until W)
        ((Always ([x] Eq y)) And U(1))
    "#]]
    .assert_eq(&grouping(
        "ltl a: always x == 1 -> eventually y -> z
ltl b: [] <> p && q || r
ltl c: p U q W r and s R t
ltl d: not p until q or always (p weak_until q release r)
ltl e: forall x in T: [](x -> <>y)
ltl f: U U W
ltl g: [] [x] == y and U(1)
",
    ));
}

#[test]
fn a_clause_belongs_to_the_step_before_it_if_it_can() {
    let count = |body: &str| process(body).statements().count();
    assert_eq!(count("on a when b"), 1);
    assert_eq!(count("on a; when b"), 2);
    assert_eq!(count("when b on a"), 2);
    assert_eq!(count("for k in T on a(k) when b do x = 1 y = 2"), 2);
    assert_eq!(count("for k in T on a(k) for k in T on b(k)"), 2);
    assert_eq!(count("await a do x = 1 do y = 1"), 2);
    assert_eq!(count("on a\nwhen b\ndo x = 1, y = 2"), 1);
    assert_eq!(count("receive c(?x) send d(x) when b do y = 1"), 1);
    assert_eq!(count("receive c(?x); send d(x)"), 2);
    assert_eq!(count("send d(x) receive c(?x)"), 2);
    assert_eq!(count("receive c(?x) send d(x) send c(x)"), 2);
}

#[test]
fn a_place_at_the_end_of_a_line_ends_no_block() {
    let body = process(
        "either for k in T {
            send c[k](0) do assert p@end
            either { skip } or { skip }
        } or for k in T {
            await p@{s, end}
            either { skip } or { await q@end }
        }",
    );
    assert_eq!(body.statements().count(), 1);
}

#[test]
fn a_step_gives_its_clauses_however_its_effects_are_written() {
    let body = process(
        "initial state s {
            for i in T, j in U send c[i](1, ?x.f, *) when g do { x = 1; y = any V, assert z } -> s
            do x = 1, f(2), if a { b = c } else { for k in T { d = k } } -> s
        }",
    );
    let state = body.states().next().expect("a state");
    let steps: Vec<Step> = state.steps().collect();
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[0].for_bindings().len(), 2);
    let communication = steps[0].communication().expect("a send");
    assert!(matches!(communication, Communication::Send(_)));
    let kinds: Vec<&str> = communication
        .arguments()
        .iter()
        .map(|argument| match argument {
            Argument::Expr(_) => "expression",
            Argument::Bind(_) => "place",
            Argument::Wild(_) => "anything",
        })
        .collect();
    assert_eq!(kinds, ["expression", "place", "anything"]);
    assert_eq!(steps[0].guard().expect("a guard").syntax().text(), "g");
    assert_eq!(steps[0].effects().len(), 3);
    assert_eq!(steps[0].next_state().expect("a target").text(), "s");
    assert_eq!(steps[1].effects().len(), 3);
    assert!(steps[1].communication().is_none());
}

#[test]
fn statements_are_told_apart() {
    let body = process(
        "start: final rest: x = 1, y.f[2] = any T; f(3) g
         skip assert a await b if c { } else if d { } else { } while e { break } loop { stop }
         either { } or for k in T { } on z",
    );
    let kinds: Vec<String> = body
        .statements()
        .map(|statement| {
            let debug = format!("{statement:?}");
            debug.split('(').next().unwrap_or_default().to_string()
        })
        .collect();
    expect![[r#"
        Label Label Assign Call Call Skip Assert Await If While Loop Either Step
    "#]]
    .assert_eq(&(kinds.join(" ") + "\n"));
    let labels: Vec<bool> = body
        .statements()
        .filter_map(|statement| match statement {
            Statement::Label(label) => Some(label.final_token().is_some()),
            _ => None,
        })
        .collect();
    assert_eq!(labels, [false, true]);
}

#[test]
fn the_body_of_a_macro_can_be_read_as_effects() {
    let parse =
        parse("macro m(v in T) { x = v, y = v; if a { z = 1 } for k in T { b[k] = 0 } on c }");
    let Some(Item::Macro(item)) = parse.tree().items().next() else {
        panic!("a macro")
    };
    let block = item.body().expect("its body");
    assert_eq!(block.effects().len(), 4);
    assert_eq!(block.statements().count(), 4);
    assert_eq!(block.non_effects().len(), 1);
}

#[test]
fn documentation_is_what_stands_in_slashes_before_an_item() {
    let text = "var a: bool /// of nothing
/// First line,
///   second line.
// no documentation
action b

/// Far away.

action c
process p { /// Of a label?
    /// Of a state.
    initial state s }";
    let tree = parse(text).tree();
    let docs: Vec<Option<String>> = tree.items().map(|item| item.docs()).collect();
    assert_eq!(
        docs,
        [None, Some("First line,\n  second line.".into()), None, None]
    );
    let Some(Item::Process(process)) = tree.items().last() else {
        panic!("a process")
    };
    let state = process
        .body()
        .and_then(|body| body.states().next())
        .expect("a state");
    assert_eq!(state.docs(), Some("Of a state.".into()));
}

#[test]
fn words_with_a_meaning_are_names_elsewhere() {
    let text = "var initial, final, queue, of, always, U, next, X, traces, end, tau: bool
process deadlock {
    allowed: initial = always and U or next
    final: final = X.end
    final termination: queue(of)
    initial = always end = next tau = U
}
invariant errors_: deadlock@end and not deadlock@{allowed, final}
";
    assert_eq!(parse(text).errors, []);
}

#[test]
fn declarations_and_types_have_this_shape() {
    check(
        "param N: 2..6 = 3
var x, y: array[0..N-1] of record { f: bool, g: T } = e
channel c[I]: bag[2] of T, bool = []
enum E { a, b }
def f(x in T): [i in T: x in {i, -1}]
progress p(i in T): must q(i)@{s, t}
recurrence r: infinitely {a(*), p@s} implies infinitely b
deadlock allowed when count(x in T: y) == 1
refines s in infinite traces
",
        expect![[r#"
            PARAM_DECL(param N : RANGE_TYPE(LITERAL(2) .. LITERAL(6)) = LITERAL(3))
            VAR_DECL(var x , y : ARRAY_TYPE(array [ RANGE_TYPE(LITERAL(0) .. BINARY_EXPR(NAME_EXPR(N) - LITERAL(1))) ] of RECORD_TYPE(record { FIELD_DECL(f : BOOL_TYPE(bool)) , FIELD_DECL(g : NAMED_TYPE(T)) })) = NAME_EXPR(e))
            CHANNEL_DECL(channel c CHANNEL_INDEX([ NAMED_TYPE(I) ]) : bag CAPACITY([ LITERAL(2) ]) of MESSAGE(NAMED_TYPE(T) , BOOL_TYPE(bool)) = ARRAY_EXPR([ ]))
            ENUM_DECL(enum E { VARIANT(a) , VARIANT(b) })
            DEF_DECL(def f PARAM_LIST(( BINDING(x in NAMED_TYPE(T)) )) : COMPREHENSION_EXPR([ BINDING(i in NAMED_TYPE(T)) : IN_EXPR(NAME_EXPR(x) in { NAME_EXPR(i) , PREFIX_EXPR(- LITERAL(1)) }) ]))
            PROGRESS_DECL(progress p PARAM_LIST(( BINDING(i in NAMED_TYPE(T)) )) : must AT_EXPR(CALL_EXPR(q ARG_LIST(( NAME_EXPR(i) ))) @ { s , t }))
            RECURRENCE_DECL(recurrence r : infinitely EVENT_SET({ EVENT(a ARG_LIST(( WILD_ARG(*) ))) , EVENT(p @ s) }) implies infinitely EVENT_SET(EVENT(b)))
            DEADLOCK_SETTING(deadlock allowed when BINARY_EXPR(AGGREGATE_EXPR(count ( BINDING(x in NAMED_TYPE(T)) : NAME_EXPR(y) )) == LITERAL(1)))
            REFINES_DECL(refines s in infinite traces)
        "#]],
    );
}

#[test]
fn indices_and_the_fields_of_patterns_stand_side_by_side() {
    check(
        "var a: array[I, 0..1] of T
channel c[I, J]: queue[1] of T
process p { receive c[i, j + 1]({f: ?a[i, j], g: {h: *}}, *) do a[i, j][k] = {f: 1} }
",
        expect![[r#"
            VAR_DECL(var a : ARRAY_TYPE(array [ NAMED_TYPE(I) , RANGE_TYPE(LITERAL(0) .. LITERAL(1)) ] of NAMED_TYPE(T)))
            CHANNEL_DECL(channel c CHANNEL_INDEX([ NAMED_TYPE(I) , NAMED_TYPE(J) ]) : queue CAPACITY([ LITERAL(1) ]) of MESSAGE(NAMED_TYPE(T)))
            PROCESS_DECL(process p BODY({ STEP(RECEIVE_CLAUSE(receive c [ NAME_EXPR(i) , BINARY_EXPR(NAME_EXPR(j) + LITERAL(1)) ] ARG_LIST(( RECORD_EXPR({ RECORD_FIELD(f : BIND_ARG(? INDEX_EXPR(NAME_EXPR(a) [ NAME_EXPR(i) , NAME_EXPR(j) ]))) , RECORD_FIELD(g : RECORD_EXPR({ RECORD_FIELD(h : WILD_ARG(*)) })) }) , WILD_ARG(*) ))) DO_CLAUSE(do ASSIGNMENT(INDEX_EXPR(INDEX_EXPR(NAME_EXPR(a) [ NAME_EXPR(i) , NAME_EXPR(j) ]) [ NAME_EXPR(k) ]) = RECORD_EXPR({ RECORD_FIELD(f : LITERAL(1)) })))) }))
        "#]],
    );
}

#[test]
fn where_stands_behind_the_last_parameter_and_is_a_name_elsewhere() {
    check(
        "process p(i in T, j in 0..2 where i != j) { skip }
invariant where(where in T where where > 0): where > 1
fair f(i in T where (i > 0),): p(i, where)
",
        expect![[r#"
            PROCESS_DECL(process p PARAM_LIST(( BINDING(i in NAMED_TYPE(T)) , BINDING(j in RANGE_TYPE(LITERAL(0) .. LITERAL(2))) WHERE_CLAUSE(where BINARY_EXPR(NAME_EXPR(i) != NAME_EXPR(j))) )) BODY({ SKIP_STMT(skip) }))
            INVARIANT_DECL(invariant where PARAM_LIST(( BINDING(where in NAMED_TYPE(T)) WHERE_CLAUSE(where BINARY_EXPR(NAME_EXPR(where) > LITERAL(0))) )) : BINARY_EXPR(NAME_EXPR(where) > LITERAL(1)))
            FAIR_DECL(fair f PARAM_LIST(( BINDING(i in NAMED_TYPE(T)) WHERE_CLAUSE(where PAREN_EXPR(( BINARY_EXPR(NAME_EXPR(i) > LITERAL(0)) ))) , )) : EVENT_SET(EVENT(p ARG_LIST(( NAME_EXPR(i) , NAME_EXPR(where) )))))
        "#]],
    );
}

#[test]
fn what_is_expected_may_have_a_condition_behind_the_last_name() {
    check(
        "expect violated: a, b(1) when x == 1
expect violated: c
    when y
",
        expect![[r#"
            EXPECT_SETTING(expect violated : EVENT(a) , EVENT(b ARG_LIST(( LITERAL(1) ))) when BINARY_EXPR(NAME_EXPR(x) == LITERAL(1)))
            EXPECT_SETTING(expect violated : EVENT(c) when NAME_EXPR(y))
        "#]],
    );
    let parse = parse("expect violated: a when x\nexpect violated: a\n");
    let items: Vec<Item> = parse.tree().items().collect();
    let has_condition = |item: &Item| match item {
        Item::Expect(expect) => expect.condition().is_some(),
        _ => false,
    };
    let have: Vec<bool> = items.iter().map(has_condition).collect();
    assert_eq!(have, [true, false]);
}

#[test]
fn a_mistake_leaves_what_follows_it_alone() {
    check(
        "var x:
const = 3
process p { on (a) when x = 1 state } }
junk { here }
invariant a: (x +
action b
",
        expect![[r#"
            VAR_DECL(var x :)
            CONST_DECL(const = LITERAL(3))
            PROCESS_DECL(process p BODY({ STEP(ON_CLAUSE(on)) ERROR(PAREN_EXPR(( NAME_EXPR(a) ))) STEP(WHEN_CLAUSE(when BINARY_EXPR(NAME_EXPR(x) = LITERAL(1)))) STATE(state) }))
            ERROR(})
            ERROR(junk { here })
            INVARIANT_DECL(invariant a : PAREN_EXPR(( BINARY_EXPR(NAME_EXPR(x) +)))
            ACTION_DECL(action b)
        "#]],
    );
}
