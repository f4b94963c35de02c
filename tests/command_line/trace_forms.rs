//! Runs for people: with the statements, in each of the forms, whole and in part.

use expect_test::{Expect, expect};

use super::folder::{Folder, Ran, property};

/// A sender with a macro, a receiver, and somebody who goes along.
const MAIL: &str = "\
enum kind { letter, card }
var stamps: 0..3 = 2
var sent: array[kind] of 0..3
channel box: queue[2] of kind
action ring(kind)

macro note(k in kind) {
    if sent[k] < 3 { sent[k] = sent[k] + 1 } /* else
    nothing */
}
process sender(k in kind) {
    var tries: 0..2
    tries = 0
    await stamps > tries do stamps = stamps - 1   // one each
    send box(k)
    note(k)
}
process postman {
    var held: kind
    initial state waits { receive box(?held) -> rings }
    state rings         { on ring(held)      -> waits }
}
process house { loop { on ring(*) } }
termination not required
deadlock ignored
invariant at_most_one: sent[letter] + sent[card] < 2 or not empty(box) or postman@rings
";

/// A tester that rejects a letter after a move of its own.
const IMPATIENT: &str = "\
use \"mail.stb\"
tester impatient {
    initial state calm { on ring(letter) -> calm  on ring(card) -> glad  on tau -> cross }
    state cross { on ring(letter) -> furious }
    reject state furious
    state glad { on ring(card) -> glad }
}
";

pub fn mail() -> Folder {
    Folder::with("mail.stb", MAIL)
}

/// The run alone, as it is told under a property.
pub fn run(ran: &Ran) -> String {
    let run = ran.out.split_once("^\n\n").map(|(_, run)| run);
    let run = run.unwrap_or_else(|| panic!("no run: {}", ran.out));
    let (run, _) = run.rsplit_once("\n\n").expect("the summary behind it");
    unindented(run)
}

/// Without the blanks before each line, which `expect!` would take for its own.
fn unindented(run: &str) -> String {
    let lines = run
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The run of a property that a check has written, as `simulate --replay` shows it.
pub fn replayed(folder: Folder, file: &str, property: &str, arguments: &str) -> String {
    let (_, object) = folder.json(&format!("check {file} --property {property}"));
    let folder = folder.and("found.json", &object.to_string());
    let ran = folder.run(&format!("simulate {file} --replay found.json {arguments}"));
    assert_eq!((ran.status, &*ran.err), (0, ""), "{file} {arguments}");
    unindented(&ran.out)
}

fn told(arguments: &str, expected: Expect) {
    expected.assert_eq(&replayed(mail(), "mail.stb", "at_most_one", arguments));
}

#[test]
fn a_table_has_the_statements_with_what_came_of_them() {
    let ran = mail().run("check mail.stb --property at_most_one");
    expect![[r#"
            step  who                    from → to              statement         what changed
               1  sender(letter)         line 13 → line 14      tries = 0         sender(letter).tries = 0, as before
               2  sender(letter)         line 14 → line 15      await stamps >    stamps = 1
                                                                tries do stamps
                                                                = stamps - 1
               3  sender(letter)         line 15 → line 16      send box(k)       box = [letter]
               4  sender(letter)         line 16 → line 16 (2)  if sent[k] < 3:
                                                                yes
               5  sender(letter)         line 16 (2) → end      sent[k] =         sent[letter] = 1
                                                                sent[k] + 1
               6  sender(card)           line 13 → line 14      tries = 0         sender(card).tries = 0, as before
               7  sender(card)           line 14 → line 15      await stamps >    stamps = 0
                                                                tries do stamps
                                                                = stamps - 1
               8  sender(card)           line 15 → line 16      send box(k)       box = [letter, card]
               9  sender(card)           line 16 → line 16 (2)  if sent[k] < 3:
                                                                yes
              10  sender(card)           line 16 (2) → end      sent[k] =         sent[card] = 1
                                                                sent[k] + 1
              11  postman                waits → rings          receive           box = [card]
                                                                box(?held)
              12  postman: ring(letter)  rings → waits          on ring(held)
                  house                  line 23                on ring(*)
              13  postman                waits → rings          receive           box = [],
                                                                box(?held)        postman.held = card
              14  postman: ring(card)    rings → waits          on ring(held)
                  house                  line 23                on ring(*)

            mail.stb
            at_most_one  violated
        "#]]
    .assert_eq(&run(&ran));
}

#[test]
fn lanes_have_a_column_for_each_participant() {
    told(
        "--trace lanes",
        expect![[r#"
            step │ sender(letter)     │ sender(card)       │ postman           │ house        │ box
               1 │ tries = 0          │                    │                   │              │
                 │ tries = 0, as      │                    │                   │              │
                 │ before             │                    │                   │              │
               2 │ await stamps >     │                    │                   │              │
                 │ tries do stamps =  │                    │                   │              │
                 │ stamps - 1         │                    │                   │              │
                 │ stamps = 1         │                    │                   │              │
               3 │ send box(k)        │                    │                   │              │ [letter]
               4 │ if sent[k] < 3:    │                    │                   │              │
                 │ yes                │                    │                   │              │
               5 │ sent[k] = sent[k]  │                    │                   │              │
                 │ + 1                │                    │                   │              │
                 │ → end              │                    │                   │              │
                 │ sent[letter] = 1   │                    │                   │              │
               6 │                    │ tries = 0          │                   │              │
                 │                    │ tries = 0, as      │                   │              │
                 │                    │ before             │                   │              │
               7 │                    │ await stamps >     │                   │              │
                 │                    │ tries do stamps =  │                   │              │
                 │                    │ stamps - 1         │                   │              │
                 │                    │ stamps = 0         │                   │              │
               8 │                    │ send box(k)        │                   │              │ [letter, card]
               9 │                    │ if sent[k] < 3:    │                   │              │
                 │                    │ yes                │                   │              │
              10 │                    │ sent[k] = sent[k]  │                   │              │
                 │                    │ + 1                │                   │              │
                 │                    │ → end              │                   │              │
                 │                    │ sent[card] = 1     │                   │              │
              11 │                    │                    │ receive           │              │ [card]
                 │                    │                    │ box(?held)        │              │
                 │                    │                    │ → rings           │              │
              12 │                    │                    │ ring(letter)      │ ring(letter) │
                 │                    │                    │ → waits           │              │
              13 │                    │                    │ receive           │              │ []
                 │                    │                    │ box(?held)        │              │
                 │                    │                    │ → rings           │              │
                 │                    │                    │ held = card       │              │
              14 │                    │                    │ ring(card)        │ ring(card)   │
                 │                    │                    │ → waits           │              │
        "#]],
    );
}

#[test]
fn a_sequence_diagram_is_one_of_mermaid() {
    told(
        "--trace mermaid",
        expect![[r#"
            sequenceDiagram
              participant p0 as sender(letter)
              participant p1 as sender(card)
              participant p2 as postman
              participant p3 as house
              participant p4 as box
              Note over p0: 1. tries = 0<br/>sender(letter).tries = 0, as before
              Note over p0: 2. await stamps #62; tries do stamps = stamps #45; 1<br/>stamps = 1
              p0->>p4: 3. letter
              Note over p0: 4. if sent[k] #60; 3#58; yes
              Note over p0: 5. sent[k] = sent[k] #43; 1<br/>→ #101;nd<br/>sent[letter] = 1
              Note over p1: 6. tries = 0<br/>sender(card).tries = 0, as before
              Note over p1: 7. await stamps #62; tries do stamps = stamps #45; 1<br/>stamps = 0
              p1->>p4: 8. card
              Note over p1: 9. if sent[k] #60; 3#58; yes
              Note over p1: 10. sent[k] = sent[k] #43; 1<br/>→ #101;nd<br/>sent[card] = 1
              p4-->>p2: 11. letter
              Note over p2: → rings
              p2->>p3: 12. ring(letter)
              Note over p2: postman → waits
              p4-->>p2: 13. card
              Note over p2: → rings<br/>postman.held = card
              p2->>p3: 14. ring(card)
              Note over p2: postman → waits
        "#]],
    );
}

#[test]
fn some_of_a_run_has_the_numbers_of_the_whole() {
    told(
        "--only postman,sender(card).tries",
        expect![[r#"
            step  who                    from → to          statement         what changed
               6  sender(card)           line 13 → line 14  tries = 0         sender(card).tries = 0, as before
              11  postman                waits → rings      receive
                                                            box(?held)
              12  postman: ring(letter)  rings → waits      on ring(held)
              13  postman                waits → rings      receive           postman.held = card
                                                            box(?held)
              14  postman: ring(card)    rings → waits      on ring(held)

            9 of 14 steps are not shown: `--only` names nothing in them.
        "#]],
    );
    told(
        "--only stamps --only sent[card] --trace lanes",
        expect![[r#"
            step │ sender(letter)                           │ sender(card)
               2 │ await stamps > tries do stamps = stamps  │
                 │ - 1                                      │
                 │ stamps = 1                               │
               7 │                                          │ await stamps > tries do stamps = stamps
                 │                                          │ - 1
                 │                                          │ stamps = 0
              10 │                                          │ sent[k] = sent[k] + 1
                 │                                          │ → end
                 │                                          │ sent[card] = 1

            11 of 14 steps are not shown: `--only` names nothing in them.
        "#]],
    );
    told(
        "--only house --trace mermaid",
        expect![[r#"
            sequenceDiagram
              participant p0 as house
              Note over p0: 12. ring(letter)
              Note over p0: 14. ring(card)

            12 of 14 steps are not shown: `--only` names nothing in them.
        "#]],
    );
}

#[test]
fn a_replayed_table_is_the_one_that_the_check_has_printed() {
    let folder = || mail().and("mail.tester", IMPATIENT);
    for (file, property) in [("mail.stb", "at_most_one"), ("mail.tester", "impatient")] {
        let ran = folder().run(&format!("check {file} --property {property}"));
        let replayed = replayed(folder(), file, property, "--trace table");
        assert!(replayed.lines().count() > 5, "{replayed}");
        assert!(unindented(&ran.out).contains(&replayed), "{}", ran.out);
    }
}

#[test]
fn an_unknown_name_is_an_error_with_the_nearest_one() {
    let (_, object) = mail().json("check mail.stb --property at_most_one");
    let folder = mail().and("found.json", &object.to_string());
    let only = |names: &str| {
        folder.run(&format!(
            "simulate mail.stb --replay found.json --only {names}"
        ))
    };
    for (names, told) in [
        ("postmann", "; did you mean `postman`?"),
        ("sender(card),stemps", "; did you mean `stamps`?"),
        ("sent[2]", " of that name"),
        ("sender(parcel)", "there is no instance"),
        ("sender.held", "there is no instance"),
        ("postman,,box", "has an empty name"),
    ] {
        let ran = only(names);
        assert_eq!((ran.status, &*ran.out), (3, ""), "{names}");
        assert!(ran.err.contains(told), "{}", ran.err);
    }
    for names in [
        "sender",
        "sender(letter)",
        "sender.tries",
        "tries",
        "postman.held",
        "box",
        "sent",
        "sent[card]",
    ] {
        let ran = only(names);
        assert_eq!((ran.status, &*ran.err), (0, ""), "{names}");
    }
    for option in ["--trace lanes", "--only box"] {
        let ran = mail().run(&format!("simulate mail.stb {option}"));
        assert_eq!(ran.status, 3, "{option}");
        assert!(ran.err.contains("--replay"), "{}", ran.err);
    }
}

#[test]
fn a_step_in_json_has_its_text_and_the_outcome_of_a_test() {
    let (_, whole) = mail().json("check mail.stb --property at_most_one");
    let trace = &property(&whole, "at_most_one")["trace"];
    let test = trace["steps"]
        .as_array()
        .expect("steps")
        .iter()
        .find(|step| !step["outcome"].is_null());
    let test = test.expect("a test");
    assert_eq!(test["text"], "if sent[k] < 3");
    assert_eq!(test["outcome"], true);
}

#[test]
fn a_tester_is_a_participant_and_may_be_named() {
    let folder = mail().and("mail.tester", IMPATIENT);
    let asked = "--trace lanes --only impatient";
    let told = replayed(folder, "mail.tester", "impatient", asked);
    expect![[r#"
        step │ impatient
           1 │ on tau
             │ → cross
           6 │ ring(letter)
             │ → furious

        4 of 6 steps are not shown: `--only` names nothing in them.
    "#]]
    .assert_eq(&told);
}

/// So many processes, all of which move before a violation shows.
fn crowd(count: usize) -> String {
    format!(
        "var n: 0..{count}\nprocess p(i in 1..{count}) {{ n = n + 1 }}\n\
         invariant few: n < {count}\n"
    )
}

#[test]
fn many_lanes_share_the_last_column() {
    let folder = Folder::with("crowd.stb", &crowd(9));
    let told = replayed(folder, "crowd.stb", "few", "--trace lanes");
    expect![[r#"
        step │ p(1)      │ p(2)      │ p(3)      │ p(4)      │ others
           1 │ n = n + 1 │           │           │           │
             │ → end     │           │           │           │
             │ n = 1     │           │           │           │
           2 │           │ n = n + 1 │           │           │
             │           │ → end     │           │           │
             │           │ n = 2     │           │           │
           3 │           │           │ n = n + 1 │           │
             │           │           │ → end     │           │
             │           │           │ n = 3     │           │
           4 │           │           │           │ n = n + 1 │
             │           │           │           │ → end     │
             │           │           │           │ n = 4     │
           5 │           │           │           │           │ p(5): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 5
           6 │           │           │           │           │ p(6): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 6
           7 │           │           │           │           │ p(7): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 7
           8 │           │           │           │           │ p(8): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 8
           9 │           │           │           │           │ p(9): n = n + 1
             │           │           │           │           │ → end
             │           │           │           │           │ n = 9
    "#]]
    .assert_eq(&told);
}

#[test]
fn what_all_of_very_many_do_at_once_is_told_in_few_words() {
    let text = "\
        action go\n\
        process p(i in 1..400) { on go; on go }\n\
        invariant early: not p(1)@end\n";
    for (form, lines, says) in [
        ("lanes", 60, "and 3"),
        ("mermaid", 420, "1. go, by 400 participants"),
    ] {
        let folder = Folder::with("march.stb", text);
        let run = replayed(folder, "march.stb", "early", &format!("--trace {form}"));
        assert!(run.contains(says), "{run}");
        assert!(
            run.lines().count() < lines,
            "{form}: {} lines",
            run.lines().count()
        );
    }
}

#[test]
fn the_ends_of_what_is_named_are_shown_of_a_long_run() {
    let text = "\
        var t: 0..3000\n\
        process p { while t < 2000 { t = t + 1 } }\n\
        process q { await t == 1000; await t == 1999 }\n\
        invariant low: t < 2000 or not q@end\n";
    let (_, object) = Folder::with("long.stb", text).json("check long.stb --property low");
    let folder = Folder::with("long.stb", text).and("found.json", &object.to_string());
    let replayed = |arguments: &str| {
        let ran = folder.run(&format!(
            "simulate long.stb --replay found.json {arguments}"
        ));
        assert_eq!((ran.status, &*ran.err), (0, ""), "{arguments}");
        unindented(&ran.out)
    };
    expect![[r#"
        step  who  from → to            statement        what changed
        2002  q    line 3 → line 3 (2)  await t == 1000
        4001  q    line 3 (2) → end     await t == 1999

        4,000 of 4,002 steps are not shown: `--only` names nothing in them.
    "#]]
    .assert_eq(&replayed("--only q"));
    for form in ["table", "lanes", "mermaid"] {
        let run = replayed(&format!("--only t --trace {form}"));
        let left_out = match form {
            "mermaid" => "1,800 steps left out",
            _ => "1,800 steps left out;",
        };
        assert!(run.contains(left_out), "{form}: {run}");
        assert!(
            run.contains("2,002 of 4,002 steps are not shown"),
            "{form}: {run}"
        );
    }
}
