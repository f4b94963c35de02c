//! Which instances and properties a `where` keeps, and which of them is meant by its values.

use expect_test::expect;
use stubborn_model::NamedProperty;
use stubborn_system::property::Property;
use stubborn_system::source_map::SourceMap;
use stubborn_system::system::{Expr, Failure, InstanceId, System, VariableRef};

use crate::support::*;

const FIRST: i64 = 3;
const SECOND: i64 = 2;

/// All pairs of values, the first varying slowest.
fn pairs() -> impl Iterator<Item = (i64, i64)> {
    (0..FIRST).flat_map(|i| (0..SECOND).map(move |j| (i, j)))
}

/// A process of the pairs that are in `kept`, which tells of them by a table; and what asks for each pair.
fn text(kept: &[bool]) -> String {
    let rows: Vec<String> = kept
        .chunks(SECOND as usize)
        .map(|row| format!("{row:?}"))
        .collect();
    let table = rows.join(", ");
    let mut text = format!(
        "type I = 0..{}
type J = 0..{}
const kept: array[I] of array[J] of bool = [{table}]
var a: I
var b: J
process before(i in 0..1) {{ skip }}
process p(i in I, j in J where kept[i][j]) {{ var x: 0..5 = 2*i + j s: x = 0 }}
process q {{ a = 1; b = 1 }}
invariant one(i in I, j in J where kept[i][j]): p(i, j).x == 0
invariant each: p(a, b).x == 0
",
        FIRST - 1,
        SECOND - 1
    );
    for i in 0..FIRST {
        text += &format!("invariant row{i}: p({i}, b).x == 0\n");
    }
    text
}

/// The instance of whose variable an equation speaks; `None` where it fails since there is none.
fn asked(map: &SourceMap, expr: &Expr) -> Option<String> {
    match expr {
        Expr::Variable(VariableRef::Local(instance, _)) => {
            Some(map.instance(*instance).to_string())
        }
        Expr::Fail(Failure::LeftOut) => None,
        other => panic!("{other:?}"),
    }
}

fn left_side(property: &NamedProperty) -> &Expr {
    match &property.property {
        Property::Invariant(Expr::Binary(_, left, _)) => left,
        other => panic!("{other:?}"),
    }
}

/// The cases of a choice among the values of the second parameter.
fn cases(expr: &Expr, len: i64) -> &[Expr] {
    match expr {
        Expr::Select { lo: 0, cases, .. } if cases.len() as i64 == len => cases,
        other => panic!("{other:?}"),
    }
}

fn check(kept: &[bool], system: &System, map: &SourceMap, properties: &[NamedProperty]) {
    let of_place = |place: usize, name: &str| {
        let (i, j) = pairs().nth(place).expect("a pair");
        kept[place].then(|| format!("{name}({i},{j})"))
    };
    let places = 0..kept.len();
    let names: Vec<String> = (0..system.instances.len() as InstanceId)
        .map(|id| map.instance(id).to_string())
        .filter(|name| name.starts_with("p("))
        .collect();
    let expected: Vec<String> = places
        .clone()
        .filter_map(|place| of_place(place, "p"))
        .collect();
    assert_eq!(names, expected);
    let named = |base: &str| -> Vec<&NamedProperty> {
        properties.iter().filter(|one| one.base == base).collect()
    };
    let ones: Vec<(String, Option<String>)> = named("one")
        .into_iter()
        .map(|one| (one.name.clone(), asked(map, left_side(one))))
        .collect();
    let expected: Vec<(String, Option<String>)> = places
        .filter_map(|place| Some((of_place(place, "one")?, of_place(place, "p"))))
        .collect();
    assert_eq!(ones, expected);
    for (i, row) in cases(left_side(named("each")[0]), FIRST).iter().enumerate() {
        for expr in [row, left_side(named(&format!("row{i}"))[0])] {
            for (j, case) in cases(expr, SECOND).iter().enumerate() {
                assert_eq!(asked(map, case), of_place(i * SECOND as usize + j, "p"));
            }
        }
    }
}

#[test]
fn whichever_pairs_are_kept_each_has_its_instance_and_its_property() {
    let count = (FIRST * SECOND) as u32;
    for mask in 1..2_u32.pow(count) {
        let kept: Vec<bool> = (0..count).map(|bit| mask >> bit & 1 == 1).collect();
        let text = text(&kept);
        let analysis = analysis(&text);
        let model = analysis
            .model
            .unwrap_or_else(|| panic!("{text}{:?}", analysis.problems));
        check(&kept, &model.system, &model.source_map, &model.properties);
    }
}

#[test]
fn every_form_with_parameters_has_those_that_where_keeps() {
    let model = "type Id = 0..2
action go(Id)
process p(i in Id, j in Id where i < j) { loop { either { on go(i) } or { skip } } }
fair process r(i in Id where i != 1) { loop { on go(i); skip } }
fair g(i in Id, j in Id where i < j): p(i, j)
recurrence c(i in Id where i != 1): infinitely go(i) implies infinitely {p(1, 2)@end, r(i)@end}
ltl l(i in Id where i != 1): always eventually r(i)@end
progress m(i in Id, j in Id where i + 1 == j): may p(i, j)@end
reachable n(i in Id where i > 1): r(i)@end
";
    let tester = "use \"model.stb\"
tester t(i in Id where i != 1) { visible go(i) initial state s { on go(i) -> u } reject state u }
specification s(i in Id where i > 0) { loop { on go(i) } }
refines s in traces
buchi b(i in Id where i > 0) { observe q = p(0, i)@end initial state s { -> s } infinite state x when q }
testing e(i in Id where i > 0) { observe q = p(0, i)@end initial state s when q { change q -> x } infinite state x }
";
    let program = program_of("t.tester", tester, &[("model.stb", model)]);
    expect![[r#"
        errors (Errors) model.stb:3:9
        deadlock (Deadlock) model.stb:3:9
        c(0) (Recurrence) model.stb:6:12
        c(2) (Recurrence) model.stb:6:12
        l(0) (Ltl) model.stb:7:5
        l(2) (Ltl) model.stb:7:5
        m(0,1) (Progress) model.stb:8:10
        m(1,2) (Progress) model.stb:8:10
        n(2) (Reachable) model.stb:9:11
        t(0) (Tester) t.tester:2:8
        t(2) (Tester) t.tester:2:8
        refines s(1) in traces (Refinement) t.tester:4:9
        refines s(2) in traces (Refinement) t.tester:4:9
        b(1) (Buchi) t.tester:5:7
        b(2) (Buchi) t.tester:5:7
        e(1) (Testing) t.tester:6:9
        e(2) (Testing) t.tester:6:9
    "#]]
    .assert_eq(&properties(&program));
}
