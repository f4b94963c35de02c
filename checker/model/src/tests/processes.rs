//! Names, types and values in processes.

use expect_test::expect;

use super::check_whole;

const DECLARATIONS: &str = "\
param N: 2..6 = 3
type Id = 0..N-1
enum Color { red, green }
var gate: array[Id] of 0..3
var lamp: Color
var road: record { cars: 0..3, open: bool }
action ask(Id)
channel c[Id]: queue[2] of 0..3, bool
macro bump(x in 0..3, by in 0..9) { x = x + by }
invariant all_read: lamp == red and road.open
";

/// Holds the messages of the statements of `process customer(i in Id)`.
fn check_body(body: &str, expected: expect_test::Expect) {
    check_whole(
        &format!("{DECLARATIONS}process customer(i in Id) {{\n{body}\n}}\n"),
        expected,
    );
}

#[test]
fn local_variables_are_declared_once_with_values_in_their_types() {
    check_body(
        "var j: 0..i\nvar k: 0..3 = i + 2\nvar l: 0..3 = 7\nvar j: bool\nvar i: bool\nvar e: 1..i\nvar min: bool\nassert j == k and l == 1 and e == 1",
        expect![[r#"
            13 | var k: 0..3 = i + 2
               |               ^^^^^ error[outside-type]: `i + 2` is 4, which is outside 0..3, the type of `k`; a value up to 3, or a type that goes up to 4, would mend it
            14 | var l: 0..3 = 7
               |               ^ error[outside-type]: 7 is outside 0..3, the type of `l`; a value up to 3, or a type that goes up to 7, would mend it
            15 | var j: bool
               |     ^ error[duplicate-name]: `j` is declared twice in this process; another name would mend it
            12 | var j: 0..i
               |     ^ note: it is declared here first
            16 | var i: bool
               |     ^ error[duplicate-name]: `i` is declared twice in this process; another name would mend it
            11 | process customer(i in Id) {
               |                  ^ note: it is declared here first
            17 | var e: 1..i
               |        ^^^^ error[empty-type]: `1..i` is 1..0 and has no value, and every type has one; its lower end may not be above its upper end
            18 | var min: bool
               |     ^^^ error[reserved-name]: `min` is a built-in function and cannot be declared; another name would mend it
        "#]],
    );
}

#[test]
fn what_is_assigned_is_in_the_type_of_its_place() {
    check_body(
        "gate[1] = 7\ngate[i + 1] = 2\ngate[N] = 2\ngate[red] = 1\ngaet[1] = 1\nlamp = 1\nlamp = blue\nroad.car = 1\nroad = {cars: 1, open: 2}\nroad = {cars: 9, open: true}\ngate = [1, N + 1, gate[0]]",
        expect![[r#"
            12 | gate[1] = 7
               |           ^ error[outside-type]: 7 is outside 0..3, the type of `gate[1]`; a value up to 3, or a type that goes up to 7, would mend it
            14 | gate[N] = 2
               |      ^ error[constant-fails]: `N` is 3, which is outside 0..2, the indices of `gate`
            15 | gate[red] = 1
               |      ^^^ error[wrong-type]: the index of `gate` is an integer, but `red` is a value of `Color`
            16 | gaet[1] = 1
               | ^^^^ error[unknown-name]: `gaet` is not known here; did you mean `gate`?
            17 | lamp = 1
               |        ^ error[wrong-type]: `lamp` is a value of `Color`, but `1` is an integer; its values are `red`, `green`
            18 | lamp = blue
               |        ^^^^ error[unknown-name]: `blue` is not known here; a `var`, `const` or `def` of this name would declare it
            19 | road.car = 1
               |      ^^^ error[unknown-name]: `road` has no field `car`; did you mean `cars`?
            20 | road = {cars: 1, open: 2}
               |                        ^ error[wrong-type]: `open` is a truth value, but `2` is an integer; a comparison or `true` or `false` can stand here
            21 | road = {cars: 9, open: true}
               |               ^ error[outside-type]: 9 is outside 0..3, the type of `cars`; a value up to 3, or a type that goes up to 9, would mend it
            22 | gate = [1, N + 1, gate[0]]
               |            ^^^^^ error[outside-type]: `N + 1` is 4, which is outside 0..3, the type of a part of `gate`; a value up to 3, or a type that goes up to 4, would mend it
        "#]],
    );
}

#[test]
fn only_variables_and_their_parts_are_assigned_to() {
    check_body(
        "var k: 0..3\ni = 3\nN = 4\nred = green\ncustomer(0).k = 1\nk.x = 1\nk[1] = 1\ndo for v in Id { v = 1 }\non ask(?i)\nreceive c[0](?3, *)\nc = 1\n(k) = k",
        expect![[r#"
            13 | i = 3
               | ^ error[not-assignable]: `i` keeps its value and cannot be assigned to; a variable, a cell or a field of one can
            14 | N = 4
               | ^ error[not-assignable]: `N` is a parameter, which keeps its value and cannot be assigned to; a variable, a cell or a field of one can
            15 | red = green
               | ^^^ error[not-assignable]: `red` is a value of an enumeration and cannot be assigned to; a variable, a cell or a field of one can
            16 | customer(0).k = 1
               | ^^^^^^^^^^^^^ error[not-assignable]: `customer(0).k` is another process's own variable, which others only read, and cannot be assigned to; a variable, a cell or a field of one can
            17 | k.x = 1
               |   ^ error[wrong-type]: only a record has fields, but `k` is an integer; without `.x` it can stand here
            18 | k[1] = 1
               | ^^^^ error[wrong-type]: only an array has cells, but `k` is an integer; without the index it can stand here
            19 | do for v in Id { v = 1 }
               |                  ^ error[not-assignable]: `v` keeps its value and cannot be assigned to; a variable, a cell or a field of one can
            20 | on ask(?i)
               |         ^ error[not-assignable]: `i` keeps its value and cannot be given a value by `?`; a variable, a cell or a field of one can; without `?` it is a value to match
            21 | receive c[0](?3, *)
               |               ^ error[not-assignable]: `3` is no variable and cannot be given a value by `?`; a variable, a cell or a field of one can; without `?` it is a value to match
            22 | c = 1
               | ^ error[not-assignable]: `c` is a channel, which takes messages by `send`, and cannot be assigned to; a variable, a cell or a field of one can
            23 | (k) = k
               | ^ error[syntax]: expected a statement; statements are steps, assignments, `if`, `while`, `loop`, `either` and the like
        "#]],
    );
}

#[test]
fn the_arguments_of_actions_channels_and_macros_fit() {
    check_body(
        "var k: 0..3\non ask(7)\non ask(i + 1)\non ask(true)\non ask\nsend c[0](9, 1)\nsend c[7](1, true)\nsend c(1, true)\nsend k(1)\nbump(k, 11)\nbump(3, 1)\nbump(lamp, 1)\nbump(k)\nbump2(k, 1)\non aks(1)",
        expect![[r#"
            13 | on ask(7)
               |        ^ error[outside-type]: 7 is outside 0..2, the type of the argument of `ask`; a value up to 2, or a type that goes up to 7, would mend it
            14 | on ask(i + 1)
               |        ^^^^^ error[outside-type]: `i + 1` is 3, which is outside 0..2, the type of the argument of `ask`; a value up to 2, or a type that goes up to 3, would mend it
            15 | on ask(true)
               |        ^^^^ error[wrong-type]: the argument of `ask` is an integer, but `true` is a truth value; did you mean `1`?
            16 | on ask
               |       ^ error[wrong-arguments]: `ask` has 1 argument, and none is given here; `*` stands for any value
            17 | send c[0](9, 1)
               |           ^ error[outside-type]: 9 is outside 0..3, the type of part 1 of a message of `c`; a value up to 3, or a type that goes up to 9, would mend it
            17 | send c[0](9, 1)
               |              ^ error[wrong-type]: part 2 of a message of `c` is a truth value, but `1` is an integer; did you mean `true`?
            18 | send c[7](1, true)
               |        ^ error[constant-fails]: 7 is outside 0..2, the indices of `c`
            19 | send c(1, true)
               |       ^ error[wrong-arguments]: `c` is an array of channels; `c[…]` with an index is one of them
            20 | send k(1)
               |      ^ error[wrong-type]: a channel is asked for here, but `k` is a name of this place's own; another name for it would mend it
            12 | var k: 0..3
               |     ^ note: it is declared here
            22 | bump(3, 1)
               |      ^ error[not-assignable]: `3` is no variable and cannot be assigned to; a variable, a cell or a field of one can
            23 | bump(lamp, 1)
               |      ^^^^ error[wrong-type]: `x` of `bump` is an integer, but `lamp` is a value of `Color`
            24 | bump(k)
               |       ^ error[wrong-arguments]: `bump` takes 2 arguments, but one is given here
            25 | bump2(k, 1)
               | ^^^^^ error[unknown-name]: `bump2` is not known here as a macro; did you mean `bump`?
            26 | on aks(1)
               |    ^^^ error[unknown-name]: `aks` is not known here as an action; did you mean `ask`?
        "#]],
    );
}

#[test]
fn other_processes_are_asked_for_places_and_variables_that_they_have() {
    check_body(
        "var k: 0..3\nwait: await customer(0)@wiat and customer(5)@end\nawait customer@end\nawait customer(0, 1)@{wait, ends}\nawait customer(0).kk == 1 or customer(0).k == true\nawait lamp@end or customer(red)@end\nawait k == customer(k).k",
        expect![[r#"
            13 | wait: await customer(0)@wiat and customer(5)@end
               |                         ^^^^ error[unknown-state]: the process `customer` has no state or label `wiat`; did you mean `wait`?
            13 | wait: await customer(0)@wiat and customer(5)@end
               |                                  ^^^^^^^^^^^^^^^ error[constant-fails]: there is no instance 5 of `customer`; its instances are 0..2
            14 | await customer@end
               |               ^ error[wrong-arguments]: the process `customer` has an instance for each value of `i`; `customer(i)` is one of them, and `exists i in Id: customer(i)@end` asks whether any is there
            15 | await customer(0, 1)@{wait, ends}
               |                   ^ error[wrong-arguments]: the process `customer` has an instance for each value of `i`; `customer(i)` is one of them
            16 | await customer(0).kk == 1 or customer(0).k == true
               |                   ^^ error[unknown-name]: the process `customer` has no variable `kk` of its own; did you mean `k`?
            16 | await customer(0).kk == 1 or customer(0).k == true
               |                              ^^^^^^^^^^^^^^^^^^^^^ error[wrong-type]: `==` compares values of one type, but `customer(0).k` is an integer and `true` is a truth value; did you mean `1`?
            17 | await lamp@end or customer(red)@end
               |       ^^^^ error[wrong-type]: a process is asked for here, but `lamp` is a variable; only a process has states, labels and variables of its own
            5 | var lamp: Color
              |     ^^^^ note: it is declared here
            17 | await lamp@end or customer(red)@end
               |                            ^^^ error[wrong-type]: `i` of `customer` is an integer, but `red` is a value of `Color`
        "#]],
    );
}

#[test]
fn a_local_name_comes_before_a_shared_one() {
    check_body(
        "var lamp: 0..3\nvar ask: 0..3\nlamp = 3\non ask(1)\nask = lamp",
        expect![[r#"
            12 | var lamp: 0..3
               |     ^^^^ hint[hides-shared]: `lamp` hides the shared variable of the same name, which cannot be reached here; another name would keep the two apart
            5 | var lamp: Color
              |     ^^^^ note: the shared variable is here
            15 | on ask(1)
               |    ^^^ error[wrong-type]: an action is asked for here, but `ask` is a name of this place's own; another name for it would mend it
            13 | var ask: 0..3
               |     ^^^ note: it is declared here
        "#]],
    );
}

#[test]
fn a_local_variable_elsewhere_is_told_how_to_be_read() {
    check_whole(
        "process p(i in 0..1) { var j: 0..1\n j = 1 - j }\ninvariant i: j == 0\n",
        expect![[r#"
            3 | invariant i: j == 0
              |              ^ error[unknown-name]: `j` is not known here; a process's own variable is read as `p(…).j`
        "#]],
    );
}

#[test]
fn a_macro_that_is_never_used_is_checked_too() {
    check_whole(
        "var x: 0..3\nmacro m(y in 0..3, t in bool) { y = x + z; t = y; x = 9 }\ninvariant i: x == 0\nprocess p { skip }\n",
        expect![[r#"
            2 | macro m(y in 0..3, t in bool) { y = x + z; t = y; x = 9 }
              |                                         ^ error[unknown-name]: `z` is not known here; a `var`, `const` or `def` of this name would declare it
            2 | macro m(y in 0..3, t in bool) { y = x + z; t = y; x = 9 }
              |                                                ^ error[wrong-type]: `t` is a truth value, but `y` is an integer; did you mean `y != 0`?
            2 | macro m(y in 0..3, t in bool) { y = x + z; t = y; x = 9 }
              |                                                       ^ error[outside-type]: 9 is outside 0..3, the type of `x`; a value up to 3, or a type that goes up to 9, would mend it
        "#]],
    );
}
