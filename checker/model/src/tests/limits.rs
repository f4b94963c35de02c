//! Texts that grow beyond what can be checked are told so, quickly.

use expect_test::expect;

use stubborn_syntax::ast;
use stubborn_system::source::{FileId, Span};

use super::{check, check_whole, program};
use crate::elaborate::{Elaborator, MAX_EXPANSION, MAX_WORK, Settings};
use crate::names::nearest::MOST_COMPARED;

#[test]
fn quantifiers_in_quantifiers_multiply() {
    check(
        "var x: 0..999\ninvariant i: forall a in 0..999, b in 0..999: exists c in 0..999: a + b + c == x\n",
        expect![[r#"
            2 | invariant i: forall a in 0..999, b in 0..999: exists c in 0..999: a + b + c == x
              |                                                           ^^^^^^ error[too-large]: together with what is around it this goes through 1000000000 combinations of values, too many to check; smaller ranges would mend it
        "#]],
    );
}

#[test]
fn definitions_in_definitions_multiply() {
    let mut text = String::from("var x: 0..9\ndef f0(a in 0..99): a + x\n");
    for i in 1..30 {
        text += &format!("def f{i}(a in 0..99): f{0}(a) + f{0}(a)\n", i - 1);
    }
    text += "invariant i: f29(1) == 0\n";
    check(
        &text,
        expect![[r#"
            19 | def f17(a in 0..99): f16(a) + f16(a)
               |                               ^^^^^^ error[too-large]: this is too large to check: written out it has more than 1000000 parts; smaller ranges or fewer definitions within definitions would mend it
            2 | def f0(a in 0..99): a + x
              |                         ^ note: it comes from here
        "#]],
    );
}

#[test]
fn macros_that_call_each_other_too_deep_are_told_once() {
    let mut text = String::from("var x: 0..9\nmacro m0() { x = 1 }\n");
    for i in 1..300 {
        text += &format!("macro m{i}() {{ m{}() }}\n", i - 1);
    }
    text += "process p { m299() }\ninvariant i: x == 0\n";
    check_whole(
        &text,
        expect![[r#"
        302 | process p { m299() }
            |             ^^^^^^ error[too-large]: more than 100 macros stand in each other here, too many to check
        202 | macro m200() { m199() }
            |                ^^^^ note: it comes from here
    "#]],
    );
}

#[test]
fn long_definitions_in_long_definitions_are_too_deep() {
    let mut text = String::from("var x: 0..9\ndef f0: x\n");
    for i in 1..150 {
        let chain = vec!["x"; 300].join("\n+ ");
        text += &format!("def f{i}: f{} + {chain}\n", i - 1);
    }
    text += "invariant i: f149 == 0\n";
    let told = |text: &str| {
        check(
            text,
            expect![[r#"
                903 | def f4: f3 + x
                    |         ^^ error[too-large]: written out this is nested more than 1000 deep, too deep to check
                3 | def f1: f0 + x
                  |         ^^^^^^ note: it comes from here
            "#]],
        );
    };
    // A thousand deep takes about as much as a test's thread has; the program gives its threads far more.
    let deep = std::thread::Builder::new().stack_size(16 << 20);
    let checked = deep.spawn(move || told(&text));
    checked
        .expect("a thread")
        .join()
        .expect("it does not panic");
}

#[test]
fn definitions_deep_in_definitions_are_too_deep() {
    let mut text = String::from("var x: 0..9\ndef f0: x\n");
    for i in 1..300 {
        text += &format!("def f{i}: f{}\n", i - 1);
    }
    text += "invariant i: f299 == 0\n";
    check(
        &text,
        expect![[r#"
        203 | def f201: f200
            |           ^^^^ error[too-large]: more than 200 definitions stand in each other here, too many to check
        3 | def f1: f0
          |         ^^ note: it comes from here
    "#]],
    );
}

/// Whether parts may be written out so that there are one fewer than `most`, as many, and one more,
/// and how many messages that made.
fn written_out(
    most: u64,
    counted: for<'e> fn(&'e mut Elaborator<'_>) -> &'e mut u64,
) -> ([bool; 3], usize) {
    let program = program("var x: 0..3\n");
    let settings = Settings::default();
    let mut elaborator = Elaborator::new(&program, &settings);
    let whole = Span::new(FileId(0), 0, 0);
    *counted(&mut elaborator) = most - 2;
    let allowed = [(); 3].map(|()| elaborator.spend(1, whole));
    assert!(!elaborator.spend(1, whole), "it is told once");
    let (problems, ..) = elaborator.finish();
    (allowed, problems.len())
}

#[test]
fn as_many_parts_as_allowed_are_written_out_of_one_expression_and_of_the_model() {
    let expected = ([true, true, false], 1);
    let expression = written_out(MAX_EXPANSION, |elaborator| &mut elaborator.written);
    assert_eq!(expression, expected);
    let model = written_out(MAX_WORK, |elaborator| &mut elaborator.work);
    assert_eq!(model, expected);
}

#[test]
fn what_is_read_behind_the_limit_on_the_whole_model_is_lost() {
    let program = program("var x: 0..3\ninvariant large: x >= 0\ninvariant behind: x <= 3\n");
    let settings = Settings::default();
    let mut elaborator = Elaborator::new(&program, &settings);
    elaborator.work = MAX_WORK;
    for item in elaborator.items().iter() {
        let ast::Item::Invariant(invariant) = &item.ast else {
            continue;
        };
        let condition = invariant.condition().expect("a condition");
        elaborator.owned_by(item.id, |this| this.boolean(&condition, "an invariant"));
    }
    assert_eq!(elaborator.losses().items.len(), 2);
    let (problems, ..) = elaborator.finish();
    assert_eq!(problems.len(), 1, "it is told once");
}

#[test]
fn unknown_names_are_compared_with_so_many_others_and_no_more() {
    let program = program("var x: 0..3\n");
    let settings = Settings::default();
    let elaborator = Elaborator::new(&program, &settings);
    let suggested = |compared: u64| {
        elaborator.compared.set(compared);
        elaborator.nearest("gaet", ["gate"])
    };
    let around = [MOST_COMPARED - 1, MOST_COMPARED, MOST_COMPARED + 1];
    assert_eq!(around.map(suggested), [Some("gate"), None, None]);
    suggested(0);
    assert_eq!(elaborator.compared.get(), 2 + 4 * 4);
}
