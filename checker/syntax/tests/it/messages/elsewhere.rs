//! What people bring along from other languages.

use expect_test::expect;

use super::check;

#[test]
fn statements_of_other_languages_have_one_message_that_says_what_is_meant() {
    check(
        r#"var x: 0..1
channel c[0..1]: queue[1] of 0..1
process p {
    use: skip
    atomic { x = 1; x = 0 }
    d_step { x = 1 }
    wait x == 1;
    print x;
    printf("x is %d", x);
    for i in 0..1 { send c[i](i) }
    for i in 0..1 { x = i }
    x = x > 0 ? 1 : 0;
    var: x = 1
}
process q {
    initial state s { goto t }
    state t { atomic { x = 1 } -> s }
}
"#,
        expect![[r#"
            4   |     use: skip
                |     ~~~ `use` is reserved and cannot name a label
                |         choose another name
            5   |     atomic { x = 1; x = 0 }
                |     ~~~~~~ there is no `atomic`: a step has any number of effects, and nobody comes in between
                |            write `do { … }`
            6   |     d_step { x = 1 }
                |     ~~~~~~ there is no `d_step`: a step has any number of effects, and nobody comes in between
                |            write `do { … }`
            7   |     wait x == 1;
                |     ~~~~ there is no statement `wait`
                |          write `await e`
            8   |     print x;
                |     ~~~~~ there is no statement `print`
                |           leave it out: a trace shows every change
            9   |     printf("x is %d", x);
                |     ~~~~~~ there is no statement `printf`
                |            leave it out: a trace shows every change
            10  |     for i in 0..1 { send c[i](i) }
                |     ~~~ a `for` with a block stands among effects
                |         these are steps: go through the values with a variable and a `while`
            11  |     for i in 0..1 { x = i }
                |     ~~~ a `for` with a block stands among effects
                |         write `do for x in T { … }`, which is one step
            12  |     x = x > 0 ? 1 : 0;
                |               ~ there is no `? :`
                |                 write `if c then a else b`
            13  |     var: x = 1
                |     ~~~ `var` is reserved and cannot name a label
                |         choose another name
            16  |     initial state s { goto t }
                |                       ~~~~ expected a step
                |                            a step leads on by itself: `-> s`
            17  |     state t { atomic { x = 1 } -> s }
                |               ~~~~~~ expected a step
                |                      one step has any number of effects: `do { … } -> s`
        "#]],
    );
}

#[test]
fn a_word_that_other_languages_have_may_be_a_name() {
    check(
        r"var wait: 0..1
var print: 0..1
macro atomic { wait = 1 }
process p {
    wait = 1;
    print = wait;
    atomic
    wait: skip;
    wait(x); print(x)
}
",
        expect![[""]],
    );
}

#[test]
fn words_of_other_languages_are_names_wherever_they_can_be() {
    check(
        r"def range(x in 0..1): x
def G: true
def AG(x in bool): x
var mod, at, max2, is: range(0)..3
var IF, THEN, xor: [0, 1][0]..3
var Lamp: record { green: 0..3, len: 0..3 }
enum set { run, go, mtype }
macro int { mod = 1 }
macro put(v in 0..3) { mod = v }
macro switch(v in 0..3) { mod = v }
macro forever { put(1) }
process init {
    int
    mod = at
    is = mod
    at = xor; mod = 1
    xor = at mod = 1
    IF = THEN
    THEN = IF + THEN
    put(1); switch(2)
    switch(2) if IF == 1 { forever }
    put (1)
    set: int; put(2)
    run: IF = 1
    Lamp.green = Lamp.len
    if IF == 1 { int }
    elif
    while mod < 3 { int }
}
macro elif { int }
process states {
    state a initial final state b
    state c
}
ltl formula: G
termination not required
ltl other: AG(G)
reachable check: AG
expect violated: other
",
        expect![[""]],
    );
}

#[test]
fn collections_are_arrays_and_channels() {
    check(
        r"var a: set of 0..3
var b: list[3] of 0..3
var d: array[0..1] of queue[2] of bool
var set: 0..1
type list = 0..3
var e: list
",
        expect![[r#"
            3   | var d: array[0..1] of queue[2] of bool
                |                       ~~~~~ there is no type `queue of`
                |                             it is a kind of channel: `channel c: queue[3] of T`
        "#]],
    );
}
