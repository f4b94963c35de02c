//! What people write on the command line by mistake: each is told in one message that says what to write.

use expect_test::{Expect, expect};

use super::folder::{Folder, LOCK};

/// What is said of each of the command lines, all of which are wrong.
fn check(lines: &[&str], expected: Expect) {
    let folder = Folder::with("lock.stb", LOCK);
    let mut shown = String::new();
    for line in lines {
        let run = folder.run(line);
        assert_eq!(run.status, 3, "{line}");
        assert_eq!(run.out, "", "{line}");
        assert_eq!(run.err.matches("error: ").count(), 1, "{line}: {}", run.err);
        shown += &format!("$ stubborn {line}\n");
        // How all of it is written, and where that stands, follows each.
        let said = run.err.lines().filter(|line| {
            let is_usage = line.starts_with("Usage: ") || line.starts_with("For more information");
            !is_usage && !line.is_empty()
        });
        shown.extend(said.map(|line| format!("{line}\n")));
    }
    expected.assert_eq(&shown);
}

#[test]
fn commands_and_files() {
    check(
        &[
            "lock.stb",
            "chek lock.stb",
            "verify lock.stb",
            "--check lock.stb",
            "check",
            "check lok.stb",
            "check .",
            "explore",
            "automaton",
            "automaton lock.stb --property mutex",
            "fmt lok.stb",
        ],
        expect![[r#"
            $ stubborn lock.stb
            error: unrecognized subcommand 'lock.stb'
              tip: the file is checked by `stubborn check lock.stb`
            $ stubborn chek lock.stb
            error: unrecognized subcommand 'chek'
              tip: a similar subcommand exists: 'check'
            $ stubborn verify lock.stb
            error: unrecognized subcommand 'verify'
              tip: the properties of a model are checked by `stubborn check FILE`
            $ stubborn --check lock.stb
            error: unexpected argument '--check' found
              tip: the options of a command are listed by `stubborn help COMMAND`
            $ stubborn check
            error: the following required arguments were not provided:
              <FILE>...
            $ stubborn check lok.stb
            error: there is no file `lok.stb`
            $ stubborn check .
            error: `.` is not a file; a model is given by its file, `model.stb`
            $ stubborn explore
            error: the following required arguments were not provided:
              <FILE>
            $ stubborn automaton
            error: the following required arguments were not provided:
              <FILE>
            $ stubborn automaton lock.stb --property mutex
            error: `mutex` is no automaton and no tester: a property of the form `invariant` is checked without one that could be shown
            $ stubborn fmt lok.stb
            error: there is no file `lok.stb`
        "#]],
    );
}

#[test]
fn names_and_parameters() {
    check(
        &[
            "check lock.stb --property mutx",
            "check lock.stb --property mutex(1)",
            "check lock.stb --property access(7)",
            "check lock.stb --property",
            "check lock.stb -D M=3",
            "check lock.stb -D n=2",
            "check lock.stb -D N=99",
            "check lock.stb -D N",
            "check lock.stb -D N=many",
            "check lock.stb -N=3",
            "check lock.stb --define N=3",
        ],
        expect![[r#"
            $ stubborn check lock.stb --property mutx
            error: there is no property `mutx`; did you mean `mutex`? There are `access`, `deadlock`, `errors`, `mutex`, `termination`
            $ stubborn check lock.stb --property mutex(1)
            error: there is no property `mutex(1)`; `mutex` has no parameters; there are `access`, `deadlock`, `errors`, `mutex`, `termination`
            $ stubborn check lock.stb --property access(7)
            error: there is no property `access(7)`: 7 is outside 0..1; there are `access(0)`, `access(1)`
            $ stubborn check lock.stb --property
            error: a value is required for '--property <NAME>' but none was supplied
            $ stubborn check lock.stb -D M=3
            error: there is no `param M` to set; there is `N`
            $ stubborn check lock.stb -D n=2
            error: there is no `param n` to set; there is `N`
            $ stubborn check lock.stb -D N=99
            error: `-D N=99`: 99 is outside 2..4, the range of the parameter `N`
            $ stubborn check lock.stb -D N
            error: invalid value 'N' for '-D <NAME=VALUE>': it is written NAME=VALUE: -D N=4, -D N=2..4, -D BUG=none,lost
            $ stubborn check lock.stb -D N=many
            error: `-D N=many`: `many` is not an integer
            $ stubborn check lock.stb -N=3
            error: unexpected argument '-N' found
              tip: a `param` of the model is set by `-D NAME=VALUE`
            $ stubborn check lock.stb --define N=3
            error: unexpected argument '--define' found
              tip: a `param` of the model is set by `-D NAME=VALUE`
        "#]],
    );
}

#[test]
fn options_and_their_values() {
    check(
        &[
            "check lock.stb --treads 2",
            "check lock.stb --threads 0",
            "check lock.stb -v",
            "check lock.stb --format xml",
            "check lock.stb --search bf",
            "check lock.stb --reduction off",
            "check lock.stb --color yes",
            "check lock.stb --max-memory 4X",
            "check lock.stb --max-states 1e6",
            "check lock.stb --max-states 0",
            "check lock.stb --timeout soon",
            "check lock.stb --bits 99",
            "explore lock.stb --output space.txt",
        ],
        expect![[r#"
            $ stubborn check lock.stb --treads 2
            error: unexpected argument '--treads' found
              tip: a similar argument exists: '--threads'
            $ stubborn check lock.stb --threads 0
            error: invalid value '0' for '--threads <N>': 0 is not in 1..=4294967295
            $ stubborn check lock.stb -v
            error: unexpected argument '-v' found
              tip: the options of a command are listed by `stubborn help COMMAND`
            $ stubborn check lock.stb --format xml
            error: invalid value 'xml' for '--format <FORMAT>'
              [possible values: human, json, sarif, junit]
            $ stubborn check lock.stb --search bf
            error: invalid value 'bf' for '--search <WHICH>'
              [possible values: bfs, dfs, random]
              tip: a similar value exists: 'bfs'
            $ stubborn check lock.stb --reduction off
            error: invalid value 'off' for '--reduction <WHICH>'
              [possible values: stubborn, none, sensitive, sensitive-cycles]
            $ stubborn check lock.stb --color yes
            error: invalid value 'yes' for '--color <WHEN>'
              [possible values: auto, always, never]
            $ stubborn check lock.stb --max-memory 4X
            error: invalid value '4X' for '--max-memory <SIZE>': it is a number with K, M, G or T: 500M, 2G
            $ stubborn check lock.stb --max-states 1e6
            error: invalid value '1e6' for '--max-states <N>': it is a number of states, 1 at least: 1000000
            $ stubborn check lock.stb --max-states 0
            error: invalid value '0' for '--max-states <N>': it is a number of states, 1 at least: 1000000
            $ stubborn check lock.stb --timeout soon
            error: invalid value 'soon' for '--timeout <SECONDS>': it is a number of seconds: 60, 0.5
            $ stubborn check lock.stb --bits 99
            error: invalid value '99' for '--bits <N>': 99 is not in 10..=64
            $ stubborn explore lock.stb --output space.txt
            error: `--output space.txt` has to end with .aut, .dot or .json, which says in which format it is written
        "#]],
    );
}
