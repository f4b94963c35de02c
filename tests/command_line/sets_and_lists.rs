//! Sets and lists, as the program checks them.

use super::folder::Folder;

/// All elements that are put in at once are worked out in the state before, whatever names them.
#[test]
fn elements_that_depend_on_what_changes_are_those_of_the_state_before() {
    let text = "var s: set of 0..5\n\
                var sets: array[0..2] of set of 0..2\n\
                var lists: array[0..1] of list[2] of 0..1\n\
                def next: len(s)\n\
                macro put(k in 0..5) { s = s + {0, k} }\n\
                process p {\n\
                    s = s + {5, next}\n\
                    assert s == {0, 5}\n\
                    put(len(s) + 1)\n\
                    assert s == {0, 3, 5}\n\
                    s = s - {0, next}\n\
                    assert s == {5}\n\
                    sets[len(sets[0])] = sets[len(sets[0])] + {1, 2}\n\
                    assert sets[0] == {1, 2} and empty(sets[1]) and empty(sets[2])\n\
                    lists[if lists[0] == [] then 0 else 1] = lists[if lists[0] == [] then 0 else 1] + [1]\n\
                    assert lists[0] == [1] and lists[1] == []\n\
                }\n\
                invariant ends: p@end implies s == {5} and full(lists[0]) == false\n";
    let folder = Folder::with("m.stb", text);
    for options in ["", " --reduction none --keep-dead-variables"] {
        let ran = folder.run(&format!("check m.stb{options}"));
        assert_eq!(ran.status, 0, "{}{}", ran.out, ran.err);
    }
}

/// What a check of a list of two says, whose process does this.
fn told_of_list(statements: &str) -> String {
    let text = format!(
        "var l: list[3] of 0..3 = [1, 2]\nvar n: 0..5 = 2\nvar x: 0..3\nprocess p {{\n{statements}\n}}\n\
         invariant low: x < 4 or l == [] or n == 0\n"
    );
    let folder = Folder::with("m.stb", &text);
    let ran = folder.run("check m.stb --property errors");
    assert_eq!(ran.status, 1, "{statements}: {}{}", ran.out, ran.err);
    ran.out
}

#[test]
fn what_a_list_has_is_told_where_it_has_no_such_element_or_no_room() {
    let two = "in a list of 2, whose indices are 0..1";
    for (statements, expected) in [
        ("x = l[n]", format!("there is no element 2 {two}")),
        ("x = l[n - 3]", format!("there is no element -1 {two}")),
        ("l[n + 1] = 0", format!("there is no element 3 {two}")),
        ("l = l[1..n]", format!("there is no element 2 {two}")),
        ("l = l[n - 4..1]", format!("there is no element -2 {two}")),
        (
            "l = [3]\nx = l[n - 1]",
            "there is no element 1 in a list of 1, whose index is 0".to_owned(),
        ),
        (
            "l = l[2..1]\nx = l[n]",
            "there is no element 2 in an empty list".to_owned(),
        ),
        (
            "l = l + l",
            "the list has room for 3 elements, and there would be more".to_owned(),
        ),
        (
            "l = l + [1]\nl = l + [n]",
            "the list has room for 3 elements, and there would be more".to_owned(),
        ),
    ] {
        let told = told_of_list(statements);
        assert!(told.contains(&expected), "{statements}: {told}");
    }
}

#[test]
fn who_waits_for_an_element_is_told_so_though_it_may_be_none_that_the_set_can_have() {
    let text = "var s: set of 1..3 = {3}\nvar x: 0..3 = 1\nmacro until(k in 0..3) {\n    await k in s\n}\n\
                process p { until(x) }\nprocess q { await x + 1 in s and x > 0 }\nprocess r { until(2) }\n";
    let folder = Folder::with("m.stb", text);
    let told = folder.run("check m.stb --property deadlock").out;
    for who in [
        "p at line 6 waits for `1 in s`",
        "q at line 7 waits for `2 in s and x > 0`",
        "r at line 8 waits for `2 in s`",
    ] {
        assert!(told.contains(who), "{told}");
    }
}

#[test]
fn who_waits_for_a_set_of_elements_is_told_so_as_it_is_written() {
    let text = "var s: set of 1..3 = {3}\n\
                macro until(k in 1..3) {\n    await {k} <= s\n}\n\
                macro last(k in 1..3) { await s >= {k, 1} }\n\
                process p { until(1) }\nprocess q(i in 1..1) { await {i, 2} <= s }\nprocess r { last(2) }\n\
                process t { await {2} <= s and len(s) > 0 }\nprocess u { await 2 in s }\n";
    let folder = Folder::with("m.stb", text);
    let told = folder.run("check m.stb --property deadlock").out;
    for who in [
        "p at line 6 waits for `{1} <= s`",
        "q(1) at line 7 waits for `{1, 2} <= s`",
        "r at line 8 waits for `s >= {1, 2}`",
        "t at line 9 waits for `{2} <= s and len(s) > 0`",
        "u at line 10 waits for `2 in s`",
    ] {
        assert!(told.contains(who), "{told}");
    }
}

#[test]
fn what_is_outside_the_range_of_the_elements_is_told_as_theirs() {
    for (statements, expected) in [
        ("l = l + [n]", "`l`"),
        ("l[0] = n", "`l`"),
        ("two[1] = two[1] + [n]", "`two[1]`"),
    ] {
        let text = format!(
            "var l: list[3] of 0..3 = [1]\nvar two: array[0..1] of list[2] of 0..3\nvar n: 0..5 = 4\n\
             process p {{ {statements} }}\ninvariant low: n < 6 and l != [] and two[0] == []\n"
        );
        let folder = Folder::with("m.stb", &text);
        let ran = folder.run("check m.stb --property errors");
        let expected =
            format!("the value 4 is outside 0..3, the range of the elements of {expected}");
        assert!(ran.out.contains(&expected), "{statements}: {}", ran.out);
    }
}
