//! What a person reads in a terminal.

use expect_test::expect;

use super::folder::{BROKEN_LOCK, FORKS, Folder, LOCK};

#[test]
fn where_everything_holds_there_is_a_line_for_each_property() {
    let ran = Folder::with("lock.stb", LOCK).run("check lock.stb");
    expect![[r#"
        lock.stb
          errors       holds
          deadlock     holds
          termination  holds
          mutex        holds
          access(0)    holds
          access(1)    holds

        6 properties: 6 hold; 8 states, 14 edges, _ s
        --- exit status 0
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_violation_shows_the_property_and_the_steps() {
    let ran = Folder::with("lock.stb", BROKEN_LOCK).run("check lock.stb");
    expect![[r#"
        violated[invariant]: mutex: 2 customers are in critical at once, after 4 steps
          --> lock.stb:14:11
           |
        14 | invariant mutex: count(i in 0..1: customer(i)@critical) <= 1
           |           ^^^^^

          step  who          from → to            statement        what changed
             1  customer(0)  idle → entering      when free
             2  customer(1)  idle → entering      when free
             3  customer(0)  entering → critical  do free = false  free = false
             4  customer(1)  entering → critical  do free = false  free = false, as before

        lock.stb
          errors       holds      22 states, 42 edges, _ s
          deadlock     holds      22 states, 42 edges, _ s
          termination  holds      22 states, 42 edges, _ s
          mutex        violated
          never_two    holds      1 state, 0 edges, _ s
          access(0)    holds      22 states, 42 edges, _ s
          access(1)    holds      22 states, 42 edges, _ s

        7 properties: 6 hold, 1 is violated
        --- exit status 1
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_deadlock_shows_where_each_is_stuck() {
    let ran = Folder::with("forks.stb", FORKS).run("check forks.stb --property deadlock");
    expect![[r#"
        violated[deadlock]: eater(0) and eater(1) wait for each other, after 2 steps
         --> forks.stb:3:9
          |
        3 | process eater(i in 0..1) {
          |         ^^^^^
        4 |     initial state hungry { when fork[i] do fork[i] = false                 -> one }
        5 |     state one { when fork[1 - i] do fork[1 - i] = false                    -> both }
          |           ---
          |           |
          |           eater(0) at one waits for `fork[1]`
          |           eater(1) at one waits for `fork[0]`

          step  who       from → to     statement                        what changed
             1  eater(0)  hungry → one  when fork[i] do fork[i] = false  fork[0] = false
             2  eater(1)  hungry → one  when fork[i] do fork[i] = false  fork[1] = false

        forks.stb
          deadlock  violated

        1 property: 1 is violated; 7 states, 7 edges, _ s
        --- exit status 1
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_cycle_is_marked() {
    let text = "\
action ask
action answer
process client { loop { on ask; either { on answer } or { skip } } }
process service { loop { on ask; on answer } }
process clock { var tick: bool loop { await not tick do tick = true; tick = false } }
progress answered: must client@never
process idle { never: skip }
";
    let text = text.replace("client@never", "idle@end");
    let ran = Folder::with("service.stb", &text).run("check service.stb --property answered");
    expect![[r#"
        violated[progress]: answered: from the start a cycle of 2 steps can be gone round for ever, and idle is never at end in it; clock and idle never move on it, and no fairness is assumed
         --> service.stb:6:10
          |
        6 | progress answered: must idle@end
          |          ^^^^^^^^

          step  who             from → to            statement  what changed
             ↻  again and again:
             1  client: ask     line 3 → line 3 (2)  on ask
                service         line 4 → line 4 (2)  on ask
             2  client: answer  line 3 (2) → line 3  on answer
                service         line 4 (2) → line 4  on answer
             ↺  back to the start

        service.stb
          answered  violated

        1 property: 1 is violated; 6 states, 15 edges, _ s
        --- exit status 1
    "#]].assert_eq(&ran.shown());
}

#[test]
fn a_step_that_fails_is_shown_in_the_text() {
    let text = "var x: 0..2\nprocess counter { loop { x = x + 1 } }\n";
    let ran = Folder::with("counter.stb", text).run("check counter.stb --property errors");
    expect![[r#"
        hint[no-place-to-stop]: no process has a place where it may stop, so that the model is taken to go on for ever and `termination` is not checked; mark a state `final`, or give a process a `stop`, or write `termination not required`
         --> counter.stb:2:9
          |
        2 | process counter { loop { x = x + 1 } }
          |         ^^^^^^^

        violated[errors]: `x = x + 1` of counter fails after 2 steps: the value 3 is outside 0..2, the type of `x`
         --> counter.stb:2:9
          |
        2 | process counter { loop { x = x + 1 } }
          |         ^^^^^^^          --------- the value 3 is outside 0..2, the type of `x`

          step  who      from → to  statement  what changed
             1  counter  line 2     x = x + 1  x = 1
             2  counter  line 2     x = x + 1  x = 2
             3  counter  line 2     x = x + 1  fails: the value 3 is outside 0..2, the type of `x`

        counter.stb
          errors  violated

        1 property: 1 is violated; 3 states, 3 edges, _ s
        --- exit status 1
    "#]].assert_eq(&ran.shown());
}

#[test]
fn the_middle_of_a_very_long_trace_is_left_out() {
    let text = "var x: 0..500\nprocess p { while x < 500 { x = x + 1 } }\ninvariant low: x < 400\n";
    let ran = Folder::with("long.stb", text).run("check long.stb --property low");
    let steps = ran.out.lines().filter(|line| line.contains("x = ")).count();
    assert!(steps < 150, "{}", ran.out);
    let says = "     …  600 steps left out; `--format json` has every step";
    assert!(ran.out.lines().any(|line| line == says), "{}", ran.out);
}

#[test]
fn mistakes_are_shown_where_they_stand() {
    let text = format!("{LOCK}invariant wrong: fre\ninvariant mutex: true\nvar unread: bool\n");
    let ran = Folder::with("lock.stb", &text).run("check lock.stb");
    expect![[r#"
        error[unknown-name]: `fre` is not known here; did you mean `free`?
          --> lock.stb:15:18
           |
        15 | invariant wrong: fre
           |                  ^^^

        error[duplicate-name]: there is already a property `mutex`; another name would mend it
          --> lock.stb:16:11
           |
        13 | invariant mutex: count(i in 0..N-1: customer(i)@critical) <= 1
           |           ----- it is declared here first
        ...
        16 | invariant mutex: true
           |           ^^^^^

        lock.stb
          errors       holds
          deadlock     holds
          termination  holds
          mutex        holds
          access(0)    holds
          access(1)    holds

        2 errors: what depends on them was not checked
        6 properties: 6 hold; 8 states, 14 edges, _ s
        --- exit status 3
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn mistakes_that_leave_no_model_say_so() {
    let text = LOCK.replace("-> idle", "-> nowhere");
    let ran = Folder::with("lock.stb", &text).run("check lock.stb");
    expect![[r#"
        error[unknown-state]: there is no state `nowhere` here; declare it with `state`
         --> lock.stb:9:51
          |
        9 |     state critical { do free = true            -> nowhere }
          |                                                   ^^^^^^^

        1 error: nothing was checked
        --- exit status 3
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_limit_is_told_beside_what_it_left_undecided() {
    let ran = Folder::with("lock.stb", LOCK).run("check lock.stb --max-states 3");
    expect![[r#"
        lock.stb
          errors       undecided  the limit of 3 states was reached, with nothing against it so far
          deadlock     undecided  the limit of 3 states was reached, with nothing against it so far
          termination  undecided  the limit of 3 states was reached
          mutex        undecided  the limit of 3 states was reached, with nothing against it so far
          access(0)    undecided  the limit of 3 states was reached
          access(1)    undecided  the limit of 3 states was reached

        More is decided with a larger `--max-states`, or with smaller `param`s and types, which make fewer states.
        Try next  `--property 'errors'`: 5 other properties share the limit
                  `--search random`: random runs look for violations that lie deep

        6 properties: 6 are undecided; 3 states, 2 edges, _ s
        --- exit status 2
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_missing_file_is_told_on_standard_error() {
    let ran = Folder::new().run("check nothing.stb");
    expect![[r#"
        --- on standard error
        error: there is no file `nothing.stb`

        --- exit status 3
    "#]]
    .assert_eq(&ran.shown());
}

#[test]
fn a_state_space_is_a_few_figures() {
    let ran = Folder::with("lock.stb", LOCK).run("explore lock.stb --max-states 3");
    let shown = ran.shown();
    let figures = ["states", "edges", "terminal", "bytes a state", "seconds"];
    for (line, figure) in shown.lines().skip(1).zip(figures) {
        assert!(line.starts_with(&format!("  {figure} ")), "{shown}");
    }
    assert!(
        shown.contains("incomplete: the limit of 3 states was reached"),
        "{shown}"
    );
}

#[test]
fn colours_are_for_terminals_unless_they_are_asked_for() {
    let folder = Folder::with("lock.stb", BROKEN_LOCK);
    assert!(!folder.run("check lock.stb").out.contains('\x1b'));
    assert!(
        !folder
            .run("check lock.stb --color never")
            .out
            .contains('\x1b')
    );
    assert!(
        folder
            .run("check lock.stb --color always")
            .out
            .contains("\x1b[32mholds\x1b[0m")
    );
}
