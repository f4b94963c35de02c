//! Which instances and properties a `where` keeps, and which of them is meant by its values.

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
