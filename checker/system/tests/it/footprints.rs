//! What stands inside expressions, and what expressions and steps may read and write.

use stubborn_system::footprint::{self, Part, Thing, Touch};
use stubborn_system::system::{
    Access, Argument, Binary, ChannelIndex, ChannelRef, Communication, Effect, Expr, Failure,
    Place, Step, Target, Type, Unary, Value, VariableRef,
};
use stubborn_system::walk;

const X: VariableRef = VariableRef::Shared(0);
const Y: VariableRef = VariableRef::Shared(1);
const LOCAL: VariableRef = VariableRef::Local(3, 0);

fn int(value: i64) -> Expr {
    Expr::Const(Value::Int(value))
}

fn variable(variable: VariableRef) -> Expr {
    Expr::Variable(variable)
}

fn cell(array: Expr, index: Expr) -> Expr {
    Expr::Cell {
        array: Box::new(array),
        lo: 0,
        index: Box::new(index),
    }
}

fn field(record: Expr, field: u32) -> Expr {
    Expr::Field {
        record: Box::new(record),
        field,
    }
}

fn some_channel(index: Expr) -> ChannelRef {
    ChannelRef::Indexed {
        first: 4,
        indices: Box::new([ChannelIndex {
            lo: 0,
            len: 2,
            index,
        }]),
    }
}

fn place(variable: VariableRef, index: Expr) -> Place {
    let len = 2;
    Place {
        variable,
        path: vec![Access::Cell { lo: 0, len, index }],
        ty: Type::BOOL,
    }
}

fn assign(place: Place, value: Expr) -> Effect {
    Effect::Assign {
        place,
        ty: Type::BOOL,
        value,
    }
}

fn read(variable: VariableRef, path: &[Part]) -> Touch {
    Touch {
        thing: Thing::Variable(variable),
        path: path.to_vec(),
        writes: false,
    }
}

fn written(variable: VariableRef, path: &[Part]) -> Touch {
    Touch {
        writes: true,
        ..read(variable, path)
    }
}

fn of_expression(expr: &Expr) -> Vec<Touch> {
    let mut found = Vec::new();
    footprint::of_expression(expr, &mut |touch| found.push(touch));
    found
}

/// One of each form, whose operands are the constants from 1 on.
fn one_of_each_form() -> Vec<(Expr, i64)> {
    let boxed = |value| Box::new(int(value));
    let some = || vec![int(1), int(2), int(3)];
    let (lo, value, index) = (0, boxed(1), boxed(1));
    vec![
        (int(7), 0),
        (variable(X), 0),
        (Expr::Choice(0), 0),
        (Expr::At(0, vec![0]), 0),
        (Expr::Bound(0), 0),
        (Expr::Fail(Failure::Overflow), 0),
        (cell(int(1), int(2)), 2),
        (field(int(1), 0), 1),
        (Expr::Cells(some()), 3),
        (Expr::Unary(Unary::Not, boxed(1)), 1),
        (Expr::Binary(Binary::Add, boxed(1), boxed(2)), 2),
        (Expr::All(some()), 3),
        (Expr::Any(some()), 3),
        (Expr::Count(some()), 3),
        (Expr::Sum(some()), 3),
        (Expr::Min(some()), 3),
        (Expr::Max(some()), 3),
        (Expr::If(boxed(1), boxed(2), boxed(3)), 3),
        (Expr::OneOf(boxed(1), vec![int(2), int(3)]), 3),
        (
            Expr::Select {
                lo,
                index,
                cases: vec![int(2), int(3)],
            },
            3,
        ),
        (
            Expr::Let {
                value,
                ty: Type::BOOL,
                body: boxed(2),
            },
            2,
        ),
        (Expr::Length(some_channel(int(1))), 1),
        (Expr::IsEmpty(some_channel(int(1))), 1),
        (Expr::IsFull(ChannelRef::One(0)), 0),
    ]
}

#[test]
fn the_operands_of_each_form_are_met_from_left_to_right() {
    for (mut expr, operands) in one_of_each_form() {
        let expected: Vec<Expr> = (1..=operands).map(int).collect();
        let mut met = Vec::new();
        walk::for_children(&expr, &mut |child| met.push(child.clone()));
        assert_eq!(met, expected, "{expr:?}");

        let mut inside = Vec::new();
        walk::for_subexpressions(&expr, &mut |part| inside.push(part.clone()));
        assert_eq!((&inside[0], &inside[1..]), (&expr, &expected[..]));

        let mut next = 0;
        walk::for_children_mut(&mut expr, &mut |child| {
            next += 1;
            assert_eq!(*child, int(next));
            *child = int(next + 10);
        });
        assert_eq!(next, operands);
        let mut changed = Vec::new();
        walk::for_children(&expr, &mut |child| changed.push(child.clone()));
        assert_eq!(changed, (11..11 + operands).map(int).collect::<Vec<_>>());
    }
}

#[test]
fn a_part_of_a_variable_is_read_after_its_indices() {
    let part = field(cell(cell(variable(X), int(2)), variable(Y)), 1);
    let path = [Part::Cell(Some(2)), Part::Cell(None), Part::Field(1)];
    assert_eq!(of_expression(&part), [read(Y, &[]), read(X, &path)]);
}

#[test]
fn a_part_of_no_variable_reads_all_that_it_is_made_of() {
    let made = cell(Expr::Cells(vec![variable(X), int(0)]), variable(Y));
    assert_eq!(of_expression(&made), [read(X, &[]), read(Y, &[])]);
}

#[test]
fn the_length_of_some_channel_reads_its_index_and_every_channel_that_may_be_meant() {
    let touch = |thing| Touch {
        thing,
        path: Vec::new(),
        writes: false,
    };
    let expected = [
        touch(Thing::Channel(4)),
        touch(Thing::Channel(5)),
        read(X, &[]),
    ];
    assert_eq!(
        of_expression(&Expr::Length(some_channel(variable(X)))),
        expected
    );
    let place = Expr::At(2, vec![0, 1]);
    assert_eq!(of_expression(&place), [touch(Thing::Instance(2))]);
}

#[test]
fn effects_read_and_write_in_their_order_and_in_both_branches() {
    let effects = [
        assign(place(X, variable(Y)), variable(LOCAL)),
        Effect::If(
            cell(variable(X), int(1)),
            vec![assign(place(Y, int(0)), int(1))],
            vec![Effect::Assert(variable(LOCAL))],
        ),
    ];
    let mut found = Vec::new();
    footprint::of_effects(&effects, &mut |touch| found.push(touch));
    let expected = [
        read(Y, &[]),
        read(LOCAL, &[]),
        written(X, &[Part::Cell(None)]),
        read(X, &[Part::Cell(Some(1))]),
        written(Y, &[Part::Cell(Some(0))]),
        read(LOCAL, &[]),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_step_reads_and_writes_its_channel_its_location_and_what_it_receives_into() {
    let step = Step {
        communication: Some(Communication::Receive(
            some_channel(variable(Y)),
            vec![
                Argument::Match(cell(variable(X), int(0))),
                Argument::Bind(place(X, variable(LOCAL))),
                Argument::Skip,
            ],
            None,
        )),
        guard: Some(variable(Y)),
        choices: Vec::new(),
        effects: vec![assign(place(Y, int(1)), int(0))],
        target: Target::Test(Expr::IsEmpty(ChannelRef::One(9)), 0, 0),
    };
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    footprint::of_step(3, &step, &mut |touch| match touch.writes {
        true => writes.push(touch.thing),
        false => reads.push(touch.thing),
    });
    reads.sort_unstable();
    reads.dedup();
    let (x, y) = (Thing::Variable(X), Thing::Variable(Y));
    let channels = [4, 5, 9].map(Thing::Channel);
    let expected = [
        &[x, y, Thing::Variable(LOCAL)],
        &channels,
        &[Thing::Instance(3)][..],
    ];
    assert_eq!(reads, expected.concat());
    writes.sort_unstable();
    let expected = [x, y, channels[0], channels[1], Thing::Instance(3)];
    assert_eq!(writes, expected);
}

#[test]
fn parts_meet_unless_a_field_or_a_constant_cell_keeps_them_apart() {
    let cells = |index: Option<i64>| written(X, &[Part::Cell(index), Part::Field(0)]);
    assert!(cells(Some(1)).meets(&cells(Some(1))));
    assert!(!cells(Some(1)).meets(&cells(Some(2))));
    assert!(cells(Some(1)).meets(&cells(None)));
    assert!(cells(Some(1)).meets(&read(X, &[])));
    assert!(!cells(Some(1)).meets(&read(Y, &[])));
    let other = written(X, &[Part::Cell(None), Part::Field(1)]);
    assert!(!cells(Some(1)).meets(&other));
}
