//! Programs of several files.

use expect_test::expect;

use super::{program_of, read, rendered};

#[test]
fn a_used_file_sees_nothing_of_its_users() {
    let program = program_of(&[
        ("lib.stb", "const a = b\n"),
        (
            "main.stb",
            "use \"lib.stb\"\nconst b = 1\ninvariant i: a == b\n",
        ),
    ]);
    let reading = read(&program, &[]);
    expect![[r#"
        lib.stb:1 | const a = b
                  |           ^ error[unknown-name]: `b` is not known here; `main.stb` declares it, and a file sees only what it uses
    "#]].assert_eq(&rendered(&program, &reading.problems));
}

#[test]
fn a_duplicate_across_files_is_told_in_the_user() {
    let program = program_of(&[
        ("lib.stb", "const a = 1\ninvariant i: true\n"),
        (
            "main.stb",
            "use \"lib.stb\"\nconst a = 2\ninvariant i: a == 1\n",
        ),
    ]);
    let reading = read(&program, &[]);
    expect![[r#"
        main.stb:2 | const a = 2
                   |       ^ error[duplicate-name]: `a` is declared twice: it is already a constant; another name would mend it
        lib.stb:1 | const a = 1
                  |       ^ note: it is declared here first
        main.stb:3 | invariant i: a == 1
                   |           ^ error[duplicate-name]: there is already a property `i`; another name would mend it
        lib.stb:2 | invariant i: true
                  |           ^ note: it is declared here first
    "#]].assert_eq(&rendered(&program, &reading.problems));
}

#[test]
fn missing_files_and_cycles_are_told_at_the_use() {
    let program = program_of(&[
        ("b.stb", "use \"c.stb\"\n"),
        ("c.stb", "use \"b.stb\"\nuse \"nowhere.stb\"\n"),
        (
            "a.stb",
            "use \"b.stb\"\nuse \"a.stb\"\nuse \"missing.stb\"\n",
        ),
    ]);
    let reading = read(&program, &[]);
    expect![[r#"
        a.stb:1 | use "b.stb"
                |     ^^^^^^^ error[use-cycle]: these files use each other in a cycle: `b.stb` uses `c.stb` uses `b.stb`; one of them must do without the other
        a.stb:2 | use "a.stb"
                |     ^^^^^^^ error[use-cycle]: a file cannot use itself: `a.stb` is this very file
        a.stb:3 | use "missing.stb"
                |     ^^^^^^^^^^^^^ error[missing-file]: there is no file `missing.stb`; a path is relative to the file that uses it
        c.stb:2 | use "nowhere.stb"
                |     ^^^^^^^^^^^^^ error[missing-file]: there is no file `nowhere.stb`; a path is relative to the file that uses it
    "#]].assert_eq(&rendered(&program, &reading.problems));
}

#[test]
fn a_file_that_two_others_use_is_there_once() {
    let program = program_of(&[
        ("base.stb", "const a = 1\n"),
        ("x.stb", "use \"base.stb\"\nconst x = a\n"),
        ("y.stb", "use \"base.stb\"\nconst y = a\n"),
        (
            "main.stb",
            "use \"x.stb\"\nuse \"y.stb\"\ninvariant i: x == y and a == 1\n",
        ),
    ]);
    let reading = read(&program, &[]);
    assert!(reading.problems.is_empty());
    let order: Vec<&str> = program
        .order
        .iter()
        .map(|f| program.file(*f).path.as_str())
        .collect();
    assert_eq!(order, ["base.stb", "x.stb", "y.stb", "main.stb"]);
}

#[test]
fn what_a_missing_file_would_declare_is_not_told_name_by_name() {
    let program = program_of(&[(
        "main.stb",
        "use \"library.stb\"\nvar x: 0..limit\ninvariant i: x < limit or free(x)\n",
    )]);
    let reading = read(&program, &[]);
    expect![[r#"
        1 | use "library.stb"
          |     ^^^^^^^^^^^^^ error[missing-file]: there is no file `library.stb`; a path is relative to the file that uses it
    "#]].assert_eq(&rendered(&program, &reading.problems));
}
