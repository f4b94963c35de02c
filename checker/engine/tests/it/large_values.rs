//! Whole arrays and records of very many cells: what is prepared for stubborn sets, and what a
//! search does, grows with their size and no faster. Each of these took minutes once, or hours.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use stubborn_engine::{
    Caller, Clock, Exploration, Limits, Options, Reason, Sink, Verdict, check, explore,
};
use stubborn_model::elaborate::Settings;
use stubborn_model::program::{ParsedFile, Program};
use stubborn_system::property::Property;
use stubborn_system::system::{Binary, Expr, System, Value, VariableRef};

const CELLS: u32 = 100_000;

struct Counts;

impl Sink for Counts {
    fn wants_edges(&self) -> bool {
        false
    }
}

/// The system of a text in which `N` is so many.
fn system(text: &str, cells: u32) -> System {
    let file = Arc::new(ParsedFile::new("large.stb", text));
    let program = Program::assemble(file, &mut |_| None);
    let given = Settings {
        parameters: vec![("N".into(), cells.to_string())],
    };
    let analysis = stubborn_model::analyze(&program, &given);
    let model = analysis.model.expect("the text has a meaning");
    (*model.system).clone()
}

fn reduced(system: &System) -> Exploration {
    let found = explore(system, &Options::default(), Caller::default(), &mut Counts);
    found.expect("its states are small enough")
}

/// The reduced space is that of ten cells.
fn is_as_with_ten_cells(text: &str) {
    let (small, large) = (system(text, 10), system(text, CELLS));
    let (few, many) = (reduced(&small), reduced(&large));
    assert_eq!((few.states, few.edges), (many.states, many.edges));
    assert!(many.complete && many.failing == 0);
}

#[test]
fn an_array_that_two_processes_share_is_assigned_as_a_whole() {
    is_as_with_ten_cells(
        "param N: 1..1000000 = 10
         var a: array[0..N-1] of 0..3
         var b: array[0..N-1] of 0..3
         process one {
             initial state begins { do a = b -> middle }
             state middle         { do b = a -> done }
             final state done     { }
         }
         process two {
             initial state begins { do a[0] = 1 -> done }
             final state done     { }
         }",
    );
}

#[test]
fn an_array_of_a_process_s_own_is_assigned_and_read_by_another_as_a_whole() {
    is_as_with_ten_cells(
        "param N: 1..1000000 = 10
         type Whole = array[0..N-1] of 0..3
         var a: Whole
         var s: 0..3
         process one {
             var own: Whole
             initial state begins { do own = [x in 0..N-1: s] -> middle }
             state middle         { do a = own -> done }
             final state done     { }
         }
         process two {
             var mine: Whole
             initial state begins { do s = any 0..3 -> next }
             state next           { do mine = a -> done }
             final state done     { }
         }",
    );
}

#[test]
fn a_record_with_an_array_in_it_is_assigned_as_a_whole() {
    is_as_with_ten_cells(
        "param N: 1..1000000 = 10
         type Pair = record { low: 0..7, high: bool }
         type Both = record { first: array[1..N] of Pair, last: 0..3 }
         var a: Both
         var b: Both
         process one {
             initial state begins { do b = a -> middle }
             state middle         { do a = b -> done }
             final state done     { }
         }
         process two {
             initial state begins { do a.last = 2 -> done }
             final state done     { }
         }",
    );
}

#[test]
fn so_are_all_cells_one_after_the_other() {
    is_as_with_ten_cells(
        "param N: 1..1000000 = 10
         var a: array[0..N-1] of 0..3
         var s: 0..N-1
         process one {
             initial state begins { do a = [x in 0..N-1: (x * x) % 4] -> middle }
             state middle         { do a[s] = 1, a[(s + 1) % N] = 2 -> done }
             final state done     { }
         }
         process two {
             initial state begins { do s = 3 -> done }
             final state done     { }
         }",
    );
}

/// Asks for the end after so many questions whether it does.
struct CancelsAfter(u32, AtomicU32);

impl Clock for CancelsAfter {
    fn is_cancelled(&self) -> bool {
        self.1.fetch_add(1, Ordering::Relaxed) >= self.0
    }
}

const TWO_ARRAYS: &str = "
    param N: 1..1000000 = 10
    type Whole = array[0..N-1] of 0..3
    var a: Whole
    var s: 0..3
    process one {
        var own: Whole
        initial state begins { do own = [x in 0..N-1: s] -> middle }
        state middle         { do a = own -> done }
        final state done     { }
    }
    process two {
        initial state begins { do s = any 0..3 -> done }
        final state done     { }
    }";

#[test]
fn preparing_ends_soon_after_it_is_cancelled_and_decides_nothing() {
    let system = system(TWO_ARRAYS, CELLS);
    let clock = CancelsAfter(3, AtomicU32::new(0));
    let found = explore(
        &system,
        &Options::default(),
        Caller::timed_by(&clock),
        &mut Counts,
    );
    let found = found.expect("its states are small enough");
    assert_eq!(found.stopped, Some(Reason::Cancelled));
    assert_eq!(found.states, 1);
    assert_eq!(clock.1.into_inner(), 4);
}

#[test]
fn a_property_of_which_nothing_was_prepared_is_undecided() {
    // Nobody reads what is left of the arrays, but for the property.
    let text = format!("{TWO_ARRAYS} invariant few: a[0] == a[1]");
    let system = system(&text, CELLS);
    let compared = |at| Expr::Cell {
        array: Box::new(Expr::Variable(VariableRef::Shared(0))),
        lo: 0,
        index: Box::new(Expr::Const(Value::Int(at))),
    };
    let equal = Expr::Binary(Binary::Equal, Box::new(compared(0)), Box::new(compared(1)));
    let clock = CancelsAfter(3, AtomicU32::new(0));
    let properties = [Property::Invariant(equal)];
    let outcomes = check(
        &system,
        &properties,
        &Options::default(),
        Caller::timed_by(&clock),
    );
    for outcome in outcomes.expect("its states are small enough") {
        assert_eq!(outcome.verdict, Verdict::Undecided(Reason::Cancelled));
        assert_eq!(outcome.states, 1);
    }
}

#[test]
fn preparing_holds_no_more_memory_than_is_allowed() {
    let system = system(TWO_ARRAYS, CELLS);
    let options = Options {
        limits: Limits {
            max_memory: Some(1 << 20),
            ..Limits::default()
        },
        ..Options::default()
    };
    let found = explore(&system, &options, Caller::default(), &mut Counts);
    let found = found.expect("its states are small enough");
    assert_eq!(found.stopped, Some(Reason::Memory(1 << 20)));
}

#[test]
fn sets_are_chosen_among_many_instances_without_comparing_all_steps_with_all() {
    // Each instance can get to steps about every other one.
    let text = "param N: 1..1000000 = 10
         type Id = 1..N
         process p(i in Id) {
             var x: 0..3
             var y: Id
             loop {
                 y = any Id
                 await p(y)@critical and p(y).x == 1
                 critical: x = 0
             }
         }";
    let asked = |instances| {
        let clock = CancelsAfter(u32::MAX, AtomicU32::new(0));
        let options = Options {
            limits: Limits {
                max_states: Some(1),
                ..Limits::default()
            },
            ..Options::default()
        };
        let found = explore(
            &system(text, instances),
            &options,
            Caller::timed_by(&clock),
            &mut Counts,
        );
        assert!(
            found
                .expect("its states are small enough")
                .stopped
                .is_some()
        );
        clock.1.into_inner()
    };
    let (some, more) = (asked(32), asked(64));
    // With the square of the steps that there are, which are the square of the instances, it would
    // be 16 times as often.
    assert!(more < 9 * some, "{some} and {more} times");
}
